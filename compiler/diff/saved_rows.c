/* Rows of a saved artifact. */
#include <string.h>

#include "compiler/base/date.h"
#include "compiler/diff/saved_reading.h"
#include "compiler/policy/match.h"

/* ---- closed sets ---- */

static enum verb verb_read(struct saved_reading *reading, const struct saved_value *row)
{
	const char *word = saved_text(&reading->mistakes, row, "verb");
	for (unsigned verb = 0; verb < VERB_COUNT; verb++)
		if (strcmp(verb_word((enum verb)verb), word) == 0)
			return (enum verb)verb;
	struct saved_value place = saved_place(row, "verb");
	saved_mistake(&reading->mistakes, &place, "'%s' is no verb", word);
	return VERB_DECLINE;
}

static enum subject_kind kind_read(struct saved_reading *reading, const struct saved_value *row)
{
	static const char *const words[] = { "command", "capability", "syscall" };
	const char *word = saved_text(&reading->mistakes, row, "kind");
	for (unsigned kind = 0; kind < sizeof words / sizeof *words; kind++)
		if (strcmp(words[kind], word) == 0)
			return (enum subject_kind)kind;
	struct saved_value place = saved_place(row, "kind");
	saved_mistake(&reading->mistakes, &place, "'%s' is no kind of subject", word);
	return SUBJECT_COMMAND;
}

static unsigned platforms_read(struct saved_reading *reading, const struct saved_value *row)
{
	struct saved_value list = saved_list_if_any(&reading->mistakes, row, "platforms");
	unsigned bits = 0;
	for (size_t i = 0; i < saved_count(&list); i++) {
		const char *word = saved_item_text(&reading->mistakes, &list, i);
		unsigned platform = 0;
		while (platform < PLATFORM_COUNT && strcmp(platform_word((enum platform)platform), word) != 0)
			platform++;
		if (platform == PLATFORM_COUNT)
			saved_mistake(&reading->mistakes, &list, "'%s' is no platform", word);
		bits |= platform < PLATFORM_COUNT ? 1u << platform : 0;
	}
	return bits;
}

/* ---- attributes ---- */

static const char *const *texts_read(struct saved_reading *reading, const struct saved_value *list,
				     size_t *count)
{
	*count = saved_count(list);
	const char **texts = arena_array(reading->arena, *count, sizeof *texts);
	for (size_t i = 0; i < *count; i++)
		texts[i] = saved_item_text(&reading->mistakes, list, i);
	return texts;
}

static void citations_read(struct saved_reading *reading, const struct saved_value *object, struct row *row)
{
	struct saved_value list = saved_list(&reading->mistakes, object, "adr");
	size_t count = saved_count(&list);
	struct citation *citations = arena_array(reading->arena, count, sizeof *citations);
	for (size_t i = 0; i < count; i++) {
		citations[i].text = saved_item_text(&reading->mistakes, &list, i);
		citations[i].adr = map_value(reading->adrs, citations[i].text, strlen(citations[i].text));
	}
	if (list.json && !count)
		saved_mistake(&reading->mistakes, &list, "a row cites an ADR");
	row->citations = citations;
	row->citation_count = count;
}

static void need_read(struct saved_reading *reading, const struct saved_value *object, struct need *need)
{
	const char *name = saved_text_if_any(&reading->mistakes, object, "capability");
	struct saved_value list = saved_list(&reading->mistakes, object, "syscalls");
	need->calls = saved_calls(reading, &list, &need->call_count);
	if (!name)
		return;
	need->capability = capability_find(name);
	if (!need->capability) {
		saved_mistake(&reading->mistakes, object, "'%s' is no capability", name);
		return;
	}
	size_t count;
	const struct call_reference *calls = restore_capability(reading->restorer, need->capability, &count);
	bool same = count == need->call_count;
	for (size_t i = 0; same && i < count; i++)
		same = calls[i].call == need->calls[i].call && !need->calls[i].condition;
	if (!same)
		saved_mistake(&reading->mistakes, &list, "%s brings other system calls", name);
}

static void needs_read(struct saved_reading *reading, const struct saved_value *object, struct row_more *more)
{
	struct saved_value list = saved_list_if_any(&reading->mistakes, object, "needs");
	more->need_count = saved_count(&list);
	struct need *needs = arena_array(reading->arena, more->need_count, sizeof *needs);
	for (size_t i = 0; i < more->need_count; i++) {
		struct saved_value item = saved_item(&reading->mistakes, &list, i);
		need_read(reading, &item, &needs[i]);
	}
	more->needs = needs;
}

static void requirements_read(struct saved_reading *reading, const struct saved_value *object,
			      struct row_more *more)
{
	struct saved_mistakes *mistakes = &reading->mistakes;
	struct saved_value list = saved_list_if_any(mistakes, object, "requires");
	more->requirement_count = saved_count(&list);
	struct requirement *requirements =
		arena_array(reading->arena, more->requirement_count, sizeof *requirements);
	for (size_t i = 0; i < more->requirement_count; i++) {
		struct saved_value item = saved_item(mistakes, &list, i);
		requirements[i].command = saved_text(mistakes, &item, "command");
		requirements[i].operator= saved_text_if_any(mistakes, &item, "operator");
		requirements[i].version = saved_text_if_any(mistakes, &item, "version");
	}
	more->requirements = requirements;
}

