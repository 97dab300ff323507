#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/file.h"
#include "tests/unit/scratch.h"

struct place {
	struct arena *arena;
	struct scratch scratch;
	int fd;
};

static int begin(void **state)
{
	struct place *place = calloc(1, sizeof *place);
	*state = place;
	place->arena = arena_new();
	if (!scratch_begin(&place->scratch))
		return -1;
	place->fd = open(place->scratch.folder, O_RDONLY | O_DIRECTORY);
	return place->fd < 0;
}

static int end(void **state)
{
	struct place *place = *state;
	close(place->fd);
	int failed = rmdir(place->scratch.folder); /* each test clears up: what it made, it knows */
	arena_free(place->arena);
	free(place);
	return failed;
}

static void a_file_comes_back_as_it_was_written(void **state)
{
	struct place *place = *state;
	struct file_content content;
	assert_int_equal(file_read(place->arena, place->fd, "x", &content), 0);
	assert_false(content.exists);
	assert_int_equal(file_create(place->fd, "x", "a\0b", 3, FILE_MODE_NEW), 0);
	assert_int_equal(file_read(place->arena, place->fd, "x", &content), 0);
	assert_true(content.exists);
	assert_int_equal(content.size, 3);
	assert_memory_equal(content.bytes, "a\0b", 4);
	assert_int_equal(file_create(place->fd, "x", "", 0, FILE_MODE_NEW), EEXIST);
	assert_int_equal(unlinkat(place->fd, "x", 0), 0);
	assert_int_equal(file_create(place->fd, "x", "", 0, 0604), 0);
	assert_int_equal(file_read(place->arena, place->fd, "x", &content), 0);
	assert_int_equal(content.size, 0);
	assert_int_equal(content.mode, 0604);
	assert_int_equal(unlinkat(place->fd, "x", 0), 0);
}

static void only_plain_files_are_read(void **state)
{
	struct place *place = *state;
	struct file_content content;
	assert_int_equal(mkdirat(place->fd, "folder", 0777), 0);
	assert_int_equal(mkfifoat(place->fd, "pipe", 0666), 0);
	assert_int_equal(symlinkat("folder", place->fd, "link"), 0);
	assert_int_equal(file_read(place->arena, place->fd, "folder", &content), EISDIR);
	assert_int_equal(file_read(place->arena, place->fd, "pipe", &content), ENODEV);
	assert_int_equal(file_read(place->arena, place->fd, "link", &content), ELOOP);
	assert_int_equal(unlinkat(place->fd, "pipe", 0), 0);
	assert_int_equal(unlinkat(place->fd, "link", 0), 0);
	assert_int_equal(unlinkat(place->fd, "folder", AT_REMOVEDIR), 0);
}

static void folders_are_made_and_taken_away(void **state)
{
	struct place *place = *state;
	struct made_folders made = { 0 };
	struct stat status;
	assert_int_equal(folder_make(place->arena, place->fd, "a/b//c/", &made), 0);
	assert_int_equal(made.count, 3);
	assert_int_equal(fstatat(place->fd, "a/b/c", &status, 0), 0);
	assert_int_equal(folder_make(place->arena, place->fd, "a/b", &made), 0);
	assert_int_equal(made.count, 3);
	folders_remove(&made);
	assert_int_equal(fstatat(place->fd, "a", &status, 0), -1);
}

static void only_empty_folders_are_pruned(void **state)
{
	struct place *place = *state;
	struct made_folders made = { 0 };
	struct stat status;
	assert_int_equal(folder_make(place->arena, place->fd, "a/b/c", &made), 0);
	assert_int_equal(file_create(place->fd, "a/kept", "", 0, FILE_MODE_NEW), 0);
	folders_prune(place->arena, place->fd, "a/b/c/file");
	assert_int_equal(fstatat(place->fd, "a/b", &status, 0), -1);
	assert_int_equal(fstatat(place->fd, "a/kept", &status, 0), 0);
	folders_prune(place->arena, place->fd, "plain");
	assert_int_equal(unlinkat(place->fd, "a/kept", 0), 0);
	assert_int_equal(unlinkat(place->fd, "a", AT_REMOVEDIR), 0);
}

static void what_stands_above_a_file_is_checked(void **state)
{
	struct place *place = *state;
	size_t length = 0;
	assert_int_equal(mkdirat(place->fd, "real", 0777), 0);
	assert_int_equal(symlinkat("..", place->fd, "real/link"), 0);
	assert_int_equal(file_create(place->fd, "plain", "", 0, FILE_MODE_NEW), 0);
	assert_int_equal(folders_check(place->arena, place->fd, "file", "", &length), 0);
	assert_int_equal(folders_check(place->arena, place->fd, "real/file", "", &length), 0);
	assert_int_equal(folders_check(place->arena, place->fd, "absent/x/file", "", &length), 0);
	assert_int_equal(folders_check(place->arena, place->fd, "real/link/file", "", &length), ELOOP);
	assert_int_equal(length, strlen("real/link"));
	assert_int_equal(folders_check(place->arena, place->fd, "plain/x/file", "", &length), ENOTDIR);
	assert_int_equal(length, strlen("plain"));
	/* A name that merely begins like the one before is asked for itself. */
	assert_int_equal(folders_check(place->arena, place->fd, "plain/file", "plainer/file", &length),
			 ENOTDIR);
	assert_int_equal(unlinkat(place->fd, "real/link", 0), 0);
	assert_int_equal(unlinkat(place->fd, "real", AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(place->fd, "plain", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_comes_back_as_it_was_written, begin, end),
		cmocka_unit_test_setup_teardown(only_plain_files_are_read, begin, end),
		cmocka_unit_test_setup_teardown(folders_are_made_and_taken_away, begin, end),
		cmocka_unit_test_setup_teardown(only_empty_folders_are_pruned, begin, end),
		cmocka_unit_test_setup_teardown(what_stands_above_a_file_is_checked, begin, end),
	};
	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
