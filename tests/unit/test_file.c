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

struct fixture {
	struct arena *arena;
	struct scratch scratch;
	int fd;
};

static int begin(void **state)
{
	struct fixture *fixture = calloc(1, sizeof *fixture);
	*state = fixture;
	fixture->arena = arena_new();
	if (!scratch_begin(&fixture->scratch))
		return -1;
	fixture->fd = open(fixture->scratch.folder, O_RDONLY | O_DIRECTORY);
	return fixture->fd < 0;
}

static int end(void **state)
{
	struct fixture *fixture = *state;
	close(fixture->fd);
	int failed = rmdir(fixture->scratch.folder); /* each test clears up: what it made, it knows */
	arena_free(fixture->arena);
	free(fixture);
	return failed;
}

static void a_file_comes_back_as_it_was_written(void **state)
{
	struct fixture *fixture = *state;
	struct file_content content;
	assert_int_equal(file_read(fixture->arena, fixture->fd, "x", &content), 0);
	assert_false(content.exists);
	assert_int_equal(file_create(fixture->fd, "x", "a\0b", 3, NULL), 0);
	assert_int_equal(file_read(fixture->arena, fixture->fd, "x", &content), 0);
	assert_true(content.exists);
	assert_int_equal(content.size, 3);
	assert_memory_equal(content.bytes, "a\0b", 4);
	assert_int_equal(file_create(fixture->fd, "x", "", 0, NULL), EEXIST);
	assert_int_equal(unlinkat(fixture->fd, "x", 0), 0);
	assert_int_equal(
		file_create(fixture->fd, "x", "", 0, &(struct file_keeping){ 0604, geteuid(), getegid() }),
		0);
	assert_int_equal(file_read(fixture->arena, fixture->fd, "x", &content), 0);
	assert_int_equal(content.size, 0);
	assert_int_equal(content.keeping.mode, 0604);
	assert_int_equal(unlinkat(fixture->fd, "x", 0), 0);
}

static void only_plain_files_are_read(void **state)
{
	struct fixture *fixture = *state;
	struct file_content content;
	assert_int_equal(mkdirat(fixture->fd, "folder", 0777), 0);
	assert_int_equal(mkfifoat(fixture->fd, "pipe", 0666), 0);
	assert_int_equal(symlinkat("folder", fixture->fd, "link"), 0);
	assert_int_equal(file_read(fixture->arena, fixture->fd, "folder", &content), EISDIR);
	assert_int_equal(file_read(fixture->arena, fixture->fd, "pipe", &content), ENODEV);
	assert_int_equal(file_read(fixture->arena, fixture->fd, "link", &content), ELOOP);
	assert_int_equal(unlinkat(fixture->fd, "pipe", 0), 0);
	assert_int_equal(unlinkat(fixture->fd, "link", 0), 0);
	assert_int_equal(unlinkat(fixture->fd, "folder", AT_REMOVEDIR), 0);
}

static void a_large_file_is_not_read(void **state)
{
	struct fixture *fixture = *state;
	struct file_content content;
	assert_int_equal(file_create(fixture->fd, "large", "", 0, NULL), 0);
	int fd = openat(fixture->fd, "large", O_WRONLY);
	assert_int_equal(ftruncate(fd, (off_t)64 << 30), 0);
	close(fd);
	assert_int_equal(file_read(fixture->arena, fixture->fd, "large", &content), EFBIG);
	assert_true(content.exists);
	assert_true(content.too_large);
	assert_int_equal(content.size, 0);
	assert_int_equal(unlinkat(fixture->fd, "large", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_comes_back_as_it_was_written, begin, end),
		cmocka_unit_test_setup_teardown(only_plain_files_are_read, begin, end),
		cmocka_unit_test_setup_teardown(a_large_file_is_not_read, begin, end),
	};
	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
