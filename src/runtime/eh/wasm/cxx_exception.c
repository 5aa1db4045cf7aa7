/* Throwing and catching of C++. */
#include "runtime/eh/wasm/cxx.h"

#include "runtime/eh/libc.h"

_Static_assert(sizeof(CxxException) == offsetof(CxxException, native) + 32,
               "src/target/target.c: unwind_header");

CxxException *circeh_cxx_allocate(size_t size)
{
	CxxException *e = size <= SIZE_MAX - sizeof *e ? malloc(sizeof *e + size) : NULL;
	if (!e)
		cxx_terminate();
	memset(e, 0, sizeof *e + size);
	return e;
}

void *__cxa_allocate_exception(size_t size)
{
	return circeh_cxx_allocate(size) + 1;
}

void __cxa_free_exception(void *object)
{
	free(cxx_of_object(object));
}

/* Who caught it in another language is done with it. */
static void clean_up(_Unwind_Reason_Code reason, struct _Unwind_Exception *native)
{
	(void)reason;
	__cxa_decrement_exception_refcount(cxx_primary(cxx_of_native(native)) + 1);
}

void circeh_cxx_fly(CxxException *e)
{
	e->native.exception_class = CXX_CLASS | (e->primary != NULL);
	e->native.exception_cleanup = clean_up;
	e->adjusted = cxx_primary(e) + 1;
	__cxa_get_globals()->uncaught++;
}

void *__cxa_init_primary_exception(void *object, const void *type, CxxDestroy *destroy)
{
	CxxException *e = cxx_of_object(object);
	e->type = type;
	e->destroy = destroy;
	e->references = 0;
	return e;
}

void __cxa_throw(void *object, const void *type, CxxDestroy *destroy)
{
	CxxException *e = __cxa_init_primary_exception(object, type, destroy);
	e->references = 1;
	circeh_cxx_fly(e);
	cxx_raise(&e->native);
}

void *__cxa_get_exception_ptr(void *native)
{
	return cxx_of_native(native)->adjusted;
}

static void *begin_own(CxxGlobals *all, CxxException *e)
{
	e->handlers = (e->handlers < 0 ? -e->handlers : e->handlers) + 1;
	if (all->caught != e) {
		e->older = all->caught;
		all->caught = e;
	}
	all->uncaught--;
	return e->adjusted;
}

/* There is no room for one beside others (2.5.3). */
void *__cxa_begin_catch(void *native)
{
	CxxGlobals *all = __cxa_get_globals();
	CxxException *e = cxx_of_native(native);
	if (cxx_is_own(native))
		return begin_own(all, e);
	if (all->caught)
		cxx_terminate();
	all->caught = e;
	return (struct _Unwind_Exception *)native + 1;
}

static void end_own(CxxGlobals *all, CxxException *e)
{
	bool thrown_on = e->handlers < 0;
	e->handlers += thrown_on ? 1 : -1;
	if (e->handlers)
		return;
	all->caught = e->older;
	if (thrown_on)
		return;
	CxxException *primary = cxx_primary(e);
	if (primary != e)
		free(e);
	__cxa_decrement_exception_refcount(primary + 1);
}

void __cxa_end_catch(void)
{
	CxxGlobals *all = __cxa_get_globals();
	CxxException *e = all->caught;
	if (!e)
		return;
	if (cxx_is_own(&e->native)) {
		end_own(all, e);
		return;
	}
	all->caught = NULL;
	_Unwind_DeleteException(&e->native);
}

void __cxa_rethrow(void)
{
	CxxGlobals *all = __cxa_get_globals();
	CxxException *e = all->caught;
	if (!e)
		cxx_terminate();
	if (cxx_is_own(&e->native)) {
		e->handlers = -e->handlers;
		all->uncaught++;
	} else {
		all->caught = NULL;
	}
	cxx_raise(&e->native);
}

const void *__cxa_current_exception_type(void)
{
	CxxException *e = __cxa_get_globals()->caught;
	return e && cxx_is_own(&e->native) ? cxx_primary(e)->type : NULL;
}

bool __cxa_uncaught_exception(void)
{
	return __cxa_uncaught_exceptions() != 0;
}

unsigned __cxa_uncaught_exceptions(void)
{
	return __cxa_get_globals()->uncaught;
}
