/* msvc/type_info.h: one Itanium type info as the Microsoft ABI sees it. */
#ifndef CIRC_MSVC_TYPE_INFO_H
#define CIRC_MSVC_TYPE_INFO_H

#include "msvc/class.h"

typedef struct MsInfo {
	Name *symbol;   /* _ZTI… */
	const IrOp *op; /* its global, or NULL */
	CxxType *type;  /* without the qualifiers in `adjectives`; NULL when only attributes tell of it */
	Str name;       /* as ms_mangle_type() gives it */
	uint32_t adjectives;     /* MsAdjective */
	struct MsInfo *pointee;  /* of a pointer, if an attribute names what it points to */
	Name *descriptor;        /* ??_R0…@8, defined; NULL: not asked for yet */
	Name *record, *outside;  /* msvc/class_record.c: the same; what other modules may define */
	struct MsThrown *thrown; /* msvc/throw.c */
	struct MsDirect *direct; /* msvc/direct_base.c: its direct bases, once asked for */
	uint32_t ndirect;
	bool has_table; /* the module defines a virtual table that points to the record */
	bool asked_direct, has_direct;
	bool ok; /* else it was reported */
} MsInfo;

/* What is known of a type info; NULL: reported. */
MsInfo *ms_info(MsTypes *t, Name *symbol, Loc loc);
/* The same for a type that no type info of the module need stand for: a base, a pointer to one. */
MsInfo *ms_info_of_type(MsTypes *t, CxxType *type, Loc loc);
/* A pointer to a class. */
MsInfo *ms_info_of_pointer(MsTypes *t, MsInfo *pointee);
/* The class that a pointer points to; NULL: something else. */
MsInfo *ms_info_pointed_class(MsTypes *t, MsInfo *info, Loc loc);

bool ms_info_is_class(MsTypes *t, const MsInfo *info);
bool ms_info_is_pointer(const MsInfo *info);
/* Type infos of one type? */
bool ms_info_same(const MsInfo *a, const MsInfo *b);
/* For messages. */
const char *ms_info_spelling(MsTypes *t, const MsInfo *info);
/* Behind one: where the type info is, if the module has it. */
void ms_info_note(MsTypes *t, const MsInfo *info);

/* Its type descriptor: the value of one; and the one, defined on first use. NULL: reported. */
const IrAttr *ms_info_descriptor_value(MsTypes *t, const MsInfo *info, Loc loc);
Name *ms_info_descriptor(MsTypes *t, MsInfo *info, Loc loc);

#endif
