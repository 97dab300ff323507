/* `expect`: assertions about the effective policy. */
#include <assert.h>
#include <string.h>

#include "compiler/policy/resolver.h"

static const char *verdict_word(enum verdict verdict)
{
	static const char *const words[] = { "unlisted", "allowed", "forbidden" };
	return words[verdict];
}

/* ---- rows that were revoked ---- */

/* Of one command, or of one system call: what took back rows that decided it. */
struct revoked {
	const struct revocation *revocation;
	struct revoked *next;
};

struct lapses {
	struct arena *arena;
	struct map *commands;   /* subject to struct revoked */
	struct revoked **calls; /* by place in the table of calls */
};

static struct revoked *revoked_new(struct arena *arena, const struct revocation *revocation,
				   struct revoked *next)
{
	struct revoked *revoked = arena_alloc(arena, sizeof *revoked);
	*revoked = (struct revoked){ revocation, next };
	return revoked;
}

static void calls_revoke(struct lapses *lapses, const struct revocation *revocation,
			 const struct call_reference *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct revoked **place = &lapses->calls[calls[i].call - syscall_table];
		*place = revoked_new(lapses->arena, revocation, *place);
	}
}

static void denials_revoke(struct resolver *resolver, struct lapses *lapses,
			   const struct revocation *revocation)
{
	const struct row *row = revocation->row;
	struct action inherited = resolver->policy->seccomp.deny;
	if (!row_is_for_linux(row) ||
	    action_passes(row_more(row)->has_action ? row_more(row)->action : inherited))
		return; /* it denied nothing */
	calls_revoke(lapses, revocation, row->calls, row->call_count);
	for (size_t i = 0; i < row_more(row)->need_count; i++)
		calls_revoke(lapses, revocation, row_more(row)->needs[i].calls,
			     row_more(row)->needs[i].call_count);
	if (row->kind != SUBJECT_CAPABILITY)
		return;
	size_t count;
	const struct call_reference *calls =
		capability_denials(resolver, capability_find(row->subject), &count);
	calls_revoke(lapses, revocation, calls, count);
}

static struct lapses lapses_collect(struct resolver *resolver)
{
	struct arena *arena = resolver->compilation->arena;
	struct lapses lapses = { arena, map_new(arena, 0),
				 arena_array(arena, syscall_table_size, sizeof(void *)) };
	for (size_t i = 0; i < resolver->revocation_count; i++) {
		const struct revocation *revocation = &resolver->revocations[i];
		const struct row *row = revocation->row;
		if (row->kind == SUBJECT_COMMAND && row->verb != VERB_DECLINE) {
			void **place = map_at(lapses.commands, row->subject, strlen(row->subject));
			*place = revoked_new(arena, revocation, *place);
		}
		if (row->verb == VERB_FORBID)
			denials_revoke(resolver, &lapses, revocation);
	}
	return lapses;
}

/* The revoke, above `layer`, of a row that stood in it or below. */
static const struct row *revoked_above(const struct revoked *revoked, const struct layer *layer)
{
	for (; revoked; revoked = revoked->next) {
		const struct revocation *revocation = revoked->revocation;
		if (revocation->row->layer->index <= layer->index &&
		    revocation->revoke->layer->index > layer->index)
			return revocation->revoke;
	}
	return NULL;
}

/*
 * The revoke of the row that decided `command` for the layer: the longest that starts it, in force still or
 * taken back above.
 */
static const struct row *command_revoked(const struct policy *policy, const struct lapses *lapses,
					 const struct layer *layer, const char *command)
{
	for (size_t size = strlen(command); size;) {
		const struct row *revoke = revoked_above(map_value(lapses->commands, command, size), layer);
		if (revoke)
			return revoke;
		const struct row *row = policy_find(policy, arena_copy(lapses->arena, command, size));
		if (row && row->layer->index <= layer->index)
			return NULL;
		while (size && command[size - 1] != ' ')
			size--;
		if (size)
			size--;
	}
	return NULL;
}

