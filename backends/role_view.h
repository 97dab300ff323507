/*
 * A policy as one of its roles gets it, for backends that write a file for each role: NAME.ROLE.bpf.
 */
#ifndef ALLOWC_BACKENDS_ROLE_VIEW_H
#define ALLOWC_BACKENDS_ROLE_VIEW_H

struct arena;
struct block;
struct policy;

/* The policy with `role` set and the role's filter: that of the layers where it has none, or is NULL. */
struct policy role_view(const struct policy *policy, const struct block *role);

/*
 * For each role, in their order, the policy with `role` set and the role's filter; its name is "NAME.ROLE"
 * and its identifier NAME_ROLE, the role as role_identifiers() has it. Its rows are those of the layers: ask
 * block_commands() for the role's. In the arena.
 */
const struct policy *role_views(struct arena *arena, const struct policy *policy);

#endif
