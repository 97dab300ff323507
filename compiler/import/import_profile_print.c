/*
 * A profile as settings, groups and rows: one row for what passes, one for each way of refusal. ADRs and
 * reasons are left open, and so is the ABI where the profile leaves it to the host ('native' does not
 * compile).
 */
#include <assert.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import.h"
#include "compiler/import/import_profile.h"

enum { ERRNO_EPERM = 1, ERRNO_ENOSYS = 38 };

/* Ways to refuse, or to log, each once. */
struct ways {
	struct arena *arena;
	struct way {
		struct action action;
		size_t count; /* of calls */
	} * items;
	size_t count, capacity;
};

struct printer {
	struct compilation *compilation;
	const struct import_profile *profile;
	struct action fallback; /* of the policy: what known calls get that are not listed */
	struct strbuf *out;
};

/* Its place in `items`, which may be others after this. */
static size_t way_of(struct ways *ways, struct action action)
{
	for (size_t i = 0; i < ways->count; i++)
		if (action_equal(ways->items[i].action, action))
			return i;
	ways->items = arena_grow(ways->arena, ways->items, ways->count, &ways->capacity, sizeof *ways->items);
	ways->items[ways->count] = (struct way){ action, 0 };
	return ways->count++;
}

/* ---- what the policy's default is ---- */

static bool is_conditional(const struct import_profile *profile)
{
	for (size_t i = 0; i < profile->count; i++)
		if (profile->calls[profile->order[i]].count)
			return true;
	return false;
}

/*
 * A profile has one default for calls that are known and numbers that are not; a policy has two. What most
 * known calls are refused with becomes the one, the profile's default the other, and the rows are few. A
 * condition gives the profile's default to what does not fulfil it, and so keeps the two one.
 */
static struct action fallback_choose(struct arena *arena, const struct import_profile *profile)
{
	struct ways ways = { .arena = arena };
	if (action_passes(profile->fallback) || !profile->abis || is_conditional(profile))
		return profile->fallback;
	way_of(&ways, profile->fallback);
	for (size_t i = 0; i < syscall_table_size; i++) {
		const struct profile_call *call = &profile->calls[i];
		struct action action = call->ruled ? call->action : profile->fallback;
		if (!import_profile_has(profile, &syscall_table[i]) || action_passes(action))
			continue;
		size_t way = way_of(&ways, action);
		ways.items[way].count++;
	}
	const struct way *most = &ways.items[0];
	for (size_t i = 1; i < ways.count; i++)
		if (ways.items[i].count > most->count)
			most = &ways.items[i];
	return most->action;
}

/* ---- what each row has ---- */

/* By place in syscall_table, in the order of the text; then what the profile leaves to its own default. */
struct calls {
	size_t *items;
	size_t count, capacity;
};

static void calls_add(struct printer *printer, struct calls *calls, size_t index)
{
	calls->items = arena_grow(printer->compilation->arena, calls->items, calls->count, &calls->capacity,
				  sizeof *calls->items);
	calls->items[calls->count++] = index;
}

static bool is_clone3(size_t index)
{
	return strcmp(syscall_table[index].name, "clone3") == 0;
}

/* Where clone is decided by its flags a policy refuses clone3, unless a row names it. */
static bool clone3_stands_alone(const struct printer *printer)
{
	return printer->profile->calls[syscall_find("clone") - syscall_table].count;
}

static const char *condition_of(const struct profile_call *call, size_t i)
{
	return call->count ? call->conditions[i] : NULL;
}

/* A line that begins with the bare word opens the settings. */
static void name_print(struct printer *printer, const char *name)
{
	const char *quote = strcmp(name, "seccomp") == 0 ? "\"" : "";
	strbuf_printf(printer->out, "%s%s%s", quote, name, quote);
}

static void entries_print(struct printer *printer, const struct calls *calls, const char *before,
			  const char *after)
{
	for (size_t i = 0; i < calls->count; i++) {
		const struct profile_call *call = &printer->profile->calls[calls->items[i]];
		if (call->implied)
			strbuf_add_text(printer->out,
					"    # engines do this by the rules about what it stands for\n");
		for (size_t k = 0; k == 0 || k < call->count; k++) {
			const char *condition = condition_of(call, k);
			strbuf_add_text(printer->out, before);
			name_print(printer, syscall_table[calls->items[i]].name);
			if (condition)
				strbuf_printf(printer->out, "(%s)", condition);
			strbuf_add_text(printer->out, after);
		}
	}
}

static void row_print(struct printer *printer, const char *verb, const char *subject, struct action action)
{
	static const struct action usual = { ACTION_ERRNO, ERRNO_EPERM };
	strbuf_printf(printer->out, "%s syscall %s  adr ?", verb, subject);
	if (strcmp(verb, "forbid") == 0 && !action_equal(action, usual))
		strbuf_printf(printer->out, "  with %s", action_text(printer->compilation, action));
	strbuf_add_char(printer->out, '\n');
}

static bool is_one_entry(const struct printer *printer, const struct calls *calls)
{
	return calls->count == 1 && printer->profile->calls[calls->items[0]].count <= 1;
}

/* One entry stands in its row, unless the group is wanted; several in a group. */
static void calls_print(struct printer *printer, const char *verb, const char *group, bool grouped,
			const struct calls *calls, struct action action)
{
	struct strbuf subject = STRBUF_INIT;
	if (!calls->count)
		return;
	if (is_one_entry(printer, calls) && !grouped) {
		struct printer inner = *printer;
		inner.out = &subject;
		entries_print(&inner, calls, "", "");
	} else {
		strbuf_printf(&subject, "@%s", group);
		strbuf_printf(printer->out, "syscalls %s {\n", subject.bytes);
		entries_print(printer, calls, "    ", "\n");
		strbuf_add_text(printer->out, "}\n");
	}
	row_print(printer, verb, subject.bytes, action);
	strbuf_release(&subject);
}

