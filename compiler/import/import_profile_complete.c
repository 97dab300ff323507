/* What a profile says without a word, and a policy would not: calls that others stand for, or bring along. */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/import/import.h"
#include "compiler/import/import_arguments.h"
#include "compiler/import/import_profile.h"
#include "compiler/import/json_place.h"

unsigned import_profile_abis(const struct import_profile *profile)
{
	return profile->abis ? profile->abis : (1u << ABI_COUNT) - 1;
}

bool import_profile_has(const struct import_profile *profile, const struct syscall_entry *entry)
{
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (import_profile_abis(profile) >> abi & 1 && entry->numbers[abi] >= 0)
			return true;
	return false;
}

static struct profile_call *call_named(const struct import_profile *profile, const char *name)
{
	return &profile->calls[syscall_find(name) - syscall_table];
}

static struct diagnostic *report(struct import *import, const struct import_profile *profile,
				 const struct profile_call *call, const char *message)
{
	return diag_report(import->compilation->diags, DIAG_IMPORT_PROFILE,
			   json_place(profile->source, call->name), "%s", message);
}

/* ---- socketcall and ipc ---- */

/*
 * One call of older ABIs stands for many, by its first argument. For a rule about one of the many libseccomp
 * also makes one about it, in which that argument's number takes the place of what the rule compares the
 * first one with; unless it has a rule of its own for all arguments. Sources: linux/net.h, linux/ipc.h;
 * abi_rule_add() in src/arch.c of libseccomp 2.6, and the functions before it, one for each architecture.
 */
struct multiplexer {
	const char *name;
	struct part {
		const char *name; /* NULL after the last */
		unsigned number;
	} parts[24];
};

static const struct multiplexer multiplexers[] = {
	{ "socketcall",
	  { { "socket", 1 },    { "bind", 2 },        { "connect", 3 },     { "listen", 4 },
	    { "accept", 5 },    { "getsockname", 6 }, { "getpeername", 7 }, { "socketpair", 8 },
	    { "send", 9 },      { "recv", 10 },       { "sendto", 11 },     { "recvfrom", 12 },
	    { "shutdown", 13 }, { "setsockopt", 14 }, { "getsockopt", 15 }, { "sendmsg", 16 },
	    { "recvmsg", 17 },  { "accept4", 18 },    { "recvmmsg", 19 },   { "sendmmsg", 20 } } },
	{ "ipc",
	  { { "semop", 1 },
	    { "semget", 2 },
	    { "semctl", 3 },
	    { "semtimedop", 4 },
	    { "msgsnd", 11 },
	    { "msgrcv", 12 },
	    { "msgget", 13 },
	    { "msgctl", 14 },
	    { "shmat", 21 },
	    { "shmdt", 22 },
	    { "shmget", 23 },
	    { "shmctl", 24 } } },
};

static bool report_part(struct import *import, const struct import_profile *profile,
			const struct multiplexer *multiplexer, const char *part)
{
	const char *message =
		arena_printf(import->compilation->arena,
			     "engines also decide some of '%s' by this rule about '%s', as no policy says it",
			     multiplexer->name, part);
	struct diagnostic *d = report(import, profile, call_named(profile, part), message);
	diag_help(d, "give '%s' a rule of its own, for all arguments and not what the default says",
		  multiplexer->name);
	return false;
}

/* "call == 1" */
static const char *part_condition(struct arena *arena, const struct import_profile *profile, const char *name,
				  unsigned number)
{
	const struct profile_comparison comparison = {
		.index = 0, .operator= COMPARISON_EQ, .mask = UINT64_MAX, .value = number
	};
	const char *why;
	return import_comparison_text(arena, syscall_find(name), import_profile_abis(profile), &comparison,
				      &why);
}

/* Unless a rule has said it. */
static void condition_add(struct arena *arena, struct profile_call *call, const char *condition)
{
	for (size_t i = 0; i < call->count; i++)
		if (strcmp(call->conditions[i], condition) == 0)
			return;
	call->conditions = arena_grow(arena, (void *)call->conditions, call->count, &call->capacity,
				      sizeof *call->conditions);
	((const char **)call->conditions)[call->count++] = condition;
}

/* False, with an error, where the parts have several answers, or rules that look further. */
static bool parts_add(struct import *import, struct import_profile *profile,
		      const struct multiplexer *multiplexer)
{
	struct arena *arena = import->compilation->arena;
	struct profile_call *whole = call_named(profile, multiplexer->name);
	for (const struct part *part = multiplexer->parts; part->name; part++) {
		const struct profile_call *call =
			syscall_find(part->name) ? call_named(profile, part->name) : NULL;
		if (!call || !call->ruled)
			continue;
		if (call->later_arguments || (whole->ruled && !action_equal(whole->action, call->action)))
			return report_part(import, profile, multiplexer, part->name);
		if (!whole->ruled) {
			*whole = (struct profile_call){
				.ruled = true, .implied = true, .action = call->action, .name = call->name
			};
			profile->order[profile->count++] = (size_t)(whole - profile->calls);
		}
		condition_add(arena, whole, part_condition(arena, profile, multiplexer->name, part->number));
	}
	return true;
}

static bool multiplexer_complete(struct import *import, struct import_profile *profile,
				 const struct multiplexer *multiplexer)
{
	const struct profile_call *whole = call_named(profile, multiplexer->name);
	bool decided = whole->ruled && !whole->count;
	bool there = import_profile_has(profile, syscall_find(multiplexer->name));
	return decided || !there || parts_add(import, profile, multiplexer);
}

/* ---- clone3 ---- */

/*
 * Of clone3, which hides its flags, no policy says that it passes by default while some of clone is refused.
 */
static bool clone3_check(struct import *import, const struct import_profile *profile)
{
	const struct profile_call *clone = call_named(profile, "clone"),
				  *clone3 = call_named(profile, "clone3");
	if (!clone->count || clone3->ruled || !action_passes(profile->fallback))
		return true;
	struct diagnostic *d =
		report(import, profile, clone,
		       "clone3, which hides its flags, passes by default and does what this refuses: "
		       "a policy refuses clone3 too");
	diag_help(d, "give 'clone3' a rule of its own: SCMP_ACT_ERRNO with errnoRet 38");
	return false;
}

bool import_profile_complete(struct import *import, struct import_profile *profile)
{
	bool good = clone3_check(import, profile);
	for (size_t i = 0; i < sizeof multiplexers / sizeof *multiplexers; i++)
		good &= multiplexer_complete(import, profile, &multiplexers[i]);
	return good;
}
