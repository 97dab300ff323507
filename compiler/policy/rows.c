/* Rows: each checked by itself, one struct row a subject. */
#include <assert.h>
#include <string.h>

#include "compiler/base/date.h"
#include "compiler/base/sieve.h"
#include "compiler/policy/resolver.h"

/* ---- which attribute fits which row ---- */

/* Bits of what an attribute may stand on. */
enum {
	ON_ALLOW_COMMAND = 1,
	ON_FORBID_COMMAND = 2,
	ON_DECLINE = 4,
	ON_FORBID_CAPABILITY = 8,
	ON_ALLOW_SYSCALL = 16,
	ON_FORBID_SYSCALL = 32,
	ON_REVOKE = 64,
	ON_ALL_BUT_REVOKE = 63,
	ON_ALL = 127
};

static const struct {
	unsigned places;
	bool one_subject; /* only where the row has a single one */
	const char *where;
} rules[ATTRIBUTE_COUNT] = {
	[ATTRIBUTE_ADR] = { ON_ALL, false, "every row" },
	[ATTRIBUTE_BECAUSE] = { ON_ALL, false, "every row" },
	[ATTRIBUTE_NEEDS] = { ON_ALLOW_COMMAND | ON_FORBID_COMMAND, false,
			      "an 'allow' or 'forbid' of a command" },
	[ATTRIBUTE_REQUIRES] = { ON_ALLOW_COMMAND, false, "an 'allow' of a command" },
	[ATTRIBUTE_AS] = { ON_ALLOW_COMMAND, true, "an 'allow' of one command" },
	[ATTRIBUTE_PATH] = { ON_ALLOW_COMMAND | ON_FORBID_COMMAND, true,
			     "an 'allow' or 'forbid' of one command" },
	[ATTRIBUTE_INSTEAD] = { ON_FORBID_COMMAND | ON_FORBID_CAPABILITY | ON_FORBID_SYSCALL | ON_DECLINE,
				false, "a 'forbid' or 'decline'" },
	[ATTRIBUTE_WITH] = { ON_FORBID_COMMAND | ON_FORBID_CAPABILITY | ON_FORBID_SYSCALL, false,
			     "a 'forbid'" },
	[ATTRIBUTE_ON] = { ON_ALL_BUT_REVOKE, false, "every row but 'revoke'" },
	[ATTRIBUTE_UNTIL] = { ON_ALL_BUT_REVOKE, false, "every row but 'revoke'" },
};

static unsigned row_place(const struct row *row)
{
	if (row->verb == VERB_REVOKE)
		return ON_REVOKE;
	if (row->verb == VERB_DECLINE)
		return ON_DECLINE;
	bool allow = row->verb == VERB_ALLOW;
	if (row->kind == SUBJECT_COMMAND)
		return allow ? ON_ALLOW_COMMAND : ON_FORBID_COMMAND;
	if (row->kind == SUBJECT_CAPABILITY)
		return ON_FORBID_CAPABILITY;
	return allow ? ON_ALLOW_SYSCALL : ON_FORBID_SYSCALL;
}

/* ---- one row statement while it is bound ---- */

struct binding {
	struct resolver *resolver;
	struct layer_work *layer;
	const struct ast_statement *statement;
	struct row **rows; /* the valid subjects */
	struct row *only;  /* of the many statements with one subject: their `rows` need no memory */
	size_t count;
	/* What the attributes say, the same for all subjects. */
	const char *reason, *spelling; /* NULL where not given */
	struct row_more more;
	bool has_more;
	struct need *needs;
	size_t need_capacity;
	bool valid;
};

static struct span keyword_of(const struct binding *binding, const struct ast_attribute *attribute)
{
	return ast_attribute_keyword(binding->statement, attribute);
}

