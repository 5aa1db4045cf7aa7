/* Symbols: what a declaration says, initialisers, aliases; the inverse of lower/global.c. */
#include "raise/raiser.h"

#include <llvm-c/Comdat.h>

static void set(Raise *r, IrOp *op, NameId name, const IrAttr *value)
{
	ir_op_set_attr(r->m, op, ir_known_name(r->m, name), value);
}

static void set_linkage(Raise *r, IrOp *op, LLVMValueRef v)
{
	static const struct {
		LLVMLinkage llvm;
		unsigned word;
	} rows[] = {
	    {LLVMExternalLinkage, LINKAGE_EXTERNAL},
	    {LLVMAvailableExternallyLinkage, LINKAGE_AVAILABLE_EXTERNALLY},
	    {LLVMLinkOnceAnyLinkage, LINKAGE_LINKONCE},
	    {LLVMLinkOnceODRLinkage, LINKAGE_LINKONCE_ODR},
	    {LLVMWeakAnyLinkage, LINKAGE_WEAK},
	    {LLVMWeakODRLinkage, LINKAGE_WEAK_ODR},
	    {LLVMAppendingLinkage, LINKAGE_APPENDING},
	    {LLVMInternalLinkage, LINKAGE_INTERNAL},
	    {LLVMPrivateLinkage, LINKAGE_CIR_PRIVATE},
	    {LLVMExternalWeakLinkage, LINKAGE_EXTERN_WEAK},
	    {LLVMCommonLinkage, LINKAGE_COMMON},
	};
	LLVMLinkage linkage = LLVMGetLinkage(v);
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].llvm == linkage && (op->kind == OP_GLOBAL || rows[i].word != LINKAGE_EXTERNAL))
			ir_set_enum(r->m, op, NAME_linkage, ENUM_LINKAGE, rows[i].word);
}

static void set_comdat(Raise *r, IrOp *op, LLVMValueRef v, const Header *h)
{
	size_t len;
	if (LLVMIsAGlobalAlias(v) || LLVMIsAGlobalIFunc(v)) /* that of what they stand for */
		return;
	LLVMComdatRef comdat = LLVMGetComdat(v);
	if (!comdat)
		return;
	if (LLVMGetComdatSelectionKind(comdat) != LLVMAnyComdatSelectionKind)
		raise_error(r, "has a comdat of another kind than 'any', of the symbol '%s'",
		            LLVMGetValueName2(v, &len));
	else
		set(r, op, NAME_comdat,
		    h->comdat ? ir_attr_string(r->m, name_str(h->comdat)) : ir_attr_unit(r->m));
}

static void set_section(Raise *r, IrOp *op, LLVMValueRef v)
{
	const char *section = LLVMIsAGlobalAlias(v) || LLVMIsAGlobalIFunc(v) ? NULL : LLVMGetSection(v);
	if (section && *section)
		set(r, op, NAME_section, ir_attr_string(r->m, str_of(section)));
}

/* What all symbols have. */
static void set_common(Raise *r, IrOp *op, LLVMValueRef v, const Header *h)
{
	static const unsigned visibilities[] = {
	    [LLVMDefaultVisibility] = VISIBILITY_DEFAULT,
	    [LLVMHiddenVisibility] = VISIBILITY_HIDDEN,
	    [LLVMProtectedVisibility] = VISIBILITY_PROTECTED,
	};
	LLVMVisibility visibility = LLVMGetVisibility(v);
	LLVMUnnamedAddr unnamed = LLVMGetUnnamedAddress(v);
	set_linkage(r, op, v);
	if (visibility != LLVMDefaultVisibility)
		ir_set_enum(r->m, op, NAME_visibility, ENUM_VISIBILITY, visibilities[visibility]);
	if (h->dso_local)
		ir_set_flag(r->m, op, NAME_dso_local);
	if (unnamed != LLVMNoUnnamedAddr)
		set(r, op, NAME_circ_unnamed_addr,
		    ir_attr_string(r->m, unnamed == LLVMGlobalUnnamedAddr ? STR("global") : STR("local")));
	if (LLVMGetDLLStorageClass(v) != LLVMDefaultStorageClass)
		set(r, op, NAME_dll,
		    ir_attr_string(r->m, LLVMGetDLLStorageClass(v) == LLVMDLLImportStorageClass
		                             ? STR("import")
		                             : STR("export")));
	set_comdat(r, op, v, h);
	set_section(r, op, v);
}

