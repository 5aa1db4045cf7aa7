/* Arrays whose elements are initialized one by one, with a cleanup that destroys what there is when one of them throws
 * (`arrayinit.endOfInit`). clang does not end it with the initialization:
 *
 *	%end = begin
 *	cir.cleanup.scope {
 *	  construct(begin); %end = second; construct(second)
 *	  cir.cleanup.scope { … } cleanup all { destroy both }
 *	} cleanup eh { destroy from begin to %end }
 *
 * An exception out of `…` destroys the first element twice. Behind the last element there is nothing left to destroy
 * there: %end = begin. The destructors of temporaries that end with the initialization belong to it: where one may throw,
 * %end is behind the last element before, and begin thereafter. Those in a new[] outlive it. */
#include "repair/internal.h"

/* Thousands of arrays within arrays that all have such cleanups are far from that. */
enum { STEPS = 1 << 28 };

typedef struct ArrayInit {
	IrValue *begin, *slot; /* slot: holds the end */
	IrValue *element; /* the last one; NULL: a loop went through them all, and the slot holds the end */
} ArrayInit;

typedef struct Search {
	Repair *r;
	PtrMap slots;  /* searched */
	uint32_t left; /* steps */
} Search;

static bool is_end_slot(const IrValue *v)
{
	return repair_is_variable(v, STR("arrayinit.endOfInit"));
}

/* What an op of the cleanup has cast. */
static IrValue *uncast(const IrBlock *cleanup, IrValue *v)
{
	bool cast = !v->is_arg && v->def.op->kind == OP_CAST && v->def.op->block == cleanup;
	return cast ? ir_operand(v->def.op, 0) : v;
}

/* `cleanup eh { if (%end != begin) … }` */
static bool read_cleanup(const IrOp *scope, ArrayInit *a)
{
	const IrBlock *b = scope->regions[1].first;
	IrOp *load = b ? b->first : NULL;
	if (!load || load->kind != OP_LOAD || !is_end_slot(ir_operand(load, 0)))
		return false;
	IrOp *cmp = load->next;
	while (cmp && cmp->kind == OP_CAST)
		cmp = cmp->next;
	if (!cmp || cmp->kind != OP_CMP || uncast(b, ir_operand(cmp, 0)) != &load->results[0])
		return false;
	a->slot = ir_operand(load, 0);
	a->begin = uncast(b, ir_operand(cmp, 1));
	return a->begin->type == load->results[0].type && (a->begin->is_arg || a->begin->def.op->block != b);
}

static bool is_in_cleanup(const IrOp *op)
{
	const IrOp *parent = ir_op_parent(op);
	return parent && parent->kind == OP_CLEANUP_SCOPE && op->block->region == &parent->regions[1];
}

/* Marks op and what it is in, up to the block or to a cleanup; false: it was marked. */
static bool mark(Search *s, PtrMap *marks, IrOp *op, const IrBlock *block)
{
	if (ptrmap_get(marks, op))
		return false;
	for (; op && s->left && !ptrmap_get(marks, op); s->left--) {
		ptrmap_put(s->r->mem, marks, op, op);
		op = op->block == block || is_in_cleanup(op) ? NULL : ir_op_parent(op);
	}
	return true;
}

static bool gives_address_in(const IrOp *op)
{
	return op->kind == OP_CAST || op->kind == OP_GET_MEMBER || op->kind == OP_BASE_CLASS_ADDR ||
	       op->kind == OP_PTR_STRIDE || op->kind == OP_GET_ELEMENT;
}

typedef VEC(IrValue *) ValueList;

/* Marks what uses the value, and what holds that. An address in what it points to is such a value, too. */
static void mark_users(Search *s, PtrMap *marks, IrValue *v, const IrBlock *block)
{
	ValueList values = {0};
	vec_push(s->r->mem, &values, v);
	for (uint32_t i = 0; i < values.len; i++)
		IR_FOR_USES (u, values.data[i])
			if (mark(s, marks, u->user, block) && gives_address_in(u->user))
				vec_push(s->r->mem, &values, &u->user->results[0]);
}

/* The last op of the block, down to `behind`, that uses the value or holds one that does, and stands in the bodies of
 * cleanup scopes alone: what comes later stands in them. */
static IrOp *last_user(Search *s, IrValue *v, const IrBlock *block, const IrOp *behind)
{
	PtrMap marks = {0};
	mark_users(s, &marks, v, block);
	for (;;) {
		IrOp *op = block->last;
		for (; op && op != behind && s->left && !ptrmap_get(&marks, op); s->left--)
			op = op->prev;
		if (!op || op == behind || op->kind != OP_CLEANUP_SCOPE)
			return op == behind ? NULL : op;
		block = op->regions[0].first;
		behind = NULL;
	}
}

/* The last op that the initialization of the elements takes; NULL: it cannot be told, or there is but one element. */
static IrOp *end_of_init(Search *s, const IrOp *scope, ArrayInit *a)
{
	IrOp *op = last_user(s, a->slot, scope->regions[0].first, NULL);
	if (!op || op->kind != OP_STORE || ir_operand(op, 1) != a->slot)
		return op; /* a loop over the rest of them */
	a->element = ir_operand(op, 0);
	return last_user(s, a->element, op->block, op);
}