static bool attribute_fits(struct binding *binding, const struct ast_attribute *attribute)
{
	const struct ast_statement *statement = binding->statement;
	const char *word = attribute_word(attribute->kind);
	for (size_t i = 0; i < binding->count; i++) {
		if (rules[attribute->kind].places & row_place(binding->rows[i]))
			continue;
		struct diagnostic *d = diag_report(
			resolver_diags(binding->resolver), DIAG_ATTRIBUTE, keyword_of(binding, attribute),
			"'%s' cannot stand on '%s %s'", word, verb_word(statement->verb),
			subject_text(binding->resolver, binding->rows[i]));
		diag_help(d, "it belongs to %s", rules[attribute->kind].where);
		return false;
	}
	if (!rules[attribute->kind].one_subject || statement->entries.count <= 1)
		return true;
	struct diagnostic *d =
		diag_report(resolver_diags(binding->resolver), DIAG_ATTRIBUTE, keyword_of(binding, attribute),
			    "'%s' cannot stand on a row of %u subjects", word, statement->entries.count);
	diag_help(d, "it belongs to %s: give that one a row of its own", rules[attribute->kind].where);
	return false;
}

static bool attribute_is_new(struct binding *binding, const struct ast_attribute *attribute,
			     const struct ast_attribute *seen[ATTRIBUTE_COUNT])
{
	const struct ast_attribute *first = seen[attribute->kind];
	if (!first || attribute->kind == ATTRIBUTE_NEEDS) {
		seen[attribute->kind] = attribute;
		return true;
	}
	struct diagnostic *d =
		diag_report(resolver_diags(binding->resolver), DIAG_DUPLICATE, keyword_of(binding, attribute),
			    "'%s' stands twice on this row", attribute_word(attribute->kind));
	diag_note(d, keyword_of(binding, first), "it stands here first");
	diag_help(d, "keep one of the two");
	return false;
}

/* ---- values ---- */

static const char *nearest_help(const char *near, const char *otherwise, struct resolver *resolver)
{
	return near ? arena_printf(resolver->compilation->arena, "did you mean '%s'?", near) : otherwise;
}

static bool value_reject(struct binding *binding, const struct ast_word *word, const char *what,
			 const char *help)
{
	struct diagnostic *d = diag_report(resolver_diags(binding->resolver), DIAG_VALUE, word->span,
					   "'%s' %s", word->text, what);
	diag_help(d, "%s", help);
	return false;
}

static bool text_is_blank(const char *text)
{
	return text[strspn(text, " \t\n")] == '\0';
}

static bool because_bind(struct binding *binding, const struct ast_word *word, const char **reason)
{
	if (!text_is_blank(word->text)) {
		*reason = word->text;
		return text_length_check(binding->resolver, word);
	}
	struct diagnostic *d = diag_report(resolver_diags(binding->resolver), DIAG_MISSING_REASON, word->span,
					   "the text is empty");
	diag_help(d, "say in a few words why, for whoever reads it next year");
	return false;
}

static bool platform_bind(struct binding *binding, const struct ast_word *word)
{
	enum platform platform = platform_find(word->text);
	if (platform == PLATFORM_COUNT)
		return value_reject(binding, word, "is no platform",
				    nearest_help(platform_nearest(word->text),
						 "the platforms are linux, macos, windows and freebsd",
						 binding->resolver));
	if (binding->more.platforms & 1u << platform)
		return value_reject(binding, word, "stands twice in this list", "keep one of the two");
	binding->more.platforms |= 1u << platform;
	return true;
}

/* Of lists each entry is looked at, so that all mistakes in them are reported at once. */
static bool platforms_bind(struct binding *binding, const struct ast_entries *values)
{
	bool good = true;
	for (size_t i = 0; i < values->count; i++)
		good &= platform_bind(binding, &values->items[i].word);
	return good;
}

static bool until_bind(struct binding *binding, const struct ast_word *word)
{
	if (!date_is_valid(word->text))
		return value_reject(binding, word, "is no date",
				    "write it as year, month, day: until 2026-12-31");
	binding->more.until = word->text;
	return true;
}

static bool as_bind(struct binding *binding, const struct ast_word *word)
{
	if (!spelling_is_valid(word->text))
		return value_reject(
			binding, word, "is no spelling",
			"a spelling has no blank, quote, slash or pattern, and does not start with "
			"'-': as docker-buildx");
	binding->spelling = word->text;
	return true;
}

