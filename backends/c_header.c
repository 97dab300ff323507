/*
 * NAME.h: the command rows as a table of C99 and C++11, with a perfect hash to look them up.
 * adr/0009 says why this hash. The functions that hash are those of perfect_hash.c, as text.
 */
#include <string.h>

#include "backends/backend.h"
#include "backends/c_header.h"
#include "backends/identifier.h"
#include "backends/perfect_hash.h"
#include "backends/quote.h"
#include "backends/rows.h"
#include "backends/strength.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/policy.h"

struct header {
	struct strbuf *out;
	struct arena *arena;
	const struct policy *policy;
	struct row_list rows, of_roles;
	const char **identifiers;
	struct c_header_texts *texts; /* of each row, once the rows are there */
	struct perfect_hash hash;
};

static void add(struct header *header, const char *template)
{
	quote_c_template(header->out, template, header->policy->identifier);
}

static void add_top(struct header *header)
{
	struct strbuf *out = header->out;
	strbuf_add_text(out, "/* ");
	mark_add(out, header->policy, quote_c_comment);
	strbuf_add_text(out, " */\n"
			     "/*\n"
			     " * The commands that the policy allows and forbids, for C99 and C++11.\n"
			     " *\n");
	caveat_add(out, " * ", strength_caveat(STRENGTH_C_HEADER), quote_c_comment);
	caveat_add(out, " * ", strength_commands_caveat(header->policy), quote_c_comment);
	strbuf_add_text(
		out, " *\n"
		     " * A declined command decides nothing and has no row: it is unlisted, so not allowed.\n"
		     " */\n");
	quote_c_template(out,
			 "#ifndef ALLOWC_HEADER_@_H\n"
			 "#define ALLOWC_HEADER_@_H\n"
			 "\n"
			 "#include <string.h>\n"
			 "\n",
			 artifact_guard(header->arena, header->policy));
}

static void add_count(struct header *header, const char *template, size_t count)
{
	add(header, template);
	quote_number(header->out, count);
	strbuf_add_text(header->out, "\n");
}

/* Texts that no compiler must take: those that do warn where the literal stands, in a macro its user. */
static bool has_overlong_text(const struct header *header, const struct row_list *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = rows->items[i];
		if ((row->reason && strlen(row->reason) > QUOTE_C_PORTABLE) ||
		    (row_more(row)->instead && strlen(row_more(row)->instead) > QUOTE_C_PORTABLE) ||
		    strlen(row->subject) > QUOTE_C_PORTABLE ||
		    strlen(row_citations(header->arena, row)) > QUOTE_C_PORTABLE)
			return true;
	}
	return false;
}

static void add_types(struct header *header)
{
	if (has_overlong_text(header, &header->rows) || has_overlong_text(header, &header->of_roles))
		strbuf_add_text(header->out,
				"/* Some texts are longer than the 4095 bytes that C99 guarantees. */\n"
				"#if defined(__GNUC__)\n"
				"#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
				"#endif\n"
				"\n");
	add(header, "/* Tables and functions that a unit does not use are no reason for a warning. */\n"
		    "#if defined(__GNUC__)\n"
		    "#define $_UNUSED __attribute__((unused))\n"
		    "#else\n"
		    "#define $_UNUSED\n"
		    "#endif\n"
		    "\n");
	add_count(header, "#define $_ROW_COUNT ", header->rows.count);
	add_count(header, "#define $_ALLOWED_COUNT ", header->policy->allowed_count);
	add_count(header, "#define $_FORBIDDEN_COUNT ", header->policy->forbidden_count);
	add(header,
	    "\n"
	    "enum @_verdict { $_UNLISTED, $_ALLOWED, $_FORBIDDEN };\n"
	    "\n"
	    "struct @_row {\n"
	    "\tconst char *command; /* its words, one blank between them */\n"
	    "\tconst char *adr;     /* the decisions, \", \" between them */\n"
	    "\tconst char *reason;  /* \"\" where the policy gives none */\n"
	    "\tconst char *instead; /* what to use in its place, \"\" where the policy names nothing */\n"
	    "\tenum @_verdict verdict;\n"
	    "\tunsigned length; /* of command, in bytes */\n"
	    "};\n"
	    "\n");
}

