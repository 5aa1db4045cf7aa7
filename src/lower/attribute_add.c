/* lower/attribute_add.c: how an attribute is made, and put on a function or a call. */
#include "lower/attribute.h"

LLVMAttributeRef attribute_valued(const Lower *e, EnumAttr a, uint64_t value)
{
	CHECK(e->enum_kinds[a]);
	return LLVMCreateEnumAttribute(e->context, e->enum_kinds[a], value);
}

LLVMAttributeRef attribute_unit(const Lower *e, EnumAttr a)
{
	if (!e->enum_attrs[a])
		e->enum_attrs[a] = attribute_valued(e, a, 0);
	return e->enum_attrs[a];
}

void attribute_add(Holder h, unsigned index, LLVMAttributeRef a)
{
	if (h.is_call)
		LLVMAddCallSiteAttribute(h.v, index, a);
	else
		LLVMAddAttributeAtIndex(h.v, index, a);
}

bool attribute_has(const Lower *e, Holder h, EnumAttr a)
{
	unsigned kind = e->enum_kinds[a];
	return (h.is_call ? LLVMGetCallSiteEnumAttribute(h.v, ATTRIBUTE_OF_FUNCTION, kind)
	                  : LLVMGetEnumAttributeAtIndex(h.v, ATTRIBUTE_OF_FUNCTION, kind)) != NULL;
}
