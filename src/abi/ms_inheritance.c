#include "abi/ms_inheritance.h"

#include "abi/ms_bases.h"
#include "abi/ms_direct.h"
#include "ir/spell.h"

static IrType *first_member(const IrType *record)
{
	bool has = record->kind == TYPE_RECORD && record->complete && record->nmembers &&
	           record->record_kind != RECORD_UNION;
	return has ? record->members[0] : NULL;
}

/* Is there a vptr at offset 0: its own, that of a base, or that of a member? */
static bool begins_with_vptr(const IrType *record)
{
	const IrType *t = record;
	for (unsigned depth = 0; t && depth < TYPE_DEPTH_MAX; depth++) {
		if (t->kind == TYPE_VPTR)
			return true;
		t = first_member(t);
	}
	return false;
}

/* As the class itself, or as a base subobject is spelled: `S.base`. */
static bool is_subobject_of(const IrType *member, const IrType *class)
{
	Str a = member->name ? name_str(member->name) : STR(""), b = name_str(class->name);
	Str tail = STR(".base");
	if (member == class)
		return true;
	return a.len == b.len + tail.len && memcmp(a.data, b.data, b.len) == 0 &&
	       memcmp(a.data + b.len, tail.data, tail.len) == 0;
}

static IrType *record_of(MsTypes *t, const MsInfo *info)
{
	return info->type && info->type->kind == CXX_NAMED ? ms_class(t, info->type)->record : NULL;
}

/* A vptr in front is the class's unless a member of class type stands there, which is not a base. */
static bool is_polymorphic(MsTypes *t, const IrType *record, const MsDirects *bases, Loc loc, bool *out)
{
	const IrType *first = first_member(record);
	*out = begins_with_vptr(record);
	if (!*out || first->kind == TYPE_VPTR)
		return true;
	*out = false;
	for (uint32_t i = 0; i < bases->len && !*out; i++) {
		MsInfo *base = ms_direct_info(t, &bases->data[i], loc);
		if (!base)
			return false;
		const IrType *class = record_of(t, base);
		*out = class && is_subobject_of(first, class);
	}
	return true;
}

/* clang's rule: more than one base, or a vptr before a base that has none, in the class or in what it inherits from. */
static bool find_inheritance(MsTypes *t, MsInfo *info, const IrType *record, Loc loc, MsModel *out)
{
	bool virtual_table = out->has_vptr;
	for (;;) {
		MsDirects bases;
		if (!ms_direct_bases(t, info, loc, &bases))
			return false;
		if (bases.len != 1) {
			out->inheritance = bases.len ? MS_MULTIPLE : MS_SINGLE;
			return true;
		}
		info = ms_direct_info(t, &bases.data[0], loc);
		const IrType *base = info ? record_of(t, info) : NULL;
		bool own = first_member(record) && first_member(record)->kind == TYPE_VPTR;
		bool inherited = virtual_table && !own; /* in the base, then, if its record does not tell */
		if (!info || !ms_direct_bases(t, info, loc, &bases) ||
		    (base && !is_polymorphic(t, base, &bases, loc, &inherited)))
			return false;
		if (virtual_table && !inherited) {
			out->inheritance = MS_MULTIPLE;
			return true;
		}
		virtual_table = inherited;
		record = base ? base : record;
	}
}

static bool report_unknown(MsTypes *t, const IrType *record, Loc loc)
{
	diag_error(
	    t->d, loc,
	    "pointers to members of '%s' depend on its bases in the Microsoft ABI, and the module does "
	    "not tell them; expected a type info of the class that does (attribute 'cir.ms.bases')",
	    record->name ? record->name->text : "a record without a name");
	return false;
}

bool ms_model_for_methods(MsTypes *t, IrType *record, Loc loc, MsModel *out)
{
	*out = (MsModel){.inheritance = MS_SINGLE};
	const MsClass *c = record->name && record->complete ? ms_class_of_record(t, record) : NULL;
	if (!c || !c->info)
		return report_unknown(t, record, loc);
	out->info = ms_info(t, ir_symbol_name(c->info), loc);
	MsBases all = {0};
	MsDirects direct;
	if (!out->info || !ms_bases(t, out->info, loc, &all) ||
	    !ms_direct_bases(t, out->info, loc, &direct) ||
	    !is_polymorphic(t, record, &direct, loc, &out->has_vptr))
		return false;
	if (all.data[0].has_virtual) {
		out->inheritance = MS_VIRTUAL;
		return true;
	}
	return find_inheritance(t, out->info, record, loc, out);
}

/* Does the module tell of virtual bases? Microsoft's layout has them without a vptr. What it does not tell is not asked for. */
static bool find_virtual_bases(MsTypes *t, const IrType *record, Loc loc, bool *out)
{
	const IrOp *op = record->name ? ms_class_of_record(t, record)->info : NULL;
	*out = false;
	if (!op || !ir_op_has(op, NAME_ms_bases))
		return true;
	MsInfo *info = ms_info(t, ir_symbol_name(op), loc);
	MsDirects bases;
	if (!info || !ms_direct_bases(t, info, loc, &bases))
		return false;
	for (uint32_t i = 0; i < bases.len; i++)
		*out |= bases.data[i].is_virtual;
	return true;
}

bool ms_model_for_data(MsTypes *t, IrType *record, Loc loc, MsModel *out)
{
	bool has_virtual;
	*out = (MsModel){.inheritance = MS_SINGLE};
	if (!record->complete || begins_with_vptr(record))
		return ms_model_for_methods(t, record, loc, out);
	if (!find_virtual_bases(t, record, loc, &has_virtual))
		return false;
	out->inheritance = has_virtual ? MS_VIRTUAL : MS_SINGLE;
	return true;
}
