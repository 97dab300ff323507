/*
 * First everything is read and decided, then the new texts are put beside their files, then each file is
 * compared with what was read, and only then the renames come. Whatever fails takes back what was done.
 */
#include "compiler/sync.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/backend.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/utf8.h"
#include "compiler/difference.h"
#include "compiler/folder.h"
#include "compiler/output.h"
#include "compiler/region.h"
#include "compiler/region_imports.h"
#include "compiler/sync_list.h"
#include "compiler/sync_place.h"
#include "compiler/sync_report.h"
#include "compiler/sync_write.h"
#include "compiler/uninterrupted.h"

/* One file, and what all requests make of it. */
struct target {
	struct sync_file file;
	const struct sync_request *request; /* the first */
	const char *root;
	bool whole; /* a request gives all its bytes: no other may */
	bool asked; /* results tell of it also where nothing changes */
	bool changed, removed;
	bool edited; /* only a check goes on after that */
};

/* One policy of the run. */
struct part {
	struct sync_request request; /* for its list */
	struct sync_list list;
	struct target *target; /* the list itself */
};

struct root {
	const char *path;
	int fd;
};

struct sync {
	struct arena *arena;
	const struct sync_options *options;
	struct part **parts;
	size_t part_count, part_capacity;
	struct target **targets;
	size_t target_count, target_capacity;
	struct map *by_path;
	struct map *written; /* paths of what sync wrote for any policy of the run, as their lists have it */
	struct map *inputs;  /* by identity, to the source */
	struct root *roots;
	size_t root_count, root_capacity;
};

/* ---- the places ---- */

static int root_open(struct sync *sync, const char *path)
{
	for (size_t i = 0; i < sync->root_count; i++)
		if (strcmp(sync->roots[i].path, path) == 0)
			return sync->roots[i].fd;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return fd;
	sync->roots = arena_grow(sync->arena, sync->roots, sync->root_count, &sync->root_capacity,
				 sizeof *sync->roots);
	sync->roots[sync->root_count++] = (struct root){ path, fd };
	return fd;
}

static bool place_find(struct sync *sync, const struct sync_request *request, struct sync_place *place)
{
	const char *project = sync_project(sync->arena, request->policy_path);
	if (!project)
		return sync_trouble(request, "find the project of", errno);
	enum sync_place_state state = sync_place_find(sync->arena, project, request->base, request->written,
						      sync->options->allow_outside, place);
	return state == SYNC_PLACE_TROUBLE ? sync_trouble(request, "find the folder of", errno)
					   : sync_report_state(request, state);
}

/* ---- inputs ---- */

static void inputs_collect(struct sync *sync, const struct compilation *compilation)
{
	for (size_t i = 0; i < sources_count(compilation->sources); i++) {
		const struct source *source = sources_get(compilation->sources, i);
		if (source->identity.inode)
			*map_at(sync->inputs, (const char *)&source->identity, sizeof source->identity) =
				(void *)source;
	}
}

/* A manifest is read to be written. */
static bool input_spared(const struct sync *sync, const struct sync_request *request)
{
	struct file_identity identity;
	if (sync->options->allow_outside || !file_identity_find(request->shown, &identity))
		return true;
	const struct source *source = map_value(sync->inputs, (const char *)&identity, sizeof identity);
	if (!source || source == request->before)
		return true;
	return sync_report_input(request);
}

/* ---- one target ---- */

/* Policies of one run are few. */
static struct part *part_of(const struct sync *sync, const struct sync_request *request)
{
	size_t i = 0;
	while (sync->parts[i]->request.compilation != request->compilation)
		i++;
	return sync->parts[i];
}

/* Absolute, without links. */
static const char *target_path(const struct sync *sync, const struct target *target)
{
	return path_joined(sync->arena, target->root, target->file.path);
}

