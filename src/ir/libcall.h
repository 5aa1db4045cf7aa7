/* ir/libcall.h: functions of run-time libraries, declared when first needed, and calls of them.
 *
 * A declaration that the module has already is used, if it passes the same things the same way: arguments are cast
 * to what it wants, and it gets the flags of the row. What stands in the way is reported.
 */
#ifndef CIRC_IR_LIBCALL_H
#define CIRC_IR_LIBCALL_H

#include "ir/build.h"

enum { LIBFN_PARAMS_MAX = 5 };

/* Types by letter: v void, p !cir.ptr<!void>, b !cir.ptr<!u8i>, i !s32i, l std::ptrdiff_t, z std::size_t. */
typedef struct LibFn {
	const char *name;
	const char *type; /* the result, then the parameters */
	bool nothrow, noreturn;
	const char *what;   /* for messages: "function of the C++ runtime" */
	bool result_unused; /* a declaration without a result will do */
} LibFn;

/* The function, declared for the op at `user`. NULL: reported. */
IrOp *libfn_require(IrModule *m, const LibFn *fn, Loc user, Diags *d);

/* A call, or with edges a cir.try_call. NULL: reported. */
IrOp *libfn_call(IrBuilder *b, const LibFn *fn, IrValue *const *args, uint32_t nargs, Diags *d);
IrOp *libfn_build_call(IrBuilder *b, IrOp *func, IrValue *const *args, uint32_t nargs,
                       const IrSuccSpec *edges);

#endif
