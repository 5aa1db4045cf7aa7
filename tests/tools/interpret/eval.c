#include "interpret.h"
#include "ir/layout.h"

#include <stdlib.h>

static Value of_int(const IrType *t, uint64_t bits)
{
	unsigned width = t->kind == TYPE_BOOL ? 1 : t->kind == TYPE_INT ? t->width : 64;
	if (width < 64) {
		bits &= ((uint64_t)1 << width) - 1;
		if (t->is_signed && bits >> (width - 1))
			bits |= ~(uint64_t)0 << width;
	}
	return (Value){.i = bits};
}

/* What is more than a number or an address: its value is a copy. */
static bool is_copied(const IrType *t)
{
	return t->kind == TYPE_VECTOR || t->kind == TYPE_RECORD || t->kind == TYPE_LONG_DOUBLE;
}

static uint64_t size_of(const IrType *t)
{
	return ir_type_size((IrType *)(uintptr_t)t);
}

static Value copy_of(Interp *in, const IrType *t, const void *p)
{
	Value v = {.p = arena_alloc(&in->mem, size_of(t), 16)};
	memcpy(v.p, p, size_of(t));
	return v;
}

Value eval_load(Interp *in, const IrType *t, const void *p)
{
	uint64_t bits = 0;
	float f;
	if (is_copied(t))
		return copy_of(in, t, p);
	switch (t->kind) {
	case TYPE_BOOL:
	case TYPE_INT:
		memcpy(&bits, p, size_of(t) < sizeof bits ? size_of(t) : sizeof bits);
		return of_int(t, bits);
	case TYPE_FLOAT:
		memcpy(&f, p, sizeof f);
		return (Value){.f = f};
	default: {
		Value v;
		memcpy(&v, p, sizeof v);
		return v;
	}
	}
}

void eval_store(const IrType *t, void *p, Value v)
{
	float f = (float)v.f;
	uint64_t wide[2] = {v.i, (int64_t)v.i < 0 ? UINT64_MAX : 0};
	if (t->kind == TYPE_FLOAT)
		memcpy(p, &f, sizeof f);
	else if (is_copied(t))
		memcpy(p, v.p, size_of(t));
	else if (t->kind == TYPE_INT && t->width > 64)
		memcpy(p, wide, sizeof wide);
	else
		memcpy(p, &v, size_of(t));
}

Value eval_element(Interp *in, const IrType *vector, Value v, uint64_t i)
{
	return eval_load(in, vector->elem, (char *)v.p + i * size_of(vector->elem));
}

static bool eval_const(Interp *in, const IrType *t, const IrAttr *a, Value *out)
{
	if (is_copied(t)) {
		out->p = arena_alloc(&in->mem, size_of(t), 16);
		return a->kind == ATTR_ZERO;
	}
	switch (a->kind) {
	case ATTR_INT:
	case ATTR_BOOL:
	case ATTR_PTR:
		out->i = a->bits;
		return true;
	case ATTR_FLOAT:
		out->f = strtod(a->name->text, NULL);
		return true;
	case ATTR_ZERO:
	case ATTR_POISON:
	case ATTR_UNDEF:
		out->i = 0;
		return true;
	default:
		return false;
	}
}

/* Not zero, and a quotient that is not too large. */
static uint64_t divide(const IrOp *op, const IrType *t, uint64_t a, uint64_t b)
{
	if (op->kind == OP_DIV)
		return t->is_signed ? (uint64_t)((int64_t)a / (int64_t)b) : a / b;
	return t->is_signed ? (uint64_t)((int64_t)a % (int64_t)b) : a % b;
}

/* Of up to 32 bits: exact in 64. */
static bool eval_overflow(Interp *in, const IrOp *op, int64_t a, int64_t b)
{
	const IrType *t = op->results[0].type;
	int64_t exact = op->kind == OP_ADD_OVERFLOW ? a + b : op->kind == OP_SUB_OVERFLOW ? a - b : a * b;
	Value *out = &in->values[op->results[0].id];
	if (t->width > 32)
		return false;
	*out = of_int(t, (uint64_t)exact);
	in->values[op->results[1].id].i = (int64_t)out->i != exact;
	return true;
}

/* Vectors */

static Value vector_of(Interp *in, const IrOp *op)
{
	const IrType *t = op->results[0].type;
	Value v = {.p = arena_alloc(&in->mem, size_of(t), 16)};
	for (uint32_t i = 0; i < op->noperands; i++)
		eval_store(t->elem, (char *)v.p + i * size_of(t->elem), exec_operand(in, op, i));
	return v;
}

static Value divide_vectors(Interp *in, const IrOp *op, Value a, Value b)
{
	const IrType *t = op->results[0].type;
	Value v = {.p = arena_alloc(&in->mem, size_of(t), 16)};
	for (uint64_t i = 0; i < t->count; i++) {
		uint64_t x = eval_element(in, t, a, i).i, y = eval_element(in, t, b, i).i;
		eval_store(t->elem, (char *)v.p + i * size_of(t->elem),
		           of_int(t->elem, divide(op, t->elem, x, y)));
	}
	return v;
}

