#include "compiler/diff/side.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/reading.h"
#include "compiler/base/revision.h"
#include "compiler/base/source.h"
#include "compiler/claims.h"
#include "compiler/diff/saved.h"
#include "compiler/hash.h"
#include "compiler/manifest.h"
#include "compiler/options.h"
#include "compiler/policy/resolve.h"

/* What warns is the business of `check`; what only ADRs say against a side must be seen here too. */
static void warnings_off(const struct compilation *compilation)
{
	static const enum diag_id kept[] = { DIAG_ADR_MISSING, DIAG_ADR_AMBIGUOUS, DIAG_ADR_STATUS,
					     DIAG_ADR_SCOPE,   DIAG_ADR_BLOCK,     DIAG_EXPIRED };
	for (size_t id = 0; id < DIAG_COUNT; id++) {
		bool keep = false;
		for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
			keep |= kept[i] == (enum diag_id)id;
		if (!keep) /* one that is always an error stays one */
			diags_option(compilation->diags,
				     arena_printf(compilation->arena, "no-%s", diag_name((enum diag_id)id)));
	}
}

static void side_begin(struct side *side, const char *argument, size_t max_errors)
{
	*side = (struct side){ .argument = argument,
			       .label = "",
			       .compilation = compilation_begin(max_errors) };
	side->compilation.adrs_advise = true;
	side->compilation.manifests_unread = true;
	warnings_off(&side->compilation);
}

/* Of those that warn only what is asked for; `expired` waits for a --today. */
static void options_follow(struct side *side, const struct options *options)
{
	side->compilation.today = options->today;
	for (size_t i = 0; i < options->warning_count; i++)
		diags_option(side->compilation.diags, options->warnings[i]);
}

/*
 * Where NAME.sha256 stands beside a NAME.json, as allowc left the two, the hash in it must be that of the
 * text: else somebody edited it.
 */
static bool saved_is_as_written(struct side *side, const struct source *source, const char *name)
{
	struct compilation *compilation = &side->compilation;
	struct arena *arena = compilation->arena;
	const char *json = arena_printf(arena, "%s.json", name);
	if (strcmp(path_base(source->path), json) != 0)
		return true;
	const char *path = path_beside(arena, source->path, arena_printf(arena, "%s.sha256", name));
	const struct source *list = sources_load(compilation->sources, path);
	struct manifest manifest = { .claims = { .items = NULL } };
	unsigned line;
	if (!list || !manifest_parse(arena, list->text, list->size, &manifest, &line))
		return true;
	const char *hash = hash_bytes(arena, source->text, source->size);
	size_t first;
	if (!claims_about(&manifest.claims, json, &first) || claims_have(&manifest.claims, json, hash))
		return true;
	diag_trouble(compilation->diags, "cannot read '%s': it was edited, '%s' has another hash of it",
		     side->argument, path);
	return false;
}

static void saved_resolve(struct side *side, const struct source *source)
{
	const char *why;
	const struct policy *policy = saved_read(&side->compilation, source, &why);
	if (!policy)
		diag_trouble(side->compilation.diags, "cannot read '%s': %s", side->argument, why);
	else if (saved_is_as_written(side, source, policy->name))
		side->policy = policy;
}

/*
 * What opens with '{' is a saved artifact, whatever its name. A text that was loaded is not read again; nor
 * is one that cannot be: read the second time, an artifact would be taken for a policy's text.
 */
static void file_resolve(struct side *side, const char *path)
{
	struct compilation *compilation = &side->compilation;
	const struct source *source = sources_load_argument_up_to(compilation->sources, path, SAVED_SIZE_MAX);
	side->path = path;
	if (!source)
		diag_trouble(compilation->diags, "cannot read '%s%s': %s",
			     sources_tree(compilation->sources)->label, path,
			     source_argument_failure(compilation->arena, errno, SAVED_SIZE_MAX));
	else if (saved_is(source))
		saved_resolve(side, source);
	else
		side->policy = policy_load(compilation, path);
}

/* Why the side's tree has no such file, as an errno value, or 0 where it has one. */
static int file_try(const struct side *side, const char *path)
{
	struct reading reading;
	struct file_identity identity;
	const struct tree *tree = sources_tree(side->compilation.sources);
	return tree->read(tree, side->compilation.arena, path, NAMED_BY_POLICY, SAVED_SIZE_MAX, &reading,
			  &identity);
}

/* In a folder below the top of the repository a path is easily written as seen from there. */
static void file_seek(struct side *side, const char *path)
{
	const char *why;
	if (!side->revision || side->policy || !side_is_absent(side))
		return;
	const char *here = revision_path(side->compilation.arena, path, &why);
	if (here && file_try(side, here) == 0)
		diag_trouble(side->compilation.diags,
			     "a path in a revision starts at the repository's top folder; from this one: "
			     "'%s:./%s'",
			     side->label, path);
}

