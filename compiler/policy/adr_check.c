#include "compiler/policy/adr_check.h"

#include <string.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/policy/adr.h"
#include "compiler/policy/adr_reference.h"
#include "compiler/policy/adr_scan.h"

enum { NOWHERE = -1 };

/* One ADR of the folder. */
struct node {
	const struct adr *adr; /* NULL where it could not be read */
	struct map *relations; /* what it tells: "KIND INDEX", and "KIND:REFERENCE" to the other node */
	long superseded_by;    /* the index of a successor, or NOWHERE */
	struct span superseded_at;
	unsigned walk; /* that came by, 0 for none */
};

struct checker {
	struct compilation *compilation;
	struct adr_scope *scope;
	struct node *nodes;
	size_t count;
	struct map *links; /* targets as written to their paths where those are not there, else to NULL */
};

static struct diags *diags_of(const struct checker *checker)
{
	return checker->compilation->diags;
}

static const char *file_name(const struct node *node)
{
	return path_base(node->adr->source->path);
}

/* ---- each ADR alone ---- */

static void status_check(const struct checker *checker, const struct adr *adr)
{
	if (adr->status != ADR_UNKNOWN)
		return;
	struct diagnostic *d = diag_report(diags_of(checker), DIAG_ADR_STATUS, adr->status_span,
					   "the status is not certain: %s", adr->doubt);
	diag_help(d, "%s", adr_status_help(adr));
}

/* ---- links ---- */

static int hexadecimal(char c)
{
	return ascii_is_digit(c) ? c - '0' : ascii_lower(c) - 'a' + 10;
}

/* The path of a link to a file beside this one, `%20` decoded; NULL where it leads elsewhere. */
static char *local_path(struct arena *arena, struct slice target)
{
	bool angled = target.size && target.at[0] == '<';
	target = slice_from(target, angled);
	char *path = arena_copy(arena, target.at, target.size);
	path[strcspn(path, angled ? "#?>" : "#? \t")] = '\0';
	if (!*path || *path == '/' || strchr(path, ':'))
		return NULL;
	char *out = path;
	for (const char *in = path; *in; in++) {
		bool coded = in[0] == '%' && ascii_is_hexadecimal(in[1]) && ascii_is_hexadecimal(in[2]);
		*out++ = coded ? (char)(hexadecimal(in[1]) * 16 + hexadecimal(in[2])) : *in;
		in += coded ? 2 : 0;
	}
	*out = '\0';
	return path;
}

/* The path where a link leads to nothing, else NULL. Each target is looked for once: all files are in one
 * folder. */
static const char *missing_path(const struct checker *checker, const struct source *source,
				struct slice target)
{
	struct arena *arena = checker->compilation->arena;
	void **known = map_find(checker->links, target.at, target.size);
	if (known)
		return *known;
	char *path = local_path(arena, target);
	if (path && access(path_beside(arena, source->path, path), F_OK) == 0)
		path = NULL;
	*map_at(checker->links, arena_copy(arena, target.at, target.size), target.size) = path;
	return path;
}

static void link_check(const struct checker *checker, const struct adr_text *text, struct slice link,
		       struct slice target)
{
	const char *path = missing_path(checker, text->source, target);
	if (!path)
		return;
	struct diagnostic *d = diag_report(diags_of(checker), DIAG_ADR_LINK, adr_text_span(text, link),
					   "the file '%s' is not there", path);
	diag_help(d, "paths start at the folder of the file that holds the link");
}

/* `[id]: target` */
static bool definition_check(const struct checker *checker, const struct adr_text *text, struct slice line)
{
	struct adr_link link;
	if (!adr_link_read(line, &link) || link.target.size || link.size == line.size ||
	    line.at[link.size] != ':')
		return false;
	link_check(checker, text, line, slice_trim(slice_from(line, link.size + 1)));
	return true;
}

/* Code spans show links and make none: `*span` is the first that ends after the last place. */
static bool in_code(const struct adr *adr, uint32_t place, size_t *span)
{
	while (*span < adr->code_span_count && adr->code_spans[*span].span.end <= place)
		++*span;
	return *span < adr->code_span_count && adr->code_spans[*span].span.begin <= place;
}

