/* The layers of a policy and the libraries that they use. */
#include <setjmp.h>
#include <stdarg.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/map.h"
#include "compiler/base/pool.h"
#include "compiler/base/tree.h"
#include "compiler/policy/ast.h"
#include "tests/unit/policy_text.h"

/* Two arguments: the files, and how many they are. */
#define FILES(...)                                                                                           \
	(const struct policy_file[]){ __VA_ARGS__ },                                                         \
		sizeof((const struct policy_file[]){ __VA_ARGS__ }) / sizeof(struct policy_file)

static void layers_stand_lowest_first(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_files(
		FILES({ "policies/top.allow", "policy top\nedition 1\ntitle \"The top\"\nextends middle\n" },
		      { "policies/middle.allow", "policy middle\nextends \"../below/base.allow\"\n" },
		      { "policies/../below/base.allow", "policy base\ntitle \"Below\"\n" }));
	assert_clean(&text);
	static const struct {
		const char *name, *title, *file;
	} layers[] = { { "base", "Below", "base.allow" },
		       { "middle", NULL, "middle.allow" },
		       { "top", "The top", "top.allow" } };
	assert_int_equal(text.policy->layer_count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct layer *layer = &text.policy->layers[i];
		assert_string_equal(layer->name, layers[i].name);
		assert_string_equal(layer->scope, layers[i].name);
		assert_string_equal(layer->file, layers[i].file);
		assert_int_equal(layer->index, i);
		if (layers[i].title)
			assert_string_equal(layer->title, layers[i].title);
		else
			assert_null(layer->title);
	}
	assert_int_equal(text.policy->edition, 1);
	assert_string_equal(text.policy->title, "The top");
	policy_text_end(&text);
}

static void a_file_knows_what_brought_it_in(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_files(FILES(
		{ "p.allow", "policy p\nextends base\n" }, { "base.allow", "policy base\nuse \"l.allow\"\n" },
		{ "l.allow", "syscalls @io { read }\n" }));
	assert_clean(&text);
	const struct sources *sources = text.compilation.sources;
	assert_null(sources_get(sources, 0)->extended_from.source);
	assert_ptr_equal(sources_get(sources, 1)->extended_from.source, sources_get(sources, 0));
	assert_int_equal(sources_get(sources, 1)->extended_from.begin, 17);
	assert_ptr_equal(sources_get(sources, 2)->extended_from.source, sources_get(sources, 1));
	assert_int_equal(sources_get(sources, 2)->extended_from.begin, 16);
	policy_text_end(&text);
}

static void a_library_is_brought_in_once(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_files(
		FILES({ "p.allow", "policy p\nextends base\nuse \"l.allow\"\nuse \"m.allow\"\n" },
		      { "base.allow", "policy base\nuse \"l.allow\"\n" },
		      { "l.allow", "use \"m.allow\"\nsyscalls @io { read }\n" },
		      { "m.allow", "use \"l.allow\"\nsyscalls @id { getpid }\n" }));
	assert_clean(&text);
	policy_text_end(&text);
}

static void circles_end_at_the_layer_that_closes_them(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_files(
		FILES({ "p.allow", "policy p\nextends q\nrevoke git  adr 1  because \"r\"\n" },
		      { "q.allow", "policy q\nextends r\n" }, { "r.allow", "policy r\nextends q\n" }));
	assert_string_equal(text.found, "error layer r.allow:2:9\n");
	assert_null(text.policy);
	policy_text_end(&text);
	assert_found("policy p\nextends p\n", "error layer p.allow:2:9\n");
}

/* The 65th layer, and no other, is too many. */
static void chains_have_64_layers_at_most(void **state)
{
	(void)state;
	for (unsigned layers = 64; layers <= 65; layers++) {
		struct policy_text text = policy_text_begin();
		struct arena *arena = text.compilation.arena;
		for (unsigned i = 1; i < layers; i++)
			policy_text_add(&text, arena_printf(arena, "l%u.allow", i),
					arena_printf(arena, "policy l%u\nextends l%u\n%s", i, i + 1,
						     i == 1 ? "revoke git  adr 1  because \"r\"\n" : ""));
		policy_text_add(&text, arena_printf(arena, "l%u.allow", layers),
				arena_printf(arena, "policy l%u\nallow git  adr 1  because \"r\"\n", layers));
		policy_text_resolve(&text, "l1.allow");
		assert_string_equal(text.found, layers == 64 ? "" : "error layer l64.allow:2:9\n");
		if (text.policy)
			assert_int_equal(text.policy->layer_count, 64);
		policy_text_end(&text);
	}
}

