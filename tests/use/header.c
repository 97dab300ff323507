/* One of two units of a program that uses the headers of phase 7: this one asks. */
#include "phase7.h"
#include "phase7.seccomp.h"
#include "phase7.h"
#include "phase7.seccomp.h"

#include <stdio.h>

int other_unit_allows(const char *command);
int other_unit_installs(int really);

#define COUNT(identifier, command, adr, reason) +1

static int failures;

static void expect(int holds, const char *what)
{
	if (!holds) {
		printf("wrong: %s\n", what);
		failures++;
	}
}

static void check_lookup(void)
{
	const char *const traced[] = { "strace", "-f", NULL };
	const char *const built[] = { "docker", "buildx", "build", ".", NULL };
	const char *const unknown[] = { "bash", NULL };
	expect(phase7_allowed("docker buildx") == 1, "docker buildx is allowed");
	expect(phase7_allowed("strace") == 0, "strace is not allowed");
	expect(phase7_allowed("docker build") == 0, "a longer command is no row");
	expect(phase7_find("docker  buildx") == NULL, "two blanks find nothing");
	expect(phase7_match(unknown) == NULL, "bash is unlisted");
	expect(phase7_match(traced) == phase7_find("strace"), "strace -f is decided by strace");
	expect(phase7_match(built) == phase7_find("docker buildx"), "the longest row decides");
	expect(strcmp(phase7_find("dive")->adr, "phase7/0015") == 0, "dive cites phase7/0015");
	expect(other_unit_allows("git") == 1 && other_unit_allows("strace") == 0, "the other unit agrees");
}

static void check_counts(void)
{
	expect(PHASE7_ALLOWED_COUNT == 17, "17 commands are allowed");
	expect(PHASE7_FORBIDDEN_COUNT == 1, "1 command is forbidden");
	expect(0 PHASE7_FOR_EACH_ALLOWED(COUNT) == PHASE7_ALLOWED_COUNT,
	       "the macro has all that are allowed");
	expect(0 PHASE7_FOR_EACH_FORBIDDEN(COUNT) == PHASE7_FORBIDDEN_COUNT, "and all that are forbidden");
	expect(phase7_find("git") != NULL && phase7_find("strace") != NULL, "both are rows");
}

int main(void)
{
	check_lookup();
	check_counts();
	expect(other_unit_installs(0) == 0, "the other unit has the filter");
	return failures != 0;
}
