/* msvc/class_record.h: what a virtual table of the Itanium ABI points to where its type info stood.
 *
 * 	circ.class.1D = { s64 nbases, ptr bases, descriptor, [base…] }        base = { ptr circ.class.1B, s32 offset, s32 slot, u32 flags, u32 }
 *
 * The table points to the descriptor, which is the std::type_info of the class as any other of it;
 * in front of it, libcircrt's __dynamic_cast (src/runtime/windows/dynamic_cast.c) finds what the
 * type info told of the bases. A record is defined where the type info is, as the type info is;
 * one that is defined nowhere is null.
 */
#ifndef CIRC_MSVC_CLASS_RECORD_H
#define CIRC_MSVC_CLASS_RECORD_H

#include "msvc/type_info.h"

/* The address of the descriptor in the record of a class, of that type, for its virtual table; NULL: reported. */
const IrAttr *ms_record_of_table(MsTypes *t, MsInfo *class, IrType *type, Loc loc);
/* The same for what else has the address of its type info. After all tables. */
const IrAttr *ms_record_address(MsTypes *t, MsInfo *class, IrType *type, Loc loc);

#endif
