#include "compiler/base/die.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void die_out_of_memory(void)
{
	fputs("allowc: out of memory\n", stderr);
	exit(EXIT_TROUBLE);
}
