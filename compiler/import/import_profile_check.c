/* What a profile says without a word, and a policy would not: calls that others stand for, or bring along. */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/import/import.h"
#include "compiler/import/import_profile.h"
#include "compiler/import/json_place.h"

unsigned import_profile_abis(const struct import_profile *profile)
{
	return profile->abis ? profile->abis : (1u << ABI_COUNT) - 1;
}

static const struct profile_call *call_named(const struct import_profile *profile, const char *name)
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
 * One call of older ABIs stands for many: for a rule about one of the many libseccomp also makes one about
 * it, unless it has a rule of its own. Sources: linux/net.h, linux/ipc.h; src/arch-x86.c of libseccomp 2.5.
 */
struct multiplexer {
	const char *name;
	const char *parts[24]; /* NULL-terminated */
};

static const struct multiplexer multiplexers[] = {
	{ "socketcall",
	  { "socket",     "bind",    "connect", "listen",  "accept",   "getsockname", "getpeername",
	    "socketpair", "send",    "recv",    "sendto",  "recvfrom", "shutdown",    "setsockopt",
	    "getsockopt", "sendmsg", "recvmsg", "accept4", "recvmmsg", "sendmmsg" } },
	{ "ipc",
	  { "semop", "semget", "semctl", "semtimedop", "msgsnd", "msgrcv", "msgget", "msgctl", "shmat",
	    "shmdt", "shmget", "shmctl" } },
};

static bool abis_have(const struct import_profile *profile, const char *name)
{
	const struct syscall_entry *entry = syscall_find(name);
	for (enum abi abi = 0; entry && abi < ABI_COUNT; abi++)
		if (import_profile_abis(profile) >> abi & 1 && entry->numbers[abi] >= 0)
			return true;
	return false;
}

/* The first of its parts, in the order of the list, about which there is a rule; NULL without one. */
static const char *part_ruled(const struct import_profile *profile, const struct multiplexer *multiplexer)
{
	for (const char *const *part = multiplexer->parts; *part; part++)
		if (syscall_find(*part) && call_named(profile, *part)->ruled)
			return *part;
	return NULL;
}

static bool multiplexer_check(struct import *import, const struct import_profile *profile,
			      const struct multiplexer *multiplexer)
{
	const struct profile_call *whole = call_named(profile, multiplexer->name);
	const char *part = part_ruled(profile, multiplexer);
	if (!part || (whole->ruled && !whole->count) || !abis_have(profile, multiplexer->name))
		return true;
	const char *message =
		arena_printf(import->compilation->arena,
			     "engines also decide '%s' by this rule about '%s', and a policy does not",
			     multiplexer->name, part);
	struct diagnostic *d = report(import, profile, call_named(profile, part), message);
	diag_help(d, "give '%s' a rule of its own, whatever its arguments and not what the default says",
		  multiplexer->name);
	return false;
}

/* ---- clone3 ---- */

/* Of clone3, which hides its flags, no policy says that it passes by default while some of clone is refused.
 */
static bool clone3_check(struct import *import, const struct import_profile *profile)
{
	const struct profile_call *clone = call_named(profile, "clone"),
				  *clone3 = call_named(profile, "clone3");
	if (!clone->count || clone3->ruled || !action_passes(profile->fallback))
		return true;
	struct diagnostic *d =
		report(import, profile, clone,
		       "clone3 passes by default and hides its flags, so that this refuses nothing: "
		       "a policy refuses clone3 too");
	diag_help(d, "give 'clone3' a rule of its own: SCMP_ACT_ERRNO with errnoRet 38");
	return false;
}

bool import_profile_check(struct import *import, const struct import_profile *profile)
{
	bool good = clone3_check(import, profile);
	for (size_t i = 0; i < sizeof multiplexers / sizeof *multiplexers; i++)
		good &= multiplexer_check(import, profile, &multiplexers[i]);
	return good;
}
