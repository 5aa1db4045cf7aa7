/* Calls (cir-reference 5.9). */
#include "lower/wasm_catch.h"

#include "ir/layout.h"

/* Inside a pad every call names it: without the bundle LLVM drops the call, and what
 * follows, from the object. */
LLVMValueRef lower_call_site(Lower *e, const CallSite *c)
{
	unsigned n = e->pad != NULL;
	LLVMOperandBundleRef in_pad = n ? LLVMCreateOperandBundle("funclet", 7, &e->pad, 1) : NULL;
	LLVMValueRef v;
	lower_nounwind_call(e, c);
	if (c->unwind)
		v = LLVMBuildInvokeWithOperandBundles(e->b, c->type, c->callee, c->args, c->nargs, c->normal,
		                                      c->unwind, &in_pad, n, "");
	else
		v = LLVMBuildCallWithOperandBundles(e->b, c->type, c->callee, c->args, c->nargs, &in_pad, n,
		                                    "");
	if (in_pad)
		LLVMDisposeOperandBundle(in_pad);
	return v;
}

/* A variadic function finds no such vector in its register: System V leaves that call undefined. */
static bool is_beyond_sse(const IrType *t)
{
	enum { SSE_SIZE = 16 };
	return t->kind == TYPE_VECTOR && ir_type_size((IrType *)t) > SSE_SIZE;
}

/* Without a prototype the arguments make the type. It is variadic, since the callee may be, where that
 * makes no difference to one that is not. */
static LLVMTypeRef unprototyped_type(Lower *e, const IrOp *op, IrType *result)
{
	uint32_t n = ir_call_nargs(op);
	ArenaMark mark = arena_mark(e->scratch);
	LLVMTypeRef *params = arena_array(e->scratch, LLVMTypeRef, n + 1);
	bool variadic = !e->target->variadic_differs;
	for (uint32_t i = 0; i < n; i++) {
		const IrValue *arg = ir_call_arg(op, i);
		params[i] = LLVMTypeOf(lower_value(e, arg));
		variadic &= !is_beyond_sse(arg->type);
	}
	LLVMTypeRef type = LLVMFunctionType(lower_type(e, result), params, n, variadic);
	arena_release(e->scratch, mark);
	return type;
}

static bool find_callee(Lower *e, const IrOp *op, CallSite *c)
{
	const Name *name = ir_call_callee(op);
	c->nothrow = !ir_op_may_throw(op);
	if (!name) {
		c->callee = lower_operand(e, op, 0);
		c->type = lower_type(e, ir_operand(op, 0)->type->elem);
		return c->type != NULL;
	}
	const IrOp *func = ir_symbol(name);
	IrType *t = ir_func_type(func);
	c->callee = lower_symbol(e, name);
	c->type = lower_type(e, t);
	if (c->type && ir_op_has(func, NAME_no_proto))
		c->type = unprototyped_type(e, op, t->elem);
	return c->callee && c->type;
}

static void find_arguments(Lower *e, const IrOp *op, CallSite *c)
{
	c->nargs = ir_call_nargs(op);
	vec_reserve(e->arena, &e->operands, c->nargs);
	c->args = e->operands.data;
	for (uint32_t i = 0; i < c->nargs; i++)
		c->args[i] = lower_value(e, ir_call_arg(op, i));
}

static void finish_call(Lower *e, const IrOp *op, LLVMValueRef v)
{
	unsigned conv = lower_calling_conv(e, op);
	if (conv)
		LLVMSetInstructionCallConv(v, conv);
	lower_call_attributes(e, v, op);
	if (op->nresults)
		lower_result(e, op, v);
}

static bool has_byval(LLVMValueRef call, uint32_t nargs)
{
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
	for (uint32_t i = 0; i < nargs; i++)
		if (LLVMGetCallSiteEnumAttribute(call, i + 1, byval))
			return true;
	return false;
}

/* What the function asks for; empty: nothing. */
static Str function_text(const Lower *e, const char *key)
{
	unsigned len = 0;
	LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(e->function, LLVMAttributeFunctionIndex, key,
	                                                   (unsigned)strlen(key));
	const char *text = a ? LLVMGetStringAttributeValue(a, &len) : NULL;
	return (Str){text, len};
}

static bool can_tail_call(const Lower *e)
{
	Str cpu = function_text(e, "target-cpu"), features = function_text(e, "target-features");
	return (e->options->tail_calls && !features.len) ||
	       abi_has_tail_calls(e->target->machine, cpu, features);
}

