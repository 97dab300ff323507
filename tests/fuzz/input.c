#include "tests/fuzz/input.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/filter/filter.h"
#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/diag_data.h"
#include "compiler/base/reading.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/policy.h"
#include "compiler/policy/resolve.h"

_Noreturn void input_refute(const char *condition, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fprintf(stderr, "not true: %s\n", condition);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	abort();
}

/* ---- cutting ---- */

/* Where the line after `at` begins. */
static size_t line_next(const struct input *input, size_t at)
{
	const char *end = at < input->size ? memchr(input->bytes + at, '\n', input->size - at) : NULL;
	return end ? (size_t)(end - input->bytes) + 1 : input->size;
}

static bool line_has_mark(const struct input *input, size_t at, const char *mark)
{
	size_t size = strlen(mark);
	return input->size - at >= size && memcmp(input->bytes + at, mark, size) == 0;
}

struct input input_cut(struct input *left, const char *mark, struct input *name)
{
	struct input part = *left;
	size_t at = 0;
	while (at < left->size && !line_has_mark(left, at, mark))
		at = line_next(left, at);
	size_t next = line_next(left, at);
	part.size = at;
	*name = (struct input){ left->bytes, 0 };
	if (at < left->size) {
		size_t begin = at + strlen(mark);
		size_t end = left->bytes[next - 1] == '\n' && next > begin ? next - 1 : next;
		*name = (struct input){ left->bytes + begin, end - begin };
	}
	if (next)
		left->bytes += next;
	left->size -= next;
	return part;
}

void input_take(struct input *left, void *bytes, size_t size)
{
	size_t there = left->size < size ? left->size : size;
	memset(bytes, 0, size);
	if (!there)
		return;
	memcpy(bytes, left->bytes, there);
	left->bytes += there;
	left->size -= there;
}

const char *input_text(struct arena *arena, struct input part)
{
	char *text = arena_copy(arena, part.bytes, part.size);
	for (size_t i = 0; i < part.size; i++)
		if (!text[i])
			text[i] = '0';
	return text;
}

/* ---- the tree ---- */

static const struct input_files *files_of(const struct tree *tree)
{
	return (const struct input_files *)tree; /* its first member */
}

/* The part of a folded path below a folder: "0001-a.md" of "adr/0001-a.md" in "adr"; NULL where it is
 * elsewhere. */
static const char *path_below(const char *path, const char *folder)
{
	size_t size = strlen(folder);
	if (!size)
		return path;
	return strncmp(path, folder, size) == 0 && path[size] == '/' ? path + size + 1 : NULL;
}

static const struct input_file *file_find(const struct input_files *files, const char *path)
{
	for (size_t i = 0; i < files->count; i++)
		if (strcmp(files->items[i].path, path) == 0)
			return &files->items[i];
	return NULL;
}

static bool is_folder(const struct input_files *files, const char *path)
{
	for (size_t i = 0; i < files->count; i++)
		if (path_below(files->items[i].path, path))
			return true;
	return false;
}

static struct file_identity identity_of(const struct input_files *files, const struct input_file *file)
{
	return (struct file_identity){ 1, (uint64_t)(file - files->items) + 1 };
}

static int files_read(const struct tree *tree, struct arena *arena, const char *path, enum tree_naming naming,
		      size_t most, struct reading *reading, struct file_identity *identity)
{
	(void)naming;
	const struct input_files *files = files_of(tree);
	const char *folded = path_fold(arena, path);
	const struct input_file *file = file_find(files, folded);
	if (!file)
		return is_folder(files, folded) ? EISDIR : ENOENT;
	if (file->text.size > most)
		return EFBIG;
	/* A copy of its own, so that a byte read past its end is seen. */
	*reading = (struct reading){ .bytes = arena_copy(arena, file->text.bytes, file->text.size),
				     .size = file->text.size };
	*identity = identity_of(files, file);
	return 0;
}

