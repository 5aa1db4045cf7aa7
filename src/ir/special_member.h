/* ir/special_member.h: what a special member function of C++ says of itself, `special_member<…>`. */
#ifndef CIRC_IR_SPECIAL_MEMBER_H
#define CIRC_IR_SPECIAL_MEMBER_H

#include "ir/module.h"

typedef enum SpecialMember {
	SPECIAL_NONE,
	SPECIAL_DEFAULT_CTOR,
	SPECIAL_CUSTOM_CTOR, /* with parameters of its own */
	SPECIAL_COPY_CTOR,
	SPECIAL_MOVE_CTOR,
	SPECIAL_COPY_ASSIGN,
	SPECIAL_MOVE_ASSIGN,
	SPECIAL_DTOR
} SpecialMember;

typedef struct SpecialMemberInfo {
	SpecialMember kind;
	bool trivial;
	IrType *record;
} SpecialMemberInfo;

/* What func says it is; SPECIAL_NONE: nothing. */
SpecialMemberInfo ir_special_member(const IrOp *func);

/* A trivial assignment of a union copies its object representation ([class.copy.assign]/13), and so does a trivial
 * copy or move constructor ([class.copy.ctor]/15). Clang prints such functions without it: their bodies write to
 * nothing but their own variables. Is func one of those? Its arguments are then the addresses of the union and of its
 * source. */
bool ir_lacks_union_copy(const IrOp *func);

/* Is func, by its name and its body, one of those in a text that says nothing of it? It may also be one that somebody
 * wrote, to do nothing with a parameter without a name. */
bool ir_may_lack_union_copy(const IrOp *func);

/* In a destructor the object is one of the destructor's class again ([class.cdtor]/4): its virtual pointers are set
 * first. Clang printed destructors without that until September of 2026. Is func one of those, and may what it does
 * depend on it? One that calls another destructor of its class
 * on the same object leaves it to that, as thunks do; they say the same of themselves. */
bool ir_lacks_vptrs(const IrOp *func);
bool ir_sets_vptr(const IrOp *op);
/* The class whose constructor or destructor func is; NULL: it is none. */
const IrType *ir_constructed(const IrOp *func);
const IrType *ir_destroyed(const IrOp *func);
/* The parameter that v is, or that was stored where v is loaded; NULL: none. */
const IrValue *ir_parameter(const IrOp *func, const IrValue *v);

#endif
