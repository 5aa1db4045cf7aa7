/* lower/lower.c: the module.
 *
 *   1  every function and variable is declared; anything may name anything
 *   2  aliases
 *   3  bodies
 *   4  initialisers, last, since they may hold addresses of labels
 *   5  of a part: copies of other parts' functions
 *   6  what is said about the whole module
 */
#include "lower/debug.h"

#include <llvm-c/TargetMachine.h>

/* Symbols */

typedef void SymbolFn(Lower *e, const IrOp *symbol);

/* Calls f for the symbols that are aliases, or for the others, until too many errors were reported. */
static bool for_symbols(Lower *e, OpKind kind, bool aliases, SymbolFn *f)
{
	uint32_t errors = e->d->errors;
	IR_FOR_OPS (op, ir_module_block(e->m)) {
		if (op->kind != kind || ir_op_has(op, NAME_aliasee) != aliases || !lower_is_own(e, op) ||
		    diag_full(e->d))
			continue;
		ArenaMark mark = arena_mark(e->scratch);
		e->op = op;
		f(e, op);
		arena_release(e->scratch, mark);
	}
	e->op = NULL;
	return e->d->errors == errors;
}

static bool gives_back(const Lower *e)
{
	return e->options->consume && pool_has_many_blocks(&e->m->pool);
}

/* A body whose labels others may ask for stays. */
static void define_function(Lower *e, const IrOp *func)
{
	if (ir_func_is_declaration(func))
		return;
	lower_define_function(e, func);
	if (gives_back(e) && !ir_func_has_label(e->m, func))
		ir_func_drop_body(ir_symbol(ir_symbol_name(func)));
}

static void mark_methods(Lower *e)
{
	for (uint32_t i = 0; i < e->m->attrs.nheld; i++) {
		const IrAttr *a = e->m->attrs.held[i];
		const Name *name = a->kind == ATTR_METHOD ? a->name : NULL;
		for (const IrOp *f; name; name = f ? ir_op_symbol(f, NAME_aliasee) : NULL) {
			e->methods[name->id] = true;
			f = ir_symbol(name);
		}
	}
}

static bool lower_symbols(Lower *e)
{
	mark_methods(e);
	if (gives_back(e))
		ir_module_forget_erased(e->m);
	bool declared = for_symbols(e, OP_FUNC, false, lower_declare_function);
	declared = for_symbols(e, OP_GLOBAL, false, lower_declare_global) && declared;
	declared = declared && for_symbols(e, OP_FUNC, true, lower_alias);
	declared = declared && for_symbols(e, OP_GLOBAL, true, lower_alias);
	if (!declared)
		return false;
	bool defined = for_symbols(e, OP_FUNC, false, define_function);
	return for_symbols(e, OP_GLOBAL, false, lower_define_global) && defined;
}

/* Functions that run before and after main */

typedef struct InitList {
	const char *variable;    /* of LLVM */
	NameId attr;             /* of a function: its priority */
	NameId list;             /* of the module */
	AttrRow row;             /* of the list's elements */
	unsigned name, priority; /* parameters of that row */
} InitList;

static const InitList init_lists[] = {
    {"llvm.global_ctors", NAME_global_ctor, NAME_cir_global_ctors, ATTR_ROW_GLOBAL_CTOR, GLOBAL_CTOR_NAME,
     GLOBAL_CTOR_PRIORITY},
    {"llvm.global_dtors", NAME_global_dtor, NAME_cir_global_dtors, ATTR_ROW_GLOBAL_DTOR, GLOBAL_DTOR_NAME,
     GLOBAL_DTOR_PRIORITY},
};

typedef VEC(LLVMValueRef) ValueList;

static void push_init(Lower *e, ValueList *out, LLVMValueRef f, uint64_t priority)
{
	LLVMValueRef entry[3] = {LLVMConstInt(e->i32, (uint32_t)priority, false), f, LLVMConstNull(e->ptr)};
	vec_push(e->scratch, out, LLVMConstStructInContext(e->context, entry, 3, false));
}

/* Before all that a program's own constructors may do. */
static void add_fault_maps(Lower *e, const InitList *l, ValueList *out)
{
	enum { FIRST_OF_PROGRAMS = 101 };
	LLVMValueRef f = lower_fault_maps(e, l->attr == NAME_global_ctor);
	if (f)
		push_init(e, out, f, FIRST_OF_PROGRAMS);
}

/* seen, by Name.id: a function may be in the module's list and say the same itself. */
static void add_init(Lower *e, ValueList *out, bool *seen, const Name *name, uint64_t priority)
{
	LLVMValueRef f = seen[name->id] || !ir_symbol(name) ? NULL : lower_symbol(e, name);
	if (!f)
		return;
	seen[name->id] = true;
	push_init(e, out, f, priority);
}

