/* lower/part.c: one part of a module that was split (lower/split.h).
 *
 * Its own definitions are declared first, as those of a whole module are. What it names of other parts is
 * declared when it is named; of such a function that must be inlined always,
 *
 * 	define available_externally void @f() alwaysinline { … }
 *
 * is the copy that calls are replaced by, while the part that f belongs to keeps it in any case:
 *
 * 	@llvm.compiler.used = appending global [1 x ptr] [ptr @f], section "llvm.metadata"
 */
#include "lower/lowerer.h"

bool lower_is_own(const Lower *e, const IrOp *symbol)
{
	const LowerSplit *s = e->options->split;
	return !s || s->part[ir_symbol_name(symbol)->id] == e->options->part;
}

/* Defined in the module, but not here. */
static bool is_foreign(const Lower *e, const IrOp *symbol)
{
	return e->options->split && lower_is_definition(symbol) && !lower_is_own(e, symbol);
}

static bool is_private(const IrOp *symbol)
{
	return ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_CIR_PRIVATE;
}

/* On COFF what the module defines is of the same image. LLVM knows that of definitions only:
 * for variables that it sees declared for windows-gnu it makes a pointer, .refptr.NAME, which
 * is one for all objects of a program. */
bool lower_part_is_dso_local(const Lower *e, const IrOp *symbol)
{
	return e->coff && is_foreign(e, symbol);
}

LLVMLinkage lower_part_linkage(const Lower *e, const IrOp *symbol, LLVMLinkage linkage)
{
	const LowerSplit *s = e->options->split;
	if (is_foreign(e, symbol))
		return LLVMExternalLinkage;
	if (s && linkage == LLVMPrivateLinkage && s->shared[ir_symbol_name(symbol)->id])
		return LLVMInternalLinkage;
	return linkage;
}

const char *lower_part_name(Lower *e, const IrOp *symbol)
{
	const LowerSplit *s = e->options->split;
	const Name *name = ir_symbol_name(symbol);
	bool renamed = s && s->shared[name->id] && is_private(symbol);
	return renamed ? arena_printf(e->arena, "%s%s", SPLIT_PRIVATE, name->text) : name->text;
}

LLVMValueRef lower_part_symbol(Lower *e, const Name *name)
{
	const LowerSplit *s = e->options->split;
	IrOp *symbol = s ? ir_symbol(name) : NULL;
	if (!symbol)
		return NULL;
	if (symbol->kind == OP_FUNC)
		lower_declare_function(e, symbol);
	else
		lower_declare_global(e, symbol);
	LLVMValueRef v = e->symbols[name->id];
	if (v && s->copied[name->id])
		vec_push(e->arena, &e->copied, symbol);
	return v;
}

/* Bodies name further functions; the list grows meanwhile. */
static void define_copies(Lower *e)
{
	for (uint32_t i = 0; i < e->copied.len; i++) {
		const IrOp *func = e->copied.data[i];
		ArenaMark mark = arena_mark(e->scratch);
		e->op = func;
		LLVMSetLinkage(e->symbols[ir_symbol_name(func)->id], LLVMAvailableExternallyLinkage);
		lower_define_function(e, func);
		arena_release(e->scratch, mark);
	}
	e->op = NULL;
}

/* Without it LLVM drops a function of these kinds that has been inlined everywhere in its part. */
static void keep_copied(Lower *e)
{
	const LowerSplit *s = e->options->split;
	VEC(LLVMValueRef) kept = {0};
	IR_FOR_OPS (op, ir_module_block(e->m)) {
		const Name *name = op->kind == OP_FUNC ? ir_symbol_name(op) : NULL;
		if (name && s->copied[name->id] && s->shared[name->id] && lower_is_own(e, op))
			vec_push(e->arena, &kept, e->symbols[name->id]);
	}
	if (!kept.len)
		return;
	LLVMValueRef list = LLVMConstArray2(e->ptr, kept.data, kept.len);
	LLVMValueRef v = LLVMAddGlobal(e->module, LLVMTypeOf(list), "llvm.compiler.used");
	LLVMSetInitializer(v, list);
	LLVMSetLinkage(v, LLVMAppendingLinkage);
	LLVMSetSection(v, "llvm.metadata");
}

void lower_part_finish(Lower *e)
{
	if (!e->options->split)
		return;
	define_copies(e);
	keep_copied(e);
}