static bool path_bind(struct binding *binding, const struct ast_word *word, struct map *seen)
{
	size_t size = strlen(word->text);
	if (word->text[0] != '/' || word->text[size - 1] == '/')
		return value_reject(binding, word, "is no absolute path of a program",
				    "write all of it, from the root: path \"/usr/bin/git\"");
	void **known = map_at(seen, word->text, size);
	if (*known)
		return value_reject(binding, word, "stands twice in this list", "keep one of the two");
	*known = (void *)word;
	return true;
}

static bool paths_bind(struct binding *binding, const struct ast_entries *values)
{
	const char **paths =
		arena_array(binding->resolver->compilation->arena, values->count + 1, sizeof *paths);
	struct map *seen = map_new(binding->resolver->compilation->arena, values->count);
	bool good = true;
	for (size_t i = 0; i < values->count; i++) {
		paths[i] = values->items[i].word.text;
		good &= path_bind(binding, &values->items[i].word, seen);
	}
	if (!good)
		return false;
	binding->more.paths = paths;
	binding->more.path_count = values->count;
	return true;
}

static bool requirement_bind(struct binding *binding, const struct ast_entry *entry, struct map *seen,
			     struct requirement *requirement)
{
	if (!command_spelling_check(binding->resolver, &entry->word))
		return false;
	const struct ast_tail *version = entry->tail;
	assert(!version || strcmp(version->operator.text, ">=") == 0); /* the grammar has no other */
	if (version && !version_is_valid(version->version.text))
		return value_reject(binding, &version->version, "is no version",
				    "a version starts with a digit: requires docker >= 20.10");
	*requirement = (struct requirement){
		.command = entry->word.text,
		.operator = version ? version->operator.text : NULL,
		.version = version ? version->version.text : NULL,
		.span = entry->word.span,
	};
	void **known = map_at(seen, requirement->command, strlen(requirement->command));
	if (*known)
		return value_reject(binding, &entry->word, "is required twice", "keep one of the two");
	*known = requirement;
	return true;
}

static bool requirements_bind(struct binding *binding, const struct ast_entries *values)
{
	struct requirement *requirements =
		arena_array(binding->resolver->compilation->arena, values->count + 1, sizeof *requirements);
	struct map *seen = map_new(binding->resolver->compilation->arena, values->count);
	bool good = true;
	for (size_t i = 0; i < values->count; i++)
		good &= requirement_bind(binding, &values->items[i], seen, &requirements[i]);
	if (!good)
		return false;
	binding->more.requirements = requirements;
	binding->more.requirement_count = values->count;
	return true;
}

/* ---- needs ---- */

static bool need_bind(struct binding *binding, const struct ast_attribute *attribute,
		      const struct ast_entry *entry, struct need *need)
{
	struct resolver *resolver = binding->resolver;
	need->span = ast_entry_span(entry);
	if (attribute->qualifier)
		return calls_bind(resolver, entry, &need->calls, &need->call_count);
	need->capability = capability_find(entry->word.text);
	if (need->capability && !ast_entry_condition(entry)) {
		need->calls =
			capability_calls(resolver->compilation->arena, need->capability, &need->call_count);
		return true;
	}
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_CAPABILITY, entry->word.span,
					   "Linux has no capability '%s'", entry->word.text);
	if (!d)
		return false;
	const char *near = capability_nearest(entry->word.text);
	if (syscall_find(entry->word.text))
		diag_help(d, "a system call needs the word before it: needs syscall %s", entry->word.text);
	else if (near)
		diag_help(d, "did you mean '%s'?", near);
	else
		diag_help(d, "capabilities(7) lists them, CAP_SYS_PTRACE for one");
	return false;
}

static bool needs_bind(struct binding *binding, const struct ast_attribute *attribute)
{
	struct row_more *common = &binding->more;
	bool valid = true;
	for (size_t i = 0; i < attribute->values.count; i++) {
		binding->needs =
			arena_grow(binding->resolver->compilation->arena, binding->needs, common->need_count,
				   &binding->need_capacity, sizeof *binding->needs);
		struct need *need = &binding->needs[common->need_count];
		*need = (struct need){ 0 };
		if (need_bind(binding, attribute, &attribute->values.items[i], need))
			common->need_count++;
		else
			valid = false;
	}
	common->needs = binding->needs;
	return valid;
}

