#include "abi/cxa_op.h"

#include "ir/spell.h"

/* Gives the uses of `old` a value of the same pointer type; an unused one needs no cast. */
static void replace_ptr(IrBuilder *b, IrValue *old, IrValue *by)
{
	if (old->uses)
		ir_value_replace(old, cxa_cast_ptr(b, by, old->type));
}

/* Throwing */

static IrValue *dtor_argument(Cxa *c, IrBuilder *b, const IrOp *op)
{
	Name *dtor = ir_op_symbol(op, NAME_dtor);
	if (!dtor)
		return ir_build_const(b, ir_attr_null(c->m, c->m->voidp));
	if (ir_symbol(dtor))
		return cxa_address(c, b, dtor);
	diag_error(c->d, op->loc, "dtor symbol not found in module: '%s'", dtor->text);
	c->ok = false;
	return NULL;
}

static bool throw_arguments(Cxa *c, IrBuilder *b, IrOp *op, IrValue *args[3])
{
	Name *type_info = ir_op_symbol(op, NAME_type_info);
	if (!cxa_type_info(c, type_info, op->loc))
		return false;
	args[0] = cxa_cast_ptr(b, ir_operand(op, 0), c->m->voidp);
	args[1] = cxa_address(c, b, type_info);
	args[2] = dtor_argument(c, b, op);
	return args[2] != NULL;
}

void cxa_lower_throw(Cxa *c, IrOp *op, const IrSuccSpec *edges)
{
	IrBuilder b = ir_before(c->m, op);
	bool rethrow = ir_op_nmain(op) == 0;
	IrValue *args[3];
	if (!rethrow && !throw_arguments(c, &b, op, args))
		return;
	CxaFn fn = rethrow ? CXA_RETHROW : CXA_THROW;
	if (edges)
		cxa_try_call(c, &b, fn, args, rethrow ? 0 : 3, edges);
	else
		cxa_call(c, &b, fn, args, rethrow ? 0 : 3);
}

void cxa_lower_alloc_exception(Cxa *c, IrOp *op)
{
	IrBuilder b = ir_before(c->m, op);
	IrValue *size = ir_build_const_int(&b, c->m->u64, ir_op_uint(op, NAME_size, 0));
	IrOp *call = cxa_call(c, &b, CXA_ALLOCATE_EXCEPTION, &size, 1);
	if (call)
		replace_ptr(&b, &op->results[0], &call->results[0]);
}

void cxa_lower_free_exception(Cxa *c, IrOp *op)
{
	IrBuilder b = ir_before(c->m, op);
	IrValue *object = cxa_cast_ptr(&b, ir_operand(op, 0), c->m->voidp);
	cxa_call(c, &b, CXA_FREE_EXCEPTION, &object, 1);
}

/* Catching */

void cxa_lower_begin_catch(Cxa *c, IrOp *op, IrValue *exn)
{
	IrBuilder b = ir_before(c->m, op);
	IrOp *call = cxa_call(c, &b, CXA_BEGIN_CATCH, &exn, 1);
	if (call)
		replace_ptr(&b, &op->results[1], &call->results[0]);
}

void cxa_lower_end_catch(Cxa *c, IrOp *op)
{
	IrBuilder b = ir_before(c->m, op);
	cxa_call(c, &b, CXA_END_CATCH, NULL, 0);
}

/* Ending a block */

void cxa_end_in_terminate(Cxa *c, IrBuilder *b, IrValue *exn)
{
	IrOp *call = cxa_call(c, b, CXA_CALL_TERMINATE, &exn, 1);
	if (call)
		ir_set_flag(c->m, call, NAME_nothrow);
	ir_build(b, OP_UNREACHABLE, NULL, NULL, 0);
}

void cxa_end_in_unexpected(Cxa *c, IrBuilder *b, IrValue *exn)
{
	cxa_call(c, b, CXA_CALL_UNEXPECTED, &exn, 1);
	ir_build(b, OP_UNREACHABLE, NULL, NULL, 0);
}

/* Catch parameters */

static bool slot_holds_pointer(Cxa *c, const IrOp *op, const IrValue *slot)
{
	if (ir_is_ptr(slot->type->elem))
		return true;
	Arena *a = &c->m->scratch;
	ArenaMark mark = arena_mark(a);
	diag_error(c->d, op->loc,
	           "a parameter caught by pointer or reference needs a slot that holds a pointer, not '%s'",
	           ir_type_str(a, slot->type->elem));
	arena_release(a, mark);
	return c->ok = false;
}

static void store_pointer(Cxa *c, IrBuilder *b, const IrOp *op, IrValue *object, IrValue *slot)
{
	if (slot_holds_pointer(c, op, slot))
		ir_build_store(b, cxa_cast_ptr(b, object, slot->type->elem), slot);
}

void cxa_lower_init_catch_param(Cxa *c, IrOp *op)
{
	IrBuilder b = ir_before(c->m, op);
	IrValue *object = ir_operand(op, 0), *slot = ir_operand(op, 1);
	switch (ir_op_enum(op, NAME_kind, CATCH_INIT_SCALAR)) {
	case CATCH_INIT_REFERENCE:
	case CATCH_INIT_POINTER:
		store_pointer(c, &b, op, object, slot);
		break;
	case CATCH_INIT_SCALAR:
		ir_build_store(&b, ir_build_load(&b, cxa_cast_ptr(&b, object, slot->type)), slot);
		break;
	case CATCH_INIT_TRIVIAL_COPY: {
		IrValue *operands[] = {cxa_cast_ptr(&b, object, slot->type), slot};
		ir_build(&b, OP_COPY, NULL, operands, 2);
		break;
	}
	case CATCH_INIT_NON_TRIVIAL_COPY: /* construct_catch_param has made the copy */
		break;
	default:
		diag_error(c->d, op->loc, "Objective-C catch parameters are not supported");
		c->ok = false;
	}
}

/* A reference to a caught pointer refers to the pointer in the exception object, right behind the unwinder's header;
 * __cxa_begin_catch gives only the pointer's value. */
void cxa_lower_reference_param(Cxa *c, IrOp *op, IrValue *exn)
{
	IrBuilder b = ir_before(c->m, op);
	IrType *bytes = ir_type_ptr(c->m, c->m->u8);
	IrValue *header = ir_build_const_int(&b, c->m->s64, c->target->unwind_header);
	IrValue *step[] = {cxa_cast_ptr(&b, exn, bytes), header};
	IrOp *object = ir_build(&b, OP_PTR_STRIDE, bytes, step, 2);
	store_pointer(c, &b, op, &object->results[0], ir_operand(op, 1));
}
