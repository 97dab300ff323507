/* Programs that are known to need what the policy denies, and whose rows do not say so. */
#include <string.h>

#include "compiler/data/known_needs.h"
#include "compiler/policy/resolver.h"

/* What is denied of a known need. */
struct lack {
	const char *what;      /* "system call mount", "CAP_SETUID"; NULL: nothing */
	const struct row *row; /* that denies it; NULL: by omission */
};

/* Of a call that some arguments let pass nothing is said: which the program needs is not known. */
static struct lack call_lack(struct resolver *resolver, const char *name)
{
	const struct policy *policy = resolver->policy;
	const struct syscall_entry *call = syscall_find(name);
	const struct call_reference reference = { .call = call };
	if (!call || !policy_has_call(policy, call) || call_is_allowed(policy, &reference))
		return (struct lack){ NULL, NULL };
	const struct call_rule *denial = denial_find(policy, call);
	return (struct lack){ arena_printf(resolver->compilation->arena, "system call %s", name),
			      denial ? denial->row : NULL };
}

static struct lack lack_find(struct resolver *resolver, const struct known_need *need)
{
	struct lack lack = { NULL, NULL };
	if (need->capability) {
		lack.row = capability_row(resolver, need->capability);
		lack.what = lack.row ? need->capability : NULL;
		return lack;
	}
	for (const char *const *call = need->calls; *call && !lack.what; call++)
		lack = call_lack(resolver, *call);
	return lack;
}

/* "needs CAP_SETUID", "needs syscall mount, umount2": as the row would say it. */
static const char *attribute_text(struct arena *arena, const struct known_need *need)
{
	if (need->capability)
		return arena_printf(arena, "needs %s", need->capability);
	const char *text = arena_printf(arena, "needs syscall %s", need->calls[0]);
	for (const char *const *call = need->calls + 1; *call; call++)
		text = arena_printf(arena, "%s, %s", text, *call);
	return text;
}

static void report_unsaid(struct resolver *resolver, const struct row *row, const struct known_need *need,
			  struct lack lack)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_KNOWN_NEEDS, row->span,
					   "'%s' is allowed%s and needs %s, which is denied", row->subject,
					   in_role(resolver), lack.what);
	if (lack.row)
		diag_note(d, lack.row->span, "denied here%s", row_authority(resolver, lack.row));
	else if (resolver->policy->seccomp.base)
		diag_note(d, resolver->policy->seccomp.base_span, "this base does not list it");
	diag_note(d, (struct span){ 0 }, "%s", need->why);
	diag_help(d, "say so in the row, and every layer is held to it: %s",
		  attribute_text(resolver->compilation->arena, need));
}

static bool says_nothing(const struct row *row)
{
	return row->kind == SUBJECT_COMMAND && row->verb == VERB_ALLOW && !row->broken &&
	       !row_more(row)->need_count && row_is_for_linux(row);
}

/* What each known need lacks; false where none lacks anything, as in a policy that denies nothing. */
static bool lacks_find(struct resolver *resolver, struct lack *lacks)
{
	bool any = false;
	for (size_t i = 0; i < known_need_table_size; i++) {
		lacks[i] = lack_find(resolver, &known_need_table[i]);
		any = any || lacks[i].what;
	}
	return any;
}

/* Of a role, what its own rows deny; the rest was said of the layers. */
static bool is_lacked(const struct resolver *resolver, const struct row *row, const struct lack *lack)
{
	if (!lack || !lack->what || !resolver->role)
		return lack && lack->what;
	return lack->row && lack->row->block == resolver->role &&
	       block_verdict(resolver->policy, resolver->role, row->subject) == VERDICT_ALLOWED;
}

/* One message a program, however many of its commands are allowed. */
void unsaid_needs_warn(struct resolver *resolver)
{
	struct lack *lacks = arena_array(resolver->compilation->arena, known_need_table_size, sizeof *lacks);
	if (!lacks_find(resolver, lacks))
		return;
	for (size_t i = 0; i < resolver->row_count; i++) {
		const struct row *row = resolver->rows[i];
		const struct known_need *need = says_nothing(row) ? known_need_find(row->subject) : NULL;
		struct lack *lack = need ? &lacks[need - known_need_table] : NULL;
		if (!is_lacked(resolver, row, lack))
			continue;
		report_unsaid(resolver, row, need, *lack);
		lack->what = NULL;
	}
}
