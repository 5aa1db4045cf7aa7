/* call/ms_method_mark.h: which calls are of member functions, where something besides the call specifies it.
 *
 * Where classes are Microsoft's, these are calls through virtual tables, through pointers to member functions and through the
 * address of a member function, and the functions of other names whose addresses stand in virtual tables. Elsewhere members
 * are called as other functions are: both sides are circ's.
 */
#ifndef CIRC_CALL_MS_METHOD_MARK_H
#define CIRC_CALL_MS_METHOD_MARK_H

#include "ir/module.h"

/* needs    flat CIR for MSVC, in which virtual calls load their callee where they call it
 * changes  writes cir.ms.method where something besides it tells, and where a name does not
 * errors   false: reported: nothing tells, or what tells disagrees */
bool ms_mark_methods(IrModule *m, Diags *d);

/* Are the classes of the module Microsoft's? Those of C++ are. In an older text (call/guess), the names of its symbols
 * show it (call/guess/microsoft_class.c). */
bool ms_has_classes(const IrModule *m);

#endif
