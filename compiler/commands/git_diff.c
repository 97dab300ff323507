/*
 * allowc git-diff: what git starts to show a change, as its external diff or as its textconv
 * (gitattributes(5)).
 *
 * git hands over two texts and a path, and not which revisions they are of. So the layers, libraries and ADRs
 * of either side cannot be known here. Both texts are read above those of the working folder, in which git
 * starts its programs, and the output says so; where that makes no policy, the lines of the two texts are
 * compared and nothing is said of what they mean.
 */
#include <errno.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/limits.h"
#include "compiler/base/overlay.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/commands/command.h"
#include "compiler/commands/task.h"
#include "compiler/commands/terminal.h"
#include "compiler/diff/compare.h"
#include "compiler/diff/report.h"
#include "compiler/diff/side.h"
#include "compiler/difference.h"
#include "compiler/options.h"
#include "compiler/policy/layer_text.h"
#include "compiler/policy/parse.h"
#include "compiler/policy/policy.h"

/* Puts what the command has to say into `out`; returns the exit status. */
typedef int writer_function(struct arena *arena, char **arguments, struct strbuf *out);

static int file_trouble(const char *file, const char *why)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, "allowc: cannot read '");
	text_add_visible(&text, file, strlen(file));
	strbuf_printf(&text, "': %s\n", why);
	terminal_complain(&text);
	strbuf_release(&text);
	return EXIT_TROUBLE;
}

/* ---- lines of one text ---- */

/* False where the text does not parse: what is wrong with it is for `check` to show. */
static bool lines_add(const struct source *source, struct strbuf *out)
{
	struct compilation compilation = compilation_begin(1);
	struct ast_layer layer;
	bool parsed = layer_parse(&compilation, source, &layer);
	if (parsed)
		layer_text(compilation.arena, &layer, out);
	compilation_end(&compilation);
	return parsed;
}

static int textconv(struct arena *arena, char **arguments, struct strbuf *out)
{
	const char *file = arguments[1];
	const struct source *source = sources_load_argument(sources_new(arena), file);
	if (!source)
		return file_trouble(file, source_argument_failure(arena, errno, SOURCE_SIZE_MAX));
	if (!lines_add(source, out)) {
		strbuf_add_text(out, "allowc cannot parse this text: its lines as they are\n");
		layer_text_unread(source->text, source->size, out);
	}
	return 0;
}

/* ---- two versions of a file ---- */

struct version {
	const char *name; /* "before", "after" */
	const char *path; /* in the working folder */
	const char *file; /* that holds the text */
	const char *mode; /* "100644", "." where there is no file */
	bool absent;
	struct reading text;
	struct overlay overlay;
	struct side side;
};

static bool mode_is(const struct version *version, const char *kind)
{
	return strncmp(version->mode, kind, strlen(kind)) == 0;
}

/* What is no file has no policy in it, though git shows one: a link's target, a commit's number. */
static const char *not_a_file(const struct version *version)
{
	if (mode_is(version, "120"))
		return "a symbolic link";
	return mode_is(version, "160") ? "a submodule" : NULL;
}

static int version_read(struct arena *arena, struct version *version)
{
	const struct tree *files = tree_of_files();
	struct file_identity identity;
	version->absent = strcmp(version->file, "/dev/null") == 0;
	if (version->absent)
		return 0;
	int error = files->read(files, arena, version->file, NAMED_BY_POLICY, SOURCE_SIZE_MAX, &version->text,
				&identity);
	if (error)
		return file_trouble(version->file, source_failure(arena, error, SOURCE_SIZE_MAX));
	version->overlay = overlay_make(version->path, version->text);
	return 0;
}

static void version_open(struct version *version)
{
	side_open_through(&version->side, &version->overlay.tree, version->path, DEFAULT_MAX_ERRORS);
}

static void version_close(struct version *version)
{
	side_end(&version->side);
}

/* "before:policies/p.allow" */
static const char *version_title(struct arena *arena, const struct version *version)
{
	struct strbuf path = STRBUF_INIT;
	text_add_visible(&path, version->path, strlen(version->path));
	const char *title =
		version->absent ? "/dev/null" : arena_printf(arena, "%s:%s", version->name, path.bytes);
	strbuf_release(&path);
	return title;
}

/* The unified diff of what both say, of their very texts where one of them does not parse; whether there is
 * any. */
