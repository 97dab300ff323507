/* Checks of the whole policy that only warn. */
#include <string.h>

#include "compiler/data/launchers.h"
#include "compiler/policy/resolver.h"
#include "compiler/policy/row_subject.h"

static bool is_command(const struct row *row)
{
	return row->kind == SUBJECT_COMMAND && !row->broken;
}

/* ---- names that are easily taken for another ---- */

static void warn_spelling(struct resolver *resolver, struct map *spellings, const struct row *row)
{
	if (row->verb != VERB_ALLOW || strcmp(row->spelling, row->subject) == 0)
		return;
	void **known = map_at(spellings, row->spelling, strlen(row->spelling));
	const struct row *same = *known;
	if (same &&
	    diags_errors(resolver_diags(resolver))) /* two tools of one spelling are an error by themselves */
		return;
	if (same) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_SPELLING_TWIN, row->span,
						   "'%s' is spelled '%s', as '%s' is", row->subject,
						   row->spelling, same->subject);
		diag_note(d, same->span, "the other one stands here");
		diag_help(d, "give one of them a spelling of its own: as NAME");
		return;
	}
	*known = (void *)row;
	const struct row *twin = policy_find(resolver->policy, row->spelling);
	if (!twin)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_SPELLING_TWIN, twin->span,
					   "the command '%s' is also how '%s' is spelled", twin->subject,
					   row->subject);
	diag_note(d, row->span, "this row is spelled so where no blank can stand");
	diag_help(d, "give that one a spelling of its own: as NAME");
}

/* One insertion, deletion, replacement or swap of neighbours apart, in linear time. */
static bool one_edit_apart(const char *a, const char *b)
{
	size_t a_size = strlen(a), b_size = strlen(b), begin = 0, end = 0;
	while (begin < a_size && begin < b_size && a[begin] == b[begin])
		begin++;
	while (end + begin < a_size && end + begin < b_size && a[a_size - 1 - end] == b[b_size - 1 - end])
		end++;
	size_t a_rest = a_size - begin - end, b_rest = b_size - begin - end;
	if (a_rest <= 1 && b_rest <= 1)
		return a_rest + b_rest > 0;
	return a_rest == 2 && b_rest == 2 && a[begin] == b[begin + 1] && a[begin + 1] == b[begin];
}

/*
 * Names one edit apart have a form in common: the name itself, or the name without one of its letters.
 * So each block is compared with those before it that share a form: 20,000 roles are no 200 million pairs.
 */
struct sharer {
	size_t block;
	const struct sharer *older;
};

struct twins {
	const struct resolver *resolver;
	struct map *forms;  /* each form to its latest sharer */
	size_t block, twin; /* that is looked at, and the first one that it resembles; equal without one */
};

static void form_share(struct twins *twins, const char *form, size_t size)
{
	struct block_work *const *blocks = twins->resolver->blocks;
	const struct block *block = &blocks[twins->block]->block;
	void **place = map_at(twins->forms, form, size);
	for (const struct sharer *at = *place; at; at = at->older) {
		const struct block *other = &blocks[at->block]->block;
		if (at->block < twins->twin && other->kind == block->kind &&
		    one_edit_apart(block->name, other->name))
			twins->twin = at->block;
	}
	struct sharer *sharer = arena_alloc(twins->resolver->compilation->arena, sizeof *sharer);
	*sharer = (struct sharer){ twins->block, *place };
	*place = sharer;
}

static void twin_find(struct twins *twins, size_t index)
{
	const char *name = twins->resolver->blocks[index]->block.name;
	size_t size = strlen(name);
	twins->block = twins->twin = index;
	form_share(twins, name, size);
	for (size_t left_out = 0; left_out < size; left_out++) {
		if (left_out && name[left_out] == name[left_out - 1])
			continue; /* the same form again */
		char *form = arena_copy(twins->resolver->compilation->arena, name, size);
		memmove(form + left_out, form + left_out + 1, size - left_out);
		form_share(twins, form, size - 1);
	}
}