/* ---- checks ---- */

static void report_lapsed(struct resolver *resolver, const struct ast_entry *entry, const struct row *revoke)
{
	const struct span *place = &entry->word.span;
	*map_at(resolver->lapsed, (const char *)place, sizeof *place) = (void *)entry;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_LAPSED, ast_entry_span(entry),
					   "this expectation lapses: its row is revoked above");
	diag_note(d, revoke->span, "revoked here%s", row_authority(resolver, revoke));
	diag_help(d, "state in that layer what is expected now, or remove the line here");
}

static void command_expect(struct resolver *resolver, const struct lapses *lapses, const struct layer *layer,
			   const struct ast_entry *entry, enum verdict expected)
{
	const struct ast_word *word = &entry->word;
	if (!command_spelling_check(resolver, word) || command_is_broken(resolver, word->text))
		return;
	enum verdict verdict = policy_verdict(resolver->policy, word->text);
	if (verdict == expected)
		return;
	const struct row *revoke = command_revoked(resolver->policy, lapses, layer, word->text);
	if (revoke) {
		report_lapsed(resolver, entry, revoke);
		return;
	}
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_EXPECT, word->span,
					   "'%s' is %s, but expected to be %s", word->text,
					   verdict_word(verdict), verdict_word(expected));
	const struct row *row = policy_match(resolver->policy, word->text);
	if (row)
		diag_note(d, row->span, "this row decides it%s", row_authority(resolver, row));
	diag_help(d, "mend the rows, or change the expectation by the ADR that decided otherwise");
}

/* The first named ABI that has the call and lets it pass; ABI_COUNT where none does. */
static enum abi passes_on(const struct policy *policy, const struct call_reference *reference, bool *any)
{
	*any = false;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (!policy_names_abi(policy, abi) || reference->call->numbers[abi] < 0)
			continue;
		*any = true;
		if (call_may_pass(policy, reference->call, reference->condition, abi))
			return abi;
	}
	return ABI_COUNT;
}

/*
 * False where a failure was reported: of a group, one call is enough. A call whose row is revoked above
 * leaves the revoke in `*lapsed`: the others may fail nevertheless.
 */
static bool call_expect_denied(struct resolver *resolver, const struct lapses *lapses,
			       const struct layer *layer, const struct ast_entry *entry,
			       const struct call_reference *reference, const struct row **lapsed)
{
	bool any;
	const struct syscall_entry *call = reference->call;
	enum abi abi = passes_on(resolver->policy, reference, &any);
	if (any && abi == ABI_COUNT)
		return true;
	const struct row *revoke = revoked_above(lapses->calls[call - syscall_table], layer);
	if (revoke) {
		*lapsed = *lapsed ? *lapsed : revoke;
		return true;
	}
	if (!any) {
		struct diagnostic *none =
			diag_report(resolver_diags(resolver), DIAG_EXPECT, ast_entry_span(entry),
				    "no ABI of this policy has the system call %s", call->name);
		diag_help(none, "name an ABI that has it, or remove the expectation: it could never fail");
		return false;
	}
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_EXPECT, ast_entry_span(entry),
					   "system call %s passes on %s, but is expected to be denied",
					   call->name, abi_facts(abi)->name);
	const struct call_rule *rule = denial_find(resolver->policy, call);
	if (rule && action_passes(rule->action))
		diag_note(d, rule->row->span, "this row lets it pass, with a line in the log");
	else if (rule)
		diag_note(d, rule->row->span, "this row denies it to some arguments only: %s",
			  rule->condition->text);
	diag_help(d, "deny it: forbid syscall %s  adr …  because \"…\"", call->name);
	return false;
}

