/*
 * header NAMES: the C header of a policy that allows each line of the file NAMES, on standard output.
 * It goes straight to the backend, so that the bench of the look-up needs no policy text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/policy_builder.h"

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!file) {
		fprintf(stderr, "usage: header NAMES\n");
		return 2;
	}
	struct policy_builder builder;
	builder_begin(&builder, "bench");
	builder_layer(&builder, "bench");
	char line[256];
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		const char *name = arena_copy(builder.compilation.arena, line, strlen(line));
		builder_row(&builder, VERB_ALLOW, name, "bench/0001", "measured");
	}
	fclose(file);
	if (!builder_emit(&builder, &backend_c_header))
		return 1;
	fwrite(builder.artifacts.items[0].bytes, 1, builder.artifacts.items[0].size, stdout);
	builder_end(&builder);
	return fflush(stdout) ? 2 : 0;
}
