/*
 * The edit is a handful of replaced pieces of the text. Whatever they do, the result is read again: it must
 * hold the lists as wished, and say the same of everything else; otherwise it is refused. So a form that
 * nobody thought of here costs an edit, and never a file.
 */
#include "backends/manifest_edit.h"

#include <assert.h>
#include <string.h>

#include "backends/quote.h"
#include "compiler/base/arena.h"
#include "compiler/base/map.h"

/* In place of the bytes of `place`. There are never more pieces than lists, and they do not overlap. */
struct piece {
	struct manifest_place place;
	struct strbuf added;
};

struct editor {
	struct arena *arena;
	const char *text;
	size_t size;
	const struct manifest_wish *wish;
	struct manifest manifest;
	const char *line_end;
	struct piece pieces[MANIFEST_KEYS];
	size_t piece_count;
	struct manifest_edit result;
};

static bool refuse(struct editor *editor, struct manifest_place place, const char *why)
{
	if (!editor->result.refusal.why)
		editor->result.refusal = (struct manifest_refusal){ place, why, NULL };
	return false;
}

static struct strbuf *piece_add(struct editor *editor, size_t begin, size_t end)
{
	assert(editor->piece_count < MANIFEST_KEYS);
	struct piece *piece = &editor->pieces[editor->piece_count++];
	*piece = (struct piece){ { begin, end }, STRBUF_INIT };
	return &piece->added;
}

/* ---- the text around a place ---- */

static void own_add(struct strbuf *out, const struct editor *editor, size_t begin, size_t end)
{
	strbuf_add(out, editor->text + begin, end - begin); /* lint-quoting: the file's own bytes */
}

static size_t line_begin(const struct editor *editor, size_t at)
{
	const char *before = at ? memrchr(editor->text, '\n', at) : NULL;
	return before ? (size_t)(before - editor->text) + 1 : 0;
}

/* Behind the line's end, or the end of the text. */
static size_t line_end(const struct editor *editor, size_t at)
{
	const char *end = at < editor->size ? memchr(editor->text + at, '\n', editor->size - at) : NULL;
	return end ? (size_t)(end - editor->text) + 1 : editor->size;
}

static size_t blanks_pass(const struct editor *editor, size_t at, size_t end)
{
	while (at < end && (editor->text[at] == ' ' || editor->text[at] == '\t'))
		at++;
	return at;
}

/* Whether [at, end) of a line is blank, or a comment; then `*comment` says which. */
static bool is_blank(const struct editor *editor, size_t at, size_t end, bool *comment)
{
	size_t begin = blanks_pass(editor, at, end);
	*comment =
		begin < end && editor->text[begin] == '#' && (begin > at || begin == line_begin(editor, at));
	if (*comment)
		return true;
	while (begin < end && (editor->text[begin] == '\r' || editor->text[begin] == '\n'))
		begin++;
	return begin == end;
}

static bool rest_is_blank(const struct editor *editor, size_t at)
{
	bool comment;
	return is_blank(editor, at, line_end(editor, at), &comment);
}

/* The same of whole lines; `*comments` whether one of them is a comment. */
static bool lines_are_blank(const struct editor *editor, size_t begin, size_t end, bool *comments)
{
	*comments = false;
	for (size_t at = begin, next; at < end; at = next) {
		bool comment;
		next = line_end(editor, at);
		if (!is_blank(editor, at, next, &comment))
			return false;
		*comments |= comment;
	}
	return true;
}

/*
 * In a comment a CR alone ends the line, for YAML and for no person; the lines here end with LF. The other
 * signs that end one are refused by manifest_scan(), or an item with one goes over several lines.
 */
static bool has_bare_return(const struct editor *editor, size_t begin, size_t end)
{
	for (size_t at = begin; at < end; at++)
		if (editor->text[at] == '\r' && (at + 1 == editor->size || editor->text[at + 1] != '\n'))
			return true;
	return false;
}

