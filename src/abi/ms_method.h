/* abi/ms_method.h: calls of member functions in the sense of the Microsoft C++ ABI.
 *
 * A member function returns every record by address, and takes that address behind `this` ("x64 calling
 * convention", "Return values", at learn.microsoft.com; what comes first is as MSVC and clang have it). Which
 * functions and calls are of members is told by
 *
 * 	the Microsoft name of a function: ?area@Shape@@UEBA?AUSize@@XZ
 * 	cir.ms.method = true, or false, on a function or on a call through a pointer
 * 	cir.instance_method there, as a fork of clang of late 2026 writes it
 * 	where classes are Microsoft's (docs/windows.md, "Member functions", says when): calls through virtual tables,
 * 	pointers to member functions and the address of one, and the functions of other names whose addresses stand there
 *
 * Elsewhere members are called as other functions are: both sides are circ's.
 */
#ifndef CIRC_ABI_MS_METHOD_H
#define CIRC_ABI_MS_METHOD_H

#include "ir/module.h"

/* needs    flat CIR for MSVC, in which virtual calls load their callee where they call it
 * changes  writes cir.ms.method where something besides it tells, and where a name does not
 * errors   false: reported: nothing tells, or what tells disagrees */
bool ms_mark_methods(IrModule *m, Diags *d);

/* Are the classes of the module Microsoft's? What clang prints for C++ and this target without a name that tells, is. */
bool ms_has_classes(const IrModule *m);

/* func: a function or a call through a pointer. */
bool ms_is_method(const IrOp *func);

#endif
