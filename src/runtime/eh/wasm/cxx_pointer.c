/* What std::exception_ptr holds is the object; who has one may outlive its handlers. */
#include "runtime/eh/wasm/cxx.h"

#include "runtime/eh/libc.h"

void __cxa_increment_exception_refcount(void *object)
{
	if (object)
		cxx_of_object(object)->references++;
}

void __cxa_decrement_exception_refcount(void *object)
{
	CxxException *e = object ? cxx_of_object(object) : NULL;
	if (!e || --e->references)
		return;
	if (e->destroy)
		e->destroy(object);
	free(e);
}

void *__cxa_current_primary_exception(void)
{
	CxxException *e = __cxa_get_globals()->caught;
	if (!e || !cxx_is_own(&e->native))
		return NULL;
	void *object = cxx_primary(e) + 1;
	__cxa_increment_exception_refcount(object);
	return object;
}

/* An exception of its own, since the first may be caught elsewhere at the time. Returns only without an object. */
void __cxa_rethrow_primary_exception(void *object)
{
	if (!object)
		return;
	CxxException *e = circeh_cxx_allocate(0);
	e->primary = cxx_of_object(object);
	__cxa_increment_exception_refcount(object);
	circeh_cxx_fly(e);
	cxx_raise(&e->native);
}
