/* Numbers. Where CIR's op is the same instruction it stands for it, else an op of `circ`. */
#include "raise/raiser.h"

static void set_kind(Raise *r, IrOp *op, EnumClass c, unsigned word)
{
	ir_set_enum(r->m, op, NAME_kind, c, word);
}

void raise_fast_math(Raise *r, IrOp *op, LLVMValueRef v)
{
	static const struct {
		unsigned flag;
		const char *word;
	} rows[] = {
	    {LLVMFastMathAllowReassoc, "reassoc"}, {LLVMFastMathNoNaNs, "nnan"},
	    {LLVMFastMathNoInfs, "ninf"},          {LLVMFastMathNoSignedZeros, "nsz"},
	    {LLVMFastMathAllowReciprocal, "arcp"}, {LLVMFastMathAllowContract, "contract"},
	    {LLVMFastMathApproxFunc, "afn"},
	};
	unsigned flags = LLVMCanValueUseFastMathFlags(v) ? LLVMGetFastMathFlags(v) : 0;
	if (!flags)
		return;
	const char *list = "";
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++)
		if (flags & rows[i].flag)
			list = arena_printf(&r->body, "%s%s%s", list, *list ? ", " : "", rows[i].word);
	Str text = str_of(arena_printf(&r->body, "#cir.fastmath<%s>", list));
	ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_fastmath_flags),
	               ir_attr_intern(r->m, &(IrAttr){.kind = ATTR_OPAQUE, .name = ir_name(r->m, text)}));
}

static void result(Raise *r, IrOp *op)
{
	raise_result(r, &op->results[0]);
}

/* Two operands of one type */

typedef struct BinaryRow {
	unsigned word; /* of circ.binary */
	OpKind plain;  /* OP_COUNT: CIR has none of that sign */
} BinaryRow;

static const BinaryRow binaries[] = {
    [LLVMAdd] = {LLVM_BINARY_ADD, OP_ADD},
    [LLVMSub] = {LLVM_BINARY_SUB, OP_SUB},
    [LLVMMul] = {LLVM_BINARY_MUL, OP_MUL},
    [LLVMSDiv] = {LLVM_BINARY_SDIV, OP_DIV},
    [LLVMSRem] = {LLVM_BINARY_SREM, OP_REM},
    [LLVMAnd] = {LLVM_BINARY_AND, OP_AND},
    [LLVMOr] = {LLVM_BINARY_OR, OP_OR},
    [LLVMXor] = {LLVM_BINARY_XOR, OP_XOR},
    [LLVMUDiv] = {LLVM_BINARY_UDIV, OP_COUNT},
    [LLVMURem] = {LLVM_BINARY_UREM, OP_COUNT},
    [LLVMLShr] = {LLVM_BINARY_LSHR, OP_COUNT},
    [LLVMShl] = {LLVM_BINARY_SHL, OP_COUNT},
    [LLVMAShr] = {LLVM_BINARY_ASHR, OP_COUNT},
    [LLVMFAdd] = {0, OP_FADD},
    [LLVMFSub] = {0, OP_FSUB},
    [LLVMFMul] = {0, OP_FMUL},
    [LLVMFDiv] = {0, OP_FDIV},
    [LLVMFRem] = {0, OP_FREM},
};

static bool may_wrap(LLVMOpcode code)
{
	return code == LLVMAdd || code == LLVMSub || code == LLVMMul || code == LLVMShl;
}

static bool may_be_exact(LLVMOpcode code)
{
	return code == LLVMUDiv || code == LLVMSDiv || code == LLVMLShr || code == LLVMAShr;
}

static bool is_truth(const IrType *t)
{
	return t->kind == TYPE_BOOL || (t->kind == TYPE_VECTOR && t->elem->kind == TYPE_BOOL);
}

void raise_binary(Raise *r, LLVMValueRef v)
{
	LLVMOpcode code = LLVMGetInstructionOpcode(v);
	const BinaryRow *row = &binaries[code];
	IrValue *a = raise_use(r, LLVMGetOperand(v, 0)), *b = raise_use(r, LLVMGetOperand(v, 1));
	if (!a || !b)
		return;
	bool exact = may_be_exact(code) && LLVMGetExact(v), disjoint = code == LLVMOr && LLVMGetIsDisjoint(v);
	bool logic = code == LLVMAnd || code == LLVMOr || code == LLVMXor;
	bool nuw = may_wrap(code) && LLVMGetNUW(v); /* CIR has it for unsigned numbers alone */
	bool plain = row->plain != OP_COUNT && !exact && !disjoint && !nuw && (logic || !is_truth(a->type));
	IrOp *op = raise_op(r, plain ? row->plain : OP_BINARY, a->type, (IrValue *[]){a, b}, 2);
	if (!plain)
		set_kind(r, op, ENUM_LLVM_BINARY, row->word);
	raise_flag(r, op, NAME_nsw, may_wrap(code) && LLVMGetNSW(v));
	raise_flag(r, op, NAME_nuw, nuw);
	raise_flag(r, op, NAME_exact, exact);
	raise_flag(r, op, NAME_disjoint, disjoint);
	raise_fast_math(r, op, v);
	result(r, op);
}

