/* `expect`: assertions about the effective policy. */
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

static struct revoked *revoked_new(struct arena *arena, const struct revocation *revocation, struct revoked *next)
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
	if (!row_is_for_linux(row) || action_passes(row->has_action ? row->action : inherited))
		return; /* it denied nothing */
	calls_revoke(lapses, revocation, row->calls, row->call_count);
	for (size_t i = 0; i < row->need_count; i++)
		calls_revoke(lapses, revocation, row->needs[i].calls, row->needs[i].call_count);
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
	struct lapses lapses = { arena, map_new(arena, 0), arena_array(arena, syscall_table_size, sizeof(void *)) };
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
		if (revocation->row->layer->index <= layer->index && revocation->revoke->layer->index > layer->index)
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
					   "'%s' is %s, but expected to be %s", word->text, verdict_word(verdict),
					   verdict_word(expected));
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
		struct diagnostic *none = diag_report(resolver_diags(resolver), DIAG_EXPECT, ast_entry_span(entry),
						      "no ABI of this policy has the system call %s", call->name);
		diag_help(none, "name an ABI that has it, or remove the expectation: it could never fail");
		return false;
	}
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_EXPECT, ast_entry_span(entry),
					   "system call %s passes on %s, but is expected to be denied", call->name,
					   abi_facts(abi)->name);
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
			  const struct ast_statement *statement, const struct ast_entry *entry)
{
	const struct call_reference *calls;
	size_t count;
	if (!calls_bind(resolver, statement, entry, &calls, &count) || resolver->calls_broken)
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
		denied_expect(resolver, lapses, layer, statement, entry);
		break;
	case EXPECTATION_STRENGTH:
	case EXPECTATION_ADDS:
	case EXPECTATION_COUNT:
		break;
	}
}

/* ---- expect adr REF adds … ---- */

static bool row_cites(const struct row *row, const char *adr)
{
	for (size_t i = 0; i < row->citation_count; i++)
		if (strcmp(row->citations[i].text, adr) == 0)
			return true;
	return false;
}

/* An expected subject that no row with this citation has. `same`: a row of that subject without it, or NULL. */
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

/* Of the rows of one layer, those of a subject: the one that cites the ADR before one that does not. */
static struct map *layer_subjects(const struct resolver *resolver, const struct layer_work *work, const char *adr)
{
	struct map *subjects = map_new(resolver->compilation->arena, work->row_count);
	for (size_t i = 0; i < work->row_count; i++) {
		const struct row *row = work->rows[i];
		void **known = map_at(subjects, row->subject, strlen(row->subject));
		if (!*known || row_cites(row, adr))
			*known = work->rows[i];
	}
	return subjects;
}

/* The rows of the layer that cite the ADR are exactly these, whatever their verbs. */
static void adds_expect(struct resolver *resolver, const struct layer_work *work,
			const struct ast_statement *statement)
{
	const struct ast_word *reference = &statement->words->name;
	const char *adr = reference_bind(resolver, work, reference);
	if (!adr)
		return;
	struct map *subjects = layer_subjects(resolver, work, adr);
	struct map *expected = map_new(resolver->compilation->arena, statement->entries.count);
	for (size_t i = 0; i < statement->entries.count; i++) {
		struct ast_word *word = &statement->entries.items[i].word;
		const struct row *row = map_value(subjects, word->text, strlen(word->text));
		*map_at(expected, word->text, strlen(word->text)) = word;
		if (!command_is_broken(resolver, word->text) && (!row || !row_cites(row, adr)))
			report_not_added(resolver, word, adr, row);
	}
	for (size_t i = 0; i < work->row_count; i++) {
		const struct row *row = work->rows[i];
		if (!row->broken && row_cites(row, adr) && !map_find(expected, row->subject, strlen(row->subject)))
			report_added(resolver, reference, adr, row);
	}
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
			      const struct layer_work *work, const struct ast_statement *statement)
{
	if (statement->expectation == EXPECTATION_STRENGTH) {
		strength_expect(resolver, statement);
		return;
	}
	if (statement->expectation == EXPECTATION_ADDS) {
		adds_expect(resolver, work, statement);
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
		for (const struct ast_statement *at = work->ast.others; at; at = at->next_other)
			if (at->kind == AST_EXPECT && !at->broken)
				expectation_check(resolver, &lapses, work, at);
	}
}
