#include "eh/filter_variable.h"

#include "ir/debug_source.h"
#include "ir/function_entry.h"
#include "ir/layout.h"

/* The slot that holds this address and nothing else, which nobody reads; NULL: there is none. */
static IrValue *slot_of(const IrValue *address)
{
	IR_FOR_USES (u, address) {
		const IrOp *store = u->user;
		IrValue *slot = store->kind == OP_STORE ? ir_operand(store, 1) : NULL;
		if (slot && slot != address && !slot->is_arg && slot->def.op->kind == OP_ALLOCA &&
		    !ir_op_nmain(slot->def.op) && !slot->uses->next)
			return slot;
	}
	return NULL;
}

static IrValue *store_in_slot(IrModule *m, const IrOp *func, IrOp *recover)
{
	IrValue *address = &recover->results[0];
	IrBuilder front = ir_before(m, abi_entry_front(func)), behind = ir_before(m, recover->next);
	behind.loc = recover->loc;
	IrValue *slot = ir_build_alloca(&front, address->type, STR("__place"), ir_type_align(address->type));
	ir_build_store(&behind, address, slot);
	return slot;
}

static bool is_described(const IrSource *source, const IrValue *slot)
{
	for (uint32_t i = 0; i < source->moved.len; i++)
		if (source->moved.data[i].address == slot)
			return true;
	return false;
}

static void describe(IrModule *m, const IrOp *func, IrOp *recover)
{
	const IrOp *escape = abi_entry_escape(ir_symbol(ir_op_symbol(recover, NAME_function)));
	const IrValue *variable = ir_operand(escape, (uint32_t)ir_op_uint(recover, NAME_index, 0));
	IrSource *source = ir_source_remember(m, func);
	IrValue *slot = slot_of(&recover->results[0]);
	if (slot && is_described(source, slot))
		return;
	ir_source_move(m, source, variable, slot ? slot : store_in_slot(m, func, recover));
}

void filter_variables_describe(IrModule *m)
{
	if (!m->made[OP_LOCALRECOVER])
		return;
	IR_FOR_OPS (func, ir_module_block(m)) {
		const IrRegion *body = func->kind == OP_FUNC ? &func->regions[0] : NULL;
		for (IrOp *op = body ? ir_walk_first(body) : NULL; op; op = ir_walk_next(op, body))
			if (op->kind == OP_LOCALRECOVER)
				describe(m, func, op);
	}
}
