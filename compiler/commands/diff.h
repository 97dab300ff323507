/*
 * What the commands that compare two policies share.
 */
#ifndef ALLOWC_COMMANDS_DIFF_H
#define ALLOWC_COMMANDS_DIFF_H

#include <stdbool.h>

#include "compiler/gate/gate.h"
#include "compiler/options.h"

struct side;
struct strbuf;

/* Opens OLD and NEW of the command line. Both are to be ended. */
void sides_open(struct side *old, struct side *now, const struct options *options);
void sides_end(struct side *old, struct side *now);

/*
 * The report of the comparison in the options' format, with what the gate says last; `whole` with places and
 * problems too. `gate` NULL: without.
 */
void sides_report(const struct compared *comparison, const struct gate *gate, bool whole,
		  const struct side *old, struct side *now, const struct options *options,
		  struct strbuf *out);

#endif
