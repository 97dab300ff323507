#include "compiler/explain/call_answer.h"

#include <string.h>

#include "backends/filter/oracle.h"
#include "backends/filter/proof_points.h"
#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/base/suggest.h"
#include "compiler/data/known_needs.h"

struct asker {
	struct arena *arena;
	const struct policy *policy;
	const struct oracle *oracle;
};

/* ---- one call ---- */

/* One number of one ABI, and what it gets with arguments that no condition asks for. */
struct sameness {
	const struct oracle *oracle;
	uint32_t arch, number;
	struct action action;
	bool same;
};

static void sameness_ask(const uint64_t *arguments, void *context)
{
	struct sameness *sameness = context;
	struct action action = oracle_action(sameness->oracle, sameness->arch, sameness->number, arguments);
	sameness->same = sameness->same && action_equal(action, sameness->action);
}

/* Where arguments decide between errno and kill, or between to pass and to be logged. */
static bool action_is_chosen(const struct asker *asker, const struct syscall_entry *call, enum abi abi,
			     uint32_t number, struct action action)
{
	struct sameness sameness = { asker->oracle, abi_facts(abi)->token, number, action, true };
	struct arena *scratch = arena_new();
	proof_points(scratch, asker->policy, call, abi, sameness_ask, &sameness);
	arena_free(scratch);
	return !sameness.same;
}

static struct abi_answer abi_ask(const struct asker *asker, const struct syscall_entry *call, enum abi abi)
{
	static const uint64_t arguments[6];
	if (call->numbers[abi] < 0)
		return (struct abi_answer){ .abi = abi, .fate = FATE_ABSENT };
	if (call_is_split(asker->policy, call, abi))
		return (struct abi_answer){ .abi = abi, .fate = FATE_BY_ARGUMENTS };
	uint32_t number = abi_facts(abi)->base + (uint32_t)call->numbers[abi];
	struct oracle_answer found = oracle_answer(asker->oracle, abi_facts(abi)->token, number, arguments);
	return (struct abi_answer){
		.abi = abi,
		.fate = action_passes(found.action) ? FATE_PASSES : FATE_REFUSED,
		.action = found.action,
		.chosen = found.conditional && action_is_chosen(asker, call, abi, number, found.action),
	};
}

static size_t rules_of(const struct call_rule *rules, size_t count, const struct syscall_entry *call,
		       size_t *begin)
{
	size_t end = *begin = call_rules_begin(rules, count, call);
	while (end < count && rules[end].call == call)
		end++;
	return end - *begin;
}

static struct cause cause_of(const struct call_rule *rule, bool denies)
{
	return (struct cause){
		.row = rule->row,
		.condition = rule->condition ? rule->condition->text : NULL,
		.capability = rule->capability ? rule->capability->name : NULL,
		.action = rule->action,
		.denies = denies,
	};
}

static void causes_find(const struct asker *asker, struct call_answer *answer)
{
	const struct seccomp *seccomp = &asker->policy->seccomp;
	size_t denied_begin, allowed_begin, entry_count;
	size_t denied = rules_of(seccomp->denied, seccomp->denied_count, answer->call, &denied_begin);
	size_t allowed = rules_of(seccomp->allowed, seccomp->allowed_count, answer->call, &allowed_begin);
	const struct call_reference *entries = base_entries(seccomp, answer->call, &entry_count);
	struct cause *causes = arena_array(asker->arena, denied + allowed + entry_count, sizeof *causes);
	size_t count = 0;
	for (size_t i = 0; i < denied; i++)
		causes[count++] = cause_of(&seccomp->denied[denied_begin + i], true);
	for (size_t i = 0; i < allowed; i++)
		causes[count++] = cause_of(&seccomp->allowed[allowed_begin + i], false);
	for (size_t i = 0; i < entry_count; i++)
		causes[count++] = (struct cause){
			.row = seccomp->base_row,
			.condition = entries[i].condition ? entries[i].condition->text : NULL,
			.base = true,
		};
	answer->causes = causes;
	answer->cause_count = count;
}

static struct call_answer call_ask(const struct asker *asker, const struct syscall_entry *call)
{
	struct abi_answer *abis = arena_array(asker->arena, ABI_COUNT, sizeof *abis);
	struct call_answer answer = { .call = call, .abis = abis };
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(asker->policy, abi))
			abis[answer.abi_count++] = abi_ask(asker, call, abi);
	causes_find(asker, &answer);
	return answer;
}

enum call_fate call_fate_overall(const struct call_answer *answer)
{
	enum call_fate overall = FATE_ABSENT;
	for (size_t i = 0; i < answer->abi_count; i++) {
		enum call_fate fate = answer->abis[i].fate;
		if (fate == FATE_ABSENT || fate == overall)
			continue;
		overall = overall == FATE_ABSENT ? fate : FATE_BY_ARGUMENTS;
	}
	return overall;
}

