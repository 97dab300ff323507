#include "compiler/rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/source.h"
#include "compiler/folder.h"
#include "compiler/sync_write.h"
#include "compiler/uninterrupted.h"

static bool trouble(struct compilation *compilation, const struct source *source, int error)
{
	const char *why = error == ENODEV ? "it is no regular file" : strerror(error);
	diag_trouble(compilation->diags, "cannot write '%s': %s", source->path, why);
	return false;
}

static bool trouble_changed(struct compilation *compilation, const struct source *source)
{
	diag_trouble(compilation->diags, "'%s' changed while allowc ran: it is not written; run it again",
		     source->path);
	return false;
}

static bool trouble_in_the_way(struct compilation *compilation, const struct source *source, const char *name)
{
	diag_trouble(compilation->diags, "'%s' is in the way, beside '%s': move it away or delete it",
		     file_temporary(compilation->arena, name), source->path);
	return false;
}

static bool trouble_linked(struct compilation *compilation, const struct source *source)
{
	diag_trouble(compilation->diags,
		     "'%s' has another name (a hard link), which would keep the old text: it is not written",
		     source->path);
	return false;
}

static bool is_as_read(const struct file_content *now, const struct source *source)
{
	size_t mark = source->has_bom ? 3 : 0;
	return now->exists && now->size == source->size + mark &&
	       memcmp(now->bytes + mark, source->text, source->size) == 0;
}

static bool replace(struct compilation *compilation, const struct source *source, struct sync_file *file)
{
	struct arena *arena = compilation->arena;
	bool same = false;
	int error = sync_file_read(arena, file, &file->old);
	if (error)
		return trouble(compilation, source, error);
	if (!is_as_read(&file->old, source))
		return trouble_changed(compilation, source);
	error = sync_file_prepare(arena, file);
	if (error == EMLINK)
		return trouble_linked(compilation, source);
	if (error == EEXIST)
		return trouble_in_the_way(compilation, source, file->path);
	if (!error)
		error = sync_file_same(arena, file, &same);
	if (!error && same)
		error = sync_file_finish(arena, file);
	if (file->done)
		return true;
	sync_file_undo(arena, file);
	if (error == ESTALE || !error)
		return trouble_changed(compilation, source);
	return trouble(compilation, source, error);
}

bool rewrite_file(struct compilation *compilation, const struct source *source, const char *bytes,
		  size_t size)
{
	char *path = realpath(source->path, NULL);
	if (!path)
		return trouble(compilation, source, errno);
	arena_adopt(compilation->arena, path);
	const char *name = path_base(path);
	const char *folder = arena_copy(compilation->arena, path, (size_t)(name - path));
	int root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return trouble(compilation, source, errno);
	struct sync_file file = { .root = root, .path = name, .bytes = bytes, .size = size };
	int error = folder_lock(root);
	struct uninterrupted writing = uninterrupted_begin();
	bool good = error ? trouble(compilation, source, error) : replace(compilation, source, &file);
	uninterrupted_end(&writing);
	close(root);
	return good;
}
