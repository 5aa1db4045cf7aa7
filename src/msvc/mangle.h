/* msvc/mangle.h: names of types in the Microsoft C++ ABI, x86_64, as clang writes them for windows-msvc.
 *
 * Errors  false: `why` tells what has no name, as a noun; or `tag` reported it, and `why` is NULL.
 */
#ifndef CIRC_MSVC_MANGLE_H
#define CIRC_MSVC_MANGLE_H

#include "msvc/cxx_type.h"

/* Symbols of more than 4096 characters are replaced by a digest, which is not done here: some are
 * left for what surrounds the type. */
enum { MS_NAME_MAX = 4000 };

typedef enum MsTag { MS_TAG_NONE, MS_TAG_STRUCT, MS_TAG_CLASS, MS_TAG_UNION, MS_TAG_ENUM } MsTag;

typedef struct MsNames {
	CxxTypes *types;
	MsTag (*tag)(void *user, CxxType *named); /* NONE: reported */
	void *user;
	bool
	    packs_of_types; /* an empty pack of template arguments is one of types, of which the Itanium ABI says nothing */
	const char *why;
} MsNames;

/* The name that a type descriptor holds, without its leading dot: `?AUS@ns@@`, `PEAH`. */
bool ms_mangle_type(MsNames *n, CxxType *type, StrBuf *out);

/* <non-negative integer>: 1 to 10 as a digit, others in hexadecimal with the letters A
 * to P. Points into `digits`. */
enum { MS_NUMBER_MAX = 18 };
const char *ms_mangle_number(uint64_t v, char digits[MS_NUMBER_MAX]);

#endif