static void links_check(const struct checker *checker, const struct adr *adr)
{
	struct adr_text text;
	struct adr_link link;
	size_t span = 0;
	struct arena *scratch = checker->compilation->scratch;
	if (!diag_enabled(diags_of(checker), DIAG_ADR_LINK))
		return;
	arena_clear(scratch);
	if (!adr_scan(scratch, adr->source, &text))
		return;
	for (size_t i = 0; i < text.line_count; i++) {
		struct slice line = adr_line_slice(&text, &text.lines[i]);
		if (text.lines[i].kind == ADR_LINE_BLANK || definition_check(checker, &text, line))
			continue;
		const char *end = line.at + line.size;
		for (const char *at = line.at; (at = memchr(at, '[', (size_t)(end - at))); at++) {
			struct slice rest = { at, (size_t)(end - at) };
			if (!adr_link_read(rest, &link) || !link.target.size ||
			    in_code(adr, adr_text_span(&text, rest).begin, &span))
				continue;
			link_check(checker, &text, (struct slice){ rest.at, link.size }, link.target);
		}
	}
}

/* ---- numbers ---- */

static void numbers_check(const struct checker *checker)
{
	for (size_t i = 1; i < checker->count; i++) {
		const struct node *node = &checker->nodes[i], *before = node - 1;
		if (!node->adr || !before->adr || node->adr->number != before->adr->number)
			continue;
		struct slice digits = adr_file_digits(slice_of(file_name(node)));
		if (adr_dated_slug(digits, slice_of(digits.at + digits.size)).size)
			continue;
		struct span first = { node->adr->source, 0, 0 }, other = { before->adr->source, 0, 0 };
		struct diagnostic *d = diag_report(diags_of(checker), DIAG_ADR_AMBIGUOUS, first,
						   "another file has the number %lu", node->adr->number);
		diag_note(d, other, "%s is it", file_name(before));
		diag_help(d, "give each ADR a number of its own");
	}
}

/* ---- relations ---- */

static const char *relation_key(struct arena *arena, enum adr_relation_kind kind, size_t index)
{
	return arena_printf(arena, "%d %zu", (int)kind, index);
}

/* Whether links_check() has said of this place what there is to say. */
static bool is_dangling_link(const struct checker *checker, struct span place)
{
	struct adr_link link;
	struct slice text = { place.source->text + place.begin, place.end - place.begin };
	return adr_link_read(text, &link) && link.target.size &&
	       missing_path(checker, place.source, link.target);
}

/* The index of the ADR in this folder, or NOWHERE: a mistake that was reported, or in another folder. */
static long relation_target(const struct checker *checker, const struct adr *adr,
			    const struct adr_relation *relation)
{
	struct adr_reference reference;
	const char *const *paths;
	if (!adr_reference_read(checker->compilation, relation->reference, &reference))
		return NOWHERE;
	struct slice folder = adr_path_folder(slice_of(adr->source->path));
	const char *name = arena_copy(checker->compilation->arena, folder.at, folder.size);
	if (reference.scope && !adr_scope_is_spelt(name, reference.scope))
		return NOWHERE;
	size_t files = adr_scope_find(checker->scope, &reference, &paths);
	if (files == 1)
		return (long)adr_scope_index(checker->scope, paths);
	if (files == 0 && !is_dangling_link(checker, relation->span)) {
		struct diagnostic *d = diag_report(diags_of(checker), DIAG_ADR_MISSING, relation->span,
						   "there is no ADR %s in this folder", relation->reference);
		diag_help(d, "the number stands in the file's name: 0001-title.md");
	}
	return NOWHERE;
}

/* In the maps of the one that says it. */
static void relation_bind(const struct checker *checker, struct node *node,
			  const struct adr_relation *relation)
{
	struct arena *arena = checker->compilation->arena;
	const char *told = arena_printf(arena, "%d:%s", (int)relation->kind, relation->reference);
	if (map_find(node->relations, told, strlen(told)))
		return;
	long target = relation_target(checker, node->adr, relation);
	*map_at(node->relations, told, strlen(told)) = target == NOWHERE ? NULL : &checker->nodes[target];
	if (target == NOWHERE)
		return;
	const char *key = relation_key(arena, relation->kind, (size_t)target);
	*map_at(node->relations, key, strlen(key)) = node;
	if (relation->kind == ADR_SUPERSEDED_BY && node->superseded_by == NOWHERE) {
		node->superseded_by = target;
		node->superseded_at = relation->span;
	}
}

