/* eh/exception_type.h: what becomes of circ.exception_type: in functions of C++ a type info, in those of circ's runtime a CircExceptionType.
 *
 *   needs    flat CIR that passed ir_verify
 *   gives    the same without circ.exception_type
 *   changes  the types; the throws and handlers of C++ functions that name them
 *   cost     ops
 */
#ifndef CIRC_EH_EXCEPTION_TYPE_H
#define CIRC_EH_EXCEPTION_TYPE_H

#include "ir/module.h"

void exception_types_lower(IrModule *m);

#endif
