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
 * Only where all of the scopes end together, and without an exception as with one: one that ends earlier, or is of kind
 * `eh` (that of `new` frees the memory when the constructor throws), is none of a temporary. And only where the cleanup
 * does nothing else. Elsewhere it is just set to false in front of the scope, where that may be too late.
 *
 * Where the cleanup tests flags of conditions in several scopes, each of these gets a scope with its own. */
#include "repair/internal.h"

#include "ir/catch_region.h"

/* Scopes in each other that all test flags far within are looked through again for each; hundreds of nested conditions
 * are far from that. */
enum { STEPS = 1 << 28 };

/* The only ops that use the flag. */
typedef struct Flag {
	IrOp *off, *on; /* set it */
	IrOp *test;
	bool late;  /* set to false behind what sets it to true */
	bool stays; /* … within where the scope begins */
} Flag;

typedef struct Scope {
	IrOp *op;
	VEC(Flag) flags; /* that its cleanup tests */
	PtrMap offs;     /* their ops */
	PtrMap places;   /* of ops in blocks that were looked at: 1, 2, … */
	IrOp *start;     /* where the part begins that it is for, in a scope within; NULL: not found */
} Scope;

typedef struct Search {
	Repair *r;
	uint32_t left; /* steps; 0: nothing that was found counts */
	bool agreed;   /* the scope that is looked at may be changed */
} Search;

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
static IrOp *in_block(Search *q, IrOp *op, const IrBlock *block)
{
	for (; op && q->left; q->left--, op = ir_op_parent(op))
		if (op->block == block)
			return op;
	return NULL;
}

/* The flag that is loaded; NULL: something else. */
static const IrOp *loaded_flag(const IrOp *load)
{
	const IrValue *v = load->kind == OP_LOAD ? ir_operand(load, 0) : NULL;
	return v && repair_is_variable(v, STR("cleanup.cond")) ? v->def.op : NULL;
}

/* All flags that the cleanup tests must be understood. */
static bool find_flags(Search *q, Scope *s)
{
	const IrRegion *cleanup = &s->op->regions[1];
	if (!cleanup->first || cleanup->first != cleanup->last)
		return false;
	IR_FOR_OPS (op, cleanup->first) {
		const IrOp *alloca = loaded_flag(op);
		Flag f = {0};
		if (!alloca)
			continue;
		if (!find_uses(&f, alloca) || !in_block(q, f.on, body_of(s->op)) ||
		    !in_block(q, f.off, body_of(s->op)))
			return false;
		vec_push(q->r->mem, &s->flags, f);
		ptrmap_put(q->r->mem, &s->offs, f.off, f.off);
	}
	return s->flags.len != 0;
}

/* Is the cleanup `if (%flag) destroy`, as often as there are flags, and nothing else? */
static bool only_tests_flags(const Scope *s)
{
	const IrOp *op = s->op->regions[1].first->first;
	for (const IrOp *branch; op && loaded_flag(op); op = branch->next) {
		branch = op->next;
		if (!branch || branch->kind != OP_IF || ir_operand(branch, 0) != &op->results[0] ||
		    branch->regions[1].first)
			return false;
	}
	return op && op->kind == OP_YIELD;
}

/* The place of an op in its block. */
static uintptr_t place(Search *q, Scope *s, const IrOp *op)
{
	uintptr_t n = 0;
	if (!ptrmap_get(&s->places, op))
		for (const IrOp *o = op->block->first; o && q->left; o = o->next, q->left--)
			ptrmap_put(q->r->mem, &s->places, o, (void *)++n);
	return (uintptr_t)ptrmap_get(&s->places, op);
}

/* Is it set to false behind what sets it to true? */
static bool is_late(Search *q, Scope *s, const Flag *f)
{
	const IrOp *on = in_block(q, f->on, f->off->block);
	return on && place(q, s, on) < place(q, s, f->off);
}

/* Has the body, behind its first block, only what clang leaves behind a return: blocks that nothing comes to? */
static bool has_one_block(Search *q, const IrRegion *body)
{
	for (const IrBlock *b = body->first->next; b; b = b->next, q->left--)
		if (!q->left || b->preds || !b->first || b->first != b->last || b->first->kind != OP_YIELD)
			return false;
	return true;
}

