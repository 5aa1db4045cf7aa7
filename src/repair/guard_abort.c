/* Initializations of static variables whose guards the front end has acquired and releases itself, and which it does
 * not abort: clang prints
 *
 * 	cir.if (__cxa_guard_acquire(%guard) != 0) { body; __cxa_guard_release(%guard) }
 *
 * An exception out of body has to let it run again ([stmt.dcl]/4, C++ ABI 3.3.3):
 *
 * 	cir.if (…) { cleanup.scope { body } cleanup eh { __cxa_guard_abort(%guard) }; __cxa_guard_release(%guard) }
 */
#include "repair/internal.h"

#include "ir/catch_region.h"
#include "ir/libcall.h"

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

static bool wrap(Repair *r, IrOp *branch, IrOp *release)
{
	IrValue *guard = ir_call_arg(release, 0);
	IrRegion *body = &branch->regions[0], cleanup = {0};
	IrBuilder b = ir_before(r->m, release);
	b = ir_in_region(&b, &cleanup);
	IrOp *call = libfn_call(&b, &guard_abort, &guard, 1, r->d);
	if (!call)
		return false;
	ir_set_flag(r->m, call, NAME_nothrow);
	ir_build_yield(&b, NULL);
	IrOp *scope = ir_wrap_in_cleanup(r->m, body, CLEANUP_EH, &cleanup, release->loc);
	ir_op_remove(release);
	ir_op_insert_before(scope->next, release);
	return true;
}

bool repair_guard_aborts(Repair *r)
{
	if (ir_module_option_is(r->m, "exceptions", false) ||
	    !ir_symbol(ir_name(r->m, STR("__cxa_guard_release"))) ||
	    ir_symbol(ir_name(r->m, STR("__cxa_guard_abort")))) /* the front end's own */
		return true;
	const IrRegion *body = &r->m->body;
	RepairOps branches = {0};
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (op->kind == OP_IF && release_of(op))
			vec_push(r->mem, &branches, op);
	for (uint32_t i = 0; i < branches.len; i++) {
		IrOp *branch = branches.data[i];
		if (repair_at(r, branch->loc) && !wrap(r, branch, release_of(branch)))
			return false;
	}
	return true;
}
