/*
 * plugins/PLUGIN/plugin.yaml for each plugin of the compiled layer: the file that the policy names with its
 * lists changed (manifest_edit.h), or a new manifest. In a new one `external_tools` is always there, `[]`
 * without tools, so that its readers find a list and a person the place for an item; `optional` only where
 * the policy says so. The text is parsed again before it is returned.
 */
#include <assert.h>
#include <string.h>
#include <yaml.h>

#include "backends/backend.h"
#include "backends/manifest_edit.h"
#include "backends/quote.h"
#include "backends/strength.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/policy.h"

#define FOLDER "plugins/"
#define FILE_NAME "/plugin.yaml"

/* ---- the text ---- */

/* A file that the policy names is people's as soon as it is there: they may edit it. */
static void add_top(const struct emission *emission, const struct block *plugin, struct strbuf *out)
{
	strbuf_add_text(out, "# ");
	if (plugin->file) {
		strbuf_add_text(out, "allowc keeps the lists of requirements as ");
		quote_text_line(out, emission->policy->file);
		strbuf_add_text(out, " has them; all else is free to edit.");
	} else {
		mark_add(out, emission->policy, quote_text_line);
	}
	strbuf_add_text(out, "\n");
	caveat_add(out, "# ", strength_caveat(STRENGTH_PLUGIN_YAML), quote_text_line);
}

static void add_items(struct strbuf *out, const struct row *const *rows, size_t count)
{
	strbuf_add_text(out, count ? "\n" : " []\n");
	for (size_t i = 0; i < count; i++) {
		strbuf_add_text(out, "    - ");
		quote_yaml(out, rows[i]->spelling);
		strbuf_add_text(out, "\n");
	}
}

static void add_manifest(const struct emission *emission, const struct block *plugin, struct strbuf *out)
{
	add_top(emission, plugin, out);
	strbuf_add_text(out, "name: ");
	quote_yaml(out, plugin->name);
	strbuf_add_text(out, "\nrequirements:\n  external_tools:");
	add_items(out, plugin->tools, plugin->tool_count);
	if (!plugin->optional_count)
		return;
	strbuf_add_text(out, "  optional:");
	add_items(out, plugin->optional, plugin->optional_count);
}

/* ---- what a reader of YAML makes of it ---- */

static bool is_scalar(const yaml_node_t *node, const char *text)
{
	return node && node->type == YAML_SCALAR_NODE && node->data.scalar.length == strlen(text) &&
	       memcmp(node->data.scalar.value, text, node->data.scalar.length) == 0;
}

