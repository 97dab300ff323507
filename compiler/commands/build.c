#include "compiler/commands/build.h"

#include <assert.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/commands/task.h"
#include "compiler/depfile.h"
#include "compiler/file.h"
#include "compiler/output.h"
#include "compiler/policy/policy.h"

/* Paths in order, each once. */
struct paths {
	const char **items;
	size_t count, capacity;
	struct map *known;
};

static void path_add(struct arena *arena, struct paths *paths, const char *path)
{
	void **known = map_at(paths->known, path, strlen(path));
	if (*known)
		return;
	*known = (void *)path;
	paths->items = arena_grow(arena, paths->items, paths->count, &paths->capacity, sizeof *paths->items);
	paths->items[paths->count++] = path;
}

/* What has no identity is no file: standard input. */
static struct paths inputs_of(struct task_job *jobs, size_t count, const struct options *options,
			      struct arena *arena)
{
	struct paths paths = { .known = map_new(arena, 0) };
	for (size_t i = 0; i < count; i++) {
		const struct sources *sources = jobs[i].compilation.sources;
		for (size_t k = 0; k < sources_count(sources); k++)
			if (sources_get(sources, k)->identity.inode)
				path_add(arena, &paths, sources_get(sources, k)->path);
	}
	for (size_t i = 0; i < options->generator_count; i++)
		path_add(arena, &paths, options->generators[i].path);
	return paths;
}

static struct paths targets_of(struct task_job *jobs, size_t count, const struct options *options,
			       struct arena *arena)
{
	struct paths paths = { .known = map_new(arena, 0) };
	for (size_t i = 0; i < count; i++) {
		struct compilation *compilation = &jobs[i].compilation;
		for (size_t k = 0; k < jobs[i].artifacts.count; k++)
			path_add(arena, &paths,
				 output_path(compilation, options->folder, jobs[i].artifacts.items[k].path));
		path_add(arena, &paths,
			 output_path(compilation, options->folder,
				     output_manifest_name(compilation, jobs[i].policy->name)));
	}
	return paths;
}

/* ---- whose the files are ---- */

static bool is_among(const char *path, const struct paths *paths)
{
	struct file_identity identity, other;
	if (map_find(paths->known, path, strlen(path)))
		return true;
	if (!file_identity_find(path, &identity))
		return false;
	for (size_t i = 0; i < paths->count; i++)
		if (file_identity_find(paths->items[i], &other) && file_identity_equal(identity, other))
			return true;
	return false;
}

static bool option_check(struct diags *diags, const char *option, const char *path, const struct paths *paths,
			 const char *what)
{
	if (!path || !is_among(path, paths))
		return true;
	diag_trouble(diags, "%s: '%s' is %s; give another name", option, path, what);
	return false;
}

static bool options_check(struct diags *diags, const struct options *options, const struct paths *paths,
			  const char *what)
{
	return option_check(diags, "--depfile", options->depfile, paths, what) &&
	       option_check(diags, "--stamp", options->stamp, paths, what);
}

static bool targets_check(struct diags *diags, const struct options *options, const struct paths *targets)
{
	return options_check(diags, options, targets, "an artifact");
}

static struct depfile depfile_of(const struct options *options, const struct paths *inputs,
				 const struct paths *targets)
{
	if (options->stamp)
		return (struct depfile){ (const char *const *)&options->stamp, 1, inputs->items,
					 inputs->count };
	return (struct depfile){ targets->items, targets->count, inputs->items, inputs->count };
}

static bool depfile_check(struct diags *diags, const struct options *options, const struct paths *inputs,
			  const struct paths *targets)
{
	struct strbuf text = STRBUF_INIT;
	struct depfile depfile = depfile_of(options, inputs, targets);
	const char *bad = NULL;
	bool good = !options->depfile || depfile_add(&text, &depfile, &bad);
	if (!good)
		diag_trouble(diags, "--depfile: no rule can name '%s'", bad);
	strbuf_release(&text);
	return good;
}

bool build_files_check(struct task_job *jobs, size_t count, const struct options *options,
		       struct arena *arena)
{
	struct diags *diags = jobs[0].compilation.diags;
	if (!options->depfile && !options->stamp)
		return true;
	struct paths inputs = inputs_of(jobs, count, options, arena);
	struct paths targets = targets_of(jobs, count, options, arena);
	if (options->depfile && options->stamp && strcmp(options->depfile, options->stamp) == 0) {
		diag_trouble(diags, "--stamp: '%s' is the depfile; give another name", options->stamp);
		return false;
	}
	return options_check(diags, options, &inputs, "a file that this run reads") &&
	       targets_check(diags, options, &targets) && depfile_check(diags, options, &inputs, &targets);
}

/* ---- writing ---- */

static bool file_trouble(struct diags *diags, const char *path, int error)
{
	if (error)
		diag_trouble(diags, "cannot write '%s': %s", path, strerror(error));
	return !error;
}

/* build_files_check() has seen that each name has a form. */
static bool depfile_write(struct diags *diags, const struct depfile *depfile, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	const char *bad;
	bool named = depfile_add(&text, depfile, &bad);
	assert(named);
	(void)named;
	bool good = file_trouble(diags, path, file_put(path, text.bytes, text.size));
	strbuf_release(&text);
	return good;
}

bool build_files_write(struct task_job *jobs, size_t count, const struct options *options,
		       struct arena *arena)
{
	struct diags *diags = jobs[0].compilation.diags;
	if (!options->depfile && !options->stamp)
		return true;
	struct paths targets = targets_of(jobs, count, options, arena);
	/* Again: before a first run "./out/p.h" was nothing, and is "out/p.h" now. */
	if (!targets_check(diags, options, &targets))
		return false;
	if (options->depfile) {
		struct paths inputs = inputs_of(jobs, count, options, arena);
		struct depfile depfile = depfile_of(options, &inputs, &targets);
		if (!depfile_write(diags, &depfile, options->depfile))
			return false;
	}
	return !options->stamp || file_trouble(diags, options->stamp, file_touch(options->stamp));
}
