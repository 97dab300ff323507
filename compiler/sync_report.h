/*
 * What `allowc sync` says of a request that it refuses. Each function reports, in the compilation of the
 * request, and returns false. Internal to sync.c.
 */
#ifndef ALLOWC_SYNC_REPORT_H
#define ALLOWC_SYNC_REPORT_H

#include <stdbool.h>

#include "compiler/base/source.h"
#include "compiler/sync.h"
#include "compiler/sync_place.h"

struct file_content;
struct region_import;
struct region_result;

/* "cannot VERB 'path': why" */
bool sync_trouble(const struct sync_request *request, const char *verb, int error);
bool sync_report_changed(const struct sync_request *request);
bool sync_report_linked(const struct sync_request *request);

/*
 * The place: an input, outside, through a link, no plain file. sync_report_state() is true where it is good.
 */
bool sync_report_input(const struct sync_request *request);
bool sync_report_state(const struct sync_request *request, enum sync_place_state state);
bool sync_report_in_the_way(const struct sync_request *request, int error);

/* Another request, at `first`, writes it already. */
bool sync_report_twice(const struct sync_request *request, struct span first);

/* `what` has a place for the path and one for the region's name. */
bool sync_report_no_region(const struct sync_request *request, const char *what);
bool sync_report_markers(const struct sync_request *request, const struct file_content *old,
			 const struct region_result *region);

/* A region for a whole module of Python stands below code. */
bool sync_report_late_module(const struct sync_request *request);

/* A warning: the file does not import what its region uses. */
void sync_report_imports(const struct sync_request *request, const struct region_import *missing,
			 size_t count);

/*
 * Whose the file is. `list` is the path of the policy's list: it has another hash of the file, or does not
 * name it. `marked`: its first line is allowc's all the same.
 */
bool sync_report_edited(const struct sync_request *request, const char *list);
bool sync_report_foreign(const struct sync_request *request, const char *list, bool marked);

/* The list itself is none. */
bool sync_report_list(const struct sync_request *request, unsigned line);

/* A warning: nothing makes this file any more, and it is not as it was written, or was never `written`. */
void sync_report_orphan(const struct sync_request *request, const char *list, bool written);

#endif