/* ---- what is there, and what is wished ---- */

/* Whether YAML reads the item as a text, and as this one. Plain text that quote_yaml() would quote may be
 * none. */
static bool item_is(const struct manifest_item *item, const char *text)
{
	if (!item->text || strcmp(item->text, text) != 0)
		return false;
	if (!item->plain)
		return true;
	struct strbuf quoted = STRBUF_INIT;
	quote_yaml(&quoted, text);
	bool same = strcmp(quoted.bytes, text) == 0;
	strbuf_release(&quoted);
	return same;
}

static bool list_is_wished(const struct editor *editor, const struct manifest *manifest,
			   enum manifest_key key)
{
	const struct manifest_list *list = &manifest->lists[key];
	size_t count = editor->wish->lists[key].count;
	if (!editor->wish->lists[key].managed)
		return true;
	/* Nothing wished, nothing there: an absent or empty key says that as well as `[]`. */
	if (list->state != MANIFEST_LIST)
		return count == 0 && list->state != MANIFEST_OTHER;
	if (list->count != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (list->items[i].trouble || !item_is(&list->items[i], editor->wish->lists[key].items[i]))
			return false;
	return true;
}

static bool all_is_wished(const struct editor *editor, const struct manifest *manifest)
{
	for (enum manifest_key key = 0; key < MANIFEST_KEYS; key++)
		if (!list_is_wished(editor, manifest, key))
			return false;
	return true;
}

enum { NO_ITEM = -1 };

/*
 * For each wished item the one that is there, which keeps its bytes, or NO_ITEM. Of two equal items the first
 * is kept.
 */
static ptrdiff_t *items_match(struct editor *editor, const struct manifest_list *list, enum manifest_key key)
{
	size_t count = editor->wish->lists[key].count;
	ptrdiff_t *matches = arena_array(editor->arena, count + 1, sizeof *matches);
	struct map *known = map_new(editor->arena, list->count);
	for (size_t i = list->count; i-- > 0;)
		*map_at(known, list->items[i].text, strlen(list->items[i].text)) = &list->items[i];
	for (size_t i = 0; i < count; i++) {
		const char *text = editor->wish->lists[key].items[i];
		const struct manifest_item *item = map_value(known, text, strlen(text));
		matches[i] = item ? item - list->items : NO_ITEM;
	}
	return matches;
}

static bool items_are_editable(struct editor *editor, const struct manifest_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].trouble)
			return refuse(editor, list->items[i].place, list->items[i].trouble);
	return true;
}

/* ---- new text ---- */

/* An item is quoted where YAML needs it, or where its neighbours are. */
static void item_add(struct strbuf *out, const char *text, bool quoted)
{
	if (quoted)
		quote_json(out, text);
	else
		quote_yaml(out, text);
}

static void flow_add(struct editor *editor, struct strbuf *out, enum manifest_key key, bool quoted)
{
	strbuf_add_text(out, "[");
	for (size_t i = 0; i < editor->wish->lists[key].count; i++) {
		strbuf_add_text(out, i ? ", " : "");
		item_add(out, editor->wish->lists[key].items[i], quoted);
	}
	strbuf_add_text(out, "]");
}

static void line_end_add(struct editor *editor, struct strbuf *out)
{
	strbuf_add_text(out, *editor->line_end == '\r' ? "\r\n" : "\n");
}

/* Every line with its end. */
static void block_add(struct editor *editor, struct strbuf *out, enum manifest_key key, size_t indent)
{
	for (size_t i = 0; i < editor->wish->lists[key].count; i++) {
		strbuf_add_fill(out, ' ', indent);
		strbuf_add_text(out, "- ");
		quote_yaml(out, editor->wish->lists[key].items[i]);
		line_end_add(editor, out);
	}
}

/*
 * Adds whole lines at `at`, which is where a line begins or the end of a text whose last line has no end;
 * then the new text has none either.
 */
