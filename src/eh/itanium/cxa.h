/* eh/itanium/cxa.h: calls of the Itanium C++ runtime: who they are, what they take. Errors are those of runtime.h.
 */
#ifndef CIRC_EH_ITANIUM_CXA_H
#define CIRC_EH_ITANIUM_CXA_H

#include "eh/runtime.h"

typedef enum CxaFn {
	CXA_BEGIN_CATCH,
	CXA_END_CATCH,
	CXA_GET_EXCEPTION_PTR,
	CXA_ALLOCATE_EXCEPTION,
	CXA_FREE_EXCEPTION,
	CXA_THROW,
	CXA_RETHROW,
	CXA_CALL_UNEXPECTED,
	CXA_TERMINATE,      /* std::terminate() */
	CXA_CALL_TERMINATE, /* __clang_call_terminate(exception): defined in the module, as clang does */
	CXA_FN_COUNT
} CxaFn;

typedef struct Cxa {
	Runtime rt;
	RuntimeUse uses[CXA_FN_COUNT];
} Cxa;

void cxa_init(Cxa *c, IrModule *m, const AbiTarget *target, Diags *d);

/* Pointers are cast to what the function's declaration wants. */
IrOp *cxa_call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs);
IrOp *cxa_try_call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs,
                   const IrSuccSpec edges[2]);

/* Makes sure that a type-info symbol is there: an unknown _ZTI… is declared as clang
 * declares it. False: reported. */
bool cxa_type_info(Cxa *c, Name *symbol, Loc loc);

#endif