static void set_alignment(Raise *r, IrOp *op, LLVMValueRef v)
{
	unsigned align = LLVMGetAlignment(v);
	if (align)
		set(r, op, NAME_alignment, ir_attr_i64(r->m, align));
}

static void set_thread_local(Raise *r, IrOp *op, LLVMValueRef v)
{
	static const struct {
		LLVMThreadLocalMode llvm;
		unsigned word;
	} rows[] = {
	    {LLVMGeneralDynamicTLSModel, TLS_MODEL_TLS_DYN},
	    {LLVMLocalDynamicTLSModel, TLS_MODEL_TLS_LOCAL_DYN},
	    {LLVMInitialExecTLSModel, TLS_MODEL_TLS_INIT_EXEC},
	    {LLVMLocalExecTLSModel, TLS_MODEL_TLS_LOCAL_EXEC},
	};
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].llvm == LLVMGetThreadLocalMode(v))
			ir_set_enum(r->m, op, NAME_tls_model, ENUM_TLS_MODEL, rows[i].word);
}

/* Metadata, or tokens: only intrinsics take them, whose calls are looked at one by one. */
static bool takes_values(LLVMTypeRef type)
{
	enum { PARAMS_MAX = 64 };
	LLVMTypeRef params[PARAMS_MAX];
	unsigned n = LLVMCountParamTypes(type);
	if (n > PARAMS_MAX)
		return true;
	LLVMGetParamTypes(type, params);
	for (unsigned i = 0; i <= n; i++) {
		LLVMTypeKind kind = LLVMGetTypeKind(i < n ? params[i] : LLVMGetReturnType(type));
		if (kind == LLVMMetadataTypeKind || kind == LLVMTokenTypeKind)
			return false;
	}
	return true;
}

static void check_function(Raise *r, LLVMValueRef f)
{
	const char *gc = LLVMGetGC(f);
	if (gc && *gc)
		raise_error(r, "uses the garbage collector '%s', which circ does not support", gc);
	else if (LLVMHasPrefixData(f) || LLVMHasPrologueData(f))
		raise_error(r, "has prefix or prologue data, which has no counterpart in CIR");
}

static void declare_function(Raise *r, LLVMValueRef f, const Header *h)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(f);
	if (LLVMGetIntrinsicID(f) && !takes_values(type))
		return;
	r->function = f;
	check_function(r, f);
	IrType *t = raise_memory_type(r, type);
	if (!t)
		return;
	IrOp *op = ir_func_create(r->m, raise_symbol_name(r, f), t, raise_function_place(r, f));
	set_common(r, op, f, h);
	set_alignment(r, op, f);
	const IrAttr *conv = raise_conv(r, LLVMGetFunctionCallConv(f));
	if (conv)
		set(r, op, NAME_circ_conv, conv);
	raise_function_attributes(r, op, f);
	r->function = NULL;
}

