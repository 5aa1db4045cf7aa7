/* ir/returns_twice.h: setjmp and its kin. */
#ifndef CIRC_IR_RETURNS_TWICE_H
#define CIRC_IR_RETURNS_TWICE_H

#include "ir/module.h"

/* Functions of libraries that return again when longjmp and the like are called, most of which clang knows. */
bool ir_is_setjmp(Str name);

/* May the op be left by a second return? */
bool ir_returns_twice(const IrOp *op);

#endif
