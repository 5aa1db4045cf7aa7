/* Which values are parts of an exception: forward from the pads, through casts, block arguments, and the slots that code of -O0
 * keeps them in. */
#include "lift/lifter.h"

typedef VEC(IrValue *) Values;

static bool is_undefined(const IrValue *v)
{
	const IrAttr *a =
	    !v->is_arg && v->def.op->kind == OP_CONST ? ir_op_attr(v->def.op, NAME_value) : NULL;
	return a && (a->kind == ATTR_POISON || a->kind == ATTR_UNDEF);
}

static bool is_constant(const IrValue *v)
{
	return !v->is_arg && v->def.op->kind == OP_CONST;
}

static void set_part(Lift *l, Values *work, IrValue *v, Part p)
{
	if (p == PART_NONE || lift_part(l, v) != PART_NONE)
		return;
	while (l->parts.len <= v->id)
		vec_push(l->mem, &l->parts, PART_NONE);
	l->parts.data[v->id] = (uint8_t)p;
	vec_push(l->mem, work, v);
}

void lift_copy_part(Lift *l, const IrValue *from, const IrValue *to)
{
	Values unused = {0};
	set_part(l, &unused, (IrValue *)(uintptr_t)to, lift_part(l, from));
}

/* Slots */

static bool is_address_of(const IrUse *u)
{
	uint32_t at = (uint32_t)(u - u->user->operands);
	return (u->user->kind == OP_LOAD && at == 0) || (u->user->kind == OP_STORE && at == 1);
}

static bool holds_part(Part p)
{
	return p == PART_POINTER || p == PART_SELECTOR || p == PART_PAIR;
}

/* What all stores into a variable have stored. A function of -O0 has one for all its pads: each store is counted once. */
typedef struct Slot {
	uint32_t open; /* stores of what is no part, as far as is known */
	Part part;     /* of the others */
	bool mixed;    /* or used otherwise */
} Slot;

static const IrValue *stored_value(const IrUse *u)
{
	const IrValue *v = u->user->kind == OP_STORE ? ir_operand(u->user, 0) : NULL;
	return v && !is_undefined(v) ? v : NULL;
}

static void note_slot(Lift *l, IrOp *op)
{
	if (op->kind != OP_ALLOCA)
		return;
	Slot *s = arena_new(l->mem, Slot);
	*s = (Slot){0};
	IR_FOR_USES (u, &op->results[0]) {
		s->mixed |= !is_address_of(u) || ir_op_has(u->user, NAME_is_volatile_flag);
		s->open += stored_value(u) != NULL;
	}
	ptrmap_put(l->mem, &l->slots, &op->results[0], s);
}

bool lift_is_slot(const Lift *l, const IrValue *address)
{
	const Slot *s = ptrmap_get(&l->slots, address);
	return s && !s->open && !s->mixed && s->part != PART_NONE;
}

/* A part is stored. Once there is nothing else, it is what loads give. */
static void store_part(Lift *l, Values *work, Part p, IrValue *address)
{
	Slot *s = ptrmap_get(&l->slots, address);
	if (!s || !holds_part(p))
		return;
	s->mixed |= s->part != PART_NONE && s->part != p;
	s->part = p;
	s->open--;
	if (!lift_is_slot(l, address))
		return;
	IR_FOR_USES (u, address)
		if (u->user->kind == OP_LOAD)
			set_part(l, work, &u->user->results[0], p);
}

/* Results */

static Part part_of_member(const IrOp *op, Part whole)
{
	if (whole != PART_PAIR)
		return PART_NONE;
	return ir_op_uint(op, NAME_index, 2) == 0 ? PART_POINTER : PART_SELECTOR;
}

static Part part_with_member(const Lift *l, const IrOp *op)
{
	const IrValue *whole = ir_operand(op, 0);
	Part member = lift_part(l, ir_operand(op, 1)), rest = lift_part(l, whole);
	Part wanted = ir_op_uint(op, NAME_index, 2) == 0 ? PART_POINTER : PART_SELECTOR;
	if (member != wanted)
		return PART_NONE;
	return is_undefined(whole)                      ? PART_HALF
	       : rest == PART_HALF || rest == PART_PAIR ? PART_PAIR
	                                                : PART_NONE;
}

static bool is_zero(const IrValue *v)
{
	uint64_t n = 1;
	return is_constant(v) && ir_attr_get_u64(ir_op_attr(v->def.op, NAME_value), &n) && n == 0;
}