void raise_fneg(Raise *r, LLVMValueRef v)
{
	IrValue *x = raise_use(r, LLVMGetOperand(v, 0));
	if (!x)
		return;
	IrOp *op = raise_op(r, OP_FNEG, x->type, &x, 1);
	raise_fast_math(r, op, v);
	result(r, op);
}

/* Comparisons */

static IrType *truth_of(Raise *r, const IrType *t)
{
	return t->kind == TYPE_VECTOR ? ir_type_vector(r->m, r->bool_type, t->count, false) : r->bool_type;
}

static const struct {
	LLVMIntPredicate llvm;
	unsigned word;
	int plain; /* of cir.cmp on signed numbers and pointers; -1: none */
} ints[] = {
    {LLVMIntEQ, LLVM_PREDICATE_EQ, CMP_EQ},   {LLVMIntNE, LLVM_PREDICATE_NE, CMP_NE},
    {LLVMIntUGT, LLVM_PREDICATE_UGT, -1},     {LLVMIntUGE, LLVM_PREDICATE_UGE, -1},
    {LLVMIntULT, LLVM_PREDICATE_ULT, -1},     {LLVMIntULE, LLVM_PREDICATE_ULE, -1},
    {LLVMIntSGT, LLVM_PREDICATE_SGT, CMP_GT}, {LLVMIntSGE, LLVM_PREDICATE_SGE, CMP_GE},
    {LLVMIntSLT, LLVM_PREDICATE_SLT, CMP_LT}, {LLVMIntSLE, LLVM_PREDICATE_SLE, CMP_LE},
};

static const struct {
	LLVMRealPredicate llvm;
	unsigned word;
	int plain;
} reals[] = {
    {LLVMRealPredicateFalse, LLVM_PREDICATE_FALSE, -1},
    {LLVMRealPredicateTrue, LLVM_PREDICATE_TRUE, -1},
    {LLVMRealOEQ, LLVM_PREDICATE_OEQ, CMP_EQ},
    {LLVMRealOGT, LLVM_PREDICATE_OGT, CMP_GT},
    {LLVMRealOGE, LLVM_PREDICATE_OGE, CMP_GE},
    {LLVMRealOLT, LLVM_PREDICATE_OLT, CMP_LT},
    {LLVMRealOLE, LLVM_PREDICATE_OLE, CMP_LE},
    {LLVMRealONE, LLVM_PREDICATE_ONE, CMP_ONE},
    {LLVMRealORD, LLVM_PREDICATE_ORD, -1},
    {LLVMRealUNO, LLVM_PREDICATE_UNO, CMP_UNO},
    {LLVMRealUEQ, LLVM_PREDICATE_UEQ, -1},
    {LLVMRealUGT, LLVM_PREDICATE_UGT, -1},
    {LLVMRealUGE, LLVM_PREDICATE_UGE, -1},
    {LLVMRealULT, LLVM_PREDICATE_ULT, -1},
    {LLVMRealULE, LLVM_PREDICATE_ULE, -1},
    {LLVMRealUNE, LLVM_PREDICATE_UNE, CMP_NE},
};

static void find_predicate(LLVMValueRef v, bool real, unsigned *word, int *plain)
{
	if (real) {
		LLVMRealPredicate p = LLVMGetFCmpPredicate(v);
		for (unsigned i = 0; i < ARRAY_LEN(reals); i++)
			if (reals[i].llvm == p) {
				*word = reals[i].word;
				*plain = reals[i].plain;
			}
		return;
	}
	LLVMIntPredicate p = LLVMGetICmpPredicate(v);
	for (unsigned i = 0; i < ARRAY_LEN(ints); i++)
		if (ints[i].llvm == p) {
			*word = ints[i].word;
			*plain = ints[i].plain;
		}
}

/* A hint to the optimizer, which older versions do not have, or do not show. */
static bool has_samesign(LLVMValueRef v)
{
#if defined(CIRC_HAVE_SAMESIGN)
	return LLVMGetInstructionOpcode(v) == LLVMICmp && LLVMGetICmpSameSign(v);
#else
	(void)v;
	return false;
#endif
}