static const char *until_read(struct saved_reading *reading, const struct saved_value *object)
{
	const char *date = saved_text_if_any(&reading->mistakes, object, "until");
	struct saved_value place = saved_place(object, "until");
	if (date && !date_is_valid(date))
		saved_mistake(&reading->mistakes, &place, "'%s' is no date", date);
	return date;
}

/* ---- subjects ---- */

static void command_read(struct saved_reading *reading, const struct saved_value *object, struct row *row)
{
	struct saved_value place = saved_place(object, "subject");
	row->spelling = saved_text(&reading->mistakes, object, "spelling");
	if (!restore_is_command(reading->restorer, row->subject))
		saved_mistake(&reading->mistakes, &place, "'%s' is no command", row->subject);
}

static void capability_read(struct saved_reading *reading, const struct saved_value *object,
			    const struct row *row)
{
	struct saved_value place = saved_place(object, "subject");
	if (!capability_find(row->subject))
		saved_mistake(&reading->mistakes, &place, "'%s' is no capability", row->subject);
}

/* A group has its calls; a call is its own. */
static void syscall_read(struct saved_reading *reading, const struct saved_value *object, struct row *row)
{
	struct saved_value place = saved_place(object, "subject");
	struct saved_value list = saved_list(&reading->mistakes, object, "syscalls");
	row->calls = saved_calls(reading, &list, &row->call_count);
	if (row->subject[0] == '@' || reading->mistakes.first)
		return;
	if (row->call_count != 1 ||
	    strcmp(call_reference_text(reading->arena, &row->calls[0]), row->subject) != 0)
		saved_mistake(&reading->mistakes, &place, "'%s' is not the call that it names", row->subject);
}

static void subject_read(struct saved_reading *reading, const struct saved_value *object, struct row *row)
{
	row->subject = saved_text(&reading->mistakes, object, "subject");
	if (reading->mistakes.first)
		return;
	switch (row->kind) {
	case SUBJECT_COMMAND:
		command_read(reading, object, row);
		break;
	case SUBJECT_CAPABILITY:
		capability_read(reading, object, row);
		break;
	case SUBJECT_SYSCALL:
		syscall_read(reading, object, row);
		break;
	}
	bool fits = row->kind == SUBJECT_COMMAND || row->verb == VERB_FORBID || row->verb == VERB_REVOKE ||
		    (row->kind == SUBJECT_SYSCALL && row->verb == VERB_ALLOW);
	if (!fits)
		saved_mistake(&reading->mistakes, object, "'%s' has no such subject", verb_word(row->verb));
}

/* ---- rows ---- */

const struct row *saved_row(struct saved_reading *reading, const struct saved_value *object,
			    const struct block *block)
{
	struct saved_mistakes *mistakes = &reading->mistakes;
	struct row *row = arena_alloc(reading->arena, sizeof *row);
	struct row_more *more = arena_alloc(reading->arena, sizeof *more);
	row->verb = verb_read(reading, object);
	row->kind = kind_read(reading, object);
	row->layer = saved_layer(reading, object);
	row->block = block;
	row->span = saved_span(reading, object);
	row->statement = row->span.begin;
	subject_read(reading, object, row);
	citations_read(reading, object, row);
	row->reason = saved_text_if_any(mistakes, object, "reason");
	more->instead = saved_text_if_any(mistakes, object, "instead");
	needs_read(reading, object, more);
	requirements_read(reading, object, more);
	struct saved_value paths = saved_list_if_any(mistakes, object, "paths");
	more->paths = texts_read(reading, &paths, &more->path_count);
	more->has_action = saved_text_if_any(mistakes, object, "action") != NULL;
	if (more->has_action)
		more->action = saved_action(reading, object, "action");
	more->platforms = platforms_read(reading, object);
	more->until = until_read(reading, object);
	row->more = more;
	return row;
}

const struct row *const *saved_rows(struct saved_reading *reading, const struct saved_value *above,
				    const struct block *block, size_t *count)
{
	struct saved_value list = saved_list(&reading->mistakes, above, "rows");
	*count = saved_count(&list);
	const struct row **rows = arena_array(reading->arena, *count, sizeof *rows);
	for (size_t i = 0; i < *count && !reading->mistakes.first; i++) {
		struct saved_value item = saved_item(&reading->mistakes, &list, i);
		rows[i] = saved_row(reading, &item, block);
		if (rows[i]->verb == VERB_REVOKE)
			saved_mistake(&reading->mistakes, &item, "a revoke is not in force");
	}
	return rows;
}

struct row_index *saved_index(struct saved_reading *reading, const struct saved_value *above,
			      const struct row *const *rows, size_t count)
{
	struct row_index *index = row_index_new(reading->arena, count);
	struct saved_value place = saved_place(above, "rows");
	for (size_t i = 0; i < count && !reading->mistakes.first; i++) {
		if (rows[i]->kind != SUBJECT_COMMAND || rows[i]->verb == VERB_DECLINE)
			continue;
		if (row_index_find(index, rows[i]->subject))
			saved_mistake(&reading->mistakes, &place, "'%s' stands twice", rows[i]->subject);
		row_index_add(index, rows[i]);
	}
	return index;
}
