/* explain/module_pad.h: what a landing pad of the Itanium form says, as LLVM IR has it, too: the clauses in their order. A pad does not
 * name its cleanups: they are code that runs after it, as in an object. */
#ifndef CIRC_EXPLAIN_MODULE_PAD_H
#define CIRC_EXPLAIN_MODULE_PAD_H

#include "explain/explanation.h"
#include "ir/module.h"

typedef struct ModulePads {
	CircExplanation *e;
	Arena *mem;
	bool circ;      /* clauses are those of circ's runtime */
	StepVec *steps; /* are added here */
	CircStep begin; /* what all steps of the pad have: op and place */
} ModulePads;

/* The op of a landing pad with which a block begins; NULL: it begins with none. */
const IrOp *module_pad(const IrBlock *b);

/* What becomes of an exception that nothing took. */
CircEnd module_pad_steps(ModulePads *p, const IrOp *pad);

#endif
