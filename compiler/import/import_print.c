#include "compiler/import/import_print.h"

#include <string.h>

#include "backends/quote.h"
#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/utf8.h"
#include "compiler/import/import.h"
#include "compiler/import/import_profile.h"
#include "compiler/import/import_tools.h"
#include "compiler/import/import_union.h"
#include "compiler/layout/layout.h"
#include "compiler/policy/adr.h"
#include "compiler/policy/adr_slice.h"
#include "compiler/policy/resolver.h"
#include "compiler/policy/row_subject.h"

/* Of a policy's name, as far as a file's is taken; of a command that a message shows. */
enum { NAME_BYTES = 48, SHOWN_BYTES = 80 };

struct printer {
	struct import *import;
	const struct import_union *all;
	struct strbuf text;
	const struct import_list *list; /* of the row before */
	const char *group;              /* likewise */
	struct span place;              /* of the entry that is printed */
};

static const char *const verbs[IMPORT_VERDICTS] = { "allow", "forbid", "decline" };
static const char *const pasts[IMPORT_VERDICTS] = { "allowed", "forbidden", "declined" };

/* ---- lines ---- */

/* What began at `begin` is a line; one that no policy may have is an error, and left out. */
static void line_end(struct printer *printer, size_t begin, const char *what)
{
	if (printer->text.size - begin <= LINE_SIZE_MAX) {
		strbuf_add_char(&printer->text, '\n');
		return;
	}
	printer->text.size = begin;
	struct diagnostic *d = diag_report(printer->import->compilation->diags, DIAG_LIMIT, printer->place,
					   "%s would be a line longer than %d MiB in the policy", what,
					   LINE_SIZE_MAX / MIB);
	diag_help(d, "it is left out: make it shorter");
}

static void comment_add(struct printer *printer, const char *text)
{
	size_t begin = printer->text.size;
	strbuf_add_text(&printer->text, "# ");
	quote_text_line(&printer->text, text);
	line_end(printer, begin, "a comment above this");
}

/* ---- what is reported ---- */

static void fault_report(const struct printer *printer, const struct import_line *line)
{
	const struct import_entry *entry = line->first.entry;
	const char *subject =
		strlen(entry->command) <= SHOWN_BYTES
			? arena_printf(printer->import->compilation->arena, "'%s'", entry->command)
			: "this command";
	struct diagnostic *d = diag_report(printer->import->compilation->diags, DIAG_IMPORT_ENTRY,
					   entry->place, "%s %s", subject, line->fault);
	if (line->mend)
		diag_help(d, "%s", line->mend);
	else
		diag_help(d, "it stands in the policy as a comment");
}

static void conflict_report(const struct printer *printer, const struct import_name *name)
{
	const struct import_use *first = &name->uses[0], *other = first;
	while (other->entry->verdict == first->entry->verdict)
		other++;
	struct diagnostic *d =
		diag_report(printer->import->compilation->diags, DIAG_IMPORT_CONFLICT, other->entry->place,
			    "'%s' is %s here, and %s in another place", name->command,
			    pasts[other->entry->verdict], pasts[first->entry->verdict]);
	diag_note(d, first->entry->place, "%s here", pasts[first->entry->verdict]);
	diag_help(d, "the policy has both rows, which do not compile: keep the one that is meant");
}

static void wider_report(struct printer *printer, const struct import_name *name)
{
	for (size_t i = 0; i < name->count; i++) {
		const struct import_entry *entry = name->uses[i].entry;
		if (!entry->wider)
			continue;
		struct diagnostic *d = diag_report(printer->import->compilation->diags, DIAG_IMPORT_WIDER,
						   entry->place, "'%s' %s", entry->command, entry->wider);
		diag_help(d, "leave the row out where that is too much");
		comment_add(printer, arena_printf(printer->import->compilation->arena, "'%s' %s",
						  entry->command, entry->wider));
	}
}

/* ---- headings ---- */

static void heading_add(struct printer *printer, const char *lines)
{
	while (lines) {
		const char *end = strchrnul(lines, '\n');
		comment_add(printer,
			    arena_copy(printer->import->compilation->arena, lines, (size_t)(end - lines)));
		lines = *end ? end + 1 : NULL;
	}
}

