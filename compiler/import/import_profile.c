/* The JSON of a profile, read strictly: a member that is misspelt would be a rule without its condition. */
#include "compiler/import/import_profile.h"

#include <string.h>

#include "backends/oci_profile.h"
#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/json_read.h"
#include "compiler/base/map.h"
#include "compiler/base/suggest.h"
#include "compiler/data/arguments.h"
#include "compiler/import/import.h"
#include "compiler/import/import_arguments.h"
#include "compiler/import/import_formats.h"
#include "compiler/import/json_place.h"

/* Of Linux, not of the host. */
enum { ERRNO_EPERM = 1, ERRNO_MAX = 4095 };

/* What is wrong in one file is shown in parts of this size: each place costs a pass over the text. */
enum { MISTAKES_MAX = 20 };

struct reader {
	struct import *import;
	struct arena *arena;
	const struct source *source;
	struct import_profile *profile;
	struct map *conditions; /* "personality(persona == 8)" that were read */
	size_t mistakes;
	size_t narrowed;                /* rules that depend on the host or the container */
	struct map *pass, *pass_always; /* names that a rule lets pass, and that it does for all */
	struct foreign {
		bool pass_over; /* what is read now is of whichever host */
		const struct json_value *first;
		struct map *names;
		size_t count;
	} foreign; /* architectures that no policy can name */
};

/* ---- mistakes ---- */

static struct diagnostic *report_at(struct reader *reader, struct span place, const char *message)
{
	if (reader->mistakes++ >= MISTAKES_MAX)
		return NULL;
	return diag_report(reader->import->compilation->diags, DIAG_IMPORT_PROFILE, place, "%s", message);
}

static struct diagnostic *mistake(struct reader *reader, const struct json_value *value, const char *format,
				  ...) __attribute__((format(printf, 3, 4)));

static struct diagnostic *mistake(struct reader *reader, const struct json_value *value, const char *format,
				  ...)
{
	if (reader->mistakes >= MISTAKES_MAX)
		return NULL;
	va_list arguments;
	va_start(arguments, format);
	const char *message = arena_vprintf(reader->arena, format, arguments);
	va_end(arguments);
	return report_at(reader, json_place(reader->source, value), message);
}

/* What the policy refuses and the profile lets pass somewhere. */
static struct diagnostic *narrower(struct reader *reader, const struct json_value *value, const char *message)
{
	return diag_report(reader->import->compilation->diags, DIAG_IMPORT_NARROWER,
			   json_place(reader->source, value), "%s", message);
}

/* ---- values ---- */

/* Whether it is there and of the type; what is not there is no mistake. */
static bool is_given(struct reader *reader, const struct json_value *value, json_type type)
{
	if (!value->json)
		return false;
	if (json_typeof(value->json) == type)
		return true;
	mistake(reader, value, "this has to be %s", json_type_words(type));
	return false;
}

/* The same for what must be there. */
static bool is_there(struct reader *reader, const struct json_value *value, const char *key, json_type type)
{
	if (!value->json)
		mistake(reader, value, "\"%s\" is missing here", key);
	return is_given(reader, value, type);
}

/* "" where there is none. */
static const char *text_of(const struct json_value *value)
{
	return json_is_string(value->json) ? json_string_value(value->json) : "";
}

/*
 * Each member is one of the known ones, a NULL-terminated list: what is passed over might be what keeps a
 * call from passing.
 */
static void members_check(struct reader *reader, const struct json_value *object, const char *const *known)
{
	size_t number = 0;
	for (void *at = json_object_iter((json_t *)object->json); at && reader->mistakes < MISTAKES_MAX;
	     at = json_object_iter_next((json_t *)object->json, at), number++) {
		const char *key = json_object_iter_key(at);
		struct suggestion near = suggestion_begin(key);
		size_t i = 0;
		for (; known[i] && strcmp(known[i], key) != 0; i++)
			suggestion_offer(&near, known[i]);
		if (known[i])
			continue;
		const struct json_value member = { json_object_iter_value(at), object, number };
		struct diagnostic *d =
			report_at(reader, json_key_place(reader->source, &member),
				  arena_printf(reader->arena, "'%s' is nothing that is known here", key));
		if (near.nearest)
			diag_help(d, "did you mean '%s'?", near.nearest);
		else
			diag_help(d, "take it out where it changes nothing");
	}
}