/* ---- rows ---- */

static const char *text_or_empty(const char *text)
{
	return text ? text : "";
}

struct c_header_texts c_header_row_add(struct strbuf *out, struct arena *arena, const struct policy *policy,
				       const struct row *row)
{
	strbuf_add_text(out, "\t{ ");
	struct c_header_texts texts = { .begin = out->size };
	quote_c(out, row->subject);
	strbuf_add_text(out, ", ");
	quote_c(out, row_citations(arena, row));
	strbuf_add_text(out, ", ");
	quote_c(out, text_or_empty(row->reason));
	texts.size = out->size - texts.begin;
	strbuf_add_text(out, ", ");
	quote_c(out, text_or_empty(row_more(row)->instead));
	quote_c_template(out, row->verb == VERB_ALLOW ? ", $_ALLOWED, " : ", $_FORBIDDEN, ",
			 policy->identifier);
	quote_number(out, strlen(row->subject));
	strbuf_add_text(out, " },\n");
	return texts;
}

static void add_rows(struct header *header)
{
	add(header, "/* The rows in force, in policy order: ");
	if (!header->rows.count) {
		/* No array of C has no elements. */
		add(header, "none. The one element is not a row. */\n"
			    "static const struct @_row @_rows[1] $_UNUSED = {\n"
			    "\t{ \"\", \"\", \"\", \"\", $_UNLISTED, 0 },\n"
			    "};\n\n");
		return;
	}
	add(header, "lower layers first. */\n"
		    "static const struct @_row @_rows[$_ROW_COUNT] $_UNUSED = {\n");
	header->texts = arena_array(header->arena, header->rows.count, sizeof *header->texts);
	for (size_t i = 0; i < header->rows.count; i++)
		header->texts[i] =
			c_header_row_add(header->out, header->arena, header->policy, header->rows.items[i]);
	add(header, "};\n\n");
}

/* Up to the last of `left` rows: a million rows are not looked at for those that nobody forbade. */
static void add_macro(struct header *header, const char *template, enum verb verb, size_t left)
{
	struct strbuf *out = header->out;
	add(header, template);
	for (size_t i = 0; i < header->rows.count && left; i++) {
		if (header->rows.items[i]->verb != verb)
			continue;
		left--;
		strbuf_add_text(out, " \\\n\tX(");
		quote_c_identifier(out, header->identifiers[i]);
		strbuf_add_text(out, ", ");
		quote_again(out, header->texts[i].begin, header->texts[i].size);
		strbuf_add_text(out, ")");
	}
	strbuf_add_text(out, "\n\n");
}

static void add_macros(struct header *header)
{
	strbuf_add_text(header->out,
			"/* X(IDENTIFIER, \"command\", \"adr\", \"reason\") for each, in policy order. */\n");
	add_macro(header, "#define $_FOR_EACH_ALLOWED(X)", VERB_ALLOW, header->policy->allowed_count);
	add_macro(header, "#define $_FOR_EACH_FORBIDDEN(X)", VERB_FORBID, header->policy->forbidden_count);
}

/* ---- requirements ---- */

void c_header_requirement_add(struct strbuf *out, const struct row *row,
			      const struct requirement *requirement)
{
	quote_c(out, row->subject);
	strbuf_add_text(out, ", ");
	quote_c(out, requirement->command);
	strbuf_add_text(out, ", ");
	quote_c(out, text_or_empty(requirement->operator));
	strbuf_add_text(out, ", ");
	quote_c(out, text_or_empty(requirement->version));
	strbuf_add_text(out, ")");
}

