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

/* `Amends: parts of [1](0001-t.md) and ADR-2 (2026-05-01)`: what may stand before a reference. */
static size_t bridge_word_read(struct slice text)
{
	static const char *const words[] = {
		"and",      "also",    "both",  "the",  "our",     "in part", "part",       "parts",
		"partly",   "of",      "adr",   "adrs", "record",  "records", "decision",   "decisions",
		"previous", "section", "older", "old",  "earlier", "all",     "as well as",
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t size = slice_phrase(text, words[i]);
		if (size)
			return size;
	}
	return 0;
}

/* `2026-05-01` */
static size_t date_read(struct slice text)
{
	static const char form[] = "dddd-dd-dd";
	for (size_t i = 0; form[i]; i++)
		if (i == text.size || (form[i] == 'd' ? !ascii_is_digit(text.at[i]) : text.at[i] != '-'))
			return 0;
	return strlen(form);
}

/* Whether nothing stands here that could deny the relation, or begin to speak of something else. */
static bool is_bridge(struct slice text)
{
	for (size_t at = 0; at < text.size;) {
		struct slice rest = slice_from(text, at);
		size_t size = date_read(rest);
		if (!size && ascii_is_alnum(*rest.at))
			size = bridge_word_read(rest);
		if (!size && (ascii_is_space(*rest.at) || strchr(",:;&()[]*_`\"'.-", *rest.at)))
			size = 1;
		if (!size)
			return false;
		at += size;
	}
	return true;
}

/* `1 engineer` counts something; of an ADR's number, `0001`, as much may follow as its title. */
static bool is_count(struct slice text, struct slice place)
{
	struct slice after = slice_from(text, (size_t)(place.at - text.at) + place.size);
	for (size_t i = 0; i < place.size; i++)
		if (!ascii_is_digit(place.at[i]))
			return false;
	if (place.at[0] == '0' || !after.size || *after.at == '\n')
		return false;
	if (*after.at == '%' || *after.at == '+')
		return true;
	struct slice trimmed = slice_trim(after);
	enum adr_relation_kind other;
	return ascii_is_space(*after.at) && trimmed.size && ascii_is_letter(*trimmed.at) &&
	       !slice_phrase(trimmed, "and") && !phrase_read(trimmed, &other);
}

/* `ADR-1?`, `[ADR-1?](0001-t.md)`: nobody has decided that. The title of an ADR may well be a question. */
static bool is_asked(struct slice text, struct slice place)
{
	size_t at = (size_t)(place.at - text.at) + place.size;
	for (size_t i = 2; i + 1 < place.size; i++)
		if (place.at[i] == '?' && place.at[i + 1] == ']' && ascii_is_digit(place.at[i - 1]))
			return true;
	while (at < text.size && strchr(" \t()\"'`*_", text.at[at]))
		at++;
	return at < text.size && text.at[at] == '?';
}

/* Whether one of the phrases stands in the text, from a word at or behind `from` on. */
static bool has_phrase(struct slice text, size_t from, const char *const *words, size_t count)
{
	for (size_t at = slice_next_word(text, from); at < text.size; at = slice_next_word(text, at + 1))
		for (size_t i = 0; i < count; i++)
			if (slice_phrase(slice_from(text, at), words[i]))
				return true;
	return false;
}

/* How far around a phrase or a reference the sentence is looked at, in bytes. */
enum { NEAR = 200 };

static bool ends_sentence(struct slice rest)
{
	return *rest.at == '\n' || *rest.at == ';' ||
	       (*rest.at == '.' && (rest.size == 1 || ascii_is_space(rest.at[1])));
}

/* `ADR-1 (maybe)`, `ADR-1, once approved`: the sentence leaves open whether it is so. */
static bool is_doubted(struct slice text, struct slice place)
{
	static const char *const doubts[] = { "if",         "once",    "when",   "unless",   "until",
					      "maybe",      "perhaps", "likely", "pending",  "proposed",
					      "rejected",   "planned", "later",  "possibly", "probably",
					      "eventually", "TBD" };
	size_t begin = (size_t)(place.at - text.at) + place.size, end = begin;
	while (end < text.size && end - begin < NEAR && !ends_sentence(slice_from(text, end)))
		end++;
	return has_phrase((struct slice){ text.at, end }, begin, doubts, sizeof doubts / sizeof *doubts);
}

