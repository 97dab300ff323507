/* The table of backends: a new one is a file of its own and one line here. */
#include <string.h>

#include "backends/backend.h"
#include "compiler/base/suggest.h"

const struct backend *const backends[] = {
	&backend_c_header,      &backend_seccomp,   &backend_bpf,           &backend_oci_seccomp, &backend_python,
	&backend_plugin_yaml,   &backend_json,      &backend_listing,       &backend_names,       &backend_spo,
	&backend_seccomp_audit, &backend_bpf_audit, &backend_listing_audit,
};

const size_t backend_count = sizeof backends / sizeof *backends;

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
