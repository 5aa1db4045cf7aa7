/* Exceptions that are made and then not thrown: where the initialization of the object throws itself, its memory is
 * freed (C++ ABI 2.4.2), and clang prints
 *
 *	%e = cir.alloc.exception; body; cir.throw %e
 *
 * It becomes
 *
 *	%e = cir.alloc.exception; cleanup.scope { body } cleanup eh { cir.free.exception %e }; cir.throw %e
 *
 * With temporaries to destroy, the throw stands in their scope, and so in the body: a flag tells whether it was come to. So does
 * one that stands in front of another throw of the object. The initialization may make, and throw, another exception; where it does nothing
 * else, the object's own throw stands in a block that nothing comes to.
 *
 *	%active = true; cleanup.scope { scope { …; %active = false; cir.throw %e } } cleanup eh { if (%active) … }
 *
 * On windows-msvc the object is a variable. */
#include "repair/internal.h"

/* Each object's throw is looked for outwards from where it stands, and each initialization is read to its end; thousands
 * of them in thousands of scopes, or in one another, are far from that. */
enum { STEPS = 1 << 28 };

/* What the exception's cleanup is for: the ops behind its cir.alloc.exception, up to `end`. */
typedef struct Making {
	IrOp *alloc, *end;
	RepairOps throws; /* of the exception */
	PtrMap within;    /* those that stand in one of the ops */
} Making;

static bool is_throw(const IrOp *op, const IrValue *exception)
{
	return op->kind == OP_THROW && op->noperands && ir_operand(op, 0) == exception;
}

static void find_throws(Repair *r, Making *g)
{
	IR_FOR_USES (u, &g->alloc->results[0])
		if (is_throw(u->user, u->value))
			vec_push(r->mem, &g->throws, u->user);
}

/* The op of the block that the throw is, or stands in; NULL: it is elsewhere, or no steps are left. */
static IrOp *in_block(uint32_t *left, IrOp *op, const IrBlock *block)
{
	for (; op && *left; --*left, op = ir_op_parent(op))
		if (op->block == block)
			return op;
	return NULL;
}

/* Does the block that begins with the throw come next? clang gives a throw one of its own. */
static bool comes_next(const IrOp *last, const IrOp *thrower)
{
	for (uint32_t i = 0; last && !thrower->prev && i < last->nsuccs; i++)
		if (last->succs[i].dest == thrower->block)
			return true;
	return false;
}

static bool find_end(Repair *r, Making *g, uint32_t *left)
{
	const IrBlock *block = g->alloc->block;
	IrOp *last = ir_block_terminator(block);
	PtrMap ends = {0};
	for (uint32_t i = 0; i < g->throws.len; i++) {
		IrOp *thrower = g->throws.data[i], *top = in_block(left, thrower, block);
		if (!top && last->kind != OP_UNREACHABLE && !comes_next(last, thrower))
			return false;
		if (top && top != thrower)
			ptrmap_put(r->mem, &g->within, thrower, thrower);
		ptrmap_put(r->mem, &ends, top ? top : last, last);
	}
	for (IrOp *op = g->alloc->next; op; op = op->next)
		if (ptrmap_get(&ends, op))
			g->end = op == last || is_throw(op, &g->alloc->results[0]) ? op : op->next;
	return g->end != NULL;
}

/* What is found in the body. */
typedef struct Body {
	PtrMap ops;               /* directly in it */
	uint64_t uses, uses_here; /* of their results: all, and those by ops of the body */
	bool throws, fixed;       /* fixed: it cannot be put into a scope, or no steps are left */
} Body;

static void look_at(Body *b, const Making *g, const IrOp *op, uint32_t *left)
{
	*left -= *left > 0;
	/* Nothing jumps into a cleanup scope. */
	b->fixed |= op->kind == OP_LABEL || op->kind == OP_CASE || !*left;
	b->throws |= !is_throw(op, &g->alloc->results[0]) && ir_op_may_throw(op);
	for (uint32_t i = 0; i < op->noperands; i++) {
		const IrValue *v = ir_operand(op, i);
		b->uses_here += !v->is_arg && ptrmap_get(&b->ops, v->def.op);
	}
}

static void look_into(Body *b, const Making *g, IrOp *op, uint32_t *left)
{
	look_at(b, g, op, left);
	for (uint32_t i = 0; i < op->nregions; i++)
		for (IrOp *in = ir_walk_first(&op->regions[i]); in && !b->fixed;
		     in = ir_walk_next(in, &op->regions[i]))
			look_at(b, g, in, left);
}

