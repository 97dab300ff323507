/*
 * System calls and the ABIs that have them: the table of edition 1.
 * Source of the numbers: compiler/data/syscalls.tsv, which names its own.
 */
#ifndef ALLOWC_DATA_SYSCALLS_H
#define ALLOWC_DATA_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * X(IDENTIFIER, "name", audit arch token, number base, the ABI's bits, big-endian).
 * x32 shares x86_64's token; its numbers carry bit 30 in what the kernel passes to a filter.
 */
#define ABI_LIST(X)                                                 \
	X(X86_64, "x86_64", 0xc000003eu, 0u, 64, false)             \
	X(I386, "i386", 0x40000003u, 0u, 32, false)                 \
	X(X32, "x32", 0xc000003eu, 0x40000000u, 32, false)          \
	X(AARCH64, "aarch64", 0xc00000b7u, 0u, 64, false)           \
	X(ARM, "arm", 0x40000028u, 0u, 32, false)                   \
	X(RISCV64, "riscv64", 0xc00000f3u, 0u, 64, false)           \
	X(S390X, "s390x", 0x80000016u, 0u, 64, true)                \
	X(PPC64LE, "ppc64le", 0xc0000015u, 0u, 64, false)           \
	X(LOONGARCH64, "loongarch64", 0xc0000102u, 0u, 64, false)

enum abi {
#define X(id, name, token, base, bits, big_endian) ABI_##id,
	ABI_LIST(X)
#undef X
	ABI_COUNT
};

struct abi_facts {
	const char *name;
	uint32_t token; /* seccomp_data.arch, AUDIT_ARCH_* of linux/audit.h */
	uint32_t base;  /* added to the table's number */
	unsigned bits;
	bool big_endian;
};

extern const struct abi_facts abi_table[ABI_COUNT];

/* Inline: the proof of a filter asks for it at every number. */
static inline const struct abi_facts *abi_facts(enum abi abi)
{
	return &abi_table[abi];
}

/* ABI_COUNT where there is none of that name. */
enum abi abi_find(const char *name);

/* A call that at least one of the ABIs above has. `numbers` are without the base; -1: not on that ABI. */
struct syscall_entry {
	char name[32]; /* no pointer: the table is read where it lies in the file, and not written to at each
			  start */
	int32_t numbers[ABI_COUNT];
};

/* Sorted by name (as bytes). */
extern const struct syscall_entry syscall_table[];
extern const size_t syscall_table_size;

/* NULL where no ABI has it. */
const struct syscall_entry *syscall_find(const char *name);

/* The nearest names, for messages: NULL where none is near. */
const char *syscall_nearest(const char *name);

/* The calls of one ABI, ascending by number; no two have one number. */
size_t abi_call_count(enum abi abi);
const struct syscall_entry *abi_call(enum abi abi, size_t index);

/* By number, without the base; NULL where the ABI has no such call. */
const struct syscall_entry *abi_call_numbered(enum abi abi, int32_t number);

/*
 * Whether the profile that container engines take by default lets the call pass without a capability,
 * whatever its arguments. Source: compiler/data/engines.tsv, which names its own: x86_64's calls.
 */
bool syscall_passes_engines(const char *name);

/*
 * A capability, and what a filter on numbers can see of it.
 * Source: compiler/data/capabilities.tsv, which names its own.
 */
struct capability {
	const char *name;               /* "CAP_SYS_PTRACE" */
	const char *const *number_calls; /* denied when it is forbidden; NULL-terminated, by name */
	const char *const *argument_calls; /* gated by their arguments, as gates.h says */
	const char *note;               /* "" or a sentence about the limits */
};

/* Sorted by name (as bytes). */
extern const struct capability capability_table[];
extern const size_t capability_table_size;

/* Whether a filter sees any of it: by numbers or by arguments. */
bool capability_is_gated(const struct capability *capability);

const struct capability *capability_find(const char *name);
const char *capability_nearest(const char *name);

/* Linux's errno values (asm-generic), not the host's. 0 where there is none of that name. */
int errno_find(const char *name);
const char *errno_nearest(const char *name);
/* NULL where no name is known; the first of equal names (EAGAIN, not EWOULDBLOCK). */
const char *errno_name(int value);

#endif
