/*
 * A hand-written plugin.yaml with the lists of `requirements` changed and every other byte as it was:
 * adr/0019 says how, and what is refused. Pure: text in, text out.
 */
#ifndef ALLOWC_BACKENDS_MANIFEST_EDIT_H
#define ALLOWC_BACKENDS_MANIFEST_EDIT_H

#include "backends/manifest_scan.h"

/* What the policy says of the lists. One that it does not manage stays as it is. */
struct manifest_wish {
	struct {
		bool managed;
		const char *const *items;
		size_t count;
	} lists[MANIFEST_KEYS];
};

/* An own-line comment stays, though the item below it goes. */
struct manifest_stray {
	struct manifest_place item;
	const char *text; /* of the item */
};

/* All in the arena. */
struct manifest_edit {
	struct manifest_refusal refusal; /* `why` is NULL where `bytes` are what was wished */
	bool changed;                    /* else `bytes` is the text that was given */
	const char *bytes;
	size_t size;
	const struct manifest_stray *strays;
	size_t stray_count, stray_capacity;
	const char *name; /* what the manifest says it is for; NULL where it does not say */
	struct manifest_place name_place;
};

/* `text` is without a BOM, and lives as long as the arena. */
struct manifest_edit manifest_edit(struct arena *arena, const char *text, size_t size,
				   const struct manifest_wish *wish);

#endif
