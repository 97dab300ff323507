/* A row that both sides have: what it says besides its verb and subject. */
#include <string.h>

#include "compiler/base/strbuf.h"
#include "compiler/diff/comparer.h"
#include "compiler/diff/weakening.h"

/* The same records in the same order, however wide their numbers are written. */
static bool citations_equal(const struct comparer *comparer, const struct row *a, const struct row *b)
{
	if (a->citation_count != b->citation_count)
		return false;
	for (size_t i = 0; i < a->citation_count; i++)
		if (!texts_equal(a->citations[i].text, b->citations[i].text) &&
		    record_cited(comparer, a->citations[i].text) !=
			    record_cited(comparer, b->citations[i].text))
			return false;
	return true;
}

/* By what they say: two conditions are equal where their texts are. */
static bool calls_equal(struct arena *arena, const struct call_reference *a, size_t a_count,
			const struct call_reference *b, size_t b_count)
{
	if (a_count != b_count)
		return false;
	for (size_t i = 0; i < a_count; i++)
		if (a[i].call != b[i].call ||
		    ((a[i].condition || b[i].condition) &&
		     strcmp(call_reference_text(arena, &a[i]), call_reference_text(arena, &b[i])) != 0))
			return false;
	return true;
}

static bool needs_equal(struct arena *arena, const struct row *a, const struct row *b)
{
	if (row_more(a)->need_count != row_more(b)->need_count)
		return false;
	for (size_t i = 0; i < row_more(a)->need_count; i++) {
		const struct need *left = &row_more(a)->needs[i], *right = &row_more(b)->needs[i];
		if (left->capability != right->capability ||
		    !calls_equal(arena, left->calls, left->call_count, right->calls, right->call_count))
			return false;
	}
	return true;
}

static bool requirements_equal(const struct row *a, const struct row *b)
{
	if (row_more(a)->requirement_count != row_more(b)->requirement_count)
		return false;
	for (size_t i = 0; i < row_more(a)->requirement_count; i++) {
		const struct requirement *left = &row_more(a)->requirements[i],
					 *right = &row_more(b)->requirements[i];
		if (!texts_equal(left->command, right->command) ||
		    !texts_equal(left->operator, right->operator) ||
		    !texts_equal(left->version, right->version))
			return false;
	}
	return true;
}

static bool paths_equal(const struct row *a, const struct row *b)
{
	if (row_more(a)->path_count != row_more(b)->path_count)
		return false;
	for (size_t i = 0; i < row_more(a)->path_count; i++)
		if (strcmp(row_more(a)->paths[i], row_more(b)->paths[i]) != 0)
			return false;
	return true;
}

/* ---- each is a change of its own ---- */

static const char *citations_text(struct arena *arena, const struct row *row)
{
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < row->citation_count; i++)
		strbuf_printf(&text, "%s%s", i ? ", " : "", row->citations[i].text);
	return text.size ? strbuf_keep(&text, arena) : "none";
}

static void citations_compare(struct comparer *comparer, const struct row *old, const struct row *now)
{
	if (citations_equal(comparer, old, now))
		return;
	struct change *change = change_add(comparer, CHANGE_ADR_CHANGED, '~', now);
	change->note = arena_printf(comparer->arena, "cites %s, not %s", citations_text(comparer->arena, now),
				    citations_text(comparer->arena, old));
}

static void expiry_compare(struct comparer *comparer, const struct row *old, const struct row *now)
{
	const char *before = row_more(old)->until, *after = row_more(now)->until;
	if (texts_equal(before, after))
		return;
	enum change_class class = !before ? CHANGE_EXPIRY_ADDED
				  : after ? CHANGE_EXPIRY_MOVED
					  : CHANGE_EXPIRY_REMOVED;
	struct change *change = change_add(comparer, class, '~', now);
	change->note = !before ? arena_printf(comparer->arena, "until %s; had no end", after)
		       : after ? arena_printf(comparer->arena, "until %s, was %s", after, before)
			       : arena_printf(comparer->arena, "has no end; was until %s", before);
}