/* ---- rows ---- */

/*
 * What is logged passes: where calls are refused by omission, it is listed and then logged. No row that names
 * a call allows what another logs; one that names a group does.
 */
static void allowed_print(struct printer *printer)
{
	static const struct action pass = { .kind = ACTION_ALLOW };
	struct calls calls = { .items = NULL }, alone = { .items = NULL };
	bool logged = false;
	for (size_t i = 0; i < printer->profile->count; i++) {
		size_t index = printer->profile->order[i];
		enum action_kind kind = printer->profile->calls[index].action.kind;
		bool listed_to_be_logged = kind == ACTION_LOG && !action_passes(printer->fallback);
		logged |= listed_to_be_logged;
		if (kind == ACTION_ALLOW && is_clone3(index) && clone3_stands_alone(printer))
			calls_add(printer, &alone, index);
		else if (kind == ACTION_ALLOW || listed_to_be_logged)
			calls_add(printer, &calls, index);
	}
	calls_print(printer, "allow", "allowed", logged, &calls, pass);
	calls_print(printer, "allow", "allowed", false, &alone, pass);
}

/* "refused-eperm", "killed", "logged" */
static const char *group_name(struct printer *printer, struct action action)
{
	if (action.kind != ACTION_ERRNO)
		return action.kind == ACTION_KILL ? "killed" : "logged";
	const char *name = errno_name(action.errno_value);
	char *group = name ? arena_printf(printer->compilation->arena, "refused-%s", name)
			   : arena_printf(printer->compilation->arena, "refused-%u", action.errno_value);
	for (char *at = group; *at; at++)
		*at = ascii_lower(*at);
	return group;
}

/* Whether a row must say that the call gets this action, though some rule, or the default, says so. */
static bool is_said_by_default(const struct printer *printer, const struct profile_call *call,
			       struct action action)
{
	return !call->count && action_equal(action, printer->fallback);
}

static void refused_print(struct printer *printer)
{
	const struct import_profile *profile = printer->profile;
	struct ways ways = { .arena = printer->compilation->arena };
	struct calls *lists = arena_array(ways.arena, profile->count + 1, sizeof *lists);
	for (size_t i = 0; i < profile->count; i++) {
		const struct profile_call *call = &profile->calls[profile->order[i]];
		if (call->action.kind == ACTION_ALLOW || is_said_by_default(printer, call, call->action))
			continue;
		size_t way = way_of(&ways, call->action);
		calls_add(printer, &lists[way], profile->order[i]);
	}
	/* What no rule names has the profile's default, which need not be the policy's. */
	bool same = action_equal(profile->fallback, printer->fallback);
	size_t rest = same ? 0 : way_of(&ways, profile->fallback);
	for (size_t i = 0; !same && i < syscall_table_size; i++)
		if (!profile->calls[i].ruled && import_profile_has(profile, &syscall_table[i]))
			calls_add(printer, &lists[rest], i);
	for (size_t i = 0; i < ways.count; i++)
		calls_print(printer, "forbid", group_name(printer, ways.items[i].action), false, &lists[i],
			    ways.items[i].action);
}

/* A policy would refuse it with ENOSYS, of its own accord. */
static void clone3_print(struct printer *printer)
{
	static const struct action enosys = { ACTION_ERRNO, ERRNO_ENOSYS };
	size_t index = (size_t)(syscall_find("clone3") - syscall_table);
	const struct import_profile *profile = printer->profile;
	if (!clone3_stands_alone(printer) || profile->calls[index].ruled ||
	    action_equal(profile->fallback, enosys))
		return;
	struct calls calls = { .items = &index, .count = 1 };
	calls_print(printer, "forbid", "clone3", false, &calls, profile->fallback);
}

/* ---- settings ---- */

static void abis_print(struct printer *printer)
{
	const char *before = " ";
	if (!printer->profile->abis)
		strbuf_add_text(printer->out,
				"    # the profile leaves it to the host: name what the policy is for\n");
	strbuf_add_text(printer->out, "    abi");
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (!(printer->profile->abis >> abi & 1))
			continue;
		strbuf_printf(printer->out, "%s%s", before, abi_facts(abi)->name);
		before = ", ";
	}
	strbuf_add_text(printer->out, printer->profile->abis ? "\n" : " native\n");
}

static void settings_print(struct printer *printer)
{
	struct action fallback = printer->fallback, unknown = printer->profile->fallback;
	strbuf_printf(printer->out, "\nseccomp {\n    default %s\n",
		      action_text(printer->compilation, fallback));
	if (!action_equal(fallback, unknown))
		strbuf_printf(printer->out, "    unknown %s\n", action_text(printer->compilation, unknown));
	else if (!action_passes(fallback))
		strbuf_add_text(printer->out, "    unknown default\n");
	abis_print(printer);
	strbuf_add_text(printer->out, "}\n");
}

void import_profile_print(struct import *import, struct strbuf *out)
{
	struct printer printer = { .compilation = import->compilation,
				   .profile = import->profile,
				   .out = out };
	if (!import->profile)
		return;
	printer.fallback = fallback_choose(import->compilation->arena, import->profile);
	settings_print(&printer);
	allowed_print(&printer);
	refused_print(&printer);
	clone3_print(&printer);
}
