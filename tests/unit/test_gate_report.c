/* Gates made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"
#include "compiler/gate/gate.h"

static void assert_text(const struct gate *gate, bool whole, const char *wanted)
{
	struct strbuf out = STRBUF_INIT;
	gate_text(gate, whole, &out);
	assert_string_equal(out.bytes, wanted);
	strbuf_release(&out);
}

static void assert_markdown(const struct gate *gate, size_t most, const char *wanted)
{
	struct strbuf out = STRBUF_INIT;
	gate_markdown(gate, most, &out);
	assert_string_equal(out.bytes, wanted);
	strbuf_release(&out);
}

static void an_open_gate_counts_what_it_let_pass(void **state)
{
	static const char *const adrs[] = { "p/0001", "p/0002" };
	(void)state;
	const struct gate none = { .widenings = 0 };
	assert_text(&none, true, "gate: open, no widening\n");
	const struct gate two = { .widenings = 3, .adrs = adrs, .adr_count = 2 };
	assert_text(&two, false, "gate: open, 3 widenings, ratified by p/0001, p/0002\n");
	assert_markdown(&two, 1000, "\n**gate: open, 3 widenings, ratified by p/0001, p/0002**\n");
	/* The room that is left is just enough, then a byte too small. */
	size_t room = strlen("open, 3 widenings, ratified by p/0001, p/0002");
	assert_markdown(&two, room, "\n**gate: open, 3 widenings, ratified by p/0001, p/0002**\n");
	assert_markdown(&two, room - 1, "\n**gate: open**\n");
	const struct gate let = { .widenings = 1, .allowed = { true, false, true } };
	assert_text(&let, false, "gate: open, 1 widening; allowed: trust-changed, seccomp-setting\n");
}

static const struct layer layer = { .name = "p", .file = "p.allow" };

static void a_refusal_has_its_rule_place_and_edit(void **state)
{
	static const struct refusal refusals[] = {
		{ .rule = GATE_ADR_SILENT,
		  .layer = &layer,
		  .line = 7,
		  .subject = "jq",
		  .problem = "ADR p/0001 is silent",
		  .edit = "name `jq`" },
		{ .rule = GATE_FORBID_LIFTED,
		  .layer = &layer,
		  .line = 6,
		  .in_old = true,
		  .subject = "gdb",
		  .problem = "gone",
		  .edit = "put it back",
		  .more = 2 },
		{ .rule = GATE_WIDER, .subject = "", .problem = "it is wider", .edit = "split it" },
	};
	(void)state;
	const struct gate gate = { .refusals = refusals, .refusal_count = 3 };
	assert_text(&gate, true,
		    "gate: shut [adr-silent] p.allow:7 jq: ADR p/0001 is silent\n  name `jq`\n"
		    "gate: shut [forbid-lifted] OLD p.allow:6 gdb and 2 more rows: gone\n  put it back\n"
		    "gate: shut [wider] it is wider\n  split it\n");
	assert_text(&gate, false,
		    "gate: shut [adr-silent]: name `jq`\ngate: shut [forbid-lifted]: put it back\n"
		    "gate: shut [wider]: split it\n");
	assert_markdown(
		&gate, 1000,
		"\n**gate: shut**\n\n"
		"- `adr-silent` p\\.allow\\:7 jq\\: ADR p/0001 is silent. To open it: name \\`jq\\`.\n"
		"- `forbid-lifted` OLD p\\.allow\\:6 gdb and 2 more rows\\: gone. To open it: put it back.\n"
		"- `wider` it is wider. To open it: split it.\n");
	assert_markdown(
		&gate, 150,
		"\n**gate: shut**\n\n"
		"- `adr-silent` p\\.allow\\:7 jq\\: ADR p/0001 is silent. To open it: name \\`jq\\`.\n"
		"- 2 more reasons: `allowc gate --format json` shows all.\n");
}

/* What is said of twenty is said of each; the rest is a number. */
static void twenty_are_named(void **state)
{
	const char *adrs[22];
	(void)state;
	for (size_t i = 0; i < sizeof adrs / sizeof *adrs; i++)
		adrs[i] = "p/1";
	struct gate gate = { .widenings = 22, .adrs = adrs, .adr_count = 20 };
#define TEN "p/1, p/1, p/1, p/1, p/1, p/1, p/1, p/1, p/1, p/1"
	assert_text(&gate, true, "gate: open, 22 widenings, ratified by " TEN ", " TEN "\n");
	gate.adr_count = 21;
	assert_text(&gate, true, "gate: open, 22 widenings, ratified by " TEN ", " TEN " and 1 more\n");
	gate.adr_count = 22;
	assert_text(&gate, true, "gate: open, 22 widenings, ratified by " TEN ", " TEN " and 2 more\n");
}

