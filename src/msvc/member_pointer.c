/* msvc/member_pointer.c: first the ops, while types still tell classes; then the types of
 * values and all that attributes hold. */
#include "msvc/member_pointer.h"

#include "msvc/member_pointer_internal.h"

/* Types. A record with a name is changed where it is, so that it need not be followed
 * while it is being looked at. */

static IrType **map_members(Members *p, const IrType *t)
{
	IrType **members = arena_array(&p->m->scratch, IrType *, t->nmembers);
	for (uint32_t i = 0; i < t->nmembers; i++)
		members[i] = ms_member_type(p, t->members[i]);
	return members;
}

static IrType *map_record(Members *p, IrType *t)
{
	if (t->name) {
		if (t->complete)
			vec_push(&p->m->scratch, &p->records, t);
		return t;
	}
	RecordBody body = {.members = map_members(p, t),
	                   .marks = t->marks,
	                   .nmembers = t->nmembers,
	                   .packed = t->packed,
	                   .padding = t->padding ? ms_member_type(p, t->padding) : NULL,
	                   .std_type_info = t->attr};
	return ir_type_anon_record(p->m, t->record_kind, &body);
}

static IrType *map(Members *p, IrType *t)
{
	const MemberForm *form;
	switch (t->kind) {
	case TYPE_DATA_MEMBER:
	case TYPE_METHOD:
		form = ms_member_form(p, t);
		return form ? form->type : t;
	case TYPE_PTR:
		return ir_type_ptr_in(p->m, ms_member_type(p, t->elem), t->attr);
	case TYPE_ARRAY:
		return ir_type_array(p->m, ms_member_type(p, t->elem), t->count);
	case TYPE_FUNC:
		return ir_type_func(p->m, map_members(p, t), t->nmembers, ms_member_type(p, t->elem),
		                    t->variadic);
	case TYPE_RECORD:
		return map_record(p, t);
	default:
		return t; /* made of numbers, if of anything */
	}
}

static IrType *type_of(Members *p, IrType *t)
{
	if (t->id >= p->ntypes)
		return t; /* made here */
	if (!p->types[t->id])
		p->types[t->id] = map(p, t);
	return p->types[t->id];
}

IrType *ms_member_type(Members *p, IrType *t)
{
	return type_of(p, t);
}

/* What records hold, and what those hold. */
static void change_records(Members *p)
{
	while (p->records.len) {
		IrType *r = p->records.data[--p->records.len];
		for (uint32_t i = 0; i < r->nmembers; i++)
			r->members[i] = type_of(p, r->members[i]);
		if (r->padding)
			r->padding = type_of(p, r->padding);
	}
}

static IrType *change_type(Members *p, IrType *t)
{
	IrType *to = t ? type_of(p, t) : NULL;
	change_records(p);
	return to;
}

/* Attributes */

static const IrAttr *change_attr(Members *p, const IrAttr *a);

static const IrAttr *changed_attr(Members *p, const IrAttr *a)
{
	if (a->kind == ATTR_DATA_MEMBER || a->kind == ATTR_METHOD) {
		change_type(p, a->type->members[0]); /* offsets are counted in it */
		const IrAttr *constant = ms_member_constant(p, a);
		return constant ? constant : a;
	}
	IrAttr key = *a;
	key.type = change_type(p, a->type);
	key.elem_type = change_type(p, a->elem_type);
	bool changed = key.type != a->type || key.elem_type != a->elem_type;
	key.elems = arena_copy_n(&p->m->scratch, a->elems, a->n, sizeof *a->elems);
	for (uint32_t i = 0; i < a->n; i++) {
		key.elems[i] = a->elems[i] ? change_attr(p, a->elems[i]) : NULL;
		changed |= key.elems[i] != a->elems[i];
	}
	return changed ? ir_attr_intern(p->m, &key) : a;
}

/* The reader and the builder limit how deeply attributes nest. */
static const IrAttr *change_attr(Members *p, const IrAttr *a)
{
	if (a->id >= p->nattrs)
		return a; /* made here */
	if (!p->attrs[a->id])
		p->attrs[a->id] = changed_attr(p, a);
	return p->attrs[a->id];
}

/* The walk */

static void change_op(Members *p, IrOp *op)
{
	p->loc = op->loc;
	for (uint32_t i = 0; i < op->nattrs; i++)
		op->attrs[i].value = change_attr(p, op->attrs[i].value);
	for (uint32_t i = 0; i < op->nresults; i++)
		op->results[i].type = change_type(p, op->results[i].type);
	for (uint32_t r = 0; r < op->nregions; r++)
		IR_FOR_BLOCKS (b, &op->regions[r])
			for (uint32_t i = 0; i < b->nargs; i++)
				b->args[i]->type = change_type(p, b->args[i]->type);
}

static bool has_member_pointers(const IrModule *m)
{
	for (uint32_t i = 0; i < m->types.len; i++) {
		TypeKind kind = m->types.held[i]->kind;
		if (kind == TYPE_DATA_MEMBER || kind == TYPE_METHOD)
			return true;
	}
	return false;
}

static bool lower_members(Members *p)
{
	const IrRegion *body = &p->m->body;
	ir_types_forget_layouts(p->m);
	ms_member_lower_ops(p);
	if (!p->ok)
		return false;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		change_op(p, op);
	return p->ok;
}

bool ms_lower_members(MsTypes *t)
{
	IrModule *m = t->m;
	if (!has_member_pointers(m))
		return true;
	ArenaMark mark = arena_mark(&m->scratch);
	Members p = {.t = t, .m = m, .ntypes = m->types.len, .nattrs = m->attrs.len, .ok = true};
	p.types = arena_array(&m->scratch, IrType *, p.ntypes);
	p.attrs = arena_array(&m->scratch, const IrAttr *, p.nattrs);
	bool ok = lower_members(&p);
	arena_release(&m->scratch, mark);
	return ok;
}
