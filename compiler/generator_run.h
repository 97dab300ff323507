/*
 * One run of a generator: the policy and the artifacts so far on its standard input, as JSON; files on its
 * standard output, as JSON. It is started without a shell and sees no environment but PATH and LC_ALL
 * (adr/0024-generators.md).
 */
#ifndef ALLOWC_GENERATOR_RUN_H
#define ALLOWC_GENERATOR_RUN_H

#include <stdbool.h>

#include "compiler/base/source.h"

struct artifacts;
struct compilation;
struct generator;
struct policy;

struct generator_call {
	struct compilation *compilation;
	const struct policy *policy;
	const struct generator *generator;
	struct span place;             /* of its name in the policy; none where the command line has it */
	const struct artifacts *given; /* what was made before it, with paths as it shall see them */
	const char *folder;            /* where it runs; NULL: where allowc does */
	const char *output; /* the file that its answer goes into, seen from there; NULL: a folder */
	unsigned seconds;   /* that it may take */
};

/*
 * Appends the files of its answer to `files`, which may be `given`. Each path stays below the output folder,
 * is no place of a backend's, and no artifact has it already. What it says on standard error is a warning
 * (DIAG_GENERATOR_SAYS), or the notes of the error that it ends with. False when an error was reported; then
 * nothing was appended.
 */
bool generator_run(const struct generator_call *call, struct artifacts *files);

#endif
