/* Which files are read, and which are not waited for. Lines and columns: test_diag. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"
#include "tests/unit/scratch.h"

struct fixture {
	struct scratch scratch;
	struct arena *arena;
	struct sources *sources;
};

static int begin(void **state)
{
	struct fixture *fixture = calloc(1, sizeof *fixture);
	*state = fixture;
	fixture->arena = arena_new();
	fixture->sources = sources_new(fixture->arena);
	return !scratch_begin(&fixture->scratch);
}

static int end(void **state)
{
	struct fixture *fixture = *state;
	scratch_end(&fixture->scratch);
	arena_free(fixture->arena);
	free(fixture);
	return 0;
}

static const char *path_of(struct fixture *fixture, const char *name)
{
	return arena_printf(fixture->arena, "%s/%s", fixture->scratch.folder, name);
}

/* The reason for which neither is read, or the one alone. */
static void assert_refused(struct fixture *fixture, const char *path, int named, int argument)
{
	if (named) {
		assert_null(sources_load(fixture->sources, path));
		assert_int_equal(errno, named);
	}
	if (argument) {
		assert_null(sources_load_argument(fixture->sources, path));
		assert_int_equal(errno, argument);
	}
}

static void a_file_is_read_once(void **state)
{
	struct fixture *fixture = *state;
	const char *path = path_of(fixture, "p.allow");
	assert_true(scratch_write(&fixture->scratch, "p.allow", "\xef\xbb\xbfpolicy p\n", 12));
	const struct source *source = sources_load(fixture->sources, path);
	assert_string_equal(source->text, "policy p\n");
	assert_ptr_equal(sources_load_argument(fixture->sources, path), source);
	assert_int_equal(sources_count(fixture->sources), 1);
}

/* A hard link is the same file; a copy is another. A text in memory is no file at all. */
static void a_file_is_known_by_whatever_path(void **state)
{
	struct fixture *fixture = *state;
	const char *path = path_of(fixture, "p.allow"), *link_path = path_of(fixture, "link.allow");
	assert_true(scratch_write(&fixture->scratch, "p.allow", "policy p\n", 9));
	assert_true(scratch_write(&fixture->scratch, "copy.allow", "policy p\n", 9));
	assert_int_equal(link(path, link_path), 0);
	struct file_identity linked, copied, absent;
	assert_true(file_identity_find(link_path, &linked));
	assert_true(file_identity_find(path_of(fixture, "copy.allow"), &copied));
	assert_false(file_identity_find(path_of(fixture, "absent"), &absent));
	const struct source *source = sources_load(fixture->sources, path);
	assert_true(file_identity_equal(source->identity, linked));
	assert_false(file_identity_equal(source->identity, copied));
	const struct source *text = sources_add(fixture->sources, "text", "", 0);
	assert_int_equal(text->identity.device, 0);
	assert_int_equal(text->identity.inode, 0);
}

static void what_is_no_file_is_refused(void **state)
{
	struct fixture *fixture = *state;
	const char *pipe_path = path_of(fixture, "pipe");
	assert_int_equal(mkfifo(pipe_path, 0600), 0);
	assert_refused(fixture, pipe_path, ENODEV, 0);
	assert_refused(fixture, "/dev/null", ENODEV, 0);
	assert_refused(fixture, fixture->scratch.folder, EISDIR, EISDIR);
	assert_refused(fixture, path_of(fixture, "absent"), ENOENT, ENOENT);
}

static void the_command_line_may_name_a_device(void **state)
{
	struct fixture *fixture = *state;
	const struct source *source = sources_load_argument(fixture->sources, "/dev/null");
	assert_int_equal(source->size, 0);
	assert_refused(fixture, "/dev/zero", ENODEV, EFBIG);
}

static void a_large_file_is_not_read(void **state)
{
	struct fixture *fixture = *state;
	const char *path = path_of(fixture, "large");
	assert_true(scratch_write(&fixture->scratch, "large", "", 0));
	assert_int_equal(truncate(path, (off_t)64 << 30), 0);
	assert_refused(fixture, path, EFBIG, EFBIG);
}

/* "-" and "<stdin>" in a policy are files of that name, whatever the command line has read. */
static void only_the_command_line_means_standard_input(void **state)
{
	struct fixture *fixture = *state;
	int ends[2], kept = dup(STDIN_FILENO);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "policy p\n", 9), 9);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	assert_refused(fixture, "-", ENOENT, 0);
	const struct source *source = sources_load_argument(fixture->sources, "-");
	assert_string_equal(source->path, "<stdin>");
	assert_string_equal(source->text, "policy p\n");
	assert_ptr_equal(sources_load_argument(fixture->sources, "-"), source);
	assert_refused(fixture, "<stdin>", ENOENT, ENOENT);
	dup2(kept, STDIN_FILENO);
	close(kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_is_read_once, begin, end),
		cmocka_unit_test_setup_teardown(a_file_is_known_by_whatever_path, begin, end),
		cmocka_unit_test_setup_teardown(what_is_no_file_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(the_command_line_may_name_a_device, begin, end),
		cmocka_unit_test_setup_teardown(a_large_file_is_not_read, begin, end),
		cmocka_unit_test_setup_teardown(only_the_command_line_means_standard_input, begin, end),
	};
	return cmocka_run_group_tests_name("source_load", tests, NULL, NULL);
}