static void reason_compare(struct comparer *comparer, const struct row *old, const struct row *now)
{
	struct arena *arena = comparer->arena;
	if (!texts_equal(old->reason, now->reason))
		change_add(comparer, CHANGE_REASON_CHANGED, '~', now)->note =
			now->reason ? arena_printf(arena, "because \"%s\"", now->reason)
				    : "has no reason any more";
	if (!texts_equal(row_more(old)->instead, row_more(now)->instead))
		change_add(comparer, CHANGE_REASON_CHANGED, '~', now)->note =
			row_more(now)->instead ? arena_printf(arena, "instead \"%s\"", row_more(now)->instead)
					       : "names no replacement any more";
}

/* "; may do less: kcmp ptrace" of the calls that the row names; "" without any. */
static const char *fate_text(struct comparer *comparer, const struct row *row, const char *says,
			     const bool *marks)
{
	const char *calls = row_calls(comparer, row, marks);
	return calls ? arena_printf(comparer->arena, "; %s: %s", says, calls) : "";
}

const char *paths_text(struct arena *arena, const struct row *row)
{
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < row_more(row)->path_count; i++)
		strbuf_printf(&text, "%s\"%s\"", i ? ", " : "", row_more(row)->paths[i]);
	return text.size ? strbuf_keep(&text, arena) : "none";
}

/* Which program runs is worth its words: "; as rm, was jq; path "/bin/rm", was none". */
static const char *programs_text(struct arena *arena, const struct row *old, const struct row *now)
{
	const char *text = texts_equal(old->spelling, now->spelling)
				   ? ""
				   : arena_printf(arena, "; as %s, was %s", now->spelling, old->spelling);
	if (paths_equal(old, now))
		return text;
	return arena_printf(arena, "%s; path %s, was %s", text, paths_text(arena, now),
			    paths_text(arena, old));
}

static void others_compare(struct comparer *comparer, const struct row *old, const struct row *now)
{
	const struct {
		const char *name;
		bool equal;
	} attributes[] = {
		{ "'needs'", needs_equal(comparer->arena, old, now) },
		{ "'requires'", requirements_equal(old, now) },
		{ "'as'", texts_equal(old->spelling, now->spelling) },
		{ "'path'", paths_equal(old, now) },
		{ "'with'", actions_are_equal(old, now) },
		{ "'on'", row_more(old)->platforms == row_more(now)->platforms },
		{ "its group",
		  calls_equal(comparer->arena, old->calls, old->call_count, now->calls, now->call_count) },
	};
	const char *names = NULL;
	size_t count = 0;
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
		if (attributes[i].equal)
			continue;
		names = names ? arena_printf(comparer->arena, "%s, %s", names, attributes[i].name)
			      : attributes[i].name;
		count++;
	}
	if (names)
		change_add(comparer, CHANGE_ATTRIBUTE_CHANGED, '~', now)->note =
			arena_printf(comparer->arena, "%s differ%s%s%s%s", names, count == 1 ? "s" : "",
				     programs_text(comparer->arena, old, now),
				     fate_text(comparer, now, "may do less", comparer->marks.narrower),
				     fate_text(comparer, old, "may do more", comparer->marks.wider));
}

/* ---- all ---- */

/* The verdict must not hide what the gate asks about. */
static void axes_count(struct comparer *comparer, const struct row *old, const struct row *now,
		       struct axis_verdict *commands)
{
	if (now->verb == VERB_FORBID)
		guarded_calls_compare(comparer, old, now);
	if (now->verb != VERB_ALLOW || now->kind != SUBJECT_COMMAND)
		return;
	commands->more += allow_is_wider(comparer->arena, old, now);
	commands->less += allow_is_wider(comparer->arena, now, old);
}

void attributes_compare(struct comparer *comparer, const struct row *old, const struct row *now,
			struct axis_verdict *commands)
{
	size_t before = comparer->comparison->change_count;
	citations_compare(comparer, old, now);
	expiry_compare(comparer, old, now);
	reason_compare(comparer, old, now);
	others_compare(comparer, old, now);
	for (size_t i = before; i < comparer->comparison->change_count; i++)
		comparer->comparison->changes[i].before = old;
	if (before == comparer->comparison->change_count)
		comparer->comparison->unchanged_rows++;
	else
		axes_count(comparer, old, now, commands);
}
