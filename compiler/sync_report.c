#include "compiler/sync_report.h"

#include <errno.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/source.h"
#include "compiler/base/utf8.h"
#include "compiler/file.h"
#include "compiler/region.h"
#include "compiler/region_imports.h"

static struct diags *diags_of(const struct sync_request *request)
{
	return request->compilation->diags;
}

bool sync_trouble(const struct sync_request *request, const char *verb, int error)
{
	diag_trouble(diags_of(request), "cannot %s '%s': %s", verb, request->shown,
		     source_failure(request->compilation->arena, error, FILE_SIZE_MAX));
	return false;
}

bool sync_report_changed(const struct sync_request *request)
{
	diag_trouble(diags_of(request), "'%s' changed while allowc ran: nothing is written; run it again",
		     request->shown);
	return false;
}

bool sync_report_linked(const struct sync_request *request)
{
	diag_trouble(diags_of(request),
		     "'%s' has another name (a hard link), which would keep the old text: nothing is written",
		     request->shown);
	return false;
}

/* ---- the place ---- */

static bool place_refuse(const struct sync_request *request, const char *what)
{
	struct diagnostic *d =
		diag_report(diags_of(request), DIAG_OUTSIDE, request->place, "'%s' %s", request->shown, what);
	diag_help(d,
		  "sync writes below the nearest folder with a '.git', without one below the policy's, and "
		  "through no link; --allow-outside lets it");
	return false;
}

bool sync_report_input(const struct sync_request *request)
{
	struct diagnostic *d = diag_report(diags_of(request), DIAG_OUTSIDE, request->place,
					   "'%s' is a file that this run reads", request->shown);
	diag_help(d, "name a file that the policy is not made from");
	return false;
}

bool sync_report_state(const struct sync_request *request, enum sync_place_state state)
{
	switch (state) {
	case SYNC_PLACE_GOOD:
		return true;
	case SYNC_PLACE_OUTSIDE:
		return place_refuse(request, "is outside the project");
	case SYNC_PLACE_TURNS:
		return place_refuse(request, "turns back behind a folder's name");
	case SYNC_PLACE_LINK:
		return place_refuse(request, "leads through a symbolic link");
	case SYNC_PLACE_NO_FOLDER:
	case SYNC_PLACE_TROUBLE: /* the caller's: it has the errno value */
		break;
	}
	struct diagnostic *d = diag_report(diags_of(request), DIAG_OUTSIDE, request->place,
					   "'%s' has no folder to be in", request->shown);
	diag_help(d, "make that folder first: sync makes files only");
	return false;
}

bool sync_report_in_the_way(const struct sync_request *request, int error)
{
	const char *what = error == EISDIR ? "a folder" : "no plain file";
	diag_report(diags_of(request), DIAG_OUTPUT, request->place, "'%s' is %s", request->shown, what);
	return false;
}

bool sync_report_twice(const struct sync_request *request, struct span first)
{
	struct diagnostic *d = diag_report(diags_of(request), DIAG_OUTPUT, request->place,
					   "'%s' is written twice", request->shown);
	diag_note(d, first, "the first is here");
	diag_help(d, "give each a file, or each a region, of its own");
	return false;
}

/* ---- markers ---- */

struct comment {
	const char *open, *close;
	const char *ends; /* of files' names, a blank before and after each */
};

/* What no row names has '#'. */
static const struct comment comments[] = {
	{ "<!-- ", " -->", " .md .markdown .html .htm .xhtml .xml .svg .vue " },
	{ "/* ", " */",
	  " .c .h .cc .cpp .cxx .hh .hpp .hxx .js .jsx .mjs .cjs .ts .tsx .mts .cts .css .scss .less"
	  " .rs .go .java .kt .scala .swift .cs .php .proto " },
	{ "// ", "", " .adoc .asciidoc .asc " },
	{ ".. ", "", " .rst .rest " },
	{ "-- ", "", " .sql .lua .hs .adb .ads " },
	{ "; ", "", " .ini .el .lisp .scm .clj .asm " },
	{ "% ", "", " .tex .sty .erl " },
};

/* How a comment opens and closes in a file of this name. */
static struct comment comment_of(struct arena *arena, const char *path)
{
	const char *end = strrchr(path_base(path), '.');
	const char *word = arena_printf(arena, " %s ", end ? end : "#");
	for (size_t i = 0; i < sizeof comments / sizeof *comments; i++)
		if (strstr(comments[i].ends, word))
			return comments[i];
	return (struct comment){ "# ", "", "" };
}

static void markers_show(struct diagnostic *d, const struct sync_request *request)
{
	struct comment comment = comment_of(request->compilation->arena, request->written);
	diag_help(d, "put these two lines around what the artifact replaces, or where it belongs");
	diag_fix(d, "%sallowc:begin %s%s", comment.open, request->marker, comment.close);
	diag_fix(d, "%sallowc:end%s", comment.open, comment.close);
	if (request->region_only && memmem(request->bytes, request->size, ": Final[", strlen(": Final[")))
		diag_help(d, "the file imports what the definition uses: from typing import Final");
}

