/*
 * Identifiers of C and C++ for commands.
 */
#ifndef ALLOWC_BACKENDS_IDENTIFIER_H
#define ALLOWC_BACKENDS_IDENTIFIER_H

#include <stddef.h>

struct arena;

/*
 * One identifier for each spelling, all different, none a keyword of C or C++, a macro that compilers
 * predefine without an underscore (linux, unix), or reserved:
 *   letters, digits and single '_' stay; '+' becomes 'x' (g++: gxx); all else becomes '_', never two
 *   together and none in front; a leading digit gets "n_" (7z: n_7z); a keyword gets a '_' (new: new_);
 *   nothing left is "command".
 * Where two agree, the later gets "_2", "_3", …: rows added at the end change none before. In the arena.
 */
const char **identifiers_assign(struct arena *arena, const char *const *spellings, size_t count);

#endif