static bool is_empty(const struct json_value *value)
{
	return !value->json || (json_is_array(value->json) && !json_array_size(value->json)) ||
	       (json_is_object(value->json) && !json_object_size(value->json)) ||
	       (json_is_string(value->json) && !json_string_length(value->json));
}

/* Of what a policy has no words for: it may be there empty. */
static void nothing_check(struct reader *reader, const struct json_value *above, const char *key,
			  const char *why)
{
	const struct json_value value = json_member(above, key);
	if (!is_empty(&value))
		mistake(reader, &value, "%s", why);
}

/* ---- actions ---- */

static void report_action(struct reader *reader, const struct json_value *value)
{
	static const struct {
		const char *word, *why, *help;
	} known[] = {
		{ "SCMP_ACT_KILL", "it kills a thread, and 'kill' of a policy the whole process",
		  "write SCMP_ACT_KILL_PROCESS where that is meant" },
		{ "SCMP_ACT_KILL_THREAD", "it kills a thread, and 'kill' of a policy the whole process",
		  "write SCMP_ACT_KILL_PROCESS where that is meant" },
		{ "SCMP_ACT_TRAP", "a policy sends no signal",
		  "write SCMP_ACT_ERRNO or SCMP_ACT_KILL_PROCESS" },
		{ "SCMP_ACT_TRACE", "a policy asks no tracer",
		  "write SCMP_ACT_ERRNO or SCMP_ACT_KILL_PROCESS" },
		{ "SCMP_ACT_NOTIFY", "a policy asks no other program",
		  "write SCMP_ACT_ERRNO or SCMP_ACT_KILL_PROCESS" },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].word, text_of(value)) == 0) {
			diag_help(mistake(reader, value, "no policy says this: %s", known[i].why), "%s",
				  known[i].help);
			return;
		}
	diag_help(
		mistake(reader, value, "'%s' is no action", text_of(value)),
		"actions that a policy can say are SCMP_ACT_ALLOW, SCMP_ACT_ERRNO, SCMP_ACT_KILL_PROCESS and "
		"SCMP_ACT_LOG");
}

static bool action_word(const char *word, enum action_kind *kind)
{
	static const enum action_kind kinds[] = { ACTION_ALLOW, ACTION_ERRNO, ACTION_KILL, ACTION_LOG };
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(oci_profile_action((struct action){ .kind = kinds[i] }), word) == 0) {
			*kind = kinds[i];
			return true;
		}
	return false;
}

static bool errno_number(struct reader *reader, const struct json_value *value, uint16_t *number)
{
	if (!is_given(reader, value, JSON_INTEGER))
		return !value->json;
	json_int_t given = json_integer_value(value->json);
	if (given < 1 || given > ERRNO_MAX) {
		diag_help(mistake(reader, value, "%lld is no errno that a call can be refused with",
				  (long long)given),
			  "an errno is 1 to %d", ERRNO_MAX);
		return false;
	}
	*number = (uint16_t)given;
	return true;
}

/* Podman's way: its name as a text, beside the number. */
static bool errno_name_read(struct reader *reader, const struct json_value *value, bool numbered,
			    uint16_t *number)
{
	if (!is_given(reader, value, JSON_STRING))
		return !value->json;
	int named = errno_find(text_of(value));
	if (!named) {
		mistake(reader, value, "'%s' is no errno of Linux", text_of(value));
		return false;
	}
	if (numbered && named != *number) {
		mistake(reader, value, "'%s' is %d, and the number beside it is %u", text_of(value), named,
			*number);
		return false;
	}
	*number = (uint16_t)named;
	return true;
}

/* EPERM where none is said: so does the specification. */
static bool action_read(struct reader *reader, const struct json_value *object, const char *key,
			const char *number_key, const char *name_key, struct action *action)
{
	const struct json_value word = json_member(object, key);
	const struct json_value number = json_member(object, number_key),
				name = json_member(object, name_key);
	*action = (struct action){ .kind = ACTION_ERRNO };
	if (!is_there(reader, &word, key, JSON_STRING))
		return false;
	if (!action_word(text_of(&word), &action->kind)) {
		report_action(reader, &word);
		return false;
	}
	if (action->kind == ACTION_ERRNO) {
		action->errno_value = ERRNO_EPERM;
		return errno_number(reader, &number, &action->errno_value) &&
		       errno_name_read(reader, &name, number.json, &action->errno_value);
	}
	if (!number.json && !name.json)
		return true;
	mistake(reader, number.json ? &number : &name, "an errno beside %s means nothing", text_of(&word));
	return false;
}

