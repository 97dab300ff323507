/* Roles and plugins as the policy holds them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/tree.h"
#include "compiler/policy/match.h"
#include "tests/unit/policy_text.h"

#define ROWS "allow git, node, docker, \"docker buildx\"  adr 1  because \"r\"\n"

static void tools_are_the_allow_rows_in_the_order_of_the_block(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\n" ROWS "plugin build {\n"
						   "    tools \"docker buildx\", git\n"
						   "    optional node\n"
						   "}\n");
	assert_clean(&text);
	assert_int_equal(text.policy->plugin_count, 1);
	assert_int_equal(text.policy->role_count, 0);
	const struct block *plugin = text.policy->plugins[0];
	assert_int_equal(plugin->kind, AST_PLUGIN);
	assert_string_equal(plugin->name, "build");
	assert_null(plugin->file);
	assert_true(plugin->written);
	assert_int_equal(plugin->tool_count, 2);
	assert_ptr_equal(plugin->tools[0], policy_find(text.policy, "docker buildx"));
	assert_ptr_equal(plugin->tools[1], policy_find(text.policy, "git"));
	assert_int_equal(plugin->optional_count, 1);
	assert_ptr_equal(plugin->optional[0], policy_find(text.policy, "node"));
	policy_text_end(&text);
}

static void a_file_that_is_not_there_is_kept_as_written(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\n" ROWS "plugin build \"no/such/plugin.yaml\" { tools git }\n");
	assert_clean(&text);
	assert_string_equal(text.policy->plugins[0]->file, "no/such/plugin.yaml");
	policy_text_end(&text);
}

static void blocks_of_one_name_merge_across_layers(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_over(
		"policy base\n" ROWS "role probe { forbid docker  adr 1  because \"r\" }\n"
		"plugin build { tools git }\n"
		"role gate { forbid node  adr 1  because \"r\" }\n",
		"policy p\nextends base\nrole probe { forbid node  adr 2  because \"r\" }\n");
	assert_clean(&text);
	assert_int_equal(text.policy->role_count, 2);
	const struct block *probe = text.policy->roles[0];
	assert_string_equal(probe->name, "probe");
	assert_int_equal(probe->row_count, 2);
	assert_string_equal(probe->rows[0]->citations[0].text, "base/1");
	assert_string_equal(probe->rows[1]->citations[0].text, "p/2");
	assert_ptr_equal(probe->rows[1]->block, probe);
	assert_int_equal(probe->layer->index, 0);
	assert_string_equal(text.policy->roles[1]->name, "gate");
	assert_false(text.policy->plugins[0]->written); /* a lower layer's */
	policy_text_end(&text);
}

static void rows_of_a_block_are_not_in_force_for_all(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\n" ROWS "role probe {\n"
						   "    forbid docker  adr 1  because \"r\"\n"
						   "    allow \"docker buildx\"  adr 1  because \"r\"\n"
						   "}\n");
	assert_clean(&text);
	const struct block *probe = text.policy->roles[0];
	assert_int_equal(text.policy->row_count, 4);
	assert_int_equal(text.policy->forbidden_count, 0);
	assert_int_equal(policy_verdict(text.policy, "docker run"), VERDICT_ALLOWED);
	assert_int_equal(block_verdict(text.policy, probe, "docker run"), VERDICT_FORBIDDEN);
	assert_int_equal(block_verdict(text.policy, probe, "docker buildx build"), VERDICT_ALLOWED);
	assert_int_equal(block_verdict(text.policy, probe, "git"), VERDICT_ALLOWED);
	assert_int_equal(block_verdict(text.policy, probe, "make"), VERDICT_UNLISTED);
	policy_text_end(&text);
}

