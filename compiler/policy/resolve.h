/*
 * From a file to a resolved policy: parses it and every layer and library below, opens the ADRs it
 * cites, merges the layers and checks all the rules of the language.
 */
#ifndef ALLOWC_POLICY_RESOLVE_H
#define ALLOWC_POLICY_RESOLVE_H

#include <stdbool.h>

#include "compiler/policy/policy.h"

struct compilation;

/*
 * `path` as on the command line, "-" for standard input. Returns the policy, or NULL when an error was
 * reported; a file that the command line names and that cannot be read is trouble (exit status 2).
 * With diagnostics of severity error there is never a policy, so no artifact can come of one; but for
 * `compilation->adrs_advise`, with which errors of ADRs, and warnings made errors, are reported beside the
 * policy.
 */
const struct policy *policy_load(struct compilation *compilation, const char *path);

#endif