static void lines_insert(struct editor *editor, size_t at, struct strbuf *lines)
{
	struct strbuf *out = piece_add(editor, at, at);
	size_t end = strlen(editor->line_end);
	bool open = at && editor->text[at - 1] != '\n';
	if (open)
		line_end_add(editor, out);
	strbuf_add(out, lines->bytes, lines->size - (open ? end : 0)); /* lint-quoting: lines made above */
	strbuf_release(lines);
}

/* ---- a block list ---- */

/* One item with the comments and blank lines above it. */
struct entry {
	size_t above, begin, end; /* begin and end of its own line */
	bool comments;
	bool kept;
};

/* The item stands alone on its line, behind its dash. */
static bool entry_find(struct editor *editor, const struct manifest_item *item, size_t above,
		       struct entry *entry)
{
	*entry = (struct entry){ .above = above,
				 .begin = line_begin(editor, item->place.begin),
				 .end = line_end(editor, item->place.end) };
	size_t at = entry->begin;
	while (at < item->place.begin && editor->text[at] == ' ')
		at++;
	bool alone = at < item->place.begin && editor->text[at] == '-' &&
		     blanks_pass(editor, at + 1, item->place.begin) == item->place.begin &&
		     rest_is_blank(editor, item->place.end);
	if (!alone || entry->begin < above || !lines_are_blank(editor, above, entry->begin, &entry->comments))
		return refuse(editor, item->place,
			      "an item does not stand behind a dash on a line of its own");
	if (has_bare_return(editor, above, entry->end))
		return refuse(editor, item->place, "a line by an item ends neither with LF nor with CRLF");
	return true;
}

static struct entry *entries_find(struct editor *editor, const struct manifest_list *list)
{
	struct entry *entries = arena_array(editor->arena, list->count + 1, sizeof *entries);
	size_t above = line_end(editor, list->key.end);
	for (size_t i = 0; i < list->count; i++) {
		if (!entry_find(editor, &list->items[i], above, &entries[i]))
			return NULL;
		above = entries[i].end;
	}
	return entries;
}

/* Lines of the file; the last of them may have no end. */
static void entry_lines_add(struct editor *editor, struct strbuf *out, size_t begin, size_t end)
{
	own_add(out, editor, begin, end);
	if (begin < end && editor->text[end - 1] != '\n')
		line_end_add(editor, out);
}

static void entry_add(struct editor *editor, struct strbuf *out, const struct entry *entry,
		      const struct manifest_item *item, const char *text)
{
	if (item_is(item, text)) {
		entry_lines_add(editor, out, entry->begin, entry->end);
		return;
	}
	own_add(out, editor, entry->begin, item->place.begin);
	quote_yaml(out, text);
	entry_lines_add(editor, out, item->place.end, entry->end);
	if (item->place.end == entry->end)
		line_end_add(editor, out);
}

static void stray_note(struct editor *editor, const struct manifest_item *item)
{
	struct manifest_edit *result = &editor->result;
	struct manifest_stray *strays = arena_grow(editor->arena, (void *)result->strays, result->stray_count,
						   &result->stray_capacity, sizeof *strays);
	strays[result->stray_count++] = (struct manifest_stray){ item->place, item->text };
	result->strays = strays;
}

/* What stands above an item that goes stays: with the next one that does not, or at the list's end. */
static size_t strays_above(const struct entry *entries, size_t index)
{
	while (index > 0 && !entries[index - 1].kept)
		index--;
	return index;
}

static void above_add(struct editor *editor, struct strbuf *out, const struct entry *entries, size_t first,
		      size_t last)
{
	for (size_t i = first; i <= last; i++)
		entry_lines_add(editor, out, entries[i].above, entries[i].begin);
}

