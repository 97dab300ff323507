#include "backends/filter/filter.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "backends/filter/clauses.h"
#include "backends/filter/decisions.h"
#include "backends/filter/emit.h"
#include "backends/filter/proof.h"
#include "backends/filter/ranges.h"
#include "backends/filter/tree.h"
#include "backends/filter/weights.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"

uint32_t filter_return_value(struct action action)
{
	switch (action.kind) {
	case ACTION_ALLOW:
		return 0x7fff0000;
	case ACTION_ERRNO:
		return 0x00050000u | action.errno_value;
	case ACTION_KILL:
		return 0x80000000;
	case ACTION_LOG:
		return 0x7ffc0000;
	}
	assert(false); /* a fifth action */
	return 0;
}

static struct filter_section section_make(struct arena *arena, const struct decisions *decisions)
{
	struct filter_section section = { .abi_count = 0 };
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		if (decisions->abis & 1u << abi)
			section.abis[section.abi_count++].abi = (enum abi)abi;
	section.ranges = ranges_make(arena, decisions, &section.range_count);
	return section;
}

/* The returns that a section needs, side by side after it. */
static void emit_returns(struct emitter *emitter, const struct filter_section *section)
{
	for (size_t i = 0; i < section->range_count; i++) {
		const struct clauses *clauses = section->ranges[i].clauses;
		emit_return(emitter, filter_return_value(section->ranges[i].action));
		for (size_t k = 0; clauses && k < clauses->count; k++)
			emit_return(emitter, filter_return_value(clauses->items[k].action));
	}
}

/* The leaves that look at arguments, before the tree that leads to them. */
static void emit_leaves(struct emitter *emitter, const struct filter_section *section)
{
	for (size_t i = 0; i < section->range_count; i++)
		if (section->ranges[i].clauses)
			emit_clauses(emitter, section->ranges[i].clauses);
}

/*
 * "If the token is this one: load the number and walk the tree; else go on with `otherwise`." Each
 * section stands whole before the next, so that the first token's calls never pay for the others.
 * `begin` and `end` count from the program's end until program_make() turns them round.
 */
static size_t emit_section(struct emitter *emitter, const struct policy *policy,
			   struct filter_section *section, size_t otherwise)
{
	section->end = emitter->count;
	emit_leaves(emitter, section);
	const uint64_t *weights = weights_make(emitter->arena, policy, section);
	const struct tree_node *tree =
		weights ? tree_make_weighed(emitter->arena, section->ranges, weights, section->range_count)
			: tree_make(emitter->arena, section->ranges, section->range_count);
	size_t body = emit_load(emitter, EMIT_NUMBER, emit_tree(emitter, tree));
	uint32_t token = abi_facts(section->abis[0].abi)->token;
	size_t check = emit_test(emitter, TEST_EQ, token, body, otherwise);
	section->begin = emitter->count;
	return check;
}

static const struct instruction *program_make(struct emitter *emitter, const struct policy *policy,
					      struct filter_section *sections, size_t count)
{
	size_t next = emit_return(emitter, filter_return_value(decisions_foreign(policy)));
	emit_returns(emitter, &sections[count - 1]);
	for (size_t i = count; i-- > 0;)
		next = emit_section(emitter, policy, &sections[i], next);
	emit_load(emitter, EMIT_ARCH, next);
	for (size_t i = 0; i < count; i++) {
		sections[i].begin = emitter->count - sections[i].begin;
		sections[i].end = emitter->count - sections[i].end;
	}
	return emit_program(emitter);
}

/* ---- a filter that is too long ---- */

static int by_size(const void *a, const void *b)
{
	const struct filter_section *first = a, *second = b;
	size_t first_size = first->end - first->begin, second_size = second->end - second->begin;
	if (first_size != second_size)
		return first_size > second_size ? -1 : 1;
	return first->begin < second->begin ? -1 : 1;
}

static const struct emitted_clauses *largest_leaf(const struct emitter *emitter)
{
	const struct emitted_clauses *largest = NULL;
	for (size_t i = 0; i < emitter->leaf_count; i++)
		if (!largest || emitter->leaves[i].size > largest->size)
			largest = &emitter->leaves[i];
	return largest;
}

