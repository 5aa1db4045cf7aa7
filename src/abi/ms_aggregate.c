#include "abi/ms_aggregate.h"

#include "abi/ms_method.h"
#include "abi/outside.h"
#include "abi/passing.h"
#include "base/vec.h"
#include "ir/layout.h"
#include "ir/special_member.h"

#include <inttypes.h>

typedef struct Search {
	IrModule *m;
	AbiTypes types;
	AbiOutside outside;
	PtrMap others;  /* record types: no aggregates */
	PtrMap matters; /* record types: the op that returns one, of those in `order` */
	VEC(IrType *) order;
} Search;

static void put(const Search *s, PtrMap *map, const void *key)
{
	if (key)
		ptrmap_put(&s->m->scratch, map, key, (void *)(uintptr_t)key);
}

/* What tells */

static bool begins(const IrOp *func, const char *text)
{
	return str_begins_with(name_str(ir_symbol_name(func)), str_of(text));
}

static IrType *record_at(const IrType *func, uint32_t param)
{
	const IrType *t = param < func->nmembers ? func->members[param] : NULL;
	return t && t->kind == TYPE_PTR && t->elem->kind == TYPE_RECORD ? t->elem : NULL;
}

/* The compiler makes default, copy and move constructors where they are needed, and only there; another DLL has its own. */
static bool is_written(const IrOp *func)
{
	bool elsewhere = ir_func_is_declaration(func) && !ir_op_has(func, NAME_dll);
	return elsewhere || ir_op_enum(func, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_EXTERNAL;
}

static IrType *told_by_info(const IrOp *func)
{
	SpecialMemberInfo info = ir_special_member(func);
	switch (info.kind) {
	case SPECIAL_CUSTOM_CTOR:
		return info.record;
	case SPECIAL_DEFAULT_CTOR:
		return !info.trivial && is_written(func) ? info.record : NULL;
	case SPECIAL_COPY_CTOR:
	case SPECIAL_MOVE_CTOR:
	case SPECIAL_COPY_ASSIGN:
	case SPECIAL_DTOR:
		return info.trivial ? NULL : info.record;
	default:
		return NULL;
	}
}

static IrType *told_by_name(const IrOp *func)
{
	const IrType *type = ir_func_type(func);
	IrType *self = record_at(type, 0);
	if (begins(func, "??1"))
		return self;
	if (!begins(func, "??0"))
		return NULL;
	bool custom = type->nmembers > 1 && record_at(type, 1) != self;
	return custom || is_written(func) ? self : NULL;
}

/* anon, class.anon.12 */
static bool is_no_name(const char *name)
{
	name += strncmp(name, "class.", 6) == 0 ? 6 : 0;
	if (strncmp(name, "anon", 4) != 0)
		return false;
	const char *number = name + 5;
	return !name[4] || (name[4] == '.' && *number && !number[strspn(number, "0123456789")]);
}

/* A closure has no name of its own; what else a function of a lambda takes does. */
static IrType *closure_of(const IrOp *func)
{
	IrType *self = ir_op_has(func, NAME_lambda) ? record_at(ir_func_type(func), 0) : NULL;
	return self && self->name && is_no_name(self->name->text) ? self : NULL;
}

static void look_at_function(Search *s, const IrOp *func)
{
	put(s, &s->others, closure_of(func));
	put(s, &s->others, told_by_info(func));
	if (!ir_op_has(func, NAME_func_info))
		put(s, &s->others, told_by_name(func));
}

static void look_at(Search *s, const IrOp *op)
{
	switch (op->kind) {
	case OP_FUNC:
		look_at_function(s, op);
		break;
	case OP_BASE_CLASS_ADDR:
		put(s, &s->others, ir_operand(op, 0)->type->elem);
		break;
	case OP_DERIVED_CLASS_ADDR:
		put(s, &s->others, op->results[0].type->elem);
		break;
	default:
		break;
	}
}

static void look_at_all(Search *s)
{
	for (const IrOp *op = ir_walk_first(&s->m->body); op; op = ir_walk_next(op, &s->m->body))
		look_at(s, op);
}

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

/* The answers */

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
	    "nothing tells whether MSVC returns record '%s' in a register, as an aggregate, or by address; "
	    "the former is taken: say '%s = {aggregate = true}' or false in 'cir.record_traits' of the "
	    "module",
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
	look_at_all(&s);
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
		diag_note(d, m->attrs_loc, "nor of %" PRIu32 " more records", untold - DIAG_LIMIT);
	if (marked.len)
		mark(&s, marked.data, marked.len);
	arena_release(&m->scratch, before);
}
