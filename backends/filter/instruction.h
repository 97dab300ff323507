/*
 * One classic BPF instruction, the layout of struct sock_filter (linux/filter.h). The only thing that
 * the generator and the interpreter share.
 */
#ifndef ALLOWC_BACKENDS_FILTER_INSTRUCTION_H
#define ALLOWC_BACKENDS_FILTER_INSTRUCTION_H

#include <stdint.h>

struct instruction {
	uint16_t code;
	uint8_t jump_true, jump_false;
	uint32_t constant;
};

#endif
