/* Tests of a selector: `selector == typeid(T)`, `selector < 0`, and what and, or, not and select make of them. */
#include "lift/lifter.h"

static const IrValue *without_casts(const IrValue *v)
{
	while (!v->is_arg && (v->def.op->kind == OP_CAST || v->def.op->kind == OP_FREEZE))
		v = ir_operand(v->def.op, 0);
	return v;
}

const Name *lift_tested_type(const Lift *l, const IrValue *number)
{
	const IrValue *v = without_casts(number);
	if (v->is_arg)
		return NULL;
	if (v->def.op->kind == OP_EH_TYPEID)
		return ir_op_symbol(v->def.op, NAME_type_sym);
	if (lift_role(l->table, v->def.op) != LIFT_TYPE)
		return NULL;
	const IrValue *type = without_casts(ir_call_arg(v->def.op, 0));
	return !type->is_arg && type->def.op->kind == OP_GET_GLOBAL ? ir_op_symbol(type->def.op, NAME_symbol)
	                                                            : NULL;
}

static bool is_comparison(const IrOp *op)
{
	return op->kind == OP_CMP || op->kind == OP_COMPARE;
}

/* Of a comparison. */
static const Name *asked_type(const Lift *l, const IrOp *op)
{
	for (unsigned i = 0; i < 2; i++)
		if (lift_part(l, ir_operand(op, i)) == PART_TYPE)
			return lift_tested_type(l, ir_operand(op, i));
	return l->filter;
}

static bool asks_for_difference(const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, 0);
	return kind == (op->kind == OP_CMP ? (unsigned)CMP_NE : (unsigned)LLVM_PREDICATE_NE);
}

void lift_note_types(Lift *l, const IrValue *test)
{
	const IrOp *op = test->def.op;
	if (!is_comparison(op))
		return;
	const Name *type = asked_type(l, op);
	const IrOp *symbol = type ? ir_symbol(type) : NULL;
	bool is_type = type && (type == l->filter || (symbol && symbol->kind == OP_GLOBAL));
	if (!is_type)
		lift_error(l, op, "compares a selector with what is no type of the module");
	else if (!lift_type_number(l, type))
		vec_push(l->mem, &l->types, type);
}

uint32_t lift_type_number(const Lift *l, const Name *type)
{
	for (uint32_t i = 0; i < l->types.len; i++)
		if (l->types.data[i] == type)
			return i + 1;
	return 0;
}

/* Operations of a test, each as often as it is evaluated; at least `room` if there are so many. */
static uint32_t size_of_test(const Lift *l, const IrValue *test, uint32_t room)
{
	uint32_t n = 1;
	for (uint32_t i = 0; i < test->def.op->noperands && n < room; i++) {
		const IrValue *v = ir_operand(test->def.op, i);
		if (lift_part(l, v) == PART_TEST)
			n += size_of_test(l, v, room - n);
	}
	return n;
}

bool lift_is_large_test(const Lift *l, const IrValue *test)
{
	enum { LARGE = 256 };
	return size_of_test(l, test, LARGE) >= LARGE;
}

static bool constant_truth(const IrOp *op)
{
	const IrAttr *a = ir_op_attr(op, NAME_value);
	return a && a->bits & 1;
}

bool lift_evaluate(const Lift *l, const IrValue *test, const Name *type)
{
	const IrOp *op = test->def.op;
	bool x[3] = {false};
	if (is_comparison(op))
		return (asked_type(l, op) == type) != asks_for_difference(op);
	if (op->kind == OP_CONST)
		return constant_truth(op);
	for (uint32_t i = 0; i < op->noperands && i < ARRAY_LEN(x); i++)
		x[i] = lift_evaluate(l, ir_operand(op, i), type);
	unsigned kind = op->kind == OP_BINARY ? ir_op_enum(op, NAME_kind, 0) : LLVM_BINARY_ADD;
	if (op->kind == OP_AND || kind == LLVM_BINARY_AND)
		return x[0] && x[1];
	if (op->kind == OP_OR || kind == LLVM_BINARY_OR)
		return x[0] || x[1];
	if (op->kind == OP_XOR || kind == LLVM_BINARY_XOR)
		return x[0] != x[1];
	if (op->kind == OP_SELECT)
		return x[0] ? x[1] : x[2];
	return op->kind == OP_NOT ? !x[0] : x[0];
}

void lift_compute_dominance(Lift *l)
{
	l->nplaces = l->m->nblocks;
	l->place = arena_array(l->mem, uint32_t, l->nplaces);
	for (uint32_t i = 0; i < l->nplaces; i++)
		l->place[i] = DOM_UNREACHABLE;
	dom_compute(&l->func->regions[0], l->mem, l->place, &l->dom);
}

/* Does the edge of a true test lead to b, and nothing else? */
static bool is_behind(Lift *l, const IrBlock *dest, const IrBlock *b)
{
	if (!l->place)
		lift_compute_dominance(l);
	return dest->preds && !dest->preds->next &&
	       dom_dominates(&l->dom, l->place[dest->id], l->place[b->id]);
}

static const Name *known_by(Lift *l, const IrOp *op, const IrBlock *b)
{
	if (!is_comparison(op) || lift_part(l, &op->results[0]) != PART_TEST || asks_for_difference(op))
		return NULL;
	IR_FOR_USES (use, &op->results[0])
		if (use->user->kind == OP_BRCOND && is_behind(l, use->user->succs[0].dest, b))
			return asked_type(l, op);
	return NULL;
}

/* Tests may ask for casts of it. */
const Name *lift_known_type(Lift *l, const IrValue *selector, const IrBlock *b)
{
	IR_FOR_USES (u, without_casts(selector)) {
		const Name *known = known_by(l, u->user, b);
		if (!known && u->user->kind == OP_CAST)
			IR_FOR_USES (of_cast, &u->user->results[0])
				known = known ? known : known_by(l, of_cast->user, b);
		if (known)
			return known;
	}
	return NULL;
}

/* Outside of the flight */

static IrValue *build_comparison(Lift *l, IrBuilder *b, const IrOp *op)
{
	IrValue *slot = NULL;
	for (uint32_t i = 0; i < op->noperands; i++)
		if (lift_part(l, ir_operand(op, i)) == PART_SELECTOR)
			slot = lift_number_slot(l, ir_operand(op, i));
	if (!slot) {
		lift_error(l, op, "compares a selector of an exception that nothing has caught");
		return (IrValue *)(uintptr_t)&op->results[0];
	}
	IrValue *wanted = ir_build_const_int(b, l->m->u32, lift_type_number(l, asked_type(l, op)));
	return ir_build_cmp(b, asks_for_difference(op) ? CMP_NE : CMP_EQ, ir_build_load(b, slot), wanted);
}

IrValue *lift_build_test(Lift *l, IrBuilder *b, IrValue *test)
{
	if (lift_part(l, test) != PART_TEST)
		return test;
	IrOp *op = test->def.op;
	if (is_comparison(op))
		return build_comparison(l, b, op);
	IrOpSpec spec = ir_op_spec(op, l->mem);
	IrValue **operands = arena_array(l->mem, IrValue *, op->noperands);
	for (uint32_t i = 0; i < op->noperands; i++) {
		IrValue *v = ir_operand(op, i);
		operands[i] = lift_part(l, v) == PART_TEST
		                  ? lift_build_test(l, b, v)
		                  : ir_build_const(b, ir_op_attr(v->def.op, NAME_value));
	}
	spec.operands = operands;
	return &ir_build_spec(b, &spec)->results[0];
}
