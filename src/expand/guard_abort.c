/* Initializations of static variables whose guards the front end has acquired and releases itself, and which it does
 * not abort: clang prints
 *
 * 	cir.if (__cxa_guard_acquire(%guard) != 0) { body; __cxa_guard_release(%guard) }
 *
 * An exception out of body has to let it run again ([stmt.dcl]/4, C++ ABI 3.3.3):
 *
 * 	cir.if (…) { cleanup.scope { body } cleanup eh { __cxa_guard_abort(%guard) }; __cxa_guard_release(%guard) }
 */
#include "expand/internal.h"

#include "ir/catch.h"

static const LibFn guard_abort = {"__cxa_guard_abort", "vp", true, false, "function of the C++ runtime"};

static bool calls(const IrOp *op, const char *name)
{
	const Name *callee = op->kind == OP_CALL ? ir_call_callee(op) : NULL;
	return callee && str_equal(name_str(callee), str_of(name));
}

/* The result of __cxa_guard_acquire that v compares, or is; NULL: none. */
static const IrOp *acquired(const IrValue *v)
{
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	if (op && op->kind == OP_CMP) {
		v = ir_operand(op, 0);
		op = v->is_arg ? NULL : v->def.op;
	}
	return op && calls(op, "__cxa_guard_acquire") && ir_call_nargs(op) == 1 ? op : NULL;
}

/* The last op before the yield releases what the branch has acquired. */
static IrOp *release_of(const IrOp *branch)
{
	const IrOp *acquire = acquired(ir_operand(branch, 0));
	const IrBlock *last = branch->regions[0].last;
	const IrOp *end = acquire && last ? ir_block_terminator(last) : NULL;
	IrOp *release = end && end->kind == OP_YIELD ? end->prev : NULL;
	if (!release || !calls(release, "__cxa_guard_release") || ir_call_nargs(release) != 1)
		return NULL;
	return ir_call_arg(release, 0) == ir_call_arg(acquire, 0) ? release : NULL;
}

static bool wrap(Expand *x, IrOp *branch, IrOp *release)
{
	IrValue *guard = ir_call_arg(release, 0);
	IrRegion *body = &branch->regions[0], cleanup = {0};
	IrBuilder b = ir_before(x->m, release);
	b = ir_in_region(&b, &cleanup);
	if (!expand_call(x, &b, &guard_abort, &guard, 1, NULL))
		return false;
	ir_build_yield(&b, NULL);
	IrOp *scope = ir_wrap_in_cleanup(x->m, body, CLEANUP_EH, &cleanup, release->loc);
	ir_op_remove(release);
	ir_op_insert_before(scope->next, release);
	return true;
}

bool expand_guard_aborts(Expand *x)
{
	if (ir_module_option_is(x->m, "exceptions", false) ||
	    !ir_symbol(ir_name(x->m, STR("__cxa_guard_release"))) ||
	    ir_symbol(ir_name(x->m, STR("__cxa_guard_abort")))) /* the front end's own */
		return true;
	const IrRegion *body = &x->m->body;
	OpList branches = {0};
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (op->kind == OP_IF && release_of(op))
			vec_push(x->mem, &branches, op);
	for (uint32_t i = 0; i < branches.len; i++)
		if (!wrap(x, branches.data[i], release_of(branches.data[i])))
			return false;
	return true;
}
