/* ir/thunk.h: thunks, the functions of virtual tables that adjust an object's address, or the result, of another one
 * (Itanium C++ ABI, 2.5.2 and 5.1.4.4). */
#ifndef CIRC_IR_THUNK_H
#define CIRC_IR_THUNK_H

#include "ir/module.h"

/* As its name tells. */
bool ir_is_thunk(const IrOp *func);
/* Clang printed thunks that return records without the return until May of 2026: behind the store of the callee's
 * result came what ends a function that has no more to say. The store in such a thunk; NULL: func is none. */
IrOp *ir_unreturned_result(const IrOp *func);

#endif
