/* msvc/inheritance.h: how a class inherits, which decides what pointers to its members
 * are in the Microsoft ABI. */
#ifndef CIRC_MSVC_INHERITANCE_H
#define CIRC_MSVC_INHERITANCE_H

#include "msvc/type_info.h"

/* Where an object points to the table that tells the places of its virtual bases: the vbtable of Microsoft's
 * layout, or the vtable of Itanium's. */
typedef enum MsVbptrKind { MS_VBPTR_NONE, MS_VBPTR_ITANIUM, MS_VBPTR_MICROSOFT } MsVbptrKind;

typedef struct MsVbptr {
	MsVbptrKind kind;
	int32_t offset; /* in the object */
	/* of the base that it came with, which entry 0 of the vbtable leads to; 0: of the class itself */
	int32_t origin;
} MsVbptr;

typedef struct MsModel {
	MsInheritance inheritance;
	bool has_vptr; /* is polymorphic: no member is at offset 0 */
	MsInfo *info;  /* NULL: not asked for */
	bool knows_bases;
	MsVbptr vbptr; /* if it knows the bases, and one is virtual */
} MsModel;

/* Of the class whose members a type points to. What the type says, or attribute 'cir.ms.inheritance' of the class's
 * type info, as __single_inheritance and /vmg do, comes first; else the bases tell, or, for data members of a class
 * without a vptr in front, the record alone. False: reported. */
bool ms_model(MsTypes *t, const IrType *member_pointer, Loc loc, MsModel *out);

/* A virtual base, and its place in the vbtable. */
typedef struct MsVbase {
	MsInfo *info;
	int32_t vbtable;
} MsVbase;
typedef VEC(MsVbase) MsVbases;

/* Those of a class of Microsoft's layout that the module lists, in scratch memory. False: reported. */
bool ms_vbases(MsTypes *t, MsInfo *class, Loc loc, MsVbases *out);

#endif
