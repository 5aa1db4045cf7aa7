#include "msvc/direct_base.h"

/* From the attribute */

static bool attr_error(MsTypes *t, const MsInfo *info, uint32_t i, const char *what)
{
	diag_error(t->d, info->op->loc, "base #%u of attribute 'cir.ms.bases' of type info '%s' %s", i,
	           info->symbol->text, what);
	return false;
}

/* An optional integer of 32 bits. */
static bool read_int(const IrAttr *entry, NameId key, int32_t *out, bool *present)
{
	const IrAttr *a = ir_dict_get(entry, (uint32_t)key);
	int64_t v = 0;
	*present = a != NULL;
	if (a && (a->kind != ATTR_INT || !ir_attr_get_i64(a, &v) || v < INT32_MIN || v > INT32_MAX))
		return false;
	*out = (int32_t)v;
	return true;
}

static bool read_access(const IrAttr *entry, bool *is_private)
{
	const IrAttr *a = ir_dict_get(entry, NAME_access);
	Str word = a && a->kind == ATTR_STRING ? name_str(a->name) : STR("public");
	*is_private = str_equal(word, STR("private")) || str_equal(word, STR("protected"));
	return (!a || a->kind == ATTR_STRING) && (*is_private || str_equal(word, STR("public")));
}

static bool has_other_key(const IrAttr *entry)
{
	for (uint32_t i = 0; i < entry->n; i++) {
		uint32_t key = entry->keys[i]->id;
		if (key != NAME_type && key != NAME_offset && key != NAME_access && key != NAME_vbptr &&
		    key != NAME_vbtable)
			return true;
	}
	return false;
}

static bool read_entry(MsTypes *t, const MsInfo *info, uint32_t i, const IrAttr *entry, MsDirect *out)
{
	if (entry->kind != ATTR_DICT || has_other_key(entry))
		return attr_error(
		    t, info, i, "must be a dictionary of 'type', 'offset', 'access', 'vbptr' and 'vbtable'");
	const IrAttr *type = ir_dict_get(entry, NAME_type);
	if (!type || type->kind != ATTR_SYMBOL)
		return attr_error(t, info, i, "must name the base's type info as 'type'");
	out->symbol = type->name;
	bool offset, vbptr;
	if (!read_int(entry, NAME_offset, &out->offset, &offset) ||
	    !read_int(entry, NAME_vbptr, &out->vbptr, &vbptr) ||
	    !read_int(entry, NAME_vbtable, &out->vbtable, &out->is_virtual))
		return attr_error(t, info, i,
		                  "must have integers of at most 32 bits as 'offset', 'vbptr' and 'vbtable'");
	if (out->is_virtual ? offset : vbptr)
		return attr_error(t, info, i, "must have either 'offset', or 'vbtable' and 'vbptr'");
	if (!read_access(entry, &out->is_private))
		return attr_error(t, info, i,
		                  "must have \"public\", \"protected\" or \"private\" as 'access'");
	return true;
}

static bool from_attribute(MsTypes *t, const MsInfo *info, MsDirects *out)
{
	const IrAttr *list = ms_info_attr(t, info->op, NAME_ms_bases, ATTR_ARRAY, "an array");
	for (uint32_t i = 0; list && i < list->n; i++) {
		MsDirect base = {0};
		if (!read_entry(t, info, i, list->elems[i], &base))
			return false;
		vec_push(&t->m->arena, out, base);
	}
	return list != NULL;
}

/* From the initializer: Itanium C++ ABI, section 2.9.5, paragraphs 5 to 7 */

static bool read_type(const IrAttr *elem, Name **out)
{
	*out = elem->name;
	return elem->kind == ATTR_GLOBAL_VIEW && elem->n == 0;
}

/* { vtable, name, base } */
static bool read_single(MsTypes *t, const IrAttr *value, MsDirects *out)
{
	MsDirect base = {0};
	if (value->n != 3 || !read_type(value->elems[2], &base.symbol))
		return false;
	vec_push(&t->m->arena, out, base);
	return true;
}

/* { vtable, name, flags, count, (base, offset << 8 | flags)… }; of a virtual one, the
 * offset is that in the vtable. */
