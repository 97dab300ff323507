/* `seccomp { }`: each setting inherited singly, and none that lets more pass than the layer below. */
#include <stdlib.h>
#include <string.h>

#include "compiler/policy/resolver.h"

/* ---- actions ---- */

static bool errno_number(const char *text, uint16_t *value)
{
	if (!*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 4)
		return false;
	long number = strtol(text, NULL, 10);
	if (number < 1 || number > 4095)
		return false;
	*value = (uint16_t)number;
	return true;
}

static bool errno_bind(struct resolver *resolver, const struct ast_word *word, struct action *action)
{
	action->kind = ACTION_ERRNO;
	int value = errno_find(word->text);
	if (value)
		action->errno_value = (uint16_t)value;
	if (value || errno_number(word->text, &action->errno_value))
		return true;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_VALUE, word->span,
					   "'%s' is no errno of Linux", word->text);
	const char *near = d ? errno_nearest(word->text) : NULL;
	if (near)
		diag_help(d, "did you mean '%s'?", near);
	else
		diag_help(d, "name one of errno(3), such as EPERM, or a number from 1 to 4095");
	return false;
}

bool action_bind(struct resolver *resolver, struct span span, const struct ast_word *qualifier,
		 const struct ast_entries *entries, const char *forms, bool allow_is_one,
		 struct action *action)
{
	static const struct {
		const char *word;
		enum action_kind kind;
	} simple[] = { { "kill", ACTION_KILL }, { "log", ACTION_LOG }, { "allow", ACTION_ALLOW } };
	const char *word = ast_word_text(qualifier);
	*action = (struct action){ .kind = ACTION_ERRNO };
	if (strcmp(word, "errno") == 0 && entries->count == 1)
		return errno_bind(resolver, &entries->items[0].word, action);
	for (size_t i = 0; i < sizeof simple / sizeof *simple && entries->count == 0; i++) {
		if (strcmp(simple[i].word, word) != 0 || (simple[i].kind == ACTION_ALLOW && !allow_is_one))
			continue;
		action->kind = simple[i].kind;
		return true;
	}
	struct span place = qualifier ? qualifier->span : span;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_VALUE, place,
			    *word ? "'%s' cannot stand here" : "%sthe action is missing", word);
	struct suggestion near = suggestion_begin(word);
	suggestion_offer(&near, "errno");
	for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
		if (simple[i].kind != ACTION_ALLOW || allow_is_one)
			suggestion_offer(&near, simple[i].word);
	if (errno_find(word))
		diag_help(d, "an errno has the word before it: errno %s", word);
	else if (near.nearest && *word)
		diag_help(d, "did you mean '%s'? it is one of: %s", near.nearest, forms);
	else
		diag_help(d, "it is one of: %s", forms);
	return false;
}

/* ---- ABIs ---- */

/* What other tools call an ABI. */
static const char *abi_alias(const char *word)
{
	static const char *const aliases[][2] = {
		{ "amd64", "x86_64" }, { "x64", "x86_64" },	   { "x86-64", "x86_64" },
		{ "x86", "i386" },     { "i686", "i386" },	   { "arm64", "aarch64" },
		{ "armv7", "arm" },    { "armhf", "arm" },	   { "riscv", "riscv64" },
		{ "ppc64el", "ppc64le" }, { "loong64", "loongarch64" }, { "s390", "s390x" },
		{ "powerpc64le", "ppc64le" },
	};
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
		if (strcmp(aliases[i][0], word) == 0)
			return aliases[i][1];
	struct suggestion near = suggestion_begin(word);
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		suggestion_offer(&near, abi_facts(abi)->name);
	return near.nearest;
}

/* "x86_64, i386, x32": all of them. */
static const char *abi_names(struct resolver *resolver)
{
	const char *names = abi_facts((enum abi)0)->name;
	for (enum abi abi = 1; abi < ABI_COUNT; abi++)
		names = arena_printf(resolver->compilation->arena, "%s, %s", names, abi_facts(abi)->name);
	return names;
}

static void report_native(struct resolver *resolver, const struct ast_statement *statement,
			  const struct ast_word *word)
{
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_VALUE, word->span,
			    "'native' would make the policy depend on the host that compiles it");
	diag_help(d, "name what it is for: %s x86_64", setting_word(statement->setting));
}

static void report_abi(struct resolver *resolver, const struct ast_word *word)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_VALUE, word->span,
					   "'%s' is no ABI that allowc knows", word->text);
	const char *near = d ? abi_alias(word->text) : NULL;
	if (near)
		diag_help(d, "did you mean '%s'?", near);
	else
		diag_help(d, "it knows %s", abi_names(resolver));
}