static struct target *target_add(struct sync *sync, const struct sync_request *request, int root,
				 const struct sync_place *place)
{
	struct target *target = arena_alloc(sync->arena, sizeof *target);
	*target = (struct target){ .file = { .root = root, .path = place->path },
				   .request = request,
				   .root = place->root };
	sync->targets = arena_grow(sync->arena, sync->targets, sync->target_count, &sync->target_capacity,
				   sizeof(struct target *));
	sync->targets[sync->target_count++] = target;
	return target;
}

static bool target_read(struct sync *sync, struct target *target)
{
	struct sync_file *file = &target->file;
	int error = sync_file_read(sync->arena, file, &file->old);
	file->bytes = file->old.bytes;
	file->size = file->old.size;
	if (error == EISDIR || error == ENODEV)
		return sync_report_in_the_way(target->request, error);
	return !error || sync_trouble(target->request, "read", error);
}

/* The target of a request, new or that of one before. NULL when an error was reported. */
static struct target *target_find(struct sync *sync, const struct sync_request *request)
{
	struct sync_place place = { "", "" };
	if (!place_find(sync, request, &place) || !input_spared(sync, request))
		return NULL;
	const char *key = path_joined(sync->arena, place.root, place.path);
	struct target *before = map_value(sync->by_path, key, strlen(key));
	if (before)
		return before;
	int root = root_open(sync, place.root);
	if (root < 0) {
		sync_trouble(request, "open the folder of", errno);
		return NULL;
	}
	struct target *target = target_add(sync, request, root, &place);
	*map_at(sync->by_path, key, strlen(key)) = target;
	return target_read(sync, target) ? target : NULL;
}

static bool target_set(struct target *target, const struct sync_request *request, const char *bytes,
		       size_t size)
{
	struct sync_file *file = &target->file;
	file->bytes = bytes;
	file->size = size;
	target->changed =
		!file->old.exists || size != file->old.size || memcmp(bytes, file->old.bytes, size) != 0;
	target->whole |= request->manifest;
	return true;
}

/* ---- a manifest ---- */

/* The bytes are an edit of what was read for them: what stands there must still be that. */
static bool manifest_is_as_read(const struct file_content *old, const struct source *before)
{
	size_t bom = before && before->has_bom ? 3 : 0;
	if (!before)
		return !old->exists;
	return old->exists && old->size == before->size + bom &&
	       memcmp(old->bytes + bom, before->text, before->size) == 0;
}

static bool manifest_apply(struct target *target, const struct sync_request *request)
{
	if (target->request != request)
		return sync_report_twice(request, target->request->place);
	if (!manifest_is_as_read(&target->file.old, request->before))
		return sync_report_changed(request);
	return target_set(target, request, request->bytes, request->size);
}

/* ---- an output ---- */

/* The first line of an artifact says which policy it is from: a hint for the message, and no proof. */
static bool same_first_line(const struct file_content *old, const char *bytes, size_t size)
{
	const char *end = memchr(bytes, '\n', size);
	size_t line = end ? (size_t)(end - bytes) + 1 : size;
	return memmem(bytes, line, GENERATED_MARK, strlen(GENERATED_MARK)) && old->size >= line &&
	       memcmp(old->bytes, bytes, line) == 0;
}

/* Whether the file that stands there is allowc's to replace. A check shows what it would say of another. */
static bool whole_check(struct sync *sync, struct target *target, const struct sync_request *request,
			const struct part *part, const char *path)
{
	const struct file_content *old = &target->file.old;
	enum sync_owner owner = sync_list_owner(sync->arena, &part->list, path, old);
	bool marked = same_first_line(old, request->bytes, request->size);
	if (owner == SYNC_OWNER_ALLOWC)
		return true;
	target->edited = sync->options->check && (marked || owner == SYNC_OWNER_EDITED);
	if (target->edited)
		return true;
	return owner == SYNC_OWNER_EDITED ? sync_report_edited(request, part->request.shown)
					  : sync_report_foreign(request, part->request.shown, marked);
}

