/* eh/available.h: does the target have what the exceptions of a module need? Asked before a form is made of it, and before it is
 * explained.
 *
 *   needs   flat CIR
 *   errors  false: reported, at the op that needs what is missing */
#ifndef CIRC_EH_AVAILABLE_H
#define CIRC_EH_AVAILABLE_H

#include "base/diag.h"
#include "ir/module.h"
#include "target/target.h"

/* The first op that the form does not have; NULL: none. */
const IrOp *eh_first_to_lower(const IrRegion *body, Stage form);

/* For an op of circ's own runtime. */
bool eh_check_library(const AbiTarget *target, const IrOp *op, Diags *d);
/* For an op of a module whose exceptions need no tables (--eh=sjlj); of others nothing is asked. target: NULL: unknown. */
bool eh_check_model(const IrModule *m, const AbiTarget *target, const IrOp *op, Diags *d);
/* For all of a module. */
bool eh_check_available(const IrModule *m, const AbiTarget *target, Diags *d);

#endif
