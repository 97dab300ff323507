#include "backends/rows.h"

#include <string.h>

#include "compiler/base/arena.h"
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

struct row_list policy_commands(struct arena *arena, const struct policy *policy)
{
	struct row_list list = { .items = arena_array(arena, policy->row_count, sizeof(struct row *)) };
	for (size_t i = 0; i < policy->row_count; i++) {
		const struct row *row = policy->rows[i];
		if (!row_is_command(row, VERB_ALLOW) && !row_is_command(row, VERB_FORBID))
			continue;
		list.items[list.count++] = row;
		size_t size = strlen(row->subject), words = count_words(row->subject);
		if (size > list.longest)
			list.longest = size;
		if (words > list.most_words)
			list.most_words = words;
	}
	return list;
}
