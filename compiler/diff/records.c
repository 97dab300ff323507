/* The ADRs that either side cites, and what became of them. */
#include <string.h>

#include "compiler/diff/comparer.h"
#include "compiler/hash.h"
#include "compiler/policy/scope_names.h"

struct record *record_cited(const struct comparer *comparer, const char *text)
{
	return map_value(comparer->records, text, strlen(text));
}

struct record *record_of(struct comparer *comparer, const struct row *row)
{
	if (!row->citation_count)
		return NULL;
	const char *text = row->citations[0].text;
	if (text == comparer->last_text)
		return comparer->last_record;
	comparer->last_text = text;
	comparer->last_record = record_cited(comparer, text);
	return comparer->last_record;
}

/* ---- collecting ---- */

/* "phase2/0011", "phase2/20260924-tools"; false for what has no scope. */
static bool reference_read(struct comparer *comparer, const char *text, struct adr_reference *reference)
{
	struct compilation *compilation = comparer->compilation;
	*reference = (struct adr_reference){ 0 };
	bool read = adr_reference_parse(compilation, text, &reference->scope, &reference->number) ||
		    adr_reference_read(compilation, text, reference);
	return read && reference->scope;
}

/* The same ADR by whatever width of its number: a file that is gone gives it none. */
static const char *record_key(struct comparer *comparer, const char *text)
{
	struct adr_reference reference;
	if (!reference_read(comparer, text, &reference) || reference.slug)
		return text;
	return arena_printf(comparer->arena, "%s/%lu", reference.scope, reference.number);
}

static struct record *record_make(struct comparer *comparer, const char *text)
{
	struct compared *comparison = comparer->comparison;
	const char *key = record_key(comparer, text);
	void **place = map_at(comparer->numbers, key, strlen(key));
	if (!*place) {
		struct record *made = arena_alloc(comparer->arena, sizeof *made);
		made->text = text;
		comparison->records =
			arena_grow(comparer->arena, comparison->records, comparison->record_count,
				   &comparer->record_capacity, sizeof(struct record *));
		comparison->records[comparison->record_count++] = made;
		*place = made;
	}
	return *place;
}

static void citation_collect(struct comparer *comparer, const struct citation *citation, bool old)
{
	void **place = map_at(comparer->records, citation->text, strlen(citation->text));
	if (!*place)
		*place = record_make(comparer, citation->text);
	struct record *record = *place;
	if (old && citation->adr && !record->now)
		record->text = citation->text; /* as its file has the number */
	if (old)
		record->old = citation->adr;
	else
		record->now = citation->adr;
	record->cited_old |= old;
	record->cited_now |= !old;
}

static void rows_collect(struct comparer *comparer, const struct row *const *rows, size_t count, bool old)
{
	const struct citation *last = NULL;
	for (size_t i = 0; i < count; i++) {
		if (rows[i]->citation_count && last && rows[i]->citation_count == 1 &&
		    rows[i]->citations[0].text == last->text)
			continue;
		for (size_t k = 0; k < rows[i]->citation_count; k++)
			citation_collect(comparer, &rows[i]->citations[k], old);
		last = rows[i]->citation_count == 1 ? &rows[i]->citations[0] : NULL;
	}
}

static void policy_collect(struct comparer *comparer, const struct policy *policy, bool old)
{
	rows_collect(comparer, policy->rows, policy->row_count, old);
	for (size_t i = 0; i < policy->revocation_count; i++)
		rows_collect(comparer, &policy->revocations[i].revoke, 1, old);
	for (size_t i = 0; i < policy->role_count; i++)
		rows_collect(comparer, policy->roles[i]->rows, policy->roles[i]->row_count, old);
	for (size_t i = 0; i < policy->plugin_count; i++)
		rows_collect(comparer, policy->plugins[i]->rows, policy->plugins[i]->row_count, old);
}

/* ---- the other side's file of a record that only one side cites ---- */

static void authorities_index(struct comparer *comparer, const struct policy *policy, bool now)
{
	comparer->scopes[now] = scope_names_new(comparer->arena);
	for (size_t i = 0; i < policy->authority_count; i++)
		scope_names_put(comparer->scopes[now], policy->authorities[i].scope, &policy->authorities[i]);
	patterns_index(comparer, policy);
}

void authorities_collect(struct comparer *comparer)
{
	authorities_index(comparer, comparer->old, false);
	authorities_index(comparer, comparer->now, true);
}

const struct authority *authority_named(const struct comparer *comparer, const struct policy *policy,
					const char *scope)
{
	return scope_named(comparer->scopes[policy == comparer->now], scope);
}

static const struct authority *authority_spelt(const struct comparer *comparer, const struct policy *policy,
					       const char *spelling)
{
	bool several;
	return scope_spelt(comparer->scopes[policy == comparer->now], spelling, &several);
}