/* The parser calls a statement broken whose attribute lacks its value: here is one. */
static const struct ast_word *value_first(const struct ast_entries *values)
{
	assert(values->count > 0);
	return &values->items[0].word;
}

static bool is_of_few_rows(enum attribute attribute)
{
	return attribute != ATTRIBUTE_ADR && attribute != ATTRIBUTE_BECAUSE && attribute != ATTRIBUTE_AS;
}

static bool attribute_bind(struct binding *binding, const struct ast_attribute *attribute)
{
	const struct ast_entries *values = &attribute->values;
	binding->has_more = binding->has_more || is_of_few_rows(attribute->kind);
	switch (attribute->kind) {
	case ATTRIBUTE_BECAUSE:
		return because_bind(binding, value_first(values), &binding->reason);
	case ATTRIBUTE_INSTEAD:
		return because_bind(binding, value_first(values), &binding->more.instead);
	case ATTRIBUTE_NEEDS:
		return needs_bind(binding, attribute);
	case ATTRIBUTE_REQUIRES:
		return requirements_bind(binding, values);
	case ATTRIBUTE_AS:
		return as_bind(binding, value_first(values));
	case ATTRIBUTE_PATH:
		return paths_bind(binding, values);
	case ATTRIBUTE_WITH:
		binding->more.has_action =
			action_bind(binding->resolver, keyword_of(binding, attribute), attribute->qualifier,
				    values, "errno NAME, kill or log", false, &binding->more.action);
		binding->more.action_span = keyword_of(binding, attribute);
		return binding->more.has_action;
	case ATTRIBUTE_ON:
		return platforms_bind(binding, values);
	case ATTRIBUTE_UNTIL:
		return until_bind(binding, value_first(values));
	case ATTRIBUTE_ADR: /* opened last, when the subjects are known to be good */
	case ATTRIBUTE_COUNT:
		break;
	}
	return true;
}

/* ---- the statement ---- */

static void subjects_bind(struct binding *binding)
{
	const struct ast_statement *statement = binding->statement;
	struct arena *arena = binding->resolver->compilation->arena;
	binding->rows = &binding->only;
	if (statement->entries.count > 1)
		binding->rows = arena_array(arena, statement->entries.count, sizeof *binding->rows);
	struct row *rows = arena_array(arena, statement->entries.count, sizeof *rows);
	for (size_t i = 0; i < statement->entries.count; i++) {
		struct row *row = &rows[i];
		row->verb = statement->verb;
		if (subject_bind(binding->resolver, statement, &statement->entries.items[i], row))
			binding->rows[binding->count++] = row;
		else
			binding->valid = false;
	}
}

static void attributes_bind(struct binding *binding, const struct ast_attribute *seen[ATTRIBUTE_COUNT])
{
	for (const struct ast_attribute *at = binding->statement->attributes; at; at = at->next) {
		if (!attribute_is_new(binding, at, seen) || !attribute_fits(binding, at) ||
		    !attribute_bind(binding, at))
			binding->valid = false;
	}
}

/* All subjects of the row, as the text has them. */
static const char *subjects_written(const struct binding *binding)
{
	const struct ast_entries *entries = &binding->statement->entries;
	struct span first = ast_entry_span(&entries->items[0]);
	struct span last = ast_entry_span(&entries->items[entries->count - 1]);
	const char *text = first.source->text + first.begin;
	size_t size = last.end - first.begin;
	if (memchr(text, '\n', size))
		return subject_text(binding->resolver, binding->rows[0]);
	struct arena *arena = binding->resolver->compilation->arena;
	return arena_printf(arena, "%s%s%.*s", binding->statement->qualifier ? "syscall" : "",
			    binding->statement->qualifier ? " " : "", (int)size, text);
}

/* The ADR to cite where only one can be meant; NULL otherwise. Notes say where the subject is named. */
static const char *deciding_adr(const struct binding *binding, struct diagnostic *d)
{
	const char *found =
		deciding_adr_note(binding->resolver, binding->layer, binding->rows[0]->subject, d);
	return binding->count == 1 ? found : NULL;
}

