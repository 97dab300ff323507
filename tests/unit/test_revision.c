/* One revision of a real repository: its files, folders, links, and what is broken in it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/reading.h"
#include "compiler/base/revision.h"
#include "compiler/base/tree.h"
#include "tests/unit/scratch.h"

#define GIT "git -c user.name=T -c user.email=t@example.org -c init.defaultBranch=main -c gc.auto=0 "
#define COMMIT GIT "add -A && " GIT "commit -q -m c"

/* A repository with what trees can hold; the test works in its folder. */
static struct scratch scratch;
static char *search;

static const char make[] =
	GIT "init -q && mkdir -p policies/deep sub adr && echo first >policies/p.allow && "
	    "ln -s p.allow policies/link && ln -s deep policies/folder && echo below >policies/deep/d && "
	    "ln -s nowhere policies/dangling && ln -s ../../outside policies/out && ln -s /etc/passwd policies/root && "
	    "ln -s loop policies/loop && printf 'a name' >'policies/with blank' && : >policies/empty && " COMMIT
	    " && " GIT "tag v1 && echo second >policies/p.allow && " COMMIT " && echo third >policies/p.allow";

static int repository_begin(void **state)
{
	(void)state;
	search = strdup(getenv("PATH"));
	if (system("git --version >/dev/null 2>&1") != 0)
		return 0;
	if (!scratch_begin(&scratch) || chdir(scratch.folder) != 0)
		return 1;
	setenv("HOME", scratch.folder, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	return scratch_run(&scratch, make);
}

static int repository_end(void **state)
{
	(void)state;
	free(search);
	if (scratch.folder[0] && chdir("/") == 0)
		scratch_end(&scratch);
	return 0;
}

struct opened {
	struct arena *arena;
	struct revision *revision;
	const struct tree *tree;
};

static struct opened open_revision(const char *name)
{
	scratch_need("git --version", "git");
	const char *why;
	struct opened opened = { .arena = arena_new() };
	opened.revision = revision_open(opened.arena, name, &why);
	if (!opened.revision)
		fail_msg("%s: %s", name, why);
	opened.tree = revision_tree(opened.revision);
	return opened;
}

static void close_revision(struct opened *opened)
{
	revision_close(opened->revision);
	arena_free(opened->arena);
}

static int read_most(struct opened *opened, const char *path, size_t most, struct reading *reading)
{
	struct file_identity identity;
	return opened->tree->read(opened->tree, opened->arena, path, NAMED_BY_POLICY, most, reading, &identity);
}

static int error_of(struct opened *opened, const char *path)
{
	struct reading reading;
	return read_most(opened, path, 1 << 20, &reading);
}

static void assert_file(struct opened *opened, const char *path, const char *text)
{
	struct reading reading;
	assert_int_equal(read_most(opened, path, 1 << 20, &reading), 0);
	assert_int_equal(reading.size, strlen(text));
	assert_string_equal(reading.bytes, text);
}

static void files_are_those_that_were_committed(void **state)
{
	(void)state;
	struct opened head = open_revision("HEAD"), tag = open_revision("v1");
	assert_file(&head, "policies/p.allow", "second\n");
	assert_file(&tag, "policies/p.allow", "first\n");
	assert_file(&head, "./policies//deep/../p.allow", "second\n");
	assert_file(&head, "policies/with blank", "a name");
	assert_file(&head, "policies/empty", "");
	assert_string_equal(tag.tree->label, "v1:");
	close_revision(&head);
	close_revision(&tag);
}

static void what_is_no_file_has_its_error(void **state)
{
	(void)state;
	struct opened head = open_revision("HEAD");
	assert_int_equal(error_of(&head, "policies"), EISDIR);
	assert_int_equal(error_of(&head, "policies/gone"), ENOENT);
	assert_int_equal(error_of(&head, "policies/p.allow/x"), ENOTDIR);
	assert_int_equal(error_of(&head, "../policies/p.allow"), ENOENT);
	assert_int_equal(error_of(&head, "policies/../../x"), ENOENT);
	assert_int_equal(error_of(&head, "/policies/p.allow"), ENOENT);
	assert_int_equal(error_of(&head, "policies/p.allow\nHEAD:policies/empty"), ENOENT);
	char *path = arena_alloc(head.arena, 9000);
	memset(path, 'x', 8999);
	assert_int_equal(error_of(&head, path), ENOENT);
	assert_file(&head, "policies/p.allow", "second\n"); /* the talk goes on */
	close_revision(&head);
}

static void links_are_followed_inside_alone(void **state)
{
	(void)state;
	struct opened head = open_revision("HEAD");
	assert_file(&head, "policies/link", "second\n");
	assert_file(&head, "policies/folder/d", "below\n");
	assert_int_equal(error_of(&head, "policies/dangling"), ENOENT);
	assert_int_equal(error_of(&head, "policies/out"), ENOENT);
	assert_int_equal(error_of(&head, "policies/root"), ENOENT);
	assert_int_equal(error_of(&head, "policies/loop"), ELOOP);
	assert_file(&head, "policies/p.allow", "second\n");
	close_revision(&head);
}

struct names {
	char text[200];
	size_t count;
};

static void name_add(void *context, const char *name)
{
	struct names *names = context;
	size_t size = strlen(names->text);
	names->count++;
	if (size + strlen(name) + 2 < sizeof names->text)
		snprintf(names->text + size, sizeof names->text - size, "%s ", name);
}

static void folders_are_listed(void **state)
{
	(void)state;
	struct opened head = open_revision("HEAD");
	struct names deep = { "", 0 }, top = { "", 0 }, linked = { "", 0 }, none = { "", 0 };
	assert_int_equal(head.tree->list(head.tree, "policies/deep", name_add, &deep), 0);
	assert_string_equal(deep.text, "d ");
	assert_int_equal(head.tree->list(head.tree, "", name_add, &top), 0);
	assert_string_equal(top.text, "policies ");
	assert_int_equal(head.tree->list(head.tree, "policies/folder", name_add, &linked), 0);
	assert_string_equal(linked.text, "d ");
	assert_int_equal(head.tree->list(head.tree, "policies/p.allow", name_add, &none), ENOTDIR);
	assert_int_equal(head.tree->list(head.tree, "gone", name_add, &none), ENOENT);
	assert_int_equal(none.count, 0);
	close_revision(&head);
}

static void paths_tell_files_apart(void **state)
{
	(void)state;
	struct opened head = open_revision("HEAD");
	struct file_identity one, same, other, folder;
	assert_true(head.tree->identify(head.tree, "policies/p.allow", &one));
	assert_true(head.tree->identify(head.tree, "policies/deep/../p.allow", &same));
	assert_true(head.tree->identify(head.tree, "policies/empty", &other));
	assert_true(head.tree->identify(head.tree, "policies", &folder));
	assert_true(file_identity_equal(one, same));
	assert_false(file_identity_equal(one, other));
	assert_false(file_identity_equal(one, folder));
	assert_false(head.tree->identify(head.tree, "../p.allow", &other));
	close_revision(&head);
}

/* All of it goes over standard input: nothing is an option, a second question, or a path of the machine. */
static void a_name_is_no_option(void **state)
{
	(void)state;
	scratch_need("git --version", "git");
	static const char *const names[] = { "--help", "-p",         "--textconv", "",      "HEAD -- x",
					     "nowhere", "HEAD\nHEAD", "HEAD^{tree} ", "HEAD~9", "HEAD:policies/p.allow",
					     "HEAD:policies", "\xff" };
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *why = NULL;
		assert_null(revision_open(arena, names[i], &why));
		assert_string_equal(why, arena_printf(arena, "there is no revision '%s'", names[i]));
	}
	arena_free(arena);
}

