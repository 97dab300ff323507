/*
 * allowc explain POLICY COMMAND [ARG...]: the verdict, and why. allowc explain CODE: what a diagnostic means.
 */
#include <string.h>
#include <unistd.h>

#include "backends/strength.h"
#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/commands/artifacts.h"
#include "compiler/commands/command.h"
#include "compiler/commands/expected_strength.h"
#include "compiler/commands/task.h"
#include "compiler/commands/terminal.h"
#include "compiler/explain/call_answer.h"
#include "compiler/explain/command_answer.h"
#include "compiler/explain/diagnostic_page.h"
#include "compiler/explain/explain_json.h"
#include "compiler/explain/explain_text.h"
#include "compiler/explain/holding.h"
#include "compiler/policy/match.h"
#include "compiler/policy/policy.h"

/* ---- the subject ---- */

struct subject {
	bool kernel;
	enum kernel_subject kind;
	const char *name;
};

/* What stands behind "syscall" in a policy's rows: a call, or a group. */
static struct subject call_subject(const char *name)
{
	name += strspn(name, " ");
	return (struct subject){ true, name[0] == '@' ? KERNEL_GROUP : KERNEL_CALL, name };
}

/*
 * "syscall NAME", as one word or two, is the call, as in a policy's rows: unless a row is of a command of
 * that name. What stands after "--" is always a command, each word as it is written.
 */
static struct subject subject_read(const struct policy *policy, const struct options *options)
{
	const char *const *words = options->words;
	size_t count = options->word_count;
	static const char call[] = "syscall ";
	if (options->words_literal)
		return (struct subject){ .kernel = false };
	if (count == 1 && words[0][0] == '@')
		return (struct subject){ true, KERNEL_GROUP, words[0] };
	if (count == 1 && strncmp(words[0], "CAP_", 4) == 0)
		return (struct subject){ true, KERNEL_CAPABILITY, words[0] };
	if (policy_match(policy, "syscall"))
		return (struct subject){ .kernel = false };
	if (count == 1 && strncmp(words[0], call, strlen(call)) == 0)
		return call_subject(words[0] + strlen(call));
	if (count == 2 && strcmp(words[0], "syscall") == 0)
		return call_subject(words[1]);
	return (struct subject){ .kernel = false };
}

/* ---- answers ---- */

static void command_explain_to(struct task_job *job, const struct options *options,
			       const bool emitted[STRENGTH_ARTIFACT_COUNT])
{
	struct compilation *compilation = &job->compilation;
	struct strength_sets sets = strength_sets_of(compilation->arena, job->policy);
	size_t count = options->word_count;
	const char *const *words = options->words_literal
					   ? options->words
					   : command_words(compilation->arena, options->words, &count);
	struct command_answer answer = command_answer(compilation->arena, job->policy, words, count);
	struct holdings holdings = holdings_find(&sets, emitted, answer.row);
	if (options->explain_format == EXPLAIN_JSON)
		command_answer_json(compilation, job->policy, &answer, &holdings, &job->out);
	else
		command_answer_print(compilation, job->policy, &answer, &holdings, &job->out);
}

static void kernel_explain_to(struct task_job *job, const struct options *options, struct subject subject,
			      const bool emitted[STRENGTH_ARTIFACT_COUNT])
{
	struct compilation *compilation = &job->compilation;
	struct kernel_answer answer;
	const char *message;
	if (!kernel_answer(compilation->arena, job->policy, subject.kind, subject.name, &answer, &message)) {
		diag_trouble(compilation->diags, "%s", message);
		return;
	}
	struct strength_sets sets = strength_sets_of(compilation->arena, job->policy);
	struct holdings holdings = answer.capability_row
					   ? holdings_find(&sets, emitted, answer.capability_row)
					   : holdings_of_calls(emitted, &answer);
	if (options->explain_format == EXPLAIN_JSON)
		kernel_answer_json(compilation, job->policy, &answer, &holdings, &job->out);
	else
		kernel_answer_print(compilation, job->policy, &answer, &holdings, &job->out);
}

/* An option of allowc's behind the command is one of the command's to somebody else. */
static void taken_print(const struct options *options, struct strbuf *out)
{
	if (!options->option_among_words || options->explain_format == EXPLAIN_JSON)
		return;
	strbuf_add_text(out, "\n  ");
	text_add_visible(out, options->option_among_words, strlen(options->option_among_words));
	strbuf_add_text(out, " was taken as allowc's own option; behind POLICY -- all are the command's\n");
}

static int explain(struct task_job *job, const struct options *options)
{
	bool emitted[STRENGTH_ARTIFACT_COUNT] = { false };
	struct subject subject = subject_read(job->policy, options);
	strength_artifacts_emitted(job, options, emitted);
	if (subject.kernel)
		kernel_explain_to(job, options, subject, emitted);
	else
		command_explain_to(job, options, emitted);
	taken_print(options, &job->out);
	return 0;
}

/* ---- diagnostics ---- */

/* A word that is no diagnostic and names a file is a policy, which lacks a command. */
static int page_unknown(const struct command *command, const char *name, const char *nearest)
{
	struct strbuf text = STRBUF_INIT;
	if (access(name, F_OK) == 0)
		strbuf_printf(&text, "name a command after the policy '%s'", name);
	else if (nearest)
		strbuf_printf(&text, "there is no diagnostic '%s'; did you mean '%s'?", name, nearest);
	else
		strbuf_printf(&text, "there is no diagnostic '%s'", name);
	int status = terminal_usage_error(command->name, text.bytes);
	strbuf_release(&text);
	return status;
}

static int page_print(const struct command *command, const struct options *options)
{
	const char *name = options->arguments[0], *nearest;
	enum diag_id id = diagnostic_find(strncmp(name, "-W", 2) == 0 ? name + 2 : name, &nearest);
	if (id == DIAG_COUNT)
		return page_unknown(command, name, nearest);
	struct strbuf text = STRBUF_INIT;
	if (options->explain_format == EXPLAIN_JSON)
		diagnostic_page_json(id, &text);
	else
		diagnostic_page_print(id, &text);
	int status = terminal_print(&text) ? 0 : EXIT_TROUBLE;
	strbuf_release(&text);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	int status = 0;
	bool read = task_options(command, FOR_EXPLAIN, argc, argv, arena, &options, &status);
	if (read && !options.word_count)
		status = page_print(command, &options);
	else if (read)
		status = task_run(command, FOR_EXPLAIN, argc, argv, explain, NULL);
	arena_free(arena);
	return status;
}

const struct command command_explain = {
	.name = "explain",
	.usage = "[options] POLICY COMMAND [ARG...] | CODE",
	.summary = "Explains a verdict with its row, ADR and strength, or a diagnostic",
	.run = run,
};
