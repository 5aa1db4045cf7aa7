#include "ir/debug_source.h"

#include "ir/layout.h"

uint32_t ir_stored_parameter(const IrValue *slot)
{
	IR_FOR_USES (u, slot) {
		const IrOp *store = u->user;
		if (store->kind != OP_STORE || ir_operand(store, 1) != slot)
			continue;
		const IrValue *v = ir_operand(store, 0);
		if (v->is_arg && v->def.block == store->block && !store->block->prev &&
		    store->block->region->op && store->block->region->op->kind == OP_FUNC)
			return v->index + 1;
	}
	return 0;
}

static void remember_slot(IrModule *m, IrSource *source, const IrValue *arg)
{
	IR_FOR_USES (u, arg) {
		const IrOp *store = u->user;
		if (store->kind != OP_STORE || store->block != arg->def.block || ir_operand(store, 0) != arg)
			continue;
		const IrValue *slot = ir_operand(store, 1);
		if (slot->is_arg || slot->def.op->kind != OP_ALLOCA || ptrmap_get(&source->parameters, slot))
			continue;
		IrSourceSlot *s = arena_new(&m->arena, IrSourceSlot);
		*s = (IrSourceSlot){slot->id, arg->index + 1};
		ptrmap_put(&m->arena, &source->parameters, slot, s);
	}
}

IrSource *ir_source_remember(IrModule *m, const IrOp *func)
{
	IrSource *source = ir_source_of(m, func);
	if (source)
		return source;
	source = arena_new(&m->arena, IrSource);
	*source = (IrSource){.type = ir_func_type(func)};
	const IrBlock *entry = func->regions[0].first;
	for (uint32_t i = 0; i < entry->nargs; i++)
		remember_slot(m, source, entry->args[i]);
	ptrmap_put(&m->arena, &m->sources, func, source);
	return source;
}

IrSource *ir_source_of(const IrModule *m, const IrOp *func)
{
	return ptrmap_get(&m->sources, func);
}

uint32_t ir_source_parameter(const IrSource *source, const IrValue *slot)
{
	if (!source)
		return ir_stored_parameter(slot);
	const IrSourceSlot *found = ptrmap_get(&source->parameters, slot);
	return found && found->id == slot->id ? found->parameter : 0;
}

void ir_source_move(IrModule *m, IrSource *source, const IrValue *slot, IrValue *address)
{
	const IrOp *alloca = slot->def.op;
	vec_push(&m->arena, &source->moved,
	         ((IrMoved){.address = address,
	                    .name = ir_op_attr(alloca, NAME_name)->name,
	                    .type = slot->type->elem,
	                    .loc = alloca->loc,
	                    .parameter = ir_source_parameter(source, slot)}));
}

void ir_source_keep(IrBuilder *b, IrSource *source, const IrValue *slot, IrValue *address)
{
	IrValue *kept = ir_build_alloca(b, address->type, STR("__place"), ir_type_align(address->type));
	ir_build_store(b, address, kept);
	ir_source_move(b->m, source, slot, kept);
}
