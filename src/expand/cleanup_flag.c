/* Flags of temporaries that only one side of a condition makes. clang prints one scope for those of an expression, around
 * all of it:
 *
 *	cleanup.scope {
 *		…; cleanup.scope { …; %flag = false; cir.if { make; %flag = true; … }; … } cleanup all { … }
 *	} cleanup all { if (%flag) destroy }
 *
 * They would be destroyed behind the others of the expression, all of which were made before ([class.temporary]/4 of the
 * C++ standard: in reverse order), and an exception out of what comes before the flag is set to false would find it as it
 * was. Until September of 2026 (llvm-project pull request 225507) it was set to false behind the scope within where the
 * condition has temporaries itself, so that nothing was destroyed. The scope goes to where the condition is:
 *
 *	…; cleanup.scope { …; %flag = false; cleanup.scope { cir.if …; … } cleanup all { if (%flag) destroy } } cleanup all { … }
 *
 * Only where all of the scopes end together: one that ends earlier is none of a temporary. Elsewhere it is just set to
 * false in front of the scope, where that may be too late. */
#include "expand/internal.h"

#include "ir/catch.h"

enum {
	SCOPES = 64, /* a front end does not put more into each other for one expression, … */
	FLAGS = 64,  /* … nor has more flags for it, … */
	STEPS = 256, /* … nor more ops before it sets one */
};

/* The only ops that use the flag. */
typedef struct Flag {
	IrOp *off, *on; /* set it */
	IrOp *test;
} Flag;

typedef struct Scope {
	IrOp *op;
	VEC(Flag) flags; /* that its cleanup tests */
	IrOp *start;     /* where the part begins that it is for, in a scope within; NULL: not found */
} Scope;

/* 0 or 1 for the store of that constant; -1: something else. */
static int stored_constant(const IrUse *u)
{
	const IrOp *op = u->user;
	const IrValue *v = op->kind == OP_STORE && u == &op->operands[1] ? ir_operand(op, 0) : NULL;
	const IrAttr *a =
	    v && !v->is_arg && v->def.op->kind == OP_CONST ? ir_op_attr(v->def.op, NAME_value) : NULL;
	return a && a->kind == ATTR_BOOL ? (int)a->bits : -1;
}

static bool find_uses(Flag *f, const IrOp *alloca)
{
	IR_FOR_USES (u, &alloca->results[0]) {
		int constant = stored_constant(u);
		IrOp **place = constant == 0 ? &f->off : constant == 1 ? &f->on : &f->test;
		if (*place || (constant < 0 && u->user->kind != OP_LOAD))
			return false;
		*place = u->user;
	}
	return f->off && f->on && f->test;
}

static IrBlock *body_of(const IrOp *scope)
{
	return scope->regions[0].first;
}

/* The op of the block that op is, or stands in; NULL: it is elsewhere. */
static IrOp *in_block(IrOp *op, const IrBlock *block)
{
	for (unsigned i = 0; op && i < SCOPES; i++, op = ir_op_parent(op))
		if (op->block == block)
			return op;
	return NULL;
}

static const IrOp *named_alloca(const IrOp *load, const Name *name)
{
	const IrValue *v = load->kind == OP_LOAD ? ir_operand(load, 0) : NULL;
	const IrOp *op = v && !v->is_arg && v->def.op->kind == OP_ALLOCA ? v->def.op : NULL;
	const IrAttr *a = op ? ir_op_attr(op, NAME_name) : NULL;
	return a && a->name == name ? op : NULL;
}

/* All flags that the cleanup tests must be understood. */
static bool find_flags(Expand *x, Scope *s, const Name *name)
{
	const IrRegion *cleanup = &s->op->regions[1];
	if (!cleanup->first || cleanup->first != cleanup->last)
		return false;
	IR_FOR_OPS (op, cleanup->first) {
		const IrOp *alloca = named_alloca(op, name);
		Flag f = {0};
		if (!alloca)
			continue;
		if (s->flags.len == FLAGS || !find_uses(&f, alloca) || !in_block(f.on, body_of(s->op)) ||
		    !in_block(f.off, body_of(s->op)))
			return false;
		vec_push(x->mem, &s->flags, f);
	}
	return s->flags.len != 0;
}

static bool comes_before(const IrOp *a, const IrOp *b)
{
	for (unsigned i = 0; b && i < STEPS; i++, b = b->prev)
		if (b == a)
			return true;
	return false;
}

/* Is it set to false behind what sets it to true? */
static bool is_late(const Flag *f)
{
	const IrOp *on = in_block(f->on, f->off->block);
	return on && comes_before(on, f->off);
}

/* Has the body, behind its first block, only what clang leaves behind a return: blocks that nothing comes to? */
static bool has_one_block(const IrRegion *body)
{
	for (const IrBlock *b = body->first->next; b; b = b->next)
		if (b->preds || !b->first || b->first != b->last || b->first->kind != OP_YIELD)
			return false;
	return true;
}

