/*
 * What a policy's filter is made of, and nothing else: policies with equal inputs have the same filter, so
 * that a run over many policies builds and proves it once.
 */
#ifndef ALLOWC_BACKENDS_FILTER_FILTER_INPUT_H
#define ALLOWC_BACKENDS_FILTER_FILTER_INPUT_H

struct seccomp;
struct strbuf;

/* Appends it as bytes that mean something in this run alone. */
void filter_input(const struct seccomp *seccomp, struct strbuf *out);

#endif
