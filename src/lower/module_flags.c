/* The module's flags: those that options and targets decide, and its `circ.flags`. LLVM-C can add flags, but not of the kinds that keep the largest
 * or smallest of two modules. */
#include "ir/module_flag.h"
#include "lower/lowerer.h"

enum { WARNING = 2, KEEP_MAX = 7, KEEP_MIN = 8 };

static void add_flag(const Lower *e, unsigned behavior, Str name, LLVMMetadataRef value)
{
	LLVMMetadataRef parts[3] = {
	    LLVMValueAsMetadata(LLVMConstInt(e->i32, behavior, false)),
	    LLVMMDStringInContext2(e->context, name.data, name.len),
	    value,
	};
	LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, parts, 3);
	LLVMAddNamedMetadataOperand(e->module, "llvm.module.flags", LLVMMetadataAsValue(e->context, node));
}

static LLVMMetadataRef number(const Lower *e, uint64_t n)
{
	return LLVMValueAsMetadata(LLVMConstInt(e->i32, n, false));
}

static LLVMMetadataRef value_of(const Lower *e, const IrAttr *a)
{
	int64_t n = 0;
	if (a->kind == ATTR_STRING)
		return LLVMMDStringInContext2(e->context, a->name->text, a->name->len);
	ir_attr_get_i64(a, &n);
	return number(e, (uint32_t)n);
}

static void add_own(const Lower *e)
{
	const IrAttr *flags = ir_module_attr(e->m, NAME_circ_flags);
	for (uint32_t i = 0; flags && i < flags->n; i++) {
		Str name = name_str(flags->keys[i]);
		add_flag(e, ir_module_flag(name)->behavior, name, value_of(e, flags->elems[i]));
	}
}

void lower_module_flags(const Lower *e)
{
	if (e->options->pic)
		add_flag(e, KEEP_MIN, STR("PIC Level"), number(e, 2));
	if (e->options->pie)
		add_flag(e, KEEP_MAX, STR("PIE Level"), number(e, 2));
	add_flag(e, KEEP_MAX, STR("uwtable"), number(e, e->target->compact_tables ? 1 : 2));
	if (e->microsoft && lower_sees_structured_exceptions(e))
		add_flag(e, WARNING, STR("eh-asynch"), number(e, 1));
	add_own(e);
}
