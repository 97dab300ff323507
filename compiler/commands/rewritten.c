#include "compiler/commands/rewritten.h"

#include <string.h>

#include "backends/backend.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/commands/artifacts.h"
#include "compiler/commands/task.h"
#include "compiler/diff/change.h"
#include "compiler/diff/without.h"

/* A few seconds: each change is one compilation. */
enum { CHANGES_MAX = 256, ROWS_MAX = 400 * 1000 };

static bool is_written(const struct backend *backend, const struct policy *policy)
{
	if (backend->by_default)
		return true;
	return backend->by_default_for && backend->by_default_for(policy) &&
	       (!backend->can_say || backend->can_say(policy));
}

/* What compiling the policy would write; false where a backend cannot. */
static bool artifacts_of(struct compilation *compilation, const struct policy *policy,
			 struct artifacts *artifacts)
{
	const struct backend **items = arena_array(compilation->arena, backend_count, sizeof *items);
	struct choice choice = { .items = items };
	for (size_t i = 0; i < backend_count; i++)
		if (is_written(backends[i], policy))
			items[choice.count++] = backends[i];
	struct task_job job = { .compilation = *compilation, .policy = policy };
	job.compilation.diags = diags_new(compilation->arena, 1);
	return artifacts_make(&job, &choice, artifacts);
}

static const struct artifact *artifact_find(const struct artifacts *artifacts, const char *path)
{
	for (size_t i = 0; i < artifacts->count; i++)
		if (strcmp(artifacts->items[i].path, path) == 0)
			return &artifacts->items[i];
	return NULL;
}

/* Either may be NULL: not written. */
static bool artifacts_differ(const struct artifact *a, const struct artifact *b)
{
	if (!a || !b)
		return a != b;
	return a->size != b->size || memcmp(a->bytes, b->bytes, a->size) != 0;
}

/* ---- files ---- */

static void file_add(struct arena *arena, struct report *report, const char *path, const char *fate)
{
	struct rewritten_file *file = &report->files[report->file_count++];
	*file = (struct rewritten_file){ .path = arena_copy(arena, path, strlen(path)), .fate = fate };
}

/* Those that differ between OLD and NEW, in NEW's order; then those that go. */
static void files_find(struct arena *arena, const struct artifacts *old, const struct artifacts *now,
		       struct report *report)
{
	report->files = arena_array(arena, old->count + now->count, sizeof *report->files);
	for (size_t i = 0; i < now->count; i++) {
		const struct artifact *before = artifact_find(old, now->items[i].path);
		if (artifacts_differ(before, &now->items[i]))
			file_add(arena, report, now->items[i].path, before ? "rewritten" : "new");
	}
	for (size_t i = 0; i < old->count; i++)
		if (!artifact_find(now, old->items[i].path))
			file_add(arena, report, old->items[i].path, "removed");
}

/* ---- changes ---- */

static void change_add_to(struct arena *arena, struct rewritten_file *file, const struct change *change)
{
	file->changes = arena_grow(arena, file->changes, file->count, &file->capacity, sizeof *file->changes);
	file->changes[file->count++] = change;
}

/* The comparison, or the same the other way round: then a change that is undone in `now` is done in OLD. */
struct asking {
	struct compilation *compilation;
	const struct compared *comparison;
	const struct policy *name;         /* the policy whose artifacts have their names */
	const struct artifacts *artifacts; /* of all of `now` */
};

static struct change turned(const struct change *change)
{
	struct change back = *change;
	back.in_old = !change->in_old;
	if (change->before) {
		back.in_old = false;
		back.row = change->before;
		back.before = change->row;
	}
	return back;
}

/*
 * In an arena of its own: each takes as much memory as a compilation. `differs` is by file. False where it
 * cannot be told.
 */
static bool change_ask(const struct asking *asking, const struct change *change, const struct report *report,
		       bool *differs)
{
	struct compilation own = *asking->compilation;
	own.arena = arena_new();
	struct artifacts artifacts = { 0 };
	const struct policy *without;
	bool told = policy_without(&own, asking->comparison, change, &without);
	if (told && without)
		told = artifacts_of(&own, policy_renamed(&own, without, asking->name), &artifacts);
	for (size_t i = 0; told && without && i < report->file_count; i++) {
		const char *path = report->files[i].path;
		differs[i] |= artifacts_differ(artifact_find(&artifacts, path),
					       artifact_find(asking->artifacts, path));
	}
	arena_free(own.arena);
	return told;
}

/* By taking it out of NEW, and by bringing it into OLD: two rows may each do what the other does. */
static void changes_ask(const struct asking *forth, const struct asking *back, struct report *report)
{
	struct arena *arena = forth->compilation->arena;
	const struct compared *comparison = forth->comparison;
	bool *differs = arena_array(arena, report->file_count, sizeof *differs);
	size_t untold = 0;
	for (size_t i = 0; i < comparison->change_count; i++) {
		const struct change *change = &comparison->changes[i], turned_change = turned(change);
		memset(differs, 0, report->file_count * sizeof *differs);
		bool out = change_ask(forth, change, report, differs);
		bool in = change_ask(back, &turned_change, report, differs);
		untold += !out && !in;
		for (size_t k = 0; k < report->file_count; k++)
			if (differs[k])
				change_add_to(arena, &report->files[k], change);
	}
	if (untold)
		report->files_note =
			arena_printf(arena, "of %zu change%s it cannot be told which files %s", untold,
				     untold == 1 ? "" : "s", untold == 1 ? "it rewrites" : "they rewrite");
}

static bool is_too_much(const struct compared *comparison)
{
	return comparison->change_count > CHANGES_MAX ||
	       comparison->change_count * comparison->now->row_count > ROWS_MAX;
}

void rewritten_find(struct compilation *compilation, const struct compared *comparison, struct report *report)
{
	struct artifacts old = { 0 }, now = { 0 };
	const struct compared swapped = { .old = comparison->now, .now = comparison->old };
	const struct policy *before = policy_renamed(compilation, comparison->old, comparison->now);
	if (!artifacts_of(compilation, before, &old) || !artifacts_of(compilation, comparison->now, &now)) {
		report->files_note = "which files are rewritten cannot be told: a side does not compile";
		return;
	}
	files_find(compilation->arena, &old, &now, report);
	if (is_too_much(comparison))
		report->files_note = "so many changes are not told apart by file";
	else
		changes_ask(&(struct asking){ compilation, comparison, comparison->now, &now },
			    &(struct asking){ compilation, &swapped, comparison->now, &old }, report);
}
