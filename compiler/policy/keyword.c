#include "compiler/policy/keyword.h"

#include <string.h>

#include "compiler/base/ascii.h"
#include "compiler/base/suggest.h"
#include "compiler/policy/parser.h"
#include "grammar/allow.tab.h"

enum {
	IN_FILE = 1u << BLOCK_FILE,
	IN_ROW = 1u << BLOCK_ROW,
	IN_ROLE = 1u << BLOCK_ROLE,
	IN_PLUGIN = 1u << BLOCK_PLUGIN,
	IN_SECCOMP = 1u << BLOCK_SECCOMP,
};

#define VERB(id, word) { word, TOKEN_##id, IN_FILE | IN_ROLE | IN_PLUGIN },
#define ATTRIBUTE(id, word) { word, TOKEN_##id, IN_ROW },
#define SETTING(id, word) { word, TOKEN_##id, IN_SECCOMP },

static const struct keyword list[] = {
	VERB_LIST(VERB)
	{ "policy", TOKEN_POLICY, IN_FILE },
	{ "edition", TOKEN_EDITION, IN_FILE },
	{ "title", TOKEN_TITLE, IN_FILE },
	{ "extends", TOKEN_EXTENDS, IN_FILE },
	{ "use", TOKEN_USE, IN_FILE },
	{ "decisions", TOKEN_DECISIONS, IN_FILE },
	{ "role", TOKEN_ROLE, IN_FILE },
	{ "plugin", TOKEN_PLUGIN, IN_FILE },
	{ "seccomp", TOKEN_SECCOMP, IN_FILE },
	{ "syscalls", TOKEN_SYSCALLS, IN_FILE },
	{ "output", TOKEN_OUTPUT, IN_FILE },
	{ "expect", TOKEN_EXPECT, IN_FILE },
	{ "tools", TOKEN_TOOLS, IN_PLUGIN },
	{ "optional", TOKEN_OPTIONAL, IN_PLUGIN },
	ATTRIBUTE_LIST(ATTRIBUTE)
	SETTING_LIST(SETTING)
};

enum { KEYWORD_COUNT = sizeof list / sizeof *list };

const struct keyword *keywords_all(size_t *count)
{
	*count = KEYWORD_COUNT;
	return list;
}

const struct keyword *keyword_of(int kind)
{
	for (size_t i = 0; i < KEYWORD_COUNT; i++)
		if (list[i].kind == kind)
			return &list[i];
	return NULL;
}

bool keyword_stands_in(int kind, enum block_kind block)
{
	const struct keyword *keyword = keyword_of(kind);
	return keyword && keyword->places & 1u << block;
}

bool keyword_is_verb(int kind)
{
	return kind == TOKEN_ALLOW || kind == TOKEN_FORBID || kind == TOKEN_DECLINE || kind == TOKEN_REVOKE;
}

bool keyword_is_attribute(int kind)
{
	switch (kind) {
#define X(id, word) case TOKEN_##id:
		ATTRIBUTE_LIST(X)
#undef X
		return true;
	default:
		return false;
	}
}

enum block_kind keyword_block(int kind)
{
	switch (kind) {
	case TOKEN_ROLE:
		return BLOCK_ROLE;
	case TOKEN_PLUGIN:
		return BLOCK_PLUGIN;
	case TOKEN_SECCOMP:
		return BLOCK_SECCOMP;
	case TOKEN_SYSCALLS:
		return BLOCK_SYSCALLS;
	default:
		return keyword_is_verb(kind) ? BLOCK_ROW : BLOCK_UNKNOWN;
	}
}

const char *keyword_folded(const char *word, char folded[KEYWORD_FOLDED_SIZE])
{
	size_t size = strlen(word);
	if (size >= KEYWORD_FOLDED_SIZE)
		return word; /* no keyword is near to one so long */
	for (size_t i = 0; i <= size; i++)
		folded[i] = ascii_lower(word[i]);
	return folded;
}

const struct keyword *keyword_near(const char *word, unsigned places)
{
	char folded[KEYWORD_FOLDED_SIZE];
	struct suggestion near = suggestion_begin(keyword_folded(word, folded));
	const struct keyword *keyword = NULL;
	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		if (!(list[i].places & places))
			continue;
		suggestion_offer(&near, list[i].word);
		if (near.nearest == list[i].word)
			keyword = &list[i];
	}
	return keyword;
}
