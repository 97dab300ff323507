/*
 * Values of a saved artifact, each with its way from the top, so that a mistake has a place:
 * "rows[3].needs[0].capability". Internal to compiler/diff/saved*.
 *
 * The first mistake is kept; from then on, and below a value that is not there, everything is empty: readers
 * need not look after each step. Texts are in the arena.
 */
#ifndef ALLOWC_DIFF_SAVED_VALUE_H
#define ALLOWC_DIFF_SAVED_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

struct saved_value {
	const json_t *json; /* NULL: not there */
	const struct saved_value *above; /* NULL: the whole */
	const char *key; /* in an object, */
	size_t index;    /* else in a list */
};

/* A reading, and its first mistake: "rows[3].verb: 'alow' is no verb"; NULL without one. */
struct saved_mistakes {
	struct arena *arena;
	const char *first;
};

void saved_mistake(struct saved_mistakes *mistakes, const struct saved_value *value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Members of an object that must be there, of that type. */
struct saved_value saved_object(struct saved_mistakes *mistakes, const struct saved_value *above,
				const char *key);
struct saved_value saved_list(struct saved_mistakes *mistakes, const struct saved_value *above,
			      const char *key);
const char *saved_text(struct saved_mistakes *mistakes, const struct saved_value *above, const char *key);
unsigned saved_number(struct saved_mistakes *mistakes, const struct saved_value *above, const char *key,
		      unsigned most);
bool saved_flag(struct saved_mistakes *mistakes, const struct saved_value *above, const char *key);

/* Those that may be absent; a text may also be null. */
struct saved_value saved_object_if_any(struct saved_mistakes *mistakes, const struct saved_value *above,
				       const char *key);
struct saved_value saved_list_if_any(struct saved_mistakes *mistakes, const struct saved_value *above,
				     const char *key);
const char *saved_text_if_any(struct saved_mistakes *mistakes, const struct saved_value *above,
			      const char *key);

/* Items of a list: each must be an object, or a text. */
size_t saved_count(const struct saved_value *list);
struct saved_value saved_item(struct saved_mistakes *mistakes, const struct saved_value *list, size_t index);
const char *saved_item_text(struct saved_mistakes *mistakes, const struct saved_value *list, size_t index);

/* A member as a value, whatever it is: to say that something is wrong with it. */
struct saved_value saved_place(const struct saved_value *above, const char *key);

#endif