static void what_a_block_may_not_say(void **state)
{
	(void)state;
	assert_found("policy p\n" ROWS "role probe { allow make  adr 1  because \"r\" }\n",
		     "error widens p.allow:3:20\n");
	assert_found("policy p\n" ROWS "plugin x { tools git, make, \"git push\" }\n",
		     "error tool p.allow:3:23\nerror tool p.allow:3:29\n");
	assert_found("policy p\n" ROWS "plugin x { tools git, node, git }\n",
		     "error duplicate p.allow:3:29\n");
	assert_found("policy p\n" ROWS "plugin x { tools git; tools node }\n",
		     "error duplicate p.allow:3:23\n");
	assert_found("policy p\n" ROWS "plugin x { tools git\nforbid git  adr 1  because \"r\" }\n",
		     "error tool p.allow:3:18\n");
	assert_found("policy p\n" ROWS "role x { revoke git  adr 1  because \"r\" }\n",
		     "error subject p.allow:3:10\n");
	assert_found("policy p\n" ROWS "role x { forbid make  adr 1  because \"r\" }\nrole x { }\n",
		     "error duplicate p.allow:4:6\n");
	assert_found("policy p\n" ROWS "role \"../x\" { allow make  adr 1  because \"r\" }\n",
		     "error value p.allow:3:6\n");
	assert_found("policy p\n" ROWS "role x { forbid git  adr 1  because \"r\"\n"
		     "revoke git  adr 1  because \"r\" }\n",
		     "error subject p.allow:4:1\n");
	assert_found("policy p\n" ROWS "plugin x { forbid syscall raed  adr 1  because \"r\" }\n",
		     "error subject p.allow:3:12\n");
	assert_found("policy p\nplugin x { forbid CAPTAIN  adr 1  because \"r\" }\n", "");
	/* A row that is wrong stands for none. */
	assert_found("policy p\nrole x {\nforbid git  adr 1  because \"r\"  with ENOSYS\n"
		     "forbid git  adr 1  because \"r\"\n}\n",
		     "error value p.allow:3:38\n");
}

static void a_block_above_narrows_the_one_below(void **state)
{
	(void)state;
	static const char lower[] = "policy base\n" ROWS "plugin x { forbid docker  adr 1  because \"r\" }\n";
	assert_found_over(lower, "policy p\nextends base\nplugin x { forbid docker  adr 1  because \"r\" }\n",
			  "error duplicate p.allow:3:19\n");
	assert_found_over(
		lower,
		"policy p\nextends base\nplugin x {\nallow docker  adr 1  because \"r\"\ntools docker\n}\n",
		"error conflict p.allow:4:7\n");
}

/* Of a system call and of a program that have one name. */
static void a_call_that_a_role_forbids_is_no_program(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\nallow acct  adr 1  because \"r\"\n"
						   "role x { forbid syscall acct  adr 1  because \"r\" }\n");
	assert_string_equal(text.found, "warning kernel-name p.allow:2:7\n");
	assert_int_equal(block_verdict(text.policy, text.policy->roles[0], "acct"), VERDICT_ALLOWED);
	policy_text_end(&text);
}

/* ---- manifests ---- */

/* One folder of files, none of which can be read. */
struct folder {
	struct tree tree;
	const char *path;
	const char *names[3]; /* up to NULL */
	int error, list_error;
};

static int file_read(const struct tree *tree, struct arena *arena, const char *path, enum tree_naming naming,
		     size_t most, struct reading *reading, struct file_identity *identity)
{
	(void)arena, (void)path, (void)naming, (void)most, (void)reading, (void)identity;
	return ((const struct folder *)tree)->error;
}

static int names_list(const struct tree *tree, const char *path, tree_entry_function *each, void *context)
{
	const struct folder *folder = (const struct folder *)tree;
	if (strcmp(path, folder->path) != 0)
		return ENOENT;
	for (const char *const *name = folder->names; *name; name++)
		each(context, *name);
	return folder->list_error;
}

static bool no_identify(const struct tree *tree, const char *path, struct file_identity *identity)
{
	(void)tree, (void)path, (void)identity;
	return false;
}

