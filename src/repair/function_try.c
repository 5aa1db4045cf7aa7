/* Function-try-blocks of constructors. The end of a handler throws again what it has caught ([except.handle] of the C++
 * standard), and clang prints handlers without that:
 *
 *	cir.try { cir.call @Base(%base_of_this); … }
 *	catch all (%e) { begin_catch; cir.cleanup.scope { H; cir.yield } cleanup all { end_catch }; cir.yield }
 *
 * becomes … H; cir.throw; cir.unreachable …
 *
 * It is such a block if a base is constructed in it, a virtual pointer of the object set, or the object left to another
 * constructor of the class. Where it has none of these, it reads like one in the constructor's body, whose handlers end
 * the exception, and is taken for that: a member that is constructed may be a placement new. */
#include "repair/internal.h"

#include "ir/try.h"

static bool is_this(const IrOp *func, const IrValue *v)
{
	return repair_parameter(func, v) == func->regions[0].first->args[0];
}

/* The object that an op of that kind has made v of; NULL: it has not. */
static const IrValue *made_of(OpKind kind, const IrValue *v)
{
	return !v->is_arg && v->def.op->kind == kind ? ir_operand(v->def.op, 0) : NULL;
}

/* Does it construct a base of the object, or leave the object to another constructor of the class? */
static bool constructs(const IrOp *func, const IrOp *op)
{
	const Name *name = op->kind == OP_CALL && ir_call_nargs(op) ? ir_call_callee(op) : NULL;
	const IrOp *callee = name ? ir_symbol(name) : NULL;
	const IrType *record = callee && callee->kind == OP_FUNC ? repair_constructed(callee) : NULL;
	if (!record)
		return false;
	const IrValue *arg = ir_call_arg(op, 0), *object = made_of(OP_BASE_CLASS_ADDR, arg);
	return object ? is_this(func, object) : record == repair_constructed(func) && is_this(func, arg);
}

static bool sets_own_vptr(const IrOp *func, const IrOp *op)
{
	const IrValue *object = repair_sets_vptr(op) ? made_of(OP_VTABLE_GET_VPTR, ir_operand(op, 1)) : NULL;
	return object && is_this(func, object);
}

static bool tells(const IrOp *func, const IrOp *op)
{
	return constructs(func, op) || sets_own_vptr(func, op);
}

static bool is_function_try(const IrOp *func, const IrOp *block)
{
	const IrRegion *body = &block->regions[0];
	for (const IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (tells(func, op))
			return true;
	return false;
}

/* It is in no other block: those in it are of the constructor's body. */
static IrOp *function_try(const IrOp *func)
{
	const IrRegion *body = &func->regions[0];
	for (IrOp *op = ir_walk_first(body); op;
	     op = op->kind == OP_TRY ? ir_walk_skip(op, body) : ir_walk_next(op, body))
		if (op->kind == OP_TRY && is_function_try(func, op))
			return op;
	return NULL;
}

/* What leaves the region by its end throws instead. */
static void throw_at_end(IrModule *m, const IrRegion *handler)
{
	IR_FOR_BLOCKS (block, handler) {
		IrOp *end = ir_block_terminator(block);
		if (end->kind != OP_YIELD)
			continue;
		IrBuilder b = ir_before(m, end);
		ir_build(&b, OP_THROW, NULL, NULL, 0);
		ir_build(&b, OP_UNREACHABLE, NULL, NULL, 0);
		ir_op_erase(end);
	}
}

static bool has_end(const IrRegion *handler)
{
	IR_FOR_BLOCKS (block, handler)
		if (ir_block_terminator(block)->kind == OP_YIELD)
			return true;
	return false;
}

/* The bodies of the scopes whose cleanup ends the catch, and which are left by their end. */
static void find_ends(Repair *r, const IrValue *caught, RepairOps *scopes)
{
	IR_FOR_USES (u, caught) {
		IrOp *scope = u->user->kind == OP_END_CATCH ? ir_op_parent(u->user) : NULL;
		if (scope && scope->kind == OP_CLEANUP_SCOPE &&
		    u->user->block->region == &scope->regions[1] && has_end(&scope->regions[0]))
			vec_push(r->mem, scopes, scope);
	}
}

static void repair_block(Repair *r, const IrOp *block)
{
	RepairOps scopes = {0};
	TryHandler h;
	IR_FOR_HANDLERS(&h, block)
	IR_FOR_USES (u, h.region->first->args[0])
		if (u->user->kind == OP_BEGIN_CATCH)
			find_ends(r, &u->user->results[0], &scopes);
	if (!scopes.len || !repair_at(r, block->loc))
		return;
	for (uint32_t i = 0; i < scopes.len; i++)
		throw_at_end(r->m, &scopes.data[i]->regions[0]);
}

bool repair_function_tries(Repair *r)
{
	if (!r->m->made[OP_TRY])
		return true;
	IR_FOR_OPS (func, ir_module_block(r->m)) {
		bool constructor =
		    func->kind == OP_FUNC && repair_constructed(func) && !ir_func_is_declaration(func);
		const IrOp *block = constructor && func->regions[0].first->nargs ? function_try(func) : NULL;
		if (block)
			repair_block(r, block);
	}
	return true;
}
