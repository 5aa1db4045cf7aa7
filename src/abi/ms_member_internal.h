/* abi/ms_member_internal.h: what the files of lowering pointers to members share.
 *
 *   ms_member.c        the walk; types, and attributes that hold them
 *   ms_member_form.c   the form of one class; constants; thunks of virtual functions
 *   ms_member_op.c     the ops
 */
#ifndef CIRC_ABI_MS_MEMBER_INTERNAL_H
#define CIRC_ABI_MS_MEMBER_INTERNAL_H

#include "abi/ms_inheritance.h"
#include "ir/build.h"

typedef struct MemberForm {
	MsModel model;
	IrType *type; /* what stands for the pointer; NULL: reported */
} MemberForm;

/* An op about pointers to members. */
typedef struct MemberOp {
	IrOp *op;
	const MemberForm *form, *result; /* of the operand, and of what it is cast to */
	bool is_method;
} MemberOp;

typedef struct Members {
	MsTypes *t;
	IrModule *m;
	IrType **types; /* by id: what becomes of a type; NULL: not asked for yet */
	uint32_t ntypes;
	const IrAttr **attrs; /* the same of attributes */
	uint32_t nattrs;
	VEC(IrType *) records; /* with a name, whose members are still to be looked at */
	PtrMap forms;          /* type of a pointer to a member → MemberForm */
	Loc loc;               /* of what is looked at */
	bool ok;
} Members;

/* ms_member.c: the type that stands for it; of a named record the record itself, changed. */
IrType *ms_member_type(Members *p, IrType *t);

/* ms_member_form.c. NULL: reported. */
const MemberForm *ms_member_form(Members *p, IrType *member_pointer);
const IrAttr *ms_member_null(Members *p, const MemberForm *form);
const IrAttr *ms_member_constant(Members *p, const IrAttr *a);

/* ms_member_op.c: all ops about pointers to members become plain ones; types do not change yet. */
void ms_member_lower_ops(Members *p);

#endif
