/* The replaceable operator new may throw; this one gives NULL then. Without a replacement it asks malloc()
 * itself, as long as there is a handler that may find memory. */
#include "runtime/windows/operator_new.h"

void *operator_new_nothrow(size_t size, const Nothrow *tag)
{
	void *p;
	(void)tag;
	while (!(p = malloc(size)))
		if (!_callnewh(size))
			return NULL;
	return p;
}
