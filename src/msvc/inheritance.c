#include "msvc/inheritance.h"

#include "ir/spell.h"
#include "msvc/bases.h"
#include "msvc/direct_base.h"

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

/* clang's rule: more than one base, or a vptr before a base that has none, in the class
 * or in what it inherits from. */
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

/* Virtual bases. A table is shared with the first base that has one (Microsoft), and
 * that base's places are the class's. */

static bool find_vbptr(MsTypes *t, MsInfo *info, Loc loc, unsigned depth, MsVbptr *out)
{
	MsDirects bases;
	*out = (MsVbptr){0};
	if (depth > CXX_DEPTH_MAX || !ms_direct_bases(t, info, loc, &bases))
		return depth > CXX_DEPTH_MAX; /* a base of itself, which ms_bases() reports */
	for (uint32_t i = 0; i < bases.len; i++) {
		const MsDirect *base = &bases.data[i];
		MsInfo *class = base->is_virtual ? NULL : ms_direct_info(t, base, loc);
		if (base->is_virtual)
			continue;
		if (!class || !find_vbptr(t, class, loc, depth + 1, out))
			return false;
		if (out->kind == MS_VBPTR_NONE)
			continue;
		out->offset += base->offset;
		out->origin += base->offset;
		return true;
	}
	for (uint32_t i = 0; i < bases.len && out->kind == MS_VBPTR_NONE; i++)
		if (bases.data[i].is_virtual) {
			out->kind = bases.data[i].vbtable > 0 ? MS_VBPTR_MICROSOFT : MS_VBPTR_ITANIUM;
			out->offset = bases.data[i].vbptr;
		}
	return true;
}

static bool is_listed(const MsVbases *list, const MsInfo *base)
{
	for (uint32_t i = 0; i < list->len; i++)
		if (ms_info_same(list->data[i].info, base))
			return true;
	return false;
}

bool ms_vbases(MsTypes *t, MsInfo *class, Loc loc, MsVbases *out)
{
	MsInfo *shares = class;
	for (unsigned depth = 0; shares && depth <= CXX_DEPTH_MAX; depth++) {
		MsInfo *next = NULL;
		MsDirects bases;
		if (!ms_direct_bases(t, shares, loc, &bases))
			return false;
		for (uint32_t i = 0; i < bases.len; i++) {
			MsInfo *info = ms_direct_info(t, &bases.data[i], loc);
			MsVbptr vbptr = {0};
			if (!info ||
			    (!bases.data[i].is_virtual && !next && !find_vbptr(t, info, loc, 0, &vbptr)))
				return false;
			if (bases.data[i].is_virtual && !is_listed(out, info))
				vec_push(&t->m->scratch, out, ((MsVbase){info, bases.data[i].vbtable}));
			if (vbptr.kind != MS_VBPTR_NONE)
				next = info;
		}
		shares = next;
	}
	return true;
}

/* What the module does not tell is not asked for.
 * visits: how many bases may still be looked at; past that, what asks for all bases reports. */
static bool has_virtual_bases(MsTypes *t, MsInfo *info, Loc loc, unsigned *visits, bool *out)
{
	MsDirects bases = {0};
	if (!ms_direct_told(t, info))
		return true;
	if (!ms_direct_bases(t, info, loc, &bases))
		return false;
	for (uint32_t i = 0; i < bases.len && !*out; i++) {
		*out = bases.data[i].is_virtual || --*visits == 0;
		MsInfo *base = *out ? NULL : ms_direct_info(t, &bases.data[i], loc);
		if (!*out && (!base || !has_virtual_bases(t, base, loc, visits, out)))
			return false;
	}
	return true;
}

/* The model */

static bool report_unknown(MsTypes *t, const IrType *record, Loc loc)
{
	diag_error(t->d, loc,
	           "cannot lower pointers to members of '%s': the module does not specify its bases, on "
	           "which their form depends; add a type info of the class with 'cir.ms.bases'",
	           record->name ? record->name->text : "(unnamed record)");
	return false;
}

/* The type info of a class with a name, or NULL. */
static const IrOp *info_of(MsTypes *t, const IrType *record)
{
	return record->name ? ms_class_of_record(t, record)->info : NULL;
}