/* `adr ?`, as `allowc import` writes it where nobody said which ADR decided. */
static const struct ast_word *open_reference(const struct ast_attribute *adr)
{
	const struct ast_word *word = value_first(&adr->values);
	bool open = adr->values.count == 1 && !ast_word_is_quoted(word) && strcmp(word->text, "?") == 0;
	return open ? word : NULL;
}

/* One message for all that a row waits for. */
static void report_open(struct binding *binding, const struct ast_word *word, bool has_reason)
{
	const char *verb = verb_word(binding->statement->verb);
	struct diagnostic *d = diag_report(
		resolver_diags(binding->resolver), DIAG_MISSING_ADR, word->span,
		"'%s %s' is left open by 'allowc import': it lacks the ADR that decided it%s", verb,
		subject_text(binding->resolver, binding->rows[0]), has_reason ? "" : ", and the reason");
	const char *found = deciding_adr(binding, d);
	diag_help(d, "%s: %s %s  adr %s%s",
		  found ? "where that ADR decides so" : "write its number for the '?'", verb,
		  subjects_written(binding), found ? found : "0001",
		  has_reason ? "  because …" : "  because \"…\"");
	binding->valid = false;
}

static void required_check(struct binding *binding, const struct ast_attribute *seen[ATTRIBUTE_COUNT])
{
	const struct ast_statement *statement = binding->statement;
	struct diags *diags = resolver_diags(binding->resolver);
	const char *verb = verb_word(statement->verb);
	if (!binding->count)
		return;
	const char *subject = subject_text(binding->resolver, binding->rows[0]);
	struct span place = binding->rows[0]->span;
	const struct ast_word *open = seen[ATTRIBUTE_ADR] ? open_reference(seen[ATTRIBUTE_ADR]) : NULL;
	if (open) {
		report_open(binding, open, seen[ATTRIBUTE_BECAUSE] != NULL);
		return;
	}
	if (!seen[ATTRIBUTE_ADR]) {
		struct diagnostic *d =
			diag_report(diags, DIAG_MISSING_ADR, place,
				    "'%s %s' does not say which ADR decided it", verb, subject);
		const char *found = deciding_adr(binding, d);
		diag_help(d, "%s: %s %s  adr %s", found ? "where that ADR decides so" : "cite it on the row",
			  verb, subjects_written(binding), found ? found : "…");
		binding->valid = false;
	}
	if (seen[ATTRIBUTE_BECAUSE])
		return;
	if (statement->verb == VERB_ALLOW) {
		struct diagnostic *d =
			diag_report(diags, DIAG_REASON, place, "'%s %s' does not say why", verb, subject);
		diag_help(d, "add the reason: because \"…\"");
		return;
	}
	struct diagnostic *d =
		diag_report(diags, DIAG_MISSING_REASON, place, "'%s %s' does not say why", verb, subject);
	diag_help(d, "a row that refuses or takes back has a reason: because \"…\"");
	binding->valid = false;
}

static void action_check(struct binding *binding)
{
	const struct row_more *common = &binding->more;
	if (!common->has_action || !binding->valid)
		return;
	struct diags *diags = resolver_diags(binding->resolver);
	if (common->action.kind == ACTION_LOG) {
		struct diagnostic *d = diag_report(diags, DIAG_ACTION, common->action_span,
						   "'with log' refuses nothing");
		diag_help(d, "to refuse them: with errno EPERM, or with kill");
		return;
	}
	for (size_t i = 0; i < binding->count; i++) {
		const struct row *row = binding->rows[i];
		bool denies = row->kind != SUBJECT_COMMAND || common->need_count;
		if (row->kind == SUBJECT_CAPABILITY)
			denies = capability_is_gated(capability_find(row->subject));
		if (denies)
			continue;
		struct diagnostic *d =
			diag_report(diags, DIAG_ACTION, common->action_span,
				    "'forbid %s' denies no system call, so 'with' does nothing",
				    subject_text(binding->resolver, row));
		diag_help(d,
			  "say what the program needs from the kernel (needs CAP_…, needs syscall NAME), or "
			  "remove 'with'");
	}
}

