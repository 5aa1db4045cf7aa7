/* msvc/direct_base.h: the direct bases of one class. */
#ifndef CIRC_MSVC_DIRECT_BASE_H
#define CIRC_MSVC_DIRECT_BASE_H

#include "msvc/type_info.h"

typedef struct MsDirect {
	Name *symbol;  /* its type info; NULL: type */
	CxxType *type; /* a base that msvc/library_class.def tells */
	int32_t offset;
	bool is_virtual, is_private;
	int32_t vbptr, vbtable; /* is_virtual: where its place is told (msvc/bases.h) */
} MsDirect;

typedef VEC(MsDirect) MsDirects;

/* Does the module tell them? */
bool ms_direct_told(MsTypes *t, const MsInfo *info);
/* False: reported. loc: of what asks. What it gives belongs to `info`: not to be added to. */
bool ms_direct_bases(MsTypes *t, MsInfo *info, Loc loc, MsDirects *out);
/* The class that it is; NULL: reported. */
MsInfo *ms_direct_info(MsTypes *t, const MsDirect *base, Loc loc);

#endif