/* ---- architectures ---- */

static void foreign_add(struct reader *reader, const struct json_value *value)
{
	struct foreign *foreign = &reader->foreign;
	void **known = map_at(foreign->names, text_of(value), strlen(text_of(value)));
	if (*known)
		return;
	*known = foreign;
	if (!foreign->count++)
		foreign->first = json_value_keep(reader->arena, value);
}

static void abi_add(struct reader *reader, const struct json_value *value)
{
	if (!is_there(reader, value, "architecture", JSON_STRING))
		return;
	struct suggestion near = suggestion_begin(text_of(value));
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		const char *name = oci_profile_architecture(abi);
		suggestion_offer(&near, name);
		if (strcmp(name, text_of(value)) == 0) {
			reader->profile->abis |= 1u << abi;
			return;
		}
	}
	if (reader->foreign.pass_over) {
		foreign_add(reader, value);
		return;
	}
	struct diagnostic *d =
		mistake(reader, value, "a policy cannot name the architecture '%s'", text_of(value));
	if (near.nearest && near.distance == 1)
		diag_help(d, "did you mean '%s'?", near.nearest);
	diag_help(d,
		  "without it here the policy is for the others, and its filter kills what runs on this one");
}

static void abis_add(struct reader *reader, const struct json_value *list)
{
	if (!is_given(reader, list, JSON_ARRAY))
		return;
	for (size_t i = 0; i < json_array_size(list->json); i++) {
		const struct json_value item = json_item(list, i);
		abi_add(reader, &item);
	}
}

/* Docker's: those of whichever host. On each host the calls of the others never come. */
static void architecture_map_read(struct reader *reader, const struct json_value *list)
{
	static const char *const known[] = { "architecture", "subArchitectures", NULL };
	for (size_t i = 0; is_given(reader, list, JSON_ARRAY) && i < json_array_size(list->json); i++) {
		const struct json_value item = json_item(list, i);
		if (!is_given(reader, &item, JSON_OBJECT))
			continue;
		members_check(reader, &item, known);
		const struct json_value main = json_member(&item, "architecture");
		const struct json_value more = json_member(&item, "subArchitectures");
		abi_add(reader, &main);
		abis_add(reader, &more);
	}
}

/* "'bpf'", "'bpf' and 2 more". */
static const char *names_text(struct reader *reader, const char *first, size_t count)
{
	return count > 1 ? arena_printf(reader->arena, "'%s' and %zu more", first, count - 1)
			 : arena_printf(reader->arena, "'%s'", first);
}

/* Where none of the list can be named, the policy would be for that of whichever host. */
static void foreign_report(struct reader *reader)
{
	const struct foreign *foreign = &reader->foreign;
	if (!foreign->count)
		return;
	const char *names = names_text(reader, text_of(foreign->first), foreign->count);
	if (reader->profile->abis)
		narrower(reader, foreign->first,
			 arena_printf(
				 reader->arena,
				 "a policy cannot name the architecture %s: its filter kills what runs there",
				 names));
	else
		diag_help(mistake(reader, foreign->first, "a policy cannot name the architecture %s", names),
			  "name one that it can, as SCMP_ARCH_X86_64");
}

static void architectures_read(struct reader *reader, const struct json_value *whole)
{
	const struct json_value list = json_member(whole, "architectures"),
				map = json_member(whole, "archMap");
	bool both = list.json && json_array_size(list.json) && map.json && json_array_size(map.json);
	if (both)
		mistake(reader, &map, "\"architectures\" stands here too: engines take one of the two");
	abis_add(reader, &list);
	reader->foreign.pass_over = true;
	architecture_map_read(reader, &map);
	reader->foreign.pass_over = false;
	foreign_report(reader);
}

/* ---- conditions ---- */

static bool number_read(struct reader *reader, const struct json_value *value, uint64_t *number)
{
	if (!is_given(reader, value, JSON_INTEGER))
		return !value->json;
	json_int_t given = json_integer_value(value->json);
	*number = (uint64_t)given;
	if (given >= 0)
		return true;
	diag_help(mistake(reader, value, "%lld is less than 0, and a register is compared without a sign",
			  (long long)given),
		  "write the number that the register holds");
	return false;
}

