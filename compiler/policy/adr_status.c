#include "compiler/policy/adr_status.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/utf8.h"
#include "compiler/policy/adr_reference.h"

struct status_word {
	const char *word;
	enum adr_status status;
};

static const struct status_word status_words[] = {
	{ "accepted", ADR_ACCEPTED },      { "proposed", ADR_PROPOSED },
	{ "draft", ADR_PROPOSED },         { "WIP", ADR_PROPOSED },
	{ "RFC", ADR_PROPOSED },           { "rejected", ADR_REJECTED },
	{ "deprecated", ADR_DEPRECATED },  { "superseded", ADR_SUPERSEDED },
	{ "superceded", ADR_SUPERSEDED },  { "superseeded", ADR_SUPERSEDED },
	{ "superceeded", ADR_SUPERSEDED }, { "deferred", ADR_DEFERRED },
};

/*
 * Words of a remark after which nobody can be sure of the status: conditions, denials, and the verbs that
 * take a decision back in forms that no rule finds (see participle_read()).
 */
static const char *const open_words[] = {
	"pending",
	"partial",
	"partially",
	"partly",
	"in part",
	"conditional",
	"conditionally",
	"condition",
	"conditions",
	"provisional",
	"provisionally",
	"until",
	"unless",
	"tentative",
	"tentatively",
	"awaiting",
	"awaits",
	"subject to",
	"provided",
	"assuming",
	"if",
	"once",
	"when",
	"for now",
	"temporary",
	"temporarily",
	"interim",
	"experimental",
	"experiment",
	"trial",
	"TBD",
	"todo",
	"obsolete",
	"outdated",
	"stale",
	"moot",
	"void",
	"invalid",
	"null",
	"not",
	"no",
	"never",
	"none",
	"nobody",
	"cannot",
	"can't",
	"isn't",
	"wasn't",
	"doesn't",
	"hasn't",
	"won't",
	"no longer",
	"but",
	"except",
	"however",
	"although",
	"though",
	"instead",
	"under review",
	"in review",
	"to review",
	"under discussion",
	"in discussion",
	"to be",
	"will be",
	"may be",
	"might",
	"should",
	"withdrawn",
	"withdrawal",
	"overridden",
	"overthrown",
	"undone",
	"redone",
	"frozen",
	"forbidden",
	"broken",
	"struck",
	"sunset",
	"on hold",
	"hold",
	"held",
	"veto",
	"vetoes",
	"revert",
	"reverts",
	"rejection",
	"objection",
	"objections",
	"dissent",
	"proposal",
	"candidate",
	"gone",
	"dead",
	"ended",
	"expired",
	"maybe",
	"perhaps",
	"possibly",
	"probably",
	"sort of",
	"kind of",
	"without",
	"lacks",
	"lacking",
	"for review",
	"probation",
	"pilot",
	"undo",
	"undoes",
	"undid",
	"rescind",
	"rescinds",
	"nope",
	"wontfix",
};

/* Participles that leave a decision as it is; of all others a reader could say that they undo it. */
static const char *const harmless_participles[] = {
	"added",      "adopted",    "affirmed",   "agreed",      "aligned",    "allowed",     "amended",
	"announced",  "applied",    "approved",   "archived",    "assigned",   "attended",    "authored",
	"backported", "based",      "called",     "carried",     "chaired",    "checked",     "circulated",
	"clarified",  "closed",     "committed",  "completed",   "confirmed",  "consulted",   "continued",
	"copied",     "corrected",  "created",    "dated",       "decided",    "delivered",   "deployed",
	"derived",    "described",  "detailed",   "discussed",   "documented", "edited",      "enabled",
	"endorsed",   "enforced",   "entered",    "expanded",    "explained",  "extended",    "finalised",
	"finalized",  "finished",   "fixed",      "followed",    "hosted",     "implemented", "imported",
	"included",   "informed",   "inherited",  "introduced",  "landed",     "launched",    "led",
	"linked",     "listed",     "logged",     "measured",    "mentioned",  "merged",      "migrated",
	"minuted",    "moved",      "named",      "needed",      "noted",      "numbered",    "owned",
	"passed",     "posted",     "prepared",   "presented",   "published",  "ratified",    "reaffirmed",
	"recorded",   "referenced", "refined",    "related",     "released",   "reported",    "requested",
	"resolved",   "restated",   "reviewed",   "revised",     "seconded",   "shared",      "shipped",
	"signed",     "sponsored",  "started",    "supported",   "tested",     "titled",      "tracked",
	"updated",    "used",       "validated",  "verified",    "voted",      "welcomed",    "worded",
	"coauthored", "cosigned",   "reapproved", "reconfirmed",
};

