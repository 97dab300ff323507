/*
 * Where ADRs are and which words mean accepted: OLD's `decisions`, seen in NEW's files. A change that could
 * set these for itself would ratify anything.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/revision.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/tree.h"
#include "compiler/gate/judge.h"
#include "compiler/gate/place.h"
#include "compiler/policy/accepted_words.h"
#include "compiler/policy/adr_folders.h"
#include "compiler/policy/scope_names.h"
#include "compiler/sync_place.h"

/* A scope of either side. */
struct trusted {
	const char *name;
	const struct authority *old, *now; /* NULL where that side has none of its own */
	const struct authority *pattern;   /* of OLD, that matches the folder of NEW too: the rule is OLD's */
	const char *old_place, *now_place; /* folded folders, comparable with each other */
	bool changed;                      /* what NEW says is not what OLD says */
	bool opened;                       /* the next three are known */
	struct adr_scope *adrs;            /* what OLD's rules find in NEW; NULL for none, and */
	const char *why;                   /* the reason */
};

struct trust {
	struct trusted *scopes; /* OLD's first, in the order of the text */
	size_t count;
	struct scope_names *names;       /* of both: struct trusted */
	struct map *patterns;            /* of OLD, by place: one of the matches */
	struct map *old_words;           /* that OLD takes for accepted anywhere */
	const char *old_base, *now_base; /* what both sides' places start from: the policy's folder */
	bool next_phase;                 /* NEW is another policy on top of OLD */
};

/* ---- places ---- */

/* The folder of the policy: in the repository where OLD is a revision, else the start itself. */
static const char *base_find(struct judge *judge, const struct side *side)
{
	const char *why, *path = side->path;
	if (!judge->old_side->revision || strcmp(path, "-") == 0)
		return "";
	if (!side->revision)
		path = revision_path(judge->arena, path, &why);
	return path ? place_folder(judge->arena, path) : "";
}

static const char *authority_place(struct judge *judge, const struct side *side, const char *base,
				   const struct authority *authority)
{
	struct arena *arena = judge->arena;
	const char *folder = path_beside(arena, authority->layer->source->path, authority->folder);
	const char *inner = place_from(arena, side->path, folder);
	return *inner == '/' ? inner
			     : path_fold(arena, arena_printf(arena, "%s/%s", *base ? base : ".", inner));
}

/* The path in NEW's tree of a place. A revision's paths start at its top: no link can turn them. */
static const char *place_in_new(struct judge *judge, const char *place)
{
	struct arena *arena = judge->arena;
	const struct trust *trust = judge->trust;
	const struct side *side = judge->now_side;
	if (*place == '/' || (side->revision && judge->old_side->revision))
		return place;
	const char *inner = place_towards(arena, trust->now_base, place);
	const char *folder = arena_copy(arena, side->path, (size_t)(path_base(side->path) - side->path));
	const char *path = path_fold(arena, arena_printf(arena, "%s%s", folder, inner));
	return *path ? path : ".";
}

/* ---- scopes of both sides ---- */

static struct trusted *trusted_at(struct trust *trust, const char *name)
{
	struct trusted *known = scope_named(trust->names, name);
	if (known)
		return known;
	struct trusted *trusted = &trust->scopes[trust->count++];
	trusted->name = name;
	scope_names_put(trust->names, name, trusted);
	return trusted;
}

static bool same_statement(const struct authority *a, const struct authority *b)
{
	return a->span.source == b->span.source && a->span.begin == b->span.begin;
}

/* A pattern of OLD at the same place and with the same words: a folder more of it is no other rule. */
static const struct authority *pattern_find(struct judge *judge, const struct trusted *trusted)
{
	const char *place = trusted->now_place;
	const struct authority *at = NULL;
	if (adr_pattern_is(trusted->now->folder))
		at = map_value(judge->trust->patterns, place, strlen(place));
	return at && accepted_words_are_equal(judge->arena, at, trusted->now) ? at : NULL;
}