/* What is not read to its end leaves bytes in the way: nothing after it is believed. */
static void a_file_that_is_too_large_ends_the_talk(void **state)
{
	(void)state;
	struct opened head = open_revision("HEAD");
	struct reading reading;
	assert_int_equal(read_most(&head, "policies/p.allow", 6, &reading), EFBIG);
	assert_int_equal(error_of(&head, "policies/p.allow"), EIO);
	close_revision(&head);
}

/* A second repository, for what would spoil the first; back in the first at the end. */
static void other_repository(const char *folder, const char *commands)
{
	scratch_need("git --version", "git");
	char line[1500];
	snprintf(line, sizeof line, "mkdir %s && cd %s && " GIT "init -q && %s", folder, folder, commands);
	assert_int_equal(scratch_run(&scratch, line), 0);
	char path[300];
	snprintf(path, sizeof path, "%s/%s", scratch.folder, folder);
	assert_int_equal(chdir(path), 0);
}

static void back(void)
{
	assert_int_equal(chdir(scratch.folder), 0);
}

static void large_files_and_folders(void **state)
{
	(void)state;
	other_repository("large", "blob=$(head -c 9000000 /dev/zero | git hash-object -w --stdin) && "
				  "many=$(seq 3000 | sed \"s/.*/100644 blob $blob\\tfile-&/\" | git mktree) && "
				  "top=$(printf '100644 blob %s\\tzeros\\n040000 tree %s\\tmany\\n' $blob $many | git mktree) && "
				  "git update-ref HEAD $(" GIT "commit-tree -m c $top)");
	struct opened head = open_revision("HEAD");
	struct reading reading;
	struct names names = { "", 0 };
	assert_int_equal(read_most(&head, "zeros", 9000000, &reading), 0);
	assert_int_equal(reading.size, 9000000);
	assert_int_equal(reading.bytes[8999999], 0);
	assert_int_equal(head.tree->list(head.tree, "many", name_add, &names), 0);
	assert_int_equal(names.count, 3000);
	close_revision(&head);
	back();
}

