#include "compiler/import/import_print.h"

#include <string.h>

#include "backends/quote.h"
#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
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
};

static const char *const verbs[IMPORT_VERDICTS] = { "allow", "forbid", "decline" };
static const char *const pasts[IMPORT_VERDICTS] = { "allowed", "forbidden", "declined" };

static void comment_add(struct printer *printer, const char *text)
{
	strbuf_add_text(&printer->text, "# ");
	quote_text_line(&printer->text, text);
	strbuf_add_char(&printer->text, '\n');
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
		strbuf_add_text(&printer->text, "# ");
		import_place_add(&printer->text, use->list, (struct span){ 0 });
		strbuf_add_char(&printer->text, '\n');
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

static void reason_add(struct printer *printer, const struct import_name *name, enum import_verdict verdict)
{
	const char *reason = NULL;
	for (size_t i = 0; i < name->count && !reason; i++)
		if (name->uses[i].entry->verdict == verdict)
			reason = name->uses[i].entry->reason;
	if (!reason || !reason[strspn(reason, " \t\n")])
		return;
	strbuf_add_text(&printer->text, "  because ");
	quote_allow(&printer->text, slice_fold(printer->import->compilation->arena, slice_of(reason)));
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
	strbuf_printf(&printer->text, "%s %s", verbs[verdict],
		      command_as_subject(printer->import->compilation->arena, name->command));
	adr_add(printer, adr_of(name, verdict));
	reason_add(printer, name, verdict);
	paths_add(printer, name, verdict);
	strbuf_add_char(&printer->text, '\n');
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

static void fault_print(struct printer *printer, const struct import_line *line)
{
	const struct import_entry *entry = line->first.entry;
	fault_report(printer, line);
	comment_add(printer, arena_printf(printer->import->compilation->arena, "%s '%s' %s",
					  verbs[entry->verdict], entry->command, line->fault));
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
		out->size--;
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

/* As `allowc fmt` has it; a text that is no policy is a mistake of ours. */
static void layout_print(struct printer *printer, struct strbuf *out)
{
	struct compilation compilation = compilation_begin(1);
	const struct source *source =
		sources_add(compilation.sources, "imported", printer->text.bytes, printer->text.size);
	if (!layout_make(&compilation, source, out))
		diag_trouble(printer->import->compilation->diags,
			     "internal error: what was imported makes no policy");
	compilation_end(&compilation);
}

void import_print(struct import *import, const struct import_union *all, struct strbuf *out)
{
	struct printer printer = { .import = import, .all = all, .text = STRBUF_INIT };
	head_print(&printer);
	for (size_t i = 0; i < all->count; i++) {
		group_follow(&printer, &all->lines[i].first);
		if (all->lines[i].name)
			name_print(&printer, all->lines[i].name);
		else
			fault_print(&printer, &all->lines[i]);
	}
	import_tools_print(import, all, &printer.text);
	import_profile_print(import, &printer.text);
	layout_print(&printer, out);
	strbuf_release(&printer.text);
}