/* Where rows come from more than one list, it is said where each list's begin. */
static void group_follow(struct printer *printer, const struct import_use *use)
{
	const char *group = use->entry->group;
	bool other_list = use->list != printer->list;
	if (!other_list && group == printer->group)
		return;
	printer->list = use->list;
	printer->group = group;
	strbuf_add_char(&printer->text, '\n');
	if (other_list && printer->import->count > 1) {
		size_t begin = printer->text.size;
		strbuf_add_text(&printer->text, "# ");
		import_place_add(&printer->text, use->list, (struct span){ 0 });
		line_end(printer, begin, "the name of this list");
	}
	heading_add(printer, group);
}

/* ---- rows ---- */

/* The one that all places propose; NULL where none does, or two differ. */
static const char *adr_of(const struct import_name *name, enum import_verdict verdict)
{
	const char *adr = NULL;
	for (size_t i = 0; i < name->count; i++) {
		const struct import_entry *entry = name->uses[i].entry;
		if (entry->verdict != verdict || !entry->adr)
			continue;
		if (adr && strcmp(adr, entry->adr) != 0)
			return NULL;
		adr = entry->adr;
	}
	return adr;
}

static void adr_add(struct printer *printer, const char *adr)
{
	const char *scope;
	unsigned long number;
	strbuf_add_text(&printer->text, "  adr ");
	if (!adr)
		strbuf_add_char(&printer->text, '?');
	else if (adr_reference_parse(printer->import->compilation, adr, &scope, &number))
		strbuf_add_text(&printer->text, adr);
	else
		quote_allow(&printer->text, adr);
}

static bool reason_check(struct printer *printer, const struct import_entry *entry, const char *reason)
{
	size_t length = utf8_length(reason);
	if (length <= REASON_LENGTH_MAX)
		return true;
	struct diagnostic *d = diag_report(printer->import->compilation->diags, DIAG_LIMIT, entry->place,
					   "the reason of '%s' has %zu characters, more than %d",
					   entry->command, length, REASON_LENGTH_MAX);
	diag_help(d, "the row has none: long arguments belong in the ADR");
	return false;
}

static void reason_add(struct printer *printer, const struct import_name *name, enum import_verdict verdict)
{
	const struct import_entry *entry = NULL;
	for (size_t i = 0; i < name->count && !entry; i++)
		if (name->uses[i].entry->verdict == verdict && name->uses[i].entry->reason)
			entry = name->uses[i].entry;
	if (!entry || !entry->reason[strspn(entry->reason, " \t\n")])
		return;
	const char *reason = slice_fold(printer->import->compilation->arena, slice_of(entry->reason));
	if (!reason_check(printer, entry, reason))
		return;
	strbuf_add_text(&printer->text, "  because ");
	quote_allow(&printer->text, reason);
}

/* Each once. */
static void paths_add(struct printer *printer, const struct import_name *name, enum import_verdict verdict)
{
	struct map *known = NULL;
	for (size_t i = 0; i < name->count; i++) {
		const struct import_entry *entry = name->uses[i].entry;
		if (entry->verdict != verdict || !entry->path)
			continue;
		strbuf_add_text(&printer->text, known ? "" : "  path ");
		if (!known)
			known = map_new(printer->import->compilation->arena, 0);
		else if (map_value(known, entry->path, strlen(entry->path)))
			continue;
		else
			strbuf_add_text(&printer->text, ", ");
		*map_at(known, entry->path, strlen(entry->path)) = (void *)entry;
		quote_allow(&printer->text, entry->path);
	}
}

static void row_add(struct printer *printer, const struct import_name *name, enum import_verdict verdict)
{
	size_t begin = printer->text.size;
	strbuf_printf(&printer->text, "%s %s", verbs[verdict],
		      command_as_subject(printer->import->compilation->arena, name->command));
	adr_add(printer, adr_of(name, verdict));
	reason_add(printer, name, verdict);
	paths_add(printer, name, verdict);
	line_end(printer, begin, "this row");
}

static void name_print(struct printer *printer, const struct import_name *name)
{
	bool conflict = import_is_conflict(name);
	if (conflict) {
		conflict_report(printer, name);
		comment_add(printer, "keep one of these rows");
	}
	wider_report(printer, name);
	for (enum import_verdict verdict = 0; verdict < IMPORT_VERDICTS; verdict++)
		if (import_use_of(name, verdict))
			row_add(printer, name, verdict);
}

