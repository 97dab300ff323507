/*
 * What a project has: the names of --symbol, blanks between, then each file behind a line "=== PATH" (the name
 * decides how it is read). A policy comes of it, or an error was reported, never an internal one. Where
 * nothing was said against the files, what is printed has the canonical layout and allows only what some list
 * allows; what one file alone forbids is forbidden by all of them together.
 */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import.h"
#include "compiler/import/import_drift.h"
#include "compiler/import/import_formats.h"
#include "compiler/import/import_print.h"
#include "compiler/import/import_union.h"
#include "compiler/layout/layout.h"
#include "compiler/policy/row_subject.h"
#include "tests/fuzz/input.h"

enum { SYMBOLS_MAX = 8, FILES_MAX = 8 };

struct given {
	const char *symbols[SYMBOLS_MAX];
	size_t symbol_count;
	struct input_file files[FILES_MAX];
	size_t file_count;
};

/* ---- the input ---- */

static void symbols_cut(struct given *given, struct arena *arena, struct input words)
{
	for (size_t at = 0, size; at < words.size && given->symbol_count < SYMBOLS_MAX; at += size + 1) {
		for (size = 0; at + size < words.size && !ascii_is_space(words.bytes[at + size]);)
			size++;
		if (size)
			given->symbols[given->symbol_count++] =
				input_text(arena, (struct input){ words.bytes + at, size });
	}
}

static struct given given_cut(struct arena *arena, struct input left)
{
	struct given given = { .file_count = 0 };
	struct input name, next;
	symbols_cut(&given, arena, input_cut(&left, "=== ", &name));
	for (; name.size && given.file_count < FILES_MAX; name = next) {
		struct input text = input_cut(&left, "=== ", &next);
		given.files[given.file_count++] = (struct input_file){ input_text(arena, name), text };
	}
	return given;
}

/* ---- a run ---- */

/* Of some of the files: what is printed, and whether nothing was said against them. */
struct run {
	struct compilation compilation;
	struct import import;
	struct import_union all;
	struct strbuf policy;
	bool good;
};

static bool files_read(struct run *run, const struct input_file *files, size_t count)
{
	struct compilation *compilation = &run->compilation;
	bool good = true;
	for (size_t i = 0; i < count; i++) {
		/* A copy of its own, so that a byte read past its end is seen. */
		struct input text = files[i].text;
		const char *copy = arena_copy(compilation->arena, text.bytes, text.size);
		good &= import_file(&run->import,
				    sources_add(compilation->sources, files[i].path, copy, text.size));
	}
	return good;
}

static struct run run_begin(struct given *given, const struct input_file *files, size_t count)
{
	struct run run = { .compilation = compilation_begin(20), .policy = STRBUF_INIT };
	struct strbuf drift = STRBUF_INIT;
	run.import.compilation = &run.compilation;
	run.import.symbols = given->symbols;
	run.import.symbol_count = given->symbol_count;
	run.import.symbols_found = arena_array(run.compilation.arena, SYMBOLS_MAX, sizeof(bool));
	bool read = files_read(&run, files, count);
	if (read) {
		run.all = import_unite(&run.import);
		import_print(&run.import, &run.all, &run.policy);
		import_drift(&run.import, &run.all, 20, &drift);
	}
	run.good = read && diags_exit_status(run.compilation.diags) == 0;
	strbuf_release(&drift);
	return run;
}

static void run_end(struct run *run)
{
	strbuf_release(&run->policy);
	compilation_end(&run->compilation);
}

/* ---- what holds ---- */

static void layout_check(const struct strbuf *policy)
{
	struct compilation compilation = compilation_begin(20);
	struct strbuf again = STRBUF_INIT;
	const char *copy = arena_copy(compilation.arena, policy->bytes, policy->size);
	const struct source *source = sources_add(compilation.sources, INPUT_FIRST, copy, policy->size);
	bool parses = layout_make(&compilation, source, &again);
	REQUIRE_OR(parses, "%s", policy->bytes);
	REQUIRE_OR(again.size == policy->size && memcmp(again.bytes, policy->bytes, again.size) == 0,
		   "printed:\n%s\nlaid out:\n%s", policy->bytes, again.bytes);
	strbuf_release(&again);
	compilation_end(&compilation);
}

/* The rows of commands, each up to its attributes: "allow git". What the kernel is asked for is none. */
static struct map *rows_find(struct arena *arena, const struct strbuf *policy)
{
	static const char *const verbs[] = { "allow ", "forbid ", "decline " };
	struct map *rows = map_new(arena, 0);
	for (const char *line = policy->bytes, *end; (end = strchr(line, '\n')); line = end + 1) {
		const char *attributes = strstr(line, "  ");
		for (size_t i = 0; i < sizeof verbs / sizeof *verbs && attributes && attributes < end; i++) {
			size_t size = strlen(verbs[i]);
			if (strncmp(line, verbs[i], size) != 0 || strncmp(line + size, "syscall ", 8) == 0 ||
			    strncmp(line + size, "CAP_", 4) == 0)
				continue;
			*map_at(rows, line, (size_t)(attributes - line)) = (void *)policy;
		}
	}
	return rows;
}

static bool has_row(const struct map *rows, struct arena *arena, const char *verb, const char *command)
{
	const char *row = arena_printf(arena, "%s %s", verb, command_as_subject(arena, command));
	return map_value(rows, row, strlen(row)) != NULL;
}

/* A command is allowed where some list allows it, and forbidden where one forbids it. */
static void rows_check(const struct run *run)
{
	struct arena *arena = run->compilation.arena;
	const struct map *rows = rows_find(arena, &run->policy);
	for (size_t i = 0; i < run->all.count; i++) {
		const struct import_name *name = run->all.lines[i].name;
		if (!name)
			continue;
		REQUIRE_OR(has_row(rows, arena, "allow", name->command) ==
				   (import_use_of(name, IMPORT_ALLOW) != NULL),
			   "%s in\n%s", name->command, run->policy.bytes);
		REQUIRE_OR(has_row(rows, arena, "forbid", name->command) ==
				   (import_use_of(name, IMPORT_FORBID) != NULL),
			   "%s in\n%s", name->command, run->policy.bytes);
	}
}

/* What a file alone forbids, it forbids among others. */
static void refusals_check(struct given *given, const struct run *together)
{
	struct arena *arena = together->compilation.arena;
	const struct map *rows = rows_find(arena, &together->policy);
	for (size_t i = 0; i < given->file_count; i++) {
		struct run alone = run_begin(given, &given->files[i], 1);
		for (size_t k = 0; alone.good && k < alone.all.count; k++) {
			const struct import_name *name = alone.all.lines[k].name;
			if (name && import_use_of(name, IMPORT_FORBID))
				REQUIRE_OR(has_row(rows, arena, "forbid", name->command),
					   "%s of %s in\n%s", name->command, given->files[i].path,
					   together->policy.bytes);
		}
		run_end(&alone);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct given given = given_cut(arena, input_of(data, size));
	struct run run = run_begin(&given, given.files, given.file_count);
	input_check(&run.compilation, run.good);
	if (run.good) {
		layout_check(&run.policy);
		rows_check(&run);
		if (given.file_count > 1)
			refusals_check(&given, &run);
	}
	run_end(&run);
	arena_free(arena);
	return 0;
}
