#include "compiler/import/python_change.h"

#include <assert.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"

/* A walk over the tokens without comments. */
struct walk {
	const struct python_token *first, *at;
	const struct python_token *begin; /* of the statement, or of what stands behind its ':' */
	const struct python_token *ahead; /* from here on the first '=' outside brackets, or what ends the
					     statement */
	const struct python_token
		*sign;   /* the last '=' of the statement at hand: targets stand before it; or NULL */
	bool binds;      /* behind `del`, `for` or `import`: what is named gets another value, or none */
	bool matches;    /* in the pattern of a `case`: each name in it may get a value */
	unsigned within; /* an index or a call is open: one more than its bracket's depth; 0 for none */
	unsigned bound;  /* "as (A, B)" is open: as `within` */
};

bool python_ends_statement(const struct python_token *token)
{
	return token->kind == PYTHON_LINE_END || token->kind == PYTHON_END ||
	       (!token->depth && python_token_is(token, ";"));
}

/* "else: A = …": what stands before the ':' is no name. */
static bool begins_suite(const struct python_token *token)
{
	static const char *const words[] = { "else", "except", "finally", "try" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(token->text, words[i]) == 0)
			return true;
	return false;
}

const struct python_token *python_assignment(const struct python_token *token)
{
	if (token->kind != PYTHON_NAME || begins_suite(token))
		return NULL;
	const struct python_token *sign = token + 1;
	if (python_token_is(sign, ":"))
		while (!python_ends_statement(sign) &&
		       !(sign->depth == token->depth && python_token_is(sign, "=")))
			sign++;
	return python_token_is(sign, "=") ? sign : NULL;
}

static bool is_one_of(const struct python_token *token, enum python_kind kind, const char *const *texts,
		      size_t count)
{
	for (size_t i = 0; token->kind == kind && i < count; i++)
		if (strcmp(token->text, texts[i]) == 0)
			return true;
	return false;
}

#define IS_ONE_OF(token, kind, texts) is_one_of(token, kind, texts, sizeof(texts) / sizeof *(texts))

/* ---- what stands behind the name ---- */

static bool changes(const struct python_token *token)
{
	static const char *const augmented[] = { "|=", "&=", "-=", "^=", "+=", "*=" };
	static const char *const methods[] = {
		"add",
		"append",
		"clear",
		"difference_update",
		"discard",
		"extend",
		"insert",
		"intersection_update",
		"pop",
		"popitem",
		"remove",
		"reverse",
		"setdefault",
		"sort",
		"symmetric_difference_update",
		"update",
		"__setitem__",
		"__delitem__",
		"__ior__",
		"__iand__",
		"__isub__",
		"__ixor__",
		"__iadd__",
		"__imul__",
	};
	if (IS_ONE_OF(token, PYTHON_SIGN, augmented))
		return true;
	/* Not of calls alone: "map(A.discard, B)". */
	return python_token_is(token, ".") && IS_ONE_OF(token + 1, PYTHON_NAME, methods);
}

/* The token behind all "[…]" that begin here. */
static const struct python_token *behind_indices(const struct python_token *token)
{
	while (python_token_is(token, "[")) {
		unsigned depth = token->depth;
		for (token++; !python_token_is(token, "]") || token->depth != depth;)
			token++;
		token++;
	}
	return token;
}

/* ---- what stands before it ---- */

/* Words before a name that give it another value, or none. */
static bool rebinds(const struct python_token *before)
{
	static const char *const words[] = { "as", "class", "def", "del", "for", "import" };
	return IS_ONE_OF(before, PYTHON_NAME, words);
}

static bool may_end_before(const struct python_token *token)
{
	return python_ends_statement(token) || python_token_is(token, ":");
}

/* ---- among other targets ---- */

static bool begins_statement(const struct walk *walk)
{
	return walk->at == walk->first || (!walk->at->depth && may_end_before(walk->at - 1));
}

/* "A, (B, *C) = …": whether the name is one of what is assigned, not a part of it. */
static bool is_assigned(const struct walk *walk, const struct python_token *behind)
{
	static const char *const before[] = { ",", "(", "[", "*", "=" }, *const after[] = { ",", ")", "]",
											    "=" };
	return walk->sign && walk->at < walk->sign &&
	       (begins_statement(walk) || IS_ONE_OF(walk->at - 1, PYTHON_SIGN, before)) &&
	       IS_ONE_OF(behind, PYTHON_SIGN, after);
}

static bool is_target(const struct walk *walk, const struct python_token *behind)
{
	bool whole = !python_token_is(behind, ".") && !python_token_is(behind, "(");
	if (walk->matches)
		return whole;
	return !walk->within && ((walk->binds && whole) || is_assigned(walk, behind));
}

static bool is_word(const struct python_token *token, const char *word)
{
	return token->kind == PYTHON_NAME && strcmp(token->text, word) == 0;
}

