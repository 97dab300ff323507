#include "compiler/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/difference.h"
#include "compiler/hash.h"
#include "compiler/manifest.h"
#include "compiler/output_plan.h"
#include "compiler/output_write.h"
#include "compiler/policy/policy.h"
#include "compiler/uninterrupted.h"

const char *output_path(struct compilation *compilation, const char *folder, const char *path)
{
	size_t length = strlen(folder);
	bool slash = length && folder[length - 1] == '/';
	return arena_printf(compilation->arena, "%s%s%s", folder, slash ? "" : "/", path);
}

const char *output_manifest_name(struct compilation *compilation, const char *name)
{
	return arena_printf(compilation->arena, "%s.sha256", name);
}

/* ---- the folder and its lock ---- */

static int folder_open(const char *folder)
{
	return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Locks it. Sets `*gone` where the run before took away the folder that it had made. */
static int folder_take(int fd, bool *gone)
{
	struct stat status;
	int error = folder_lock(fd);
	if (!error && fstat(fd, &status) < 0)
		error = errno;
	*gone = !error && status.st_nlink == 0;
	return error;
}

static bool folder_trouble(const struct plan *plan, const char *verb, int error)
{
	diag_trouble(plan->compilation->diags, "cannot %s the folder '%s': %s", verb, plan->folder,
		     strerror(error));
	return false;
}

static void plan_leave(struct plan *plan)
{
	if (plan->fd >= 0)
		close(plan->fd);
	plan->fd = -1;
}

/*
 * A run that fails takes the folder that it made away, perhaps under our feet: then once more. A link
 * that leads nowhere stays absent however often it is made.
 */
enum { MOST_ATTEMPTS = 100 };

/* Opens and locks the folder; with `dry_run` it may be absent. False when trouble was reported. */
static bool plan_enter(struct plan *plan, bool dry_run, struct made_folders *made)
{
	for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
		plan->fd = folder_open(plan->folder);
		if (plan->fd < 0 && errno != ENOENT)
			return folder_trouble(plan, "open", errno);
		if (plan->fd < 0 && dry_run)
			return true;
		if (plan->fd >= 0) {
			bool gone = false;
			int error = folder_take(plan->fd, &gone);
			if (error)
				return folder_trouble(plan, "lock", error);
			if (!gone)
				return true;
			plan_leave(plan);
		}
		int error = folder_make(plan->compilation->arena, plan->folder, made);
		if (error)
			return folder_trouble(plan, "make", error);
	}
	return folder_trouble(plan, "open", ENOENT);
}

/* ---- the whole ---- */

static void result_add(const struct plan *plan, struct output_results *results, const char *path,
		       enum output_state state, const char *note)
{
	struct arena *arena = plan->compilation->arena;
	results->items =
		arena_grow(arena, results->items, results->count, &results->capacity, sizeof *results->items);
	results->items[results->count++] = (struct output_result){
		.path = output_path(plan->compilation, plan->folder, path),
		.state = state,
		.note = note,
	};
}

static void step_result(const struct plan *plan, const struct step *step, struct output_results *results)
{
	size_t first;
	bool replaced = step->state == OUTPUT_WRITTEN && step->unclaimed;
	const char *note =
		!replaced ? NULL
		: claims_about(&plan->manifest.claims, step->path, &first)
			? "edited by hand"
			: arena_printf(plan->compilation->arena, "%s did not list it", plan->manifest_name);
	result_add(plan, results, step->path, replaced ? OUTPUT_REPLACED : step->state, note);
}

/* Not selected, but listed, and no longer what the policy makes of it. */
static void kept_results(const struct plan *plan, const struct artifacts *unselected,
			 struct output_results *results)
{
	struct arena *arena = plan->compilation->arena;
	for (size_t i = 0; i < unselected->count; i++) {
		size_t first;
		const struct artifact *artifact = &unselected->items[i];
		if (!claims_about(&plan->manifest.claims, artifact->path, &first) ||
		    claims_have(&plan->manifest.claims, artifact->path,
				hash_bytes(arena, artifact->bytes, artifact->size)))
			continue;
		result_add(plan, results, artifact->path, OUTPUT_KEPT,
			   arena_printf(arena, "out of date: --emit +%s", artifact->backend));
	}
}

static void results_fill(const struct plan *plan, struct output_job *job)
{
	for (size_t i = 0; i < plan->step_count; i++)
		step_result(plan, &plan->steps[i], &job->results);
	kept_results(plan, &job->unselected, &job->results);
}

static struct plan plan_begin(const char *folder, const struct output_job *job)
{
	return (struct plan){
		.compilation = job->compilation,
		.policy = job->policy,
		.folder = folder,
		.fd = -1,
		.selected = job->selected,
		.selected_count = job->selected_count,
		.generators = job->generators,
		.generator_count = job->generator_count,
		.manifest_name = output_manifest_name(job->compilation, job->policy->name),
		.journal_name = file_temporary(job->compilation->arena, job->policy->name),
	};
}

