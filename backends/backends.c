/* The table of backends: a new one is a file of its own and one line in BACKEND_LIST. */
#include <string.h>

#include "backends/backend.h"
#include "backends/strength.h"
#include "compiler/base/suggest.h"

const struct backend *const backends[] = {
#define X(identifier, strength) &backend_##identifier,
	BACKEND_LIST(X)
#undef X
};

const size_t backend_count = sizeof backends / sizeof *backends;

unsigned backend_strength(const struct backend *backend)
{
	static const unsigned strengths[] = {
#define X(identifier, strength) strength,
		BACKEND_LIST(X)
#undef X
	};
	size_t i = 0;
	while (backends[i] != backend)
		i++;
	return strengths[i];
}

const struct backend *backend_find(const char *name)
{
	for (size_t i = 0; i < backend_count; i++)
		if (!backends[i]->audits && strcmp(backends[i]->name, name) == 0)
			return backends[i];
	return NULL;
}

const char *backend_nearest(const char *name)
{
	struct suggestion suggestion = suggestion_begin(name);
	for (size_t i = 0; i < backend_count; i++)
		if (!backends[i]->audits)
			suggestion_offer(&suggestion, backends[i]->name);
	return suggestion.nearest;
}
