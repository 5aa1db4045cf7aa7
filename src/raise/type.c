/* Types, in their two forms (raiser.h). LLVM's types are not recursive: pointers have no element. */
#include "raise/raiser.h"

#include "ir/layout.h"
#include "ir/spell.h"

static IrType *none(Raise *r, LLVMTypeRef type, const char *why)
{
	char *text = LLVMPrintTypeToString(type);
	raise_error(r, "has type '%.80s'%s, which has no counterpart in CIR", text, why);
	LLVMDisposeMessage(text);
	return NULL;
}

static IrType *pointer(Raise *r, LLVMTypeRef type)
{
	unsigned space = LLVMGetPointerAddressSpace(type);
	if (!space)
		return r->ptr;
	return ir_type_ptr_in(r->m, r->m->voidp->elem, ir_attr_i64(r->m, (int64_t)space));
}

static IrType *function_type(Raise *r, LLVMTypeRef type)
{
	unsigned n = LLVMCountParamTypes(type);
	LLVMTypeRef *from = raise_array(r->arena, sizeof *from, n);
	IrType **to = raise_array(r->arena, sizeof(IrType *), n);
	LLVMGetParamTypes(type, from);
	for (unsigned i = 0; i < n; i++)
		if (!(to[i] = raise_memory_type(r, from[i])))
			return NULL;
	IrType *result = raise_memory_type(r, LLVMGetReturnType(type));
	return result ? ir_type_func(r->m, to, n, result, LLVMIsFunctionVarArg(type)) : NULL;
}

/* LLVM's name says how the front end called it: "struct.S". Another name is kept with a '%', as LLVM writes it. */
static IrType *named_record(Raise *r, const char *name)
{
	Str s = str_of(name);
	if (str_begins_with(s, STR("struct.")) && s.len > 7)
		return ir_type_record(r->m, RECORD_STRUCT, (Str){s.data + 7, s.len - 7});
	if (str_begins_with(s, STR("class.")) && s.len > 6)
		return ir_type_record(r->m, RECORD_CLASS, (Str){s.data + 6, s.len - 6});
	return ir_type_record(r->m, RECORD_STRUCT, str_of(arena_printf(r->arena, "%%%s", name)));
}

static IrType *record_type(Raise *r, LLVMTypeRef type)
{
	if (LLVMIsOpaqueStruct(type))
		return none(r, type, ", without a body");
	unsigned n = LLVMCountStructElementTypes(type);
	IrType **members = raise_array(r->arena, sizeof(IrType *), n);
	for (unsigned i = 0; i < n; i++)
		if (!(members[i] = raise_memory_type(r, LLVMStructGetTypeAtIndex(type, i))))
			return NULL;
	RecordBody body = {.members = members, .nmembers = n, .packed = LLVMIsPackedStruct(type)};
	const char *name = LLVMIsLiteralStruct(type) ? NULL : LLVMGetStructName(type);
	if (!name || !*name)
		return ir_type_anon_record(r->m, RECORD_STRUCT, &body);
	IrType *t = named_record(r, name);
	if (!ir_record_set_body(r->m, t, &body)) /* "struct.S" and "class.S" are one to CIR */
		return ir_type_anon_record(r->m, RECORD_STRUCT, &body);
	return t;
}

static IrType *make(Raise *r, LLVMTypeRef type)
{
	IrType *elem;
	switch (LLVMGetTypeKind(type)) {
	case LLVMVoidTypeKind:
		return r->m->voidp->elem;
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) == 1
		           ? r->i1
		           : ir_type_int(r->m, LLVMGetIntTypeWidth(type), true, false);
	case LLVMHalfTypeKind:
		return ir_type_simple(r->m, TYPE_HALF);
	case LLVMBFloatTypeKind:
		return ir_type_simple(r->m, TYPE_BF16);
	case LLVMFloatTypeKind:
		return ir_type_simple(r->m, TYPE_FLOAT);
	case LLVMDoubleTypeKind:
		return ir_type_simple(r->m, TYPE_DOUBLE);
	case LLVMX86_FP80TypeKind:
		return ir_type_simple(r->m, TYPE_F80);
	case LLVMFP128TypeKind:
		return ir_type_simple(r->m, TYPE_F128);
	case LLVMPointerTypeKind:
		return pointer(r, type);
	case LLVMFunctionTypeKind:
		return function_type(r, type);
	case LLVMStructTypeKind:
		return record_type(r, type);
	case LLVMArrayTypeKind:
		elem = raise_memory_type(r, LLVMGetElementType(type));
		return elem ? ir_type_array(r->m, elem, LLVMGetArrayLength2(type)) : NULL;
	case LLVMVectorTypeKind:
		elem = raise_type(r, LLVMGetElementType(type));
		return elem ? ir_type_vector(r->m, elem, LLVMGetVectorSize(type), false) : NULL;
	case LLVMScalableVectorTypeKind:
		return none(r, type, ", a scalable vector");
	default:
		return none(r, type, "");
	}
}

IrType *raise_memory_type(Raise *r, LLVMTypeRef type)
{
	IrType *t = ptrmap_get(&r->memory_types, type);
	if (t)
		return t;
	t = make(r, type);
	if (t && t->depth > TYPE_DEPTH_MAX)
		t = none(r, type, ", nested too deep");
	if (t)
		ptrmap_put(r->arena, &r->memory_types, type, t);
	return t;
}

IrType *raise_type(Raise *r, LLVMTypeRef type)
{
	IrType *t = raise_memory_type(r, type);
	return t == r->i1 ? r->bool_type : t;
}
