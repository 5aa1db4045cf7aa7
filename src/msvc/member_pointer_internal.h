/* msvc/member_pointer_internal.h: what the files of lowering pointers to members share.
 *
 *   msvc/member_pointer.c        the walk; types, and attributes that hold them
 *   msvc/member_pointer_form.c   the form of one class; constants; thunks of virtual functions
 *   msvc/member_pointer_part.c   the parts of a value
 *   msvc/member_pointer_op.c     the ops
 *   msvc/member_pointer_cast.c   the ops that make a pointer to a member of one class one of another
 */
#ifndef CIRC_MSVC_MEMBER_POINTER_INTERNAL_H
#define CIRC_MSVC_MEMBER_POINTER_INTERNAL_H

#include "ir/build.h"
#include "msvc/inheritance.h"

/* What a pointer consists of, in this order. One of a single part is no record. */
typedef enum MemberPart {
	PART_FIRST,   /* the function, or the offset */
	PART_ADJUST,  /* what is added to `this` */
	PART_VBPTR,   /* where the object points to its vbtable, if PART_VBTABLE is not 0 */
	PART_VBTABLE, /* where in the vbtable the place of the virtual base is; -1 in a null offset */
	PART_COUNT
} MemberPart;

typedef struct MemberForm {
	MsModel model;
	IrType *type; /* what stands for the pointer; NULL: reported */
	bool is_data;
	int8_t index[PART_COUNT]; /* in the record; -1: it has no such part */
} MemberForm;

static inline bool ms_member_has(const MemberForm *form, MemberPart part)
{
	return form->index[part] >= 0;
}

static inline bool ms_member_is_record(const MemberForm *form)
{
	return form->type->kind == TYPE_RECORD;
}

/* In Microsoft's virtual model every access goes through the vbtable, whose first entry
 * leads to the base that brought it. */
static inline int32_t ms_member_origin(const MemberForm *form)
{
	return form->model.inheritance == MS_VIRTUAL && form->model.vbptr.kind == MS_VBPTR_MICROSOFT
	           ? form->model.vbptr.origin
	           : 0;
}

/* An op about pointers to members. */
typedef struct MemberOp {
	IrOp *op;
	const IrType *type;              /* of the operand, before ops were lowered */
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

/* msvc/member_pointer.c: the type that stands for it; of a named record the record itself, changed. */
IrType *ms_member_type(Members *p, IrType *t);

/* msvc/member_pointer_form.c. NULL: reported. */
const MemberForm *ms_member_form(Members *p, IrType *member_pointer);
const IrAttr *ms_member_null(Members *p, const MemberForm *form);
const IrAttr *ms_member_null_part(Members *p, const MemberForm *form, MemberPart part);
const IrAttr *ms_member_constant(Members *p, const IrAttr *a);

/* msvc/member_pointer_part.c: the parts of a value. */
IrValue *ms_member_part(IrBuilder *b, const MemberForm *form, IrValue *v, MemberPart part);
IrValue *ms_member_binary(IrBuilder *b, OpKind kind, IrType *type, IrValue *x, IrValue *y);
IrValue *ms_member_is_null(Members *p, IrBuilder *b, const MemberForm *form, IrValue *v);

/* msvc/member_pointer_op.c: all ops about pointers to members become plain ones; types do not change yet. */
void ms_member_lower_ops(Members *p);

/* msvc/member_pointer_cast.c. NULL: reported. */
IrValue *ms_member_cast(Members *p, IrBuilder *b, const MemberOp *o);
/* reinterpret_cast: the same bits, but that null stays null. C++ for Windows has it between classes of one form. */
IrValue *ms_member_reinterpret(Members *p, IrBuilder *b, const MemberOp *o);

#endif
