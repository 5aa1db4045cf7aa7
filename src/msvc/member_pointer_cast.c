/* Casts between classes, of which one inherits from the other without a virtual base between (C++
 * [conv.mem]). What such a pointer leads to may be in a virtual base of both; then the bases' places in the
 * two vtables differ, and nothing else. */
#include "msvc/member_pointer_internal.h"

typedef struct Cast {
	Members *p;
	IrBuilder *b;
	const MemberOp *op;
	const MemberForm *from, *to;
	OpKind move; /* OP_ADD, towards the derived class, or OP_SUB */
	uint64_t offset;
} Cast;

static IrValue *select(Cast *c, IrValue *cond, IrValue *x, IrValue *y)
{
	IrValue *operands[] = {cond, x, y};
	return &ir_build(c->b, OP_SELECT, x->type, operands, 3)->results[0];
}

static IrValue *number(Cast *c, int64_t v)
{
	return ir_build_const_int(c->b, c->b->m->s32, (uint64_t)v);
}

/* v moved by n, and where `fixed` is not NULL only if it holds. */
static IrValue *moved(Cast *c, IrValue *v, OpKind move, int64_t n, IrValue *fixed)
{
	IrType *s32 = c->b->m->s32;
	if (!n)
		return v;
	IrValue *by = number(c, n);
	if (fixed)
		by = select(c, fixed, by, number(c, 0));
	return ms_member_binary(c->b, move, s32, v, by);
}

/* Offsets of one part */

static IrValue *cast_offset(Cast *c, IrValue *v)
{
	const IrAttr *null = ms_member_null(c->p, c->from), *new_null = ms_member_null(c->p, c->to);
	if (!c->offset && null == new_null)
		return v;
	IrValue *is_null = ms_member_is_null(c->p, c->b, c->from, v);
	IrValue *none = ir_build_const(c->b, new_null);
	return select(c, is_null, none, moved(c, v, c->move, (int64_t)c->offset, NULL));
}

/* Records */

static const char *name_of(const IrType *member_pointer)
{
	const Name *name = member_pointer->members[0]->name;
	return name ? name->text : "(unnamed record)";
}

/* The place of the virtual base in the table of the other class. */
static bool map_vbtable(Cast *c, IrValue **v)
{
	Members *p = c->p;
	MsInfo *from = c->from->model.info, *to = c->to->model.info;
	Loc loc = c->op->op->loc;
	MsVbases old = {0}, new = {0};
	if (c->from->model.vbptr.kind != MS_VBPTR_MICROSOFT)
		return true; /* never leads into one */
	if (!ms_vbases(p->t, from, loc, &old) || (to && !ms_vbases(p->t, to, loc, &new)))
		return false;
	IrValue *place = *v;
	for (uint32_t i = 0; i < old.len; i++) {
		uint32_t at = 0;
		while (at < new.len && !ms_info_same(new.data[at].info, old.data[i].info))
			at++;
		if (at == new.len && c->move == OP_SUB)
			continue; /* the base does not have it */
		if (at == new.len) {
			diag_error(p->t->d, loc,
			           "type info of '%s' does not specify where the virtual base '%s' is; list "
			           "it in 'cir.ms.bases', too",
			           name_of(c->op->op->results[0].type),
			           ms_info_spelling(p->t, old.data[i].info));
			return false;
		}
		if (new.data[at].vbtable == old.data[i].vbtable)
			continue;
		IrValue *is_it = ir_build_cmp(c->b, CMP_EQ, *v, number(c, old.data[i].vbtable));
		place = select(c, is_it, number(c, new.data[at].vbtable), place);
	}
	*v = place;
	return true;
}

/* The parts of what the pointer becomes if it is not null. */
static bool cast_parts(Cast *c, IrValue *v, IrValue *parts[PART_COUNT])
{
	IrBuilder *b = c->b;
	MemberPart moves = c->from->is_data ? PART_FIRST : PART_ADJUST;
	IrValue *zero = number(c, 0), *fixed = NULL;
	parts[PART_FIRST] = ms_member_part(b, c->from, v, PART_FIRST);
	if (!c->from->is_data)
		parts[PART_ADJUST] =
		    ms_member_has(c->from, PART_ADJUST) ? ms_member_part(b, c->from, v, PART_ADJUST) : zero;
	parts[PART_VBPTR] = parts[PART_VBTABLE] = zero;
	if (ms_member_has(c->from, PART_VBTABLE)) {
		parts[PART_VBTABLE] = ms_member_part(b, c->from, v, PART_VBTABLE);
		fixed = ir_build_cmp(b, CMP_EQ, parts[PART_VBTABLE], zero);
	}
	parts[moves] = moved(c, parts[moves], OP_ADD, ms_member_origin(c->from), fixed);
	parts[moves] = moved(c, parts[moves], c->move, (int64_t)c->offset, fixed);
	if (!ms_member_has(c->to, PART_VBTABLE))
		return true;
	if (fixed && !map_vbtable(c, &parts[PART_VBTABLE]))
		return false;
	if (fixed && ms_member_has(c->to, PART_VBPTR) && c->to->model.vbptr.offset)
		parts[PART_VBPTR] = select(c, fixed, zero, number(c, c->to->model.vbptr.offset));
	parts[moves] = moved(c, parts[moves], OP_SUB, ms_member_origin(c->to), fixed);
	return true;
}

