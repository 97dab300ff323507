#include "compiler/base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag_data.h"
#include "compiler/base/die.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/suggest.h"

enum { FIXED, OPEN };
enum { ERROR = DIAG_ERROR, WARNING = DIAG_WARNING, OFF = DIAG_OFF };

static const struct {
	const char *name;
	enum diag_severity severity;
	bool may_change;
} list[DIAG_COUNT] = {
#define X(id, name, severity, change, summary) { name, (enum diag_severity)(severity), (change) == OPEN },
	DIAG_LIST(X)
#undef X
};

struct diagnostic {
	struct arena *arena;
	struct diag_view view;
	struct part *first_part, *last_part;
};

struct setting {
	enum diag_severity severity;
	bool kept_warning; /* -Wno-error=name: -Werror leaves it a warning */
};

/* As they were reported; a heap once there was no room for one more: the last by place, at its top, goes. */
struct kept {
	struct diagnostic **items;
	size_t count, capacity;
	bool heap;
};

struct diags {
	struct arena *arena;
	size_t max_errors, errors, warnings;
	size_t errors_of[DIAG_COUNT];
	struct setting settings[DIAG_COUNT];
	bool all_errors; /* -Werror */
	const char *side; /* NULL: there is one policy */
	struct told *told; /* NULL: all of it is told */
	const char *policy; /* that is stopped; NULL where nobody asks which */
	struct kept kept_errors, kept_warnings;
	const char **troubles;
	size_t trouble_count, trouble_capacity;
};

struct diags *diags_new(struct arena *arena, size_t max_errors)
{
	struct diags *diags = arena_alloc(arena, sizeof *diags);
	diags->arena = arena;
	diags->max_errors = max_errors;
	for (size_t i = 0; i < DIAG_COUNT; i++)
		diags->settings[i].severity = list[i].severity;
	return diags;
}

const char *diag_name(enum diag_id id)
{
	return list[id].name;
}

bool diag_is_warning(enum diag_id id)
{
	return list[id].severity == DIAG_WARNING;
}

void diags_name_side(struct diags *diags, const char *side)
{
	diags->side = side;
}

const char *diags_side(const struct diags *diags)
{
	return diags->side;
}

/* ---- one mistake, told once ---- */

struct told {
	struct arena *arena;
	struct map *messages;
};

struct told *told_new(struct arena *arena)
{
	struct told *told = arena_alloc(arena, sizeof *told);
	*told = (struct told){ arena, map_new(arena, 0) };
	return told;
}

void diags_tell_once(struct diags *diags, struct told *told)
{
	diags->told = told;
}

void diags_name_policy(struct diags *diags, const char *path)
{
	diags->policy = path;
}

const char *diags_policy(const struct diags *diags)
{
	return diags->policy;
}

static void message_add(struct strbuf *key, struct span place, const char *text)
{
	const char *path = place.source ? place.source->path : "";
	strbuf_printf(key, "%u:%u:", place.begin, place.end);
	strbuf_add(key, path, strlen(path) + 1);
	strbuf_add(key, text, strlen(text) + 1);
}

bool diags_told_before(const struct diags *diags, struct span place, const char *text,
		       const struct part *parts)
{
	struct told *told = diags->told;
	if (!told)
		return false;
	struct strbuf key = STRBUF_INIT;
	message_add(&key, place, text);
	for (const struct part *part = parts; part; part = part->next)
		message_add(&key, part->place, part->text);
	bool before = map_find(told->messages, key.bytes, key.size) != NULL;
	if (!before)
		map_at(told->messages, arena_copy(told->arena, key.bytes, key.size), key.size);
	strbuf_release(&key);
	return before;
}

/* ---- -W ---- */

static const char *strip(const char *text, const char *prefix)
{
	size_t size = strlen(prefix);
	return strncmp(text, prefix, size) == 0 ? text + size : NULL;
}

static const char *name_unknown(struct diags *diags, const char *name)
{
	struct suggestion near = suggestion_begin(name);
	for (size_t i = 0; i < DIAG_COUNT; i++)
		suggestion_offer(&near, list[i].name);
	if (near.nearest)
		return arena_printf(diags->arena, "unknown diagnostic '%s'; did you mean '%s'?", name,
				    near.nearest);
	return arena_printf(diags->arena, "unknown diagnostic '%s'", name);
}

