#include "call/aggregate_return.h"

#include "base/vec.h"
#include "call/external_function.h"
#include "call/ms_method.h"
#include "call/ms_method_mark.h"
#include "call/type_passing.h"
#include "ir/layout.h"

#include <inttypes.h>

typedef struct Search {
	IrModule *m;
	AbiTypes types;
	AbiOutside outside;
	PtrMap others;  /* record types that are guessed to be no aggregates */
	PtrMap matters; /* record types: the op that returns one, of those in `order` */
	VEC(IrType *) order;
} Search;

/* Where it matters */

static bool depends(Search *s, IrType *t)
{
	if (t->kind != TYPE_RECORD || !t->name || !ir_type_sized(t))
		return false;
	uint64_t size = ir_type_size(t);
	bool fits = size == 1 || size == 2 || size == 4 || size == 8;
	return fits && !abi_goes_by_address(&s->types, t) && !abi_is_flexible(&s->types, t) &&
	       !abi_record_trait(&s->types, t, NAME_aggregate);
}

/* The record that op returns to or from the outside, as a function that is no member does; NULL: none. */
static IrType *returned(const Search *s, const IrOp *op)
{
	bool calls = (op_info[op->kind].flags & OPF_CALLS) && !ir_call_callee(op);
	if ((op->kind != OP_FUNC && !calls) || ms_is_method(op))
		return NULL;
	if (calls)
		return ir_operand(op, 0)->type->elem->elem;
	return abi_is_outside(&s->outside, op) ? ir_func_type(op)->elem : NULL;
}

static void find_where_it_matters(Search *s)
{
	for (IrOp *op = ir_walk_first(&s->m->body); op; op = ir_walk_next(op, &s->m->body)) {
		IrType *t = returned(s, op);
		if (!t || !depends(s, t) || ptrmap_get(&s->matters, t))
			continue;
		ptrmap_put(&s->m->scratch, &s->matters, t, op);
		vec_push(&s->m->scratch, &s->order, t);
	}
}

/* What the module specifies */

static bool is_no_aggregate(const Search *s, const IrType *t)
{
	const IrAttr *trivial = abi_record_layout(&s->types, t, RECORD_LAYOUT_TRIVIAL_DTOR);
	return ptrmap_get(&s->others, t) || (trivial && !trivial->bits);
}

static const IrAttr *no_aggregate(IrModule *m, const IrAttr *told)
{
	Name *key = ir_known_name(m, NAME_aggregate);
	const IrAttr *value = ir_attr_flag(m, false);
	return ir_dict_with(m, told, &key, &value, 1);
}

/* of: records, which nothing tells of yet. A struct and a union may have one name. */
static void mark(Search *s, Name *const *of, uint32_t n)
{
	IrModule *m = s->m;
	const IrAttr **values = arena_array(&m->scratch, const IrAttr *, n);
	for (uint32_t i = 0; i < n; i++)
		values[i] = no_aggregate(m, ptrmap_get(&s->types.traits, of[i]));
	const IrAttr *all = ir_module_attr(m, NAME_cir_record_traits);
	ir_module_set_attr(m, ir_known_name(m, NAME_cir_record_traits), ir_dict_with(m, all, of, values, n));
}

static void warn(const Search *s, const IrType *t, Diags *d)
{
	const IrOp *op = ptrmap_get(&s->matters, t);
	diag_warning(
	    d, op->loc,
	    "assuming that MSVC returns record '%s' in a register, because the module does not specify "
	    "whether it is an aggregate; add '%s = {aggregate = true}', or false, to 'cir.record_traits'",
	    t->name->text, t->name->text);
}

void ms_mark_aggregates(IrModule *m, Diags *d)
{
	ArenaMark before = arena_mark(&m->scratch);
	Search s = {.m = m};
	if (!ms_has_classes(m))
		return;
	abi_types_init(&s.types, m, &m->scratch, NULL);
	abi_outside_init(&s.outside, m);
	abi_guess_no_aggregates(&s.others, m, &m->scratch);
	find_where_it_matters(&s);
	VEC(Name *) marked = {0};
	uint32_t untold = 0;
	for (uint32_t i = 0; i < s.order.len; i++) {
		IrType *t = s.order.data[i];
		if (!is_no_aggregate(&s, t)) {
			if (untold++ < DIAG_LIMIT)
				warn(&s, t, d);
			continue;
		}
		vec_push(&m->scratch, &marked, t->name);
	}
	if (untold > DIAG_LIMIT)
		diag_note(d, m->attrs_loc, "the same is assumed of %" PRIu32 " more records",
		          untold - DIAG_LIMIT);
	if (marked.len)
		mark(&s, marked.data, marked.len);
	arena_release(&m->scratch, before);
}
