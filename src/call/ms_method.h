/* call/ms_method.h: is a function, or what a call calls, a member function for the Microsoft C++ ABI?
 *
 * A member function returns every record by address, and takes that address after `this` ("x64 calling
 * convention", "Return values", at learn.microsoft.com; what comes first is as MSVC and clang have it). What is one,
 * each function and call specifies by itself:
 *
 * 	the Microsoft name of a function: ?area@Shape@@UEBA?AUSize@@XZ
 * 	cir.ms.method = true, or false, on a function or on a call through a pointer
 * 	cir.instance_method there, as a fork of clang of late 2026 writes it
 *
 * call/ms_method_mark.h writes the attribute where the module shows it otherwise.
 */
#ifndef CIRC_CALL_MS_METHOD_H
#define CIRC_CALL_MS_METHOD_H

#include "ir/module.h"
#include "msvc/symbol_callee.h"

/* op: a function or a call through a pointer. */
bool ms_is_method(const IrOp *op);

/* The type of such a function. */
IrType *ms_called_type(const IrOp *op);
/* Is the first parameter a pointer? */
bool ms_takes_this(const IrType *func);
/* An alias is called as what it stands for. */
const IrOp *ms_aliased(const IrOp *func);
/* What its name specifies. */
MsCallee ms_callee_of(const IrOp *func);

#endif
