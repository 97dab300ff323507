/* The plugins of a policy that is made from plugin.yaml files. */
#ifndef ALLOWC_IMPORT_IMPORT_TOOLS_H
#define ALLOWC_IMPORT_IMPORT_TOOLS_H

struct import;
struct import_union;
struct strbuf;

/*
 * Adds `plugin NAME "file" { tools …; optional … }` for each manifest, with the commands as their rows name
 * them. What no row can name is left out: it is reported where the rows are written.
 */
void import_tools_print(const struct import *import, const struct import_union *all, struct strbuf *out);

#endif
