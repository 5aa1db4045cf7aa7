/* eh/microsoft/runtime.h: the Microsoft C++ runtime: its functions, and the ops of flat CIR that are calls of them,
 * whatever the shape of unwinding. The counterpart of cxa.h and cxa_op.h. Errors are those of runtime.h.
 *
 * Where the Itanium runtime keeps exceptions on its heap, this one leaves them where the thrower
 * made them, in its frame, until the handler ends: cir.alloc.exception is a slot of the
 * function, and freeing it is nothing.
 */
#ifndef CIRC_EH_MICROSOFT_RUNTIME_H
#define CIRC_EH_MICROSOFT_RUNTIME_H

#include "eh/runtime.h"
#include "msvc/type_identity.h"

typedef enum MsFn {
	MS_THROW,     /* _CxxThrowException(object, ThrowInfo); both null: the current exception again */
	MS_TERMINATE, /* __std_terminate() */
	MS_CURRENT, /* __current_exception(): where the thread keeps the address of the EXCEPTION_RECORD of the handler that it is in */
	MS_FN_COUNT
} MsFn;

typedef struct MsRuntime {
	Runtime rt;
	RuntimeUse uses[MS_FN_COUNT];
	MsTypes types;
} MsRuntime;

void ms_runtime_init(MsRuntime *r, IrModule *m, const AbiTarget *target, Diags *d);

/* cir.throw (edges NULL) and cir.try_throw: builds what stands for `op` in front of it; op itself stays. */
void ms_lower_throw(MsRuntime *r, IrOp *op, const IrSuccSpec *edges);
/* Gives the result's uses a slot in the entry block of `func`. */
void ms_lower_alloc_exception(MsRuntime *r, IrOp *func, IrOp *op);
/* The object of the handler that the code is in, as it was thrown. */
IrValue *ms_current_object(MsRuntime *r, IrBuilder *b);
/* std::terminate(), and unreachable. */
void ms_end_in_terminate(MsRuntime *r, IrBuilder *b);

#endif
