/*
 * What a reviewer cannot see, found before a text is read: bytes that are no UTF-8, control characters
 * and bidirectional controls anywhere, comments and strings included; no-break and zero-width
 * characters and U+2028/2029 outside strings.
 */
#ifndef ALLOWC_POLICY_ENCODING_H
#define ALLOWC_POLICY_ENCODING_H

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
	size_t count, capacity;
};

/*
 * Reports each such character of the source as DIAG_ENCODING, and a text in UTF-16 once, which is then
 * blank throughout.
 */
struct encoding_errors encoding_check(struct compilation *compilation, const struct source *source);

#endif