/* For any policy of the run: a file may pass from one to another. */
static bool was_written(const struct sync *sync, const struct target *target)
{
	const char *path = target_path(sync, target);
	return map_find(sync->written, path, strlen(path)) != NULL;
}

/* The whole file, which must be as sync wrote it. */
static bool whole_apply(struct sync *sync, struct target *target, const struct sync_request *request)
{
	const struct file_content *old = &target->file.old;
	struct part *part = part_of(sync, request);
	const char *path = sync_list_path(sync->arena, &part->list, target_path(sync, target));
	bool same = old->exists && old->size == request->size &&
		    memcmp(old->bytes, request->bytes, old->size) == 0;
	if (target->request != request)
		return sync_report_twice(request, target->request->place);
	if (old->exists && !same && !whole_check(sync, target, request, part, path))
		return false;
	target->whole = true;
	sync_list_add(sync->arena, &part->list, path, request->bytes, request->size,
		      !same || was_written(sync, target));
	return target_set(target, request, request->bytes, request->size);
}

/* Python takes `from __future__` below comments alone; a second docstring is none. */
static bool is_late_module(const struct sync_request *request, const char *text, size_t before)
{
	static const char import[] = "\nfrom __future__ import ";
	size_t at = before >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	if (request->region_only || !memmem(request->bytes, request->size, import, strlen(import)))
		return false;
	while (at < before) {
		const char *end = memchr(text + at, '\n', before - at);
		size_t next = end ? (size_t)(end - text) + 1 : before;
		at += strspn(text + at, " \t\f\r");
		if (at < next && text[at] != '#' && text[at] != '\n')
			return true;
		at = next;
	}
	return false;
}

static bool is_python(const struct sync_request *request)
{
	size_t size = strlen(request->shown);
	return size > 3 && strcmp(request->shown + size - 3, ".py") == 0;
}

/* What stands behind the old region is what stands behind the new one. */
static void imports_check(const struct sync_request *request, const struct sync_file *file,
			  const struct region_result *region)
{
	static const char end_marker[] = "allowc:end";
	const char *text = file->bytes, *end = text + file->size;
	const char *after = memmem(text + region->first, file->size - region->first, end_marker,
				   strlen(end_marker));
	struct region_import missing[REGION_IMPORTS_MAX];
	size_t before = region->first;
	while (before < file->size && (text[before] == ' ' || text[before] == '\t'))
		before++; /* the marker's indent says what it is in */
	assert(after);
	size_t count = region_imports_missing(request->bytes, request->size, text, before, after,
					      (size_t)(end - after), missing);
	if (count)
		sync_report_imports(request, missing, count);
}

static bool region_apply(struct sync *sync, struct target *target, const struct sync_request *request)
{
	struct sync_file *file = &target->file;
	if (file->old.exists && utf8_text_size(file->bytes, file->size) < file->size) {
		diag_report(request->compilation->diags, DIAG_REGION, request->place,
			    "'%s' is no UTF-8 text: no region is looked for in it", request->shown);
		return false;
	}
	struct region_result region;
	switch (region_replace(sync->arena, file->bytes, file->size, request->marker, request->bytes,
			       request->size, &region)) {
	case REGION_REFUSED:
		return sync_report_markers(request, &target->file.old, &region);
	case REGION_REPLACED:
		if (is_late_module(request, file->bytes, region.first))
			return sync_report_late_module(request);
		if (is_python(request))
			imports_check(request, file, &region);
		return target_set(target, request, region.bytes, region.size);
	case REGION_ABSENT:
		break;
	}
	if (request->region_only)
		return sync_report_no_region(request, file->old.exists
							      ? "'%s' has no region '%s'"
							      : "'%s' is not there to hold the region '%s'");
	return whole_apply(sync, target, request);
}

