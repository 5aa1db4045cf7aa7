/* What LLVM's code calls where a catch has clauses, and the place of its answer (LLVM, WasmEHPrepare.cpp): which clause takes the exception. */
#include "runtime/eh/unwind/lsda.h"
#include "runtime/eh/wasm/cxx.h"

struct {
	uintptr_t pad;        /* number of the catch in its function */
	const uint8_t *table; /* of the function */
	uintptr_t selector;   /* the answer; 0: no clause */
} __wasm_lpad_context;

_Unwind_Reason_Code _Unwind_CallPersonality(struct _Unwind_Exception *native);

/* The tag that all exceptions are thrown by. */
__asm__(".globl __cpp_exception\n"
        ".tagtype __cpp_exception i32\n"
        "__cpp_exception:\n");

/* A type info of libc++abi knows what it catches: the fifth function of its virtual table (private_typeinfo.h, __shim_type_info). */
enum { CAN_CATCH = 4 };
typedef bool CanCatch(const void *wanted, const void *thrown, void **object);

static bool takes(const void *wanted, struct _Unwind_Exception *native, void **object)
{
	if (!wanted) /* catch (...) */
		return true;
	if (!cxx_is_own(native))
		return false;
	CanCatch *can_catch = (*(CanCatch *const *const *)wanted)[CAN_CATCH];
	CxxException *primary = cxx_primary(cxx_of_native(native));
	*object = primary + 1;
	return can_catch(wanted, primary->type, object);
}

static intptr_t choose(const Lsda *lsda, const uint8_t *action, struct _Unwind_Exception *native,
                       void **object)
{
	while (action) {
		intptr_t clause = circeh_lsda_next(&action);
		if (clause > 0 && takes(circeh_lsda_type(lsda, clause), native, object))
			return clause;
	}
	return 0;
}

_Unwind_Reason_Code _Unwind_CallPersonality(struct _Unwind_Exception *native)
{
	Lsda lsda;
	void *object = native + 1;
	const LsdaBases none = {0};
	circeh_lsda_open(&lsda, __wasm_lpad_context.table, &none);
	const uint8_t *action = circeh_lsda_action(&lsda, __wasm_lpad_context.pad);
	intptr_t clause = choose(&lsda, action, native, &object);
	if (clause && cxx_is_own(native))
		cxx_of_native(native)->adjusted = object;
	__wasm_lpad_context.selector = (uintptr_t)clause;
	return clause ? _URC_HANDLER_FOUND : _URC_CONTINUE_UNWIND;
}
