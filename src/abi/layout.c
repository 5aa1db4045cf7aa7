#include "abi/layout.h"

#include "ir/spell.h"

#include <stdlib.h>

/* How texts of each era begin to say it; a number of bits follows. */
static const struct {
	NameId name;
	const char *begin;
} spellings[] = {
    {NAME_dlti_dl_spec, "!llvm.ptr = dense<"},
    {NAME_dlti_dl_spec, "!llvm.ptr, dense<"},
    {NAME_dlti_dl_spec, "!cir.ptr<!cir.void> = #cir.ptr_spec<size = "},
    {NAME_dlti_dl_spec, "!cir.ptr<!cir.void>, #cir.ptr_spec<size = "},
    {NAME_llvm_data_layout, "-p:"},
};

bool abi_check_layout(IrModule *m, Diags *d)
{
	ArenaMark mark = arena_mark(&m->scratch);
	bool ok = true;
	for (unsigned i = 0; i < ARRAY_LEN(spellings) && ok; i++) {
		const IrAttr *a = ir_module_attr(m, spellings[i].name);
		const char *text = a ? ir_attr_str(&m->scratch, a) : "";
		const char *at = strstr(text, spellings[i].begin);
		if (!at)
			continue;
		at += strlen(spellings[i].begin);
		unsigned long bits = strtoul(at + strspn(at, "["), NULL, 10);
		ok = bits == 64;
		if (!ok)
			diag_error(d, m->attrs_loc,
			           "attribute '%s' of the module has pointers of %lu bits; expected 64",
			           ir_known_name(m, spellings[i].name)->text, bits);
	}
	arena_release(&m->scratch, mark);
	return ok;
}
