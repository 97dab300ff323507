/*
 * NAME.seccomp.txt and NAME.audit.seccomp.txt: the filter for people. For each audit token its instructions,
 * one a line, and then the numbers that it tells apart, each with the rows and ADRs behind it; at the end
 * what it costs.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/filter/clauses.h"
#include "backends/filter/decisions.h"
#include "backends/filter/filter.h"
#include "backends/quote.h"
#include "backends/rows.h"
#include "backends/strength.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/ast.h"
#include "compiler/policy/policy.h"

/* The opcodes that a filter of allowc has, as emit.h writes them. */
enum {
	CODE_LOAD = 0x20,
	CODE_JUMP = 0x05,
	CODE_JUMP_EQUAL = 0x15,
	CODE_JUMP_AT_LEAST = 0x35,
	CODE_JUMP_BITS = 0x45,
	CODE_RETURN = 0x06,
	CODE_AND = 0x54,
};

/* Of lists of names; the tables are as wide as their cells. */
enum { LIST_WIDTH = 98 };

/* What the accumulator holds before an instruction: the offset of a word of the input, or one of these. */
enum { HOLDS_NOTHING = 1, HOLDS_SEVERAL = 2 };
enum { OFFSET_ARCH = 4, OFFSET_ARGUMENTS = 16 };

struct listing {
	struct strbuf *out;
	struct arena *arena;
	struct compilation *compilation;
	const struct policy *policy;
	const struct filter *filter; /* the one that is being listed */
	uint32_t *holds; /* of each of its instructions */
};

/* ---- words ---- */

/* Characters, for columns: names of calls are ASCII, subjects and file names need not be. */
static size_t text_width(const char *text)
{
	struct strbuf shown = STRBUF_INIT;
	size_t width = 0;
	quote_text_line(&shown, text);
	for (const char *at = shown.bytes; *at; at++)
		width += ((unsigned char)*at & 0xc0) != 0x80;
	strbuf_release(&shown);
	return width;
}

/* The text, and blanks up to `width`. */
static void add_padded(struct listing *listing, const char *text, size_t width)
{
	size_t own = text_width(text);
	quote_text_line(listing->out, text);
	if (own < width)
		strbuf_add_fill(listing->out, ' ', width - own);
}

static const char *number_text(struct listing *listing, uint32_t number)
{
	return number < 0x10000 ? arena_printf(listing->arena, "%" PRIu32, number)
				: arena_printf(listing->arena, "0x%" PRIx32, number);
}

/* The ABI of a number under the section's token. */
static enum abi number_abi(const struct filter_section *section, uint32_t number)
{
	bool x32 = abi_facts(section->abis[0].abi)->token == abi_facts(ABI_X32)->token && number >= X32_BIT;
	return x32 ? ABI_X32 : section->abis[0].abi;
}

static bool has_abi(const struct filter_section *section, enum abi abi)
{
	for (size_t i = 0; i < section->abi_count; i++)
		if (section->abis[i].abi == abi)
			return true;
	return false;
}

static const struct syscall_entry *section_call(const struct filter_section *section, uint32_t number)
{
	enum abi abi = number_abi(section, number);
	uint32_t plain = number - abi_facts(abi)->base;
	return has_abi(section, abi) && plain <= INT32_MAX ? abi_call_numbered(abi, (int32_t)plain) : NULL;
}

static const struct action *range_value(const struct filter_range *range, uint32_t value)
{
	if (filter_return_value(range->action) == value)
		return &range->action;
	for (size_t i = 0; range->clauses && i < range->clauses->count; i++)
		if (filter_return_value(range->clauses->items[i].action) == value)
			return &range->clauses->items[i].action;
	return NULL;
}

/* What a return's value says, as the language writes it. */
static const char *value_text(struct listing *listing, uint32_t value)
{
	for (size_t i = 0; i < listing->filter->section_count; i++) {
		const struct filter_section *section = &listing->filter->sections[i];
		for (size_t k = 0; k < section->range_count; k++) {
			const struct action *action = range_value(&section->ranges[k], value);
			if (action)
				return action_text(listing->compilation, *action);
		}
	}
	struct action rest = { listing->policy->seccomp.audit ? ACTION_LOG : ACTION_KILL, 0 };
	return action_text(listing->compilation, rest);
}

