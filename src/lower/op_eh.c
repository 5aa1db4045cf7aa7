/* Exceptions in the Itanium form (cir-reference 5.12).
 *
 *	%exn, %tid = cir.eh.inflight_exception cleanup [@_ZTIi]
 *
 *	%lp = landingpad { ptr, i32 } cleanup catch ptr @_ZTIi
 *	%exn = extractvalue { ptr, i32 } %lp, 0
 *	%tid = extractvalue { ptr, i32 } %lp, 1
 *
 * and for WebAssembly, where an exception enters a funclet that is left at once, so that the code of the pad is ordinary code:
 *
 *	invoke … unwind label %unwind
 * unwind:
 *	%s = catchswitch within none [label %entered] unwind to caller
 * entered:
 *	%in = catchpad within %s [ptr @_ZTIi]
 *	%exn = call ptr @llvm.wasm.get.exception(token %in)
 *	%tid = call i32 @llvm.wasm.get.ehselector(token %in)
 *	catchret from %in to label %pad
 *
 * A cleanup's code stays in the funclet, and ends with `call void @llvm.wasm.rethrow()`.
 */
#include "lower/lowerer.h"

#include "lower/wasm_catch.h"

static uint32_t count(const IrAttr *list)
{
	return list ? list->n : 0;
}

static void add_catches(Lower *e, LLVMValueRef pad, const IrAttr *types)
{
	for (uint32_t i = 0; i < count(types); i++) {
		LLVMValueRef type = lower_symbol(e, types->elems[i]->name);
		if (type)
			LLVMAddClause(pad, type);
	}
}

/* One clause: an array of all the types that may pass. */
static void add_filter(Lower *e, LLVMValueRef pad, const IrAttr *types)
{
	if (!types)
		return;
	ArenaMark mark = arena_mark(e->scratch);
	LLVMValueRef *elems = arena_array(e->scratch, LLVMValueRef, types->n + 1);
	bool ok = true;
	for (uint32_t i = 0; i < types->n; i++)
		ok = (elems[i] = lower_symbol(e, types->elems[i]->name)) && ok;
	if (ok)
		LLVMAddClause(pad, LLVMConstArray2(e->ptr, elems, types->n));
	arena_release(e->scratch, mark);
}

/* LLVM takes pads of that personality for WebAssembly's (classifyEHPersonality), and ends the process over landing pads of it. */
static bool is_of_wasm(Lower *e, const IrOp *op)
{
	const Name *name = ir_op_symbol(e->func, NAME_personality);
	if (!name || !str_is(name_str(name), "__gxx_wasm_personality_v0"))
		return false;
	lower_error(e, "is a pad of the personality '@%s', which is WebAssembly's; target '%s' has '@%s'",
	            name->text, e->target->name, e->target->personality);
	for (uint32_t i = 0; i < 2; i++)
		e->values[op->results[i].id] = LLVMGetPoison(lower_type(e, op->results[i].type));
	return true;
}

/* The handlers around a filter are tried after it. A pad that says nothing is the older
 * spelling of a catch-all. */
void lower_eh_inflight(Lower *e, const IrOp *op)
{
	if (e->target->shape == SHAPE_WASM_CATCHES) {
		lower_wasm_pad(e, op);
		return;
	}
	if (is_of_wasm(e, op))
		return;
	const IrAttr *catches = ir_op_attr(op, NAME_catch_type_list);
	const IrAttr *filter = ir_op_attr(op, NAME_filter_type_list);
	const IrAttr *outer = ir_op_attr(op, NAME_outer_type_list);
	bool cleanup = ir_op_has(op, NAME_cleanup);
	bool bare = !cleanup && !count(catches) && !filter && !count(outer);
	LLVMValueRef pad = LLVMBuildLandingPad(e->b, e->landing, NULL,
	                                       count(catches) + count(outer) + (filter != NULL) + 1, "");
	LLVMSetCleanup(pad, cleanup);
	add_catches(e, pad, catches);
	add_filter(e, pad, filter);
	add_catches(e, pad, outer);
	if (bare || ir_op_has(op, NAME_catch_all))
		LLVMAddClause(pad, LLVMConstNull(e->ptr));
	for (uint32_t i = 0; i < 2; i++)
		e->values[op->results[i].id] = LLVMBuildExtractValue(e->b, pad, i, "");
	lower_store_pad(e, op);
}

void lower_eh_typeid(Lower *e, const IrOp *op)
{
	LLVMValueRef type = lower_symbol(e, ir_op_symbol(op, NAME_type_sym));
	if (type)
		lower_result(e, op, lower_intrinsic(e, INTRINSIC_EH_TYPEID_FOR, &e->ptr, 1, &type, 1));
}

void lower_resume_flat(Lower *e, const IrOp *op)
{
	if (e->target->shape == SHAPE_WASM_CATCHES) {
		lower_wasm_resume(e, op);
		return;
	}
	LLVMValueRef pair = LLVMGetPoison(e->landing);
	for (uint32_t i = 0; i < 2; i++)
		pair = LLVMBuildInsertValue(e->b, pair, lower_operand(e, op, i), i, "");
	LLVMBuildResume(e->b, pair);
}

/* Variables of a function that its filters see (src/flatten/when.c). The unwinder gives a filter the frame pointer, so there has to be
 * one, and the places count from it only where the stack is not realigned. */

static void set_string(Lower *e, const char *key, const char *value)
{
	LLVMAttributeRef a =
	    LLVMCreateStringAttribute(e->context, key, (unsigned)strlen(key), value, (unsigned)strlen(value));
	LLVMAddAttributeAtIndex(e->function, LLVMAttributeFunctionIndex, a);
}

void lower_localescape(Lower *e, const IrOp *op)
{
	ArenaMark mark = arena_mark(e->scratch);
	LLVMValueRef *args = arena_array(e->scratch, LLVMValueRef, (size_t)op->noperands + 1);
	for (uint32_t i = 0; i < op->noperands; i++)
		args[i] = lower_operand(e, op, i);
	lower_intrinsic(e, INTRINSIC_LOCALESCAPE, NULL, 0, args, op->noperands);
	arena_release(e->scratch, mark);
	set_string(e, "frame-pointer", "all");
	set_string(e, "no-realign-stack", "");
}

void lower_localrecover(Lower *e, const IrOp *op)
{
	LLVMValueRef function = lower_symbol(e, ir_op_symbol(op, NAME_function));
	if (!function)
		return;
	LLVMValueRef index = LLVMConstInt(e->i32, ir_op_uint(op, NAME_index, 0), false);
	LLVMValueRef args[] = {function, lower_operand(e, op, 0), index};
	lower_result(e, op, lower_intrinsic(e, INTRINSIC_LOCALRECOVER, NULL, 0, args, 3));
}

/* The frame of a function, as llvm.localrecover counts from it, from the one that the system gives a filter. */
void lower_eh_recoverfp(Lower *e, const IrOp *op)
{
	LLVMValueRef args[] = {lower_symbol(e, ir_op_symbol(op, NAME_function)), lower_operand(e, op, 0)};
	if (args[0])
		lower_result(e, op, lower_intrinsic(e, INTRINSIC_EH_RECOVERFP, NULL, 0, args, 2));
}

/* Microsoft's /EHa: its C++ tables say then that cleanups and catch (...) see structured exceptions. */
bool lower_sees_structured_exceptions(const Lower *e)
{
	const IrAttr *eh = ir_module_attr(e->m, NAME_ms_eh);
	return eh && eh->kind == ATTR_STRING && str_is(name_str(eh->name), "a");
}
