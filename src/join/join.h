/* join/join.h: the objects of a module's parts to one object, as if the module had been compiled as a whole.
 *
 *   sections   of one name and kind follow each other, in the order of the parts
 *   symbols    one of a name; what a part does not define is what another one defines
 *   COMDAT     those of one name are the same: the first stays, with what belongs to it
 *   order      as in the parts; the same parts give the same bytes
 *
 * ELF of x86_64 and AArch64, COFF of x86_64. Only what LLVM writes is read. Parts name the symbols that were private as `was_private`
 * and the name; in the result they are `.L` and the name, as LLVM's own such symbols are where it keeps them,
 * or have no symbol (variables of COFF). What is local to another part is referred to as `of_part`, the number of
 * that part, a dot and the name there: LLVM makes local symbols of names that it chooses itself, also ones that
 * another part has.
 */
#ifndef CIRC_JOIN_JOIN_H
#define CIRC_JOIN_JOIN_H

#include "base/base.h"

typedef enum JoinResult {
	JOIN_DONE,
	JOIN_UNFIT, /* the parts are not what can be joined: two that define one symbol, one that names another's
	               local one without its part, a kind of section that is not known, … */
	JOIN_NO_MEMORY,
} JoinResult;

typedef struct JoinPrefixes {
	Str was_private, of_part;
} JoinPrefixes;

/* *object: malloc'ed; no bytes unless it is done. */
JoinResult emit_join(const Str *parts, uint32_t n, const JoinPrefixes *prefixes, Str *object);

#endif
