#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/file.h"
#include "compiler/folder.h"
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

static void folders_are_made_and_taken_away(void **state)
{
	struct fixture *fixture = *state;
	struct made_folders made = { 0 };
	struct stat status;
	const char *path = arena_printf(fixture->arena, "%s/a/b//c/", fixture->scratch.folder);
	assert_int_equal(folder_make(fixture->arena, path, &made), 0);
	assert_int_equal(made.count, 3);
	assert_int_equal(fstatat(fixture->fd, "a/b/c", &status, 0), 0);
	assert_int_equal(folder_make(fixture->arena, path, &made), 0);
	assert_int_equal(made.count, 3);
	folders_remove(&made);
	assert_int_equal(fstatat(fixture->fd, "a", &status, 0), -1);
}

static void only_empty_folders_are_pruned(void **state)
{
	struct fixture *fixture = *state;
	struct made_folders made = { 0 };
	struct stat status;
	struct place place;
	assert_int_equal(place_make(fixture->arena, fixture->fd, "a/b/c/file", &made, &place), 0);
	place_close(&place);
	assert_int_equal(file_create(fixture->fd, "a/kept", "", 0, NULL), 0);
	folders_prune(fixture->arena, fixture->fd, "a/b/c/file");
	assert_int_equal(fstatat(fixture->fd, "a/b", &status, 0), -1);
	assert_int_equal(fstatat(fixture->fd, "a/kept", &status, 0), 0);
	folders_prune(fixture->arena, fixture->fd, "plain");
	assert_int_equal(unlinkat(fixture->fd, "a/kept", 0), 0);
	assert_int_equal(unlinkat(fixture->fd, "a", AT_REMOVEDIR), 0);
}

static void a_place_is_opened_step_by_step(void **state)
{
	struct fixture *fixture = *state;
	struct place place;
	assert_int_equal(place_open(fixture->fd, "file", &place), 0);
	assert_int_equal(place.folder, fixture->fd);
	assert_string_equal(place.name, "file");
	place_close(&place);
	assert_int_equal(mkdirat(fixture->fd, "real", 0777), 0);
	assert_int_equal(mkdirat(fixture->fd, "real/x", 0777), 0);
	assert_int_equal(place_open(fixture->fd, "real/x/file", &place), 0);
	assert_int_equal(file_create(place.folder, place.name, "", 0, NULL), 0);
	place_close(&place);
	assert_int_equal(unlinkat(fixture->fd, "real/x/file", 0), 0);
	assert_int_equal(unlinkat(fixture->fd, "real/x", AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(fixture->fd, "real", AT_REMOVEDIR), 0);
}

static void what_is_no_folder_is_named(void **state)
{
	struct fixture *fixture = *state;
	struct place place;
	assert_int_equal(mkdirat(fixture->fd, "real", 0777), 0);
	assert_int_equal(symlinkat("..", fixture->fd, "real/link"), 0);
	assert_int_equal(file_create(fixture->fd, "plain", "", 0, NULL), 0);
	assert_int_equal(place_open(fixture->fd, "absent/x/file", &place), ENOENT);
	assert_string_equal(place.name, "absent/x/file");
	assert_int_equal(place_open(fixture->fd, "real/link/file", &place), ELOOP);
	assert_string_equal(place.name, "link/file");
	assert_int_equal(place_open(fixture->fd, "plain/x/file", &place), ENOTDIR);
	assert_string_equal(place.name, "plain/x/file");
	assert_int_equal(unlinkat(fixture->fd, "real/link", 0), 0);
	assert_int_equal(unlinkat(fixture->fd, "real", AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(fixture->fd, "plain", 0), 0);
}

/* A folder that was swapped for a link after it was made: nothing happens where the link leads. */
static void a_swapped_folder_leads_nowhere(void **state)
{
	struct fixture *fixture = *state;
	struct made_folders made = { 0 };
	struct place place;
	assert_int_equal(place_make(fixture->arena, fixture->fd, "a/b/file", &made, &place), 0);
	place_close(&place);
	assert_int_equal(made.count, 2);
	assert_string_equal(made.items[1].path, "a/b");
	assert_int_equal(renameat(fixture->fd, "a", fixture->fd, "elsewhere"), 0);
	assert_int_equal(symlinkat("elsewhere", fixture->fd, "a"), 0);
	assert_int_equal(place_make(fixture->arena, fixture->fd, "a/c/file", &made, &place), ELOOP);
	folders_remove(&made);
	folders_prune(fixture->arena, fixture->fd, "a/b/file");
	assert_int_equal(faccessat(fixture->fd, "elsewhere/b", F_OK, 0), 0);
	assert_int_equal(faccessat(fixture->fd, "elsewhere/c", F_OK, 0), -1);
	assert_int_equal(unlinkat(fixture->fd, "a", 0), 0);
	assert_int_equal(unlinkat(fixture->fd, "elsewhere/b", AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(fixture->fd, "elsewhere", AT_REMOVEDIR), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(folders_are_made_and_taken_away, begin, end),
		cmocka_unit_test_setup_teardown(only_empty_folders_are_pruned, begin, end),
		cmocka_unit_test_setup_teardown(a_place_is_opened_step_by_step, begin, end),
		cmocka_unit_test_setup_teardown(what_is_no_folder_is_named, begin, end),
		cmocka_unit_test_setup_teardown(a_swapped_folder_leads_nowhere, begin, end),
	};
	return cmocka_run_group_tests_name("folder", tests, NULL, NULL);
}