/* The tree of the lower layer is not parsed, which takes seconds, but made up; one name stands in it. */
static void a_policy_has_a_million_rows_at_most(void **state)
{
	(void)state;
	struct pool *pool = pool_new();
	struct policy_text text = { .compilation = compilation_begin_sharing(0, pool) };
	policy_text_add(&text, "p.allow", "policy p\nextends base\nallow x  adr 1  because \"r\"\n");
	struct source *source = sources_add(text.compilation.sources, "base.allow", "0123456789", 10);
	struct ast_entry past = { .word.span = { source, 7, 8 } };
	struct ast_words none = { 0 };
	struct ast_statement forbidden = { .kind = AST_ROW, .entries = { .items = &past, .count = 1 } };
	struct ast_words block = { .block = &forbidden };
	struct ast_statement more = { .kind = AST_ROW, .entries = { .count = 1 }, .words = &none };
	struct ast_statement role = { .kind = AST_ROLE, .words = &block, .next = &more };
	struct ast_statement allowed = {
		.kind = AST_ROW, .entries = { .count = 999999 }, .words = &none, .next = &role
	};
	struct ast_statement expected = {
		.kind = AST_EXPECT, .entries = { .count = 1 }, .words = &none, .next = &allowed
	};
	struct ast_layer layer = { .source = source,
				   .statements = &expected,
				   .subject_count = 1000000,
				   .block_subject_count = 1 };
	*map_at(pool->texts, "base.allow", 10) = source;
	*map_at(pool->layers, "base.allow", 10) = &layer;
	policy_text_resolve(&text, "p.allow");
	assert_string_equal(text.found, "error limit base.allow:1:8\n");
	assert_true(policy_text_helps(&text, "each command of a list counts as a row; divide the policy"));
	assert_null(text.policy);
	policy_text_end(&text);
	pool_free(pool);
}

static void a_name_has_64_bytes_at_most(void **state)
{
	(void)state;
	for (int size = 64; size <= 65; size++) {
		char policy[100];
		snprintf(policy, sizeof policy, "policy p%0*d\n", size - 1, 0);
		assert_found(policy, size == 64 ? "" : "error policy p.allow:1:8\n");
	}
}

/* Groups, what is denied and what is omitted may all stand in what nobody could read. */
static void beside_an_unknown_statement_nothing_is_missed(void **state)
{
	(void)state;
	assert_found("policy p\nsecomp { default allow }\nforbid syscall @x  adr 1  because \"r\"\n"
		     "expect denied syscall ptrace\n",
		     "error syntax p.allow:2:1\n");
}

/* Of a line that is misread that is all, and of a layer that is no text. */
static void a_mistake_brings_no_other(void **state)
{
	(void)state;
	char policy[5000];
	assert_found("policy p\nextends no-such too\n", "error syntax p.allow:2:17\n");
	for (int size = 4000; size <= 4001; size++) {
		snprintf(policy, sizeof policy, "policy p\ntitle \"%0*d\"\n", size, 0);
		assert_found(policy, size == 4000 ? "" : "error limit p.allow:2:7\n");
	}
	snprintf(policy, sizeof policy, "policy p\ntitle \"%04001d\" x\n", 0);
	assert_found(policy, "error syntax p.allow:2:4011\n");
	assert_found_over("\xff\xfe-", "policy p\nextends base\nrevoke git  adr 1  because \"r\"\n",
			  "error encoding base.allow:1:1\n");
}

static void what_a_head_may_not_say(void **state)
{
	(void)state;
	assert_found("title \"x\"\npolicy p\n", "error policy p.allow:2:1\n");
	assert_found("policy p\npolicy q\n", "error policy p.allow:2:1\n");
	assert_found("policy class\n", "error policy p.allow:1:8\n");
	assert_found("policy class too\n", "error syntax p.allow:1:14\n");
	assert_found("policy \"p\"\n", "error policy p.allow:1:8\n");
	assert_found("policy p\nedition 2\n", "error edition p.allow:2:9\n");
	assert_found("policy p\nextends \"\"\nrevoke git  adr 1  because \"r\"\n",
		     "error layer p.allow:2:9\n");
	assert_found("policy p\nextends Base\n", "error layer p.allow:2:9\n");
	assert_found("policy p\nextends no-such\n", "error layer p.allow:2:9\n");
	assert_found("policy p\nuse \"no-such.allow\"\n", "error library p.allow:2:5\n");
	assert_found_over("policy p\n", "policy p\nextends base\n", "error policy p.allow:1:8\n");
}

/* Two files without a name do not have the same one. */
static void a_file_without_a_name_is_told_so_at_its_begin(void **state)
{
	(void)state;
	static const char below[] = "error policy base.allow:1:1\n", above[] = "error policy p.allow:1:1\n";
	assert_found_over("title \"x\"\n", "policy unnamed\nextends base\n", below);
	assert_found_over("policy unnamed\n", "extends base\n", above);
	assert_found_over("title \"x\"\n", "extends base\n",
			  "error policy p.allow:1:1\nerror policy base.allow:1:1\n");
	struct policy_text text = policy_text_load("# x\n");
	assert_string_equal(text.found, above);
	struct span place = diags_view(text.compilation.diags, 0).place;
	assert_true(place.begin == 0 && place.end == 0);
	policy_text_end(&text);
	text = policy_text_load("extends p\n");
	assert_string_equal(text.found, "error policy p.allow:1:1\nerror layer p.allow:1:9\n");
	place = diags_view(text.compilation.diags, 1).parts->place;
	assert_true(place.source && place.begin == 0 && place.end == 0);
	policy_text_end(&text);
}