static void denied_expect(struct resolver *resolver, const struct lapses *lapses, const struct layer *layer,
			  const struct ast_entry *entry)
{
	const struct call_reference *calls;
	size_t count;
	if (!calls_bind(resolver, entry, &calls, &count) || resolver->calls_broken)
		return;
	const struct row *lapsed = NULL;
	for (size_t i = 0; i < count; i++)
		if (!call_expect_denied(resolver, lapses, layer, entry, &calls[i], &lapsed))
			return;
	if (lapsed)
		report_lapsed(resolver, entry, lapsed);
}

static void entry_check(struct resolver *resolver, const struct lapses *lapses, const struct layer *layer,
			const struct ast_statement *statement, const struct ast_entry *entry)
{
	switch (statement->expectation) {
	case EXPECTATION_ALLOWED:
		command_expect(resolver, lapses, layer, entry, VERDICT_ALLOWED);
		break;
	case EXPECTATION_FORBIDDEN:
		command_expect(resolver, lapses, layer, entry, VERDICT_FORBIDDEN);
		break;
	case EXPECTATION_UNLISTED:
		command_expect(resolver, lapses, layer, entry, VERDICT_UNLISTED);
		break;
	case EXPECTATION_DENIED:
		denied_expect(resolver, lapses, layer, entry);
		break;
	case EXPECTATION_STRENGTH:
	case EXPECTATION_ADDS:
	case EXPECTATION_COUNT:
		assert(false); /* not of each entry: see expectation_check() */
	}
}

/* ---- expect adr REF adds … ---- */

/*
 * An expected subject that no row with this citation has. `same`: a row of that subject without it, or
 * NULL.
 */
static void report_not_added(struct resolver *resolver, const struct ast_word *word, const char *adr,
			     const struct row *same)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_EXPECT, word->span,
					   "no row of this layer for '%s' cites ADR %s", word->text, adr);
	if (same)
		diag_note(d, same->span, "this row does not cite it");
	diag_help(d, "add the row, or take '%s' out of what the ADR adds", word->text);
}

static void report_added(struct resolver *resolver, const struct ast_word *reference, const char *adr,
			 const struct row *row)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_EXPECT, reference->span,
					   "ADR %s adds '%s' too, which is not expected", adr, row->subject);
	diag_note(d, row->span, "this row cites it");
	diag_help(d, "name it here, or cite the ADR that decided it");
}

/* The rows of one layer that cite one ADR. */
struct cited {
	const struct row **rows;
	size_t count, capacity;
	struct map *subjects;
	bool reported; /* those that are not expected: once is enough, however often that is asked */
};

/* The rows of one layer. A policy may have an expectation for each of its ADRs. */
struct additions {
	struct map *subjects; /* to the first row of each */
	struct map *adrs;     /* to its struct cited */
};

static void citation_add(struct arena *arena, struct additions *additions, const struct row *row,
			 const char *adr)
{
	void **place = map_at(additions->adrs, adr, strlen(adr));
	struct cited *cited = *place ? *place : arena_alloc(arena, sizeof *cited);
	*place = cited;
	cited->subjects = cited->subjects ? cited->subjects : map_new(arena, 0);
	cited->rows = arena_grow(arena, cited->rows, cited->count, &cited->capacity, sizeof *cited->rows);
	cited->rows[cited->count++] = row;
	*map_at(cited->subjects, row->subject, strlen(row->subject)) = (void *)row;
}

static struct additions additions_of(struct arena *arena, const struct layer_work *work)
{
	struct additions additions = { map_new(arena, work->row_count), map_new(arena, 0) };
	for (size_t i = 0; i < work->row_count; i++) {
		const struct row *row = work->rows[i];
		void **known = map_at(additions.subjects, row->subject, strlen(row->subject));
		*known = *known ? *known : (void *)row;
		for (size_t k = 0; k < row->citation_count; k++)
			citation_add(arena, &additions, row, row->citations[k].text);
	}
	return additions;
}

