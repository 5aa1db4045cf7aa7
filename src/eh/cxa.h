/* eh/cxa.h: calls of the runtime that an exception is of, the Itanium C++ ABI's or circ's, which has the same protocol: who
 * they are, what they take. Errors are those of runtime.h.
 */
#ifndef CIRC_EH_CXA_H
#define CIRC_EH_CXA_H

#include "eh/runtime.h"
#include "ir/eh_runtime.h"

typedef enum CxaFn {
	CXA_BEGIN_CATCH,
	CXA_END_CATCH,
	CXA_GET_EXCEPTION_PTR,
	CXA_ALLOCATE_EXCEPTION,
	CXA_FREE_EXCEPTION,
	CXA_THROW,
	CXA_RETHROW,
	CXA_CALL_UNEXPECTED,
	CXA_TERMINATE,          /* std::terminate() */
	CXA_CALL_TERMINATE,     /* __clang_call_terminate(exception): defined in the module, as clang does */
	CXA_GET_GLOBALS,        /* what the C++ runtime holds: the exceptions caught, the newest first */
	CXA_BEGIN_FINALLY,      /* C++'s alone, defined in the module: a catch of a finally */
	CXA_END_FINALLY,        /* the same */
	CXA_THROW_CONTINUABLE,  /* circ's alone: a throw that a filter may let go on */
	CXA_DROP,               /* circ's alone: an exception that another one replaced */
	CXA_RECORD,             /* circ's alone: what filters and handlers see of an exception */
	CXA_SEH_MATCH,          /* circ's alone, on windows-msvc: does a clause take what the system shows? */
	CXA_SEH_LANDED,         /* the same: what a handler was left */
	CXA_SEH_CLEANUP_ENDS,   /* the same: what was thrown in the cleanup is over */
	CXA_SEH_BEHIND_CLEANUP, /* the same: has an exception left a cleanup? */
	CXA_FN_COUNT
} CxaFn;

typedef struct Cxa {
	Runtime rt;
	EhRuntime runtime;
	bool sjlj;         /* without tables: C++ throws by libcircrt, too */
	const LibFn *rows; /* by CxaFn; no name: the runtime has no such function */
	RuntimeUse uses[CXA_FN_COUNT];
} Cxa;

void cxa_init(Cxa *c, EhRuntime runtime, IrModule *m, const AbiTarget *target, Diags *d);

/* Pointers are cast to what the function's declaration wants. */
IrOp *cxa_call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs);
IrOp *cxa_try_call(Cxa *c, IrBuilder *b, CxaFn fn, IrValue *const *args, uint32_t nargs,
                   const IrSuccSpec edges[2]);

/* What the tables have for a type that is thrown or caught, or for the filter of a `when`: the type info itself, of which an unknown
 * _ZTI… is declared as clang declares it, and for circ's runtime a clause (eh/clause_data.h). NULL: reported. */
Name *cxa_clause(Cxa *c, Name *symbol, Loc loc);
/* The same for a catch-all. NULL: C++ has none. */
Name *cxa_clause_all(Cxa *c, Loc loc);

#endif
