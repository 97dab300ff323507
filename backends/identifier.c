#include "backends/identifier.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/map.h"

/* Keywords of C23 and C++20, alternative tokens, and macros in the user's name space. Sorted. */
static const char *const taken[] = {
	"NULL", "alignas", "alignof", "and", "and_eq", "asm", "atomic_cancel", "atomic_commit",
	"atomic_noexcept", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "char16_t",
	"char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
	"const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete",
	"do", "double", "dynamic_cast", "else", "enum", "errno", "explicit", "export", "extern", "false",
	"float", "for", "friend", "goto", "i386", "if", "inline", "int", "linux", "long", "mutable",
	"namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private",
	"protected", "public", "reflexpr", "register", "reinterpret_cast", "requires", "restrict", "return",
	"short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch",
	"synchronized", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid",
	"typename", "typeof", "typeof_unqual", "union", "unix", "unsigned", "using", "virtual", "void",
	"volatile", "wchar_t", "while", "xor", "xor_eq",
};

static int compare_word(const void *key, const void *item)
{
	return strcmp(key, *(const char *const *)item);
}

static bool is_taken(const char *word)
{
	return bsearch(word, taken, sizeof taken / sizeof *taken, sizeof *taken, compare_word) != NULL;
}

static const char *identifier_of(struct arena *arena, const char *spelling)
{
	char *text = arena_alloc(arena, strlen("n_") + strlen(spelling) + sizeof "_"), *end = text;
	for (; *spelling; spelling++) {
		if (ascii_is_digit(*spelling) && end == text)
			end = stpcpy(end, "n_");
		if (ascii_is_digit(*spelling) || ascii_is_letter(*spelling))
			*end++ = *spelling;
		else if (*spelling == '+')
			*end++ = 'x';
		else if (end > text && end[-1] != '_')
			*end++ = '_';
	}
	if (end == text)
		return "command";
	if (is_taken(text))
		*end = '_';
	return text;
}

/*
 * What has been given out leads to the last number that was put after it. `first` is that of what is given
 * now.
 */
static const char *unique(struct arena *arena, struct map *given, const char *text, size_t *first)
{
	void **place = map_at(given, text, strlen(text));
	size_t *number = *place;
	*first = 1;
	if (!number) {
		*place = first;
		return text;
	}
	const char *join = text[strlen(text) - 1] == '_' ? "" : "_", *candidate;
	/* The number goes on from the last one, so that a thousand equals take a thousand steps. */
	do
		candidate = arena_printf(arena, "%s%s%zu", text, join, ++*number);
	while (map_find(given, candidate, strlen(candidate)));
	*map_at(given, candidate, strlen(candidate)) = first;
	return candidate;
}

const char **identifiers_assign(struct arena *arena, const char *const *spellings, size_t count)
{
	struct arena *passing = arena_new();
	struct map *given = map_new(passing, count);
	const char **identifiers = arena_array(arena, count, sizeof *identifiers);
	size_t *numbers = arena_array(passing, count, sizeof *numbers);
	for (size_t i = 0; i < count; i++)
		identifiers[i] = identifier_of(arena, spellings[i]);
	for (size_t i = 0; i < count; i++) {
		if (i + MAP_AHEAD < count)
			map_fetch(given, identifiers[i + MAP_AHEAD], strlen(identifiers[i + MAP_AHEAD]));
		identifiers[i] = unique(arena, given, identifiers[i], &numbers[i]);
	}
	arena_free(passing);
	return identifiers;
}
