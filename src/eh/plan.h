/* eh/plan.h: the unwind plan of one function: what each place where unwinding enters it
 * must tell the unwinder.
 *
 *   needs    a function that passed ir_verify at STAGE_FLAT
 *   gives    for each cir.eh.initiate the clauses of its landing pad, and whether cleanups run
 *   changes  nothing
 *   cost     edges of the token graph + clauses written; a token that branches to different
 *            handlers costs its own list once
 *   errors   false: reported, and *out is untouched
 *
 * Clauses are transitive (style.md 4.2, rule 3): those of every dispatch the token can reach, inner ones
 * first, each in source order, through cleanups and outer tries, up to the first that takes everything. A
 * type stands once: the first one wins. No more either: a pad that announces a handler and then resumes makes
 * the runtime believe that its tables are corrupt.
 */
#ifndef CIRC_EH_PLAN_H
#define CIRC_EH_PLAN_H

#include "eh/token_flow.h"

typedef enum AbiClauseKind {
	CLAUSE_CATCH,     /* one type */
	CLAUSE_FILTER,    /* everything that is not one of the types; with no types: everything */
	CLAUSE_CATCH_ALL, /* catch (...), or a terminate */
} AbiClauseKind;

typedef struct AbiClause {
	AbiClauseKind kind;
	Name *type;          /* CLAUSE_CATCH: type-info symbol */
	const IrAttr *types; /* CLAUSE_FILTER: array of symbols or global views, NULL for none */
	const IrOp *op;      /* where it comes from: the (first) eh.dispatch, eh.terminate or eh.unexpected */
} AbiClause;

/* Clauses in the order in which the unwinder must try them; at most one filter; only the
 * last may be a catch-all. */
typedef struct AbiClauses {
	const AbiClause *const *data;
	uint32_t len;
} AbiClauses;

typedef struct AbiPad {
	IrOp *initiate;
	const AbiClauses *clauses; /* shared by pads with the same future */
	bool cleanup;              /* code must run here even when no clause takes the exception */
} AbiPad;

typedef struct AbiPlan {
	AbiPad *pads; /* one per cir.eh.initiate, in block order */
	uint32_t npads;
	AbiFlow flow;
} AbiPlan;

/* The plan lives in mem and borrows the ops of the function. `t`: tables of the function's module. */
bool abi_plan(AbiTables *t, IrOp *func, Arena *mem, Diags *d, AbiPlan *out);

/* Text of a plan, for tests and for people: `^bb3: cleanup, catch @_ZTIi, catch_all` per pad. */
void abi_plan_dump(const IrOp *func, const AbiPlan *plan, Arena *mem, StrBuf *out);

/* The plans of all functions with a body. False: reported; `out` holds those before. */
bool abi_plan_dump_module(IrModule *m, Diags *d, Arena *mem, StrBuf *out);

#endif
