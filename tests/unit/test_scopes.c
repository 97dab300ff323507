/* Citations: the folder that they are opened in, the ADR that they carry, and what it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/policy_text.h"
#include "tests/unit/scratch.h"

struct place {
	struct scratch scratch;
	struct policy_text text;
};

static int begin(void **state)
{
	struct place *place = calloc(1, sizeof *place);
	*state = place;
	return place && scratch_begin(&place->scratch) ? 0 : -1;
}

static int end(void **state)
{
	struct place *place = *state;
	scratch_end(&place->scratch);
	free(place);
	return 0;
}

static void adr_write(struct place *place, const char *name, const char *text)
{
	assert_true(scratch_write(&place->scratch, name, text, strlen(text)));
}

/* The policy stands in the folder of the ADRs. Its places are shown without that folder. */
static void load(struct place *place, const char *bytes)
{
	place->text = policy_text_begin();
	const char *path = arena_printf(place->text.compilation.arena, "%s/p.allow", place->scratch.folder);
	policy_text_add(&place->text, path, bytes);
	policy_text_resolve(&place->text, path);
}

static void assert_said(struct place *place, const char *what, const char *where)
{
	struct arena *arena = place->text.compilation.arena;
	assert_string_equal(place->text.found,
			    arena_printf(arena, "%s %s/%s\n", what, place->scratch.folder, where));
}

static void a_citation_carries_its_adr_and_the_width_of_the_file(void **state)
{
	struct place *place = *state;
	adr_write(place, "0015-tools.md",
		  "# Tools\n\n## Status\n\nAccepted\n\nDate: 2026-05-19\n\n`git` and `node`.\n");
	load(place, "policy p\ndecisions \".\"\nallow git, node  adr 15  because \"r\"\n");
	assert_clean(&place->text);
	for (size_t i = 0; i < 2; i++) {
		const struct row *row = place->text.policy->rows[i];
		assert_int_equal(row->citation_count, 1);
		assert_string_equal(row->citations[0].text, "p/0015");
		assert_non_null(row->citations[0].adr);
		assert_int_equal(row->citations[0].adr->status, ADR_ACCEPTED);
		assert_string_equal(row->citations[0].adr->date, "2026-05-19");
	}
	/* Rows that cite one ADR share what was read. */
	assert_ptr_equal(place->text.policy->rows[0]->citations[0].adr,
			 place->text.policy->rows[1]->citations[0].adr);
	policy_text_end(&place->text);
}

static void a_named_scope_is_cited_by_its_name(void **state)
{
	struct place *place = *state;
	adr_write(place, "7.md", "# T\n\nStatus: Accepted\n\n`git`\n");
	load(place, "policy p\ndecisions other \".\"\nallow git  adr other/ADR-0007  because \"r\"\n");
	assert_clean(&place->text);
	assert_string_equal(place->text.policy->rows[0]->citations[0].text, "other/7");
	policy_text_end(&place->text);
	load(place, "policy p\ndecisions other \".\"\nallow git  adr 7  because \"r\"\n");
	assert_said(place, "error adr-scope", "p.allow:3:16");
	policy_text_end(&place->text);
}

static void a_word_is_accepted_where_the_policy_says_so(void **state)
{
	struct place *place = *state;
	adr_write(place, "1.md", "# T\n\nStatus: Ratified\n\n`git`\n");
	load(place, "policy p\ndecisions \".\" accept \"ratified\"\nallow git  adr 1  because \"r\"\n");
	assert_clean(&place->text);
	assert_int_equal(place->text.policy->rows[0]->citations[0].adr->status, ADR_ACCEPTED);
	policy_text_end(&place->text);
	load(place, "policy p\ndecisions \".\"\nallow git  adr 1  because \"r\"\n");
	assert_said(place, "error adr-status", "p.allow:3:16");
	policy_text_end(&place->text);
}

static void numbers_that_no_file_or_two_files_have(void **state)
{
	struct place *place = *state;
	adr_write(place, "1-a.md", "Status: Accepted\n\n`git`\n");
	adr_write(place, "0002-b.md", "Status: Accepted\n\n`git`\n");
	adr_write(place, "2-c.md", "Status: Accepted\n\n`git`\n");
	load(place, "policy p\ndecisions \".\"\nallow git  adr 3  because \"r\"\n");
	assert_said(place, "error adr-missing", "p.allow:3:16");
	policy_text_end(&place->text);
	load(place, "policy p\ndecisions \".\"\nallow git  adr 1, 2  because \"r\"\n");
	assert_said(place, "error adr-ambiguous", "p.allow:3:19");
	policy_text_end(&place->text);
}

/* Along the chain of successors up to an accepted one, which must name the subject. */
static void a_superseded_adr_leads_to_its_successor(void **state)
{
	struct place *place = *state;
	adr_write(place, "1.md", "# T\n\n## Status\n\nSuperseded by ADR-0002\n\n`git` `node`\n");
	adr_write(place, "2.md", "# T\n\n## Status\n\nSuperseded by ADR-0003\n\n`git` `node`\n");
	adr_write(place, "3.md", "# T\n\n## Status\n\nAccepted\n\n`git`\n");
	load(place, "policy p\ndecisions \".\"\nallow git  adr 1  because \"r\"\n");
	assert_said(place, "warning adr-superseded", "p.allow:3:16");
	assert_non_null(place->text.policy);
	assert_string_equal(place->text.policy->rows[0]->citations[0].text, "p/1");
	policy_text_end(&place->text);
	load(place, "policy p\ndecisions \".\"\nallow node  adr 1  because \"r\"\n");
	assert_said(place, "error adr-status", "p.allow:3:17");
	policy_text_end(&place->text);
}

static void each_subject_must_be_named(void **state)
{
	struct place *place = *state;
	adr_write(place, "1.md", "# T\n\nStatus: Accepted\n\n`git push --tags` and node\n");
	load(place, "policy p\ndecisions \".\"\nallow \"git push\", node  adr 1  because \"r\"\n");
	assert_said(place, "warning adr-silent", "p.allow:3:19");
	policy_text_end(&place->text);
}

static void what_decisions_may_not_say(void **state)
{
	struct place *place = *state;
	load(place, "policy p\ndecisions \".\"\ndecisions p \".\"\n");
	assert_said(place, "error duplicate", "p.allow:3:11");
	policy_text_end(&place->text);
	load(place, "policy p\ndecisions \"p*\"\nallow git  adr 1  because \"r\"\n");
	assert_said(place, "error decisions", "p.allow:2:11");
	policy_text_end(&place->text);
	load(place, "policy p\ndecisions \".\"\nallow git  adr first  because \"r\"\n");
	assert_said(place, "error value", "p.allow:3:16");
	policy_text_end(&place->text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_citation_carries_its_adr_and_the_width_of_the_file, begin,
						end),
		cmocka_unit_test_setup_teardown(a_named_scope_is_cited_by_its_name, begin, end),
		cmocka_unit_test_setup_teardown(a_word_is_accepted_where_the_policy_says_so, begin, end),
		cmocka_unit_test_setup_teardown(numbers_that_no_file_or_two_files_have, begin, end),
		cmocka_unit_test_setup_teardown(a_superseded_adr_leads_to_its_successor, begin, end),
		cmocka_unit_test_setup_teardown(each_subject_must_be_named, begin, end),
		cmocka_unit_test_setup_teardown(what_decisions_may_not_say, begin, end),
	};
	return cmocka_run_group_tests_name("scopes", tests, NULL, NULL);
}
