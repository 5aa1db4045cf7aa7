#include "abi/ms_member_internal.h"

/* Values that are pointers to members keep their types until the ops are done. */

static IrValue *bitcast(IrBuilder *b, IrValue *v, IrType *to)
{
	return ir_build_cast(b, CAST_BITCAST, v, to);
}

static IrValue *binary(IrBuilder *b, OpKind kind, IrType *type, IrValue *x, IrValue *y)
{
	IrValue *operands[] = {x, y};
	return &ir_build(b, kind, type, operands, 2)->results[0];
}

static IrValue *select(IrBuilder *b, IrType *type, IrValue *cond, IrValue *x, IrValue *y)
{
	IrValue *operands[] = {cond, x, y};
	return &ir_build(b, OP_SELECT, type, operands, 3)->results[0];
}

static IrValue *number(IrBuilder *b, uint64_t v)
{
	return ir_build_const_int(b, b->m->s32, v);
}

enum { PART_FUNCTION, PART_ADJUSTMENT };

static void set_index(IrBuilder *b, IrOp *op, unsigned i)
{
	ir_op_set_attr(b->m, op, ir_known_name(b->m, NAME_index), ir_attr_i64(b->m, i));
}

static IrValue *part(IrBuilder *b, IrValue *method, unsigned i)
{
	IrOp *op = ir_build(b, OP_EXTRACT_MEMBER, i == PART_FUNCTION ? b->m->voidp : b->m->s32, &method, 1);
	set_index(b, op, i);
	return &op->results[0];
}

static IrValue *with_part(IrBuilder *b, IrType *type, IrValue *method, unsigned i, IrValue *v)
{
	IrValue *operands[] = {method, v};
	IrOp *op = ir_build(b, OP_INSERT_MEMBER, type, operands, 2);
	set_index(b, op, i);
	return &op->results[0];
}

static bool is_pair(const MemberForm *form)
{
	return form->type->kind == TYPE_RECORD;
}

static IrValue *function_of(IrBuilder *b, const MemberForm *form, IrValue *method)
{
	return is_pair(form) ? part(b, method, PART_FUNCTION) : method;
}

static IrValue *is_not_null(IrBuilder *b, IrValue *p)
{
	return ir_build_cast(b, CAST_PTR_TO_BOOL, p, ir_type_simple(b->m, TYPE_BOOL));
}

/* Uses */

static IrValue *step(IrBuilder *b, IrValue *p, IrValue *bytes)
{
	IrType *type = ir_type_ptr_in(b->m, b->m->u8, p->type->attr);
	return binary(b, OP_PTR_STRIDE, type, ir_build_bitcast(b, p, type), bytes);
}

static IrValue *lower_runtime_member(IrBuilder *b, const IrOp *op)
{
	return bitcast(b, step(b, ir_operand(op, 0), ir_operand(op, 1)), op->results[0].type);
}

static IrValue *lower_get_method(IrBuilder *b, const MemberOp *o)
{
	IrValue *method = ir_operand(o->op, 0), *object = ir_operand(o->op, 1), *this = &o->op->results[1];
	if (is_pair(o->form))
		object = step(b, object, part(b, method, PART_ADJUSTMENT));
	ir_value_replace(this, ir_build_bitcast(b, object, this->type));
	return bitcast(b, function_of(b, o->form, method), o->op->results[0].type);
}

static IrValue *lower_to_bool(Members *p, IrBuilder *b, const MemberOp *o)
{
	IrValue *v = ir_operand(o->op, 0);
	if (o->is_method)
		return is_not_null(b, function_of(b, o->form, v));
	return ir_build_cmp(b, CMP_NE, v, ir_build_const(b, ms_member_null(p, o->form)));
}

/* Equal functions, and equal adjustments unless both are null. Other forms compare as they are. */
static IrValue *compare_pairs(IrBuilder *b, const IrOp *op)
{
	IrType *truth = ir_type_simple(b->m, TYPE_BOOL);
	IrValue *x = ir_operand(op, 0), *y = ir_operand(op, 1), *f = part(b, x, PART_FUNCTION);
	IrValue *same = ir_build_cmp(b, CMP_EQ, f, part(b, y, PART_FUNCTION));
	IrValue *same_adjustment =
	    ir_build_cmp(b, CMP_EQ, part(b, x, PART_ADJUSTMENT), part(b, y, PART_ADJUSTMENT));
	IrValue *is_null = ir_build_cmp(b, CMP_EQ, f, ir_build_const(b, ir_attr_null(b->m, b->m->voidp)));
	same = binary(b, OP_AND, truth, same, binary(b, OP_OR, truth, is_null, same_adjustment));
	if (ir_op_enum(op, NAME_kind, CMP_EQ) == CMP_EQ)
		return same;
	return &ir_build(b, OP_NOT, truth, &same, 1)->results[0];
}

/* Casts between classes */

typedef struct Cast {
	const MemberForm *from, *to;
	OpKind move; /* OP_ADD, towards the derived class, or OP_SUB */
	uint64_t offset;
} Cast;

