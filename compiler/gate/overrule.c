/* A forbid row goes: an ADR must overrule the one that forbade. */
#include <string.h>

#include "compiler/gate/judge.h"

/* The ADRs that say of one that they supersede or amend it, or of which it says so. */
struct overruling {
	const char **texts;
	size_t count, capacity;
};

static void overruling_add(struct judge *judge, const char *overruled, const char *text)
{
	const char *key = citation_key(judge, overruled);
	void **place = map_at(judge->overruling, key, strlen(key));
	if (!*place)
		*place = arena_alloc(judge->arena, sizeof(struct overruling));
	struct overruling *list = *place;
	list->texts =
		arena_grow(judge->arena, list->texts, list->count, &list->capacity, sizeof *list->texts);
	list->texts[list->count++] = text;
}

/*
 * As a row of the policy would cite it: a bare number is of the ADR's own scope, another spelling of one
 * known. What is of a scope that is not known, as another project's ADR, or may be of several, stays as it is
 * and overrules nothing.
 */
static const char *reference_text(struct judge *judge, const struct adr *adr, const char *written)
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

static void adr_collect(struct judge *judge, const struct adr *adr)
{
	const char *own = adr_citation(judge, adr);
	for (size_t i = 0; i < adr->relation_count; i++) {
		const char *other = reference_text(judge, adr, adr->relations[i].reference);
		enum adr_relation_kind kind = adr->relations[i].kind;
		if (kind == ADR_SUPERSEDES || kind == ADR_AMENDS)
			overruling_add(judge, other, own);
		else
			overruling_add(judge, own, other);
	}
}

/* All ADRs are read, once, and only where a forbid row is lost. */
static void relations_collect(struct judge *judge)
{
	const char *why;
	judge->overruling = map_new(judge->arena, 0);
	for (size_t i = 0; i < trust_scope_count(judge); i++) {
		struct adr_scope *scope = trust_scope(judge, trust_scope_name(judge, i), TRUST_OLD, &why);
		for (size_t k = 0; scope && k < adr_scope_count(scope); k++) {
			const struct adr *adr = adr_scope_at(scope, k);
			if (adr)
				adr_collect(judge, adr);
		}
	}
}

static bool overrules(struct judge *judge, const char *text, const char *forbidding, const struct row *forbid,
		      const struct row *by)
{
	const char *key = citation_key(judge, text);
	const struct standing *standing = standing_of(judge, text, TRUST_OLD);
	return strcmp(key, forbidding) != 0 && standing->good && row_is_granted(forbid, standing->adr) &&
	       (standing->fresh || !judge->rules->adr_changed) && (!by || row_cites(judge, by, key));
}

/* The text of an ADR that overrules it, or NULL. */
static const char *overruling_find(struct judge *judge, const char *citation, const struct row *forbid,
				   const struct row *by)
{
	const char *key = citation_key(judge, citation);
	const struct overruling *list = map_value(judge->overruling, key, strlen(key));
	for (size_t i = 0; list && i < list->count; i++)
		if (overrules(judge, list->texts[i], key, forbid, by))
			return list->texts[i];
	return NULL;
}

static void lift_refuse(struct judge *judge, const struct row *forbid, const struct row *by,
			const char *citation)
{
	struct arena *arena = judge->arena;
	struct refusal *refusal = by ? refuse_row(judge, GATE_FORBID_LIFTED, by, false)
				     : refuse_row(judge, GATE_FORBID_LIFTED, forbid, true);
	const char *fresh = judge->rules->adr_changed ? "new or amended " : "";
	refusal->problem = arena_printf(arena, "ADR %s %s '%s', and no %saccepted ADR%s overrules it",
					citation, forbid->verb == VERB_DECLINE ? "declined" : "forbade",
					forbid->subject, fresh, by ? " that is cited here" : "");
	refusal->edit =
		arena_printf(arena, "%s that supersedes or amends %s and names `%s`",
			     by ? "cite an accepted ADR" : "add an accepted ADR", citation, forbid->subject);
}

void forbid_lift(struct judge *judge, const struct row *forbid, const struct row *by)
{
	const char *found = NULL;
	if (!judge->overruling)
		relations_collect(judge);
	for (size_t i = 0; i < forbid->citation_count; i++) {
		const char *citation = forbid->citations[i].text;
		found = overruling_find(judge, citation, forbid, by);
		if (!found) {
			lift_refuse(judge, forbid, by, citation);
			break;
		}
		ratified_add(judge, found, by ? by : forbid, !by);
	}
	widening_count(judge, found);
}
