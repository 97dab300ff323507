#include "compiler/uninterrupted.h"

#include <stddef.h>

struct uninterrupted uninterrupted_begin(void)
{
	struct uninterrupted work;
	sigset_t waiting;
	sigemptyset(&waiting);
	sigaddset(&waiting, SIGINT);
	sigaddset(&waiting, SIGTERM);
	sigaddset(&waiting, SIGHUP);
	sigemptyset(&work.before);
	sigprocmask(SIG_BLOCK, &waiting, &work.before);
	return work;
}

void uninterrupted_end(const struct uninterrupted *work)
{
	sigprocmask(SIG_SETMASK, &work->before, NULL);
}