/* Does its body end with op: does nothing come there that may throw? */
static bool ends_body(Search *s, const IrOp *op)
{
	for (op = op->next; op && s->left; op = op->next, s->left--)
		if (op->kind == OP_YIELD || op->nregions || ir_op_may_throw(op))
			return op->kind == OP_YIELD;
	return false;
}

static bool destructor_may_throw(Search *s, const IrOp *scope)
{
	const IrRegion *cleanup = &scope->regions[1];
	if (ir_op_enum(scope, NAME_kind, CLEANUP_NORMAL) == CLEANUP_EH)
		return false;
	for (IrOp *op = ir_walk_first(cleanup); op && s->left; op = ir_walk_next(op, cleanup), s->left--)
		if (ir_op_may_throw(op))
			return true;
	return false;
}

/* The outermost of the temporaries' scopes that end with the initialization where one's destructor may throw. */
static IrOp *throwing_scope(Search *s, IrOp *last, const IrOp *array)
{
	IrOp *found = NULL;
	for (IrOp *op = last; s->left && ends_body(s, op);) {
		op = ir_op_parent(op);
		if (op == array)
			return found;
		if (destructor_may_throw(s, op))
			found = op;
	}
	return found;
}

/* Does the cleanup end with the initialization? */
static bool is_last(const IrOp *op, const IrOp *scope)
{
	for (; op != scope; op = ir_op_parent(op))
		if (!op->next || op->next->kind != OP_YIELD)
			return false;
	return true;
}

static bool is_array_init(const IrOp *op)
{
	ArrayInit a;
	return op->kind == OP_CLEANUP_SCOPE && ir_op_enum(op, NAME_kind, CLEANUP_NORMAL) == CLEANUP_EH &&
	       read_cleanup(op, &a);
}

/* A slot has one cleanup. */
static bool is_own(Search *s, IrValue *slot)
{
	unsigned loads = 0;
	if (ptrmap_get(&s->slots, slot))
		return false;
	ptrmap_put(&s->r->m->arena, &s->slots, slot, slot);
	IR_FOR_USES (u, slot)
		loads += u->user->kind == OP_LOAD && is_in_cleanup(u->user);
	return loads == 1;
}

/* Of new[]? Temporaries outlive its initialization, and when their destructors throw, the array is there, and lost. */
static bool is_new(const ArrayInit *a)
{
	const IrValue *v = a->begin;
	while (!v->is_arg && (v->def.op->kind == OP_CAST || v->def.op->kind == OP_PTR_STRIDE))
		v = ir_operand(v->def.op, 0);
	return !v->is_arg && v->def.op->kind == OP_CALL;
}

static void store_begin(IrModule *m, const ArrayInit *a, const IrOp *behind)
{
	IrBuilder b = ir_before(m, behind->next);
	ir_build_store(&b, a->begin, a->slot);
}

static void store_end(IrModule *m, const ArrayInit *a, const IrOp *behind)
{
	IrBuilder b = ir_before(m, behind->next);
	IrValue *operands[] = {a->element, ir_build_const_int(&b, m->u64, 1)};
	ir_build_store(&b, &ir_build(&b, OP_PTR_STRIDE, a->element->type, operands, 2)->results[0], a->slot);
}

/* Stores the begin behind the initialization, which is up to `last`, unless the cleanup ends with it. */
static void end_init(Search *s, const ArrayInit *a, IrOp *last, const IrOp *scope)
{
	IrOp *temporary = throwing_scope(s, last, scope);
	const IrOp *end = temporary && !is_new(a) ? temporary : last;
	bool goes_on = !is_last(end, scope) || (end == last && temporary), steps = end != last && a->element;
	if (!s->left || !end->next || !(goes_on || steps) || !repair_at(s->r, scope->loc))
		return;
	if (goes_on)
		store_begin(s->r->m, a, end);
	if (steps)
		store_end(s->r->m, a, last);
}

bool repair_array_inits(Repair *r)
{
	Search s = {.r = r, .left = STEPS};
	RepairOps scopes = {0};
	const IrRegion *body = &r->m->body;
	if (!name_find(&r->m->names, STR("arrayinit.endOfInit")))
		return true;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (is_array_init(op))
			vec_push(r->mem, &scopes, op);
	for (uint32_t i = 0; i < scopes.len && s.left; i++) {
		ArrayInit a = {0};
		const IrOp *scope = scopes.data[i];
		ArenaMark mark = arena_mark(r->mem);
		bool own = read_cleanup(scope, &a) && is_own(&s, a.slot);
		IrOp *last = own ? end_of_init(&s, scope, &a) : NULL;
		if (last && s.left)
			end_init(&s, &a, last, scope);
		arena_release(r->mem, mark);
		if (!s.left && r->changes) {
			diag_error(r->d, scope->loc,
			           "cannot tell where the initialization of this array ends: the search took "
			           "more than %d steps; nest fewer scopes, or use %s",
			           STEPS, diag_setting(r->d, SETTING_REPAIR_NONE));
			return false;
		}
	}
	return true;
}
