/* lower/wasm_cleanup.c: pads that clean up and throw on, or end the program.
 *
 * Their code stays in the catch and throws its exception again, as clang's does. `throw` would make another exception, which takes engines twice
 * as long. All calls that unwind to such a pad share the catch.
 *
 * No call of that code may unwind to a pad, which would be one within a catch, and nothing else may lead there. So the code is in no loop with the pad:
 * it is left by the exception alone.
 */
#include "lower/wasm_catch.h"

/* Longer code is rare, and is then compiled as other pads are. It bounds the time, too, where pads share what follows them. */
enum { BLOCKS_MAX = 32, VALUES_MAX = 64 };

typedef struct Region {
	const IrBlock *blocks[BLOCKS_MAX]; /* the pad's first */
	const IrValue *values[VALUES_MAX]; /* must be the exception */
	uint32_t nblocks, nvalues;
} Region;

static bool has_block(const Region *r, const IrBlock *b)
{
	for (uint32_t i = 0; i < r->nblocks; i++)
		if (r->blocks[i] == b)
			return true;
	return false;
}

/* False: there are too many. */
static bool add_block(Region *r, const IrBlock *b)
{
	if (has_block(r, b))
		return true;
	if (r->nblocks == BLOCKS_MAX)
		return false;
	r->blocks[r->nblocks++] = b;
	return true;
}

static bool add_value(Region *r, const IrValue *v)
{
	for (uint32_t i = 0; i < r->nvalues; i++)
		if (r->values[i] == v)
			return true;
	if (r->nvalues == VALUES_MAX)
		return false;
	r->values[r->nvalues++] = v;
	return true;
}

static bool add_successors(Region *r, const IrOp *last)
{
	switch (last->kind) {
	case OP_BR:
	case OP_BRCOND:
	case OP_SWITCH_FLAT:
		for (uint32_t i = 0; i < last->nsuccs; i++)
			if (!add_block(r, last->succs[i].dest))
				return false;
		return true;
	case OP_RESUME_FLAT:
		return add_value(r, ir_operand(last, 0));
	default:
		return last->kind == OP_UNREACHABLE || last->kind == OP_TRAP;
	}
}

/* Does nothing else lead to it? */
static bool is_inside(const Region *r, const IrBlock *b)
{
	IR_FOR_PREDS(s, b)
	if (!has_block(r, s->op->block))
		return false;
	return true;
}

/* An argument is the exception if it is on all edges. */
static bool is_exception(Region *r, const IrValue *v)
{
	const IrOp *inflight = r->blocks[0]->first;
	if (v == &inflight->results[0])
		return true;
	if (!v->is_arg || !has_block(r, v->def.block))
		return false;
	IR_FOR_PREDS(s, v->def.block)
	if (!add_value(r, ir_succ_arg(s, v->index)))
		return false;
	return true;
}

bool wasm_is_cleanup(const IrBlock *pad)
{
	Region r = {.blocks = {pad}, .nblocks = 1};
	if (pad->nargs)
		return false;
	for (uint32_t i = 0; i < r.nblocks; i++)
		if (!add_successors(&r, r.blocks[i]->last))
			return false;
	for (uint32_t i = 1; i < r.nblocks; i++)
		if (!is_inside(&r, r.blocks[i]))
			return false;
	for (uint32_t i = 0; i < r.nvalues; i++)
		if (!is_exception(&r, r.values[i]))
			return false;
	return true;
}
