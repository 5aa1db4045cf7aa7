/* What is first written in other structured ops: those of array.c and delete.c when the walk meets them; before it, since
 * labels must know what cleanups they stand in, handlers that do not say what an exception does to their catch. */
#include "flatten/internal.h"

#include "ir/catch.h"

IrBuilder expand_region(Flatten *f, const IrOp *op, IrRegion *r)
{
	IrBlock *b = flatten_block(f, op);
	ir_block_append(r, b);
	return ir_at_end(f->m, b, op->loc);
}

void expand_yield(IrBuilder *b)
{
	ir_build(b, OP_YIELD, NULL, NULL, 0);
}

IrOp *expand_region_op(IrBuilder *b, OpKind kind, IrValue *operand, uint32_t nregions)
{
	return ir_build_spec(
	    b, &(IrOpSpec){
	           .kind = kind, .operands = &operand, .noperands = operand != NULL, .nregions = nregions});
}

IrOp *expand_cleanup_scope(IrBuilder *b, unsigned kind)
{
	IrOp *scope = expand_region_op(b, OP_CLEANUP_SCOPE, NULL, 2);
	ir_op_set_attr(b->m, scope, ir_known_name(b->m, NAME_kind), ir_attr_enum(b->m, ENUM_CLEANUP, kind));
	return scope;
}

void expand_done(Flatten *f, IrBlock *made, IrOp *op)
{
	IrOp *last = made->last, *first = ir_block_take_ops(made);
	last->next = f->frame->next;
	f->frame->next = first;
	ir_op_erase(op);
}

/* Handlers */

/* A handler that ends its catch in a straight line, not in a cleanup, means the same: an exception that leaves it before
 * that ends the catch, too (design.md section 5, point 4).
 *
 *	begin_catch; ops; end_catch; rest   →   begin_catch; cleanup.scope { ops } cleanup all { end_catch }; rest
 */
static void wrap_straight_line(IrModule *m, IrOp *begin)
{
	IrOp *end = begin->next;
	while (end && !(end->kind == OP_END_CATCH && ir_operand(end, 0) == &begin->results[0]))
		end = end->next;
	if (!end || end == begin->next)
		return;
	IrBuilder b = ir_before(m, end);
	b.loc = begin->loc;
	IrOp *scope = expand_cleanup_scope(&b, CLEANUP_ALL);
	IrBlock *body = ir_block_create(m, begin->loc), *cleanup = ir_block_create(m, end->loc);
	ir_block_append(&scope->regions[0], body);
	ir_block_append(&scope->regions[1], cleanup);
	while (begin->next != scope) {
		IrOp *op = begin->next;
		ir_op_remove(op);
		ir_op_append(body, op);
	}
	ir_op_remove(end);
	ir_op_append(cleanup, end);
	b = ir_at_end(m, body, begin->loc);
	expand_yield(&b);
	b = ir_at_end(m, cleanup, begin->loc);
	expand_yield(&b);
}

void expand_handlers(IrModule *m, IrOp *func, Arena *mem)
{
	VEC(IrOp *) begins = {0};
	for (IrOp *op = ir_walk_first(&func->regions[0]); op; op = ir_walk_next(op, &func->regions[0]))
		if (op->kind == OP_BEGIN_CATCH || op->kind == OP_CATCH_PARAM)
			vec_push(mem, &begins, op);
	for (uint32_t i = 0; i < begins.len; i++) {
		IrOp *op = begins.data[i];
		if (op->kind == OP_CATCH_PARAM)
			ir_expand_catch_param(m, op);
		else
			wrap_straight_line(m, op);
	}
}
