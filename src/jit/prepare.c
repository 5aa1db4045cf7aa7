#include "jit/prepare.h"

#include "jit/runtime.h"

#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

typedef struct Prepare {
	LLVMModuleRef module;
	LLVMContextRef context;
	LLVMBuilderRef builder;
	LLVMTypeRef ptr, word, i32, nothing;
	const JitNames *names;
	Diags *d;
} Prepare;

/* Exit handlers */

static LLVMValueRef own_address(Prepare *p)
{
	return LLVMConstIntToPtr(LLVMConstInt(p->word, (uintptr_t)p->names->owner, false), p->ptr);
}

static LLVMValueRef dso_handle(Prepare *p)
{
	LLVMValueRef v = LLVMGetNamedGlobal(p->module, "__dso_handle");
	if (!v)
		v = LLVMAddGlobal(p->module, p->ptr, "__dso_handle");
	if (LLVMGetInitializer(v))
		return v;
	/* Of our own type, whatever the declaration says. */
	LLVMValueRef ours = LLVMAddGlobal(p->module, p->ptr, "");
	LLVMReplaceAllUsesWith(v, ours);
	LLVMDeleteGlobal(v);
	LLVMSetValueName2(ours, "__dso_handle", strlen("__dso_handle"));
	LLVMSetLinkage(ours, LLVMInternalLinkage);
	LLVMSetInitializer(ours, own_address(p));
	return ours;
}

/* int atexit(void (*f)(void)) { return __cxa_atexit(f, NULL, &__dso_handle); }, as libc's static part has it. */
static void define_atexit(Prepare *p)
{
	LLVMValueRef f = LLVMGetNamedFunction(p->module, "atexit");
	if (!f || !LLVMIsDeclaration(f) || LLVMCountParams(f) != 1)
		return;
	LLVMTypeRef params[] = {p->ptr, p->ptr, p->ptr};
	LLVMTypeRef type = LLVMFunctionType(p->i32, params, 3, false);
	LLVMValueRef callee = LLVMGetNamedFunction(p->module, "__cxa_atexit");
	if (!callee)
		callee = LLVMAddFunction(p->module, "__cxa_atexit", type);
	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMPositionBuilderAtEnd(p->builder, LLVMAppendBasicBlockInContext(p->context, f, "entry"));
	LLVMValueRef args[] = {LLVMGetParam(f, 0), LLVMConstNull(p->ptr), dso_handle(p)};
	LLVMBuildRet(p->builder, LLVMBuildCall2(p->builder, type, callee, args, 3, ""));
}

/* Constructors */

typedef struct Structor {
	uint64_t priority;
	unsigned index; /* in the list: what is equal keeps its order */
	LLVMValueRef function;
} Structor;