/* Does nothing but setting the scope's flags to false come behind op in its block, and is that the body's only one? */
static bool ends_with(Search *q, const Scope *s, const IrOp *op)
{
	const IrRegion *body = op->block->region;
	const IrOp *end = ir_block_terminator(op->block);
	if (body->first != body->last || !end || end->kind != OP_YIELD)
		return false;
	for (op = op->next; op != end && q->left; op = op->next, q->left--)
		if (op->kind != OP_CONST && !ptrmap_get(&s->offs, op))
			return false;
	return true;
}

static bool is_eh_scope(const IrOp *op)
{
	return op->kind == OP_CLEANUP_SCOPE && ir_op_enum(op, NAME_kind, CLEANUP_NORMAL) == CLEANUP_EH;
}

/* Is it a scope of another temporary, with which this one ends? */
static bool ends_along(Search *q, const Scope *s, const IrOp *op)
{
	return op->kind == OP_CLEANUP_SCOPE && !is_eh_scope(op) && ends_with(q, s, op);
}

/* Where the innermost of the scopes that end with this one comes to the condition. */
static IrOp *innermost_start(Search *q, const Scope *s, IrOp *on)
{
	RepairOps way = {0}; /* from the condition out to the scope */
	for (; on != s->op && q->left; on = ir_op_parent(on), q->left--)
		vec_push(q->r->mem, &way, on);
	uint32_t i = way.len;
	while (i > 1 && way.data[i - 2]->block == body_of(way.data[i - 1]) &&
	       ends_along(q, s, way.data[i - 1]))
		i--;
	return i < way.len ? way.data[i - 1] : NULL;
}

