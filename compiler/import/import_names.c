/*
 * One name a line, in any text that no other reader takes. A '#' begins a comment: a heading in a line of its
 * own, a reason behind a name.
 */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import.h"
#include "compiler/import/import_comment.h"
#include "compiler/import/import_formats.h"
#include "compiler/import/import_naming.h"

struct names {
	struct import *import;
	const struct source *source;
	struct import_list *list;
	const char *heading, *adr;
	struct strbuf lines; /* of a heading that goes on; empty where none does */
};

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

/* The '#' that begins a comment: of a line, or behind a blank. */
static size_t comment_begin(const struct source *source, size_t begin, size_t end)
{
	for (size_t at = begin; at < end; at++)
		if (source->text[at] == '#' && (at == begin || ascii_is_space(source->text[at - 1])))
			return at;
	return end;
}

static const char *text_of(const struct names *names, struct span place)
{
	return arena_text(names->import->compilation->arena, names->source->text + place.begin,
			  place.end - place.begin);
}

static void heading_take(struct names *names, struct span place)
{
	struct arena *arena = names->import->compilation->arena;
	const char *line = comment_line(arena, text_of(names, place));
	if (!line)
		return;
	strbuf_add_text(&names->lines, names->lines.size ? "\n" : "");
	strbuf_add_text(&names->lines, line);
}

static void heading_end(struct names *names)
{
	struct arena *arena = names->import->compilation->arena;
	if (!names->lines.size)
		return;
	names->heading = arena_text(arena, names->lines.bytes, names->lines.size);
	names->adr = comment_adr(arena, names->heading);
	names->lines.size = 0;
}

static const char *command_of(const struct names *names, struct span place)
{
	char *command = arena_copy(names->import->compilation->arena, names->source->text + place.begin,
				   place.end - place.begin);
	size_t size = 0;
	for (const char *c = command; *c; c++)
		if (!ascii_is_space(*c))
			command[size++] = *c;
		else if (command[size - 1] != ' ')
			command[size++] = ' ';
	command[size] = '\0';
	return command;
}

/* Whether no line of one name has it there: what quotes, opens, ends or assigns, and "key:" at its start. */
static bool is_foreign(const char *text, size_t size, size_t at)
{
	bool ends_word = at + 1 == size || ascii_is_space(text[at + 1]);
	if (text[at] == ':')
		return ends_word && !memchr(text, ' ', at);
	return strchr("{}()<>;,=\"'`|&$\\", text[at]) != NULL; /* the text holds no NUL */
}

static bool has_bullet(const char *text, size_t size)
{
	return size > 1 && strchr("-*+", text[0]) && ascii_is_space(text[1]);
}

static bool report_bullet(const struct names *names, struct span place)
{
	struct diagnostic *d =
		diag_report(names->import->compilation->diags, DIAG_IMPORT_FORM,
			    (struct span){ names->source, place.begin, place.begin + 1 },
			    "a bullet stands before the name, so this is not a list of one name a line");
	struct span name = trimmed(names->source, place.begin + 1, place.end);
	diag_help(d, "take the bullets off: %s", text_of(names, name));
	return false;
}

/* What a list of names does not hold: the file is in another format, and would be read wrongly. */
static bool name_check(const struct names *names, struct span place)
{
	size_t size = place.end - place.begin;
	const char *text = names->source->text + place.begin;
	if (has_bullet(text, size))
		return report_bullet(names, place);
	for (size_t i = 0; i < size; i++) {
		if (!is_foreign(text, size, i))
			continue;
		uint32_t at = place.begin + (uint32_t)i;
		struct diagnostic *d =
			diag_report(names->import->compilation->diags, DIAG_IMPORT_FORM,
				    (struct span){ names->source, at, at + 1 },
				    "'%c' is in no name, so this is not a list of one name a line", text[i]);
		diag_help(d, "what import reads: see IMPORT in allowc(1)");
		return false;
	}
	return true;
}

static bool line_read(struct names *names, size_t begin, size_t end)
{
	size_t comment = comment_begin(names->source, begin, end);
	struct span place = trimmed(names->source, begin, comment);
	struct arena *arena = names->import->compilation->arena;
	struct span behind = { names->source, (uint32_t)(comment < end ? comment + 1 : end), (uint32_t)end };
	if (place.begin == place.end) {
		if (comment < end)
			heading_take(names, behind);
		else
			heading_end(names);
		return true;
	}
	heading_end(names);
	if (!name_check(names, place))
		return false;
	const char *line = comment < end ? comment_line(arena, text_of(names, behind)) : NULL;
	const char *adr = line ? comment_adr(arena, line) : NULL;
	import_entry_add(names->import, names->list,
			 &(struct import_entry){ .command = command_of(names, place),
						 .place = place,
						 .verdict = names->list->verdict,
						 .group = names->heading,
						 .adr = adr ? adr : names->adr,
						 .reason = line ? comment_reason(arena, line) : NULL });
	return true;
}

bool import_names_read(struct import *import, const struct source *source)
{
	struct names names = { .import = import, .source = source, .lines = STRBUF_INIT };
	bool good = true;
	names.list = import_list_add(import, IMPORT_COMMANDS, source, path_base(source->path),
				     (struct span){ source, 0, 0 });
	names.list->verdict = import_naming_verdict(import_naming_of(path_base(source->path)));
	for (size_t at = 0; good && at < source->size;) {
		const char *end = memchr(source->text + at, '\n', source->size - at);
		size_t stop = end ? (size_t)(end - source->text) : source->size;
		good = line_read(&names, at, stop);
		at = stop + 1;
	}
	strbuf_release(&names.lines);
	return good;
}
