/*
 * Where `allowc sync` may write: below the project's top folder, and through no symbolic link. Nothing here
 * reports or changes a file.
 */
#ifndef ALLOWC_SYNC_PLACE_H
#define ALLOWC_SYNC_PLACE_H

#include <stdbool.h>

struct arena;

/*
 * The project of a policy: the nearest folder, from the policy's own upwards, that holds `.git`, or the
 * policy's own. An absolute path without links, in the arena; NULL with errno set where the folder is gone,
 * or the system does not say whether it holds `.git`.
 */
const char *sync_project(struct arena *arena, const char *policy_path);

enum sync_place_state {
	SYNC_PLACE_GOOD,
	SYNC_PLACE_OUTSIDE,   /* of the project, or inside its .git */
	SYNC_PLACE_TURNS,     /* a '..' behind a folder's name: where that leads depends on links */
	SYNC_PLACE_LINK,      /* a part of the path is a symbolic link */
	SYNC_PLACE_NO_FOLDER, /* the file's folder is not there, or is no folder; errno says which */
	SYNC_PLACE_TROUBLE    /* the system does not say: errno */
};

struct sync_place {
	const char *root; /* the project; "/" for what is outside of it */
	const char *path; /* below it, without links but perhaps the file itself */
};

/*
 * The file that `written` names as seen from the folder of the file `base`. With `anywhere` links are
 * followed, and no place is OUTSIDE: then `place` is where they lead.
 */
enum sync_place_state sync_place_find(struct arena *arena, const char *project, const char *base,
				      const char *written, bool anywhere, struct sync_place *place);

#endif