/* ---- instructions ---- */

static void hold(uint32_t *holds, size_t at, uint32_t what)
{
	holds[at] = holds[at] == HOLDS_NOTHING || holds[at] == what ? what : HOLDS_SEVERAL;
}

/* Jumps lead forward alone, so one walk knows what each instruction finds. */
static uint32_t *accumulator_trace(struct arena *arena, const struct filter *filter)
{
	uint32_t *holds = arena_array(arena, filter->length, sizeof *holds);
	for (size_t i = 0; i < filter->length; i++)
		holds[i] = HOLDS_NOTHING;
	for (size_t i = 0; i + 1 < filter->length; i++) {
		const struct instruction *item = &filter->code[i];
		if (item->code == CODE_RETURN)
			continue;
		if (item->code == CODE_JUMP) {
			hold(holds, i + 1 + item->constant, holds[i]);
		} else if (item->code == CODE_LOAD || item->code == CODE_AND) {
			hold(holds, i + 1, item->code == CODE_LOAD ? item->constant : holds[i]);
		} else {
			hold(holds, i + 1 + item->jump_true, holds[i]);
			hold(holds, i + 1 + item->jump_false, holds[i]);
		}
	}
	return holds;
}

/* "nr", "arch", "arg0", "arg0 high": the half of an argument that the filter's ABI has there. */
static const char *word_name(struct listing *listing, const struct filter_section *section, uint32_t offset)
{
	if (offset < OFFSET_ARGUMENTS)
		return offset == OFFSET_ARCH ? "arch" : "nr";
	bool second = offset % 8 != 0, big_endian = abi_facts(section->abis[0].abi)->big_endian;
	return arena_printf(listing->arena, "arg%" PRIu32 "%s", (offset - OFFSET_ARGUMENTS) / 8,
			    second != big_endian ? " high" : "");
}

static const char *target_text(struct listing *listing, size_t target)
{
	const struct instruction *item = &listing->filter->code[target];
	if (item->code == CODE_RETURN)
		return value_text(listing, item->constant);
	return arena_printf(listing->arena, "%04zu", target);
}

static const char *token_name(uint32_t token)
{
	unsigned abi = 0;
	while (abi_facts((enum abi)abi)->token != token)
		abi++;
	return abi_facts((enum abi)abi)->name;
}

static const char *constant_text(struct listing *listing, const struct filter_section *section, size_t at)
{
	const struct instruction *item = &listing->filter->code[at];
	if (item->code == CODE_JUMP_BITS)
		return arena_printf(listing->arena, "0x%" PRIx32, item->constant);
	if (at == section->begin)
		return token_name(item->constant);
	const char *number = number_text(listing, item->constant);
	const struct syscall_entry *call =
		listing->holds[at] == 0 ? section_call(section, item->constant) : NULL;
	return call ? arena_printf(listing->arena, "%s %s", number, call->name) : number;
}

static const char *branch_name(uint16_t code)
{
	if (code == CODE_JUMP_EQUAL)
		return "jeq";
	return code == CODE_JUMP_AT_LEAST ? "jge" : "jset";
}

/* Only the ways that do not go on in the next line. */
static void add_branch(struct listing *listing, const struct filter_section *section, size_t at)
{
	const struct instruction *item = &listing->filter->code[at];
	const char *constant = constant_text(listing, section, at);
	strbuf_printf(listing->out, "%-4s ", branch_name(item->code));
	add_padded(listing, constant, 30);
	const char *joint = "  ";
	if (item->jump_true) {
		strbuf_printf(listing->out, "%syes: %s", joint,
			      target_text(listing, at + 1 + item->jump_true));
		joint = ", ";
	}
	if (item->jump_false)
		strbuf_printf(listing->out, "%sno: %s", joint,
			      target_text(listing, at + 1 + item->jump_false));
}

static void add_instruction(struct listing *listing, const struct filter_section *section, size_t at)
{
	const struct instruction *item = &listing->filter->code[at];
	strbuf_printf(listing->out, "  %04zu  ", at);
	switch (item->code) {
	case CODE_LOAD:
		strbuf_printf(listing->out, "ld   %s", word_name(listing, section, item->constant));
		break;
	case CODE_AND:
		strbuf_printf(listing->out, "and  0x%" PRIx32, item->constant);
		break;
	case CODE_JUMP:
		strbuf_printf(listing->out, "ja   %s", target_text(listing, at + 1 + item->constant));
		break;
	case CODE_RETURN:
		strbuf_printf(listing->out, "ret  %s", value_text(listing, item->constant));
		break;
	default:
		add_branch(listing, section, at);
	}
	strbuf_add_text(listing->out, "\n");
}

