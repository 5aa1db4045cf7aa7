/* ir/lifetime.h: the lifetimes of variables. */
#ifndef CIRC_IR_LIFETIME_H
#define CIRC_IR_LIFETIME_H

#include "ir/module.h"

/* Does the cleanup of a cir.cleanup.scope end lifetimes of cir.allocas, and nothing else? */
bool ir_only_ends_lifetimes(const IrOp *scope);

/* Erases the marks of a variable's lifetime: LLVM takes them of a stack slot alone, which another function, or rounding up, has not. */
void ir_forget_lifetime(const IrValue *variable);

#endif
