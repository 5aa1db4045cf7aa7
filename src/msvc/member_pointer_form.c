#include "msvc/member_pointer_internal.h"

#include "ir/layout.h"

/* The parts that each model has, of pointers to functions and to data. */
static bool has_part(const MemberForm *form, MemberPart part)
{
	switch (part) {
	case PART_FIRST:
		return true;
	case PART_ADJUST:
		return !form->is_data && form->model.inheritance >= MS_MULTIPLE;
	case PART_VBPTR:
		return form->model.inheritance == MS_UNSPECIFIED;
	default:
		return form->model.inheritance >= MS_VIRTUAL;
	}
}

static IrType *part_type(IrModule *m, const MemberForm *form, MemberPart part)
{
	return part == PART_FIRST && !form->is_data ? m->voidp : m->s32;
}

static void fill_type(IrModule *m, MemberForm *form)
{
	IrType *parts[PART_COUNT];
	RecordBody body = {.members = parts};
	for (MemberPart part = 0; part < PART_COUNT; part++) {
		form->index[part] = -1;
		if (!has_part(form, part))
			continue;
		form->index[part] = (int8_t)body.nmembers;
		parts[body.nmembers++] = part_type(m, form, part);
	}
	form->type = body.nmembers == 1 ? parts[0] : ir_type_anon_record(m, RECORD_STRUCT, &body);
}

const MemberForm *ms_member_form(Members *p, IrType *member_pointer)
{
	MemberForm *form = ptrmap_get(&p->forms, member_pointer);
	if (!form) {
		form = arena_new(&p->m->scratch, MemberForm);
		ptrmap_put(&p->m->scratch, &p->forms, member_pointer, form);
		form->is_data = member_pointer->kind == TYPE_DATA_MEMBER;
		if (ms_model(p->t, member_pointer, p->loc, &form->model))
			fill_type(p->m, form);
	}
	p->ok &= form->type != NULL;
	return form->type ? form : NULL;
}

/* Constants */

static const IrAttr *s32(Members *p, int64_t v)
{
	return ir_attr_int(p->m, p->m->s32, (uint64_t)v);
}

const IrAttr *ms_member_null_part(Members *p, const MemberForm *form, MemberPart part)
{
	if (part == PART_FIRST && !form->is_data)
		return ir_attr_null(p->m, p->m->voidp);
	if (part == PART_FIRST)
		return s32(p, ms_member_is_record(form) || form->model.has_vptr ? 0 : -1);
	return s32(p, part == PART_VBTABLE ? -1 : 0);
}

static const IrAttr *constant(Members *p, const MemberForm *form, const IrAttr *const parts[PART_COUNT])
{
	if (!ms_member_is_record(form))
		return parts[PART_FIRST];
	const IrAttr *elems[PART_COUNT];
	uint32_t n = 0;
	for (MemberPart part = 0; part < PART_COUNT; part++)
		if (ms_member_has(form, part))
			elems[n++] = parts[part];
	return ir_attr_intern(
	    p->m, &(IrAttr){.kind = ATTR_CONST_RECORD, .type = form->type, .elems = elems, .n = n});
}

const IrAttr *ms_member_null(Members *p, const MemberForm *form)
{
	const IrAttr *parts[PART_COUNT];
	if (ms_member_is_record(form) && !ms_member_has(form, PART_VBTABLE))
		return ir_attr_zero(p->m, form->type);
	for (MemberPart part = 0; part < PART_COUNT; part++)
		parts[part] = ms_member_null_part(p, form, part);
	return constant(p, form, parts);
}

/* Of what is in the class itself, or in a base that is not virtual. */
static const IrAttr *fixed_constant(Members *p, const MemberForm *form, const IrAttr *first)
{
	const IrAttr *zero = s32(p, 0);
	const IrAttr *parts[PART_COUNT] = {first, s32(p, -(int64_t)ms_member_origin(form)), zero, zero};
	return constant(p, form, parts);
}

static const IrAttr *fail(Members *p, const char *what, const IrType *class)
{
	diag_error(p->t->d, p->loc, "pointer to a member of '%s': %s",
	           class->name ? class->name->text : "(unnamed record)", what);
	p->ok = false;
	return NULL;
}

