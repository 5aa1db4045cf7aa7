#include "abi/ms_member_internal.h"

#include "ir/layout.h"

static bool check_model(Members *p, const IrType *class, const MsModel *model)
{
	if (model->inheritance != MS_VIRTUAL)
		return true;
	diag_error(p->t->d, p->loc,
	           "pointers to members of '%s', which has virtual bases, are not supported in the form of "
	           "the Microsoft ABI",
	           class->name->text);
	return false;
}

static IrType *method_type(IrModule *m, const MsModel *model)
{
	IrType *parts[] = {m->voidp, m->s32};
	RecordBody body = {.members = parts, .nmembers = ARRAY_LEN(parts)};
	return model->inheritance == MS_SINGLE ? m->voidp : ir_type_anon_record(m, RECORD_STRUCT, &body);
}

const MemberForm *ms_member_form(Members *p, IrType *member_pointer)
{
	MemberForm *form = ptrmap_get(&p->forms, member_pointer);
	if (!form) {
		IrType *class = member_pointer->members[0];
		bool data = member_pointer->kind == TYPE_DATA_MEMBER;
		form = arena_new(&p->m->scratch, MemberForm);
		ptrmap_put(&p->m->scratch, &p->forms, member_pointer, form);
		if ((data ? ms_model_for_data : ms_model_for_methods)(p->t, class, p->loc, &form->model) &&
		    check_model(p, class, &form->model))
			form->type = data ? p->m->s32 : method_type(p->m, &form->model);
	}
	p->ok &= form->type != NULL;
	return form->type ? form : NULL;
}

/* Constants */

const IrAttr *ms_member_null(Members *p, const MemberForm *form)
{
	if (form->type == p->m->s32)
		return ir_attr_int(p->m, p->m->s32, form->model.has_vptr ? 0 : UINT64_MAX);
	return form->type == p->m->voidp ? ir_attr_null(p->m, form->type) : ir_attr_zero(p->m, form->type);
}

static const IrAttr *fail(Members *p, const char *what, const IrType *class)
{
	diag_error(p->t->d, p->loc, "%s in a pointer to a member of '%s'", what,
	           class->name ? class->name->text : "a record without a name");
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
		return fail(p, "the Microsoft ABI has no room for an offset of more than 31 bits", class);
	if (!offset && form->model.has_vptr)
		return fail(p, "offset 0, where the vptr is, means null in the Microsoft ABI", class);
	return ir_attr_int(p->m, p->m->s32, offset);
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
		diag_error(p->t->d, found->loc, "'%s' is the name of a thunk, but is no function here",
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
	if (!function)
		function = virtual_thunk(p, form->model.info, a->bits);
	if (!function) {
		p->ok = false;
		return NULL;
	}
	const IrAttr *address = ir_attr_global_view(m, m->voidp, function, NULL, 0);
	if (form->type == m->voidp)
		return address;
	const IrAttr *parts[] = {address, ir_attr_int(m, m->s32, 0)};
	return ir_attr_intern(
	    m,
	    &(IrAttr){.kind = ATTR_CONST_RECORD, .type = form->type, .elems = parts, .n = ARRAY_LEN(parts)});
}

const IrAttr *ms_member_constant(Members *p, const IrAttr *a)
{
	const MemberForm *form = ms_member_form(p, a->type);
	if (!form)
		return NULL;
	return (a->kind == ATTR_METHOD ? method_constant : data_constant)(p, a, form);
}