void raise_compare(Raise *r, LLVMValueRef v)
{
	unsigned word = 0;
	int plain = -1;
	bool real = LLVMGetInstructionOpcode(v) == LLVMFCmp, samesign = has_samesign(v);
	IrValue *a = raise_use(r, LLVMGetOperand(v, 0)), *b = raise_use(r, LLVMGetOperand(v, 1));
	if (!a || !b)
		return;
	find_predicate(v, real, &word, &plain);
	bool ordered = plain == CMP_EQ || plain == CMP_NE;
	bool has_order = ir_is_int(a->type) || ir_is_float(a->type) || (ir_is_ptr(a->type) && ordered);
	bool is_plain = plain >= 0 && has_order && !samesign;
	IrOp *op = raise_op(r, is_plain ? OP_CMP : OP_COMPARE, truth_of(r, a->type), (IrValue *[]){a, b}, 2);
	if (is_plain)
		set_kind(r, op, ENUM_CMP, (unsigned)plain);
	else
		set_kind(r, op, ENUM_LLVM_PREDICATE, word);
	raise_flag(r, op, NAME_samesign, samesign);
	raise_fast_math(r, op, v);
	result(r, op);
}

/* Conversions */

static const struct {
	LLVMOpcode code;
	unsigned word;
	int plain; /* of cir.cast, where both sides are signed numbers that are no vectors; -1: none */
} casts[] = {
    {LLVMTrunc, LLVM_CAST_TRUNC, CAST_INTEGRAL},
    {LLVMZExt, LLVM_CAST_ZEXT, -1},
    {LLVMSExt, LLVM_CAST_SEXT, CAST_INTEGRAL},
    {LLVMFPToUI, LLVM_CAST_FPTOUI, -1},
    {LLVMFPToSI, LLVM_CAST_FPTOSI, CAST_FLOAT_TO_INT},
    {LLVMUIToFP, LLVM_CAST_UITOFP, -1},
    {LLVMSIToFP, LLVM_CAST_SITOFP, CAST_INT_TO_FLOAT},
    {LLVMFPTrunc, LLVM_CAST_FPTRUNC, CAST_FLOATING},
    {LLVMFPExt, LLVM_CAST_FPEXT, CAST_FLOATING},
    {LLVMPtrToInt, LLVM_CAST_PTRTOINT, -1},
    {LLVMIntToPtr, LLVM_CAST_INTTOPTR, -1},
    {LLVMBitCast, LLVM_CAST_BITCAST, -1},
    {LLVMAddrSpaceCast, LLVM_CAST_ADDRSPACECAST, -1},
};

static bool is_common(const IrType *t)
{
	return (ir_is_int(t) && t->width <= 64) || t->kind == TYPE_FLOAT || t->kind == TYPE_DOUBLE;
}

static bool has_cast_flags(LLVMOpcode code, LLVMValueRef v)
{
	if (code == LLVMTrunc)
		return LLVMGetNSW(v) || LLVMGetNUW(v);
	if (code == LLVMZExt || code == LLVMUIToFP)
		return LLVMGetNNeg(v);
	return LLVMCanValueUseFastMathFlags(v) && LLVMGetFastMathFlags(v);
}

static IrOp *build_convert(Raise *r, LLVMValueRef v, unsigned row, IrValue *x, IrType *t)
{
	LLVMOpcode code = casts[row].code;
	IrOp *op = raise_op(r, OP_CONVERT, t, &x, 1);
	set_kind(r, op, ENUM_LLVM_CAST, casts[row].word);
	raise_flag(r, op, NAME_nsw, code == LLVMTrunc && LLVMGetNSW(v));
	raise_flag(r, op, NAME_nuw, code == LLVMTrunc && LLVMGetNUW(v));
	raise_flag(r, op, NAME_nneg, (code == LLVMZExt || code == LLVMUIToFP) && LLVMGetNNeg(v));
	raise_fast_math(r, op, v);
	return op;
}

void raise_convert(Raise *r, LLVMValueRef v)
{
	LLVMOpcode code = raise_opcode(LLVMGetInstructionOpcode(v));
	unsigned row = 0;
	while (casts[row].code != code)
		row++;
	IrValue *x = raise_use(r, LLVMGetOperand(v, 0));
	IrType *t = raise_type(r, LLVMTypeOf(v));
	if (!x || !t)
		return;
	bool plain = casts[row].plain >= 0 && is_common(x->type) && is_common(t) && !has_cast_flags(code, v);
	if (plain)
		raise_result(r, ir_build_cast(&r->b, (unsigned)casts[row].plain, x, t));
	else if (code == LLVMZExt && x->type == r->bool_type && !has_cast_flags(code, v))
		raise_result(r, ir_build_cast(&r->b, CAST_BOOL_TO_INT, x, t));
	else
		result(r, build_convert(r, v, row, x, t));
}

void raise_select(Raise *r, LLVMValueRef v)
{
	IrValue *operands[3];
	for (unsigned i = 0; i < 3; i++)
		if (!(operands[i] = raise_use(r, LLVMGetOperand(v, i))))
			return;
	IrOp *op = raise_op(r, OP_SELECT, operands[1]->type, operands, 3);
	raise_fast_math(r, op, v);
	result(r, op);
}

void raise_freeze(Raise *r, LLVMValueRef v)
{
	IrValue *x = raise_use(r, LLVMGetOperand(v, 0));
	if (x)
		result(r, raise_op(r, OP_FREEZE, x->type, &x, 1));
}
