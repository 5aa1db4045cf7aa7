/* abi/atomic_member.h: records with members that are accessed atomically. They may be `_Atomic`, which types of CIR do not
 * tell, or those of a builtin (`__atomic_load_n(&s.a, …)`).
 */
#ifndef CIRC_ABI_ATOMIC_MEMBER_H
#define CIRC_ABI_ATOMIC_MEMBER_H

#include "abi/passing.h"

/* found: record types, each with an access to one of its members; not those of which cir.record_traits tells.
 * cost     a walk over the module, where something in it is atomic */
void abi_find_atomic_members(const AbiTypes *types, PtrMap *found);

#endif