const char *diags_option(struct diags *diags, const char *option)
{
	if (strcmp(option, "all") == 0) {
		for (size_t i = 0; i < DIAG_COUNT; i++)
			diags->settings[i] = (struct setting){ .severity = list[i].severity };
		return NULL;
	}
	if (strcmp(option, "error") == 0 || strcmp(option, "no-error") == 0) {
		diags->all_errors = option[0] == 'e';
		return NULL;
	}
	const char *as_error = strip(option, "error="), *as_warning = strip(option, "no-error=");
	const char *off = as_warning ? NULL : strip(option, "no-");
	const char *name = as_error ? as_error : as_warning ? as_warning : off ? off : option;
	size_t i = 0;
	while (i < DIAG_COUNT && strcmp(list[i].name, name) != 0)
		i++;
	if (i == DIAG_COUNT)
		return name_unknown(diags, name);
	if (!list[i].may_change && (off || as_warning))
		return arena_printf(diags->arena, "'%s' is always an error", name);
	struct setting *setting = &diags->settings[i];
	setting->kept_warning = as_warning != NULL;
	if (off)
		setting->severity = DIAG_OFF;
	else if (as_warning)
		setting->severity = DIAG_WARNING;
	else if (as_error)
		setting->severity = DIAG_ERROR;
	else if (setting->severity == DIAG_OFF)
		setting->severity = list[i].severity == DIAG_OFF ? DIAG_WARNING : list[i].severity;
	return NULL;
}

/* ---- reporting ---- */

static enum diag_severity severity_now(const struct diags *diags, enum diag_id id)
{
	const struct setting *setting = &diags->settings[id];
	if (setting->severity == DIAG_WARNING && diags->all_errors && !setting->kept_warning)
		return DIAG_ERROR;
	return setting->severity;
}

bool diag_enabled(const struct diags *diags, enum diag_id id)
{
	return severity_now(diags, id) != DIAG_OFF;
}

static unsigned source_index(const struct diag_view *view)
{
	return view->place.source ? view->place.source->index : 0;
}

bool diag_stands_before(const struct diag_view *a, const struct diag_view *b)
{
	if (source_index(a) != source_index(b))
		return source_index(a) < source_index(b);
	if (a->place.begin != b->place.begin)
		return a->place.begin < b->place.begin;
	return a->order < b->order;
}

static bool kept_is_before(const struct kept *kept, size_t a, size_t b)
{
	return diag_stands_before(&kept->items[a]->view, &kept->items[b]->view);
}

static void kept_sink(struct kept *kept, size_t at)
{
	for (size_t later = at;; at = later) {
		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < kept->count; child++)
			if (kept_is_before(kept, later, child))
				later = child;
		if (later == at)
			return;
		struct diagnostic *item = kept->items[at];
		kept->items[at] = kept->items[later];
		kept->items[later] = item;
	}
}

/* The last by place of those that are kept. */
static struct diagnostic **kept_last(struct kept *kept)
{
	for (size_t i = kept->heap ? 0 : kept->count / 2; i-- > 0;)
		kept_sink(kept, i);
	kept->heap = true;
	return kept->items;
}

static void kept_add(struct arena *arena, struct kept *kept, struct diagnostic *diagnostic)
{
	kept->items =
		arena_grow(arena, kept->items, kept->count, &kept->capacity, sizeof(struct diagnostic *));
	kept->items[kept->count++] = diagnostic;
}