/* A macro: no array of C has no elements, and what nobody asks for takes no room. */
static void add_requirements(struct header *header)
{
	size_t count = 0;
	add(header,
	    "/*\n"
	    " * X(\"command\", \"needed\", \"relation\", \"version\") for each that needs another:\n"
	    " * \"docker buildx\", \"docker\", \">=\", \"20.10\". The last two are \"\" where any version\n"
	    " * does. In policy order.\n"
	    " */\n"
	    "#define $_FOR_EACH_REQUIREMENT(X)");
	for (size_t i = 0; i < header->rows.count && count < header->rows.requirement_count; i++) {
		const struct row *row = header->rows.items[i];
		for (size_t k = 0; k < row_more(row)->requirement_count; k++, count++) {
			strbuf_add_text(header->out, " \\\n\tX(");
			c_header_requirement_add(header->out, row, &row_more(row)->requirements[k]);
		}
	}
	strbuf_add_text(header->out, "\n");
	add_count(header, "#define $_REQUIREMENT_COUNT ", count);
	strbuf_add_text(header->out, "\n");
}

/* ---- look-up ---- */

/* So that a text of megabytes costs no more than the longest command, be it one of a role's own rows. */
static void add_measure(struct header *header)
{
	size_t longest = header->rows.longest, of_roles = header->of_roles.longest;
	add(header,
	    "/* The length of `text`; of one that is longer than every command the bound. */\n"
	    "static inline $_UNUSED size_t @_measure(const char *text)\n"
	    "{\n"
	    "\t/* volatile: compilers that know it warn of each array that is shorter, NUL or not. */\n"
	    "\tstatic const volatile size_t bound = ");
	quote_number(header->out, (longest > of_roles ? longest : of_roles) + 1);
	add(header, ";\n"
		    "\tconst char *const end = (const char *)memchr(text, '\\0', bound);\n"
		    "\treturn end == NULL ? bound : (size_t)(end - text);\n"
		    "}\n\n");
}

/* "number," in lines of `width`. */
static void add_element(struct strbuf *out, size_t index, size_t width, uint32_t number)
{
	strbuf_add_text(out, index % width ? " " : "\n\t");
	quote_number(out, number);
	strbuf_add_text(out, ",");
}

static void add_slots(struct header *header)
{
	const struct perfect_hash *hash = &header->hash;
	add(header, "/* Of each slot: the row's number, counted from 1, or 0. */\n");
	if (header->rows.count < 0x100)
		add(header, "static const unsigned char @_slots[");
	else if (header->rows.count < 0x10000)
		add(header, "static const unsigned short @_slots[");
	else
		add(header, "static const unsigned int @_slots[");
	quote_number(header->out, hash->slot_count);
	add(header, "] $_UNUSED = {");
	for (uint32_t i = 0; i < hash->slot_count; i++)
		add_element(header->out, i, header->rows.count < 100 ? 32 : 16, hash->slots[i]);
	strbuf_add_text(header->out, "\n};\n\n");
}

static void add_shorts(struct header *header, const char *template, const uint16_t *numbers, uint32_t count)
{
	add(header, template);
	quote_number(header->out, count);
	add(header, "] $_UNUSED = {");
	for (uint32_t i = 0; i < count; i++)
		add_element(header->out, i, 16, numbers[i]);
	strbuf_add_text(header->out, "\n};\n\n");
}

