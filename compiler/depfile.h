/*
 * What artifacts depend on, in the syntax that make and ninja both read.
 */
#ifndef ALLOWC_DEPFILE_H
#define ALLOWC_DEPFILE_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

struct depfile {
	const char *const *targets;
	size_t target_count;
	const char *const *inputs;
	size_t input_count;
};

/*
 * "a.h a.py: p.allow adr/0001.md", then an empty rule for each input, so that make goes on where one is no
 * longer there; none for a name with '=' or '%', which would mean something else in it. Where one of the
 * first two inputs has a '=', /dev/null stands before them, twice: make would set a variable otherwise.
 * Blanks, '#', ':', '$' and the backslashes before a blank are escaped as both programs read them. A name
 * with a line end, ';' or '|', or a backslash as its last character, has no such form: false, and it is in
 * `*bad`. Neither has one with "[…]", or with a backslash beside '*', '?' or '[': make would look for other
 * files. A target with '=' or '%' is one to ninja alone: make takes the rule for something else.
 */
bool depfile_add(struct strbuf *out, const struct depfile *depfile, const char **bad);

#endif
