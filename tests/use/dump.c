/* Writes the filter of the C header as the bytes of phase7.bpf. */
#include "phase7.seccomp.h"

#include <stdio.h>

int main(void)
{
	return fwrite(phase7_instructions, sizeof phase7_instructions, 1, stdout) != 1;
}
