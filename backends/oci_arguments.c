#include "backends/oci_arguments.h"

#include <assert.h>

#include "compiler/base/arena.h"

/* Alternatives that are being made. */
struct maker {
	struct arena *arena;
	unsigned register_bits;
	struct oci_arguments *items;
	size_t count, capacity;
	bool cannot; /* say it */
};

static void maker_add(struct maker *maker, const struct oci_arguments *arguments)
{
	if (maker->count == OCI_ALTERNATIVES_MAX) {
		maker->cannot = true;
		return;
	}
	maker->items =
		arena_grow(maker->arena, maker->items, maker->count, &maker->capacity, sizeof *maker->items);
	maker->items[maker->count++] = *arguments;
}

static bool is_used(const struct oci_arguments *arguments, int index)
{
	return arguments->used >> index & 1;
}

/* Adds `arguments`, where these bits of one are also so; nothing where they cannot be. */
static void add_bits(struct maker *maker, const struct oci_arguments *arguments, int index, uint64_t mask,
		     uint64_t value)
{
	struct oci_arguments both = *arguments;
	struct oci_comparison *item = &both.items[index];
	bool too_wide = maker->register_bits == 32 && mask > UINT32_MAX;
	if (too_wide || (is_used(arguments, index) && item->whole)) {
		maker->cannot = true;
		return;
	}
	if (!is_used(arguments, index))
		*item = (struct oci_comparison){ .operator= COMPARISON_EQ };
	if ((item->value ^ value) & item->mask & mask)
		return;
	item->mask |= mask;
	item->value |= value;
	both.used |= 1u << index;
	maker_add(maker, &both);
}

/* The bits of the mask from `bit` on. */
static uint64_t bits_from(uint64_t mask, unsigned bit)
{
	return mask >> bit << bit;
}

/*
 * One alternative for each bit of the mask: the bits above it are those of the value, and it is not. `ones`:
 * of those bits that are set in the value, so that the argument is less; `zeros`: of the others, so that it
 * is greater; both, so that it differs.
 */
static void add_differing(struct maker *maker, const struct oci_arguments *arguments,
			  const struct argument_test *test, bool ones, bool zeros)
{
	for (unsigned bit = 64; bit-- > 0;) {
		uint64_t at = 1ull << bit;
		if (!(test->mask & at) || !(test->value & at ? ones : zeros))
			continue;
		uint64_t mask = bits_from(test->mask, bit);
		add_bits(maker, arguments, test->index, mask, (test->value & mask) ^ at);
	}
}

/* By the bits that the kernel reads. */
static void add_by_bits(struct maker *maker, const struct oci_arguments *arguments,
			const struct argument_test *test)
{
	enum comparison_operator operator= test->operator;
	struct argument_test compared = *test;
	if (operator== COMPARISON_ANY)
		compared.value = 0;
	bool equal = operator== COMPARISON_EQ || operator== COMPARISON_LE || operator== COMPARISON_GE;
	bool differs = operator== COMPARISON_NE || operator== COMPARISON_ANY;
	bool less = operator== COMPARISON_LT || operator== COMPARISON_LE;
	bool greater = operator== COMPARISON_GT || operator== COMPARISON_GE;
	if (equal)
		add_bits(maker, arguments, compared.index, compared.mask, compared.value);
	add_differing(maker, arguments, &compared, differs || less, differs || greater);
}

static void add_whole(struct maker *maker, const struct oci_arguments *arguments,
		      const struct argument_test *test)
{
	struct oci_arguments both = *arguments;
	if (is_used(arguments, test->index)) {
		maker->cannot = true;
		return;
	}
	both.used |= 1u << test->index;
	both.items[test->index] = (struct oci_comparison){ test->operator, true, test->mask, test->value };
	maker_add(maker, &both);
}

/* Adds `arguments`, where the test holds too. */
static void add_test(struct maker *maker, const struct oci_arguments *arguments,
		     const struct argument_test *test)
{
	uint64_t all = maker->register_bits == 64 ? UINT64_MAX : UINT32_MAX;
	bool ordered = test->operator!= COMPARISON_EQ && test->operator!= COMPARISON_ANY;
	if (ordered && test->bits == maker->register_bits && test->mask == all)
		add_whole(maker, arguments, test);
	else
		add_by_bits(maker, arguments, test);
}

static struct argument_test opposite(const struct argument_test *test)
{
	static const enum comparison_operator operators[COMPARISON_COUNT] = {
		[COMPARISON_EQ] = COMPARISON_NE,  [COMPARISON_NE] = COMPARISON_EQ,
		[COMPARISON_LT] = COMPARISON_GE,  [COMPARISON_GE] = COMPARISON_LT,
		[COMPARISON_GT] = COMPARISON_LE,  [COMPARISON_LE] = COMPARISON_GT,
		[COMPARISON_ANY] = COMPARISON_EQ,
	};
	struct argument_test other = *test;
	other.operator= operators[test->operator];
	if (test->operator== COMPARISON_ANY)
		other.value = 0;
	return other;
}

static struct maker maker_begin(const struct maker *like)
{
	return (struct maker){ .arena = like->arena, .register_bits = like->register_bits };
}

