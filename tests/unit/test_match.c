#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/policy/match.h"

static const struct row docker = { .verb = VERB_ALLOW, .subject = "docker" };
static const struct row docker_push = { .verb = VERB_FORBID, .subject = "docker push" };
static const struct row docker_push_all = { .verb = VERB_ALLOW, .subject = "docker push --all-tags" };
static const struct row git = { .verb = VERB_ALLOW, .subject = "git" };
static const struct row git_forbidden = { .verb = VERB_FORBID, .subject = "git" };
static const struct row git_log = { .verb = VERB_ALLOW, .subject = "git log" };

static struct policy policy_with(struct arena *arena)
{
	struct row_index *index = row_index_new(arena, 4);
	row_index_add(index, &docker);
	row_index_add(index, &docker_push);
	row_index_add(index, &docker_push_all);
	row_index_add(index, &git);
	return (struct policy){ .index = index };
}

static void the_longest_row_decides(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct policy policy = policy_with(arena);
	assert_ptr_equal(policy_match(&policy, "docker"), &docker);
	assert_ptr_equal(policy_match(&policy, "docker buildx build ."), &docker);
	assert_ptr_equal(policy_match(&policy, "docker push"), &docker_push);
	assert_ptr_equal(policy_match(&policy, "docker push x"), &docker_push);
	assert_ptr_equal(policy_match(&policy, "docker push --all-tags x"), &docker_push_all);
	assert_ptr_equal(policy_match(&policy, "docker pushing"), &docker);
	assert_null(policy_match(&policy, "dockerd"));
	assert_null(policy_match(&policy, "dock"));
	assert_null(policy_match(&policy, ""));
	assert_null(policy_find(&policy, "docker buildx"));
	assert_int_equal(policy_verdict(&policy, "docker push"), VERDICT_FORBIDDEN);
	assert_int_equal(policy_verdict(&policy, "strace"), VERDICT_UNLISTED);
	arena_free(arena);
}

static void declines_and_empty_places_decide_nothing(void **state)
{
	(void)state;
	static const struct row declined = { .verb = VERB_DECLINE, .subject = "docker push" };
	struct arena *arena = arena_new();
	struct map *rows = map_new(arena, 0);
	struct row_index *index = row_index_over(arena, rows);
	*map_at(rows, "docker", 6) = (void *)&docker;
	*map_at(rows, "docker push", 11) = (void *)&declined;
	*map_at(rows, "git", 3) = NULL;
	assert_null(row_index_find(index, "docker push"));
	assert_ptr_equal(row_index_match(index, "docker push x"), &docker);
	assert_null(row_index_match(index, "git log"));
	*map_find(rows, "git", 3) = (void *)&git; /* filled later */
	assert_ptr_equal(row_index_match(index, "git log"), &git);
	arena_free(arena);
}

static void rows_that_wait_are_there_when_asked(void **state)
{
	(void)state;
	static const struct row declined = { .verb = VERB_DECLINE, .subject = "jq" };
	static const struct row call = { .verb = VERB_FORBID, .kind = SUBJECT_SYSCALL, .subject = "ptrace" };
	static const struct row *const rows[] = { &docker, &declined, &call, &git };
	static const struct row *const more[] = { &docker_push, &git_forbidden };
	struct arena *arena = arena_new();
	struct map *known = map_new(arena, 0);
	struct row_index *index = row_index_over(arena, known);
	row_index_add_later(index, rows, 4);
	assert_null(map_find(known, "git", 3));
	assert_ptr_equal(row_index_find(index, "git"), &git);
	assert_ptr_equal(row_index_match(index, "docker push"), &docker);
	assert_null(map_find(known, "jq", 2)); /* another map's */
	assert_null(map_find(known, "ptrace", 6));
	row_index_add_later(index, more, 2);
	row_index_complete(index);
	assert_ptr_equal(map_value(known, "docker push", 11), &docker_push);
	assert_ptr_equal(row_index_find(index, "git"), &git_forbidden);
	assert_ptr_equal(row_index_find(index, "docker"), &docker);
	arena_free(arena);
}

static void a_block_only_narrows(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct policy policy = policy_with(arena);
	struct row_index *own = row_index_new(arena, 0);
	row_index_add(own, &git_forbidden);
	row_index_add(own, &git_log);
	struct block block = { .index = own };
	assert_int_equal(block_verdict(&policy, &block, "git"), VERDICT_FORBIDDEN);
	assert_int_equal(block_verdict(&policy, &block, "git push"), VERDICT_FORBIDDEN);
	assert_int_equal(block_verdict(&policy, &block, "git log -1"), VERDICT_ALLOWED);
	assert_ptr_equal(block_match(&policy, &block, "git log"), &git);
	assert_int_equal(block_verdict(&policy, &block, "docker push"), VERDICT_FORBIDDEN);
	assert_int_equal(block_verdict(&policy, &block, "strace"), VERDICT_UNLISTED);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_row_decides),
		cmocka_unit_test(declines_and_empty_places_decide_nothing),
		cmocka_unit_test(rows_that_wait_are_there_when_asked),
		cmocka_unit_test(a_block_only_narrows),
	};
	return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
