#include "runtime/windows/operator_new.h"

void operator_delete_nothrow(void *p, const Nothrow *tag)
{
	(void)tag;
	operator_delete(p);
}
