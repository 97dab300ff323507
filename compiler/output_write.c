/*
 * The order is what makes a kill harmless:
 *   1. the journal, so that both hashes of every file count as allowc's own,
 *   2. all new contents in temporary files beside their targets (a full disk shows here),
 *   3. renames, removals, and NAME.sha256 as the last rename,
 *   4. the journal goes.
 */
#include "compiler/output_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/journal.h"
#include "compiler/output_plan.h"

static struct arena *arena_of(const struct plan *plan)
{
	return plan->compilation->arena;
}

/* "plugins/x/plugin.yaml" is first "plugins/x/.plugin.yaml.allowc". */
static const char *temporary_of(const struct plan *plan, const char *path)
{
	const char *base = path_base(path);
	return arena_printf(arena_of(plan), "%.*s.%s.allowc", (int)(base - path), path, base);
}

/* ---- the journal ---- */

/* The bytes of its whole lines: a kill may have cut the last one. */
static size_t journal_sound_size(const struct plan *plan)
{
	const char *bytes = plan->journal.bytes;
	const char *end = memrchr(bytes, '\n', plan->journal.size);
	return end ? (size_t)(end - bytes) + 1 : 0;
}

/* Appends to what is there: the journal of a killed run counts until this run is through. */
static int journal_append(const struct plan *plan, const struct strbuf *text, size_t at)
{
	int fd = openat(plan->fd, plan->journal_name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0)
		return errno;
	int error = 0;
	if (plan->journal.exists && (ftruncate(fd, (off_t)at) < 0 || lseek(fd, (off_t)at, SEEK_SET) < 0))
		error = errno;
	if (!error)
		error = file_write(fd, text->bytes, text->size);
	if (error && plan->journal.exists && ftruncate(fd, (off_t)at) < 0)
		error = errno;
	if (close(fd) < 0 && !error && errno != EINTR)
		error = errno;
	if (error && !plan->journal.exists)
		unlinkat(plan->fd, plan->journal_name, 0);
	return error;
}

static bool journal_write(const struct plan *plan)
{
	size_t at = journal_sound_size(plan);
	struct strbuf text = STRBUF_INIT;
	if (!at)
		journal_begin(&text);
	for (size_t i = 0; i < plan->step_count; i++) {
		const struct step *step = &plan->steps[i];
		if (step->state != OUTPUT_UNCHANGED)
			journal_add(&text, step->old_hash, step->state == OUTPUT_REMOVED ? NULL : step->hash,
				    step->path);
	}
	int error = journal_append(plan, &text, at);
	strbuf_release(&text);
	if (error)
		plan_trouble(plan, "write", plan->journal_name, error);
	return !error;
}

static bool journal_remove(const struct plan *plan)
{
	if (unlinkat(plan->fd, plan->journal_name, 0) == 0 || errno == ENOENT)
		return true;
	plan_trouble(plan, "remove", plan->journal_name, errno);
	return false;
}

/* The temporary files of a killed run, and the folders that it made for nothing. */
static void leftovers_remove(const struct plan *plan)
{
	for (size_t i = 0; i < plan->journal_paths.count; i++) {
		const char *path = plan->journal_paths.items[i].path;
		unlinkat(plan->fd, temporary_of(plan, path), 0);
		folders_prune(arena_of(plan), plan->fd, path);
	}
}

/* ---- one step ---- */

/* A temporary file that no journal tells of was left by a power failure: the name is ours, it goes. */
static int temporary_write(const struct plan *plan, const char *path, const char *bytes, size_t size,
			   mode_t mode)
{
	const char *temporary = temporary_of(plan, path);
	int error = file_create(plan->fd, temporary, bytes, size, mode);
	if (error == EEXIST && unlinkat(plan->fd, temporary, 0) == 0)
		error = file_create(plan->fd, temporary, bytes, size, mode);
	return error;
}

