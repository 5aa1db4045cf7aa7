/* msvc/member_pointer.h: pointers to members, in the form of the Microsoft ABI.
 *
 * 	class inherits    data member                            function
 * 	singly            i32: offset                            ptr: function or thunk
 * 	multiply          the same                               { ptr, i32: what is added to `this` }
 * 	virtually         { i32, i32: place in the vbtable }     { ptr, i32, i32: place in the vbtable }
 * 	(not known)       { i32, i32: vbptr, i32 }               { ptr, i32, i32: where the vbptr is, i32 }
 *
 * Null is a null function; of data members it is -1, or 0 where no member can be, in a class
 * with a vptr. With a place in the vbtable, that is -1. A virtual function is a thunk that
 * calls through the table of its object.
 *
 * A pointer with a place other than 0 leads into a virtual base. CIR makes none; C++ does, of functions that
 * the virtual base declared. Classes whose virtual bases lie where the Itanium ABI has them (msvc/bases.h)
 * have the same forms, and no vbtable: nothing is looked up.
 *
 * needs    flat CIR
 * gives    the same without !cir.data_member and !cir.method: types, constants and ops are plain ones
 * Errors   false: reported; a class whose bases the module does not tell
 */
#ifndef CIRC_MSVC_MEMBER_POINTER_H
#define CIRC_MSVC_MEMBER_POINTER_H

#include "msvc/type_identity.h"

bool ms_lower_members(MsTypes *t);

#endif
