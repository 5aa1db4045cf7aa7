/* What only LLVM IR has (docs/llvm-ir.md), by the rules of LLVM's Language Reference. */
#include "verify/verifier.h"

#include "ir/layout.h"

static uint64_t lanes(const IrType *t)
{
	return t->kind == TYPE_VECTOR ? t->count : 0;
}

void verify_llvm_binary(Verifier *v, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, LLVM_BINARY_ADD);
	bool wraps = kind <= LLVM_BINARY_MUL || kind == LLVM_BINARY_SHL;
	bool divides = kind == LLVM_BINARY_UDIV || kind == LLVM_BINARY_SDIV || kind == LLVM_BINARY_LSHR ||
	               kind == LLVM_BINARY_ASHR;
	if (!wraps && (ir_op_has(op, NAME_nsw) || ir_op_has(op, NAME_nuw)))
		verifier_error(v, op, ": 'nsw' and 'nuw' are flags of add, sub, mul and shl");
	else if (!divides && ir_op_has(op, NAME_exact))
		verifier_error(v, op, ": 'exact' is a flag of udiv, sdiv, lshr and ashr");
	else if (kind != LLVM_BINARY_OR && ir_op_has(op, NAME_disjoint))
		verifier_error(v, op, ": 'disjoint' is a flag of or");
}

void verify_llvm_compare(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type, *result = op->results[0].type, *of = ir_scalar(t);
	unsigned kind = ir_op_enum(op, NAME_kind, LLVM_PREDICATE_EQ);
	bool both = kind >= LLVM_PREDICATE_UGT && kind <= LLVM_PREDICATE_ULE;
	bool of_float = both || kind >= LLVM_PREDICATE_FALSE, of_int = kind <= LLVM_PREDICATE_SLE;
	bool is_int = ir_is_int(of) || ir_is_ptr(of) || of->kind == TYPE_BOOL;
	if (!(ir_is_float(of) && of_float) && !(is_int && of_int))
		verifier_error(v, op, ": operands of type '%s' cannot be compared by '%s'",
		               verifier_type(v, t), ir_enum_info[ENUM_LLVM_PREDICATE].words[kind]);
	else if (ir_scalar(result)->kind != TYPE_BOOL || lanes(result) != lanes(t))
		verifier_error(v, op, ": expected a '!cir.bool' for each compared value, found '%s'",
		               verifier_type(v, result));
}

typedef enum Side { SIDE_INT, SIDE_FP, SIDE_PTR } Side;

static const struct {
	Side from, to;
	int width; /* of the result against the operand's: 1 wider, -1 narrower, 0 any */
} casts[] = {
    [LLVM_CAST_TRUNC] = {SIDE_INT, SIDE_INT, -1},   [LLVM_CAST_ZEXT] = {SIDE_INT, SIDE_INT, 1},
    [LLVM_CAST_SEXT] = {SIDE_INT, SIDE_INT, 1},     [LLVM_CAST_FPTOUI] = {SIDE_FP, SIDE_INT, 0},
    [LLVM_CAST_FPTOSI] = {SIDE_FP, SIDE_INT, 0},    [LLVM_CAST_UITOFP] = {SIDE_INT, SIDE_FP, 0},
    [LLVM_CAST_SITOFP] = {SIDE_INT, SIDE_FP, 0},    [LLVM_CAST_FPTRUNC] = {SIDE_FP, SIDE_FP, -1},
    [LLVM_CAST_FPEXT] = {SIDE_FP, SIDE_FP, 1},      [LLVM_CAST_PTRTOINT] = {SIDE_PTR, SIDE_INT, 0},
    [LLVM_CAST_INTTOPTR] = {SIDE_INT, SIDE_PTR, 0}, [LLVM_CAST_ADDRSPACECAST] = {SIDE_PTR, SIDE_PTR, 0},
};

static bool is_side(Side side, const IrType *t)
{
	return side == SIDE_INT  ? (ir_is_int(t) && !t->bitint) || t->kind == TYPE_BOOL
	       : side == SIDE_FP ? ir_is_float(t)
	                         : ir_is_ptr(t);
}

static uint64_t scalar_width(const IrType *t)
{
	return t->kind == TYPE_BOOL ? 1 : ir_is_int(t) ? t->width : ir_float_width(t);
}

static uint64_t width(const IrType *t)
{
	return scalar_width(ir_scalar(t)) * (t->kind == TYPE_VECTOR ? t->count : 1);
}

static bool is_bitcast(const IrType *from, const IrType *to)
{
	const IrType *a = ir_scalar(from), *b = ir_scalar(to);
	if (ir_is_ptr(a) || ir_is_ptr(b))
		return ir_is_ptr(a) && ir_is_ptr(b) && a->attr == b->attr && lanes(from) == lanes(to);
	return width(from) && width(from) == width(to);
}

