/* `expect`: assertions about the effective policy. */
#include <string.h>

#include "compiler/policy/resolver.h"

static const char *verdict_word(enum verdict verdict)
{
	static const char *const words[] = { "unlisted", "allowed", "forbidden" };
	return words[verdict];
}

static bool covers(const char *row, const char *command)
{
	size_t size = strlen(row);
	return strncmp(row, command, size) == 0 && (command[size] == '\0' || command[size] == ' ');
}

/* The revoke, in a layer above, of a row that decided `command` for the layer of the expectation. */
static const struct row *revoked_above(const struct resolver *resolver, const struct layer *layer,
				       const char *command)
{
	for (size_t i = 0; i < resolver->revocation_count; i++) {
		const struct revocation *revocation = &resolver->revocations[i];
		if (revocation->revoke->layer->index > layer->index && revocation->row->kind == SUBJECT_COMMAND &&
		    covers(revocation->row->subject, command))
			return revocation->revoke;
	}
	return NULL;
}

static const struct row *denial_revoked_above(const struct resolver *resolver, const struct layer *layer,
					      const struct syscall_entry *call)
{
	for (size_t i = 0; i < resolver->revocation_count; i++) {
		const struct row *row = resolver->revocations[i].row, *revoke = resolver->revocations[i].revoke;
		if (revoke->layer->index <= layer->index || row->verb != VERB_FORBID)
			continue;
		for (size_t c = 0; c < row->call_count; c++)
			if (row->calls[c] == call)
				return revoke;
		const struct capability *capability = capability_find(row->subject);
		for (size_t c = 0; capability && capability->number_calls[c]; c++)
			if (strcmp(capability->number_calls[c], call->name) == 0)
				return revoke;
		for (size_t n = 0; n < row->need_count; n++)
			for (size_t c = 0; c < row->needs[n].call_count; c++)
				if (row->needs[n].calls[c] == call)
					return revoke;
	}
	return NULL;
}

static void report_lapsed(struct resolver *resolver, const struct ast_entry *entry, const struct row *revoke)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_LAPSED, entry->span,
					   "this expectation lapses: its row is revoked above");
	diag_note(d, revoke->span, "revoked here%s", row_authority(resolver, revoke));
	diag_help(d, "state in that layer what is expected now, or remove the line here");
}

static void command_expect(struct resolver *resolver, const struct layer_work *work,
			   const struct ast_entry *entry, enum verdict expected)
{
	const struct ast_word *word = &entry->word;
	if (!command_spelling_check(resolver, word) || command_is_broken(resolver, word->text))
		return;
	enum verdict verdict = policy_verdict(resolver->policy, word->text);
	if (verdict == expected)
		return;
	const struct row *revoke = revoked_above(resolver, work->layer, word->text);
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
static enum abi passes_on(const struct policy *policy, const struct syscall_entry *call, bool *any)
{
	*any = false;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (!policy_names_abi(policy, abi) || call->numbers[abi] < 0)
			continue;
		*any = true;
		if (call_is_allowed(policy, call))
			return abi;
	}
	return ABI_COUNT;
}

static void call_expect_denied(struct resolver *resolver, const struct layer_work *work,
			       const struct ast_entry *entry, const struct syscall_entry *call)
{
	bool any;
	enum abi abi = passes_on(resolver->policy, call, &any);
	if (any && abi == ABI_COUNT)
		return;
	const struct row *revoke = denial_revoked_above(resolver, work->layer, call);
	if (revoke) {
		report_lapsed(resolver, entry, revoke);
		return;
	}
	if (!any) {
		struct diagnostic *none = diag_report(resolver_diags(resolver), DIAG_EXPECT, entry->span,
						      "no ABI of this policy has the system call %s", call->name);
		diag_help(none, "name an ABI that has it, or remove the expectation: it could never fail");
		return;
	}
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_EXPECT, entry->span,
					   "system call %s passes on %s, but is expected to be denied", call->name,
					   abi_facts(abi)->name);
	const struct call_rule *rule = denial_find(resolver->policy, call);
	if (rule)
		diag_note(d, rule->row->span, "this row lets it pass, with a line in the log");
	diag_help(d, "deny it: forbid syscall %s  adr …  because \"…\"", call->name);
}

static void denied_expect(struct resolver *resolver, const struct layer_work *work,
			  const struct ast_statement *statement, const struct ast_entry *entry)
{
	const struct syscall_entry *const *calls;
	size_t count;
	if (!calls_bind(resolver, statement, entry, &calls, &count))
		return;
	size_t errors = diags_errors(resolver_diags(resolver));
	for (size_t i = 0; i < count && diags_errors(resolver_diags(resolver)) == errors; i++)
		call_expect_denied(resolver, work, entry, calls[i]);
}

static void entry_check(struct resolver *resolver, const struct layer_work *work,
			const struct ast_statement *statement, const struct ast_entry *entry)
{
	switch (statement->expectation) {
	case EXPECTATION_ALLOWED:
		command_expect(resolver, work, entry, VERDICT_ALLOWED);
		break;
	case EXPECTATION_FORBIDDEN:
		command_expect(resolver, work, entry, VERDICT_FORBIDDEN);
		break;
	case EXPECTATION_UNLISTED:
		command_expect(resolver, work, entry, VERDICT_UNLISTED);
		break;
	case EXPECTATION_DENIED:
		denied_expect(resolver, work, statement, entry);
		break;
	case EXPECTATION_STRENGTH:
	case EXPECTATION_ADDS:
	case EXPECTATION_COUNT:
		break;
	}
}

static void expectation_check(struct resolver *resolver, const struct layer_work *work,
			      const struct ast_statement *statement)
{
	if (statement->expectation == EXPECTATION_STRENGTH || statement->expectation == EXPECTATION_ADDS) {
		not_built(resolver, statement->keyword,
			  statement->expectation == EXPECTATION_ADDS ? "'expect adr … adds'" : "'expect strength'");
		return;
	}
	for (size_t i = 0; i < statement->entries.count; i++)
		entry_check(resolver, work, statement, &statement->entries.items[i]);
}

void expectations_check(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->layer_count; i++) {
		const struct layer_work *work = &resolver->works[i];
		for (const struct ast_statement *at = work->ast.others; at; at = at->next_other)
			if (at->kind == AST_EXPECT && !at->broken)
				expectation_check(resolver, work, at);
	}
}