static void add_small_lookup(struct header *header)
{
	add(header,
	    "/* The row with exactly these `length` bytes; a NUL stands after them. */\n"
	    "static inline $_UNUSED const struct @_row *@_lookup(const char *text, size_t length)\n"
	    "{\n"
	    "\tconst unsigned char *const byte = (const unsigned char *)text;\n"
	    "\tconst struct @_row *row;\n"
	    "\tunsigned long long key;\n"
	    "\tunsigned slot;\n"
	    "\tif (length == 0 || length > ");
	quote_number(header->out, header->rows.longest);
	add(header,
	    ")\n"
	    "\t\treturn NULL;\n"
	    "\t/* No two commands have the same length and these four bytes. */\n"
	    "\tkey = (unsigned long long)byte[0] | (unsigned long long)byte[1] << 8 |\n"
	    "\t      (unsigned long long)byte[length / 2] << 16 |\n"
	    "\t      (unsigned long long)byte[length - 1] << 24 | (unsigned long long)length << 32;\n");
	add(header, "\tkey *= ");
	quote_c_hex(header->out, header->hash.multiplier);
	add(header, ";\n"
		    "\tslot = @_slots[key >> ");
	quote_number(header->out, 64 - header->hash.slot_bits);
	add(header,
	    "];\n"
	    "\tif (slot == 0)\n"
	    "\t\treturn NULL;\n"
	    "\trow = &@_rows[slot - 1];\n"
	    "\treturn row->length == length && memcmp(row->command, text, length) == 0 ? row : NULL;\n"
	    "}\n\n");
}

static void add_words(struct header *header)
{
	const struct perfect_hash *hash = &header->hash;
	add(header, "/* Of each slot: its command as two words, 0 where it is longer than 16 bytes. */\n"
		    "static const unsigned long long @_words[");
	quote_number(header->out, 2 * (uint64_t)hash->slot_count);
	add(header, "] $_UNUSED = {");
	for (uint32_t i = 0; i < hash->slot_count; i++) {
		strbuf_add_text(header->out, i % 2 ? " " : "\n\t");
		quote_c_hex(header->out, hash->words[i].first);
		strbuf_add_text(header->out, ", ");
		quote_c_hex(header->out, hash->words[i].last);
		strbuf_add_text(header->out, ",");
	}
	strbuf_add_text(header->out, "\n};\n\n");
}

static void add_loads(struct header *header)
{
	add(header, "static inline $_UNUSED unsigned long long @_load4(const char *text)\n"
		    "{\n"
		    "\tconst unsigned char *const byte = (const unsigned char *)text;\n"
		    "\treturn (unsigned long long)byte[0] | (unsigned long long)byte[1] << 8 |\n"
		    "\t       (unsigned long long)byte[2] << 16 | (unsigned long long)byte[3] << 24;\n"
		    "}\n"
		    "\n"
		    "static inline $_UNUSED unsigned long long @_load8(const char *text)\n"
		    "{\n"
		    "\treturn @_load4(text) | @_load4(text + 4) << 32;\n"
		    "}\n"
		    "\n");
}

/* Up to 16 bytes the two words and the length are the text; beyond, they are a part of its hash. */
static void add_large_words(struct header *header)
{
	add(header, "\tif (length < 4) {\n"
		    "\t\tfirst = (unsigned char)text[0];\n"
		    "\t\tlast = (unsigned long long)(unsigned char)text[length / 2] << 8 |\n"
		    "\t\t       (unsigned char)text[length - 1];\n"
		    "\t} else if (length <= 16) {\n"
		    "\t\ti = length / 8 * 4;\n"
		    "\t\tfirst = @_load4(text) | @_load4(text + i) << 32;\n"
		    "\t\tlast = @_load4(text + length - 4) | @_load4(text + length - 4 - i) << 32;\n"
		    "\t} else {\n"
		    "\t\tfirst = @_load8(text);\n"
		    "\t\tlast = @_load8(text + length - 8);\n"
		    "\t\tfor (i = 8; i + 8 < length; i += 8) {\n"
		    "\t\t\tfirst += seed;\n"
		    "\t\t\tfirst = (first ^ first >> 32) * ");
	quote_c_hex(header->out, PERFECT_HASH_B);
	add(header, " ^ @_load8(text + i);\n"
		    "\t\t}\n"
		    "\t}\n"
		    "\thash = (first + seed) * ");
	quote_c_hex(header->out, PERFECT_HASH_A);
	add(header, ";\n"
		    "\thash = ((hash ^ hash >> 32) + last) * ");
	quote_c_hex(header->out, header->hash.factor);
	add(header, ";\n"
		    "\thash ^= hash >> 29;\n");
}

