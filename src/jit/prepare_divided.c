/* jit/prepare_divided.c: one part of a module whose functions are compiled when they are called.
 *
 *   names      what is local to another part is declared as SPLIT_LOCAL, its part and its name; objects that are not joined see each other's global
 *              symbols alone. It becomes JIT_LOCAL_PREFIX, the number of the module and its name; part 0 defines that as an alias
 *   functions  everywhere but in a direct call a function is its stub, so that it has one address. Its code is local, and in a table
 */
#include "jit/prepare.h"

#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>

typedef struct Divided {
	LLVMModuleRef module;
	LLVMContextRef context;
	const JitNames *names;
	Arena *mem;
	VEC(LLVMValueRef) bodies;
	VEC(int64_t) numbers;
} Divided;

static const char *local_name(Divided *p, const char *name)
{
	return arena_printf(p->mem, "%s%llu.%s", JIT_LOCAL_PREFIX, (unsigned long long)p->names->number,
	                    name);
}

static const char *name_of(LLVMValueRef v)
{
	size_t len;
	return LLVMGetValueName2(v, &len);
}

/* ---- declarations ---- */

static LLVMValueRef declare_like(Divided *p, LLVMValueRef f, const char *name)
{
	LLVMValueRef declared = LLVMAddFunction(p->module, name, LLVMGlobalGetValueType(f));
	LLVMSetFunctionCallConv(declared, LLVMGetFunctionCallConv(f));
	return declared;
}

static void adapt_declaration(Divided *p, LLVMValueRef v)
{
	const char *prefix = p->names->part_prefix, *name = name_of(v);
	if (!LLVMIsDeclaration(v) && LLVMGetLinkage(v) != LLVMAvailableExternallyLinkage)
		return;
	const char *dot =
	    strncmp(name, prefix, strlen(prefix)) == 0 ? strchr(name + strlen(prefix), '.') : NULL;
	if (dot || jit_is_own_copy(name)) {
		const char *local = local_name(p, dot ? dot + 1 : name);
		LLVMSetValueName2(v, local, strlen(local));
	}
}

static void adapt_declarations(Divided *p)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module), next; f; f = next) {
		next = LLVMGetNextFunction(f);
		adapt_declaration(p, f);
	}
	for (LLVMValueRef g = LLVMGetFirstGlobal(p->module), next; g; g = next) {
		next = LLVMGetNextGlobal(g);
		adapt_declaration(p, g);
	}
}

/* ---- part 0 ---- */

static void show(Divided *p, LLVMValueRef v)
{
	const char *name = name_of(v);
	bool local = LLVMGetLinkage(v) == LLVMInternalLinkage || jit_is_own_copy(name);
	if (local && !LLVMIsDeclaration(v) && *name && strcmp(name, "__dso_handle") != 0)
		LLVMAddAlias2(p->module, LLVMGlobalGetValueType(v), 0, v, local_name(p, name));
}

static void show_locals(Divided *p)
{
	LLVMValueRef last = LLVMGetLastGlobalAlias(p->module);
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		show(p, f);
	for (LLVMValueRef g = LLVMGetFirstGlobal(p->module); g; g = LLVMGetNextGlobal(g))
		show(p, g);
	for (LLVMValueRef a = last; a; a = LLVMGetPreviousGlobalAlias(a))
		show(p, a);
}

/* ---- code that waits ---- */

static void restore_calls(LLVMValueRef stub, LLVMValueRef body)
{
	for (LLVMUseRef use = LLVMGetFirstUse(stub), next; use; use = next) {
		LLVMValueRef user = LLVMGetUser(use);
		next = LLVMGetNextUse(use);
		bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
		if (call && LLVMGetCalledValue(user) == stub) /* the last operand */
			LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, body);
	}
}

static void divert(Divided *p, LLVMValueRef f, const char *name)
{
	LLVMLinkage linkage = LLVMGetLinkage(f);
	bool replaceable = linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage;
	LLVMValueRef stub = declare_like(p, f, arena_printf(p->mem, "%s%s", JIT_STUB_PREFIX, name));
	LLVMReplaceAllUsesWith(f, stub);
	if (!replaceable)
		restore_calls(stub, f);
	if (!LLVMGetFirstUse(stub))
		LLVMDeleteFunction(stub);
	LLVMSetVisibility(f, LLVMDefaultVisibility);
	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMSetComdat(f, NULL);
}

static void divert_functions(Divided *p, const JitWaiting *waiting)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
		LLVMLinkage linkage = LLVMGetLinkage(f);
		if (LLVMIsDeclaration(f) || linkage == LLVMAvailableExternallyLinkage)
			continue;
		bool local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
		             jit_is_own_copy(name_of(f));
		const char *name = local ? local_name(p, name_of(f)) : arena_printf(p->mem, "%s", name_of(f));
		int64_t number = waiting->number(waiting->user, name);
		if (number < 0)
			continue;
		divert(p, f, name);
		vec_push(p->mem, &p->bodies, f);
		vec_push(p->mem, &p->numbers, number);
	}
}

static void list_bodies(Divided *p, uint32_t part)
{
	LLVMTypeRef ptr = LLVMPointerTypeInContext(p->context, 0), word = LLVMInt64TypeInContext(p->context);
	LLVMTypeRef members[] = {ptr, word}, row = LLVMStructTypeInContext(p->context, members, 2, false);
	LLVMValueRef *rows = arena_array(p->mem, LLVMValueRef, (size_t)p->bodies.len + 1);
	for (uint32_t i = 0; i < p->bodies.len; i++) {
		LLVMValueRef pair[] = {p->bodies.data[i],
		                       LLVMConstInt(word, (uint64_t)p->numbers.data[i], false)};
		rows[i] = LLVMConstStructInContext(p->context, pair, 2, false);
	}
	LLVMValueRef end[] = {LLVMConstNull(ptr), LLVMConstNull(word)};
	rows[p->bodies.len] = LLVMConstStructInContext(p->context, end, 2, false);
	LLVMValueRef list = LLVMConstArray2(row, rows, (uint64_t)p->bodies.len + 1);
	const char *name =
	    arena_printf(p->mem, "%s%llu.%u", JIT_BODIES_PREFIX, (unsigned long long)p->names->number, part);
	LLVMValueRef g = LLVMAddGlobal(p->module, LLVMTypeOf(list), name);
	LLVMSetInitializer(g, list);
	LLVMSetGlobalConstant(g, true);
}

/* They keep what the optimiser would drop; that is done. */
static void drop_lists(Divided *p)
{
	static const char *const lists[] = {"llvm.used", "llvm.compiler.used"};
	for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
		LLVMValueRef list = LLVMGetNamedGlobal(p->module, lists[i]);
		if (list)
			LLVMDeleteGlobal(list);
	}
}

bool jit_prepare_divided(LLVMModuleRef module, const JitNames *names, uint32_t part,
                         const JitWaiting *waiting, Diags *d)
{
	Arena mem;
	OomGuard guard;
	arena_init(&mem);
	mem.oom = &guard;
	if (setjmp(guard.env)) {
		arena_free(&mem);
		diag_failure(d, "out of memory");
		return false;
	}
	Divided p = {.module = module, .context = LLVMGetModuleContext(module), .names = names, .mem = &mem};
	adapt_declarations(&p);
	if (part == 0) {
		show_locals(&p);
	} else {
		drop_lists(&p);
		divert_functions(&p, waiting);
		list_bodies(&p, part);
	}
	arena_free(&mem);
	return true;
}
