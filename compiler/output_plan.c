#include "compiler/output_plan.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/hash.h"
#include "compiler/journal.h"
#include "compiler/manifest.h"
#include "compiler/policy/policy.h"

enum { MARK_WITHIN = 4096 };

static const struct span nowhere = { 0 };

static struct arena *arena_of(const struct plan *plan)
{
	return plan->compilation->arena;
}

static const char *shown(const struct plan *plan, const char *path)
{
	return output_path(plan->compilation, plan->folder, path);
}

void plan_trouble(const struct plan *plan, const char *verb, const char *path, int error)
{
	diag_trouble(plan->compilation->diags, "cannot %s '%s': %s", verb, shown(plan, path),
		     strerror(error));
}

bool plan_changes(const struct plan *plan)
{
	for (size_t i = 0; i < plan->step_count; i++)
		if (plan->steps[i].state != OUTPUT_UNCHANGED)
			return true;
	return false;
}

/* ---- what is there ---- */

static void report_in_the_way(const struct plan *plan, const char *path, const char *what)
{
	struct diagnostic *diagnostic =
		diag_report(plan->compilation->diags, DIAG_OUTPUT, nowhere,
			    "'%s' is %s: allowc writes only plain files, and does not "
			    "replace this one",
			    shown(plan, path), what);
	diag_help(diagnostic, "move it away, or write elsewhere with -o DIR");
}

static void report_too_large(const struct plan *plan, const char *path)
{
	diag_help(diag_report(plan->compilation->diags, DIAG_OUTPUT, nowhere,
			      "'%s' is too large to be allowc's own: more than %d MiB", shown(plan, path),
			      FILE_SIZE_MAX / 1024 / 1024),
		  "move it away or delete it, or write elsewhere with -o DIR");
}

/* What keeps the folder at the start of `rest`, a part of `path`, from being opened. */
static void report_folder(const struct plan *plan, const char *path, const char *rest, int error)
{
	const char *folder = arena_copy(arena_of(plan), path, (size_t)(rest - path) + strcspn(rest, "/"));
	if (error == ELOOP)
		report_in_the_way(plan, folder, "a symbolic link");
	else if (error == ENOTDIR)
		report_in_the_way(plan, folder, "no folder");
	else
		plan_trouble(plan, "look at", folder, error);
}

static void report_file(const struct plan *plan, const char *path, int error)
{
	if (error == ELOOP)
		report_in_the_way(plan, path, "a symbolic link");
	else if (error == EISDIR)
		report_in_the_way(plan, path, "a folder");
	else if (error == ENODEV)
		report_in_the_way(plan, path, "no plain file");
	else
		plan_trouble(plan, "read", path, error);
}

/* Reads what stands at `path`; a file that is too large is no error yet. False when one was reported. */
static bool present_read(const struct plan *plan, const char *path, struct file_content *content)
{
	*content = (struct file_content){ .bytes = "" };
	if (plan->fd < 0)
		return true;
	struct place place;
	int error = place_open(plan->fd, path, &place);
	if (error == ENOENT)
		return true;
	if (error) {
		report_folder(plan, path, place.name, error);
		return false;
	}
	error = file_read(arena_of(plan), place.folder, place.name, content);
	place_close(&place);
	if (error && error != EFBIG)
		report_file(plan, path, error);
	return !error || error == EFBIG;
}

/* The same for a list of allowc's own. */
static bool list_present_read(const struct plan *plan, const char *path, struct file_content *content)
{
	if (!present_read(plan, path, content))
		return false;
	if (content->too_large)
		report_too_large(plan, path);
	return !content->too_large;
}

/* No claim has the hash of a file that was not read. */
static const char *content_hash(const struct plan *plan, const struct file_content *content)
{
	return content->too_large ? "" : hash_bytes(arena_of(plan), content->bytes, content->size);
}

static bool manifest_read(struct plan *plan, struct file_content *content)
{
	if (!list_present_read(plan, plan->manifest_name, content))
		return false;
	unsigned line;
	if (manifest_parse(arena_of(plan), content->bytes, content->size, &plan->manifest, &line))
		return true;
	struct diagnostic *diagnostic =
		diag_report(plan->compilation->diags, DIAG_OUTPUT, nowhere,
			    "'%s' is not the list that allowc wrote: line %u is no line of sha256sum",
			    shown(plan, plan->manifest_name), line);
	diag_help(diagnostic, "restore it, or delete it together with the artifacts that carry no mark");
	return false;
}

