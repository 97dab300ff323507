/*
 * From the text of a status to the status. It is certain only where the text begins with one status
 * word, followed by nothing or by a remark that holds neither a second status word nor a word that
 * leaves the first one open, nor a question mark, nor a letter that is not ASCII. Everything else is
 * ADR_UNKNOWN, with the reason.
 */
#ifndef ALLOWC_POLICY_ADR_STATUS_H
#define ALLOWC_POLICY_ADR_STATUS_H

#include "compiler/policy/adr.h"
#include "compiler/policy/adr_slice.h"

struct arena;

struct adr_reading {
	enum adr_status status;
	const char *doubt;     /* why it is unknown, as of `doubt` in struct adr; NULL where it is certain */
	const char *successor; /* of a superseded one, or NULL */
	struct slice successor_place; /* in the text */
};

/* A project's own words for accepted. */
struct adr_accept {
	const char *const *words;
	size_t count;
};

/*
 * `text` may hold Markdown and may run over several lines of a paragraph; `rest` is what stands below it
 * in the same section (size 0 for nothing), read as a further remark. `folder`: see adr_link_reference().
 */
struct adr_reading adr_status_read(struct arena *arena, struct slice text, struct slice rest,
				   struct adr_accept accept, struct slice folder);

/* Whether the first word of the text, whatever marks stand before it, is one of a status. */
bool adr_status_begins(struct slice text);

#endif
