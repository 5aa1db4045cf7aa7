/* runtime/eh/sjlj/cxx_types.h: which handler of C++ takes what, by the type infos of the C++ library (Itanium C++ ABI, 2.9.5), where one is linked;
 * without one types are the same or not. For windows-msvc by Microsoft's descriptors (cxx_descriptors.c). */
#ifndef CIRC_RUNTIME_EH_SJLJ_CXX_TYPES_H
#define CIRC_RUNTIME_EH_SJLJ_CXX_TYPES_H

#include "runtime/eh/exception.h"

/* C++20, 14.4: the same type, a public unambiguous base of it, or a pointer that converts so. *object becomes what the handler gets: the base, or
 * the pointer itself. */
bool circeh_cxx_takes(const void *thrown, const void *wanted, void **object);

#endif