static bool is_cast(unsigned kind, const IrType *from, const IrType *to)
{
	const IrType *a = ir_scalar(from), *b = ir_scalar(to);
	if (kind == LLVM_CAST_BITCAST)
		return is_bitcast(from, to);
	if (lanes(from) != lanes(to) || !is_side(casts[kind].from, a) || !is_side(casts[kind].to, b))
		return false;
	if (kind == LLVM_CAST_ADDRSPACECAST)
		return a->attr != b->attr;
	uint64_t x = scalar_width(a), y = scalar_width(b);
	return !casts[kind].width || (casts[kind].width > 0 ? y > x : y < x);
}

void verify_llvm_convert(Verifier *v, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, LLVM_CAST_BITCAST);
	const IrType *from = ir_operand(op, 0)->type, *to = op->results[0].type;
	bool extends = kind == LLVM_CAST_ZEXT || kind == LLVM_CAST_UITOFP;
	if (!is_cast(kind, from, to))
		verifier_error(v, op, ": '%s' cannot be converted to '%s' by '%s'", verifier_type(v, from),
		               verifier_type(v, to), ir_enum_info[ENUM_LLVM_CAST].words[kind]);
	else if (kind != LLVM_CAST_TRUNC && (ir_op_has(op, NAME_nsw) || ir_op_has(op, NAME_nuw)))
		verifier_error(v, op, ": 'nsw' and 'nuw' are flags of trunc");
	else if (!extends && ir_op_has(op, NAME_nneg))
		verifier_error(v, op, ": 'nneg' is a flag of zext and uitofp");
}

/* Where the indices behind the first lead; into records with constants only. NULL: nowhere. */
static const IrType *gep_step(const IrType *t, const IrValue *index)
{
	uint64_t at;
	if (t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR)
		return t->elem;
	if (t->kind != TYPE_RECORD || t->record_kind == RECORD_UNION || index->is_arg ||
	    index->def.op->kind != OP_CONST || index->type->kind != TYPE_INT || index->type->width != 32)
		return NULL;
	const IrAttr *a = ir_op_attr(index->def.op, NAME_value);
	return a && ir_attr_get_u64(a, &at) && at < t->nmembers && !ir_is_zero_width(t->members[at])
	           ? t->members[at]
	           : NULL;
}

void verify_llvm_gep(Verifier *v, const IrOp *op)
{
	const IrAttr *elem = ir_op_attr(op, NAME_elem_type);
	uint64_t n = 0;
	const IrType *t = elem->type;
	if (!verifier_check_storage(v, op, t, "the stepped type"))
		return;
	for (uint32_t i = 0; i < op->noperands; i++) {
		const IrType *of = ir_operand(op, i)->type, *scalar = ir_scalar(of);
		if (i == 0 ? !ir_is_ptr(scalar) : !ir_is_int(scalar) || scalar->bitint) {
			verifier_error(v, op, ": operand #%u must be %s, found '%s'", i,
			               i ? "an integer" : "a pointer", verifier_type(v, of));
			return;
		}
		if (lanes(of) && n && lanes(of) != n) {
			verifier_error(v, op, ": operand #%u must be a vector of %llu, found '%s'", i,
			               (unsigned long long)n, verifier_type(v, of));
			return;
		}
		n = lanes(of) ? lanes(of) : n;
	}
	for (uint32_t i = 2; i < op->noperands && t; i++)
		t = gep_step(t, ir_operand(op, i));
	const IrType *result = op->results[0].type, *base = ir_scalar(ir_operand(op, 0)->type);
	if (!t)
		verifier_error(v, op, ": the indices lead out of '%s'", verifier_type(v, elem->type));
	else if (!ir_is_ptr(ir_scalar(result)) || ir_scalar(result)->attr != base->attr || lanes(result) != n)
		verifier_error(v, op, ": the result cannot be '%s'", verifier_type(v, result));
}

/* What stands in an aggregate at the end of the path; NULL: nothing. */
static const IrType *part_at(const IrType *t, const IrAttr *indices)
{
	uint64_t at;
	if (!indices || indices->kind != ATTR_ARRAY || !indices->n)
		return NULL;
	for (uint32_t i = 0; i < indices->n; i++) {
		if (!ir_attr_get_u64(indices->elems[i], &at))
			return NULL;
		if (t->kind == TYPE_ARRAY && at < t->count)
			t = t->elem;
		else if (t->kind == TYPE_RECORD && t->record_kind != RECORD_UNION && at < t->nmembers &&
		         t->members[at]->kind != TYPE_BITFIELD)
			t = t->members[at];
		else
			return NULL;
	}
	return t;
}

static void check_part(Verifier *v, const IrOp *op, const IrType *got)
{
	const IrType *t = ir_operand(op, 0)->type, *part = part_at(t, ir_op_attr(op, NAME_indices));
	if (!part)
		verifier_error(v, op, ": the indices lead out of '%s'", verifier_type(v, t));
	else if (part != got || part->kind == TYPE_BOOL || part->kind == TYPE_BITFIELD)
		verifier_error(v, op, ": the part has type '%s', found '%s'", verifier_type(v, part),
		               verifier_type(v, got));
}

