/* From the text of a status to the status. (Whole files: test_adr.c.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/policy/adr_status.h"

static struct adr_reading read_status(struct arena *arena, const char *text, const char *rest)
{
	return adr_status_read(arena, slice_of(text), slice_of(rest), (struct adr_accept){ 0 },
			       slice_of("adr"));
}

static void test_words(void **state)
{
	(void)state;
	static const struct word_case {
		const char *text;
		enum adr_status status;
	} cases[] = {
		{ "accepted", ADR_ACCEPTED },
		{ "  Accepted\t", ADR_ACCEPTED },
		{ "__Accepted__", ADR_ACCEPTED },
		{ "_accepted_.", ADR_ACCEPTED },
		{ "***accepted***", ADR_ACCEPTED },
		{ "proposed", ADR_PROPOSED },
		{ "rejected", ADR_REJECTED },
		{ "deprecated", ADR_DEPRECATED },
		{ "superseded", ADR_SUPERSEDED },
		{ "superceeded", ADR_SUPERSEDED },
		{ "deferred", ADR_DEFERRED },
		{ "acceptedx", ADR_UNKNOWN },
		{ "accepted2", ADR_UNKNOWN },
		{ "accepted_x", ADR_UNKNOWN },
		{ "accepte", ADR_UNKNOWN },
		{ "accepted:", ADR_UNKNOWN },
		{ "accepted / proposed", ADR_UNKNOWN },
		{ "![accepted](x.svg)", ADR_UNKNOWN },
		{ "**", ADR_UNKNOWN },
		{ "", ADR_UNKNOWN },
	};
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(
			arena_printf(arena, "%s: %s", cases[i].text,
				     adr_status_word(read_status(arena, cases[i].text, "").status)),
			arena_printf(arena, "%s: %s", cases[i].text, adr_status_word(cases[i].status)));
	arena_free(arena);
}

static void test_open_words(void **state)
{
	(void)state;
	static const char *const words[] = {
		"pending", "partial",   "conditional", "provisional", "draft",
		"until",   "Partially", "unless",      "in  part",    "withdrawn"
	};
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *text = arena_printf(arena, "Accepted (%s)", words[i]);
		assert_int_equal(read_status(arena, text, "").status, ADR_UNKNOWN);
		assert_int_equal(read_status(arena, "Accepted", words[i]).status, ADR_UNKNOWN);
		const char *inside = arena_printf(arena, "Accepted (x%sx)", words[i]);
		assert_int_equal(read_status(arena, inside, "").status, ADR_ACCEPTED);
	}
	arena_free(arena);
}

struct remark_case {
	const char *text, *doubt; /* NULL: accepted */
};

static void test_remarks(void **state)
{
	(void)state;
	static const struct remark_case cases[] = {
		{ "Accepted, vetoed by security", "'vetoed' may take it back" },
		{ "Accepted. Reversed on appeal", "'Reversed' may take it back" },
		{ "Accepted; shelved", "'shelved' may take it back" },
		{ "Accepted (on hold)", "'on hold' leaves it open" },
		{ "Accepted \xe2\x80\x94 if the budget allows", "'if' leaves it open" },
		{ "Accepted, subject to review", "'subject to' leaves it open" },
		{ "Accepted, no it isn't", "'no' leaves it open" },
		{ "Accepted, isn't it", "'isn't' leaves it open" },
		{ "Accepted, 2026-02-12", NULL },
		{ "Accepted, by all", NULL },
		{ "Accepted (amended 2026-05-21, see Amendments)", NULL },
		{ "Accepted, implemented in #12", NULL },
		{ "Accepted, agreed with indeed everybody", NULL },
		{ "Accepted; supersedes ADR-3", NULL },
		{ "Accepted \xe2\x80\x94 the canary stays", NULL },
		{ "Accepted (Ned)", NULL },
		{ "Accepted (Fred)", "'Fred' may take it back" }, /* unknown is the safe side */
		{ "Accepted (?)", "a question mark stands beside it" },
		{ "Accepted, maybe", "'maybe' leaves it open" },
		{ "Accepted (perhaps)", "'perhaps' leaves it open" },
		{ "Accepted, sort of", "'sort of' leaves it open" },
		{ "Accepted (without approval)", "'without' leaves it open" },
		{ "Accepted (lacks approval)", "'lacks' leaves it open" },
		{ "Accepted (un-approved)", "'unapproved' may take it back" },
		{ "Accepted (in_review)", "'in review' leaves it open" },
		{ "Accepted (pen-ding)", "'pending' leaves it open" },
		{ "Accepted (for review)", "'for review' leaves it open" },
		{ "Accepted (on probation)", "'probation' leaves it open" },
		{ "Accepted (pilot)", "'pilot' leaves it open" },
		{ "Accepted, undid", "'undid' leaves it open" },
		{ "Accepted (rescinds)", "'rescinds' leaves it open" },
		{ "Accepted \xe2\x80\x94 nope", "'nope' leaves it open" },
		{ "Accepted (wontfix)", "'wontfix' leaves it open" },
		{ "Accepted (zur\xc3\xbc"
		  "ckgezogen)",
		  "a letter that is not ASCII stands beside it" },
		{ "Accepted (\xe9\x9d\x9e)", "a letter that is not ASCII stands beside it" },
		{ "Accepted, \xe2\x80\x9cteam\xe2\x80\x9d \xe2\x9c\x85 \xf0\x9f\x8e\x89 (\xc2\xa7 3)", NULL },
		{ "Accepted (co-authored, re-affirmed, long-term)", NULL },
		/* of other words than accepted the same holds */
		{ "Rejected, then revived", "'revived' may take it back" },
	};
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *doubt = read_status(arena, cases[i].text, "").doubt;
		assert_string_equal(
			arena_printf(arena, "%s: %s", cases[i].text, doubt ? doubt : "-"),
			arena_printf(arena, "%s: %s", cases[i].text, cases[i].doubt ? cases[i].doubt : "-"));
	}
	arena_free(arena);
}

static void test_rest(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	assert_int_equal(read_status(arena, "Accepted", "Amends [2. Draft](0002-draft.md)").status,
			 ADR_ACCEPTED);
	assert_int_equal(read_status(arena, "Accepted", "Amends [a draft](minutes.html)").status,
			 ADR_UNKNOWN);
	assert_string_equal(read_status(arena, "Accepted", "Rejected").doubt, "'Rejected' stands beside it");
	assert_string_equal(read_status(arena, "Accepted",
					"a\xe2\x80\xae"
					"b")
				    .doubt,
			    "it holds a character that cannot be seen");
	/* what is unknown already keeps its own reason */
	assert_string_equal(read_status(arena, "Maybe", "Rejected").doubt,
			    "it does not begin with a status word");
	arena_free(arena);
}

static void test_successor_place(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *text = "**Superseded by [02-ADR-0011](0011-x.md) (2026-05-17)** \xe2\x80\x94 elsewhere";
	struct adr_reading reading = read_status(arena, text, "");
	assert_int_equal(reading.status, ADR_SUPERSEDED);
	assert_string_equal(reading.successor, "02/0011");
	assert_ptr_equal(reading.successor_place.at, strchr(text, '['));
	assert_int_equal(reading.successor_place.size, strlen("[02-ADR-0011](0011-x.md)"));
	assert_null(read_status(arena, "Accepted, see ADR-3", "").successor);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),           cmocka_unit_test(test_open_words),
		cmocka_unit_test(test_remarks),         cmocka_unit_test(test_rest),
		cmocka_unit_test(test_successor_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
