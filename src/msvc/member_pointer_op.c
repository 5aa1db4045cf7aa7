#include "ir/function_entry.h"
#include "msvc/member_pointer_internal.h"

/* Values that are pointers to members keep their types until the ops are done. */

static IrValue *bitcast(IrBuilder *b, IrValue *v, IrType *to)
{
	return ir_build_cast(b, CAST_BITCAST, v, to);
}

static IrValue *equal(IrBuilder *b, IrValue *x, IrValue *y)
{
	return ir_build_cmp(b, CMP_EQ, x, y);
}

static IrValue *negate(IrBuilder *b, IrValue *v)
{
	return &ir_build(b, OP_NOT, v->type, &v, 1)->results[0];
}

/* Uses */

static IrValue *step(IrBuilder *b, IrValue *p, IrValue *bytes)
{
	IrType *type = ir_type_ptr_in(b->m, b->m->u8, p->type->attr);
	return ms_member_binary(b, OP_PTR_STRIDE, type, ir_build_bitcast(b, p, type), bytes);
}

static IrValue *load_at(IrBuilder *b, IrValue *p, IrValue *bytes, IrType *type)
{
	return ir_build_load(b, ir_build_bitcast(b, step(b, p, bytes), ir_type_ptr(b->m, type)));
}

/*	vbptr = object + where the form or the class says
 *	vbptr + *(int32 *)(*(char **)vbptr + vbtable)
 */
static IrValue *virtual_base(IrBuilder *b, const MemberForm *form, IrValue *v, IrValue *object)
{
	IrValue *where = ms_member_has(form, PART_VBPTR)
	                     ? ms_member_part(b, form, v, PART_VBPTR)
	                     : ir_build_const_int(b, b->m->s32, (uint64_t)form->model.vbptr.offset);
	IrValue *vbptr = step(b, object, where);
	IrValue *table = ir_build_load(b, bitcast(b, vbptr, ir_type_ptr(b->m, ir_type_ptr(b->m, b->m->u8))));
	return step(b, vbptr, load_at(b, table, ms_member_part(b, form, v, PART_VBTABLE), b->m->s32));
}

/* An object of a class of the unspecified model may have no vbtable, so it is asked for only where
 * the pointer leads into a virtual base.
 *
 * 	  brcond vbtable == 0 ^rest(object), ^look
 * 	^look:
 * 	  br ^rest(virtual base)
 * 	^rest(base):
 */
static IrValue *maybe_virtual_base(IrBuilder *b, const MemberForm *form, IrValue *v, IrValue *object)
{
	IrValue *place = ms_member_part(b, form, v, PART_VBTABLE);
	IrValue *fixed = equal(b, place, ir_build_const_int(b, b->m->s32, 0));
	IrOp *op = b->before;
	abi_entry_keep_variables(op);
	IrBlock *head = op->block, *rest = ir_block_split(b->m, head, op, b->loc);
	IrBlock *look = ir_block_create(b->m, b->loc);
	ir_block_insert_after(head, look);
	IrValue *base = ir_block_add_arg(b->m, rest, object->type);
	IrBuilder at = ir_at_end(b->m, head, b->loc);
	ir_build_brcond(&at, fixed, (IrSuccSpec){rest, &object, 1}, (IrSuccSpec){look, NULL, 0});
	at = ir_at_end(b->m, look, b->loc);
	IrValue *found = virtual_base(&at, form, v, object);
	ir_build_br(&at, rest, &found, 1);
	*b = ir_before(b->m, op);
	return base;
}

/* Where what the pointer tells is counted from. Itanium's layout has no vbtable, and no
 * pointer that leads into a virtual base. */
static IrValue *base_of(IrBuilder *b, const MemberForm *form, IrValue *v, IrValue *object)
{
	IrType *bytes = ir_type_ptr_in(b->m, b->m->u8, object->type->attr);
	object = ir_build_bitcast(b, object, bytes);
	if (form->model.inheritance == MS_UNSPECIFIED)
		return maybe_virtual_base(b, form, v, object);
	return form->model.vbptr.kind == MS_VBPTR_MICROSOFT ? virtual_base(b, form, v, object) : object;
}

static IrValue *lower_runtime_member(IrBuilder *b, const MemberOp *o)
{
	IrValue *member = ir_operand(o->op, 1);
	IrValue *base = base_of(b, o->form, member, ir_operand(o->op, 0));
	IrValue *offset = ms_member_part(b, o->form, member, PART_FIRST);
	return bitcast(b, step(b, base, offset), o->op->results[0].type);
}

