#include "compiler/data/gates.h"

#include "compiler/data/gates.inc"

const size_t gate_table_size = sizeof gate_table / sizeof *gate_table;