/* From the bases. */
static bool derive(MsTypes *t, IrType *record, Loc loc, MsModel *out)
{
	const IrOp *op = info_of(t, record);
	if (!op)
		return report_unknown(t, record, loc);
	out->info = ms_info(t, ir_symbol_name(op), loc);
	MsBases all = {0};
	MsDirects direct;
	if (!out->info || !ms_bases(t, out->info, loc, &all) ||
	    !ms_direct_bases(t, out->info, loc, &direct) ||
	    !is_polymorphic(t, record, &direct, loc, &out->has_vptr))
		return false;
	out->knows_bases = true;
	if (!all.data[0].has_virtual)
		return find_inheritance(t, out->info, record, loc, out);
	out->inheritance = MS_VIRTUAL;
	return find_vbptr(t, out->info, loc, 0, &out->vbptr);
}

/* What the type says, or the attribute. False: reported. */
static bool find_word(MsTypes *t, const IrType *pointer, const IrOp *op, MsInheritance *out)
{
	static const char shape[] = "\"single\", \"multiple\", \"virtual\" or \"unspecified\"";
	*out = pointer->inheritance;
	if (*out != MS_UNTOLD || !op || !ir_op_has(op, NAME_ms_inheritance))
		return true;
	const IrAttr *a = ms_info_attr(t, op, NAME_ms_inheritance, ATTR_STRING, shape);
	*out = a ? ir_inheritance_of_word(name_str(a->name)) : MS_UNTOLD;
	if (a && *out == MS_UNTOLD)
		diag_error(t->d, op->loc, "attribute 'cir.ms.inheritance' of type info '%s' must be %s",
		           ir_symbol_name(op)->text, shape);
	return *out != MS_UNTOLD;
}

static bool report_narrow(MsTypes *t, const IrType *pointer, const IrOp *op, Loc loc, MsInheritance word,
                          MsInheritance needed)
{
	if (pointer->inheritance != MS_UNTOLD)
		diag_error(t->d, loc, "type '%s' specifies '%s', but the bases of the class require '%s'",
		           ir_type_str(&t->m->scratch, pointer), ir_inheritance_word(word),
		           ir_inheritance_word(needed));
	else
		diag_error(t->d, op->loc,
		           "attribute 'cir.ms.inheritance' of type info '%s' is \"%s\", but its bases "
		           "require \"%s\"",
		           ir_symbol_name(op)->text, ir_inheritance_word(word), ir_inheritance_word(needed));
	return false;
}

/* The bases, if they are known, must have room in it. */
static bool declared(MsTypes *t, const IrType *pointer, const IrOp *op, MsInheritance word, Loc loc,
                     MsModel *out)
{
	IrType *record = pointer->members[0];
	out->info = op ? ms_info(t, ir_symbol_name(op), loc) : NULL;
	if (op && !out->info)
		return false;
	if ((op && ms_direct_told(t, out->info)) || word == MS_VIRTUAL) {
		MsModel model = {.inheritance = MS_SINGLE};
		if (!derive(t, record, loc, &model))
			return false;
		if (model.inheritance > word)
			return report_narrow(t, pointer, op, loc, word, model.inheritance);
		*out = model;
	} else {
		out->has_vptr = begins_with_vptr(record);
	}
	out->inheritance = word;
	return true;
}

/* Has the class no vptr in front and no virtual bases, as far as the module tells? False: reported. */
static bool is_plain(MsTypes *t, const IrType *record, const IrOp *op, Loc loc, bool *out)
{
	unsigned visits = CXX_DEPTH_MAX;
	bool has_virtual = false;
	*out = record->complete && !begins_with_vptr(record);
	if (!*out || !op || !ir_op_has(op, NAME_ms_bases))
		return true;
	MsInfo *info = ms_info(t, ir_symbol_name(op), loc);
	if (!info || !has_virtual_bases(t, info, loc, &visits, &has_virtual))
		return false;
	*out = !has_virtual;
	return true;
}

bool ms_model(MsTypes *t, const IrType *pointer, Loc loc, MsModel *out)
{
	IrType *record = pointer->members[0];
	const IrOp *op = info_of(t, record);
	MsInheritance word;
	bool plain = false;
	*out = (MsModel){.inheritance = MS_SINGLE};
	if (!find_word(t, pointer, op, &word))
		return false;
	if (word != MS_UNTOLD)
		return declared(t, pointer, op, word, loc, out);
	if (pointer->kind == TYPE_DATA_MEMBER && !is_plain(t, record, op, loc, &plain))
		return false;
	if (plain)
		return true;
	if (!record->complete && record->name) {
		out->inheritance = MS_UNSPECIFIED;
		return true;
	}
	return derive(t, record, loc, out);
}
