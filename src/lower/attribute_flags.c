/* Functions of AArch64 are protected by attributes, which clang gives to all that it has made. In a module of CIR the module's flags say it (`circ.flags`),
 * of functions that circ has made, too; what a function says itself stays. */
#include "lower/attribute.h"

static bool is_set(const Lower *e, const char *flag)
{
	const IrAttr *flags = ir_module_attr(e->m, NAME_circ_flags);
	int64_t n = 0;
	for (uint32_t i = 0; flags && i < flags->n; i++)
		if (strcmp(flags->keys[i]->text, flag) == 0)
			ir_attr_get_i64(flags->elems[i], &n);
	return n != 0;
}

static void add(const Lower *e, Holder h, const char *name, const char *value)
{
	unsigned len = (unsigned)strlen(name);
	if (!LLVMGetStringAttributeAtIndex(h.v, ATTRIBUTE_OF_FUNCTION, name, len))
		attribute_add(
		    h, ATTRIBUTE_OF_FUNCTION,
		    LLVMCreateStringAttribute(e->context, name, len, value, (unsigned)strlen(value)));
}

void attribute_add_protection(const Lower *e, Holder h)
{
	static const char *const same_name[] = {"branch-target-enforcement", "branch-protection-pauth-lr",
	                                        "guarded-control-stack"};
	for (unsigned i = 0; i < ARRAY_LEN(same_name); i++)
		if (is_set(e, same_name[i]))
			add(e, h, same_name[i], "");
	bool all = is_set(e, "sign-return-address-all");
	if (!all && !is_set(e, "sign-return-address"))
		return;
	add(e, h, "sign-return-address", all ? "all" : "non-leaf");
	add(e, h, "sign-return-address-key", is_set(e, "sign-return-address-with-bkey") ? "b_key" : "a_key");
}