/* Does nothing but setting the scope's flags to false come behind op in its block, and is that the body's only one? */
static bool ends_with(const Scope *s, const IrOp *op)
{
	const IrRegion *body = op->block->region;
	const IrOp *end = ir_block_terminator(op->block);
	if (body->first != body->last || !end || end->kind != OP_YIELD)
		return false;
	for (unsigned i = 0; (op = op->next) != end; i++) {
		bool ours = op->kind == OP_CONST;
		for (uint32_t k = 0; k < s->flags.len; k++)
			ours |= op == s->flags.data[k].off;
		if (!ours || i == STEPS)
			return false;
	}
	return true;
}

static bool is_in(IrOp *op, const IrOp *outer)
{
	return op != outer && in_block(op, outer->block) == outer;
}

/* Where the innermost of the scopes that end with this one comes to the condition. */
static IrOp *start_of(const Scope *s, const Flag *f)
{
	const IrOp *inner = s->op;
	for (unsigned i = 0; i < SCOPES; i++) {
		IrOp *op = in_block(f->on, body_of(inner));
		if (op->kind != OP_CLEANUP_SCOPE || !in_block(f->on, body_of(op)) || !ends_with(s, op))
			return inner != s->op ? op : NULL;
		inner = op;
	}
	return NULL;
}

/* The first of the starts of its flags, if they are in one block, which can be cut there. */
static void find_start(Scope *s)
{
	for (uint32_t i = 0; i < s->flags.len; i++) {
		IrOp *start = start_of(s, &s->flags.data[i]);
		bool first = start && (!s->start || comes_before(start, s->start));
		if (!start || !(first || comes_before(s->start, start)) ||
		    is_in(s->flags.data[i].off, start)) {
			s->start = NULL;
			return;
		}
		if (first)
			s->start = start;
	}
	const IrBlock *block = s->start->block;
	if (!has_one_block(block->region) || !ir_block_terminator(block))
		s->start = NULL;
}

static void set_off(IrModule *m, const Flag *f, IrOp *before)
{
	IrBuilder b = ir_before(m, before);
	ir_build_store(&b, ir_build_const(&b, ir_attr_bool(m, false)), ir_operand(f->off, 1));
}

/* The ops from `first` on become the body of a scope with that cleanup. */
static void wrap_rest(IrModule *m, IrOp *first, unsigned kind, IrRegion *cleanup)
{
	IrBuilder b = ir_before(m, first);
	IrOp *scope = ir_build_regions(&b, OP_CLEANUP_SCOPE, NULL, NULL, 2);
	ir_set_enum(m, scope, NAME_kind, ENUM_CLEANUP, kind);
	IrBuilder body = ir_in_region(&b, &scope->regions[0]);
	for (IrOp *op = first, *next; op; op = next) {
		next = op->next;
		ir_op_remove(op);
		ir_op_append(body.block, op);
	}
	IrBuilder after = ir_at_end(m, scope->block, scope->loc);
	ir_build_yield(&after, NULL);
	ir_region_move_blocks(cleanup, &scope->regions[1]);
}

static void move_scope(Expand *x, const Scope *s)
{
	IrModule *m = x->m;
	for (uint32_t i = 0; i < s->flags.len; i++) {
		set_off(m, &s->flags.data[i], s->start);
		ir_op_erase(s->flags.data[i].off);
	}
	wrap_rest(m, s->start, ir_op_enum(s->op, NAME_kind, CLEANUP_NORMAL), &s->op->regions[1]);
	for (IrOp *op = body_of(s->op)->first, *next; op->kind != OP_YIELD; op = next) {
		next = op->next;
		ir_op_remove(op);
		ir_op_insert_before(s->op, op);
	}
	ir_op_erase(s->op);
}

/* May an exception come to the cleanup before the flag is set to false? */
static bool may_be_unset(const Scope *s, const Flag *f)
{
	if (ir_op_enum(s->op, NAME_kind, CLEANUP_NORMAL) == CLEANUP_NORMAL)
		return false;
	for (const IrOp *op = body_of(s->op)->first; op != f->off; op = op->next)
		if (!op || op->nregions || ir_op_may_throw(op))
			return true;
	return false;
}

static void set_in_front(IrModule *m, const Scope *s)
{
	for (uint32_t i = 0; i < s->flags.len; i++) {
		const Flag *f = &s->flags.data[i];
		bool late = is_late(f);
		if (late || may_be_unset(s, f))
			set_off(m, f, s->op);
		if (late)
			ir_op_erase(f->off);
	}
}

void expand_cleanup_flags(Expand *x)
{
	IrModule *m = x->m;
	const Name *name = name_find(&m->names, STR("cleanup.cond"));
	if (!name || !m->made[OP_CLEANUP_SCOPE])
		return;
	OpList scopes = {0};
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (op->kind == OP_CLEANUP_SCOPE)
			vec_push(x->mem, &scopes, op);
	for (uint32_t i = 0; i < scopes.len; i++) {
		Scope s = {.op = scopes.data[i]};
		if (!find_flags(x, &s, name))
			continue;
		find_start(&s);
		if (s.start)
			move_scope(x, &s);
		else
			set_in_front(m, &s);
	}
}
