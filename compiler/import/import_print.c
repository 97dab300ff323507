#include "compiler/import/import_print.h"

#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import.h"
#include "compiler/import/import_profile.h"
#include "compiler/policy/row_subject.h"

static void entry_print(struct import *import, const struct import_entry *entry, struct strbuf *out)
{
	const char *subject = command_as_subject(import->compilation->arena, entry->command);
	if (subject)
		strbuf_printf(out, "%s %s  adr ?\n", entry->verdict == IMPORT_ALLOW ? "allow" : "forbid", subject);
}

void import_print(struct import *import, struct strbuf *out)
{
	strbuf_add_text(out, "policy imported\n");
	for (size_t i = 0; i < import->count; i++)
		for (size_t k = 0; k < import->lists[i]->count; k++)
			entry_print(import, &import->lists[i]->entries[k], out);
	import_profile_print(import, out);
}
