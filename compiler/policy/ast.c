#include "compiler/policy/ast.h"

#include <string.h>

const char *verb_word(enum verb verb)
{
	static const char *const words[] = {
#define X(id, word) word,
		VERB_LIST(X)
#undef X
	};
	return words[verb];
}

const char *attribute_word(enum attribute attribute)
{
	static const char *const words[] = {
#define X(id, word) word,
		ATTRIBUTE_LIST(X)
#undef X
	};
	return words[attribute];
}

const char *setting_word(enum setting setting)
{
	static const char *const words[] = {
#define X(id, word) word,
		SETTING_LIST(X)
#undef X
	};
	return words[setting];
}

const char *expectation_word(enum expectation expectation)
{
	static const char *const words[] = {
#define X(id, word) word,
		EXPECTATION_LIST(X)
#undef X
	};
	return words[expectation];
}

bool ast_word_is_quoted(const struct ast_word *word)
{
	if (!word->span.source)
		return true;
	const char *first = word->span.source->text + word->span.begin;
	bool typographic = strncmp(first, "\xe2\x80", 2) == 0 && (first[2] & 0xf8) == 0x98;
	return word->span.end > word->span.begin &&
	       (*first == '"' || *first == '\'' || *first == '`' || typographic);
}

const char *ast_word_text(const struct ast_word *word)
{
	return word && word->text ? word->text : "";
}

struct span ast_entry_span(const struct ast_entry *entry)
{
	return entry->tail ? entry->tail->span : entry->word.span;
}

const struct ast_expression *ast_entry_condition(const struct ast_entry *entry)
{
	return entry->tail ? entry->tail->condition : NULL;
}