static bool output_apply(struct sync *sync, struct target *target, const struct sync_request *request)
{
	if (target->whole)
		return sync_report_twice(request, target->request->place);
	bool text = utf8_text_size(request->bytes, request->size) == request->size;
	if (!text)
		return whole_apply(sync, target, request);
	if (!region_has_marker(request->bytes, request->size))
		return region_apply(sync, target, request);
	struct diagnostic *d = diag_report(request->compilation->diags, DIAG_REGION, request->place,
					   "the artifact for '%s' holds a marker itself", request->shown);
	diag_help(d, "no text of the policy may have allowc:begin or allowc:end in it");
	return false;
}

/* Two requests for one region would leave the second alone: nobody would see the first. */
static bool region_is_new(struct sync *sync, const struct target *target, const struct sync_request *request)
{
	if (request->manifest)
		return true;
	const char *key = arena_printf(sync->arena, "%p %s", (const void *)target, request->marker);
	void **known = map_at(sync->by_path, key, strlen(key));
	if (*known) {
		const struct sync_request *first = *known;
		return sync_report_twice(request, first->place);
	}
	*known = (void *)request;
	return true;
}

bool sync_add(struct sync *sync, const struct sync_request *request)
{
	struct target *target = target_find(sync, request);
	if (!target || !region_is_new(sync, target, request))
		return false;
	target->asked = true;
	return request->manifest ? manifest_apply(target, request) : output_apply(sync, target, request);
}

const char *sync_output(struct sync *sync, const struct sync_request *request)
{
	struct sync_place place = { "", "" };
	if (!place_find(sync, request, &place) || !input_spared(sync, request))
		return NULL;
	const char *project = sync_project(sync->arena, request->policy_path);
	bool below = project && strcmp(project, place.root) == 0;
	return below ? place.path : arena_printf(sync->arena, "/%s", place.path);
}

static bool is_list(const struct sync *sync, const struct target *target)
{
	for (size_t i = 0; i < sync->part_count; i++)
		if (sync->parts[i]->target == target)
			return true;
	return false;
}

/* Those below "/" alone are outside of every project; what the lists will have is not known yet. */
void sync_artifacts(const struct sync *sync, const char *project, struct artifacts *artifacts)
{
	for (size_t i = 0; i < sync->target_count; i++) {
		const struct target *target = sync->targets[i];
		if (strcmp(target->root, project) != 0 || is_list(sync, target))
			continue;
		artifacts->items = arena_grow(sync->arena, artifacts->items, artifacts->count,
					      &artifacts->capacity, sizeof *artifacts->items);
		artifacts->items[artifacts->count++] = (struct artifact){ .path = target->file.path,
									  .bytes = target->file.bytes,
									  .size = target->file.size };
	}
}

/* ---- the lists ---- */

/*
 * A killed run wrote files before their list: the next one knows them by it. Else what is there is nothing.
 */
static void left_read(struct sync *sync, struct part *part)
{
	const struct sync_file *list = &part->target->file;
	const char *name = path_base(list->path);
	const struct sync_file file = {
		.root = list->root,
		.path = arena_printf(sync->arena, "%.*s%s", (int)(name - list->path), list->path,
				     file_temporary(sync->arena, name)),
	};
	struct file_content content;
	unsigned line;
	if (sync_file_read(sync->arena, &file, &content) ||
	    !manifest_parse(sync->arena, content.bytes, content.size, &part->list.left, &line))
		part->list.left = (struct manifest){ 0 };
}

static void written_collect(struct sync *sync, const char *folder, const struct claims *written)
{
	for (size_t i = 0; i < written->count; i++) {
		const char *path =
			path_fold(sync->arena, path_joined(sync->arena, folder, written->items[i].path));
		*map_at(sync->written, path, strlen(path)) = (void *)path;
	}
}

