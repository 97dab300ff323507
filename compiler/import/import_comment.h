/*
 * What a comment beside a list tells: a heading, an ADR, a reason. A comment is for people: what is taken
 * from it is a proposal, and where it may be read in two ways nothing is.
 */
#ifndef ALLOWC_IMPORT_IMPORT_COMMENT_H
#define ALLOWC_IMPORT_IMPORT_COMMENT_H

struct arena;

/*
 * The text as one line, without the '#' and blanks around it; NULL where it says nothing, or something to a
 * tool
 * ("noqa", "type: ignore"). In the arena.
 */
const char *comment_line(struct arena *arena, const char *text);

/* The lines of a heading, LF between them, those left out that say nothing; NULL where none is left. */
const char *comment_heading(struct arena *arena, const char *lines);

/* The one ADR that a line names, as a row cites it: "0012", "phase2/0001". NULL for none, for several,
 * and for a line about what is not there: it begins with a quote, or says "removed", "not". */
const char *comment_adr(struct arena *arena, const char *line);

/* The line as a reason: NULL where it is an ADR's number and no more, or begins with
 * the word of something left for later. */
const char *comment_reason(struct arena *arena, const char *line);

#endif
