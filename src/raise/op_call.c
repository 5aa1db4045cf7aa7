/* Calls. An intrinsic is called as the function that LLVM declares for it. */
#include "raise/raiser.h"

typedef struct Call {
	Name *callee; /* NULL: operand 0 */
	IrValue **operands;
	uint32_t n;
	IrType *type; /* of the function */
} Call;

static IrValue *assembly(Raise *r, LLVMValueRef v, IrType *type)
{
	size_t len;
	IrOp *op = raise_op(r, OP_INLINE_ASM, ir_type_ptr(r->m, type), NULL, 0);
	const char *text = LLVMGetInlineAsmAsmString(v, &len);
	ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_asm_string),
	               ir_attr_string(r->m, (Str){text, len}));
	text = LLVMGetInlineAsmConstraintString(v, &len);
	ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_constraints),
	               ir_attr_string(r->m, (Str){text, len}));
	raise_flag(r, op, NAME_side_effects, LLVMGetInlineAsmHasSideEffects(v));
	raise_flag(r, op, NAME_align_stack, LLVMGetInlineAsmNeedsAlignedStack(v));
	raise_flag(r, op, NAME_intel, LLVMGetInlineAsmDialect(v) == LLVMInlineAsmDialectIntel);
	raise_flag(r, op, NAME_unwinds, LLVMGetInlineAsmCanUnwind(v));
	return &op->results[0];
}

/* The function's own name, where it is called as what it is. */
static bool find_callee(Raise *r, LLVMValueRef v, Call *c)
{
	LLVMValueRef callee = LLVMGetCalledValue(v);
	if (LLVMIsAGlobalValue(callee)) {
		Name *name = raise_symbol_name(r, callee);
		const IrOp *op = ir_symbol(name);
		if (op && op->kind == OP_FUNC && ir_func_type(op) == c->type) {
			c->callee = name;
			return true;
		}
	}
	IrValue *p = LLVMIsAInlineAsm(callee) ? assembly(r, callee, c->type)
	                                      : raise_use_as(r, callee, ir_type_ptr(r->m, c->type));
	c->operands[c->n++] = p;
	return p != NULL;
}

static bool find_arguments(Raise *r, LLVMValueRef v, Call *c)
{
	unsigned n = LLVMGetNumArgOperands(v);
	for (unsigned i = 0; i < n; i++) {
		LLVMValueRef arg = LLVMGetOperand(v, i);
		IrType *t =
		    i < c->type->nmembers ? c->type->members[i] : raise_memory_type(r, LLVMTypeOf(arg));
		if (!(c->operands[c->n++] = raise_use_as(r, arg, t)))
			return false;
	}
	return true;
}

static void check_bundles(Raise *r, LLVMValueRef v)
{
	if (!LLVMGetNumOperandBundles(v))
		return;
	size_t len;
	LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(v, 0);
	const char *tag = LLVMGetOperandBundleTag(bundle, &len);
	raise_error(r, "has the operand bundle '%.*s', which has no counterpart in CIR", (int)len, tag);
	LLVMDisposeOperandBundle(bundle);
}

static const char *intrinsic_name(LLVMValueRef v)
{
	size_t len;
	LLVMValueRef callee = LLVMGetCalledValue(v);
	return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) ? LLVMGetValueName2(callee, &len) : "";
}

/* Those that only tell the optimizer or a debugger something. */
static bool is_lost(Raise *r, LLVMValueRef v)
{
	static const struct {
		const char *name;
		Lost what;
	} rows[] = {{"llvm.dbg.", LOST_DEBUG},
	            {"llvm.experimental.noalias.scope.decl", LOST_METADATA},
	            {"llvm.pseudoprobe", LOST_METADATA}};
	const char *name = intrinsic_name(v);
	for (unsigned i = 0; *name && i < ARRAY_LEN(rows); i++)
		if (strncmp(name, rows[i].name, strlen(rows[i].name)) == 0) {
			raise_lose(r, rows[i].what);
			return true;
		}
	if (strcmp(name, "llvm.assume") == 0 && LLVMGetNumOperandBundles(v)) {
		raise_lose(r, LOST_BUNDLE);
		return true;
	}
	return false;
}

typedef struct Bundle {
	LLVMValueRef args[3];
	unsigned n;
} Bundle;

/* The bundle of a call that has one; n: 0 where it is another, or has more arguments. */
static Bundle only_bundle(LLVMValueRef v, const char *tag)
{
	size_t len;
	Bundle b = {0};
	if (LLVMGetNumOperandBundles(v) != 1)
		return b;
	LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(v, 0);
	const char *text = LLVMGetOperandBundleTag(bundle, &len);
	unsigned n = LLVMGetNumOperandBundleArgs(bundle);
	if (str_equal((Str){text, len}, str_of(tag)) && n <= ARRAY_LEN(b.args))
		while (b.n < n) {
			b.args[b.n] = LLVMGetOperandBundleArgAtIndex(bundle, b.n);
			b.n++;
		}
	LLVMDisposeOperandBundle(bundle);
	return b;
}

/* [ "align"(ptr %p, i64 16) ], with an offset perhaps */
static bool raise_aligned(Raise *r, LLVMValueRef v)
{
	Bundle b = only_bundle(v, "align");
	LLVMValueRef align = b.args[1];
	if (b.n < 2 || !LLVMIsAConstantInt(align) || LLVMGetIntTypeWidth(LLVMTypeOf(align)) != 64)
		return false;
	uint64_t bytes = LLVMConstIntGetZExtValue(align);
	if (!bytes || (bytes & (bytes - 1)) || bytes > UINT64_C(1) << 31)
		return false;
	IrValue *p = raise_use(r, b.args[0]), *offset = p && b.n > 2 ? raise_use(r, b.args[2]) : NULL;
	if (!r->failed)
		raise_int(r, raise_op(r, OP_ASSUME_ALIGNED, p->type, (IrValue *[]){p, offset}, b.n - 1),
		          NAME_alignment, bytes);
	return true;
}