static bool list_read(struct sync *sync, struct part *part)
{
	unsigned line;
	part->target = target_find(sync, &part->request);
	if (!part->target)
		return false;
	const struct file_content *old = &part->target->file.old;
	const char *path = target_path(sync, part->target);
	const char *end = strrchr(path, '/');
	part->list.folder = end == path ? "/" : arena_copy(sync->arena, path, (size_t)(end - path));
	part->target->whole = true;
	part->target->asked = old->exists;
	left_read(sync, part);
	if (!manifest_parse(sync->arena, old->bytes, old->size, &part->list.old, &line))
		return sync_report_list(&part->request, line);
	written_collect(sync, part->list.folder, &part->list.old.written);
	written_collect(sync, part->list.folder, &part->list.left.written);
	return true;
}

bool sync_add_policy(struct sync *sync, struct compilation *compilation, const char *policy_path,
		     const char *policy_name)
{
	struct part *part = arena_alloc(sync->arena, sizeof *part);
	const char *name = sync_list_name(sync->arena, policy_name);
	part->request = (struct sync_request){ .compilation = compilation,
					       .policy_path = policy_path,
					       .policy_name = policy_name,
					       .base = policy_path,
					       .written = name,
					       .shown = path_beside(sync->arena, policy_path, name) };
	sync->parts = arena_grow(sync->arena, sync->parts, sync->part_count, &sync->part_capacity,
				 sizeof(struct part *));
	sync->parts[sync->part_count++] = part;
	inputs_collect(sync, compilation);
	return list_read(sync, part);
}

/* A file that is not as it was written, or that sync never wrote, stays, and the list keeps it. */
static bool orphan_spare(struct sync *sync, struct part *part, const struct target *target, const char *path)
{
	bool wrote = sync_list_wrote(&part->list, path);
	if (sync->options->check || (wrote && !target->edited))
		return false;
	sync_report_orphan(target->request, part->request.shown, wrote);
	sync_list_keep(sync->arena, &part->list, path);
	return true;
}

/*
 * What the list has and no request: it goes where it is as it was written. Where it may not be touched (a
 * link, a place outside), the list keeps it.
 */
static bool orphan_add(struct sync *sync, struct part *part, const char *path)
{
	struct sync_request *request = arena_alloc(sync->arena, sizeof *request);
	*request = part->request;
	request->written = path;
	request->shown = path_beside(sync->arena, request->policy_path, path);
	struct sync_place place = { "", "" };
	const char *project = sync_project(sync->arena, request->policy_path);
	if (!project)
		return sync_trouble(request, "find the project of", errno);
	enum sync_place_state state = sync_place_find(sync->arena, project, request->base, path,
						      sync->options->allow_outside, &place);
	if (state == SYNC_PLACE_TROUBLE)
		return sync_trouble(request, "find the folder of", errno);
	if (state == SYNC_PLACE_NO_FOLDER && errno == ENOENT)
		return true;
	if (state != SYNC_PLACE_GOOD) {
		sync_list_keep(sync->arena, &part->list, path);
		return true;
	}
	struct target *target = target_find(sync, request);
	if (!target)
		return false;
	/* Another policy of this run may write it now: then it is that one's. */
	bool is_ours = target->request == request &&
		       !sync_list_elsewhere(sync->arena, &part->list, sync->by_path, path);
	if (!target->file.old.exists || !is_ours)
		return true;
	target->edited =
		sync_list_owner(sync->arena, &part->list, path, &target->file.old) == SYNC_OWNER_EDITED;
	if (!orphan_spare(sync, part, target, path))
		target->changed = target->removed = true;
	return true;
}

static bool orphans_add(struct sync *sync, struct part *part)
{
	const struct diags *diags = part->request.compilation->diags;
	size_t errors = diags_errors(diags);
	bool good = true;
	const char *before = "";
	for (size_t i = 0; i < part->list.old.claims.count; i++) {
		const char *path = part->list.old.claims.items[i].path;
		if (strcmp(path, before) != 0 && !sync_list_has(&part->list, path))
			good &= orphan_add(sync, part, path);
		before = path;
	}
	return good && diags_errors(diags) == errors; /* a warning that -Werror made an error */
}

