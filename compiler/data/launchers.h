/*
 * Programs that run other programs. A row that allows one of them allows what that can run, whatever other
 * rows say: nobody asks a policy for what `find -exec` starts. Source: launchers.tsv, which names its own.
 */
#ifndef ALLOWC_DATA_LAUNCHERS_H
#define ALLOWC_DATA_LAUNCHERS_H

struct launcher {
	const char *program;
	const char *kind;   /* "shell", "interpreter", "launcher", "multi-call program" */
	const char *runs;   /* "any command, by a script or -c" */
	const char *source; /* "bash(1)" */
};

/* Of a whole command; NULL where it is none, or has further words, which may be all that it runs. */
const struct launcher *launcher_find(const char *command);

/* "a" or "an", before the kind. */
const char *launcher_article(const struct launcher *launcher);

#endif
