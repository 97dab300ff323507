/*
 * One copy of each distinct string: equal strings have equal pointers. The pool and its strings live in
 * the arena and end with it.
 */
#ifndef ALLOWC_BASE_INTERN_H
#define ALLOWC_BASE_INTERN_H

#include <stddef.h>

struct arena;
struct intern;

struct intern *intern_new(struct arena *arena);

/* The NUL-terminated copy of these bytes, the same pointer each time. `bytes` holds no NUL. */
const char *intern_bytes(struct intern *pool, const char *bytes, size_t size);
const char *intern_text(struct intern *pool, const char *text);

#endif