static bool operator_read(struct reader *reader, const struct json_value *value, bool *masked,
			  enum comparison_operator *operator)
{
	static const struct {
		const char *word;
		enum comparison_operator operator;
	} known[] = { { "SCMP_CMP_EQ", COMPARISON_EQ },       { "SCMP_CMP_NE", COMPARISON_NE },
		      { "SCMP_CMP_LT", COMPARISON_LT },       { "SCMP_CMP_LE", COMPARISON_LE },
		      { "SCMP_CMP_GT", COMPARISON_GT },       { "SCMP_CMP_GE", COMPARISON_GE },
		      { "SCMP_CMP_MASKED_EQ", COMPARISON_EQ } };
	if (!is_there(reader, value, "op", JSON_STRING))
		return false;
	struct suggestion near = suggestion_begin(text_of(value));
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		suggestion_offer(&near, known[i].word);
		*operator= known[i].operator;
		*masked = strcmp(known[i].word, "SCMP_CMP_MASKED_EQ") == 0;
		if (strcmp(known[i].word, text_of(value)) == 0)
			return true;
	}
	struct diagnostic *d = mistake(reader, value, "'%s' is no comparison", text_of(value));
	if (near.nearest)
		diag_help(d, "did you mean '%s'?", near.nearest);
	return false;
}

static bool mask_check(struct reader *reader, const struct json_value *second, bool masked,
		       const struct profile_comparison *comparison)
{
	if (masked && comparison->value & ~comparison->mask) {
		mistake(reader, second->json ? second : second->above,
			"the mask lacks bits of this value: engines drop them");
		return false;
	}
	if (masked || !second->json ||
	    (json_is_integer(second->json) && json_integer_value(second->json) == 0))
		return true;
	mistake(reader, second, "a second value means something beside SCMP_CMP_MASKED_EQ alone");
	return false;
}

static bool comparison_read(struct reader *reader, const struct json_value *object,
			    struct profile_comparison *comparison)
{
	static const char *const known[] = { "index", "value", "valueTwo", "op", NULL };
	if (!is_there(reader, object, "args", JSON_OBJECT))
		return false;
	members_check(reader, object, known);
	const struct json_value index = json_member(object, "index"), value = json_member(object, "value");
	const struct json_value second = json_member(object, "valueTwo"), word = json_member(object, "op");
	uint64_t number = 0, first_value = 0, second_value = 0;
	bool masked = false;
	if (!is_there(reader, &index, "index", JSON_INTEGER) ||
	    !is_there(reader, &value, "value", JSON_INTEGER) || !number_read(reader, &index, &number) ||
	    !number_read(reader, &value, &first_value) || !number_read(reader, &second, &second_value) ||
	    !operator_read(reader, &word, &masked, &comparison->operator))
		return false;
	if (number >= ARGUMENT_COUNT) {
		diag_help(mistake(reader, &index, "no call has an argument %llu", (unsigned long long)number),
			  "arguments are counted from 0 to %d", ARGUMENT_COUNT - 1);
		return false;
	}
	comparison->index = (unsigned)number;
	comparison->mask = masked ? first_value : UINT64_MAX;
	comparison->value = masked ? second_value : first_value;
	return mask_check(reader, &second, masked, comparison);
}

/* ---- rules ---- */

struct rule {
	struct action action;
	struct profile_comparison comparisons[ARGUMENT_COUNT];
	size_t count;
};

static bool comparisons_read(struct reader *reader, const struct json_value *list, struct rule *rule)
{
	unsigned used = 0;
	if (!is_given(reader, list, JSON_ARRAY))
		return !list->json;
	for (size_t i = 0; i < json_array_size(list->json); i++) {
		const struct json_value item = json_item(list, i);
		struct profile_comparison comparison;
		if (!comparison_read(reader, &item, &comparison))
			return false;
		if (used >> comparison.index & 1) {
			diag_help(mistake(reader, &item,
					  "argument %u is compared twice in one rule, which engines take "
					  "for 'or' and readers for 'and'",
					  comparison.index),
				  "write a rule for each where 'or' is meant, and one comparison where 'and' "
				  "is");
			return false;
		}
		used |= 1u << comparison.index;
		rule->comparisons[rule->count++] = comparison;
	}
	return true;
}

