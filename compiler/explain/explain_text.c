#include "compiler/explain/explain_text.h"

#include <assert.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/explain/call_answer.h"
#include "compiler/explain/command_answer.h"
#include "compiler/explain/holding.h"
#include "compiler/explain/sheet.h"
#include "compiler/policy/row_subject.h"

static const char *verdict_word(enum verdict verdict)
{
	static const char *const words[] = { "unlisted", "allowed", "forbidden" };
	return words[verdict];
}

/* "a, b": appends to a list in the arena; NULL is an empty one. */
static const char *list_add(struct arena *arena, const char *list, const char *item)
{
	return list ? arena_printf(arena, "%s, %s", list, item) : item;
}

/* ---- a row ---- */

/* "  sample/0001 (accepted 2026-01-10)" */
static const char *authority(struct compilation *compilation, const struct row *row)
{
	if (!row->citation_count)
		return "";
	const struct citation *citation = &row->citations[0];
	if (!citation->adr)
		return arena_printf(compilation->arena, "  %s", citation->text);
	return arena_printf(compilation->arena, "  %s (%s%s%s)", citation->text,
			    adr_status_word(citation->adr->status), citation->adr->date ? " " : "",
			    citation->adr->date ? citation->adr->date : "");
}

static void needs_print(struct sheet *sheet, const struct row *row)
{
	struct arena *arena = sheet->compilation->arena;
	for (size_t i = 0; i < row_more(row)->need_count; i++) {
		const struct need *need = &row_more(row)->needs[i];
		const char *calls = NULL;
		for (size_t k = 0; k < need->call_count; k++)
			calls = list_add(arena, calls, call_reference_text(arena, &need->calls[k]));
		if (need->capability)
			sheet_line(sheet, "needs", "%s%s%s", need->capability->name, calls ? ": " : "",
				   calls ? calls : "");
		else
			sheet_line(sheet, "needs", "syscall %s", calls ? calls : "");
	}
}

static void requirements_print(struct sheet *sheet, const struct row *row)
{
	for (size_t i = 0; i < row_more(row)->requirement_count; i++) {
		const struct requirement *requirement = &row_more(row)->requirements[i];
		const char *relation = requirement->operator, *version = requirement->version;
		sheet_line(sheet, "requires", "%s%s%s%s%s", requirement->command, relation ? " " : "",
			   relation ? relation : "", version ? " " : "", version ? version : "");
	}
}

static void paths_print(struct sheet *sheet, const struct row *row)
{
	for (size_t i = 0; i < row_more(row)->path_count; i++)
		sheet_line(sheet, "path", "%s", row_more(row)->paths[i]);
}

static void platforms_print(struct sheet *sheet, const struct row *row)
{
	const char *list = NULL;
	for (unsigned platform = 0; platform < PLATFORM_COUNT; platform++)
		if (row_more(row)->platforms & 1u << platform)
			list = list_add(sheet->compilation->arena, list, platform_word(platform));
	if (list)
		sheet_line(sheet, "on", "%s", list);
}

static void citation_print(struct sheet *sheet, const struct citation *citation)
{
	const struct adr *adr = citation->adr;
	if (!adr) {
		sheet_line(sheet, "adr", "%s", citation->text);
		return;
	}
	sheet_line(sheet, "adr", "%s  %s%s%s  %s", citation->text, adr_status_word(adr->status),
		   adr->date ? " " : "", adr->date ? adr->date : "", adr->source->path);
	if (*adr->title)
		sheet_line(sheet, "adr", "\"%s\"", adr->title);
}

static void row_print(struct sheet *sheet, const struct row *row)
{
	struct compilation *compilation = sheet->compilation;
	sheet_line(sheet, "row", "%s  %s", row_words(compilation, row), row_place(compilation, row));
	if (row->reason)
		sheet_line(sheet, "because", "%s", row->reason);
	if (row_more(row)->instead)
		sheet_line(sheet, "instead", "%s", row_more(row)->instead);
	for (size_t i = 0; i < row->citation_count; i++)
		citation_print(sheet, &row->citations[i]);
	needs_print(sheet, row);
	requirements_print(sheet, row);
	paths_print(sheet, row);
	platforms_print(sheet, row);
	if (row_more(row)->until)
		sheet_line(sheet, "until", "%s", row_more(row)->until);
}