static bool journal_read(struct plan *plan)
{
	if (!list_present_read(plan, plan->journal_name, &plan->journal))
		return false;
	if (journal_parse(arena_of(plan), plan->journal.bytes, plan->journal.size, &plan->journal_claims,
			  &plan->journal_paths))
		return true;
	struct diagnostic *diagnostic =
		diag_report(plan->compilation->diags, DIAG_OUTPUT, nowhere,
			    "'%s' is in the way: that is where allowc notes what it is about to write",
			    shown(plan, plan->journal_name));
	diag_help(diagnostic, "move it away or delete it");
	return false;
}

/* ---- whose it is ---- */

static bool marked(const struct file_content *content)
{
	size_t size = content->size < MARK_WITHIN ? content->size : MARK_WITHIN;
	return memmem(content->bytes, size, GENERATED_MARK, sizeof GENERATED_MARK - 1) != NULL;
}

static bool claimed(const struct plan *plan, const char *path, const char *hash)
{
	return claims_have(&plan->manifest.claims, path, hash) ||
	       claims_have(&plan->journal_claims, path, hash);
}

static void report_foreign(const struct plan *plan, const char *path)
{
	size_t first;
	struct diags *diags = plan->compilation->diags;
	if (claims_about(&plan->manifest.claims, path, &first)) {
		diag_help(diag_report(diags, DIAG_OUTPUT, nowhere, "'%s' was edited since allowc wrote it",
				      shown(plan, path)),
			  "move it away to keep the edit, or delete it, and run again");
		return;
	}
	diag_help(diag_report(diags, DIAG_OUTPUT, nowhere,
			      "'%s' is not allowc's own: it is neither listed in %s nor marked as generated",
			      shown(plan, path), plan->manifest_name),
		  "move it away or delete it, or write elsewhere with -o DIR");
}

/* ---- other policies in the folder ---- */

static void report_other(const struct plan *plan, const char *path, const char *other)
{
	struct diagnostic *diagnostic =
		diag_report(plan->compilation->diags, DIAG_OUTPUT, nowhere,
			    "'%s' is an artifact of policy '%s', and policy '%s' would replace it",
			    shown(plan, path), other, plan->policy->name);
	diag_help(
		diagnostic,
		"give one of them another name, or write one policy elsewhere with -o DIR; where policy '%s' "
		"is no more, delete %s.sha256 and the files that it lists",
		other, other);
}

/* Whether the file as it stands is listed by another policy; then that is reported. */
static bool other_has(const struct plan *plan, const struct step *step)
{
	const char *hash = NULL;
	const struct listing *at = NULL;
	if (step->old.exists && plan->others)
		at = map_value(plan->others, step->path, strlen(step->path));
	for (; at; at = at->next) {
		const struct other_list *other = at->list;
		if (strcmp(other->name, plan->policy->name) == 0)
			continue;
		if (!hash)
			hash = content_hash(plan, &step->old);
		if (!claims_have(&other->claims, step->path, hash))
			continue;
		report_other(plan, step->path, other->name);
		return true;
	}
	return false;
}

bool plan_is_apart(const struct plan *plan, struct map *plans)
{
	bool apart = true;
	for (size_t i = 0; i < plan->produced.count; i++) {
		const char *path = plan->produced.items[i].path;
		void **place = map_at(plans, path, strlen(path));
		const struct plan *first = *place;
		if (first && first != plan) {
			report_other(plan, path, first->policy->name);
			apart = false;
		}
		*place = first ? (void *)first : (void *)plan;
	}
	return apart;
}

/* ---- the steps ---- */

static struct step *step_add(struct plan *plan, const char *path)
{
	plan->steps = arena_grow(arena_of(plan), plan->steps, plan->step_count, &plan->step_capacity,
				 sizeof *plan->steps);
	struct step *step = &plan->steps[plan->step_count++];
	*step = (struct step){ .path = path, .state = OUTPUT_UNCHANGED };
	return step;
}

static bool same_bytes(const struct step *step)
{
	return step->old.exists && !step->old.too_large && step->old.size == step->size &&
	       (!step->size || memcmp(step->old.bytes, step->bytes, step->size) == 0);
}

