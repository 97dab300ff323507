/*
 * NAME.bpf: the filter as struct sock_filter[], little-endian on every host. What `bwrap --seccomp FD` and
 * seccomp(2) take.
 */
#include "backends/backend.h"
#include "backends/filter/filter.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/policy.h"

static void add_little_endian(struct strbuf *out, uint32_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		strbuf_add_char(out, (char)(unsigned char)(value >> 8 * i));
}

static bool bpf_owns(const struct policy *policy, const char *path)
{
	return artifact_is_named(policy, path, ".bpf");
}

static void bpf_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_bpf, artifact_name(emission, ".bpf"), "", 0);
}

static bool bpf_emit(const struct emission *emission, struct artifacts *out)
{
	struct strbuf bytes = STRBUF_INIT;
	for (size_t i = 0; i < emission->filter->length; i++) {
		const struct instruction *item = &emission->filter->code[i];
		add_little_endian(&bytes, item->code, 2);
		add_little_endian(&bytes, item->jump_true, 1);
		add_little_endian(&bytes, item->jump_false, 1);
		add_little_endian(&bytes, item->constant, 4);
	}
	artifact_add(emission, out, &backend_bpf, artifact_name(emission, ".bpf"), bytes.bytes, bytes.size);
	strbuf_release(&bytes);
	return true;
}

const struct backend backend_bpf = {
	.name = "bpf",
	.summary = "NAME.bpf: the seccomp filter as bytes, for bwrap --seccomp and seccomp(2)",
	.by_default = true,
	.needs_filter = true,
	.owns = bpf_owns,
	.list = bpf_list,
	.emit = bpf_emit,
};
