#include "compiler/diff/keepers.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/match.h"
#include "compiler/policy/policy.h"

/* The roles with a row of one subject. */
struct owners {
	size_t *roles; /* by their places */
	size_t count, capacity;
};

struct answer {
	const char *names[LIST_SHOWN];
	size_t count;
};

struct keepers {
	struct arena *arena;
	const struct policy *policy;
	struct map *owners;  /* by subject */
	struct map *answers; /* by the commands, each with its end */
	size_t *lost;        /* of each role: the question at which it did not keep all */
	size_t question;
};

static void owner_add(struct keepers *keepers, size_t role, const struct row *row)
{
	void **place = map_at(keepers->owners, row->subject, strlen(row->subject));
	struct owners *owners = *place ? *place : arena_alloc(keepers->arena, sizeof *owners);
	*place = owners;
	owners->roles = arena_grow(keepers->arena, owners->roles, owners->count, &owners->capacity,
				   sizeof *owners->roles);
	owners->roles[owners->count++] = role;
}

struct keepers *keepers_new(struct arena *arena, const struct policy *policy)
{
	struct keepers *keepers = arena_alloc(arena, sizeof *keepers);
	keepers->arena = arena;
	keepers->policy = policy;
	keepers->owners = map_new(arena, 0);
	keepers->answers = map_new(arena, 0);
	keepers->lost = arena_array(arena, policy->role_count, sizeof *keepers->lost);
	for (size_t i = 0; i < policy->role_count; i++)
		for (size_t k = 0; k < policy->roles[i]->row_count; k++)
			owner_add(keepers, i, policy->roles[i]->rows[k]);
	return keepers;
}

/* Marks the roles that a row of these words takes the command from; how many are new. */
static size_t losers_mark(struct keepers *keepers, const char *words, size_t size, const char *command)
{
	size_t count = 0;
	const struct owners *owners = map_value(keepers->owners, words, size);
	for (size_t i = 0; owners && i < owners->count; i++) {
		size_t role = owners->roles[i];
		if (keepers->lost[role] == keepers->question ||
		    block_verdict(keepers->policy, keepers->policy->roles[role], command) == VERDICT_ALLOWED)
			continue;
		keepers->lost[role] = keepers->question;
		count++;
	}
	return count;
}

/* A role without a row that begins the command does with it what the layers do. */
static size_t command_losers(struct keepers *keepers, const char *command)
{
	size_t count = 0, size = 0;
	do {
		size += command[size] == ' ';
		size += strcspn(command + size, " ");
		count += losers_mark(keepers, command, size, command);
	} while (command[size]);
	return count;
}

static void answer_make(struct keepers *keepers, const char *const *commands, size_t count,
			struct answer *answer)
{
	const struct policy *policy = keepers->policy;
	size_t losers = 0, shown = 0;
	keepers->question++;
	for (size_t i = 0; i < count; i++) {
		if (policy_verdict(policy, commands[i]) != VERDICT_ALLOWED)
			return; /* roles only narrow */
		losers += command_losers(keepers, commands[i]);
	}
	answer->count = policy->role_count - losers;
	for (size_t i = 0; shown < LIST_SHOWN && shown < answer->count; i++)
		if (keepers->lost[i] != keepers->question)
			answer->names[shown++] = policy->roles[i]->name;
}

size_t keepers_of(struct keepers *keepers, const char *const *commands, size_t count,
		  const char *const **names)
{
	struct strbuf key = STRBUF_INIT;
	for (size_t i = 0; i < count; i++)
		strbuf_add(&key, commands[i], strlen(commands[i]) + 1);
	const struct answer *known = map_value(keepers->answers, key.bytes, key.size);
	if (!known) {
		struct answer *answer = arena_alloc(keepers->arena, sizeof *answer);
		answer_make(keepers, commands, count, answer);
		*map_at(keepers->answers, arena_copy(keepers->arena, key.bytes, key.size), key.size) = answer;
		known = answer;
	}
	strbuf_release(&key);
	*names = known->names;
	return known->count;
}
