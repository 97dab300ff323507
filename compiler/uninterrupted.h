/*
 * Work that is not left half done when a person or a build stops the program: SIGINT, SIGTERM and SIGHUP wait
 * until it ends. Then the process ends by them, as it would have before. It is for work that is over soon,
 * and waits for nobody.
 */
#ifndef ALLOWC_UNINTERRUPTED_H
#define ALLOWC_UNINTERRUPTED_H

#include <signal.h>

struct uninterrupted {
	sigset_t before; /* the signals that were blocked already */
};

struct uninterrupted uninterrupted_begin(void);
void uninterrupted_end(const struct uninterrupted *work);

#endif
