#include "compiler/import/python_change.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"

/* A walk over the tokens without comments. */
struct walk {
	const struct python_token *symbol;
	const struct python_token *first, *at;
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

const struct python_token *python_assignment(const struct python_token *token)
{
	if (token->kind != PYTHON_NAME)
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
	return python_token_is(token, ".") && python_token_is(token + 2, "(") &&
	       IS_ONE_OF(token + 1, PYTHON_NAME, methods);
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

static void walk_follow(struct walk *walk)
{
	static const char *const binding[] = { "del", "for", "import" }, *const opening[] = { "(", "[" },
				 *const closing[] = { ")", "]" };
	const struct python_token *at = walk->at;
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

/*
 * Whether this token, the symbol's name, changes what it holds. Behind a dot it is an attribute: another
 * thing of that name, but where the symbol is a class's own.
 */
static bool is_change(const struct walk *walk)
{
	const struct python_token *token = walk->at, *before = token == walk->first ? NULL : token - 1;
	const struct python_token *behind = behind_indices(token + 1);
	if (before && rebinds(before))
		return true;
	if (before && python_token_is(before, ".") && walk->symbol->top)
		return false;
	if (token->depth && python_token_is(token + 1, "=")) /* the name of an argument */
		return false;
	bool annotated = (!before || may_end_before(before)) && python_assignment(token);
	return annotated || changes(behind) || python_token_is(behind, "=") ||
	       python_token_is(behind, ":=") || is_target(walk, behind);
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

const struct python_token *python_change_of(struct compilation *compilation,
					    const struct python_tokens *tokens,
					    const struct python_token *symbol)
{
	const struct python_token *first = without_comments(compilation->arena, tokens);
	struct walk walk = { .symbol = symbol, .first = first, .at = first };
	for (; walk.at->kind != PYTHON_END; walk.at++) {
		bool named = walk.at->kind == PYTHON_NAME && strcmp(walk.at->text, symbol->text) == 0;
		walk_follow(&walk);
		if (named && walk.at->place.begin != symbol->place.begin && is_change(&walk))
			return walk.at;
	}
	return NULL;
}
