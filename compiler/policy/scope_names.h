/* Scopes of ADRs by their names, and by what else may mean them: `P2`, `02` and `Phase 2` of `phase2`. */
#ifndef ALLOWC_POLICY_SCOPE_NAMES_H
#define ALLOWC_POLICY_SCOPE_NAMES_H

#include <stdbool.h>

struct arena;
struct scope_names;

struct scope_names *scope_names_new(struct arena *arena);

/* The name must live as long as the names do. Of one name the first scope counts. */
void scope_names_put(struct scope_names *names, const char *name, const void *scope);

/* The scope of this name, or NULL. */
void *scope_named(const struct scope_names *names, const char *name);

/* By its name, else the only one that the spelling may mean, or NULL: `*several` where that may be more than
 * one. */
void *scope_spelt(const struct scope_names *names, const char *spelling, bool *several);

#endif
