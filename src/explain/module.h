/* explain/module.h: the explanation of a module: what its flat form says that an exception does;
 * in the Itanium form, as that of LLVM IR is, what its landing pads say.
 *
 *   needs    CIR that verifies, flat or in the Itanium form, with op numbers
 *   gives    in an explanation that is empty: a function for each one with a body, a site for each op in it that can unwind
 *   changes  nothing
 *   cost     ops, and steps: each site has its own, up to a budget for the module
 *   errors   false: reported
 *
 * An op's number is its place in the text, from 1 (Loc.pos), which all passes carry on: what was copied has the number of
 * what it is a copy of. */
#ifndef CIRC_EXPLAIN_MODULE_H
#define CIRC_EXPLAIN_MODULE_H

#include "explain/explanation.h"
#include "ir/module.h"
#include "target/target.h"

/* Ops of a module that was built get numbers: 1, 2, … in the order of a walk. Before any pass. */
void explain_number_ops(IrModule *m);

typedef struct ExplainModule {
	IrModule *m;
	const char *name;        /* of the text; NULL: the source's own, if any */
	const char *triple;      /* that it is compiled for */
	const AbiTarget *target; /* NULL: exceptions are not supported there */
} ExplainModule;

bool explain_module(CircExplanation *e, const ExplainModule *in, Diags *d);

#endif