static void block_items_add(struct editor *editor, struct strbuf *out, const struct manifest_list *list,
			    const struct entry *entries, enum manifest_key key, const ptrdiff_t *matches)
{
	const struct manifest_item *last = &list->items[list->count - 1];
	for (size_t i = 0; i < editor->wish->lists[key].count; i++) {
		const char *text = editor->wish->lists[key].items[i];
		if (matches[i] != NO_ITEM) {
			size_t at = (size_t)matches[i];
			above_add(editor, out, entries, strays_above(entries, at), at);
			entry_add(editor, out, &entries[at], &list->items[at], text);
			continue;
		}
		own_add(out, editor, entries[list->count - 1].begin, last->place.begin);
		quote_yaml(out, text);
		line_end_add(editor, out);
	}
}

/* The list becomes `[]` on its key's line. */
static bool block_empty(struct editor *editor, const struct manifest_list *list)
{
	size_t colon = blanks_pass(editor, list->key.end, editor->size);
	if (list->properties)
		return refuse(editor, list->value, "the list would be empty, and has an anchor or a tag");
	if (colon == editor->size || editor->text[colon] != ':')
		return refuse(editor, list->key, "the list's key is not followed by its ':' alone");
	struct strbuf *out = piece_add(editor, colon + 1, colon + 1);
	strbuf_add_text(out, " []");
	return true;
}

/* No line end where the file has none; `out` is what the file ends with now. */
static void last_line_open(struct editor *editor, struct strbuf *out, size_t end)
{
	if (end == editor->size && editor->text[end - 1] != '\n' && out->size)
		out->size -= strlen(editor->line_end);
}

static bool block_change(struct editor *editor, const struct manifest_list *list, enum manifest_key key)
{
	struct entry *entries = entries_find(editor, list);
	if (!entries)
		return false;
	ptrdiff_t *matches = items_match(editor, list, key);
	size_t count = editor->wish->lists[key].count;
	for (size_t i = 0; i < count; i++)
		if (matches[i] != NO_ITEM)
			entries[matches[i]].kept = true;
	for (size_t i = 0; i < list->count; i++)
		if (!entries[i].kept && entries[i].comments)
			stray_note(editor, &list->items[i]);
	size_t end = entries[list->count - 1].end, begin = entries[0].above;
	if (count == 0 && !block_empty(editor, list))
		return false;
	struct strbuf lines = STRBUF_INIT;
	block_items_add(editor, &lines, list, entries, key, matches);
	size_t tail = strays_above(entries, list->count);
	if (tail < list->count)
		above_add(editor, &lines, entries, tail, list->count - 1);
	last_line_open(editor, &lines, end);
	if (count == 0) {
		/* The piece of block_empty() and this one would be two: the key's line is between. */
		struct piece *piece = &editor->pieces[editor->piece_count - 1];
		own_add(&piece->added, editor, piece->place.end, begin);
		piece->place.end = begin;
		if (!lines.size)
			last_line_open(editor, &piece->added, end);
	} else {
		piece_add(editor, begin, begin);
	}
	struct piece *piece = &editor->pieces[editor->piece_count - 1];
	strbuf_add(&piece->added, lines.bytes, lines.size); /* lint-quoting: lines made above */
	piece->place.end = end;
	strbuf_release(&lines);
	return true;
}

/* ---- a flow list ---- */

/* What stands before item `index`: after `[` or the item before it. Behind the last item: up to `]`. */
static struct manifest_place gap_of(const struct manifest_list *list, size_t index)
{
	size_t begin = index ? list->items[index - 1].place.end : list->value.begin + 1;
	size_t end = index < list->count ? list->items[index].place.begin : list->value.end - 1;
	return (struct manifest_place){ begin, end };
}

static bool gaps_are_editable(struct editor *editor, const struct manifest_list *list)
{
	for (size_t i = 0; i <= list->count; i++) {
		struct manifest_place gap = gap_of(list, i);
		const char *comment = memchr(editor->text + gap.begin, '#', gap.end - gap.begin);
		if (!comment)
			continue;
		size_t at = (size_t)(comment - editor->text);
		return refuse(editor, (struct manifest_place){ at, at + 1 },
			      "a comment stands between the brackets");
	}
	return true;
}