/* ---- what stands around it ---- */

static bool has_fate(const struct call_answer *answer, enum call_fate fate)
{
	for (size_t i = 0; i < answer->abi_count; i++)
		if (answer->abis[i].fate == fate)
			return true;
	return false;
}

static const struct call_answer *call_find(const struct kernel_answer *answer, const char *name)
{
	for (size_t i = 0; i < answer->call_count; i++)
		if (strcmp(answer->calls[i].call->name, name) == 0)
			return &answer->calls[i];
	return NULL;
}

/* Whether it is among what was asked for, and refused whatever its arguments on some ABI. */
static bool is_refused(const struct kernel_answer *answer, const char *name)
{
	const struct call_answer *call = call_find(answer, name);
	return call && has_fate(call, FATE_REFUSED);
}

/* The same, or with some arguments. */
static bool is_touched(const struct kernel_answer *answer, const char *name)
{
	const struct call_answer *call = call_find(answer, name);
	return call && (has_fate(call, FATE_REFUSED) || has_fate(call, FATE_BY_ARGUMENTS));
}

static bool door_concerns(const struct door *door, const struct kernel_answer *answer)
{
	if (is_touched(answer, door->refused->name))
		return true;
	for (const char *const *name = door->calls; name && *name; name++)
		if (is_touched(answer, *name))
			return true;
	return false;
}

static void doors_find(const struct asker *asker, struct kernel_answer *answer)
{
	const struct policy *policy = asker->policy;
	const struct door **doors = arena_array(asker->arena, policy->door_count, sizeof *doors);
	for (size_t i = 0; i < policy->door_count; i++)
		if (policy->doors[i].row->block ? call_find(answer, policy->doors[i].refused->name) != NULL
						: door_concerns(&policy->doors[i], answer))
			doors[answer->door_count++] = &policy->doors[i];
	answer->doors = doors;
}

static bool gates(const struct capability *capability, const char *call)
{
	for (const char *const *name = capability->number_calls; *name; name++)
		if (strcmp(*name, call) == 0)
			return true;
	return false;
}

static bool any_is_touched(const struct kernel_answer *answer)
{
	for (size_t i = 0; i < answer->call_count; i++)
		if (is_touched(answer, answer->calls[i].call->name))
			return true;
	return false;
}

/* Of a group no capability's notes are told: they would be many, and beside the question. */
static bool capability_concerns(const struct capability *capability, const struct kernel_answer *answer)
{
	if (answer->kind == KERNEL_CAPABILITY)
		return capability == answer->capability && (answer->capability_row || any_is_touched(answer));
	const char *call = answer->kind == KERNEL_CALL ? answer->calls[0].call->name : NULL;
	return call && is_touched(answer, call) && gates(capability, call);
}

static void capability_doors_find(const struct asker *asker, struct kernel_answer *answer)
{
	const char **notes = arena_array(asker->arena, capability_table_size, sizeof *notes);
	for (size_t i = 0; i < capability_table_size; i++)
		if (*capability_table[i].note && capability_concerns(&capability_table[i], answer))
			notes[answer->capability_door_count++] = arena_printf(
				asker->arena, "%s: %s", capability_table[i].name, capability_table[i].note);
	answer->capability_doors = notes;
}

static void breaks_find(const struct asker *asker, struct kernel_answer *answer)
{
	const struct breakage **breaks = arena_array(asker->arena, breakage_table_size, sizeof *breaks);
	for (size_t i = 0; i < breakage_table_size; i++)
		if (is_refused(answer, breakage_table[i].call))
			breaks[answer->break_count++] = &breakage_table[i];
	answer->breaks = breaks;
}

static bool program_needs(const struct known_need *need, const struct kernel_answer *answer)
{
	if (need->capability)
		return answer->capability_row && strcmp(need->capability, answer->capability->name) == 0;
	for (const char *const *call = need->calls; *call; call++)
		if (is_refused(answer, *call))
			return true;
	return false;
}

static void programs_find(const struct asker *asker, struct kernel_answer *answer)
{
	const char **programs = arena_array(asker->arena, known_need_table_size, sizeof *programs);
	for (size_t i = 0; i < known_need_table_size; i++)
		if (program_needs(&known_need_table[i], answer))
			programs[answer->program_count++] = known_need_table[i].program;
	answer->programs = programs;
}

static bool need_names(const struct need *need, const struct kernel_answer *answer)
{
	if (answer->kind == KERNEL_CAPABILITY)
		return need->capability == answer->capability;
	for (size_t i = 0; i < need->call_count; i++)
		for (size_t k = 0; k < answer->call_count; k++)
			if (need->calls[i].call == answer->calls[k].call)
				return true;
	return false;
}

