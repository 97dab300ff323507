#include "compiler/policy/adr_reference.h"

#include <limits.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/date.h"
#include "compiler/policy/adr.h"

/* Longer ones are none: that keeps the time linear in texts made of brackets or dashes. */
enum { LINK_SIZE_MAX = 4096, TOKEN_SIZE_MAX = 128 };

static const char *const adr_extensions[] = { "md", "markdown", "rst", "adoc", "asciidoc" };

struct reference {
	const char *prefix;         /* "phase" of `Phase 2`, else "" */
	struct slice scope, digits; /* scope of size 0 where it has none */
	struct slice slug;          /* of a file that is named by its date: its title; else of size 0 */
	bool bare;                  /* a number alone */
	size_t size;                /* bytes read */
};

bool adr_number_read(struct slice digits, unsigned long *number)
{
	unsigned long value = 0;
	for (size_t i = 0; i < digits.size; i++) {
		unsigned long digit = (unsigned long)(digits.at[i] - '0');
		if (!ascii_is_digit(digits.at[i]) || value > (ULONG_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return digits.size > 0;
}

static struct slice leading_digits(struct slice slice)
{
	size_t size = 0;
	while (size < slice.size && ascii_is_digit(slice.at[size]))
		size++;
	slice.size = size;
	return slice;
}

static bool is_scope_byte(char c)
{
	return ascii_is_alnum(c) || c == '.' || c == '_' || c == '-';
}

bool adr_scope_is_named(struct slice slice)
{
	if (!slice.size || !ascii_is_alnum(slice.at[0]))
		return false;
	for (size_t i = 0; i < slice.size; i++)
		if (!is_scope_byte(slice.at[i]))
			return false;
	return true;
}

bool adr_reference_parse(struct compilation *compilation, const char *text, const char **scope,
			 unsigned long *number)
{
	const char *slash = strchr(text, '/');
	struct slice rest = slice_of(slash ? slash + 1 : text);
	struct slice before = { text, slash ? (size_t)(slash - text) : 0 };
	*scope = NULL;
	if (slash && !adr_scope_is_named(before))
		return false;
	if (rest.size >= 4 && memcmp(rest.at, "ADR-", 4) == 0)
		rest = slice_from(rest, 4);
	if (!adr_number_read(rest, number))
		return false;
	if (slash)
		*scope = arena_copy(compilation->arena, before.at, before.size);
	return true;
}

static struct slice without_extension(struct slice name)
{
	for (size_t i = 0; i < sizeof adr_extensions / sizeof *adr_extensions; i++) {
		size_t size = strlen(adr_extensions[i]);
		if (name.size > size + 1 && name.at[name.size - size - 1] == '.' &&
		    slice_is(slice_from(name, name.size - size), adr_extensions[i]))
			name.size -= size + 1;
	}
	return name;
}

struct slice adr_dated_slug(struct slice digits, struct slice rest)
{
	enum { DIGITS = 8 };
	const struct slice none = { rest.at, 0 };
	const char *at = digits.at;
	if (digits.size != DIGITS || rest.size < 2 || rest.at[0] != '-')
		return none;
	const char date[] = { at[0], at[1], at[2], at[3], '-', at[4], at[5], '-', at[6], at[7], '\0' };
	return date_is_formed(date, DATE_SIZE) && date_exists(date) ? without_extension(slice_from(rest, 1))
								    : none;
}

/* The slug that the digits have in a name or word that they stand in. */
static struct slice slug_after(struct slice digits, struct slice name)
{
	return adr_dated_slug(digits, slice_from(name, (size_t)(digits.at - name.at) + digits.size));
}

struct slice adr_path_base(struct slice path)
{
	size_t begin = path.size;
	while (begin && path.at[begin - 1] != '/')
		begin--;
	return slice_from(path, begin);
}

struct slice adr_path_folder(struct slice path)
{
	path.size -= adr_path_base(path).size;
	while (path.size && path.at[path.size - 1] == '/')
		path.size--;
	return adr_path_base(path);
}

/* 2026-09-24-title.md is named by its date: 2026 is no number of an ADR. */
static bool is_dated(struct slice name)
{
	static const char form[] = "dddd-dd-dd";
	for (size_t i = 0; form[i]; i++)
		if (i == name.size || (form[i] == 'd' ? !ascii_is_digit(name.at[i]) : name.at[i] != '-'))
			return false;
	return true;
}

/* Passes `adr`, `adr-` or `adr_` before a number. */
static struct slice after_adr(struct slice slice)
{
	if (!slice_starts(slice, "adr"))
		return slice;
	struct slice rest = slice_from(slice, 3);
	if (rest.size && (rest.at[0] == '-' || rest.at[0] == '_'))
		rest = slice_from(rest, 1);
	return leading_digits(rest).size ? rest : slice;
}

struct slice adr_file_digits(struct slice name)
{
	const struct slice none = { name.at, 0 };
	struct slice digits = leading_digits(after_adr(name));
	size_t after = (size_t)(digits.at - name.at) + digits.size;
	if (!digits.size || is_dated(name) || (after < name.size && !strchr("-_.", name.at[after])))
		return none;
	/* 02-ADR-0001-title.md: the first number is the scope's. */
	struct slice rest = after < name.size ? slice_from(name, after + 1) : none;
	struct slice inner = leading_digits(after_adr(rest));
	return digits.at == name.at && slice_starts(rest, "adr") && inner.size ? inner : digits;
}

/* `ADR-0011`, `ADR-02-0011`, `ADR-P2-0011`, `ADR-0011-title`: what follows the `ADR-`. */
static bool after_prefix_read(struct slice rest, struct reference *reference)
{
	size_t dash = 0;
	while (dash < rest.size && rest.at[dash] != '-')
		dash++;
	struct slice first = { rest.at, dash };
	struct slice second =
		dash < rest.size ? leading_digits(slice_from(rest, dash + 1)) : (struct slice){ 0 };
	bool whole = second.size && second.at + second.size == rest.at + rest.size;
	/* Of ADR-0011-2026-plan, 0011 is no scope: those that are numbers have two digits. */
	bool scoped =
		adr_scope_is_named(first) && (leading_digits(first).size < first.size || first.size <= 2);
	if (scoped && second.size && (whole || second.at[second.size] == '-')) {
		reference->scope = first;
		reference->digits = second;
		return true;
	}
	struct slice digits = leading_digits(first);
	/* A file name may stand here: ADR-0011.md. */
	if (!digits.size || (digits.size < first.size && first.at[digits.size] != '.'))
		return false;
	reference->digits = digits;
	reference->slug = slug_after(digits, rest);
	return true;
}

static bool has_adr_prefix(struct slice slice)
{
	return slice_starts(slice, "adr-") || slice_starts(slice, "adr_");
}

/* `0011`, `0011-title`: a number, but neither a date nor a version. */
static bool bare_number_read(struct slice token, struct reference *reference)
{
	struct slice digits = leading_digits(token);
	bool whole = digits.size == token.size;
	bool slug = !whole && token.at[digits.size] == '-' && digits.size + 1 < token.size &&
		    !ascii_is_digit(token.at[digits.size + 1]);
	reference->digits = digits;
	reference->slug = slug_after(digits, token);
	reference->bare = true;
	return digits.size && (whole || slug);
}

/* One word without white space, in one of the spellings. */
static bool token_read(struct slice token, struct reference *reference)
{
	struct slice base = adr_path_base(token);
	*reference = (struct reference){ .prefix = "", .size = token.size };
	if (base.size < token.size) {
		struct slice scope = adr_path_folder(token);
		bool read = has_adr_prefix(base) ? after_prefix_read(slice_from(base, 4), reference)
						 : bare_number_read(base, reference);
		reference->bare = false;
		reference->scope = scope;
		return read && adr_scope_is_named(scope);
	}
	if (has_adr_prefix(token))
		return after_prefix_read(slice_from(token, 4), reference);
	for (size_t i = 1; i < token.size; i++) {
		struct slice rest = slice_from(token, i);
		if (!slice_starts(rest, "-adr-"))
			continue;
		bool read = after_prefix_read(slice_from(rest, 5), reference);
		reference->scope = (struct slice){ token.at, i };
		return read;
	}
	return bare_number_read(token, reference);
}

static struct slice token_at(struct slice slice)
{
	size_t size = 0;
	while (size < slice.size && (is_scope_byte(slice.at[size]) || slice.at[size] == '/'))
		if (++size > TOKEN_SIZE_MAX)
			return (struct slice){ slice.at, 0 };
	while (size && !ascii_is_alnum(slice.at[size - 1]))
		size--;
	slice.size = size;
	return slice;
}

/* `Phase 2 ADR-0001`, `Phase 2, ADR 1`. */
static bool phase_read(struct slice slice, struct reference *reference)
{
	size_t size = slice_phrase(slice, "phase ");
	if (!size)
		return false;
	struct slice scope = token_at(slice_from(slice, size));
	size += scope.size;
	while (size < slice.size && (ascii_is_space(slice.at[size]) || slice.at[size] == ','))
		size++;
	struct slice token = token_at(slice_from(slice, size));
	if (!scope.size || !ascii_is_digit(scope.at[0]) || !has_adr_prefix(token) ||
	    !token_read(token, reference))
		return false;
	reference->prefix = "phase";
	reference->scope = scope;
	reference->size = size + token.size;
	return true;
}

/* A reference at the start of the slice, which is the start of a word. */
static bool reference_read(struct slice slice, struct reference *reference)
{
	if (phase_read(slice, reference))
		return true;
	size_t size = slice_phrase(slice, "adr ");
	if (!size)
		return token_read(token_at(slice), reference);
	struct slice token = token_at(slice_from(slice, size));
	*reference = (struct reference){ .prefix = "" };
	if (!bare_number_read(token, reference))
		return false;
	reference->bare = false;
	reference->size = size + token.size;
	return true;
}

size_t adr_reference_size(struct slice slice)
{
	struct reference reference;
	return slice.size && ascii_is_alnum(slice.at[0]) && reference_read(slice, &reference) ? reference.size
											      : 0;
}

static const char *reference_text(struct arena *arena, const struct reference *reference)
{
	struct slice scope = reference->scope, digits = reference->digits, slug = reference->slug;
	unsigned long number;
	if (!adr_number_read(digits, &number))
		return NULL;
	return arena_printf(arena, "%s%.*s%s%.*s%s%.*s", reference->prefix, (int)scope.size, scope.at,
			    scope.size ? "/" : "", (int)digits.size, digits.at, slug.size ? "-" : "",
			    (int)slug.size, slug.at);
}

bool adr_reference_read(struct compilation *compilation, const char *text, struct adr_reference *read)
{
	struct arena *arena = compilation->arena;
	struct slice whole = slice_of(text);
	struct reference reference = { 0 };
	if (!whole.size || !ascii_is_alnum(text[0]) || !reference_read(whole, &reference) ||
	    reference.size != whole.size)
		return false;
	struct slice last = reference.slug.size ? reference.slug : reference.digits;
	if (last.at + last.size != text + whole.size)
		return false;
	struct slice scope = reference.scope, slug = reference.slug;
	*read = (struct adr_reference){
		.scope = scope.size
				 ? arena_printf(arena, "%s%.*s", reference.prefix, (int)scope.size, scope.at)
				 : NULL,
		.slug = slug.size ? arena_copy(arena, slug.at, slug.size) : NULL,
	};
	return adr_number_read(reference.digits, &read->number);
}

/* Of `phase2`, `P2`, `02`, `02-tools` and `Phase 2` the number, without leading zeros; size 0 for others. */
static struct slice phase_number(struct slice scope)
{
	static const char *const prefixes[] = { "phase", "p" };
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (slice_starts(scope, prefixes[i])) {
			scope = slice_from(scope, strlen(prefixes[i]));
			break;
		}
	if (scope.size && strchr("-_ ", scope.at[0]))
		scope = slice_from(scope, 1);
	while (scope.size > 1 && scope.at[0] == '0' && ascii_is_digit(scope.at[1]))
		scope = slice_from(scope, 1);
	size_t size = leading_digits(scope).size;
	if (size && size + 1 < scope.size && scope.at[size] == '.' && ascii_is_digit(scope.at[size + 1]))
		size += 1 + leading_digits(slice_from(scope, size + 1)).size;
	bool ends = size == scope.size || (size && (scope.at[size] == '-' || scope.at[size] == '_'));
	scope.size = ends ? size : 0;
	return scope;
}

bool adr_scope_is_spelt(const char *name, const char *spelling)
{
	struct slice number = phase_number(slice_of(name)), wanted = phase_number(slice_of(spelling));
	if (slice_is(slice_of(name), spelling))
		return true;
	return number.size && number.size == wanted.size && memcmp(number.at, wanted.at, number.size) == 0;
}

/* No name without a number is one of these numbers. */
const char *adr_scope_key(struct arena *arena, const char *spelling)
{
	struct slice number = phase_number(slice_of(spelling));
	if (number.size)
		return arena_copy(arena, number.at, number.size);
	char *key = arena_copy(arena, spelling, strlen(spelling));
	for (char *c = key; *c; c++)
		*c = ascii_lower(*c);
	return key;
}

/* The offset of the byte, or the size of the slice where it is not near. */
static size_t find_byte(struct slice slice, size_t from, char wanted)
{
	size_t end = slice.size < LINK_SIZE_MAX ? slice.size : LINK_SIZE_MAX;
	const char *found = from < end ? memchr(slice.at + from, wanted, end - from) : NULL;
	return found ? (size_t)(found - slice.at) : slice.size;
}

bool adr_link_read(struct slice slice, struct adr_link *link)
{
	if (!slice.size || slice.at[0] != '[')
		return false;
	bool twice = slice.size > 1 && slice.at[1] == '[';
	size_t close = find_byte(slice, 1, ']');
	if (close == slice.size || memchr(slice.at + 1 + twice, '[', close - 1 - (twice && close > 1)))
		return false;
	*link = (struct adr_link){ .size = close + 1 };
	link->text = slice_from((struct slice){ slice.at, close }, 1u + twice);
	if (link->size == slice.size)
		return true;
	char open = slice.at[link->size];
	if (twice && open == ']')
		link->size++;
	if (twice || (open != '(' && open != '['))
		return true;
	size_t begin = link->size + 1;
	size_t end = find_byte(slice, begin, open == '(' ? ')' : ']');
	if (end == slice.size)
		return false;
	link->size = end + 1;
	if (open == '(')
		link->target = slice_trim((struct slice){ slice.at + begin, end - begin });
	return true;
}

/* The path of `<path#part>` or `path "title"`. */
static struct slice target_path(struct slice target)
{
	if (target.size && target.at[0] == '<')
		target = slice_from(target, 1);
	for (size_t i = 0; i < target.size; i++)
		if (ascii_is_space(target.at[i]) || strchr("#?>", target.at[i]))
			target.size = i;
	return target;
}

/* Where the target's folder has no name (`..`) the file may be anyone's: no reference. */
static bool target_read(struct slice target, struct slice folder, struct reference *reference)
{
	struct slice path = target_path(target), scope = adr_path_folder(path);
	struct slice base = adr_path_base(path);
	*reference = (struct reference){ .prefix = "", .digits = adr_file_digits(base) };
	reference->slug = slug_after(reference->digits, base);
	bool here = !scope.size || slice_is(scope, ".") ||
		    (scope.size == folder.size && memcmp(scope.at, folder.at, scope.size) == 0);
	if (!here)
		reference->scope = scope;
	return reference->digits.size && (here || adr_scope_is_named(scope));
}

/* `https://example.org/0001-x.md`, `//example.org/0001-x.md`: an ADR of others, whatever its number. */
static bool is_foreign(struct slice target)
{
	struct slice path = target_path(target);
	return path.size && (memmem(path.at, path.size, "://", 3) || slice_starts(path, "//"));
}

/* The size of the URL that begins here, 0 where none does. */
static size_t url_size(struct slice slice)
{
	size_t size = 0;
	while (size < slice.size && size < TOKEN_SIZE_MAX && is_scope_byte(slice.at[size]))
		size++;
	if (!size || !slice_starts(slice_from(slice, size), "://"))
		return 0;
	while (size < slice.size && !ascii_is_space(slice.at[size]) && !strchr("<>()[]\"'`", slice.at[size]))
		size++;
	return size;
}

/* In a link's text `ADR-0011` may stand anywhere; a bare number is a reference only alone. */
static bool link_text_read(struct slice text, struct reference *reference)
{
	struct slice trimmed = slice_trim(text);
	for (size_t at = slice_next_word(trimmed, 0); at < trimmed.size;
	     at = slice_next_word(trimmed, at + 1))
		if (reference_read(slice_from(trimmed, at), reference) &&
		    (!reference->bare || reference->digits.size == trimmed.size))
			return true;
	return false;
}

const char *adr_link_reference(struct arena *arena, const struct adr_link *link, struct slice folder)
{
	struct reference written, target;
	if (is_foreign(link->target))
		return NULL;
	bool has_target = target_read(link->target, folder, &target);
	if (link_text_read(link->text, &written)) {
		/* A bare number with a target elsewhere is a number there. */
		if (!written.scope.size && link->target.size && has_target)
			written.scope = target.scope;
		return reference_text(arena, &written);
	}
	return has_target ? reference_text(arena, &target) : NULL;
}

static const char *found_at(struct arena *arena, struct slice slice, struct slice folder, bool first,
			    struct slice *place)
{
	struct adr_link link;
	struct reference reference;
	if (adr_link_read(slice, &link)) {
		*place = (struct slice){ slice.at, link.size };
		return adr_link_reference(arena, &link, folder);
	}
	if (!ascii_is_alnum(slice.at[0]) || !reference_read(slice, &reference) || (reference.bare && !first))
		return NULL;
	*place = (struct slice){ slice.at, reference.size };
	return reference_text(arena, &reference);
}

/* The size of the link that begins here and leads to others, 0 where none does. */
static size_t foreign_link_size(struct slice slice)
{
	struct adr_link link;
	return adr_link_read(slice, &link) && is_foreign(link.target) ? link.size : 0;
}

const char *adr_reference_find(struct arena *arena, struct slice slice, struct slice folder,
			       struct slice *place)
{
	bool first = true;
	for (size_t at = 0; at < slice.size; at++) {
		bool word = ascii_is_alnum(slice.at[at]) && (at == 0 || !ascii_is_alnum(slice.at[at - 1]));
		if (!word && slice.at[at] != '[')
			continue;
		const char *found = found_at(arena, slice_from(slice, at), folder, first, place);
		if (found)
			return found;
		first = false;
		size_t foreign =
			word ? url_size(slice_from(slice, at)) : foreign_link_size(slice_from(slice, at));
		at += foreign ? foreign - 1 : 0;
	}
	return NULL;
}
