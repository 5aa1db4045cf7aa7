#include "eh/microsoft/outline_filter.h"

#include "base/vec.h"
#include "ir/build.h"
#include "ir/clone.h"
#include "ir/function_entry.h"

typedef struct Filters {
	IrModule *m;
	Arena *mem;
	const IrOp *func;
	IrOp *part;
	const PtrMap *values;
	PtrMap copies;          /* filter → that of part */
	VEC(IrValue *) seen;    /* variables of func */
	VEC(IrValue *) escapes; /* of part, which hold their addresses */
} Filters;

IrOp *outline_filter_of(const IrOp *dispatch, uint32_t i)
{
	const IrAttr *types = ir_op_attr(dispatch, NAME_catch_types);
	IrOp *symbol = types && i < types->n ? ir_symbol(types->elems[i]->name) : NULL;
	return symbol && symbol->kind == OP_FUNC ? symbol : NULL;
}

IrValue *outline_filter_variable(const IrOp *recover, const IrOp *func)
{
	if (recover->kind != OP_LOCALRECOVER || ir_op_symbol(recover, NAME_function) != ir_symbol_name(func))
		return NULL;
	const IrOp *escape = abi_entry_escape(func);
	return escape ? ir_operand(escape, (uint32_t)ir_op_uint(recover, NAME_index, 0)) : NULL;
}

/* The number of the variable of part that holds the address of v. */
static uint32_t escape(Filters *f, IrValue *v)
{
	for (uint32_t i = 0; i < f->seen.len; i++)
		if (f->seen.data[i] == v)
			return i;
	IrBuilder b = ir_before(f->m, abi_entry_front(f->part));
	IrValue *slot = ir_build_alloca(&b, v->type, STR("__seen_by_filter"), 8);
	ir_build_store(&b, ptrmap_get(f->values, v), slot);
	vec_push(f->mem, &f->seen, v);
	vec_push(f->mem, &f->escapes, slot);
	return f->seen.len - 1;
}

static void replace_recover(Filters *f, IrOp *op, IrValue *variable)
{
	IrBuilder b = ir_before(f->m, op);
	IrType *type = ir_type_ptr(f->m, variable->type);
	IrValue *frame = ir_operand(op, 0);
	IrNamedAttr attrs[] = {
	    {ir_known_name(f->m, NAME_function), ir_attr_symbol(f->m, ir_symbol_name(f->part))},
	    {ir_known_name(f->m, NAME_index), ir_attr_i64(f->m, escape(f, variable))}};
	IrOp *place = ir_build_spec(&b, &(IrOpSpec){.kind = OP_LOCALRECOVER,
	                                            .operands = &frame,
	                                            .noperands = 1,
	                                            .result_types = &type,
	                                            .nresults = 1,
	                                            .attrs = attrs,
	                                            .nattrs = ARRAY_LEN(attrs)});
	ir_value_replace(&op->results[0], ir_build_load(&b, &place->results[0]));
	ir_op_erase(op);
}

static void copy_filters_in(Filters *f, const IrOp *of, IrOp *now_of);

static void set_recovered_of(Filters *f, IrOp *op, const IrOp *of, const IrOp *now_of)
{
	IrValue *variable = outline_filter_variable(op, of);
	if (variable && of == f->func)
		replace_recover(f, op, variable);
	else if (variable)
		ir_op_set_attr(f->m, op, ir_known_name(f->m, NAME_function),
		               ir_attr_symbol(f->m, ir_symbol_name(now_of)));
}

/* A filter of `of`, for its copy. What filters in it see is in the copy's frame then. */
static IrOp *copy_filter(Filters *f, const IrOp *filter, const IrOp *of, IrOp *now_of)
{
	IrOp *made = ptrmap_get(&f->copies, filter);
	if (made)
		return made;
	made = ir_func_create_part(f->m, now_of, "when", ir_func_type(filter), filter->loc);
	const IrAttr *personality = ir_op_attr(filter, NAME_personality);
	if (personality)
		ir_op_set_attr(f->m, made, ir_known_name(f->m, NAME_personality), personality);
	ir_region_clone(f->m, &filter->regions[0], &made->regions[0], &f->m->arena);
	const IrRegion *body = &made->regions[0];
	for (IrOp *op = ir_walk_first(body), *next; op; op = next) {
		next = ir_walk_next(op, body);
		set_recovered_of(f, op, of, now_of);
	}
	ptrmap_put(f->mem, &f->copies, filter, made);
	copy_filters_in(f, filter, made);
	return made;
}

static void copy_filters(Filters *f, IrOp *dispatch, const IrOp *of, IrOp *now_of)
{
	const IrAttr *types = ir_op_attr(dispatch, NAME_catch_types);
	uint32_t n = types ? types->n : 0;
	const IrAttr **elems = arena_array(f->mem, const IrAttr *, n);
	for (uint32_t i = 0; i < n; i++) {
		const IrOp *filter = outline_filter_of(dispatch, i);
		elems[i] = filter ? ir_attr_symbol(f->m, ir_symbol_name(copy_filter(f, filter, of, now_of)))
		                  : types->elems[i];
	}
	if (n)
		ir_op_set_attr(f->m, dispatch, ir_known_name(f->m, NAME_catch_types),
		               ir_attr_array(f->m, elems, n));
}

static void copy_filters_in(Filters *f, const IrOp *of, IrOp *now_of)
{
	IR_FOR_BLOCKS (b, &now_of->regions[0])
		if (b->last->kind == OP_EH_DISPATCH)
			copy_filters(f, b->last, of, now_of);
}

void outline_filters(IrModule *m, const IrOp *func, IrOp *part, const PtrMap *values, Arena *mem)
{
	Filters f = {.m = m, .mem = mem, .func = func, .part = part, .values = values};
	copy_filters_in(&f, func, part);
	if (!f.escapes.len)
		return;
	/* The entry block ends with a branch; all of its variables are in front of that. */
	IrBuilder b = ir_before(m, part->regions[0].first->last);
	ir_build(&b, OP_LOCALESCAPE, NULL, f.escapes.data, f.escapes.len);
}