static bool lines_compare(struct arena *arena, const struct version *old, const struct version *now,
			  struct strbuf *out)
{
	const struct version *versions[] = { old, now };
	struct strbuf lines[] = { STRBUF_INIT, STRBUF_INIT };
	struct difference_side sides[2];
	size_t before = out->size;
	bool parsed = true;
	for (size_t i = 0; i < 2; i++) {
		const struct reading *text = &versions[i]->text;
		parsed &= versions[i]->absent || lines_add(sources_add(sources_new(arena), versions[i]->path,
								       text->bytes, text->size),
							   &lines[i]);
	}
	for (size_t i = 0; i < 2; i++) {
		if (!parsed) {
			lines[i].size = 0;
			layer_text_unread(versions[i]->text.bytes, versions[i]->text.size, &lines[i]);
		}
		sides[i] = (struct difference_side){ version_title(arena, versions[i]), lines[i].bytes,
						     lines[i].size };
	}
	difference_print(&sides[0], &sides[1], out);
	strbuf_release(&lines[0]);
	strbuf_release(&lines[1]);
	return out->size > before;
}

/* Paths are the same on both sides. */
static void diagnostics_add(const struct version *version, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;
	diags_render(version->side.compilation.diags, DIAG_TEXT, false, &text);
	if (text.size)
		strbuf_printf(out, "%s the change:\n%s", version->name, text.bytes);
	strbuf_release(&text);
}

static void policies_report(const struct version *old, struct version *now, struct strbuf *out)
{
	struct compilation *compilation = &now->side.compilation;
	const struct report report = {
		.comparison = policies_compare(compilation, old->side.policy, now->side.policy),
		.old_name = old->name,
		.now_name = now->name,
		.order = REPORT_BY_ADR,
	};
	strbuf_add_text(out, ": both texts, above the layers and ADRs of the working folder\n");
	report_text(compilation->arena, &report, out);
}

static const char *unresolved_when(const struct version *old, const struct version *now)
{
	if (!old->side.policy && !now->side.policy)
		return "before and after the change";
	return old->side.policy ? "after the change" : "before the change";
}

static void unresolved_report(struct arena *arena, const struct version *old, const struct version *now,
			      struct strbuf *out)
{
	strbuf_printf(out, ": its lines alone; what it permits was not compared, as it makes no policy %s\n",
		      unresolved_when(old, now));
	diagnostics_add(old, out);
	diagnostics_add(now, out);
	if (!lines_compare(arena, old, now, out))
		strbuf_add_text(out, "its lines differ in order, comments and layout at most\n");
}

static void pair_compare(struct arena *arena, struct version *old, struct version *now, struct strbuf *out)
{
	version_open(old);
	version_open(now);
	if (old->side.policy && now->side.policy) {
		policies_report(old, now, out);
		diagnostics_add(old, out);
		diagnostics_add(now, out);
	} else {
		unresolved_report(arena, old, now, out);
	}
	version_close(old);
	version_close(now);
}

/* A file that comes or goes: all its lines, and what it is as a whole where that can be known. */
static void single_show(struct arena *arena, const struct version *old, const struct version *now,
			struct version *there, struct strbuf *out)
{
	version_open(there);
	strbuf_add_text(out, now->absent ? ": deleted" : ": new");
	if (there->side.policy) {
		strbuf_printf(out, "; above the layers and ADRs of the working folder it %s\n",
			      now->absent ? "was" : "is");
		task_summary(there->side.policy, out);
	} else {
		strbuf_add_text(out, "; it makes no policy above the layers of the working folder\n");
	}
	diagnostics_add(there, out);
	version_close(there);
	lines_compare(arena, old, now, out);
}

/* ---- git's arguments ---- */

/* PATH OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE [NEW-PATH INFO] */
enum { ARGUMENTS_UNMERGED = 1, ARGUMENTS_SAME_PATH = 7, ARGUMENTS_TWO_PATHS = 9 };

/* A file called "-" would be standard input. */
static const char *path_safe(const char *path)
{
	return strcmp(path, "-") == 0 ? "./-" : path;
}

