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

/* funclet_handler.c: the catchpad of a handler, and what its begin_catch gives. */
void funclet_make_handler(Funclets *f, FuncletPad *pad);

#endif