/* An architecture with the ABIs that its kernels also run. */
static unsigned arch_bits(enum abi abi)
{
	unsigned bits = 1u << abi;
	if (abi == ABI_X86_64)
		bits |= 1u << ABI_I386;
	if (abi == ABI_AARCH64)
		bits |= 1u << ABI_ARM;
	return bits;
}

static bool abi_bind(struct resolver *resolver, const struct ast_statement *statement,
		     const struct ast_word *word, unsigned *named, unsigned *bits)
{
	enum abi abi = abi_find(word->text);
	struct diagnostic *d = NULL;
	if (strcmp(word->text, "native") == 0) {
		report_native(resolver, statement, word);
	} else if (abi == ABI_COUNT) {
		report_abi(resolver, word);
	} else if (statement->setting == SETTING_ARCH && abi == ABI_X32) {
		d = diag_report(resolver_diags(resolver), DIAG_VALUE, word->span,
				"x32 is never part of an 'arch'");
		diag_help(d, "to admit its calls, say so by name: abi x32");
	} else if (*named & 1u << abi) {
		d = diag_report(resolver_diags(resolver), DIAG_DUPLICATE, word->span,
				"'%s' stands twice in this list", word->text);
		diag_help(d, "keep one of the two");
	} else {
		*named |= 1u << abi;
		*bits |= statement->setting == SETTING_ARCH ? arch_bits(abi) : 1u << abi;
		return true;
	}
	return false;
}

/* Each word of the list is looked at, so that all mistakes in it are reported at once. */
static bool abis_bind(struct resolver *resolver, const struct ast_statement *statement, unsigned *bits)
{
	bool good = true;
	unsigned named = 0;
	for (size_t i = 0; i < statement->entries.count; i++)
		good &= abi_bind(resolver, statement, &statement->entries.items[i].word, &named, bits);
	return good;
}

/* ---- one block ---- */

/* Settings with the place of each; no source where it is the default. */
struct settings {
	struct seccomp seccomp;
	struct span places[SETTING_COUNT];
};

static bool unknown_bind(struct resolver *resolver, const struct ast_statement *at, struct seccomp *seccomp)
{
	bool alone = at->entries.count == 0;
	seccomp->unknown_default = alone && strcmp(ast_word_text(at->qualifier), "default") == 0;
	return seccomp->unknown_default ||
	       action_bind(resolver, ast_keyword(at), at->qualifier, &at->entries,
			   "errno NAME, kill, log, default", false, &seccomp->unknown);
}

static bool setting_bind(struct resolver *resolver, const struct ast_statement *at, struct seccomp *seccomp,
			 unsigned *abis)
{
	switch (at->setting) {
	case SETTING_DEFAULT:
		return action_bind(resolver, ast_keyword(at), at->qualifier, &at->entries,
				   "allow, errno NAME, kill, log", true, &seccomp->fallback);
	case SETTING_DENY_WITH:
		return action_bind(resolver, ast_keyword(at), at->qualifier, &at->entries,
				   "errno NAME, kill, log", false, &seccomp->deny);
	case SETTING_UNKNOWN:
		return unknown_bind(resolver, at, seccomp);
	case SETTING_ARCH:
	case SETTING_ABI:
		return abis_bind(resolver, at, abis);
	case SETTING_BASE:
		return base_bind(resolver, at, seccomp);
	case SETTING_HOT:
		return hot_bind(resolver, at, seccomp);
	case SETTING_COUNT:
		break;
	}
	return false;
}

static void settings_break(struct resolver *resolver)
{
	resolver->settings_broken = true;
	resolver->calls_broken = true;
}

static void block_bind(struct resolver *resolver, const struct ast_statement *block,
		       struct settings *settings)
{
	const struct ast_statement *seen[SETTING_COUNT] = { 0 };
	unsigned abis = 0;
	for (const struct ast_statement *at = block->words->block; at; at = at->next) {
		if (at->broken)
			settings_break(resolver);
		if (at->broken || at->kind != AST_SETTING)
			continue;
		const struct ast_statement *first = seen[at->setting];
		if (first) {
			struct diagnostic *d =
				diag_report(resolver_diags(resolver), DIAG_DUPLICATE, ast_keyword(at),
					    "'%s' is set twice", setting_word(at->setting));
			diag_note(d, ast_keyword(first), "it is set here first");
			diag_help(d, "keep one of the two");
			continue;
		}
		seen[at->setting] = at;
		struct seccomp tried = settings->seccomp;
		if (!setting_bind(resolver, at, &tried, &abis)) {
			settings_break(resolver);
			continue;
		}
		settings->seccomp = tried;
		settings->places[at->setting] = ast_keyword(at);
	}
	if (abis)
		settings->seccomp.abis = abis;
}

