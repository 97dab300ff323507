#include "backends/rows.h"

#include <string.h>

#include "backends/identifier.h"
#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/policy/policy.h"

bool row_is_command(const struct row *row, unsigned verb)
{
	return row->kind == SUBJECT_COMMAND && row->verb == verb;
}

const char *row_citations(struct arena *arena, const struct row *row)
{
	if (row->citation_count == 1)
		return row->citations[0].text;
	size_t size = 1;
	for (size_t i = 0; i < row->citation_count; i++)
		size += strlen(row->citations[i].text) + strlen(", ");
	char *joined = arena_alloc(arena, size), *end = joined;
	for (size_t i = 0; i < row->citation_count; i++) {
		if (i)
			end = stpcpy(end, ", ");
		end = stpcpy(end, row->citations[i].text);
	}
	return joined;
}

static size_t count_words(const char *command)
{
	size_t words = 1;
	while ((command = strchr(command, ' '))) {
		words++;
		command++;
	}
	return words;
}

static void add_command(struct row_list *list, const struct row *row)
{
	if (!row_is_command(row, VERB_ALLOW) && !row_is_command(row, VERB_FORBID))
		return;
	list->items[list->count++] = row;
	list->requirement_count += row_more(row)->requirement_count;
	list->limited |= row_more(row)->platforms != 0;
	size_t size = strlen(row->subject), words = count_words(row->subject);
	if (size > list->longest)
		list->longest = size;
	if (words > list->most_words)
		list->most_words = words;
}

struct row_list policy_commands(struct arena *arena, const struct policy *policy)
{
	struct row_list list = { .items = arena_array(arena, policy->row_count, sizeof(struct row *)) };
	for (size_t i = 0; i < policy->row_count; i++)
		add_command(&list, policy->rows[i]);
	return list;
}

struct row_list role_commands(struct arena *arena, const struct policy *policy)
{
	size_t most = 0;
	for (size_t i = 0; i < policy->role_count; i++)
		most += policy->roles[i]->row_count;
	struct row_list list = { .items = arena_array(arena, most, sizeof(struct row *)) };
	for (size_t i = 0; i < policy->role_count; i++)
		for (size_t k = 0; k < policy->roles[i]->row_count; k++)
			add_command(&list, policy->roles[i]->rows[k]);
	return list;
}

const char **role_identifiers(struct arena *arena, const struct policy *policy)
{
	const char **names = arena_array(arena, policy->role_count + 1, sizeof *names);
	names[0] = ROLE_PREFIX "count"; /* NAME_ROLE_COUNT is how many there are */
	for (size_t i = 0; i < policy->role_count; i++) {
		char *name = arena_printf(arena, ROLE_PREFIX "%s", policy->roles[i]->name);
		for (char *at = name; *at; at++)
			*at = ascii_lower(*at);
		names[i + 1] = name;
	}
	return identifiers_assign(arena, names, policy->role_count + 1) + 1;
}
