/*
 * NAME.names, and NAME.ROLE.names of each role: the allowed commands, one a line, in policy order. A command
 * of several words keeps its blanks, for that is what can be run; a shell reads lines with `while IFS= read
 * -r command`. No line is a comment: every reader would have to skip it.
 */
#include "backends/backend.h"
#include "backends/quote.h"
#include "backends/rows.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/match.h"
#include "compiler/policy/policy.h"

static bool names_owns(const struct policy *policy, const char *path)
{
	return artifact_is_named_for_role(policy, path, ".names");
}

static void names_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_names, artifact_name(emission, ".names"), "", 0);
}

static bool names_emit(const struct emission *emission, struct artifacts *out)
{
	const struct policy *policy = emission->policy;
	const struct row *const *rows = policy->rows;
	size_t count = policy->row_count;
	struct strbuf text = STRBUF_INIT;
	if (policy->role)
		rows = block_commands(emission->compilation->arena, policy, policy->role, VERB_ALLOW, &count);
	for (size_t i = 0; i < count; i++) {
		if (!row_is_command(rows[i], VERB_ALLOW))
			continue;
		quote_text_line(&text, rows[i]->subject);
		strbuf_add_text(&text, "\n");
	}
	artifact_add(emission, out, &backend_names, artifact_name(emission, ".names"), text.bytes, text.size);
	strbuf_release(&text);
	return true;
}

const struct backend backend_names = {
	.name = "names",
	.summary = "NAME.names: the allowed commands, one a line; NAME.ROLE.names: those of a role",
	.role_files = ROLE_FILES_ALL,
	.owns = names_owns,
	.list = names_list,
	.emit = names_emit,
};
