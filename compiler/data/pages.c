#include "compiler/data/pages.h"

#include <assert.h>

#include "compiler/data/pages.inc"

const struct page *page_of(enum diag_id id)
{
	assert(id < DIAG_COUNT && pages[id].meaning);
	return &pages[id];
}