/* ---- the layers ---- */

static bool layer_speaks(const struct command_answer *answer, const struct layer *layer)
{
	for (size_t i = 0; i < answer->said_count; i++)
		if (answer->said[i].row->layer == layer)
			return true;
	return false;
}

static void said_print(struct sheet *sheet, const struct said *said)
{
	struct compilation *compilation = sheet->compilation;
	const struct row *row = said->row;
	const char *fate = said->decides               ? "decides"
			   : row->verb == VERB_DECLINE ? "changes nothing"
						       : "is shorter";
	if (said->revoke)
		fate = arena_printf(compilation->arena, "revoked in %s",
				    row_place(compilation, said->revoke));
	bool told = said->decides || !row->reason; /* the row itself stands above, with all that it says */
	sheet_line(sheet, "layers", "%s: %s  %s%s, %s%s%s%s", row->layer->name, row_words(compilation, row),
		   row_place(compilation, row), said->decides ? "" : authority(compilation, row), fate,
		   told ? "" : ": \"", told ? "" : row->reason, told ? "" : "\"");
}

static void layers_print(struct sheet *sheet, const struct policy *policy,
			 const struct command_answer *answer)
{
	const char *silent = NULL;
	for (size_t i = 0; i <= policy->layer_count; i++) {
		const struct layer *layer = i < policy->layer_count ? &policy->layers[i] : NULL;
		if (layer && !layer_speaks(answer, layer)) {
			silent = list_add(sheet->compilation->arena, silent, layer->name);
			continue;
		}
		if (silent)
			sheet_line(sheet, "layers", "%s: not listed", silent);
		silent = NULL;
		for (size_t k = 0; layer && k < answer->said_count; k++)
			if (answer->said[k].row->layer == layer)
				said_print(sheet, &answer->said[k]);
	}
}

static void longer_print(struct sheet *sheet, const struct command_answer *answer)
{
	size_t shown = answer->longer_count < LONGER_ROWS_MAX ? answer->longer_count : LONGER_ROWS_MAX;
	for (size_t i = 0; i < shown; i++)
		sheet_line(sheet, "longer", "%s  %s, decides for itself",
			   row_words(sheet->compilation, answer->longer[i]),
			   row_place(sheet->compilation, answer->longer[i]));
	if (shown < answer->longer_count)
		sheet_line(sheet, "longer", "and %zu more", answer->longer_count - shown);
}

static void blocks_print(struct sheet *sheet, const struct command_answer *answer)
{
	for (size_t i = 0; i < answer->block_count; i++) {
		const struct block_answer *block = &answer->blocks[i];
		const char *label = block->block->kind == AST_ROLE ? "role" : "plugin";
		if (block->listed)
			sheet_line(sheet, label, "%s: lists it", block->block->name);
		else
			sheet_line(sheet, label, "%s: %s, %s  %s", block->block->name,
				   verdict_word(block->verdict), row_words(sheet->compilation, block->row),
				   row_place(sheet->compilation, block->row));
	}
}

/* ---- what may have been meant ---- */

static void remarks_print(struct sheet *sheet, const struct command_answer *answer)
{
	for (size_t i = 0; i < answer->remark_count; i++) {
		const struct block_remark *remark = &answer->remarks[i];
		const struct block *block = remark->row->block;
		const char *kind = block->kind == AST_ROLE ? "role" : "plugin";
		const char *words = row_words(sheet->compilation, remark->row);
		const char *place = row_place(sheet->compilation, remark->row);
		if (remark->behind_options)
			sheet_line(
				sheet, "note",
				"%s %s: %s  %s is not matched: the option '%s' stands before the sub-command",
				kind, block->name, words, place, answer->option);
		else
			sheet_line(sheet, "note", "%s %s: %s  %s changes nothing", kind, block->name, words,
				   place);
	}
}