/* Signs that people set before or after the word, and the status that each goes with. */
struct status_sign {
	uint32_t code;
	enum adr_status status;
};

static const struct status_sign status_signs[] = {
	{ 0x2705, ADR_ACCEPTED },    /* white heavy check mark */
	{ 0x2714, ADR_ACCEPTED },    /* heavy check mark */
	{ 0x2713, ADR_ACCEPTED },    /* check mark */
	{ 0x2611, ADR_ACCEPTED },    /* ballot box with check */
	{ 0x1f7e2, ADR_ACCEPTED },   /* green circle */
	{ 0x1f7e1, ADR_PROPOSED },   /* yellow circle */
	{ 0x1f6a7, ADR_PROPOSED },   /* construction sign */
	{ 0x1f4dd, ADR_PROPOSED },   /* memo */
	{ 0x274c, ADR_REJECTED },    /* cross mark */
	{ 0x2716, ADR_REJECTED },    /* heavy multiplication x */
	{ 0x2717, ADR_REJECTED },    /* ballot x */
	{ 0x1f534, ADR_REJECTED },   /* red circle */
	{ 0x1f6ab, ADR_REJECTED },   /* no entry sign */
	{ 0x23f8, ADR_DEFERRED },    /* pause */
	{ 0x26a0, ADR_DEPRECATED },  /* warning sign */
	{ 0x1f504, ADR_SUPERSEDED }, /* arrows in a circle */
	{ 0x267b, ADR_SUPERSEDED },  /* recycling */
};

/* Follows a sign to ask for its coloured form. */
enum { VARIATION_SELECTOR = 0xfe0f };

static struct adr_reading doubtful(const char *doubt)
{
	return (struct adr_reading){ .status = ADR_UNKNOWN, .doubt = doubt };
}

static bool is_underscore_mark(struct slice text, size_t at)
{
	return at == 0 || at + 1 == text.size || !ascii_is_alnum(text.at[at - 1]) ||
	       !ascii_is_alnum(text.at[at + 1]);
}

/*
 * As a reader sees it: without emphasis and backquotes, links as their texts. A link to an ADR is "#":
 * the words of its title say nothing about the status of this one.
 */
static void plain_add(struct arena *arena, struct slice text, struct slice folder, struct strbuf *out)
{
	struct adr_link link;
	for (size_t at = 0; at < text.size; at++) {
		char c = text.at[at];
		if (c == '*' || c == '`' || (c == '_' && is_underscore_mark(text, at)))
			continue;
		if (c != '[' || !adr_link_read(slice_from(text, at), &link)) {
			strbuf_add_char(out, c);
			continue;
		}
		if (adr_link_reference(arena, &link, folder))
			strbuf_add_char(out, '#');
		else
			plain_add(arena, link.text, folder, out);
		at += link.size - 1;
	}
}

static bool has_unseen(struct slice text)
{
	uint32_t code;
	for (size_t at = 0, length; at < text.size; at += length) {
		length = utf8_decode(text.at + at, text.size - at, &code);
		if (!length || (utf8_is_control(code) && code != '\r') || utf8_is_bidi(code) ||
		    utf8_is_invisible(code))
			return true;
	}
	return false;
}

static const struct status_sign *sign_find(uint32_t code)
{
	for (size_t i = 0; i < sizeof status_signs / sizeof *status_signs; i++)
		if (status_signs[i].code == code)
			return &status_signs[i];
	return NULL;
}

/* Passes signs and blanks. ADR_STATUS_COUNT where signs disagree, ADR_UNKNOWN where there is none. */
static enum adr_status signs_pass(struct slice *text, enum adr_status so_far)
{
	for (;;) {
		*text = slice_trim(*text);
		uint32_t code = 0;
		size_t length = utf8_decode(text->at, text->size, &code);
		const struct status_sign *sign = sign_find(code);
		if (!length || (!sign && code != VARIATION_SELECTOR))
			return so_far;
		if (sign && so_far != ADR_UNKNOWN && so_far != sign->status)
			so_far = ADR_STATUS_COUNT;
		else if (sign)
			so_far = sign->status;
		*text = slice_from(*text, length);
	}
}

/* The status word at the start of the text and its size, 0 where there is none. The longest wins. */
static size_t word_read(struct slice text, struct adr_accept accept, enum adr_status *status)
{
	size_t longest = 0;
	for (size_t i = 0; i < accept.count; i++) {
		size_t size = slice_phrase(text, accept.words[i]);
		if (size > longest) {
			longest = size;
			*status = ADR_ACCEPTED;
		}
	}
	for (size_t i = 0; i < sizeof status_words / sizeof *status_words; i++) {
		size_t size = slice_phrase(text, status_words[i].word);
		if (size > longest) {
			longest = size;
			*status = status_words[i].status;
		}
	}
	return longest;
}