/* What is said of "p.allow", and what was meant. */
static void assert_manifest(const char *plugins, struct folder folder, const char *found, const char *meant)
{
	struct policy_text text = policy_text_begin();
	folder.tree = (struct tree){ "", file_read, names_list, no_identify };
	sources_read_from(text.compilation.sources, &folder.tree);
	policy_text_add(&text, "p.allow", arena_printf(text.compilation.arena, "policy p\n%s", plugins));
	policy_text_resolve(&text, "p.allow");
	assert_string_equal(text.found, found);
	if (*meant)
		assert_string_equal(diags_view(text.compilation.diags, 0).parts->text,
				    arena_printf(text.compilation.arena, "did you mean '%s'?", meant));
	policy_text_end(&text);
}

#define PLUGIN "warning plugin-file p.allow:2:10\n"

static void the_manifest_that_was_meant_is_sought(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		struct folder folder;
		const char *meant; /* "" where none was */
	} cases[] = {
		{ "plugin.yaml", { .path = ".", .names = { "plugim.yaml" } }, "plugim.yaml" },
		{ "/plugin.yaml", { .path = "/", .names = { "plugim.yaml" } }, "plugim.yaml" },
		{ "p/plugin.yaml", { .path = "p", .names = { "plugim.yaml" } }, "plugim.yaml" },
		{ "p/q/plugin.yaml", { .path = "p/q", .names = { "plgun.yaml" } }, "plgun.yaml" },
		/* of equally near ones the first by its letters, in whatever order they come */
		{ "a.b.yaml", { .path = ".", .names = { "a.d.yaml", "a.c.yaml" } }, "a.c.yaml" },
		{ "a.b.yaml", { .path = ".", .names = { "a.c.yaml", "a.d.yaml" } }, "a.c.yaml" },
		{ "plugin.yaml", { .path = ".", .names = { "plugix.yaml", "plaain.yaml" } }, "plugix.yaml" },
		{ "plugin.yaml", { .path = ".", .names = { "plaain.yaml", "plugix.yaml" } }, "plugix.yaml" },
		/* itself, a link that leads nowhere */
		{ "plugin.yaml", { .path = ".", .names = { "plugin.yaml" } }, "" },
		{ "plugin.yaml", { .path = ".", .names = { "plugim.yaml" }, .list_error = EIO }, "" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct policy_text text = policy_text_begin();
		struct folder folder = cases[i].folder;
		folder.error = ENOENT;
		assert_manifest(arena_printf(text.compilation.arena, "plugin x \"%s\" { }\n", cases[i].path),
				folder, *cases[i].meant ? PLUGIN : "", cases[i].meant);
		policy_text_end(&text);
	}
	/* Another plugin's is no misspelling of it. */
	struct folder folder = { .path = "p", .names = { "plugim.yaml" }, .error = ENOENT };
	assert_manifest("plugin audit \"p/plugim.yaml\" { }\nplugin build \"p/plugin.yaml\" { }\n", folder,
			"", "");
	/* What is there and cannot be read is not made anew. */
	folder.error = EIO;
	assert_manifest("plugin x \"p/plugin.yaml\" { }\n", folder, "trouble\n", "");
}

static void a_tool_and_an_optional_one_share_the_spellings(void **state)
{
	(void)state;
	assert_found("policy p\n" ROWS "plugin x { tools git; optional git }\n",
		     "error duplicate p.allow:3:32\n");
	assert_found("policy p\n" ROWS "allow docker-buildx  adr 1  because \"r\"\n"
		     "plugin x { tools \"docker buildx\", docker-buildx }\n",
		     "warning spelling-twin p.allow:3:7\nerror tool p.allow:4:35\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tools_are_the_allow_rows_in_the_order_of_the_block),
		cmocka_unit_test(a_file_that_is_not_there_is_kept_as_written),
		cmocka_unit_test(blocks_of_one_name_merge_across_layers),
		cmocka_unit_test(rows_of_a_block_are_not_in_force_for_all),
		cmocka_unit_test(what_a_block_may_not_say),
		cmocka_unit_test(a_block_above_narrows_the_one_below),
		cmocka_unit_test(a_call_that_a_role_forbids_is_no_program),
		cmocka_unit_test(the_manifest_that_was_meant_is_sought),
		cmocka_unit_test(a_tool_and_an_optional_one_share_the_spellings),
	};
	return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
