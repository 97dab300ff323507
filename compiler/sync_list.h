/*
 * NAME.sync.sha256, beside the policy: the files that sync wrote whole, with their hashes, as `sha256sum -c`
 * reads them from that folder. A first line that says "generated" proves nothing: what stands below it may be
 * somebody's. Only a file that is as the list has it is allowc's to replace. To be removed it must be one
 * that sync wrote, too ("# written: PATH"): a file that was found as it shall be, or whose line a person
 * added, was not.
 */
#ifndef ALLOWC_SYNC_LIST_H
#define ALLOWC_SYNC_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/manifest.h"

struct arena;
struct file_content;
struct map;
struct strbuf;

struct sync_list {
	const char *folder; /* of the policy, absolute and without links */
	struct manifest old;
	struct manifest left; /* by a killed run: what the list was to be */
	struct claims next;
	struct claims kept;    /* likewise, with what `old` says; sorted, as that is */
	struct claims written; /* of both */
	bool unsorted;         /* `next` */
	struct claims others;  /* of the lists beside it */
	bool others_read;
};

/* The name of the list of a policy. In the arena. */
const char *sync_list_name(struct arena *arena, const char *policy);

/* How the list names a file, whose path is absolute and without links: "../src/tools.py". In the arena. */
const char *sync_list_path(struct arena *arena, const struct sync_list *list, const char *file);

enum sync_owner { SYNC_OWNER_NOBODY, SYNC_OWNER_ALLOWC, SYNC_OWNER_EDITED };

/* Whose a file is by the list: NOBODY's where it does not name it. `path` as sync_list_path() gives it. */
enum sync_owner sync_list_owner(struct arena *arena, const struct sync_list *list, const char *path,
				const struct file_content *content);

/* Whether sync wrote it, by the list or by what a killed run left of one. */
bool sync_list_wrote(const struct sync_list *list, const char *path);

/*
 * Whether another policy's list beside it names the file: then it is that one's. `known` has the paths of the
 * lists of this run, which are not asked. A list that cannot be read may name every file.
 */
bool sync_list_elsewhere(struct arena *arena, struct sync_list *list, const struct map *known,
			 const char *path);

/*
 * What the list will have: a file with these bytes, and whether sync has written it; or one with what it says
 * of it now. Those that are kept come in its order.
 */
void sync_list_add(struct arena *arena, struct sync_list *list, const char *path, const char *bytes,
		   size_t size, bool written);
void sync_list_keep(struct arena *arena, struct sync_list *list, const char *path);

/* Whether it will name the file. */
bool sync_list_has(struct sync_list *list, const char *path);

/* The list as it will be. */
void sync_list_print(struct arena *arena, struct sync_list *list, struct strbuf *out);

#endif
