/*
 * What the parts of NAME.h share: c_header.c has the rows of the layers and the hash, c_header_roles.c those
 * of roles.
 */
#ifndef ALLOWC_BACKENDS_C_HEADER_H
#define ALLOWC_BACKENDS_C_HEADER_H

#include <stddef.h>

struct arena;
struct policy;
struct requirement;
struct row;
struct strbuf;

/* Where in the text "command", "adr", "reason" of a row stand, as its macro has them too. */
struct c_header_texts {
	size_t begin, size;
};

/* One row as an element of an array of struct NAME_row, on a line. */
struct c_header_texts c_header_row_add(struct strbuf *out, struct arena *arena, const struct policy *policy,
				       const struct row *row);

/* The last arguments of an X(…): "command", "needed", "relation", "version", and the parenthesis. */
void c_header_requirement_add(struct strbuf *out, const struct row *row,
			      const struct requirement *requirement);

/* The roles, their rows and what asks them; nothing where the policy has none. */
void c_header_roles_add(struct strbuf *out, struct arena *arena, const struct policy *policy);

#endif
