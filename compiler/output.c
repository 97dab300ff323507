#include "compiler/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/difference.h"
#include "compiler/output_plan.h"
#include "compiler/output_write.h"
#include "compiler/policy/policy.h"

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

/*
 * Waits for its turn. The lock is on the folder itself: there is no lock file to leave behind, and the
 * kernel gives it back when its holder is killed. A file system that cannot lock a folder (NFS) has no
 * turns. Sets `*gone` where the run before took away the folder that it had made.
 */
static int folder_lock(int fd, bool *gone)
{
	while (flock(fd, LOCK_EX) < 0) {
		if (errno == EINTR)
			continue;
		if (errno != EBADF && errno != ENOLCK && errno != EOPNOTSUPP && errno != ENOSYS)
			return errno;
		break;
	}
	struct stat status;
	if (fstat(fd, &status) < 0)
		return errno;
	*gone = status.st_nlink == 0;
	return 0;
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
			int error = folder_lock(plan->fd, &gone);
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

static void results_fill(const struct plan *plan, struct output_results *results)
{
	struct arena *arena = plan->compilation->arena;
	for (size_t i = 0; i < plan->step_count; i++) {
		results->items = arena_grow(arena, results->items, results->count, &results->capacity,
					    sizeof *results->items);
		results->items[results->count++] = (struct output_result){
			.path = output_path(plan->compilation, plan->folder, plan->steps[i].path),
			.state = plan->steps[i].state,
		};
	}
}

static struct plan plan_begin(struct compilation *compilation, const struct policy *policy,
			      const struct output_target *target)
{
	return (struct plan){
		.compilation = compilation,
		.policy = policy,
		.folder = target->folder,
		.fd = -1,
		.selected = target->selected,
		.selected_count = target->selected_count,
		.manifest_name = output_manifest_name(compilation, policy->name),
		.journal_name = arena_printf(compilation->arena, ".%s.allowc", policy->name),
	};
}

bool output_commit(struct compilation *compilation, const struct policy *policy,
		   const struct output_target *target, const struct artifacts *artifacts, bool dry_run,
		   struct output_results *results)
{
	struct plan plan = plan_begin(compilation, policy, target);
	struct made_folders made = { 0 };
	bool good = plan_enter(&plan, dry_run, &made) && plan_make(&plan, artifacts) &&
		    (dry_run || plan_write(&plan));
	if (good)
		results_fill(&plan, results);
	else
		folders_remove(&made);
	plan_leave(&plan);
	return good;
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
	return claims_about(&plan->manifest, step->path, &first) ? "edited" : "foreign";
}

static void lag_print(const struct plan *plan, const struct step *step, struct strbuf *out)
{
	static const char absent[] = "/dev/null";
	const char *path = output_path(plan->compilation, plan->folder, step->path);
	bool removed = step->state == OUTPUT_REMOVED;
	struct difference_side old = { step->old.exists ? path : absent, step->old.bytes, step->old.size };
	struct difference_side new = { removed ? absent : path, removed ? "" : step->bytes,
				       removed ? 0 : step->size };
	output_line(lag_word(plan, step), path, out);
	if (!step->old.too_large)
		difference_print(&old, &new, out);
}

bool output_check(struct compilation *compilation, const struct policy *policy,
		  const struct output_target *target, const struct artifacts *artifacts, struct strbuf *out,
		  bool *current)
{
	struct plan plan = plan_begin(compilation, policy, target);
	struct made_folders none = { 0 };
	plan.checking = true;
	bool good = plan_enter(&plan, true, &none) && plan_make(&plan, artifacts);
	*current = good && !plan_changes(&plan) && !plan.journal.exists;
	for (size_t i = 0; good && i < plan.step_count; i++)
		if (plan.steps[i].state != OUTPUT_UNCHANGED)
			lag_print(&plan, &plan.steps[i], out);
	if (good && plan.journal.exists)
		output_line("killed", output_path(compilation, plan.folder, plan.journal_name), out);
	plan_leave(&plan);
	return good;
}

void output_line(const char *word, const char *path, struct strbuf *out)
{
	strbuf_printf(out, "  %-9s  ", word);
	text_add_visible(out, path, strlen(path));
	strbuf_add_char(out, '\n');
}