bool sync_report_no_region(const struct sync_request *request, const char *what)
{
	struct diagnostic *d = diag_report(diags_of(request), DIAG_OUTPUT, request->place, what,
					   request->shown, request->marker);
	markers_show(d, request);
	return false;
}

bool sync_report_markers(const struct sync_request *request, const struct file_content *old,
			 const struct region_result *region)
{
	struct arena *arena = request->compilation->arena;
	const struct source *source =
		sources_add(request->compilation->sources,
			    arena_copy(arena, request->shown, strlen(request->shown)), old->bytes, old->size);
	size_t bom = source->has_bom ? 3 : 0;
	struct span at = { source, (uint32_t)(region->second - bom), (uint32_t)(region->second - bom) };
	struct span first = { source, (uint32_t)(region->first - bom), (uint32_t)(region->first - bom) };
	struct diagnostic *d = diag_report(diags_of(request), DIAG_REGION, at, "%s", region->why);
	if (region->first_is)
		diag_note(d, first, "%s", region->first_is);
	diag_note(d, request->place, "the policy writes into this file");
	diag_help(d, "each region is a line with allowc:begin NAME and, below it, one with allowc:end");
	return false;
}

bool sync_report_late_module(const struct sync_request *request)
{
	struct diagnostic *d =
		diag_report(diags_of(request), DIAG_REGION, request->place,
			    "code stands above the region '%s' of '%s', and a whole module cannot follow it",
			    request->marker, request->shown);
	diag_note(d, (struct span){ 0 },
		  "the module has 'from __future__', which Python takes below comments alone");
	diag_help(d, "name a file of its own, or one definition: region ALLOWED_BINARIES");
	return false;
}

void sync_report_imports(const struct sync_request *request, const struct region_import *missing,
			 size_t count)
{
	struct diagnostic *d =
		diag_report(diags_of(request), DIAG_REGION_IMPORT, request->place,
			    "the region '%s' of '%s' uses '%s', which the file does not import",
			    request->marker, request->shown, missing[0].name);
	diag_help(d, "write above it:");
	for (size_t i = 0; i < count; i++)
		diag_fix(d, "%s", missing[i].line);
}

/* ---- whose it is ---- */

/* JSON has no comments, and what is no text has no lines: neither can a file of such be marked. */
static bool can_hold_markers(const struct sync_request *request)
{
	return request->size && *request->bytes != '{' &&
	       utf8_text_size(request->bytes, request->size) == request->size;
}

bool sync_report_edited(const struct sync_request *request, const char *list)
{
	struct diagnostic *d =
		diag_report(diags_of(request), DIAG_OUTPUT, request->place,
			    "'%s' is not as allowc wrote it, by the hash in '%s'", request->shown, list);
	diag_help(d, "where nothing in it is yours, delete it and run again");
	if (can_hold_markers(request))
		markers_show(d, request);
	return false;
}

/* A run that was killed may have written it, and not the list: what is said is what the list says. */
bool sync_report_foreign(const struct sync_request *request, const char *list, bool marked)
{
	struct arena *arena = request->compilation->arena;
	const char *lacks = can_hold_markers(request)
				    ? arena_printf(arena, "has no region '%s'", request->marker)
				    : "is there";
	struct diagnostic *d = diag_report(diags_of(request), DIAG_OUTPUT, request->place,
					   "'%s' %s, and '%s' does not say that allowc wrote it",
					   request->shown, lacks, list);
	if (marked)
		diag_note(d, request->place,
			  "its first line is allowc's: a run that was killed may have left it");
	if (marked || !can_hold_markers(request))
		diag_help(d, "where nothing in it is yours, delete it and run again");
	if (can_hold_markers(request))
		markers_show(d, request);
	return false;
}

/* ---- the list ---- */

bool sync_report_list(const struct sync_request *request, unsigned line)
{
	struct diagnostic *d =
		diag_report(diags_of(request), DIAG_OUTPUT, request->place,
			    "'%s' is not the list that allowc wrote: line %u is no line of sha256sum",
			    request->shown, line);
	diag_help(d, "restore it; or delete it, and the files that sync shall write anew");
	return false;
}

void sync_report_orphan(const struct sync_request *request, const char *list, bool written)
{
	struct diagnostic *d = diag_report(
		diags_of(request), DIAG_ORPHAN, request->place,
		written ? "'%s' is no longer produced; it is not as allowc wrote it, by the hash in '%s', so "
			  "it stays"
			: "'%s' is no longer produced; '%s' does not say that allowc wrote it, so it stays",
		request->shown, list);
	diag_help(d, "delete it, or take its line out of %s", list);
}