static void warn_blocks(struct resolver *resolver)
{
	if (!diag_enabled(resolver_diags(resolver), DIAG_SPELLING_TWIN))
		return;
	struct twins twins = { .resolver = resolver, .forms = map_new(resolver->compilation->arena, 0) };
	for (size_t i = 0; i < resolver->block_count; i++) {
		twin_find(&twins, i);
		if (twins.twin == i)
			continue;
		const struct block *block = &resolver->blocks[i]->block;
		const struct block *other = &resolver->blocks[twins.twin]->block;
		struct diagnostic *d =
			diag_report(resolver_diags(resolver), DIAG_SPELLING_TWIN, block->span,
				    "'%s' is one letter away from '%s'", block->name, other->name);
		diag_note(d, other->span, "the other one stands here");
		diag_help(d, "if both are meant to be one, give them one name");
	}
}

/* ---- rows that do less than they say ---- */

/* What would decide the command without this row; NULL where nothing would. */
static const struct row *shorter_match(const struct resolver *resolver, const struct row *row)
{
	const char *blank = strrchr(row->subject, ' ');
	if (!blank)
		return NULL;
	const char *shorter =
		arena_copy(resolver->compilation->arena, row->subject, (size_t)(blank - row->subject));
	return row->block ? block_match(resolver->policy, row->block, shorter)
			  : policy_match(resolver->policy, shorter);
}

/* "docker *" means no more than a word "*"; one in its first word is an error. */
static bool has_glob(const struct row *row)
{
	return strchr(row->subject, '*') != NULL;
}

static void help_glob(struct resolver *resolver, struct diagnostic *d, const struct row *row)
{
	struct arena *arena = resolver->compilation->arena;
	size_t size = strlen(row->subject) - strlen(" *");
	const char *shorter = arena_copy(arena, row->subject, size);
	if (strcmp(row->subject + size, " *") == 0 && !strchr(shorter, '*'))
		diag_help(d, "a row covers all that follows its words: %s %s", verb_word(row->verb),
			  command_as_subject(arena, shorter));
	else
		diag_help(d, "name each command by itself: a row covers all that follows its words");
}

static void warn_literal_glob(struct resolver *resolver, const struct row *row)
{
	if (!has_glob(row))
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_LITERAL_GLOB, row->span,
					   "the '*' in '%s' is taken as it is written: no row has patterns",
					   row->subject);
	if (d)
		help_glob(resolver, d, row);
}

static void warn_prefix_forbid(struct resolver *resolver, const struct row *row)
{
	bool advisory = row->verb == VERB_FORBID && !has_glob(row);
	const struct row *program = advisory ? shorter_match(resolver, row) : NULL;
	if (!program || program->verb != VERB_ALLOW)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_PREFIX_FORBID, row->span,
					   "'%s' is advisory: options before the sub-command defeat it",
					   row->subject);
	diag_note(d, program->span, "'%s' is allowed here%s", program->subject,
		  row_authority(resolver, program));
	diag_help(d, "to refuse it for certain, do not allow '%s', or wrap it", program->subject);
}

static void warn_launcher(struct resolver *resolver, const struct row *row)
{
	if (!diag_enabled(resolver_diags(resolver), DIAG_LAUNCHER))
		return;
	const struct launcher *launcher = row->verb == VERB_ALLOW ? launcher_find(row->subject) : NULL;
	if (!launcher)
		return;
	struct diagnostic *d = diag_report(
		resolver_diags(resolver), DIAG_LAUNCHER, row->span, "'%s' %s: who may run it may run %s",
		row->subject, launcher_relation(resolver->compilation->arena, launcher, row->subject),
		launcher->runs);
	diag_note(d, (struct span){ 0 }, "source: %s", launcher->source);
	diag_help(d, strchr(row->subject, ' ')
			     ? "allow a wrapper that runs one program"
			     : "allow the sub-commands that are meant, or a wrapper that runs one program");
}

