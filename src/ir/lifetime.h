/* ir/lifetime.h: the lifetimes of variables that a jump goes around. */
#ifndef CIRC_IR_LIFETIME_H
#define CIRC_IR_LIFETIME_H

#include "ir/module.h"

/* Does the cleanup of a cir.cleanup.scope end lifetimes of cir.allocas, and nothing else? */
bool ir_only_ends_lifetimes(const IrOp *scope);

#endif
