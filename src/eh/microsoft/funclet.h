/* eh/microsoft/funclet.h: the funclet shape. Pads become catchswitch, catchpad and cleanuppad; the
 * edges between them what leaves a pad.
 *
 *   needs    a function of flat CIR and its plan, in which each block has one owner
 *   gives    the function in the Microsoft form
 *   changes  the function: blocks that cannot be reached are dropped; the module gets the
 *            declarations that it needs
 *   cost     ops + operands
 *   errors   false: reported; the module may then be only destroyed
 */
#ifndef CIRC_EH_MICROSOFT_FUNCLET_H
#define CIRC_EH_MICROSOFT_FUNCLET_H

#include "eh/cxa.h"
#include "eh/microsoft/funclet_plan.h"
#include "eh/microsoft/runtime.h"

typedef struct Funclets {
	IrModule *m;
	MsRuntime *rt;
	Cxa *circ;
	Diags *d;
	/* one function */
	Arena *mem;
	IrOp *func;
	bool is_circ; /* of circ's runtime: seh.c was here */
	const FuncletPlan *plan;
	VEC(IrOp *) replaced; /* ops that are to go at the end, when nothing uses them any more */
	bool has_pads;
} Funclets;

bool funclet_lower_func(Funclets *f, IrOp *func, const FuncletPlan *plan, Arena *mem);

/* funclet_pad.c: ops of the Microsoft form. */

IrOp *funclet_build_pad(Funclets *f, IrBuilder *b, OpKind kind, TypeKind type, const FuncletPad *parent,
                        const IrSuccSpec *succs, uint32_t nsuccs);

/* to: a pad; NULL: the caller. */
void funclet_build_cleanupret(IrBuilder *b, IrValue *from, const IrSuccSpec *to);

/* Where no value is ever looked at; in the block of a catchswitch there is no room for any. */
FuncletTarget funclet_target_without_values(Funclets *f, FuncletPad *pad);

/* funclet_throws.c: cleanups of circ's runtime that throw. */

/* Where what `op` throws goes: where the cleanup itself does, which has an exit. */
FuncletTarget funclet_thrown_by_cleanup(Funclets *f, const FuncletPad *pad, const IrOp *op);

/* Once the function has the Microsoft form. */
void funclet_watch_cleanups(Funclets *f);

/* funclet_handler.c: the catchpad of a handler, and what its begin_catch gives. */
void funclet_make_handler(Funclets *f, FuncletPad *pad);

#endif
