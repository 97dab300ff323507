/*
 * Managed regions: the lines of a hand-written file between one that holds `allowc:begin NAME` and the
 * next that holds `allowc:end`. What is almost such a marker ("allowc: end", "allowc:end_p", "ALLOWC:END") is
 * refused in a region: it would run on over hand-written lines. Pure: text in, text out.
 */
#ifndef ALLOWC_REGION_H
#define ALLOWC_REGION_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum region_state {
	REGION_REPLACED, /* `bytes` is the whole new text, perhaps the old one; `first` is where it begins */
	REGION_ABSENT,   /* the file has no region of that name */
	REGION_REFUSED   /* its markers contradict each other: `why`, and where */
};

/* All in the arena. */
struct region_result {
	const char *bytes;
	size_t size;
	const char *why;      /* "the region 'x' begins inside another" */
	size_t first, second; /* the markers in question, as places in the text; `first` comes first */
	const char *first_is; /* what stands at `first`: "it begins here"; NULL where there is only one */
};

/*
 * Puts `content` in place of the region's lines: at the indent of its first marker and with that line's end;
 * empty lines get no indent. All markers of the text are looked at, so that a broken pair elsewhere cannot
 * move this one's end.
 */
enum region_state region_replace(struct arena *arena, const char *text, size_t size, const char *name,
				 const char *content, size_t content_size, struct region_result *result);

/* Whether a text holds what would be a marker, or almost one: then it cannot stand in a region. */
bool region_has_marker(const char *text, size_t size);

/*
 * The lines of one definition in an artifact's text (a name of Python, a macro, enum or struct of C):
 * [*begin, *end), its comments not among them. False where there is none of that name.
 */
bool region_definition(const char *text, size_t size, const char *name, size_t *begin, size_t *end);

/* The names of the first such definitions, ", " between them, in the arena; "" without one. */
const char *region_definitions(struct arena *arena, const char *text, size_t size);

#endif
