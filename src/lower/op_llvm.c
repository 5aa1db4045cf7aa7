/* What only LLVM IR has (docs/llvm-ir.md): one instruction each, as src/raise has read it. */
#include "lower/lowerer.h"

#include "ir/layout.h"

static const LLVMOpcode binaries[] = {
    [LLVM_BINARY_ADD] = LLVMAdd,   [LLVM_BINARY_SUB] = LLVMSub,   [LLVM_BINARY_MUL] = LLVMMul,
    [LLVM_BINARY_UDIV] = LLVMUDiv, [LLVM_BINARY_SDIV] = LLVMSDiv, [LLVM_BINARY_UREM] = LLVMURem,
    [LLVM_BINARY_SREM] = LLVMSRem, [LLVM_BINARY_SHL] = LLVMShl,   [LLVM_BINARY_LSHR] = LLVMLShr,
    [LLVM_BINARY_ASHR] = LLVMAShr, [LLVM_BINARY_AND] = LLVMAnd,   [LLVM_BINARY_OR] = LLVMOr,
    [LLVM_BINARY_XOR] = LLVMXor,
};

void lower_llvm_binary(Lower *e, const IrOp *op)
{
	LLVMOpcode code = binaries[ir_op_enum(op, NAME_kind, LLVM_BINARY_ADD)];
	LLVMValueRef v = LLVMBuildBinOp(e->b, code, lower_operand(e, op, 0), lower_operand(e, op, 1), "");
	lower_result(e, op, v);
	if (!LLVMIsABinaryOperator(v))
		return;
	if (ir_op_has(op, NAME_nsw))
		LLVMSetNSW(v, true);
	if (ir_op_has(op, NAME_nuw))
		LLVMSetNUW(v, true);
	if (ir_op_has(op, NAME_exact))
		LLVMSetExact(v, true);
	if (ir_op_has(op, NAME_disjoint))
		LLVMSetIsDisjoint(v, true);
}

/* Of integers and pointers, of floating point; 0: there is none. Both have a 0: false, and none of integers. */
static const struct {
	LLVMIntPredicate integer;
	LLVMRealPredicate real;
} predicates[] = {
    [LLVM_PREDICATE_EQ] = {LLVMIntEQ, 0},
    [LLVM_PREDICATE_NE] = {LLVMIntNE, 0},
    [LLVM_PREDICATE_UGT] = {LLVMIntUGT, LLVMRealUGT},
    [LLVM_PREDICATE_UGE] = {LLVMIntUGE, LLVMRealUGE},
    [LLVM_PREDICATE_ULT] = {LLVMIntULT, LLVMRealULT},
    [LLVM_PREDICATE_ULE] = {LLVMIntULE, LLVMRealULE},
    [LLVM_PREDICATE_SGT] = {LLVMIntSGT, 0},
    [LLVM_PREDICATE_SGE] = {LLVMIntSGE, 0},
    [LLVM_PREDICATE_SLT] = {LLVMIntSLT, 0},
    [LLVM_PREDICATE_SLE] = {LLVMIntSLE, 0},
    [LLVM_PREDICATE_FALSE] = {0, LLVMRealPredicateFalse},
    [LLVM_PREDICATE_OEQ] = {0, LLVMRealOEQ},
    [LLVM_PREDICATE_OGT] = {0, LLVMRealOGT},
    [LLVM_PREDICATE_OGE] = {0, LLVMRealOGE},
    [LLVM_PREDICATE_OLT] = {0, LLVMRealOLT},
    [LLVM_PREDICATE_OLE] = {0, LLVMRealOLE},
    [LLVM_PREDICATE_ONE] = {0, LLVMRealONE},
    [LLVM_PREDICATE_ORD] = {0, LLVMRealORD},
    [LLVM_PREDICATE_UNO] = {0, LLVMRealUNO},
    [LLVM_PREDICATE_UEQ] = {0, LLVMRealUEQ},
    [LLVM_PREDICATE_UNE] = {0, LLVMRealUNE},
    [LLVM_PREDICATE_TRUE] = {0, LLVMRealPredicateTrue},
};

void lower_llvm_compare(Lower *e, const IrOp *op)
{
	unsigned kind = ir_op_enum(op, NAME_kind, LLVM_PREDICATE_EQ);
	LLVMValueRef a = lower_operand(e, op, 0), b = lower_operand(e, op, 1), v;
	if (ir_is_float(ir_scalar(ir_operand(op, 0)->type))) {
		v = LLVMBuildFCmp(e->b, predicates[kind].real, a, b, "");
	} else {
		v = LLVMBuildICmp(e->b, predicates[kind].integer, a, b, "");
#if defined(CIRC_HAVE_SAMESIGN) /* else the hint is left out */
		if (ir_op_has(op, NAME_samesign) && LLVMIsAICmpInst(v))
			LLVMSetICmpSameSign(v, true);
#endif
	}
	lower_result(e, op, v);
}

