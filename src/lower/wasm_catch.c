/* lower/wasm_catch.c: landing pads as catches of WebAssembly (LLVM's ExceptionHandling.rst, "Wasm Exception Handling Intrinsics").
 *
 * A catch takes all exceptions of the tag __cpp_exception, whatever its clauses: they only say what selector the C++ library is asked for.
 * What no handler takes is thrown again, which the catch of a caller sees as it saw the first throw: nothing is known of the frames between.
 *
 * Each call has a catch of its own, that goes on to the pad's block: code of the pad may call what unwinds to the same pad, and a catch cannot be
 * the head of a loop (LLVM writes invalid code then). The code of cleanups stays in the catch (wasm_cleanup.c).
 */
#include "lower/wasm_catch.h"

typedef VEC(LLVMValueRef) Clauses;

static void add_types(Lower *e, Clauses *out, const IrAttr *types)
{
	for (uint32_t i = 0; types && i < types->n; i++) {
		LLVMValueRef type = lower_symbol(e, types->elems[i]->name);
		if (type)
			vec_push(e->scratch, out, type);
	}
}

/* LLVM ends the process over pads of another one: its tables are all that it writes. False: reported. */
static bool check_personality(Lower *e)
{
	const Name *name = ir_op_symbol(e->func, NAME_personality);
	bool ok = !name || str_is(name_str(name), e->target->personality);
	if (!ok)
		lower_error(e, "is a pad of the personality '@%s'; target '%s' has '@%s' alone", name->text,
		            e->target->name, e->target->personality);
	return ok;
}

/* False: reported. */
static bool add_clauses(Lower *e, Clauses *out, const IrOp *op)
{
	if (!check_personality(e))
		return false;
	if (ir_op_has(op, NAME_filter_type_list)) {
		lower_error(e, "has an exception specification, which WebAssembly's exceptions do not know; "
		               "use a handler");
		return false;
	}
	add_types(e, out, ir_op_attr(op, NAME_catch_type_list));
	if (ir_op_has(op, NAME_catch_all) || !out->len)
		vec_push(e->scratch, out, LLVMConstNull(e->ptr));
	return true;
}

static bool takes_all(const Clauses *clauses)
{
	return LLVMIsNull(clauses->data[0]);
}

static LLVMBasicBlockRef append_block(const Lower *e, LLVMBasicBlockRef after)
{
	LLVMBasicBlockRef b = LLVMAppendBasicBlockInContext(e->context, e->function, "");
	LLVMMoveBasicBlockAfter(b, after);
	return b;
}

/* Where nobody asks the library, there is no selector: LLVM crashes over one that is used. */
static LLVMValueRef selector(Lower *e, LLVMValueRef pad, const Clauses *clauses)
{
	return takes_all(clauses) ? LLVMConstNull(e->i32)
	                          : lower_intrinsic(e, INTRINSIC_WASM_GET_EHSELECTOR, NULL, 0, &pad, 1);
}

/* A phi of the pad's block, which all its edges feed; a block of one edge has the value itself. */
static void feed(Lower *e, const IrBlock *dest, const IrValue *result, LLVMValueRef v)
{
	LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
	LLVMValueRef *slot = &e->values[result->id];
	if (e->npreds[dest->id] == 1) {
		*slot = v;
		return;
	}
	if (!*slot) {
		LLVMBasicBlockRef pad = e->blocks[dest->id];
		LLVMValueRef first = LLVMGetFirstInstruction(pad);
		if (first)
			LLVMPositionBuilderBefore(e->b, first);
		else
			LLVMPositionBuilderAtEnd(e->b, pad);
		*slot = LLVMBuildPhi(e->b, LLVMTypeOf(v), "");
		LLVMPositionBuilderAtEnd(e->b, from);
	}
	LLVMAddIncoming(*slot, &v, &from, 1);
}

static void build_catch(Lower *e, const IrSucc *s, LLVMValueRef catchswitch, const Clauses *clauses)
{
	const IrOp *inflight = s->dest->first;
	LLVMValueRef pad = LLVMBuildCatchPad(e->b, catchswitch, clauses->data, (unsigned)clauses->len, "");
	feed(e, s->dest, &inflight->results[0],
	     lower_intrinsic(e, INTRINSIC_WASM_GET_EXCEPTION, NULL, 0, &pad, 1));
	feed(e, s->dest, &inflight->results[1], selector(e, pad, clauses));
	LLVMBuildCatchRet(e->b, pad, lower_edge(e, s));
}

/* One for all calls with that pad; its handler is the block of the pad. */
static LLVMBasicBlockRef cleanup_catch(Lower *e, const IrBlock *pad)
{
	LLVMValueRef catchswitch = ptrmap_get(&e->cleanup_catches, pad);
	if (!catchswitch) {
		LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b), unwind = append_block(e, from);
		LLVMPositionBuilderAtEnd(e->b, unwind);
		catchswitch = LLVMBuildCatchSwitch(e->b, NULL, NULL, 1, "");
		LLVMAddHandler(catchswitch, e->blocks[pad->id]);
		LLVMPositionBuilderAtEnd(e->b, from);
		ptrmap_put(e->arena, &e->cleanup_catches, pad, catchswitch);
	}
	return LLVMGetInstructionParent(catchswitch);
}

void lower_wasm_pad(Lower *e, const IrOp *inflight)
{
	LLVMValueRef catchswitch = ptrmap_get(&e->cleanup_catches, inflight->block);
	if (!catchswitch) /* the edges have done it */
		return;
	LLVMValueRef all = LLVMConstNull(e->ptr);
	e->pad = LLVMBuildCatchPad(e->b, catchswitch, &all, 1, "");
	e->values[inflight->results[0].id] =
	    lower_intrinsic(e, INTRINSIC_WASM_GET_EXCEPTION, NULL, 0, &e->pad, 1);
	e->values[inflight->results[1].id] = LLVMConstNull(e->i32);
}

LLVMBasicBlockRef lower_wasm_unwind_edge(Lower *e, const IrSucc *s)
{
	ArenaMark mark = arena_mark(e->scratch);
	Clauses clauses = {0};
	LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b), unwind = NULL;
	const IrOp *call = e->op;
	e->op = s->dest->first; /* errors are of the pad */
	bool ok = add_clauses(e, &clauses, s->dest->first);
	if (ok && takes_all(&clauses) && wasm_is_cleanup(s->dest)) {
		unwind = cleanup_catch(e, s->dest);
	} else if (ok) {
		unwind = append_block(e, from);
		LLVMBasicBlockRef entered = append_block(e, unwind);
		LLVMPositionBuilderAtEnd(e->b, unwind);
		LLVMValueRef catchswitch = LLVMBuildCatchSwitch(e->b, NULL, NULL, 1, "");
		LLVMAddHandler(catchswitch, entered);
		LLVMPositionBuilderAtEnd(e->b, entered);
		build_catch(e, s, catchswitch, &clauses);
		LLVMPositionBuilderAtEnd(e->b, from);
	}
	e->op = call;
	arena_release(e->scratch, mark);
	return unwind;
}

/* The tag of C++ has the number 0. */
void lower_wasm_resume(Lower *e, const IrOp *op)
{
	if (e->pad) {
		lower_intrinsic_in_pad(e, INTRINSIC_WASM_RETHROW);
		LLVMBuildUnreachable(e->b);
		return;
	}
	LLVMValueRef args[] = {LLVMConstNull(e->i32), lower_operand(e, op, 0)};
	lower_intrinsic(e, INTRINSIC_WASM_THROW, NULL, 0, args, 2);
	LLVMBuildUnreachable(e->b);
}
