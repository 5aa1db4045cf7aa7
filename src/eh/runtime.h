/* eh/runtime.h: calls of a run-time library's functions, declared when first needed.
 * What eh/cxa.c and eh/microsoft/runtime.c share.
 *
 * Errors  a symbol of the module that stands in the way is reported once; from then on `ok` is false, and
 *         calls that cannot be made return NULL.
 */
#ifndef CIRC_EH_RUNTIME_H
#define CIRC_EH_RUNTIME_H

#include "ir/libcall.h"
#include "target/target.h"

typedef struct Runtime {
	IrModule *m;
	const AbiTarget *target;
	Diags *d;
	const char *personality_routine;
	Name *personality; /* the same, once it was asked for */
	bool ok;
} Runtime;

/* A row of a table, and what became of it in one module. */
typedef struct RuntimeUse {
	IrOp *func; /* NULL: not asked for yet */
	bool refused;
} RuntimeUse;

/* The function, declared for the op at `user`; NULL: reported. */
IrOp *runtime_require(Runtime *r, const LibFn *fn, RuntimeUse *use, Loc user);

/* Pointers and integers are cast to what the function's declaration wants. edges: NULL, or
 * ^normal and ^unwind of a try_call. */
IrOp *runtime_call(Runtime *r, IrBuilder *b, const LibFn *fn, RuntimeUse *use, IrValue *const *args,
                   uint32_t nargs, const IrSuccSpec *edges);

/* The target's personality routine, declared. */
Name *runtime_personality(Runtime *r);

/* Address of a global or function as !cir.ptr<!void>. */
IrValue *runtime_address(IrBuilder *b, Name *symbol);

/* Gives the uses of `old` a value of the same pointer type; an unused one needs no cast. */
void runtime_replace_ptr(IrBuilder *b, IrValue *old, IrValue *by);

#endif