/* The first of the starts of its flags, if they are in one block, which can be cut there. */
static IrOp *find_start(Search *q, Scope *s)
{
	IrOp *first = innermost_start(q, s, s->flags.data[0].on);
	if (!first || !has_one_block(q, first->block->region) || !ir_block_terminator(first->block))
		return NULL;
	for (uint32_t i = 0; i < s->flags.len; i++) {
		Flag *f = &s->flags.data[i];
		IrOp *start = in_block(q, f->on, first->block);
		if (!start || (i && ends_along(q, s, start)))
			return NULL;
		f->stays = f->off != start && in_block(q, f->off, start->block) == start;
		if (f->stays && !is_eh_scope(start))
			return NULL;
		if (place(q, s, start) < place(q, s, first))
			first = start;
	}
	return first;
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

static void move_scope(IrModule *m, const Scope *s)
{
	for (uint32_t i = 0; i < s->flags.len; i++) {
		const Flag *f = &s->flags.data[i];
		set_off(m, f, s->start);
		if (f->late || !f->stays)
			ir_op_erase(f->off);
	}
	wrap_rest(m, s->start, ir_op_enum(s->op, NAME_kind, CLEANUP_NORMAL), &s->op->regions[1]);
	for (IrOp *op = body_of(s->op)->first, *next; op->kind != OP_YIELD; op = next) {
		next = op->next;
		ir_op_remove(op);
		ir_op_insert_before(s->op, op);
	}
	ir_op_erase(s->op);
}

/* The ops that set flags to false before an exception may come to the cleanup. */
static PtrMap set_in_time(Repair *r, const Scope *s)
{
	PtrMap in_time = {0};
	for (const IrOp *op = body_of(s->op)->first; op && !op->nregions && !ir_op_may_throw(op);
	     op = op->next)
		if (ptrmap_get(&s->offs, op))
			ptrmap_put(r->mem, &in_time, op, s->op);
	return in_time;
}

static bool agree(Search *q, const Scope *s)
{
	q->agreed = q->agreed || repair_at(q->r, s->op->loc);
	return q->agreed;
}

static void set_in_front(Search *q, const Scope *s)
{
	bool unwinds = ir_op_enum(s->op, NAME_kind, CLEANUP_NORMAL) != CLEANUP_NORMAL;
	PtrMap in_time = set_in_time(q->r, s);
	for (uint32_t i = 0; i < s->flags.len; i++) {
		const Flag *f = &s->flags.data[i];
		bool too_late = f->late || (unwinds && !ptrmap_get(&in_time, f->off));
		if (!too_late || !agree(q, s))
			continue;
		set_off(q->r->m, f, s->op);
		if (f->late)
			ir_op_erase(f->off);
	}
}

/* How many of the flags, from the first on, are for parts that begin in one block? */
static uint32_t flags_together(Search *q, const Scope *s)
{
	const IrOp *first = innermost_start(q, s, s->flags.data[0].on);
	uint32_t n = 1;
	for (; n < s->flags.len; n++) {
		const IrOp *start = innermost_start(q, s, s->flags.data[n].on);
		if ((start ? start->block : NULL) != (first ? first->block : NULL))
			break;
	}
	return n;
}

/* The tests of the first n flags, which come first when the scope is left, get a scope within. */
static IrOp *split_off(IrModule *m, const Scope *s, uint32_t n)
{
	IrRegion cleanup = {0};
	IrBlock *block = ir_block_create(m, s->op->loc);
	ir_block_append(&cleanup, block);
	for (uint32_t i = 0; i < n; i++) {
		IrOp *load = s->flags.data[i].test, *test = load->next;
		ir_op_remove(load);
		ir_op_append(block, load);
		ir_op_remove(test);
		ir_op_append(block, test);
	}
	IrBuilder end = ir_at_end(m, block, s->op->loc);
	ir_build_yield(&end, NULL);
	unsigned kind = ir_op_enum(s->op, NAME_kind, CLEANUP_NORMAL);
	return ir_wrap_in_cleanup(m, &s->op->regions[0], kind, &cleanup, s->op->loc);
}

/* The scope of flags that are for parts which begin in one block, or that stays where it is. */
static void mend_part(Search *q, Scope *s, bool moves)
{
	s->start = moves ? find_start(q, s) : NULL;
	if (!q->left)
		return;
	if (!s->start)
		set_in_front(q, s);
	else if (agree(q, s))
		move_scope(q->r->m, s);
}

static bool mend_scope(Search *q, IrOp *op)
{
	Scope s = {.op = op};
	q->agreed = false;
	if (!find_flags(q, &s))
		return q->left != 0;
	for (uint32_t i = 0; i < s.flags.len; i++)
		s.flags.data[i].late = is_late(q, &s, &s.flags.data[i]);
	bool moves = only_tests_flags(&s);
	while (moves && q->left) {
		uint32_t n = flags_together(q, &s);
		if (n == s.flags.len)
			break;
		if (!agree(q, &s))
			return true;
		Scope part = {.op = split_off(q->r->m, &s, n), .offs = s.offs};
		part.flags.data = s.flags.data;
		part.flags.len = n;
		mend_part(q, &part, true);
		s.flags.data += n;
		s.flags.len -= n;
		s.places = (PtrMap){0};
	}
	mend_part(q, &s, moves);
	return q->left != 0;
}

bool repair_cleanup_flags(Repair *r)
{
	IrModule *m = r->m;
	if (!name_find(&m->names, STR("cleanup.cond")) || !m->made[OP_CLEANUP_SCOPE])
		return true;
	RepairOps scopes = {0};
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		if (op->kind == OP_CLEANUP_SCOPE)
			vec_push(r->mem, &scopes, op);
	Search q = {.r = r, .left = STEPS};
	for (uint32_t i = 0; i < scopes.len; i++) {
		ArenaMark mark = arena_mark(r->mem);
		Loc loc = scopes.data[i]->loc;
		bool ok = mend_scope(&q, scopes.data[i]);
		arena_release(r->mem, mark);
		if (!ok && !r->changes)
			return true;
		if (!ok) {
			diag_error(r->d, loc,
			           "cannot tell where this cleanup scope begins: the search took more than "
			           "%d steps; nest fewer scopes, or use %s",
			           STEPS, diag_setting(r->d, SETTING_REPAIR_NONE));
			return false;
		}
	}
	return true;
}
