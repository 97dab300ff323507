/*
 * NAME.bpf and NAME.audit.bpf: the filter as struct sock_filter[], little-endian on every host. What `bwrap
 * --seccomp FD` and seccomp(2) take.
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

static bool bpf_audit_owns(const struct policy *policy, const char *path)
{
	return artifact_is_named(policy, path, ".audit.bpf");
}

static void bpf_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_bpf, artifact_name(emission, ".bpf"), "", 0);
}

static void bpf_audit_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_bpf_audit, artifact_name(emission, ".audit.bpf"), "", 0);
}

static void bpf_write(const struct emission *emission, struct artifacts *out, const struct backend *backend,
		      const char *path)
{
	struct strbuf bytes = STRBUF_INIT;
	for (size_t i = 0; i < emission->filter->length; i++) {
		const struct instruction *item = &emission->filter->code[i];
		add_little_endian(&bytes, item->code, 2);
		add_little_endian(&bytes, item->jump_true, 1);
		add_little_endian(&bytes, item->jump_false, 1);
		add_little_endian(&bytes, item->constant, 4);
	}
	artifact_add(emission, out, backend, path, bytes.bytes, bytes.size);
	strbuf_release(&bytes);
}

static bool bpf_emit(const struct emission *emission, struct artifacts *out)
{
	bpf_write(emission, out, &backend_bpf, artifact_name(emission, ".bpf"));
	return true;
}

static bool bpf_audit_emit(const struct emission *emission, struct artifacts *out)
{
	bpf_write(emission, out, &backend_bpf_audit, artifact_name(emission, ".audit.bpf"));
	return true;
}

const struct backend backend_bpf = {
	.name = "bpf",
	.summary = "NAME.bpf: the seccomp filter as bytes, for bwrap --seccomp and seccomp(2)",
	.by_default = true,
	.needs_filter = true,
	.audit = &backend_bpf_audit,
	.owns = bpf_owns,
	.list = bpf_list,
	.emit = bpf_emit,
};

const struct backend backend_bpf_audit = {
	.name = "bpf --audit",
	.summary = "NAME.audit.bpf: the same with every refusal logged instead",
	.needs_filter = true,
	.audits = true,
	.owns = bpf_audit_owns,
	.list = bpf_audit_list,
	.emit = bpf_audit_emit,
};
