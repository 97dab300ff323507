/*
 * Memory with one life span. A compilation allocates its trees and strings here and frees them in one
 * call; nothing in the arena is freed alone. Running out of memory ends the process (die.h), so no
 * function here returns NULL.
 */
#ifndef ALLOWC_BASE_ARENA_H
#define ALLOWC_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* The caller owns the arena and ends it with arena_free(). */
struct arena *arena_new(void);
void arena_free(struct arena *arena);

/*
 * Frees all that is in it and keeps its largest block: for what is computed again and again, each time anew.
 * Nothing may have been adopted.
 */
void arena_clear(struct arena *arena);

/* `size` zeroed bytes, aligned for pointers and for numbers of 64 bits: nothing here is wider. */
void *arena_alloc(struct arena *arena, size_t size);

/* `count` zeroed elements of `size` bytes; a product that overflows is out of memory. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* A NUL-terminated copy. */
char *arena_copy(struct arena *arena, const char *bytes, size_t size);

/* The same for text that nobody adds to, packed: words are short, and aligning each doubles them. */
const char *arena_text(struct arena *arena, const char *bytes, size_t size);

/* The texts, one behind another; of arena_join() up to the NULL. */
#define arena_joined(arena, ...) arena_join((arena), (const char *const[]){ __VA_ARGS__, NULL })
char *arena_join(struct arena *arena, const char *const *texts);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list arguments)
	__attribute__((format(printf, 2, 0)));

/* Takes over bytes that malloc() gave, and frees them with all others. */
void arena_adopt(struct arena *arena, void *bytes);

/*
 * Room for one more element in a growing array that lives in the arena: returns `items`, or a larger
 * copy when `count` has reached `*capacity`. The old storage stays in the arena until its end, so
 * growing by doubling wastes at most as much as the array itself.
 */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size);

/* The same for `more` elements at once, and for no more than those: where their number is known. */
void *arena_reserve(struct arena *arena, void *items, size_t count, size_t *capacity, size_t more,
		    size_t size);

#endif
