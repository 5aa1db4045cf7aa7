/* Unwinding to a frame: the second phase of libgcc without a first. What libgcc keeps of the first one between the two, it has in the
 * exception: where to (unwind-seh.c). */
#include "runtime/eh/unwind/unwind.h"
#include "runtime/eh/windows/context.h"

/* Indices of _Unwind_Exception.private_. STOP: of what unwinds by force, which is what a handler of C++ on the way throws on. */
enum { STOP, TARGET_FRAME, TARGET_PC, TARGET_SELECTOR };

/* It lies beside the stack, which is used anew on the way. */
typedef struct Way {
	struct _Unwind_Exception native;
	void *label, *exception;
} Way;

void circeh_arrive(void);
void circeh_end_way(Way *way, void *to[2]);

/* In the frame: the system gives the way in RAX, where a landing pad has the exception. The stack below is free. */
__asm__(".text\n"
        "circeh_arrive:\n"
        "	movq %rax, %rcx\n"
        "	subq $48, %rsp\n"
        "	leaq 32(%rsp), %rdx\n"
        "	call circeh_end_way\n"
        "	movq 32(%rsp), %rcx\n"
        "	movq 40(%rsp), %rax\n"
        "	addq $48, %rsp\n"
        "	xorl %edx, %edx\n"
        "	jmpq *%rcx\n");

__attribute__((used)) void circeh_end_way(Way *way, void *to[2])
{
	to[0] = way->label;
	to[1] = way->exception;
	circeh_free(way);
}

/* Begins anew, from deeper in the stack. */
static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                struct _Unwind_Exception *native, struct _Unwind_Context *context, void *user)
{
	(void)version;
	(void)actions;
	(void)kind;
	(void)context;
	(void)user;
	_Unwind_Resume(native);
	__builtin_unreachable();
}

_Noreturn void circ_frame_unwind(const CircFrame *f, void *label, void *exception)
{
	Way *way = circeh_allocate(sizeof *way);
	way->label = label;
	way->exception = exception;
	way->native.exception_class = CIRCEH_WAY_CLASS;
	way->native.exception_cleanup = circeh_refuse_way;
	way->native.private_[STOP] = (uintptr_t)stop;
	way->native.private_[TARGET_FRAME] = f->registers[CIRCEH_FRAME];
	way->native.private_[TARGET_PC] = (uintptr_t)circeh_arrive;
	way->native.private_[TARGET_SELECTOR] = 0;
	_Unwind_Resume(&way->native);
	__builtin_unreachable();
}
