#include "backends/oci_format.h"

#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"

bool oci_format_owns(const struct oci_format *format, const struct policy *policy, const char *path)
{
	for (enum oci_order order = 0; order < OCI_ORDER_COUNT; order++)
		if (artifact_is_named_for_role(policy, path, format->suffixes[order]))
			return true;
	return false;
}

void oci_format_list(const struct oci_format *format, const struct emission *emission, struct artifacts *out)
{
	for (enum oci_order order = 0; order < OCI_ORDER_COUNT; order++)
		if (oci_profile_wanted(emission->policy, order))
			artifact_add(emission, out, format->backend,
				     artifact_name(emission, format->suffixes[order]), "", 0);
}

bool oci_format_emit(const struct oci_format *format, const struct emission *emission, struct artifacts *out)
{
	for (enum oci_order order = 0; order < OCI_ORDER_COUNT; order++) {
		if (!oci_profile_wanted(emission->policy, order))
			continue;
		struct oci_profile profile =
			oci_profile_make(emission->compilation->arena, emission->policy, order, format->form);
		if (profile.unsayable) {
			oci_profile_report(emission->compilation, emission->policy, profile.unsayable);
			return false;
		}
		struct strbuf text = STRBUF_INIT;
		format->write(&text, emission, order, &profile);
		artifact_take(emission, out, format->backend,
			      artifact_name(emission, format->suffixes[order]), &text);
	}
	return true;
}
