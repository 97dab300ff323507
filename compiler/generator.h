/*
 * Generators: programs `allowc-gen-NAME` that make artifacts as backends do, from the resolved policy.
 */
#ifndef ALLOWC_GENERATOR_H
#define ALLOWC_GENERATOR_H

#include <stdbool.h>

struct arena;

#define GENERATOR_PREFIX "allowc-gen-"

/* Seconds that one may take, unless --time-limit says otherwise. */
enum { GENERATOR_SECONDS = 60, GENERATOR_SECONDS_MOST = 86400 };

struct generator {
	const char *name; /* what --emit and `output` call it: "typescript" */
	const char *path; /* of the program */
};

/* Whether the name can be a generator's: [a-z][a-z0-9-]*, so that it leads into no other folder. */
bool generator_is_name(const char *name);

/*
 * Looks for its program in the absolute folders of PATH. False with errno set where there is none (ENOENT),
 * or none that may be run (EACCES). Strings are in the arena.
 */
bool generator_find(struct arena *arena, const char *name, struct generator *generator);

#endif
