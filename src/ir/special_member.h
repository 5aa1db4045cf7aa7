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

#endif
