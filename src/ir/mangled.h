/* ir/mangled.h: the parts of names that the Itanium C++ ABI mangles (5.1), for those who look for one of them. */
#ifndef CIRC_IR_MANGLED_H
#define CIRC_IR_MANGLED_H

#include "base/base.h"

/* Behind what begins in front of end: a source name, of which nothing is a part of the whole, or a letter and the number that belongs
 * to it. NULL: the source name would end behind end. */
const char *mangled_skip(const char *at, const char *end);
/* Behind `_0`, `__10_`: which of several local entities of one name. */
const char *mangled_skip_discriminator(const char *at, const char *end);

/* `_ZN1AC1Ev`, `_ZN1AD2Ev`: a constructor, or a destructor that does not delete? */
bool mangled_is_structor(Str name);

#endif
