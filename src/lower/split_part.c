/* lower/split_part.c: one part of a module that was split (lower/split.h).
 *
 * Its own definitions are declared first, as those of a whole module are. What it names of other parts is
 * declared when it is named; of such a function that must be inlined always, or a constant,
 *
 * 	define available_externally void @f() alwaysinline { … }
 * 	@c = available_externally constant …
 *
 * is the copy that calls are replaced by, and loads, while the part that they belong to keeps them in any case:
 *
 * 	@llvm.compiler.used = appending global [2 x ptr] [ptr @f, ptr @c], section "llvm.metadata"
 */
#include "lower/attribute.h"

/* What the optimiser may inline is copied as long as it makes the part little larger. */
static bool has_room(Lower *e, const IrOp *symbol)
{
	enum { COPIED_OPS = 1 << 12 };
	if (!e->options->optimized || symbol->kind != OP_FUNC)
		return true;
	if (e->copying || e->copied_ops > COPIED_OPS)
		return false;
	IR_FOR_BLOCKS (b, &symbol->regions[0])
		IR_FOR_OPS (op, b)
			e->copied_ops++;
	return true;
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
	if (v && s->copied[name->id] && has_room(e, symbol))
		vec_push(e->arena, &e->copied, symbol);
	return v;
}

/* They name further ones; the list grows meanwhile. */
static void define_copies(Lower *e)
{
	e->copying = true;
	for (uint32_t i = 0; i < e->copied.len; i++) {
		const IrOp *symbol = e->copied.data[i];
		ArenaMark mark = arena_mark(e->scratch);
		e->op = symbol;
		LLVMSetLinkage(e->symbols[ir_symbol_name(symbol)->id], LLVMAvailableExternallyLinkage);
		if (symbol->kind == OP_FUNC)
			lower_define_function(e, symbol);
		else
			lower_define_global(e, symbol);
		arena_release(e->scratch, mark);
	}
	e->op = NULL;
}

/* LLVM's optimiser takes what is declared by a name of the C library for the library's, where it would see in the whole
 * module that it is not. */
static void deny_libraries(Lower *e)
{
	if (!e->options->optimized)
		return;
	LLVMAttributeRef none = LLVMCreateStringAttribute(e->context, "no-builtins", 11, "", 0);
	IR_FOR_OPS (op, ir_module_block(e->m)) {
		LLVMValueRef v = op->kind == OP_FUNC && lower_is_foreign(e, op)
		                     ? e->symbols[ir_symbol_name(op)->id]
		                     : NULL;
		if (!v || !LLVMIsDeclaration(v))
			continue;
		LLVMAddAttributeAtIndex(v, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, LLVM_nobuiltin));
		LLVMAddAttributeAtIndex(v, ATTRIBUTE_OF_FUNCTION, none);
	}
}

/* LLVM drops functions that have been inlined everywhere in their part, and all that is local or
 * linkonce and not used. */
static bool may_be_dropped(const Lower *e, const IrOp *symbol)
{
	unsigned linkage = ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL);
	if (!e->options->optimized)
		return e->options->split->copied[ir_symbol_name(symbol)->id];
	return linkage == LINKAGE_CIR_PRIVATE || linkage == LINKAGE_INTERNAL || linkage == LINKAGE_LINKONCE ||
	       linkage == LINKAGE_LINKONCE_ODR;
}

static bool is_kept(const Lower *e, const IrOp *op)
{
	const Name *symbol = op->kind == OP_FUNC || op->kind == OP_GLOBAL ? ir_symbol_name(op) : NULL;
	return symbol && lower_is_own(e, op) && e->symbols[symbol->id] &&
	       e->options->split->shared[symbol->id] && may_be_dropped(e, op);
}

typedef VEC(LLVMValueRef) ValueList;

/* Of the module's own lists a part has the rows that it defines, and part 0 those that none does. */
static void collect_rows(Lower *e, const IrOp *list, ValueList *rows)
{
	const IrAttr *init = ir_op_attr(list, NAME_initial_value);
	e->op = list;
	for (uint32_t i = 0; i < init->n; i++) {
		const IrAttr *row = init->elems[i];
		uint32_t part = e->options->split->part[row->name->id];
		bool here = e->options->part == (part == SPLIT_NONE ? 0 : part);
		LLVMValueRef v = here ? lower_memory_constant(e, row) : NULL;
		if (v)
			vec_push(e->arena, rows, v);
	}
	e->op = NULL;
}

static void add_list(Lower *e, const char *name, const ValueList *rows)
{
	if (!rows->len)
		return;
	LLVMValueRef list = LLVMConstArray2(e->ptr, rows->data, rows->len);
	LLVMValueRef v = LLVMAddGlobal(e->module, LLVMTypeOf(list), name);
	LLVMSetInitializer(v, list);
	LLVMSetLinkage(v, LLVMAppendingLinkage);
	LLVMSetSection(v, "llvm.metadata");
}

static void add_lists(Lower *e)
{
	static const char used[] = "llvm.used", compiler_used[] = "llvm.compiler.used";
	ValueList in_used = {0}, in_compiler_used = {0};
	IR_FOR_OPS (op, ir_module_block(e->m)) {
		if (lower_is_used_list(op))
			collect_rows(e, op,
			             strcmp(ir_symbol_name(op)->text, used) == 0 ? &in_used
			                                                         : &in_compiler_used);
		else if (is_kept(e, op))
			vec_push(e->arena, &in_compiler_used, e->symbols[ir_symbol_name(op)->id]);
	}
	add_list(e, used, &in_used);
	add_list(e, compiler_used, &in_compiler_used);
}

void lower_part_finish(Lower *e)
{
	if (!e->options->split)
		return;
	define_copies(e);
	deny_libraries(e);
	add_lists(e);
}