static int by_priority(const void *a, const void *b)
{
	const Structor *x = a, *y = b;
	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Of llvm.global_ctors or llvm.global_dtors; malloc'ed. */
static Structor *read_structors(LLVMValueRef list, unsigned *n)
{
	LLVMValueRef init = LLVMGetInitializer(list);
	unsigned len = LLVMIsAConstantArray(init) ? (unsigned)LLVMGetNumOperands(init) : 0;
	Structor *out = calloc(len + 1, sizeof *out);
	*n = 0;
	for (unsigned i = 0; out && i < len; i++) {
		LLVMValueRef row = LLVMGetOperand(init, i); /* { priority, function, data } */
		if (!LLVMIsAConstantStruct(row) || LLVMIsNull(LLVMGetOperand(row, 1)))
			continue;
		out[(*n)++] =
		    (Structor){LLVMConstIntGetZExtValue(LLVMGetOperand(row, 0)), i, LLVMGetOperand(row, 1)};
	}
	if (out)
		qsort(out, *n, sizeof *out, by_priority);
	return out;
}

static LLVMValueRef declare(Prepare *p, const char *name, LLVMTypeRef type)
{
	LLVMValueRef f = LLVMGetNamedFunction(p->module, name);
	return f ? f : LLVMAddFunction(p->module, name, type);
}

/* An exception that leaves a constructor ends the program, as it does under the dynamic loader. */
static LLVMBasicBlockRef terminate_block(Prepare *p, LLVMValueRef f)
{
	LLVMTypeRef none = LLVMFunctionType(p->nothing, NULL, 0, false);
	LLVMTypeRef pad_members[] = {p->ptr, p->i32};
	LLVMTypeRef pad_type = LLVMStructTypeInContext(p->context, pad_members, 2, false);
	LLVMValueRef personality =
	    declare(p, "__gxx_personality_v0", LLVMFunctionType(p->i32, NULL, 0, true));
	LLVMSetPersonalityFn(f, personality);
	LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(p->context, f, "terminate");
	LLVMPositionBuilderAtEnd(p->builder, block);
	LLVMAddClause(LLVMBuildLandingPad(p->builder, pad_type, NULL, 1, ""), LLVMConstNull(p->ptr));
	LLVMBuildCall2(p->builder, none, declare(p, "_ZSt9terminatev", none), NULL, 0, "");
	LLVMBuildUnreachable(p->builder);
	return block;
}

static void call_all(Prepare *p, LLVMValueRef f, const Structor *s, unsigned n, bool backwards)
{
	LLVMTypeRef none = LLVMFunctionType(p->nothing, NULL, 0, false);
	LLVMBasicBlockRef at = LLVMAppendBasicBlockInContext(p->context, f, "entry");
	LLVMBasicBlockRef unwind = terminate_block(p, f);
	for (unsigned i = 0; i < n; i++) {
		LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(p->context, f, "next");
		LLVMPositionBuilderAtEnd(p->builder, at);
		LLVMBuildInvoke2(p->builder, none, s[backwards ? n - 1 - i : i].function, NULL, 0, next,
		                 unwind, "");
		at = next;
	}
	LLVMPositionBuilderAtEnd(p->builder, at);
	LLVMBuildRetVoid(p->builder);
}

/* The list becomes a function. Destructors run in the opposite order (System V ABI,
 * "Initialization and Termination Functions"). */
static bool gather(Prepare *p, const char *list_name, const char *prefix, bool backwards)
{
	LLVMValueRef list = LLVMGetNamedGlobal(p->module, list_name);
	unsigned n;
	if (!list || !LLVMGetInitializer(list))
		return false;
	Structor *structors = read_structors(list, &n);
	if (!structors) {
		diag_failure(p->d, "out of memory");
		return false;
	}
	if (n) {
		char name[64];
		snprintf(name, sizeof name, "%s%llu", prefix, (unsigned long long)p->names->number);
		LLVMTypeRef none = LLVMFunctionType(p->nothing, NULL, 0, false);
		call_all(p, LLVMAddFunction(p->module, name, none), structors, n, backwards);
	}
	free(structors);
	LLVMDeleteGlobal(list);
	return n > 0;
}

/* Thread-local variables */

static LLVMValueRef make_template(Prepare *p, LLVMValueRef v)
{
	LLVMValueRef init = LLVMGetInitializer(v);
	if (LLVMIsNull(init))
		return LLVMConstNull(p->ptr);
	LLVMValueRef copy = LLVMAddGlobal(p->module, LLVMGlobalGetValueType(v), "");
	LLVMSetLinkage(copy, LLVMPrivateLinkage);
	LLVMSetGlobalConstant(copy, true);
	LLVMSetInitializer(copy, init);
	return copy;
}

static bool is_local(LLVMValueRef v)
{
	LLVMLinkage linkage = LLVMGetLinkage(v);
	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* Behind the prefix of what is local to another part, that part's number and a dot; NULL: v is not. */
static const char *name_in_other_part(const Prepare *p, LLVMValueRef v)
{
	size_t len;
	const char *prefix = p->names->part_prefix, *name = LLVMGetValueName2(v, &len);
	bool begins = prefix && LLVMIsDeclaration(v) && strncmp(name, prefix, strlen(prefix)) == 0;
	const char *dot = begins ? strchr(name + strlen(prefix), '.') : NULL;
	return dot ? dot + 1 : NULL;
}

/* Even that of a local variable must be found again, by jit_remove_module(), and from other parts of its module.
 * malloc'ed. */
static char *control_name(const Prepare *p, LLVMValueRef v)
{
	size_t len;
	const char *elsewhere = name_in_other_part(p, v);
	const char *variable = elsewhere ? elsewhere : LLVMGetValueName2(v, &len);
	size_t size = sizeof JIT_TLS_PREFIX + 24 + strlen(variable);
	char *name = malloc(size);
	if (name && (elsewhere || is_local(v)))
		snprintf(name, size, JIT_TLS_PREFIX "%llu.%s", (unsigned long long)p->names->number,
		         variable);
	else if (name)
		snprintf(name, size, JIT_TLS_SHARED_PREFIX "%s", variable);
	return name;
}

/* What is common is zero, and a control is not; several may define it, all the same. */
static LLVMLinkage control_linkage(LLVMValueRef v)
{
	LLVMLinkage linkage = LLVMGetLinkage(v);
	return linkage == LLVMCommonLinkage ? LLVMWeakAnyLinkage : linkage;
}

/* The JitTls of a variable; only a declaration where the variable is one. */
static LLVMValueRef make_control(Prepare *p, LLVMValueRef v)
{
	LLVMTypeRef members[] = {p->word, p->word, p->ptr, p->word};
	LLVMTypeRef type = LLVMStructTypeInContext(p->context, members, 4, false);
	char *name = control_name(p, v);
	if (!name)
		return NULL;
	LLVMValueRef control = LLVMAddGlobal(p->module, type, name);
	free(name);
	if (!is_local(v))
		LLVMSetLinkage(control, control_linkage(v));
	if (!LLVMGetInitializer(v))
		return control;
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(p->module);
	LLVMTypeRef t = LLVMGlobalGetValueType(v);
	unsigned align = LLVMGetAlignment(v) ? LLVMGetAlignment(v) : LLVMABIAlignmentOfType(layout, t);
	LLVMValueRef parts[] = {LLVMConstInt(p->word, LLVMABISizeOfType(layout, t), false),
	                        LLVMConstInt(p->word, align, false), make_template(p, v),
	                        LLVMConstNull(p->word)};
	LLVMSetInitializer(control, LLVMConstNamedStruct(type, parts, 4));
	return control;
}

static bool is_thread_address(LLVMValueRef v)
{
	static const char name[] = "llvm.threadlocal.address";
	LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
	return callee && LLVMIsAFunction(callee) &&
	       LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID(name, sizeof name - 1);
}

/* An alias becomes one of the control. */
static bool rename_alias(Prepare *p, LLVMValueRef alias)
{
	char *name = control_name(p, alias);
	if (name)
		LLVMSetValueName2(alias, name, strlen(name));
	else
		diag_failure(p->d, "out of memory");
	free(name);
	return name != NULL;
}

/* Functions ask llvm.threadlocal.address (LowerOptions.in_process). What else has the address are aliases, and lists of what is
 * used and of annotations, which are not in the program; there the control stands for it. */
static bool replace_uses(Prepare *p, LLVMValueRef v, LLVMValueRef control)
{
	LLVMTypeRef type = LLVMFunctionType(p->ptr, &p->ptr, 1, false);
	LLVMValueRef address = declare(p, JIT_TLS_ADDRESS, type);
	for (LLVMUseRef use = LLVMGetFirstUse(v); use;) {
		LLVMValueRef call = LLVMGetUser(use);
		use = LLVMGetNextUse(use);
		if (LLVMIsAConstantArray(call) || LLVMIsAConstantStruct(call))
			continue;
		if (LLVMIsAGlobalAlias(call)) {
			if (!rename_alias(p, call))
				return false;
			continue;
		}
		if (!is_thread_address(call)) {
			char *text = LLVMPrintValueToString(call);
			diag_failure(
			    p->d, "the JIT cannot take the address of a thread-local variable in: %s", text);
			LLVMDisposeMessage(text);
			return false;
		}
		LLVMPositionBuilderBefore(p->builder, call);
		LLVMReplaceAllUsesWith(call, LLVMBuildCall2(p->builder, type, address, &control, 1, ""));
		LLVMInstructionEraseFromParent(call);
	}
	if (LLVMGetFirstUse(v))
		LLVMReplaceAllUsesWith(v, control);
	return true;
}

static bool lower_thread_locals(Prepare *p)
{
	for (LLVMValueRef v = LLVMGetFirstGlobal(p->module), next; v; v = next) {
		next = LLVMGetNextGlobal(v);
		if (!LLVMIsThreadLocal(v))
			continue;
		LLVMValueRef control = make_control(p, v);
		if (!control) {
			diag_failure(p->d, "out of memory");
			return false;
		}
		if (!replace_uses(p, v, control))
			return false;
		LLVMDeleteGlobal(v);
	}
	return true;
}

/* JITLink leaves them out (LLVM 19 to 22), and then the module. */
static bool check_indirect_functions(const Prepare *p)
{
	size_t len;
	LLVMValueRef f = LLVMGetFirstGlobalIFunc(p->module);
	if (f)
		diag_error(
		    p->d, (Loc){0},
		    "the JIT cannot run '%s', which the dynamic loader chooses (ifunc); link the module into "
		    "a shared library",
		    LLVMGetValueName2(f, &len));
	return !f;
}

bool jit_prepare(LLVMModuleRef module, const JitNames *names, Diags *d, JitPrepared *out)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	Prepare p = {.module = module,
	             .context = context,
	             .builder = LLVMCreateBuilderInContext(context),
	             .ptr = LLVMPointerTypeInContext(context, 0),
	             .word = LLVMInt64TypeInContext(context),
	             .i32 = LLVMInt32TypeInContext(context),
	             .nothing = LLVMVoidTypeInContext(context),
	             .names = names,
	             .d = d};
	uint32_t errors = d->errors;
	define_atexit(&p);
	if (LLVMGetNamedGlobal(module, "__dso_handle"))
		dso_handle(&p);
	out->init |= gather(&p, "llvm.global_ctors", JIT_INIT_PREFIX, false);
	out->fini |= gather(&p, "llvm.global_dtors", JIT_FINI_PREFIX, true);
	bool ok = check_indirect_functions(&p) && lower_thread_locals(&p) && d->errors == errors;
	LLVMDisposeBuilder(p.builder);
	return ok;
}

LLVMModuleRef jit_prepare_for_objects(LLVMContextRef context, const JitNames *names, Diags *d)
{
	static const char *const defined[] = {"atexit", "__dso_handle"};
	JitPrepared has = {0};
	LLVMModuleRef module = LLVMModuleCreateWithNameInContext("circ.jit.objects", context);
	LLVMTypeRef ptr = LLVMPointerTypeInContext(context, 0), i32 = LLVMInt32TypeInContext(context);
	LLVMAddFunction(module, defined[0], LLVMFunctionType(i32, &ptr, 1, false));
	if (!jit_prepare(module, names, d, &has)) {
		LLVMDisposeModule(module);
		return NULL;
	}
	for (size_t i = 0; i < 2; i++) {
		LLVMValueRef f = LLVMGetNamedFunction(module, defined[i]);
		LLVMSetLinkage(f ? f : LLVMGetNamedGlobal(module, defined[i]), LLVMExternalLinkage);
	}
	return module;
}

/* The functions that circ makes beside those of the C++ library (eh/cxa.c): nobody can tell them from another module's, but they would tie the
 * modules together. */
bool jit_is_own_copy(const char *name)
{
	static const char *const made[] = {"__clang_call_terminate", "__circ_begin_finally",
	                                   "__circ_end_finally"};
	bool found = false;
	for (size_t i = 0; i < ARRAY_LEN(made); i++)
		found |= strcmp(name, made[i]) == 0;
	return found;
}
