/*
 * What a policy that was read from an artifact leaves to be computed: the meaning of its system calls, and
 * the rules of its filter. Everything is computed as it was from the text, by the same functions; nothing is
 * reported: what no policy can say is refused by `false`.
 */
#ifndef ALLOWC_POLICY_RESTORE_H
#define ALLOWC_POLICY_RESTORE_H

#include <stdbool.h>

#include "compiler/policy/policy.h"

struct compilation;
struct restorer;

/* In the compilation's arena, as is all that it gives. */
struct restorer *restorer_new(struct compilation *compilation);

/* Whether the words are those of a command, as a row has them. */
bool restore_is_command(struct restorer *restorer, const char *text);

/* "read", "socket(domain == AF_ALG)": false where the text is not what call_reference_text() gives. */
bool restore_call(struct restorer *restorer, const char *text, struct call_reference *reference);

/* What a capability brings to a row that needs it. */
const struct call_reference *restore_capability(struct restorer *restorer,
						const struct capability *capability, size_t *count);

/* "allow", "errno EPERM", "errno 99", "kill", "log". */
bool restore_action(const char *text, struct action *action);

/*
 * `denied` and `allowed` of `policy->seccomp`, from its rows in force and the other settings. False where
 * they do not go together; the rows of its layers stay as they are.
 */
bool restore_rules(struct restorer *restorer, struct policy *policy);

#endif
