/* eh/microsoft/funclet_plan.h: the pads of one function, and the pad that owns each block, as the
 * Microsoft tables will know them.
 *
 *   needs    flat CIR that passed ir_verify at STAGE_FLAT and then funclet_prepare.c and outline.c
 *   gives    a tree of pads; an owner for each block that can be reached; one exit for each pad
 *   changes  nothing
 *   cost     edges, times the owners that one block has (most have one)
 *   errors   false: reported, and *out is not to be used
 *
 * Flat CIR says what happens to an exception as a path: unwinding enters a block (cir.eh.initiate), the path
 * runs cleanups, asks dispatches, ends catches, and resumes or is taken by a handler. The tables know no
 * paths. They know pads, each entered by the runtime alone and left at one exit, and what a pad is nested in:
 *
 *   - code is *outside*, or inside of a *handler* (from begin_catch to end_catch), or runs while an exception is *in flight*;
 *   - what runs in flight is cut into pads where a cleanup begins, a dispatch or a terminate stands, or a catch ends, because
 *     these are places that several paths lead to and that the runtime enters by itself;
 *   - the parent of a pad is the handler that is open where the pad begins;
 *   - a piece in flight that does nothing (it only forwards, or only ends a catch) is no pad: edges into it go on to its exit;
 *   - terminates inside of the same handler are one pad, or what can reach two of them would have two exits.
 *
 * LLVM's name for the owner is the colour of the block ("Exception Handling in LLVM", Funclet transitions).
 */
#ifndef CIRC_EH_MICROSOFT_FUNCLET_PLAN_H
#define CIRC_EH_MICROSOFT_FUNCLET_PLAN_H

#include "base/ptrmap.h"
#include "base/vec.h"
#include "ir/module.h"

typedef enum FuncletKind {
	FUNCLET_CLEANUP,
	FUNCLET_DISPATCH,
	FUNCLET_HANDLER,
	FUNCLET_TERMINATE,
	FUNCLET_FORWARD, /* nothing happens in it: not a pad */
} FuncletKind;

typedef struct FuncletPad FuncletPad;
struct FuncletPad {
	FuncletKind kind;
	uint32_t id;          /* in FuncletPlan.pads */
	IrBlock *block;       /* where it begins */
	IrOp *op;             /* the dispatch or terminate; a handler's dispatch */
	uint32_t clause;      /* FUNCLET_HANDLER: successor of its dispatch */
	FuncletPad *dispatch; /* FUNCLET_HANDLER: it belongs to this pad */
	FuncletPad *parent;   /* the handler around; NULL: none */
	/* Where an exception goes that leaves it (FUNCLET_HANDLER: see its dispatch). */
	const IrOp *leaves; /* the first op found by which one does; NULL: none */
	FuncletPad *exit;   /* then; NULL: the caller */
	FuncletPad *next;   /* FUNCLET_FORWARD: what it leads to; NULL: the caller */
	/* FUNCLET_HANDLER: the terminate directly inside that stands for all of them; NULL: none */
	FuncletPad *terminate;
	bool takes_values; /* FUNCLET_FORWARD: hands on values besides the token */
	uint32_t walk;     /* scratch of the search for cycles */
	IrValue *token;    /* what stands for it in the Microsoft form, once made (funclet.c) */
};

/* A block as part of one pad. */
typedef struct FuncletNode FuncletNode;
struct FuncletNode {
	IrBlock *block;
	FuncletPad *pad;    /* the owner; NULL: outside */
	FuncletNode *other; /* the same block in another pad */
	/* by successor; NULL: an edge that is never taken (a throw out of a cleanup terminates) */
	FuncletNode **succs;
	uint32_t depth; /* cleanups open where it begins */
	bool stops;     /* only cir.unreachable, which belongs everywhere */
};

typedef struct FuncletPlan {
	IrOp *func;
	Arena *mem;
	VEC(FuncletPad *) pads; /* each behind its parent */
	VEC(FuncletNode *) nodes;
	FuncletPad *terminate; /* as in a handler, outside of all */
	PtrMap of_block;       /* IrBlock → first FuncletNode */
	/* nodes that are not the first of their block; then exits are not known yet (funclet_copy.h) */
	uint32_t nshared;
	bool failed;
	Diags *d;
} FuncletPlan;

/* How many more nodes than blocks a plan may have, beyond twice as many: pads can multiply what they share. */
enum { FUNCLET_SHARED_MAX = 10000 };

/* The plan lives in mem and borrows the ops and blocks of the function. */
bool funclet_plan(IrOp *func, Arena *mem, Diags *d, FuncletPlan *out);

/* Does it run while an exception is in flight? */
static inline bool funclet_in_flight(const FuncletPad *p)
{
	return p && p->kind != FUNCLET_HANDLER;
}

/* The innermost handler that code of the pad is in; NULL: none. */
static inline FuncletPad *funclet_handler(FuncletPad *p)
{
	return funclet_in_flight(p) ? p->parent : p;
}

/* Where an edge leads when pads that only forward are left out, and with which values. */
typedef struct FuncletTarget {
	FuncletPad *pad; /* NULL: the caller */
	IrValue **args;  /* tokens left out */
	uint32_t nargs;
} FuncletTarget;

/* n: a node of the plan; its edge must lead into another pad. The result lives in the plan's arena. */
FuncletTarget funclet_follow(const FuncletPlan *p, const FuncletNode *n, uint32_t succ);

/* Does the terminator of n leave its pad along this edge? Not for the edges of a
 * dispatch, nor out of a handler. */
bool funclet_leaves(const FuncletNode *n, uint32_t succ);

/* Text of a plan, for tests and for people. */
void funclet_plan_dump(const FuncletPlan *p, Arena *mem, StrBuf *out);

#endif
