#include "compiler/manifest.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/strbuf.h"
#include "compiler/hash.h"

static const char *lower_copy(struct arena *arena, const char *digits)
{
	char *copy = arena_copy(arena, digits, HASH_DIGITS);
	for (size_t i = 0; i < HASH_DIGITS; i++)
		copy[i] = ascii_lower(copy[i]);
	return copy;
}

/* `[\]HASH  NAME` or `[\]HASH *NAME` */
static bool line_parse(struct arena *arena, const char *line, size_t size, struct claims *claims)
{
	bool escaped = size && line[0] == '\\';
	line += escaped;
	size -= escaped;
	if (!hash_is(line, size) || size < HASH_DIGITS + 2 || line[HASH_DIGITS] != ' ')
		return false;
	char kind = line[HASH_DIGITS + 1];
	if (kind != ' ' && kind != '*')
		return false;
	const char *name = name_parse(arena, line + HASH_DIGITS + 2, size - HASH_DIGITS - 2, escaped);
	if (!name)
		return false;
	claims_add(arena, claims, name, lower_copy(arena, line));
	return true;
}

bool manifest_parse(struct arena *arena, const char *text, size_t size, struct claims *claims, unsigned *line)
{
	const char *end = text + size;
	*line = 0;
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		if (!stop)
			stop = end;
		++*line;
		if (!line_parse(arena, text, (size_t)(stop - text), claims))
			return false;
		text = stop + 1;
	}
	claims_sort(claims);
	return true;
}

void manifest_print(const struct claims *claims, struct strbuf *out)
{
	for (size_t i = 0; i < claims->count; i++) {
		const struct claim *claim = &claims->items[i];
		if (name_escaped(claim->path))
			strbuf_add_char(out, '\\');
		strbuf_add_text(out, claim->hash);
		strbuf_add_text(out, "  ");
		name_print(out, claim->path);
		strbuf_add_char(out, '\n');
	}
}
