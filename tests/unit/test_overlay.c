#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/overlay.h"
#include "tests/unit/scratch.h"

static void file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static struct overlay overlay_of(const char *path, const char *text)
{
	return overlay_make(path, (struct reading){ .bytes = text, .size = strlen(text) });
}

static struct scratch scratch;

static int enter(void **state)
{
	(void)state;
	return scratch_begin(&scratch) ? chdir(scratch.folder) : -1;
}

static int leave(void **state)
{
	(void)state;
	int status = chdir("/");
	scratch_end(&scratch);
	return status;
}

static void one_path_holds_another_text(void **state)
{
	(void)state;
	file_write("there", "in the folder");
	file_write("beside", "its neighbour");
	struct arena *arena = arena_new();
	struct overlay overlay = overlay_of("there", "of another time");
	const struct tree *tree = &overlay.tree;
	struct reading reading;
	struct file_identity there, beside;
	assert_int_equal(tree->read(tree, arena, "there", NAMED_BY_PERSON, 100, &reading, &there), 0);
	assert_string_equal(reading.bytes, "of another time");
	assert_int_equal(tree->read(tree, arena, "beside", NAMED_BY_POLICY, 100, &reading, &beside), 0);
	assert_string_equal(reading.bytes, "its neighbour");
	assert_false(file_identity_equal(there, beside));
	assert_int_equal(tree->read(tree, arena, "there", NAMED_BY_PERSON, 14, &reading, &there), EFBIG);
	arena_free(arena);
}

/* A layer that reaches it by another name reaches the same file: a circle is found. */
static void it_is_the_file_that_is_there(void **state)
{
	(void)state;
	file_write("there", "x");
	assert_int_equal(symlink("there", "link"), 0);
	struct overlay overlay = overlay_of("there", "y");
	const struct tree *tree = &overlay.tree;
	struct file_identity there, link;
	assert_true(tree->identify(tree, "there", &there));
	assert_true(tree->identify(tree, "./link", &link));
	assert_true(file_identity_equal(there, link));
}

static void the_path_need_not_exist(void **state)
{
	(void)state;
	file_write("beside", "x");
	struct arena *arena = arena_new();
	struct overlay overlay = overlay_of("gone/with its folder", "y");
	const struct tree *tree = &overlay.tree;
	struct reading reading;
	struct file_identity gone, beside, nothing;
	assert_int_equal(tree->read(tree, arena, "gone/with its folder", NAMED_BY_PERSON, 1, &reading, &gone),
			 0);
	assert_string_equal(reading.bytes, "y");
	assert_true(tree->identify(tree, "gone/with its folder", &gone));
	assert_true(tree->identify(tree, "beside", &beside));
	assert_false(file_identity_equal(gone, beside));
	assert_false(tree->identify(tree, "nothing", &nothing));
	assert_int_equal(tree->read(tree, arena, "nothing", NAMED_BY_POLICY, 1, &reading, &nothing), ENOENT);
	arena_free(arena);
}

static void entry_count(void *context, const char *name)
{
	*(int *)context += name[0] != '.';
}

static void folders_are_those_of_the_file_system(void **state)
{
	(void)state;
	file_write("beside", "x");
	struct overlay overlay = overlay_of("there", "y");
	int count = 0;
	assert_int_equal(overlay.tree.list(&overlay.tree, ".", entry_count, &count), 0);
	assert_int_equal(count, 1);
	assert_int_equal(overlay.tree.list(&overlay.tree, "nothing", entry_count, &count), ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_path_holds_another_text, enter, leave),
		cmocka_unit_test_setup_teardown(it_is_the_file_that_is_there, enter, leave),
		cmocka_unit_test_setup_teardown(the_path_need_not_exist, enter, leave),
		cmocka_unit_test_setup_teardown(folders_are_those_of_the_file_system, enter, leave),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
