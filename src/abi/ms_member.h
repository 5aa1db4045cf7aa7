/* abi/ms_member.h: pointers to members, in the form of the Microsoft ABI.
 *
 *	              class inherits singly      … multiply
 *	data member   i32: offset                the same
 *	function      ptr: function or thunk     { ptr, i32: what is added to `this` }
 *
 * Null is a null function; of data members it is -1, or 0 where no member can be, in a class with a vptr. A virtual function is a thunk that
 * calls through the table of its object.
 *
 * needs    flat CIR
 * gives    the same without !cir.data_member and !cir.method: types, constants and ops are plain ones
 * Errors   false: reported; a class with virtual bases, or one whose bases the module does not tell
 */
#ifndef CIRC_ABI_MS_MEMBER_H
#define CIRC_ABI_MS_MEMBER_H

#include "abi/ms_type.h"

bool ms_lower_members(MsTypes *t);

#endif
