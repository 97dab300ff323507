/* Expectations, where the ADRs are, settings of the filter, name and title, outputs: what no row says. */
#include <string.h>

#include "compiler/base/strbuf.h"
#include "compiler/diff/comparer.h"
#include "compiler/policy/accepted_words.h"
#include "compiler/policy/adr_folders.h"

static struct change *placed(struct change *change, const struct layer *layer, struct span span)
{
	change->layer = layer;
	change->line = span_line(span);
	return change;
}

/* ---- expectations ---- */

static struct map *guards_map(struct arena *arena, const struct policy *policy)
{
	struct map *map = map_new(arena, policy->guard_count);
	for (size_t i = 0; i < policy->guard_count; i++)
		*map_at(map, policy->guards[i].text, strlen(policy->guards[i].text)) =
			(void *)&policy->guards[i];
	return map;
}

/* Those of `some` that `others` has not; each text once. Returns how many both have. */
static size_t guards_report(struct comparer *comparer, const struct policy *some, const struct policy *others,
			    bool added)
{
	size_t both = 0;
	struct map *known = guards_map(comparer->arena, others);
	struct axis_verdict *axis = &comparer->comparison->axes[AXIS_EXPECTATIONS];
	for (size_t i = 0; i < some->guard_count; i++) {
		const struct guard *guard = &some->guards[i];
		void **place = map_at(known, guard->text, strlen(guard->text));
		if (*place) {
			both++;
			continue;
		}
		*place = (void *)guard;
		struct change *change =
			placed(change_add(comparer, added ? CHANGE_GUARD_ADDED : CHANGE_GUARD_REMOVED,
					  added ? '+' : '-', NULL),
			       guard->layer, guard->span);
		change->what = "expect";
		change->subject = guard->text;
		change->in_old = !added;
		*(added ? &axis->more : &axis->less) += 1;
	}
	return both;
}

static void expectations_compare(struct comparer *comparer)
{
	comparer->comparison->unchanged_guards = guards_report(comparer, comparer->now, comparer->old, true);
	guards_report(comparer, comparer->old, comparer->now, false);
}

/* ---- trust ---- */

bool policy_has_layer(const struct policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->layer_count; i++)
		if (strcmp(policy->layers[i].name, name) == 0)
			return true;
	return false;
}

static void trust_report(struct comparer *comparer, const struct authority *place, char sign,
			 const char *note)
{
	struct change *change =
		placed(change_add(comparer, CHANGE_TRUST_CHANGED, sign, NULL), place->layer, place->span);
	change->what = "decisions";
	change->subject = place->scope;
	change->in_old = sign == '-';
	change->note = note;
}

static const struct map *words_of(struct comparer *comparer, const struct authority *authority, bool now)
{
	struct known_words *known = &comparer->known[now];
	if (!known->of || !accepted_words_are_shared(known->of, authority)) {
		*known = (struct known_words){ authority, map_new(comparer->arena, authority->accept_count) };
		accepted_words_put(known->words, authority);
	}
	return known->words;
}

static void words_report(struct comparer *comparer, const struct authority *some,
			 const struct authority *others, char sign)
{
	const struct map *known = words_of(comparer, others, sign == '-');
	for (size_t i = 0; i < some->accept_count; i++)
		if (!map_find(known, some->accept[i], strlen(some->accept[i])))
			trust_report(comparer, some, sign,
				     arena_printf(comparer->arena, "accept \"%s\"", some->accept[i]));
}

static bool authorities_agree(struct comparer *comparer, const struct authority *a, const struct authority *b)
{
	return accepted_words_are_equal(comparer->arena, &comparer->accepted, a, b);
}

static void authority_compare(struct comparer *comparer, const struct authority *old,
			      const struct authority *now)
{
	if (!texts_equal(old->folder, now->folder))
		trust_report(comparer, now, '~',
			     arena_printf(comparer->arena, "the folder is \"%s\", was \"%s\"", now->folder,
					  old->folder));
	if (authorities_agree(comparer, old, now))
		return;
	words_report(comparer, now, old, '+');
	words_report(comparer, old, now, '-');
}

