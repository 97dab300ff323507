// What the compiler calls at the beginning of each block of an object made with -fsanitize-coverage=trace-pc
// (reach.py). A byte of the file $REACH says that the block ran; all processes of a test write to the one
// file, so that none is missed that ends by a signal.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { FILE_SIZE = 1 << 22 }; // as reach.py makes it: a byte for each of the code

static unsigned char *blocks;

// The objects are linked behind this one: the first address of all.
void __sanitizer_cov_trace_pc(void)
{
	size_t at = (size_t)((char *)__builtin_return_address(0) - (char *)__sanitizer_cov_trace_pc);
	if (blocks && at < FILE_SIZE)
		blocks[at] = 1;
}

static __attribute__((constructor)) void blocks_open(void)
{
	const char *path = getenv("REACH");
	int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *mapped =
		file < 0 ? MAP_FAILED : mmap(NULL, FILE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (mapped != MAP_FAILED)
		blocks = mapped;
}