/* The other side's pattern has a match more: this side was looked through too, and lacks the folder. */
static bool folder_lacks(struct comparer *comparer, const struct policy *policy, const char *scope)
{
	const struct policy *other = policy == comparer->old ? comparer->now : comparer->old;
	const struct authority *authority = authority_spelt(comparer, other, scope);
	return authority && pattern_is_shared(comparer, policy, authority);
}

/* In place of a number of files: no `decisions` leads to a folder; or one did, and a saved side has no
 * folders. */
#define NO_FOLDER SIZE_MAX
#define NOT_SAVED (SIZE_MAX - 1)

/* How many files of that side have the reference's number; `*adr` is the only one. */
static size_t files_of(struct comparer *comparer, const struct policy *policy, const char *reference,
		       const struct adr **adr)
{
	struct adr_reference read;
	const char *const *paths;
	*adr = NULL;
	if (!reference_read(comparer, reference, &read))
		return NO_FOLDER;
	const struct authority *authority = authority_spelt(comparer, policy, read.scope);
	if (!authority)
		return folder_lacks(comparer, policy, read.scope) ? 0 : NO_FOLDER;
	if (!authority->adrs)
		return policy->saved ? NOT_SAVED : NO_FOLDER;
	size_t files = adr_scope_find(authority->adrs, &read, &paths);
	*adr = files == 1 ? adr_scope_read_reference(authority->adrs, &read) : NULL;
	return files;
}

static const char *status_of(const struct adr *adr, size_t files)
{
	if (adr)
		return adr_status_word(adr->status);
	return files == NO_FOLDER   ? "not checked"
	       : files == NOT_SAVED ? "not saved"
	       : files == 0         ? "missing"
	       : files == 1         ? "unreadable"
				    : "ambiguous";
}

static const char *digest_of(struct arena *arena, const struct adr *adr)
{
	return adr->digest ? adr->digest : hash_bytes(arena, adr->source->text, adr->source->size);
}

static bool texts_differ(struct arena *arena, const struct adr *old, const struct adr *now)
{
	if (!old || !now)
		return false;
	if (old->digest || now->digest)
		return strcmp(digest_of(arena, old), digest_of(arena, now)) != 0;
	return old->source->size != now->source->size ||
	       memcmp(old->source->text, now->source->text, old->source->size) != 0;
}

/* "0002" of "phase2/0002". */
static const char *bare_number(const char *text)
{
	const char *slash = strrchr(text, '/');
	return slash ? slash + 1 : text;
}

/* As a row of the policy would cite it: in the scope that the ADR means, by its name. */
static const char *successor_text(struct comparer *comparer, const struct adr *adr)
{
	struct adr_reference reference;
	struct arena *arena = comparer->arena;
	const char *text = adr->successor;
	if (!strchr(text, '/'))
		text = arena_printf(arena, "%s/%s", adr->scope, text);
	if (!reference_read(comparer, text, &reference))
		return text;
	const struct authority *authority = authority_spelt(comparer, comparer->now, reference.scope);
	return authority ? arena_printf(arena, "%s/%s", authority->scope, bare_number(text)) : text;
}

static void successor_find(struct comparer *comparer, struct record *record)
{
	if (!record->now || record->now->status != ADR_SUPERSEDED || !record->now->successor)
		return;
	const struct adr *adr;
	const char *text = successor_text(comparer, record->now);
	size_t files = files_of(comparer, comparer->now, text, &adr);
	record->successor = arena_printf(comparer->arena, adr && adr->date ? "%s (%s %s)" : "%s (%s)", text,
					 status_of(adr, files), adr && adr->date ? adr->date : "");
	record->successor_adr = adr && adr->status == ADR_ACCEPTED ? adr : NULL;
}

/* A record that only one side cites may be there on the other nevertheless. */
static void record_describe(struct comparer *comparer, struct record *record)
{
	const struct adr *old, *now;
	size_t files_old = files_of(comparer, comparer->old, record->text, &old);
	size_t files_now = files_of(comparer, comparer->now, record->text, &now);
	record->old = record->old ? record->old : old;
	record->now = record->now ? record->now : now;
	record->status_old = status_of(record->old, files_old);
	record->status_now = status_of(record->now, files_now);
	record->new_here = files_old == 0 && (record->now || (files_now > 0 && files_now < NOT_SAVED));
	record->unsaved_old = files_old == NOT_SAVED && !record->old;
	record->unsaved_now = files_now == NOT_SAVED && !record->now;
	bool both = (record->old || files_old < NOT_SAVED) && (record->now || files_now < NOT_SAVED);
	bool cited_twice = record->cited_old && record->cited_now;
	record->status_changed = (both || cited_twice) && !record->new_here && !record->unsaved_old &&
				 !record->unsaved_now && strcmp(record->status_old, record->status_now) != 0;
	record->text_changed =
		!record->status_changed && texts_differ(comparer->arena, record->old, record->now);
	successor_find(comparer, record);
}

