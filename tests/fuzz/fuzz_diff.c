/*
 * Two policies with all that they read, "### NEW" between them. A policy is equivalent to itself, and what is
 * wider one way is narrower the other.
 */
#include <string.h>

#include "backends/json_writer.h"
#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"
#include "compiler/diff/compare.h"
#include "compiler/diff/report.h"
#include "compiler/diff/side.h"
#include "compiler/gate/gate.h"
#include "tests/fuzz/input.h"

static void report_all(struct side *now, const struct compared *comparison, const struct gate *gate)
{
	struct arena *arena = now->compilation.arena;
	struct report report = {
		.comparison = comparison, .old_name = "old", .now_name = "new", .gate = gate
	};
	struct strbuf out = STRBUF_INIT;
	report_text(arena, &report, &out);
	report_json(&report, &out);
	out.size = 0;
	report_markdown(arena, &report, &out);
	REQUIRE(out.size < MARKDOWN_SIZE_MAX);
	strbuf_release(&out);
}

static void self_check(struct side *side)
{
	const struct compared *same = policies_compare(&side->compilation, side->policy, side->policy);
	REQUIRE(comparison_is_equivalent(same));
	REQUIRE_OR(same->change_count == 0, "%s", same->changes[0].subject);
}

/* Commands, calls and capabilities are sets of what may be done: the way back undoes the way there. */
static void ways_check(const struct compared *there, const struct compared *back)
{
	static const enum axis sets[] = { AXIS_SYSTEM_CALLS, AXIS_CAPABILITIES };
	REQUIRE(comparison_is_equivalent(there) == comparison_is_equivalent(back));
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		struct axis_verdict one = there->axes[sets[i]], other = back->axes[sets[i]];
		REQUIRE_OR(one.more == other.less && one.less == other.more, "%s: +%zu -%zu, back +%zu -%zu",
			   axis_name(sets[i]), one.more, one.less, other.more, other.less);
	}
}

static void gate_check(struct side *old, struct side *now, const struct compared *there)
{
	static const struct gate_rules lax = { 0 },
				       strict = { .fail_on = FAIL_ON_ANY, .today = "2026-06-01" };
	const struct gate *gate = gate_judge(old, now, there, &lax);
	report_all(now, there, gate);
	REQUIRE(gate->refusal_count <= gate_judge(old, now, there, &strict)->refusal_count);
}

static void side_cut(struct side *side, struct input_files *files, struct arena *arena, struct input text)
{
	input_files_cut(files, arena, text);
	side_open_through(side, &files->tree, INPUT_FIRST, 20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct input left = input_of(data, size), mark;
	struct input text = input_cut(&left, "### NEW", &mark);
	struct input_files old_files, now_files;
	struct side old, now;
	side_cut(&old, &old_files, arena, text);
	side_cut(&now, &now_files, arena, left);
	if (old.policy)
		self_check(&old);
	if (old.policy && now.policy) {
		const struct compared *there = policies_compare(&now.compilation, old.policy, now.policy);
		ways_check(there, policies_compare(&old.compilation, now.policy, old.policy));
		gate_check(&old, &now, there);
	}
	side_end(&now);
	side_end(&old);
	arena_free(arena);
	return 0;
}