static void rows_expect(struct resolver *resolver, struct cited *cited, const struct map *expected,
			const struct ast_word *reference, const char *adr)
{
	bool report = !cited->reported;
	for (size_t i = 0; report && i < cited->count; i++) {
		const struct row *row = cited->rows[i];
		if (row->broken || map_find(expected, row->subject, strlen(row->subject)))
			continue;
		report_added(resolver, reference, adr, row);
		cited->reported = true;
	}
}

/* The rows of the layer that cite the ADR are exactly these, whatever their verbs. */
static void adds_expect(struct resolver *resolver, const struct layer_work *work,
			const struct additions *additions, const struct ast_statement *statement)
{
	const struct ast_word *reference = &statement->words->name;
	const char *adr = reference_bind(resolver, work, reference);
	if (!adr)
		return;
	struct cited *cited = map_value(additions->adrs, adr, strlen(adr));
	struct map *expected = map_new(resolver->compilation->arena, statement->entries.count);
	for (size_t i = 0; i < statement->entries.count; i++) {
		struct ast_word *word = &statement->entries.items[i].word;
		size_t size = strlen(word->text);
		*map_at(expected, word->text, size) = word;
		if (!command_is_broken(resolver, word->text) &&
		    !(cited && map_find(cited->subjects, word->text, size)))
			report_not_added(resolver, word, adr,
					 map_value(additions->subjects, word->text, size));
	}
	if (cited)
		rows_expect(resolver, cited, expected, reference, adr);
}

/* ---- strength ---- */

static void report_level(struct resolver *resolver, const struct ast_word *word)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_VALUE, word->span,
					   "'%s' is no level of strength", word->text);
	const char *nearest = strength_nearest(word->text);
	if (nearest)
		diag_help(d, "did you mean '%s'?", nearest);
	else
		diag_help(d, "the levels are enforced, \"enforced with holes\", mechanism and advisory");
}

/* Which artifacts there are is known to the run alone: it compares (commands/expected_strength.c). */
static void strength_expect(struct resolver *resolver, const struct ast_statement *statement)
{
	const struct ast_word *word = &statement->entries.items[0].word;
	enum strength level;
	if (!strength_find(word->text, &level)) {
		report_level(resolver, word);
		return;
	}
	if (level == STRENGTH_NONE) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_VALUE, word->span,
						   "'none' is what every row has: this could never fail");
		diag_help(d, "expect a level that a row can lack: advisory is the lowest");
		return;
	}
	struct strength_expectation *all = (struct strength_expectation *)resolver->policy->strengths;
	all = arena_grow(resolver->compilation->arena, all, resolver->policy->strength_count,
			 &resolver->strength_capacity, sizeof *all);
	all[resolver->policy->strength_count++] = (struct strength_expectation){ level, word->span };
	resolver->policy->strengths = all;
}

static void expectation_check(struct resolver *resolver, const struct lapses *lapses,
			      const struct layer_work *work, struct additions *additions,
			      const struct ast_statement *statement)
{
	if (statement->expectation == EXPECTATION_STRENGTH) {
		strength_expect(resolver, statement);
		return;
	}
	if (statement->expectation == EXPECTATION_ADDS) {
		if (!additions->adrs)
			*additions = additions_of(resolver->compilation->arena, work);
		adds_expect(resolver, work, additions, statement);
		return;
	}
	for (size_t i = 0; i < statement->entries.count; i++)
		entry_check(resolver, lapses, work->layer, statement, &statement->entries.items[i]);
}

void expectations_check(struct resolver *resolver)
{
	const struct lapses lapses = lapses_collect(resolver);
	for (size_t i = 0; i < resolver->layer_count; i++) {
		const struct layer_work *work = &resolver->works[i];
		struct additions additions = { NULL, NULL };
		for (const struct ast_statement *at = work->ast.others; at; at = at->words->next_other)
			if (at->kind == AST_EXPECT && !at->broken)
				expectation_check(resolver, &lapses, work, &additions, at);
	}
}
