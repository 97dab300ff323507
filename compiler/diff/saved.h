/*
 * A policy from the artifact that `--emit json` wrote: as it was resolved, without its texts. Facts stand in
 * the artifact as packaging/schema/policy.schema.json describes them; what follows from them is computed
 * again, and must be what the artifact says of it. ADRs have title, status, date and hash, and no text;
 * their folders are not there.
 */
#ifndef ALLOWC_DIFF_SAVED_H
#define ALLOWC_DIFF_SAVED_H

#include <stdbool.h>

struct compilation;
struct policy;
struct source;

/* Whether a text is JSON and no policy, which cannot open with a '{'. */
bool saved_is(const struct source *source);

/*
 * The policy, with `saved` set, in the compilation's arena. NULL with a sentence in `*why` where the text is
 * no such artifact: no JSON, of another version, or not what this allowc would write for any policy.
 */
const struct policy *saved_read(struct compilation *compilation, const struct source *source,
				const char **why);

#endif
