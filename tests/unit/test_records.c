/* ADRs of both sides of a comparison: what became of each that is cited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/diff/compare.h"
#include "compiler/diff/side.h"
#include "compiler/options.h"
#include "tests/unit/scratch.h"

#define POLICY "policy p\ndecisions \"adr\"\n"
#define GIT "allow git  adr 1  because \"r\"\n"
#define JQ "allow jq  adr 2  because \"r\"\n"
#define ADR(title, status, text) "# " title "\n\n## Status\n\n" status "\n\n## Decision\n\n" text "\n"

struct both {
	struct scratch scratch;
	struct side old, now;
	const struct compared *comparison;
};

static void put(const struct both *both, const char *name, const char *text)
{
	if (text)
		assert_true(scratch_write(&both->scratch, name, text, strlen(text)));
}

/* Two folders, each with a policy and its ADRs 1 and 2; NULL: not there. */
static void compare(struct both *both, const char *const old[3], const char *const now[3])
{
	static const char *const names[2][3] = { { "old/p.allow", "old/adr/0001-a.md", "old/adr/0002-b.md" },
						 { "new/p.allow", "new/adr/0001-a.md",
						   "new/adr/0002-b.md" } };
	const struct options options = { .max_errors = 0 };
	*both = (struct both){ .comparison = NULL };
	assert_true(scratch_begin(&both->scratch));
	assert_int_equal(chdir(both->scratch.folder), 0);
	assert_int_equal(scratch_run(&both->scratch, "mkdir -p old/adr new/adr"), 0);
	for (size_t i = 0; i < 3; i++) {
		put(both, names[0][i], old[i]);
		put(both, names[1][i], now[i]);
	}
	side_open(&both->old, "old/p.allow", &options);
	side_open(&both->now, "new/p.allow", &options);
	assert_non_null(both->old.policy);
	assert_non_null(both->now.policy);
	both->comparison = policies_compare(&both->now.compilation, both->old.policy, both->now.policy);
}

static void end(struct both *both)
{
	side_end(&both->old);
	side_end(&both->now);
	assert_int_equal(chdir("/"), 0);
	scratch_end(&both->scratch);
}

static const char accepted[] = ADR("1. Tools", "Accepted", "`git`");

static void one_that_is_as_it_was(void **state)
{
	(void)state;
	struct both both;
	compare(&both, (const char *const[3]){ POLICY GIT, accepted, NULL },
		(const char *const[3]){ POLICY GIT, accepted, NULL });
	assert_int_equal(both.comparison->record_count, 1);
	assert_int_equal(both.comparison->unchanged_records, 1);
	assert_int_equal(both.comparison->change_count, 0);
	end(&both);
}

/* Title, code spans, status: no line of the policy differs, and each is a change. */
static void one_that_is_another(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum change_class class;
		const char *status;
	} others[] = {
		{ ADR("1. Other tools", "Accepted", "`git`"), CHANGE_ADR_TEXT_CHANGED, "accepted" },
		{ ADR("1. Tools", "Accepted", "`git`, `jq`"), CHANGE_ADR_TEXT_CHANGED, "accepted" },
		{ ADR("1. Tools", "Accepted", "git"), CHANGE_ADR_TEXT_CHANGED, "accepted" },
		{ ADR("1. Tools", "Rejected", "`git`"), CHANGE_ADR_STATUS_CHANGED, "rejected" },
		{ NULL, CHANGE_ADR_STATUS_CHANGED, "missing" },
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct both both;
		compare(&both, (const char *const[3]){ POLICY GIT, accepted, NULL },
			(const char *const[3]){ POLICY GIT, others[i].text, NULL });
		const struct compared *comparison = both.comparison;
		assert_true(comparison_is_equivalent(comparison));
		assert_int_equal(comparison_exit_status(comparison), 1);
		assert_int_equal(comparison->changes[0].class, others[i].class);
		assert_string_equal(comparison->records[0]->status_old, "accepted");
		assert_string_equal(comparison->records[0]->status_now, others[i].status);
		assert_int_equal(comparison->unchanged_records, 0);
		end(&both);
	}
}

static void one_that_came_with_its_row_is_new_here(void **state)
{
	(void)state;
	struct both both;
	compare(&both, (const char *const[3]){ POLICY GIT, accepted, NULL },
		(const char *const[3]){ POLICY GIT JQ, accepted, ADR("2. More", "Accepted", "`jq`") });
	const struct record *record = both.comparison->records[1];
	assert_string_equal(record->text, "p/0002");
	assert_true(record->new_here);
	assert_false(record->status_changed);
	assert_string_equal(record->status_old, "missing");
	end(&both);
	/* It was there, and nobody cited it. */
	compare(&both, (const char *const[3]){ POLICY GIT, accepted, ADR("2. More", "Proposed", "`jq`") },
		(const char *const[3]){ POLICY GIT JQ, accepted, ADR("2. More", "Accepted", "`jq`") });
	record = both.comparison->records[1];
	assert_false(record->new_here);
	assert_true(record->status_changed);
	assert_string_equal(record->status_old, "proposed");
	end(&both);
}

static void a_successor_is_looked_into(void **state)
{
	(void)state;
	static const char superseded[] = ADR("1. Tools", "Superseded by [0002](0002-b.md)", "`git`");
	static const struct {
		const char *successor, *described, *note;
	} cases[] = {
		{ ADR("2. More", "Accepted", "`git`"), "p/0002 (accepted)",
		  "still cites 0001; 0002 names it" },
		{ ADR("2. More", "Accepted", "`jq`"), "p/0002 (accepted)",
		  "still cites 0001; 0002 does not name it" },
		{ ADR("2. More", "Proposed", "`git`"), "p/0002 (proposed)",
		  "still cites 0001; 0002 is not accepted" },
		{ NULL, "p/0002 (missing)", "still cites 0001; 0002 is not accepted" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct both both;
		compare(&both, (const char *const[3]){ POLICY GIT, accepted, NULL },
			(const char *const[3]){ POLICY GIT, superseded, cases[i].successor });
		assert_string_equal(both.comparison->records[0]->successor, cases[i].described);
		assert_string_equal(both.comparison->changes[1].note, cases[i].note);
		assert_int_equal(both.comparison->changes[1].sign, '!');
		end(&both);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_is_as_it_was),
		cmocka_unit_test(one_that_is_another),
		cmocka_unit_test(one_that_came_with_its_row_is_new_here),
		cmocka_unit_test(a_successor_is_looked_into),
	};
	return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
