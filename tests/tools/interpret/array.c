/* Arrays of objects: cir-reference 5.15. */
#include "interpret.h"

#include <string.h>

typedef struct Elements {
	char *begin;
	uint64_t n, size;
} Elements;

static Elements elements_of(const Interp *in, const IrOp *op)
{
	IrType *element = op->regions[0].first->args[0]->type->elem;
	Elements e = {.begin = exec_operand(in, op, 0).p, .n = 1};
	for (const IrType *t = ir_operand(op, 0)->type->elem; op->noperands == 1 && t != element; t = t->elem)
		e.n *= t->count;
	if (op->noperands > 1)
		e.n = exec_operand(in, op, 1).i;
	e.size = eval_size(element);
	return e;
}

static Way exec_element(Interp *in, const IrRegion *r, const Elements *e, uint64_t i, bool unwinding)
{
	exec_bind(in, r, (Value){.p = e->begin + i * e->size});
	return unwinding ? exec_unwinding(in, r) : exec_region(in, r);
}

/* The elements below `end`, downwards, while an exception passes. */
static Way destroy_rest(Interp *in, const IrRegion *r, const Elements *e, uint64_t end)
{
	for (uint64_t i = end; i-- > 0;) {
		Way way = exec_element(in, r, e, i, true);
		if (way != WAY_END)
			return way;
	}
	return WAY_THROW;
}

Way exec_array_ctor(Interp *in, const IrOp *op)
{
	Elements e = elements_of(in, op);
	for (uint64_t i = 0; i < e.n; i++) {
		Way way = exec_element(in, &op->regions[0], &e, i, false);
		if (way == WAY_THROW && op->regions[1].first)
			return destroy_rest(in, &op->regions[1], &e, i);
		if (way != WAY_END)
			return way;
	}
	return WAY_END;
}

Way exec_array_dtor(Interp *in, const IrOp *op)
{
	Elements e = elements_of(in, op);
	for (uint64_t i = e.n; i-- > 0;) {
		Way way = exec_element(in, &op->regions[0], &e, i, false);
		if (way == WAY_THROW && ir_op_has(op, NAME_dtor_may_throw))
			return destroy_rest(in, &op->regions[0], &e, i);
		if (way != WAY_END)
			return way;
	}
	return WAY_END;
}

/* A second exception, out of a destructor that runs because of the first, terminates. */
static Way exec_dtor(Interp *in, Name *dtor, Value object, Way before)
{
	Value none;
	if (before != WAY_THROW)
		return exec_call(in, dtor, &object, 1, &none);
	Exception *e = in->exception;
	Guard border;
	search_begin(in, &border, GUARD_TERMINATE, NULL);
	Way way = exec_call(in, dtor, &object, 1, &none);
	search_end(in, &border);
	in->exception = e;
	return way == WAY_END ? before : way == WAY_THROW ? WAY_TERMINATE : way;
}

/* The Itanium C++ ABI's cookie of 8 bytes; elements with more alignment are not known. */
Way exec_delete_array(Interp *in, const IrOp *op)
{
	const IrAttr *params = ir_op_attr(op, NAME_delete_params);
	const IrAttr *sized = params->elems[USUAL_DELETE_PARAMS_SIZE];
	IrType *element = ir_operand(op, 0)->type->elem;
	Name *dtor = ir_op_symbol(op, NAME_element_dtor);
	bool wants_size = sized && sized->bits, cookie = dtor || wants_size;
	char *first = exec_operand(in, op, 0).p;
	if (params->elems[USUAL_DELETE_PARAMS_ALIGNMENT] || element->kind == TYPE_ARRAY)
		return fail(op, "alignment and arrays of arrays are not known");
	if (!first)
		return WAY_END;
	uint64_t size = cookie ? eval_size(element) : 0, n = 0;
	if (cookie)
		memcpy(&n, first - sizeof n, sizeof n);
	Value args[] = {{.p = cookie ? first - 8 : first}, {.i = n * size + 8}}, none;
	Way way = WAY_END;
	while (dtor && n-- > 0 && (way == WAY_END || way == WAY_THROW)) {
		Value each = {.p = first + n * size};
		way = exec_dtor(in, dtor, each, way);
	}
	if (way != WAY_END && way != WAY_THROW)
		return way;
	Way freed = exec_call(in, ir_op_symbol(op, NAME_delete_fn), args, wants_size ? 2 : 1, &none);
	return freed == WAY_END ? way : freed;
}