static void add_large_slot(struct header *header)
{
	const struct perfect_hash *hash = &header->hash;
	add(header, "\tslot = (hash & 0xffffffffU) ^ (");
	quote_c_hex(header->out, PERFECT_HASH_STEP);
	add(header, " * @_moves[(hash >> 32) * ");
	quote_number(header->out, hash->bucket_count);
	add(header, "U >> 32] & 0xffffffffU);\n"
		    "\tslot = (slot * ");
	quote_c_hex(header->out, PERFECT_HASH_MIX);
	add(header, " & 0xffffffffU) * ");
	quote_number(header->out, hash->slot_count);
	add(header, "U >> 32;\n"
		    "\tif (@_tags[slot] != ((hash >> 24 << 5 | (length < 31 ? length : 31)) & 0xffffU))\n"
		    "\t\treturn NULL;\n");
}

static void add_large_function(struct header *header)
{
	add(header, "/* The row with exactly these `length` bytes. */\n"
		    "static inline $_UNUSED const struct @_row *@_lookup(const char *text, size_t length)\n"
		    "{\n"
		    "\tconst unsigned long long seed = ");
	quote_c_hex(header->out, header->hash.multiplier);
	strbuf_add_text(header->out, " + length * ");
	quote_c_hex(header->out, PERFECT_HASH_B);
	add(header, ";\n"
		    "\tconst struct @_row *row;\n"
		    "\tunsigned long long first, last, hash, slot;\n"
		    "\tsize_t i;\n"
		    "\tif (length == 0 || length > ");
	quote_number(header->out, header->rows.longest);
	add(header, ")\n"
		    "\t\treturn NULL;\n");
	add_large_words(header);
	add_large_slot(header);
	add(header,
	    "\trow = &@_rows[@_slots[slot] - 1U];\n"
	    "\tif (length <= 16)\n"
	    "\t\treturn @_words[2 * slot] == first && @_words[2 * slot + 1] == last ? row : NULL;\n"
	    "\treturn row->length == length && memcmp(row->command, text, length) == 0 ? row : NULL;\n"
	    "}\n\n");
}

static void add_large_lookup(struct header *header)
{
	const struct perfect_hash *hash = &header->hash;
	add_shorts(header,
		   "/* Of each bucket: what moves its commands to slots of their own. */\n"
		   "static const unsigned short @_moves[",
		   hash->displacements, hash->bucket_count);
	add_shorts(header,
		   "/* Of each slot: its command's length and 11 bits of its hash, or 0. */\n"
		   "static const unsigned short @_tags[",
		   hash->tags, hash->slot_count);
	add_words(header);
	add_loads(header);
	add_large_function(header);
}

static void add_lookup(struct header *header)
{
	if (header->rows.count || header->policy->role_count)
		add_measure(header);
	if (!header->rows.count)
		return;
	add_slots(header);
	if (header->hash.form == PERFECT_HASH_FORM_SMALL)
		add_small_lookup(header);
	else
		add_large_lookup(header);
}

/* ---- what the user calls ---- */

static void add_match(struct header *header)
{
	add(header, "/*\n"
		    " * The longest row that argv starts with, or NULL. argv[0] is a base name; NULL ends\n"
		    " * argv. A word with a blank in it is one word, so it matches none of a command's.\n"
		    " */\n"
		    "static inline $_UNUSED const struct @_row *@_match(const char *const argv[])\n"
		    "{\n"
		    "\tconst struct @_row *longest = NULL, *row;\n"
		    "\tchar command[");
	quote_number(header->out, header->rows.longest + 1);
	add(header, "]; /* the longest row, NUL */\n"
		    "\tsize_t length = 0, more;\n"
		    "\tint word;\n"
		    "\tfor (word = 0; word < ");
	quote_number(header->out, header->rows.most_words);
	add(header,
	    " && argv[word] != NULL; word++) {\n"
	    "\t\tif (word > 0)\n"
	    "\t\t\tcommand[length++] = ' ';\n"
	    "\t\tmore = @_measure(argv[word]);\n"
	    "\t\tif (more == 0 || length + more >= sizeof command || memchr(argv[word], ' ', more) != NULL)\n"
	    "\t\t\tbreak;\n"
	    "\t\tmemcpy(command + length, argv[word], more + 1);\n"
	    "\t\tlength += more;\n"
	    "\t\trow = @_lookup(command, length);\n"
	    "\t\tif (row != NULL)\n"
	    "\t\t\tlongest = row;\n"
	    "\t}\n"
	    "\treturn longest;\n"
	    "}\n\n");
}