/* ---- the lists of other policies ---- */

static const char list_suffix[] = ".sha256";

/* The policy that a file of this name would be the list of; NULL where it is none. */
static const char *list_policy(struct arena *arena, const char *name)
{
	size_t size = strlen(name), suffix = sizeof list_suffix - 1;
	if (size <= suffix || name[0] == '.' || strcmp(name + size - suffix, list_suffix) != 0)
		return NULL;
	/* A policy's name has no dot: NAME.sync.sha256 is another kind of list. */
	return memchr(name, '.', size - suffix) ? NULL : arena_copy(arena, name, size - suffix);
}

/* What is no plain file, or longer than any list, is none; another failure may hide one. */
static int list_error(int error)
{
	bool none = error == ELOOP || error == EISDIR || error == ENODEV || error == EFBIG;
	return none ? 0 : error;
}

/* Sets `*found` where the file is a list. Another one says nothing. Returns 0 or an errno value. */
static int list_read(struct arena *arena, int folder, const char *name, struct manifest *manifest,
		     bool *found)
{
	unsigned line;
	struct file_content content;
	*manifest = (struct manifest){ 0 };
	int error = file_read(arena, folder, name, &content);
	*found = !error && content.exists &&
		 manifest_parse(arena, content.bytes, content.size, manifest, &line);
	return list_error(error);
}

static int by_name(const void *left, const void *right)
{
	return strcmp(((const struct other_list *)left)->name, ((const struct other_list *)right)->name);
}

/* By path. The last list comes first, so that each path's are in their order. */
static struct map *lists_by_path(struct arena *arena, const struct other_list *lists, size_t count)
{
	struct map *paths = map_new(arena, 0);
	for (size_t i = count; i-- > 0;) {
		const struct claims *claims = &lists[i].claims;
		for (size_t k = 0; k < claims->count; k++) {
			void **place = map_at(paths, claims->items[k].path, strlen(claims->items[k].path));
			struct listing *first = *place, *listing;
			if (first && first->list == &lists[i])
				continue;
			listing = arena_alloc(arena, sizeof *listing);
			*listing = (struct listing){ &lists[i], first };
			*place = listing;
		}
	}
	return paths;
}

struct other_lists {
	struct other_list *items;
	size_t count, capacity;
};

/* One entry of the folder. False when trouble was reported. */
static bool list_add(const struct plan *plan, struct other_lists *lists, const char *file, bool alone)
{
	struct arena *arena = plan->compilation->arena;
	struct other_list other = { .name = list_policy(arena, file) };
	struct manifest list;
	bool found;
	if (!other.name || (alone && strcmp(other.name, plan->policy->name) == 0))
		return true;
	int error = list_read(arena, plan->fd, file, &list, &found);
	if (error)
		plan_trouble(plan, "read", file, error);
	if (error || !found)
		return !error;
	other.claims = list.claims;
	lists->items = arena_grow(arena, lists->items, lists->count, &lists->capacity, sizeof *lists->items);
	lists->items[lists->count++] = other;
	return true;
}

static bool lists_add(const struct plan *plan, struct other_lists *lists, DIR *folder, bool alone)
{
	const struct dirent *entry;
	while (errno = 0, (entry = readdir(folder)))
		if (!list_add(plan, lists, entry->d_name, alone))
			return false;
	return errno ? folder_trouble(plan, "list", errno) : true;
}

/*
 * All lists of the folder, sorted by name; a plan asks those of the others. With `alone`, the plan's own
 * is left out. False when trouble was reported: what is not read could name any file.
 */
static bool plan_read_lists(struct plan *plan, bool alone)
{
	if (plan->fd < 0)
		return true;
	int fd = openat(plan->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	if (!folder) {
		folder_trouble(plan, "list", errno);
		if (fd >= 0)
			close(fd);
		return false;
	}
	struct other_lists lists = { 0 };
	bool good = lists_add(plan, &lists, folder, alone);
	closedir(folder);
	if (lists.count)
		qsort(lists.items, lists.count, sizeof *lists.items, by_name);
	plan->others = lists.count ? lists_by_path(plan->compilation->arena, lists.items, lists.count) : NULL;
	return good;
}

/* ---- commit ---- */

/* Decides for all jobs, and reports for all of them, before anything is touched. */
static bool plans_make(struct plan *plans, struct output_job *jobs, size_t count)
{
	bool good = true;
	struct map *paths = count > 1 ? map_new(jobs[0].compilation->arena, 0) : NULL;
	for (size_t i = 0; i < count; i++) {
		plans[i].fd = plans[0].fd;
		plans[i].others = plans[0].others;
		good &= plan_make(&plans[i], &jobs[i].artifacts);
		good &= !paths || plan_is_apart(&plans[i], paths);
	}
	return good;
}

static bool plans_prepare(struct plan *plans, size_t count, struct made_folders *made)
{
	for (size_t i = 0; i < count; i++)
		if (!plan_prepare(&plans[i], made))
			return false;
	return true;
}

static bool plans_finish(struct plan *plans, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!plan_finish(&plans[i]))
			return false;
	return true;
}

