#include "ir/special_member.h"

SpecialMemberInfo ir_special_member(const IrOp *func)
{
	const struct {
		Str head;
		SpecialMember kind;
	} rows[] = {
	    {STR("#cir.cxx_ctor<\0, default"), SPECIAL_DEFAULT_CTOR},
	    {STR("#cir.cxx_ctor<\0, custom"), SPECIAL_CUSTOM_CTOR},
	    {STR("#cir.cxx_ctor<\0, copy"), SPECIAL_COPY_CTOR},
	    {STR("#cir.cxx_ctor<\0, move"), SPECIAL_MOVE_CTOR},
	    {STR("#cir.cxx_assign<\0, copy"), SPECIAL_COPY_ASSIGN},
	    {STR("#cir.cxx_assign<\0, move"), SPECIAL_MOVE_ASSIGN},
	    {STR("#cir.cxx_dtor<\0"), SPECIAL_DTOR},
	};
	SpecialMemberInfo none = {0};
	const IrAttr *info = ir_op_attr(func, NAME_func_info);
	if (!info || info->kind != ATTR_OPAQUE || info->n != 1 || info->elems[0]->kind != ATTR_TYPE)
		return none;
	Str text = name_str(info->name);
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		if (!str_begins_with(text, rows[i].head))
			continue;
		Str rest = {text.data + rows[i].head.len, text.len - rows[i].head.len};
		return (SpecialMemberInfo){rows[i].kind, str_begins_with(rest, STR(", trivial true")),
		                           info->elems[0]->type};
	}
	return none;
}
