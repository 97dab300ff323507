/* Folders of ADRs: which files have which number, and what happens to those that cannot be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/diag_data.h"
#include "compiler/policy/adr.h"
#include "tests/unit/scratch.h"

struct fixture {
	struct compilation compilation;
	struct scratch scratch;
	char **made; /* paths to remove */
	size_t made_count, made_capacity;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof *fixture);
	if (!fixture)
		return -1;
	fixture->compilation = compilation_begin(0);
	*state = fixture;
	return scratch_begin(&fixture->scratch) ? 0 : -1;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	for (size_t i = 0; i < fixture->made_count; i++)
		remove(fixture->made[i]);
	int status = rmdir(fixture->scratch.folder);
	compilation_end(&fixture->compilation);
	free(fixture);
	return status;
}

static const char *path_make(struct fixture *fixture, const char *name)
{
	struct arena *arena = fixture->compilation.arena;
	fixture->made = arena_grow(arena, fixture->made, fixture->made_count, &fixture->made_capacity,
				   sizeof *fixture->made);
	char *path = arena_printf(arena, "%s/%s", fixture->scratch.folder, name);
	fixture->made[fixture->made_count++] = path;
	return path;
}

static void file_make(struct fixture *fixture, const char *name, const char *text)
{
	FILE *file = fopen(path_make(fixture, name), "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static struct adr_scope *open_scope(struct fixture *fixture)
{
	return adr_scope_open(&fixture->compilation, "phase7", fixture->scratch.folder, NULL, 0);
}

/* The base names of the files of a number, joined by blanks. */
static const char *names_of(struct fixture *fixture, const struct adr_scope *scope, unsigned long number)
{
	const char *const *paths;
	const char *names = "";
	size_t count = adr_scope_files(scope, number, &paths);
	for (size_t i = 0; i < count; i++)
		names = arena_printf(fixture->compilation.arena, "%s%s%s", names, i ? " " : "",
				     path_base(paths[i]));
	return names;
}

static void test_files(void **state)
{
	struct fixture *fixture = *state;
	static const char *const names[] = {
		"0015-b.md",
		"015-a.md",
		"ADR-0007-x.md",
		"adr-8-x.markdown",
		"0009_x.rst",
		"10.adoc",
		/* none of these is an ADR */
		"README.md",
		"index.md",
		"template.md",
		"0000-template.md",
		"0001-ADR-Template.md",
		"0015-c.txt",
		"0015-d.md.orig",
		"0015-e.md~",
		".0015-f.md",
		"notes-0015.md",
		"0015",
		"99999999999999999999999999-x.md",
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		file_make(fixture, names[i], "");
	struct adr_scope *scope = open_scope(fixture);
	assert_string_equal(adr_scope_name(scope), "phase7");
	assert_string_equal(names_of(fixture, scope, 15), "0015-b.md 015-a.md");
	assert_string_equal(names_of(fixture, scope, 7), "ADR-0007-x.md");
	assert_string_equal(names_of(fixture, scope, 8), "adr-8-x.markdown");
	assert_string_equal(names_of(fixture, scope, 9), "0009_x.rst");
	assert_string_equal(names_of(fixture, scope, 10), "10.adoc");
	assert_string_equal(names_of(fixture, scope, 0), "");
	assert_string_equal(names_of(fixture, scope, 1), "");
	assert_null(adr_scope_read(scope, 15)); /* two of them: the caller says so */
	assert_null(adr_scope_read(scope, 14));
	assert_false(diags_in_trouble(fixture->compilation.diags));
}

static void test_near(void **state)
{
	struct fixture *fixture = *state;
	static const char *const names[] = { "1-a.md", "4-a.md", "4-b.md", "6-a.md", "20-a.md" };
	unsigned long near[4];
	assert_int_equal(adr_scope_near(open_scope(fixture), 5, near, 4), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		file_make(fixture, names[i], "");
	struct adr_scope *scope = open_scope(fixture);
	assert_int_equal(adr_scope_near(scope, 5, near, 4), 4);
	assert_int_equal(near[0], 4);
	assert_int_equal(near[1], 6);
	assert_int_equal(near[2], 1);
	assert_int_equal(near[3], 20);
	assert_int_equal(adr_scope_near(scope, 0, near, 2), 2);
	assert_int_equal(near[0], 1);
	assert_int_equal(near[1], 4);
	assert_int_equal(adr_scope_near(scope, (unsigned long)-1, near, 1), 1);
	assert_int_equal(near[0], 20);
}

static void test_read_once(void **state)
{
	struct fixture *fixture = *state;
	file_make(fixture, "0015-a.md", "# 15. T\n\nStatus: Accepted\n");
	struct adr_scope *scope = open_scope(fixture);
	const struct adr *adr = adr_scope_read(scope, 15);
	assert_non_null(adr);
	assert_string_equal(adr->scope, "phase7");
	assert_int_equal(adr->number, 15);
	assert_string_equal(adr->title, "T");
	assert_int_equal(adr->status, ADR_ACCEPTED);
	assert_int_equal(sources_count(fixture->compilation.sources), 1);
	assert_ptr_equal(adr_scope_read(scope, 15), adr);
	assert_int_equal(sources_count(fixture->compilation.sources), 1);
}

/* One look at each: nothing of it stays in the compilation, but what could not be read is told. */
static void test_pass(void **state)
{
	struct fixture *fixture = *state;
	file_make(fixture, "0001-a.md", "# 1. One\n\nStatus: Accepted\n");
	const char *dangling = path_make(fixture, "0002-b.md");
	file_make(fixture, "0003-c.md", "# 3. Three\n\nStatus: Rejected\n");
	assert_int_equal(symlink("nowhere", dangling), 0);
	struct adr_scope *scope = open_scope(fixture);
	struct arena *arena = arena_new();
	const struct adr *adr = adr_scope_pass(scope, arena, 0);
	assert_non_null(adr);
	assert_string_equal(adr->scope, "phase7");
	assert_string_equal(adr->title, "One");
	assert_int_equal(adr->status, ADR_ACCEPTED);
	assert_null(adr_scope_pass(scope, arena, 1));
	adr = adr_scope_pass(scope, arena, 2);
	assert_non_null(adr);
	assert_string_equal(adr->title, "Three");
	assert_int_equal(adr->status, ADR_REJECTED);
	assert_int_equal(sources_count(fixture->compilation.sources), 0);
	assert_int_equal(diags_trouble_count(fixture->compilation.diags), 1);
	assert_string_equal(diags_trouble(fixture->compilation.diags, 0),
			    arena_printf(fixture->compilation.arena,
					 "cannot read '%s': No such file or directory", dangling));
	arena_free(arena);
}

static void test_trouble(void **state)
{
	struct fixture *fixture = *state;
	const char *folder = path_make(fixture, "1-folder.md");
	const char *dangling = path_make(fixture, "2-dangling.md");
	const char *pipe = path_make(fixture, "3-pipe.md");
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(symlink("nowhere", dangling), 0);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	struct adr_scope *scope = open_scope(fixture);
	const struct diags *diags = fixture->compilation.diags;
	for (int again = 0; again < 2; again++)
		for (unsigned long number = 1; number <= 3; number++)
			assert_null(adr_scope_read(scope, number));
	assert_int_equal(diags_trouble_count(diags), 3); /* each once */
	struct arena *arena = fixture->compilation.arena;
	assert_string_equal(diags_trouble(diags, 0),
			    arena_printf(arena, "cannot read '%s': Is a directory", folder));
	assert_string_equal(diags_trouble(diags, 1),
			    arena_printf(arena, "cannot read '%s': No such file or directory", dangling));
	assert_string_equal(diags_trouble(diags, 2),
			    arena_printf(arena, "cannot read '%s': Not a regular file", pipe));
}

static void test_unreadable(void **state)
{
	struct fixture *fixture = *state;
	file_make(fixture, "1-a.md", "Status: Accepted\n");
	const char *path = fixture->made[0];
	assert_int_equal(chmod(path, 0), 0);
	if (access(path, R_OK) == 0) { /* root reads it all the same */
		assert_non_null(adr_scope_read(open_scope(fixture), 1));
		return;
	}
	assert_null(adr_scope_read(open_scope(fixture), 1));
	assert_string_equal(
		diags_trouble(fixture->compilation.diags, 0),
		arena_printf(fixture->compilation.arena, "cannot read '%s': Permission denied", path));
}

static void test_no_folder(void **state)
{
	struct fixture *fixture = *state;
	const char *path = arena_printf(fixture->compilation.arena, "%s/nowhere", fixture->scratch.folder);
	errno = 0;
	assert_null(adr_scope_open(&fixture->compilation, "phase7", path, NULL, 0));
	assert_int_equal(errno, ENOENT);
	file_make(fixture, "file", "");
	assert_null(adr_scope_open(&fixture->compilation, "phase7", fixture->made[0], NULL, 0));
	assert_int_equal(errno, ENOTDIR);
}

static void test_folder_with_slash(void **state)
{
	struct fixture *fixture = *state;
	const char *const *paths;
	file_make(fixture, "1-a.md", "");
	const char *folder = arena_printf(fixture->compilation.arena, "%s/", fixture->scratch.folder);
	struct adr_scope *scope = adr_scope_open(&fixture->compilation, "phase7", folder, NULL, 0);
	assert_int_equal(adr_scope_files(scope, 1, &paths), 1);
	assert_string_equal(paths[0], fixture->made[0]);
}

static void test_many(void **state)
{
	struct fixture *fixture = *state;
	for (int i = 1; i <= 1000; i++)
		file_make(fixture, arena_printf(fixture->compilation.arena, "%04d-x.md", i),
			  "Status: Accepted\n");
	struct adr_scope *scope = open_scope(fixture);
	for (unsigned long i = 1; i <= 1000; i++) {
		const struct adr *adr = adr_scope_read(scope, i);
		assert_non_null(adr);
		assert_int_equal(adr->number, i);
		assert_int_equal(adr->status, ADR_ACCEPTED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_near, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_read_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_pass, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trouble, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_unreadable, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_folder, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_folder_with_slash, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
