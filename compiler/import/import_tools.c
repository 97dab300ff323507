#include "compiler/import/import_tools.h"

#include <string.h>

#include "backends/quote.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/map.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import.h"
#include "compiler/import/import_union.h"
#include "compiler/policy/row_subject.h"

struct printer {
	const struct import *import;
	const struct import_union *all;
	struct arena *arena;
	struct strbuf *out;
};

/* A policy has each list in one line; one that is too long is an error, and left out. */
static void line_end(struct printer *printer, size_t begin, const struct import_list *list)
{
	if (printer->out->size - begin <= LINE_SIZE_MAX) {
		strbuf_add_char(printer->out, '\n');
		return;
	}
	printer->out->size = begin;
	struct diagnostic *d =
		diag_report(printer->import->compilation->diags, DIAG_LIMIT, list->place,
			    "a list of tools would be a line longer than %d MiB in the policy",
			    LINE_SIZE_MAX / MIB);
	diag_help(d, "it is left out: a plugin that needs so many tools is several");
}

/* Each command once: a policy has no order for a second time. */
static void list_print(struct printer *printer, const struct import_list *list)
{
	struct map *seen = map_new(printer->arena, list->count);
	size_t begin = printer->out->size;
	const char *before = list->kind == IMPORT_TOOLS ? "    tools " : "    optional ";
	for (size_t i = 0; i < list->count; i++) {
		const char *command = import_tool(printer->all, list->entries[i].command);
		void **place = map_at(seen, command, strlen(command));
		if (*place || !map_value(printer->all->names, command, strlen(command)))
			continue;
		*place = (void *)command;
		strbuf_printf(printer->out, "%s%s", before, command_as_subject(printer->arena, command));
		before = ", ";
	}
	if (*before == ',')
		line_end(printer, begin, list);
}

/* As a command would be written; in a string where none could be. */
static void name_print(struct printer *printer, const char *name)
{
	const char *word = command_as_subject(printer->arena, name);
	if (word)
		strbuf_add_text(printer->out, word);
	else
		quote_allow(printer->out, name);
}

/* Standard input is no file that a policy could name. */
static void head_print(struct printer *printer, const struct import_list *list)
{
	strbuf_add_text(printer->out, "\nplugin ");
	name_print(printer, list->name);
	if (strcmp(list->source->path, "<stdin>") != 0) {
		strbuf_add_char(printer->out, ' ');
		quote_allow(printer->out, list->source->path);
	}
	strbuf_add_text(printer->out, " {\n");
}

/* The lists of one manifest follow each other. */
void import_tools_print(const struct import *import, const struct import_union *all, struct strbuf *out)
{
	struct printer printer = { import, all, import->compilation->arena, out };
	for (size_t i = 0; i < import->count; i++) {
		const struct import_list *list = import->lists[i];
		if (list->kind == IMPORT_COMMANDS)
			continue;
		head_print(&printer, list);
		list_print(&printer, list);
		if (i + 1 < import->count && import->lists[i + 1]->source == list->source)
			list_print(&printer, import->lists[++i]);
		strbuf_add_text(out, "}\n");
	}
}