static void needed_find(const struct asker *asker, struct kernel_answer *answer)
{
	const struct row **rows = NULL;
	size_t capacity = 0;
	for (size_t i = 0; i < asker->policy->row_count; i++) {
		const struct row *row = asker->policy->rows[i];
		bool named = false;
		for (size_t k = 0; row->verb == VERB_ALLOW && k < row_more(row)->need_count; k++)
			named = named || need_names(&row_more(row)->needs[k], answer);
		if (!named)
			continue;
		rows = arena_grow(asker->arena, rows, answer->needed_count, &capacity, sizeof *rows);
		rows[answer->needed_count++] = row;
	}
	answer->needed_by = rows;
}

/* ---- roles ---- */

struct role_answers {
	struct arena *arena;
	struct map *known; /* by their rows' pointers */
	struct role_answer *items;
	size_t count, capacity;
};

static void role_answer_add(struct role_answers *answers, struct role_answer answer)
{
	const struct row **key = arena_alloc(answers->arena, sizeof *key);
	*key = answer.row;
	void **place = map_at(answers->known, (const char *)key, sizeof *key);
	if (*place)
		return;
	*place = (void *)answer.row;
	answers->items = arena_grow(answers->arena, answers->items, answers->count, &answers->capacity,
				    sizeof *answers->items);
	answers->items[answers->count++] = answer;
}

/* Whether the layers refuse all of the call with that. */
static bool is_refused_with(const struct call_answer *answer, struct action action)
{
	for (size_t i = 0; i < answer->abi_count; i++) {
		const struct abi_answer *abi = &answer->abis[i];
		if (abi->fate != FATE_ABSENT &&
		    (abi->fate != FATE_REFUSED || abi->chosen || !action_equal(abi->action, action)))
			return false;
	}
	return true;
}

/* What it does: with a condition and the action of `deny-with` it stands behind one with another for all of
 * the call. */
static struct action rule_effect(const struct seccomp *seccomp, const struct call_rule *rules, size_t count,
				 const struct call_rule *rule)
{
	for (size_t i = 0; rule->condition && action_equal(rule->action, seccomp->deny) && i < count; i++)
		if (!rules[i].condition && !action_passes(rules[i].action))
			return rules[i].action;
	return rule->action;
}

/* Its own rows behind the rules of one call, as far as it has a filter of its own. */
static void role_rules_ask(struct role_answers *answers, const struct policy *policy,
			   const struct block *role, const struct call_answer *call)
{
	const struct seccomp *seccomp = role->seccomp;
	size_t begin,
		count = seccomp ? rules_of(seccomp->denied, seccomp->denied_count, call->call, &begin) : 0;
	for (size_t i = 0; i < count; i++) {
		const struct call_rule *rule = &seccomp->denied[begin + i];
		struct action action = rule_effect(seccomp, &seccomp->denied[begin], count, rule);
		if (rule->row->block && !action_passes(rule->action) && rule_can_hold(policy, rule))
			role_answer_add(answers, (struct role_answer){ rule->row, action, true,
								       is_refused_with(call, action) });
	}
}

static bool references_have(const struct call_reference *references, size_t count,
			    const struct syscall_entry *call)
{
	for (size_t i = 0; i < count; i++)
		if (references[i].call == call)
			return true;
	return false;
}

static bool row_denies(const struct row *row, const struct syscall_entry *call)
{
	if (row->verb != VERB_FORBID || !row_is_for_linux(row))
		return false;
	if (row->kind == SUBJECT_CAPABILITY)
		return gates(capability_find(row->subject), call->name);
	if (row->kind == SUBJECT_SYSCALL)
		return references_have(row->calls, row->call_count, call) &&
		       !(row_more(row)->has_action && action_passes(row_more(row)->action));
	for (size_t i = 0; i < row_more(row)->need_count; i++)
		if (references_have(row_more(row)->needs[i].calls, row_more(row)->needs[i].call_count, call))
			return true;
	return false;
}

/* What a role without a filter of its own denies is what the layers deny already. */
static void role_rows_ask(struct role_answers *answers, const struct block *role,
			  const struct kernel_answer *answer)
{
	for (size_t i = 0; i < role->row_count; i++) {
		const struct row *row = role->rows[i];
		for (size_t k = 0; !role->seccomp && k < answer->call_count; k++)
			if (is_touched(answer, answer->calls[k].call->name) &&
			    row_denies(row, answer->calls[k].call))
				role_answer_add(answers, (struct role_answer){ .row = row, .already = true });
		if (answer->kind == KERNEL_CAPABILITY && row->kind == SUBJECT_CAPABILITY &&
		    row_is_for_linux(row) && strcmp(row->subject, answer->capability->name) == 0)
			role_answer_add(answers, (struct role_answer){ .row = row });
	}
}

