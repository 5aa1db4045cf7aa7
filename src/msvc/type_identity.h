/* msvc/type_identity.h: the type identity of Itanium type infos in the Microsoft C++ ABI:
 * descriptors, and the tables of a throw.
 *
 * Ownership  an MsTypes borrows the module, in whose arena all of it lives; what it makes
 *            are globals of the module.
 * Errors     false and NULL: reported, once per type; the message names the attribute of the type-info global
 *            that supplies what is missing (docs/internals/windows.md, "Type names").
 * Threads    as for the module.
 */
#ifndef CIRC_MSVC_TYPE_IDENTITY_H
#define CIRC_MSVC_TYPE_IDENTITY_H

#include "base/ptrmap.h"
#include "ir/module.h"
#include "msvc/cxx_type.h"

/* HandlerType.adjectives and, but for the last, ThrowInfo.attributes. */
typedef enum MsAdjective {
	MS_CONST = 1,
	MS_VOLATILE = 2,
	MS_UNALIGNED = 4,
	MS_REFERENCE = 8,
	MS_CATCH_ALL = 64,
} MsAdjective;

typedef struct MsTypes {
	IrModule *m;
	Diags *d;
	CxxTypes types;
	PtrMap infos;     /* Name of a type info -> MsInfo */
	PtrMap classes;   /* spelling, a Name of types.names -> MsClass */
	bool has_classes; /* … of the module's records and type infos are in it */
	Loc loc;          /* of what asks */
} MsTypes;

void ms_types_init(MsTypes *t, IrModule *m, Diags *d);

typedef struct MsCatch {
	Name *descriptor;    /* ??_R0…@8, defined in the module; NULL: catch (...) */
	uint32_t adjectives; /* MsAdjective: what the type info itself tells, without MS_REFERENCE */
	bool is_class;
	uint32_t scalar_size; /* of a builtin type, in bytes; 0: another type */
} MsCatch;

/* What a handler of that type compares. type_info NULL: catch (...). */
bool ms_catch_type(MsTypes *t, Name *type_info, Loc loc, MsCatch *out);

/* _TI…: the ThrowInfo of an object of that type, defined in the module. dtor NULL: it has none. object: its
 * type in the module, which tells the size of what no record tells of; or NULL. */
Name *ms_throw_info(MsTypes *t, Name *type_info, Name *dtor, IrType *object, Loc loc);

#endif
