#include "compiler/import/import_formats.h"

#include <stddef.h>

#include "compiler/import/import.h"

struct format {
	bool (*is)(const struct source *source);
	bool (*read)(struct import *import, const struct source *source);
};

static const struct format formats[] = {
#define X(stem, name) { import_##stem##_is, import_##stem##_read },
	IMPORT_FORMAT_LIST(X)
#undef X
};

bool import_file(struct import *import, const struct source *source)
{
	size_t i = 0;
	while (!formats[i].is(source))
		i++;
	return formats[i].read(import, source);
}