static bool plans_write(struct plan *plans, size_t count, struct made_folders *made)
{
	bool good = true;
	if (!plans_prepare(plans, count, made) || !plans_finish(plans, count)) {
		for (size_t i = count; i-- > 0;)
			plan_undo(&plans[i]);
		return false;
	}
	for (size_t i = 0; i < count; i++)
		good &= plan_settle(&plans[i]);
	made->count = 0;
	return good;
}

bool output_commit(const char *folder, struct output_job *jobs, size_t count, bool dry_run)
{
	struct arena *arena = jobs[0].compilation->arena;
	struct plan *plans = arena_array(arena, count, sizeof *plans);
	struct made_folders made = { 0 };
	for (size_t i = 0; i < count; i++)
		plans[i] = plan_begin(folder, &jobs[i]);
	bool good = plan_enter(&plans[0], dry_run, &made);
	struct uninterrupted writing = uninterrupted_begin(); /* the lock is there: nothing is waited for */
	good = good && plan_read_lists(&plans[0], count == 1) && plans_make(plans, jobs, count) &&
	       (dry_run || plans_write(plans, count, &made));
	for (size_t i = 0; good && i < count; i++)
		results_fill(&plans[i], &jobs[i]);
	if (!good)
		folders_remove(&made);
	plan_leave(&plans[0]);
	uninterrupted_end(&writing);
	return good;
}

void output_listed(struct compilation *compilation, const struct policy *policy, const char *folder,
		   bool *listed, struct claims *makers)
{
	struct manifest list;
	const char *name = output_manifest_name(compilation, policy->name);
	bool read;
	list_read(compilation->arena, AT_FDCWD, output_path(compilation, folder, name), &list, &read);
	*makers = read ? list.makers : (struct claims){ 0 };
	for (size_t i = 0; i < backend_count; i++) {
		listed[i] = false;
		for (size_t k = 0; read && !listed[i] && k < list.claims.count; k++)
			listed[i] = backends[i]->owns(policy, list.claims.items[k].path);
	}
}

/* ---- --check ---- */

static const char *lag_word(const struct plan *plan, const struct step *step)
{
	size_t first;
	if (step->state == OUTPUT_REMOVED)
		return "orphaned";
	if (!step->old.exists)
		return "missing";
	if (!step->unclaimed)
		return "stale";
	return claims_about(&plan->manifest.claims, step->path, &first) ? "edited" : "foreign";
}

static void lag_print(const struct plan *plan, const struct step *step, struct strbuf *out)
{
	static const char absent[] = "/dev/null";
	const char *path = output_path(plan->compilation, plan->folder, step->path);
	bool removed = step->state == OUTPUT_REMOVED;
	struct difference_side old = { step->old.exists ? path : absent, step->old.bytes, step->old.size };
	struct difference_side new = { removed ? absent : path, removed ? "" : step->bytes,
				       removed ? 0 : step->size };
	output_line(lag_word(plan, step), path, NULL, out);
	if (!step->old.too_large)
		difference_print(&old, &new, out);
}

bool output_check(const char *folder, const struct output_job *job, struct strbuf *out, bool *current)
{
	struct plan plan = plan_begin(folder, job);
	struct made_folders none = { 0 };
	plan.checking = true;
	bool good = plan_enter(&plan, true, &none) && plan_read_lists(&plan, true) &&
		    plan_make(&plan, &job->artifacts);
	*current = good && !plan_changes(&plan) && !plan.journal.exists;
	for (size_t i = 0; good && i < plan.step_count; i++)
		if (plan.steps[i].state != OUTPUT_UNCHANGED)
			lag_print(&plan, &plan.steps[i], out);
	if (good && plan.journal.exists)
		output_line("killed", output_path(job->compilation, plan.folder, plan.journal_name), NULL,
			    out);
	plan_leave(&plan);
	return good;
}

void output_line(const char *word, const char *path, const char *note, struct strbuf *out)
{
	strbuf_printf(out, "  %-9s  ", word);
	text_add_visible(out, path, strlen(path));
	if (note)
		strbuf_printf(out, "  (%s)", note);
	strbuf_add_char(out, '\n');
}