static void a_submodule_is_no_file(void **state)
{
	(void)state;
	other_repository("super", "echo x >file && " COMMIT " && " GIT
				  "update-index --add --cacheinfo 160000,$(git rev-parse HEAD),here && " GIT
				  "update-index --add --cacheinfo 160000,0123456789012345678901234567890123456789,gone && " GIT
				  "commit -q -m s");
	struct opened head = open_revision("HEAD");
	assert_int_not_equal(error_of(&head, "gone"), 0);
	assert_int_not_equal(error_of(&head, "gone/file"), 0);
	close_revision(&head);
	head = open_revision("HEAD");
	assert_int_not_equal(error_of(&head, "here"), 0);
	assert_int_not_equal(error_of(&head, "here/file"), 0);
	close_revision(&head);
	back();
}

/* Each of them in a session of its own: an answer that breaks off ends it. */
static void broken_objects_are_errors(void **state)
{
	(void)state;
	other_repository("broken",
			 "echo whole >whole && echo cut >cut && head -c 100000 /dev/urandom >torn && mkdir f && echo x >f/x && "
			 COMMIT " && for name in cut torn f; do object=$(git rev-parse HEAD:$name) && "
			 "file=.git/objects/$(echo $object | cut -c1-2)/$(echo $object | cut -c3-) && chmod u+w $file && "
			 "case $name in cut) : >$file;; torn) truncate -s 50000 $file;; *) rm $file;; esac; done");
	static const char *const names[] = { "cut", "torn", "f/x" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct opened head = open_revision("HEAD");
		assert_file(&head, "whole", "whole\n");
		assert_int_not_equal(error_of(&head, names[i]), 0);
		close_revision(&head);
	}
	struct opened head = open_revision("HEAD");
	struct names listed = { "", 0 };
	assert_int_not_equal(head.tree->list(head.tree, "f", name_add, &listed), 0);
	close_revision(&head);
	back();
}

/* git says the same word of both. */
static void content_that_is_missing_is_no_absence(void **state)
{
	(void)state;
	other_repository("partial",
			 "mkdir -p a/b && echo x >a/gone && echo y >a/b/below && ln -s gone a/link && ln -s nowhere a/dangling && "
			 "echo whole >a/whole && " COMMIT " && for name in a/gone a/b; do object=$(git rev-parse HEAD:$name) && "
			 "rm -f .git/objects/$(echo $object | cut -c1-2)/$(echo $object | cut -c3-); done");
	struct opened head = open_revision("HEAD");
	struct names listed = { "", 0 };
	static const char *const missing[] = { "a/gone", "a/link", "a/b", "a/b/below", "a/b/c/d", "a/../a/gone" };
	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
		assert_int_equal(error_of(&head, missing[i]), EREMOTE);
	assert_int_equal(head.tree->list(head.tree, "a/b", name_add, &listed), EREMOTE);
	static const char *const absent[] = { "a/none", "none", "none/below", "a/dangling", "a/gon" };
	for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
		assert_int_equal(error_of(&head, absent[i]), ENOENT);
	assert_file(&head, "a/whole", "whole\n");
	close_revision(&head);
	back();
}

