/*
 * A folder of artifacts for tests of output_plan and output_write, with backends of one line and a plan
 * as output.c begins it. Include it after <cmocka.h>.
 */
#ifndef ALLOWC_TESTS_OUTPUT_FOLDER_H
#define ALLOWC_TESTS_OUTPUT_FOLDER_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/diag_data.h"
#include "compiler/file.h"
#include "compiler/output_plan.h"
#include "compiler/policy/policy.h"
#include "tests/unit/scratch.h"

/* SHA-256 of "abc", of "" and of "a" (FIPS 180-4 and sha256sum). */
#define HASH_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define HASH_EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define HASH_A "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"

struct output_folder {
	struct compilation compilation;
	struct scratch scratch;
	int fd;
};

static inline bool output_folder_owns_header(const struct policy *policy, const char *path)
{
	(void)policy;
	return strcmp(path, "p.h") == 0 || strcmp(path, "p.old") == 0;
}

static inline bool output_folder_owns_plugins(const struct policy *policy, const char *path)
{
	(void)policy;
	return strncmp(path, "plugins/", 8) == 0;
}

static inline int output_folder_begin(void **state)
{
	struct output_folder *folder = calloc(1, sizeof *folder);
	*state = folder;
	if (!folder || !scratch_begin(&folder->scratch))
		return -1;
	folder->compilation = compilation_begin(0);
	folder->fd = open(folder->scratch.folder, O_RDONLY | O_DIRECTORY);
	return folder->fd < 0;
}

static inline int output_folder_end(void **state)
{
	struct output_folder *folder = *state;
	close(folder->fd);
	scratch_end(&folder->scratch);
	compilation_end(&folder->compilation);
	free(folder);
	return 0;
}

static inline void output_folder_put(struct output_folder *folder, const char *name, const char *text)
{
	assert_true(scratch_write(&folder->scratch, name, text, strlen(text)));
}

/* NULL where there is no such file. */
static inline const char *output_folder_text(struct output_folder *folder, const char *name)
{
	struct file_content content;
	assert_int_equal(file_read(folder->compilation.arena, folder->fd, name, &content), 0);
	return content.exists ? content.bytes : NULL;
}

/* Of policy "p"; the first `selected` of the backends header and plugins are selected. */
static inline struct plan output_folder_plan(struct output_folder *folder, size_t selected)
{
	static const struct backend header = { .name = "header", .owns = output_folder_owns_header };
	static const struct backend plugins = { .name = "plugins", .owns = output_folder_owns_plugins };
	static const struct backend *const both[] = { &header, &plugins };
	static const struct policy policy = { .name = "p" };
	return (struct plan){
		.compilation = &folder->compilation,
		.policy = &policy,
		.folder = "out",
		.fd = folder->fd,
		.selected = both,
		.selected_count = selected,
		.manifest_name = "p.sha256",
		.journal_name = ".p.allowc",
	};
}

static inline bool output_folder_make(struct plan *plan, struct artifact *items, size_t count)
{
	const struct artifacts artifacts = { items, count, count };
	return plan_make(plan, &artifacts);
}

#endif