/* Is it equal to the number of a type, or below zero, which filters give? */
static bool is_test(const Lift *l, const IrOp *op)
{
	const IrValue *a = ir_operand(op, 0), *b = ir_operand(op, 1);
	Part x = lift_part(l, a), y = lift_part(l, b);
	bool plain = op->kind == OP_CMP;
	unsigned kind = ir_op_enum(op, NAME_kind, 0);
	bool equal =
	    plain ? kind == CMP_EQ || kind == CMP_NE : kind == LLVM_PREDICATE_EQ || kind == LLVM_PREDICATE_NE;
	if (equal)
		return (x == PART_SELECTOR && y == PART_TYPE) || (x == PART_TYPE && y == PART_SELECTOR);
	bool less = kind == (plain ? (unsigned)CMP_LT : (unsigned)LLVM_PREDICATE_SLT);
	return less && x == PART_SELECTOR && is_zero(b);
}

static bool is_logic(const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, 0);
	switch (op->kind) {
	case OP_AND:
	case OP_OR:
	case OP_XOR:
	case OP_NOT:
	case OP_SELECT:
		return true;
	case OP_BINARY:
		return kind == LLVM_BINARY_AND || kind == LLVM_BINARY_OR || kind == LLVM_BINARY_XOR;
	default:
		return false;
	}
}

static bool is_logic_of_tests(const Lift *l, const IrOp *op)
{
	if (!is_logic(op) || op->results[0].type->kind != TYPE_BOOL)
		return false;
	for (uint32_t i = 0; i < op->noperands; i++) {
		const IrValue *v = ir_operand(op, i);
		if (lift_part(l, v) != PART_TEST && !is_constant(v))
			return false;
	}
	return true;
}

static Part part_of_result(const Lift *l, const IrOp *op)
{
	switch (op->kind) {
	case OP_CAST:
	case OP_FREEZE:
		return lift_part(l, ir_operand(op, 0));
	case OP_EXTRACT_MEMBER:
		return part_of_member(op, lift_part(l, ir_operand(op, 0)));
	case OP_INSERT_MEMBER:
		return part_with_member(l, op);
	case OP_CMP:
	case OP_COMPARE:
		return is_test(l, op) ? PART_TEST : PART_NONE;
	default:
		return is_logic_of_tests(l, op) ? PART_TEST : PART_NONE;
	}
}

/* Where a selector is known to be that of a type, optimizers use the one for the other: a comparison of two selectors. */
static void name_known_type(Lift *l, Values *work, IrOp *op)
{
	if (op->kind != OP_CMP || lift_part(l, ir_operand(op, 0)) != PART_SELECTOR ||
	    lift_part(l, ir_operand(op, 1)) != PART_SELECTOR)
		return;
	for (uint32_t i = 0; i < 2; i++) {
		const Name *type = lift_known_type(l, ir_operand(op, i), op->block);
		if (!type)
			continue;
		IrBuilder b = ir_before(l->m, op);
		IrOp *number = ir_build(&b, OP_EH_TYPEID, l->m->u32, NULL, 0);
		ir_op_set_attr(l->m, number, ir_known_name(l->m, NAME_type_sym),
		               ir_attr_symbol(l->m, (Name *)(uintptr_t)type));
		IrValue *v = ir_build_cast(&b, CAST_INTEGRAL, &number->results[0], ir_operand(op, i)->type);
		set_part(l, work, &number->results[0], PART_TYPE);
		set_part(l, work, v, PART_TYPE);
		ir_set_operand(op, i, v);
		return;
	}
}

static void follow_use(Lift *l, Values *work, const IrUse *u)
{
	IrOp *op = u->user;
	uint32_t at = (uint32_t)(u - op->operands);
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		const IrSucc *s = &op->succs[i];
		Part p = lift_part(l, u->value);
		if (at >= s->first && at < s->first + s->nargs && holds_part(p))
			set_part(l, work, s->dest->args[at - s->first], p);
	}
	if (op->kind == OP_STORE && at == 0)
		store_part(l, work, lift_part(l, u->value), ir_operand(op, 1));
	else if (op->nresults == 1 && !op->nsuccs)
		set_part(l, work, &op->results[0], part_of_result(l, op));
}