/* ---- the table of numbers ---- */

/* A line of it, as text that nothing quoted yet; NULL where the column stays empty. */
struct line {
	const char *numbers, *names, *action, *reason, *place;
};

struct table {
	struct line *items;
	size_t count, capacity;
};

static struct line *table_add(struct listing *listing, struct table *table)
{
	table->items = arena_grow(listing->arena, table->items, table->count, &table->capacity,
				  sizeof *table->items);
	table->items[table->count] = (struct line){ .numbers = NULL };
	return &table->items[table->count++];
}

static const char *range_numbers(struct listing *listing, const struct filter_range *range)
{
	const char *first = number_text(listing, range->first);
	if (range->first == range->last)
		return first;
	return arena_printf(listing->arena, "%s-%s", first, number_text(listing, range->last));
}

/* The system calls that a range holds, ascending by number. */
struct calls {
	const struct syscall_entry **items;
	size_t count;
};

static struct calls range_calls(struct listing *listing, const struct filter_section *section,
				const struct filter_range *range)
{
	struct calls calls = { .items = arena_array(listing->arena, range->known, sizeof *calls.items) };
	for (size_t i = 0; i < section->abi_count; i++) {
		enum abi abi = section->abis[i].abi;
		for (size_t k = 0; k < abi_call_count(abi); k++) {
			const struct syscall_entry *call = abi_call(abi, k);
			uint32_t number = (uint32_t)call->numbers[abi] + abi_facts(abi)->base;
			if (number >= range->first && number <= range->last)
				calls.items[calls.count++] = call;
		}
	}
	return calls;
}

/* Why numbers that are no calls get what they get. */
static bool is_x32_alias(const struct filter_section *section, const struct filter_range *range)
{
	return section->abis[0].abi == ABI_X86_64 && range->first >= X32_ALIAS_FIRST &&
	       range->last <= X32_ALIAS_LAST;
}

static bool is_x32_guard(const struct filter_section *section, const struct filter_range *range)
{
	return section->abis[0].abi == ABI_X86_64 && range->first >= X32_BIT && !has_abi(section, ABI_X32);
}

static const char *range_names(struct listing *listing, const struct filter_section *section,
			       const struct filter_range *range, struct calls calls)
{
	if (is_x32_alias(section, range) || is_x32_guard(section, range))
		return "x32 numbers";
	if (!calls.count && range->known)
		return "x86_64 numbers";
	if (!calls.count)
		return section->abis[0].abi == ABI_X32 && range->last < X32_BIT ? "x86_64 numbers"
										: "unknown numbers";
	const char *first = calls.items[0]->name, *last = calls.items[calls.count - 1]->name;
	const char *rest = range->last - range->first >= calls.count ? " and unknown numbers" : "";
	if (calls.count == 1)
		return arena_printf(listing->arena, "%s%s", first, rest);
	if (calls.count == 2)
		return arena_printf(listing->arena, "%s, %s%s", first, last, rest);
	return arena_printf(listing->arena, "%s \u2026 %s (%zu)%s", first, last, calls.count, rest);
}

static int by_policy_order(const void *a, const void *b)
{
	const struct call_rule *first = *(const struct call_rule *const *)a;
	const struct call_rule *second = *(const struct call_rule *const *)b;
	if (first->row->layer->index != second->row->layer->index)
		return first->row->layer->index < second->row->layer->index ? -1 : 1;
	if (first->row->span.begin != second->row->span.begin)
		return first->row->span.begin < second->row->span.begin ? -1 : 1;
	return (first->call > second->call) - (first->call < second->call);
}

/*
 * One rule for each row that decides a call of the range, in policy order: an `allow` where the range is
 * let through, else what denies it. Counts the calls that have one.
 */