/* The same file, under whatever name the change gives the policy. */
static bool same_file(struct judge *judge)
{
	const struct source *old = judge->old->layers[judge->old->layer_count - 1].source;
	const struct source *now = judge->now->layers[judge->now->layer_count - 1].source;
	struct arena *arena = judge->arena;
	if (!judge->old_side->revision && !judge->now_side->revision)
		return file_identity_equal(old->identity, now->identity);
	const char *old_path = arena_printf(arena, "%s/%s", judge->trust->old_base, path_base(old->path));
	return strcmp(old_path, arena_printf(arena, "%s/%s", judge->trust->now_base, path_base(now->path))) ==
	       0;
}

static bool old_has_word(const struct judge *judge, const char *word)
{
	return map_find(judge->trust->old_words, word, strlen(word)) != NULL;
}

/* Whether NEW is a next phase, and the layer one that it puts on top of OLD. */
static bool is_on_top(const struct judge *judge, const struct layer *layer)
{
	if (!judge->trust->next_phase)
		return false;
	const struct layer *old = policy_layer(judge->now, judge->old->name);
	assert(old);
	return layer->index > old->index;
}

/* The layers of a next phase bring their own folders, but no word that OLD has nowhere. */
static bool comes_with_layer(const struct judge *judge, const struct trusted *trusted)
{
	const struct authority *now = trusted->now;
	if (!is_on_top(judge, now->layer))
		return false;
	for (size_t i = 0; i < now->accept_count; i++)
		if (!old_has_word(judge, now->accept[i]))
			return false;
	return true;
}

static void trusted_compare(struct judge *judge, struct trusted *trusted)
{
	const struct authority *old = trusted->old, *now = trusted->now;
	if (judge->rules->initial)
		return;
	if (old && now)
		trusted->changed = strcmp(trusted->old_place, trusted->now_place) != 0 ||
				   !accepted_words_are_equal(judge->arena, old, now);
	else if (now)
		trusted->changed = !trusted->pattern && !comes_with_layer(judge, trusted);
	else
		trusted->changed = !old || !adr_pattern_is(old->folder);
}

void trust_begin(struct judge *judge)
{
	struct trust *trust = arena_alloc(judge->arena, sizeof *trust);
	const struct policy *old = judge->old, *now = judge->now;
	judge->trust = trust;
	trust->names = scope_names_new(judge->arena);
	trust->patterns = map_new(judge->arena, 0);
	trust->old_words = map_new(judge->arena, 0);
	trust->scopes =
		arena_array(judge->arena, old->authority_count + now->authority_count, sizeof *trust->scopes);
	trust->old_base = base_find(judge, judge->old_side);
	trust->now_base = base_find(judge, judge->now_side);
	trust->next_phase =
		strcmp(old->name, now->name) != 0 && policy_layer(now, old->name) && !same_file(judge);
	for (size_t i = 0; i < old->authority_count; i++) {
		accepted_words_put(trust->old_words, &old->authorities[i]);
		struct trusted *trusted = trusted_at(trust, old->authorities[i].scope);
		trusted->old = &old->authorities[i];
		trusted->old_place = authority_place(judge, judge->old_side, trust->old_base, trusted->old);
		if (adr_pattern_is(trusted->old->folder))
			*map_at(trust->patterns, trusted->old_place, strlen(trusted->old_place)) =
				(void *)trusted->old;
	}
	for (size_t i = 0; i < now->authority_count; i++) {
		struct trusted *trusted = trusted_at(trust, now->authorities[i].scope);
		trusted->now = &now->authorities[i];
		trusted->now_place = authority_place(judge, judge->now_side, trust->now_base, trusted->now);
		trusted->pattern = trusted->old ? NULL : pattern_find(judge, trusted);
	}
	for (size_t i = 0; i < trust->count; i++)
		trusted_compare(judge, &trust->scopes[i]);
}

/* ---- opening ---- */

/* "docs/phase2/adr" of the pattern "docs/PATTERN/adr" with its star. */
static const char *pattern_filled(struct arena *arena, const char *pattern, const char *name)
{
	const char *star = strchr(pattern, '*');
	if (!star)
		return pattern;
	return arena_printf(arena, "%.*s%s%s", (int)(star - pattern), pattern, name, star + 1);
}