bool pattern_is_shared(struct comparer *comparer, const struct policy *other,
		       const struct authority *authority)
{
	if (!adr_pattern_is(authority->folder))
		return false;
	for (size_t i = 0; i < other->authority_count; i++) {
		const struct authority *at = &other->authorities[i];
		if (strcmp(at->layer->name, authority->layer->name) == 0 &&
		    strcmp(at->folder, authority->folder) == 0)
			return authorities_agree(comparer, at, authority);
	}
	return false;
}

/* A new layer brings its own folder: nobody's trust changes by that. */
static void trust_compare(struct comparer *comparer)
{
	const struct policy *old = comparer->old, *now = comparer->now;
	for (size_t i = 0; i < now->authority_count; i++) {
		const struct authority *authority = &now->authorities[i];
		const struct authority *before = authority_named(comparer, old, authority->scope);
		if (before)
			authority_compare(comparer, before, authority);
		else if ((policy_has_layer(old, authority->layer->name) ||
			  policy_has_layer(old, authority->scope)) &&
			 !pattern_is_shared(comparer, old, authority))
			trust_report(comparer, authority, '+', "was checked against no folder");
	}
	for (size_t i = 0; i < old->authority_count; i++)
		if (!authority_named(comparer, now, old->authorities[i].scope) &&
		    policy_has_layer(now, old->authorities[i].layer->name) &&
		    !pattern_is_shared(comparer, now, &old->authorities[i]))
			trust_report(comparer, &old->authorities[i], '-', "is checked against no folder");
}

/* ---- settings ---- */

static void setting_report(struct comparer *comparer, const char *name, const char *old, const char *now)
{
	if (strcmp(old, now) == 0)
		return;
	struct change *change = change_add(comparer, CHANGE_SECCOMP_SETTING, '~', NULL);
	change->what = "seccomp";
	change->subject = name;
	change->note = arena_printf(comparer->arena, "%s, was %s", now, old);
}

static const char *abis_text(struct arena *arena, unsigned abis)
{
	struct strbuf text = STRBUF_INIT;
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		if (abis >> abi & 1)
			strbuf_printf(&text, "%s%s", text.size ? ", " : "", abi_facts((enum abi)abi)->name);
	const char *kept = arena_copy(arena, text.bytes, text.size);
	strbuf_release(&text);
	return kept;
}

static const char *unknown_text(struct comparer *comparer, const struct seccomp *seccomp)
{
	return seccomp->unknown_default ? "default" : action_text(comparer->compilation, seccomp->unknown);
}

static const char *hot_text(struct arena *arena, const struct seccomp *seccomp)
{
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < seccomp->hot_count; i++)
		strbuf_printf(&text, "%s%s", i ? ", " : "", seccomp->hot[i]->name);
	const char *kept = arena_copy(arena, text.bytes, text.size);
	strbuf_release(&text);
	return *kept ? kept : "none";
}

static bool base_calls_equal(struct arena *arena, const struct seccomp *a, const struct seccomp *b)
{
	if (a->base_call_count != b->base_call_count)
		return false;
	for (size_t i = 0; i < a->base_call_count; i++)
		if (a->base_calls[i].call != b->base_calls[i].call ||
		    strcmp(call_reference_text(arena, &a->base_calls[i]),
			   call_reference_text(arena, &b->base_calls[i])) != 0)
			return false;
	return true;
}

/* The same name may stand for another group than before. */
static void base_compare(struct comparer *comparer, const struct seccomp *old, const struct seccomp *now)
{
	setting_report(comparer, "base", old->base ? old->base : "none", now->base ? now->base : "none");
	if (!old->base || !now->base || strcmp(old->base, now->base) != 0 ||
	    base_calls_equal(comparer->arena, old, now))
		return;
	struct change *change = change_add(comparer, CHANGE_SECCOMP_SETTING, '~', NULL);
	change->what = "seccomp";
	change->subject = "base";
	change->note = arena_printf(comparer->arena, "%s has other calls", now->base);
}

