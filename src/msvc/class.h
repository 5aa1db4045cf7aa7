/* msvc/class.h: what the module says of classes and enums by name: records, and the
 * attributes of their type infos.
 *
 * The attributes of a type-info global, all optional (docs/internals/windows.md):
 *
 * 	cir.ms.name = ".?AVS@ns@@"      what its descriptor says
 * 	cir.ms.tag = "class"            or struct, union, enum
 * 	cir.ms.size = 16 : i64          of an object
 * 	cir.ms.copy_ctor = @copy        void (S *, const S *)
 * 	cir.ms.bases = [{…}, …]         msvc/bases.h
 * 	cir.ms.inheritance = "virtual"  or single, multiple, unspecified: msvc/inheritance.h
 */
#ifndef CIRC_MSVC_CLASS_H
#define CIRC_MSVC_CLASS_H

#include "msvc/mangle.h"
#include "msvc/type_identity.h"

typedef struct MsStd {
	const char *name;
	MsTag tag;
	const char *base; /* "": none; NULL: not told */
	bool is_value;    /* no class */
} MsStd;

typedef struct MsClass {
	const IrOp *info; /* its type-info global, or NULL */
	IrType *record;   /* of that name, or NULL */
	const MsStd *std; /* row of msvc/library_class.def, or NULL */
	bool reported;
} MsClass;

/* named: CXX_NAMED. Never NULL. */
MsClass *ms_class(MsTypes *t, CxxType *named);
/* record: with a name. Never NULL. */
MsClass *ms_class_of_record(MsTypes *t, const IrType *record);

/* Is there more of the name behind the prefix? NULL: no name. */
static inline bool ms_name_begins(const Name *name, const char *prefix)
{
	Str head = str_of(prefix);
	return name && name->len > head.len && str_begins_with(name_str(name), head);
}

/* Is the namespace one that C++ does not see? */
bool ms_is_version(const CxxType *scope);

/* Only its name makes it a class: a complex number, a vector, a _BitInt. */
bool ms_class_is_value(MsTypes *t, CxxType *named);

/* NONE: not known. */
MsTag ms_class_tag(MsTypes *t, CxxType *named);
/* The same for MsNames, user: the MsTypes; reports what is not known, at t->loc. */
MsTag ms_class_need_tag(void *user, CxxType *named);

/* The class of __cxxabiv1 that an Itanium type info is an object of:
 * `__si_class_type_info`; empty when it is only declared. */
Str ms_info_kind(const IrOp *info);
/* The initializer of a type info, if it has the shape of one. */
const IrAttr *ms_info_value(const IrOp *info);

/* The type info's attribute. NULL: it has none, or it was reported that it is of the
 * wrong kind. `shape`: what it must be. */
const IrAttr *ms_info_attr(MsTypes *t, const IrOp *info, NameId name, AttrKind kind, const char *shape);

#endif