static IrValue *lower_get_method(IrBuilder *b, const MemberOp *o)
{
	IrValue *method = ir_operand(o->op, 0), *object = ir_operand(o->op, 1), *this = &o->op->results[1];
	if (ms_member_is_record(o->form)) {
		IrValue *base = base_of(b, o->form, method, object);
		object = step(b, base, ms_member_part(b, o->form, method, PART_ADJUST));
	}
	ir_value_replace(this, ir_build_bitcast(b, object, this->type));
	return bitcast(b, ms_member_part(b, o->form, method, PART_FIRST), o->op->results[0].type);
}

static IrValue *equal_parts(IrBuilder *b, const MemberForm *form, IrValue *x, IrValue *y, MemberPart part)
{
	IrValue *of_x = ms_member_part(b, form, x, part), *of_y = ms_member_part(b, form, y, part);
	return equal(b, of_x, of_y);
}

/* Equal in all parts, or two null functions. Forms of one part compare as they are. */
static IrValue *compare(Members *p, IrBuilder *b, const MemberOp *o)
{
	IrType *truth = ir_type_simple(b->m, TYPE_BOOL);
	IrValue *x = ir_operand(o->op, 0), *y = ir_operand(o->op, 1), *rest = NULL;
	IrValue *same = equal_parts(b, o->form, x, y, PART_FIRST);
	for (MemberPart part = PART_FIRST + 1; part < PART_COUNT; part++) {
		if (!ms_member_has(o->form, part))
			continue;
		IrValue *also = equal_parts(b, o->form, x, y, part);
		rest = rest ? ms_member_binary(b, OP_AND, truth, rest, also) : also;
	}
	if (o->is_method)
		rest = ms_member_binary(b, OP_OR, truth, ms_member_is_null(p, b, o->form, x), rest);
	same = ms_member_binary(b, OP_AND, truth, same, rest);
	return ir_op_enum(o->op, NAME_kind, CMP_EQ) == CMP_EQ ? same : negate(b, same);
}

static IrValue *lower_to_bool(Members *p, IrBuilder *b, const MemberOp *o)
{
	IrValue *v = ir_operand(o->op, 0);
	if (o->is_method)
		return ir_build_cast(b, CAST_PTR_TO_BOOL, ms_member_part(b, o->form, v, PART_FIRST),
		                     ir_type_simple(b->m, TYPE_BOOL));
	if (!ms_member_is_record(o->form))
		return ir_build_cmp(b, CMP_NE, v, ir_build_const(b, ms_member_null(p, o->form)));
	return negate(b, ms_member_is_null(p, b, o->form, v));
}

static IrValue *lower_cast(Members *p, IrBuilder *b, const MemberOp *o)
{
	unsigned kind = ir_op_enum(o->op, NAME_kind, CAST_BITCAST);
	return kind == CAST_BITCAST ? ms_member_reinterpret(p, b, o) : lower_to_bool(p, b, o);
}

static IrValue *lower_op(Members *p, IrBuilder *b, const MemberOp *o)
{
	switch (o->op->kind) {
	case OP_GET_RUNTIME_MEMBER:
		return lower_runtime_member(b, o);
	case OP_GET_METHOD:
		return lower_get_method(b, o);
	case OP_CAST:
		return lower_cast(p, b, o);
	case OP_CMP:
		return compare(p, b, o);
	default:
		return ms_member_cast(p, b, o);
	}
}

/* The walk */

static bool is_member_pointer(const IrType *t)
{
	return t->kind == TYPE_DATA_MEMBER || t->kind == TYPE_METHOD;
}

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
	case OP_CAST: /* to a bool, or a reinterpret_cast */
	case OP_CMP:
		return is_member_pointer(ir_operand(op, 0)->type) ? ir_operand(op, 0) : NULL;
	default:
		return NULL;
	}
}

static bool find_forms(Members *p, IrOp *op, const IrValue *v, MemberOp *out)
{
	IrType *result = op->results[0].type;
	bool casts = is_member_pointer(result);
	p->loc = op->loc;
	*out = (MemberOp){.op = op, .type = v->type, .is_method = v->type->kind == TYPE_METHOD};
	out->form = ms_member_form(p, v->type);
	out->result = casts ? ms_member_form(p, result) : NULL;
	return out->form && (!casts || out->result) && (op->kind != OP_CMP || ms_member_is_record(out->form));
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
