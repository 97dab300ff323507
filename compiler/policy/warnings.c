/* Checks of the whole policy that only warn. */
#include <string.h>

#include "compiler/policy/resolver.h"

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
	if (same && diags_errors(resolver_diags(resolver))) /* two tools of one spelling are an error by themselves */
		return;
	if (same) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_SPELLING_TWIN, row->span,
						   "'%s' is spelled '%s', as '%s' is", row->subject, row->spelling,
						   same->subject);
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
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_SPELLING_TWIN, block->span,
						   "'%s' is one letter away from '%s'", block->name, other->name);
		diag_note(d, other->span, "the other one stands here");
		diag_help(d, "if both are meant to be one, give them one name");
	}
}

/* ---- rows that do less than they say ---- */

static void warn_prefix_forbid(struct resolver *resolver, const struct row *row)
{
	const char *blank = strrchr(row->subject, ' ');
	if (row->verb != VERB_FORBID || !blank)
		return;
	const char *shorter =
		arena_copy(resolver->compilation->arena, row->subject, (size_t)(blank - row->subject));
	const struct row *program = policy_match(resolver->policy, shorter);
	if (!program || program->verb != VERB_ALLOW)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_PREFIX_FORBID, row->span,
					   "'%s' is advisory: options before the sub-command defeat it",
					   row->subject);
	diag_note(d, program->span, "'%s' is allowed here%s", program->subject, row_authority(resolver, program));
	diag_help(d, "to refuse it for certain, do not allow '%s', or wrap it", program->subject);
}

/* Of rows that are in force when all layers are: one above may have revoked what was declined here. */
static void warn_declined(struct resolver *resolver, const struct row *row)
{
	const struct row *lower = row->verb == VERB_DECLINE ? policy_match(resolver->policy, row->subject) : NULL;
	if (!lower || lower->verb != VERB_ALLOW || lower->layer->index >= row->layer->index)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_DECLINED, row->span,
					   "'%s' is declined here, but a layer below allows it", row->subject);
	diag_note(d, lower->span, "allowed here%s; it stays allowed", row_authority(resolver, lower));
	diag_help(d, "to take it away, revoke the lower row; to keep it, this row says only that no layer adds it "
		     "again");
}

static void warn_expired(struct resolver *resolver, const struct row *row)
{
	const char *today = resolver->compilation->today;
	if (!today || !row->until || strcmp(row->until, today) >= 0)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_EXPIRED, row->span,
					   "'%s' was %s until %s, which is past", row->subject,
					   row->verb == VERB_ALLOW ? "allowed" : "decided", row->until);
	diag_help(d, "revoke or remove the row, or give it a new date by an ADR");
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

/* ---- doors that stay open ---- */

/* Calls of 32-bit x86 that do what many others do, told by an argument: socketcall(2), ipc(2). */
static const struct multiplexer {
	const char *name;
	const char *const *does;
} multiplexers[] = {
	{ "socketcall",
	  (const char *const[]){ "socket", "bind", "connect", "listen", "accept", "accept4", "getsockname",
				 "getpeername", "socketpair", "send", "recv", "sendto", "recvfrom", "shutdown",
				 "setsockopt", "getsockopt", "sendmsg", "recvmsg", "recvmmsg", "sendmmsg", NULL } },
	{ "ipc",
	  (const char *const[]){ "semop", "semget", "semctl", "semtimedop", "msgsnd", "msgrcv", "msgget", "msgctl",
				 "shmat", "shmdt", "shmget", "shmctl", NULL } },
};

/* The first named ABI that has the call. */
static enum abi abi_with(const struct policy *policy, const struct syscall_entry *call)
{
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && call->numbers[abi] >= 0)
			return abi;
	return ABI_COUNT;
}

static const struct call_rule *first_denied(const struct policy *policy, const char *const *names)
{
	for (; *names; names++) {
		const struct syscall_entry *call = syscall_find(*names);
		const struct call_rule *denial = call ? denial_find(policy, call) : NULL;
		if (denial && !action_passes(denial->action))
			return denial;
	}
	return NULL;
}

static void warn_multiplexer(struct resolver *resolver, const struct multiplexer *multiplexer)
{
	const struct policy *policy = resolver->policy;
	const struct syscall_entry *call = syscall_find(multiplexer->name);
	enum abi abi = call ? abi_with(policy, call) : ABI_COUNT;
	const struct call_rule *denial = abi < ABI_COUNT ? first_denied(policy, multiplexer->does) : NULL;
	if (!denial || !call_may_pass(policy, call, NULL, abi))
		return;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_INCOMPLETE_GROUP, denial->row->span,
			    "%s is denied%s, but %s does the same on %s and passes", denial->call->name,
			    denial->condition ? " to some arguments" : "", call->name, abi_facts(abi)->name);
	diag_help(d, "close it too, or leave that ABI out:");
	diag_fix(d, "forbid syscall %s  adr %s  because \"…\"", call->name,
		 row_reference(denial->row));
}

/* A filter that looks at clone's flags, and a row that lets clone3 pass, which has them behind a pointer. */
static void warn_clone3(struct resolver *resolver)
{
	const struct policy *policy = resolver->policy;
	const struct syscall_entry *clone = syscall_find("clone"), *clone3 = syscall_find("clone3");
	const struct seccomp *seccomp = &policy->seccomp;
	size_t at = call_rules_begin(seccomp->allowed, seccomp->allowed_count, clone3);
	if (at == seccomp->allowed_count || seccomp->allowed[at].call != clone3)
		return;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (!policy_names_abi(policy, abi) || clone->numbers[abi] < 0 || clone3->numbers[abi] < 0 ||
		    !call_is_split(policy, clone, abi) || !call_may_pass(policy, clone3, NULL, abi))
			continue;
		struct diagnostic *d = diag_report(
			resolver_diags(resolver), DIAG_INCOMPLETE_GROUP, seccomp->allowed[at].row->span,
			"clone is refused to some arguments, but clone3 does the same on %s "
			"and passes",
			abi_facts(abi)->name);
		diag_help(d, "remove clone3 here: it then gets ENOSYS, and C libraries call clone");
		return;
	}
}

void policy_warn(struct resolver *resolver)
{
	warn_clone3(resolver);

	for (size_t i = 0; i < sizeof multiplexers / sizeof *multiplexers; i++)
		warn_multiplexer(resolver, &multiplexers[i]);
	struct map *spellings = map_new(resolver->compilation->arena, 0);
	for (size_t i = 0; i < resolver->row_count; i++) {
		const struct row *row = resolver->rows[i];
		warn_expired(resolver, row);
		if (is_command(row)) {
			warn_spelling(resolver, spellings, row);
			warn_prefix_forbid(resolver, row);
			warn_declined(resolver, row);
		}
		if (row->kind == SUBJECT_CAPABILITY && !row->broken)
			warn_unseen(resolver, row);
	}
	for (size_t i = 0; i < resolver->block_count; i++) {
		const struct block_work *work = resolver->blocks[i];
		for (size_t r = 0; r < work->block.row_count; r++) {
			warn_expired(resolver, work->rows[r]);
			if (is_command(work->rows[r]))
				warn_prefix_forbid(resolver, work->rows[r]);
		}
	}
	warn_blocks(resolver);
}
