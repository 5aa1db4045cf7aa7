/* ir/raise.h: what a circ.check calls that fails. */
#ifndef CIRC_IR_RAISE_H
#define CIRC_IR_RAISE_H

#include "ir/module.h"

enum { CHECK_KINDS = CHECK_STORE + 1 };

/* The language's own function for checks of a kind, by the module's `circ.raise`; NULL: it names none. */
IrOp *ir_module_raise(const IrModule *m, unsigned kind);

#endif
