#include "abi/ms_type.h"

#include "abi/ms_info.h"
#include "abi/ms_unit.h"

void ms_types_init(MsTypes *t, IrModule *m, Diags *d)
{
	*t = (MsTypes){.m = m, .d = d};
	cxx_types_init(&t->types, &m->arena);
	t->types.anonymous = name_intern(&t->types.names, ms_unit_name(m));
}

static uint32_t scalar_size(const CxxType *type)
{
	return type && type->kind == CXX_BUILTIN ? cxx_builtin_info[type->builtin].size : 0;
}

bool ms_catch_type(MsTypes *t, Name *type_info, Loc loc, MsCatch *out)
{
	*out = (MsCatch){.descriptor = NULL, .adjectives = MS_CATCH_ALL};
	if (!type_info)
		return true;
	MsInfo *info = ms_info(t, type_info, loc);
	Name *descriptor = info ? ms_info_descriptor(t, info, loc) : NULL;
	if (descriptor)
		*out = (MsCatch){descriptor, info->adjectives, ms_info_is_class(t, info),
		                 scalar_size(info->type)};
	return descriptor != NULL;
}