/* `path` from the top folder of the repository on. */
static void revision_resolve(struct side *side, const char *revision, const char *path)
{
	const char *why;
	struct compilation *compilation = &side->compilation;
	side->label = revision;
	side->revision = revision_open(compilation->arena, revision, &why);
	if (!side->revision) {
		diag_trouble(compilation->diags, "cannot read '%s': %s", side->argument, why);
		return;
	}
	sources_read_from(compilation->sources, revision_tree(side->revision));
	file_resolve(side, path);
}

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool names_working_folder(const char *path)
{
	return starts(path, "./") || starts(path, "../");
}

static bool may_name_revision(const char *argument)
{
	return strchr(argument, ':') && argument[0] != '/' && !names_working_folder(argument);
}

bool side_is_ambiguous(const char *argument)
{
	return may_name_revision(argument) && access(argument, F_OK) == 0;
}

/* Where the path of "REV:path" begins, or NULL where the argument is a file. A file that is there is one. */
static const char *path_in_revision(const char *argument)
{
	return may_name_revision(argument) && !side_is_ambiguous(argument) ? strchr(argument, ':') + 1 : NULL;
}

/* Who names a revision alone means a file in it: that is no policy that is new. */
static bool is_revision_alone(struct side *side, const char *argument)
{
	const char *why;
	struct compilation *compilation = &side->compilation;
	if (strcmp(argument, "-") == 0 || access(argument, F_OK) == 0)
		return false;
	struct revision *revision = revision_open(compilation->arena, argument, &why);
	if (!revision)
		return false;
	revision_close(revision);
	diag_trouble(compilation->diags,
		     "cannot read '%s': it is a revision, and no file; write '%s:FILE', or '--base %s FILE'",
		     argument, argument, argument);
	return true;
}

void side_open(struct side *side, const char *argument, const struct options *options)
{
	const char *path = path_in_revision(argument), *why;
	side_begin(side, argument, options->max_errors);
	options_follow(side, options);
	struct arena *arena = side->compilation.arena;
	if (!path) {
		if (!is_revision_alone(side, argument))
			file_resolve(side, argument);
		return;
	}
	const char *revision = arena_copy(arena, argument, (size_t)(path - argument) - 1);
	bool from_here = names_working_folder(path);
	if (from_here)
		path = revision_path(arena, path, &why);
	if (!*revision)
		diag_trouble(side->compilation.diags, "cannot read '%s': no revision stands before the ':'",
			     argument);
	else if (!path)
		diag_trouble(side->compilation.diags, "cannot read '%s': %s", argument, why);
	else
		revision_resolve(side, revision, path);
	if (path && !from_here)
		file_seek(side, path);
}

void side_open_in(struct side *side, const char *revision, const char *path, const struct options *options)
{
	const char *why;
	side_begin(side, path, options->max_errors);
	options_follow(side, options);
	side->argument = arena_printf(side->compilation.arena, "%s:%s", revision, path);
	if (strcmp(path, "-") == 0) {
		diag_trouble(side->compilation.diags,
			     "standard input is in no revision: --base needs the policy's file");
		return;
	}
	const char *inner = revision_path(side->compilation.arena, path, &why);
	if (inner)
		revision_resolve(side, revision, inner);
	else
		diag_trouble(side->compilation.diags, "cannot read '%s': %s", side->argument, why);
}

void side_open_through(struct side *side, const struct tree *tree, const char *path, size_t max_errors)
{
	side_begin(side, path, max_errors);
	side->path = path;
	sources_read_from(side->compilation.sources, tree);
	side->policy = policy_load(&side->compilation, path);
}

void side_open_nothing(struct side *side)
{
	static const char text[] = "policy nothing\n";
	side_begin(side, "nothing", 0);
	side->path = "nothing";
	sources_add(side->compilation.sources, side->path, text, sizeof text - 1);
	side->policy = policy_load(&side->compilation, side->path);
}

bool side_is_absent(const struct side *side)
{
	return side->path && strcmp(side->path, "-") != 0 && file_try(side, side->path) == ENOENT;
}

bool side_tell_rename(struct side *old, const struct side *now)
{
	struct arena *arena = old->compilation.arena;
	const char *why, *path = now->path;
	if (!old->revision || old->policy || !path || strcmp(path, "-") == 0 || !side_is_absent(old))
		return false;
	if (!now->revision)
		path = revision_path(arena, path, &why);
	const char *from = path ? revision_renamed_from(arena, old->revision, now->revision, path) : NULL;
	if (from)
		diag_trouble(old->compilation.diags, "in '%s' git knows it as '%s'; compare these: %s:%s %s",
			     old->label, from, old->label, from, now->argument);
	return from != NULL;
}

void side_end(struct side *side)
{
	if (side->revision)
		revision_close(side->revision);
	compilation_end(&side->compilation);
}
