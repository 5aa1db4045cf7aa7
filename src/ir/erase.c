/* Ops that go: first what they refer to, and their place; their memory later, with that of all they contain. */
#include "ir/module.h"
#include "ir/use.h"

/* Drops what the op refers to, not what is inside it. */
static void drop_references(IrOp *op)
{
	for (uint32_t i = 0; i < op->noperands; i++)
		if (op->operands[i].value)
			ir_use_unlink(&op->operands[i]);
	for (uint32_t i = 0; i < op->nsuccs; i++)
		if (op->succs[i].dest)
			ir_succ_unlink(&op->succs[i]);
	op->noperands = op->nsuccs = 0;
}

static void drop_all_references(IrOp *op)
{
	for (uint32_t i = 0; i < op->nregions; i++)
		for (IrOp *o = ir_walk_first(&op->regions[i]); o; o = ir_walk_next(o, &op->regions[i]))
			drop_references(o);
	drop_references(op);
}

/* Memory of a block without its ops. */
static void give_back_block(IrBlock *b)
{
	for (uint32_t i = 0; i < b->nargs; i++)
		pool_drop(b->args[i]);
	pool_drop(b->args);
	pool_drop(b);
}

/* Takes what is in op's regions out of them, and puts the ops in front of `rest`. */
static IrOp *open_regions(IrOp *op, IrOp *rest)
{
	for (uint32_t i = 0; i < op->nregions; i++) {
		for (IrBlock *b = op->regions[i].first, *next; b; b = next) {
			next = b->next;
			if (b->last) {
				b->last->next = rest;
				rest = b->first;
			}
			give_back_block(b);
		}
	}
	return rest;
}

/* Memory of a chain of ops and of all they contain. */
static void give_back_ops(IrOp *op)
{
	while (op) {
		IrOp *rest = open_regions(op, op->next);
		pool_drop(op->operands);
		pool_drop(op->results);
		pool_drop(op->succs);
		pool_drop(op->regions);
		pool_drop(op->attrs);
		pool_drop(op);
		op = rest;
	}
}

void ir_op_erase(IrOp *op)
{
	drop_all_references(op);
	for (uint32_t i = 0; i < op->nresults; i++)
		CHECK(!op->results[i].uses);
	if (op_info[op->kind].flags & OPF_SYMBOL)
		ir_symbol_undefine(op);
	if (op->block)
		ir_op_remove(op);
	IrModule *m = pool_owner(op);
	op->prev = m->erased;
	m->erased = op;
}

void ir_module_forget_erased(IrModule *m)
{
	for (IrOp *op = m->erased, *next; op; op = next) {
		next = op->prev;
		op->next = NULL;
		give_back_ops(op);
	}
	m->erased = NULL;
}

void ir_block_drop_references(IrBlock *b)
{
	IR_FOR_OPS (op, b)
		drop_all_references(op);
}

void ir_block_erase(IrBlock *b)
{
	CHECK(!b->preds);
	while (b->last)
		ir_op_erase(b->last);
	if (b->region)
		ir_block_remove(b);
}

void ir_func_drop_body(IrOp *func)
{
	IrRegion *r = &func->regions[0];
	for (IrBlock *b = r->first, *next; b; b = next) {
		next = b->next;
		give_back_ops(b->first);
		give_back_block(b);
	}
	r->first = r->last = NULL;
}
