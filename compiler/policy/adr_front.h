/*
 * Front matter: the YAML between `---` lines at the top of an ADR, read by libyaml. What YAML rejects,
 * or what exceeds the limits (limits.h), is read line by line instead: `key: value` that begins a line.
 */
#ifndef ALLOWC_POLICY_ADR_FRONT_H
#define ALLOWC_POLICY_ADR_FRONT_H

#include "compiler/policy/adr_field.h"

/* Adds the fields of the top mapping in their order. null values are none. */
void adr_front_find(const struct adr_text *text, struct adr_fields *fields);

#endif
