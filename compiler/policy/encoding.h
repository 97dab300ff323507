/*
 * What a reviewer cannot see, found before a text is read: bytes that are no UTF-8, control characters
 * and bidirectional controls anywhere, comments and strings included; no-break and zero-width
 * characters and U+2028/2029 outside strings. And lines that nobody can read, over LINE_SIZE_MAX.
 */
#ifndef ALLOWC_POLICY_ENCODING_H
#define ALLOWC_POLICY_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/source.h"

struct compilation;

/*
 * Where the characters stand that were reported, in order; and the text with blanks in their place, so that
 * what reads it meets printable text only, at the same offsets: the source's own where nothing was reported.
 * In the compilation's arena.
 */
struct encoding_errors {
	const char *text;
	uint32_t *offsets;
	bool no_text; /* nothing of it can be read: it is blank throughout */
	size_t count, capacity;
};

/* Whether a text is UTF-16, which is reported once; nothing else is to be said of it. */
bool encoding_refuses_utf16(struct compilation *compilation, const struct source *source);

/*
 * Reports each such character of the source as DIAG_ENCODING; a text in UTF-16 or a binary file once, or
 * the first line that is too long (DIAG_LIMIT): that text is blank throughout.
 */
struct encoding_errors encoding_check(struct compilation *compilation, const struct source *source);

#endif
