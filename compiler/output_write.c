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
#include "compiler/replacement.h"

static struct arena *arena_of(const struct plan *plan)
{
	return plan->compilation->arena;
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
	int creation = plan->journal.exists ? 0 : O_CREAT | O_EXCL;
	int fd = openat(plan->fd, plan->journal_name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | creation,
			FILE_MODE_NEW);
	if (fd < 0)
		return errno;
	int error = 0;
	if (plan->journal.exists && (ftruncate(fd, (off_t)at) < 0 || lseek(fd, (off_t)at, SEEK_SET) < 0))
		error = errno;
	if (!error)
		error = file_write(fd, text->bytes, text->size);
	/* A line that is cut says nothing to the next run: what kept whole ones from being written does. */
	bool cut_back = error && plan->journal.exists && ftruncate(fd, (off_t)at) == 0;
	(void)cut_back;
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

/* ---- temporary files ---- */

/* One that was removed, by this run or meanwhile, has left its mode and owner in memory and nothing more. */
static int temporary_write(const struct plan *plan, const struct place *place,
			   const struct file_content *content)
{
	const char *temporary = plan_temporary(plan, place->name);
	int error = ENOENT;
	if (content->exists)
		error = replacement_write(arena_of(plan), place, temporary, content->bytes, content->size,
					  KEEPING_POSSIBLE);
	if (error == ENOENT)
		error = file_create(place->folder, temporary, content->bytes, content->size,
				    content->exists ? &content->keeping : NULL);
	return error;
}

static int temporary_rename(const struct plan *plan, const struct place *place)
{
	const char *temporary = plan_temporary(plan, place->name);
	return renameat(place->folder, temporary, place->folder, place->name) < 0 ? errno : 0;
}

static void temporary_remove(const struct plan *plan, const char *path)
{
	struct place place;
	if (place_open(plan->fd, path, &place))
		return;
	unlinkat(place.folder, plan_temporary(plan, place.name), 0);
	place_close(&place);
}

/* The temporary files of a killed run, and the folders that it made for nothing. */
static void leftovers_remove(const struct plan *plan)
{
	for (size_t i = 0; i < plan->journal_paths.count; i++) {
		const char *path = plan->journal_paths.items[i].path;
		temporary_remove(plan, path);
		folders_prune(arena_of(plan), plan->fd, path);
	}
}

/* ---- one step ---- */

static int step_prepare(const struct plan *plan, struct step *step, struct made_folders *made)
{
	struct place place;
	struct file_content content = step->old; /* for its mode and owner */
	int error = place_make(arena_of(plan), plan->fd, step->path, made, &place);
	if (error)
		return error;
	content.bytes = step->bytes;
	content.size = step->size;
	error = temporary_write(plan, &place, &content);
	place_close(&place);
	step->prepared = !error;
	return error;
}

static int place_unlink(const struct place *place)
{
	return unlinkat(place->folder, place->name, 0) < 0 ? errno : 0;
}

static int step_finish(const struct plan *plan, struct step *step)
{
	struct place place;
	int error = place_open(plan->fd, step->path, &place);
	if (error)
		return error;
	error = step->state == OUTPUT_REMOVED ? place_unlink(&place) : temporary_rename(plan, &place);
	place_close(&place);
	step->done = !error;
	return error;
}

static int old_put_back(const struct plan *plan, const struct step *step, const struct place *place)
{
	if (!step->old.exists)
		return place_unlink(place);
	int error = temporary_write(plan, place, &step->old);
	if (error)
		return error;
	error = temporary_rename(plan, place);
	if (error)
		unlinkat(place->folder, plan_temporary(plan, place->name), 0);
	return error;
}

static int step_undo(const struct plan *plan, const struct step *step)
{
	struct place place;
	int error = place_open(plan->fd, step->path, &place);
	if (error)
		return error;
	error = old_put_back(plan, step, &place);
	place_close(&place);
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
		if (step->prepared && !step->done)
			temporary_remove(plan, step->path);
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
