#include "compiler/explain/command_answer.h"

#include <assert.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/ascii.h"
#include "compiler/base/suggest.h"
#include "compiler/policy/row_subject.h"

/* ---- argument vectors ---- */

#define BLANKS " \t\n"

const char *const *command_words(struct arena *arena, const char *const *words, size_t *count)
{
	const char *first = words[0];
	if (!first[strcspn(first, BLANKS)] || !first[strspn(first, BLANKS)])
		return words;
	const char **split = NULL;
	size_t capacity = 0, size = 0;
	for (const char *at = first + strspn(first, BLANKS); *at; at += strspn(at, BLANKS)) {
		size_t length = strcspn(at, BLANKS);
		split = arena_grow(arena, split, size, &capacity, sizeof *split);
		split[size++] = arena_copy(arena, at, length);
		at += length;
	}
	for (size_t i = 1; i < *count; i++) {
		split = arena_grow(arena, split, size, &capacity, sizeof *split);
		split[size++] = words[i];
	}
	*count = size;
	return split;
}

static const char *words_join(struct arena *arena, const char *const *words, size_t count)
{
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < count; i++) {
		strbuf_add_text(&text, i ? " " : "");
		strbuf_add_text(&text, words[i]);
	}
	return strbuf_keep(&text, arena);
}

/* The same for people: one that is not a single word stands in quotes. */
static const char *words_show(struct arena *arena, const char *const *words, size_t count)
{
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < count; i++) {
		const char *quote = !*words[i] || strpbrk(words[i], BLANKS) ? "'" : "";
		strbuf_printf(&text, "%s%s%s%s", i ? " " : "", quote, words[i], quote);
	}
	return strbuf_keep(&text, arena);
}

/* No word of a row is empty or holds a blank: a vector matches up to the first argument that does. */
static size_t words_comparable(const char *const *words, size_t count)
{
	size_t i = 0;
	while (i < count && *words[i] && !strpbrk(words[i], BLANKS))
		i++;
	return i;
}

static size_t words_of(const char *subject)
{
	size_t count = 1;
	for (const char *blank = strchr(subject, ' '); blank; blank = strchr(blank + 1, ' '))
		count++;
	return count;
}

static size_t words_most(const struct row *const *rows, size_t count, size_t most)
{
	for (size_t i = 0; i < count; i++) {
		size_t words = words_of(rows[i]->subject);
		most = words > most ? words : most;
	}
	return most;
}

static size_t words_most_of_blocks(const struct block *const *blocks, size_t count, size_t most)
{
	for (size_t i = 0; i < count; i++)
		most = words_most(blocks[i]->rows, blocks[i]->row_count, most);
	return most;
}

/* The most that a row can ask about: a vector may be as long as the kernel takes it, and no row is. */
static size_t words_most_of_all(const struct policy *policy)
{
	size_t most = words_most(policy->rows, policy->row_count, 1);
	for (size_t i = 0; i < policy->revocation_count; i++)
		most = words_most(&policy->revocations[i].row, 1, most);
	most = words_most_of_blocks(policy->roles, policy->role_count, most);
	return words_most_of_blocks(policy->plugins, policy->plugin_count, most);
}

/* Whether `text` is `start`, or begins with it at a word's end. */
static bool starts_with(const char *text, const char *start)
{
	size_t size = strlen(start);
	return strncmp(text, start, size) == 0 && (!text[size] || text[size] == ' ');
}

/* ---- rows ---- */

static struct said *said_collect(struct arena *arena, const struct policy *policy, const char *asked,
				 const struct row *decides, size_t *count)
{
	struct said *said = NULL;
	size_t capacity = 0;
	for (size_t i = 0; i < policy->row_count; i++) {
		const struct row *row = policy->rows[i];
		if (row->kind != SUBJECT_COMMAND || !starts_with(asked, row->subject))
			continue;
		said = arena_grow(arena, said, *count, &capacity, sizeof *said);
		said[(*count)++] = (struct said){ row, NULL, row == decides };
	}
	for (size_t i = 0; i < policy->revocation_count; i++) {
		const struct revocation *revocation = &policy->revocations[i];
		if (revocation->row->kind != SUBJECT_COMMAND || !starts_with(asked, revocation->row->subject))
			continue;
		said = arena_grow(arena, said, *count, &capacity, sizeof *said);
		said[(*count)++] = (struct said){ revocation->row, revocation->revoke, false };
	}
	return said;
}

