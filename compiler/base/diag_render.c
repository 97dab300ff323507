/* How diagnostics look: for people, as JSON, and as GitHub's workflow commands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/diag_data.h"
#include "compiler/base/die.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/utf8.h"

enum { WIDEST_EXCERPT = 160 }; /* characters shown of a line; more is cut around the place */

static bool is_unseen(uint32_t code)
{
	return utf8_is_control(code) || utf8_is_bidi(code) || utf8_is_invisible(code);
}

void text_add_visible(struct strbuf *out, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size;) {
		uint32_t code;
		size_t length = utf8_decode(bytes + i, size - i, &code);
		if (!length) {
			strbuf_printf(out, "\\x%02x", (unsigned char)bytes[i++]);
			continue;
		}
		if (code == '\n' || is_unseen(code))
			strbuf_printf(out, "\\u{%x}", (unsigned)code);
		else
			strbuf_add(out, bytes + i, length);
		i += length;
	}
}

/* ---- text ---- */

struct style {
	const char *error, *warning, *note, *help, *caret, *bold, *off;
};

static const struct style plain = { "", "", "", "", "", "", "" };
static const struct style coloured = { "\33[1;31m", "\33[1;35m", "\33[1;36m", "\33[1;32m",
				       "\33[1;32m", "\33[1m",    "\33[0m" };

static void add_text(struct strbuf *out, const char *text)
{
	text_add_visible(out, text, strlen(text));
}

static void add_place(struct strbuf *out, const struct style *style, struct span place)
{
	strbuf_add_text(out, style->bold);
	if (place.source) {
		struct position at = source_position(place.source, place.begin);
		add_text(out, place.source->label);
		add_text(out, place.source->path);
		strbuf_printf(out, ":%u:%u: ", at.line, at.column);
	} else {
		strbuf_add_text(out, "allowc: ");
	}
	strbuf_add_text(out, style->off);
}

static uint32_t step_forward(const char *text, uint32_t at, uint32_t end)
{
	if (at < end)
		at++;
	while (at < end && ((unsigned char)text[at] & 0xc0) == 0x80)
		at++;
	return at;
}