static bool flow_is_quoted(const struct manifest_list *list, const struct manifest_mapping *mapping)
{
	for (size_t i = 0; i < list->count; i++)
		if (!list->items[i].double_quoted)
			return false;
	return list->count || (mapping->flow && mapping->keys_quoted);
}

/* Between two items where the file has no example: ", ", or a line each where the first begins one. */
static void separator_add(struct editor *editor, struct strbuf *out, const struct manifest_list *list)
{
	if (list->count > 1) {
		struct manifest_place gap = gap_of(list, list->count - 1);
		own_add(out, editor, gap.begin, gap.end);
		return;
	}
	struct manifest_place gap = gap_of(list, 0);
	bool own_line = list->count && memchr(editor->text + gap.begin, '\n', gap.end - gap.begin);
	strbuf_add_text(out, own_line ? "," : ", ");
	if (own_line)
		own_add(out, editor, gap.begin, gap.end);
}

static bool flow_change(struct editor *editor, const struct manifest_list *list, enum manifest_key key)
{
	if (!gaps_are_editable(editor, list))
		return false;
	size_t count = editor->wish->lists[key].count;
	struct strbuf *out = piece_add(editor, list->value.begin, list->value.end);
	if (!count || !list->count) {
		flow_add(editor, out, key, flow_is_quoted(list, &editor->manifest.requirements));
		return true;
	}
	ptrdiff_t *matches = items_match(editor, list, key);
	bool quoted = flow_is_quoted(list, &editor->manifest.requirements);
	strbuf_add_text(out, "[");
	own_add(out, editor, gap_of(list, 0).begin, gap_of(list, 0).end);
	for (size_t i = 0; i < count; i++) {
		const char *text = editor->wish->lists[key].items[i];
		const struct manifest_item *item = matches[i] != NO_ITEM ? &list->items[matches[i]] : NULL;
		struct manifest_place gap =
			item ? gap_of(list, (size_t)matches[i]) : (struct manifest_place){ 0 };
		if (i && item && matches[i] > 0)
			own_add(out, editor, gap.begin, gap.end);
		else if (i)
			separator_add(editor, out, list);
		if (item && item_is(item, text))
			own_add(out, editor, item->place.begin, item->place.end);
		else
			item_add(out, text, quoted);
	}
	struct manifest_place gap = gap_of(list, list->count);
	own_add(out, editor, gap.begin, list->value.end);
	return true;
}

/* ---- a key with nothing behind it ---- */

/* Only from here on is the line's rest known to be free. */
static bool line_is_free(struct editor *editor, size_t at, struct manifest_place key)
{
	if (rest_is_blank(editor, at))
		return true;
	return refuse(editor, key, "something stands behind the key on its line");
}

static bool null_change(struct editor *editor, const struct manifest_list *list, enum manifest_key key)
{
	const struct manifest_mapping *requirements = &editor->manifest.requirements;
	if (list->properties || (list->state == MANIFEST_NULL && requirements->flow))
		return refuse(editor, list->key, "the list's key has no value that could become a list");
	if (list->state == MANIFEST_NULL_WORD) {
		flow_add(editor, piece_add(editor, list->value.begin, list->value.end), key,
			 requirements->flow && requirements->keys_quoted);
		return true;
	}
	if (!line_is_free(editor, list->value.end, list->key))
		return false;
	struct strbuf lines = STRBUF_INIT;
	block_add(editor, &lines, key, requirements->column + editor->manifest.list_indent);
	lines_insert(editor, line_end(editor, list->value.end), &lines);
	return true;
}

