/* call/external_function.h: which functions may be called from outside of the module, or may call it. */
#ifndef CIRC_CALL_EXTERNAL_FUNCTION_H
#define CIRC_CALL_EXTERNAL_FUNCTION_H

#include "base/ptrmap.h"
#include "ir/module.h"

typedef struct AbiOutside {
	PtrMap taken; /* Names of functions whose address is taken */
} AbiOutside;

/* In the module's scratch arena. Cost: one walk over the module. */
void abi_outside_init(AbiOutside *o, IrModule *m);
/* Not where only direct calls of the module itself reach it. */
bool abi_is_outside(const AbiOutside *o, const IrOp *func);

#endif
