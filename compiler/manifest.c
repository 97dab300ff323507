#include "compiler/manifest.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/strbuf.h"
#include "compiler/generator.h"
#include "compiler/hash.h"

static const char maker_sign[] = "# by " GENERATOR_PREFIX;

static const char written_sign[] = "# written: ";

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

/* `# written: NAME` */
static bool written_parse(struct arena *arena, const char *line, size_t size, struct claims *written)
{
	size_t begin = strlen(written_sign);
	if (size <= begin || memcmp(line, written_sign, begin) != 0)
		return false;
	const char *name = name_parse(arena, line + begin, size - begin, true);
	if (name)
		claims_add(arena, written, name, "");
	return name != NULL;
}

/* `# by allowc-gen-MAKER: NAME`; a generator's path has nothing to escape. */
static bool maker_parse(struct arena *arena, const char *line, size_t size, struct claims *makers)
{
	size_t begin = strlen(maker_sign);
	const char *colon = memmem(line, size, ": ", 2);
	if (size <= begin || memcmp(line, maker_sign, begin) != 0 || !colon)
		return false;
	const char *maker = arena_copy(arena, line + begin, (size_t)(colon - line) - begin);
	const char *name = name_parse(arena, colon + 2, size - (size_t)(colon + 2 - line), false);
	if (!name || !generator_is_name(maker))
		return false;
	claims_add(arena, makers, name, maker);
	return true;
}

bool manifest_parse(struct arena *arena, const char *text, size_t size, struct manifest *manifest,
		    unsigned *line)
{
	const char *end = text + size;
	*line = 0;
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		if (!stop)
			stop = end;
		++*line;
		size_t length = (size_t)(stop - text);
		if (!line_parse(arena, text, length, &manifest->claims) &&
		    !maker_parse(arena, text, length, &manifest->makers) &&
		    !written_parse(arena, text, length, &manifest->written))
			return false;
		text = stop + 1;
	}
	claims_sort(&manifest->claims);
	claims_sort(&manifest->makers);
	claims_sort(&manifest->written);
	return true;
}

void manifest_print(const struct manifest *manifest, struct strbuf *out)
{
	const struct claims *claims = &manifest->claims, *makers = &manifest->makers;
	for (size_t i = 0; i < claims->count; i++) {
		const struct claim *claim = &claims->items[i];
		if (name_escaped(claim->path))
			strbuf_add_char(out, '\\');
		strbuf_add_text(out, claim->hash);
		strbuf_add_text(out, "  ");
		name_print(out, claim->path);
		strbuf_add_char(out, '\n');
	}
	for (size_t i = 0; i < makers->count; i++)
		strbuf_printf(out, "%s%s: %s\n", maker_sign, makers->items[i].hash, makers->items[i].path);
	for (size_t i = 0; i < manifest->written.count; i++) {
		strbuf_add_text(out, written_sign);
		name_print(out, manifest->written.items[i].path);
		strbuf_add_char(out, '\n');
	}
}

const char *manifest_maker(const struct manifest *manifest, const char *path)
{
	size_t first;
	return claims_about(&manifest->makers, path, &first) ? manifest->makers.items[first].hash : NULL;
}
