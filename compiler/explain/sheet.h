/*
 * Lines with a label before them: "  because  tracing belongs to the host". A label that repeats is left out.
 */
#ifndef ALLOWC_EXPLAIN_SHEET_H
#define ALLOWC_EXPLAIN_SHEET_H

struct compilation;
struct holdings;
struct row;
struct strbuf;

struct sheet {
	struct compilation *compilation;
	struct strbuf *out;
	const char *label; /* of the last line */
};

/* One line; what a terminal must not see is escaped. */
void sheet_line(struct sheet *sheet, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* "allow docker", `forbid "git push"`, "forbid syscall ptrace": as the language writes it. In the arena. */
const char *row_words(struct compilation *compilation, const struct row *row);

/* "policies/phase7.allow:11": of the row's subject. In the arena. */
const char *row_place(struct compilation *compilation, const struct row *row);

/* "  how strong" and a line for each strength and meaning, with the artifacts that have it. */
void sheet_holdings(struct sheet *sheet, const struct holdings *holdings);

#endif
