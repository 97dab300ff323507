/*
 * Policies from texts in memory: what the resolver makes of them, or what it says against them.
 * Include it after <cmocka.h>.
 */
#ifndef ALLOWC_TESTS_POLICY_TEXT_H
#define ALLOWC_TESTS_POLICY_TEXT_H

#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/diag_data.h"
#include "compiler/policy/policy.h"
#include "compiler/policy/resolve.h"

struct policy_file {
	const char *path, *text;
};

struct policy_text {
	struct compilation compilation;
	const struct policy *policy; /* NULL where it is rejected */
	const char *
		found; /* "error NAME FILE:LINE:COLUMN\n", sorted by place, and "trouble\n"; "" without any */
};

static inline int policy_text_by_place(const void *a, const void *b)
{
	const struct diag_view *left = a, *right = b;
	if (left->place.source != right->place.source)
		return left->place.source->index < right->place.source->index ? -1 : 1;
	if (left->place.begin != right->place.begin)
		return left->place.begin < right->place.begin ? -1 : 1;
	return left->order < right->order ? -1 : 1;
}

static inline const char *policy_text_found(const struct compilation *compilation)
{
	const struct diags *diags = compilation->diags;
	size_t count = diags_count(diags);
	struct diag_view *views = arena_array(compilation->arena, count + 1, sizeof *views);
	for (size_t i = 0; i < count; i++)
		views[i] = diags_view(diags, i);
	qsort(views, count, sizeof *views, policy_text_by_place);
	char *found = "";
	for (size_t i = 0; i < count; i++) {
		const struct source *source = views[i].place.source;
		struct position at = source_position(source, views[i].place.begin);
		found = arena_printf(compilation->arena, "%s%s %s %s:%u:%u\n", found,
				     views[i].severity == DIAG_ERROR ? "error" : "warning",
				     diag_name(views[i].id), source->path, at.line, at.column);
	}
	for (size_t i = 0; i < diags_trouble_count(diags); i++)
		found = arena_printf(compilation->arena, "%strouble\n", found);
	return found;
}

/* A compilation that minds neither a policy without ADRs nor one that leaves doors open (test_doors.c). */
static inline struct policy_text policy_text_begin(void)
{
	struct policy_text text = { .compilation = compilation_begin(0) };
	assert_null(diags_option(text.compilation.diags, "no-adr-unchecked"));
	assert_null(diags_option(text.compilation.diags, "no-incomplete-group"));
	return text;
}

static inline void policy_text_add(struct policy_text *text, const char *path, const char *bytes)
{
	sources_add(text->compilation.sources, path, bytes, strlen(bytes));
}

static inline void policy_text_resolve(struct policy_text *text, const char *path)
{
	text->policy = policy_load(&text->compilation, path);
	text->found = policy_text_found(&text->compilation);
}

/* The first file is the policy; the others are what it extends or uses. */
static inline struct policy_text policy_text_load_files(const struct policy_file *files, size_t count)
{
	struct policy_text text = policy_text_begin();
	for (size_t i = 0; i < count; i++)
		policy_text_add(&text, files[i].path, files[i].text);
	policy_text_resolve(&text, files[0].path);
	return text;
}

/* "p.allow" alone. */
static inline struct policy_text policy_text_load(const char *bytes)
{
	const struct policy_file file = { "p.allow", bytes };
	return policy_text_load_files(&file, 1);
}

/* "p.allow" over "base.allow". */
static inline struct policy_text policy_text_load_over(const char *lower, const char *upper)
{
	const struct policy_file files[] = { { "p.allow", upper }, { "base.allow", lower } };
	return policy_text_load_files(files, 2);
}

static inline void policy_text_end(struct policy_text *text)
{
	compilation_end(&text->compilation);
}

/* Asserts that the text is a policy without a word said against it. */
static inline void assert_clean(const struct policy_text *text)
{
	assert_string_equal(text->found, "");
	assert_non_null(text->policy);
}

/* Asserts what is said of "p.allow" alone, and whether there is a policy nevertheless. */
static inline void assert_found(const char *bytes, const char *found)
{
	struct policy_text text = policy_text_load(bytes);
	assert_string_equal(text.found, found);
	assert_int_equal(text.policy == NULL, strstr(found, "error") != NULL);
	policy_text_end(&text);
}

/* The same of "p.allow" over "base.allow". */
static inline void assert_found_over(const char *lower, const char *upper, const char *found)
{
	struct policy_text text = policy_text_load_over(lower, upper);
	assert_string_equal(text.found, found);
	assert_int_equal(text.policy == NULL, strstr(found, "error") != NULL);
	policy_text_end(&text);
}

/* Whether something that is said has this help. */
static inline bool policy_text_helps(const struct policy_text *text, const char *help)
{
	const struct diags *diags = text->compilation.diags;
	for (size_t i = 0; i < diags_count(diags); i++)
		for (const struct part *part = diags_view(diags, i).parts; part; part = part->next)
			if (part->kind == PART_HELP && strcmp(part->text, help) == 0)
				return true;
	return false;
}

/* The row in force of this subject. */
static inline const struct row *policy_text_row(const struct policy_text *text, const char *subject)
{
	for (size_t i = 0; text->policy && i < text->policy->row_count; i++)
		if (strcmp(text->policy->rows[i]->subject, subject) == 0)
			return text->policy->rows[i];
	fail_msg("no row '%s'", subject);
	return NULL;
}

/* Subjects of the rows in force, one blank between them. */
static inline const char *policy_text_subjects(const struct policy_text *text)
{
	const char *list = "";
	for (size_t i = 0; i < text->policy->row_count; i++)
		list = arena_printf(text->compilation.arena, "%s%s%s", list, i ? " " : "",
				    text->policy->rows[i]->subject);
	return list;
}

/* Names of calls with their conditions, one blank between them. */
static inline const char *policy_text_calls(const struct policy_text *text,
					    const struct call_reference *calls, size_t count)
{
	const char *list = "";
	for (size_t i = 0; i < count; i++)
		list = arena_printf(text->compilation.arena, "%s%s%s%s%s%s", list, i ? " " : "",
				    calls[i].call->name, calls[i].condition ? "(" : "",
				    calls[i].condition ? calls[i].condition->text : "",
				    calls[i].condition ? ")" : "");
	return list;
}

#endif