static void twenty_refusals_are_shown(void **state)
{
	struct refusal refusals[22];
	(void)state;
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
		refusals[i] =
			(struct refusal){ .rule = GATE_WIDER, .subject = "", .problem = "a", .edit = "b" };
	struct gate gate = { .refusals = refusals, .refusal_count = 20 };
#define FIVE(line) line line line line line
#define TWENTY(line) FIVE(line) FIVE(line) FIVE(line) FIVE(line)
	assert_text(&gate, false, TWENTY("gate: shut [wider]: b\n"));
	assert_markdown(&gate, 10000, "\n**gate: shut**\n\n" TWENTY("- `wider` a. To open it: b.\n"));
	gate.refusal_count = 21;
	assert_text(&gate, false, TWENTY("gate: shut [wider]: b\n") "gate: shut for 1 more reason\n");
	assert_markdown(&gate, 10000,
			"\n**gate: shut**\n\n" TWENTY(
				"- `wider` a. To open it: b.\n") "- 1 more reason: `allowc gate --format "
								 "json` shows all.\n");
	gate.refusal_count = 22;
	assert_text(&gate, false, TWENTY("gate: shut [wider]: b\n") "gate: shut for 2 more reasons\n");
	assert_markdown(&gate, 10000,
			"\n**gate: shut**\n\n" TWENTY(
				"- `wider` a. To open it: b.\n") "- 2 more reasons: `allowc gate --format "
								 "json` shows all.\n");
}

/* The room is just enough for both, then a byte too small for the second. */
static void refusals_fill_the_room(void **state)
{
	static const struct refusal refusals[] = {
		{ .rule = GATE_WIDER,
		  .layer = &layer,
		  .line = 7,
		  .subject = "jq",
		  .problem = "a",
		  .edit = "b",
		  .more = 1 },
		{ .rule = GATE_WIDER, .subject = "", .problem = "c", .edit = "d" },
	};
	const char *first =
		"\n**gate: shut**\n\n- `wider` p\\.allow\\:7 jq and 1 more row\\: a. To open it: b.\n";
	const char *both =
		"\n**gate: shut**\n\n- `wider` p\\.allow\\:7 jq and 1 more row\\: a. To open it: b.\n"
		"- `wider` c. To open it: d.\n";
	(void)state;
	const struct gate gate = { .refusals = refusals, .refusal_count = 2 };
	assert_markdown(&gate, strlen(both), both);
	struct strbuf wanted = STRBUF_INIT;
	strbuf_printf(&wanted, "%s- 1 more reason: `allowc gate --format json` shows all.\n", first);
	assert_markdown(&gate, strlen(both) - 1, wanted.bytes);
	strbuf_release(&wanted);
}

/* What a policy or an ADR says stays in its line. */
static void texts_are_made_visible(void **state)
{
	static const struct refusal refusal = {
		.rule = GATE_ADR_STATUS, .subject = "", .problem = "a\ngate: open", .edit = "b\x1b[2K"
	};
	(void)state;
	const struct gate gate = { .refusals = &refusal, .refusal_count = 1 };
	struct strbuf out = STRBUF_INIT;
	gate_text(&gate, true, &out);
	assert_null(strstr(out.bytes, "\ngate: open"));
	assert_null(strchr(out.bytes, '\x1b'));
	strbuf_release(&out);
}

static void every_rule_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (int i = 0; i < GATE_RULE_COUNT; i++) {
		assert_true(*gate_rule_meaning((enum gate_rule)i));
		for (int k = 0; k < i; k++)
			assert_string_not_equal(gate_rule_name((enum gate_rule)i),
						gate_rule_name((enum gate_rule)k));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_open_gate_counts_what_it_let_pass),
		cmocka_unit_test(a_refusal_has_its_rule_place_and_edit),
		cmocka_unit_test(twenty_are_named),
		cmocka_unit_test(twenty_refusals_are_shown),
		cmocka_unit_test(refusals_fill_the_room),
		cmocka_unit_test(texts_are_made_visible),
		cmocka_unit_test(every_rule_has_a_name_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