static void list_finish(struct sync *sync, struct part *part)
{
	struct strbuf text = STRBUF_INIT;
	sync_list_print(sync->arena, &part->list, &text);
	size_t size = text.size;
	char *bytes = strbuf_detach(&text);
	arena_adopt(sync->arena, bytes);
	struct target *target = part->target;
	if (size)
		target_set(target, &part->request, bytes, size);
	else
		target->changed = target->removed = target->file.old.exists;
}

/* They come last: until all is done the old ones hold. */
static void lists_to_the_end(struct sync *sync)
{
	for (size_t i = 0; i < sync->part_count; i++) {
		size_t at = 0;
		while (sync->targets[at] != sync->parts[i]->target)
			at++;
		memmove(&sync->targets[at], &sync->targets[at + 1],
			(sync->target_count - at - 1) * sizeof *sync->targets);
		sync->targets[sync->target_count - 1] = sync->parts[i]->target;
	}
}

/* ---- all targets ---- */

static int by_path(const void *left, const void *right)
{
	return strcmp(((const struct root *)left)->path, ((const struct root *)right)->path);
}

/* A file that is named from outside of its project has to wait for the runs in it too. */
static void projects_open(struct sync *sync)
{
	for (size_t i = 0; i < sync->target_count; i++) {
		const struct target *target = sync->targets[i];
		const char *project = strcmp(target->root, "/") == 0
					      ? sync_project(sync->arena, target_path(sync, target))
					      : NULL;
		if (project)
			root_open(sync, project);
	}
}

/* Two runs in one project take turns. "/" is no project. */
static bool roots_lock(struct sync *sync)
{
	projects_open(sync);
	if (sync->root_count)
		qsort(sync->roots, sync->root_count, sizeof *sync->roots, by_path);
	for (size_t i = 0; i < sync->root_count; i++) {
		bool taken = strcmp(sync->roots[i].path, "/") != 0;
		int error = taken ? folder_lock(sync->roots[i].fd) : 0;
		if (error)
			return sync_trouble(sync->targets[0]->request, "lock the project of", error);
	}
	return true;
}

static void roots_close(struct sync *sync)
{
	for (size_t i = 0; i < sync->root_count; i++)
		close(sync->roots[i].fd);
}

static bool target_prepare(struct sync *sync, struct target *target)
{
	/* Nobody is kept from anything by a name that stays: no trouble. */
	if ((!target->changed || target->removed) && target->file.old.names > 1)
		sync_file_tidy(sync->arena, &target->file);
	if (!target->changed)
		return true;
	int error = target->removed ? sync_file_removable(sync->arena, &target->file) : 0;
	if (target->removed)
		return !error || sync_trouble(target->request, "remove", error);
	error = sync_file_prepare(sync->arena, &target->file);
	if (error == EMLINK)
		return sync_report_linked(target->request);
	if (error != EEXIST)
		return !error || sync_trouble(target->request, "write", error);
	const char *name = path_base(target->file.path);
	diag_trouble(target->request->compilation->diags,
		     "'%s' is in the way, beside '%s': move it away or delete it",
		     file_temporary(sync->arena, name), target->request->shown);
	return false;
}

/* One without a change, too: a generator was shown it. */
static bool target_compare(struct sync *sync, struct target *target)
{
	bool same;
	if (!target->changed && !target->asked)
		return true;
	int error = sync_file_same(sync->arena, &target->file, &same);
	if (error)
		return sync_trouble(target->request, "read again", error);
	return same || sync_report_changed(target->request);
}

static bool target_finish(struct sync *sync, struct target *target)
{
	if (!target->changed || target->removed)
		return true;
	int error = sync_file_finish(sync->arena, &target->file);
	if (error == ESTALE)
		return sync_report_changed(target->request);
	return !error || sync_trouble(target->request, "replace", error);
}

