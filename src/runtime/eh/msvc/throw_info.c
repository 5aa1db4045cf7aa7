/* What is raised for a language's own exception: a C++ exception of a class that no C++ program has, so that C++ runs its
 * destructors and catch (...) takes it. The object is a pointer to the exception, which the class's destructor lets go. */
#include "runtime/eh/libc.h"
#include "runtime/eh/msvc/seh.h"

#define NAME ".?AUCircException@@"

typedef struct Holder {
	CircException *held;
} Holder;

static void destroy_holder(Holder *holder) __asm__("circeh_destroy_holder");
static Holder *copy_holder(Holder *to, const Holder *from) __asm__("circeh_copy_holder");

/* By catch (...), when it ends. */
__attribute__((used)) static void destroy_holder(Holder *holder)
{
	if (holder->held)
		circeh_let_go(holder->held);
}

/* By std::current_exception(): there is one owner. */
__attribute__((used)) static Holder *copy_holder(Holder *to, const Holder *from)
{
	(void)from;
	to->held = NULL;
	return to;
}

/* Offsets from the beginning of the module are beyond C. */
/* clang-format off */
__asm__(".section .data,\"dw\",discard,\"??_R0?AUCircException@@@8\"\n"
	".globl \"??_R0?AUCircException@@@8\"\n"
	".p2align 4\n"
	"\"??_R0?AUCircException@@@8\":\n"
	"	.quad \"??_7type_info@@6B@\"\n"
	"	.quad 0\n"
	"	.asciz \"" NAME "\"\n"
	".section .xdata,\"dr\"\n"
	".p2align 3\n"
	/* properties; where it lies in the object: at the beginning, no virtual base; size */
	"circeh_catchable:\n"
	"	.long 0\n"
	"	.long \"??_R0?AUCircException@@@8\"@IMGREL\n"
	"	.long 0, -1, 0\n"
	"	.long 8\n"
	"	.long circeh_copy_holder@IMGREL\n"
	"circeh_catchables:\n"
	"	.long 1, circeh_catchable@IMGREL\n"
	"circeh_throw_info_table:\n"
	"	.long 0, circeh_destroy_holder@IMGREL, 0, circeh_catchables@IMGREL\n"
	".text\n");
/* clang-format on */

extern const ThrowInfo own_throw_info __asm__("circeh_throw_info_table");
extern const char __ImageBase;

const void *circeh_in_module(const ExceptionRecord *r, uint32_t offset)
{
	return offset ? (const char *)r->parameters[PARAMETER_MODULE] + offset : NULL;
}

const CatchableType *circeh_cxx_type(const ExceptionRecord *r)
{
	if (r->code != CXX_EXCEPTION || r->nparameters != CXX_PARAMETERS ||
	    !r->parameters[PARAMETER_THROW_INFO])
		return NULL;
	const ThrowInfo *info = (const ThrowInfo *)r->parameters[PARAMETER_THROW_INFO];
	const CatchableTypes *types = circeh_in_module(r, info->catchable_types);
	return types && types->n ? circeh_in_module(r, types->types[0]) : NULL;
}

/* By name, so that modules that have this file each know each other's. */
bool circeh_native_is_own(const void *native)
{
	const ExceptionRecord *r = native;
	const CatchableType *type = circeh_cxx_type(r);
	const TypeDescriptor *descriptor = type ? circeh_in_module(r, type->descriptor) : NULL;
	return descriptor && strcmp(descriptor->decorated, NAME) == 0;
}

void circeh_describe_native(CircException *e)
{
	uint32_t flags = e->record.flags & CIRC_NONCONTINUABLE ? SEH_NONCONTINUABLE : 0;
	e->native.holder = e;
	e->native.record = (ExceptionRecord){
	    .code = CXX_EXCEPTION,
	    .flags = flags,
	    .nparameters = CXX_PARAMETERS,
	    .parameters = {CXX_MAGIC, (uintptr_t)&e->native.holder, (uintptr_t)&own_throw_info,
	                   (uintptr_t)&__ImageBase},
	};
}

CircException *circeh_raised(const ExceptionRecord *r)
{
	return circeh_native_is_own(r) ? *(CircException **)r->parameters[PARAMETER_OBJECT] : NULL;
}

void **__current_exception(
    void); /* of vcruntime140.dll: what the innermost catch holds, an EXCEPTION_RECORD * */

ExceptionRecord *circeh_meant(ExceptionRecord *r)
{
	if (r->code != CXX_EXCEPTION || r->nparameters != CXX_PARAMETERS ||
	    r->parameters[PARAMETER_THROW_INFO])
		return r;
	ExceptionRecord *held = *__current_exception();
	return held ? held : r;
}

bool circeh_is_thrown(ExceptionRecord *r, CircException **own)
{
	*own = r->code == CXX_EXCEPTION ? circeh_raised(circeh_meant(r)) : NULL;
	return r->code == CXX_EXCEPTION;
}
