/* abi/null_member.h: zeros that are null pointers to data members.
 *
 * Errors  false: reported, nothing else may be done with the module.
 */
#ifndef CIRC_ABI_NULL_MEMBER_H
#define CIRC_ABI_NULL_MEMBER_H

#include "base/diag.h"
#include "ir/module.h"

bool abi_spell_null_members(IrModule *m, Diags *d);

#endif