static size_t open_word_read(struct slice text)
{
	for (size_t i = 0; i < sizeof open_words / sizeof *open_words; i++) {
		size_t size = slice_phrase(text, open_words[i]);
		if (size)
			return size;
	}
	return 0;
}

/*
 * A word in -ed that is not known to be harmless: "Accepted, vetoed by security". There are more verbs
 * than a list could hold that take a decision back, and in a remark they stand as participles.
 */
static size_t participle_read(struct slice text)
{
	size_t size = 0;
	while (size < text.size && ascii_is_letter(text.at[size]))
		size++;
	struct slice word = { text.at, size };
	if (size < 4 || !slice_is(slice_from(word, size - 2), "ed"))
		return 0;
	char before = ascii_lower(word.at[size - 3]);
	if (before == 'e') /* speed, indeed; agreed */
		return 0;
	for (size_t i = 0; i < sizeof harmless_participles / sizeof *harmless_participles; i++)
		if (slice_is(word, harmless_participles[i]))
			return 0;
	return size;
}

/* Why the words of a remark leave the status open, or NULL. */
static const char *words_doubt(struct arena *arena, struct slice remark, struct adr_accept accept)
{
	enum adr_status ignored;
	for (size_t at = slice_next_word(remark, 0); at < remark.size; at = slice_next_word(remark, at + 1)) {
		struct slice word = slice_from(remark, at);
		size_t size = word_read(word, accept, &ignored);
		if (size)
			return arena_printf(arena, "'%.*s' stands beside it", (int)size, word.at);
		size = open_word_read(word);
		if (size)
			return arena_printf(arena, "'%.*s' leaves it open", (int)size, word.at);
		size = participle_read(word);
		if (size)
			return arena_printf(arena, "'%.*s' may take it back", (int)size, word.at);
	}
	return NULL;
}

/* A remark in another language, or a letter that only looks like one of a word: nobody judged it. */
static bool is_foreign_letter(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} others[] = {
		{ 0, 0xa9 },        { 0xab, 0xb4 },     { 0xb6, 0xb9 },       { 0xbb, 0xbf },
		{ 0xd7, 0xd7 },     { 0xf7, 0xf7 },     { 0x2000, 0x20ff },   { 0x2190, 0x245f },
		{ 0x2500, 0x2bff }, { 0x3000, 0x3004 }, { 0x3008, 0x3020 },   { 0xfe00, 0xfe0f },
		{ 0xff01, 0xff0f }, { 0xff1a, 0xff20 }, { 0x1f000, 0x1f0ff }, { 0x1f200, 0x1faff },
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (code >= others[i].first && code <= others[i].last)
			return false;
	return true;
}

static const char *characters_doubt(struct slice remark)
{
	uint32_t code;
	for (size_t at = 0, length; at < remark.size; at += length) {
		length = utf8_decode(remark.at + at, remark.size - at, &code);
		if (!length)
			return "it holds a character that cannot be seen";
		const struct status_sign *sign = code < 0x80 ? NULL : sign_find(code);
		if (sign && sign->status != ADR_ACCEPTED)
			return "a sign of another status stands beside it";
		if (code == '?')
			return "a question mark stands beside it";
		if (is_foreign_letter(code))
			return "a letter that is not ASCII stands beside it";
	}
	return NULL;
}

static bool is_inner_dash(struct slice text, size_t at)
{
	return (text.at[at] == '-' || text.at[at] == '_') && at && at + 1 < text.size &&
	       ascii_is_letter(text.at[at - 1]) && ascii_is_letter(text.at[at + 1]);
}

static bool has_inner_dash(struct slice text)
{
	for (size_t at = 0; at < text.size; at++)
		if (is_inner_dash(text, at))
			return true;
	return false;
}

/* A copy with each `-` and `_` between two letters left out, or as a blank: `pen-ding`, `in_review`. */
static struct slice dashes_read(struct arena *arena, struct slice text, bool blank)
{
	char *copy = arena_alloc(arena, text.size + 1);
	size_t size = 0;
	for (size_t at = 0; at < text.size; at++) {
		if (!is_inner_dash(text, at))
			copy[size++] = text.at[at];
		else if (blank)
			copy[size++] = ' ';
	}
	return (struct slice){ copy, size };
}