/* The first of the files that have this name in the folder. */
static bool is_first(const struct input_files *files, const char *folder, size_t index, const char *name,
		     size_t size)
{
	for (size_t i = 0; i < index; i++) {
		const char *other = path_below(files->items[i].path, folder);
		if (other && strncmp(other, name, size) == 0 && (!other[size] || other[size] == '/'))
			return false;
	}
	return true;
}

static int files_list(const struct tree *tree, const char *path, tree_entry_function *each, void *context)
{
	const struct input_files *files = files_of(tree);
	struct arena *arena = arena_new();
	const char *folder = path_fold(arena, path);
	bool found = false;
	for (size_t i = 0; i < files->count; i++) {
		const char *name = path_below(files->items[i].path, folder);
		if (!name)
			continue;
		size_t size = strcspn(name, "/");
		found = true;
		if (is_first(files, folder, i, name, size))
			each(context, arena_copy(arena, name, size));
	}
	arena_free(arena);
	return found ? 0 : ENOENT;
}

static bool files_identify(const struct tree *tree, const char *path, struct file_identity *identity)
{
	const struct input_files *files = files_of(tree);
	struct arena *arena = arena_new();
	const char *folded = path_fold(arena, path);
	const struct input_file *file = file_find(files, folded);
	bool folder = !file && is_folder(files, folded);
	*identity = file ? identity_of(files, file) : (struct file_identity){ 2, 1 };
	arena_free(arena);
	return file || folder;
}

void input_files_cut(struct input_files *files, struct arena *arena, struct input input)
{
	*files = (struct input_files){ .tree = { "", files_read, files_list, files_identify } };
	struct input name, next;
	const char *path = INPUT_FIRST;
	do {
		struct input text = input_cut(&input, "=== ", &name);
		next = name;
		if (!file_find(files, path))
			files->items[files->count++] = (struct input_file){ path, text };
		path = path_fold(arena, input_text(arena, next));
	} while (next.size && files->count < INPUT_FILES_MAX);
}

/* ---- policies ---- */

static void trouble_check(const struct compilation *compilation)
{
	for (size_t i = 0; i < diags_trouble_count(compilation->diags); i++) {
		const char *text = diags_trouble(compilation->diags, i);
		REQUIRE_OR(!strstr(text, "internal error"), "%s", text);
	}
}

void input_check(const struct compilation *compilation, bool result)
{
	struct strbuf out = STRBUF_INIT;
	trouble_check(compilation);
	REQUIRE((diags_exit_status(compilation->diags) == 0) == result);
	diags_render(compilation->diags, DIAG_TEXT, false, &out);
	for (size_t i = 0; i < out.size; i++)
		REQUIRE_OR((unsigned char)out.bytes[i] >= ' ' || out.bytes[i] == '\n' || out.bytes[i] == '\t',
			   "a control character is printed: %d", out.bytes[i]);
	diags_render(compilation->diags, DIAG_TEXT, true, &out);
	diags_render(compilation->diags, DIAG_JSON, false, &out);
	diags_render(compilation->diags, DIAG_GITHUB, false, &out);
	strbuf_release(&out);
}

const struct policy *input_policy(struct compilation *compilation, const struct input_files *files)
{
	sources_read_from(compilation->sources, &files->tree);
	const struct policy *policy = policy_load(compilation, INPUT_FIRST);
	input_check(compilation, policy != NULL);
	return policy;
}

bool input_emit(struct compilation *compilation, const struct policy *policy, struct artifacts *artifacts)
{
	struct policy audited = *policy;
	audited.seccomp.audit = true;
	struct emission emission = { .compilation = compilation, .policy = policy };
	struct emission audit = { .compilation = compilation, .policy = &audited };
	emission.filter = filter_build(compilation, policy);
	audit.filter = filter_build(compilation, &audited);
	bool good = emission.filter && audit.filter;
	for (size_t i = 0; good && i < backend_count; i++)
		if (!backends[i]->can_say || backends[i]->can_say(policy))
			good = backends[i]->emit(backends[i]->audits ? &audit : &emission, artifacts);
	trouble_check(compilation);
	REQUIRE(good || diags_exit_status(compilation->diags) != 0);
	return good;
}