/* What went does not come back: it was allowc's, and the old list still names it. */
static bool target_remove(struct sync *sync, struct target *target)
{
	int error = target->removed ? sync_file_remove(sync->arena, &target->file) : 0;
	if (error == ESTALE) {
		diag_trouble(target->request->compilation->diags,
			     "'%s' changed while allowc ran: it is not removed; run it again",
			     target->request->shown);
		return false;
	}
	return !error || sync_trouble(target->request, "remove", error);
}

typedef bool target_step(struct sync *sync, struct target *target);

static bool targets_do(struct sync *sync, size_t begin, size_t end, target_step *step)
{
	for (size_t i = begin; i < end; i++)
		if (!step(sync, sync->targets[i]))
			return false;
	return true;
}

static void target_undo(struct sync *sync, struct target *target)
{
	int error = sync_file_undo(sync->arena, &target->file);
	if (error == ESTALE)
		diag_trouble(target->request->compilation->diags,
			     "'%s' changed while allowc ran: it is not put back", target->request->shown);
	else if (error)
		sync_trouble(target->request, "put back", error);
}

/* A list comes when all that it says is done: while one that is to go cannot, the old list names it. */
static bool targets_do_all(struct sync *sync)
{
	size_t all = sync->target_count, lists = all - sync->part_count;
	if (targets_do(sync, 0, all, target_prepare) && targets_do(sync, 0, all, target_compare) &&
	    targets_do(sync, 0, lists, target_finish) && targets_do(sync, 0, lists, target_remove) &&
	    targets_do(sync, lists, all, target_finish) && targets_do(sync, lists, all, target_remove))
		return true;
	for (size_t i = all; i-- > 0;)
		target_undo(sync, sync->targets[i]);
	return false;
}

static bool targets_write(struct sync *sync)
{
	if (!roots_lock(sync))
		return false;
	struct uninterrupted writing = uninterrupted_begin();
	bool good = targets_do_all(sync);
	uninterrupted_end(&writing);
	return good;
}

static void target_difference(const struct target *target, struct strbuf *out)
{
	const struct sync_file *file = &target->file;
	const char *shown = target->request->shown;
	struct difference_side old = { file->old.exists ? shown : "/dev/null", file->old.bytes,
				       file->old.size };
	struct difference_side new = { shown, file->bytes, file->size };
	if (target->removed)
		new = (struct difference_side){ "/dev/null", "", 0 };
	const char *word = target->removed ? "orphaned" : target->edited ? "edited" : "stale";
	output_line(file->old.exists ? word : "missing", shown, NULL, out);
	difference_print(&old, &new, out);
}

static void results_fill(const struct sync *sync, struct sync_results *results, struct strbuf *differences)
{
	results->items = arena_array(sync->arena, sync->target_count, sizeof *results->items);
	for (size_t i = 0; i < sync->target_count; i++) {
		const struct target *target = sync->targets[i];
		if (!target->asked && !target->changed)
			continue;
		results->items[results->count++] =
			(struct sync_result){ target->request->shown, target->changed && !target->removed,
					      target->removed };
		if (sync->options->check && target->changed)
			target_difference(target, differences);
	}
}

struct sync *sync_begin(struct arena *arena, const struct sync_options *options)
{
	struct sync *sync = arena_alloc(arena, sizeof *sync);
	*sync = (struct sync){
		.arena = arena,
		.options = options,
		.by_path = map_new(arena, 0),
		.written = map_new(arena, 0),
		.inputs = map_new(arena, 0),
	};
	return sync;
}

void sync_end(struct sync *sync)
{
	roots_close(sync);
}

bool sync_commit(struct sync *sync, struct sync_results *results, struct strbuf *differences)
{
	bool good = true;
	for (size_t i = 0; i < sync->part_count; i++)
		good &= orphans_add(sync, sync->parts[i]);
	for (size_t i = 0; i < sync->part_count; i++)
		list_finish(sync, sync->parts[i]);
	lists_to_the_end(sync);
	if (good && !sync->options->dry_run && !sync->options->check)
		good = targets_write(sync);
	if (good)
		results_fill(sync, results, differences);
	return good;
}
