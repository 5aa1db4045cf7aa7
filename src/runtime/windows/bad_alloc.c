/* throw std::bad_alloc(): the tables of that throw, by hand, since there is no C++ in here. The class is that of Microsoft's <exception>
 * and <new>: a table of virtual functions, then the data that __std_exception_copy and _destroy know.
 *
 *	ThrowInfo -> catchable types -> bad_alloc  -> .?AVbad_alloc@std@@
 *	                             -> exception  -> .?AVexception@std@@
 *
 * Names and descriptors are shared with other objects by the linker; the rest is this file's own.
 */
#include "runtime/windows/operator_new.h"

typedef struct ExceptionData { /* __std_exception_data */
	const char *what;
	bool owned;
} ExceptionData;

typedef struct Exception { /* std::exception */
	const void *vftable;
	ExceptionData data;
} Exception;

void __std_exception_copy(const ExceptionData *from, ExceptionData *to);
void __std_exception_destroy(ExceptionData *data);

static void *delete_exception(Exception *e, unsigned flags);
static const char *what(const Exception *e);

/* Slots: the deleting destructor, what(). */
typedef struct ExceptionTable {
	void *(*destroy)(Exception *, unsigned);
	const char *(*what)(const Exception *);
} ExceptionTable;

static const ExceptionTable table = {delete_exception, what};

static void destroy_exception(Exception *e) __asm__("circrt_destroy_exception");
static Exception *copy_exception(Exception *to, const Exception *from) __asm__("circrt_copy_exception");

__attribute__((used)) static void destroy_exception(Exception *e)
{
	__std_exception_destroy(&e->data);
}

static void *delete_exception(Exception *e, unsigned flags)
{
	destroy_exception(e);
	if (flags & 1)
		operator_delete(e);
	return e;
}

static const char *what(const Exception *e)
{
	return e->data.what ? e->data.what : "Unknown exception";
}

__attribute__((used)) static Exception *copy_exception(Exception *to, const Exception *from)
{
	*to = (Exception){.vftable = from->vftable};
	__std_exception_copy(&from->data, &to->data);
	return to;
}

/* Offsets from the beginning of the module are beyond C. */
__asm__(".section .data,\"dw\",discard,\"??_R0?AVbad_alloc@std@@@8\"\n"
        ".globl \"??_R0?AVbad_alloc@std@@@8\"\n"
        ".p2align 4\n"
        "\"??_R0?AVbad_alloc@std@@@8\":\n"
        "	.quad \"??_7type_info@@6B@\"\n"
        "	.quad 0\n"
        "	.asciz \".?AVbad_alloc@std@@\"\n"
        ".section .data,\"dw\",discard,\"??_R0?AVexception@std@@@8\"\n"
        ".globl \"??_R0?AVexception@std@@@8\"\n"
        ".p2align 4\n"
        "\"??_R0?AVexception@std@@@8\":\n"
        "	.quad \"??_7type_info@@6B@\"\n"
        "	.quad 0\n"
        "	.asciz \".?AVexception@std@@\"\n");

#define CATCHABLE_TYPE(name, descriptor)                                                                     \
	name ":\n"                                                                                           \
	     "	.long 0\n" /* properties */                                                                  \
	     "	.long \"" descriptor "\"@IMGREL\n"                                                           \
	     "	.long 0, -1, 0\n" /* where it lies in the object: at the beginning, no virtual base */       \
	     "	.long 24\n"       /* sizeof (Exception) */                                                   \
	     "	.long circrt_copy_exception@IMGREL\n"

__asm__(".section .xdata,\"dr\"\n"
        ".p2align 3\n" CATCHABLE_TYPE("circrt_bad_alloc", "??_R0?AVbad_alloc@std@@@8") CATCHABLE_TYPE(
            "circrt_exception",
            "??_R0?AVexception@std@@@8") "circrt_catchable_types:\n"
                                         "	.long 2, circrt_bad_alloc@IMGREL, circrt_exception@IMGREL\n"
                                         "circrt_throw_bad_alloc:\n"
                                         "	.long 0, circrt_destroy_exception@IMGREL, 0, "
                                         "circrt_catchable_types@IMGREL\n"
                                         ".text\n");

extern const char throw_info[] __asm__("circrt_throw_bad_alloc");

_Static_assert(sizeof(Exception) == 24, "CATCHABLE_TYPE says so");

void crt_throw_bad_alloc(void)
{
	Exception e = {&table, {"bad allocation", false}};
	_CxxThrowException(&e, throw_info);
}
