/*
 * Paths compared by their text alone: where a folder is cannot depend on links that a change sets.
 */
#ifndef ALLOWC_GATE_PLACE_H
#define ALLOWC_GATE_PLACE_H

struct arena;

/* `path` seen from the folder of the file `base`, both beginning alike where it is below: folded. */
const char *place_from(struct arena *arena, const char *base, const char *path);

/* The folded `path` as seen from the folded folder `from`: "adr" from "policies" is "../adr". */
const char *place_towards(struct arena *arena, const char *from, const char *path);

/* The folder of a file's path: "policies" of "policies/p.allow", "" of "p.allow". In the arena. */
const char *place_folder(struct arena *arena, const char *file);

#endif