static const struct call_rule **range_rules(struct listing *listing, struct action action, struct calls calls,
					    size_t *count, size_t *decided)
{
	const struct seccomp *seccomp = &listing->policy->seccomp;
	bool allow = action.kind == ACTION_ALLOW;
	const struct call_rule *all = allow ? seccomp->allowed : seccomp->denied;
	size_t all_count = allow ? seccomp->allowed_count : seccomp->denied_count;
	const struct call_rule **rules = NULL;
	size_t total = 0, capacity = 0;
	*decided = 0;
	for (size_t i = 0; i < calls.count; i++) {
		const struct syscall_entry *call = calls.items[i];
		size_t at = call_rules_begin(all, all_count, call), begin = at;
		for (; at < all_count && all[at].call == call; at++) {
			rules = arena_grow(listing->arena, rules, total, &capacity, sizeof *rules);
			rules[total++] = &all[at];
		}
		*decided += at > begin;
	}
	if (total)
		qsort(rules, total, sizeof *rules, by_policy_order);
	*count = 0;
	for (size_t i = 0; i < total; i++)
		if (i == 0 || rules[i]->row != rules[*count - 1]->row)
			rules[(*count)++] = rules[i];
	return rules;
}

static unsigned row_line(const struct row *row)
{
	return row->span.source ? source_position(row->span.source, row->span.begin).line : 0;
}

/* How many of the rules, from the first on, stand as one list of system calls on one line. */
static size_t rules_on_line(const struct call_rule *const *rules, size_t count)
{
	assert(rules && count);
	const struct row *first = rules[0]->row;
	size_t same = 1;
	while (same < count && first->kind == SUBJECT_SYSCALL && rules[same]->row->kind == SUBJECT_SYSCALL &&
	       rules[same]->row->layer == first->layer && first->span.source &&
	       row_line(rules[same]->row) == row_line(first))
		same++;
	return same;
}

/*
 * What tells more than the row's own words: a condition that a group or a capability brings, or clone3's
 * reason.
 */
static const char *rule_supplement(struct listing *listing, const struct call_rule *rule)
{
	const char *subject = rule->row->subject;
	if (rule->follows)
		return arena_printf(listing->arena, ": %s hides what %s shows", rule->call->name,
				    rule->follows->name);
	bool told = !rule->condition || (rule->row->kind == SUBJECT_SYSCALL && subject[0] != '@');
	return told ? "" : arena_printf(listing->arena, ": %s", rule->condition->text);
}

/* "forbid strace, needs CAP_SYS_PTRACE"; "allow syscall read … close (3)" for a list. */
static const char *rule_reason(struct listing *listing, const struct call_rule *const *rules, size_t count)
{
	const struct call_rule *rule = rules[0];
	const struct row *row = rule->row;
	const char *verb = row->verb == VERB_ALLOW ? "allow" : "forbid";
	const char *more = rule_supplement(listing, rule);
	if (row == listing->policy->seccomp.base_row)
		return arena_printf(listing->arena, "base %s%s", row->subject, more);
	if (row->kind == SUBJECT_CAPABILITY)
		return arena_printf(listing->arena, "%s %s%s", verb, row->subject, more);
	if (row->kind == SUBJECT_COMMAND)
		return arena_printf(listing->arena, "%s %s, needs %s%s", verb, row->subject,
				    rule->capability ? rule->capability->name : rule->call->name, more);
	const char *last = rules[count - 1]->row->subject;
	if (count > 2)
		return arena_printf(listing->arena, "%s syscall %s … %s (%zu)", verb, row->subject, last,
				    count);
	if (count == 2)
		return arena_printf(listing->arena, "%s syscall %s, %s", verb, row->subject, last);
	return arena_printf(listing->arena, "%s syscall %s%s", verb, row->subject, more);
}

/* "phase7.allow:4"; NULL where the policy was not read from a text. */
static const char *base_place(struct listing *listing)
{
	const struct policy *policy = listing->policy;
	struct span span = policy->seccomp.base_span;
	for (size_t i = 0; span.source && i < policy->layer_count; i++)
		if (policy->layers[i].source == span.source)
			return arena_printf(listing->arena, "%s:%u", policy->layers[i].file,
					    source_position(span.source, span.begin).line);
	return NULL;
}

