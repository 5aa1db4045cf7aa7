/* What is first written in other structured ops, which then take its place in the walk.
 *
 * Arrays of objects, written out as loops in structured form (cir-reference 5.15; the design document's "Partial Array
 * Cleanup"). The result is flattened like anything else.
 *
 *	begin, end; slot = begin                       slot = end
 *	cleanup.scope {                                cleanup.scope {                     dtor_may_throw only
 *	  do { ctor(*slot); slot++ } while slot != end   while slot != begin { slot--; dtor(*slot) }
 *	} cleanup eh {                                 } cleanup eh {
 *	  while slot != begin { slot--; dtor(*slot) }    the same loop: it goes on below the element that threw
 *	}                                              }
 */
#include "flatten/internal.h"

#include "ir/clone.h"

typedef struct Array {
	Flatten *f;
	IrOp *op;
	IrType *element; /* pointer to an element */
	IrValue *begin, *end, *slot;
} Array;

static IrBuilder in_region(Array *a, IrRegion *r)
{
	IrBlock *b = flatten_block(a->f, a->op);
	ir_block_append(r, b);
	return ir_at_end(a->f->m, b, a->op->loc);
}

static void yield(IrBuilder *b)
{
	ir_build(b, OP_YIELD, NULL, NULL, 0);
}

static IrOp *build_region_op(IrBuilder *b, OpKind kind, IrValue *operand, uint32_t nregions)
{
	return ir_build_spec(
	    b, &(IrOpSpec){
	           .kind = kind, .operands = &operand, .noperands = operand != NULL, .nregions = nregions});
}

static IrValue *step_by(Array *a, IrBuilder *b, IrValue *from, int64_t n)
{
	IrValue *operands[] = {from, ir_build_const_int(b, n < 0 ? a->f->m->s64 : a->f->m->u64, (uint64_t)n)};
	return &ir_build(b, OP_PTR_STRIDE, a->element, operands, 2)->results[0];
}

/* Begin and end of the innermost elements: nested arrays are one run of them. */
static void bounds(Array *a, IrBuilder *b)
{
	IrValue *p = ir_operand(a->op, 0);
	IrValue *count = a->op->noperands > 1 ? ir_operand(a->op, 1) : NULL;
	uint64_t n = 1;
	while (p->type != a->element) {
		n *= p->type->elem->count;
		p = ir_build_cast(b, CAST_ARRAY_TO_PTRDECAY, p, ir_type_ptr(a->f->m, p->type->elem->elem));
	}
	a->begin = p;
	if (!count)
		count = ir_build_const_int(b, a->f->m->u64, n);
	IrValue *operands[] = {p, count};
	a->end = &ir_build(b, OP_PTR_STRIDE, a->element, operands, 2)->results[0];
}

/* The element's region, in a scope of its own, with its argument bound. */
static void build_element(IrBuilder *b, IrRegion *from, IrValue *element)
{
	IrOp *scope = build_region_op(b, OP_SCOPE, NULL, 1);
	IrBlock *entry = from->first;
	ir_value_replace(entry->args[0], element);
	ir_block_remove_arg(entry, 0);
	while (from->first) {
		IrBlock *block = from->first;
		ir_block_remove(block);
		ir_block_append(&scope->regions[0], block);
	}
}

static void build_condition(Array *a, IrRegion *r, IrValue *until)
{
	IrBuilder b = in_region(a, r);
	IrValue *differs = ir_build_cmp(&b, CMP_NE, ir_build_load(&b, a->slot), until);
	ir_build(&b, OP_CONDITION, NULL, &differs, 1);
}

/* The step is stored before the destructor runs: if it throws, the next round is about the next element. */
static void build_destruction(Array *a, IrBuilder *b, IrRegion *dtor)
{
	IrOp *loop = build_region_op(b, OP_WHILE, NULL, 3);
	build_condition(a, &loop->regions[0], a->begin);
	IrBuilder body = in_region(a, &loop->regions[1]);
	IrValue *previous = step_by(a, &body, ir_build_load(&body, a->slot), -1);
	ir_build_store(&body, previous, a->slot);
	build_element(&body, dtor, previous);
	yield(&body);
}

static void build_construction(Array *a, IrBuilder *b, IrRegion *ctor)
{
	IrOp *loop = build_region_op(b, OP_DO, NULL, 2);
	IrBuilder body = in_region(a, &loop->regions[0]);
	IrValue *current = ir_build_load(&body, a->slot);
	build_element(&body, ctor, current);
	ir_build_store(&body, step_by(a, &body, current, 1), a->slot);
	yield(&body);
	build_condition(a, &loop->regions[1], a->end);
}