/* Those of `from` where the clause holds too. */
static struct maker where_holds(const struct maker *from, const struct clause *clause)
{
	struct maker holding = *from;
	for (size_t i = 0; i < clause->count; i++) {
		struct maker next = maker_begin(from);
		for (size_t k = 0; k < holding.count; k++)
			add_test(&next, &holding.items[k], &clause->tests[i]);
		next.cannot |= holding.cannot;
		holding = next;
	}
	return holding;
}

/* Those of `from` where it does not: where one of its tests fails. */
static struct maker where_fails(const struct maker *from, const struct clause *clause)
{
	struct maker failing = maker_begin(from);
	failing.cannot = from->cannot;
	for (size_t i = 0; i < clause->count; i++) {
		const struct argument_test other = opposite(&clause->tests[i]);
		for (size_t k = 0; k < from->count; k++)
			add_test(&failing, &from->items[k], &other);
	}
	return failing;
}

static void maker_join(struct maker *all, const struct maker *more)
{
	all->cannot |= more->cannot;
	for (size_t i = 0; i < more->count; i++)
		maker_add(all, &more->items[i]);
}

bool oci_arguments_action(const struct clauses *clauses, struct action fallback, struct action *action)
{
	bool found = false;
	for (size_t i = 0; i <= clauses->count; i++) {
		struct action one = i < clauses->count ? clauses->items[i].action : clauses->otherwise;
		if (action_equal(one, fallback))
			continue;
		if (found && !action_equal(one, *action))
			return false;
		*action = one;
		found = true;
	}
	return found;
}

/*
 * Some readers of JSON have signed numbers alone, as Kubernetes has. And libseccomp 2.5.4 merges comparisons
 * of whole 64-bit registers wrongly: a call has one of them at most.
 */
static bool is_portable(const struct oci_alternatives *alternatives)
{
	for (size_t i = 0; i < alternatives->count; i++)
		for (int index = 0; index < OCI_ARGUMENTS; index++) {
			const struct oci_arguments *arguments = &alternatives->items[i];
			if (!is_used(arguments, index))
				continue;
			if (arguments->items[index].whole && alternatives->count > 1)
				return false;
			if (oci_comparison_first(&arguments->items[index]) > INT64_MAX ||
			    oci_comparison_second(&arguments->items[index]) > INT64_MAX)
				return false;
		}
	return true;
}

bool oci_arguments_make(struct arena *arena, const struct clauses *clauses, struct action fallback,
			unsigned register_bits, struct oci_alternatives *alternatives)
{
	const struct oci_arguments any = { .used = 0 };
	struct maker left = { .arena = arena, .register_bits = register_bits };
	struct maker made = maker_begin(&left);
	maker_add(&left, &any);
	if (!oci_arguments_action(clauses, fallback, &alternatives->action))
		return false;
	/* What an earlier clause gives the default is no later one's; what it gives the action is so already.
	 */
	for (size_t i = 0; i < clauses->count; i++) {
		const struct clause *clause = &clauses->items[i];
		if (action_equal(clause->action, fallback)) {
			left = where_fails(&left, clause);
		} else {
			struct maker holding = where_holds(&left, clause);
			maker_join(&made, &holding);
		}
	}
	if (!action_equal(clauses->otherwise, fallback))
		maker_join(&made, &left);
	alternatives->items = made.items;
	alternatives->count = made.count;
	return !made.cannot && !left.cannot && made.count && is_portable(alternatives);
}

static bool comparisons_fit(const struct oci_comparison *wide, const struct oci_comparison *narrow)
{
	return wide->operator== narrow->operator&& wide->whole == narrow->whole &&(uint32_t)
			       wide->mask == narrow->mask &&
	       wide->value == narrow->value;
}

bool oci_arguments_fit(const struct oci_alternatives *wide, const struct oci_alternatives *narrow)
{
	if (wide->count != narrow->count || !action_equal(wide->action, narrow->action))
		return false;
	for (size_t i = 0; i < wide->count; i++) {
		if (wide->items[i].used != narrow->items[i].used)
			return false;
		for (int index = 0; index < OCI_ARGUMENTS; index++)
			if (is_used(&wide->items[i], index) &&
			    !comparisons_fit(&wide->items[i].items[index], &narrow->items[i].items[index]))
				return false;
	}
	return true;
}

/* ---- words ---- */

bool oci_comparison_is_masked(const struct oci_comparison *comparison)
{
	return !comparison->whole && comparison->mask != UINT64_MAX;
}

const char *oci_comparison_word(const struct oci_comparison *comparison)
{
	static const char *const words[COMPARISON_COUNT] = {
		[COMPARISON_EQ] = "SCMP_CMP_EQ", [COMPARISON_NE] = "SCMP_CMP_NE",
		[COMPARISON_LT] = "SCMP_CMP_LT", [COMPARISON_LE] = "SCMP_CMP_LE",
		[COMPARISON_GT] = "SCMP_CMP_GT", [COMPARISON_GE] = "SCMP_CMP_GE",
	};
	if (oci_comparison_is_masked(comparison))
		return "SCMP_CMP_MASKED_EQ";
	assert(words[comparison->operator]);
	return words[comparison->operator];
}

uint64_t oci_comparison_first(const struct oci_comparison *comparison)
{
	return oci_comparison_is_masked(comparison) ? comparison->mask : comparison->value;
}

uint64_t oci_comparison_second(const struct oci_comparison *comparison)
{
	return oci_comparison_is_masked(comparison) ? comparison->value : 0;
}
