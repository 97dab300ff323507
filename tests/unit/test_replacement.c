/* Labels that nobody may set, and a list that cannot be read: the calls of the C library are those below. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/folder.h"
#include "compiler/replacement.h"
#include "tests/unit/scratch.h"

static const char label_name[] = "security.selinux";
static const char *label_of_old, *label_of_new;
static int access_list_error = ENODATA; /* of the old file's; a new one has none */
static unsigned tries;

ssize_t flistxattr(int fd, char *list, size_t size)
{
	(void)fd;
	if (size)
		memcpy(list, label_name, sizeof label_name);
	return sizeof label_name;
}

/* The old file is the one that is open to be read. */
ssize_t fgetxattr(int fd, const char *name, void *value, size_t size)
{
	bool old = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
	const char *label = old ? label_of_old : label_of_new;
	if (strcmp(name, label_name) != 0) {
		errno = old ? access_list_error : ENODATA;
		return -1;
	}
	if (size)
		memcpy(value, label, strlen(label));
	return (ssize_t)strlen(label);
}

int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
	(void)fd, (void)name, (void)value, (void)size, (void)flags;
	tries++;
	errno = EACCES;
	return -1;
}

/* What replacement_write() says, where the old file has `old` and a new one gets `new`. */
static int written_with(const char *old, const char *new, enum replacement_keeping keeping)
{
	struct scratch scratch = { "" };
	assert_true(scratch_begin(&scratch));
	struct place place = { .folder = open(scratch.folder, O_RDONLY | O_DIRECTORY), .name = "x" };
	close(openat(place.folder, "x", O_WRONLY | O_CREAT, 0600));
	struct arena *arena = arena_new();
	label_of_old = old;
	label_of_new = new;
	tries = 0;
	int error = replacement_write(arena, &place, "t", "new", 3, keeping);
	arena_free(arena);
	assert_int_equal(unlinkat(place.folder, "t", 0), error ? -1 : 0);
	assert_int_equal(unlinkat(place.folder, "x", 0), 0);
	close(place.folder);
	assert_int_equal(rmdir(scratch.folder), 0);
	return error;
}

static void a_label_that_is_there_already_is_not_set(void **state)
{
	(void)state;
	assert_int_equal(written_with("a:b:c", "a:b:c", KEEPING_ALL), 0);
	assert_int_equal(tries, 0);
	assert_int_equal(written_with("a:b:c", "a:b:c", KEEPING_POSSIBLE), 0);
	assert_int_equal(tries, 0);
}

static void another_label_is_given_up_or_an_error(void **state)
{
	(void)state;
	assert_int_equal(written_with("a:b:c", "a:b:d", KEEPING_ALL), EACCES);
	assert_int_equal(tries, 1);
	assert_int_equal(written_with("a:b:c", "a:b:c:d", KEEPING_POSSIBLE), 0);
	assert_int_equal(tries, 1);
}

/* Without it the file's group would get what the list gives anybody at most. */
static void an_access_list_that_cannot_be_read_is_not_taken_for_none(void **state)
{
	(void)state;
	access_list_error = EIO;
	assert_int_equal(written_with("a:b:c", "a:b:c", KEEPING_POSSIBLE), EIO);
	access_list_error = ENOTSUP;
	assert_int_equal(written_with("a:b:c", "a:b:c", KEEPING_POSSIBLE), 0);
	access_list_error = ENODATA;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_label_that_is_there_already_is_not_set),
		cmocka_unit_test(another_label_is_given_up_or_an_error),
		cmocka_unit_test(an_access_list_that_cannot_be_read_is_not_taken_for_none),
	};
	return cmocka_run_group_tests_name("replacement", tests, NULL, NULL);
}