void lower_llvm_convert(Lower *e, const IrOp *op)
{
	static const LLVMOpcode casts[] = {
	    [LLVM_CAST_TRUNC] = LLVMTrunc,
	    [LLVM_CAST_ZEXT] = LLVMZExt,
	    [LLVM_CAST_SEXT] = LLVMSExt,
	    [LLVM_CAST_FPTOUI] = LLVMFPToUI,
	    [LLVM_CAST_FPTOSI] = LLVMFPToSI,
	    [LLVM_CAST_UITOFP] = LLVMUIToFP,
	    [LLVM_CAST_SITOFP] = LLVMSIToFP,
	    [LLVM_CAST_FPTRUNC] = LLVMFPTrunc,
	    [LLVM_CAST_FPEXT] = LLVMFPExt,
	    [LLVM_CAST_PTRTOINT] = LLVMPtrToInt,
	    [LLVM_CAST_INTTOPTR] = LLVMIntToPtr,
	    [LLVM_CAST_BITCAST] = LLVMBitCast,
	    [LLVM_CAST_ADDRSPACECAST] = LLVMAddrSpaceCast,
	};
	unsigned kind = ir_op_enum(op, NAME_kind, LLVM_CAST_BITCAST);
	LLVMTypeRef type = lower_type(e, op->results[0].type);
	if (!type)
		return;
	LLVMValueRef v = LLVMBuildCast(e->b, casts[kind], lower_operand(e, op, 0), type, "");
	lower_result(e, op, v);
	if (LLVMIsATruncInst(v)) {
		LLVMSetNSW(v, ir_op_has(op, NAME_nsw));
		LLVMSetNUW(v, ir_op_has(op, NAME_nuw));
	} else if (ir_op_has(op, NAME_nneg) && (LLVMIsAZExtInst(v) || LLVMIsAUIToFPInst(v))) {
		LLVMSetNNeg(v, true);
	}
}

void lower_llvm_gep(Lower *e, const IrOp *op)
{
	LLVMTypeRef type = lower_memory_type(e, ir_op_attr(op, NAME_elem_type)->type);
	unsigned flags = (ir_op_has(op, NAME_inbounds) ? LLVMGEPFlagInBounds | LLVMGEPFlagNUSW : 0) |
	                 (ir_op_has(op, NAME_nusw) ? LLVMGEPFlagNUSW : 0) |
	                 (ir_op_has(op, NAME_nuw) ? LLVMGEPFlagNUW : 0);
	if (!type)
		return;
	uint32_t n = op->noperands - 1;
	vec_reserve(e->arena, &e->operands, n);
	for (uint32_t i = 0; i < n; i++)
		e->operands.data[i] = lower_operand(e, op, i + 1);
	lower_result(
	    e, op,
	    LLVMBuildGEPWithNoWrapFlags(e->b, type, lower_operand(e, op, 0), e->operands.data, n, "", flags));
}

/* Parts of aggregates, by a path of indices; in the form of memory. LLVM-C takes one index at a time: a path of
 * several is taken apart, and put together again. */

static unsigned index_at(const IrOp *op, uint32_t i)
{
	uint64_t n = 0;
	CHECK(ir_attr_get_u64(ir_op_attr(op, NAME_indices)->elems[i], &n));
	return (unsigned)n;
}

void lower_llvm_extract(Lower *e, const IrOp *op)
{
	LLVMValueRef v = lower_operand(e, op, 0);
	for (uint32_t i = 0; i < ir_op_attr(op, NAME_indices)->n; i++)
		v = LLVMBuildExtractValue(e->b, v, index_at(op, i), "");
	lower_result(e, op, v);
}

void lower_llvm_insert(Lower *e, const IrOp *op)
{
	uint32_t n = ir_op_attr(op, NAME_indices)->n;
	ArenaMark mark = arena_mark(e->scratch);
	LLVMValueRef *outer = arena_array(e->scratch, LLVMValueRef, n);
	outer[0] = lower_operand(e, op, 0);
	for (uint32_t i = 1; i < n; i++)
		outer[i] = LLVMBuildExtractValue(e->b, outer[i - 1], index_at(op, i - 1), "");
	LLVMValueRef v = lower_operand(e, op, 1);
	for (uint32_t i = n; i-- > 0;)
		v = LLVMBuildInsertValue(e->b, outer[i], v, index_at(op, i), "");
	arena_release(e->scratch, mark);
	lower_result(e, op, v);
}