static bool list_change(struct editor *editor, enum manifest_key key)
{
	const struct manifest_list *list = &editor->manifest.lists[key];
	if (list->state == MANIFEST_OTHER)
		return refuse(editor, list->value,
			      editor->text[list->value.begin] == '*' ? "the list is an alias"
								     : "the value is no list");
	if (list->state != MANIFEST_LIST)
		return null_change(editor, list, key);
	if (!items_are_editable(editor, list))
		return false;
	return list->flow ? flow_change(editor, list, key) : block_change(editor, list, key);
}

/* ---- keys that are not there ---- */

static bool key_is_missing(const struct editor *editor, enum manifest_key key)
{
	return editor->manifest.lists[key].state == MANIFEST_ABSENT && editor->wish->lists[key].managed &&
	       editor->wish->lists[key].count > 0;
}

/* A key in a block mapping; its list is written as its neighbour's. */
static void key_lines_add(struct editor *editor, struct strbuf *out, enum manifest_key key, size_t column)
{
	const struct manifest_list *neighbour = &editor->manifest.lists[MANIFEST_KEYS - 1 - key];
	bool flow = neighbour->state == MANIFEST_LIST && neighbour->flow;
	strbuf_add_fill(out, ' ', column);
	strbuf_add_text(out, key == MANIFEST_TOOLS ? "external_tools:" : "optional:");
	if (flow) {
		strbuf_add_text(out, " ");
		flow_add(editor, out, key, false);
	}
	line_end_add(editor, out);
	if (!flow)
		block_add(editor, out, key, column + editor->manifest.list_indent);
}

static void missing_lines_add(struct editor *editor, struct strbuf *out, size_t column)
{
	for (enum manifest_key key = 0; key < MANIFEST_KEYS; key++)
		if (key_is_missing(editor, key))
			key_lines_add(editor, out, key, column);
}

static void missing_flow_add(struct editor *editor, struct strbuf *out, bool quoted)
{
	bool first = true;
	for (enum manifest_key key = 0; key < MANIFEST_KEYS; key++) {
		if (!key_is_missing(editor, key))
			continue;
		strbuf_add_text(out, first ? "" : ", ");
		item_add(out, manifest_key_name(key), quoted);
		strbuf_add_text(out, ": ");
		flow_add(editor, out, key, quoted);
		first = false;
	}
}

/* Where a block mapping's last value ends, a new line can begin. */
static bool mapping_end(struct editor *editor, const struct manifest_mapping *mapping, size_t *at)
{
	*at = mapping->leaf_end;
	if (mapping->leaf_is_block && (*at == 0 || editor->text[*at - 1] == '\n'))
		return true;
	if (!rest_is_blank(editor, *at))
		return refuse(editor, mapping->key, "no line could begin behind its last value");
	*at = line_end(editor, *at);
	return true;
}

/* Above the comments that stand directly on the key's line: they belong to it. */
static bool above_key(struct editor *editor, const struct manifest_list *list, size_t *at)
{
	*at = line_begin(editor, list->key.begin);
	if (blanks_pass(editor, *at, list->key.begin) != list->key.begin)
		return refuse(editor, list->key, "the key does not begin its line");
	while (*at > 0) {
		size_t above = line_begin(editor, *at - 1);
		bool comment;
		if (!is_blank(editor, above, *at, &comment) || !comment)
			break;
		*at = above;
	}
	return true;
}

/* external_tools goes before `optional` where that is there; what is missing else goes last. */
static bool missing_to_block(struct editor *editor)
{
	const struct manifest_mapping *requirements = &editor->manifest.requirements;
	const struct manifest_list *optional = &editor->manifest.lists[MANIFEST_OPTIONAL];
	size_t at;
	bool before = key_is_missing(editor, MANIFEST_TOOLS) && optional->state != MANIFEST_ABSENT;
	if (before ? !above_key(editor, optional, &at) : !mapping_end(editor, requirements, &at))
		return false;
	struct strbuf lines = STRBUF_INIT;
	missing_lines_add(editor, &lines, requirements->column);
	lines_insert(editor, at, &lines);
	return true;
}

