#include "compiler/policy/restore.h"

#include <string.h>

#include "compiler/base/source.h"
#include "compiler/policy/parse.h"
#include "compiler/policy/resolver.h"

/*
 * A resolver of which only the parts about calls are used. Its mistakes are not the user's, who wrote no text
 * with such a place: its diagnostics are its own.
 */
struct restorer {
	struct compilation compilation;
	struct resolver resolver;
	struct map *calls; /* text to struct call_reference; NULL where it is none */
};

struct restorer *restorer_new(struct compilation *compilation)
{
	struct arena *arena = compilation->arena;
	struct restorer *restorer = arena_alloc(arena, sizeof *restorer);
	restorer->compilation = *compilation;
	restorer->compilation.diags = diags_new(arena, 1);
	restorer->calls = map_new(arena, 0);
	restorer->resolver = (struct resolver){
		.compilation = &restorer->compilation,
		.group_names = map_new(arena, 0),
		.broken = map_new(arena, 0),
	};
	return restorer;
}

bool restore_is_command(struct restorer *restorer, const char *text)
{
	const struct ast_word word = { .text = text }; /* of no source: as in quotes */
	return command_spelling_check(&restorer->resolver, &word);
}

/* ---- calls ---- */

/* The only entry of the only statement of a text; NULL where there is anything else. */
static const struct ast_entry *entry_parse(struct restorer *restorer, const char *text)
{
	struct compilation *compilation = &restorer->compilation;
	const char *whole = arena_printf(compilation->arena, "syscalls @c { %s }\n", text);
	const struct source *source = sources_add(compilation->sources, "a saved call", whole, strlen(whole));
	struct ast_layer layer;
	if (!layer_parse(compilation, source, &layer) || !layer.statements || layer.statements->next)
		return NULL;
	const struct ast_statement *statement = layer.statements->words->block;
	bool alone = statement && !statement->next && statement->entries.count == 1;
	return alone ? &statement->entries.items[0] : NULL;
}

static struct call_reference *call_bind_text(struct restorer *restorer, const char *text)
{
	const struct call_reference *calls;
	size_t count;
	const struct ast_entry *entry = entry_parse(restorer, text);
	if (!entry || !calls_bind(&restorer->resolver, entry, &calls, &count) || count != 1)
		return NULL;
	struct arena *arena = restorer->compilation.arena;
	if (strcmp(call_reference_text(arena, calls), text) != 0)
		return NULL;
	struct call_reference *kept = arena_alloc(arena, sizeof *kept);
	*kept = *calls;
	return kept;
}

bool restore_call(struct restorer *restorer, const char *text, struct call_reference *reference)
{
	*reference = (struct call_reference){ .call = syscall_find(text) };
	if (reference->call)
		return true;
	void **known = map_find(restorer->calls, text, strlen(text));
	if (!known) {
		known = map_at(restorer->calls, text, strlen(text));
		*known = call_bind_text(restorer, text);
	}
	if (*known)
		*reference = *(const struct call_reference *)*known;
	return *known != NULL;
}

const struct call_reference *restore_capability(struct restorer *restorer,
						const struct capability *capability, size_t *count)
{
	return capability_calls(restorer->compilation.arena, capability, count);
}

/* ---- actions ---- */

static uint16_t errno_read(const char *text)
{
	enum { MOST = 4095, DIGITS = 4 };
	unsigned value = 0;
	size_t digits = strspn(text, "0123456789");
	if (!digits || text[digits] || digits > DIGITS)
		return (uint16_t)errno_find(text);
	for (; *text; text++)
		value = value * 10 + (unsigned)(*text - '0');
	return value <= MOST ? (uint16_t)value : 0;
}

bool restore_action(const char *text, struct action *action)
{
	static const struct {
		const char *word;
		enum action_kind kind;
	} words[] = { { "allow", ACTION_ALLOW }, { "kill", ACTION_KILL }, { "log", ACTION_LOG } };
	*action = (struct action){ .kind = ACTION_ERRNO };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strcmp(words[i].word, text) != 0)
			continue;
		action->kind = words[i].kind;
		return true;
	}
	static const char prefix[] = "errno ";
	if (strncmp(text, prefix, strlen(prefix)) == 0)
		action->errno_value = errno_read(text + strlen(prefix));
	return action->errno_value != 0;
}

/* ---- rules ---- */

static bool *marks_copy(struct arena *arena, const struct policy *policy)
{
	bool *marks = arena_array(arena, policy->row_count, sizeof *marks);
	for (size_t i = 0; i < policy->row_count; i++)
		marks[i] = policy->rows[i]->broken;
	return marks;
}

/* A row that clashes is marked, to be reported once; but it may be asked about again, beside others. */
bool restore_rules(struct restorer *restorer, struct policy *policy)
{
	struct resolver *resolver = &restorer->resolver;
	size_t before = diags_errors(restorer->compilation.diags);
	const bool *marks = marks_copy(restorer->compilation.arena, policy);
	resolver->policy = policy;
	resolver->rows = (struct row **)policy->rows;
	resolver->row_count = policy->row_count;
	seccomp_rules_bind(resolver);
	role_filters_bind(resolver);
	conditions_warn(resolver);
	for (size_t i = 0; i < resolver->row_count; i++)
		resolver->rows[i]->broken = marks[i];
	return diags_errors(restorer->compilation.diags) == before;
}
