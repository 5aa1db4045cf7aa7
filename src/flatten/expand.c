/* What is first written in other structured ops, which then take its place in the walk: array.c and delete.c, and handlers that
 * do not say what an exception does to their catch. */
#include "flatten/internal.h"

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

/* A handler that ends its catch in a straight line, not in a cleanup, means the same: an exception that leaves it before
 * that ends the catch, too (design.md section 5, point 4).
 *
 *	begin_catch; ops; end_catch; rest   →   begin_catch; cleanup.scope { ops } cleanup all { end_catch }; rest
 */
void flatten_begin_catch(Flatten *f, IrOp *op)
{
	Frame *fr = f->frame;
	IrOp *end = fr->next, *last = NULL;
	flatten_append(f, op);
	while (end && !(end->kind == OP_END_CATCH && ir_operand(end, 0) == &op->results[0])) {
		last = end;
		end = end->next;
	}
	if (!end || !last)
		return;
	IrBlock *holder = flatten_block(f, op);
	IrBuilder b = ir_at_end(f->m, holder, op->loc);
	IrOp *scope = expand_cleanup_scope(&b, CLEANUP_ALL);
	IrBlock *body = flatten_block(f, op), *cleanup = flatten_block(f, end);
	ir_block_append(&scope->regions[0], body);
	ir_block_append(&scope->regions[1], cleanup);
	last->next = NULL;
	for (IrOp *o = fr->next, *next; o; o = next) {
		next = o->next;
		o->next = o->prev = NULL;
		ir_op_append(body, o);
	}
	fr->next = end->next;
	end->next = end->prev = NULL;
	ir_op_append(cleanup, end);
	b = ir_at_end(f->m, body, op->loc);
	expand_yield(&b);
	b = ir_at_end(f->m, cleanup, op->loc);
	expand_yield(&b);
	ir_block_take_ops(holder);
	scope->next = fr->next;
	fr->next = scope;
}