static bool missing_to_flow(struct editor *editor)
{
	const struct manifest_mapping *requirements = &editor->manifest.requirements;
	const struct manifest_list *optional = &editor->manifest.lists[MANIFEST_OPTIONAL];
	bool quoted = requirements->keys_quoted;
	if (!requirements->pair_count) {
		struct strbuf *out =
			piece_add(editor, requirements->value.begin + 1, requirements->value.begin + 1);
		missing_flow_add(editor, out, quoted);
		return true;
	}
	if (key_is_missing(editor, MANIFEST_TOOLS) && optional->state != MANIFEST_ABSENT) {
		struct strbuf *out = piece_add(editor, optional->key.begin, optional->key.begin);
		missing_flow_add(editor, out, quoted);
		strbuf_add_text(out, ", ");
		return true;
	}
	if (requirements->leaf_is_empty)
		return refuse(editor, requirements->key, "its last value is empty");
	struct strbuf *out = piece_add(editor, requirements->leaf_end, requirements->leaf_end);
	strbuf_add_text(out, ", ");
	missing_flow_add(editor, out, quoted);
	return true;
}

static bool requirements_add(struct editor *editor)
{
	const struct manifest_mapping *root = &editor->manifest.root;
	struct strbuf lines = STRBUF_INIT;
	if (root->flow)
		return refuse(editor, root->value, "the document is one flow mapping without 'requirements'");
	size_t at = editor->size;
	if (root->state == MANIFEST_LIST && !mapping_end(editor, root, &at))
		return false;
	strbuf_add_fill(&lines, ' ', root->column);
	strbuf_add_text(&lines, "requirements:");
	line_end_add(editor, &lines);
	missing_lines_add(editor, &lines, root->column + editor->manifest.step);
	lines_insert(editor, at, &lines);
	return true;
}

static bool requirements_fill(struct editor *editor)
{
	const struct manifest_mapping *root = &editor->manifest.root;
	const struct manifest_mapping *requirements = &editor->manifest.requirements;
	if (requirements->properties || (requirements->state == MANIFEST_NULL && root->flow))
		return refuse(editor, requirements->key,
			      "'requirements' has no value that could become a mapping");
	if (requirements->state == MANIFEST_NULL_WORD) {
		struct strbuf *out = piece_add(editor, requirements->value.begin, requirements->value.end);
		strbuf_add_text(out, "{");
		missing_flow_add(editor, out, root->flow && root->keys_quoted);
		strbuf_add_text(out, "}");
		return true;
	}
	if (!line_is_free(editor, requirements->value.end, requirements->key))
		return false;
	struct strbuf lines = STRBUF_INIT;
	missing_lines_add(editor, &lines, root->column + editor->manifest.step);
	lines_insert(editor, line_end(editor, requirements->value.end), &lines);
	return true;
}

static bool merge_check(struct editor *editor, const struct manifest_mapping *mapping)
{
	if (!mapping->merges)
		return true;
	return refuse(editor, mapping->key, "what is missing may come from its merge key '<<'");
}

static bool missing_add(struct editor *editor)
{
	const struct manifest_mapping *root = &editor->manifest.root;
	const struct manifest_mapping *requirements = &editor->manifest.requirements;
	switch (requirements->state) {
	case MANIFEST_ABSENT:
		return merge_check(editor, root) && requirements_add(editor);
	case MANIFEST_NULL:
	case MANIFEST_NULL_WORD:
		return requirements_fill(editor);
	case MANIFEST_LIST:
		if (!merge_check(editor, requirements))
			return false;
		return requirements->flow ? missing_to_flow(editor) : missing_to_block(editor);
	case MANIFEST_OTHER:
		break;
	}
	return refuse(editor, requirements->value, "'requirements' is no mapping");
}

/* ---- the whole ---- */