static void paths_of_a_person_start_in_the_working_folder(void **state)
{
	(void)state;
	scratch_need("git --version", "git");
	struct arena *arena = arena_new();
	const char *why;
	assert_string_equal(revision_path(arena, "policies/p.allow", &why), "policies/p.allow");
	assert_string_equal(revision_path(arena, arena_printf(arena, "%s/policies/p.allow", scratch.folder), &why),
			    "policies/p.allow");
	assert_int_equal(chdir("policies"), 0);
	assert_string_equal(revision_path(arena, "p.allow", &why), "policies/p.allow");
	assert_string_equal(revision_path(arena, "../adr/x", &why), "policies/../adr/x");
	assert_null(revision_path(arena, "../../x", &why));
	assert_string_equal(why, "'../../x' lies outside of the repository");
	assert_null(revision_path(arena, "/etc/passwd", &why));
	assert_string_equal(why, "'/etc/passwd' lies outside of the repository");
	back();
	arena_free(arena);
}

static void without_git_or_a_repository(void **state)
{
	(void)state;
	scratch_need("git --version", "git");
	struct arena *arena = arena_new();
	const char *why;
	setenv("PATH", "/nowhere:.", 1);
	assert_null(revision_open(arena, "HEAD", &why));
	assert_string_equal(why, "git is in no absolute folder of PATH");
	assert_null(revision_path(arena, "p", &why));
	assert_string_equal(why, "git is in no absolute folder of PATH");
	setenv("PATH", search, 1);
	assert_int_equal(chdir("/"), 0);
	assert_null(revision_open(arena, "HEAD", &why));
	assert_memory_equal(why, "git says: fatal: not a git repository", 37);
	back();
	arena_free(arena);
}

/* A git that is none: it says nothing, too much, or what no git says. */
static void a_git_that_misbehaves(void **state)
{
	(void)state;
	scratch_need("git --version", "git");
	static const char *const scripts[] = {
		"exit 0",
		"kill -9 $$",
		"exec >&- <&-; exit 3",
		"read -r line; echo 'no answer that git gives'; sleep 0.2",
		"read -r line; echo 0123456789012345678901234567890123456789 tree 99999999999999999999",
		"read -r line; echo 0123456789012345678901234567890123456789 tree -1",
		"read -r line; echo 0123456789012345678901234567890123456789 tree 100; echo short",
		"read -r line; head -c 100000 /dev/zero | tr '\\0' x",
	};
	struct arena *arena = arena_new();
	char line[500];
	assert_int_equal(scratch_run(&scratch, "mkdir bin"), 0);
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		int size = snprintf(line, sizeof line, "#!/bin/sh\n%s\n", scripts[i]);
		assert_true(scratch_write(&scratch, "bin/git", line, (size_t)size));
		assert_int_equal(scratch_run(&scratch, "chmod +x bin/git"), 0);
		setenv("PATH", arena_printf(arena, "%s/bin:%s", scratch.folder, search), 1);
		const char *why = NULL;
		assert_null(revision_open(arena, "HEAD", &why));
		assert_non_null(why);
		setenv("PATH", search, 1);
	}
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_those_that_were_committed),
		cmocka_unit_test(what_is_no_file_has_its_error),
		cmocka_unit_test(links_are_followed_inside_alone),
		cmocka_unit_test(folders_are_listed),
		cmocka_unit_test(paths_tell_files_apart),
		cmocka_unit_test(a_name_is_no_option),
		cmocka_unit_test(a_file_that_is_too_large_ends_the_talk),
		cmocka_unit_test(large_files_and_folders),
		cmocka_unit_test(a_submodule_is_no_file),
		cmocka_unit_test(broken_objects_are_errors),
		cmocka_unit_test(content_that_is_missing_is_no_absence),
		cmocka_unit_test(paths_of_a_person_start_in_the_working_folder),
		cmocka_unit_test(without_git_or_a_repository),
		cmocka_unit_test(a_git_that_misbehaves),
	};
	return cmocka_run_group_tests_name("revision", tests, repository_begin, repository_end);
}
