/* msvc/rtti.h: what becomes of the Itanium type infos of a module for windows-msvc.
 *
 * The last step of its lowering. A type descriptor is the std::type_info of its type there, so every address
 * of a type info becomes that of the descriptor: in vtables (msvc/class_record.h), in constants, in code. Then
 * the type infos go, and with them the strings and the vtables of the Itanium runtime that nothing else uses.
 *
 *   cost     ops + attributes
 *   errors   false: reported, for a type info that something uses and that has no counterpart, and
 *            for what reads the name out of one
 */
#ifndef CIRC_MSVC_RTTI_H
#define CIRC_MSVC_RTTI_H

#include "msvc/type_identity.h"

bool ms_rtti_translate(MsTypes *t);

#endif
