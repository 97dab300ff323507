#include "compiler/import/table_line.h"

#include <stddef.h>
#include <string.h>

#include "compiler/base/ascii.h"

static bool is_key_byte(char c)
{
	return ascii_is_alnum(c) || (c && strchr("_-.: \"'", c));
}

static const char *blanks_end(const char *at, const char *end)
{
	while (at < end && ascii_is_space(*at))
		at++;
	return at;
}

/*
 * Behind the brackets that stand here; `at` where no table begins. A list within a list of Python holds a
 * text and is indented, so "["docker"]" begins a table at the start of a line alone.
 */
static const char *table_end(const char *at, const char *end, bool indented)
{
	const char *begin = at, *key;
	while (at < end && *at == '[' && at - begin < 2)
		at++;
	long brackets = at - begin;
	key = blanks_end(at, end);
	bool quoted = key < end && !indented && (*key == '"' || *key == '\'');
	if (!brackets || key == end || !(ascii_is_alnum(*key) || quoted))
		return begin;
	while (at < end && is_key_byte(*at))
		at++;
	for (; brackets > 0 && at < end && *at == ']'; brackets--)
		at++;
	return brackets ? begin : at;
}

bool table_line_find(const struct source *source, struct span *place)
{
	const char *stop = source->text + source->size;
	for (const char *line = source->text; line < stop;) {
		const char *feed = memchr(line, '\n', (size_t)(stop - line));
		const char *end = feed ? feed : stop, *begin = blanks_end(line, end);
		const char *after = table_end(begin, end, begin > line), *rest = blanks_end(after, end);
		if (after > begin && (rest == end || *rest == '#')) {
			*place = (struct span){ source, (uint32_t)(begin - source->text),
						(uint32_t)(after - source->text) };
			return true;
		}
		line = end + 1;
	}
	return false;
}