static IrValue *cast_data(Members *p, IrBuilder *b, const Cast *c, IrValue *v)
{
	const IrAttr *null = ms_member_null(p, c->from), *new_null = ms_member_null(p, c->to);
	IrType *type = c->to->type;
	if (!c->offset && null == new_null)
		return v;
	IrValue *is_null = ir_build_cmp(b, CMP_EQ, v, ir_build_const(b, null));
	IrValue *moved = c->offset ? binary(b, c->move, type, v, number(b, c->offset)) : v;
	return select(b, type, is_null, ir_build_const(b, new_null), moved);
}

/* A class that inherits singly has no room for the adjustment, which is none if C++ allows the cast. */
static IrValue *cast_method(IrBuilder *b, const Cast *c, IrValue *v)
{
	IrType *s32 = b->m->s32;
	if (!is_pair(c->to))
		return function_of(b, c->from, v);
	if (is_pair(c->from) && !c->offset)
		return v;
	IrValue *f = function_of(b, c->from, v);
	IrValue *old = is_pair(c->from) ? part(b, v, PART_ADJUSTMENT) : number(b, 0);
	IrValue *moved = c->offset ? binary(b, c->move, s32, old, number(b, c->offset)) : old;
	IrValue *pair = ir_build_const(b, ir_attr_zero(b->m, c->to->type));
	pair = with_part(b, c->to->type, pair, PART_FUNCTION, f);
	return with_part(b, c->to->type, pair, PART_ADJUSTMENT,
	                 select(b, s32, is_not_null(b, f), moved, old));
}

static IrValue *lower_member_cast(Members *p, IrBuilder *b, const MemberOp *o)
{
	const IrOp *op = o->op;
	bool to_base = op->kind == OP_BASE_DATA_MEMBER || op->kind == OP_BASE_METHOD;
	Cast c = {.from = o->form, .to = o->result, .move = to_base ? OP_SUB : OP_ADD};
	c.offset = ir_op_uint(op, NAME_offset, 0);
	if (c.offset > INT32_MAX || (o->is_method && !is_pair(c.to) && c.offset && !to_base)) {
		diag_error(p->t->d, op->loc,
		           "'%s' op: the Microsoft form of the result has no room for the adjustment",
		           op_info[op->kind].name);
		p->ok = false;
		return NULL;
	}
	IrValue *v = ir_operand(op, 0);
	if (v == &op->results[0]) /* in code that is never reached */
		v = ir_build_const(b, ms_member_null(p, c.from));
	return o->is_method ? cast_method(b, &c, v) : cast_data(p, b, &c, v);
}

static IrValue *lower_op(Members *p, IrBuilder *b, const MemberOp *o)
{
	switch (o->op->kind) {
	case OP_GET_RUNTIME_MEMBER:
		return lower_runtime_member(b, o->op);
	case OP_GET_METHOD:
		return lower_get_method(b, o);
	case OP_CAST:
		return lower_to_bool(p, b, o);
	case OP_CMP:
		return compare_pairs(b, o->op);
	default:
		return lower_member_cast(p, b, o);
	}
}

/* The walk */

/* The operand that is a pointer to a member; NULL: the op has none, or does the same with what stands for it. */
static IrValue *member_operand(const IrOp *op)
{
	switch (op->kind) {
	case OP_GET_RUNTIME_MEMBER:
		return ir_operand(op, 1);
	case OP_GET_METHOD:
	case OP_BASE_DATA_MEMBER:
	case OP_DERIVED_DATA_MEMBER:
	case OP_BASE_METHOD:
	case OP_DERIVED_METHOD:
		return ir_operand(op, 0);
	case OP_CAST:
		return ir_op_enum(op, NAME_kind, CAST_BITCAST) == CAST_MEMBER_PTR_TO_BOOL ? ir_operand(op, 0)
		                                                                          : NULL;
	case OP_CMP:
		return ir_operand(op, 0)->type->kind == TYPE_METHOD ? ir_operand(op, 0) : NULL;
	default:
		return NULL;
	}
}

static bool find_forms(Members *p, IrOp *op, const IrValue *v, MemberOp *out)
{
	IrType *result = op->results[0].type;
	bool casts = result->kind == TYPE_DATA_MEMBER || result->kind == TYPE_METHOD;
	p->loc = op->loc;
	*out = (MemberOp){.op = op, .is_method = v->type->kind == TYPE_METHOD};
	out->form = ms_member_form(p, v->type);
	out->result = casts ? ms_member_form(p, result) : NULL;
	return out->form && (!casts || out->result) && (op->kind != OP_CMP || is_pair(out->form));
}

/* Forms first: an op in another's place has no type that tells a class. */
void ms_member_lower_ops(Members *p)
{
	const IrRegion *body = &p->m->body;
	VEC(MemberOp) ops = {0};
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		const IrValue *v = member_operand(op);
		MemberOp o;
		if (v && find_forms(p, op, v, &o))
			vec_push(&p->m->scratch, &ops, o);
	}
	for (uint32_t i = 0; i < ops.len; i++) {
		IrOp *op = ops.data[i].op;
		IrBuilder b = ir_before(p->m, op);
		IrValue *result = lower_op(p, &b, &ops.data[i]);
		if (!result)
			continue;
		ir_value_replace(&op->results[0], result);
		ir_op_erase(op);
	}
}