static const char *rule_place(struct listing *listing, const struct call_rule *rule)
{
	const struct row *row = rule->row;
	if (row == listing->policy->seccomp.base_row)
		return base_place(listing);
	const char *citations = row_citations(listing->arena, row);
	if (!row->span.source)
		return arena_printf(listing->arena, "%s (%s)", row->layer->file, citations);
	return arena_printf(listing->arena, "%s:%u (%s)", row->layer->file, row_line(row), citations);
}

/* A line of its own for `base`, where it lists a call of a range that passes. */
static void table_add_base(struct listing *listing, struct table *table, struct line *line,
			   const struct filter_range *range, struct calls calls)
{
	const struct seccomp *seccomp = &listing->policy->seccomp;
	size_t listed = 0;
	for (size_t i = 0; i < calls.count; i++) {
		size_t count;
		listed += base_entries(seccomp, calls.items[i], &count) != NULL;
	}
	if (!listed || range->action.kind != ACTION_ALLOW)
		return;
	if (line->reason)
		line = table_add(listing, table);
	line->reason = arena_printf(listing->arena, "base %s", seccomp->base);
	line->place = base_place(listing);
}

/* Logged for no other reason than that it would be refused. */
static bool is_audited(const struct listing *listing, struct action action)
{
	return listing->policy->seccomp.audit && action.kind == ACTION_LOG;
}

/* Why no row is behind it. */
static const char *plain_reason(struct listing *listing, const struct filter_section *section,
				const struct filter_range *range, struct calls calls, size_t decided)
{
	if (action_passes(range->action) && !is_audited(listing, range->action))
		return NULL;
	if (is_x32_alias(section, range))
		return "x32's own numbers, without its bit";
	if (is_x32_guard(section, range))
		return "the policy does not name x32";
	if (section->abis[0].abi == ABI_X32 && range->last < X32_BIT)
		return "the policy names x32 without x86_64";
	if (!calls.count && range->known)
		return "refused without the bit; old kernels take both for one";
	if (!calls.count)
		return "no table of the edition knows them";
	if (decided == calls.count)
		return NULL;
	return decided ? arena_printf(listing->arena, "not listed: the other %zu", calls.count - decided)
		       : "not listed";
}

/* One line a rule, the range's numbers and names on the first. */
static struct line *conditional_line(struct listing *listing, struct table *table, struct line first,
				     bool *any)
{
	struct line *line = table_add(listing, table);
	if (!*any)
		*line = first;
	*any = true;
	return line;
}

static void add_conditional_rules(struct listing *listing, struct table *table, struct line first, bool *any,
				  const struct syscall_entry *call, bool denials, bool own)
{
	const struct seccomp *seccomp = &listing->policy->seccomp;
	const struct call_rule *rules = denials ? seccomp->denied : seccomp->allowed;
	size_t count = denials ? seccomp->denied_count : seccomp->allowed_count;
	for (size_t i = call_rules_begin(rules, count, call); i < count && rules[i].call == call; i++) {
		const struct call_rule *rule = &rules[i];
		struct action action = denials ? rule->action : (struct action){ .kind = ACTION_ALLOW };
		if (denials && action_equal(action, seccomp->deny) == own)
			continue;
		if (seccomp->audit && !action_passes(action))
			action = (struct action){ .kind = ACTION_LOG };
		struct line *line = conditional_line(listing, table, first, any);
		line->action = action_text(listing->compilation, action);
		line->reason = rule_reason(listing, &rule, 1);
		line->place = rule_place(listing, rule);
	}
}

/* What `base` lists of the call, likewise. */
static void add_conditional_base(struct listing *listing, struct table *table, struct line first, bool *any,
				 const struct syscall_entry *call)
{
	const struct seccomp *seccomp = &listing->policy->seccomp;
	size_t count;
	const struct call_reference *entries = base_entries(seccomp, call, &count);
	for (size_t i = 0; i < count; i++) {
		const struct condition *condition = entries[i].condition;
		struct line *line = conditional_line(listing, table, first, any);
		line->action = action_text(listing->compilation, (struct action){ .kind = ACTION_ALLOW });
		line->reason = arena_printf(listing->arena, "base %s%s%s", seccomp->base,
					    condition ? ": " : "", condition ? condition->text : "");
		line->place = base_place(listing);
	}
}

