/* System calls: the fate of every number on every ABI that either side names. */
#include <string.h>

#include "backends/filter/clauses.h"
#include "backends/filter/decisions.h"
#include "backends/role_view.h"
#include "compiler/base/strbuf.h"
#include "compiler/diff/clauses_order.h"
#include "compiler/diff/comparer.h"

/* ---- one call's fate ---- */

/* Two errnos are neither more nor less than each other: each side has what the other has not. */
static void fate_compare(struct action old, struct action now, bool *wider, bool *narrower)
{
	if (action_equal(old, now))
		return;
	*wider |= action_reach(now) >= action_reach(old);
	*narrower |= action_reach(now) <= action_reach(old);
}

/* ---- one token ---- */

/* An ABI that a policy does not name kills the process. */
static const struct decisions nothing_named = {
	.zones = { { 0, UINT32_MAX, ZONE_UNKNOWN, { .kind = ACTION_KILL } } },
	.zone_count = 1,
};

static struct action zone_action(const struct decisions *side, uint32_t number)
{
	size_t i = 0;
	while (side->zones[i].last < number)
		i++;
	return side->zones[i].action;
}

static struct decision decision_at(const struct decisions *side, size_t at, uint32_t number)
{
	bool known = at < side->known_count && side->known[at].number == number;
	return known ? side->known[at]
		     : (struct decision){ .number = number, .action = zone_action(side, number) };
}

/* Whatever the order in which rows say them. */
static bool conditions_equal(struct arena *arena, const struct clauses *old, const struct clauses *now)
{
	if (clauses_equal(old, now))
		return true;
	const struct clauses first = clauses_order(arena, old), second = clauses_order(arena, now);
	return clauses_equal(&first, &second);
}

/*
 * Where arguments decide, each fate that one side may give is held against each of the other's: conditions
 * that differ are incomparable unless their fates are in order. Nothing is shown to hold more often.
 */
static void fates_compare(struct arena *arena, const struct decision *old, const struct decision *now,
			  bool *wider, bool *narrower)
{
	size_t old_count = old->clauses ? old->clauses->count : 0,
	       now_count = now->clauses ? now->clauses->count : 0;
	if (old_count && now_count) {
		bool equal = conditions_equal(arena, old->clauses, now->clauses);
		*wider |= !equal;
		*narrower |= !equal;
		return;
	}
	fate_compare(old->action, now->action, wider, narrower);
	for (size_t i = 0; i < old_count; i++)
		fate_compare(old->clauses->items[i].action, now->action, wider, narrower);
	for (size_t i = 0; i < now_count; i++)
		fate_compare(old->action, now->clauses->items[i].action, wider, narrower);
}

/* The call of a number as the kernel passes it, on any ABI of the token; NULL where no table has it. */
static const struct syscall_entry *call_of(uint32_t token, uint32_t number)
{
	for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
		const struct abi_facts *facts = abi_facts((enum abi)abi);
		if (facts->token != token || number < facts->base || number - facts->base > INT32_MAX)
			continue;
		const struct syscall_entry *call =
			abi_call_numbered((enum abi)abi, (int32_t)(number - facts->base));
		if (call)
			return call;
	}
	/* x86_64's numbers with the x32 bit, which old kernels take for the same call. */
	return number >= X32_BIT && token == abi_facts(ABI_X86_64)->token
		       ? abi_call_numbered(ABI_X86_64, (int32_t)(number - X32_BIT))
		       : NULL;
}

static void number_compare(struct comparer *comparer, uint32_t token, uint32_t number, struct decision old,
			   struct decision now)
{
	const struct syscall_entry *call = call_of(token, number);
	bool *wider = call ? &comparer->marks.wider[call - syscall_table] : &comparer->marks.numbers_wider;
	bool *narrower =
		call ? &comparer->marks.narrower[call - syscall_table] : &comparer->marks.numbers_narrower;
	fates_compare(comparer->arena, &old, &now, wider, narrower);
}

static void zones_compare(struct comparer *comparer, const struct decisions *old, const struct decisions *now)
{
	for (size_t i = 0; i < old->zone_count; i++)
		for (size_t k = 0; k < now->zone_count; k++)
			if (old->zones[i].first <= now->zones[k].last &&
			    now->zones[k].first <= old->zones[i].last)
				fate_compare(old->zones[i].action, now->zones[k].action,
					     &comparer->marks.numbers_wider,
					     &comparer->marks.numbers_narrower);
}

static void token_compare(struct comparer *comparer, uint32_t token, const struct decisions *old,
			  const struct decisions *now)
{
	zones_compare(comparer, old, now);
	for (size_t i = 0, k = 0; i < old->known_count || k < now->known_count;) {
		bool first = k == now->known_count ||
			     (i < old->known_count && old->known[i].number <= now->known[k].number);
		uint32_t number = first ? old->known[i].number : now->known[k].number;
		number_compare(comparer, token, number, decision_at(old, i, number),
			       decision_at(now, k, number));
		i += i < old->known_count && old->known[i].number == number;
		k += k < now->known_count && now->known[k].number == number;
	}
}

/* Those of the token; nothing_named where the side names no ABI of it. */
static const struct decisions *token_find(const struct decisions *list, size_t count, uint32_t token)
{
	for (size_t i = 0; i < count; i++)
		if (abi_facts(list[i].abi)->token == token)
			return &list[i];
	return &nothing_named;
}

/* ---- the axis ---- */

static const struct syscall_entry *const *calls_marked(struct arena *arena, const bool *marks, size_t *count)
{
	const struct syscall_entry **calls = arena_array(arena, syscall_table_size, sizeof *calls);
	*count = 0;
	for (size_t i = 0; i < syscall_table_size; i++)
		if (marks[i])
			calls[(*count)++] = &syscall_table[i];
	return calls;
}

