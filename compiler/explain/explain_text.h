/*
 * Answers as text for people. What a terminal must not see is escaped.
 */
#ifndef ALLOWC_EXPLAIN_EXPLAIN_TEXT_H
#define ALLOWC_EXPLAIN_EXPLAIN_TEXT_H

struct command_answer;
struct compilation;
struct holdings;
struct kernel_answer;
struct policy;
struct strbuf;

void command_answer_print(struct compilation *compilation, const struct policy *policy,
			  const struct command_answer *answer, const struct holdings *holdings,
			  struct strbuf *out);
void kernel_answer_print(struct compilation *compilation, const struct policy *policy,
			 const struct kernel_answer *answer, const struct holdings *holdings,
			 struct strbuf *out);

#endif
