/*
 * Another process that does part of a run's jobs, so that all cores work. It answers only for jobs of which
 * there is nothing to tell but a line of output: whatever else happens to one (a mistake, a signal, no
 * memory), its answer is missing, and the run does that job itself. So what a run says does not depend on
 * workers.
 */
#ifndef ALLOWC_COMMANDS_WORKER_H
#define ALLOWC_COMMANDS_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct strbuf;

/*
 * Does the job and appends what standard output is to show; false where there is more to tell. In the worker,
 * whose standard error leads nowhere.
 */
typedef bool worker_function(void *context, size_t job, struct strbuf *out);

struct worker {
	pid_t pid;
	FILE *answers; /* NULL: it is not there, or says no more */
};

/* How many processes are of use for so many jobs, this one included. */
size_t workers_wanted(size_t jobs);

/* Starts workers[index], one for the jobs [first, end); those before it run already. Without one, all answers
 * are missing. */
void worker_begin(struct worker *workers, size_t index, size_t first, size_t end, worker_function *work,
		  void *context);

/* The answer for the next job, in their order: appends to `out`, or returns false where it is missing. */
bool worker_answer(struct worker *worker, struct strbuf *out);

/* Hears no more of it, and waits for its end. */
void worker_end(struct worker *worker);

#endif
