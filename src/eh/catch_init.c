#include "eh/catch_init.h"

#include "ir/function_entry.h"
#include "ir/spell.h"

static bool slot_holds_pointer(Runtime *r, const IrOp *op, const IrValue *slot)
{
	if (ir_is_ptr(slot->type->elem))
		return true;
	Arena *a = &r->m->scratch;
	ArenaMark mark = arena_mark(a);
	diag_error(r->d, op->loc,
	           "parameter caught by pointer or reference requires a slot of a pointer; found '%s'",
	           ir_type_str(a, slot->type->elem));
	arena_release(a, mark);
	return r->ok = false;
}

void catch_init_store(Runtime *r, IrBuilder *b, const IrOp *op, IrValue *object, IrValue *slot)
{
	if (slot_holds_pointer(r, op, slot))
		ir_build_store(b, ir_build_bitcast(b, object, slot->type->elem), slot);
}

/* What is caught is the pointer by value, and it may be adjusted to a base: the reference is to a copy of it.
 *
 * 	%copy = cir.alloca          in the entry block
 * 	cir.store %object, %copy
 * 	cir.store %copy, %slot */
static void store_copy(Runtime *r, IrBuilder *b, const IrOp *op, IrValue *object, IrValue *slot)
{
	IrBuilder entry = ir_before(r->m, abi_entry_front(ir_op_parent(op)));
	entry.loc = op->loc;
	IrValue *copy = ir_build_alloca(&entry, object->type, STR("exn.byref.tmp"), 0);
	ir_build_store(b, object, copy);
	catch_init_store(r, b, op, copy, slot);
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
	case CATCH_INIT_REFERENCE_TO_RECORD_POINTER:
		store_copy(r, &b, op, object, slot);
		break;
	case CATCH_INIT_SCALAR:
		ir_build_store(&b, ir_build_load(&b, ir_build_bitcast(&b, object, slot->type)), slot);
		break;
	case CATCH_INIT_TRIVIAL_COPY: {
		IrValue *operands[] = {ir_build_bitcast(&b, object, slot->type), slot};
		ir_build(&b, OP_COPY, NULL, operands, 2);
		break;
	}
	case CATCH_INIT_NON_TRIVIAL_COPY: /* construct_catch_param has made the copy or the reference */
	case CATCH_INIT_REFERENCE_TO_POINTER:
		break;
	default:
		diag_error(r->d, op->loc, "Objective-C catch parameters are not supported");
		r->ok = false;
	}
}

void catch_init_drop_references(IrOp *begin_catch)
{
	IrUse *next;
	for (IrUse *u = begin_catch->results[1].uses; u; u = next) {
		IrOp *init = u->user;
		next = u->next;
		if (init->kind == OP_INIT_CATCH_PARAM &&
		    ir_op_enum(init, NAME_kind, CATCH_INIT_SCALAR) == CATCH_INIT_REFERENCE_TO_POINTER)
			ir_op_erase(init);
	}
}