/* "persona == 8 && arg1 == 0"; "" of a rule for all arguments; NULL where an error was reported. */
static const char *condition_text(struct reader *reader, const struct json_value *arguments,
				  const struct rule *rule, const struct syscall_entry *call)
{
	const char *text = "", *why = NULL;
	for (size_t i = 0; i < rule->count; i++) {
		const char *one =
			import_comparison_text(reader->arena, call, import_profile_abis(reader->profile),
					       &rule->comparisons[i], &why);
		const struct json_value item = json_item(arguments, i);
		if (!one) {
			mistake(reader, &item, "no policy says this of %s: %s", call->name, why);
			return NULL;
		}
		text = i ? arena_printf(reader->arena, "%s && %s", text, one) : one;
	}
	return text;
}

static void report_two_answers(struct reader *reader, const struct json_value *name,
			       const struct profile_call *call)
{
	struct diagnostic *d = mistake(reader, name, "another rule gives '%s' another answer", text_of(name));
	if (d)
		diag_note(d, json_place(reader->source, call->name), "it stands here");
	diag_help(d, "keep one: what a call gets then, engines do not agree about");
}

/* Whatever its arguments: what other rules say of some of them adds nothing. */
static void call_open(struct profile_call *call)
{
	call->conditions = NULL;
	call->count = 0;
}

static void condition_add(struct reader *reader, struct profile_call *call, const struct syscall_entry *entry,
			  const char *condition)
{
	const char *text = arena_printf(reader->arena, "%s(%s)", entry->name, condition);
	void **known = map_at(reader->conditions, text, strlen(text));
	if (*known)
		return;
	*known = call;
	call->conditions = arena_grow(reader->arena, (void *)call->conditions, call->count, &call->capacity,
				      sizeof *call->conditions);
	((const char **)call->conditions)[call->count++] = condition;
}

static void call_rule(struct reader *reader, const struct json_value *name, const struct syscall_entry *entry,
		      const struct rule *rule, const char *condition)
{
	size_t index = (size_t)(entry - syscall_table);
	struct profile_call *call = &reader->profile->calls[index];
	bool first = !call->ruled;
	if (first) {
		*call = (struct profile_call){ .ruled = true,
					       .action = rule->action,
					       .name = json_value_keep(reader->arena, name) };
		reader->profile->order[reader->profile->count++] = index;
	}
	for (size_t i = 0; i < rule->count; i++)
		call->later_arguments |= rule->comparisons[i].index > 0;
	if (!action_equal(call->action, rule->action))
		report_two_answers(reader, name, call);
	else if (!*condition)
		call_open(call);
	else if (first || call->count)
		condition_add(reader, call, entry, condition);
}

static void name_read(struct reader *reader, const struct json_value *name,
		      const struct json_value *arguments, const struct rule *rule)
{
	if (!is_there(reader, name, "name", JSON_STRING))
		return;
	const struct syscall_entry *entry = syscall_find(text_of(name));
	if (!entry) {
		struct diagnostic *d = mistake(reader, name, "no ABI has a system call '%s'", text_of(name));
		const char *near = d ? syscall_nearest(text_of(name)) : NULL;
		if (near)
			diag_help(d, "did you mean '%s'?", near);
		diag_help(d,
			  "engines pass over a name that they do not know; take it out where that is meant");
		return;
	}
	const char *condition = condition_text(reader, arguments, rule, entry);
	if (condition)
		call_rule(reader, name, entry, rule, condition);
}

static bool names_read(struct reader *reader, const struct json_value *object,
		       const struct json_value *arguments, const struct rule *rule)
{
	const struct json_value list = json_member(object, "names"), one = json_member(object, "name");
	if (one.json)
		name_read(reader, &one, arguments, rule);
	if (list.json || !one.json) {
		if (!is_there(reader, &list, "names", JSON_ARRAY))
			return false;
		for (size_t i = 0; i < json_array_size(list.json) && reader->mistakes < MISTAKES_MAX; i++) {
			const struct json_value item = json_item(&list, i);
			name_read(reader, &item, arguments, rule);
		}
	}
	return true;
}

static const char resolved_help[] =
	"the config.json of a container that runs says which rules hold there: import that";

