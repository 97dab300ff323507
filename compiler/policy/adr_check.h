/*
 * What is wrong with a folder of ADRs, whether or not a policy cites them: `allowc adr check`.
 */
#ifndef ALLOWC_POLICY_ADR_CHECK_H
#define ALLOWC_POLICY_ADR_CHECK_H

struct adr_scope;
struct compilation;

/*
 * Reports statuses that are not certain, numbers that several files have, links and references to what is not
 * there, circles of supersession, and relations that only one of two ADRs tells. References to other
 * folders are only followed where they are links.
 */
void adr_folder_check(struct compilation *compilation, struct adr_scope *scope);

#endif