/* Builds `body` in a cleanup scope that destroys by `dtor` when unwinding; returns the builder of the body. */
static IrBuilder guard(Array *a, IrBuilder *b, IrRegion *dtor)
{
	IrOp *scope = build_region_op(b, OP_CLEANUP_SCOPE, NULL, 2);
	ir_op_set_attr(a->f->m, scope, ir_known_name(a->f->m, NAME_kind),
	               ir_attr_enum(a->f->m, ENUM_CLEANUP, CLEANUP_EH));
	IrBuilder cleanup = in_region(a, &scope->regions[1]);
	build_destruction(a, &cleanup, dtor);
	yield(&cleanup);
	return in_region(a, &scope->regions[0]);
}

static void build_ctor(Array *a, IrBuilder *b)
{
	IrRegion *dtor = &a->op->regions[1];
	ir_build_store(b, a->begin, a->slot);
	if (!dtor->first) {
		build_construction(a, b, &a->op->regions[0]);
		return;
	}
	IrBuilder body = guard(a, b, dtor);
	build_construction(a, &body, &a->op->regions[0]);
	yield(&body);
}

static void build_dtor(Array *a, IrBuilder *b)
{
	IrRegion *dtor = &a->op->regions[0];
	ir_build_store(b, a->end, a->slot);
	if (!ir_op_has(a->op, NAME_dtor_may_throw)) {
		build_destruction(a, b, dtor);
		return;
	}
	IrRegion again = {0};
	ArenaMark mark = arena_mark(a->f->mem);
	ir_region_clone(a->f->m, dtor, &again, a->f->mem);
	arena_release(a->f->mem, mark);
	IrBuilder body = guard(a, b, &again);
	build_destruction(a, &body, dtor);
	yield(&body);
}

static bool is_empty(const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type->elem;
	const IrType *element = op->regions[0].first->args[0]->type->elem;
	for (; op->noperands == 1 && t != element; t = t->elem)
		if (t->count == 0)
			return true;
	return false;
}

void flatten_array(Flatten *f, IrOp *op)
{
	Array a = {.f = f, .op = op, .element = op->regions[0].first->args[0]->type};
	if (is_empty(op)) {
		ir_op_erase(op);
		return;
	}
	IrBlock *made = flatten_block(f, op); /* holds the ops until they take op's place in the walk */
	IrBuilder b = ir_at_end(f->m, made, op->loc);
	bounds(&a, &b);
	a.slot = ir_build_alloca(&b, a.element, STR("__array_idx"), 8);
	IrBuilder inside = b;
	if (op->noperands > 1 &&
	    op->kind == OP_ARRAY_CTOR) { /* a do loop runs at least once; the count may be zero */
		IrOp *guarded = build_region_op(&b, OP_IF, ir_build_cmp(&b, CMP_NE, a.begin, a.end), 2);
		inside = in_region(&a, &guarded->regions[0]);
	}
	if (op->kind == OP_ARRAY_CTOR)
		build_ctor(&a, &inside);
	else
		build_dtor(&a, &inside);
	if (inside.block != made)
		yield(&inside);
	IrOp *last = made->last;
	IrOp *first = ir_block_take_ops(made);
	last->next = f->frame->next;
	f->frame->next = first;
	ir_op_erase(op);
}

/* A handler that ends its catch in a straight line, not in a cleanup, means the same: an exception that leaves it before
 * that ends the catch, too (design.md section 5, point 4).
 *
 *	begin_catch; ops; end_catch; rest   →   begin_catch; cleanup.scope { ops } cleanup all { end_catch }; rest
 */
void flatten_begin_catch(Flatten *f, IrOp *op)
{
	Frame *fr = f->frame;
	IrOp *end = fr->next, *last = NULL;
	flatten_append(f, op);
	while (end && !(end->kind == OP_END_CATCH && ir_operand(end, 0) == &op->results[0])) {
		last = end;
		end = end->next;
	}
	if (!end || !last)
		return;
	IrBlock *holder = flatten_block(f, op);
	IrBuilder b = ir_at_end(f->m, holder, op->loc);
	IrOp *scope = build_region_op(&b, OP_CLEANUP_SCOPE, NULL, 2);
	ir_op_set_attr(f->m, scope, ir_known_name(f->m, NAME_kind),
	               ir_attr_enum(f->m, ENUM_CLEANUP, CLEANUP_ALL));
	IrBlock *body = flatten_block(f, op), *cleanup = flatten_block(f, end);
	ir_block_append(&scope->regions[0], body);
	ir_block_append(&scope->regions[1], cleanup);
	last->next = NULL;
	for (IrOp *o = fr->next, *next; o; o = next) {
		next = o->next;
		o->next = o->prev = NULL;
		ir_op_append(body, o);
	}
	fr->next = end->next;
	end->next = end->prev = NULL;
	ir_op_append(cleanup, end);
	b = ir_at_end(f->m, body, op->loc);
	yield(&b);
	b = ir_at_end(f->m, cleanup, op->loc);
	yield(&b);
	ir_block_take_ops(holder);
	scope->next = fr->next;
	fr->next = scope;
}
