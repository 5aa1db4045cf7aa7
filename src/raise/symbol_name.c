/* Names of symbols. */
#include "raise/raiser.h"

Name *raise_symbol_name(Raise *r, LLVMValueRef v)
{
	Name *name = ptrmap_get(&r->names, v);
	size_t len;
	if (name)
		return name;
	const char *text = LLVMGetValueName2(v, &len);
	if (!len) /* LLVM has symbols without a name: local, or never declared elsewhere */
		name = ir_free_name(r->m, STR(".unnamed"));
	else
		name = ir_name(r->m, (Str){text, len});
	ptrmap_put(r->arena, &r->names, v, name);
	return name;
}