static void heading_add(const struct version *old, const struct version *now, const char *info,
			struct strbuf *out)
{
	text_add_visible(out, old->path, strlen(old->path));
	if (info) {
		strbuf_add_text(out, " -> ");
		text_add_visible(out, now->path, strlen(now->path));
		strbuf_add_text(out, strstr(info, "\ncopy from ") ? " (copied)" : " (renamed)");
	}
	if (!old->absent && !now->absent && strcmp(old->mode, now->mode) != 0) {
		strbuf_add_text(out, " (mode ");
		text_add_visible(out, old->mode, strlen(old->mode));
		strbuf_add_text(out, " -> ");
		text_add_visible(out, now->mode, strlen(now->mode));
		strbuf_add_char(out, ')');
	}
}

static int pair_show(struct arena *arena, char **arguments, const char *new_path, const char *info,
		     struct strbuf *out)
{
	struct version old = {
		.name = "before", .path = path_safe(arguments[0]), .file = arguments[1], .mode = arguments[3]
	};
	struct version now = {
		.name = "after", .path = path_safe(new_path), .file = arguments[4], .mode = arguments[6]
	};
	const char *other = not_a_file(&old) ? not_a_file(&old) : not_a_file(&now);
	int status = other ? 0 : version_read(arena, &old) | version_read(arena, &now);
	if (status)
		return EXIT_TROUBLE;
	heading_add(&old, &now, info, out);
	if (other)
		strbuf_printf(out, ": %s, so nothing was compared\n", other);
	else if (old.absent && now.absent)
		strbuf_add_text(out, ": no file on either side, so nothing was compared\n");
	else if (old.absent || now.absent)
		single_show(arena, &old, &now, old.absent ? &now : &old, out);
	else
		pair_compare(arena, &old, &now, out);
	strbuf_add_char(out, '\n');
	return 0;
}

static int same_path_show(struct arena *arena, char **arguments, struct strbuf *out)
{
	return pair_show(arena, arguments, arguments[0], NULL, out);
}

static int two_paths_show(struct arena *arena, char **arguments, struct strbuf *out)
{
	return pair_show(arena, arguments, arguments[7], arguments[8], out);
}

static int unmerged_show(struct arena *arena, char **arguments, struct strbuf *out)
{
	(void)arena;
	text_add_visible(out, arguments[0], strlen(arguments[0]));
	strbuf_add_text(out, ": not merged yet, so nothing was compared\n\n");
	return 0;
}

static int help_show(struct arena *arena, char **arguments, struct strbuf *out)
{
	(void)arena;
	(void)arguments;
	strbuf_add_text(
		out,
		"Usage: allowc git-diff PATH OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE [NEW-PATH "
		"INFO]\n"
		"       allowc git-diff PATH\n"
		"       allowc git-diff --textconv FILE\n"
		"Compares two policies for git, which starts it; 'allowc git-setup' prints the settings.\n\n"
		"  7 or 9 arguments     as git calls an external diff, of a renamed file with 9; /dev/null "
		"is no file\n"
		"  1 argument           as git calls it for a file that is not merged yet\n"
		"      --textconv FILE  what the file says, a line for each statement, sorted, without "
		"comments\n"
		"  -h, --help           this text\n\n"
		"Exit status: 0 whether or not they differ, 2 where a file cannot be read.\n");
	return 0;
}

/* By their number, as git gives them: a path may look like an option. */
static writer_function *writer_choose(int count, char **arguments)
{
	if (count == ARGUMENTS_SAME_PATH)
		return same_path_show;
	if (count == ARGUMENTS_TWO_PATHS)
		return two_paths_show;
	if (count == 2 && strcmp(arguments[0], "--textconv") == 0)
		return textconv;
	if (count != ARGUMENTS_UNMERGED)
		return NULL;
	bool help = strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0;
	return help ? help_show : unmerged_show;
}

static int run(const struct command *command, int argc, char **argv)
{
	writer_function *writer = writer_choose(argc - 1, argv + 1);
	if (!writer)
		return terminal_usage_error(command->name, "git gives 7 or 9 arguments, or 1 of what is not "
							   "merged; --textconv takes one file");
	struct arena *arena = arena_new();
	struct strbuf out = STRBUF_INIT;
	int status = writer(arena, argv + 1, &out);
	if (status == 0 && !terminal_print(&out))
		status = EXIT_TROUBLE;
	strbuf_release(&out);
	arena_free(arena);
	return status;
}

const struct command command_git_diff = {
	.name = "git-diff",
	.usage = "GIT-ARGUMENTS",
	.summary = "Compares two policies for git",
	.run = run,
};