/* What the attributes say, on each subject's row. */
static void common_spread(struct binding *binding, const struct block *block)
{
	struct row_more *more = NULL;
	if (binding->has_more) {
		more = arena_alloc(binding->resolver->compilation->arena, sizeof *more);
		*more = binding->more;
	}
	for (size_t i = 0; i < binding->count; i++) {
		struct row *row = binding->rows[i];
		row->layer = binding->layer->layer;
		row->block = block;
		row->statement = binding->statement->span.begin;
		row->reason = binding->reason;
		if (binding->spelling)
			row->spelling = binding->spelling;
		row->spelling_given = binding->spelling != NULL;
		row->more = more;
		row->broken = !binding->valid;
		if (row->broken && row->kind == SUBJECT_COMMAND)
			command_break(binding->resolver, row->subject);
	}
}

/* A broken row about system calls denies nothing, and nobody is told that they pass. */
static void break_what_it_denies(struct binding *binding)
{
	const struct ast_statement *statement = binding->statement;
	bool about_calls = statement->qualifier != NULL || binding->count < statement->entries.count;
	for (size_t i = 0; i < binding->count; i++)
		about_calls = about_calls || binding->rows[i]->kind != SUBJECT_COMMAND;
	for (const struct ast_attribute *at = statement->attributes; at; at = at->next)
		about_calls = about_calls || at->kind == ATTRIBUTE_NEEDS;
	binding->resolver->calls_broken = binding->resolver->calls_broken || about_calls;
}

static void rows_append(struct resolver *resolver, struct layer_work *layer, struct block_work *block,
			const struct binding *binding)
{
	struct arena *arena = resolver->compilation->arena;
	for (size_t i = 0; i < binding->count; i++) {
		if (block) {
			block->rows = arena_grow(arena, block->rows, block->block.row_count,
						 &block->row_capacity, sizeof *block->rows);
			block->rows[block->block.row_count++] = binding->rows[i];
		} else {
			layer->rows = arena_grow(arena, layer->rows, layer->row_count, &layer->row_capacity,
						 sizeof *layer->rows);
			layer->rows[layer->row_count++] = binding->rows[i];
			sieve_add(layer->subjects, binding->rows[i]->subject,
				  strlen(binding->rows[i]->subject));
			layer->revokes = layer->revokes || binding->rows[i]->verb == VERB_REVOKE;
		}
	}
}

void rows_bind(struct resolver *resolver, struct layer_work *layer, struct block_work *block,
	       const struct ast_statement *statement)
{
	struct binding binding = {
		.resolver = resolver, .layer = layer, .statement = statement, .valid = true
	};
	const struct ast_attribute *seen[ATTRIBUTE_COUNT] = { 0 };
	if (statement->broken) /* broken_collect() keeps its subjects; one message is out already */
		return;
	subjects_bind(&binding);
	attributes_bind(&binding, seen);
	required_check(&binding, seen);
	action_check(&binding);
	if (seen[ATTRIBUTE_ADR] && !open_reference(seen[ATTRIBUTE_ADR]))
		citations_bind(resolver, layer, seen[ATTRIBUTE_ADR], binding.rows, binding.count);
	if (!binding.valid)
		break_what_it_denies(&binding);
	common_spread(&binding, block ? &block->block : NULL);
	rows_append(resolver, layer, block, &binding);
}

/* ---- rows among rows ---- */

