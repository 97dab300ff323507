#include "compiler/explain/sheet.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/strbuf.h"
#include "compiler/explain/holding.h"
#include "compiler/policy/policy.h"

enum { LABEL_WIDTH = 9 };

static void text_add(struct strbuf *out, const char *format, va_list arguments)
{
	char *text;
	int size = vasprintf(&text, format, arguments);
	if (size < 0)
		die_out_of_memory();
	text_add_visible(out, text, (size_t)size);
	free(text);
}

void sheet_line(struct sheet *sheet, const char *label, const char *format, ...)
{
	bool again = sheet->label && strcmp(sheet->label, label) == 0;
	sheet->label = label;
	strbuf_printf(sheet->out, "  %-*s", LABEL_WIDTH, again ? "" : label);
	va_list arguments;
	va_start(arguments, format);
	text_add(sheet->out, format, arguments);
	va_end(arguments);
	strbuf_add_char(sheet->out, '\n');
}

const char *row_words(struct compilation *compilation, const struct row *row)
{
	const char *quote = row->kind == SUBJECT_COMMAND && strchr(row->subject, ' ') ? "\"" : "";
	return arena_printf(compilation->arena, "%s %s%s%s%s", verb_word(row->verb),
			    row->kind == SUBJECT_SYSCALL ? "syscall " : "", quote, row->subject, quote);
}

const char *row_place(struct compilation *compilation, const struct row *row)
{
	return arena_printf(compilation->arena, "%s:%u", row->span.source->path,
			    source_position(row->span.source, row->span.begin).line);
}

/* ---- how strong ---- */

static bool holding_equal(const struct holding *a, const struct holding *b)
{
	return a->strength == b->strength && strcmp(a->sentence, b->sentence) == 0;
}

/* "c-header, python" of those that are like `index`; NULL where an earlier one is. */
static const char *artifacts_alike(struct arena *arena, const struct holdings *holdings, size_t index)
{
	const struct holding *items = holdings->items;
	const char *names = strength_artifact_name(items[index].artifact);
	for (size_t i = 0; i < holdings->count; i++) {
		if (i == index || !holding_equal(&items[i], &items[index]))
			continue;
		if (i < index)
			return NULL;
		names = arena_printf(arena, "%s, %s", names, strength_artifact_name(items[i].artifact));
	}
	return names;
}

void sheet_holdings(struct sheet *sheet, const struct holdings *holdings)
{
	const char *names[STRENGTH_ARTIFACT_COUNT];
	size_t width = 0, level_width = 0;
	for (size_t i = 0; i < holdings->count; i++) {
		names[i] = artifacts_alike(sheet->compilation->arena, holdings, i);
		if (names[i] && strlen(names[i]) > width)
			width = strlen(names[i]);
		size_t level = strlen(strength_words(holdings->items[i].strength));
		level_width = level > level_width ? level : level_width;
	}
	strbuf_add_text(sheet->out,
			holdings->count ? "\n  how strong\n" : "\n  how strong: no artifact holds rows\n");
	for (size_t i = 0; i < holdings->count; i++)
		if (names[i])
			strbuf_printf(sheet->out, "    %-*s  %-*s  %s\n", (int)width, names[i],
				      (int)level_width, strength_words(holdings->items[i].strength),
				      holdings->items[i].sentence);
}
