/* ir/special_member.h: what a special member function of C++ says of itself, `special_member<…>`. */
#ifndef CIRC_IR_SPECIAL_MEMBER_H
#define CIRC_IR_SPECIAL_MEMBER_H

#include "ir/module.h"

/* A trivial assignment of a union copies its object representation ([class.copy.assign]/13). Clang prints such
 * operators without it: their bodies write to nothing but their own variables. Is func one of those? Its arguments
 * are then the addresses of the union and of its source. */
bool ir_lacks_union_copy(const IrOp *func);

#endif
