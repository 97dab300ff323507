/*
 * Does what a plan says, all of it or nothing. Internal to output.c.
 */
#ifndef ALLOWC_OUTPUT_WRITE_H
#define ALLOWC_OUTPUT_WRITE_H

#include <stdbool.h>

struct plan;

/*
 * Also clears up what a killed run left. False when trouble was reported: the artifacts are then as they
 * were; should the system refuse even that, the trouble says so and the journal stays for the next run.
 */
bool plan_write(struct plan *plan);

#endif
