#include "abi/catch_init.h"

#include "ir/spell.h"

static bool slot_holds_pointer(Runtime *r, const IrOp *op, const IrValue *slot)
{
	if (ir_is_ptr(slot->type->elem))
		return true;
	Arena *a = &r->m->scratch;
	ArenaMark mark = arena_mark(a);
	diag_error(r->d, op->loc,
	           "a parameter caught by pointer or reference needs a slot that holds a pointer, not '%s'",
	           ir_type_str(a, slot->type->elem));
	arena_release(a, mark);
	return r->ok = false;
}

void catch_init_store(Runtime *r, IrBuilder *b, const IrOp *op, IrValue *object, IrValue *slot)
{
	if (slot_holds_pointer(r, op, slot))
		ir_build_store(b, ir_build_bitcast(b, object, slot->type->elem), slot);
}

void catch_init_lower(Runtime *r, IrOp *op)
{
	IrBuilder b = ir_before(r->m, op);
	IrValue *object = ir_operand(op, 0), *slot = ir_operand(op, 1);
	switch (ir_op_enum(op, NAME_kind, CATCH_INIT_SCALAR)) {
	case CATCH_INIT_REFERENCE:
	case CATCH_INIT_POINTER:
		catch_init_store(r, &b, op, object, slot);
		break;
	case CATCH_INIT_SCALAR:
		ir_build_store(&b, ir_build_load(&b, ir_build_bitcast(&b, object, slot->type)), slot);
		break;
	case CATCH_INIT_TRIVIAL_COPY: {
		IrValue *operands[] = {ir_build_bitcast(&b, object, slot->type), slot};
		ir_build(&b, OP_COPY, NULL, operands, 2);
		break;
	}
	case CATCH_INIT_NON_TRIVIAL_COPY: /* construct_catch_param has made the copy */
		break;
	default:
		diag_error(r->d, op->loc, "Objective-C catch parameters are not supported");
		r->ok = false;
	}
}

void catch_init_drop_filled(IrOp *begin_catch, const IrValue *slot)
{
	IrUse *next;
	for (IrUse *u = begin_catch->results[1].uses; u; u = next) {
		IrOp *init = u->user;
		next = u->next;
		if (init->kind == OP_INIT_CATCH_PARAM && ir_operand(init, 1) == slot &&
		    ir_op_enum(init, NAME_kind, CATCH_INIT_SCALAR) == CATCH_INIT_REFERENCE)
			ir_op_erase(init);
	}
}
