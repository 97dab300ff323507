/* What backends share when they hand over an artifact. */
#include <assert.h>
#include <string.h>

#include "backends/backend.h"
#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/policy.h"

/* `bytes` live as long as the arena. */
static void append(const struct emission *emission, struct artifacts *out, const struct backend *backend,
		   const char *path, const char *bytes, size_t size)
{
	struct arena *arena = emission->compilation->arena;
	out->items = arena_grow(arena, out->items, out->count, &out->capacity, sizeof *out->items);
	out->items[out->count++] = (struct artifact){
		.backend = backend->name,
		.path = arena_copy(arena, path, strlen(path)),
		.bytes = bytes,
		.size = size,
	};
}

void artifact_add(const struct emission *emission, struct artifacts *out, const struct backend *backend,
		  const char *path, const char *bytes, size_t size)
{
	append(emission, out, backend, path, arena_copy(emission->compilation->arena, bytes, size), size);
}

void artifact_take(const struct emission *emission, struct artifacts *out, const struct backend *backend,
		   const char *path, struct strbuf *text)
{
	size_t size = text->size;
	char *bytes = strbuf_detach(text);
	arena_adopt(emission->compilation->arena, bytes);
	append(emission, out, backend, path, bytes, size);
}

const char *artifact_name(const struct emission *emission, const char *suffix)
{
	return arena_printf(emission->compilation->arena, "%s%s", emission->policy->name, suffix);
}

bool artifact_is_named(const struct policy *policy, const char *path, const char *suffix)
{
	size_t size = strlen(policy->name);
	return strncmp(path, policy->name, size) == 0 && strcmp(path + size, suffix) == 0;
}

/* "gate" of "gate.audit" is no role's whole name: the rest is of another file's suffix. */
static bool is_role(const char *name, size_t size)
{
	static const char *const taken[] = { "audit", "be" };
	size_t last = size;
	while (last && name[last - 1] != '.')
		last--;
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		if (size - last == strlen(taken[i]) && memcmp(name + last, taken[i], size - last) == 0)
			return false;
	return size > 0 && !memchr(name, '/', size);
}

bool artifact_is_named_for_role(const struct policy *policy, const char *path, const char *suffix)
{
	size_t size = strlen(policy->name), path_size = strlen(path), suffix_size = strlen(suffix);
	if (artifact_is_named(policy, path, suffix))
		return true;
	return strncmp(path, policy->name, size) == 0 && path[size] == '.' &&
	       path_size > size + 1 + suffix_size && strcmp(path + path_size - suffix_size, suffix) == 0 &&
	       is_role(path + size + 1, path_size - size - 1 - suffix_size);
}

bool backend_writes_role(const struct backend *backend, const struct block *role)
{
	return backend->role_files == ROLE_FILES_ALL ||
	       (backend->role_files == ROLE_FILES_FILTER && role->seccomp);
}

/* A policy's name has no capital letters, but a role's may. */
const char *artifact_guard(struct arena *arena, const struct policy *policy)
{
	char *guard = arena_alloc(arena, strlen("_DASH_") * strlen(policy->name) + 1), *end = guard;
	for (const char *at = policy->name; *at; at++) {
		if (*at == '-')
			end = stpcpy(end, "_DASH_");
		else if (*at == '.')
			end = stpcpy(end, "_DOT_");
		else if (ascii_lower(*at) != *at)
			end = stpcpy(end, "_UP_");
		if (*at != '-' && *at != '.')
			*end++ = ascii_lower(*at);
	}
	return guard;
}

void mark_add(struct strbuf *out, const struct policy *policy,
	      void (*quote)(struct strbuf *out, const char *text))
{
	strbuf_add_text(out, GENERATED_MARK);
	quote(out, policy->file);
	if (policy->role) {
		strbuf_add_text(out, ", for its role ");
		quote(out, policy->role->name);
	}
	strbuf_add_text(out, "; do not edit.");
}

void caveat_add(struct strbuf *out, const char *prefix, const char *caveat,
		void (*quote)(struct strbuf *out, const char *text))
{
	while (*caveat) {
		char line[128];
		size_t size = strcspn(caveat, "\n");
		assert(size < sizeof line);
		memcpy(line, caveat, size);
		line[size] = '\0';
		strbuf_add_text(out, prefix); /* lint-quoting: a literal of the backend that calls */
		quote(out, line);
		strbuf_add_text(out, "\n");
		caveat += size + (caveat[size] == '\n');
	}
}