static void start(Lift *l, Values *work, IrOp *op)
{
	if (op->kind == OP_EH_INFLIGHT) {
		set_part(l, work, &op->results[0], PART_POINTER);
		set_part(l, work, &op->results[1], PART_SELECTOR);
	} else if (op->kind == OP_LANDING_PAD) {
		set_part(l, work, &op->results[0], PART_PAIR);
	} else if (lift_role(l->table, op) == LIFT_TYPE) {
		set_part(l, work, &op->results[0], PART_TYPE);
	}
}

static void follow_all(Lift *l, Values *work)
{
	while (work->len) {
		IrValue *v = work->data[--work->len];
		IR_FOR_USES (u, v)
			follow_use(l, work, u);
		if (lift_part(l, v) == PART_TEST)
			lift_note_types(l, v);
	}
}

void lift_find_parts(Lift *l)
{
	Values work = {0};
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		IR_FOR_OPS (op, b) {
			note_slot(l, op);
			start(l, &work, op);
		}
	follow_all(l, &work);
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		IR_FOR_OPS (op, b)
			name_known_type(l, &work, op);
	follow_all(l, &work);
}

/* What they may be used for */

static bool takes(LiftRole role)
{
	return role == LIFT_BEGIN || role == LIFT_OBJECT || role == LIFT_TERMINATE || role == LIFT_UNEXPECTED;
}

/* A reference to a caught pointer: it stands in the exception object, behind the header of the unwinder, which only C++ knows. */
bool lift_is_object_address(const Lift *l, const IrOp *op)
{
	enum { UNWIND_HEADER = 32 };
	uint64_t step = 0;
	const IrAttr *elem = op->kind == OP_GEP ? ir_op_attr(op, NAME_elem_type) : NULL;
	return elem && op->noperands == 2 && lift_part(l, ir_operand(op, 0)) == PART_POINTER &&
	       elem->type->kind == TYPE_INT && elem->type->width == 8 && is_constant(ir_operand(op, 1)) &&
	       ir_attr_get_u64(ir_op_attr(ir_operand(op, 1)->def.op, NAME_value), &step) &&
	       step == UNWIND_HEADER;
}

static bool is_fine(const Lift *l, const IrUse *u)
{
	const IrOp *op = u->user;
	uint32_t at = (uint32_t)(u - op->operands);
	Part p = lift_part(l, u->value);
	if (p == PART_TYPE)
		return op->nresults == 1 && !op->nsuccs && lift_part(l, &op->results[0]) != PART_NONE;
	if (p == PART_TEST || op->kind == OP_RESUME_FLAT || op->kind == OP_RESUME_VALUE)
		return true;
	if (at >= ir_op_nmain(op))
		return true; /* to a block, which check_edges() looks at */
	if (lift_is_object_address(l, op))
		return true;
	if (op->kind == OP_STORE)
		return at == 0 && lift_is_slot(l, ir_operand(op, 1));
	if (op->nresults == 1 && !op->nsuccs && lift_vanishes(l, &op->results[0]))
		return true;
	return p == PART_POINTER && takes(lift_role(l->table, op));
}

static void check_uses(Lift *l, const IrValue *v)
{
	Part p = lift_part(l, v);
	if (p == PART_NONE)
		return;
	IR_FOR_USES (u, v) {
		if (is_fine(l, u))
			continue;
		lift_error(l, u->user, "%s",
		           p == PART_SELECTOR ? "computes with the selector of an exception"
		           : p == PART_TYPE   ? "computes with the number of a type"
		                              : "lets the pointer to an exception escape");
		return;
	}
}

static void check_edges(Lift *l, const IrOp *op)
{
	for (uint32_t i = 0; i < op->nsuccs; i++)
		for (uint32_t k = 0; k < op->succs[i].nargs; k++) {
			const IrValue *v = ir_succ_arg(&op->succs[i], k), *arg = op->succs[i].dest->args[k];
			Part p = lift_part(l, arg);
			if (p != PART_NONE && lift_part(l, v) != p && !is_undefined(v))
				lift_error(l, op,
				           "passes on something that is no exception where others pass one");
		}
}

static void check_result(Lift *l, const IrOp *op, const IrValue *v)
{
	check_uses(l, v);
	if (lift_part(l, v) == PART_TEST && lift_is_large_test(l, v))
		lift_error(l, op, "combines too many comparisons of a selector");
}

void lift_check_parts(Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0]) {
		for (uint32_t i = 0; i < b->nargs; i++)
			check_uses(l, b->args[i]);
		IR_FOR_OPS (op, b) {
			for (uint32_t i = 0; i < op->nresults; i++)
				check_result(l, op, &op->results[i]);
			check_edges(l, op);
		}
	}
}
