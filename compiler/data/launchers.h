/*
 * Programs that run other programs. A row that allows one of them allows what that can run, whatever other
 * rows say: nobody asks a policy for what `find -exec` starts. Source: launchers.tsv, which names its own.
 */
#ifndef ALLOWC_DATA_LAUNCHERS_H
#define ALLOWC_DATA_LAUNCHERS_H

struct arena;

struct launcher {
	const char *program;
	const char *kind;   /* "shell", "interpreter", "launcher", "multi-call program" */
	const char *behind; /* "*", "-", "+" or "exec,run": which rows of several words run others too */
	const char *runs;   /* "any command, by a script or -c" */
	const char *source; /* "bash(1)" */
};

/*
 * Of a row's command: by its first word, where what stands behind that leaves open what is run. "docker run"
 * and "bash -c" are such, "docker ps" and "bash build.sh" are not. An interpreter or shell may have a version
 * behind its name, "python3.11". NULL where it is none.
 */
const struct launcher *launcher_find(const char *command);

/* "is a shell" of "bash", "begins with 'bash', a shell" of "bash -c". In the arena. */
const char *launcher_relation(struct arena *arena, const struct launcher *launcher, const char *command);

#endif
