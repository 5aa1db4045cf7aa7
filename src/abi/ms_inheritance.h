/* abi/ms_inheritance.h: how a class inherits, which decides what pointers to its members are in the Microsoft ABI. */
#ifndef CIRC_ABI_MS_INHERITANCE_H
#define CIRC_ABI_MS_INHERITANCE_H

#include "abi/ms_info.h"

/* Microsoft's models. What /vmg and incomplete classes have is not among them. */
typedef enum MsInheritance { MS_SINGLE, MS_MULTIPLE, MS_VIRTUAL } MsInheritance;

typedef struct MsModel {
	MsInheritance inheritance;
	bool has_vptr; /* is polymorphic: no member is at offset 0 */
	MsInfo *info;  /* NULL: not asked for */
} MsModel;

/* For pointers to data members. The record alone tells, if there is no vptr in front; else the bases do. False: reported. */
bool ms_model_for_data(MsTypes *t, IrType *record, Loc loc, MsModel *out);
/* For pointers to member functions: the bases must be known. */
bool ms_model_for_methods(MsTypes *t, IrType *record, Loc loc, MsModel *out);

#endif