/* Why a remark leaves the status open, or NULL. */
static const char *remark_doubt(struct arena *arena, struct slice remark, struct adr_accept accept)
{
	const char *doubt = words_doubt(arena, remark, accept);
	bool dashes = !doubt && has_inner_dash(remark);
	if (dashes)
		doubt = words_doubt(arena, dashes_read(arena, remark, true), accept);
	if (dashes && !doubt)
		doubt = words_doubt(arena, dashes_read(arena, remark, false), accept);
	return doubt ? doubt : characters_doubt(remark);
}

/* What may follow a status word: nothing, a mark of punctuation, or a dash that stands apart. */
static bool remark_begins(struct slice after, struct slice trimmed)
{
	static const char *const dashes[] = { "\xe2\x80\x94", "\xe2\x80\x93", "--", "-" };
	if (!trimmed.size || strchr(".,;(", trimmed.at[0]))
		return true;
	for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++) {
		size_t size = strlen(dashes[i]);
		if (slice_starts(trimmed, dashes[i]))
			return ascii_is_space(after.at[0]) &&
			       (size == trimmed.size || ascii_is_space(trimmed.at[size]));
	}
	return false;
}

/*
 * What stands behind the first `by`; no slice at all without one. One in the text of a link that leads
 * somewhere is none: the link's target is what is named. `*linked` says whether such a link stands before.
 */
static struct slice successor_text(struct slice text, bool *linked)
{
	struct adr_link link;
	*linked = false;
	for (size_t at = 0; at < text.size;) {
		bool inside = at && ascii_is_alnum(text.at[at - 1]);
		size_t size = inside ? 0 : slice_phrase(slice_from(text, at), "by");
		if (size)
			return slice_from(text, at + size);
		bool leads = text.at[at] == '[' && adr_link_read(slice_from(text, at), &link) &&
			     link.target.size;
		*linked |= leads;
		at += leads ? link.size : 1;
	}
	return (struct slice){ 0 };
}

/*
 * Without a `by` anywhere; and in a link, where behind a `by` there is none: `(ADR-2), decided by the board`.
 */
static void successor_read(struct arena *arena, struct slice text, struct slice folder,
			   struct adr_reading *reading)
{
	bool linked;
	struct slice behind = successor_text(text, &linked), *place = &reading->successor_place;
	reading->successor = adr_reference_find(arena, behind, folder, place);
	if (!behind.at || (linked && !reading->successor))
		reading->successor = adr_reference_find(arena, text, folder, place);
}

static struct adr_reading plain_read(struct arena *arena, struct slice plain, struct adr_accept accept)
{
	enum adr_status status = ADR_UNKNOWN;
	struct slice text = slice_trim(plain);
	enum adr_status sign = signs_pass(&text, ADR_UNKNOWN);
	size_t size = word_read(text, accept, &status);
	if (!size)
		return doubtful("it does not begin with a status word");
	struct slice word = { text.at, size };
	struct slice after = slice_from(text, size), trimmed = after;
	sign = signs_pass(&trimmed, sign);
	if (sign != ADR_UNKNOWN && sign != status)
		return doubtful("a sign of another status stands beside it");
	size_t by = status == ADR_SUPERSEDED ? slice_phrase(trimmed, "by") : 0;
	if (!by && !remark_begins(after, trimmed))
		return doubtful(arena_printf(arena, "words follow '%.*s' without a mark between",
					     (int)word.size, word.at));
	const char *doubt = remark_doubt(arena, trimmed, accept);
	return doubt ? doubtful(doubt) : (struct adr_reading){ .status = status };
}

bool adr_status_begins(struct slice text)
{
	enum adr_status ignored;
	struct slice word = slice_from(text, slice_next_word(text, 0));
	return word.size && word_read(word, (struct adr_accept){ 0 }, &ignored);
}

struct adr_reading adr_status_read(struct arena *arena, struct slice text, struct slice rest,
				   struct adr_accept accept, struct slice folder)
{
	if (has_unseen(text) || has_unseen(rest))
		return doubtful("it holds a character that cannot be seen");
	struct strbuf plain = STRBUF_INIT;
	plain_add(arena, text, folder, &plain);
	struct adr_reading reading = plain_read(arena, (struct slice){ plain.bytes, plain.size }, accept);
	if (reading.status != ADR_UNKNOWN && rest.size) {
		plain.size = 0;
		plain_add(arena, rest, folder, &plain);
		reading.doubt = remark_doubt(arena, (struct slice){ plain.bytes, plain.size }, accept);
	}
	strbuf_release(&plain);
	if (reading.doubt)
		reading.status = ADR_UNKNOWN;
	if (reading.status == ADR_SUPERSEDED)
		successor_read(arena, text, folder, &reading);
	return reading;
}