static uint32_t step_back(const char *text, uint32_t at, uint32_t begin)
{
	if (at > begin)
		at--;
	while (at > begin && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

/* The part of a long line that shows the place. */
static struct span excerpt_of(struct span line, uint32_t place)
{
	const char *text = line.source->text;
	struct span part = { line.source, place, place };
	for (int i = 0; i < WIDEST_EXCERPT / 2; i++)
		part.begin = step_back(text, part.begin, line.begin);
	part.end = part.begin;
	for (int i = 0; i < WIDEST_EXCERPT; i++)
		part.end = step_forward(text, part.end, line.end);
	return part;
}

static void add_padding(struct strbuf *out, const char *text, size_t size)
{
	struct strbuf shown = STRBUF_INIT;
	text_add_visible(&shown, text, size);
	for (size_t i = 0; i < shown.size; i++)
		if (((unsigned char)shown.bytes[i] & 0xc0) != 0x80)
			strbuf_add_char(out, shown.bytes[i] == '\t' ? '\t' : ' ');
	strbuf_release(&shown);
}

static size_t shown_width(const char *text, size_t size)
{
	struct strbuf padding = STRBUF_INIT;
	add_padding(&padding, text, size);
	size_t width = padding.size;
	strbuf_release(&padding);
	return width;
}

static void add_excerpt(struct strbuf *out, const struct style *style, struct span place)
{
	if (!place.source)
		return;
	const char *text = place.source->text;
	struct position at = source_position(place.source, place.begin);
	struct span line = source_line(place.source, at.line);
	uint32_t begin = place.begin < line.end ? place.begin : line.end;
	uint32_t end = place.end < line.end ? place.end : line.end;
	struct span part = excerpt_of(line, begin);
	if (utf8_is_binary(text + part.begin, part.end - part.begin))
		return; /* escapes that nobody reads */
	if (end > part.end)
		end = part.end;
	bool cut_before = part.begin > line.begin, cut_after = part.end < line.end;
	strbuf_printf(out, "%5u | %s", at.line, cut_before ? "…" : "");
	text_add_visible(out, text + part.begin, part.end - part.begin);
	strbuf_printf(out, "%s\n      | %s", cut_after ? "…" : "", cut_before ? " " : "");
	add_padding(out, text + part.begin, begin - part.begin);
	strbuf_printf(out, "%s^", style->caret);
	size_t width = end > begin ? shown_width(text + begin, end - begin) : 1;
	strbuf_add_fill(out, '~', width > 1 ? width - 1 : 0);
	strbuf_printf(out, "%s\n", style->off);
}

static void add_name(struct strbuf *out, const struct diag_view *view)
{
	const char *prefix = view->promoted ? "-Werror=" : view->severity == DIAG_WARNING ? "-W" : "";
	strbuf_printf(out, " [%s%s]\n", prefix, diag_name(view->id));
}

static void add_trail(struct strbuf *out, const struct style *style, const struct source *source)
{
	for (; source && source->extended_from.source; source = source->extended_from.source) {
		add_place(out, style, source->extended_from);
		strbuf_printf(out, "%snote:%s %s is brought in here\n", style->note, style->off,
			      path_base(source->path));
		add_excerpt(out, style, source->extended_from);
	}
}

/* A note without a place of its own stands at the diagnostic's. */
static void add_part(struct strbuf *out, const struct style *style, const struct diag_view *view,
		     const struct part *part)
{
	if (part->kind == PART_FIX) {
		strbuf_add_text(out, "      | ");
		add_text(out, part->text);
		strbuf_add_char(out, '\n');
		return;
	}
	add_place(out, style, part->place.source ? part->place : view->place);
	bool note = part->kind == PART_NOTE;
	strbuf_printf(out, "%s%s:%s ", note ? style->note : style->help, note ? "note" : "help", style->off);
	add_text(out, part->text);
	strbuf_add_char(out, '\n');
	if (note)
		add_excerpt(out, style, part->place);
}

static void render_text(const struct diag_view *view, const struct style *style, struct strbuf *out)
{
	bool error = view->severity == DIAG_ERROR;
	add_place(out, style, view->place);
	strbuf_printf(out, "%s%s:%s ", error ? style->error : style->warning, error ? "error" : "warning",
		      style->off);
	add_text(out, view->text);
	add_name(out, view);
	add_excerpt(out, style, view->place);
	for (const struct part *part = view->parts; part; part = part->next)
		add_part(out, style, view, part);
	add_trail(out, style, view->place.source);
}

/* ---- JSON ---- */

/* Who looks at the JSON itself sees what is there; whoever reads it gets the same text. */
static void json_add_code(struct strbuf *out, uint32_t code)
{
	if (code < 0x10000)
		strbuf_printf(out, "\\u%04x", (unsigned)code);
	else
		strbuf_printf(out, "\\u%04x\\u%04x", 0xd800 + (unsigned)((code - 0x10000) >> 10),
			      0xdc00 + (unsigned)(code & 0x3ff));
}

static void json_add(struct strbuf *out, const char *text)
{
	strbuf_add_char(out, '"');
	for (size_t i = 0, size = strlen(text); i < size;) {
		uint32_t code;
		size_t length = utf8_decode(text + i, size - i, &code);
		if (!length) {
			strbuf_add_text(out, "\\ufffd");
			i++;
			continue;
		}
		if (code == '"' || code == '\\')
			strbuf_printf(out, "\\%c", (char)code);
		else if (code < 0x20 || is_unseen(code))
			json_add_code(out, code);
		else
			strbuf_add(out, text + i, length);
		i += length;
	}
	strbuf_add_char(out, '"');
}

static void json_add_place(struct strbuf *out, struct span place)
{
	if (!place.source)
		return;
	struct position begin = source_position(place.source, place.begin);
	struct position end = source_position(place.source, place.end);
	strbuf_add_text(out, ", \"file\": ");
	struct strbuf file = STRBUF_INIT;
	strbuf_printf(&file, "%s%s", place.source->label, place.source->path);
	json_add(out, file.bytes);
	strbuf_release(&file);
	strbuf_printf(out, ", \"line\": %u, \"column\": %u, \"endLine\": %u, \"endColumn\": %u", begin.line,
		      begin.column, end.line, end.column);
}

static void json_add_notes(struct strbuf *out, const struct diag_view *view)
{
	const char *separator = "";
	strbuf_add_text(out, ", \"notes\": [");
	for (const struct part *part = view->parts; part; part = part->next) {
		if (part->kind != PART_NOTE)
			continue;
		strbuf_printf(out, "%s{\"message\": ", separator);
		json_add(out, part->text);
		json_add_place(out, part->place);
		strbuf_add_char(out, '}');
		separator = ", ";
	}
	for (const struct source *source = view->place.source; source && source->extended_from.source;
	     source = source->extended_from.source) {
		strbuf_printf(out, "%s{\"message\": \"brought in here\"", separator);
		json_add_place(out, source->extended_from);
		strbuf_add_char(out, '}');
		separator = ", ";
	}
	strbuf_add_char(out, ']');
}

static void json_add_helps(struct strbuf *out, const struct diag_view *view)
{
	const char *separator = "";
	strbuf_add_text(out, ", \"helps\": [");
	for (const struct part *part = view->parts; part; part = part->next) {
		if (part->kind != PART_HELP)
			continue;
		strbuf_printf(out, "%s{\"message\": ", separator);
		json_add(out, part->text);
		for (const struct part *fix = part->next; fix && fix->kind == PART_FIX; fix = fix->next) {
			strbuf_add_text(out, fix == part->next ? ", \"fix\": [" : ", ");
			json_add(out, fix->text);
			if (!fix->next || fix->next->kind != PART_FIX)
				strbuf_add_char(out, ']');
		}
		strbuf_add_char(out, '}');
		separator = ", ";
	}
	strbuf_add_char(out, ']');
}

static void json_add_side(struct strbuf *out, const char *side)
{
	if (side)
		strbuf_printf(out, "\"side\": \"%s\", ", side);
}

static void render_json(const struct diag_view *view, const char *side, struct strbuf *out)
{
	strbuf_printf(out, "{\"severity\": \"%s\", \"name\": \"%s\", ",
		      view->severity == DIAG_ERROR ? "error" : "warning", diag_name(view->id));
	json_add_side(out, side);
	strbuf_add_text(out, "\"message\": ");
	json_add(out, view->text);
	json_add_place(out, view->place);
	json_add_notes(out, view);
	json_add_helps(out, view);
	strbuf_add_char(out, '}');
}

/* ---- GitHub ---- */

/* A property: `%`, `,` and `:` would end it, and nothing in it is invisible. */
static void github_add(struct strbuf *out, const char *text, const char *escaped)
{
	for (size_t size = strlen(text), length; size; text += length, size -= length) {
		uint32_t code;
		length = utf8_decode(text, size, &code);
		bool shown = length && code >= 0x20 && !is_unseen(code) && !strchr(escaped, *text);
		length = length ? length : 1;
		for (size_t i = 0; i < length; i++)
			if (shown)
				strbuf_add_char(out, text[i]);
			else
				strbuf_printf(out, "%%%02X", (unsigned char)text[i]);
	}
}

/* A message, in which nothing is invisible. */
static void github_add_message(struct strbuf *out, const char *text)
{
	struct strbuf visible = STRBUF_INIT;
	text_add_visible(&visible, text, strlen(text));
	github_add(out, visible.bytes, "%");
	strbuf_release(&visible);
}

/* A file of a revision is not the file of that name that is looked at: its place stands in the message. */
static bool github_has_file(const struct source *source)
{
	return source && !*source->label;
}

/* "OLD: ", and a place that is no property. */
static void github_add_origin(struct strbuf *out, struct span place, const char *side)
{
	if (side)
		strbuf_printf(out, "%s: ", strcmp(side, "old") == 0 ? "OLD" : "NEW");
	if (!place.source || github_has_file(place.source))
		return;
	struct position at = source_position(place.source, place.begin);
	github_add_message(out, place.source->label);
	github_add_message(out, place.source->path);
	strbuf_printf(out, ":%u:%u: ", at.line, at.column);
}

/* Of a mistake in a layer, whose policy it is: an annotation stands in the layer. */
static void github_add_trail(struct strbuf *out, const struct source *source)
{
	for (; source && source->extended_from.source; source = source->extended_from.source) {
		struct span from = source->extended_from;
		strbuf_add_text(out, "%0A");
		github_add_message(out, from.source->label);
		github_add_message(out, from.source->path);
		strbuf_printf(out, ":%u: ", source_position(from.source, from.begin).line);
		github_add_message(out, path_base(source->path));
		strbuf_add_text(out, " is brought in here");
	}
}

static void render_github(const struct diag_view *view, const char *side, struct strbuf *out)
{
	strbuf_printf(out, "::%s ", view->severity == DIAG_ERROR ? "error" : "warning");
	if (github_has_file(view->place.source)) {
		struct position at = source_position(view->place.source, view->place.begin);
		strbuf_add_text(out, "file=");
		github_add(out, view->place.source->path, "%,:");
		strbuf_printf(out, ",line=%u,col=%u,", at.line, at.column);
	}
	strbuf_printf(out, "title=%s::", diag_name(view->id));
	github_add_origin(out, view->place, side);
	github_add_message(out, view->text);
	for (const struct part *part = view->parts; part; part = part->next) {
		strbuf_add_text(out, part->kind == PART_FIX ? "%0A    " : "%0A");
		if (part->kind == PART_NOTE && part->place.source) {
			github_add_message(out, part->place.source->label);
			github_add_message(out, part->place.source->path);
			strbuf_printf(out, ":%u: ",
				      source_position(part->place.source, part->place.begin).line);
		}
		github_add_message(out, part->text);
	}
	github_add_trail(out, view->place.source);
	strbuf_add_char(out, '\n');
}

/* ---- all ---- */

static int by_place(const void *left, const void *right)
{
	return diag_stands_before(left, right) ? -1 : 1;
}

static void render_troubles(const struct diags *diags, enum diag_format format, struct strbuf *out,
			    const char **separator)
{
	for (size_t i = 0; i < diags_trouble_count(diags); i++) {
		const char *text = diags_trouble(diags, i);
		if (diags_told_before(diags, (struct span){ 0 }, text, NULL))
			continue;
		if (format == DIAG_JSON) {
			strbuf_printf(out, "%s{\"severity\": \"trouble\", ", *separator);
			json_add_side(out, diags_side(diags));
			strbuf_add_text(out, "\"message\": ");
			json_add(out, text);
			strbuf_add_char(out, '}');
			*separator = ",\n ";
		} else {
			strbuf_add_text(out, format == DIAG_GITHUB ? "::error::" : "allowc: ");
			if (format == DIAG_GITHUB)
				github_add_message(out, text);
			else
				add_text(out, text);
			strbuf_add_char(out, '\n');
		}
	}
}

/* "3 more errors and 1 more warning not shown"; empty where nothing was left out. */
static void hidden_add(const struct diags *diags, struct strbuf *out)
{
	size_t errors = diags_hidden_errors(diags), warnings = diags_hidden_warnings(diags);
	if (errors)
		strbuf_printf(out, "%zu more error%s", errors, errors == 1 ? "" : "s");
	if (errors && warnings)
		strbuf_add_text(out, " and ");
	if (warnings)
		strbuf_printf(out, "%zu more warning%s", warnings, warnings == 1 ? "" : "s");
	if (errors || warnings)
		strbuf_add_text(out, " not shown; --max-errors 0 shows all");
}

static void render_notice(const struct diags *diags, enum diag_format format, const char *file,
			  const char *text, struct strbuf *out, const char **separator)
{
	if (format == DIAG_JSON) {
		strbuf_printf(out, "%s{\"severity\": \"note\", ", *separator);
		json_add_side(out, diags_side(diags));
		strbuf_add_text(out, "\"message\": ");
		json_add(out, text);
		strbuf_add_text(out, file ? ", \"file\": " : "");
		if (file)
			json_add(out, file);
		strbuf_add_char(out, '}');
		*separator = ",\n ";
	} else if (format == DIAG_GITHUB) {
		strbuf_add_text(out, file ? "::notice file=" : "::notice");
		if (file)
			github_add(out, file, "%,:");
		strbuf_add_text(out, "::");
		github_add_message(out, text);
		strbuf_add_char(out, '\n');
	} else {
		strbuf_add_text(out, "allowc: ");
		add_text(out, text);
		strbuf_add_char(out, '\n');
	}
}

static void render_overflow(const struct diags *diags, enum diag_format format, struct strbuf *out,
			    const char **separator)
{
	struct strbuf text = STRBUF_INIT;
	hidden_add(diags, &text);
	if (text.size)
		render_notice(diags, format, NULL, text.bytes, out, separator);
	strbuf_release(&text);
}

/* Whether a trouble says which policy it is about: "cannot read 'p1.allow': …". */
static bool trouble_names(const struct diags *diags, const char *policy)
{
	struct strbuf name = STRBUF_INIT;
	strbuf_printf(&name, "'%s'", policy);
	bool found = false;
	for (size_t i = 0; i < diags_trouble_count(diags) && !found; i++)
		found = strstr(diags_trouble(diags, i), name.bytes) != NULL;
	strbuf_release(&name);
	return found;
}

/*
 * A mistake in a layer that several share is told for the first of them: the others are named by this alone.
 */
static void render_policy(const struct diags *diags, enum diag_format format, bool error_shown,
			  struct strbuf *out, const char **separator)
{
	const char *policy = diags_policy(diags);
	if (!policy || !diags_exit_status(diags) || error_shown || trouble_names(diags, policy))
		return;
	const char *file = strcmp(policy, "-") == 0 ? "<stdin>" : policy;
	struct strbuf text = STRBUF_INIT;
	strbuf_printf(&text, "'%s' is %s told above", file,
		      diags_in_trouble(diags) ? "stopped by the trouble" : "rejected for what is");
	render_notice(diags, format, file, text.bytes, out, separator);
	strbuf_release(&text);
}

static void render_one(const struct diag_view *view, const struct diags *diags, enum diag_format format,
		       bool colour, struct strbuf *out, const char **separator)
{
	if (format == DIAG_JSON) {
		strbuf_add_text(out, *separator);
		render_json(view, diags_side(diags), out);
		*separator = ",\n ";
	} else if (format == DIAG_GITHUB) {
		render_github(view, diags_side(diags), out);
	} else {
		render_text(view, colour ? &coloured : &plain, out);
	}
}

void diags_render(const struct diags *diags, enum diag_format format, bool colour, struct strbuf *out)
{
	size_t count = diags_count(diags);
	struct diag_view *views = calloc(count + 1, sizeof *views);
	if (!views)
		die_out_of_memory();
	for (size_t i = 0; i < count; i++)
		views[i] = diags_view(diags, i);
	qsort(views, count, sizeof *views, by_place);
	const char *separator = "";
	bool news = !count; /* where all that is shown was told, so was how much is not */
	bool error_shown = false;
	if (format == DIAG_JSON)
		strbuf_add_char(out, '[');
	for (size_t i = 0; i < count; i++) {
		if (diags_told_before(diags, views[i].place, views[i].text, views[i].parts))
			continue;
		news = true;
		error_shown |= views[i].severity == DIAG_ERROR;
		render_one(&views[i], diags, format, colour, out, &separator);
	}
	render_troubles(diags, format, out, &separator);
	if (news)
		render_overflow(diags, format, out, &separator);
	render_policy(diags, format, error_shown, out, &separator);
	if (format == DIAG_JSON)
		strbuf_add_text(out, "]\n");
	free(views);
}
