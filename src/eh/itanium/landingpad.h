/* eh/itanium/landingpad.h: the landing-pad shape. Exception tokens become what a landing pad gives, a pointer and a
 * selector; dispatches become comparisons of the selector.
 *
 *   needs    a function of flat CIR and its plan; values and blocks known to `tables`
 *   gives    the function in the Itanium form
 *   changes  the function; the module gets the declarations that it needs
 *   cost     ops + operands + clauses written
 *   errors   false: reported; the module may then be only destroyed
 */
#ifndef CIRC_EH_ITANIUM_LANDINGPAD_H
#define CIRC_EH_ITANIUM_LANDINGPAD_H

#include "base/ptrmap.h"
#include "eh/cxa.h"
#include "eh/plan.h"

/* What stands for a token. */
typedef struct ExnPair {
	IrValue *exn;      /* !cir.ptr<!void> */
	IrValue *selector; /* !u32i */
} ExnPair;

typedef struct LandingPads {
	IrModule *m;
	const AbiTables *tables;
	Cxa *runtimes; /* by EhRuntime */
	Diags *d;
	Arena *mem; /* of one function */
	Cxa *cxa;   /* of its runtime */
	/* one function */
	IrOp *func;
	const AbiPlan *plan;
	ExnPair *pairs;           /* of each token, by vertex of the plan's flow */
	VEC(IrOp *) replaced;     /* ops that are to go at the end, when nothing uses them any more */
	IrBlock *terminate_block; /* a pad that ends in std::terminate, once one is needed */
	/* all functions */
	Arena *module_mem;     /* not `mem`, which is given back after each function */
	PtrMap inlined_thunks; /* catch-copy thunks whose bodies now stand elsewhere; key = value */
	bool ok;
} LandingPads;

bool landingpad_lower_func(LandingPads *l, IrOp *func, const AbiPlan *plan, Arena *mem);

/* pad_block.c */

ExnPair landingpad_pair(const LandingPads *l, const IrValue *token);
/* A pad of no clauses yet, at the place of b. */
IrOp *landingpad_build(LandingPads *l, IrBuilder *b);
/* Where a call that must not throw unwinds to; the block ends in __clang_call_terminate. */
IrBlock *landingpad_terminate_block(LandingPads *l, Loc loc);

/* catch_param.c */

/* May split the block behind op. */
void catch_param_construct(LandingPads *l, IrOp *op);
/* Erases the thunks that were inlined and that nothing refers to. */
void catch_param_erase_thunks(LandingPads *l);
bool catch_param_is_thunk(const IrOp *func);

#endif
