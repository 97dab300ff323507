/* What a citation is worth: one file, accepted, by the rules of OLD. */
#include <string.h>

#include "compiler/base/utf8.h"
#include "compiler/gate/judge.h"
#include "compiler/policy/adr_code.h"
#include "compiler/policy/adr_reference.h"
#include "compiler/policy/adr_scan.h"

/* False where it is of no such form. */
static bool citation_read(struct judge *judge, const char *text, struct adr_reference *reference)
{
	*reference = (struct adr_reference){ 0 };
	bool read = adr_reference_parse(judge->compilation, text, &reference->scope, &reference->number) ||
		    adr_reference_read(judge->compilation, text, reference);
	return read && reference->scope;
}

const char *citation_key(struct judge *judge, const char *text)
{
	struct adr_reference reference;
	if (!citation_read(judge, text, &reference))
		return text;
	return arena_printf(judge->arena, "%s/%lu%s%s", reference.scope, reference.number,
			    reference.slug ? "-" : "", reference.slug ? reference.slug : "");
}

const char *adr_citation(struct judge *judge, const struct adr *adr)
{
	struct slice name = slice_of(path_base(adr->source->path)), digits = adr_file_digits(name);
	struct slice rest = slice_from(name, (size_t)(digits.at - name.at) + digits.size);
	struct slice slug = adr_dated_slug(digits, rest);
	return arena_printf(judge->arena, "%s/%.*s%s%.*s", adr->scope, (int)digits.size, digits.at,
			    slug.size ? "-" : "", (int)slug.size, slug.at);
}

const char *written_citation(struct judge *judge, const struct adr *adr, const char *written)
{
	struct adr_reference reference = { 0 };
	if (!adr_reference_read(judge->compilation, written, &reference))
		return written;
	const char *scope = reference.scope ? trust_scope_spelt(judge, reference.scope) : adr->scope;
	if (!scope)
		return written;
	if (reference.slug)
		return arena_printf(judge->arena, "%s/%lu-%s", scope, reference.number, reference.slug);
	return arena_printf(judge->arena, "%s/%04lu", scope, reference.number);
}

bool row_cites(struct judge *judge, const struct row *row, const char *key)
{
	for (size_t i = 0; i < row->citation_count; i++)
		if (strcmp(citation_key(judge, row->citations[i].text), key) == 0)
			return true;
	return false;
}

bool rows_share_adr(struct judge *judge, const struct row *a, const struct row *b)
{
	for (size_t i = 0; i < a->citation_count; i++)
		if (row_cites(judge, b, citation_key(judge, a->citations[i].text)))
			return true;
	return false;
}

/* What a reader sees of an ADR, and the rows in its fences. */
static struct slice seen_text(struct judge *judge, const struct source *source)
{
	struct adr_text text;
	struct adr unused = { .source = source };
	if (!adr_scan(judge->arena, source, &text))
		return (struct slice){ source->text, source->size };
	adr_code_scan(judge->arena, judge->arena, &text, &unused);
	for (size_t i = 0; i < text.block_count; i++)
		memcpy(text.bytes + text.blocks[i].begin, source->text + text.blocks[i].begin,
		       text.blocks[i].end - text.blocks[i].begin);
	return (struct slice){ text.bytes, text.size };
}

static struct slice unseen_skip(struct slice at)
{
	uint32_t code;
	size_t size;
	while (at.size && (size = utf8_decode(at.at, at.size, &code)) &&
	       (code == ' ' || code == '\t' || code == '\n' || utf8_is_control(code) || utf8_is_bidi(code) ||
		utf8_is_invisible(code)))
		at = slice_from(at, size);
	return at;
}

/* White space amends nothing, nor do comments and what else no reader sees. */
static bool texts_are_alike(struct judge *judge, const struct source *before, const struct source *now)
{
	if (before->size == now->size && memcmp(before->text, now->text, now->size) == 0)
		return true;
	struct slice a = seen_text(judge, before), b = seen_text(judge, now);
	for (;; a = slice_from(a, 1), b = slice_from(b, 1)) {
		a = unseen_skip(a);
		b = unseen_skip(b);
		if (!a.size || !b.size || *a.at != *b.at)
			return a.size == b.size && !a.size;
	}
}

static void fail(struct standing *standing, enum gate_rule rule, const char *problem)
{
	standing->good = false;
	standing->rule = rule;
	standing->problem = problem;
}

static void status_judge(struct judge *judge, struct standing *standing)
{
	const struct adr *adr = standing->adr;
	if (adr->status == ADR_ACCEPTED)
		return;
	fail(standing, GATE_ADR_STATUS,
	     adr->status == ADR_UNKNOWN ? arena_printf(judge->arena, "ADR %s is not certainly accepted: %s",
						       standing->text, adr->doubt)
					: arena_printf(judge->arena, "ADR %s is %s, not accepted",
						       standing->text, adr_status_word(adr->status)));
}

static void file_judge(struct judge *judge, struct standing *standing, struct adr_scope *scope,
		       const struct adr_reference *reference, bool was_there)
{
	const char *const *paths;
	const char *departure;
	size_t files = adr_scope_find(scope, reference, &paths);
	standing->adr = files == 1 ? adr_scope_read_reference(scope, reference) : NULL;
	if (files == 0)
		fail(standing, GATE_ADR_MISSING,
		     arena_printf(judge->arena,
				  was_there ? "the change deletes ADR %s" : "there is no ADR %s",
				  standing->text));
	else if (files > 1)
		fail(standing, GATE_ADR_AMBIGUOUS,
		     arena_printf(judge->arena, "%zu files have the number of ADR %s", files,
				  standing->text));
	else if ((departure = trust_departure(judge, paths[0])) != NULL)
		fail(standing, GATE_ADR_MISSING,
		     arena_printf(judge->arena, "the file of ADR %s %s", standing->text, departure));
	else if (!standing->adr)
		fail(standing, GATE_ADR_MISSING,
		     arena_printf(judge->arena, "ADR %s cannot be read", standing->text));
	else
		status_judge(judge, standing);
}

static struct standing *standing_make(struct judge *judge, const char *citation, enum trust_basis basis)
{
	struct standing *standing = arena_alloc(judge->arena, sizeof *standing);
	struct adr_reference reference;
	const char *const *paths;
	const char *why;
	*standing = (struct standing){ .text = citation, .good = true };
	if (!citation_read(judge, citation, &reference)) {
		fail(standing, GATE_ADR_SCOPE, arena_printf(judge->arena, "'%s' is no reference", citation));
		return standing;
	}
	struct adr_scope *before = trust_scope_before(judge, reference.scope);
	size_t files_before = before ? adr_scope_find(before, &reference, &paths) : 0;
	standing->before = files_before == 1 ? adr_scope_read_reference(before, &reference) : NULL;
	if (standing->before)
		standing->text = adr_citation(judge, standing->before);
	struct adr_scope *scope = trust_scope(judge, reference.scope, basis, &why);
	if (!scope) {
		fail(standing, GATE_ADR_SCOPE, why);
		return standing;
	}
	file_judge(judge, standing, scope, &reference, files_before > 0);
	standing->amended = standing->adr && standing->before &&
			    !texts_are_alike(judge, standing->before->source, standing->adr->source);
	standing->fresh = standing->amended || (standing->adr && files_before == 0);
	return standing;
}

const struct standing *standing_of(struct judge *judge, const char *citation, enum trust_basis basis)
{
	void **place = map_at(judge->standings[basis], citation, strlen(citation));
	if (!*place)
		*place = standing_make(judge, citation, basis);
	return *place;
}