/* Calls that their arguments decide, in the order in which the filter asks. */
static void table_add_conditional(struct listing *listing, struct table *table,
				  const struct filter_section *section, const struct filter_range *range,
				  struct calls calls)
{
	const struct line first = { .numbers = range_numbers(listing, range),
				    .names = range_names(listing, section, range, calls) };
	bool any = false;
	for (size_t i = 0; i < calls.count; i++) {
		add_conditional_rules(listing, table, first, &any, calls.items[i], true, true);
		add_conditional_rules(listing, table, first, &any, calls.items[i], true, false);
		add_conditional_rules(listing, table, first, &any, calls.items[i], false, false);
		add_conditional_base(listing, table, first, &any, calls.items[i]);
	}
	struct line *line = conditional_line(listing, table, first, &any);
	line->action = action_text(listing->compilation, range->action);
	line->reason = "otherwise";
}

static void table_add_range(struct listing *listing, struct table *table,
			    const struct filter_section *section, const struct filter_range *range)
{
	struct calls calls = range_calls(listing, section, range);
	if (range->clauses) {
		table_add_conditional(listing, table, section, range, calls);
		return;
	}
	size_t rule_count, decided;
	const struct call_rule **rules = range_rules(listing, range->action, calls, &rule_count, &decided);
	struct line *line = table_add(listing, table);
	line->numbers = range_numbers(listing, range);
	line->names = range_names(listing, section, range, calls);
	line->action = action_text(listing->compilation, range->action);
	for (size_t i = 0, same; i < rule_count; i += same) {
		if (i > 0)
			line = table_add(listing, table);
		same = rules_on_line(rules + i, rule_count - i);
		line->reason = rule_reason(listing, rules + i, same);
		line->place = rule_place(listing, rules[i]);
	}
	table_add_base(listing, table, line, range, calls);
	const char *reason = plain_reason(listing, section, range, calls, decided);
	if (!reason)
		return;
	if (rule_count)
		line = table_add(listing, table);
	line->reason = reason;
}

static size_t wider(size_t width, const char *text)
{
	size_t own = text ? text_width(text) : 0;
	return own > width ? own : width;
}

/* The text and blanks up to the next column; a line ends without any. */
static void add_cell(struct listing *listing, const char *text, size_t width, bool last)
{
	add_padded(listing, text ? text : "", last ? 0 : width + 2);
}

static void add_table(struct listing *listing, const struct table *table)
{
	size_t numbers = 0, names = 0, action = 0, reason = 0;
	for (size_t i = 0; i < table->count; i++) {
		const struct line *line = &table->items[i];
		numbers = wider(numbers, line->numbers);
		names = wider(names, line->names);
		action = wider(action, line->action);
		reason = line->place ? wider(reason, line->reason) : reason;
	}
	for (size_t i = 0; i < table->count; i++) {
		const struct line *line = &table->items[i];
		strbuf_add_text(listing->out, "  ");
		add_cell(listing, line->numbers, numbers, false);
		add_cell(listing, line->names, names, false);
		add_cell(listing, line->action, action, !line->reason);
		if (line->reason)
			add_cell(listing, line->reason, reason, !line->place);
		if (line->place)
			add_cell(listing, line->place, 0, true);
		strbuf_add_text(listing->out, "\n");
	}
}

/* ---- sections ---- */

/* A name of a list, after the one before it or on a line of its own. `column` is where the text stands. */
static void add_list_name(struct listing *listing, const char *name, size_t *column)
{
	size_t width = text_width(name);
	if (*column + width > LIST_WIDTH) {
		strbuf_add_text(listing->out, "\n   ");
		*column = 3;
	}
	strbuf_add_text(listing->out, " ");
	quote_text_line(listing->out, name);
	*column += 1 + width;
}

/* Names in rules that the ABI does not have: "not on i386: …". Rules are sorted by call. */
static void add_skipped(struct listing *listing, enum abi abi, const char *verb,
			const struct call_rule *rules, size_t count)
{
	const struct syscall_entry *before = NULL;
	const char *head = arena_printf(listing->arena, "  %s, and not on %s:", verb, abi_facts(abi)->name);
	size_t column = text_width(head);
	for (size_t i = 0; i < count; i++) {
		if (rules[i].call == before || rules[i].call->numbers[abi] >= 0)
			continue;
		if (before) {
			strbuf_add_text(listing->out, ",");
			column++;
		} else {
			strbuf_printf(listing->out, "\n%s", head);
		}
		before = rules[i].call;
		add_list_name(listing, before->name, &column);
	}
	if (before)
		strbuf_add_text(listing->out, "\n");
}