/* Without links; NULL with `*error`. */
static const char *real_path(struct arena *arena, const char *path, int *error)
{
	char *real = realpath(path, NULL);
	*error = real ? 0 : errno;
	if (real)
		arena_adopt(arena, real);
	return real;
}

static bool is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR;
}

/* What is not there leads nowhere. Where the system does not say where it leads, that is trouble. */
static const char *departure_unsaid(struct judge *judge, const char *path, int error)
{
	if (is_absent(error))
		return NULL;
	if (error == ELOOP)
		return "may lead out of the project: its links lead in a circle";
	diag_trouble(judge->compilation->diags, "cannot tell where '%s' leads: %s", path, strerror(error));
	return "may lead out of the project";
}

/* Whether the folder is a repository; false with `*error`. A link that leads nowhere, as in a container that
 * lacks its target, makes one too. */
static bool has_git(struct arena *arena, const char *folder, int *error)
{
	struct stat status;
	const char *git = path_joined(arena, folder, ".git");
	return real_path(arena, git, error) || (is_absent(*error) && lstat(git, &status) == 0);
}

/* Nobody reviews what is there. A revision has no such paths. */
const char *trust_departure(struct judge *judge, const char *path)
{
	struct arena *arena = judge->arena;
	int error;
	if (judge->now_side->revision || *path == '/')
		return NULL;
	const char *project = sync_project(arena, judge->now_side->path);
	if (!project)
		return departure_unsaid(judge, path, errno);
	if (!has_git(arena, project, &error))
		return departure_unsaid(judge, path, error);
	const char *real = real_path(arena, path, &error);
	if (!real)
		return departure_unsaid(judge, path, error);
	size_t size = strlen(project);
	bool inside = strncmp(real, project, size) == 0 && (!real[size] || real[size] == '/');
	return inside ? NULL : "leads out of the project";
}

/* Why none was opened. What cannot be read says nothing of the change: that is trouble. */
static const char *why_not_opened(struct judge *judge, const char *folder, const char *scope, int error)
{
	if (is_absent(error) || error == ELOOP)
		return arena_printf(judge->arena,
				    "the folder '%s', where OLD has the ADRs of '%s', is not there", folder,
				    scope);
	diag_trouble(judge->compilation->diags, "cannot list '%s%s': %s",
		     sources_tree(judge->compilation->sources)->label, folder,
		     source_failure(judge->arena, error, SOURCE_SIZE_MAX));
	return arena_printf(judge->arena, "the folder '%s', where OLD has the ADRs of '%s', cannot be listed",
			    folder, scope);
}

static void old_rules_open(struct judge *judge, struct trusted *trusted)
{
	struct arena *arena = judge->arena;
	const struct authority *rule = trusted->old       ? trusted->old
				       : trusted->pattern ? trusted->pattern
							  : trusted->now;
	const char *place =
		pattern_filled(arena, trusted->old ? trusted->old_place : trusted->now_place, trusted->name);
	const char *folder = place_in_new(judge, place);
	const char *departure = trust_departure(judge, folder);
	if (departure) {
		trusted->why = arena_printf(arena, "the folder '%s' %s", folder, departure);
		return;
	}
	trusted->adrs =
		adr_scope_open(judge->compilation, trusted->name, folder, rule->accept, rule->accept_count);
	if (!trusted->adrs)
		trusted->why = why_not_opened(judge, folder, trusted->name, errno);
}

static void trusted_open(struct judge *judge, struct trusted *trusted)
{
	if (trusted->opened)
		return;
	trusted->opened = true;
	bool stranger = !trusted->old && trusted->changed;
	if (stranger && !judge->rules->allowed[GATE_ALLOW_TRUST_CHANGED])
		trusted->why = arena_printf(judge->arena, "OLD does not say where the ADRs of '%s' are",
					    trusted->name);
	else
		old_rules_open(judge, trusted);
}

