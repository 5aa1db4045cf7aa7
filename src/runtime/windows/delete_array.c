#include "runtime/windows/operator_new.h"

void operator_delete_array(void *p)
{
	operator_delete(p);
}
