#include "compiler/import/import_naming.h"

#include <stddef.h>
#include <string.h>

#include "compiler/base/ascii.h"

/* How much of a word it has to be. Reading too many words as refusals lets nothing pass. */
enum extent { WHOLE, BEGINNING, ANYWHERE };

static const struct {
	const char *text;
	enum extent extent;
	enum naming naming;
} words[] = {
	{ "decline", BEGINNING, NAMING_DECLINES },
	{ "ban", WHOLE, NAMING_FORBIDS },
	{ "banlist", BEGINNING, NAMING_FORBIDS },
	{ "banned", BEGINNING, NAMING_FORBIDS },
	{ "bans", WHOLE, NAMING_FORBIDS },
	{ "blacklist", ANYWHERE, NAMING_FORBIDS },
	{ "block", WHOLE, NAMING_FORBIDS },
	{ "blocked", BEGINNING, NAMING_FORBIDS },
	{ "blocklist", ANYWHERE, NAMING_FORBIDS },
	{ "blocks", WHOLE, NAMING_FORBIDS },
	{ "cannot", WHOLE, NAMING_FORBIDS },
	{ "danger", BEGINNING, NAMING_FORBIDS },
	{ "denial", BEGINNING, NAMING_FORBIDS },
	{ "denied", ANYWHERE, NAMING_FORBIDS },
	{ "denies", WHOLE, NAMING_FORBIDS },
	{ "deny", BEGINNING, NAMING_FORBIDS },
	{ "denylist", ANYWHERE, NAMING_FORBIDS },
	{ "disable", BEGINNING, NAMING_FORBIDS },
	{ "disallow", ANYWHERE, NAMING_FORBIDS },
	{ "dont", WHOLE, NAMING_FORBIDS },
	{ "exclu", BEGINNING, NAMING_FORBIDS },
	{ "forbid", ANYWHERE, NAMING_FORBIDS },
	{ "illegal", BEGINNING, NAMING_FORBIDS },
	{ "insecure", BEGINNING, NAMING_FORBIDS },
	{ "never", WHOLE, NAMING_FORBIDS },
	{ "no", WHOLE, NAMING_FORBIDS },
	{ "nonallowed", BEGINNING, NAMING_FORBIDS },
	{ "not", WHOLE, NAMING_FORBIDS },
	{ "notallowed", BEGINNING, NAMING_FORBIDS },
	{ "prohibit", ANYWHERE, NAMING_FORBIDS },
	{ "refus", BEGINNING, NAMING_FORBIDS },
	{ "reject", BEGINNING, NAMING_FORBIDS },
	{ "restrict", BEGINNING, NAMING_FORBIDS },
	{ "revoke", BEGINNING, NAMING_FORBIDS },
	{ "unallowed", BEGINNING, NAMING_FORBIDS },
	{ "unapproved", BEGINNING, NAMING_FORBIDS },
	{ "unauthori", BEGINNING, NAMING_FORBIDS },
	{ "unpermitted", BEGINNING, NAMING_FORBIDS },
	{ "unsafe", ANYWHERE, NAMING_FORBIDS },
	{ "untrusted", ANYWHERE, NAMING_FORBIDS },
	{ "allow", BEGINNING, NAMING_ALLOWS },
	{ "approved", BEGINNING, NAMING_ALLOWS },
	{ "granted", BEGINNING, NAMING_ALLOWS },
	{ "permitted", BEGINNING, NAMING_ALLOWS },
	{ "trusted", BEGINNING, NAMING_ALLOWS },
	{ "whitelist", ANYWHERE, NAMING_ALLOWS },
};

/* Whether a text in lower case stands in these bytes, at their start or anywhere. */
static bool stands_in(const char *text, const char *word, size_t size, bool anywhere)
{
	size_t length = strlen(text);
	for (size_t at = 0; at + length <= size && (anywhere || !at); at++) {
		size_t same = 0;
		while (same < length && ascii_lower(word[at + same]) == text[same])
			same++;
		if (same == length)
			return true;
	}
	return false;
}

static enum naming word_naming(const char *word, size_t size)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		bool whole = words[i].extent != WHOLE || strlen(words[i].text) == size;
		if (whole && stands_in(words[i].text, word, size, words[i].extent == ANYWHERE))
			return words[i].naming;
	}
	return NAMING_NOTHING;
}

static bool is_capital(char c)
{
	return ascii_is_letter(c) && !ascii_is_lower(c);
}

/* "HTTPBanList" is HTTP, Ban, List. */
static size_t word_size(const char *word)
{
	size_t size = 0;
	while (is_capital(word[size]))
		size++;
	if (size > 1 && ascii_is_lower(word[size]))
		return size - 1;
	while (ascii_is_lower(word[size]))
		size++;
	return size;
}

static bool is_word(const char *word, size_t size, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(texts[i]) == size && stands_in(texts[i], word, size, false))
			return true;
	return false;
}

#define IS_WORD(word, size, texts) is_word(word, size, texts, sizeof(texts) / sizeof *(texts))

/* NON_AUTO_APPROVED, NON_EXPLICITLY_ALLOWED: of how it is allowed, and "non" is of that it is. */
static bool is_manner(const char *word, size_t size)
{
	static const char *const manners[] = { "auto", "ever", "pre", "yet" };
	return IS_WORD(word, size, manners) || (size > 2 && stands_in("ly", word + size - 2, 2, false));
}

/*
 * "non" is of the word behind it alone: NON_ALLOWED refuses, NON_INTERACTIVE_ALLOWED does not. Where the
 * other words say nothing it may be of what should not run, NON_COMPLIANT, but for what is said of any value.
 */
enum naming import_naming_of(const char *name)
{
	static const char *const nons[] = { "non" },
				 *const of_values[] = { "blank", "empty", "negative", "null", "optional" };
	enum naming strongest = NAMING_NOTHING;
	bool refuses = false, non = false;
	for (size_t size; *name; name += size ? size : 1) {
		size = word_size(name);
		if (!size || (non && is_manner(name, size)))
			continue;
		enum naming naming = word_naming(name, size);
		if (non && naming == NAMING_ALLOWS)
			naming = NAMING_FORBIDS;
		if (naming > strongest)
			strongest = naming;
		refuses |= non && !IS_WORD(name, size, of_values);
		non = IS_WORD(name, size, nons);
	}
	return strongest == NAMING_NOTHING && (refuses || non) ? NAMING_FORBIDS : strongest;
}

enum import_verdict import_naming_verdict(enum naming naming)
{
	switch (naming) {
	case NAMING_FORBIDS:
		return IMPORT_FORBID;
	case NAMING_DECLINES:
		return IMPORT_DECLINE;
	case NAMING_NOTHING:
	case NAMING_ALLOWS:
		break;
	}
	return IMPORT_ALLOW;
}

bool import_naming_refuses(const char *text, unsigned most)
{
	unsigned blanks = 0;
	for (const char *c = text; *c; c++)
		blanks += ascii_is_space(*c);
	return blanks < most && import_naming_verdict(import_naming_of(text)) != IMPORT_ALLOW;
}