/* Of all numbers, from the rules of `old` and `now`. */
static void calls_mark(struct comparer *comparer)
{
	size_t old_count, now_count;
	const struct decisions *old =
		decisions_make(comparer->arena, comparer->arena, comparer->old, &old_count);
	const struct decisions *now =
		decisions_make(comparer->arena, comparer->arena, comparer->now, &now_count);
	for (size_t i = 0; i < now_count; i++) {
		uint32_t token = abi_facts(now[i].abi)->token;
		token_compare(comparer, token, token_find(old, old_count, token), &now[i]);
	}
	for (size_t i = 0; i < old_count; i++) {
		uint32_t token = abi_facts(old[i].abi)->token;
		if (token_find(now, now_count, token) == &nothing_named)
			token_compare(comparer, token, &old[i], &nothing_named);
	}
}

/* The marks of `old` and `now`, whatever the comparer compares. */
static struct call_marks views_mark(struct comparer *comparer, struct policy old, struct policy now)
{
	struct comparer inside = *comparer;
	inside.old = &old;
	inside.now = &now;
	inside.marks = call_marks_new(comparer->arena);
	calls_mark(&inside);
	return inside.marks;
}

static void role_wider_add(struct comparer *comparer, struct role_wider wider)
{
	struct compared *comparison = comparer->comparison;
	struct role_wider *list = (struct role_wider *)comparison->roles_wider;
	list = arena_grow(comparer->arena, list, comparison->roles_wider_count,
			  &comparer->roles_wider_capacity, sizeof *list);
	list[comparison->roles_wider_count++] = wider;
	comparison->roles_wider = list;
}

/* What the role gets more or less, and everyone does not: that is on the axis already. The calls of which it
 * gets more are in `wider`. */
static void role_calls_count(struct comparer *comparer, const struct call_marks *role, bool *wider)
{
	const struct call_marks *everyone = &comparer->marks;
	struct compared *comparison = comparer->comparison;
	size_t more = role->numbers_wider && !everyone->numbers_wider;
	size_t less = role->numbers_narrower && !everyone->numbers_narrower;
	for (size_t i = 0; i < syscall_table_size; i++) {
		wider[i] = role->wider[i] && !everyone->wider[i];
		more += wider[i];
		less += role->narrower[i] && !everyone->narrower[i];
	}
	comparison->role_calls_wider += more;
	comparison->axes[AXIS_SYSTEM_CALLS].more += more;
	comparison->axes[AXIS_SYSTEM_CALLS].less += less;
}

struct call_marks role_calls_compare(struct comparer *comparer, const struct block *old,
				     const struct block *now)
{
	const struct policy view = role_view(comparer->now, now);
	struct call_marks marks = views_mark(comparer, role_view(comparer->old, old), view);
	bool *wider = arena_array(comparer->arena, syscall_table_size, sizeof *wider);
	role_calls_count(comparer, &marks, wider);
	role_wider_add(comparer, (struct role_wider){ old, now, wider });
	const struct call_marks beside = views_mark(comparer, *comparer->now, view);
	for (size_t i = 0; i < syscall_table_size; i++)
		marks.narrower[i] &= beside.narrower[i];
	return marks;
}

struct call_marks call_marks_new(struct arena *arena)
{
	return (struct call_marks){ .wider = arena_array(arena, syscall_table_size, sizeof(bool)),
				    .narrower = arena_array(arena, syscall_table_size, sizeof(bool)) };
}

void calls_compare(struct comparer *comparer)
{
	struct compared *comparison = comparer->comparison;
	calls_mark(comparer);
	comparison->wider_calls =
		calls_marked(comparer->arena, comparer->marks.wider, &comparison->wider_call_count);
	comparison->narrower_calls =
		calls_marked(comparer->arena, comparer->marks.narrower, &comparison->narrower_call_count);
	comparison->axes[AXIS_SYSTEM_CALLS] =
		(struct axis_verdict){ comparison->wider_call_count + comparer->marks.numbers_wider,
				       comparison->narrower_call_count + comparer->marks.numbers_narrower };
}

/* ---- names ---- */

/* Up to the last '_', with it; 0 without one. */
static size_t stem_size(const char *name)
{
	const char *line = strrchr(name, '_');
	return line ? (size_t)(line - name) + 1 : 0;
}

static bool same_stem(const char *a, const char *b)
{
	size_t size = stem_size(a);
	return size && size == stem_size(b) && memcmp(a, b, size) == 0;
}

enum { CALLS_SHOWN = 24 };

const char *calls_text(struct arena *arena, const bool *wanted)
{
	size_t count;
	const struct syscall_entry *const *calls = calls_marked(arena, wanted, &count);
	size_t shown = count > CALLS_SHOWN ? CALLS_SHOWN : count;
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < shown;) {
		size_t end = i + 1;
		while (end < shown && same_stem(calls[i]->name, calls[end]->name))
			end++;
		size_t stem = end - i > 1 ? stem_size(calls[i]->name) : 0;
		strbuf_printf(&text, "%s%.*s%s", i ? " " : "", (int)stem, calls[i]->name, stem ? "{" : "");
		for (size_t k = i; k < end; k++)
			strbuf_printf(&text, "%s%s", k > i ? "," : "", calls[k]->name + stem);
		strbuf_add_text(&text, stem ? "}" : "");
		i = end;
	}
	if (count > shown)
		strbuf_printf(&text, " and %zu more", count - shown);
	return strbuf_keep(&text, arena);
}
