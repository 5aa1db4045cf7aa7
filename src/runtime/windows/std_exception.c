/* throw std::bad_alloc() and std::bad_cast(): the tables of these throws, by hand, since there is no C++ in
 * here. The class is that of Microsoft's <exception> and <new>: a table of virtual functions, then the data
 * that __std_exception_copy and _destroy know.
 *
 * 	ThrowInfo -> catchable types -> bad_alloc  -> .?AVbad_alloc@std@@
 * 	                             -> exception  -> .?AVexception@std@@
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
/* clang-format off */
#define DESCRIPTOR(class) \
	".section .data,\"dw\",discard,\"??_R0?AV" class "@std@@@8\"\n" \
	".globl \"??_R0?AV" class "@std@@@8\"\n" \
	".p2align 4\n" \
	"\"??_R0?AV" class "@std@@@8\":\n" \
	"	.quad \"??_7type_info@@6B@\"\n" \
	"	.quad 0\n" \
	"	.asciz \".?AV" class "@std@@\"\n"

/* Properties; where it lies in the object: at the beginning, no virtual base; sizeof (Exception). */
#define CATCHABLE_TYPE(class) \
	"circrt_" class ":\n" \
	"	.long 0\n" \
	"	.long \"??_R0?AV" class "@std@@@8\"@IMGREL\n" \
	"	.long 0, -1, 0\n" \
	"	.long 24\n" \
	"	.long circrt_copy_exception@IMGREL\n"

#define THROW_INFO(class) \
	"circrt_types_" class ":\n" \
	"	.long 2, circrt_" class "@IMGREL, circrt_exception@IMGREL\n" \
	"circrt_throw_" class ":\n" \
	"	.long 0, circrt_destroy_exception@IMGREL, 0, circrt_types_" class "@IMGREL\n"

__asm__(DESCRIPTOR("bad_alloc") DESCRIPTOR("bad_cast") DESCRIPTOR("bad_typeid")
	DESCRIPTOR("exception")
	".section .xdata,\"dr\"\n"
	".p2align 3\n"
	CATCHABLE_TYPE("bad_alloc") CATCHABLE_TYPE("bad_cast") CATCHABLE_TYPE("bad_typeid")
	CATCHABLE_TYPE("exception")
	THROW_INFO("bad_alloc") THROW_INFO("bad_cast") THROW_INFO("bad_typeid")
	".text\n");
/* clang-format on */

extern const char throw_bad_alloc[] __asm__("circrt_throw_bad_alloc");
extern const char throw_bad_cast[] __asm__("circrt_throw_bad_cast");
extern const char throw_bad_typeid[] __asm__("circrt_throw_bad_typeid");

_Static_assert(sizeof(Exception) == 24, "CATCHABLE_TYPE says so");

void crt_throw_bad_alloc(void)
{
	Exception e = {&table, {"bad allocation", false}};
	_CxxThrowException(&e, throw_bad_alloc);
}

/* What a dynamic_cast of a reference calls (Itanium C++ ABI, section 2.9.7). */
_Noreturn void __cxa_bad_cast(void);
void __cxa_bad_cast(void)
{
	Exception e = {&table, {"Bad dynamic_cast!", false}};
	_CxxThrowException(&e, throw_bad_cast);
}

/* What a typeid of null calls (Itanium C++ ABI, section 2.9.5). */
_Noreturn void __cxa_bad_typeid(void);
void __cxa_bad_typeid(void)
{
	Exception e = {&table, {"Attempted a typeid of nullptr pointer!", false}};
	_CxxThrowException(&e, throw_bad_typeid);
}