static void report_requirement(struct resolver *resolver, const struct row *row,
			       const struct requirement *requirement)
{
	bool itself = strcmp(row->subject, requirement->command) == 0;
	struct diagnostic *d = diag_report(
		resolver_diags(resolver), DIAG_REQUIRES, requirement->span,
		itself ? "'%s' requires itself" : "'%s' is required, but not allowed", requirement->command);
	if (!d)
		return;
	if (itself) {
		diag_help(d, "name the other commands that it needs");
		return;
	}
	const struct row *decides = row->block
					    ? block_match(resolver->policy, row->block, requirement->command)
					    : policy_match(resolver->policy, requirement->command);
	if (decides)
		diag_note(d, decides->span, "this row decides it%s", row_authority(resolver, decides));
	struct suggestion near = suggestion_begin(requirement->command);
	bool searched = names_may_be_searched(resolver, resolver->row_count);
	for (size_t i = 0; searched && i < resolver->row_count; i++)
		if (resolver->rows[i]->kind == SUBJECT_COMMAND && resolver->rows[i]->verb == VERB_ALLOW)
			suggestion_offer(&near, resolver->rows[i]->subject);
	if (decides && decides->block)
		diag_help(d, "one of the two rows cannot stand");
	else if (near.nearest)
		diag_help(d, "did you mean '%s'?", near.nearest);
	else
		diag_help(d, "allow it in this layer or one below, by an ADR of its own");
}

static void requirements_check(struct resolver *resolver, const struct row *row)
{
	for (size_t i = 0; i < row_more(row)->requirement_count; i++) {
		const struct requirement *requirement = &row_more(row)->requirements[i];
		if (command_is_broken(resolver, requirement->command))
			continue;
		enum verdict verdict =
			row->block ? block_verdict(resolver->policy, row->block, requirement->command)
				   : policy_verdict(resolver->policy, requirement->command);
		if (strcmp(row->subject, requirement->command) == 0 || verdict != VERDICT_ALLOWED)
			report_requirement(resolver, row, requirement);
	}
}

/* Of several rows that deny a call to a role, its own: what the layers deny is said of them. */
static const struct row *denier(const struct resolver *resolver, const struct call_rule *rule)
{
	const struct seccomp *seccomp = &resolver->policy->seccomp;
	const struct call_rule *end = seccomp->denied + seccomp->denied_count;
	for (const struct call_rule *at = rule; resolver->role && at < end && at->call == rule->call; at++)
		if (at->row->block && !action_passes(at->action))
			return at->row;
	return rule->row;
}

/* The first row in force that forbids the need's capability, or denies one of its calls to all arguments. */
static const struct row *need_denied(const struct resolver *resolver, const struct need *need,
				     const struct syscall_entry **call)
{
	*call = NULL;
	if (need->capability) {
		const struct row *row = capability_row(resolver, need->capability->name);
		if (row)
			return row;
	}
	for (size_t i = 0; i < need->call_count; i++) {
		const struct call_rule *rule = denial_find(resolver->policy, need->calls[i].call);
		if (rule && !action_passes(rule->action) &&
		    !call_is_allowed(resolver->policy, &need->calls[i])) {
			*call = need->calls[i].call;
			return denier(resolver, rule);
		}
	}
	return NULL;
}

static const struct syscall_entry *need_omitted(const struct resolver *resolver, const struct need *need)
{
	if (action_passes(resolver->policy->seccomp.fallback))
		return NULL;
	for (size_t i = 0; i < need->call_count; i++)
		if (!call_is_allowed(resolver->policy, &need->calls[i]))
			return need->calls[i].call;
	return NULL;
}

static bool need_is_of(const struct row *row, const struct need *need)
{
	for (size_t i = 0; i < row_more(row)->need_count; i++)
		if (need == &row_more(row)->needs[i])
			return true;
	return false;
}

/* The need is the row's own, or that of a row of the layers which it allows again in a role. */
static bool need_check(struct resolver *resolver, const struct row *row, const struct need *need)
{
	struct diags *diags = resolver_diags(resolver);
	const struct syscall_entry *call;
	const struct row *denial = need_denied(resolver, need, &call);
	if (denial) {
		const char *what =
			call ? arena_printf(resolver->compilation->arena, "system call %s", call->name)
			     : need->capability->name;
		struct diagnostic *d = diag_report(diags, DIAG_NEEDS_DENIED, need->span,
						   "'%s' is allowed%s, but its need of %s is denied",
						   row->subject, in_role(resolver), what);
		diag_note(d, denial->span, "denied here%s", row_authority(resolver, denial));
		if (!need_is_of(row, need))
			diag_note(d, row->span, "allowed here%s", row_authority(resolver, row));
		if (denial->block)
			diag_help(d, "forbid the role the command too, or do not forbid it %s",
				  subject_text(resolver, denial));
		else if (denial->layer->index < row->layer->index)
			diag_help(d, "forbid the command too, or let it have what it needs: revoke %s",
				  subject_text(resolver, denial));
		else
			diag_help(d,
				  "one of the two rows cannot stand: forbid the command too, or do not "
				  "forbid %s",
				  subject_text(resolver, denial));
		return false;
	}
	call = need_omitted(resolver, need);
	if (!call)
		return true;
	struct diagnostic *d =
		diag_report(diags, DIAG_NEEDS_DENIED, need->span,
			    "'%s' is allowed, but its need of system call %s is denied by omission",
			    row->subject, call->name);
	diag_help(d, "this policy lets only listed calls pass; list it: allow syscall %s  adr …", call->name);
	return false;
}