/* Of a base only how many: a library lists the names of all ABIs. */
static void add_skipped_base(struct listing *listing, enum abi abi)
{
	const struct seccomp *seccomp = &listing->policy->seccomp;
	size_t missing = 0;
	for (size_t i = 0; i < seccomp->base_call_count; i++)
		missing += seccomp->base_calls[i].call->numbers[abi] < 0;
	if (!missing)
		return;
	strbuf_add_text(listing->out, "\n  in base ");
	quote_text_line(listing->out, seccomp->base);
	strbuf_printf(listing->out, ", and not on %s: %zu of its %zu names\n", abi_facts(abi)->name, missing,
		      seccomp->base_call_count);
}

/* ", 2 more in part": of calls that arguments decide; "" without any. */
static const char *in_part(struct listing *listing, size_t count)
{
	return count ? arena_printf(listing->arena, ", %zu more in part", count) : "";
}

static void add_section_head(struct listing *listing, const struct filter_section *section)
{
	for (size_t i = 0; i < section->abi_count; i++) {
		const struct filter_abi *abi = &section->abis[i];
		add_padded(listing, abi_facts(abi->abi)->name, 8);
		if (listing->policy->seccomp.audit)
			strbuf_printf(listing->out, " logs %zu of %zu system calls%s, refuses none",
				      abi->logged, abi->known, in_part(listing, abi->logged_split));
		else
			strbuf_printf(listing->out, " denies %zu of %zu system calls%s", abi->refused,
				      abi->known, in_part(listing, abi->split));
		strbuf_printf(listing->out, "; %.2f instructions on average", abi->mean);
		if (abi->hot)
			strbuf_printf(listing->out, ", %.2f over %zu hot call%s", abi->hot_mean, abi->hot,
				      abi->hot == 1 ? "" : "s");
		strbuf_add_text(listing->out, i + 1 < section->abi_count ? "\n" : "");
	}
	strbuf_printf(listing->out, ", %zu at most for any number\n\n", section->worst);
}

static void add_section(struct listing *listing, const struct filter_section *section, bool first)
{
	struct table table = { .count = 0 };
	strbuf_add_text(listing->out, "\n");
	add_section_head(listing, section);
	for (size_t i = first ? 0 : section->begin; i < section->end; i++)
		add_instruction(listing, section, i);
	strbuf_add_text(listing->out, "\n");
	for (size_t i = 0; i < section->range_count; i++)
		table_add_range(listing, &table, section, &section->ranges[i]);
	add_table(listing, &table);
	const struct seccomp *seccomp = &listing->policy->seccomp;
	for (size_t i = 0; i < section->abi_count; i++) {
		add_skipped(listing, section->abis[i].abi, "denied", seccomp->denied, seccomp->denied_count);
		add_skipped(listing, section->abis[i].abi, "allowed", seccomp->allowed,
			    seccomp->allowed_count);
		add_skipped_base(listing, section->abis[i].abi);
	}
}

static void add_returns(struct listing *listing)
{
	const struct filter_section *last = &listing->filter->sections[listing->filter->section_count - 1];
	strbuf_add_text(listing->out, "\nreturns  for all of the above; any other architecture is ");
	strbuf_add_text(listing->out, listing->policy->seccomp.audit ? "logged\n\n" : "killed\n\n");
	for (size_t i = last->end; i < listing->filter->length; i++)
		add_instruction(listing, last, i);
}

static void add_top(struct listing *listing)
{
	strbuf_add_text(listing->out, "# ");
	mark_add(listing->out, listing->policy, quote_text_line);
	strbuf_add_text(listing->out, "\n#\n");
	bool audit = listing->policy->seccomp.audit;
	caveat_add(listing->out, "# ", audit ? CAVEAT_AUDIT : strength_caveat(STRENGTH_SECCOMP),
		   quote_text_line);
	strbuf_add_text(
		listing->out,
		"#\n# A jump that does not say where its yes or no leads goes on in the next line.\n");
}

/* Whether the arguments of some call decide. */
static bool has_splits(const struct filter *filter)
{
	for (size_t i = 0; i < filter->section_count; i++)
		for (size_t k = 0; k < filter->sections[i].range_count; k++)
			if (filter->sections[i].ranges[k].clauses)
				return true;
	return false;
}