/* Before LLVM 22 the arguments in memory of such a call are written over what still lies there. */
static void check_musttail(Lower *e, const IrOp *op, LLVMValueRef call, uint32_t nargs)
{
	enum { FIXED_IN = 22 };
	if (!ir_op_has(op, NAME_musttail))
		return;
	if (!can_tail_call(e))
		lower_error(e, "with 'musttail' requires the CPU feature '%s' on target '%s'",
		            e->target->machine->tail_call_feature, e->target->name);
	else if (e->llvm_major < FIXED_IN && has_byval(call, nargs))
		lower_error(
		    e,
		    "with 'musttail' and arguments in memory is miscompiled by LLVM %u; use LLVM %d or later",
		    e->llvm_major, FIXED_IN);
}

static bool has_text(LLVMValueRef f, const char *key)
{
	return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, key, (unsigned)strlen(key)) !=
	       NULL;
}

/* What emit/llvm_gaps/dontcall.c may have to tell. */
static void note_forbidden(Lower *e, const IrOp *op, LLVMValueRef call, LLVMValueRef callee)
{
	static const char kind[] = "circ.place";
	if (!e->forbids || !e->options->places || !LLVMIsAFunction(callee) ||
	    (!has_text(callee, "dontcall-error") && !has_text(callee, "dontcall-warn")))
		return;
	LLVMMetadataRef node = LLVMValueAsMetadata(lower_note_place(e, op, call));
	unsigned id = LLVMGetMDKindIDInContext(e->context, kind, sizeof kind - 1);
	LLVMGlobalSetMetadata(callee, id, node);
}

/* llvm.threadlocal.address of what lower_get_global() has made a call of it already. */
static bool is_asked_for(const Lower *e, const CallSite *c)
{
	LLVMValueRef intrinsic = e->intrinsics[INTRINSIC_THREADLOCAL_ADDRESS].function;
	return intrinsic && c->callee == intrinsic && LLVMIsACallInst(c->args[0]) &&
	       LLVMGetCalledValue(c->args[0]) == intrinsic;
}

void lower_call(Lower *e, const IrOp *op)
{
	CallSite c = {0};
	if (!find_callee(e, op, &c))
		return;
	find_arguments(e, op, &c);
	if (is_asked_for(e, &c)) {
		lower_result(e, op, c.args[0]);
		return;
	}
	LLVMValueRef v = lower_call_site(e, &c);
	if (ir_op_has(op, NAME_musttail))
		LLVMSetTailCallKind(v, LLVMTailCallKindMustTail);
	else if (ir_op_has(op, NAME_tail))
		LLVMSetTailCallKind(v, LLVMTailCallKindTail);
	finish_call(e, op, v);
	check_musttail(e, op, v, c.nargs);
	note_forbidden(e, op, v, c.callee);
}

/* An invoke has two edges: where its normal one is critical, it gets a block of its own. */
void lower_try_call(Lower *e, const IrOp *op)
{
	CallSite c = {0};
	if (!find_callee(e, op, &c))
		return;
	find_arguments(e, op, &c);
	c.normal = e->whole ? e->blocks[op->succs[0].dest->id] : lower_split_edge(e, &op->succs[0]);
	bool is_wasm = e->target->shape == SHAPE_WASM_CATCHES && !e->whole;
	c.unwind = is_wasm ? lower_wasm_unwind_edge(e, &op->succs[1]) : lower_edge(e, &op->succs[1]);
	if (!c.unwind)
		return;
	LLVMValueRef v = lower_call_site(e, &c);
	finish_call(e, op, v);
	if (e->whole) /* LLVM's phis take the result, too */
		lower_edge(e, &op->succs[0]);
	note_forbidden(e, op, v, c.callee); /* the optimiser may make a call of it */
}

/* LLVM's numbers (CallingConv.h); the C interface has no names for all of them. Those of other processors' kernels
 * and functions are C's on x86, of which src/call warns. */
unsigned lower_calling_conv(const Lower *e, const IrOp *op)
{
	uint64_t own = ir_op_uint(op, NAME_circ_conv, 0);
	if (own)
		return (unsigned)own;
	static const uint8_t convs[] = {
	    [CALLING_CONV_C] = 0,
	    [CALLING_CONV_PTX_KERNEL] = 0,
	    [CALLING_CONV_SPIR_FUNCTION] = 0,
	    [CALLING_CONV_SPIR_KERNEL] = 76,
	    [CALLING_CONV_OPENCL_KERNEL] = 76,
	    [CALLING_CONV_AMDGPU_KERNEL] = 0,
	    [CALLING_CONV_X86_WINCALL] = 79,
	};
	unsigned word = ir_op_enum(op, NAME_calling_conv, CALLING_CONV_C);
	CHECK(word < ARRAY_LEN(convs));
	return e->target->machine->has_conventions ? convs[word] : 0;
}
