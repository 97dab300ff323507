/*
 * Answers as JSON, one object: for programs. Fields may be added; who reads it ignores those that it does not
 * know.
 */
#ifndef ALLOWC_EXPLAIN_EXPLAIN_JSON_H
#define ALLOWC_EXPLAIN_EXPLAIN_JSON_H

struct command_answer;
struct compilation;
struct holdings;
struct kernel_answer;
struct policy;
struct strbuf;

void command_answer_json(struct compilation *compilation, const struct policy *policy,
			 const struct command_answer *answer, const struct holdings *holdings,
			 struct strbuf *out);
void kernel_answer_json(struct compilation *compilation, const struct policy *policy,
			const struct kernel_answer *answer, const struct holdings *holdings,
			struct strbuf *out);

#endif
