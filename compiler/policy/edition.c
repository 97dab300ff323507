#include "compiler/policy/edition.h"

#include <string.h>

#include "compiler/base/diag.h"
#include "compiler/policy/ast.h"

bool edition_check(struct diags *diags, const struct ast_word *name)
{
	if (strcmp(name->text, "1") == 0)
		return true;
	struct diagnostic *d = diag_report(diags, DIAG_EDITION, name->span,
					   "edition '%s' is not known to this allowc", name->text);
	diag_help(d, "it knows edition 1; a policy without the line has that one for ever");
	return false;
}