static IrValue *with_part(Cast *c, IrValue *record, MemberPart part, IrValue *v)
{
	IrModule *m = c->b->m;
	if (!ms_member_is_record(c->to))
		return v;
	IrValue *operands[] = {record, v};
	IrOp *op = ir_build(c->b, OP_INSERT_MEMBER, c->to->type, operands, 2);
	ir_op_set_attr(m, op, ir_known_name(m, NAME_index), ir_attr_i64(m, c->to->index[part]));
	return &op->results[0];
}

static IrValue *cast_record(Cast *c, IrValue *v)
{
	IrValue *parts[PART_COUNT];
	if (!cast_parts(c, v, parts))
		return NULL;
	IrValue *is_null = ms_member_is_null(c->p, c->b, c->from, v);
	IrValue *result =
	    ms_member_is_record(c->to) ? ir_build_const(c->b, ir_attr_zero(c->b->m, c->to->type)) : NULL;
	for (MemberPart part = 0; part < PART_COUNT; part++) {
		if (!ms_member_has(c->to, part))
			continue;
		IrValue *null = ir_build_const(c->b, ms_member_null_part(c->p, c->to, part));
		bool stays = part == PART_FIRST && !c->to->is_data; /* a null function is null in all forms */
		result =
		    with_part(c, result, part, stays ? parts[part] : select(c, is_null, null, parts[part]));
	}
	return result;
}

/* A class that inherits singly has no room for the adjustment, which is none if C++ allows the cast. */
static bool check_cast(const Cast *c)
{
	bool to_derived = c->move == OP_ADD, adjusts = c->to->is_data || ms_member_has(c->to, PART_ADJUST);
	MsVbptrKind from = c->from->model.vbptr.kind, to = c->to->model.vbptr.kind;
	const IrOp *op = c->op->op;
	Diags *d = c->p->t->d;
	if (c->offset > INT32_MAX || (!adjusts && c->offset && to_derived)) {
		diag_error(d, op->loc, "'%s' op: the Microsoft form of the result cannot hold the adjustment",
		           op_info[op->kind].name);
		return false;
	}
	if (ms_member_has(c->from, PART_VBTABLE) && !c->from->model.knows_bases) {
		diag_error(d, op->loc,
		           "'%s' op: the module does not specify the virtual bases of '%s'; add "
		           "'cir.ms.bases' to its type info",
		           op_info[op->kind].name, name_of(c->op->type));
		return false;
	}
	if (from == MS_VBPTR_NONE || to == MS_VBPTR_NONE || from == to)
		return true;
	diag_error(d, op->loc,
	           "'%s' op: one class has the virtual bases of the Itanium ABI, the other those of the "
	           "Microsoft ABI; use 'vbptr' and 'vbtable' of one ABI in 'cir.ms.bases'",
	           op_info[op->kind].name);
	return false;
}

IrValue *ms_member_cast(Members *p, IrBuilder *b, const MemberOp *o)
{
	const IrOp *op = o->op;
	bool to_base = op->kind == OP_BASE_DATA_MEMBER || op->kind == OP_BASE_METHOD;
	Cast c = {.p = p, .b = b, .op = o, .from = o->form, .to = o->result};
	c.move = to_base ? OP_SUB : OP_ADD;
	c.offset = ir_op_uint(op, NAME_offset, 0);
	IrValue *v = ir_operand(op, 0), *result = NULL;
	if (v == &op->results[0]) /* in code that is never reached */
		v = ir_build_const(b, ms_member_null(p, c.from));
	if (!check_cast(&c))
		p->ok = false;
	else if (c.from->type == c.to->type && !ms_member_has(c.to, PART_VBTABLE) && !c.offset &&
	         ms_member_null(p, c.from) == ms_member_null(p, c.to))
		return v;
	else if (ms_member_is_record(c.from) || ms_member_is_record(c.to))
		result = cast_record(&c, v);
	else
		result = c.from->is_data ? cast_offset(&c, v) : v;
	p->ok &= result != NULL;
	return result;
}

IrValue *ms_member_reinterpret(Members *p, IrBuilder *b, const MemberOp *o)
{
	Cast c = {.p = p, .b = b, .op = o, .from = o->form, .to = o->result};
	IrValue *v = ir_operand(o->op, 0);
	bool same_null = ms_member_null(p, c.from) == ms_member_null(p, c.to);
	if (v == &o->op->results[0]) /* in code that is never reached */
		return ir_build_const(b, ms_member_null(p, c.to));
	if (c.from->type == c.to->type && same_null)
		return v;
	if (c.from->type == c.to->type && !ms_member_is_record(c.from))
		return cast_offset(&c, v);
	diag_error(p->t->d, o->op->loc,
	           "'cir.cast' op: pointers to members of '%s' and of '%s' have different forms in the "
	           "Microsoft ABI; expected classes with the same kind of inheritance",
	           name_of(o->type), name_of(o->op->results[0].type));
	p->ok = false;
	return NULL;
}
