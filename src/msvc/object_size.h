/* msvc/object_size.h: how many bytes an object of a type info's type has on windows-msvc. */
#ifndef CIRC_MSVC_OBJECT_SIZE_H
#define CIRC_MSVC_OBJECT_SIZE_H

#include "msvc/type_info.h"

/* From cir.ms.size, else from the type or the record of its name, or from `object`, what is thrown with that
 * info (NULL: nobody throws it); of 31 bits. 0: reported. */
uint64_t ms_size(MsTypes *t, const MsInfo *info, IrType *object, Loc loc);

#endif
