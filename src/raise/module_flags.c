/* Flags of the module, {i32 behavior, !"name", value}: those that `circ.flags` has. */
#include "ir/module_flag.h"
#include "raise/raiser.h"

enum { PARTS = 3 };

typedef struct Flags {
	VEC(Name *) names;
	VEC(const IrAttr *) values;
} Flags;

/* NULL: of another kind than clang's. */
static const IrAttr *value_of(Raise *r, const ModuleFlag *flag, LLVMValueRef v)
{
	unsigned len;
	if (flag->is_text && LLVMIsAMDString(v)) {
		const char *text = LLVMGetMDString(v, &len);
		return ir_attr_string(r->m, (Str){text, len});
	}
	if (flag->is_text || !LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 32)
		return NULL;
	return ir_attr_i32(r->m, (int32_t)LLVMConstIntGetSExtValue(v));
}

/* LLVM's verifier has seen that it is one. */
static void raise_entry(Raise *r, LLVMValueRef node, Flags *out)
{
	LLVMValueRef parts[PARTS];
	unsigned len;
	if (LLVMGetMDNodeNumOperands(node) != PARTS)
		return;
	LLVMGetMDNodeOperands(node, parts);
	const char *name = LLVMGetMDString(parts[1], &len);
	const ModuleFlag *flag = ir_module_flag((Str){name, len});
	const IrAttr *value = flag ? value_of(r, flag, parts[2]) : NULL;
	if (!value)
		return;
	vec_push(r->arena, &out->names, ir_name(r->m, str_of(flag->name)));
	vec_push(r->arena, &out->values, value);
}

void raise_module_flags(Raise *r)
{
	static const char list[] = "llvm.module.flags";
	unsigned n = LLVMGetNamedMetadataNumOperands(r->module, list);
	Flags flags = {0};
	LLVMValueRef *nodes = raise_array(r->arena, sizeof(LLVMValueRef), n + 1);
	LLVMGetNamedMetadataOperands(r->module, list, nodes);
	for (unsigned i = 0; i < n; i++)
		raise_entry(r, nodes[i], &flags);
	if (flags.names.len)
		ir_module_set_attr(
		    r->m, ir_known_name(r->m, NAME_circ_flags),
		    ir_dict_with(r->m, NULL, flags.names.data, flags.values.data, flags.names.len));
}
