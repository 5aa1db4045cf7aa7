/* runtime/eh/wasm/cxx.h: C++'s exceptions on WebAssembly (Itanium C++ ABI: Exception Handling, 2.2 to 2.5), for libraries that have none: Debian's
 * libc++abi for WASI is built without. Type infos, std::terminate and __cxa_get_globals() are that library's.
 *
 * 	CxxException { …; struct _Unwind_Exception }  object
 *
 * Ownership  an exception is freed when its last reference goes: of handlers, of std::exception_ptr.
 */
#ifndef CIRC_RUNTIME_EH_WASM_CXX_H
#define CIRC_RUNTIME_EH_WASM_CXX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unwind.h>

/* "CLNGC++\0"; with a 1 at the end what std::rethrow_exception throws. */
#define CXX_CLASS UINT64_C(0x434c4e47432b2b00)

typedef void *CxxDestroy(void *object); /* gives the object back, as destructors do on WebAssembly */

typedef struct CxxException {
	uint32_t references;
	const void *type;
	CxxDestroy *destroy;
	struct CxxException *older;   /* caught, the newest first */
	struct CxxException *primary; /* whose object it throws; null: its own */
	int handlers;                 /* that hold it; negative: as many, and it was thrown on */
	void *adjusted;               /* the object, as what the last handler asked for */
	struct _Unwind_Exception native;
} CxxException;

/* The first two members are the ABI's (2.2.2). */
typedef struct CxxGlobals {
	CxxException *caught;
	unsigned uncaught;
} CxxGlobals;

/* Of the C++ library. */
CxxGlobals *__cxa_get_globals(void);
_Noreturn void cxx_terminate(void) __asm__("_ZSt9terminatev");

/* What clang says of a throw; the tag is __cpp_exception. */
_Noreturn static inline void cxx_raise(struct _Unwind_Exception *native)
{
	__builtin_wasm_throw(0, native);
	__builtin_unreachable();
}

static inline bool cxx_is_own(const struct _Unwind_Exception *native)
{
	return (native->exception_class & ~UINT64_C(1)) == CXX_CLASS;
}

/* Of a foreign one, too, of which only `native` may be looked at. */
static inline CxxException *cxx_of_native(struct _Unwind_Exception *native)
{
	return (CxxException *)(void *)((char *)native - offsetof(CxxException, native));
}

static inline CxxException *cxx_of_object(void *object)
{
	return (CxxException *)object - 1;
}

/* The exception whose object it throws. */
static inline CxxException *cxx_primary(CxxException *e)
{
	return e->primary ? e->primary : e;
}

/* cxx_exception.c. size: of the object; all zero. Null never: without memory the program ends. */
CxxException *circeh_cxx_allocate(size_t size);
void circeh_cxx_fly(CxxException *e); /* it is about to be thrown */

void *__cxa_allocate_exception(size_t size);
void __cxa_free_exception(void *object);
_Noreturn void __cxa_throw(void *object, const void *type, CxxDestroy *destroy);
void *__cxa_init_primary_exception(void *object, const void *type, CxxDestroy *destroy);
void *__cxa_get_exception_ptr(void *native);
void *__cxa_begin_catch(void *native);
void __cxa_end_catch(void);
_Noreturn void __cxa_rethrow(void);
const void *__cxa_current_exception_type(void);
bool __cxa_uncaught_exception(void);
unsigned __cxa_uncaught_exceptions(void);

/* cxx_pointer.c: what std::exception_ptr calls */
void __cxa_increment_exception_refcount(void *object);
void __cxa_decrement_exception_refcount(void *object);
void *__cxa_current_primary_exception(void);
void __cxa_rethrow_primary_exception(void *object);

#endif
