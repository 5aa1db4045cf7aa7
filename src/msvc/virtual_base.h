/* msvc/virtual_base.h: where the Itanium vtable of a class tells the place of a virtual base
 * that the class has only through another.
 *
 * A type info tells the places of the direct virtual bases. Those of the others follow from the order in
 * which clang and gcc lay the offsets out (Itanium C++ ABI, section 2.5.2): those of the primary base
 * first, then depth first in the order of declaration. A primary base that is virtual itself has other
 * entries between them, which the type info does not tell; then the order disagrees with what the type
 * info does tell, and no place is given.
 */
#ifndef CIRC_MSVC_VIRTUAL_BASE_H
#define CIRC_MSVC_VIRTUAL_BASE_H

#include "msvc/type_info.h"

/* The bytes from the address point of `class`'s vtable to the offset of `base`; 0: not known, or more than
 * *visits bases looked at, which it counts down. */
int32_t ms_vbase_slot(MsTypes *t, MsInfo *class, const MsInfo *base, Loc loc, unsigned *visits);

#endif