static size_t mapping_size(const yaml_node_t *node)
{
	if (!node || node->type != YAML_MAPPING_NODE)
		return 0;
	return (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
}

/* The value of the pair at `index`, or NULL where its key is another one. */
static yaml_node_t *mapping_value(yaml_document_t *document, const yaml_node_t *node, size_t index,
				  const char *key)
{
	if (index >= mapping_size(node))
		return NULL;
	const yaml_node_pair_t *pair = &node->data.mapping.pairs.start[index];
	if (!is_scalar(yaml_document_get_node(document, pair->key), key))
		return NULL;
	return yaml_document_get_node(document, pair->value);
}

static bool is_list_of(yaml_document_t *document, const yaml_node_t *node, const struct row *const *rows,
		       size_t count)
{
	if (!node || node->type != YAML_SEQUENCE_NODE)
		return false;
	const yaml_node_item_t *items = node->data.sequence.items.start;
	if ((size_t)(node->data.sequence.items.top - items) != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!is_scalar(yaml_document_get_node(document, items[i]), rows[i]->spelling))
			return false;
	return true;
}

static bool is_manifest(yaml_document_t *document, const struct block *plugin)
{
	const yaml_node_t *root = yaml_document_get_root_node(document);
	const yaml_node_t *requirements = mapping_value(document, root, 1, "requirements");
	size_t lists = plugin->optional_count ? 2 : 1;
	if (mapping_size(root) != 2 || mapping_size(requirements) != lists ||
	    !is_scalar(mapping_value(document, root, 0, "name"), plugin->name) ||
	    !is_list_of(document, mapping_value(document, requirements, 0, "external_tools"), plugin->tools,
			plugin->tool_count))
		return false;
	return lists == 1 || is_list_of(document, mapping_value(document, requirements, 1, "optional"),
					plugin->optional, plugin->optional_count);
}

static bool reads_back(const struct strbuf *text, const struct block *plugin)
{
	yaml_parser_t parser;
	yaml_document_t document;
	if (!yaml_parser_initialize(&parser))
		die_out_of_memory();
	yaml_parser_set_input_string(&parser, (const unsigned char *)text->bytes, text->size);
	bool same = false;
	if (yaml_parser_load(&parser, &document)) {
		same = is_manifest(&document, plugin);
		yaml_document_delete(&document);
	} else if (parser.error == YAML_MEMORY_ERROR || parser.error == YAML_NO_ERROR) {
		/* yaml_parser_load() does not always say why. */
		die_out_of_memory();
	}
	yaml_parser_delete(&parser);
	return same;
}

/* ---- the backend ---- */

/* The name becomes a folder: the resolver takes none with a slash, or that starts with a dot. */
static const char *manifest_path(const struct emission *emission, const struct block *plugin)
{
	assert(*plugin->name && *plugin->name != '.' && !strchr(plugin->name, '/'));
	return arena_printf(emission->compilation->arena, FOLDER "%s" FILE_NAME, plugin->name);
}

static bool plugin_yaml_owns(const struct policy *policy, const char *path)
{
	(void)policy; /* an earlier form of it may have had any plugin */
	size_t size = strlen(path), folder = strlen(FOLDER), file = strlen(FILE_NAME);
	if (size <= folder + file || strncmp(path, FOLDER, folder) != 0 ||
	    strcmp(path + size - file, FILE_NAME) != 0)
		return false;
	return !memchr(path + folder, '/', size - folder - file);
}

static void plugin_yaml_list(const struct emission *emission, struct artifacts *out)
{
	for (size_t i = 0; i < emission->policy->plugin_count; i++) {
		const struct block *plugin = emission->policy->plugins[i];
		if (plugin->written)
			artifact_add(emission, out, &backend_plugin_yaml, manifest_path(emission, plugin), "",
				     0);
	}
}

static bool emit_new(const struct emission *emission, const struct block *plugin, struct artifacts *out)
{
	struct diags *diags = emission->compilation->diags;
	struct strbuf text = STRBUF_INIT;
	add_manifest(emission, plugin, &text);
	const char *path = manifest_path(emission, plugin);
	bool right = reads_back(&text, plugin);
	if (right)
		artifact_add(emission, out, &backend_plugin_yaml, path, text.bytes, text.size);
	else
		diag_trouble(diags,
			     "internal error: '%s' does not read back as it was meant; nothing is written",
			     path);
	strbuf_release(&text);
	return right;
}

/* ---- a manifest that is there ---- */

static void wish_fill(struct arena *arena, struct manifest_wish *wish, enum manifest_key key,
		      const struct row *const *rows, size_t count)
{
	const char **items = arena_array(arena, count + 1, sizeof *items);
	for (size_t i = 0; i < count; i++)
		items[i] = rows[i]->spelling;
	wish->lists[key].managed = true;
	wish->lists[key].items = items;
	wish->lists[key].count = count;
}

static struct span span_of(const struct block *plugin, struct manifest_place place)
{
	return (struct span){ plugin->manifest, (uint32_t)place.begin, (uint32_t)place.end };
}

static void report_refusal(struct diags *diags, const struct block *plugin,
			   const struct manifest_refusal *refusal)
{
	struct diagnostic *d = diag_report(diags, DIAG_MANIFEST, span_of(plugin, refusal->place),
					   "the manifest of plugin '%s' cannot be edited: %s", plugin->name,
					   refusal->why);
	diag_note(d, plugin->file_span, "the policy names it here");
	diag_help(d, "%s", refusal->help ? refusal->help : MANIFEST_PLAINLY);
}

static void warn_of_edit(struct diags *diags, const struct block *plugin, const struct manifest_edit *edit)
{
	struct diagnostic *d;
	for (size_t i = 0; i < edit->stray_count; i++) {
		const struct manifest_stray *stray = &edit->strays[i];
		d = diag_report(diags, DIAG_PLUGIN_COMMENT, span_of(plugin, stray->item),
				"'%s' goes from the list, and the comment above it stays", stray->text);
		diag_help(d, "delete the comment where it spoke of '%s' alone", stray->text);
	}
	if (!edit->name || strcmp(edit->name, plugin->name) == 0)
		return;
	d = diag_report(diags, DIAG_PLUGIN_NAME, span_of(plugin, edit->name_place),
			"the manifest of plugin '%s' is that of '%s'", plugin->name, edit->name);
	diag_note(d, plugin->file_span, "the policy names it here");
}

static bool emit_edited(const struct emission *emission, const struct block *plugin, struct artifacts *out)
{
	struct arena *arena = emission->compilation->arena;
	const struct source *manifest = plugin->manifest;
	struct manifest_wish wish = { 0 };
	wish_fill(arena, &wish, MANIFEST_TOOLS, plugin->tools, plugin->tool_count);
	if (plugin->optional_count)
		wish_fill(arena, &wish, MANIFEST_OPTIONAL, plugin->optional, plugin->optional_count);
	struct manifest_edit edit = manifest_edit(arena, manifest->text, manifest->size, &wish);
	if (edit.refusal.why) {
		report_refusal(emission->compilation->diags, plugin, &edit.refusal);
		return false;
	}
	warn_of_edit(emission->compilation->diags, plugin, &edit);
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, manifest->has_bom ? "\xef\xbb\xbf" : "");
	strbuf_add(&text, edit.bytes, edit.size); /* lint-quoting: the file's own bytes, and items quoted */
	artifact_take(emission, out, &backend_plugin_yaml, manifest_path(emission, plugin), &text);
	return true;
}

static bool emit_one(const struct emission *emission, const struct block *plugin, struct artifacts *out)
{
	return plugin->manifest ? emit_edited(emission, plugin, out) : emit_new(emission, plugin, out);
}

static bool plugin_yaml_emit(const struct emission *emission, struct artifacts *out)
{
	bool right = true;
	for (size_t i = 0; i < emission->policy->plugin_count; i++)
		if (emission->policy->plugins[i]->written)
			right &= emit_one(emission, emission->policy->plugins[i], out);
	return right;
}

const struct backend backend_plugin_yaml = {
	.name = "plugin-yaml",
	.summary = "plugins/PLUGIN/plugin.yaml: each plugin's manifest with its tools",
	.by_default = true,
	.owns = plugin_yaml_owns,
	.list = plugin_yaml_list,
	.emit = plugin_yaml_emit,
};
