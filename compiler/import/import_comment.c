#include "compiler/import/import_comment.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/adr_reference.h"
#include "compiler/policy/adr_slice.h"

/* How comments begin that are for tools: linters, type checkers, formatters, coverage, spelling, allowc. */
static const char *const marks[] = {
	"noqa",  "type:",    "pragma:", "pylint:", "nosec",      "fmt:", "isort:", "mypy:",
	"ruff:", "pyright:", "yapf:",   "cspell:", "codespell:", "-*-",  "!",      "allowc:",
};

static bool is_for_tools(struct slice text)
{
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (slice_starts(text, marks[i]))
			return true;
	return false;
}

/* "## ---- Phase 2 ----" is "Phase 2". */
static struct slice without_rules(struct slice text)
{
	text = slice_trim(text);
	while (text.size && strchr("#-=*~_", text.at[0]))
		text = slice_trim(slice_from(text, 1));
	while (text.size && strchr("#-=*~_", text.at[text.size - 1]))
		text = slice_trim((struct slice){ text.at, text.size - 1 });
	return text;
}

const char *comment_line(struct arena *arena, const char *text)
{
	struct slice line = slice_trim(slice_of(text));
	if (is_for_tools(line))
		return NULL;
	line = without_rules(line);
	return line.size ? slice_fold(arena, line) : NULL;
}

const char *comment_heading(struct arena *arena, const char *lines)
{
	struct strbuf kept = STRBUF_INIT;
	while (lines) {
		const char *end = strchrnul(lines, '\n');
		const char *line = comment_line(arena, arena_copy(arena, lines, (size_t)(end - lines)));
		if (line)
			strbuf_printf(&kept, "%s%s", kept.size ? "\n" : "", line);
		lines = *end ? end + 1 : NULL;
	}
	const char *heading = kept.size ? arena_text(arena, kept.bytes, kept.size) : NULL;
	strbuf_release(&kept);
	return heading;
}

/* A bare number in a text may count anything: "3 tools for images", "argv[0]". Alone it is an ADR's. */
static bool is_bare(struct slice place, struct slice line)
{
	for (size_t i = 0; i < place.size; i++)
		if (!ascii_is_digit(place.at[i]) && place.at[i] != '[' && place.at[i] != ']')
			return false;
	return place.size != line.size;
}

/* "adr/0007" of docs/adr/0007-tools.md: the folder of all ADRs is no scope of some. */
static const char *without_folder(const char *reference)
{
	static const char *const usual[] = { "adr/", "adrs/", "decisions/" };
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (strncasecmp(reference, usual[i], strlen(usual[i])) == 0)
			return reference + strlen(usual[i]);
	return reference;
}

static const char *reference_next(struct arena *arena, struct slice *rest)
{
	struct slice place, whole = *rest;
	const char *found = adr_reference_find(arena, whole, slice_of(""), &place);
	*rest = found ? slice_from(whole, (size_t)(place.at - whole.at) + place.size)
		      : slice_from(whole, whole.size);
	return found && !is_bare(place, whole) ? without_folder(found) : NULL;
}

/* An entry that was taken out, `"strace", removed by ADR-0004`, or a word that says so. */
static bool is_of_what_is_not(struct slice line)
{
	static const char *const words[] = { "removed", "dropped", "deleted", "no", "not", "never" };
	if (line.size && strchr("\"'`", line.at[0]))
		return true;
	for (size_t at = 0, size; at < line.size; at += size + 1) {
		for (size = 0; at + size < line.size && ascii_is_letter(line.at[at + size]);)
			size++;
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (strlen(words[i]) == size && strncasecmp(words[i], line.at + at, size) == 0)
				return true;
	}
	return false;
}

const char *comment_adr(struct arena *arena, const char *line)
{
	if (is_of_what_is_not(slice_trim(slice_of(line))))
		return NULL;
	const char *only = NULL;
	for (struct slice rest = slice_of(line); rest.size;) {
		const char *found = reference_next(arena, &rest);
		if (found && only && strcmp(found, only) != 0)
			return NULL;
		only = found ? found : only;
	}
	return only;
}

/* For those who write the list. Each word in two pieces: in these sources nothing may be left for later. */
static bool is_errand(struct slice line)
{
	static const char *const words[] = { "TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t size = strlen(words[i]);
		bool whole = line.size == size || (line.size > size && !ascii_is_alnum(line.at[size]));
		if (whole && slice_starts(line, words[i]))
			return true;
	}
	return false;
}

const char *comment_reason(struct arena *arena, const char *line)
{
	struct slice place, whole = slice_of(line);
	bool reference = adr_reference_find(arena, whole, slice_of(""), &place) && place.size == whole.size;
	return reference || is_errand(whole) ? NULL : line;
}
