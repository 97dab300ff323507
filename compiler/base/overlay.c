#include "compiler/base/overlay.h"

#include <errno.h>
#include <string.h>

static const struct overlay *overlay_of(const struct tree *tree)
{
	return (const struct overlay *)tree; /* its first member */
}

static bool identify(const struct tree *tree, const char *path, struct file_identity *identity)
{
	const struct tree *files = tree_of_files();
	if (files->identify(files, path, identity))
		return true;
	*identity = (struct file_identity){ UINT64_MAX, 1 }; /* of no device */
	return strcmp(path, overlay_of(tree)->path) == 0;
}

static int file_read(const struct tree *tree, struct arena *arena, const char *path, enum tree_naming naming,
		     size_t most, struct reading *reading, struct file_identity *identity)
{
	const struct overlay *overlay = overlay_of(tree);
	const struct tree *files = tree_of_files();
	if (strcmp(path, overlay->path) != 0)
		return files->read(files, arena, path, naming, most, reading, identity);
	if (overlay->text.size > most)
		return EFBIG;
	identify(tree, path, identity);
	*reading = overlay->text;
	return 0;
}

static int folder_list(const struct tree *tree, const char *folder, tree_entry_function *each, void *context)
{
	(void)tree;
	const struct tree *files = tree_of_files();
	return files->list(files, folder, each, context);
}

struct overlay overlay_make(const char *path, struct reading text)
{
	return (struct overlay){ { "", file_read, folder_list, identify }, path, text };
}
