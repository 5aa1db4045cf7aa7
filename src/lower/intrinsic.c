#include "lower/lowerer.h"

static const char *const names[INTRINSIC_COUNT] = {
#define INTRINSIC(id, name) [INTRINSIC_##id] = name,
#include "lower/intrinsics.def"
};

/* Which types an intrinsic is overloaded on changes between versions of LLVM (eh.typeid.for since 19,
 * lifetime): those that are not take no types. */
static bool declare(Lower *e, Intrinsic id, IntrinsicDecl *decl, LLVMTypeRef *overloads, unsigned noverloads)
{
	if (!decl->id) {
		decl->id = LLVMLookupIntrinsicID(names[id], strlen(names[id]));
		if (!decl->id) {
			lower_error(e, "requires '%s', which LLVM %u does not have", names[id],
			            e->llvm_major);
			return false;
		}
		decl->overloaded = LLVMIntrinsicIsOverloaded(decl->id);
	}
	decl->function =
	    LLVMGetIntrinsicDeclaration(e->module, decl->id, overloads, decl->overloaded ? noverloads : 0);
	decl->type = LLVMGlobalGetValueType(decl->function);
	CHECK(noverloads <= OVERLOADS_MAX);
	if (noverloads)
		memcpy(decl->overloads, overloads, noverloads * sizeof *overloads);
	return true;
}

static const IntrinsicDecl *declaration(Lower *e, Intrinsic id, LLVMTypeRef *overloads, unsigned noverloads)
{
	IntrinsicDecl *decl = &e->intrinsics[id];
	bool same = decl->function &&
	            (!noverloads || memcmp(decl->overloads, overloads, noverloads * sizeof *overloads) == 0);
	return same || declare(e, id, decl, overloads, noverloads) ? decl : NULL;
}

/* No funclet bundle: they do not unwind, and WinEHPrepare leaves such calls alone. */
LLVMValueRef lower_intrinsic(Lower *e, Intrinsic id, LLVMTypeRef *overloads, unsigned noverloads,
                             LLVMValueRef *args, unsigned nargs)
{
	const IntrinsicDecl *decl = declaration(e, id, overloads, noverloads);
	return decl ? LLVMBuildCall2(e->b, decl->type, decl->function, args, nargs, "") : NULL;
}

void lower_intrinsic_in_pad(Lower *e, Intrinsic id)
{
	const IntrinsicDecl *decl = declaration(e, id, NULL, 0);
	if (!decl)
		return;
	LLVMOperandBundleRef bundle = LLVMCreateOperandBundle("funclet", strlen("funclet"), &e->pad, 1);
	LLVMBuildCallWithOperandBundles(e->b, decl->type, decl->function, NULL, 0, &bundle, 1, "");
	LLVMDisposeOperandBundle(bundle);
}

void lower_assume_bundle(Lower *e, LLVMValueRef condition, const char *tag, LLVMValueRef *args,
                         unsigned nargs)
{
	const IntrinsicDecl *decl = declaration(e, INTRINSIC_ASSUME, NULL, 0);
	LLVMOperandBundleRef bundle = LLVMCreateOperandBundle(tag, strlen(tag), args, nargs);
	LLVMBuildCallWithOperandBundles(e->b, decl->type, decl->function, &condition, 1, &bundle, 1, "");
	LLVMDisposeOperandBundle(bundle);
}
