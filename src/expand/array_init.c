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
 * there: %end = begin. */
#include "expand/internal.h"

/* No front end puts an element into more scopes, nor asks for a 16th of the steps for all arrays of a module. */
enum { SCOPES = 64, STEPS = 1 << 24 };

typedef struct ArrayInit {
	IrValue *begin, *slot; /* slot: holds the end */
} ArrayInit;

typedef struct Search {
	Expand *x;
	PtrMap slots;  /* searched */
	uint32_t left; /* steps */
} Search;

static bool is_end_slot(const IrValue *v)
{
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	const IrAttr *name = op && op->kind == OP_ALLOCA ? ir_op_attr(op, NAME_name) : NULL;
	return name && str_equal(name_str(name->name), STR("arrayinit.endOfInit"));
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

/* The op of the block that holds op, outside of the cleanups in it; NULL: none. */
static IrOp *holder(Search *s, IrOp *op, const IrBlock *block)
{
	for (unsigned i = 0; op && i < SCOPES && s->left; i++, s->left--) {
		if (op->block == block)
			return op;
		IrOp *parent = ir_op_parent(op);
		if (parent && parent->kind == OP_CLEANUP_SCOPE && op->block->region == &parent->regions[1])
			return NULL;
		op = parent;
	}
	return NULL;
}

static bool gives_address_in(const IrOp *op)
{
	return op->kind == OP_CAST || op->kind == OP_GET_MEMBER || op->kind == OP_BASE_CLASS_ADDR ||
	       op->kind == OP_PTR_STRIDE || op->kind == OP_GET_ELEMENT;
}

typedef VEC(IrValue *) ValueList;

/* The last op of the block, down to `behind`, that uses one of the values or holds one that does. An address in what
 * they point to is one of them, too. */
static IrOp *last_user(Search *s, ValueList *values, const IrBlock *block, const IrOp *behind)
{
	PtrMap users = {0};
	for (uint32_t i = 0; i < values->len; i++)
		IR_FOR_USES (u, values->data[i]) {
			IrOp *op = holder(s, u->user, block);
			if (op)
				ptrmap_put(s->x->mem, &users, op, op);
			if (op == u->user && gives_address_in(op))
				vec_push(s->x->mem, values, &op->results[0]);
		}
	IrOp *op = block->last;
	while (op && op != behind && !ptrmap_get(&users, op))
		op = op->prev;
	return op == behind ? NULL : op;
}

/* … also in the bodies of cleanup scopes: what comes later stands in them. */
static IrOp *last_user_within(Search *s, IrValue *v, const IrBlock *block, const IrOp *behind)
{
	ValueList values = {0};
	vec_push(s->x->mem, &values, v);
	for (;;) {
		IrOp *op = last_user(s, &values, block, behind);
		if (!s->left)
			return NULL;
		if (!op || op->kind != OP_CLEANUP_SCOPE)
			return op;
		block = op->regions[0].first;
		behind = NULL;
	}
}

/* The last op that the initialization of the elements takes; NULL: it cannot be told, or there is but one element. */
static IrOp *end_of_init(Search *s, const IrOp *scope, const ArrayInit *a)
{
	IrOp *op = last_user_within(s, a->slot, scope->regions[0].first, NULL);
	if (!op || op->kind != OP_STORE || ir_operand(op, 1) != a->slot)
		return op; /* a loop over the rest of them */
	return last_user_within(s, ir_operand(op, 0), op->block, op);
}

/* Does the cleanup end with the initialization? */
static bool is_last(const IrOp *op, const IrOp *scope)
{
	for (; op != scope; op = ir_op_parent(op))
		if (!op->next || op->next->kind != OP_YIELD)
			return false;
	return true;
}

bool expand_is_array_init(const IrOp *op)
{
	ArrayInit a;
	return op->kind == OP_CLEANUP_SCOPE && ir_op_enum(op, NAME_kind, CLEANUP_NORMAL) == CLEANUP_EH &&
	       read_cleanup(op, &a);
}

static bool is_in_cleanup(const IrOp *op)
{
	const IrOp *parent = ir_op_parent(op);
	return parent->kind == OP_CLEANUP_SCOPE && op->block->region == &parent->regions[1];
}

/* A slot has one cleanup. */
static bool is_own(Search *s, IrValue *slot)
{
	unsigned loads = 0;
	if (ptrmap_get(&s->slots, slot))
		return false;
	ptrmap_put(&s->x->m->arena, &s->slots, slot, slot);
	IR_FOR_USES (u, slot)
		loads += u->user->kind == OP_LOAD && is_in_cleanup(u->user);
	return loads == 1;
}

void expand_array_inits(Expand *x, const OpList *scopes)
{
	Search s = {.x = x, .left = STEPS};
	for (uint32_t i = 0; i < scopes->len && s.left; i++) {
		ArrayInit a;
		const IrOp *scope = scopes->data[i];
		ArenaMark mark = arena_mark(x->mem);
		bool own = read_cleanup(scope, &a) && is_own(&s, a.slot);
		IrOp *last = own ? end_of_init(&s, scope, &a) : NULL;
		if (last && last->next && !is_last(last, scope)) {
			IrBuilder b = ir_before(x->m, last->next);
			ir_build_store(&b, a.begin, a.slot);
		}
		arena_release(x->mem, mark);
	}
}
