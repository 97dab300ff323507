/*
 * Does what a plan says, all of it or nothing. Internal to output.c.
 */
#ifndef ALLOWC_OUTPUT_WRITE_H
#define ALLOWC_OUTPUT_WRITE_H

#include <stdbool.h>

struct made_folders;
struct plan;

/*
 * Several plans for one folder go through each of these together, so that one that fails takes all back.
 * Each is false when trouble was reported.
 *
 * plan_prepare: clears up what a killed run left, then the journal and all new contents beside their
 * targets. plan_finish: the renames and removals. plan_settle: the journal goes, and it is done.
 */
bool plan_prepare(struct plan *plan, struct made_folders *made);
bool plan_finish(struct plan *plan);
bool plan_settle(struct plan *plan);

/*
 * Before plan_settle(): the artifacts as they were. Should the system refuse even that, the trouble says
 * so and the journal stays for the next run.
 */
void plan_undo(struct plan *plan);

#endif