/* The proof refuses what is not so. */
static const char *cache_text(const struct filter *filter)
{
	if (has_splits(filter))
		return "every allow by number alone is cacheable: the kernel answers without the filter, but for "
		       "numbers outside its table, as x32's, and calls that arguments decide";
	return "every allow is cacheable: the kernel answers without the filter, but for numbers outside its "
	       "table, as x32's";
}

/*
 * What the filter costs: what a person looks for at the end. The kernel's cache has a bit for each number of
 * its native and its 32-bit table; x32's, with their bit, lie outside (arch/x86/include/asm/seccomp.h), as do
 * arm's private ones and those that are no calls.
 */
static void add_summary(struct listing *listing)
{
	const struct filter *filter = listing->filter;
	size_t worst = 0;
	strbuf_printf(listing->out, "\nin all   %zu instructions; executed on average: ", filter->length);
	for (size_t i = 0; i < filter->section_count; i++) {
		const struct filter_section *section = &filter->sections[i];
		for (size_t k = 0; k < section->abi_count; k++) {
			enum abi abi = section->abis[k].abi;
			strbuf_printf(listing->out, "%s%.2f on %s", i + k ? ", " : "", section->abis[k].mean,
				      abi_facts(abi)->name);
		}
		worst = section->worst > worst ? section->worst : worst;
	}
	strbuf_printf(listing->out, "; at most: %zu\n         %s\n", worst,
		      cache_text(filter));
}

/* Where there are two filters, each says whose it is. */
static void add_filter(struct listing *listing, bool alone)
{
	if (!alone)
		strbuf_add_text(listing->out, listing->filter->big_endian
						      ? "\n# The filter of the big-endian ABIs\n"
						      : "\n# The filter of the little-endian ABIs\n");
	for (size_t i = 0; i < listing->filter->section_count; i++)
		add_section(listing, &listing->filter->sections[i], i == 0);
	add_returns(listing);
	add_summary(listing);
}

static bool listing_owns(const struct policy *policy, const char *path)
{
	return artifact_is_named_for_role(policy, path, ".seccomp.txt");
}

static bool listing_audit_owns(const struct policy *policy, const char *path)
{
	return artifact_is_named_for_role(policy, path, ".audit.seccomp.txt");
}

static void listing_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_listing, artifact_name(emission, ".seccomp.txt"), "", 0);
}

static void listing_audit_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_listing_audit, artifact_name(emission, ".audit.seccomp.txt"), "",
		     0);
}

static void listing_write(const struct emission *emission, struct artifacts *out,
			  const struct backend *backend, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	struct listing listing = {
		.out = &text,
		.arena = emission->compilation->arena,
		.compilation = emission->compilation,
		.policy = emission->policy,
	};
	const struct filter *first = emission->filter;
	add_top(&listing);
	for (listing.filter = first; listing.filter; listing.filter = listing.filter->next) {
		listing.holds = accumulator_trace(listing.arena, listing.filter);
		add_filter(&listing, !first->next);
	}
	artifact_take(emission, out, backend, path, &text);
}

static bool listing_emit(const struct emission *emission, struct artifacts *out)
{
	listing_write(emission, out, &backend_listing, artifact_name(emission, ".seccomp.txt"));
	return true;
}

static bool listing_audit_emit(const struct emission *emission, struct artifacts *out)
{
	listing_write(emission, out, &backend_listing_audit, artifact_name(emission, ".audit.seccomp.txt"));
	return true;
}

const struct backend backend_listing = {
	.name = "listing",
	.summary = "NAME.seccomp.txt: the seccomp filter for people, each refusal with the rows behind it",
	.needs_filter = true,
	.role_files = ROLE_FILES_FILTER,
	.audit = &backend_listing_audit,
	.owns = listing_owns,
	.list = listing_list,
	.emit = listing_emit,
};

const struct backend backend_listing_audit = {
	.name = "listing --audit",
	.summary = "NAME.audit.seccomp.txt: the same with every refusal logged instead",
	.needs_filter = true,
	.role_files = ROLE_FILES_FILTER,
	.audits = true,
	.owns = listing_audit_owns,
	.list = listing_audit_list,
	.emit = listing_audit_emit,
};