static void notes_print(struct sheet *sheet, const struct policy *policy, const struct command_answer *answer)
{
	if (answer->base)
		sheet_line(sheet, "note",
			   "'%s' is compared as written, a path is not its base name: a caller that asks "
			   "with '%s' "
			   "is told %s",
			   answer->words[0], answer->base_text, verdict_word(answer->base_verdict));
	if (answer->behind_options)
		sheet_line(sheet, "note",
			   "%s  %s is not matched: the option '%s' stands before the sub-command",
			   row_words(sheet->compilation, answer->behind_options),
			   row_place(sheet->compilation, answer->behind_options), answer->option);
	remarks_print(sheet, answer);
	if (strchr(answer->words[0], ' '))
		sheet_line(sheet, "note", "'%s' is one word with a blank in it: no row's words have one",
			   answer->words[0]);
	const char *near = NULL;
	for (size_t i = 0; i < answer->near_count; i++)
		near = list_add(sheet->compilation->arena, near,
				arena_printf(sheet->compilation->arena, "%s (%s)", answer->nearest[i],
					     verdict_word(policy_verdict(policy, answer->nearest[i]))));
	if (near)
		sheet_line(sheet, "near", "%s", near);
	if (capability_find(answer->words[0]))
		sheet_line(sheet, "note", "it is a capability: ask for '%s' alone", answer->words[0]);
	else if (!answer->row && syscall_find(answer->words[0]))
		sheet_line(sheet, "note", "it is the name of a system call too: ask for 'syscall %s'",
			   answer->words[0]);
}

static void listing_print(struct sheet *sheet, const struct policy *policy,
			  const struct command_answer *answer)
{
	const struct row *decline = answer->in_place;
	if (!answer->to_list)
		return;
	sheet_line(sheet, "to list", "allow %s  adr …  because \"…\"    in %s%s", answer->to_list,
		   policy->layers[policy->layer_count - 1].source->path,
		   !decline ? ""
			    : arena_printf(sheet->compilation->arena, ", in place of the decline, line %u",
					   source_position(decline->span.source, decline->span.begin).line));
}

void command_answer_print(struct compilation *compilation, const struct policy *policy,
			  const struct command_answer *answer, const struct holdings *holdings,
			  struct strbuf *out)
{
	struct sheet sheet = { .compilation = compilation, .out = out };
	text_add_visible(out, answer->text, strlen(answer->text));
	strbuf_printf(out, ": %s\n",
		      answer->row ? verdict_word(answer->verdict) : "unlisted, so not allowed");
	if (answer->row)
		row_print(&sheet, answer->row);
	layers_print(&sheet, policy, answer);
	longer_print(&sheet, answer);
	blocks_print(&sheet, answer);
	notes_print(&sheet, policy, answer);
	listing_print(&sheet, policy, answer);
	if (holdings->caveat)
		sheet_line(&sheet, "caveat", "%s", holdings->caveat);
	sheet_holdings(&sheet, holdings);
}

/* ---- system calls ---- */

static const char *fate_text(struct compilation *compilation, const struct abi_answer *answer)
{
	switch (answer->fate) {
	case FATE_ABSENT:
		return "no such call";
	case FATE_BY_ARGUMENTS:
		return "refused with some arguments";
	case FATE_PASSES:
		if (answer->chosen)
			return "passes, and is logged with some arguments";
		return answer->action.kind == ACTION_LOG ? "passes, and is logged" : "passes";
	case FATE_REFUSED:
		break;
	}
	return answer->chosen ? "refused, its arguments decide with what"
			      : action_text(compilation, answer->action);
}

/* "x86_64, arm": the ABIs with the fate of the one at `index`; NULL where an earlier one has it. */
static const char *abis_alike(struct compilation *compilation, const struct call_answer *answer, size_t index)
{
	const char *fate = fate_text(compilation, &answer->abis[index]), *abis = NULL;
	for (size_t i = 0; i < answer->abi_count; i++) {
		if (strcmp(fate_text(compilation, &answer->abis[i]), fate) != 0)
			continue;
		if (i < index)
			return NULL;
		abis = list_add(compilation->arena, abis, abi_facts(answer->abis[i].abi)->name);
	}
	return abis;
}

static void abis_print(struct sheet *sheet, const struct call_answer *answer)
{
	for (size_t i = 0; i < answer->abi_count; i++) {
		const char *abis = abis_alike(sheet->compilation, answer, i);
		if (abis)
			sheet_line(sheet, "abi", "%s: %s", abis,
				   fate_text(sheet->compilation, &answer->abis[i]));
	}
}

