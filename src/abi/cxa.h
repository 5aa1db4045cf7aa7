/* abi/cxa.h: calls of the Itanium C++ runtime: who they are, what they take, declaring them when first needed.
 *
 * Errors  a symbol of the module that stands in the way is reported once; from then on `ok` is false, and calls that
 *         cannot be made return NULL.
 */
#ifndef CIRC_ABI_CXA_H
#define CIRC_ABI_CXA_H

#include "abi/target.h"
#include "ir/build.h"

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
	IrModule *m;
	const AbiTarget *target;
	Diags *d;
	IrOp *functions[CXA_FN_COUNT]; /* NULL: not asked for yet */
	bool refused[CXA_FN_COUNT];
	Name *personality;
	bool ok;
} Cxa;

void cxa_init(Cxa *c, IrModule *m, const AbiTarget *target, Diags *d);

/* Pointers are cast to what the function's declaration wants. */
IrOp *cxa_call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs);
IrOp *cxa_try_call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs,
                   const IrSuccSpec edges[2]);

/* The personality routine, declared. */
Name *cxa_personality(Cxa *c);

/* Makes sure that a type-info symbol is there: an unknown _ZTI… is declared as clang declares it. False: reported. */
bool cxa_type_info(Cxa *c, Name *symbol, Loc loc);

/* Address of a global or function as !cir.ptr<!void>. */
IrValue *cxa_address(Cxa *c, IrBuilder *b, Name *symbol);

/* A bitcast between pointer types, or the value itself. */
IrValue *cxa_cast_ptr(IrBuilder *b, IrValue *v, IrType *to);

#endif