static void declare_global(Raise *r, LLVMValueRef v, const Header *h)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(v);
	size_t len;
	const char *name = LLVMGetValueName2(v, &len);
	if (LLVMGetLinkage(v) == LLVMAppendingLinkage && strncmp(name, "llvm.", 5) != 0) {
		raise_error(
		    r, "has a variable with appending linkage, '%s', which only lists of LLVM's own can have",
		    name);
		return;
	}
	bool opaque = LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMIsOpaqueStruct(type);
	IrType *t = opaque ? r->m->u8 : raise_memory_type(r, type);
	if (!t)
		return;
	IrOp *op = ir_global_create(r->m, raise_symbol_name(r, v), t, (Loc){0});
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(v));
	set_common(r, op, v, h);
	set_alignment(r, op, v);
	set_thread_local(r, op, v);
	if (space)
		set(r, op, NAME_addr_space, ir_attr_i64(r->m, space));
	if (LLVMIsGlobalConstant(v))
		ir_set_flag(r->m, op, NAME_constant);
	if (LLVMIsExternallyInitialized(v))
		ir_set_flag(r->m, op, NAME_circ_externally_initialized);
}

/* An alias is declared as what it stands for, and may be named before it is. */
static void declare_alias(Raise *r, LLVMValueRef v, const Header *h)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(v);
	IrType *t = raise_memory_type(r, type);
	if (!t)
		return;
	Name *name = raise_symbol_name(r, v);
	IrOp *op = LLVMGetTypeKind(type) == LLVMFunctionTypeKind ? ir_func_create(r->m, name, t, (Loc){0})
	                                                         : ir_global_create(r->m, name, t, (Loc){0});
	set_common(r, op, v, h);
	if (LLVMIsAGlobalAlias(v))
		set_thread_local(r, op, v);
	else
		ir_set_flag(r->m, op, NAME_circ_ifunc);
}

typedef void DeclareFn(Raise *r, LLVMValueRef v, const Header *h);

static void for_list(Raise *r, LLVMValueRef first, LLVMValueRef (*next)(LLVMValueRef),
                     const HeaderList *headers, DeclareFn *declare)
{
	uint32_t i = 0;
	for (LLVMValueRef v = first; v && !r->failed; v = next(v))
		declare(r, v, &headers->data[i++]);
}

void raise_declare_symbols(Raise *r)
{
	LLVMModuleRef m = r->module;
	for_list(r, LLVMGetFirstGlobal(m), LLVMGetNextGlobal, &r->globals, declare_global);
	for_list(r, LLVMGetFirstFunction(m), LLVMGetNextFunction, &r->functions, declare_function);
	for_list(r, LLVMGetFirstGlobalAlias(m), LLVMGetNextGlobalAlias, &r->aliases, declare_alias);
	for_list(r, LLVMGetFirstGlobalIFunc(m), LLVMGetNextGlobalIFunc, &r->ifuncs, declare_alias);
}

void raise_define_globals(Raise *r)
{
	for (LLVMValueRef v = LLVMGetFirstGlobal(r->module); v && !r->failed; v = LLVMGetNextGlobal(v)) {
		LLVMValueRef init = LLVMGetInitializer(v);
		const IrAttr *a = init ? raise_constant(r, init) : NULL;
		if (a)
			set(r, ir_symbol(raise_symbol_name(r, v)), NAME_initial_value, a);
	}
}

static void define_alias(Raise *r, LLVMValueRef v, LLVMValueRef target)
{
	size_t len;
	if (!LLVMIsAGlobalValue(target)) {
		raise_error(r, "has the alias '%s', which is not of the address of a symbol",
		            LLVMGetValueName2(v, &len));
		return;
	}
	set(r, ir_symbol(raise_symbol_name(r, v)), NAME_aliasee,
	    ir_attr_symbol(r->m, raise_symbol_name(r, target)));
}

void raise_define_aliases(Raise *r)
{
	for (LLVMValueRef v = LLVMGetFirstGlobalAlias(r->module); v; v = LLVMGetNextGlobalAlias(v))
		define_alias(r, v, LLVMAliasGetAliasee(v));
	for (LLVMValueRef v = LLVMGetFirstGlobalIFunc(r->module); v; v = LLVMGetNextGlobalIFunc(v))
		define_alias(r, v, LLVMGetGlobalIFuncResolver(v));
}
