/*
 * What the forms of a profile for container engines have in common: a file for each byte order of the named
 * ABIs, and the error where a profile cannot say what the policy does.
 */
#ifndef ALLOWC_BACKENDS_OCI_FORMAT_H
#define ALLOWC_BACKENDS_OCI_FORMAT_H

#include <stdbool.h>

#include "backends/backend.h"
#include "backends/oci_profile.h"

struct oci_format {
	const struct backend *backend;
	const char *suffixes[OCI_ORDER_COUNT]; /* of its files' names */
	enum oci_default form;
	void (*write)(struct strbuf *out, const struct emission *emission, enum oci_order order,
		      const struct oci_profile *profile);
};

/* For the backend's `owns`, `list` and `emit`. */
bool oci_format_owns(const struct oci_format *format, const struct policy *policy, const char *path);
void oci_format_list(const struct oci_format *format, const struct emission *emission, struct artifacts *out);
bool oci_format_emit(const struct oci_format *format, const struct emission *emission, struct artifacts *out);

#endif
