/*
 * NAME.md: the policy's rows as a table of Markdown, for a page or for a region of one. No heading: the page
 * around it has its own, and a line opens the table of each role. Rows that deny or admit system calls stand
 * among the commands, in policy order.
 */
#include "backends/backend.h"
#include "backends/quote.h"
#include "backends/rows.h"
#include "backends/strength.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/policy.h"

static void add_top(const struct emission *emission, struct strbuf *out)
{
	strbuf_add_text(out, "<!-- ");
	mark_add(out, emission->policy, quote_markdown_comment);
	strbuf_add_text(out, "\n");
	caveat_add(out, "     ", strength_caveat(STRENGTH_MARKDOWN), quote_markdown_comment);
	caveat_add(out, "     ", strength_commands_caveat(emission->policy), quote_markdown_comment);
	strbuf_add_text(out, "-->\n\n");
}

static void add_reason(const struct row *row, struct strbuf *out)
{
	if (row->reason)
		quote_markdown(out, row->reason);
	if (!row_more(row)->instead)
		return;
	strbuf_add_text(out, row->reason ? "; instead: " : "instead: ");
	quote_markdown(out, row_more(row)->instead);
}

static const char *decision_cell(const struct row *row)
{
	if (row->verb == VERB_ALLOW)
		return " | allowed | ";
	return row->verb == VERB_FORBID ? " | forbidden | " : " | declined | ";
}

static void add_row(const struct emission *emission, const struct row *row, struct strbuf *out)
{
	strbuf_add_text(out, row->kind == SUBJECT_SYSCALL ? "| system call " : "| ");
	quote_markdown_code(out, row->subject);
	strbuf_add_text(out, decision_cell(row));
	quote_markdown(out, row_citations(emission->compilation->arena, row));
	strbuf_add_text(out, " | ");
	add_reason(row, out);
	strbuf_add_text(out, " |\n");
}

static void add_table(const struct emission *emission, const struct row *const *rows, size_t count,
		      struct strbuf *out)
{
	strbuf_add_text(out, "| Subject | Decision | ADR | Reason |\n|---|---|---|---|\n");
	for (size_t i = 0; i < count; i++)
		add_row(emission, rows[i], out);
}

/* What a role says beside the layers. */
static void add_role(const struct emission *emission, const struct block *role, struct strbuf *out)
{
	if (!role->row_count)
		return;
	strbuf_add_text(out, "\nFor the role ");
	quote_markdown_code(out, role->name);
	strbuf_add_text(out, ", asked first:\n\n");
	add_table(emission, role->rows, role->row_count, out);
}

static bool markdown_owns(const struct policy *policy, const char *path)
{
	return artifact_is_named(policy, path, ".md");
}

static void markdown_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_markdown, artifact_name(emission, ".md"), "", 0);
}

static bool markdown_emit(const struct emission *emission, struct artifacts *out)
{
	struct strbuf text = STRBUF_INIT;
	add_top(emission, &text);
	add_table(emission, emission->policy->rows, emission->policy->row_count, &text);
	for (size_t i = 0; i < emission->policy->role_count; i++)
		add_role(emission, emission->policy->roles[i], &text);
	artifact_take(emission, out, &backend_markdown, artifact_name(emission, ".md"), &text);
	return true;
}

const struct backend backend_markdown = {
	.name = "markdown",
	.summary = "NAME.md: the policy as a table for a page",
	.owns = markdown_owns,
	.list = markdown_list,
	.emit = markdown_emit,
};