/* Atomics */

static void set_access(Lower *e, const IrOp *op, LLVMValueRef v, IrType *t)
{
	uint64_t align = ir_op_uint(op, NAME_alignment, 0);
	lower_alignment(e, v, align ? align : ir_type_align(t));
	LLVMSetVolatile(v, ir_op_has(op, NAME_is_volatile_flag));
}

void lower_llvm_rmw(Lower *e, const IrOp *op)
{
	LLVMAtomicRMWBinOp code = (LLVMAtomicRMWBinOp)ir_op_enum(op, NAME_kind, LLVM_RMW_XCHG);
	_Static_assert((int)LLVM_RMW_XCHG == LLVMAtomicRMWBinOpXchg &&
	                   (int)LLVM_RMW_UMIN == LLVMAtomicRMWBinOpUMin &&
	                   (int)LLVM_RMW_FMIN == LLVMAtomicRMWBinOpFMin,
	               "the words are in LLVM's order");
	LLVMValueRef v = LLVMBuildAtomicRMW(e->b, code, lower_operand(e, op, 0), lower_operand(e, op, 1),
	                                    lower_ordering(op, NAME_mem_order), lower_single_thread(op));
	set_access(e, op, v, op->results[0].type);
	lower_result(e, op, v);
}

void lower_llvm_cmpxchg(Lower *e, const IrOp *op)
{
	LLVMValueRef v = LLVMBuildAtomicCmpXchg(e->b, lower_operand(e, op, 0), lower_operand(e, op, 1),
	                                        lower_operand(e, op, 2), lower_ordering(op, NAME_succ_order),
	                                        lower_ordering(op, NAME_fail_order), lower_single_thread(op));
	LLVMSetWeak(v, ir_op_has(op, NAME_weak));
	set_access(e, op, v, ir_operand(op, 1)->type);
	lower_result(e, op, v);
}

/* Calls */

void lower_llvm_asm(Lower *e, const IrOp *op)
{
	const Name *text = ir_op_attr(op, NAME_asm_string)->name;
	const Name *constraints = ir_op_attr(op, NAME_constraints)->name;
	LLVMTypeRef type = lower_type(e, op->results[0].type->elem);
	if (type)
		lower_result(e, op,
		             LLVMGetInlineAsm(type, text->text, text->len, constraints->text,
		                              constraints->len, ir_op_has(op, NAME_side_effects),
		                              ir_op_has(op, NAME_align_stack),
		                              ir_op_has(op, NAME_intel) ? LLVMInlineAsmDialectIntel
		                                                        : LLVMInlineAsmDialectATT,
		                              ir_op_has(op, NAME_unwinds)));
}

/* Exceptions: clauses in LLVM's order. A symbol: catch it; `unit`: catch everything; an array: a filter. */

static LLVMValueRef clause_type(Lower *e, const IrAttr *a)
{
	return a->kind == ATTR_SYMBOL ? lower_symbol(e, a->name) : LLVMConstNull(e->ptr);
}

static LLVMValueRef filter(Lower *e, const IrAttr *list)
{
	ArenaMark mark = arena_mark(e->scratch);
	LLVMValueRef *types = arena_array(e->scratch, LLVMValueRef, list->n + 1);
	bool ok = true;
	for (uint32_t i = 0; i < list->n; i++)
		ok = (types[i] = clause_type(e, list->elems[i])) && ok;
	LLVMValueRef v = ok ? LLVMConstArray2(e->ptr, types, list->n) : NULL;
	arena_release(e->scratch, mark);
	return v;
}

void lower_llvm_landingpad(Lower *e, const IrOp *op)
{
	const IrAttr *clauses = ir_op_attr(op, NAME_clauses);
	LLVMTypeRef type = lower_type(e, op->results[0].type);
	if (!type)
		return;
	LLVMValueRef pad = LLVMBuildLandingPad(e->b, type, NULL, clauses ? clauses->n : 0, "");
	LLVMSetCleanup(pad, ir_op_has(op, NAME_cleanup));
	for (uint32_t i = 0; clauses && i < clauses->n; i++) {
		const IrAttr *a = clauses->elems[i];
		LLVMValueRef clause = a->kind == ATTR_ARRAY ? filter(e, a) : clause_type(e, a);
		if (clause)
			LLVMAddClause(pad, clause);
	}
	lower_result(e, op, pad);
}

void lower_llvm_resume(Lower *e, const IrOp *op)
{
	LLVMBuildResume(e->b, lower_operand(e, op, 0));
}
