/* lower/attribute.c: what every function and call gets of attributes. */
#include "lower/attribute.h"

#include "ir/layout.h"
#include "ir/returns_twice.h"

static const char *const attr_names[LLVM_ATTR_COUNT] = {
#define LLVM_ATTR(name) #name,
#include "lower/attributes.def"
};

/* As LLVM numbers them. */
typedef enum TableKind { TABLE_SYNC = 1, TABLE_ASYNC = 2 } TableKind;

/* Does the module say that name, of whatever? */
static bool has_text_name(const Lower *e, const char *key)
{
	return name_find(&e->m->names, str_of(key)) ||
	       name_find(&e->m->names, str_of(arena_printf(e->scratch, "cir.%s", key)));
}

void lower_attributes_init(Lower *e)
{
	e->enum_kinds = arena_array(e->arena, unsigned, LLVM_ATTR_COUNT);
	e->enum_attrs = arena_array(e->arena, LLVMAttributeRef, LLVM_ATTR_COUNT);
	for (unsigned i = 1; i < LLVM_ATTR_COUNT; i++)
		e->enum_kinds[i] = LLVMGetEnumAttributeKindForName(attr_names[i], strlen(attr_names[i]));
	for (TableKind kind = TABLE_SYNC; kind <= TABLE_ASYNC; kind++)
		e->tables[kind] = attribute_valued(e, LLVM_uwtable, kind);
	e->text_attrs = arena_array(e->arena, TextAttribute, TEXT_ATTRS);
	e->forbids = has_text_name(e, "dontcall-error") || has_text_name(e, "dontcall-warn");
	attribute_init_params(e);
}

/* LLVM wants both. Bundles may say the one, too. */
static void add_noinline_to_optnone(Lower *e, Holder h, const IrOp *op)
{
	bool may_say = ir_op_has(op, NAME_optnone) || ir_op_has(op, NAME_optimize_none) ||
	               ir_op_has(op, NAME_extra) || ir_op_has(op, NAME_default_func_attrs);
	if (may_say && attribute_has(e, h, LLVM_optnone))
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, LLVM_noinline));
}

static const IrAttr *place_dict(const IrAttr *list, uint32_t i)
{
	return list && list->kind == ATTR_ARRAY && i < list->n ? list->elems[i] : NULL;
}

/* The unwinder walks through every frame: the tables are for all functions, as clang has them. Compact unwinding has no rows for the middle
 * of a prologue. */
static TableKind table_kind(const Lower *e, const IrOp *func)
{
	const IrAttr *a = ir_op_attr(func, NAME_uwtable);
	const IrAttr *kind =
	    a && a->kind == ATTR_PARAMS && a->row == ATTR_ROW_UWTABLE ? a->elems[UWTABLE_KIND] : NULL;
	bool sync = e->target->compact_tables;
	if (kind && kind->kind == ATTR_STRING)
		sync = str_equal(name_str(kind->name), STR("sync"));
	return sync ? TABLE_SYNC : TABLE_ASYNC;
}

/* LLVM's word for a #cir.frame_pointer, or NULL. What reserves no register is new in LLVM 22. */
static const char *frame_pointer_word(const Lower *e, const IrAttr *a)
{
	const struct {
		const char *ours, *llvm;
	} words[] = {{"none", "none"},
	             {"non_leaf", "non-leaf"},
	             {"non_leaf_no_reserve", e->llvm_major < 22 ? "non-leaf" : "non-leaf-no-reserve"},
	             {"all", "all"},
	             {"reserved", "reserved"}};
	const IrAttr *kind = a && a->kind == ATTR_PARAMS && a->row == ATTR_ROW_FRAME_POINTER
	                         ? a->elems[FRAME_POINTER_KIND]
	                         : NULL;
	for (unsigned i = 0; kind && kind->kind == ATTR_STRING && i < ARRAY_LEN(words); i++)
		if (str_is(name_str(kind->name), words[i].ours))
			return words[i].llvm;
	return NULL;
}

static LLVMAttributeRef frame_pointer(Lower *e, const char *word)
{
	return LLVMCreateStringAttribute(e->context, "frame-pointer", 13, word, (unsigned)strlen(word));
}

/* Of a function of which nothing is said; NULL: none. */
static LLVMAttributeRef usual_frame_pointer(Lower *e)
{
	const char *word = e->target->frame_pointer;
	if (!word && e->options->frame_pointers && !e->coff)
		word = "all";
	if (word && !e->frame_pointer)
		e->frame_pointer = frame_pointer(e, word);
	return e->frame_pointer;
}

/* Where a front end says it of functions, or of the module, a function of which it says nothing has none. */
static void add_frame_pointer(Lower *e, Holder h, const IrOp *func, bool defined)
{
	const char *own = frame_pointer_word(e, ir_op_attr(func, NAME_frame_pointer));
	LLVMAttributeRef usual = usual_frame_pointer(e);
	if (own)
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, frame_pointer(e, own));
	else if (defined && usual && !e->whole && !ir_module_attr(e->m, NAME_cir_frame_pointer))
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, usual);
}

