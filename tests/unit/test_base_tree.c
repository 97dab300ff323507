/* The file system as a tree (compiler/base/tree.h); test_tree.c is about the filter's. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/reading.h"
#include "compiler/base/tree.h"
#include "tests/unit/scratch.h"

static struct scratch scratch;

static int folder_begin(void **state)
{
	(void)state;
	if (!scratch_begin(&scratch) || chdir(scratch.folder) != 0)
		return 1;
	return scratch_run(
		&scratch,
		"mkdir folder && echo text >file && ln -s file link && ln -s loop loop && "
		"ln file hard && mkfifo pipe && ln -s nowhere dangling && : >folder/inside && : >empty");
}

static int folder_end(void **state)
{
	(void)state;
	if (chdir("/") == 0)
		scratch_end(&scratch);
	return 0;
}

static int read_as(const char *path, enum tree_naming naming, size_t most, struct reading *reading)
{
	const struct tree *files = tree_of_files();
	struct file_identity identity;
	struct arena *arena = arena_new();
	int error = files->read(files, arena, path, naming, most, reading, &identity);
	reading->bytes = NULL; /* it goes with the arena */
	arena_free(arena);
	return error;
}

static int error_of(const char *path)
{
	struct reading reading = { 0 };
	return read_as(path, NAMED_BY_POLICY, 100, &reading);
}

static void files_are_read_and_all_else_has_its_error(void **state)
{
	(void)state;
	struct reading reading = { 0 };
	assert_int_equal(read_as("file", NAMED_BY_POLICY, 5, &reading), 0);
	assert_int_equal(reading.size, 5);
	assert_int_equal(read_as("file", NAMED_BY_POLICY, 4, &reading), EFBIG);
	assert_int_equal(read_as("empty", NAMED_BY_POLICY, 0, &reading), 0);
	assert_int_equal(reading.size, 0);
	assert_int_equal(error_of("link"), 0);
	assert_int_equal(error_of("folder"), EISDIR);
	assert_int_equal(error_of("gone"), ENOENT);
	assert_int_equal(error_of("dangling"), ENOENT);
	assert_int_equal(error_of("file/x"), ENOTDIR);
	assert_int_equal(error_of("loop"), ELOOP);
	assert_string_equal(tree_of_files()->label, "");
}

/* A policy must not make a reader wait; a person may. */
static void devices_and_pipes_are_for_persons(void **state)
{
	(void)state;
	struct reading reading = { 0 };
	assert_int_equal(error_of("pipe"), ENODEV);
	assert_int_equal(error_of("/dev/null"), ENODEV);
	assert_int_equal(read_as("/dev/null", NAMED_BY_PERSON, 100, &reading), 0);
	assert_int_equal(reading.size, 0);
	assert_int_equal(read_as("/dev/zero", NAMED_BY_PERSON, 100, &reading), EFBIG);
}

static void one_file_is_one_by_whatever_path(void **state)
{
	(void)state;
	const struct tree *files = tree_of_files();
	struct file_identity file, hard, link, other;
	assert_true(files->identify(files, "file", &file));
	assert_true(files->identify(files, "./folder/../hard", &hard));
	assert_true(files->identify(files, "link", &link));
	assert_true(files->identify(files, "empty", &other));
	assert_true(file_identity_equal(file, hard));
	assert_true(file_identity_equal(file, link));
	assert_false(file_identity_equal(file, other));
	assert_false(files->identify(files, "gone", &other));
	assert_false(files->identify(files, "loop", &other));
}

static void name_count(void *context, const char *name)
{
	*(int *)context += strcmp(name, "inside") == 0;
}

static void folders_are_listed(void **state)
{
	(void)state;
	const struct tree *files = tree_of_files();
	int count = 0;
	assert_int_equal(files->list(files, "folder", name_count, &count), 0);
	assert_int_equal(count, 1);
	assert_int_equal(files->list(files, "file", name_count, &count), ENOTDIR);
	assert_int_equal(files->list(files, "gone", name_count, &count), ENOENT);
	assert_int_equal(count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_read_and_all_else_has_its_error),
		cmocka_unit_test(devices_and_pipes_are_for_persons),
		cmocka_unit_test(one_file_is_one_by_whatever_path),
		cmocka_unit_test(folders_are_listed),
	};
	return cmocka_run_group_tests_name("base_tree", tests, folder_begin, folder_end);
}
