/* Aggregates and vectors as values. */
#include "raise/raiser.h"

static void set_indices(Raise *r, IrOp *op, LLVMValueRef v)
{
	unsigned n = LLVMGetNumIndices(v);
	const unsigned *from = LLVMGetIndices(v);
	const IrAttr **to = raise_array(&r->body, sizeof *to, n);
	for (unsigned i = 0; i < n; i++)
		to[i] = ir_attr_i64(r->m, from[i]);
	ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_indices), ir_attr_array(r->m, to, n));
}

static bool is_member(const IrType *t, LLVMValueRef v)
{
	return t->kind == TYPE_RECORD && LLVMGetNumIndices(v) == 1;
}

/* What the invoker of op_eh.c took apart already is found there. */
void raise_extract_value(Raise *r, LLVMValueRef v)
{
	LLVMValueRef whole = LLVMGetOperand(v, 0);
	RaisePair *pair = ptrmap_get(&r->pairs, whole);
	if (pair) {
		raise_result(r, pair->parts[LLVMGetIndices(v)[0]]);
		return;
	}
	IrType *t = raise_memory_type(r, LLVMTypeOf(v));
	IrValue *x = raise_use(r, whole);
	if (!x || !t)
		return;
	bool member = is_member(x->type, v);
	IrOp *op = raise_op(r, member ? OP_EXTRACT_MEMBER : OP_EXTRACT_VALUE, t, &x, 1);
	if (member)
		raise_int(r, op, NAME_index, LLVMGetIndices(v)[0]);
	else
		set_indices(r, op, v);
	raise_result(r, &op->results[0]);
}

void raise_insert_value(Raise *r, LLVMValueRef v)
{
	IrValue *x = raise_use(r, LLVMGetOperand(v, 0)), *part = raise_use_in_memory(r, LLVMGetOperand(v, 1));
	if (!x || !part)
		return;
	bool member = is_member(x->type, v);
	IrOp *op =
	    raise_op(r, member ? OP_INSERT_MEMBER : OP_INSERT_VALUE, x->type, (IrValue *[]){x, part}, 2);
	if (member)
		raise_int(r, op, NAME_index, LLVMGetIndices(v)[0]);
	else
		set_indices(r, op, v);
	raise_result(r, &op->results[0]);
}

/* An index counts without a sign. */
static IrValue *index_of(Raise *r, LLVMValueRef v)
{
	return raise_use_as(r, v, ir_type_int(r->m, LLVMGetIntTypeWidth(LLVMTypeOf(v)), false, false));
}

void raise_extract_element(Raise *r, LLVMValueRef v)
{
	IrValue *x = raise_use(r, LLVMGetOperand(v, 0)), *i = index_of(r, LLVMGetOperand(v, 1));
	if (x && i)
		raise_result(r,
		             &raise_op(r, OP_VEC_EXTRACT, x->type->elem, (IrValue *[]){x, i}, 2)->results[0]);
}

void raise_insert_element(Raise *r, LLVMValueRef v)
{
	IrValue *x = raise_use(r, LLVMGetOperand(v, 0)), *lane = raise_use(r, LLVMGetOperand(v, 1));
	IrValue *i = index_of(r, LLVMGetOperand(v, 2));
	if (x && lane && i)
		raise_result(r,
		             &raise_op(r, OP_VEC_INSERT, x->type, (IrValue *[]){lane, x, i}, 3)->results[0]);
}

void raise_shuffle(Raise *r, LLVMValueRef v)
{
	IrValue *a = raise_use(r, LLVMGetOperand(v, 0)), *b = raise_use(r, LLVMGetOperand(v, 1));
	IrType *t = raise_type(r, LLVMTypeOf(v));
	if (!a || !b || !t)
		return;
	unsigned n = LLVMGetNumMaskElements(v);
	const IrAttr **mask = raise_array(&r->body, sizeof *mask, n);
	for (unsigned i = 0; i < n; i++) {
		int at = LLVMGetMaskValue(v, i);
		mask[i] =
		    ir_attr_int(r->m, r->m->s32, (uint64_t)(int64_t)(at == LLVMGetUndefMaskElem() ? -1 : at));
	}
	IrOp *op = raise_op(r, OP_VEC_SHUFFLE, t, (IrValue *[]){a, b}, 2);
	ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_indices), ir_attr_array(r->m, mask, n));
	raise_result(r, &op->results[0]);
}
