/* Blocks: their place in a region, and their arguments. */
#include "ir/module.h"

IrBlock *ir_block_create(IrModule *m, Loc loc)
{
	IrBlock *b = pool_new(&m->pool, IrBlock);
	b->id = m->nblocks++;
	b->loc = loc;
	return b;
}

void ir_block_append(IrRegion *r, IrBlock *b)
{
	CHECK(!b->region);
	b->region = r;
	b->prev = r->last;
	b->next = NULL;
	if (r->last)
		r->last->next = b;
	else
		r->first = b;
	r->last = b;
}

void ir_block_insert_after(IrBlock *where, IrBlock *b)
{
	CHECK(!b->region && where->region);
	b->region = where->region;
	b->prev = where;
	b->next = where->next;
	if (where->next)
		where->next->prev = b;
	else
		where->region->last = b;
	where->next = b;
}

IrBlock *ir_block_split(IrModule *m, IrBlock *b, IrOp *first, Loc loc)
{
	IrBlock *rest = ir_block_create(m, loc);
	ir_block_insert_after(b, rest);
	for (IrOp *op = first, *next; op; op = next) {
		next = op->next;
		ir_op_remove(op);
		ir_op_append(rest, op);
	}
	return rest;
}

void ir_block_remove(IrBlock *b)
{
	CHECK(b->region);
	if (b->prev)
		b->prev->next = b->next;
	else
		b->region->first = b->next;
	if (b->next)
		b->next->prev = b->prev;
	else
		b->region->last = b->prev;
	b->region = NULL;
	b->prev = b->next = NULL;
}

IrValue *ir_block_add_arg(IrModule *m, IrBlock *b, IrType *type)
{
	IrValue *v = pool_new(&m->pool, IrValue);
	v->type = type;
	v->def.block = b;
	v->is_arg = 1;
	v->index = b->nargs;
	v->id = m->nvalues++;
	/* Storage grows by powers of two; it is full when nargs is one. */
	if ((b->nargs & (b->nargs - 1)) == 0) {
		IrValue **args = pool_array(&m->pool, IrValue *, b->nargs ? b->nargs * 2 : 1);
		if (b->nargs)
			memcpy(args, b->args, b->nargs * sizeof *args);
		pool_drop(b->args);
		b->args = args;
	}
	return b->args[b->nargs++] = v;
}

IrValue **ir_block_take_args(IrBlock *b)
{
	IrValue **args = b->args;
	b->args = NULL;
	b->nargs = 0;
	return args;
}

void ir_block_remove_arg(IrBlock *b, uint32_t index)
{
	CHECK(index < b->nargs && !b->args[index]->uses);
	pool_drop(b->args[index]);
	memmove(b->args + index, b->args + index + 1, (b->nargs - index - 1) * sizeof *b->args);
	b->nargs--;
	for (uint32_t i = index; i < b->nargs; i++)
		b->args[i]->index = i;
}

void ir_block_keep_args(IrBlock *b, IrValue *const *kept, uint32_t n)
{
	enum { GONE = INT32_MAX };
	for (uint32_t i = 0; i < b->nargs; i++)
		b->args[i]->index = GONE;
	for (uint32_t i = 0; i < n; i++)
		kept[i]->index = i;
	for (uint32_t i = 0; i < b->nargs; i++) {
		if (b->args[i]->index != GONE)
			continue;
		CHECK(!b->args[i]->uses);
		pool_drop(b->args[i]);
	}
	for (uint32_t i = 0; i < n; i++)
		b->args[i] = kept[i];
	b->nargs = n;
}
