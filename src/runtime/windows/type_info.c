/* The table of virtual functions that every type descriptor points to: one slot, the deleting destructor.
 * Nobody compares descriptors by it, and nobody destroys one; typeid() needs it to be there. */
#include "runtime/windows/crt.h"

static void *destroy(void *type_info, unsigned flags)
{
	(void)flags;
	return type_info;
}

extern void *(*const type_info_vftable[1])(void *, unsigned)__asm__("??_7type_info@@6B@");
void *(*const type_info_vftable[1])(void *, unsigned) = {destroy};