static void add_listed(Lower *e, const InitList *l, ValueList *out, bool *seen)
{
	const IrAttr *list = ir_module_attr(e->m, l->list);
	bool is_list = list && list->kind == ATTR_ARRAY;
	for (uint32_t i = 0; is_list && i < list->n; i++)
		is_list = list->elems[i]->kind == ATTR_PARAMS && list->elems[i]->row == l->row;
	if (list && !is_list)
		lower_error(e, "attribute '%s' must list functions and priorities",
		            ir_known_name(e->m, l->list)->text);
	for (uint32_t i = 0; is_list && i < list->n; i++) {
		const IrAttr *a = list->elems[i];
		const Name *name = a->elems[l->name]->name;
		uint64_t priority;
		if (!ir_attr_get_u64(a->elems[l->priority], &priority) || priority > UINT32_MAX)
			lower_error(e, "attribute '%s' gives '%s' a priority that does not fit 32 bits",
			            ir_known_name(e->m, l->list)->text, name->text);
		else if (!ir_symbol(name) || ir_symbol(name)->kind != OP_FUNC)
			lower_error(e, "attribute '%s' names '%s', which is not a function of the module",
			            ir_known_name(e->m, l->list)->text, name->text);
		else
			add_init(e, out, seen, name, priority);
	}
}

static void lower_init_list(Lower *e, const InitList *l)
{
	enum { PRIORITY_DEFAULT = 65535 };
	ValueList entries = {0};
	ArenaMark mark = arena_mark(e->scratch);
	bool *seen = arena_array(e->scratch, bool, e->m->names.len);
	add_fault_maps(e, l, &entries);
	add_listed(e, l, &entries, seen);
	IR_FOR_OPS (op, ir_module_block(e->m))
		if (op->kind == OP_FUNC && ir_op_has(op, l->attr))
			add_init(e, &entries, seen, ir_symbol_name(op),
			         ir_op_uint(op, l->attr, PRIORITY_DEFAULT));
	if (entries.len) {
		LLVMTypeRef type = LLVMTypeOf(entries.data[0]);
		LLVMValueRef v = LLVMAddGlobal(e->module, LLVMArrayType2(type, entries.len), l->variable);
		LLVMSetInitializer(v, LLVMConstArray2(type, entries.data, entries.len));
		LLVMSetLinkage(v, LLVMAppendingLinkage);
	}
	arena_release(e->scratch, mark);
}

static void lower_module_asm(Lower *e)
{
	const IrAttr *list = ir_module_attr(e->m, NAME_cir_module_asm);
	if (list && e->options->places)
		LLVMAddNamedMetadataOperand(
		    e->module, "circ.module_asm",
		    LLVMMetadataAsValue(e->context, lower_place_node(e, e->m->attrs_loc)));
	for (uint32_t i = 0; list && i < list->n; i++)
		LLVMAppendModuleInlineAsm(e->module, list->elems[i]->name->text, list->elems[i]->name->len);
}

/* Each line is an option of the linker, which COFF objects carry in a section of their own. */
static void lower_linker_options(Lower *e)
{
	const IrAttr *list = ir_module_attr(e->m, NAME_cir_linker_options);
	if (list && list->n && !e->coff) {
		lower_error(
		    e, "attribute 'cir.linker_options' is only available on COFF, but the target is '%s'",
		    LLVMGetTarget(e->module));
		return;
	}
	for (uint32_t i = 0; list && i < list->n; i++) {
		const Name *line = list->elems[i]->name;
		LLVMMetadataRef text = LLVMMDStringInContext2(e->context, line->text, line->len);
		LLVMMetadataRef node = LLVMMDNodeInContext2(e->context, &text, 1);
		LLVMAddNamedMetadataOperand(e->module, "llvm.linker.options",
		                            LLVMMetadataAsValue(e->context, node));
	}
}

/* What is there once, not in each part. */
static void lower_lists(Lower *e)
{
	for (unsigned i = 0; i < ARRAY_LEN(init_lists); i++)
		lower_init_list(e, &init_lists[i]);
	lower_module_asm(e);
	lower_linker_options(e);
}

static bool lower_all(Lower *e)
{
	uint32_t errors = e->d->errors;
	lower_attributes_init(e);
	lower_null_checks_begin(e);
	if (!lower_symbols(e))
		return false;
	if (e->options->part == 0)
		lower_lists(e);
	lower_part_finish(e);
	lower_nounwind_finish(e);
	lower_finish_labels(e);
	lower_annotations(e);
	lower_module_flags(e);
	debug_end(e);
	return e->d->errors == errors;
}

/* Beginning and end */

