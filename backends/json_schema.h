/*
 * The version of NAME.json, which packaging/schema/policy.schema.json describes: what writes it and what
 * reads it again (compiler/diff/saved.h) have it from here; packaging/gen/allowc-gen-typescript has it too.
 *
 * 1: decisions, rows, roles, plugins, the filter. 2: and authorities, expectations, the hash of each ADR, the
 * places and manifests of plugins: all that a comparison needs.
 */
#ifndef ALLOWC_BACKENDS_JSON_SCHEMA_H
#define ALLOWC_BACKENDS_JSON_SCHEMA_H

enum { POLICY_SCHEMA = 2 };

#endif
