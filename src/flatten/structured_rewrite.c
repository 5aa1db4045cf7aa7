/* What is first written in other structured ops: those of array.c and delete.c when the walk meets
 * them; before it, since labels must know what cleanups they stand in, handlers that do not say what
 * an exception does to their catch. */
#include "flatten/internal.h"

#include "ir/catch_region.h"

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

/* A handler that ends its catch in a straight line, not in a cleanup, means the same: an exception that
 * leaves it before that ends the catch, too (design.md section 5, point 4).
 *
 * 	begin_catch; ops; end_catch; rest   →   begin_catch; cleanup.scope { ops } cleanup all { end_catch }; rest
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

/* The scope behind a begin_catch whose cleanup ends the catch; NULL: there is none. */
static IrOp *scope_of_catch(const IrOp *begin)
{
	IR_FOR_USES (u, &begin->results[0]) {
		IrOp *scope = u->user->kind == OP_END_CATCH ? ir_op_parent(u->user) : NULL;
		if (scope && scope->kind == OP_CLEANUP_SCOPE && scope->block == begin->block)
			return scope;
	}
	return NULL;
}

/* Where ops can be put in front of a region's: its entry block, unless something jumps there. */
static IrBlock *block_in_front(IrModule *m, IrRegion *r, Loc loc)
{
	IrBlock *entry = r->first;
	if (!entry->preds && entry->first->kind != OP_LABEL)
		return entry;
	IrRegion rest = {0};
	IrBlock *front = ir_block_create(m, loc);
	ir_region_move_blocks(r, &rest);
	ir_block_append(r, front);
	ir_region_move_blocks(&rest, r);
	IrBuilder b = ir_at_end(m, front, loc);
	ir_build_br(&b, entry, NULL, 0);
	return front;
}

/* What stands between a begin_catch and the scope that ends its catch is part of the handler, too:
 *
 * 	begin_catch; ops; cleanup.scope { body } cleanup { end_catch }   →   begin_catch; cleanup.scope { ops; body } cleanup { end_catch }
 */
static void widen_scope(IrModule *m, IrOp *begin)
{
	IrOp *scope = scope_of_catch(begin);
	if (!scope || begin->next == scope)
		return;
	IrOp *first = block_in_front(m, &scope->regions[0], begin->loc)->first;
	while (begin->next != scope) {
		IrOp *op = begin->next;
		ir_op_remove(op);
		ir_op_insert_before(first, op);
	}
}

void expand_handlers(IrModule *m, IrOp *func, Arena *mem)
{
	VEC(IrOp *) begins = {0};
	for (IrOp *op = ir_walk_first(&func->regions[0]); op; op = ir_walk_next(op, &func->regions[0]))
		if (op->kind == OP_BEGIN_CATCH || op->kind == OP_CATCH_PARAM)
			vec_push(mem, &begins, op);
	for (uint32_t i = 0; i < begins.len; i++) {
		IrOp *op = begins.data[i];
		if (op->kind == OP_CATCH_PARAM) {
			ir_expand_catch_param(m, op);
		} else {
			wrap_straight_line(m, op);
			widen_scope(m, op);
		}
	}
}