static int step_prepare(const struct plan *plan, const struct step *step, struct made_folders *made)
{
	mode_t mode = step->old.exists ? step->old.mode : FILE_MODE_NEW;
	int error = temporary_write(plan, step->path, step->bytes, step->size, mode);
	const char *base = path_base(step->path);
	if (error != ENOENT || base == step->path)
		return error;
	const char *folder = arena_copy(arena_of(plan), step->path, (size_t)(base - step->path) - 1);
	error = folder_make(arena_of(plan), plan->fd, folder, made);
	return error ? error : temporary_write(plan, step->path, step->bytes, step->size, mode);
}

static int step_finish(const struct plan *plan, struct step *step)
{
	int failed = step->state == OUTPUT_REMOVED
			     ? unlinkat(plan->fd, step->path, 0)
			     : renameat(plan->fd, temporary_of(plan, step->path), plan->fd, step->path);
	if (failed)
		return errno;
	step->done = true;
	return 0;
}

static int step_undo(const struct plan *plan, struct step *step)
{
	if (!step->old.exists)
		return unlinkat(plan->fd, step->path, 0) < 0 ? errno : 0;
	int error = temporary_write(plan, step->path, step->old.bytes, step->old.size, step->old.mode);
	if (error)
		return error;
	if (renameat(plan->fd, temporary_of(plan, step->path), plan->fd, step->path) == 0)
		return 0;
	error = errno;
	unlinkat(plan->fd, temporary_of(plan, step->path), 0);
	return error;
}

/* ---- all steps ---- */

static bool steps_prepare(struct plan *plan, struct made_folders *made)
{
	for (size_t i = 0; i < plan->step_count; i++) {
		if (plan->steps[i].state != OUTPUT_WRITTEN)
			continue;
		int error = step_prepare(plan, &plan->steps[i], made);
		if (error) {
			plan_trouble(plan, "write", plan->steps[i].path, error);
			return false;
		}
	}
	return true;
}

static bool steps_finish(struct plan *plan)
{
	for (size_t i = 0; i < plan->step_count; i++) {
		struct step *step = &plan->steps[i];
		int error = step->state == OUTPUT_UNCHANGED ? 0 : step_finish(plan, step);
		if (error) {
			plan_trouble(plan, step->state == OUTPUT_REMOVED ? "remove" : "replace", step->path,
				     error);
			return false;
		}
	}
	return true;
}

/* False where a file could not be put back. */
static bool steps_undo(struct plan *plan)
{
	bool good = true;
	for (size_t i = plan->step_count; i-- > 0;) {
		struct step *step = &plan->steps[i];
		if (step->state == OUTPUT_WRITTEN && !step->done)
			unlinkat(plan->fd, temporary_of(plan, step->path), 0);
		int error = step->done ? step_undo(plan, step) : 0;
		if (error) {
			plan_trouble(plan, "put back", step->path, error);
			good = false;
		}
	}
	return good;
}

static void folders_prune_removed(const struct plan *plan)
{
	for (size_t i = 0; i < plan->step_count; i++)
		if (plan->steps[i].state == OUTPUT_REMOVED)
			folders_prune(arena_of(plan), plan->fd, plan->steps[i].path);
}

bool plan_prepare(struct plan *plan, struct made_folders *made)
{
	bool changes = plan_changes(plan);
	if (changes || plan->journal.exists)
		leftovers_remove(plan);
	if (!changes)
		return true;
	if (!journal_write(plan))
		return false;
	plan->prepared = true;
	return steps_prepare(plan, made);
}

bool plan_finish(struct plan *plan)
{
	return steps_finish(plan);
}

bool plan_settle(struct plan *plan)
{
	folders_prune_removed(plan);
	return (!plan->prepared && !plan->journal.exists) || journal_remove(plan);
}

void plan_undo(struct plan *plan)
{
	if (!plan->prepared)
		return;
	/* An older journal still tells of what the run before left half done. */
	if (steps_undo(plan) && !plan->journal.exists)
		journal_remove(plan);
}