struct adr_scope *trust_scope(struct judge *judge, const char *scope, enum trust_basis basis,
			      const char **why)
{
	struct trusted *trusted = scope_named(judge->trust->names, scope);
	*why = arena_printf(judge->arena, "no `decisions` says where the ADRs of '%s' are", scope);
	if (!trusted)
		return NULL;
	if (basis == TRUST_OWN && trusted->changed)
		return trusted->now ? trusted->now->adrs : NULL;
	trusted_open(judge, trusted);
	*why = trusted->why;
	return trusted->adrs;
}

struct adr_scope *trust_scope_before(struct judge *judge, const char *scope)
{
	const struct trusted *trusted = scope_named(judge->trust->names, scope);
	return trusted && trusted->old ? trusted->old->adrs : NULL;
}

size_t trust_scope_count(const struct judge *judge)
{
	return judge->trust->count;
}

const char *trust_scope_name(const struct judge *judge, size_t index)
{
	return judge->trust->scopes[index].name;
}

const char *trust_scope_spelt(const struct judge *judge, const char *spelling)
{
	bool several;
	const struct trusted *trusted = scope_spelt(judge->trust->names, spelling, &several);
	return trusted ? trusted->name : NULL;
}

/* ---- what differs ---- */

/* Of those that are new to OLD, or of all. */
static const char *words_text(const struct judge *judge, const struct authority *authority, bool all)
{
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < authority->accept_count; i++)
		if (all || !old_has_word(judge, authority->accept[i]))
			strbuf_printf(&text, "%s\"%s\"", text.size ? ", " : "", authority->accept[i]);
	const char *kept = text.size ? arena_copy(judge->arena, text.bytes, text.size) : "none";
	strbuf_release(&text);
	return kept;
}

static const char *difference_text(struct judge *judge, const struct trusted *trusted)
{
	struct arena *arena = judge->arena;
	const struct authority *old = trusted->old, *now = trusted->now;
	if (!old && is_on_top(judge, now->layer))
		return arena_printf(arena, "it accepts %s, which OLD does nowhere",
				    words_text(judge, now, false));
	if (!old)
		return arena_printf(arena, "OLD does not say where the ADRs of '%s' are", trusted->name);
	if (!now)
		return arena_printf(arena, "NEW no longer says where the ADRs of '%s' are", trusted->name);
	if (strcmp(trusted->old_place, trusted->now_place) != 0)
		return arena_printf(arena, "the ADRs of '%s' are looked for in \"%s\", not in \"%s\"",
				    trusted->name, trusted->now_place, trusted->old_place);
	return arena_printf(arena, "further words for accepted: %s; in OLD: %s", words_text(judge, now, true),
			    words_text(judge, old, true));
}

static void change_refuse(struct judge *judge, const struct trusted *trusted)
{
	const struct authority *at = trusted->now ? trusted->now : trusted->old;
	struct refusal *refusal = refuse(judge, GATE_TRUST_CHANGED, "decisions");
	refusal->subject = arena_printf(judge->arena, "decisions %s", trusted->name);
	refusal->layer = at->layer;
	refusal->line = source_position(at->span.source, at->span.begin).line;
	refusal->in_old = !trusted->now;
	refusal->problem = difference_text(judge, trusted);
	refusal->edit = "take it back, or land it with `--allow trust-changed` when a person has looked";
}

/* Matches of one pattern stand together, and differ together: said once. */
static bool is_said(const struct trusted *scopes, size_t index)
{
	const struct trusted *at = &scopes[index], *last = index ? at - 1 : NULL;
	return last && last->changed && at->now && last->now && same_statement(at->now, last->now);
}

void trust_check(struct judge *judge)
{
	const struct trust *trust = judge->trust;
	for (size_t i = 0; i < trust->count; i++)
		if (trust->scopes[i].changed && !is_said(trust->scopes, i) &&
		    !allowed(judge, GATE_ALLOW_TRUST_CHANGED))
			change_refuse(judge, &trust->scopes[i]);
}