/* ---- layer over layer ---- */

/* What a known call gets that is not listed: a base denies it, whatever `default` says of a deny-list. */
static struct action omitted_action(const struct seccomp *seccomp)
{
	if (seccomp->base && seccomp->fallback.kind == ACTION_ALLOW)
		return (struct action){ ACTION_ERRNO, (uint16_t)errno_find("EPERM") };
	return seccomp->fallback;
}

static struct action unknown_action(const struct seccomp *seccomp)
{
	struct action omitted = omitted_action(seccomp);
	return seccomp->unknown_default || omitted.kind == ACTION_ALLOW ? omitted : seccomp->unknown;
}

/* The layer below goes on holding, so that nothing else is said of what the setting would have meant. */
static void report_widening(struct resolver *resolver, const struct settings *upper,
			    const struct settings *lower, enum setting setting, const char *what)
{
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_WIDENS, upper->places[setting],
			    "'%s' lets more pass than the layer below: %s", setting_word(setting), what);
	enum setting twin = setting == SETTING_ABI ? SETTING_ARCH : SETTING_ABI;
	bool about_abis = setting == SETTING_ABI || setting == SETTING_ARCH;
	if (lower->places[setting].source)
		diag_note(d, lower->places[setting], "it is set here");
	else if (about_abis && lower->places[twin].source)
		diag_note(d, lower->places[twin], "the ABIs are named here");
	else if (lower->seccomp.base && setting != SETTING_DENY_WITH)
		diag_note(d, lower->places[SETTING_BASE], "what this base does not list is denied");
	else
		diag_note(d, (struct span){ 0 }, "no layer below sets it, so that its default holds there");
	diag_help(d, "an upper layer only narrows: change the setting in the layer below, by an ADR");
}

static void abis_compare(struct resolver *resolver, struct settings *upper, const struct settings *lower)
{
	unsigned added = upper->seccomp.abis & ~lower->seccomp.abis;
	if (!added)
		return;
	char *names = "";
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (added & 1u << abi)
			names = arena_printf(resolver->compilation->arena, "%s%s%s", names,
					     *names ? ", " : "", abi_facts(abi)->name);
	const char *what = arena_printf(resolver->compilation->arena, "%s would no longer be killed", names);
	enum setting at = upper->places[SETTING_ABI].source != lower->places[SETTING_ABI].source
				  ? SETTING_ABI
				  : SETTING_ARCH;
	report_widening(resolver, upper, lower, at, what);
	upper->seccomp.abis = lower->seccomp.abis;
}

/* Whether the base lists as much for the call: without a condition, or with one in the same words. */
static bool base_covers(const struct seccomp *seccomp, const struct call_reference *wanted)
{
	size_t count;
	const struct call_reference *entries = base_entries(seccomp, wanted->call, &count);
	for (size_t i = 0; i < count; i++) {
		const struct condition *condition = entries[i].condition;
		if (!condition ||
		    (wanted->condition && strcmp(condition->text, wanted->condition->text) == 0))
			return true;
	}
	return false;
}

/*
 * "ptrace, clone(flags & CLONE_NEWUSER) and 5 more": what one base has and the other lacks; "" without
 * any.
 */
static const char *base_surplus(struct arena *arena, const struct seccomp *above, const struct seccomp *below)
{
	enum { SHOWN = 3 };
	const char *list = "";
	size_t count = 0;
	for (size_t i = 0; i < above->base_call_count; i++) {
		const struct call_reference *entry = &above->base_calls[i];
		if (!base_covers(below, entry) && count++ < SHOWN)
			list = arena_printf(arena, "%s%s%s", list, *list ? ", " : "",
					    call_reference_text(arena, entry));
	}
	return count > SHOWN ? arena_printf(arena, "%s and %zu more", list, count - SHOWN) : list;
}

/* Where the layer below denies by omission, a base above lists no call that the one below does not. */
static void base_compare(struct resolver *resolver, struct settings *upper, const struct settings *lower)
{
	if (!upper->seccomp.base || action_passes(omitted_action(&lower->seccomp)))
		return;
	const char *surplus = base_surplus(resolver->compilation->arena, &upper->seccomp, &lower->seccomp);
	if (!*surplus)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_WIDENS, upper->places[SETTING_BASE],
					   "'base' lets more pass than the layer below: %s", surplus);
	if (lower->seccomp.base)
		diag_note(d, lower->places[SETTING_BASE], "its base is %s", lower->seccomp.base);
	else
		diag_note(d, lower->places[SETTING_DEFAULT], "what is not listed there is denied here");
	diag_help(d, "an upper layer only narrows: name a group without them, or list each by 'allow "
		     "syscall' and an "
		     "ADR");
	upper->seccomp.base = lower->seccomp.base;
	upper->seccomp.base_calls = lower->seccomp.base_calls;
	upper->seccomp.base_call_count = lower->seccomp.base_call_count;
}

