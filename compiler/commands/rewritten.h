/*
 * Which of the artifacts that NEW writes by default a change rewrites: computed by the backends, with all
 * changes, without each of them, and with each alone.
 */
#ifndef ALLOWC_COMMANDS_REWRITTEN_H
#define ALLOWC_COMMANDS_REWRITTEN_H

#include "compiler/diff/report.h"

struct compilation;

/*
 * `files`, `file_count` and `files_note` of the report, in the compilation's arena; what backends say against
 * a policy is not reported. Work is in proportion to the changes times the rows, so that of many changes only
 * the files are told, and a note says so.
 */
void rewritten_find(struct compilation *compilation, const struct compared *comparison,
		    struct report *report);

#endif
