#include "compiler/data/breakage.h"

#include "compiler/data/breakage.inc"

const size_t breakage_table_size = sizeof breakage_table / sizeof *breakage_table;