static void the_file_of_standard_input(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_files(FILES({ "<stdin>", "policy p\n" }));
	assert_clean(&text);
	assert_string_equal(text.policy->file, "stdin");
	policy_text_end(&text);
}

static int refuse_to_read(const struct tree *tree, struct arena *arena, const char *path,
			  enum tree_naming naming, size_t most, struct reading *reading,
			  struct file_identity *identity)
{
	(void)tree, (void)arena, (void)path, (void)naming, (void)most, (void)reading, (void)identity;
	return EACCES;
}

static bool identify_nothing(const struct tree *tree, const char *path, struct file_identity *identity)
{
	(void)tree, (void)path, (void)identity;
	return false;
}

static void a_file_that_cannot_be_read_is_trouble(void **state)
{
	(void)state;
	static const struct tree tree = { .label = "", .read = refuse_to_read, .identify = identify_nothing };
	static const char *const texts[] = { "policy p\nextends base\n", "policy p\nuse \"l.allow\"\n" };
	for (size_t i = 0; i < 2; i++) {
		struct policy_text text = policy_text_begin();
		sources_read_from(text.compilation.sources, &tree);
		policy_text_add(&text, "p.allow", texts[i]);
		policy_text_resolve(&text, "p.allow");
		assert_string_equal(text.found, "trouble\n");
		assert_null(text.policy);
		policy_text_end(&text);
	}
}

static void a_library_holds_groups_alone(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_files(
		FILES({ "p.allow", "policy p\nuse \"l.allow\"\n" },
		      { "l.allow", "policy l\nsyscalls @io { read }\nallow git  adr 1  because \"r\"\n" }));
	assert_string_equal(text.found, "error library l.allow:1:1\nerror library l.allow:3:1\n");
	policy_text_end(&text);
}

static void libraries_are_64_deep_at_most(void **state)
{
	(void)state;
	for (unsigned libraries = 64; libraries <= 65; libraries++) {
		struct policy_text text = policy_text_begin();
		struct arena *arena = text.compilation.arena;
		policy_text_add(&text, "p.allow",
				"policy p\nuse \"u1.allow\"\nuse \"v.allow\"\nforbid syscall @u  adr 1  "
				"because \"r\"\n");
		policy_text_add(&text, "v.allow", "syscalls @v { write }\n");
		for (unsigned i = 1; i < libraries; i++)
			policy_text_add(&text, arena_printf(arena, "u%u.allow", i),
					arena_printf(arena, "use \"u%u.allow\"\n", i + 1));
		policy_text_add(&text, arena_printf(arena, "u%u.allow", libraries), "syscalls @u { read }\n");
		policy_text_resolve(&text, "p.allow");
		assert_string_equal(text.found, libraries == 64 ? "" : "error library u64.allow:1:5\n");
		assert_int_equal(policy_text_helps(&text, "bring them in from one file"), libraries > 64);
		if (text.policy)
			assert_int_equal(text.policy->group_count, 2);
		policy_text_end(&text);
	}
}

/* It may be the line of the name that is misread. */
static void a_broken_file_has_no_name_of_another(void **state)
{
	(void)state;
	assert_found_over("policy p\nforbid\n", "policy p\nextends base\n", "error syntax base.allow:2:7\n");
	assert_found_over("policy p\n", "policy p\nextends base\nforbid\n", "error syntax p.allow:3:7\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_stand_lowest_first),
		cmocka_unit_test(a_file_knows_what_brought_it_in),
		cmocka_unit_test(a_library_is_brought_in_once),
		cmocka_unit_test(circles_end_at_the_layer_that_closes_them),
		cmocka_unit_test(chains_have_64_layers_at_most),
		cmocka_unit_test(what_a_head_may_not_say),
		cmocka_unit_test(a_file_without_a_name_is_told_so_at_its_begin),
		cmocka_unit_test(the_file_of_standard_input),
		cmocka_unit_test(a_file_that_cannot_be_read_is_trouble),
		cmocka_unit_test(a_library_holds_groups_alone),
		cmocka_unit_test(libraries_are_64_deep_at_most),
		cmocka_unit_test(a_broken_file_has_no_name_of_another),
		cmocka_unit_test(a_policy_has_a_million_rows_at_most),
		cmocka_unit_test(a_name_has_64_bytes_at_most),
		cmocka_unit_test(beside_an_unknown_statement_nothing_is_missed),
		cmocka_unit_test(a_mistake_brings_no_other),
	};
	return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