static bool read_multiple(MsTypes *t, const IrAttr *value, MsDirects *out)
{
	enum { IS_VIRTUAL = 1, IS_PUBLIC = 2, HEAD = 4, OFFSET_SHIFT = 256 };
	uint64_t count;
	if (value->n < HEAD || value->elems[3]->kind != ATTR_INT ||
	    !ir_attr_get_u64(value->elems[3], &count) || count != (value->n - HEAD) / 2 || value->n % 2)
		return false;
	for (uint32_t i = HEAD; i < value->n; i += 2) {
		MsDirect base = {0};
		int64_t bits;
		if (!read_type(value->elems[i], &base.symbol) || value->elems[i + 1]->kind != ATTR_INT ||
		    !ir_attr_get_i64(value->elems[i + 1], &bits))
			return false;
		int64_t offset = (bits - (bits & 255)) / OFFSET_SHIFT;
		if (offset < INT32_MIN || offset > INT32_MAX)
			return false;
		base.is_virtual = bits & IS_VIRTUAL;
		base.is_private = !(bits & IS_PUBLIC);
		*(base.is_virtual ? &base.vbtable : &base.offset) = (int32_t)offset;
		vec_push(&t->m->arena, out, base);
	}
	return true;
}

static bool from_initializer(MsTypes *t, const MsInfo *info, Str kind, MsDirects *out)
{
	const IrAttr *value = ms_info_value(info->op);
	bool ok = false;
	if (str_equal(kind, STR("__class_type_info")))
		ok = value->n == 2;
	else if (str_equal(kind, STR("__si_class_type_info")))
		ok = read_single(t, value, out);
	else if (str_equal(kind, STR("__vmi_class_type_info")))
		ok = read_multiple(t, value, out);
	if (!ok)
		diag_error(t->d, info->op->loc,
		           "cannot read bases from type info '%s': its initializer is not that of a '%.*s'; "
		           "add 'cir.ms.bases' to it",
		           info->symbol->text, (int)kind.len, kind.data);
	return ok;
}

/* From msvc/library_class.def */

/* The inline namespace below std, or NULL. */
static CxxType *version_of(CxxType *named)
{
	CxxType *scope = named->scope;
	while (scope && scope->scope && scope->scope->scope)
		scope = scope->scope;
	return scope && scope->scope && ms_is_version(scope) ? scope : NULL;
}

/* Some classes of libc++ are in its inline namespace, others are not: the module's records tell. */
static bool from_std(MsTypes *t, CxxType *derived, const MsStd *row, MsDirects *out)
{
	Str name = str_of(row->base), prefix = STR("std::");
	if (!name.len)
		return true;
	CxxType *std = cxx_type_named(&t->types, NULL, STR("std")), *version = version_of(derived);
	Str ident = {name.data + prefix.len, name.len - prefix.len};
	MsDirect base = {.type = cxx_type_named(&t->types, std, ident)};
	CxxType *versioned = version ? cxx_type_named(&t->types, version, ident) : NULL;
	if (versioned && ms_class(t, versioned)->record)
		base.type = versioned;
	vec_push(&t->m->arena, out, base);
	return true;
}

static const MsStd *std_of(MsTypes *t, const MsInfo *info)
{
	bool named = info->type && info->type->kind == CXX_NAMED;
	const MsStd *std = named ? ms_class(t, info->type)->std : NULL;
	return std && std->base ? std : NULL;
}

bool ms_direct_told(MsTypes *t, const MsInfo *info)
{
	return (info->op && (ir_op_has(info->op, NAME_ms_bases) || ms_info_kind(info->op).len)) ||
	       std_of(t, info);
}

static bool find_direct(MsTypes *t, const MsInfo *info, Loc loc, MsDirects *out)
{
	if (info->op && ir_op_has(info->op, NAME_ms_bases))
		return from_attribute(t, info, out);
	Str kind = ms_info_kind(info->op);
	if (kind.len)
		return from_initializer(t, info, kind, out);
	const MsStd *std = std_of(t, info);
	if (std)
		return from_std(t, info->type, std, out);
	diag_error(
	    t->d, loc, "cannot find the bases of '%s': its type info has no initializer in this module; %s",
	    ms_info_spelling(t, info),
	    ir_module_attr(t->m, NAME_circ_llvm) ? "link the module with the one that has it (llvm-link)"
	                                         : "add 'cir.ms.bases' to the type info");
	ms_info_note(t, info);
	return false;
}

bool ms_direct_bases(MsTypes *t, MsInfo *info, Loc loc, MsDirects *out)
{
	*out = (MsDirects){0};
	if (!info->asked_direct) {
		info->asked_direct = true;
		info->has_direct = find_direct(t, info, loc, out);
		info->direct = out->data;
		info->ndirect = out->len;
	}
	*out = (MsDirects){.data = info->direct, .len = info->ndirect, .cap = info->ndirect};
	return info->has_direct;
}

MsInfo *ms_direct_info(MsTypes *t, const MsDirect *base, Loc loc)
{
	return base->symbol ? ms_info(t, base->symbol, loc) : ms_info_of_type(t, base->type, loc);
}