static void cause_print(struct sheet *sheet, const struct cause *cause)
{
	struct compilation *compilation = sheet->compilation;
	struct arena *arena = compilation->arena;
	if (cause->base) {
		sheet_line(sheet, "rows", "base %s  %s lets it pass%s%s", cause->row->subject,
			   row_place(compilation, cause->row), cause->condition ? " where " : "",
			   cause->condition ? cause->condition : "");
		return;
	}
	const char *through = cause->capability && cause->row->kind != SUBJECT_CAPABILITY
				      ? arena_printf(arena, ", through its need of %s", cause->capability)
				      : "";
	const char *where = cause->condition ? arena_printf(arena, " where %s", cause->condition) : "";
	const char *effect = cause->denies ? action_text(compilation, cause->action) : "lets it pass";
	sheet_line(sheet, "rows", "%s  %s%s: %s%s%s", row_words(compilation, cause->row),
		   row_place(compilation, cause->row), authority(compilation, cause->row), effect, where,
		   through);
}

/* Each row once: a capability's row denies many calls. `told` has the rows, by their pointers. */
static bool cause_told(struct map *told, const struct cause *cause)
{
	void **place = map_at(told, (const char *)&cause->row, sizeof cause->row);
	bool known = *place != NULL;
	*place = (void *)cause->row;
	return known;
}

/* Whether no row says what all of them get: none lets one pass, or denies it whatever its arguments. */
static bool omission_decides(const struct kernel_answer *answer)
{
	for (size_t i = 0; i < answer->call_count; i++)
		for (size_t k = 0; k < answer->calls[i].cause_count; k++)
			if (!answer->calls[i].causes[k].denies || !answer->calls[i].causes[k].condition)
				return false;
	return answer->call_count > 0;
}

static void causes_print(struct sheet *sheet, const struct policy *policy, const struct kernel_answer *answer)
{
	bool one = answer->kind == KERNEL_CALL;
	size_t count = 0;
	struct map *told = map_new(sheet->compilation->arena, 0);
	for (size_t i = 0; i < answer->call_count; i++) {
		for (size_t k = 0; k < answer->calls[i].cause_count; k++) {
			if (!one && cause_told(told, &answer->calls[i].causes[k]))
				continue;
			cause_print(sheet, &answer->calls[i].causes[k]);
			count++;
		}
	}
	if (policy_denies_by_omission(policy) && omission_decides(answer))
		sheet_line(sheet, "rows", "none lists it, and what is not listed is refused");
	else if (!count && answer->call_count)
		sheet_line(sheet, "rows", "none refuses it");
}

/* "errno EPERM on x86_64, arm; no such call on i386": all that a call gets. */
static const char *fates_text(struct compilation *compilation, const struct call_answer *answer)
{
	struct arena *arena = compilation->arena;
	const char *text = NULL;
	for (size_t i = 0; i < answer->abi_count; i++) {
		const char *abis = abis_alike(compilation, answer, i);
		const char *fate = fate_text(compilation, &answer->abis[i]);
		if (abis)
			text = arena_printf(arena, "%s%s%s on %s", text ? text : "", text ? "; " : "", fate,
					    abis);
	}
	return text ? text : "";
}

/* Of several calls, those that get the same on one line. */
static void fates_print(struct sheet *sheet, const struct kernel_answer *answer)
{
	struct arena *arena = sheet->compilation->arena;
	const char **fates = arena_array(arena, answer->call_count, sizeof *fates);
	for (size_t i = 0; i < answer->call_count; i++)
		fates[i] = fates_text(sheet->compilation, &answer->calls[i]);
	for (size_t i = 0; i < answer->call_count; i++) {
		const char *names = NULL, *fate = fates[i];
		for (size_t k = i; fate && k < answer->call_count; k++) {
			if (!fates[k] || strcmp(fates[k], fate) != 0)
				continue;
			names = list_add(arena, names, answer->calls[k].call->name);
			fates[k] = NULL;
		}
		if (names)
			sheet_line(sheet, "calls", "%s: %s", names, fate);
	}
}