static bool stands_before(const struct row *a, const struct row *b)
{
	if (a->layer != b->layer)
		return a->layer->index < b->layer->index;
	return a->span.begin < b->span.begin;
}

/* Few rows begin one vector, so insertion is enough. */
static void said_sort(struct said *said, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct said moved = said[i];
		size_t k = i;
		for (; k && stands_before(moved.row, said[k - 1].row); k--)
			said[k] = said[k - 1];
		said[k] = moved;
	}
}

static bool decides_something(const struct row *row)
{
	return row->kind == SUBJECT_COMMAND && (row->verb == VERB_ALLOW || row->verb == VERB_FORBID);
}

static void longer_collect(const struct policy *policy, const char *asked, struct command_answer *answer)
{
	for (size_t i = 0; i < policy->row_count; i++) {
		const struct row *row = policy->rows[i];
		if (!decides_something(row) || strcmp(row->subject, asked) == 0 ||
		    !starts_with(row->subject, asked))
			continue;
		if (answer->longer_count < LONGER_ROWS_MAX)
			answer->longer[answer->longer_count] = row;
		answer->longer_count++;
	}
}

/* ---- roles and plugins ---- */

static bool tool_is_listed(const struct block *block, const struct row *row)
{
	for (size_t i = 0; i < block->tool_count; i++)
		if (block->tools[i] == row)
			return true;
	for (size_t i = 0; i < block->optional_count; i++)
		if (block->optional[i] == row)
			return true;
	return false;
}

static void blocks_ask(struct arena *arena, const struct policy *policy, const char *asked,
		       const struct block *const *blocks, size_t count, struct command_answer *answer)
{
	size_t capacity = answer->block_count;
	struct block_answer *answers = (struct block_answer *)answer->blocks;
	for (size_t i = 0; i < count; i++) {
		const struct row *row = block_match(policy, blocks[i], asked);
		bool listed = row && tool_is_listed(blocks[i], row);
		if (row == answer->row && !listed)
			continue;
		answers = arena_grow(arena, answers, answer->block_count, &capacity, sizeof *answers);
		answers[answer->block_count++] =
			(struct block_answer){ .block = blocks[i],
					       .verdict = block_verdict(policy, blocks[i], asked),
					       .row = row,
					       .listed = listed };
	}
	answer->blocks = answers;
}

static void remark_add(struct arena *arena, struct command_answer *answer, size_t *capacity,
		       struct block_remark remark)
{
	struct block_remark *remarks = (struct block_remark *)answer->remarks;
	remarks = arena_grow(arena, remarks, answer->remark_count, capacity, sizeof *remarks);
	remarks[answer->remark_count++] = remark;
	answer->remarks = remarks;
}

/* ---- what may have been meant ---- */

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

/* Whether the vector starts with the row's words, but for options and a value after each. */
static bool is_behind_options(const char *subject, const char *const *words, size_t count)
{
	for (size_t i = 0; *subject; i++) {
		size_t size = strcspn(subject, " ");
		while (i < count && (strlen(words[i]) != size || strncmp(words[i], subject, size) != 0)) {
			if (i == 0 || (!is_option(words[i]) && !is_option(words[i - 1])))
				return false;
			i++;
		}
		if (i == count)
			return false;
		subject += size + (subject[size] == ' ');
	}
	return true;
}

static const char *option_first(const char *const *words, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (is_option(words[i]))
			return words[i];
	return NULL;
}

/* Few rows have nothing but words of the vector: only those are held against it word by word. */
static bool words_occur(const struct map *words, const char *subject)
{
	while (*subject) {
		size_t size = strcspn(subject, " ");
		if (!map_find(words, subject, size))
			return false;
		subject += size + (subject[size] == ' ');
	}
	return true;
}

