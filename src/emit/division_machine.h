/* emit/division_machine.h: how a processor divides integers, for emit/zero_checks.c. */
#ifndef CIRC_EMIT_DIVISION_MACHINE_H
#define CIRC_EMIT_DIVISION_MACHINE_H

#include <stddef.h>

/* Assembly, in LLVM's spelling of operands: 0 and 1 are quotient and remainder, 2 and 3 dividend and divisor. */
typedef struct DivisionRow {
	unsigned width;
	const char *signed_extend, *signed_divide, *unsigned_extend, *unsigned_divide;
	const char *end; /* behind the division; empty: nothing */
} DivisionRow;

typedef struct DivisionMachine {
	const DivisionRow *rows;
	size_t nrows;
	const char *constraints;
} DivisionMachine;

extern const DivisionMachine division_x86_64;

#endif
