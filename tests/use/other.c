/* The other unit: both headers again, in the other order, with names of its own. */
#include "phase7.seccomp.h"
#include "phase7.h"

int other_unit_allows(const char *command);
int other_unit_installs(int really);

int other_unit_allows(const char *command)
{
	return phase7_allowed(command);
}

int other_unit_installs(int really)
{
	return really ? phase7_install_filter() : 0;
}