/* A vector with an option, its words as a set. */
struct optioned {
	const char *const *words;
	size_t count;
	const struct map *known;
};

/* The longest of the rows, longer than `decides`, that decides but for options; NULL without one. */
static const struct row *behind_options(const struct optioned *vector, const struct row *const *rows,
					size_t count, const struct row *decides)
{
	size_t longest = decides ? strlen(decides->subject) : 0;
	const struct row *found = NULL;
	for (size_t i = 0; i < count; i++) {
		size_t size = strlen(rows[i]->subject);
		if (!decides_something(rows[i]) || size <= longest ||
		    !words_occur(vector->known, rows[i]->subject) ||
		    !is_behind_options(rows[i]->subject, vector->words, vector->count))
			continue;
		longest = size;
		found = rows[i];
	}
	return found;
}

static void options_look(struct arena *arena, const struct policy *policy, const char *const *words,
			 size_t count, struct optioned *vector, struct command_answer *answer)
{
	const char *option = option_first(words, count);
	struct map *known = map_new(arena, option ? count : 0);
	*vector = (struct optioned){ words, option ? count : 0, known };
	for (size_t i = 0; i < vector->count; i++)
		map_at(known, words[i], strlen(words[i]));
	answer->option = option;
	if (option)
		answer->behind_options = behind_options(vector, policy->rows, policy->row_count, answer->row);
}

/*
 * What the rows of roles or plugins say of it beside the one that decides: declines, and what options defeat.
 */
static void remarks_look(struct arena *arena, const struct policy *policy, const char *asked,
			 const struct optioned *vector, const struct block *const *blocks, size_t count,
			 struct command_answer *answer)
{
	size_t capacity = answer->remark_count;
	for (size_t i = 0; i < count; i++) {
		const struct block *block = blocks[i];
		for (size_t k = 0; k < block->row_count; k++) {
			const struct row *row = block->rows[k];
			if (row->kind == SUBJECT_COMMAND && row->verb == VERB_DECLINE &&
			    starts_with(asked, row->subject))
				remark_add(arena, answer, &capacity, (struct block_remark){ row, false });
		}
		const struct row *behind = vector->count
						   ? behind_options(vector, block->rows, block->row_count,
								    block_match(policy, block, asked))
						   : NULL;
		if (behind)
			remark_add(arena, answer, &capacity, (struct block_remark){ behind, true });
	}
}

static void base_look(struct arena *arena, const struct policy *policy, const char *const *words,
		      size_t count, struct command_answer *answer)
{
	const char *base = count && strchr(words[0], '/') ? path_base(words[0]) : "";
	if (!*base)
		return;
	const char **named = arena_array(arena, count, sizeof *named);
	memcpy(named, words, count * sizeof *named);
	named[0] = base;
	const char *asked = words_join(arena, named, count);
	answer->base = base;
	answer->base_text = words_show(arena, named, count);
	answer->base_verdict = policy_verdict(policy, asked);
	answer->base_row = policy_match(policy, asked);
}

/* Near names, nearest first; the first of equals wins. */
struct near {
	const char *names[NEAR_NAMES_MAX];
	size_t distances[NEAR_NAMES_MAX], count;
};

static void near_add(struct near *near, const char *name, size_t distance)
{
	for (size_t i = 0; i < near->count; i++)
		if (strcmp(near->names[i], name) == 0)
			return;
	size_t at = near->count < NEAR_NAMES_MAX ? near->count++ : NEAR_NAMES_MAX - 1;
	if (at == NEAR_NAMES_MAX - 1 && near->names[at] && near->distances[at] <= distance)
		return;
	for (; at && near->distances[at - 1] > distance; at--) {
		near->names[at] = near->names[at - 1];
		near->distances[at] = near->distances[at - 1];
	}
	near->names[at] = name;
	near->distances[at] = distance;
}

/* Names are compared as they are written: one in other letters is another. */
static bool is_in_other_letters(const char *a, const char *b)
{
	while (*a && ascii_upper(*a) == ascii_upper(*b)) {
		a++;
		b++;
	}
	return *a == *b;
}