static bool passes(struct action action)
{
	return action.kind == ACTION_ALLOW || action.kind == ACTION_LOG;
}

/* The next of a rule's names, from index 0 on; "" behind the last. */
static const char *rule_name(const struct json_value *object, size_t *index)
{
	const struct json_value list = json_member(object, "names"), one = json_member(object, "name");
	while (*index < json_array_size(list.json) + 1) {
		const struct json_value item = *index ? json_item(&list, *index - 1) : one;
		++*index;
		if (*text_of(&item))
			return text_of(&item);
	}
	return "";
}

static void passing_add(struct reader *reader, const struct json_value *object)
{
	const struct json_value word = json_member(object, "action"), arguments = json_member(object, "args"),
				includes = json_member(object, "includes"),
				excludes = json_member(object, "excludes");
	struct action action = { .kind = ACTION_ERRNO };
	if (!action_word(text_of(&word), &action.kind) || !passes(action))
		return;
	bool always = is_empty(&arguments) && is_empty(&includes) && is_empty(&excludes);
	const char *name;
	for (size_t i = 0; *(name = rule_name(object, &i));) {
		*map_at(reader->pass, name, strlen(name)) = reader;
		if (always)
			*map_at(reader->pass_always, name, strlen(name)) = reader;
	}
}

/* A call that passes by another rule anyway is not narrowed, nor is one that passes nowhere. */
static bool name_is_narrowed(const struct reader *reader, const char *name, bool taken)
{
	if (!taken)
		return !map_value(reader->pass_always, name, strlen(name));
	return passes(reader->profile->fallback) || map_value(reader->pass, name, strlen(name));
}

static void report_narrowed(struct reader *reader, const struct json_value *object,
			    const struct json_value *when, bool taken)
{
	const char *name, *first = NULL;
	size_t count = 0;
	for (size_t i = 0; *(name = rule_name(object, &i));)
		if (name_is_narrowed(reader, name, taken) && !count++)
			first = name;
	if (!count || reader->narrowed++ >= MISTAKES_MAX)
		return;
	const char *names = names_text(reader, first, count);
	struct diagnostic *d = narrower(
		reader, when,
		arena_printf(
			reader->arena,
			taken ? "this rule depends on the host or the container: %s refused everywhere by it"
			      : "this rule depends on the host or the container: %s allowed nowhere by it",
			arena_printf(reader->arena, "%s %s", names, count > 1 ? "are" : "is")));
	if (reader->narrowed == 1)
		diag_help(d, "%s", resolved_help);
}

/*
 * Whether a rule is taken that is there for some hosts or containers: where it refuses it is, and where it
 * lets pass what the default refuses it is not, so that nothing passes that would not.
 */
static bool dependent_read(struct reader *reader, const struct json_value *object, const struct rule *rule)
{
	const struct json_value includes = json_member(object, "includes"),
				excludes = json_member(object, "excludes");
	const struct json_value *when = is_empty(&includes) ? &excludes : &includes;
	if (is_empty(when))
		return true;
	if (passes(rule->action) && passes(reader->profile->fallback)) {
		diag_help(mistake(reader, when,
				  "no policy says when a rule is there: this one depends on the host or the "
				  "container"),
			  "%s", resolved_help);
		return false;
	}
	report_narrowed(reader, object, when, !passes(rule->action));
	return !passes(rule->action);
}

static void rule_read(struct reader *reader, const struct json_value *object)
{
	static const char *const known[] = { "names", "name",    "action",   "errnoRet", "errno",
					     "args",  "comment", "includes", "excludes", NULL };
	struct rule rule = { .count = 0 };
	if (!is_there(reader, object, "syscalls", JSON_OBJECT))
		return;
	members_check(reader, object, known);
	const struct json_value arguments = json_member(object, "args");
	bool good = action_read(reader, object, "action", "errnoRet", "errno", &rule.action);
	/* Engines pass over a rule that says what the default says. */
	if (comparisons_read(reader, &arguments, &rule) && good &&
	    !action_equal(rule.action, reader->profile->fallback) && dependent_read(reader, object, &rule))
		names_read(reader, object, &arguments, &rule);
}

