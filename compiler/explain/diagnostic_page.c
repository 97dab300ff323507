#include "compiler/explain/diagnostic_page.h"

#include <string.h>

#include "backends/json_writer.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/suggest.h"
#include "compiler/data/pages.h"

enum { FIXED, OPEN };
enum { ERROR, WARNING, OFF };

static const struct {
	const char *summary;
	int severity, change;
} list[DIAG_COUNT] = {
#define X(id, name, severity, change, summary) { summary, severity, change },
	DIAG_LIST(X)
#undef X
};

enum diag_id diagnostic_find(const char *name, const char **nearest)
{
	struct suggestion near = suggestion_begin(name);
	*nearest = NULL;
	for (enum diag_id id = 0; id < DIAG_COUNT; id++) {
		if (strcmp(diag_name(id), name) == 0)
			return id;
		suggestion_offer(&near, diag_name(id));
	}
	*nearest = near.nearest;
	return DIAG_COUNT;
}

static const char *severity_word(enum diag_id id)
{
	static const char *const words[] = {
		[ERROR] = "error", [WARNING] = "warning", [OFF] = "warning, off by default"
	};
	return words[list[id].severity];
}

/* ---- text ---- */

enum { WIDTH = 84 };

/* In lines that fit a terminal. */
static void paragraph_print(const char *text, struct strbuf *out)
{
	size_t column = 0;
	while (*text) {
		size_t size = strcspn(text, " ");
		if (column && column + 1 + size > WIDTH) {
			strbuf_add_char(out, '\n');
			column = 0;
		}
		strbuf_add_text(out, column ? " " : "  ");
		column += size + 1;
		strbuf_add(out, text, size);
		text += size + (text[size] == ' ');
	}
	strbuf_add_char(out, '\n');
}

static void text_print(const char *text, struct strbuf *out)
{
	while (*text) {
		size_t size = strcspn(text, "\n");
		if (size)
			strbuf_add_text(out, "    ");
		text_add_visible(out, text, size);
		strbuf_add_char(out, '\n');
		text += size + 1;
	}
}

/* The policy itself needs no name. */
static void files_print(const struct page_file *files, struct strbuf *out)
{
	for (; files->name; files++) {
		if (!*files->text)
			strbuf_printf(out, "  remove %s\n", files->name);
		else if (strcmp(files->name, "policy.allow") != 0)
			strbuf_printf(out, "  in %s:\n", files->name);
		text_print(files->text, out);
	}
}

void diagnostic_page_print(enum diag_id id, struct strbuf *out)
{
	const struct page *page = page_of(id);
	strbuf_printf(out, "%s: %s (%s%s)\n\n", diag_name(id), list[id].summary, severity_word(id),
		      list[id].change == OPEN ? "; -W may change it" : "");
	paragraph_print(page->meaning, out);
	strbuf_printf(out, "\nFor example, with 'allowc %s':\n\n", page->args);
	files_print(page->example, out);
	strbuf_add_text(out, "\nMend it:\n\n");
	paragraph_print(page->mend, out);
	if (!page->mended)
		return;
	strbuf_add_char(out, '\n');
	files_print(page->mended, out);
}

/* ---- JSON ---- */

static void files_add(struct json_writer *json, const char *key, const struct page_file *files)
{
	json_open_object(json, key);
	for (; files && files->name; files++)
		json_text(json, files->name, files->text);
	json_close_object(json);
}

void diagnostic_page_json(enum diag_id id, struct strbuf *out)
{
	const struct page *page = page_of(id);
	struct json_writer json = JSON_WRITER_INIT(out);
	json_open_object(&json, NULL);
	json_text(&json, "diagnostic", diag_name(id));
	json_text(&json, "summary", list[id].summary);
	json_text(&json, "severity", severity_word(id));
	json_bool(&json, "mayChange", list[id].change == OPEN);
	json_text(&json, "meaning", page->meaning);
	json_text(&json, "mend", page->mend);
	json_text(&json, "args", page->args);
	json_bool(&json, "sketch", !page->mended);
	files_add(&json, "example", page->example);
	files_add(&json, "mended", page->mended);
	json_close_object(&json);
	json_finish(&json);
}
