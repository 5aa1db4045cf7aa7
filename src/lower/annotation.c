/* Annotations (cir-reference 3.2), where clang puts them: those of globals and functions
 * in a list of the module,
 *
 * 	@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }]
 * 	    [{ symbol, "text", "file", line, arguments or null }], section "llvm.metadata"
 *
 * those of variables of functions in calls of llvm.var.annotation. Tools read them; the
 * section is not emitted.
 */
#include "lower/lowerer.h"

static LLVMValueRef metadata_constant(Lower *e, LLVMValueRef value, const char *name)
{
	LLVMValueRef v = LLVMAddGlobal(e->module, LLVMTypeOf(value), name);
	LLVMSetInitializer(v, value);
	LLVMSetLinkage(v, LLVMPrivateLinkage);
	LLVMSetUnnamedAddress(v, LLVMGlobalUnnamedAddr);
	LLVMSetGlobalConstant(v, true);
	LLVMSetSection(v, "llvm.metadata");
	return v;
}

static LLVMValueRef string(Lower *e, Str text)
{
	LLVMValueRef *known = NULL;
	const Name *name = name_find(&e->m->names, text);
	if (name && !e->annotation_texts)
		e->annotation_texts = arena_array(e->arena, LLVMValueRef, e->m->names.len);
	if (name)
		known = &e->annotation_texts[name->id];
	if (known && *known)
		return *known;
	LLVMValueRef bytes = LLVMConstStringInContext2(e->context, text.data, text.len, false);
	LLVMValueRef v = metadata_constant(e, bytes, ".str.annotation");
	if (known)
		*known = v;
	return v;
}

static LLVMValueRef arguments(Lower *e, const IrAttr *args)
{
	uint32_t n = args ? args->n : 0;
	if (!n)
		return LLVMConstNull(e->ptr);
	LLVMValueRef *values = arena_array(e->scratch, LLVMValueRef, n);
	for (uint32_t i = 0; i < n; i++) {
		const IrAttr *a = args->elems[i];
		values[i] = a->kind == ATTR_STRING ? string(e, name_str(a->name)) : lower_constant(e, a);
		if (!values[i])
			return NULL;
	}
	return metadata_constant(e, LLVMConstStructInContext(e->context, values, n, false), ".args");
}

/* Most annotations of a module are from one file, whose name is not among its interned ones. */
static LLVMValueRef file_name(Lower *e, Str text)
{
	if (!e->annotation_file || !str_equal(text, e->annotation_file_text)) {
		e->annotation_file_text = text;
		e->annotation_file = string(e, text);
	}
	return e->annotation_file;
}

/* What follows the annotated thing: text, file, line, arguments. False: reported. */
static bool describe(Lower *e, const IrOp *op, const IrAttr *annotation, LLVMValueRef out[4])
{
	LocInfo place;
	const LocInfo *file = loc_file(op->loc.info);
	if (!file && lines_place(&e->lines, op->loc, &place)) {
		place.name = str_of(lower_module_name(e));
		file = &place;
	} else if (file) {
		place = *file;
		place.name = lower_file_name(e, file->name);
		file = &place;
	}
	out[0] = string(e, name_str(annotation->elems[ANNOTATION_NAME]->name));
	out[1] = file_name(e, file ? file->name : str_of(lower_module_name(e)));
	out[2] = lower_int(e->i32, file ? file->line : 0);
	out[3] = arguments(e, annotation->elems[ANNOTATION_ARGS]);
	return out[3] != NULL;
}

void lower_annotations(Lower *e)
{
	VEC(LLVMValueRef) entries = {0};
	IR_FOR_OPS (op, ir_module_block(e->m)) {
		const IrAttr *list = ir_op_attr(op, NAME_annotations);
		LLVMValueRef v = list ? e->symbols[ir_symbol_name(op)->id] : NULL;
		for (uint32_t i = 0; v && i < list->n; i++) {
			LLVMValueRef parts[5] = {v};
			if (!describe(e, op, list->elems[i], parts + 1))
				return;
			vec_push(e->arena, &entries, LLVMConstStructInContext(e->context, parts, 5, false));
		}
	}
	if (!entries.len)
		return;
	LLVMTypeRef type = LLVMTypeOf(entries.data[0]);
	LLVMValueRef v =
	    LLVMAddGlobal(e->module, LLVMArrayType2(type, entries.len), "llvm.global.annotations");
	LLVMSetInitializer(v, LLVMConstArray2(type, entries.data, entries.len));
	LLVMSetLinkage(v, LLVMAppendingLinkage);
	LLVMSetSection(v, "llvm.metadata");
}

void lower_slot_annotations(Lower *e, const IrOp *alloca, LLVMValueRef slot)
{
	const IrAttr *list = ir_op_attr(alloca, NAME_annotations);
	for (uint32_t i = 0; list && i < list->n; i++) {
		LLVMTypeRef overloads[] = {e->ptr, e->ptr};
		LLVMValueRef args[5] = {slot};
		if (!describe(e, alloca, list->elems[i], args + 1))
			return;
		lower_intrinsic(e, INTRINSIC_VAR_ANNOTATION, overloads, 2, args, 5);
	}
}
