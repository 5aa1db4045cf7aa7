#include "msvc/object_size.h"

#include "ir/layout.h"
#include "msvc/class.h"

/* False: it has none that it tells; *reported: it is wrong. */
static bool size_attr(MsTypes *t, const MsInfo *info, uint64_t *size, bool *reported)
{
	static const char shape[] = "a positive integer of at most 31 bits";
	if (!info->op || !ir_op_has(info->op, NAME_ms_size))
		return false;
	const IrAttr *a = ms_info_attr(t, info->op, NAME_ms_size, ATTR_INT, shape);
	if (a && ir_attr_get_u64(a, size) && *size > 0 && *size <= INT32_MAX)
		return true;
	*reported = true;
	if (a)
		diag_error(t->d, info->op->loc, "attribute 'cir.ms.size' of type info '%s' must be %s",
		           info->symbol->text, shape);
	return false;
}

static uint64_t size_of(IrType *type)
{
	uint64_t size = type && ir_type_sized(type) ? ir_type_size(type) : 0;
	return size <= INT32_MAX ? size : 0;
}

/* What no record tells of, a throw does: its object has the type that the module gives to an enum, a complex number. */
static uint64_t named_size(MsTypes *t, CxxType *type, IrType *object)
{
	MsClass *c = ms_class(t, type);
	bool is_class = !ms_class_is_value(t, type) && ms_class_tag(t, type) != MS_TAG_ENUM;
	uint64_t size = size_of(is_class || c->record ? c->record : object);
	return size || !ir_module_attr(t->m, NAME_circ_llvm) ? size : size_of(object);
}

static uint64_t derived_size(MsTypes *t, const MsInfo *info, IrType *object)
{
	enum { POINTER_SIZE = 8 };
	if (ms_info_is_pointer(info))
		return POINTER_SIZE;
	if (!info->type)
		return size_of(object);
	switch (info->type->kind) {
	case CXX_BUILTIN:
		return cxx_builtin_info[info->type->builtin].size;
	case CXX_NAMED:
		return named_size(t, info->type, object);
	case CXX_MEMBER_POINTER:
		return size_of(object);
	default:
		return 0;
	}
}

uint64_t ms_size(MsTypes *t, const MsInfo *info, IrType *object, Loc loc)
{
	uint64_t size;
	bool reported = false;
	if (size_attr(t, info, &size, &reported))
		return size;
	size = reported ? 0 : derived_size(t, info, object);
	if (size || reported)
		return size;
	diag_error(t->d, loc,
	           "cannot determine the size of '%s': the module has no complete record of that name; add "
	           "'cir.ms.size' to its type info",
	           ms_info_spelling(t, info));
	ms_info_note(t, info);
	return 0;
}
