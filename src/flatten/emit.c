/* flatten/emit.c: the blocks that are written, and the frames of the regions that are read: what every op's flattening is made
 * of. It asks nothing of any of them. */
#include "flatten/internal.h"

#include "ir/layout.h"

IrBlock *flatten_block(Flatten *f, const IrOp *op)
{
	return ir_block_create(f->m, op->loc);
}

void flatten_place(Flatten *f, IrBlock *b)
{
	CHECK(!f->at);
	ir_block_append(f->out, b);
	f->at = b;
}

void flatten_ensure_block(Flatten *f)
{
	if (!f->at)
		flatten_place(f, ir_block_create(f->m, f->func->loc));
}

IrBuilder flatten_here(Flatten *f, const IrOp *op)
{
	flatten_ensure_block(f);
	return ir_at_end(f->m, f->at, op->loc);
}

void flatten_branch(Flatten *f, IrBlock *dest, IrValue *arg, const IrOp *op)
{
	if (!f->at)
		return;
	IrBuilder b = flatten_here(f, op);
	ir_build_br(&b, dest, &arg, arg != NULL);
	f->at = NULL;
}

void flatten_end(Flatten *f, const Frame *fr, IrBlock *dest, IrValue *arg)
{
	if (!f->at)
		return;
	IrBuilder b = ir_at_end(f->m, f->at, fr->end);
	ir_build_br(&b, dest, &arg, arg != NULL);
	f->at = NULL;
}

void flatten_place_join(Flatten *f, IrBlock *b, const IrOp *op)
{
	flatten_branch(f, b, NULL, op);
	if (b->preds)
		flatten_place(f, b);
}

void flatten_append(Flatten *f, IrOp *op)
{
	flatten_ensure_block(f);
	ir_op_append(f->at, op);
	if (op_info[op->kind].flags & OPF_TERM)
		f->at = NULL;
}

void flatten_replace_result(Flatten *f, IrOp *op, IrValue *v)
{
	if (!op->nresults || !op->results[0].uses)
		return;
	if (!v) { /* nothing reaches the uses */
		IrBuilder b = flatten_here(f, op);
		v = ir_build_const(
		    &b, ir_attr_intern(f->m, &(IrAttr){.kind = ATTR_POISON, .type = op->results[0].type}));
	}
	ir_value_replace(&op->results[0], v);
}

static IrOp *hoist_point(const Flatten *f)
{
	return f->last_hoisted ? f->last_hoisted->next : f->entry->first;
}

void flatten_hoist(Flatten *f, IrOp *alloca)
{
	IrOp *before = hoist_point(f);
	if (before)
		ir_op_insert_before(before, alloca);
	else
		ir_op_append(f->entry, alloca);
	f->last_hoisted = alloca;
}

IrValue *flatten_entry_alloca(Flatten *f, IrType *type, Str name, Loc loc)
{
	IrBuilder b = {.m = f->m, .block = f->entry, .before = hoist_point(f), .loc = loc};
	IrValue *v = ir_build_alloca(&b, type, name, ir_type_align(type));
	f->last_hoisted = v->def.op;
	return v;
}

Frame *flatten_push(Flatten *f, IrOp *op, void (*step)(Flatten *, Frame *))
{
	Frame *fr = arena_new(f->mem, Frame);
	*fr = (Frame){.parent = f->frame,
	              .op = op,
	              .step = step,
	              .scope = f->scope,
	              .eh = f->eh,
	              .token = f->token,
	              .level = f->level,
	              .leaving = f->leaving};
	return f->frame = fr;
}

void flatten_pop(Flatten *f)
{
	Frame *fr = f->frame;
	f->scope = fr->scope;
	f->eh = fr->eh;
	f->token = fr->token;
	f->level = fr->level;
	f->leaving = fr->leaving;
	f->frame = fr->parent;
}

void flatten_open_region(Flatten *f, Frame *fr, IrRegion *region)
{
	CHECK(f->frame == fr && region->first && !region->first->preds);
	fr->next = ir_block_take_ops(region->first);
	fr->source = region->first->next;
	fr->join = fr->source ? flatten_block(f, fr->op) : NULL;
	fr->yielded = NULL;
	fr->end = fr->op->loc;
}
