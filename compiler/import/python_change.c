#include "compiler/import/python_change.h"

#include <assert.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/import/python_literal.h"

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
	bool changes;    /* in the first argument of "list.remove(", which is changed */
	/* Of what is assigned, where `sign` is not NULL: */
	const struct python_token *value;  /* within the calls around it that make a collection of one */
	const struct python_token *part;   /* the first of its parts between commas */
	const struct python_token *target; /* of the part at hand; NULL where one target has all */
	unsigned target_depth;             /* of the commas between targets */
	const struct python_token *loop;   /* NAME of "for NAME in A, B" and "in [A, B]"; or NULL */
	const struct python_token *loop_begin, *loop_end; /* its parts */
};

/* A name with the brackets around it alone: "(A)". */
struct named {
	const struct python_token *begin, *end; /* `end` stands behind it */
	const struct python_token *behind;      /* likewise, and behind indices */
};

bool python_ends_statement(const struct python_token *token)
{
	return token->kind == PYTHON_LINE_END || token->kind == PYTHON_END ||
	       (!token->depth && python_token_is(token, ";"));
}

/* "case A:", which is a variable's name where it is assigned. */
static bool begins_pattern(const struct python_token *token)
{
	static const char *const others[] = { "=", ".", ",", ":", ")" };
	return python_token_is_name(token, "case") && !IS_ONE_OF(token + 1, PYTHON_SIGN, others);
}

bool python_begins_suite(const struct python_token *token)
{
	static const char *const words[] = { "async",   "class", "def", "elif", "else",  "except",
					     "finally", "for",   "if",  "try",  "while", "with" };
	return IS_ONE_OF(token, PYTHON_NAME, words) || begins_pattern(token);
}

const struct python_token *python_assignment(const struct python_token *token)
{
	if (token->kind != PYTHON_NAME || python_begins_suite(token))
		return NULL;
	const struct python_token *sign = token + 1;
	if (python_token_is(sign, ":"))
		while (!python_ends_statement(sign) &&
		       !(sign->depth == token->depth && python_token_is(sign, "=")))
			sign++;
	return python_token_is(sign, "=") ? sign : NULL;
}

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
		"__init__",
	};
	if (IS_ONE_OF(token, PYTHON_SIGN, augmented))
		return true;
	/* Not of calls alone: "map(A.discard, B)". */
	return python_token_is(token, ".") && IS_ONE_OF(token + 1, PYTHON_NAME, methods);
}

