/*
 * NAME.py: the policy as constants of Python 3.8 and newer. The text is what `ruff format` (line length
 * 88) leaves alone: one entry a line with its comma, strings never split, empty collections short.
 */
#include <string.h>

#include "backends/backend.h"
#include "backends/quote.h"
#include "backends/rows.h"
#include "backends/strength.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/match.h"
#include "compiler/policy/policy.h"

enum { LINE_LENGTH = 88 };

struct module {
	struct strbuf *out;
	struct arena *arena;
	const struct policy *policy;
	struct row_list commands;
};

static void add_top(const struct module *module)
{
	struct strbuf *out = module->out;
	strbuf_add_text(out, "\"\"\"What policy ");
	quote_python_docstring(out, module->policy->name);
	strbuf_add_text(out, " lets run. ");
	mark_add(out, module->policy, quote_python_docstring);
	strbuf_add_text(out, "\n\n");
	caveat_add(out, "", strength_caveat(STRENGTH_PYTHON), quote_python_docstring);
	caveat_add(out, "", strength_commands_caveat(module->policy), quote_python_docstring);
	strbuf_add_text(out, "\"\"\"\n"
			     "\n"
			     "from __future__ import annotations\n"
			     "\n"
			     "from types import MappingProxyType\n"
			     "\n"
			     "TYPE_CHECKING = False\n"
			     "if TYPE_CHECKING:\n"
			     "    from collections.abc import Mapping, Sequence\n"
			     "    from typing import Final\n");
}

/* ---- the set of allowed commands ---- */

/* A comment opens each run of rows of one layer that cite the same decisions. */
static void add_group(const struct module *module, const struct row *row, const struct row *previous)
{
	const char *citations = row_citations(module->arena, row);
	if (previous && previous->layer == row->layer &&
	    strcmp(row_citations(module->arena, previous), citations) == 0)
		return;
	strbuf_add_text(module->out, "        # ");
	quote_text_line(module->out, citations);
	strbuf_add_text(module->out, "\n");
}

static void add_allowed(const struct module *module)
{
	const struct policy *policy = module->policy;
	struct strbuf *out = module->out;
	strbuf_add_text(out, "\nALLOWED_BINARIES: Final[frozenset[str]] = frozenset(");
	const struct row *previous = NULL;
	for (size_t i = 0; i < policy->row_count; i++) {
		const struct row *row = policy->rows[i];
		if (!row_is_command(row, VERB_ALLOW))
			continue;
		if (!previous)
			strbuf_add_text(out, "\n    {\n");
		add_group(module, row, previous);
		strbuf_add_text(out, "        ");
		quote_python(out, row->subject);
		strbuf_add_text(out, ",\n");
		previous = row;
	}
	strbuf_add_text(out, previous ? "    }\n)\n" : ")\n");
}

/* ---- mappings ---- */

/*
 * MappingProxyType({…}) of what has a value: as `NAME: Final[Mapping[str, TYPE]] = MappingProxyType(` has
 * opened it, or as the value of a role, which mapping_begin() opens. mapping_key() opens an entry,
 * mapping_end() closes it all.
 */
struct mapping {
	const struct module *module;
	bool inner; /* a value of another mapping */
	size_t entries;
};

/* A line of the mapping, with its indent in it. */
static void mapping_line(const struct mapping *mapping, const char *text)
{
	strbuf_add_text(mapping->module->out, mapping->inner ? "        " : "");
	strbuf_add_text(mapping->module->out, text);
}

static void mapping_key(struct mapping *mapping, const char *key)
{
	struct strbuf *out = mapping->module->out;
	if (!mapping->entries++) {
		strbuf_add_text(out, "\n");
		mapping_line(mapping, "    {\n");
	}
	mapping_line(mapping, "        ");
	quote_python(out, key);
	strbuf_add_text(out, ": ");
}

static void mapping_end(const struct mapping *mapping)
{
	struct strbuf *out = mapping->module->out;
	if (mapping->entries) {
		mapping_line(mapping, "    }\n");
		mapping_line(mapping, ")");
	} else {
		strbuf_add_text(out, "{})");
	}
	strbuf_add_text(out, mapping->inner ? ",\n" : "\n");
}

static struct mapping mapping_begin(struct mapping *outer, const char *key)
{
	mapping_key(outer, key);
	strbuf_add_text(outer->module->out, "MappingProxyType(");
	return (struct mapping){ .module = outer->module, .inner = true };
}