/* False when an error was reported. */
static bool step_decide(struct plan *plan, struct step *step)
{
	if (same_bytes(step))
		return true;
	step->state = OUTPUT_WRITTEN;
	if (!step->old.exists)
		return true;
	step->old_hash = content_hash(plan, &step->old);
	step->unclaimed = !claimed(plan, step->path, step->old_hash);
	if (!step->unclaimed || plan->checking || marked(&step->old))
		return true;
	if (step->old.too_large)
		report_too_large(plan, step->path);
	else
		report_foreign(plan, step->path);
	return false;
}

static bool artifact_plan(struct plan *plan, const struct artifact *artifact)
{
	struct step *step = step_add(plan, artifact->path);
	step->bytes = artifact->bytes;
	step->size = artifact->size;
	step->hash = hash_bytes(arena_of(plan), artifact->bytes, artifact->size);
	claims_add(arena_of(plan), &plan->next.claims, artifact->path, step->hash);
	if (artifact->generator)
		claims_add(arena_of(plan), &plan->next.makers, artifact->path, artifact->generator);
	return present_read(plan, artifact->path, &step->old) && !other_has(plan, step) &&
	       step_decide(plan, step);
}

static bool artifacts_plan(struct plan *plan, const struct artifacts *artifacts)
{
	bool good = true;
	for (size_t i = 0; i < artifacts->count; i++)
		good &= artifact_plan(plan, &artifacts->items[i]);
	claims_sort(&plan->next.claims);
	plan->produced = plan->next.claims;
	for (size_t i = 1; i < plan->next.claims.count; i++)
		assert(strcmp(plan->next.claims.items[i - 1].path, plan->next.claims.items[i].path) != 0);
	return good;
}

/* ---- what is no longer produced ---- */

static bool owner_selected(const struct plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->selected_count; i++)
		if (plan->selected[i]->owns(plan->policy, path))
			return true;
	const char *maker = manifest_maker(&plan->manifest, path);
	for (size_t i = 0; maker && i < plan->generator_count; i++)
		if (strcmp(plan->generators[i].name, maker) == 0)
			return true;
	return false;
}

static void report_edited_orphan(const struct plan *plan, const char *path)
{
	struct diagnostic *diagnostic =
		diag_report(plan->compilation->diags, DIAG_ORPHAN, nowhere,
			    "'%s' is no longer produced; it was edited since allowc wrote it, so it stays",
			    shown(plan, path));
	diag_help(diagnostic, "delete it, or move it away and take its line out of %s", plan->manifest_name);
}

static void maker_keep(struct plan *plan, const char *path)
{
	const char *maker = manifest_maker(&plan->manifest, path);
	if (maker)
		claims_add(arena_of(plan), &plan->next.makers, path, maker);
}

/* Keeps what the list says of a path. */
static void entry_keep(struct plan *plan, const char *path)
{
	size_t first;
	if (!claims_about(&plan->manifest.claims, path, &first))
		return;
	claims_add(arena_of(plan), &plan->next.claims, path, plan->manifest.claims.items[first].hash);
	maker_keep(plan, path);
}

static void orphan_plan(struct plan *plan, const char *path, const struct file_content *content)
{
	const char *hash = content_hash(plan, content);
	bool unclaimed = !claimed(plan, path, hash);
	if (unclaimed && !plan->checking) {
		report_edited_orphan(plan, path);
		entry_keep(plan, path);
		return;
	}
	struct step *step = step_add(plan, path);
	step->state = OUTPUT_REMOVED;
	step->unclaimed = unclaimed;
	step->old = *content;
	step->old_hash = hash;
}

/* A killed run wrote it, and this one does not select its backend: the list takes up what is there. */
static void entry_adopt(struct plan *plan, const char *path, const struct file_content *content)
{
	if (!content->exists)
		return;
	const char *hash = content_hash(plan, content);
	if (!claims_have(&plan->journal_claims, path, hash)) {
		entry_keep(plan, path);
		return;
	}
	claims_add(arena_of(plan), &plan->next.claims, path, hash);
	maker_keep(plan, path);
}

static bool leftover_plan(struct plan *plan, const char *path)
{
	size_t first;
	bool selected = owner_selected(plan, path);
	bool journaled = claims_about(&plan->journal_paths, path, &first) > 0;
	if ((!selected && !journaled) || !name_inside(path)) {
		entry_keep(plan, path);
		return true;
	}
	struct file_content content;
	if (!present_read(plan, path, &content))
		return false;
	if (!selected)
		entry_adopt(plan, path, &content);
	else if (content.exists)
		orphan_plan(plan, path, &content);
	return true;
}