/* Whether the reference at `place` is none that was decided. */
static bool is_undecided(struct slice text, struct slice place)
{
	return is_count(text, place) || is_asked(text, place) || is_doubted(text, place);
}

/* Where the next phrase of the line begins, or the line's end. Looks no further than there. */
static size_t phrase_find(struct slice text, size_t at)
{
	enum adr_relation_kind other;
	for (; at < text.size && text.at[at] != '\n'; at++) {
		bool word = ascii_is_alnum(text.at[at]) && (!at || !ascii_is_alnum(text.at[at - 1]));
		if (word && phrase_read(slice_from(text, at), &other))
			break;
	}
	return at;
}

/*
 * The references of one line from `at` on, up to the next phrase. Returns where it got to. `*kind` ends
 * where words follow that may speak of something else: `nothing; it leaves ADR-1 alone`.
 */
static size_t references_read(struct adr_relations *relations, struct slice text, size_t at,
			      enum adr_relation_kind *kind, bool *found)
{
	size_t next = phrase_find(text, at);
	struct slice line = { text.at, next };
	while (at < next) {
		struct slice place, piece = slice_from(line, at);
		const char *reference =
			adr_reference_find(relations->arena, piece, relations->folder, &place);
		size_t before = reference ? (size_t)(place.at - piece.at) : piece.size;
		bool bridge = is_bridge((struct slice){ piece.at, before });
		if (!bridge || (reference && is_undecided(line, place)))
			*kind = ADR_RELATION_COUNT;
		if (*kind == ADR_RELATION_COUNT || !reference)
			break;
		relation_add(relations, *kind, reference, place);
		*found = true;
		at += before + place.size;
	}
	return next;
}

/* Whether the sentence denies the phrase that stands at `at`: `it neither replaces ADR-1 nor …`. */
static bool is_denied(struct slice text, size_t at)
{
	static const char *const denials[] = { "no",  "not",    "none",   "nothing", "neither",
					       "nor", "never",  "nobody", "cannot",  "without",
					       "n/a", "hardly", "if",     "unless" };
	size_t begin = at;
	while (begin && at - begin < NEAR && !strchr(".;:(|", text.at[begin - 1]))
		begin--;
	return has_phrase((struct slice){ text.at, at }, begin, denials, sizeof denials / sizeof *denials) ||
	       memmem(text.at + begin, at - begin, "n't", 3) || memmem(text.at + begin, at - begin, "~~", 2);
}

void adr_relations_scan(struct adr_relations *relations, struct slice text, enum adr_relation_kind kind)
{
	bool found = false;
	for (size_t at = 0; at < text.size;) {
		if (kind != ADR_RELATION_COUNT) {
			at = references_read(relations, text, at, &kind, &found);
			if (found && at < text.size && text.at[at] == '\n')
				kind = ADR_RELATION_COUNT;
		}
		if (kind != ADR_RELATION_COUNT && at < text.size && text.at[at] == '\n') {
			at++; /* the reference may stand on the next line */
			continue;
		}
		at = slice_next_word(text, at);
		size_t size = at < text.size ? phrase_read(slice_from(text, at), &kind) : 0;
		if (size && is_denied(text, at))
			kind = ADR_RELATION_COUNT;
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

/* The link whose `[` stands before `at`, else what is up to the next mark. `*end` is the offset after it. */
static struct slice item_read(struct slice list, size_t at, size_t *end)
{
	struct adr_link link;
	if (at && list.at[at - 1] == '[' && adr_link_read(slice_from(list, at - 1), &link) &&
	    link.target.size) {
		*end = at - 1 + link.size;
		return (struct slice){ list.at + at - 1, link.size };
	}
	*end = at;
	while (*end < list.size && !ends_item(list.at[*end]))
		++*end;
	return slice_trim((struct slice){ list.at + at, *end - at });
}

void adr_relations_scan_list(struct adr_relations *relations, struct slice list, enum adr_relation_kind kind)
{
	for (size_t at = 0, end; at < list.size; at = end + 1) {
		struct slice place, item = item_read(list, at, &end);
		if (item.size && item.at[0] == '-')
			item = slice_trim(slice_from(item, 1));
		const char *reference = adr_reference_find(relations->arena, item, relations->folder, &place);
		size_t before = reference ? (size_t)(place.at - item.at) : 0;
		if (reference && is_bridge((struct slice){ item.at, before }) && !is_undecided(item, place))
			relation_add(relations, kind, reference, place);
	}
}
