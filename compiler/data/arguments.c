#include "compiler/data/arguments.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/suggest.h"

/* Arrays for the texts: a table with pointers is written to at each start, page by page. */
struct prototype {
	char call[32];
	unsigned abis;      /* bits 1u << ABI_… */
	char arguments[60]; /* "fd:32 buf count" */
};

#define ABIS_ALL (~0u)

#include "compiler/data/arguments.inc"

enum { PROTOTYPE_COUNT = sizeof prototypes / sizeof *prototypes };

/* x32's own numbers run the kernel's compat entries, where a long has 32 bits; its others those of x86_64. */
enum { X32_COMPAT_FIRST = 512 };

/* The first line of the call; PROTOTYPE_COUNT where there is none. */
static size_t first_line(const char *call)
{
	size_t low = 0, high = PROTOTYPE_COUNT;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(prototypes[middle].call, call) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < PROTOTYPE_COUNT && strcmp(prototypes[low].call, call) == 0 ? low : PROTOTYPE_COUNT;
}

/* The line of one ABI, or with ABI_COUNT the one of all that have none of their own. */
static const char *arguments_of(const char *call, unsigned abi)
{
	for (size_t i = first_line(call); i < PROTOTYPE_COUNT && strcmp(prototypes[i].call, call) == 0; i++)
		if (prototypes[i].abis == ABIS_ALL || (abi < ABI_COUNT && prototypes[i].abis >> abi & 1))
			return prototypes[i].arguments;
	return "";
}

/* One argument of the text: its name's size, its bits (0: a word); the rest in `*text`. */
static size_t argument_next(const char **text, const char **name, unsigned *bits)
{
	*name = *text;
	size_t size = strcspn(*text, ": "), all = strcspn(*text, " ");
	*bits = size < all ? (unsigned)strtoul(*text + size + 1, NULL, 10) : 0;
	*text += all;
	*text += **text == ' ';
	return size;
}

static bool word_is(const char *word, size_t size, const char *name)
{
	return strlen(name) == size && memcmp(word, name, size) == 0;
}

/* "arg3" as 3; -1 for what is no such name. */
static int numbered(const char *name)
{
	bool is =
		strncmp(name, "arg", 3) == 0 && name[3] >= '0' && name[3] < '0' + ARGUMENT_COUNT && !name[4];
	return is ? name[3] - '0' : -1;
}

bool argument_exists(const struct syscall_entry *call, const char *name)
{
	if (numbered(name) >= 0)
		return true;
	const char *text = arguments_of(call->name, ABI_COUNT), *word;
	unsigned bits;
	while (*text) {
		size_t size = argument_next(&text, &word, &bits);
		if (word_is(word, size, name))
			return true;
	}
	return false;
}

static unsigned word_bits(const struct syscall_entry *call, enum abi abi)
{
	if (abi == ABI_X32)
		return call->numbers[abi] >= X32_COMPAT_FIRST ? 32 : 64;
	return abi_facts(abi)->bits;
}

/* 32-bit ABIs but x32 pass 64 bits in two registers. */
static bool passes_halves(enum abi abi)
{
	return abi_facts(abi)->bits == 32 && abi != ABI_X32;
}

struct argument_place argument_place(const struct syscall_entry *call, const char *name, enum abi abi)
{
	const char *text = arguments_of(call->name, abi), *word;
	unsigned widest = word_bits(call, abi), bits;
	int wanted = numbered(name);
	bool moved = false; /* what follows 64 bits in two registers has no place of its own */
	for (int index = 0; *text; index++) {
		size_t size = argument_next(&text, &word, &bits);
		moved = moved || (bits == 64 && passes_halves(abi));
		if (index == wanted && !moved && bits && bits < widest)
			return (struct argument_place){ index, bits };
		if (wanted < 0 && word_is(word, size, name))
			return moved ? (struct argument_place){ -1, widest }
				     : (struct argument_place){ index, bits ? bits : widest };
	}
	return (struct argument_place){ wanted, widest };
}

const char *argument_names(struct arena *arena, const struct syscall_entry *call)
{
	const char *text = arguments_of(call->name, ABI_COUNT), *word, *names = "";
	unsigned bits;
	while (*text) {
		size_t size = argument_next(&text, &word, &bits);
		names = arena_printf(arena, "%s%s%.*s", names, *names ? ", " : "", (int)size, word);
	}
	return names;
}

const char *argument_nearest(struct arena *arena, const struct syscall_entry *call, const char *name)
{
	const char *text = arguments_of(call->name, ABI_COUNT), *word;
	struct suggestion suggestion = suggestion_begin(name);
	unsigned bits;
	while (*text) {
		size_t size = argument_next(&text, &word, &bits);
		suggestion_offer(&suggestion, arena_copy(arena, word, size));
	}
	return suggestion.nearest;
}
