/* expand/emit.c: functions, calls and moved regions: what every expansion is made of. It asks nothing of any of them. */
#include "expand/internal.h"

#include "ir/catch_region.h"

/* Names and functions */

IrOp *expand_function(Expand *x, const char *stem, Loc loc, IrBuilder *b)
{
	IrType *type = ir_type_func(x->m, NULL, 0, ir_type_simple(x->m, TYPE_VOID), false);
	IrOp *func = ir_func_create(x->m, ir_free_name(x->m, str_of(stem)), type, loc);
	ir_set_enum(x->m, func, NAME_linkage, ENUM_LINKAGE, LINKAGE_INTERNAL);
	*b = ir_at_end(x->m, ir_func_add_entry(x->m, func), loc);
	return func;
}

void expand_return(IrBuilder *b)
{
	ir_build(b, OP_RETURN, NULL, NULL, 0);
}

bool expand_call(Expand *x, IrBuilder *b, const LibFn *fn, IrValue *const *args, uint32_t nargs,
                 IrValue **result)
{
	IrOp *call = libfn_call(b, fn, args, nargs, x->d);
	if (!call)
		return false;
	if (fn->nothrow)
		ir_set_flag(x->m, call, NAME_nothrow);
	if (result)
		*result = &call->results[0];
	return true;
}

void expand_call_init(Expand *x, IrBuilder *b, const IrOp *func)
{
	ir_build_call(b, ir_symbol_name(func), ir_type_simple(x->m, TYPE_VOID), NULL, 0);
}

void expand_call_imports(Expand *x, IrBuilder *b)
{
	for (uint32_t i = 0; i < x->imports.len; i++)
		expand_call_init(x, b, x->imports.data[i]);
}

/* Regions */

/* In functions, which regions of globals become parts of, addresses of guarded variables are marked. */
static void mark_static_locals(IrModule *m, const IrRegion *region)
{
	for (IrOp *op = ir_walk_first(region); op; op = ir_walk_next(op, region)) {
		if (op->kind != OP_GET_GLOBAL || ir_op_has(op, NAME_static_local))
			continue;
		const IrOp *symbol = ir_symbol(ir_op_symbol(op, NAME_symbol));
		if (ir_op_has(symbol, NAME_static_local_guard))
			ir_set_flag(m, op, NAME_static_local);
	}
}

void expand_move(IrBuilder *b, IrRegion *region)
{
	IrBlock *from = region->first;
	CHECK(from && from == region->last);
	mark_static_locals(b->m, region);
	const IrOp *end = ir_block_terminator(from);
	if (end && end->kind != OP_YIELD) { /* what comes behind is never reached, but must have a place */
		IrOp *scope = ir_build_regions(b, OP_SCOPE, NULL, NULL, 1);
		ir_region_move_blocks(region, &scope->regions[0]);
		return;
	}
	for (IrOp *op = ir_block_take_ops(from), *next; op; op = next) {
		next = op->next;
		op->next = op->prev = NULL;
		if (op->kind == OP_YIELD) {
			ir_op_erase(op);
			break;
		}
		if (b->before)
			ir_op_insert_before(b->before, op);
		else
			ir_op_append(b->block, op);
	}
	ir_block_remove(from);
}

/* What the target and the symbols are */

bool expand_is_microsoft(const Expand *x)
{
	return x->target->runtime == RUNTIME_MICROSOFT;
}

bool expand_is_weak(const IrOp *symbol)
{
	switch (ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL)) {
	case LINKAGE_LINKONCE:
	case LINKAGE_LINKONCE_ODR:
	case LINKAGE_WEAK:
	case LINKAGE_WEAK_ODR:
		return true;
	default:
		return false;
	}
}

bool expand_is_local(const IrOp *symbol)
{
	unsigned linkage = ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL);
	return linkage == LINKAGE_INTERNAL || linkage == LINKAGE_CIR_PRIVATE;
}