static bool changes_make(struct editor *editor)
{
	bool missing = false;
	if (editor->manifest.shared.why)
		return refuse(editor, editor->manifest.shared.place, editor->manifest.shared.why);
	for (enum manifest_key key = 0; key < MANIFEST_KEYS; key++) {
		if (key_is_missing(editor, key))
			missing = true;
		else if (!list_is_wished(editor, &editor->manifest, key) && !list_change(editor, key))
			return false;
	}
	return !missing || missing_add(editor);
}

static bool pieces_in_order(const struct editor *editor)
{
	return editor->piece_count < 2 || editor->pieces[0].place.begin <= editor->pieces[1].place.begin;
}

/* Two pieces at one place stay in the order in which they were made. */
static void pieces_apply(const struct editor *editor, struct strbuf *out)
{
	size_t at = 0;
	bool swapped = !pieces_in_order(editor);
	strbuf_reserve(out, editor->size);
	for (size_t i = 0; i < editor->piece_count; i++) {
		const struct piece *piece = &editor->pieces[swapped ? editor->piece_count - 1 - i : i];
		assert(piece->place.begin >= at && piece->place.end <= editor->size);
		own_add(out, editor, at, piece->place.begin);
		strbuf_add(out, piece->added.bytes, piece->added.size); /* lint-quoting: made above */
		at = piece->place.end;
	}
	own_add(out, editor, at, editor->size);
}

static bool says_the_same(const struct editor *editor, const struct manifest *other)
{
	const struct strbuf *a = &editor->manifest.rest, *b = &other->rest;
	return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static struct manifest_refusal scan(const struct editor *editor, const char *text, size_t size,
				    struct manifest *manifest)
{
	bool managed[MANIFEST_KEYS];
	for (enum manifest_key key = 0; key < MANIFEST_KEYS; key++)
		managed[key] = editor->wish->lists[key].managed;
	return manifest_scan(editor->arena, text, size, managed, manifest);
}

/* Reads the result again. */
static bool result_check(struct editor *editor)
{
	struct manifest again;
	const struct manifest_edit *result = &editor->result;
	struct manifest_refusal refusal = scan(editor, result->bytes, result->size, &again);
	bool good = !refusal.why && all_is_wished(editor, &again) && says_the_same(editor, &again);
	manifest_release(&again);
	if (good)
		return true;
	const struct manifest_list *list = &editor->manifest.lists[MANIFEST_TOOLS];
	return refuse(editor, list->state == MANIFEST_ABSENT ? editor->manifest.requirements.key : list->key,
		      "an edit here would change more than the lists");
}

static void text_change(struct editor *editor)
{
	struct strbuf text = STRBUF_INIT;
	if (changes_make(editor)) {
		pieces_apply(editor, &text);
		editor->result.changed = true;
		editor->result.size = text.size;
		/* lint-quoting: our own, not a strbuf's */
		editor->result.bytes = strbuf_detach(&text);
		arena_adopt(editor->arena, (void *)editor->result.bytes);
		result_check(editor);
	}
	for (size_t i = 0; i < editor->piece_count; i++)
		strbuf_release(&editor->pieces[i].added);
}

static const char *line_end_of(const char *text, size_t size)
{
	const char *end = memchr(text, '\n', size);
	return end && end > text && end[-1] == '\r' ? "\r\n" : "\n";
}

struct manifest_edit manifest_edit(struct arena *arena, const char *text, size_t size,
				   const struct manifest_wish *wish)
{
	struct editor editor = { .arena = arena, .text = text, .size = size, .wish = wish };
	editor.line_end = line_end_of(text, size);
	editor.result = (struct manifest_edit){ .bytes = text, .size = size };
	editor.result.refusal = scan(&editor, text, size, &editor.manifest);
	editor.result.name = editor.manifest.name;
	editor.result.name_place = editor.manifest.name_place;
	if (!editor.result.refusal.why && !all_is_wished(&editor, &editor.manifest))
		text_change(&editor);
	manifest_release(&editor.manifest);
	return editor.result;
}
