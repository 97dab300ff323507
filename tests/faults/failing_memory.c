/*
 * For LD_PRELOAD: the n-th request for memory fails, or all from it on. MEMORY_FAILS_AT is n, MEMORY_FAILS_ON
 * "1" for all; MEMORY_FAILED names a file that is made when one has. Requests are counted from the program's
 * start.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The C library's own, which its manual allows to be called from a replacement of malloc(). */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *bytes, size_t size);

static unsigned long requests;

static bool is_failing(void)
{
	const char *at = getenv("MEMORY_FAILS_AT"), *on = getenv("MEMORY_FAILS_ON");
	unsigned long wanted = at ? strtoul(at, NULL, 10) : 0;
	requests++;
	if (!wanted || (on ? requests < wanted : requests != wanted))
		return false;
	int fd = open(getenv("MEMORY_FAILED"), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd >= 0)
		close(fd);
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return is_failing() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return is_failing() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *bytes, size_t size)
{
	return is_failing() ? NULL : __libc_realloc(bytes, size);
}

/* The arena's larger blocks. */
void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	static void *(*next)(void *, size_t, int, int, int, off_t);
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "mmap");
	return flags & MAP_ANONYMOUS && is_failing() ? MAP_FAILED
						     : next(address, size, protection, flags, fd, offset);
}