/* "gate: kill by forbid syscall bpf  p.allow:7" */
static void role_print(struct sheet *sheet, const struct role_answer *role)
{
	struct compilation *compilation = sheet->compilation;
	const char *action = role->acts ? action_text(compilation, role->action) : "refused";
	sheet_line(sheet, "role", "%s: %s by %s  %s%s", role->row->block->name, action,
		   row_words(compilation, role->row), row_place(compilation, role->row),
		   role->already ? ", as the layers do already" : "");
}

static void surroundings_print(struct sheet *sheet, const struct kernel_answer *answer)
{
	struct arena *arena = sheet->compilation->arena;
	for (size_t i = 0; i < answer->role_count; i++)
		role_print(sheet, &answer->roles[i]);
	for (size_t i = 0; i < answer->door_count; i++) {
		const struct block *role = answer->doors[i]->row->block;
		sheet_line(sheet, "doors", "%s%s%sbeside %s: %s", role ? "in role " : "",
			   role ? role->name : "", role ? ", " : "", answer->doors[i]->refused->name,
			   answer->doors[i]->text);
	}
	for (size_t i = 0; i < answer->capability_door_count; i++)
		sheet_line(sheet, "doors", "%s", answer->capability_doors[i]);
	for (size_t i = 0; i < answer->break_count; i++)
		sheet_line(sheet, "breaks", "%s: %s [%s]", answer->breaks[i]->call, answer->breaks[i]->what,
			   answer->breaks[i]->source);
	const char *programs = NULL;
	for (size_t i = 0; i < answer->program_count; i++)
		programs = list_add(arena, programs, answer->programs[i]);
	if (programs)
		sheet_line(sheet, "breaks", "programs that are known to need it: %s", programs);
	for (size_t i = 0; i < answer->needed_count; i++)
		sheet_line(sheet, "needed", "%s  %s says so",
			   row_words(sheet->compilation, answer->needed_by[i]),
			   row_place(sheet->compilation, answer->needed_by[i]));
}

/* Of several calls, those that no ABI has say nothing of the others. */
static enum call_fate fate_of_all(const struct kernel_answer *answer)
{
	enum call_fate all = FATE_ABSENT;
	for (size_t i = 0; i < answer->call_count; i++) {
		enum call_fate fate = call_fate_overall(&answer->calls[i]);
		if (fate == FATE_ABSENT || fate == all)
			continue;
		all = all == FATE_ABSENT ? fate : FATE_BY_ARGUMENTS;
	}
	return all;
}

static const char *fate_word(const struct kernel_answer *answer)
{
	if (answer->kind == KERNEL_CAPABILITY)
		return !answer->capability_row ? "not forbidden" : "forbidden";
	assert(answer->call_count); /* no group is empty */
	switch (fate_of_all(answer)) {
	case FATE_REFUSED:
		return "refused";
	case FATE_PASSES:
		return "passes";
	case FATE_ABSENT:
		return "no ABI of the policy has it";
	case FATE_BY_ARGUMENTS:
		break;
	}
	return "refused in part";
}

void kernel_answer_print(struct compilation *compilation, const struct policy *policy,
			 const struct kernel_answer *answer, const struct holdings *holdings,
			 struct strbuf *out)
{
	struct sheet sheet = { .compilation = compilation, .out = out };
	strbuf_printf(out, "%s: %s\n", answer->text, fate_word(answer));
	if (answer->capability_row) {
		row_print(&sheet, answer->capability_row);
		if (row_is_for_linux(answer->capability_row))
			sheet_line(&sheet, "drop",
				   "whoever starts a process drops it: 'dropCapabilities' of --emit json "
				   "lists it");
	} else if (answer->kind == KERNEL_CAPABILITY) {
		sheet_line(&sheet, "row", "none; forbid %s  adr …  because \"…\"    in %s", answer->text,
			   policy->layers[policy->layer_count - 1].source->path);
	}
	if (answer->kind == KERNEL_CALL)
		abis_print(&sheet, &answer->calls[0]);
	else
		fates_print(&sheet, answer);
	causes_print(&sheet, policy, answer);
	surroundings_print(&sheet, answer);
	sheet_holdings(&sheet, holdings);
}
