#include "call/record_trait.h"

#include "base/vec.h"
#include "call/external_function.h"
#include "call/ms_method.h"
#include "call/ms_method_mark.h"
#include "call/type_passing.h"
#include "ir/layout.h"

#include <inttypes.h>

typedef struct Search Search;

typedef struct Trait {
	NameId name;
	bool of_params; /* else of results alone */
	bool (*matters)(Search *s, IrType *t);
	void (*guess)(PtrMap *found, const IrModule *m, Arena *mem); /* those that have it not; NULL: none */
	const char *does, *where, *what;                             /* in the warning */
} Trait;

struct Search {
	IrModule *m;
	AbiTypes types;
	AbiOutside outside;
	const Trait *trait;
	PtrMap others;  /* record types that are guessed not to have it */
	PtrMap matters; /* record types: the op that passes one, of those in `order` */
	VEC(IrType *) order;
};

/* Where it matters */

static bool matters_as_aggregate(Search *s, IrType *t)
{
	uint64_t size = ir_type_size(t);
	bool fits = size == 1 || size == 2 || size == 4 || size == 8;
	return (fits || s->types.call_conv == CALL_AAPCS64_WINDOWS) && !abi_is_flexible(&s->types, t);
}

static bool matters_as_homogeneous(Search *s, IrType *t)
{
	return s->types.call_conv == CALL_AAPCS64_WINDOWS && abi_is_homogeneous(&s->types, t);
}

static const Trait traits[] = {
    {NAME_aggregate, false, matters_as_aggregate, abi_guess_no_aggregates, "returns", "a register",
     "an aggregate"},
    {NAME_homogeneous, true, matters_as_homogeneous, NULL, "passes", "vector registers", "homogeneous"},
};

static bool depends(Search *s, IrType *t)
{
	return t->kind == TYPE_RECORD && t->name && ir_type_sized(t) && !abi_goes_by_address(&s->types, t) &&
	       !abi_record_trait(&s->types, t, s->trait->name) && s->trait->matters(s, t);
}

/* What op passes to or from the outside; NULL: nothing. */
static IrType *signature_at(const Search *s, const IrOp *op)
{
	bool calls = (op_info[op->kind].flags & OPF_CALLS) && !ir_call_callee(op);
	if (calls)
		return ir_operand(op, 0)->type->elem;
	return op->kind == OP_FUNC && abi_is_outside(&s->outside, op) ? ir_func_type(op) : NULL;
}

static void look_at(Search *s, IrOp *op, IrType *t)
{
	if (!depends(s, t) || ptrmap_get(&s->matters, t))
		return;
	ptrmap_put(&s->m->scratch, &s->matters, t, op);
	vec_push(&s->m->scratch, &s->order, t);
}

static void find_where_it_matters(Search *s)
{
	for (IrOp *op = ir_walk_first(&s->m->body); op; op = ir_walk_next(op, &s->m->body)) {
		IrType *type = signature_at(s, op);
		bool params = type && s->trait->of_params && !type->variadic;
		for (uint32_t i = 0; params && i < type->nmembers; i++)
			look_at(s, op, type->members[i]);
		if (type && !ms_is_method(op)) /* members return no record in registers */
			look_at(s, op, type->elem);
	}
}

/* What the module specifies */

static bool is_told_not(const Search *s, const IrType *t)
{
	const IrAttr *trivial = abi_record_layout(&s->types, t, RECORD_LAYOUT_TRIVIAL_DTOR);
	return ptrmap_get(&s->others, t) || (trivial && !trivial->bits);
}

static const IrAttr *without(Search *s, const IrAttr *told)
{
	Name *key = ir_known_name(s->m, s->trait->name);
	const IrAttr *value = ir_attr_flag(s->m, false);
	return ir_dict_with(s->m, told, &key, &value, 1);
}

/* of: records, which nothing tells of yet. A struct and a union may have one name. */
static void mark(Search *s, Name *const *of, uint32_t n)
{
	IrModule *m = s->m;
	const IrAttr **values = arena_array(&m->scratch, const IrAttr *, n);
	for (uint32_t i = 0; i < n; i++)
		values[i] = without(s, ptrmap_get(&s->types.traits, of[i]));
	const IrAttr *all = ir_module_attr(m, NAME_cir_record_traits);
	ir_module_set_attr(m, ir_known_name(m, NAME_cir_record_traits), ir_dict_with(m, all, of, values, n));
}

static void warn(const Search *s, const IrType *t, Diags *d)
{
	const IrOp *op = ptrmap_get(&s->matters, t);
	const char *trait = ir_known_name(s->m, s->trait->name)->text, *record = t->name->text;
	diag_warning(d, op->loc,
	             "assuming that MSVC %s record '%s' in %s, because the module does not specify "
	             "whether it is %s; add '%s = {%s = true}', or false, to 'cir.record_traits'",
	             s->trait->does, record, s->trait->where, s->trait->what, record, trait);
}

/* Returns how many records there are of which nothing is specified. */
static uint32_t find_told(Search *s, Diags *d)
{
	Arena *mem = &s->m->scratch;
	VEC(Name *) marked = {0};
	uint32_t untold = 0;
	for (uint32_t i = 0; i < s->order.len; i++) {
		IrType *t = s->order.data[i];
		if (is_told_not(s, t))
			vec_push(mem, &marked, t->name);
		else if (untold++ < DIAG_LIMIT)
			warn(s, t, d);
	}
	if (marked.len)
		mark(s, marked.data, marked.len);
	return untold;
}

static void mark_records(IrModule *m, const AbiTarget *target, const Trait *trait, Diags *d)
{
	ArenaMark before = arena_mark(&m->scratch);
	Search s = {.m = m, .trait = trait};
	abi_types_init(&s.types, m, &m->scratch, NULL);
	s.types.call_conv = target->call_conv;
	abi_outside_init(&s.outside, m);
	if (trait->guess)
		trait->guess(&s.others, m, &m->scratch);
	find_where_it_matters(&s);
	uint32_t untold = find_told(&s, d);
	if (untold > DIAG_LIMIT)
		diag_note(d, m->attrs_loc, "the same is assumed of %" PRIu32 " more records",
		          untold - DIAG_LIMIT);
	arena_release(&m->scratch, before);
}

void ms_mark_records(IrModule *m, const AbiTarget *target, Diags *d)
{
	for (unsigned i = 0; i < ARRAY_LEN(traits) && ms_has_classes(m); i++)
		mark_records(m, target, &traits[i], d);
}