static bool leftovers_plan(struct plan *plan)
{
	struct claims known = { 0 };
	for (size_t i = 0; i < plan->manifest.claims.count; i++)
		claims_add(arena_of(plan), &known, plan->manifest.claims.items[i].path, "");
	for (size_t i = 0; i < plan->journal_paths.count; i++)
		claims_add(arena_of(plan), &known, plan->journal_paths.items[i].path, "");
	claims_sort(&known);
	/* `next` grows below: plan->produced must not see that. */
	plan->next.claims.items = NULL;
	plan->next.claims.count = plan->next.claims.capacity = 0;
	bool good = true;
	for (size_t i = 0; i < known.count; i++) {
		size_t first;
		const char *path = known.items[i].path;
		if (claims_about(&plan->produced, path, &first) == 0 &&
		    strcmp(path, plan->manifest_name) != 0)
			good &= leftover_plan(plan, path);
	}
	for (size_t i = 0; i < plan->produced.count; i++)
		claims_add(arena_of(plan), &plan->next.claims, plan->produced.items[i].path,
			   plan->produced.items[i].hash);
	claims_sort(&plan->next.claims);
	claims_sort(&plan->next.makers);
	return good;
}

static void manifest_plan(struct plan *plan, const struct file_content *old)
{
	struct strbuf text = STRBUF_INIT;
	manifest_print(&plan->next, &text);
	struct step *step = step_add(plan, plan->manifest_name);
	step->bytes = arena_copy(arena_of(plan), text.bytes, text.size);
	step->size = text.size;
	step->old = *old;
	strbuf_release(&text);
	if (same_bytes(step))
		return;
	step->state = OUTPUT_WRITTEN;
	step->hash = hash_bytes(arena_of(plan), step->bytes, step->size);
	if (old->exists)
		step->old_hash = hash_bytes(arena_of(plan), old->bytes, old->size);
}

/* ---- the names of temporary files ---- */

const char *plan_temporary(const struct plan *plan, const char *name)
{
	return file_temporary(arena_of(plan), name);
}

static bool temporary_present(const struct plan *plan, const char *path)
{
	struct place place;
	struct stat status;
	if (place_open(plan->fd, path, &place))
		return false;
	const char *temporary = plan_temporary(plan, place.name);
	bool present = fstatat(place.folder, temporary, &status, AT_SYMLINK_NOFOLLOW) == 0;
	place_close(&place);
	return present;
}

/* A name alone makes no file allowc's own: only a journal says that a killed run left it. */
static bool temporary_free(const struct plan *plan, const char *path)
{
	size_t first;
	if (claims_about(&plan->journal_paths, path, &first) || !temporary_present(plan, path))
		return true;
	const char *base = path_base(path);
	const char *temporary =
		arena_printf(arena_of(plan), "%.*s%s", (int)(base - path), path, plan_temporary(plan, base));
	struct diagnostic *diagnostic = diag_report(
		plan->compilation->diags, DIAG_OUTPUT, nowhere,
		"'%s' is in the way: that is where allowc puts '%s' together", shown(plan, temporary), base);
	diag_help(diagnostic, "no journal tells of it, so it may be yours: move it away or delete it");
	return false;
}

static bool temporaries_free(const struct plan *plan)
{
	bool good = true;
	for (size_t i = 0; plan->fd >= 0 && i < plan->step_count; i++)
		if (plan->steps[i].state != OUTPUT_UNCHANGED)
			good &= temporary_free(plan, plan->steps[i].path);
	return good;
}

bool plan_make(struct plan *plan, const struct artifacts *artifacts)
{
	struct file_content old;
	size_t errors = diags_errors(plan->compilation->diags);
	if (!journal_read(plan) || !manifest_read(plan, &old))
		return false;
	bool good = artifacts_plan(plan, artifacts);
	if (!leftovers_plan(plan) || !good)
		return false;
	if (diags_errors(plan->compilation->diags) > errors)
		return false; /* a warning that -Werror made an error */
	manifest_plan(plan, &old);
	return plan->checking || temporaries_free(plan);
}
