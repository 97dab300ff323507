/*
 * The filter as struct sock_filter[], which `bwrap --seccomp FD` and seccomp(2) take: in NAME.bpf for the
 * little-endian ABIs and in NAME.be.bpf for the big-endian ones, whatever the host is. NAME.audit.bpf and
 * NAME.audit.be.bpf are those of an audit.
 */
#include "backends/backend.h"
#include "backends/filter/filter.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/policy.h"

static const char *suffix_of(bool audit, bool big_endian)
{
	static const char *const suffixes[2][2] = { { ".bpf", ".be.bpf" },
						    { ".audit.bpf", ".audit.be.bpf" } };
	return suffixes[audit][big_endian];
}

static void add_value(struct strbuf *out, uint32_t value, unsigned bytes, bool big_endian)
{
	for (unsigned i = 0; i < bytes; i++) {
		unsigned place = big_endian ? bytes - 1 - i : i;
		strbuf_add_char(out, (char)(unsigned char)(value >> 8 * place));
	}
}

static void add_program(struct strbuf *out, const struct filter *filter)
{
	for (size_t i = 0; i < filter->length; i++) {
		const struct instruction *item = &filter->code[i];
		add_value(out, item->code, 2, filter->big_endian);
		add_value(out, item->jump_true, 1, filter->big_endian);
		add_value(out, item->jump_false, 1, filter->big_endian);
		add_value(out, item->constant, 4, filter->big_endian);
	}
}

static bool is_named(const struct policy *policy, const char *path, bool audit)
{
	return artifact_is_named_for_role(policy, path, suffix_of(audit, false)) ||
	       artifact_is_named_for_role(policy, path, suffix_of(audit, true));
}

static bool bpf_owns(const struct policy *policy, const char *path)
{
	return is_named(policy, path, false);
}

static bool bpf_audit_owns(const struct policy *policy, const char *path)
{
	return is_named(policy, path, true);
}

static void list(const struct emission *emission, struct artifacts *out, const struct backend *backend)
{
	for (int big_endian = 0; big_endian <= 1; big_endian++)
		if (filter_abis(emission->policy, big_endian == 1))
			artifact_add(emission, out, backend,
				     artifact_name(emission, suffix_of(backend->audits, big_endian == 1)), "",
				     0);
}

static void bpf_list(const struct emission *emission, struct artifacts *out)
{
	list(emission, out, &backend_bpf);
}

static void bpf_audit_list(const struct emission *emission, struct artifacts *out)
{
	list(emission, out, &backend_bpf_audit);
}

static bool emit(const struct emission *emission, struct artifacts *out, const struct backend *backend)
{
	for (const struct filter *filter = emission->filter; filter; filter = filter->next) {
		struct strbuf bytes = STRBUF_INIT;
		add_program(&bytes, filter);
		artifact_take(emission, out, backend,
			      artifact_name(emission, suffix_of(backend->audits, filter->big_endian)),
			      &bytes);
	}
	return true;
}

static bool bpf_emit(const struct emission *emission, struct artifacts *out)
{
	return emit(emission, out, &backend_bpf);
}

static bool bpf_audit_emit(const struct emission *emission, struct artifacts *out)
{
	return emit(emission, out, &backend_bpf_audit);
}

const struct backend backend_bpf = {
	.name = "bpf",
	.summary =
		"NAME.bpf: the seccomp filter as bytes, for bwrap --seccomp; NAME.be.bpf for big-endian ABIs; "
		"NAME.ROLE.bpf for a role that denies more",
	.by_default = true,
	.needs_filter = true,
	.role_files = ROLE_FILES_FILTER,
	.audit = &backend_bpf_audit,
	.owns = bpf_owns,
	.list = bpf_list,
	.emit = bpf_emit,
};

const struct backend backend_bpf_audit = {
	.name = "bpf --audit",
	.summary = "NAME.audit.bpf: the same with every refusal logged instead",
	.needs_filter = true,
	.role_files = ROLE_FILES_FILTER,
	.audits = true,
	.owns = bpf_audit_owns,
	.list = bpf_audit_list,
	.emit = bpf_audit_emit,
};