static void settings_compare(struct resolver *resolver, struct settings *upper, const struct settings *lower)
{
	struct compilation *compilation = resolver->compilation;
	struct seccomp *above = &upper->seccomp;
	const struct seccomp *below = &lower->seccomp;
	base_compare(resolver, upper, lower);
	if (action_passes(omitted_action(above)) && !action_passes(omitted_action(below))) {
		report_widening(resolver, upper, lower, SETTING_DEFAULT,
				arena_printf(compilation->arena, "'%s' over '%s'",
					     action_text(compilation, omitted_action(above)),
					     action_text(compilation, omitted_action(below))));
		above->fallback = below->fallback;
	}
	if (action_passes(unknown_action(above)) && !action_passes(unknown_action(below))) {
		bool set_here =
			upper->places[SETTING_UNKNOWN].source != lower->places[SETTING_UNKNOWN].source;
		report_widening(resolver, upper, lower, set_here ? SETTING_UNKNOWN : SETTING_DEFAULT,
				"numbers that no table knows");
		above->fallback = set_here ? above->fallback : below->fallback;
		above->unknown = below->unknown;
		above->unknown_default = below->unknown_default;
	}
	if (action_passes(above->deny) && !action_passes(below->deny)) {
		report_widening(resolver, upper, lower, SETTING_DENY_WITH, "'log' refuses nothing");
		above->deny = below->deny;
	}
	abis_compare(resolver, upper, lower);
}

static const struct ast_statement *seccomp_block(struct resolver *resolver, const struct ast_layer *ast)
{
	const struct ast_statement *first = NULL;
	for (const struct ast_statement *at = ast->others; at; at = at->words->next_other) {
		if (at->kind != AST_SECCOMP)
			continue;
		if (!first) {
			first = at;
			continue;
		}
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_DUPLICATE, ast_keyword(at),
						   "'seccomp' stands twice in this file");
		diag_note(d, ast_keyword(first), "it stands here first");
		diag_help(d, "put all settings into one block");
	}
	return first;
}

static void warn_deny_passes(struct resolver *resolver, const struct settings *settings)
{
	if (settings->seccomp.deny.kind != ACTION_LOG)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ACTION,
					   settings->places[SETTING_DENY_WITH],
					   "'deny-with log' refuses nothing");
	diag_help(d, "to refuse them: deny-with errno EPERM, or deny-with kill");
}

/* `base` as a row, for rules that follow from it: it has no ADR and no reason of its own. */
static const struct row *base_row(const struct resolver *resolver, const struct seccomp *seccomp)
{
	size_t layer = 0;
	while (seccomp->base_span.source != resolver->layers[layer].source)
		layer++;
	struct row *row = arena_alloc(resolver->compilation->arena, sizeof *row);
	*row = (struct row){
		.verb = VERB_ALLOW,
		.kind = SUBJECT_SYSCALL,
		.subject = seccomp->base,
		.layer = &resolver->layers[layer],
		.span = seccomp->base_span,
		.statement = seccomp->base_span.begin,
		.calls = seccomp->base_calls,
		.call_count = seccomp->base_call_count,
	};
	return row;
}

void seccomp_settings_bind(struct resolver *resolver)
{
	struct settings settings = {
		.seccomp = {
			.fallback = { .kind = ACTION_ALLOW },
			.deny = { ACTION_ERRNO, (uint16_t)errno_find("EPERM") },
			.unknown = { ACTION_ERRNO, (uint16_t)errno_find("ENOSYS") },
			.abis = arch_bits(ABI_X86_64) | arch_bits(ABI_AARCH64),
		},
	};
	for (size_t i = 0; i < resolver->layer_count; i++) {
		const struct ast_statement *block = seccomp_block(resolver, &resolver->works[i].ast);
		if (!block)
			continue;
		struct settings lower = settings;
		resolver->seccomp_block = ast_keyword(block);
		block_bind(resolver, block, &settings);
		if (i > 0 && !resolver->settings_broken)
			settings_compare(resolver, &settings, &lower);
	}
	warn_deny_passes(resolver, &settings);
	settings.seccomp.fallback = omitted_action(&settings.seccomp);
	settings.seccomp.base_span = settings.places[SETTING_BASE];
	if (settings.seccomp.base)
		settings.seccomp.base_row = base_row(resolver, &settings.seccomp);
	resolver->policy->seccomp = settings.seccomp;
}
