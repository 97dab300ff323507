#include "compiler/claims.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"

void claims_add(struct arena *arena, struct claims *claims, const char *path, const char *hash)
{
	claims->items =
		arena_grow(arena, claims->items, claims->count, &claims->capacity, sizeof *claims->items);
	claims->items[claims->count++] = (struct claim){ path, hash };
}

static int compare(const void *left, const void *right)
{
	const struct claim *a = left, *b = right;
	int order = strcmp(a->path, b->path);
	return order ? order : strcmp(a->hash, b->hash);
}

void claims_sort(struct claims *claims)
{
	if (!claims->count)
		return;
	qsort(claims->items, claims->count, sizeof *claims->items, compare);
	size_t kept = 1;
	for (size_t i = 1; i < claims->count; i++)
		if (compare(&claims->items[kept - 1], &claims->items[i]) != 0)
			claims->items[kept++] = claims->items[i];
	claims->count = kept;
}

size_t claims_about(const struct claims *claims, const char *path, size_t *first)
{
	size_t low = 0, high = claims->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(claims->items[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*first = low;
	while (high < claims->count && strcmp(claims->items[high].path, path) == 0)
		high++;
	return high - low;
}

bool claims_have(const struct claims *claims, const char *path, const char *hash)
{
	size_t first, count = claims_about(claims, path, &first);
	for (size_t i = first; i < first + count; i++)
		if (strcmp(claims->items[i].hash, hash) == 0)
			return true;
	return false;
}

bool name_escaped(const char *name)
{
	return name[strcspn(name, "\\\n\r")] != '\0';
}

void name_print(struct strbuf *out, const char *name)
{
	for (; *name; name++) {
		if (*name == '\\')
			strbuf_add_text(out, "\\\\");
		else if (*name == '\n')
			strbuf_add_text(out, "\\n");
		else if (*name == '\r')
			strbuf_add_text(out, "\\r");
		else
			strbuf_add_char(out, *name);
	}
}

static char unescape(char letter)
{
	return letter == 'n' ? '\n' : letter == 'r' ? '\r' : letter == '\\' ? '\\' : '\0';
}

const char *name_parse(struct arena *arena, const char *bytes, size_t size, bool escaped)
{
	if (!size || memchr(bytes, '\0', size))
		return NULL;
	char *name = arena_copy(arena, bytes, size);
	if (!escaped)
		return name;
	size_t length = 0;
	for (size_t i = 0; i < size; i++) {
		char c = bytes[i];
		if (c == '\\') {
			c = i + 1 < size ? unescape(bytes[++i]) : '\0';
			if (!c)
				return NULL;
		}
		name[length++] = c;
	}
	name[length] = '\0';
	return name;
}

bool name_inside(const char *name)
{
	for (const char *part = name;; part++) {
		size_t length = strcspn(part, "/");
		if (!length || (length == 1 && part[0] == '.') || (length == 2 && memcmp(part, "..", 2) == 0))
			return false;
		part += length;
		if (!*part)
			return true;
	}
}