static void add_functions(struct header *header)
{
	add(header, "/* The row with exactly these words, one blank between them, or NULL. */\n"
		    "static inline $_UNUSED const struct @_row *@_find(const char *command)\n"
		    "{\n");
	add(header, header->rows.count ? "\treturn @_lookup(command, @_measure(command));\n"
				       : "\t(void)command;\n"
					 "\treturn NULL;\n");
	add(header, "}\n\n");
	if (header->rows.count)
		add_match(header);
	else
		add(header, "/* The longest row that argv starts with: there is none. */\n"
			    "static inline $_UNUSED const struct @_row *@_match(const char *const argv[])\n"
			    "{\n"
			    "\t(void)argv;\n"
			    "\treturn NULL;\n"
			    "}\n\n");
	add(header, "/* 1 where the policy allows the command of exactly these words, else 0. */\n"
		    "static inline $_UNUSED int @_allowed(const char *command)\n"
		    "{\n"
		    "\tconst struct @_row *const row = @_find(command);\n"
		    "\treturn row != NULL && row->verdict == $_ALLOWED;\n"
		    "}\n\n");
}

/* ---- the backend ---- */

static void assign_identifiers(struct header *header)
{
	const char **spellings = arena_array(header->arena, header->rows.count, sizeof *spellings);
	for (size_t i = 0; i < header->rows.count; i++)
		spellings[i] = header->rows.items[i]->spelling;
	header->identifiers = identifiers_assign(header->arena, spellings, header->rows.count);
}

static void build_hash(struct header *header)
{
	const char **keys = arena_array(header->arena, header->rows.count, sizeof *keys);
	for (size_t i = 0; i < header->rows.count; i++)
		keys[i] = header->rows.items[i]->subject;
	if (header->rows.count)
		header->hash = perfect_hash_build(header->arena, keys, header->rows.count);
}

static bool c_header_owns(const struct policy *policy, const char *path)
{
	return artifact_is_named(policy, path, ".h");
}

static void c_header_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_c_header, artifact_name(emission, ".h"), "", 0);
}

static bool c_header_emit(const struct emission *emission, struct artifacts *out)
{
	struct strbuf text = STRBUF_INIT;
	struct arena *arena = arena_new();
	struct header header = {
		.out = &text,
		.arena = arena,
		.policy = emission->policy,
	};
	header.rows = policy_commands(header.arena, header.policy);
	header.of_roles = role_commands(header.arena, header.policy);
	assign_identifiers(&header);
	build_hash(&header);
	add_top(&header);
	add_types(&header);
	add_rows(&header);
	add_macros(&header);
	add_requirements(&header);
	add_lookup(&header);
	add_functions(&header);
	c_header_roles_add(&text, header.arena, header.policy);
	strbuf_add_text(&text, "#endif\n");
	artifact_take(emission, out, &backend_c_header, artifact_name(emission, ".h"), &text);
	arena_free(arena);
	return true;
}

const struct backend backend_c_header = {
	.name = "c-header",
	.summary = "NAME.h: the commands as a table of C and C++, with look-up",
	.by_default = true,
	.owns = c_header_owns,
	.list = c_header_list,
	.emit = c_header_emit,
};