static bool says(LLVMValueRef function, Str key, Str value)
{
	LLVMAttributeRef a =
	    LLVMGetStringAttributeAtIndex(function, ATTRIBUTE_OF_FUNCTION, key.data, (unsigned)key.len);
	unsigned len = 0;
	const char *text = a ? LLVMGetStringAttributeValue(a, &len) : NULL;
	return text && (!value.len || str_equal((Str){text, len}, value));
}

/* LLVM ends the process over the table of XRay, for which it knows no section of COFF, and has no code for it on each processor. */
static void check_xray(Lower *e, LLVMValueRef function)
{
	if (says(function, STR("function-instrument"), STR("xray-never")))
		return;
	if (says(function, STR("function-instrument"), STR("xray-always")) ||
	    says(function, STR("xray-instruction-threshold"), STR("")))
		lower_error(e, "cannot be instrumented for XRay, because XRay does not support %s",
		            e->coff ? "COFF" : e->target->machine->name);
}

/* C++ forbids programs to call theirs. */
static bool is_cxx_main(const Lower *e, const IrOp *func)
{
	return ir_module_lang(e->m) == LANG_CXX && strcmp(ir_symbol_name(func)->text, "main") == 0;
}

void lower_function_attributes(Lower *e, LLVMValueRef function, const IrOp *func)
{
	Holder h = {function, false};
	e->machine = (Machine){{NULL}};
	const IrAttr *args = ir_op_attr(func, NAME_arg_attrs), *res = ir_op_attr(func, NAME_res_attrs);
	const IrType *t = ir_func_type(func);
	bool defined = !ir_func_is_declaration(func);
	add_frame_pointer(e, h, func, defined);
	/* a string "frame-pointer" of the function, if any, replaces the above */
	if (e->options->code_only)
		attribute_add_needed(e, h, func);
	else
		attribute_add_named(e, h, func);
	if (defined && (e->coff || !e->target->machine->has_xray))
		check_xray(e, function);
	bool placed = !ir_signature_incomplete(t);
	for (uint32_t i = 0; i < t->nmembers && placed; i++)
		attribute_add_place(e, h, i + 1, t->members[i], place_dict(args, i));
	if (placed)
		attribute_add_place(e, h, 0, t->elem, place_dict(res, 0));
	add_noinline_to_optnone(e, h, func);
	if (e->whole)
		return;
	if (defined)
		attribute_add_protection(e, h);
	if (defined && is_cxx_main(e, func))
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, LLVM_norecurse));
	if (defined)
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, e->tables[table_kind(e, func)]);
	else if (ir_is_setjmp(name_str(ir_symbol_name(func)))) /* not every front end prints the attribute */
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, LLVM_returns_twice));
}

/* What such a function does is known, and LLVM must not believe `builtin` over it: that memory from an operator
 * new that is not inlined holds no values yet, though the program's own has put some there. Bodies are dropped
 * when they have been lowered. */
static bool calls_definition(LLVMValueRef call, const IrOp *op)
{
	const IrOp *callee = ir_symbol(ir_call_callee(op));
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
	return callee && function && (!ir_func_is_declaration(callee) || !LLVMIsDeclaration(function));
}

void lower_call_attributes(Lower *e, LLVMValueRef call, const IrOp *op)
{
	Holder h = {call, true, calls_definition(call, op)};
	const IrAttr *args = ir_op_attr(op, NAME_arg_attrs), *res = ir_op_attr(op, NAME_res_attrs);
	attribute_add_of_call(e, h, op);
	add_noinline_to_optnone(e, h, op);
	if (ir_op_has(op, NAME_always_inline) && !attribute_has(e, h, LLVM_noinline))
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, LLVM_alwaysinline));
	uint32_t n = ir_call_nargs(op);
	for (uint32_t i = 0; i < n; i++)
		attribute_add_place(e, h, i + 1, ir_call_arg(op, i)->type, place_dict(args, i));
	if (op->nresults)
		attribute_add_place(e, h, 0, op->results[0].type, place_dict(res, 0));
}

void lower_library_attributes(Lower *e, LLVMValueRef call, const IrOp *op, const char *name)
{
	Holder h = {call, true, false};
	const IrAttr *names = ir_op_attr(op, NAME_nobuiltins);
	attribute_add_named(e, h, op);
	bool plain = names && names->kind == ATTR_ARRAY && names->n == 0;
	for (uint32_t i = 0; names && names->kind == ATTR_ARRAY && i < names->n; i++)
		plain |=
		    names->elems[i]->kind == ATTR_STRING && strcmp(names->elems[i]->name->text, name) == 0;
	if (plain)
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, LLVM_nobuiltin));
}

void lower_mark_strictfp(Lower *e)
{
	if (!LLVMGetEnumAttributeAtIndex(e->function, LLVMAttributeFunctionIndex,
	                                 e->enum_kinds[LLVM_strictfp]))
		LLVMAddAttributeAtIndex(e->function, LLVMAttributeFunctionIndex,
		                        attribute_unit(e, LLVM_strictfp));
}