static void roles_find(const struct asker *asker, struct kernel_answer *answer)
{
	struct role_answers answers = { .arena = asker->arena, .known = map_new(asker->arena, 0) };
	for (size_t i = 0; i < asker->policy->role_count; i++) {
		for (size_t k = 0; k < answer->call_count; k++)
			role_rules_ask(&answers, asker->policy, asker->policy->roles[i], &answer->calls[k]);
		role_rows_ask(&answers, asker->policy->roles[i], answer);
	}
	answer->roles = answers.items;
	answer->role_count = answers.count;
}

/* ---- the subjects ---- */

static const char *unknown(struct arena *arena, const char *what, const char *name, const char *nearest)
{
	return nearest ? arena_printf(arena, "there is no %s '%s'; did you mean '%s'?", what, name, nearest)
		       : arena_printf(arena, "there is no %s '%s'", what, name);
}

static void calls_set(const struct asker *asker, const struct syscall_entry *const *entries, size_t count,
		      struct kernel_answer *answer)
{
	struct call_answer *calls = arena_array(asker->arena, count, sizeof *calls);
	for (size_t i = 0; i < count; i++)
		calls[i] = call_ask(asker, entries[i]);
	answer->calls = calls;
	answer->call_count = count;
}

static bool call_subject(const struct asker *asker, const char *name, struct kernel_answer *answer,
			 const char **message)
{
	const struct syscall_entry *call = syscall_find(name);
	if (!call) {
		*message = unknown(asker->arena, "system call", name, syscall_nearest(name));
		return false;
	}
	answer->text = arena_printf(asker->arena, "syscall %s", name);
	calls_set(asker, &call, 1, answer);
	return true;
}

static bool group_subject(const struct asker *asker, const char *name, struct kernel_answer *answer,
			  const char **message)
{
	const struct policy *policy = asker->policy;
	struct suggestion near = suggestion_begin(name);
	for (size_t i = 0; i < policy->group_count && !answer->group; i++) {
		suggestion_offer(&near, policy->groups[i].name);
		if (strcmp(policy->groups[i].name, name) == 0)
			answer->group = &policy->groups[i];
	}
	if (!answer->group) {
		*message = unknown(asker->arena, "group", name, near.nearest);
		return false;
	}
	const struct syscall_entry **calls =
		arena_array(asker->arena, answer->group->call_count, sizeof *calls);
	size_t count = 0;
	for (size_t i = 0; i < answer->group->call_count; i++)
		if (!count || calls[count - 1] != answer->group->calls[i].call)
			calls[count++] = answer->group->calls[i].call;
	answer->text = name;
	calls_set(asker, calls, count, answer);
	return true;
}

static bool capability_subject(const struct asker *asker, const char *name, struct kernel_answer *answer,
			       const char **message)
{
	const struct capability *capability = answer->capability = capability_find(name);
	if (!capability) {
		*message = unknown(asker->arena, "capability", name, capability_nearest(name));
		return false;
	}
	size_t count = 0, number = 0, argument = 0;
	while (capability->number_calls[number])
		number++;
	while (capability->argument_calls[argument])
		argument++;
	const struct syscall_entry **calls = arena_array(asker->arena, number + argument, sizeof *calls);
	for (size_t i = 0; i < number; i++)
		calls[count++] = syscall_find(capability->number_calls[i]);
	for (size_t i = 0; i < argument; i++)
		calls[count++] = syscall_find(capability->argument_calls[i]);
	for (size_t i = 0; i < asker->policy->row_count; i++) {
		const struct row *row = asker->policy->rows[i];
		if (row->kind == SUBJECT_CAPABILITY && strcmp(row->subject, name) == 0)
			answer->capability_row = row;
	}
	answer->text = name;
	calls_set(asker, calls, count, answer);
	return true;
}

bool kernel_answer(struct arena *arena, const struct policy *policy, enum kernel_subject kind,
		   const char *name, struct kernel_answer *answer, const char **message)
{
	const struct asker asker = { arena, policy, oracle_new(arena, policy) };
	*answer = (struct kernel_answer){ .kind = kind };
	bool known = kind == KERNEL_CALL    ? call_subject(&asker, name, answer, message)
		     : kind == KERNEL_GROUP ? group_subject(&asker, name, answer, message)
					    : capability_subject(&asker, name, answer, message);
	if (!known)
		return false;
	doors_find(&asker, answer);
	capability_doors_find(&asker, answer);
	breaks_find(&asker, answer);
	programs_find(&asker, answer);
	needed_find(&asker, answer);
	roles_find(&asker, answer);
	return true;
}
