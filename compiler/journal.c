#include "compiler/journal.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"
#include "compiler/hash.h"

static const char first_line[] = "allowc journal 1\n";
enum { FIRST_LINE = sizeof first_line - 1 };

/* Takes "HASH " or "- " off the front. False where there is neither. */
static bool hash_take(struct arena *arena, const char **at, const char *end, const char **hash)
{
	size_t left = (size_t)(end - *at);
	if (left >= 2 && (*at)[0] == '-' && (*at)[1] == ' ') {
		*hash = NULL;
		*at += 2;
		return true;
	}
	if (!hash_is(*at, left) || left <= HASH_DIGITS || (*at)[HASH_DIGITS] != ' ')
		return false;
	*hash = arena_copy(arena, *at, HASH_DIGITS);
	*at += HASH_DIGITS + 1;
	return true;
}

static bool line_parse(struct arena *arena, const char *line, const char *end, struct claims *claims,
		       struct claims *paths)
{
	const char *old_hash, *new_hash;
	if (!hash_take(arena, &line, end, &old_hash) || !hash_take(arena, &line, end, &new_hash))
		return false;
	const char *path = name_parse(arena, line, (size_t)(end - line), true);
	if (!path || !name_inside(path))
		return false;
	if (old_hash)
		claims_add(arena, claims, path, old_hash);
	if (new_hash)
		claims_add(arena, claims, path, new_hash);
	claims_add(arena, paths, path, "");
	return true;
}

bool journal_parse(struct arena *arena, const char *text, size_t size, struct claims *claims,
		   struct claims *paths)
{
	const char *end = text + size;
	/* Killed between making the file and writing it: a part of the first line, or nothing. */
	if (size < FIRST_LINE)
		return memcmp(text, first_line, size) == 0;
	if (memcmp(text, first_line, FIRST_LINE) != 0)
		return false;
	text += FIRST_LINE;
	for (const char *stop; text < end && (stop = memchr(text, '\n', (size_t)(end - text)));
	     text = stop + 1)
		if (!line_parse(arena, text, stop, claims, paths))
			return false;
	claims_sort(claims);
	claims_sort(paths);
	return true;
}

void journal_begin(struct strbuf *out)
{
	strbuf_add_text(out, first_line);
}

void journal_add(struct strbuf *out, const char *old_hash, const char *new_hash, const char *path)
{
	strbuf_printf(out, "%s %s ", old_hash ? old_hash : "-", new_hash ? new_hash : "-");
	name_print(out, path);
	strbuf_add_char(out, '\n');
}