static void rules_read(struct reader *reader, const struct json_value *whole)
{
	const struct json_value list = json_member(whole, "syscalls");
	if (!is_given(reader, &list, JSON_ARRAY))
		return;
	for (size_t i = 0; i < json_array_size(list.json); i++) {
		const struct json_value item = json_item(&list, i);
		passing_add(reader, &item);
	}
	for (size_t i = 0; i < json_array_size(list.json) && reader->mistakes < MISTAKES_MAX; i++) {
		const struct json_value item = json_item(&list, i);
		rule_read(reader, &item);
	}
	if (reader->narrowed > MISTAKES_MAX)
		narrower(reader, &list,
			 arena_printf(reader->arena, "%zu more rules depend on the host or the container",
				      reader->narrowed - MISTAKES_MAX));
}

/* ---- the whole ---- */

static void profile_read(struct reader *reader, const struct json_value *whole)
{
	static const char *const known[] = {
		"defaultAction", "defaultErrnoRet", "defaultErrno",     "architectures", "archMap",
		"flags",         "listenerPath",    "listenerMetadata", "syscalls",      NULL
	};
	members_check(reader, whole, known);
	nothing_check(reader, whole, "flags", "a policy has no flags of a filter");
	nothing_check(reader, whole, "listenerPath", "a policy asks no other program");
	nothing_check(reader, whole, "listenerMetadata", "a policy asks no other program");
	architectures_read(reader, whole);
	/* Which rules say something depends on the default, and what they say on the ABIs. */
	if (action_read(reader, whole, "defaultAction", "defaultErrnoRet", "defaultErrno",
			&reader->profile->fallback) &&
	    !reader->mistakes)
		rules_read(reader, whole);
}

static void document_read(struct reader *reader, const struct json_value *whole)
{
	const struct json_value system = json_member(whole, "linux"), inner = json_member(&system, "seccomp");
	if (json_is_object(inner.json)) {
		profile_read(reader, &inner);
	} else if (json_is_object(whole->json) && json_object_get(whole->json, "defaultAction")) {
		profile_read(reader, whole);
	} else if (json_member(whole, "policy").json && json_member(whole, "schema").json) {
		diag_help(mistake(reader, whole, "this is a policy already: what --emit json wrote of it"),
			  "allowc diff compares it with another; import reads the profile NAME.seccomp.json");
	} else {
		diag_help(
			mistake(reader, whole, "no seccomp profile is here"),
			"it is an object with \"defaultAction\", or a config.json with it in linux.seccomp");
	}
}

static struct reader reader_begin(struct import *import, const struct source *source)
{
	struct arena *arena = import->compilation->arena;
	struct import_profile *profile = arena_alloc(arena, sizeof *profile);
	profile->source = source;
	profile->calls = arena_array(arena, syscall_table_size, sizeof *profile->calls);
	profile->order = arena_array(arena, syscall_table_size, sizeof *profile->order);
	return (struct reader){ .import = import,
				.arena = arena,
				.source = source,
				.profile = profile,
				.conditions = map_new(arena, 0),
				.pass = map_new(arena, 0),
				.pass_always = map_new(arena, 0),
				.foreign = { .names = map_new(arena, 0) } };
}

static void report_broken(struct reader *reader, const json_error_t *error)
{
	uint32_t at = error->position > 0 ? (uint32_t)error->position - 1 : 0;
	bool nul = json_error_code(error) == json_error_null_character;
	report_at(reader, (struct span){ reader->source, at, at },
		  arena_printf(reader->arena, "it is no JSON that can be read: %s",
			       nul ? "a text holds a NUL" : error->text));
}

static bool profile_take(struct import *import, struct import_profile *profile)
{
	if (!import_profile_complete(import, profile))
		return false;
	if (import->profile)
		return import_profile_join(import, profile);
	import->profile = profile;
	return true;
}

bool import_profile_is(const struct source *source)
{
	size_t at = 0;
	while (at < source->size && ascii_is_space(source->text[at]))
		at++;
	return (at < source->size && source->text[at] == '{') || path_ends_with(source->path, ".json");
}

bool import_profile_read(struct import *import, const struct source *source)
{
	struct reader reader = reader_begin(import, source);
	json_error_t error;
	json_t *json = json_read(source->text, source->size, &error);
	if (json) {
		const struct json_value whole = { .json = json };
		document_read(&reader, &whole);
	} else {
		report_broken(&reader, &error);
	}
	bool good = !reader.mistakes && profile_take(import, reader.profile);
	json_decref(json);
	return good;
}
