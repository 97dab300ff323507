/*
 * Runs a program as the claims of backends/strength.h have it tried.
 *
 *   strength [-f FILE | -s] [-d NUMBER] -- PROGRAM ARG...   under the filter of a .bpf file, or of
 *                                                           phase7.seccomp.h; -d: without that capability
 *   strength -a ARG...                                      phase7_match(): "unlisted", "allowed" or
 *                                                           "forbidden"
 */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "phase7.h"
#include "phase7.seccomp.h"

static int filter_load(const char *path)
{
	static struct sock_filter instructions[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, instructions, sizeof instructions);
	if (size <= 0)
		return -1;
	close(fd);
	struct sock_fprog program = { .len = (unsigned short)((size_t)size / sizeof *instructions),
				      .filter = instructions };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static int ask(const char *const *arguments)
{
	static const char *const words[] = { "unlisted", "allowed", "forbidden" };
	const struct phase7_row *row = phase7_match(arguments);
	puts(words[row ? row->verdict : PHASE7_UNLISTED]);
	return 0;
}

int main(int argc, char **argv)
{
	int option;
	while ((option = getopt(argc, argv, "+f:sd:a")) != -1) {
		switch (option) {
		case 'a':
			return ask((const char *const *)argv + optind);
		case 'd':
			if (prctl(PR_CAPBSET_DROP, strtoul(optarg, NULL, 10), 0, 0, 0))
				return perror("PR_CAPBSET_DROP"), 99;
			break;
		case 'f':
			if (filter_load(optarg))
				return perror(optarg), 99;
			break;
		case 's':
			if (phase7_install_filter())
				return perror("phase7_install_filter"), 99;
			break;
		default:
			return 99;
		}
	}
	execvp(argv[optind], argv + optind);
	perror(argv[optind]);
	return 98;
}