void records_collect(struct comparer *comparer)
{
	policy_collect(comparer, comparer->now, false);
	policy_collect(comparer, comparer->old, true);
	for (size_t i = 0; i < comparer->comparison->record_count; i++)
		record_describe(comparer, comparer->comparison->records[i]);
}

/* ---- changes ---- */

static const char *still_cites(struct comparer *comparer, const struct record *record, const struct row *row)
{
	const char *number = bare_number(record->text);
	if (!record->successor || comparer->now->saved) /* which knows no successor's text */
		return arena_printf(comparer->arena, "still cites %s", number);
	const char *successor =
		bare_number(arena_copy(comparer->arena, record->successor, strcspn(record->successor, " ")));
	if (!record->successor_adr)
		return arena_printf(comparer->arena, "still cites %s; %s is not accepted", number, successor);
	return arena_printf(comparer->arena, "still cites %s; %s %s it", number, successor,
			    adr_names(record->successor_adr, row->subject) ? "names" : "does not name");
}

enum { ROWS_SHOWN = 20 };

/*
 * The rows of NEW that rest on a record which is accepted no longer. Rows are many and such records few:
 * one walk over the rows for all of them.
 */
static void row_look(struct comparer *comparer, const struct row *row)
{
	for (size_t i = 0; i < row->citation_count; i++) {
		struct record *record =
			i ? record_cited(comparer, row->citations[i].text) : record_of(comparer, row);
		if (!record->status_changed || (record->now && record->now->status == ADR_ACCEPTED))
			continue;
		if (record->rows_shown == ROWS_SHOWN) {
			record->rows_more++;
			continue;
		}
		record->rows_shown++;
		struct change *change = change_add(comparer, CHANGE_ADR_STATUS_CHANGED, '!', row);
		change->record = record;
		change->note = still_cites(comparer, record, row);
	}
}

static void rows_look(struct comparer *comparer, const struct row *const *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		row_look(comparer, rows[i]);
}

void records_compare(struct comparer *comparer)
{
	struct compared *comparison = comparer->comparison;
	bool any = false;
	for (size_t i = 0; i < comparison->record_count; i++) {
		struct record *record = comparison->records[i];
		comparison->unchanged_records += !record->status_changed && !record->text_changed &&
						 !record->unsaved_old && !record->unsaved_now;
		any |= record->status_changed;
		if (!record->status_changed && !record->text_changed)
			continue;
		struct change *change = change_add(comparer,
						   record->status_changed ? CHANGE_ADR_STATUS_CHANGED
									  : CHANGE_ADR_TEXT_CHANGED,
						   '~', NULL);
		change->subject = record->text;
		change->record = record;
		record->change_count++;
	}
	if (!any)
		return;
	const struct policy *now = comparer->now;
	rows_look(comparer, now->rows, now->row_count);
	for (size_t i = 0; i < now->role_count; i++)
		rows_look(comparer, now->roles[i]->rows, now->roles[i]->row_count);
	for (size_t i = 0; i < now->plugin_count; i++)
		rows_look(comparer, now->plugins[i]->rows, now->plugins[i]->row_count);
	for (size_t i = 0; i < comparison->record_count; i++) {
		struct record *record = comparison->records[i];
		if (!record->rows_more)
			continue;
		struct change *change = change_add(comparer, CHANGE_ADR_STATUS_CHANGED, '!', NULL);
		change->subject = arena_printf(comparer->arena, "and %zu more", record->rows_more);
		change->record = record;
	}
}

/* ---- what a saved side cannot show ---- */

/* ", and in OLD phase7/0016, phase7/0017 and 3 more"; "" without any. */
static const char *unsaved_text(struct comparer *comparer, bool old)
{
	enum { SHOWN = 6 };
	const char *text = "";
	size_t count = 0;
	for (size_t i = 0; i < comparer->comparison->record_count; i++) {
		const struct record *record = comparer->comparison->records[i];
		if (!(old ? record->unsaved_old : record->unsaved_now))
			continue;
		if (count < SHOWN)
			text = arena_printf(comparer->arena, "%s%s %s", text, count ? "," : "", record->text);
		count++;
	}
	if (!count)
		return "";
	if (count > SHOWN)
		text = arena_printf(comparer->arena, "%s and %zu more", text, count - SHOWN);
	return arena_printf(comparer->arena, ", and in %s%s", old ? "OLD" : "NEW", text);
}

void unsaved_collect(struct comparer *comparer)
{
	bool old = comparer->old->saved, now = comparer->now->saved;
	if (!old && !now)
		return;
	comparer->comparison->not_compared =
		arena_printf(comparer->arena, "layout, comments and outputs%s%s: %s a saved artifact",
			     unsaved_text(comparer, true), unsaved_text(comparer, false),
			     old && now ? "each side is"
			     : old      ? "OLD is"
					: "NEW is");
}