struct diagnostic *diag_report(struct diags *diags, enum diag_id id, struct span place, const char *format,
			       ...)
{
	enum diag_severity severity = severity_now(diags, id);
	if (severity == DIAG_OFF)
		return NULL;
	struct kept *kept = severity == DIAG_ERROR ? &diags->kept_errors : &diags->kept_warnings;
	const struct diag_view view = {
		.id = id,
		.severity = severity,
		.promoted = severity == DIAG_ERROR && list[id].severity == DIAG_WARNING,
		.place = place,
		.order = diags->errors + diags->warnings,
	};
	++*(severity == DIAG_ERROR ? &diags->errors : &diags->warnings);
	diags->errors_of[id] += severity == DIAG_ERROR;
	bool full = diags->max_errors && kept->count == diags->max_errors;
	if (full && !diag_stands_before(&view, &(*kept_last(kept))->view))
		return NULL;
	struct diagnostic *diagnostic = arena_alloc(diags->arena, sizeof *diagnostic);
	*diagnostic = (struct diagnostic){ .arena = diags->arena, .view = view };
	va_list arguments;
	va_start(arguments, format);
	diagnostic->view.text = arena_vprintf(diags->arena, format, arguments);
	va_end(arguments);
	if (!full) {
		kept_add(diags->arena, kept, diagnostic);
		return diagnostic;
	}
	*kept_last(kept) = diagnostic;
	kept_sink(kept, 0);
	return diagnostic;
}

static void part_add(struct diagnostic *diagnostic, enum part_kind kind, struct span place,
		     const char *format, va_list arguments)
{
	struct part *part = arena_alloc(diagnostic->arena, sizeof *part);
	part->kind = kind;
	part->place = place;
	part->text = arena_vprintf(diagnostic->arena, format, arguments);
	if (diagnostic->last_part)
		diagnostic->last_part->next = part;
	else
		diagnostic->first_part = part;
	diagnostic->last_part = part;
}

void diag_note(struct diagnostic *diagnostic, struct span place, const char *format, ...)
{
	if (!diagnostic)
		return;
	va_list arguments;
	va_start(arguments, format);
	part_add(diagnostic, PART_NOTE, place, format, arguments);
	va_end(arguments);
}

void diag_help(struct diagnostic *diagnostic, const char *format, ...)
{
	if (!diagnostic)
		return;
	va_list arguments;
	va_start(arguments, format);
	part_add(diagnostic, PART_HELP, diagnostic->view.place, format, arguments);
	va_end(arguments);
}

void diag_fix(struct diagnostic *diagnostic, const char *format, ...)
{
	if (!diagnostic)
		return;
	va_list arguments;
	va_start(arguments, format);
	part_add(diagnostic, PART_FIX, diagnostic->view.place, format, arguments);
	va_end(arguments);
}

void diag_trouble(struct diags *diags, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const char *text = arena_vprintf(diags->arena, format, arguments);
	va_end(arguments);
	diags->troubles = arena_grow(diags->arena, diags->troubles, diags->trouble_count,
				     &diags->trouble_capacity, sizeof(const char *));
	diags->troubles[diags->trouble_count++] = text;
}

size_t diags_errors(const struct diags *diags)
{
	return diags->errors;
}

size_t diags_errors_of(const struct diags *diags, enum diag_id id)
{
	return diags->errors_of[id];
}

size_t diags_warnings(const struct diags *diags)
{
	return diags->warnings;
}

bool diags_in_trouble(const struct diags *diags)
{
	return diags->trouble_count > 0;
}

int diags_exit_status(const struct diags *diags)
{
	if (diags->trouble_count)
		return EXIT_TROUBLE;
	return diags->errors ? 1 : 0;
}

size_t diags_count(const struct diags *diags)
{
	return diags->kept_errors.count + diags->kept_warnings.count;
}

struct diag_view diags_view(const struct diags *diags, size_t index)
{
	const struct kept *errors = &diags->kept_errors;
	const struct diagnostic *diagnostic = index < errors->count
						      ? errors->items[index]
						      : diags->kept_warnings.items[index - errors->count];
	struct diag_view view = diagnostic->view;
	view.parts = diagnostic->first_part;
	return view;
}

size_t diags_trouble_count(const struct diags *diags)
{
	return diags->trouble_count;
}

const char *diags_trouble(const struct diags *diags, size_t index)
{
	return diags->troubles[index];
}

static size_t past_limit(const struct diags *diags, size_t count)
{
	return diags->max_errors && count > diags->max_errors ? count - diags->max_errors : 0;
}

size_t diags_hidden_errors(const struct diags *diags)
{
	return past_limit(diags, diags->errors);
}

size_t diags_hidden_warnings(const struct diags *diags)
{
	return past_limit(diags, diags->warnings);
}
