#include "compiler/policy/adr_relation.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/policy/adr_reference.h"

struct phrase {
	const char *words;
	enum adr_relation_kind kind;
};

static const struct phrase phrases[] = {
	{ "supersedes", ADR_SUPERSEDES },        { "supercedes", ADR_SUPERSEDES },
	{ "superseeds", ADR_SUPERSEDES },        { "replaces", ADR_SUPERSEDES },
	{ "superseded by", ADR_SUPERSEDED_BY },  { "superceded by", ADR_SUPERSEDED_BY },
	{ "superseeded by", ADR_SUPERSEDED_BY }, { "superceeded by", ADR_SUPERSEDED_BY },
	{ "replaced by", ADR_SUPERSEDED_BY },    { "amends", ADR_AMENDS },
	{ "amended by", ADR_AMENDED_BY },
};

enum adr_relation_kind adr_relation_inverse(enum adr_relation_kind kind)
{
	static const enum adr_relation_kind inverses[ADR_RELATION_COUNT] = {
		[ADR_SUPERSEDES] = ADR_SUPERSEDED_BY,
		[ADR_SUPERSEDED_BY] = ADR_SUPERSEDES,
		[ADR_AMENDS] = ADR_AMENDED_BY,
		[ADR_AMENDED_BY] = ADR_AMENDS,
	};
	return inverses[kind];
}

const char *adr_relation_words(enum adr_relation_kind kind)
{
	static const char *const words[] = {
#define X(id, words) [ADR_##id] = (words),
		ADR_RELATION_LIST(X)
#undef X
	};
	return words[kind];
}

static void relation_add(struct adr_relations *relations, enum adr_relation_kind kind, const char *reference,
			 struct slice place)
{
	relations->items = arena_grow(relations->arena, relations->items, relations->count,
				      &relations->capacity, sizeof *relations->items);
	relations->items[relations->count++] = (struct adr_relation_found){ kind, reference, place };
}

static size_t phrase_read(struct slice text, enum adr_relation_kind *kind)
{
	for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
		size_t size = slice_phrase(text, phrases[i].words);
		if (!size)
			continue;
		*kind = phrases[i].kind;
		return size;
	}
	return 0;
}

/* The end of the line that holds `at`. */
static size_t line_end(struct slice text, size_t at)
{
	const char *feed = memchr(text.at + at, '\n', text.size - at);
	return feed ? (size_t)(feed - text.at) : text.size;
}

/* The references of one line from `at` on, up to the next phrase. Returns where it got to. */
static size_t references_read(struct adr_relations *relations, struct slice text, size_t at,
			      enum adr_relation_kind kind, bool *found)
{
	size_t end = line_end(text, at), next = at;
	enum adr_relation_kind other;
	while (next < end) {
		size_t word = slice_next_word(text, next);
		if (word < end && phrase_read(slice_from(text, word), &other))
			break;
		next = word < end ? word + 1 : end;
	}
	next = next < end ? slice_next_word(text, next) : end;
	while (at < next) {
		struct slice place, piece = { text.at + at, next - at };
		const char *reference =
			adr_reference_find(relations->arena, piece, relations->folder, &place);
		if (!reference)
			break;
		relation_add(relations, kind, reference, place);
		*found = true;
		at = (size_t)(place.at - text.at) + place.size;
	}
	return next;
}

void adr_relations_scan(struct adr_relations *relations, struct slice text, enum adr_relation_kind kind)
{
	bool found = false;
	for (size_t at = 0; at < text.size;) {
		if (kind != ADR_RELATION_COUNT) {
			at = references_read(relations, text, at, kind, &found);
			if (found && at < text.size && text.at[at] == '\n')
				kind = ADR_RELATION_COUNT;
		}
		at = slice_next_word(text, at);
		size_t size = at < text.size ? phrase_read(slice_from(text, at), &kind) : 0;
		found = found && !size;
		if (size)
			at += size;
		else if (at < text.size && kind == ADR_RELATION_COUNT)
			at++;
	}
}

static bool ends_item(char c)
{
	return c == ',' || c == '\n' || c == '[' || c == ']' || c == '"' || c == '\'';
}

void adr_relations_scan_list(struct adr_relations *relations, struct slice list, enum adr_relation_kind kind)
{
	for (size_t at = 0; at < list.size;) {
		size_t end = at;
		while (end < list.size && !ends_item(list.at[end]))
			end++;
		struct slice place, item = slice_trim((struct slice){ list.at + at, end - at });
		if (item.size && item.at[0] == '-')
			item = slice_trim(slice_from(item, 1));
		const char *reference = adr_reference_find(relations->arena, item, relations->folder, &place);
		if (reference)
			relation_add(relations, kind, reference, place);
		at = end + 1;
	}
}
