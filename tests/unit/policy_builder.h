/*
 * Resolved policies by hand, for tests of backends: what resolve.h would make of a text, without one.
 * A builder holds one policy of a few layers; its memory is the compilation's.
 */
#ifndef ALLOWC_TESTS_POLICY_BUILDER_H
#define ALLOWC_TESTS_POLICY_BUILDER_H

#include <string.h>

#include "backends/backend.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/source.h"
#include "compiler/policy/match.h"
#include "compiler/policy/policy.h"

enum { BUILDER_MOST_LAYERS = 4, BUILDER_MOST_BLOCKS = 8, BUILDER_MOST_TOOLS = 16 };

struct policy_builder {
	struct compilation compilation;
	struct policy policy;
	struct layer layers[BUILDER_MOST_LAYERS];
	const struct row **rows;
	size_t row_capacity;
	struct row_index *index;
	struct block *plugins[BUILDER_MOST_BLOCKS];
	struct block *roles[BUILDER_MOST_BLOCKS];
	struct artifacts artifacts;
};

static inline void builder_begin(struct policy_builder *builder, const char *name)
{
	*builder = (struct policy_builder){ .compilation = compilation_begin(0) };
	struct arena *arena = builder->compilation.arena;
	char *identifier = arena_copy(arena, name, strlen(name));
	for (char *at = identifier; *at; at++)
		if (*at == '-')
			*at = '_';
	builder->policy = (struct policy){
		.name = name,
		.identifier = identifier,
		.edition = 1,
		.file = arena_printf(arena, "%s.allow", name),
		.layers = builder->layers,
		.index = builder->index = row_index_new(arena, 0),
		.plugins = (const struct block *const *)builder->plugins,
		.roles = (const struct block *const *)builder->roles,
	};
	builder->policy.seccomp = (struct seccomp){
		.fallback = { .kind = ACTION_ALLOW },
		.deny = { .kind = ACTION_ERRNO, .errno_value = 1 },
		.unknown = { .kind = ACTION_ERRNO, .errno_value = 38 },
		.abis = 1u << ABI_X86_64,
	};
}

static inline void builder_end(struct policy_builder *builder)
{
	compilation_end(&builder->compilation);
}

/* The rows that follow are of this layer; `text` gives them lines. */
static inline struct layer *builder_layer(struct policy_builder *builder, const char *name)
{
	struct arena *arena = builder->compilation.arena;
	struct layer *layer = &builder->layers[builder->policy.layer_count++];
	const char *file = arena_printf(arena, "%s.allow", name);
	const char *path = arena_printf(arena, "policies/%s", file);
	*layer = (struct layer){
		.name = name,
		.file = file,
		.scope = name,
		.index = builder->policy.layer_count - 1,
		.source = sources_add(builder->compilation.sources, path, "1\n2\n3\n4\n5\n6\n7\n8\n9\n", 18),
	};
	return layer;
}

static inline struct citation *builder_citation(struct policy_builder *builder, const char *text)
{
	struct citation *citation = arena_alloc(builder->compilation.arena, sizeof *citation);
	citation->text = text;
	return citation;
}

static inline void builder_count(struct policy_builder *builder, const struct row *row)
{
	builder->policy.allowed_count += row->verb == VERB_ALLOW;
	builder->policy.forbidden_count += row->verb == VERB_FORBID;
	builder->policy.declined_count += row->verb == VERB_DECLINE;
}

