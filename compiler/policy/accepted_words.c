#include "compiler/policy/accepted_words.h"

#include <string.h>

#include "compiler/base/map.h"

void accepted_words_put(struct map *words, const struct authority *authority)
{
	for (size_t i = 0; i < authority->accept_count; i++) {
		const char *word = authority->accept[i];
		*map_at(words, word, strlen(word)) = (void *)word;
	}
}

/* Whether `authority` takes for accepted each word that `of` does. */
static bool words_hold(struct arena *arena, const struct authority *authority, const struct authority *of)
{
	size_t same = 0; /* most lists are just alike, and need no set */
	while (same < of->accept_count && same < authority->accept_count &&
	       strcmp(of->accept[same], authority->accept[same]) == 0)
		same++;
	if (same == of->accept_count)
		return true;
	struct map *words = map_new(arena, authority->accept_count);
	accepted_words_put(words, authority);
	for (size_t i = same; i < of->accept_count; i++)
		if (!map_find(words, of->accept[i], strlen(of->accept[i])))
			return false;
	return true;
}

bool accepted_words_are_equal(struct arena *arena, const struct authority *a, const struct authority *b)
{
	return words_hold(arena, a, b) && words_hold(arena, b, a);
}