void verify_llvm_extract(Verifier *v, const IrOp *op)
{
	check_part(v, op, op->results[0].type);
}

void verify_llvm_insert(Verifier *v, const IrOp *op)
{
	check_part(v, op, ir_operand(op, 1)->type);
}

/* Atomics */

void verify_llvm_rmw(Verifier *v, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, LLVM_RMW_XCHG);
	const IrType *t = ir_operand(op, 1)->type, *of = ir_scalar(t);
	bool floats = (kind >= LLVM_RMW_FADD && kind <= LLVM_RMW_FMIN) || kind >= LLVM_RMW_FMAXIMUM;
	bool fits = kind == LLVM_RMW_XCHG ? ir_is_int(t) || ir_is_float(t) || ir_is_ptr(t)
	            : floats              ? ir_is_float(of)
	                                  : ir_is_int(t);
	if (!fits || (ir_is_int(t) && t->bitint))
		verifier_error(v, op, ": '%s' does not work on '%s'", ir_enum_info[ENUM_LLVM_RMW].words[kind],
		               verifier_type(v, t));
	else
		verifier_check_align(v, op, NAME_alignment);
}

void verify_llvm_cmpxchg(Verifier *v, const IrOp *op)
{
	const IrType *t = ir_operand(op, 1)->type, *r = op->results[0].type;
	unsigned failure = ir_op_enum(op, NAME_fail_order, MEM_ORDER_SEQ_CST);
	bool pair = r->record_kind == RECORD_STRUCT && !r->packed && r->nmembers == 2 && r->members[0] == t &&
	            ir_is_int(r->members[1]) && r->members[1]->width == 1;
	if (!pair)
		verifier_error(v, op, ": the result must be a record of '%s' and one bit, found '%s'",
		               verifier_type(v, t), verifier_type(v, r));
	else if ((!ir_is_int(t) && !ir_is_ptr(t)) || t->bitint)
		verifier_error(v, op, "works on integers and pointers, found '%s'", verifier_type(v, t));
	else if (failure == MEM_ORDER_RELEASE || failure == MEM_ORDER_ACQ_REL)
		verifier_error(v, op, "cannot have the order '%s' on failure",
		               ir_enum_info[ENUM_MEM_ORDER].words[failure]);
	else
		verifier_check_align(v, op, NAME_alignment);
}

void verify_llvm_asm(Verifier *v, const IrOp *op)
{
	if (op->results[0].type->elem->kind != TYPE_FUNC)
		verifier_error(v, op, ": the result must point to a function, found '%s'",
		               verifier_type(v, op->results[0].type));
	IR_FOR_USES (u, &op->results[0]) {
		bool called = (op_info[u->user->kind].flags & OPF_CALLS) && &u->user->operands[0] == u &&
		              !ir_op_has(u->user, NAME_callee);
		if (!called) {
			verifier_error(v, op, "can only be called");
			return;
		}
	}
}

/* Exceptions */

static bool check_clause(Verifier *v, const IrOp *op, const IrAttr *a, bool filters)
{
	if (a->kind == ATTR_UNIT)
		return true;
	if (a->kind == ATTR_SYMBOL)
		return verifier_check_symbol(v, op, a->name, false);
	for (uint32_t i = 0; filters && a->kind == ATTR_ARRAY && i < a->n; i++)
		if (!check_clause(v, op, a->elems[i], false))
			return false;
	if (filters && a->kind == ATTR_ARRAY)
		return true;
	verifier_error(v, op, ": a clause must be a symbol, 'unit', or an array of them for a filter");
	return false;
}

/* WebAssembly's pads are catchpads in LLVM IR; cir.eh.inflight_exception becomes one. */
static bool check_no_wasm(Verifier *v, const IrOp *op)
{
	static const char wasm[] = "__gxx_wasm_personality_v0";
	const Name *name = ir_op_symbol(v->symbol, NAME_personality);
	if (!name || !str_is(name_str(name), wasm))
		return true;
	verifier_error(v, op, "does not work with personality '%s', which has no landing pads", wasm);
	return false;
}

void verify_llvm_landingpad(Verifier *v, const IrOp *op)
{
	const IrAttr *clauses = ir_op_attr(op, NAME_clauses);
	if (!verifier_check_landing(v, op) || !verifier_check_landing_personality(v, op) ||
	    !check_no_wasm(v, op))
		return;
	if (clauses && clauses->kind != ATTR_ARRAY) {
		verifier_error(v, op, ": expected the clauses to be an array");
		return;
	}
	bool any = clauses && clauses->n;
	for (uint32_t i = 0; any && i < clauses->n; i++)
		if (!check_clause(v, op, clauses->elems[i], true))
			return;
	if (!any && !ir_op_has(op, NAME_cleanup))
		verifier_error(v, op, "needs 'cleanup' or a clause");
}

void verify_llvm_resume(Verifier *v, const IrOp *op)
{
	verifier_check_landing_personality(v, op);
}
