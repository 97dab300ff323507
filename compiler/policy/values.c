/* Closed sets and small forms: names, dates, versions, platforms. */
#include <string.h>

#include "compiler/policy/resolver.h"

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return is_lower(c) || (c >= 'A' && c <= 'Z');
}

bool name_is_policy_name(const char *name)
{
	if (!is_lower(name[0]))
		return false;
	for (; *name; name++)
		if (!is_lower(*name) && !is_digit(*name) && *name != '-' && *name != '_')
			return false;
	return true;
}

bool name_is_block_name(const char *name)
{
	if (!is_letter(name[0]) && !is_digit(name[0]))
		return false;
	if (strlen(name) > 128)
		return false;
	for (; *name; name++)
		if (!is_letter(*name) && !is_digit(*name) && !strchr("-_.", *name))
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

bool date_is_valid(const char *text)
{
	static const char form[] = "dddd-dd-dd";
	for (size_t i = 0; i < sizeof form - 1; i++)
		if (form[i] == 'd' ? !is_digit(text[i]) : text[i] != form[i])
			return false;
	if (text[sizeof form - 1] != '\0')
		return false;
	int year = (text[0] - '0') * 1000 + (text[1] - '0') * 100 + (text[2] - '0') * 10 + text[3] - '0';
	int month = (text[5] - '0') * 10 + text[6] - '0';
	int day = (text[8] - '0') * 10 + text[9] - '0';
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	if (month < 1 || month > 12 || day < 1 || year < 1)
		return false;
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return day <= days[month - 1] + (month == 2 && leap);
}

bool version_is_valid(const char *text)
{
	if (!is_digit(text[0]))
		return false;
	for (; *text; text++)
		if (!is_letter(*text) && !is_digit(*text) && !strchr(".+~-_:", *text))
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
