/*
 * The one way a process ends from inside: memory has run out. Every other problem is a diagnostic.
 */
#ifndef ALLOWC_BASE_DIE_H
#define ALLOWC_BASE_DIE_H

/* The exit status of trouble: usage, I/O, memory, an internal error. */
enum { EXIT_TROUBLE = 2 };

/* Prints "allowc: out of memory" and exits with EXIT_TROUBLE. */
_Noreturn void die_out_of_memory(void);

#endif
