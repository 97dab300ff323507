/*
 * Whether the filter of a role narrows that of the layers: whatever the call, it gets no more than it does
 * there. Both filters do what their policies say (proof.h), so the policies are asked, at every number where
 * one of them changes its mind and with the arguments that the proof runs with; where both have the same
 * rules for a call, its arguments are left out (oracles_agree).
 */
#ifndef ALLOWC_BACKENDS_FILTER_NARROWER_H
#define ALLOWC_BACKENDS_FILTER_NARROWER_H

#include <stdbool.h>

struct compilation;
struct policy;

/* `role` is a view (backends/role_view.h) of `layers`. False where it does not: an internal error was
 * reported. */
bool narrower_prove(struct compilation *compilation, const struct policy *layers, const struct policy *role);

#endif