static const char *reason_or_empty(const struct row *row)
{
	return row->reason ? row->reason : "";
}

/* Up to the last of `left` rows. */
static void add_reason_rows(struct mapping *mapping, const struct row *const *rows, size_t count,
			    enum verb verb, size_t left)
{
	struct strbuf *out = mapping->module->out;
	for (size_t i = 0; i < count && left; i++) {
		if (!row_is_command(rows[i], verb))
			continue;
		left--;
		mapping_key(mapping, rows[i]->subject);
		quote_python(out, reason_or_empty(rows[i]));
		strbuf_add_text(out, ",\n");
	}
	mapping_end(mapping);
}

static void add_reasons(const struct module *module, enum verb verb, size_t count)
{
	struct mapping mapping = { .module = module };
	add_reason_rows(&mapping, module->policy->rows, module->policy->row_count, verb, count);
}

/* Of the rows that decide. A decline may stand beside one of them, and would be a second key. */
static void add_decisions(const struct module *module)
{
	struct mapping mapping = { .module = module };
	for (size_t i = 0; i < module->commands.count; i++) {
		const struct row *row = module->commands.items[i];
		mapping_key(&mapping, row->subject);
		quote_python(module->out, row_citations(module->arena, row));
		strbuf_add_text(module->out, ",\n");
	}
	mapping_end(&mapping);
}

/* ---- tuples ---- */