/* "case A:", which is a variable's name where it is assigned. */
static bool begins_pattern(const struct python_token *token)
{
	static const char *const others[] = { "=", ".", ",", ":", ")" };
	return is_word(token, "case") && !IS_ONE_OF(token + 1, PYTHON_SIGN, others);
}

static void statement_begin(struct walk *walk)
{
	walk->begin = walk->at;
	walk->binds = false;
	walk->matches = begins_pattern(walk->at);
	walk->sign = NULL;
	for (const struct python_token *at = walk->at; !may_end_before(at) || at->depth; at++)
		if (!at->depth && python_token_is(at, "="))
			walk->sign = at;
}

/* A bracket behind a name or another bracket is an index or a call; behind the words of a statement it is
 * none. */
static bool opens_part(const struct walk *walk)
{
	static const char *const words[] = { "as", "case", "del", "for", "import", "in", "with" },
				 *const closing[] = { ")", "]", "}" };
	if (walk->at == walk->first || begins_statement(walk))
		return false;
	const struct python_token *before = walk->at - 1;
	return before->kind == PYTHON_NAME ? !IS_ONE_OF(before, PYTHON_NAME, words)
					   : IS_ONE_OF(before, PYTHON_SIGN, closing);
}

/* "with x as (A, B)": what stands in the bracket behind. */
static void bound_begin(struct walk *walk)
{
	walk->binds = true;
	walk->bound = walk->at[1].depth + 1;
}

static void bound_end(struct walk *walk)
{
	walk->binds = false;
	walk->bound = 0;
}

static void ahead_follow(struct walk *walk)
{
	if (walk->ahead && walk->ahead >= walk->at)
		return;
	walk->ahead = walk->at;
	while (!python_ends_statement(walk->ahead) &&
	       (walk->ahead->depth || !python_token_is(walk->ahead, "=")))
		walk->ahead++;
}

static void walk_follow(struct walk *walk)
{
	static const char *const binding[] = { "del", "for", "import" }, *const opening[] = { "(", "[" },
				 *const closing[] = { ")", "]" };
	const struct python_token *at = walk->at;
	ahead_follow(walk);
	if (begins_statement(walk))
		statement_begin(walk);
	if (IS_ONE_OF(at, PYTHON_NAME, binding))
		walk->binds = true;
	else if (is_word(at, "in"))
		walk->binds = false;
	else if (is_word(at, "if"))
		walk->matches = false;
	else if (is_word(at, "as") && IS_ONE_OF(at + 1, PYTHON_SIGN, opening))
		bound_begin(walk);
	else if (walk->bound == at->depth + 1 && IS_ONE_OF(at, PYTHON_SIGN, closing))
		bound_end(walk);
	else if (!walk->within && IS_ONE_OF(at, PYTHON_SIGN, opening) && opens_part(walk))
		walk->within = at->depth + 1;
	else if (walk->within == at->depth + 1 && at->kind == PYTHON_SIGN && strchr(")]", *at->text))
		walk->within = 0;
}

/* ---- all ---- */

/* What a module does to one name. */
struct uses {
	const struct python_token *bound[2]; /* the first that give it a value, or change what it holds */
	const struct python_token *part;     /* the first of those behind a dot: of an attribute */
	const struct python_token *changed;  /* the first that changes what it holds, behind a dot or not */
	struct other *others;
	bool followed; /* while other names of a symbol are looked up */
};

/* "OTHER = NAME": another name of what the name holds. */
struct other {
	const struct python_token *name;
	struct other *next;
};

static bool is_behind_dot(const struct walk *walk)
{
	return walk->at > walk->first && python_token_is(walk->at - 1, ".");
}

/* Whether the thing that this token names is changed: by a method, a part of it, an augmented assignment. */
static bool is_changed(const struct walk *walk, const struct python_token *behind)
{
	const struct python_token *token = walk->at;
	bool deletes = token > walk->first && is_word(token - 1, "del");
	return changes(behind) || (behind > token + 1 && (deletes || python_token_is(behind, "=")));
}

/* Whether this token, a name, gets another value or is changed. */
static bool is_bound(const struct walk *walk, const struct python_token *behind)
{
	const struct python_token *token = walk->at, *before = token == walk->first ? NULL : token - 1;
	if (before && rebinds(before))
		return true;
	if (token->depth && python_token_is(token + 1, "=")) /* the name of an argument */
		return false;
	bool begins = !token->depth && (!before || may_end_before(before));
	bool annotated = begins && python_token_is(token + 1, ":") && python_token_is(walk->ahead, "=");
	return annotated || changes(behind) || python_token_is(behind, "=") ||
	       python_token_is(behind, ":=") || is_target(walk, behind);
}

static struct uses *uses_of(struct python_changes *changes, const char *name)
{
	void **known = map_at(changes->names, name, strlen(name));
	if (!*known)
		*known = arena_alloc(changes->arena, sizeof(struct uses));
	return *known;
}

