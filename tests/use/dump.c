/* Writes the filter of the C header as the bytes of phase7.bpf. */
#include "phase7.seccomp.h"

#include <stdio.h>

int main(void)
{
	return fwrite(phase7_filter, sizeof phase7_filter, 1, stdout) != 1;
}
