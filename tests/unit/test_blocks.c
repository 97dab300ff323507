/* Roles and plugins as the policy holds them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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
	assert_found("policy p\n" ROWS "role \"../x\" { }\n", "error value p.allow:3:6\n");
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
		cmocka_unit_test(a_tool_and_an_optional_one_share_the_spellings),
	};
	return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
