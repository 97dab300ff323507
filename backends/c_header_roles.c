/*
 * The roles in NAME.h. The rows that a role has of its own are few and asked before the table's: they stand
 * in an array, role after role and sorted within each, to be halved. No name that only this file uses begins
 * with NAME_role_: those belong to a policy that is called NAME-role.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/c_header.h"
#include "backends/identifier.h"
#include "backends/quote.h"
#include "backends/rows.h"
#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/policy.h"

struct roles {
	struct strbuf *out;
	struct arena *arena;
	const struct policy *policy;
	const char **identifiers;
	struct row_list rows;
};

static void add(struct roles *roles, const char *template)
{
	quote_c_template(roles->out, template, roles->policy->identifier);
}

static void add_names(struct roles *roles)
{
	struct strbuf *out = roles->out;
	add(roles, "/* Roles narrow the policy. X(IDENTIFIER, \"name\") for each, in policy order. */\n"
		   "enum @_role {\n");
	for (size_t i = 0; i < roles->policy->role_count; i++) {
		add(roles, "\t$_");
		quote_c_template(out, "$,\n", roles->identifiers[i]);
	}
	add(roles, "};\n"
		   "\n"
		   "#define $_ROLE_COUNT ");
	quote_number(out, roles->policy->role_count);
	add(roles, "\n"
		   "#define $_FOR_EACH_ROLE(X)");
	for (size_t i = 0; i < roles->policy->role_count; i++) {
		add(roles, " \\\n\tX($_");
		quote_c_template(out, "$, ", roles->identifiers[i]);
		quote_c(out, roles->policy->roles[i]->name);
		strbuf_add_text(out, ")");
	}
	strbuf_add_text(out, "\n\n");
}

/* X(ROLE, …) for each of one role; how many. */
static size_t add_requirements_of(struct roles *roles, size_t role)
{
	const struct block *block = roles->policy->roles[role];
	size_t count = 0;
	for (size_t i = 0; i < block->row_count; i++)
		for (size_t k = 0; k < row_more(block->rows[i])->requirement_count; k++, count++) {
			add(roles, " \\\n\tX($_");
			quote_c_template(roles->out, "$, ", roles->identifiers[role]);
			c_header_requirement_add(roles->out, block->rows[i],
						 &row_more(block->rows[i])->requirements[k]);
		}
	return count;
}

static void add_requirements(struct roles *roles)
{
	size_t count = 0;
	add(roles,
	    "/*\n"
	    " * X(ROLE, \"command\", \"needed\", \"relation\", \"version\") for what the rows of a role\n"
	    " * require beside those of the policy, role by role.\n"
	    " */\n"
	    "#define $_FOR_EACH_REQUIREMENT_BY_ROLE(X)");
	for (size_t i = 0; i < roles->policy->role_count; i++)
		count += add_requirements_of(roles, i);
	add(roles, "\n"
		   "#define $_REQUIREMENT_BY_ROLE_COUNT ");
	quote_number(roles->out, count);
	strbuf_add_text(roles->out, "\n\n");
}

static int by_command(const void *left, const void *right)
{
	const struct row *const *a = left, *const *b = right;
	return strcmp((*a)->subject, (*b)->subject);
}

static void add_begins(struct roles *roles, const size_t *begins)
{
	add(roles, "/* Where the rows of each role begin; those of the last end with the array. */\n"
		   "static const unsigned @_begins_in_roles[$_ROLE_COUNT + 1] $_UNUSED = {");
	for (size_t i = 0; i <= roles->policy->role_count; i++) {
		strbuf_add_text(roles->out, i % 16 ? " " : "\n\t");
		quote_number(roles->out, begins[i]);
		strbuf_add_text(roles->out, ",");
	}
	strbuf_add_text(roles->out, "\n};\n\n");
}

static void add_rows(struct roles *roles)
{
	const struct policy *policy = roles->policy;
	size_t *begins = arena_array(roles->arena, policy->role_count + 1, sizeof *begins), at = 0;
	add(roles, "/* The rows that roles have of their own, those of each role sorted by command");
	add(roles, roles->rows.count ? ". */\n" : ": none. The one element is not a row. */\n");
	add(roles, "static const struct @_row @_rows_in_roles[] $_UNUSED = {\n");
	for (size_t i = 0; i < policy->role_count; i++) {
		begins[i] = at;
		while (at < roles->rows.count && roles->rows.items[at]->block == policy->roles[i])
			at++;
		qsort(roles->rows.items + begins[i], at - begins[i], sizeof *roles->rows.items, by_command);
	}
	begins[policy->role_count] = at;
	for (size_t i = 0; i < roles->rows.count; i++)
		c_header_row_add(roles->out, roles->arena, policy, roles->rows.items[i]);
	add(roles, roles->rows.count ? "};\n\n" : "\t{ \"\", \"\", \"\", \"\", $_UNLISTED, 0 },\n};\n\n");
	add_begins(roles, begins);
}

