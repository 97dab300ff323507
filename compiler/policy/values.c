/* Closed sets and small forms: names, versions, platforms. */
#include <string.h>

#include "compiler/base/ascii.h"
#include "compiler/base/limits.h"
#include "compiler/base/utf8.h"
#include "compiler/policy/resolver.h"

bool name_is_policy_name(const char *name)
{
	if (!ascii_is_lower(name[0]))
		return false;
	for (; *name; name++)
		if (!ascii_is_lower(*name) && !ascii_is_digit(*name) && *name != '-' && *name != '_')
			return false;
	return true;
}

bool name_is_block_name(const char *name)
{
	if (!ascii_is_letter(name[0]) && !ascii_is_digit(name[0]))
		return false;
	if (strlen(name) > 128)
		return false;
	for (; *name; name++)
		if (!ascii_is_letter(*name) && !ascii_is_digit(*name) && !strchr("-_.", *name))
			return false;
	return true;
}

/* C23, C++20 and Python 3.13, those in lower case: a policy's name has no other letters. */
bool name_is_keyword(const char *identifier)
{
	static const char *const keywords[] = {
		"alignas",      "alignof",   "and",          "and_eq",        "as",
		"asm",          "assert",    "async",        "auto",          "await",
		"bitand",       "bitor",     "bool",         "break",         "case",
		"catch",        "char",      "char16_t",     "char32_t",      "char8_t",
		"class",        "co_await",  "co_return",    "co_yield",      "compl",
		"concept",      "const",     "const_cast",   "consteval",     "constexpr",
		"constinit",    "continue",  "decltype",     "def",           "default",
		"del",          "delete",    "do",           "double",        "dynamic_cast",
		"elif",         "else",      "enum",         "except",        "explicit",
		"export",       "extern",    "false",        "finally",       "float",
		"for",          "friend",    "from",         "global",        "goto",
		"if",           "import",    "in",           "inline",        "int",
		"is",           "lambda",    "long",         "mutable",       "namespace",
		"new",          "noexcept",  "nonlocal",     "not",           "not_eq",
		"nullptr",      "operator",  "or",           "or_eq",         "pass",
		"private",      "protected", "public",       "raise",         "register",
		"reinterpret_cast", "requires", "restrict",  "return",        "short",
		"signed",       "sizeof",    "static",       "static_assert", "static_cast",
		"struct",       "switch",    "template",     "this",          "thread_local",
		"throw",        "true",      "try",          "typedef",       "typeid",
		"typename",     "typeof",    "typeof_unqual", "union",        "unsigned",
		"using",        "virtual",   "void",         "volatile",      "wchar_t",
		"while",        "with",      "xor",          "xor_eq",        "yield",
	};
	char spelled[80];
	size_t size = strlen(identifier);
	if (size >= sizeof spelled)
		return false;
	for (size_t i = 0; i <= size; i++)
		spelled[i] = identifier[i] == '-' ? '_' : identifier[i];
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (strcmp(keywords[i], spelled) == 0)
			return true;
	return false;
}

bool text_length_check(struct resolver *resolver, const struct ast_word *word)
{
	if (strlen(word->text) <= REASON_LENGTH_MAX)
		return true;
	size_t length = utf8_length(word->text);
	if (length <= REASON_LENGTH_MAX)
		return true;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_LIMIT, word->span,
			    "the text has %zu characters, more than %d", length, REASON_LENGTH_MAX);
	diag_help(d, "long arguments belong in the ADR");
	return false;
}

bool version_is_valid(const char *text)
{
	if (!ascii_is_digit(text[0]))
		return false;
	for (; *text; text++)
		if (!ascii_is_letter(*text) && !ascii_is_digit(*text) && !strchr(".+~-_:", *text))
			return false;
	return true;
}

bool spelling_is_valid(const char *text)
{
	if (!*text || *text == '-')
		return false;
	for (; *text; text++)
		if (*text <= ' ' || *text > '~' || strchr("/*?\"'`$\\", *text))
			return false;
	return true;
}

static const char *const platform_words[] = {
#define X(id, word) word,
	PLATFORM_LIST(X)
#undef X
};

const char *platform_word(enum platform platform)
{
	return platform_words[platform];
}

enum platform platform_find(const char *word)
{
	size_t i = 0;
	while (i < PLATFORM_COUNT && strcmp(platform_words[i], word) != 0)
		i++;
	return (enum platform)i;
}

const char *platform_nearest(const char *word)
{
	struct suggestion near = suggestion_begin(word);
	for (size_t i = 0; i < PLATFORM_COUNT; i++)
		suggestion_offer(&near, platform_words[i]);
	return near.nearest;
}
