/* abi/ms_direct.h: the direct bases of one class. */
#ifndef CIRC_ABI_MS_DIRECT_H
#define CIRC_ABI_MS_DIRECT_H

#include "abi/ms_info.h"

typedef struct MsDirect {
	Name *symbol;  /* its type info; NULL: type */
	CxxType *type; /* a base that ms_std.def tells */
	int32_t offset;
	bool is_virtual, is_private;
	int32_t vbptr, vbtable; /* is_virtual: where its place is told (abi/ms_bases.h) */
} MsDirect;

typedef VEC(MsDirect) MsDirects;

/* Does the module tell them? */
bool ms_direct_told(MsTypes *t, const MsInfo *info);
/* False: reported. loc: of what asks. What it gives belongs to `info`: not to be added to. */
bool ms_direct_bases(MsTypes *t, MsInfo *info, Loc loc, MsDirects *out);
/* The class that it is; NULL: reported. */
MsInfo *ms_direct_info(MsTypes *t, const MsDirect *base, Loc loc);

#endif