/*
 * A status may name the successor without the phrase: `Superseded ([ADR-2](0002-b.md))`. It answers what that
 * one says, but claims too little ("see ADR-2") for one_sided_check() to ask the other for an answer.
 */
static void relations_bind(const struct checker *checker, struct node *node)
{
	const struct adr *adr = node->adr;
	const struct adr_relation successor = { ADR_SUPERSEDED_BY, adr->successor, adr->successor_span };
	bool is_said = false;
	node->relations = map_new(checker->compilation->arena, adr->relation_count + 1);
	for (size_t i = 0; i < adr->relation_count; i++) {
		relation_bind(checker, node, &adr->relations[i]);
		is_said |= adr->relations[i].kind == ADR_SUPERSEDED_BY;
	}
	if (adr->successor && !is_said)
		relation_bind(checker, node, &successor);
}

static void one_sided_check(const struct checker *checker, size_t index)
{
	struct arena *arena = checker->compilation->arena;
	const struct node *node = &checker->nodes[index];
	for (size_t i = 0; i < node->adr->relation_count; i++) {
		const struct adr_relation *relation = &node->adr->relations[i];
		const char *told = arena_printf(arena, "%d:%s", (int)relation->kind, relation->reference);
		void **target = map_find(node->relations, told, strlen(told));
		const struct node *other = target ? *target : NULL;
		if (!other || other == node)
			continue;
		*target = NULL; /* told twice is reported once */
		enum adr_relation_kind inverse = adr_relation_inverse(relation->kind);
		const char *key = relation_key(arena, inverse, index);
		if (!other->adr || map_find(other->relations, key, strlen(key)))
			continue;
		struct diagnostic *d = diag_report(diags_of(checker), DIAG_ADR_ONE_SIDED, relation->span,
						   "%s does not say that it %s this one", file_name(other),
						   adr_relation_words(inverse));
		diag_note(d, other->adr->status_span, "its status stands here");
		diag_help(d, "whoever reads only that one must learn of it there");
	}
}

/* ---- circles ---- */

static void report_circle(const struct checker *checker, size_t first)
{
	const struct node *node = &checker->nodes[first];
	struct diagnostic *d = diag_report(diags_of(checker), DIAG_ADR_CIRCLE, node->superseded_at,
					   "%s supersedes itself in the end", file_name(node));
	for (size_t at = (size_t)node->superseded_by; at != first;
	     at = (size_t)checker->nodes[at].superseded_by)
		diag_note(d, checker->nodes[at].superseded_at, "by way of %s",
			  file_name(&checker->nodes[at]));
	diag_help(d, "the newest of them is superseded by none");
}

/* From each ADR along its first successors: a walk that meets itself has found a circle. */
static void circles_check(const struct checker *checker)
{
	for (size_t i = 0; i < checker->count; i++) {
		size_t at = i;
		while (!checker->nodes[at].walk) {
			checker->nodes[at].walk = (unsigned)i + 1;
			if (checker->nodes[at].superseded_by == NOWHERE)
				break;
			at = (size_t)checker->nodes[at].superseded_by;
		}
		if (checker->nodes[at].walk == i + 1 && checker->nodes[at].superseded_by != NOWHERE)
			report_circle(checker, at);
	}
}

void adr_folder_check(struct compilation *compilation, struct adr_scope *scope)
{
	struct checker checker = { compilation, scope, NULL, adr_scope_count(scope),
				   map_new(compilation->arena, 0) };
	checker.nodes = arena_array(compilation->arena, checker.count, sizeof *checker.nodes);
	for (size_t i = 0; i < checker.count; i++) {
		checker.nodes[i].adr = adr_scope_at(scope, i);
		checker.nodes[i].superseded_by = NOWHERE;
	}
	numbers_check(&checker);
	for (size_t i = 0; i < checker.count; i++) {
		if (!checker.nodes[i].adr)
			continue;
		status_check(&checker, checker.nodes[i].adr);
		links_check(&checker, checker.nodes[i].adr);
		relations_bind(&checker, &checker.nodes[i]);
	}
	for (size_t i = 0; i < checker.count; i++)
		if (checker.nodes[i].adr)
			one_sided_check(&checker, i);
	circles_check(&checker);
}
