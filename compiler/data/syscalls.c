#include "compiler/data/syscalls.h"

#include <endian.h>
#include <string.h>

#include "compiler/base/suggest.h"

#include "compiler/data/syscalls.inc"

const size_t syscall_table_size = sizeof syscall_table / sizeof *syscall_table;

const struct abi_facts abi_table[ABI_COUNT] = {
#define X(id, name, token, base, bits, big_endian) { name, token, base, bits, big_endian },
	ABI_LIST(X)
#undef X
};

/* Each ABI's calls by number. */
static const struct {
	const uint16_t *indices;
	size_t count;
	const uint16_t *dense;
	size_t dense_count;
} orders[ABI_COUNT] = {
#define X(id, name, token, base, bits, big_endian)                                                           \
	{ order_##id, sizeof order_##id / sizeof *order_##id, dense_##id,                                    \
	  sizeof dense_##id / sizeof *dense_##id },
	ABI_LIST(X)
#undef X
};

enum abi abi_find(const char *name)
{
	unsigned abi = 0;
	while (abi < ABI_COUNT && strcmp(abi_table[abi].name, name) != 0)
		abi++;
	return (enum abi)abi;
}

/* The first eight bytes of a name, NULs after its end, as a number that sorts as they do. */
static uint64_t name_head(const char *name, size_t size)
{
	uint64_t head = 0;
	memcpy(&head, name, size < sizeof head ? size : sizeof head);
	return be64toh(head);
}

/* Asked for each command of a policy, and nearly always in vain: no name is compared but by its head. */
const struct syscall_entry *syscall_find(const char *name)
{
	const uint64_t head = name_head(name, strlen(name));
	size_t low = 0, high = syscall_table_size;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *entry = syscall_table[middle].name; /* NULs follow it, to the array's end */
		uint64_t other = name_head(entry, sizeof other);
		int order = head < other ? -1 : head > other ? 1 : strcmp(name, entry);
		if (order == 0)
			return &syscall_table[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

const char *syscall_nearest(const char *name)
{
	struct suggestion suggestion = suggestion_begin(name);
	for (size_t i = 0; i < syscall_table_size; i++)
		suggestion_offer(&suggestion, syscall_table[i].name);
	return suggestion.nearest;
}

size_t abi_call_count(enum abi abi)
{
	return orders[abi].count;
}

const struct syscall_entry *abi_call(enum abi abi, size_t index)
{
	return &syscall_table[orders[abi].indices[index]];
}

const struct syscall_entry *abi_call_numbered(enum abi abi, int32_t number)
{
	if (number >= 0 && (size_t)number < orders[abi].dense_count) {
		uint16_t place = orders[abi].dense[number];
		return place ? &syscall_table[place - 1] : NULL;
	}
	/* The few beyond the dense part, arm's private ones. */
	for (size_t i = orders[abi].count; i-- > 0 && abi_call(abi, i)->numbers[abi] >= number;)
		if (abi_call(abi, i)->numbers[abi] == number)
			return abi_call(abi, i);
	return NULL;
}