static const IrAttr *data_constant(Members *p, const IrAttr *a, const MemberForm *form)
{
	IrType *class = a->type->members[0], *t = class;
	uint64_t offset = a->n ? 0 : a->bits - 1;
	if (!a->n && !a->bits)
		return ms_member_null(p, form);
	for (uint32_t i = 0; i < a->n; i++) {
		uint64_t index;
		CHECK(ir_attr_get_u64(a->elems[i], &index));
		offset += ir_record_offset(t, (uint32_t)index);
		t = t->members[index];
	}
	if (offset > INT32_MAX)
		return fail(p, "its offset needs more than 31 bits, the limit of the Microsoft ABI", class);
	if (!offset && form->model.has_vptr && !ms_member_is_record(form))
		return fail(p, "offset 0 means null in the Microsoft ABI, because the vptr is there", class);
	return fixed_constant(p, form, s32(p, (int64_t)offset - ms_member_origin(form)));
}

/* The thunk that stands for a virtual function; the arguments pass through it, whatever they are:
 *
 *	cir.func comdat linkonce_odr @"??_9S@@$BA@AA"(%this: !cir.ptr<!void>, ...) {
 *	  %vptr = cir.load %this
 *	  %f = cir.load (%vptr + offset)
 *	  cir.call %f(%this) musttail
 *	  cir.return
 *	}
 */
static void fill_thunk(IrModule *m, IrOp *thunk, IrType *type, uint64_t offset, Loc loc)
{
	IrBlock *entry = ir_func_add_entry(m, thunk);
	IrBuilder b = ir_at_end(m, entry, loc);
	IrValue *this = entry->args[0];
	IrType *bytes = ir_type_ptr(m, m->u8), *function = ir_type_ptr(m, type);
	IrValue *table = ir_build_load(&b, ir_build_bitcast(&b, this, ir_type_ptr(m, bytes)));
	IrValue *step[] = {table, ir_build_const_int(&b, m->u64, offset)};
	IrValue *slot = &ir_build(&b, OP_PTR_STRIDE, bytes, step, 2)->results[0];
	IrValue *call[] = {ir_build_load(&b, ir_build_bitcast(&b, slot, ir_type_ptr(m, function))), this};
	ir_set_flag(m, ir_build(&b, OP_CALL, NULL, call, 2), NAME_musttail);
	ir_build(&b, OP_RETURN, NULL, NULL, 0);
}

static Name *virtual_thunk(Members *p, const MsInfo *class, uint64_t offset)
{
	enum { HEAD = 3 }; /* ?AU of ?AUS@@ */
	IrModule *m = p->m;
	char digits[MS_NUMBER_MAX];
	const char *text = arena_printf(&m->scratch, "??_9%.*s$B%sAA", (int)class->name.len - HEAD,
	                                class->name.data + HEAD, ms_mangle_number(offset, digits));
	Name *name = ir_name(m, str_of(text));
	const IrOp *found = ir_symbol(name);
	if (found && found->kind != OP_FUNC) {
		diag_error(p->t->d, found->loc, "'%s' must be a thunk, but is not a function here",
		           name->text);
		return NULL;
	}
	if (found)
		return name;
	IrType *type = ir_type_func(m, &m->voidp, 1, NULL, true);
	IrOp *thunk = ir_func_create(m, name, type, p->loc);
	ir_set_enum(m, thunk, NAME_linkage, ENUM_LINKAGE, LINKAGE_LINKONCE_ODR);
	ir_set_flag(m, thunk, NAME_comdat);
	fill_thunk(m, thunk, type, offset, p->loc);
	return name;
}

static const IrAttr *method_constant(Members *p, const IrAttr *a, const MemberForm *form)
{
	IrModule *m = p->m;
	Name *function = a->name;
	if (!function && !a->n)
		return ms_member_null(p, form);
	if (!function && !form->model.info)
		return fail(p, "it selects a virtual function, but the class has no type info",
		            a->type->members[0]);
	if (!function)
		function = virtual_thunk(p, form->model.info, a->bits);
	if (!function) {
		p->ok = false;
		return NULL;
	}
	return fixed_constant(p, form, ir_attr_global_view(m, m->voidp, function, NULL, 0));
}

const IrAttr *ms_member_constant(Members *p, const IrAttr *a)
{
	const MemberForm *form = ms_member_form(p, a->type);
	if (!form)
		return NULL;
	return (a->kind == ATTR_METHOD ? method_constant : data_constant)(p, a, form);
}
