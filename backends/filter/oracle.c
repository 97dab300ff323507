#include "backends/filter/oracle.h"

#include "compiler/base/arena.h"

#define X32_FIRST 0x40000000u

struct oracle {
	const struct policy *policy;
	const struct call_rule **denials; /* of each call of the table: the first rule, or NULL */
	bool *allowed;
};

const struct oracle *oracle_new(struct arena *arena, const struct policy *policy)
{
	const struct seccomp *seccomp = &policy->seccomp;
	struct oracle *oracle = arena_alloc(arena, sizeof *oracle);
	oracle->policy = policy;
	oracle->denials = arena_array(arena, syscall_table_size, sizeof *oracle->denials);
	oracle->allowed = arena_array(arena, syscall_table_size, sizeof *oracle->allowed);
	for (size_t i = 0; i < seccomp->denied_count; i++) {
		const struct call_rule **denial = &oracle->denials[seccomp->denied[i].call - syscall_table];
		if (!*denial)
			*denial = &seccomp->denied[i];
	}
	for (size_t i = 0; i < seccomp->allowed_count; i++)
		oracle->allowed[seccomp->allowed[i].call - syscall_table] = true;
	for (size_t i = 0; i < seccomp->base_call_count; i++)
		oracle->allowed[seccomp->base_calls[i] - syscall_table] = true;
	return oracle;
}

static struct action kill_process(void)
{
	return (struct action){ .kind = ACTION_KILL };
}

static bool is_named(const struct policy *policy, enum abi abi)
{
	return policy->seccomp.abis >> abi & 1;
}

/* Numbers of an ABI that the policy leaves out, under the token of one that it names. */
static struct action x32_guard(const struct seccomp *seccomp)
{
	struct action action = seccomp->unknown_default ? seccomp->fallback : seccomp->unknown;
	if (action.kind == ACTION_ALLOW || action.kind == ACTION_LOG)
		return (struct action){ .kind = ACTION_ERRNO, .errno_value = 38 };
	return action;
}

/* The ABI that a call is made with; ABI_COUNT where no ABI has the token. */
static enum abi calling_abi(uint32_t arch, uint32_t number)
{
	if (arch == abi_facts(ABI_X86_64)->token)
		return number >= X32_FIRST ? ABI_X32 : ABI_X86_64;
	unsigned abi = 0;
	while (abi < ABI_COUNT && abi_facts((enum abi)abi)->token != arch)
		abi++;
	return (enum abi)abi;
}

/* What decides before any table is looked at. */
static bool decided_by_number(const struct policy *policy, enum abi abi, uint32_t number,
			      struct action *action)
{
	bool guarded = (abi == ABI_X32 && !is_named(policy, ABI_X32) && is_named(policy, ABI_X86_64)) ||
		       (abi == ABI_X86_64 && is_named(policy, ABI_X86_64) && number >= 512 && number <= 547);
	if (guarded)
		*action = x32_guard(&policy->seccomp);
	else if (abi == ABI_COUNT || !is_named(policy, abi))
		*action = kill_process();
	else
		return false;
	return true;
}

static const struct syscall_entry *called(enum abi abi, uint32_t number)
{
	uint32_t plain = number - abi_facts(abi)->base;
	return plain <= INT32_MAX ? abi_call_numbered(abi, (int32_t)plain) : NULL;
}

static struct action unknown_number(const struct seccomp *seccomp)
{
	bool by_default = seccomp->fallback.kind == ACTION_ALLOW || seccomp->unknown_default;
	return by_default ? seccomp->fallback : seccomp->unknown;
}

/* What stands behind a number of x32 that is no call of x32: old kernels run the one of x86_64. */
static struct action mixed_up(const struct oracle *oracle, uint32_t number)
{
	const struct seccomp *seccomp = &oracle->policy->seccomp;
	const struct syscall_entry *native = called(ABI_X86_64, number - X32_FIRST);
	if (!native)
		return unknown_number(seccomp);
	size_t index = (size_t)(native - syscall_table);
	struct action action = seccomp->fallback;
	if (oracle->denials[index])
		action = oracle->denials[index]->action;
	else if (oracle->allowed[index])
		action = (struct action){ .kind = ACTION_ALLOW };
	return action.kind == ACTION_ALLOW || action.kind == ACTION_LOG ? unknown_number(seccomp) : action;
}

/* Whether or not it is only to be logged. */
static struct action enforced_action(const struct oracle *oracle, uint32_t arch, uint32_t number)
{
	const struct seccomp *seccomp = &oracle->policy->seccomp;
	enum abi abi = calling_abi(arch, number);
	struct action action;
	if (decided_by_number(oracle->policy, abi, number, &action))
		return action;
	const struct syscall_entry *call = called(abi, number);
	if (!call && abi == ABI_X32)
		return mixed_up(oracle, number);
	if (!call)
		return unknown_number(seccomp);
	size_t index = (size_t)(call - syscall_table);
	if (oracle->denials[index])
		return oracle->denials[index]->action;
	if (oracle->allowed[index])
		return (struct action){ .kind = ACTION_ALLOW };
	return seccomp->fallback;
}

struct action oracle_action(const struct oracle *oracle, uint32_t arch, uint32_t number)
{
	struct action action = enforced_action(oracle, arch, number);
	bool refused = action.kind == ACTION_ERRNO || action.kind == ACTION_KILL;
	if (oracle->policy->seccomp.audit && refused)
		action = (struct action){ .kind = ACTION_LOG };
	return action;
}
