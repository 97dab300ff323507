/* What ADRs say of each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/adr.h"

/* "supersedes 0003; is amended by 7; ", with the text of each place. */
static const char *relations_of(struct compilation *compilation, const char *text)
{
	static size_t files; /* a path of its own for each text */
	const char *path = arena_printf(compilation->arena, "phase7/%zu-a.md", ++files);
	const struct adr *adr =
		adr_read(compilation, sources_add(compilation->sources, path, text, strlen(text)), NULL, 0);
	struct strbuf out = STRBUF_INIT;
	for (size_t i = 0; i < adr->relation_count; i++) {
		const struct adr_relation *relation = &adr->relations[i];
		strbuf_printf(&out, "%s %s (%.*s); ", adr_relation_words(relation->kind), relation->reference,
			      (int)(relation->span.end - relation->span.begin), text + relation->span.begin);
	}
	const char *copy = arena_copy(compilation->arena, out.bytes, out.size);
	strbuf_release(&out);
	return copy;
}

static void test_relations(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "# T\n\nStatus: Accepted\n", "" },
		{ "Status: Superseded by ADR-3, ADR-4\n",
		  "is superseded by 3 (ADR-3); is superseded by 4 (ADR-4); " },
		{ "# T\n\n## Status\n\nSuperceded by [3. New](0003-new.md)\n\nAmends [1. Old](0001-old.md)\n",
		  "is superseded by 0003 ([3. New](0003-new.md)); amends 0001 ([1. Old](0001-old.md)); " },
		{ "# T\n\n## Status\n\nAccepted\n\nSupercedes [1. Old](0001-old.md)\nSee also [2. "
		  "B](0002-b.md)\n",
		  "supersedes 0001 ([1. Old](0001-old.md)); " },
		{ "Status: Accepted\nAmends: phase2/ADR-7\nAmended by: 0009\n",
		  "amends phase2/7 (phase2/ADR-7); is amended by 0009 (0009); " },
		{ "---\nstatus: accepted\nsupersedes: [3, \"0004\"]\namended-by:\n  - ADR-5\n---\n",
		  "supersedes 3 (3); supersedes 0004 (0004); is amended by 5 (ADR-5); " },
		{ "# 7. Less (amends ADR-0003)\n\nStatus: Accepted\n", "amends 0003 (ADR-0003); " },
		{ "Status: Superseded by\nADR-3\n", "is superseded by 3 (ADR-3); " },
		{ "Status: Accepted, amends and replaces ADR-3\n", "supersedes 3 (ADR-3); " },
		{ "Status: Accepted\nAmends: nothing; it leaves [1](0001-t.md) alone\n", "" },
		{ "Status: Accepted\nAmends: none (see ADR-0001)\n", "" },
		{ "Status: Accepted\nAmends: n/a, cf. ADR-0001\n", "" },
		{ "Status: Accepted\nAmends: ~~1~~\n", "" },
		{ "Status: Accepted\nAmends: ~~[1](0001-t.md)~~\n", "" },
		{ "Status: Accepted\nReplaces: 1 engineer\n", "" },
		{ "Status: Accepted\nReplaces: ADR-1?, ADR-2\n", "" },
		{ "Status: Accepted\nReplaces: ADR-2, *[1](0001-t.md)* ?\n", "supersedes 2 (ADR-2); " },
		{ "Status: Accepted\nReplaces: ADR-2 (which?)\n", "supersedes 2 (ADR-2); " },
		{ "Status: Accepted\nReplaces: ADR-2, `ADR-1`?\n", "supersedes 2 (ADR-2); " },
		{ "Status: Accepted\nReplaces: ADR-1 (?)\n", "" },
		{ "Status: Accepted\nReplaces: [ADR-1?](0001-t.md)\n", "" },
		{ "Status: Accepted\nReplaces: [1. One tool or two?](0001-t.md)\n",
		  "supersedes 0001 ([1. One tool or two?](0001-t.md)); " },
		{ "Status: Accepted\nReplaces: [1](0001-t.md?plain=1), ADR-2\n",
		  "supersedes 1 ([1](0001-t.md?plain=1)); supersedes 2 (ADR-2); " },
		{ "---\nstatus: accepted\nsupersedes: [3, \"ADR-4?\", 5 ?]\n---\n", "supersedes 3 (3); " },
		{ "Status: Accepted\nSupersedes: ADR-1 (maybe)\n", "" },
		{ "Status: Accepted\nSupersedes: ADR-1 and [2](0002-t.md), once approved\n", "" },
		{ "Status: Accepted\nSupersedes: ADR-1 (Rejected)\nAmends: ADR-2\n", "amends 2 (ADR-2); " },
		{ "Status: Accepted\nSupersedes ADR-1. When it is time, more goes\n", "supersedes 1 (ADR-1); " },
		{ "Status: Accepted\nSupersedes: ADR-1 (2026-05-01), in all\n", "supersedes 1 (ADR-1); " },
		{ "---\nstatus: accepted\nsupersedes: [\"ADR-3 if needed\", 4]\n---\n", "supersedes 4 (4); " },
		{ "Status: Accepted\nAmends: [ADR 1](https://example.org/other/0001-t.md)\n", "" },
		{ "Status: Accepted\nAmends:\n[1](https://example.org/0001-t.md)\n", "" },
		{ "Status: Accepted\nAmends: nothing\nADR-0001 stays\n", "" },
		{ "Status: Accepted\nSupersedes: n/a, cf. ADR-0001\n", "" },
		{ "# T\n\n## Status\n\nAccepted\n\n## Amends\n\nNothing. ADR-0001 stays.\n", "" },
		{ "# T (amends nothing in ADR-0001)\n\nStatus: Accepted\n", "" },
		{ "## Status\n\nAccepted\n\nIt neither replaces ADR-0001 nor more\n", "" },
		{ "## Status\n\nAccepted\n\nIt doesn't\nreplaces ADR-0001\n", "" },
		{ "# Do not build twice (supersedes ADR-3)\n\nStatus: Accepted\n", "supersedes 3 (ADR-3); " },
		{ "Status: Accepted\nAmends: parts of ADR-1 (2026-05-01), [2. B](0002-b.md) & 0003; see "
		  "ADR-4\n",
		  "amends 1 (ADR-1); amends 0002 ([2. B](0002-b.md)); amends 0003 (0003); " },
		{ "Status: Accepted\nAmends: 1, 2 and 0003 Title\n", "amends 1 (1); amends 2 (2); " },
		{ "---\nstatus: accepted\namends: [\"none, see\", \"not ADR-5\", 6]\n---\n",
		  "amends 6 (6); " },
		{ "Status: Accepted\n\n[x]: /y \"\nAmends: 1\nDate: x\"\n", "" },
		{ "Status: Accepted\n\n## Context\n\nThis supersedes ADR-3.\n", "" },
	};
	struct compilation compilation = compilation_begin(0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(arena_printf(compilation.arena, "%s=> %s", cases[i][0],
						 relations_of(&compilation, cases[i][0])),
				    arena_printf(compilation.arena, "%s=> %s", cases[i][0], cases[i][1]));
	compilation_end(&compilation);
}

static void test_inverses(void **state)
{
	(void)state;
	assert_int_equal(adr_relation_inverse(ADR_SUPERSEDES), ADR_SUPERSEDED_BY);
	for (int kind = 0; kind < ADR_RELATION_COUNT; kind++)
		assert_int_equal(adr_relation_inverse(adr_relation_inverse((enum adr_relation_kind)kind)),
				 kind);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_relations),
		cmocka_unit_test(test_inverses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
