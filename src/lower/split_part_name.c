/* lower/split_part_name.c: what is a part's own of a module that was split (lower/split.h), and by which names parts know each
 * other's symbols. */
#include "lower/lowerer.h"

/* What no part defines is the first one's, whether it is named or not: something may be wrong with it. */
bool lower_is_own(const Lower *e, const IrOp *symbol)
{
	const LowerSplit *s = e->options->split;
	uint32_t part = s ? s->part[ir_symbol_name(symbol)->id] : 0;
	return !(s && lower_is_used_list(symbol)) && (part == SPLIT_NONE ? 0 : part) == e->options->part;
}

/* Defined in the module, but not here. */
bool lower_is_foreign(const Lower *e, const IrOp *symbol)
{
	return e->options->split && lower_is_definition(symbol) && !lower_is_own(e, symbol);
}

static bool is_private(const IrOp *symbol)
{
	return ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_CIR_PRIVATE;
}

static bool is_local(const IrOp *symbol)
{
	return is_private(symbol) || ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_INTERNAL;
}

/* On COFF what the module defines is of the same image. LLVM knows that of definitions only:
 * for variables that it sees declared for windows-gnu it makes a pointer, .refptr.NAME, which
 * is one for all objects of a program. */
bool lower_part_is_dso_local(const Lower *e, const IrOp *symbol)
{
	return e->coff && lower_is_foreign(e, symbol);
}

LLVMLinkage lower_part_linkage(const Lower *e, const IrOp *symbol, LLVMLinkage linkage)
{
	const LowerSplit *s = e->options->split;
	if (lower_is_foreign(e, symbol))
		return LLVMExternalLinkage;
	if (s && linkage == LLVMPrivateLinkage && s->shared[ir_symbol_name(symbol)->id])
		return LLVMInternalLinkage;
	return linkage;
}

const char *lower_part_name(Lower *e, const IrOp *symbol)
{
	const LowerSplit *s = e->options->split;
	const Name *name = ir_symbol_name(symbol);
	const char *prefix = s && s->shared[name->id] && is_private(symbol) ? SPLIT_PRIVATE : "";
	if (lower_is_foreign(e, symbol) && is_local(symbol)) {
		bool raw = *name->text == '\1' && !*prefix; /* LLVM's own mark, which objects do not have */
		return arena_printf(e->arena, "%s%u.%s%s", SPLIT_LOCAL, s->part[name->id], prefix,
		                    name->text + raw);
	}
	return *prefix ? arena_printf(e->arena, "%s%s", prefix, name->text) : name->text;
}