static void add_lookup(struct roles *roles)
{
	add(roles,
	    "/* The role's own row with exactly these `length` bytes, or NULL. */\n"
	    "static inline $_UNUSED const struct @_row *@_lookup_in(enum @_role role, const char *text,\n"
	    "\t\t\t\t\t\t     size_t length)\n"
	    "{\n"
	    "\tunsigned low = @_begins_in_roles[role], high = @_begins_in_roles[(unsigned)role + 1], middle;\n"
	    "\tconst struct @_row *row;\n"
	    "\tint order;\n"
	    "\twhile (low < high) {\n"
	    "\t\tmiddle = low + (high - low) / 2;\n"
	    "\t\trow = &@_rows_in_roles[middle];\n"
	    "\t\torder = memcmp(text, row->command, length < row->length ? length : row->length);\n"
	    "\t\tif (order == 0 && length == row->length)\n"
	    "\t\t\treturn row;\n"
	    "\t\tif (order < 0 || (order == 0 && length < row->length))\n"
	    "\t\t\thigh = middle;\n"
	    "\t\telse\n"
	    "\t\t\tlow = middle + 1;\n"
	    "\t}\n"
	    "\treturn NULL;\n"
	    "}\n\n");
}

static void add_match(struct roles *roles)
{
	add(roles,
	    "/*\n"
	    " * The row that decides argv for the role: the longest of its own that argv starts with, where\n"
	    " * that one forbids, else what @_match() finds. NULL where there is none, or no such role.\n"
	    " */\n"
	    "static inline $_UNUSED const struct @_row *@_match_in(enum @_role role,\n"
	    "\t\t\t\t\t\t\t    const char *const argv[])\n"
	    "{\n"
	    "\tconst struct @_row *longest = NULL, *row;\n"
	    "\tchar command[");
	quote_number(roles->out, roles->rows.longest + 2);
	add(roles,
	    "]; /* the longest row, a blank, NUL */\n"
	    "\tsize_t length = 0, more;\n"
	    "\tint word;\n"
	    "\tif ((unsigned)role >= $_ROLE_COUNT)\n"
	    "\t\treturn NULL;\n"
	    "\tfor (word = 0; argv[word] != NULL; word++) {\n"
	    "\t\tif (word > 0)\n"
	    "\t\t\tcommand[length++] = ' ';\n"
	    "\t\tmore = @_measure(argv[word]);\n"
	    "\t\tif (more == 0 || more >= sizeof command - length || memchr(argv[word], ' ', more) != NULL)\n"
	    "\t\t\tbreak;\n"
	    "\t\tmemcpy(command + length, argv[word], more);\n"
	    "\t\tlength += more;\n"
	    "\t\trow = @_lookup_in(role, command, length);\n"
	    "\t\tif (row != NULL)\n"
	    "\t\t\tlongest = row;\n"
	    "\t\tif (length + 1 >= sizeof command)\n"
	    "\t\t\tbreak;\n"
	    "\t}\n"
	    "\tif (longest != NULL && longest->verdict == $_FORBIDDEN)\n"
	    "\t\treturn longest;\n"
	    "\treturn @_match(argv);\n"
	    "}\n\n");
}

static void add_allowed(struct roles *roles)
{
	add(roles,
	    "/*\n"
	    " * 1 where the role may run the command of exactly these words, else 0. What the role forbids,\n"
	    " * it forbids with whatever words follow.\n"
	    " */\n"
	    "static inline $_UNUSED int @_allowed_in(enum @_role role, const char *command)\n"
	    "{\n"
	    "\tconst struct @_row *longest = NULL, *row;\n"
	    "\tsize_t length;\n"
	    "\tif ((unsigned)role >= $_ROLE_COUNT)\n"
	    "\t\treturn 0;\n"
	    "\tfor (length = 1; length <= ");
	quote_number(roles->out, roles->rows.longest);
	add(roles, " && command[length - 1] != '\\0'; length++) {\n"
		   "\t\tif (command[length] != ' ' && command[length] != '\\0')\n"
		   "\t\t\tcontinue;\n"
		   "\t\trow = @_lookup_in(role, command, length);\n"
		   "\t\tif (row != NULL)\n"
		   "\t\t\tlongest = row;\n"
		   "\t}\n"
		   "\tif (longest == NULL)\n"
		   "\t\treturn @_allowed(command);\n"
		   "\tif (longest->verdict == $_FORBIDDEN)\n"
		   "\t\treturn 0;\n"
		   "\treturn command[longest->length] == '\\0' || @_allowed(command);\n"
		   "}\n\n");
}

void c_header_roles_add(struct strbuf *out, struct arena *arena, const struct policy *policy)
{
	if (!policy->role_count)
		return;
	struct roles roles = { .out = out, .arena = arena, .policy = policy };
	roles.identifiers = role_identifiers(arena, policy);
	roles.rows = role_commands(arena, policy);
	add_names(&roles);
	add_requirements(&roles);
	add_rows(&roles);
	add_lookup(&roles);
	add_match(&roles);
	add_allowed(&roles);
}