/* A row of the newest layer, in force, at the line of its number in the layer. */
static inline struct row *builder_subject(struct policy_builder *builder, enum subject_kind kind,
					  enum verb verb, const char *subject, const char *adr,
					  const char *reason)
{
	struct arena *arena = builder->compilation.arena;
	struct layer *layer = &builder->layers[builder->policy.layer_count - 1];
	struct row *row = arena_alloc(arena, sizeof *row);
	char *spelling = arena_copy(arena, subject, strlen(subject));
	for (char *at = spelling; *at; at++)
		if (*at == ' ')
			*at = '-';
	*row = (struct row){
		.verb = verb,
		.kind = kind,
		.subject = subject,
		.spelling = kind == SUBJECT_COMMAND ? spelling : NULL,
		.layer = layer,
		.span = { layer->source, (uint32_t)(2 * (builder->policy.row_count % 9)), 0 },
		.citations = builder_citation(builder, adr),
		.citation_count = 1,
		.reason = reason,
	};
	builder->rows = arena_grow(arena, builder->rows, builder->policy.row_count, &builder->row_capacity,
				   sizeof *builder->rows);
	builder->rows[builder->policy.row_count++] = row;
	builder->policy.rows = builder->rows;
	if (kind == SUBJECT_COMMAND)
		builder_count(builder, row);
	if (kind == SUBJECT_COMMAND && verb != VERB_DECLINE)
		row_index_add(builder->index, row);
	return row;
}

/* What few rows say, of this one, to be filled in. */
static inline struct row_more *builder_more(struct policy_builder *builder, struct row *row)
{
	struct row_more *more = arena_alloc(builder->compilation.arena, sizeof *more);
	*more = *row_more(row);
	row->more = more;
	return more;
}

static inline struct row *builder_row(struct policy_builder *builder, enum verb verb, const char *command,
				      const char *adr, const char *reason)
{
	return builder_subject(builder, SUBJECT_COMMAND, verb, command, adr, reason);
}

/* A plugin of the newest layer, whose manifest is written. */
static inline struct block *builder_plugin(struct policy_builder *builder, const char *name)
{
	struct arena *arena = builder->compilation.arena;
	struct block *plugin = arena_alloc(arena, sizeof *plugin);
	*plugin = (struct block){
		.kind = AST_PLUGIN,
		.name = name,
		.layer = &builder->layers[builder->policy.layer_count - 1],
		.tools = arena_array(arena, BUILDER_MOST_TOOLS, sizeof *plugin->tools),
		.optional = arena_array(arena, BUILDER_MOST_TOOLS, sizeof *plugin->optional),
		.written = true,
	};
	builder->plugins[builder->policy.plugin_count++] = plugin;
	return plugin;
}

static inline void builder_tool(struct block *plugin, const struct row *row)
{
	((const struct row **)plugin->tools)[plugin->tool_count++] = row;
}

static inline void builder_optional(struct block *plugin, const struct row *row)
{
	((const struct row **)plugin->optional)[plugin->optional_count++] = row;
}

/*
 * A role of the newest layer, with these rows; each is one of the policy's own builder_row()s, taken out of
 * it.
 */
static inline struct block *builder_role(struct policy_builder *builder, const char *name, size_t rows)
{
	struct arena *arena = builder->compilation.arena;
	struct block *role = arena_alloc(arena, sizeof *role);
	struct row_index *index = row_index_new(arena, rows);
	const struct row **own = arena_array(arena, rows, sizeof *own);
	builder->policy.row_count -= rows;
	for (size_t i = 0; i < rows; i++) {
		struct row *row = (struct row *)builder->rows[builder->policy.row_count + i];
		row->block = role;
		own[i] = row;
		if (row->kind != SUBJECT_COMMAND)
			continue;
		builder->policy.allowed_count -= row->verb == VERB_ALLOW;
		builder->policy.forbidden_count -= row->verb == VERB_FORBID;
		row_index_add(index, row);
	}
	*role = (struct block){
		.kind = AST_ROLE,
		.name = name,
		.layer = &builder->layers[builder->policy.layer_count - 1],
		.rows = own,
		.row_count = rows,
		.index = index,
	};
	builder->roles[builder->policy.role_count++] = role;
	return role;
}

/* What the backend makes of it: false and no artifact, or all of its artifacts. */
static inline bool builder_emit(struct policy_builder *builder, const struct backend *backend)
{
	struct emission emission = { .compilation = &builder->compilation, .policy = &builder->policy };
	builder->artifacts.count = 0;
	return backend->emit(&emission, &builder->artifacts);
}

#endif
