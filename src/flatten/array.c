/* Arrays of objects, written out as loops in structured form (cir-reference 5.15; the design document's
 * "Partial Array Cleanup"). The result is flattened like anything else.
 *
 * 	begin, end; slot = begin                       slot = end
 * 	cleanup.scope {                                cleanup.scope {                     where dtor may throw
 * 	  do { ctor(*slot); slot++ } while slot != end   while slot != begin { slot--; dtor(*slot) }
 * 	} cleanup eh {                                 } cleanup eh {
 * 	  while slot != begin { slot--; dtor(*slot) }    the same loop: it goes on below the element that threw
 * 	}                                              }
 */
#include "flatten/internal.h"

#include "ir/clone.h"

typedef struct Array {
	Flatten *f;
	IrOp *op;
	IrType *element; /* pointer to an element */
	IrValue *begin, *end, *slot;
} Array;

static IrValue *step_by(Array *a, IrBuilder *b, IrValue *from, int64_t n)
{
	IrValue *operands[] = {from, ir_build_const_int(b, n < 0 ? a->f->m->s64 : a->f->m->u64, (uint64_t)n)};
	return &ir_build(b, OP_PTR_STRIDE, a->element, operands, 2)->results[0];
}

IrValue *array_first_element(Flatten *f, IrBuilder *b, IrValue *p)
{
	while (p->type->elem->kind == TYPE_ARRAY)
		p = ir_build_cast(b, CAST_ARRAY_TO_PTRDECAY, p, ir_type_ptr(f->m, p->type->elem->elem));
	return p;
}

static uint64_t count_elements(const IrType *t)
{
	uint64_t n = 1;
	for (; t->kind == TYPE_ARRAY; t = t->elem)
		n *= t->count;
	return n;
}

/* Begin and end of the elements: nested arrays are one run of the innermost ones, unless they are counted. */
static void bounds(Array *a, IrBuilder *b)
{
	IrValue *p = ir_operand(a->op, 0), *count;
	if (a->op->noperands > 1) {
		a->begin = p;
		count = ir_operand(a->op, 1);
	} else {
		a->begin = array_first_element(a->f, b, p);
		count = ir_build_const_int(b, a->f->m->u64, count_elements(p->type->elem));
	}
	IrValue *operands[] = {a->begin, count};
	a->end = &ir_build(b, OP_PTR_STRIDE, a->element, operands, 2)->results[0];
}

/* The element's region, in a scope of its own, with its argument bound. */
static void build_element(IrBuilder *b, IrRegion *from, IrValue *element)
{
	IrOp *scope = expand_region_op(b, OP_SCOPE, NULL, 1);
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
	IrBuilder b = expand_region(a->f, a->op, r);
	IrValue *differs = ir_build_cmp(&b, CMP_NE, ir_build_load(&b, a->slot), until);
	ir_build(&b, OP_CONDITION, NULL, &differs, 1);
}

/* The step is stored before the destructor runs: if it throws, the next round is about the next element. */
static void build_destruction(Array *a, IrBuilder *b, IrRegion *dtor)
{
	IrOp *loop = expand_region_op(b, OP_WHILE, NULL, 3);
	build_condition(a, &loop->regions[0], a->begin);
	IrBuilder body = expand_region(a->f, a->op, &loop->regions[1]);
	IrValue *previous = step_by(a, &body, ir_build_load(&body, a->slot), -1);
	ir_build_store(&body, previous, a->slot);
	build_element(&body, dtor, previous);
	expand_yield(&body);
}

static void build_construction(Array *a, IrBuilder *b, IrRegion *ctor)
{
	IrOp *loop = expand_region_op(b, OP_DO, NULL, 2);
	IrBuilder body = expand_region(a->f, a->op, &loop->regions[0]);
	IrValue *current = ir_build_load(&body, a->slot);
	build_element(&body, ctor, current);
	ir_build_store(&body, step_by(a, &body, current, 1), a->slot);
	expand_yield(&body);
	build_condition(a, &loop->regions[1], a->end);
}

/* Builds `body` in a cleanup scope that destroys by `dtor` when unwinding; returns the builder of the body. */
static IrBuilder guard(Array *a, IrBuilder *b, IrRegion *dtor)
{
	IrOp *scope = expand_cleanup_scope(b, CLEANUP_EH);
	IrBuilder cleanup = expand_region(a->f, a->op, &scope->regions[1]);
	build_destruction(a, &cleanup, dtor);
	expand_yield(&cleanup);
	return expand_region(a->f, a->op, &scope->regions[0]);
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
	expand_yield(&body);
}

/* Is the rest destroyed when one destructor throws? Not where that ends in std::terminate. clang says dtor_may_throw of
 * arrays in cir.delete_array alone. A region with regions is no call of a destructor, and is not doubled unasked.
 * Without exceptions nothing may come of C++'s runtime that unwinds. */
static bool goes_on(const Array *a, const IrRegion *dtor)
{
	bool throws = ir_op_has(a->op, NAME_dtor_may_throw);
	if (a->f->eh->kind == EH_TERMINATE || ir_module_option_is(a->f->m, "exceptions", false))
		return false;
	for (const IrOp *op = dtor->first->first; op && !throws; op = op->next) {
		if (op->nregions)
			return false;
		throws = ir_op_may_throw(op);
	}
	return throws;
}

static void build_dtor(Array *a, IrBuilder *b)
{
	IrRegion *dtor = &a->op->regions[0];
	ir_build_store(b, a->end, a->slot);
	if (!goes_on(a, dtor)) {
		build_destruction(a, b, dtor);
		return;
	}
	IrRegion again = {0};
	ArenaMark mark = arena_mark(a->f->mem);
	ir_region_clone(a->f->m, dtor, &again, a->f->mem);
	arena_release(a->f->mem, mark);
	IrBuilder body = guard(a, b, &again);
	build_destruction(a, &body, dtor);
	expand_yield(&body);
}

void flatten_array(Flatten *f, IrOp *op)
{
	Array a = {.f = f, .op = op, .element = op->regions[0].first->args[0]->type};
	if (op->noperands == 1 && count_elements(ir_operand(op, 0)->type->elem) == 0) {
		ir_op_erase(op);
		return;
	}
	IrBlock *made = flatten_block(f, op); /* holds the ops until they take op's place in the walk */
	IrBuilder b = ir_at_end(f->m, made, op->loc);
	bounds(&a, &b);
	a.slot = ir_build_alloca(&b, a.element, STR("__array_idx"), ir_module_address_size(f->m));
	IrBuilder inside = b;
	if (op->noperands > 1 &&
	    op->kind == OP_ARRAY_CTOR) { /* a do loop runs at least once; the count may be zero */
		IrOp *guarded = expand_region_op(&b, OP_IF, ir_build_cmp(&b, CMP_NE, a.begin, a.end), 2);
		inside = expand_region(f, op, &guarded->regions[0]);
	}
	if (op->kind == OP_ARRAY_CTOR)
		build_ctor(&a, &inside);
	else
		build_dtor(&a, &inside);
	if (inside.block != made)
		expand_yield(&inside);
	expand_done(f, made, op);
}
