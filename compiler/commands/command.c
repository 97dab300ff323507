#include "compiler/commands/command.h"

#include <string.h>

#include "compiler/base/strbuf.h"
#include "compiler/base/suggest.h"

void command_usage(const struct command *command, struct strbuf *out)
{
	strbuf_add_text(out, "allowc");
	if (*command->name)
		strbuf_printf(out, " %s", command->name);
	if (*command->usage)
		strbuf_printf(out, " %s", command->usage);
}

const struct command *command_find(const struct command *const *table, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (*name && strcmp(table[i]->name, name) == 0)
			return table[i];
	return NULL;
}

const char *command_nearest(const struct command *const *table, size_t count, const char *name)
{
	struct suggestion near = suggestion_begin(name);
	for (size_t i = 0; i < count; i++)
		suggestion_offer(&near, table[i]->name);
	return near.nearest;
}