static void make_tables(Lower *e)
{
	IrModule *m = e->m;
	Arena *a = e->arena;
	e->types = arena_array(a, LLVMTypeRef, m->types.len);
	e->memory_types = arena_array(a, LLVMTypeRef, m->types.len);
	e->leaves = arena_array(a, uint32_t, m->types.len);
	e->nesting = arena_array(a, uint16_t, m->types.len);
	e->constants = arena_array(a, LLVMValueRef, m->attrs.len);
	e->constant_types = arena_array(a, LLVMTypeRef, m->attrs.len);
	e->symbols = arena_array(a, LLVMValueRef, m->names.len);
	e->methods = arena_array(a, bool, m->names.len);
	e->values = arena_array(a, LLVMValueRef, m->nvalues);
	e->blocks = arena_array(a, LLVMBasicBlockRef, m->nblocks);
	e->npreds = arena_array(a, uint32_t, m->nblocks);
	e->pads = arena_array(a, LLVMValueRef, m->nblocks);
	e->edges = arena_array(a, const IrSucc *, m->nblocks);
}

static void make_types(Lower *e)
{
	e->i1 = LLVMInt1TypeInContext(e->context);
	e->i8 = LLVMInt8TypeInContext(e->context);
	e->i32 = LLVMInt32TypeInContext(e->context);
	e->i64 = LLVMInt64TypeInContext(e->context);
	e->word = LLVMIntTypeInContext(e->context, ir_module_address_size(e->m) * 8);
	e->ptr = LLVMPointerTypeInContext(e->context, 0);
	LLVMTypeRef parts[2] = {e->ptr, e->i32};
	e->landing = LLVMStructTypeInContext(e->context, parts, 2, false);
}

static void set_triple(Lower *e)
{
	Str own = ir_module_triple(e->m);
	if (e->options->triple) {
		LLVMSetTarget(e->module, e->options->triple);
	} else if (own.len) {
		LLVMSetTarget(e->module, arena_copy(e->scratch, own.data, own.len));
	} else {
		char *host = LLVMGetDefaultTargetTriple();
		LLVMSetTarget(e->module, host);
		LLVMDisposeMessage(host);
	}
}

/* LLVM aborts on a malformed data layout: one in the text of the module is not given to it. */
static void set_data_layout(Lower *e)
{
	const AbiTarget *known = abi_target(str_of(LLVMGetTarget(e->module)));
	e->target = known ? known : abi_target(STR(""));
	e->coff = strstr(LLVMGetTarget(e->module), "windows") != NULL;
	e->microsoft = e->coff && !strstr(LLVMGetTarget(e->module), "-gnu");
	const char *given = e->options->data_layout;
	LLVMSetDataLayout(e->module, given ? given : e->target->data_layout);
	e->data = LLVMGetModuleDataLayout(e->module);
}

static void begin(Lower *e)
{
	unsigned minor, patch;
	LLVMGetVersion(&e->llvm_major, &minor, &patch);
	e->whole = ir_module_attr(e->m, NAME_circ_llvm) != NULL;
	make_tables(e);
	make_types(e);
	const char *name = lower_module_name(e);
	e->module = LLVMModuleCreateWithNameInContext(name, e->context);
	LLVMSetSourceFileName(e->module, name, strlen(name));
	e->b = LLVMCreateBuilderInContext(e->context);
	set_triple(e);
	set_data_layout(e);
	debug_begin(e);
}

/* What the side tables do not get ends here, behind the setjmp. */
static bool lower_guarded(Lower *e, OomGuard *guard)
{
	if (setjmp(guard->env)) {
		diag_failure(e->d, "out of memory");
		return false;
	}
	begin(e);
	return lower_all(e);
}

/* What could not be lowered to the end. LLVM keeps a variable's record that stands at the end of a block in the
 * context until a terminator takes it over, and frees it only then. */
static void drop_unfinished(Lower *e)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			if (!LLVMGetBasicBlockTerminator(b)) {
				LLVMPositionBuilderAtEnd(e->b, b);
				LLVMBuildUnreachable(e->b);
			}
	LLVMDisposeModule(e->module);
}

LLVMModuleRef lower_module(IrModule *m, LLVMContextRef context, const LowerOptions *options, Diags *d)
{
	Arena arena, scratch;
	OomGuard guard;
	Lower e = {
	    .m = m, .options = options, .d = d, .arena = &arena, .scratch = &scratch, .context = context};
	e.declare = lower_part_symbol;
	e.lines = (Lines){.source = &m->source, .mem = &arena};
	arena_init(&arena);
	arena_init(&scratch);
	arena.oom = scratch.oom = &guard;
	bool ok = lower_guarded(&e, &guard);
	debug_dispose(&e);
	lower_asm_release(&e);
	arena_free(&arena);
	arena_free(&scratch);
	if (!ok && e.module)
		drop_unfinished(&e);
	if (e.b)
		LLVMDisposeBuilder(e.b);
	return ok ? e.module : NULL;
}
