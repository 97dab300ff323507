#include "compiler/import/import_arguments.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/data/arguments.h"

static uint64_t low_bits(unsigned bits)
{
	return UINT64_MAX >> (64 - bits);
}

/* ---- the argument's name ---- */

/* By its name on all ABIs that have the call: a policy may be changed to be for others. */
static bool is_everywhere(const struct syscall_entry *call, const char *name, unsigned index)
{
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (call->numbers[abi] >= 0 && argument_place(call, name, abi).index != (int)index)
			return false;
	return true;
}

/* The name of a prototype's argument where that is one register on all ABIs, else "arg0". */
static const char *argument_name(struct arena *arena, const struct syscall_entry *call, unsigned index)
{
	const char *names = argument_names(arena, call);
	for (unsigned i = 0; *names; i++) {
		size_t size = strcspn(names, ",");
		const char *name = arena_copy(arena, names, size);
		if (i == index)
			return is_everywhere(call, name, index) ? name : arena_printf(arena, "arg%u", index);
		names += size;
		names += strspn(names, ", ");
	}
	return arena_printf(arena, "arg%u", index);
}

/* ---- what is compared ---- */

/* libseccomp compares 32 bits of an x32 call, of which the kernel may read 64. */
static bool x32_differs(const struct profile_comparison *comparison, enum abi abi, unsigned bits)
{
	return abi == ABI_X32 && bits > 32 && comparison->mask > UINT32_MAX;
}

/* How many bits of the argument the kernels of the ABIs read. */
struct width {
	unsigned least, most;
};

/* False with a reason where engines and kernel do not read the same. */
static bool width_find(struct arena *arena, const struct syscall_entry *call, unsigned abis,
		       const struct profile_comparison *comparison, struct width *width, const char **why)
{
	const char *name = arena_printf(arena, "arg%u", comparison->index);
	*width = (struct width){ 64, 0 };
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (!(abis >> abi & 1) || call->numbers[abi] < 0)
			continue;
		unsigned bits = argument_place(call, name, abi).bits;
		if (x32_differs(comparison, abi, bits)) {
			*why = "on x32 engines compare 32 bits of this argument, and the kernel reads 64";
			return false;
		}
		width->least = bits < width->least ? bits : width->least;
		width->most = bits > width->most ? bits : width->most;
	}
	width->most = width->most ? width->most : 64;
	return true;
}

/* Small numbers are domains and commands, which headers write in decimal; others are bits. */
static const char *number_text(struct arena *arena, uint64_t number)
{
	return number < 1024 ? arena_printf(arena, "%" PRIu64, number)
			     : arena_printf(arena, "0x%" PRIx64, number);
}

const char *import_comparison_text(struct arena *arena, const struct syscall_entry *call, unsigned abis,
				   const struct profile_comparison *comparison, const char **why)
{
	struct width width;
	if (!width_find(arena, call, abis, comparison, &width, why))
		return NULL;
	uint64_t least = low_bits(width.least), most = low_bits(width.most);
	if (comparison->value > least || !(comparison->mask & least)) {
		*why = arena_printf(arena, "the kernel reads %u bits of this argument, and the %s",
				    width.least,
				    comparison->value > least ? "value has more" : "mask has none of them");
		return NULL;
	}
	const char *name = argument_name(arena, call, comparison->index);
	const char *sign = comparison_sign(comparison->operator),
		   *value = number_text(arena, comparison->value);
	if ((comparison->mask & most) == most)
		return arena_printf(arena, "%s %s %s", name, sign, value);
	return arena_printf(arena, "(%s & 0x%" PRIx64 ") %s %s", name, comparison->mask & most, sign, value);
}
