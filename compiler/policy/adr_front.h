/*
 * Front matter: the YAML between `---` lines at the top of an ADR, read by libyaml. What YAML rejects,
 * or what exceeds the caps, is read line by line instead: `key: value` that begins a line.
 */
#ifndef ALLOWC_POLICY_ADR_FRONT_H
#define ALLOWC_POLICY_ADR_FRONT_H

#include "compiler/policy/adr_field.h"

/* libyaml takes quadratic time for deep nesting, and memory for every anchor. */
enum { ADR_FRONT_SIZE_MAX = 64 * 1024, ADR_FRONT_DEPTH_MAX = 32 };

/* Adds the fields of the top mapping in their order. null values are none. */
void adr_front_find(const struct adr_text *text, struct adr_fields *fields);

#endif