/* Does something throw in there but the throw, and can it be put into a scope? */
static bool needs_cleanup(Repair *r, const Making *g, uint32_t *left)
{
	Body b = {0};
	for (IrOp *op = g->alloc->next; op != g->end && !b.fixed; op = op->next) {
		ptrmap_put(r->mem, &b.ops, op, op);
		for (uint32_t i = 0; i < op->nresults; i++)
			IR_FOR_USES (u, &op->results[i])
				b.uses++;
		look_into(&b, g, op, left);
	}
	return b.throws && !b.fixed && b.uses == b.uses_here;
}

static void set(IrBuilder *b, IrValue *flag, bool to)
{
	ir_build_store(b, ir_build_const(b, ir_attr_bool(b->m, to)), flag);
}

static IrValue *make_flag(IrModule *m, const Making *g)
{
	IrBuilder b = ir_before(m, g->alloc);
	IrValue *flag = ir_build_alloca(&b, ir_type_simple(m, TYPE_BOOL), STR("cleanup.isactive"), 1);
	set(&b, flag, true);
	for (uint32_t i = 0; i < g->throws.len; i++) {
		if (!ptrmap_get(&g->within, g->throws.data[i]))
			continue;
		b = ir_before(m, g->throws.data[i]);
		set(&b, flag, false);
	}
	return flag;
}

/* flag: NULL, or tells that the exception is not thrown yet. */
static void build_cleanup(IrBuilder b, IrValue *exception, IrValue *flag)
{
	IrBuilder then = b;
	if (flag) {
		IrOp *branch = ir_build_regions(&b, OP_IF, ir_build_load(&b, flag), NULL, 2);
		then = ir_in_region(&b, &branch->regions[0]);
	}
	ir_build(&then, OP_FREE_EXCEPTION, NULL, &exception, 1);
	if (flag)
		ir_build_yield(&then, NULL);
	ir_build_yield(flag ? &b : &then, NULL);
}

static void wrap(IrModule *m, const Making *g)
{
	IrValue *flag = g->within.len ? make_flag(m, g) : NULL;
	IrOp *first = g->alloc->next;
	IrBuilder b = ir_before(m, first);
	IrOp *scope = ir_build_regions(&b, OP_CLEANUP_SCOPE, NULL, NULL, 2);
	ir_set_enum(m, scope, NAME_kind, ENUM_CLEANUP, CLEANUP_EH);
	IrBuilder body = ir_in_region(&b, &scope->regions[0]);
	for (IrOp *op = first, *next; op != g->end; op = next) {
		next = op->next;
		ir_op_remove(op);
		ir_op_append(body.block, op);
	}
	/* what stands behind a throw, which may be the last of the body */
	if (g->end->kind == OP_UNREACHABLE)
		ir_build(&body, OP_UNREACHABLE, NULL, NULL, 0);
	else
		ir_build_yield(&body, NULL);
	build_cleanup(ir_in_region(&b, &scope->regions[1]), &g->alloc->results[0], flag);
}

static bool free_object(Repair *r, IrOp *alloc, uint32_t *left)
{
	ArenaMark mark = arena_mark(r->mem);
	Making g = {.alloc = alloc};
	find_throws(r, &g);
	if (find_end(r, &g, left) && needs_cleanup(r, &g, left) && repair_at(r, alloc->loc))
		wrap(r->m, &g);
	arena_release(r->mem, mark);
	if (*left || !r->changes)
		return true;
	diag_error(r->d, alloc->loc,
	           "cannot tell where the memory of this exception is freed: the search took more than %d "
	           "steps; nest fewer scopes, or use %s",
	           STEPS, diag_setting(r->d, SETTING_REPAIR_NONE));
	return false;
}

bool repair_exception_objects(Repair *r)
{
	IrModule *m = r->m;
	bool freed = m->made[OP_FREE_EXCEPTION] || ir_symbol(ir_name(m, STR("__cxa_free_exception")));
	bool microsoft = r->target && r->target->runtime == RUNTIME_MICROSOFT;
	if (!m->made[OP_ALLOC_EXCEPTION] || freed || microsoft)
		return true;
	RepairOps allocs = {0};
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (op->kind == OP_ALLOC_EXCEPTION)
			vec_push(r->mem, &allocs, op);
	uint32_t left = STEPS;
	for (uint32_t i = 0; i < allocs.len; i++)
		if (!free_object(r, allocs.data[i], &left))
			return false;
	return true;
}