/* Behind the '(' of a call that changes its first argument, or may: "list.remove(", "operator.delitem(". */
static bool changes_first_argument(const struct python_token *first, const struct python_token *open)
{
	static const char *const types[] = { "bytearray", "deque", "dict", "list", "set" };
	static const char *const functions[] = { "delitem", "getattr", "heappop", "heappush", "heapreplace",
						 "iadd",    "iand",    "iconcat", "imul",     "insort",
						 "ior",     "isub",    "ixor",    "setitem" };
	if (open == first || !python_token_is(open, "("))
		return false;
	return IS_ONE_OF(open - 1, PYTHON_NAME, functions) ||
	       (open - first >= 3 && IS_ONE_OF(open - 3, PYTHON_NAME, types) && changes(open - 2));
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

/* Whether a bracket between these is around them alone, and no call's: "(A)". */
static bool is_enclosed(const struct walk *walk, const struct python_token *begin,
			const struct python_token *end)
{
	static const char *const words[] = { "and",  "as",    "assert", "await", "del",  "elif",
					     "else", "for",   "if",     "in",    "is",   "not",
					     "or",   "raise", "return", "while", "with", "yield" },
				 *const closing[] = { ")", "]", "}" };
	if (begin == walk->first || !python_token_is(begin - 1, "(") || !python_token_is(end, ")"))
		return false;
	if (begin - 1 == walk->first)
		return true;
	const struct python_token *before = begin - 2;
	return before->kind == PYTHON_NAME ? IS_ONE_OF(before, PYTHON_NAME, words)
					   : !IS_ONE_OF(before, PYTHON_SIGN, closing);
}

static struct named named_at(const struct walk *walk)
{
	struct named named = { .begin = walk->at, .end = walk->at + 1 };
	while (is_enclosed(walk, named.begin, named.end)) {
		named.begin--;
		named.end++;
	}
	named.behind = behind_indices(named.end);
	return named;
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

/* Behind the bracket around all that stands between these, where there is one. */
static const struct python_token *within_bracket(const struct python_token *begin,
						 const struct python_token *end)
{
	static const char *const opening[] = { "(", "[" }, *const closing[] = { ")", "]" };
	const struct python_token *at = begin + 1;
	if (!IS_ONE_OF(begin, PYTHON_SIGN, opening))
		return begin;
	while (at < end && !(at->depth == begin->depth && IS_ONE_OF(at, PYTHON_SIGN, closing)))
		at++;
	return at + 1 == end ? begin + 1 : begin;
}

/* Whether a part ends here: of "A, B" at the depth of its commas. */
static bool ends_part(const struct python_token *token, unsigned depth)
{
	return python_token_is(token, ",") && token->depth == depth;
}

/* "(A, B) = …", "[A] = …": `begin` is its first token. One name takes all parts. */
static void targets_begin(struct walk *walk, const struct python_token *begin)
{
	const struct python_token *at = walk->target = within_bracket(begin, walk->sign);
	walk->target_depth = begin->depth + (at > begin);
	while (at < walk->sign && !ends_part(at, walk->target_depth))
		at++;
	bool unpacks = at < walk->sign || (python_token_is(begin, "[") && walk->target > begin);
	if (!unpacks)
		walk->target = NULL;
}

static void target_next(struct walk *walk)
{
	while (walk->target < walk->sign && !ends_part(walk->target, walk->target_depth))
		walk->target++;
	walk->target += walk->target < walk->sign;
}

/* Between parts of a value: what is assigned holds all of either. */
static const char *const joins[] = { "|", "+" };

/* Whether what stands behind a part of a value takes nothing from it: "set(A) | B", and not "set(A) - B". */
static bool keeps_all(const struct python_token *behind, const struct python_token *end)
{
	static const char *const methods[] = { "copy", "union" };
	return behind == end || IS_ONE_OF(behind, PYTHON_SIGN, joins) || python_token_is_name(behind, "if") ||
	       (python_token_is(behind, ".") && IS_ONE_OF(behind + 1, PYTHON_NAME, methods));
}

bool python_compares(const struct python_token *begin, const struct python_token *end)
{
	static const char *const signs[] = { "==", "!=", "<", "<=", ">", ">=" };
	bool compares = false;
	for (const struct python_token *at = begin; at < end; at++) {
		if (at->depth != begin->depth)
			continue;
		if (python_token_is_name(at, "if"))
			return false;
		compares |= python_token_is_name(at, "in") || python_token_is_name(at, "not") ||
			    IS_ONE_OF(at, PYTHON_SIGN, signs);
	}
	return compares;
}

/* The bracket of a call that makes a collection of one, or one around a value; NULL where there is none. */
static const struct python_token *opening_of(const struct python_token *value)
{
	bool call = value->kind == PYTHON_NAME &&
		    (python_begins_collection(value) || python_begins_call(value, "sorted"));
	if (!call && !python_token_is(value, "("))
		return NULL;
	while (!python_token_is(value, "("))
		value++;
	return value;
}

/* Few calls stand within each other: each costs a look at all of the value. */
enum { CALLS_WITHIN_MAX = 8 };

static void value_begin(struct walk *walk, const struct python_token *end)
{
	walk->value = walk->sign + 1;
	walk->part = within_bracket(walk->value, end);
	for (unsigned i = 0; i < CALLS_WITHIN_MAX; i++) {
		const struct python_token *open = opening_of(walk->value), *close = open ? open + 1 : NULL;
		while (close && close < end && close->depth != open->depth)
			close++;
		bool one_name = open == walk->value && close == open + 2;
		if (!open || close >= end || one_name || !keeps_all(close + 1, end))
			break;
		walk->value = open + 1;
		end = close;
	}
	if (python_compares(walk->value, end))
		walk->value = end;
}

static void statement_begin(struct walk *walk)
{
	const struct python_token *target = walk->at, *at = walk->at;
	walk->begin = walk->at;
	walk->binds = false;
	walk->matches = begins_pattern(walk->at);
	walk->sign = walk->target = NULL;
	for (; !may_end_before(at) || at->depth; at++) {
		if (at->depth || !python_token_is(at, "="))
			continue;
		target = walk->sign ? walk->sign + 1 : target;
		walk->sign = at;
	}
	if (!walk->sign)
		return;
	targets_begin(walk, target);
	value_begin(walk, at);
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

static void first_argument_follow(struct walk *walk)
{
	const struct python_token *at = walk->at;
	bool call = python_token_is(at, "(") && at > walk->first && at[-1].kind == PYTHON_NAME;
	bool goes_on = at->kind == PYTHON_NAME || python_token_is(at, ".") || python_token_is(at, "(");
	if (call || !goes_on)
		walk->changes = changes_first_argument(walk->first, at);
}

/* "for NAME in [A, B]": each part gets this name. A part alone, "in A", is gone through itself. */
static void loop_begin(struct walk *walk)
{
	static const char *const words[] = { "for", "if" };
	const struct python_token *name = walk->at + 1;
	bool parts = false;
	walk->loop = NULL;
	if (name->kind != PYTHON_NAME || !python_token_is_name(name + 1, "in"))
		return;
	const struct python_token *begin = name + 2, *end = begin;
	for (; !python_ends_statement(end); end++) {
		bool ends = python_token_is(end, ":") || IS_ONE_OF(end, PYTHON_NAME, words);
		if (end->depth < name->depth || (end->depth == name->depth && ends))
			break;
		parts |= ends_part(end, name->depth);
	}
	walk->loop_begin = within_bracket(begin, end);
	walk->loop_end = end;
	if (parts || walk->loop_begin > begin)
		walk->loop = name;
}

static void walk_follow(struct walk *walk)
{
	static const char *const binding[] = { "del", "for", "import" }, *const opening[] = { "(", "[" },
				 *const closing[] = { ")", "]" };
	const struct python_token *at = walk->at;
	ahead_follow(walk);
	first_argument_follow(walk);
	if (begins_statement(walk))
		statement_begin(walk);
	if (walk->target && at > walk->sign && ends_part(at, walk->part->depth))
		target_next(walk);
	if (python_token_is_name(at, "for"))
		loop_begin(walk);
	if (IS_ONE_OF(at, PYTHON_NAME, binding))
		walk->binds = true;
	else if (python_token_is_name(at, "in"))
		walk->binds = false;
	else if (python_token_is_name(at, "if"))
		walk->matches = false;
	else if (python_token_is_name(at, "as") && IS_ONE_OF(at + 1, PYTHON_SIGN, opening))
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
	const struct python_token *far;      /* the first that changes it by another name */
	const struct python_token *shadow;   /* the first that gives it a value in all of the module */
	struct other *others;
	struct origin *origins;
	struct uses *next; /* while changes are handed on */
	bool followed;     /* while other names of a symbol are looked up */
};

/* "OTHER = NAME", "OTHER = set(NAME)": another name of what the name holds, or of a copy. */
struct other {
	const struct python_token *name;
	struct other *next;
};

/* "NAME = ORIGIN", and no copy: what changes the one changes the other. */
struct origin {
	struct uses *uses;
	struct origin *next;
};

static bool is_behind_dot(const struct walk *walk)
{
	return walk->at > walk->first && python_token_is(walk->at - 1, ".");
}

/* Whether the thing that this token names is changed: by a method, a part of it, an augmented assignment. */
static bool is_changed(const struct walk *walk, const struct named *named)
{
	static const char *const argument_ends[] = { ",", ")" };
	bool deletes = named->begin > walk->first && python_token_is_name(named->begin - 1, "del");
	bool indexed = named->behind > named->end;
	return changes(named->behind) || (indexed && (deletes || python_token_is(named->behind, "="))) ||
	       (walk->changes && IS_ONE_OF(named->behind, PYTHON_SIGN, argument_ends));
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

static void other_add(struct python_changes *changes, struct uses *uses, const struct python_token *name,
		      bool copy)
{
	struct other *other = arena_alloc(changes->arena, sizeof *other);
	*other = (struct other){ name, uses->others };
	uses->others = other;
	if (copy)
		return;
	struct uses *named = uses_of(changes, name->text);
	struct origin *origin = arena_alloc(changes->arena, sizeof *origin);
	*origin = (struct origin){ uses, named->origins };
	named->origins = origin;
}

/* What stands before the '=' of a value. */
static void targets_add(struct python_changes *changes, const struct walk *walk,
			const struct python_token *sign, bool copy)
{
	struct uses *uses = uses_of(changes, walk->at->text);
	if (sign > walk->first && sign[-1].kind == PYTHON_NAME)
		other_add(changes, uses, sign - 1, copy);
	/* "OTHER: set[str] = NAME", and not "if OTHER: more = NAME". */
	const struct python_token *begin = walk->begin;
	if (begin - walk->first >= 2 && python_token_is(begin - 1, ":") && begin[-2].kind == PYTHON_NAME &&
	    (begin - 2 == walk->first || begin[-3].kind != PYTHON_NAME))
		other_add(changes, uses, begin - 2, copy);
}

/* "OTHER = … else NAME", "OTHER = … or NAME": what the choice may end with. */
static bool is_last_choice(const struct walk *walk, const struct named *named)
{
	static const char *const words[] = { "and", "else", "or" };
	return walk->sign && named->begin > walk->value && named->begin->depth == walk->value->depth &&
	       IS_ONE_OF(named->begin - 1, PYTHON_NAME, words) &&
	       (python_ends_statement(named->end) || python_token_is(named->end, ")"));
}

/* "for OTHER in NAME, B". */
static void loop_note(struct python_changes *changes, const struct walk *walk, const struct named *named)
{
	static const char *const ends[] = { ",", ")", "]" };
	const struct python_token *begin = walk->loop_begin;
	if (!walk->loop || named->begin < begin || named->end > walk->loop_end ||
	    named->begin->depth != begin->depth)
		return;
	if ((named->begin == begin || ends_part(named->begin - 1, begin->depth)) &&
	    (named->end == walk->loop_end || IS_ONE_OF(named->end, PYTHON_SIGN, ends)))
		other_add(changes, uses_of(changes, walk->at->text), walk->loop, false);
}

/* "OTHER = NAME", and no more of the statement but another '=', or a choice. */
static void other_note(struct python_changes *changes, const struct walk *walk, const struct named *named)
{
	static const char *const signs[] = { "=", ":=" }, *const behind[] = { ")", "=" },
				 *const choices[] = { "and", "if", "or" };
	const struct python_token *sign = named->begin - (named->begin > walk->first);
	bool whole = python_ends_statement(named->end) || IS_ONE_OF(named->end, PYTHON_SIGN, behind) ||
		     IS_ONE_OF(named->end, PYTHON_NAME, choices);
	if (is_last_choice(walk, named))
		targets_add(changes, walk, walk->sign, false);
	if (!IS_ONE_OF(sign, PYTHON_SIGN, signs))
		return;
	if (whole)
		targets_add(changes, walk, sign, false);
	else if (walk->at->depth && python_token_is(named->end, ",")) /* "call(other=NAME, more=1)" */
		other_add(changes, uses_of(changes, walk->at->text), sign - 1, true);
}

/* "OTHER, MORE = NAME, B": a part by itself, and what it is assigned to. */
static void part_note(struct python_changes *changes, const struct walk *walk, const struct named *named)
{
	static const char *const ends[] = { ",", ")", "]", "=" };
	const struct python_token *target = walk->target;
	if (!target || named->begin < walk->part || named->begin->depth != walk->part->depth)
		return;
	bool whole = (named->begin == walk->part || ends_part(named->begin - 1, walk->part->depth)) &&
		     (python_ends_statement(named->end) || IS_ONE_OF(named->end, PYTHON_SIGN, ends));
	while (target->kind == PYTHON_NAME && python_token_is(target + 1, ".") &&
	       target[2].kind == PYTHON_NAME)
		target += 2;
	if (whole && target->kind == PYTHON_NAME && IS_ONE_OF(target + 1, PYTHON_SIGN, ends))
		other_add(changes, uses_of(changes, walk->at->text), target, false);
}

/* Whether what is assigned holds all that the name does: "set(NAME)", "NAME | MORE", "{*NAME}". */
static bool is_held(const struct walk *walk, const struct named *named)
{
	static const char *const less[] = { "-", "&", "^" }, *const methods[] = { "copy", "union" },
				 *const opening[] = { "(", "[", "{" }, *const stars[] = { "*", "**" };
	const struct python_token *value = walk->value;
	if (!walk->sign || named->begin < value)
		return false;
	const struct python_token *before = named->begin - 1;
	if (named->begin == value &&
	    (python_token_is(named->end, ")") ||
	     (python_token_is(named->end, ".") && IS_ONE_OF(named->end + 1, PYTHON_NAME, methods))))
		return true;
	bool joined = IS_ONE_OF(named->end, PYTHON_SIGN, joins);
	bool ends = joined || python_ends_statement(named->end) || python_token_is(named->end, ")");
	if (named->begin->depth == value->depth)
		return IS_ONE_OF(before, PYTHON_SIGN, joins)
			       ? ends
			       : joined && !IS_ONE_OF(before, PYTHON_SIGN, less);
	return IS_ONE_OF(before, PYTHON_SIGN, stars) && named->begin->depth == value->depth + 1 &&
	       IS_ONE_OF(value, PYTHON_SIGN, opening);
}

/* "{*NAME}", "[*NAME]": a literal that holds what the name does alone. */
static bool is_spread(const struct walk *walk, const struct named *named)
{
	static const char *const opening[] = { "{", "[" }, *const closing[] = { "}", "]" };
	return named->begin - walk->sign > 3 && python_token_is(named->begin - 1, "*") &&
	       IS_ONE_OF(named->begin - 2, PYTHON_SIGN, opening) &&
	       IS_ONE_OF(named->begin - 3, PYTHON_SIGN, joins) && IS_ONE_OF(named->end, PYTHON_SIGN, closing);
}

/* "set(NAME)", "(NAME)", "NAME.copy()", "{*NAME}", one within another: the widest, which holds all of it. */
static struct named copy_of(const struct walk *walk, struct named copy)
{
	for (;;) {
		bool called = python_token_is(copy.end, ")") && copy.begin - walk->sign > 2 &&
			      opening_of(copy.begin - 2) == copy.begin - 1;
		const struct python_token *behind = python_behind_copy(copy.end);
		if (behind > copy.end) {
			copy.end = behind;
		} else if (called || is_spread(walk, &copy)) {
			copy.begin -= 2;
			copy.end++;
		} else if (is_enclosed(walk, copy.begin, copy.end)) {
			copy.begin--;
			copy.end++;
		} else {
			return copy;
		}
	}
}

/* "MORE | set(NAME)", "MORE.union(NAME)": whether a copy is a part of what is assigned, not the first. */
static bool is_copy_joined(const struct walk *walk, const struct named *named)
{
	static const char *const ends[] = { ")", "|", "+" };
	if (!walk->sign || named->begin - walk->value < 2)
		return false;
	struct named copy = copy_of(walk, *named);
	const struct python_token *before = copy.begin - 1;
	bool united = copy.begin == walk->value + 4 && python_begins_call(copy.begin - 2, "union") &&
		      python_token_is(copy.end, ")");
	copy.end += united;
	copy.begin = united ? walk->value : copy.begin;
	bool part = copy.begin->depth == walk->value->depth || copy.begin->depth == walk->sign->depth;
	bool joined = united || IS_ONE_OF(before, PYTHON_SIGN, joins) || python_token_is_name(before, "or");
	return part && joined &&
	       (IS_ONE_OF(copy.end, PYTHON_SIGN, ends) || python_token_is_name(copy.end, "if") ||
		python_ends_statement(copy.end));
}

/* "OTHER |= NAME", "OTHER.update(NAME)": what holds it from then on, beside what it held. */
static void added_note(struct python_changes *changes, const struct walk *walk, const struct named *named)
{
	static const char *const signs[] = { "|=", "+=" }, *const methods[] = { "update", "extend" };
	const struct python_token *begin = named->begin;
	bool augmented = begin - walk->first >= 2 && IS_ONE_OF(begin - 1, PYTHON_SIGN, signs) &&
			 begin[-2].kind == PYTHON_NAME && python_ends_statement(named->end);
	bool called = begin - walk->first >= 4 && python_token_is(begin - 1, "(") &&
		      IS_ONE_OF(begin - 2, PYTHON_NAME, methods) && python_token_is(begin - 3, ".") &&
		      begin[-4].kind == PYTHON_NAME && python_token_is(named->end, ")");
	if (augmented || called)
		other_add(changes, uses_of(changes, walk->at->text), begin - (augmented ? 2 : 4), true);
}

/* "def sorted(…)", "from tools import frozenset", not in a class or function: it hides the language's own. */
static bool shadows(const struct walk *walk)
{
	static const char *const signs[] = { "=", ":" }, *const imports[] = { "from", "import" };
	const struct python_token *at = walk->at;
	if (!walk->begin->top || is_behind_dot(walk))
		return false;
	if (at == walk->begin)
		return IS_ONE_OF(at + 1, PYTHON_SIGN, signs);
	return rebinds(at - 1) || (walk->binds && IS_ONE_OF(walk->begin, PYTHON_NAME, imports));
}

static void name_note(struct python_changes *changes, const struct walk *walk)
{
	struct named named = named_at(walk);
	other_note(changes, walk, &named);
	part_note(changes, walk, &named);
	loop_note(changes, walk, &named);
	added_note(changes, walk, &named);
	if (is_held(walk, &named) || is_copy_joined(walk, &named))
		targets_add(changes, walk, walk->sign, true);
	bool changed = is_changed(walk, &named);
	if (!changed && !is_bound(walk, named.behind))
		return;
	struct uses *uses = uses_of(changes, walk->at->text);
	if (!uses->shadow && shadows(walk))
		uses->shadow = walk->at;
	if (changed && !uses->changed) {
		uses->changed = walk->at;
		changes->changed = arena_grow(changes->arena, changes->changed, changes->count,
					      &changes->capacity, sizeof(struct uses *));
		changes->changed[changes->count++] = uses;
	}
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

/* To what this is another name of, and so on; what has an earlier change handed that on already. */
static void change_hand_on(struct uses *uses)
{
	const struct python_token *change = uses->changed;
	for (uses->next = NULL; uses;) {
		struct uses *rest = uses->next;
		for (struct origin *origin = uses->origins; origin; origin = origin->next) {
			if (origin->uses->far)
				continue;
			origin->uses->far = change;
			origin->uses->next = rest;
			rest = origin->uses;
		}
		uses = rest;
	}
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
	for (size_t i = 0; i < changes.count; i++)
		change_hand_on(changes.changed[i]);
	return changes;
}

static const struct python_token *earlier(const struct python_token *a, const struct python_token *b)
{
	return !a || (b && b < a) ? b : a;
}

const struct python_token *python_shadow_of(struct python_changes *changes, const char *name)
{
	const struct uses *uses = map_value(changes->names, name, strlen(name));
	return uses ? uses->shadow : NULL;
}

struct others {
	struct python_other *items;
	size_t count, capacity;
};

static struct python_other *others_grow(struct arena *arena, struct others *others)
{
	others->items =
		arena_grow(arena, others->items, others->count, &others->capacity, sizeof *others->items);
	return &others->items[others->count];
}

static void others_follow(struct python_changes *changes, struct others *others, const struct uses *uses,
			  const struct python_token *symbol)
{
	for (const struct other *other = uses->others; other; other = other->next) {
		struct uses *next = uses_of(changes, other->name->text);
		if (next->followed)
			continue;
		next->followed = true;
		*others_grow(changes->arena, others) = (struct python_other){ other->name, symbol };
		others->count++;
	}
}

const struct python_other *python_other_names(struct python_changes *changes,
					      const struct python_token *const *symbols, size_t count)
{
	struct others others = { 0 };
	for (size_t i = 0, next = 0; i < count; i++) {
		others_follow(changes, &others, uses_of(changes, symbols[i]->text), symbols[i]);
		for (; next < others.count; next++)
			others_follow(changes, &others, uses_of(changes, others.items[next].name->text),
				      symbols[i]);
	}
	for (size_t i = 0; i < others.count; i++) {
		struct uses *known = uses_of(changes, others.items[i].name->text);
		assert(known); /* it was followed */
		known->followed = false;
	}
	*others_grow(changes->arena, &others) = (struct python_other){ 0 };
	return others.items;
}

const struct python_token *python_change_of(struct python_changes *changes, const struct python_token *symbol)
{
	struct uses *uses = uses_of(changes, symbol->text);
	const struct python_token *bound = uses->bound[0];
	if (bound && bound->place.begin == symbol->place.begin)
		bound = uses->bound[1];
	if (!symbol->top && (!uses->part || uses->part->place.begin != symbol->place.begin))
		bound = earlier(bound, uses->part);
	return earlier(bound, uses->far);
}
