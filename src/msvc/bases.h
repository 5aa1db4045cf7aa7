/* msvc/bases.h: the bases that an object of a class can be caught as, and how each is reached.
 *
 * They come from the initializer of the class's type info, from its attribute
 *
 * 	cir.ms.bases = [{type = @_ZTI1A}, {type = @_ZTI1B, offset = 8 : i64, access = "private"},
 * 	                {type = @_ZTI1V, vbptr = 0 : i64, vbtable = -24 : i64}]
 *
 * which lists the direct ones (and may list indirect virtual ones), or from msvc/library_class.def. A virtual base lies
 * where the table tells to which the object's pointer at `vbptr` points, `vbtable` bytes into it: a vbtable
 * of Microsoft's layout, or the vtable of Itanium's, whose offsets stand before the address point. The
 * runtime reads 32 bits of it, the low ones of Itanium's.
 */
#ifndef CIRC_MSVC_BASES_H
#define CIRC_MSVC_BASES_H

#include "msvc/type_info.h"

/* The PMD of Microsoft's tables: this + mdisp, and, if pdisp is not -1, + pdisp + *(int32
 * *)(*(char **)(this + pdisp) + vdisp). */
typedef struct MsPlace {
	int32_t mdisp, pdisp, vdisp;
} MsPlace;

typedef struct MsBase {
	MsInfo *info;
	MsPlace place;
	bool has_virtual; /* the class has virtual bases itself */
} MsBase;

typedef VEC(MsBase) MsBases;

/* The class itself first, then the bases in the order of declaration, each before its own; those that are
 * private, protected or ambiguous are left out. False: reported. */
bool ms_bases(MsTypes *t, MsInfo *info, Loc loc, MsBases *out);

#endif
