/* Atomics (cir-reference 5.17). */
#include "verify/verifier.h"

#include "ir/layout.h"

/* Bits of a type that atomic accesses take in LLVM: integers, floats and pointers of a
 * power of two of at least 8. */
static uint64_t atomic_width(const IrType *t)
{
	switch (t->kind) {
	case TYPE_INT:
		return t->width;
	case TYPE_BOOL:
		return 8;
	case TYPE_PTR:
	case TYPE_VPTR:
	case TYPE_HALF:
	case TYPE_BF16:
	case TYPE_FLOAT:
	case TYPE_DOUBLE:
	case TYPE_F128:
		return ir_type_size((IrType *)t) * 8;
	case TYPE_LONG_DOUBLE:
		return atomic_width(t->elem);
	default:
		return 0;
	}
}

bool verifier_check_atomic_type(Verifier *v, const IrOp *op, const IrType *t)
{
	uint64_t width = atomic_width(t);
	if (width >= 8 && (width & (width - 1)) == 0)
		return true;
	verifier_error(v, op, "cannot access a value of type '%s' atomically", verifier_type(v, t));
	return false;
}

static bool check_value(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 1)->type;
	if (ir_operand(op, 0)->type->elem == t)
		return verifier_check_atomic_type(v, op, t);
	verifier_error(v, op, ": the type of the value, '%s', does not match the pointee type, '%s'",
	               verifier_type(v, t), verifier_type(v, ir_operand(op, 0)->type->elem));
	return false;
}

/* What numbers an update is for. */
typedef enum FetchKind { FETCH_ANY, FETCH_INT, FETCH_FP } FetchKind;

void verify_atomic_fetch(Verifier *v, const IrOp *op)
{
	static const FetchKind kinds[] = {
	    [ATOMIC_FETCH_AND] = FETCH_INT,        [ATOMIC_FETCH_OR] = FETCH_INT,
	    [ATOMIC_FETCH_XOR] = FETCH_INT,        [ATOMIC_FETCH_NAND] = FETCH_INT,
	    [ATOMIC_FETCH_UINC_WRAP] = FETCH_INT,  [ATOMIC_FETCH_UDEC_WRAP] = FETCH_INT,
	    [ATOMIC_FETCH_MAXIMUM] = FETCH_FP,     [ATOMIC_FETCH_MINIMUM] = FETCH_FP,
	    [ATOMIC_FETCH_MAXIMUM_NUM] = FETCH_FP, [ATOMIC_FETCH_MINIMUM_NUM] = FETCH_FP,
	};
	unsigned kind = ir_op_enum(op, NAME_binop, ATOMIC_FETCH_ADD);
	const char *word = ir_enum_info[ENUM_ATOMIC_FETCH].words[kind];
	bool is_float = ir_is_float(ir_operand(op, 1)->type);
	if (!check_value(v, op))
		return;
	if (kinds[kind] == FETCH_INT && is_float)
		verifier_error(v, op, ": '%s' applies to integers only", word);
	else if (kinds[kind] == FETCH_FP && !is_float)
		verifier_error(v, op, ": '%s' applies to floating point values only", word);
	else if (op->results[0].type->kind == TYPE_INT && op->results[0].type->bitint)
		verifier_error(v, op, "cannot update a value of type '%s' atomically",
		               verifier_type(v, op->results[0].type));
}

void verify_atomic_xchg(Verifier *v, const IrOp *op)
{
	check_value(v, op);
}

void verify_atomic_cmpxchg(Verifier *v, const IrOp *op)
{
	unsigned order = ir_op_enum(op, NAME_fail_order, MEM_ORDER_SEQ_CST);
	if (!check_value(v, op) || !verifier_check_align(v, op, NAME_alignment))
		return;
	if (order == MEM_ORDER_RELEASE || order == MEM_ORDER_ACQ_REL)
		verifier_error(v, op, "cannot have the atomic order '%s' on failure, where nothing is stored",
		               ir_enum_info[ENUM_MEM_ORDER].words[order]);
}

/* A flag is one byte. */
void verify_atomic_flag(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type->elem;
	unsigned order = ir_op_enum(op, NAME_mem_order, MEM_ORDER_SEQ_CST);
	bool stores = op->kind == OP_ATOMIC_CLEAR;
	if (t->kind != TYPE_BOOL && !(ir_is_int(t) && t->width == 8))
		verifier_error(v, op, ": expected operand #0 to point to an integer of 8 bits, found '%s'",
		               verifier_type(v, ir_operand(op, 0)->type));
	else if (stores && order != MEM_ORDER_RELAXED && order != MEM_ORDER_RELEASE &&
	         order != MEM_ORDER_SEQ_CST)
		verifier_error(v, op, "cannot have the atomic order '%s'",
		               ir_enum_info[ENUM_MEM_ORDER].words[order]);
	else
		verifier_check_align(v, op, NAME_alignment);
}
