/* What libgcc raises (unwind-seh.c). */
#include "runtime/eh/unwind/unwind.h"
#include "runtime/eh/windows/record.h"

#define GCC_THROW 0x20474343u /* STATUS_GCC_THROW */

bool circeh_is_thrown(ExceptionRecord *r, CircException **own)
{
	*own = r->code == GCC_THROW ? circeh_unwinds((struct _Unwind_Exception *)r->parameters[0]) : NULL;
	return r->code == GCC_THROW;
}