/* By the whole, and by the program alone: `dcoker buildx` is near to both of its rows. */
static void near_look(const struct policy *policy, const char *asked, const char *program,
		      struct command_answer *answer)
{
	struct near near = { .count = 0 };
	size_t limits[] = { suggestion_begin(asked).distance, suggestion_begin(program).distance };
	for (size_t i = 0; i < policy->row_count; i++) {
		const struct row *row = policy->rows[i];
		if (!decides_something(row))
			continue;
		const char *const wanted[] = { asked, program };
		for (size_t k = 0; k < 2; k++) {
			if (is_in_other_letters(wanted[k], row->subject))
				near_add(&near, row->subject, 0);
			if (!limits[k])
				continue;
			size_t limit = limits[k] - 1,
			       distance = suggest_distance(wanted[k], row->subject, limit);
			if (distance <= limit)
				near_add(&near, row->subject, distance);
		}
	}
	answer->near_count = near.count;
	memcpy(answer->nearest, near.names, sizeof near.names);
}

/* The layer may name it but once: its decline gives way. */
static const struct row *decline_find(const struct policy *policy, const struct layer *layer,
				      const char *name)
{
	for (size_t i = 0; i < policy->row_count; i++) {
		const struct row *row = policy->rows[i];
		if (row->verb == VERB_DECLINE && row->layer == layer && strcmp(row->subject, name) == 0)
			return row;
	}
	return NULL;
}

static bool has_sub_commands(const struct policy *policy, const char *program)
{
	size_t size = strlen(program);
	for (size_t i = 0; i < policy->row_count; i++) {
		const struct row *row = policy->rows[i];
		if (row->kind == SUBJECT_COMMAND && strncmp(row->subject, program, size) == 0 &&
		    row->subject[size] == ' ')
			return true;
	}
	return false;
}

/* A policy that lists sub-commands of the program gets one more of them, and not all that it does. */
static const char *name_to_list(struct arena *arena, const struct policy *policy,
				const struct command_answer *answer, size_t comparable)
{
	if (answer->base)
		return answer->base;
	if (comparable > 1 && answer->words[1][0] != '-' && has_sub_commands(policy, answer->words[0]))
		return words_join(arena, answer->words, 2);
	return answer->words[0];
}

static void listing_look(struct arena *arena, const struct policy *policy, size_t comparable,
			 struct command_answer *answer)
{
	const char *name = name_to_list(arena, policy, answer, comparable);
	if (answer->base_row || strchr(answer->base ? answer->base : answer->words[0], ' '))
		return;
	answer->to_list = command_as_subject(arena, name);
	if (answer->to_list)
		answer->in_place = decline_find(policy, &policy->layers[policy->layer_count - 1], name);
}

struct command_answer command_answer(struct arena *arena, const struct policy *policy,
				     const char *const *words, size_t count)
{
	assert(count);
	size_t comparable = words_comparable(words, count);
	size_t most = words_most_of_all(policy), deciding = comparable < most ? comparable : most;
	const char *asked = words_join(arena, words, deciding);
	struct command_answer answer = {
		.words = words,
		.word_count = count,
		.text = words_show(arena, words, count),
		.verdict = policy_verdict(policy, asked),
		.row = policy_match(policy, asked),
	};
	struct said *said = said_collect(arena, policy, asked, answer.row, &answer.said_count);
	said_sort(said, answer.said_count);
	answer.said = said;
	longer_collect(policy, asked, &answer);
	blocks_ask(arena, policy, asked, policy->roles, policy->role_count, &answer);
	blocks_ask(arena, policy, asked, policy->plugins, policy->plugin_count, &answer);
	struct optioned vector;
	options_look(arena, policy, words, comparable, &vector, &answer);
	remarks_look(arena, policy, asked, &vector, policy->roles, policy->role_count, &answer);
	remarks_look(arena, policy, asked, &vector, policy->plugins, policy->plugin_count, &answer);
	base_look(arena, policy, words, deciding, &answer);
	if (!answer.row && !answer.base)
		near_look(policy, comparable ? asked : words[0], words[0], &answer);
	if (!answer.row)
		listing_look(arena, policy, comparable, &answer);
	return answer;
}