static void warn_covered(struct resolver *resolver, const struct row *row)
{
	if (!diag_enabled(resolver_diags(resolver), DIAG_COVERED))
		return;
	bool adds = row->verb == VERB_ALLOW && !has_glob(row);
	const struct row *shorter = adds ? shorter_match(resolver, row) : NULL;
	if (!shorter || shorter->verb != VERB_ALLOW)
		return;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_COVERED, row->span,
			    "'%s' adds nothing: '%s' is allowed", row->subject, shorter->subject);
	diag_note(d, shorter->span, "allowed here%s", row_authority(resolver, shorter));
	diag_help(d, "keep it as a record, or for plugins that name it; to allow it alone, do not allow '%s'",
		  shorter->subject);
}

/* Of rows that are in force when all layers are: one above may have revoked what was declined here. */
static void warn_declined(struct resolver *resolver, const struct row *row)
{
	const struct row *lower =
		row->verb == VERB_DECLINE ? policy_match(resolver->policy, row->subject) : NULL;
	if (!lower || lower->verb != VERB_ALLOW || lower->layer->index >= row->layer->index)
		return;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_DECLINED, row->span,
			    "'%s' is declined here, but a layer below allows it", row->subject);
	diag_note(d, lower->span, "allowed here%s; it stays allowed", row_authority(resolver, lower));
	diag_help(
		d,
		"to take it away, revoke the lower row; to keep it, this row says only that no layer adds it "
		"again");
}

static void warn_expired(struct resolver *resolver, const struct row *row)
{
	const char *today = resolver->compilation->today;
	if (!today || !row_more(row)->until || strcmp(row_more(row)->until, today) >= 0)
		return;
	struct diagnostic *d = diag_report(
		resolver_diags(resolver), DIAG_EXPIRED, row->span, "'%s' was %s until %s, which is past",
		row->subject, row->verb == VERB_ALLOW ? "allowed" : "decided", row_more(row)->until);
	diag_help(d, "revoke or remove the row, or give it a new date by an ADR");
}

/* "macos, freebsd" */
static const char *platform_list(struct arena *arena, unsigned platforms)
{
	const char *list = "";
	for (enum platform at = 0; at < PLATFORM_COUNT; at++)
		if (platforms & 1u << at)
			list = arena_printf(arena, "%s%s%s", list, *list ? ", " : "", platform_word(at));
	return list;
}

/* Whether the row is there to deny or to allow system calls. */
static bool is_about_calls(const struct row *row)
{
	if (row->kind == SUBJECT_COMMAND)
		return row->verb == VERB_FORBID && row_more(row)->need_count;
	return row->verb == VERB_FORBID || row->verb == VERB_ALLOW;
}

/* Of a list of subjects, which have one `on`, the first is told. */
static void warn_platform(struct resolver *resolver, const struct row *row, const struct row *before)
{
	if (row_is_for_linux(row) || row->broken || !is_about_calls(row))
		return;
	if (before && before->layer == row->layer && before->statement == row->statement)
		return;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_PLATFORM, row->span,
			    "'%s %s' is for %s alone, and filters are for linux: it %s no system call",
			    verb_word(row->verb), subject_text(resolver, row),
			    platform_list(resolver->compilation->arena, row_more(row)->platforms),
			    row->verb == VERB_FORBID ? "denies" : "allows");
	diag_help(d, "add linux to its 'on', or remove 'on'");
}