static size_t count_characters(const char *text)
{
	size_t count = 0;
	for (; *text; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

/* A tuple of one stands on its key's line where that fits, for the formatter would put it there. */
static void add_single(const struct mapping *mapping, const char *text, size_t column)
{
	struct strbuf literal = STRBUF_INIT, *out = mapping->module->out;
	quote_python(&literal, text);
	bool fits = column + strlen("(,),") + count_characters(literal.bytes) <= LINE_LENGTH;
	strbuf_release(&literal);
	if (fits) {
		strbuf_add_text(out, "(");
		quote_python(out, text);
		strbuf_add_text(out, ",),\n");
		return;
	}
	strbuf_add_text(out, "(\n");
	mapping_line(mapping, "            ");
	quote_python(out, text);
	strbuf_add_text(out, ",\n");
	mapping_line(mapping, "        ),\n");
}

static void add_tuple(const struct mapping *mapping, const char *const *texts, size_t count, size_t column)
{
	struct strbuf *out = mapping->module->out;
	if (count == 0) {
		strbuf_add_text(out, "(),\n");
		return;
	}
	if (count == 1) {
		add_single(mapping, texts[0], column);
		return;
	}
	strbuf_add_text(out, "(\n");
	for (size_t i = 0; i < count; i++) {
		mapping_line(mapping, "            ");
		quote_python(out, texts[i]);
		strbuf_add_text(out, ",\n");
	}
	mapping_line(mapping, "        ),\n");
}

static void add_entry(struct mapping *mapping, const char *key, const char *const *texts, size_t count)
{
	struct strbuf literal = STRBUF_INIT;
	quote_python(&literal, key);
	size_t column = strlen("        : ") + count_characters(literal.bytes);
	if (mapping->inner)
		column += strlen("        ");
	strbuf_release(&literal);
	mapping_key(mapping, key);
	add_tuple(mapping, texts, count, column);
}

static void add_tools(const struct module *module)
{
	struct mapping mapping = { .module = module };
	for (size_t i = 0; i < module->policy->plugin_count; i++) {
		const struct block *plugin = module->policy->plugins[i];
		if (!plugin->written)
			continue;
		const char **tools = arena_array(module->arena, plugin->tool_count, sizeof *tools);
		for (size_t k = 0; k < plugin->tool_count; k++)
			tools[k] = plugin->tools[k]->spelling;
		add_entry(&mapping, plugin->name, tools, plugin->tool_count);
	}
	mapping_end(&mapping);
}

static const char *requirement_text(struct arena *arena, const struct requirement *requirement)
{
	if (!requirement->operator)
		return requirement->command;
	return arena_printf(arena, "%s %s %s", requirement->command, requirement->operator,
			    requirement->version);
}

static void add_requirement_rows(struct mapping *mapping, const struct row *const *rows, size_t count)
{
	struct arena *arena = mapping->module->arena;
	for (size_t i = 0; i < count; i++) {
		const struct row *row = rows[i];
		if (!row_is_command(row, VERB_ALLOW) || !row_more(row)->requirement_count)
			continue;
		const char **texts = arena_array(arena, row_more(row)->requirement_count, sizeof *texts);
		for (size_t k = 0; k < row_more(row)->requirement_count; k++)
			texts[k] = requirement_text(arena, &row_more(row)->requirements[k]);
		add_entry(mapping, row->subject, texts, row_more(row)->requirement_count);
	}
	mapping_end(mapping);
}

static void add_requirements(const struct module *module)
{
	struct mapping mapping = { .module = module };
	const struct row_list *commands = &module->commands;
	add_requirement_rows(&mapping, commands->items, commands->requirement_count ? commands->count : 0);
}

static void add_platforms(const struct module *module)
{
	struct mapping mapping = { .module = module };
	for (size_t i = 0; module->commands.limited && i < module->commands.count; i++) {
		const struct row *row = module->commands.items[i];
		if (!row_more(row)->platforms)
			continue;
		const char *words[PLATFORM_COUNT];
		size_t count = 0;
		for (unsigned platform = 0; platform < PLATFORM_COUNT; platform++)
			if (row_more(row)->platforms & 1u << platform)
				words[count++] = platform_word(platform);
		add_entry(&mapping, row->subject, words, count);
	}
	mapping_end(&mapping);
}

/* ---- roles ---- */

static void add_allowed_by_role(const struct module *module)
{
	struct mapping mapping = { .module = module };
	struct strbuf *out = module->out;
	for (size_t i = 0; i < module->policy->role_count; i++) {
		const struct block *role = module->policy->roles[i];
		size_t count;
		const struct row **rows =
			block_commands(module->arena, module->policy, role, VERB_ALLOW, &count);
		mapping_key(&mapping, role->name);
		strbuf_add_text(out, count ? "frozenset(\n            {\n" : "frozenset(),\n");
		for (size_t k = 0; k < count; k++) {
			strbuf_add_text(out, "                ");
			quote_python(out, rows[k]->subject);
			strbuf_add_text(out, ",\n");
		}
		strbuf_add_text(out, count ? "            }\n        ),\n" : "");
	}
	mapping_end(&mapping);
}

/* What the role's own rows forbid; match_in() finds the rest in the layers. */
static void add_forbidden_by_role(const struct module *module)
{
	struct mapping mapping = { .module = module };
	for (size_t i = 0; i < module->policy->role_count; i++) {
		const struct block *role = module->policy->roles[i];
		struct mapping own = mapping_begin(&mapping, role->name);
		add_reason_rows(&own, role->rows, role->row_count, VERB_FORBID, role->row_count);
	}
	mapping_end(&mapping);
}

static void add_required_by_role(const struct module *module)
{
	struct mapping mapping = { .module = module };
	for (size_t i = 0; i < module->policy->role_count; i++) {
		const struct block *role = module->policy->roles[i];
		struct mapping own = mapping_begin(&mapping, role->name);
		add_requirement_rows(&own, role->rows, role->row_count);
	}
	mapping_end(&mapping);
}

static void add_roles(const struct module *module)
{
	struct strbuf *out = module->out;
	if (!module->policy->role_count)
		return;
	strbuf_add_text(out,
			"\n# Role to all that it may run.\n"
			"ALLOWED_BINARIES_BY_ROLE: Final[Mapping[str, frozenset[str]]] = MappingProxyType(");
	add_allowed_by_role(module);
	strbuf_add_text(
		out,
		"\n# Role to what its own rows forbid, and the reason. What the policy forbids, it may not\n"
		"# run either.\n"
		"FORBIDDEN_BINARIES_BY_ROLE: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(");
	add_forbidden_by_role(module);
	strbuf_add_text(
		out,
		"\n# Role to what its own rows say that a command needs, beside REQUIREMENTS.\n"
		"REQUIRED_BY_ROLE: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = MappingProxyType(");
	add_required_by_role(module);
}

/* A function of its own: a role that was forgotten must not get the wider answer of match(). */
static void add_match_in(const struct module *module)
{
	struct strbuf *out = module->out;
	if (!module->policy->role_count)
		return;
	strbuf_add_text(
		out,
		"\n\n"
		"def match_in(role: str, argv: Sequence[str]) -> tuple[str, str | None]:\n"
		"    \"\"\"Return what match() does, after the rows of the role, which are asked first.\n"
		"\n"
		"    A role that the policy does not have is a KeyError.\n"
		"    \"\"\"\n"
		"    allowed = ALLOWED_BINARIES_BY_ROLE[role]\n"
		"    forbidden = FORBIDDEN_BINARIES_BY_ROLE[role]\n"
		"    refused: str | None = None\n"
		"    command = \"\"\n"
		"    for word in argv[:");
	quote_number(out, role_commands(module->arena, module->policy).most_words);
	strbuf_add_text(out, "]:\n"
			     "        if not word or \" \" in word:\n"
			     "            break\n"
			     "        command = f\"{command} {word}\" if command else word\n"
			     "        if command in forbidden:\n"
			     "            refused = command\n"
			     "        elif command in allowed:\n"
			     "            refused = None\n"
			     "    return match(argv) if refused is None else (\"forbidden\", refused)\n");
}

/* ---- the module ---- */

static void add_mappings(const struct module *module)
{
	struct strbuf *out = module->out;
	strbuf_add_text(out, "\n# Command to reason.\n"
			     "FORBIDDEN_BINARIES: Final[Mapping[str, str]] = MappingProxyType(");
	add_reasons(module, VERB_FORBID, module->policy->forbidden_count);
	strbuf_add_text(out, "\n# Command to reason: considered and not added. It decides nothing.\n"
			     "DECLINED_BINARIES: Final[Mapping[str, str]] = MappingProxyType(");
	add_reasons(module, VERB_DECLINE, module->policy->declined_count);
	strbuf_add_text(out, "\n# Command to the decisions that allow or forbid it.\n"
			     "ADR: Final[Mapping[str, str]] = MappingProxyType(");
	add_decisions(module);
	strbuf_add_text(out, "\n# Plugin to its tools, as its manifest spells them.\n"
			     "EXTERNAL_TOOLS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(");
	add_tools(module);
	strbuf_add_text(out, "\n# Command to other allowed commands that it needs.\n"
			     "REQUIREMENTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(");
	add_requirements(module);
	strbuf_add_text(out,
			"\n# Command to the platforms of its row. A command that is not here has no limit.\n"
			"PLATFORMS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(");
	add_platforms(module);
}

static void add_match(const struct module *module)
{
	struct strbuf *out = module->out;
	strbuf_add_text(
		out,
		"\n\n"
		"def match(argv: Sequence[str]) -> tuple[str, str | None]:\n"
		"    \"\"\"Return the verdict and the command of the longest row that argv starts with.\n"
		"\n"
		"    The verdict is \"allowed\", \"forbidden\" or \"unlisted\"; argv[0] is a base name.\n"
		"    \"\"\"\n"
		"    found: tuple[str, str | None] = (\"unlisted\", None)\n"
		"    command = \"\"\n"
		"    for word in argv[:");
	quote_number(out, module->commands.most_words);
	strbuf_add_text(out, "]:\n"
			     "        if not word or \" \" in word:\n"
			     "            break\n"
			     "        command = f\"{command} {word}\" if command else word\n"
			     "        if command in ALLOWED_BINARIES:\n"
			     "            found = (\"allowed\", command)\n"
			     "        elif command in FORBIDDEN_BINARIES:\n"
			     "            found = (\"forbidden\", command)\n"
			     "    return found\n");
}

/* A module's name takes no '-'. */
static const char *module_name(const struct emission *emission)
{
	return arena_printf(emission->compilation->arena, "%s.py", emission->policy->identifier);
}

static bool python_owns(const struct policy *policy, const char *path)
{
	size_t size = strlen(policy->identifier);
	return strncmp(path, policy->identifier, size) == 0 && strcmp(path + size, ".py") == 0;
}

static void python_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_python, module_name(emission), "", 0);
}

static bool python_emit(const struct emission *emission, struct artifacts *out)
{
	struct strbuf text = STRBUF_INIT;
	struct module module = {
		.out = &text,
		.arena = emission->compilation->arena,
		.policy = emission->policy,
		.commands = policy_commands(emission->compilation->arena, emission->policy),
	};
	add_top(&module);
	add_allowed(&module);
	add_mappings(&module);
	add_roles(&module);
	add_match(&module);
	add_match_in(&module);
	artifact_take(emission, out, &backend_python, module_name(emission), &text);
	return true;
}

const struct backend backend_python = {
	.name = "python",
	.summary = "NAME.py: the commands as typed constants of Python",
	.by_default = true,
	.owns = python_owns,
	.list = python_list,
	.emit = python_emit,
};
