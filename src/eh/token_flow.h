/* eh/token_flow.h: where the exception tokens of one function can go.
 *
 * A graph. Its vertices are the !cir.eh_token values (results of eh.initiate, block arguments) and the sinks:
 * the ops that decide what happens to an exception (eh.dispatch, eh.terminate, eh.unexpected). An edge leads
 * to where the token is handed on. A dispatch leads only to its `unwind` block, and not even there when its
 * filter allows nothing: elsewhere the exception has been taken, and nobody further out is asked.
 *
 * Components are the strongly connected parts (a token that goes round a loop), numbered so that
 * each comes after all those it leads to.
 */
#ifndef CIRC_EH_TOKEN_FLOW_H
#define CIRC_EH_TOKEN_FLOW_H

#include "base/vec.h"
#include "ir/module.h"

/* Side tables by id, made once for all functions of a module. Values, blocks and names
 * made later are not in them. Ids are unique in the module, so that one function's entries
 * never need to be cleared for the next. */
typedef struct AbiTables {
	const IrModule *m;
	uint32_t nvalues, nblocks, nnames;
	uint32_t *vertex_of_value; /* plus 1; 0: not a token */
	uint32_t *order_of_block;  /* reverse postorder from 1; 0: unreachable, or not asked for */
	uint32_t *clause_of_name;  /* plus 1; used by plan.c, which clears it */
} AbiTables;

typedef struct FlowVertex {
	IrValue *token; /* NULL for a sink */
	IrOp *sink;     /* NULL for a token */
	uint32_t first, nedges;
	bool cleanup; /* a token that some cir.begin_cleanup takes, or that comes where another is dropped */
} FlowVertex;

typedef struct AbiFlow {
	VEC(FlowVertex) vertices; /* tokens first, in block order */
	uint32_t ntokens;
	VEC(uint32_t) edges; /* vertices */
	uint32_t ncomponents;
	uint32_t *component; /* of each vertex */
	uint32_t *members;   /* vertices, component after component */
	uint32_t *first;     /* ncomponents + 1: where each begins in members */
} AbiFlow;

void abi_tables_init(AbiTables *t, const IrModule *m, Arena *mem);

/* Everything of `out` lives in mem. False: a token is made or used by something that is
 * not exception handling; reported. */
bool abi_flow(AbiTables *t, IrOp *func, Arena *mem, Diags *d, AbiFlow *out);

/* Ops that make, hand on or take tokens and are used by no others: users go before what they use. */
void abi_erase_token_ops(IrOp *const *ops, uint32_t n);

/* The vertex of a token, or UINT32_MAX. */
static inline uint32_t abi_flow_vertex(const AbiTables *t, const IrValue *v)
{
	return v->id < t->nvalues ? t->vertex_of_value[v->id] - 1 : UINT32_MAX;
}

/* The parts of an eh.dispatch: successors are its ncatch handlers, then the filter's if
 * it has one, then the default. */
static inline const IrAttr *abi_dispatch_filter(const IrOp *op)
{
	return ir_op_attr(op, NAME_filter_types);
}
static inline uint32_t abi_dispatch_ncatch(const IrOp *op)
{
	return op->nsuccs - 1 - (abi_dispatch_filter(op) != NULL);
}
static inline bool abi_dispatch_catches_all(const IrOp *op)
{
	return ir_op_has(op, NAME_default_is_catch_all);
}

#endif