/* Of what is longer than any command the beginning. */
static const char *command_shown(struct arena *arena, const char *command)
{
	size_t size = COMMAND_SIZE_MAX;
	if (strlen(command) <= size)
		return command;
	while (((unsigned char)command[size] & 0xc0) == 0x80) /* within a character */
		size--;
	return arena_printf(arena, "%.*s…", (int)size, command);
}

static void fault_print(struct printer *printer, const struct import_line *line)
{
	const struct import_entry *entry = line->first.entry;
	struct arena *arena = printer->import->compilation->arena;
	fault_report(printer, line);
	comment_add(printer, arena_printf(arena, "%s '%s' %s", verbs[entry->verdict],
					  command_shown(arena, entry->command), line->fault));
}

/* ---- the whole ---- */

/* "Phase 7.py" is "phase-7", "try.py" "try-policy"; "imported" where no letter is left. */
static void policy_name_add(struct strbuf *out, const char *path)
{
	const char *name = path_base(path), *dot = strchr(name + (*name == '.'), '.');
	size_t size = dot ? (size_t)(dot - name) : strlen(name), before = out->size;
	size = size < NAME_BYTES ? size : NAME_BYTES;
	for (size_t i = 0; i < size; i++) {
		char c = ascii_lower(name[i]);
		bool begins = out->size == before;
		if (ascii_is_lower(c) || (!begins && (ascii_is_digit(c) || c == '_')))
			strbuf_add_char(out, c);
		else if (!begins && out->bytes[out->size - 1] != '-')
			strbuf_add_char(out, '-');
	}
	while (out->size > before && out->bytes[out->size - 1] == '-')
		out->bytes[--out->size] = '\0';
	if (out->size == before)
		strbuf_add_text(out, "imported");
	if (name_is_keyword(out->bytes + before))
		strbuf_add_text(out, "-policy");
}

static void head_print(struct printer *printer)
{
	const struct import *import = printer->import;
	const struct source *first = import->count     ? import->lists[0]->source
				     : import->profile ? import->profile->source
						       : NULL;
	comment_add(
		printer,
		"Imported by allowc. A row with `adr ?` is open: it compiles when the ADR that decided it "
		"stands there.");
	strbuf_add_text(&printer->text, "policy ");
	policy_name_add(&printer->text,
			first && *first->path != '<' ? first->path : ""); /* "<stdin>" names nothing */
	strbuf_add_char(&printer->text, '\n');
}

static void internal_report(struct printer *printer, const struct diags *inner)
{
	struct strbuf text = STRBUF_INIT;
	diags_render(inner, DIAG_TEXT, false, &text);
	diag_trouble(printer->import->compilation->diags,
		     "internal error: what was imported makes no policy: %.*s",
		     (int)strcspn(text.bytes, "\n"), text.bytes);
	strbuf_release(&text);
}

/* As `allowc fmt` has it; a text that is no policy is a mistake of ours. */
static void layout_print(struct printer *printer, struct strbuf *out)
{
	struct compilation compilation = compilation_begin(1);
	const struct source *source =
		sources_add(compilation.sources, "imported", printer->text.bytes, printer->text.size);
	if (!layout_make(&compilation, source, out))
		internal_report(printer, compilation.diags);
	compilation_end(&compilation);
}

/* A heading of many aliases stands above each: a short file may become a long policy. */
static bool has_room(const struct printer *printer)
{
	return printer->text.size <= SOURCE_SIZE_MAX;
}

static void report_size(struct printer *printer)
{
	struct diagnostic *d = diag_report(printer->import->compilation->diags, DIAG_LIMIT, printer->place,
					   "the policy up to here would be larger than %d MiB",
					   SOURCE_SIZE_MAX / MIB);
	diag_help(d, "import fewer lists at once");
}

void import_print(struct import *import, const struct import_union *all, struct strbuf *out)
{
	struct printer printer = { .import = import, .all = all, .text = STRBUF_INIT };
	head_print(&printer);
	for (size_t i = 0; i < all->count && has_room(&printer); i++) {
		printer.place = all->lines[i].first.entry->place;
		group_follow(&printer, &all->lines[i].first);
		if (all->lines[i].name)
			name_print(&printer, all->lines[i].name);
		else
			fault_print(&printer, &all->lines[i]);
	}
	import_tools_print(import, all, &printer.text);
	import_profile_print(import, &printer.text);
	if (has_room(&printer))
		layout_print(&printer, out);
	else
		report_size(&printer);
	strbuf_release(&printer.text);
}