static bool eval_vector(Interp *in, const IrOp *op, Value a, Value b, Value *out)
{
	switch (op->kind) {
	case OP_VEC_CREATE:
		*out = vector_of(in, op);
		return true;
	case OP_VEC_EXTRACT:
		*out = eval_element(in, ir_operand(op, 0)->type, a, b.i);
		return true;
	case OP_DIV:
	case OP_REM:
		*out = op->results[0].type->kind == TYPE_VECTOR
		           ? divide_vectors(in, op, a, b)
		           : of_int(op->results[0].type, divide(op, op->results[0].type, a.i, b.i));
		return true;
	default:
		return false;
	}
}

static bool eval_binary(const IrOp *op, uint64_t a, uint64_t b, uint64_t *out)
{
	switch (op->kind) {
	case OP_ADD:
		*out = a + b;
		return true;
	case OP_SUB:
		*out = a - b;
		return true;
	case OP_MUL:
		*out = a * b;
		return true;
	case OP_AND:
		*out = a & b;
		return true;
	case OP_OR:
		*out = a | b;
		return true;
	case OP_XOR:
		*out = a ^ b;
		return true;
	default:
		return false;
	}
}

static bool compare(unsigned kind, const IrType *t, uint64_t a, uint64_t b)
{
	bool less = t->is_signed ? (int64_t)a < (int64_t)b : a < b;
	switch (kind) {
	case CMP_LT:
		return less;
	case CMP_LE:
		return less || a == b;
	case CMP_GT:
		return !less && a != b;
	case CMP_GE:
		return !less;
	case CMP_EQ:
		return a == b;
	default:
		return a != b;
	}
}

static bool eval_cast(const IrOp *op, Value v, Value *out)
{
	switch (ir_op_enum(op, NAME_kind, CAST_BITCAST)) {
	case CAST_INT_TO_BOOL:
	case CAST_PTR_TO_BOOL:
		out->i = v.i != 0;
		return true;
	case CAST_INTEGRAL:
	case CAST_BOOL_TO_INT:
		*out = of_int(op->results[0].type, v.i);
		return true;
	case CAST_BITCAST:
	case CAST_ARRAY_TO_PTRDECAY:
		*out = v;
		return true;
	default:
		return false;
	}
}

static void *allocate(Interp *in, const IrOp *op)
{
	IrType *t = op->results[0].type->elem;
	uint64_t n = op->noperands ? in->values[ir_operand(op, 0)->id].i : 1;
	size_t size = n * (op->noperands ? 1 : ir_type_size(t));
	return arena_alloc(&in->mem, size ? size : 1, 16);
}

static void *step(const IrOp *op, Value pointer, Value count)
{
	return (char *)pointer.p + (int64_t)count.i * (int64_t)ir_type_size(ir_operand(op, 0)->type->elem);
}

bool eval_op(Interp *in, const IrOp *op)
{
	Value none = {0}, *out = op->nresults ? &in->values[op->results[0].id] : &none;
	Value a = op->noperands > 0 ? in->values[ir_operand(op, 0)->id] : none;
	Value b = op->noperands > 1 ? in->values[ir_operand(op, 1)->id] : none;
	switch (op->kind) {
	case OP_CONST:
		return eval_const(in, op->results[0].type, ir_op_attr(op, NAME_value), out);
	case OP_CAST:
		return eval_cast(op, a, out);
	case OP_CMP:
		out->i = compare(ir_op_enum(op, NAME_kind, CMP_EQ), ir_operand(op, 0)->type, a.i, b.i);
		return true;
	case OP_GET_GLOBAL: /* a function: its name */
		out->p = ir_op_symbol(op, NAME_symbol);
		return true;
	case OP_ALLOCA:
		out->p = allocate(in, op);
		return true;
	case OP_LOAD:
		*out = eval_load(in, op->results[0].type, a.p);
		return true;
	case OP_STORE:
		eval_store(ir_operand(op, 0)->type, b.p, a);
		return true;
	case OP_COPY:
		memcpy(b.p, a.p, ir_type_size(ir_operand(op, 0)->type->elem));
		return true;
	case OP_LIBC_MEMCPY:
		memmove(exec_operand(in, op, 2).p, b.p, a.i); /* both may be the same place */
		return true;
	case OP_LIBC_MEMSET:
		memset(b.p, (int)exec_operand(in, op, 2).i, a.i);
		return true;
	case OP_NOT:
		*out = of_int(op->results[0].type, ~a.i);
		return true;
	case OP_ADD_OVERFLOW:
	case OP_SUB_OVERFLOW:
	case OP_MUL_OVERFLOW:
		return eval_overflow(in, op, (int64_t)a.i, (int64_t)b.i);
	case OP_GET_MEMBER:
		out->p = (char *)a.p + ir_record_offset(ir_operand(op, 0)->type->elem,
		                                        (uint32_t)ir_op_uint(op, NAME_index, 0));
		return true;
	case OP_PTR_STRIDE:
		out->p = step(op, a, b);
		return true;
	case OP_BASE_CLASS_ADDR:
		out->p = (char *)a.p + ir_op_uint(op, NAME_offset, 0);
		return true;
	default: {
		uint64_t bits;
		if (eval_vector(in, op, a, b, out))
			return true;
		if (!eval_binary(op, a.i, b.i, &bits))
			return false;
		*out = of_int(op->results[0].type, bits);
		return true;
	}
	}
}

uint64_t eval_size(IrType *t)
{
	return ir_type_size(t);
}