/* The name of a call that its clauses decide. */
static const char *clauses_call(const struct filter_section *sections, size_t count,
				const struct clauses *clauses)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sections[i].range_count; k++) {
			const struct filter_range *range = &sections[i].ranges[k];
			if (range->clauses != clauses)
				continue;
			enum abi abi = range->first >= X32_BIT ? ABI_X32 : sections[i].abis[0].abi;
			return abi_call_numbered(abi, (int32_t)(range->first - abi_facts(abi)->base))->name;
		}
	assert(false); /* a leaf of no range */
	return "";
}

static void help_size(struct diagnostic *error, const struct emitter *emitter,
		      const struct filter_section *sections, size_t count)
{
	const struct emitted_clauses *leaf = largest_leaf(emitter);
	if (leaf && leaf->size > emitter->count / 4)
		diag_help(error,
			  "the arguments of %s take %zu of them: compare with ranges and masks (type < 5, "
			  "flags & MASK)",
			  clauses_call(sections, count, leaf->clauses), leaf->size);
	else
		diag_help(error,
			  "name fewer ABIs with `arch` or `abi`, or give calls with neighbouring numbers one "
			  "action");
}

static void report_size(struct compilation *compilation, const struct policy *policy,
			const struct emitter *emitter, size_t limit, struct filter_section *sections,
			size_t count)
{
	size_t length = emitter->count;
	struct strbuf largest = STRBUF_INIT;
	qsort(sections, count, sizeof *sections, by_size);
	for (size_t i = 0; i < count && i < 3; i++)
		strbuf_printf(&largest, "%s%s takes %zu", i ? ", " : "",
			      abi_facts(sections[i].abis[0].abi)->name, sections[i].end - sections[i].begin);
	const struct span place = { .source = policy->layers[policy->layer_count - 1].source };
	struct diagnostic *error =
		diag_report(compilation->diags, DIAG_FILTER_SIZE, place,
			    "the seccomp filter of '%s' has %zu instructions, and the kernel "
			    "takes %zu: %s",
			    policy->name, length, limit, largest.bytes);
	help_size(error, emitter, sections, count);
	strbuf_release(&largest);
}

/* Of a policy that names ABIs of one byte order. */
static struct filter *filter_of_order(struct compilation *compilation, const struct policy *policy,
				      size_t limit)
{
	struct arena *arena = compilation->arena, *scratch = compilation->scratch;
	size_t count;
	arena_clear(scratch);
	const struct decisions *decisions = decisions_make(arena, scratch, policy, &count);
	struct filter_section *sections = arena_array(arena, count, sizeof *sections);
	for (size_t i = 0; i < count; i++)
		sections[i] = section_make(arena, &decisions[i]);
	struct emitter emitter = { .arena = arena };
	const struct instruction *code = program_make(&emitter, policy, sections, count);
	if (emitter.count > limit) {
		report_size(compilation, policy, &emitter, limit, sections, count);
		return NULL;
	}
	const char *wrong = proof_refute(arena, policy, code, emitter.count, sections, count);
	if (wrong) {
		diag_trouble(compilation->diags, "internal error: the seccomp filter of '%s' is wrong: %s",
			     policy->name, wrong);
		return NULL;
	}
	struct filter *filter = arena_alloc(arena, sizeof *filter);
	*filter = (struct filter){
		.big_endian = abi_facts(sections[0].abis[0].abi)->big_endian,
		.code = code,
		.length = emitter.count,
		.sections = sections,
		.section_count = count,
	};
	return filter;
}

unsigned filter_abis(const struct policy *policy, bool big_endian)
{
	unsigned abis = 0;
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && abi_facts((enum abi)abi)->big_endian == big_endian)
			abis |= 1u << abi;
	return abis;
}

/* To decisions and proof, the policy is one that names the ABIs of one byte order and no other. */
const struct filter *filter_build_within(struct compilation *compilation, const struct policy *policy,
					 size_t limit)
{
	struct filter *first = NULL;
	for (int big_endian = 1; big_endian >= 0; big_endian--) {
		unsigned abis = filter_abis(policy, big_endian == 1);
		if (!abis)
			continue;
		struct policy *narrowed = arena_alloc(compilation->arena, sizeof *narrowed);
		*narrowed = *policy;
		narrowed->seccomp.abis = abis;
		struct filter *filter = filter_of_order(compilation, narrowed, limit);
		if (!filter)
			return NULL;
		filter->next = first;
		first = filter;
	}
	return first;
}

const struct filter *filter_build(struct compilation *compilation, const struct policy *policy)
{
	return filter_build_within(compilation, policy, FILTER_LENGTH_MAX);
}