static void settings_compare(struct comparer *comparer)
{
	const struct seccomp *old = &comparer->old->seccomp, *now = &comparer->now->seccomp;
	struct compilation *compilation = comparer->compilation;
	setting_report(comparer, "default", action_text(compilation, old->fallback),
		       action_text(compilation, now->fallback));
	base_compare(comparer, old, now);
	setting_report(comparer, "hot", hot_text(comparer->arena, old), hot_text(comparer->arena, now));
	setting_report(comparer, "deny-with", action_text(compilation, old->deny),
		       action_text(compilation, now->deny));
	setting_report(comparer, "unknown", unknown_text(comparer, old), unknown_text(comparer, now));
	setting_report(comparer, "abis", abis_text(comparer->arena, old->abis),
		       abis_text(comparer->arena, now->abis));
}

/* ---- name and title ---- */

/*
 * Two phases, each in a file of its own, one of which extends the other: neither took the other's name away.
 */
static bool are_phases(const struct policy *old, const struct policy *now)
{
	return strcmp(old->file, now->file) != 0 &&
	       (policy_has_layer(now, old->name) || policy_has_layer(old, now->name));
}

/* As side_open_nothing() makes it, which has no name that anyone gave it. */
static bool is_nothing(const struct policy *policy)
{
	return strcmp(policy->file, "nothing") == 0 && policy->layer_count == 1 && policy->row_count == 0;
}

/* Artifacts are named by it, and what stands in them: whoever reads them looks elsewhere. */
static void name_compare(struct comparer *comparer)
{
	const struct policy *old = comparer->old, *now = comparer->now;
	if (strcmp(old->name, now->name) == 0 || are_phases(old, now) || is_nothing(old))
		return;
	struct change *change = change_add(comparer, CHANGE_NAME_CHANGED, '~', NULL);
	change->what = "policy";
	change->subject = now->name;
	change->note = arena_printf(comparer->arena, "was %s", old->name);
}

/* Of two policies of different names each has its own. */
static void title_compare(struct comparer *comparer)
{
	const struct policy *old = comparer->old, *now = comparer->now;
	if (strcmp(old->name, now->name) != 0 || texts_equal(old->title, now->title))
		return;
	struct change *change = change_add(comparer, CHANGE_TITLE_CHANGED, '~', NULL);
	change->what = "title";
	change->subject = now->title ? now->title : "none";
}

/* ---- outputs ---- */

/* "python \"src/tools.py\" region tools" */
static const char *output_text(struct arena *arena, const struct output *output)
{
	const char *text = arena_printf(arena, "%s \"%s\"", output->backend, output->path);
	return output->region ? arena_printf(arena, "%s region %s", text, output->region) : text;
}

static struct map *outputs_map(struct arena *arena, const struct policy *policy)
{
	struct map *map = map_new(arena, policy->output_count);
	for (size_t i = 0; i < policy->output_count; i++) {
		const char *text = output_text(arena, &policy->outputs[i]);
		*map_at(map, text, strlen(text)) = (void *)text;
	}
	return map;
}

/* Those of `some` that `others` has not. */
static void outputs_report(struct comparer *comparer, const struct policy *some, const struct policy *others,
			   bool added)
{
	const struct map *known = outputs_map(comparer->arena, others);
	for (size_t i = 0; i < some->output_count; i++) {
		const struct output *output = &some->outputs[i];
		const char *text = output_text(comparer->arena, output);
		if (map_find(known, text, strlen(text)))
			continue;
		struct change *change =
			placed(change_add(comparer, CHANGE_OUTPUT_CHANGED, added ? '+' : '-', NULL),
			       output->layer, output->backend_span);
		change->what = "output";
		change->subject = text;
		change->in_old = !added;
	}
}

/* An artifact does not say where it is to be written. */
static void outputs_compare(struct comparer *comparer)
{
	if (comparer->old->saved || comparer->now->saved)
		return;
	outputs_report(comparer, comparer->now, comparer->old, true);
	outputs_report(comparer, comparer->old, comparer->now, false);
}

void guards_compare(struct comparer *comparer)
{
	expectations_compare(comparer);
	trust_compare(comparer);
	settings_compare(comparer);
	name_compare(comparer);
	title_compare(comparer);
	outputs_compare(comparer);
}
