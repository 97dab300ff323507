/* Prints what the header holds of each row: the table's text, then the macros', a NUL after each. */
#include "hostile.h"

#include <stdio.h>

static void print(const char *text)
{
	fwrite(text, 1, strlen(text) + 1, stdout);
}

#define PRINT(id, command, adr, reason) \
	print(command);                 \
	print(reason);

int main(void)
{
	int i;
	for (i = 0; i < HOSTILE_ROW_COUNT; i++) {
		print(hostile_rows[i].command);
		print(hostile_rows[i].reason);
		print(hostile_rows[i].instead);
	}
	HOSTILE_FOR_EACH_ALLOWED(PRINT)
	HOSTILE_FOR_EACH_FORBIDDEN(PRINT)
	return ferror(stdout) != 0;
}
