/* call/va_arg_build.c: the ops that all lowerings of va_arg are made of. */
#include "call/va_arg_internal.h"
#include "ir/function_entry.h"

#include "ir/layout.h"

IrValue *va_number(IrBuilder *b, IrType *t, uint64_t n)
{
	return ir_build_const_int(b, t, n);
}

IrValue *va_binary(IrBuilder *b, OpKind kind, IrValue *x, IrValue *y)
{
	IrValue *operands[] = {x, y};
	return &ir_build(b, kind, x->type, operands, 2)->results[0];
}

IrValue *va_step(IrBuilder *b, IrValue *p, IrValue *bytes, IrType *t)
{
	IrValue *at = ir_build_bitcast(b, p, ir_type_ptr(b->m, b->m->u8));
	return ir_build_bitcast(b, va_binary(b, OP_PTR_STRIDE, at, bytes), ir_type_ptr(b->m, t));
}

IrValue *va_align(IrBuilder *b, IrValue *p, uint64_t align)
{
	IrValue *n = ir_build_cast(b, CAST_PTR_TO_INT, p, b->m->size);
	n = va_binary(b, OP_ADD, n, va_number(b, b->m->size, align - 1));
	n = va_binary(b, OP_AND, n, va_number(b, b->m->size, ~(align - 1)));
	return ir_build_cast(b, CAST_INT_TO_PTR, n, p->type);
}

IrValue *va_field(const VaArg *a, IrBuilder *b, uint64_t offset, IrType *t)
{
	return va_step(b, a->list, va_number(b, b->m->size, offset), t);
}

IrValue *va_load(IrBuilder *b, IrValue *p, uint64_t align)
{
	IrValue *v = ir_build_load(b, p);
	if (align < ir_type_align(v->type))
		ir_op_set_attr(b->m, v->def.op, ir_known_name(b->m, NAME_alignment),
		               ir_attr_i64(b->m, (int64_t)align));
	return v;
}

IrValue *va_slot(const VaArg *a)
{
	IrBlock *block = a->op->block;
	IrOp *first = abi_entry_front(block->region->op);
	IrBuilder b = {.m = a->m, .block = block->region->first, .before = first, .loc = a->op->loc};
	return ir_build_alloca(&b, a->type, STR("vaarg.tmp"), ir_type_align(a->type));
}

void va_finish(VaArg *a, IrValue *v)
{
	ir_value_replace(&a->op->results[0], v);
	ir_op_erase(a->op);
}

void va_finish_undefined(VaArg *a)
{
	IrBuilder b = ir_before(a->m, a->op);
	const IrAttr undef = {.kind = ATTR_UNDEF, .type = a->type};
	va_finish(a, ir_build_const(&b, ir_attr_intern(a->m, &undef)));
}