/* [ "separate_storage"(ptr %p, ptr %q) ] */
static bool raise_separate(Raise *r, LLVMValueRef v)
{
	Bundle b = only_bundle(v, "separate_storage");
	if (b.n != 2 || LLVMTypeOf(b.args[0]) != LLVMTypeOf(b.args[1]))
		return false;
	IrValue *p = raise_use(r, b.args[0]), *q = p ? raise_use(r, b.args[1]) : NULL;
	if (!r->failed)
		raise_op(r, OP_ASSUME_SEPARATE_STORAGE, NULL, (IrValue *[]){p, q}, 2);
	return true;
}

/* `call void @llvm.assume(i1 true) [ … ]`. Other bundles than these have no op. */
static bool raise_assumption(Raise *r, LLVMValueRef v)
{
	if (strcmp(intrinsic_name(v), "llvm.assume") != 0)
		return false;
	LLVMValueRef condition = LLVMGetOperand(v, 0);
	bool always = LLVMIsAConstantInt(condition) && !LLVMIsNull(condition);
	return always && (raise_aligned(r, v) || raise_separate(r, v));
}

/* llvm.eh.typeid.for of a symbol, which the passes know as an op. */
static bool raise_typeid(Raise *r, LLVMValueRef v)
{
	LLVMValueRef arg = LLVMGetNumArgOperands(v) ? LLVMGetOperand(v, 0) : NULL;
	if (!arg || !LLVMIsAGlobalVariable(arg) || strcmp(intrinsic_name(v), "llvm.eh.typeid.for.p0") != 0)
		return false;
	if (LLVMGetTailCallKind(v) != LLVMTailCallKindNone || LLVMGetCallSiteAttributeCount(v, 1) ||
	    LLVMGetCallSiteAttributeCount(v, (LLVMAttributeIndex)LLVMAttributeFunctionIndex))
		return false;
	IrOp *op = raise_op(r, OP_EH_TYPEID, r->m->u32, NULL, 0);
	ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_type_sym),
	               ir_attr_symbol(r->m, raise_symbol_name(r, arg)));
	raise_result(r, &op->results[0]);
	return true;
}

static IrOp *build(Raise *r, LLVMValueRef v, OpKind kind, Call *c, const IrSuccSpec *edges)
{
	IrType *result = c->type->elem->kind == TYPE_VOID ? NULL : c->type->elem;
	IrOpSpec spec = {.kind = kind,
	                 .operands = c->operands,
	                 .noperands = c->n,
	                 .result_types = &result,
	                 .nresults = result != NULL,
	                 .succs = edges,
	                 .nsuccs = edges ? 2 : 0};
	IrOp *op = ir_build_spec(&r->b, &spec);
	if (c->callee)
		ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_callee), ir_attr_symbol(r->m, c->callee));
	const IrAttr *conv = raise_conv(r, LLVMGetInstructionCallConv(v));
	if (conv)
		ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_circ_conv), conv);
	raise_call_attributes(r, op, v);
	raise_fast_math(r, op, v);
	return op;
}

static bool prepare(Raise *r, LLVMValueRef v, Call *c)
{
	check_bundles(r, v);
	c->type = r->failed ? NULL : raise_memory_type(r, LLVMGetCalledFunctionType(v));
	c->operands = raise_array(&r->body, sizeof *c->operands, LLVMGetNumArgOperands(v) + 1);
	return c->type && find_callee(r, v, c) && find_arguments(r, v, c);
}

void raise_call(Raise *r, LLVMValueRef v)
{
	Call c = {0};
	if (raise_assumption(r, v) || is_lost(r, v) || raise_typeid(r, v) || !prepare(r, v, &c))
		return;
	IrOp *op = build(r, v, OP_CALL, &c, NULL);
	LLVMTailCallKind kind = LLVMGetTailCallKind(v);
	raise_flag(r, op, NAME_musttail, kind == LLVMTailCallKindMustTail);
	raise_flag(r, op, NAME_tail, kind == LLVMTailCallKindTail);
	if (kind == LLVMTailCallKindNoTail)
		raise_lose(r, LOST_NOTAIL);
	if (op->nresults)
		raise_result(r, &op->results[0]);
}

/* The normal destination may have a phi of the result, so the result is made before the edges. */
void raise_invoke(Raise *r, LLVMValueRef v)
{
	Call c = {0};
	if (!prepare(r, v, &c))
		return;
	IrSuccSpec edges[2] = {{.dest = raise_block(r, LLVMGetNormalDest(v))},
	                       {.dest = raise_block(r, LLVMGetUnwindDest(v))}};
	IrBuilder end = r->b;
	IrOp *op = build(r, v, OP_TRY_CALL, &c, edges);
	if (op->nresults)
		raise_result(r, &op->results[0]);
	r->b.before = op; /* casts and constants for the phis */
	edges[0] = raise_edge(r, LLVMGetNormalDest(v));
	edges[1] = raise_edge(r, LLVMGetUnwindDest(v));
	r->b = end;
	for (uint32_t i = 0; i < 2 && !r->failed; i++)
		ir_succ_set_args(r->m, op, i, edges[i].args, edges[i].nargs);
}
