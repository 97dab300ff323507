/*
 * What the compilations of one run share, so that each text is read once, each folder listed once, each ADR
 * and each layer parsed once, however many policies lean on it.
 *
 * They work one after another: the place of a text in the order of diagnostics, and what brought it in,
 * belong to the compilation at work, so its diagnostics are rendered before the next one begins.
 */
#ifndef ALLOWC_BASE_POOL_H
#define ALLOWC_BASE_POOL_H

struct arena;
struct map;

struct pool {
	struct arena *arena; /* of all that is shared */
	struct arena *spare, *spare_scratch; /* of the compilation that ended last, for the next; or NULL */
	struct map *texts;   /* path to struct source (source.c) */
	struct map *layers; /* the path of such a text to its struct ast_layer, without a mistake (parse.c) */
	struct map *filters;    /* what a proven filter was made of (check.c) */
	struct map *adr_scopes; /* folder, name and accepted words to struct adr_scope (adr_scope.c) */
};

struct pool *pool_new(void);
void pool_free(struct pool *pool);

#endif
