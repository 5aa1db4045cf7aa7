/* eh/cxa_op.h: the ops of flat CIR that are calls of the Itanium C++ runtime, whatever
 * the shape of unwinding.
 *
 * Each cxa_lower_ function builds what stands for `op` in front of it and gives its results the
 * uses of op's; op itself stays, for the caller to erase. exn: the exception as the unwinder gives
 * it (a pointer to its _Unwind_Exception).
 * Errors  are reported and clear Cxa.ok.
 */
#ifndef CIRC_EH_CXA_OP_H
#define CIRC_EH_CXA_OP_H

#include "eh/cxa.h"

/* cir.throw (edges NULL) and cir.try_throw. */
void cxa_lower_throw(Cxa *c, IrOp *op, const IrSuccSpec *edges);
void cxa_lower_alloc_exception(Cxa *c, IrOp *op);
void cxa_lower_free_exception(Cxa *c, IrOp *op);
/* The ends of a finally's catch come first: they use its second result. */
void cxa_lower_begin_catch(Cxa *c, IrOp *op, IrValue *exn);
void cxa_lower_end_catch(Cxa *c, IrOp *op);
/* circ.exception and circ.eh.drop, of circ's runtime. */
void cxa_lower_exception(Cxa *c, IrOp *op, IrValue *exn);
void cxa_lower_drop(Cxa *c, IrOp *op, IrValue *exn);
/* cir.construct_catch_param of kind reference. */
void cxa_lower_reference_param(Cxa *c, IrOp *op, IrValue *exn);

/* The call that stands for eh.terminate or eh.unexpected, and unreachable. */
void cxa_end_in_terminate(Cxa *c, IrBuilder *b, IrValue *exn);
void cxa_end_in_unexpected(Cxa *c, IrBuilder *b, IrValue *exn);

#endif