static void row_check_relations(struct resolver *resolver, const struct row *row)
{
	if (row->broken || row->kind != SUBJECT_COMMAND || row->verb != VERB_ALLOW)
		return;
	requirements_check(resolver, row);
	for (size_t i = 0; i < row_more(row)->need_count; i++)
		if (!need_check(resolver, row, &row_more(row)->needs[i]))
			break;
}

/*
 * Whether the role's own rows deny nothing of what the layers' row says that it needs; else the first is
 * told.
 */
static bool role_meets_needs(struct resolver *resolver, const struct row *allowed, const struct row *layers)
{
	for (size_t i = 0; i < row_more(layers)->need_count; i++) {
		const struct syscall_entry *call;
		const struct row *denial = need_denied(resolver, &row_more(layers)->needs[i], &call);
		if (denial && denial->block)
			return need_check(resolver, allowed, &row_more(layers)->needs[i]);
	}
	return true;
}

static bool role_may_run(const struct resolver *resolver, const struct block *role, const struct row *row)
{
	return !row->broken && row->kind == SUBJECT_COMMAND && row->verb == VERB_ALLOW &&
	       block_verdict(resolver->policy, role, row->subject) == VERDICT_ALLOWED;
}

/*
 * What the layers allow the role, with what they lack by the role's own rows alone; and what it allows again
 * of commands that it forbids: `forbid gdb`, `allow "gdb -x"`. Of those the first tells it.
 */
static void role_check_needs(struct resolver *resolver, const struct block *role)
{
	struct map *told = map_new(resolver->compilation->arena, 0);
	for (size_t i = 0; i < resolver->row_count; i++)
		if (row_more(resolver->rows[i])->need_count &&
		    role_may_run(resolver, role, resolver->rows[i]))
			role_meets_needs(resolver, resolver->rows[i], resolver->rows[i]);
	for (size_t i = 0; i < role->row_count; i++) {
		const struct row *row = role->rows[i];
		const struct row *layers = role_may_run(resolver, role, row)
						   ? policy_match(resolver->policy, row->subject)
						   : NULL;
		if (!layers || role_may_run(resolver, role, layers) ||
		    map_find(told, layers->subject, strlen(layers->subject)))
			continue;
		if (!role_meets_needs(resolver, row, layers))
			map_at(told, layers->subject, strlen(layers->subject));
	}
}

bool block_forbids_calls(const struct block *block)
{
	for (size_t i = 0; i < block->row_count; i++)
		if (block->rows[i]->kind == SUBJECT_CAPABILITY)
			return true;
	return block->seccomp != NULL;
}

static void block_check_relations(struct resolver *resolver, const struct block *block)
{
	role_enter(resolver, block);
	for (size_t i = 0; i < block->row_count; i++)
		row_check_relations(resolver, block->rows[i]);
	if (block_forbids_calls(block) && !diags_errors_of(resolver_diags(resolver), DIAG_NEEDS_DENIED))
		role_check_needs(resolver, block);
	role_leave(resolver);
}

void rows_check_relations(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->row_count; i++)
		row_check_relations(resolver, resolver->rows[i]);
	for (size_t i = 0; i < resolver->block_count; i++)
		block_check_relations(resolver, &resolver->blocks[i]->block);
}