/* What forbidding a capability does not deny, so that nobody takes the filter for more than it is. */
static void warn_unseen(struct resolver *resolver, const struct row *row)
{
	const struct capability *capability = capability_find(row->subject);
	if (capability_is_gated(capability))
		return;
	struct diagnostic *d = diag_report(
		resolver_diags(resolver), DIAG_CAPABILITY_UNSEEN, row->span,
		"no system call is denied for %s: a filter on system calls cannot see it", capability->name);
	if (*capability->note)
		diag_note(d, (struct span){ 0 }, "%s", capability->note);
	diag_help(d, "it is enforced where processes are started without it: --emit +json lists it in "
		     "'dropCapabilities'");
}

/* ---- calls of other ABIs ---- */

/* The first that has it, named or not: each call of the table has one. */
static enum abi abi_of(const struct syscall_entry *call)
{
	enum abi abi = 0;
	while (call->numbers[abi] < 0)
		abi++;
	return abi;
}

static bool same_statement(const struct row *a, const struct row *b)
{
	return a->layer == b->layer && a->statement == b->statement;
}

/* Whether the row names a call, which none of the policy's ABIs has. Groups are made for all ABIs. */
static bool is_of_other_abis(const struct policy *policy, const struct row *row)
{
	return row->kind == SUBJECT_SYSCALL && row->verb == VERB_FORBID && !row->broken && row->call_count &&
	       *row->subject != '@' && row_is_for_linux(row) && !policy_has_call(policy, row->calls[0].call);
}

/*
 * A statement that denies nothing, since the policy leaves out the ABIs of its calls; told at its first row. A
 * list may name what only some ABIs have, and a lower layer what it denies on ABIs that are left out above.
 */
static void warn_other_abi(struct resolver *resolver, const struct row *const *rows, size_t count,
			   size_t first)
{
	const struct row *row = rows[first];
	if (row->layer->index + 1 < resolver->policy->layer_count ||
	    (first && same_statement(rows[first - 1], row)))
		return;
	for (size_t i = first; i < count && same_statement(rows[i], row); i++)
		if (!is_of_other_abis(resolver->policy, rows[i]))
			return;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_OTHER_ABI, row->span,
			    "no ABI of this policy has the system call %s: %s has it", row->subject,
			    abi_facts(abi_of(row->calls[0].call))->name);
	diag_help(d, "name an ABI that has it, or remove the row: it denies nothing");
}

/* What rows of the layers, or of a role, say of the kernel. */
static void warn_kernel_rows(struct resolver *resolver, const struct row *const *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		warn_platform(resolver, rows[i], i ? rows[i - 1] : NULL);
		if (rows[i]->kind == SUBJECT_CAPABILITY && !rows[i]->broken && row_is_for_linux(rows[i]))
			warn_unseen(resolver, rows[i]);
		warn_other_abi(resolver, rows, count, i);
	}
}

static void warn_block_rows(struct resolver *resolver, const struct block *block)
{
	for (size_t i = 0; i < block->row_count; i++) {
		warn_expired(resolver, block->rows[i]);
		if (!is_command(block->rows[i]))
			continue;
		warn_literal_glob(resolver, block->rows[i]);
		warn_prefix_forbid(resolver, block->rows[i]);
	}
	if (block->kind == AST_ROLE)
		warn_kernel_rows(resolver, block->rows, block->row_count);
}

void policy_warn(struct resolver *resolver)
{
	struct map *spellings = map_new(resolver->compilation->arena, 0);
	for (size_t i = 0; i < resolver->row_count; i++) {
		const struct row *row = resolver->rows[i];
		warn_expired(resolver, row);
		if (is_command(row)) {
			warn_spelling(resolver, spellings, row);
			warn_literal_glob(resolver, row);
			warn_prefix_forbid(resolver, row);
			warn_launcher(resolver, row);
			warn_covered(resolver, row);
			warn_declined(resolver, row);
		}
	}
	warn_kernel_rows(resolver, (const struct row *const *)resolver->rows, resolver->row_count);
	for (size_t i = 0; i < resolver->block_count; i++)
		warn_block_rows(resolver, &resolver->blocks[i]->block);
	warn_blocks(resolver);
}
