/* One name a line; '#' comments are headings. */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/import/import.h"
#include "compiler/import/import_formats.h"

bool import_names_is(const struct source *source)
{
	(void)source;
	return true;
}

static struct span trimmed(const struct source *source, size_t begin, size_t end)
{
	while (begin < end && ascii_is_space(source->text[begin]))
		begin++;
	while (begin < end && ascii_is_space(source->text[end - 1]))
		end--;
	return (struct span){ source, (uint32_t)begin, (uint32_t)end };
}

bool import_names_read(struct import *import, const struct source *source)
{
	struct arena *arena = import->compilation->arena;
	struct import_list *list = import_list_add(import, IMPORT_COMMANDS, source, path_base(source->path),
						   (struct span){ source, 0, 0 });
	for (size_t at = 0; at < source->size;) {
		const char *end = memchr(source->text + at, '\n', source->size - at);
		size_t stop = end ? (size_t)(end - source->text) : source->size;
		struct span place = trimmed(source, at, stop);
		at = stop + 1;
		if (place.begin == place.end || source->text[place.begin] == '#')
			continue;
		const char *command = arena_text(arena, source->text + place.begin, place.end - place.begin);
		import_entry_add(import, list, &(struct import_entry){ .command = command, .place = place });
	}
	return true;
}