static void other_add(struct python_changes *changes, struct uses *uses, const struct python_token *name)
{
	struct other *other = arena_alloc(changes->arena, sizeof *other);
	*other = (struct other){ name, uses->others };
	uses->others = other;
}

/* "OTHER = NAME", and no more of the statement but another '='. */
static void other_note(struct python_changes *changes, const struct walk *walk)
{
	static const char *const signs[] = { "=", ":=" };
	const struct python_token *token = walk->at;
	static const char *const behind[] = { ")", "=" };
	bool whole = python_ends_statement(token + 1) || IS_ONE_OF(token + 1, PYTHON_SIGN, behind);
	if (token - walk->first < 2 || !whole || !IS_ONE_OF(token - 1, PYTHON_SIGN, signs))
		return;
	struct uses *uses = uses_of(changes, token->text);
	if (token[-2].kind == PYTHON_NAME)
		other_add(changes, uses, token - 2);
	/* "OTHER: set[str] = NAME"; behind the ':' of a statement it is a word of that. */
	const struct python_token *begin = walk->begin;
	if (begin - walk->first >= 2 && python_token_is(begin - 1, ":") && begin[-2].kind == PYTHON_NAME)
		other_add(changes, uses, begin - 2);
}

static void name_note(struct python_changes *changes, const struct walk *walk)
{
	const struct python_token *behind = behind_indices(walk->at + 1);
	other_note(changes, walk);
	bool changed = is_changed(walk, behind);
	if (!changed && !is_bound(walk, behind))
		return;
	struct uses *uses = uses_of(changes, walk->at->text);
	if (changed && !uses->changed)
		uses->changed = walk->at;
	if (is_behind_dot(walk))
		uses->part = uses->part ? uses->part : walk->at;
	else if (!uses->bound[0])
		uses->bound[0] = walk->at;
	else if (!uses->bound[1])
		uses->bound[1] = walk->at;
}

/* The tokens but comments: what stands beside a name is told by its neighbours. */
static const struct python_token *without_comments(struct arena *arena, const struct python_tokens *tokens)
{
	struct python_token *bare = arena_array(arena, tokens->count, sizeof *bare);
	size_t count = 0;
	for (size_t i = 0; i < tokens->count; i++)
		if (tokens->items[i].kind != PYTHON_COMMENT)
			bare[count++] = tokens->items[i];
	return bare;
}

struct python_changes python_changes_find(struct arena *arena, const struct python_tokens *tokens)
{
	struct python_changes changes = { .arena = arena, .names = map_new(arena, 0) };
	const struct python_token *first = without_comments(arena, tokens);
	struct walk walk = { .first = first, .at = first };
	for (; walk.at->kind != PYTHON_END; walk.at++) {
		walk_follow(&walk);
		if (walk.at->kind == PYTHON_NAME)
			name_note(&changes, &walk);
	}
	return changes;
}

static const struct python_token *earlier(const struct python_token *a, const struct python_token *b)
{
	return !a || (b && b < a) ? b : a;
}

/* Other names of it, and other names of these, each once; NULL behind the last. */
static const struct python_token **others_find(struct python_changes *changes, struct uses *uses)
{
	const struct python_token **others = NULL;
	size_t count = 0, capacity = 0;
	for (size_t i = 0; uses; uses = i < count ? uses_of(changes, others[i++]->text) : NULL)
		for (struct other *other = uses->others; other; other = other->next) {
			struct uses *next = uses_of(changes, other->name->text);
			if (next->followed)
				continue;
			next->followed = true;
			others = arena_grow(changes->arena, others, count, &capacity, sizeof(void *));
			others[count++] = other->name;
		}
	for (size_t i = 0; i < count; i++) {
		struct uses *known = uses_of(changes, others[i]->text);
		assert(known); /* it was followed */
		known->followed = false;
	}
	others = arena_grow(changes->arena, others, count, &capacity, sizeof(void *));
	others[count] = NULL;
	return others;
}

const struct python_token **python_other_names(struct python_changes *changes,
					       const struct python_token *symbol)
{
	return others_find(changes, uses_of(changes, symbol->text));
}

/* Where other names of it change what it holds. */
static const struct python_token *others_change(struct python_changes *changes, struct uses *uses)
{
	const struct python_token *found = NULL;
	for (const struct python_token **other = others_find(changes, uses); *other; other++)
		found = earlier(found, uses_of(changes, (*other)->text)->changed);
	return found;
}

const struct python_token *python_change_of(struct python_changes *changes, const struct python_token *symbol)
{
	struct uses *uses = uses_of(changes, symbol->text);
	const struct python_token *bound = uses->bound[0];
	if (bound && bound->place.begin == symbol->place.begin)
		bound = uses->bound[1];
	if (!symbol->top && (!uses->part || uses->part->place.begin != symbol->place.begin))
		bound = earlier(bound, uses->part);
	return earlier(bound, others_change(changes, uses));
}
