/* explain/module_types.h: the types of a module that are thrown and caught, and their bases, from circ.exception_type and from
 * type infos (Itanium C++ ABI, 2.9.5). */
#ifndef CIRC_EXPLAIN_MODULE_TYPES_H
#define CIRC_EXPLAIN_MODULE_TYPES_H

#include "explain/explanation.h"
#include "ir/module.h"

/* All that the module defines, so that the bases of what is caught nowhere are known, too. */
void explain_module_types(CircExplanation *e, const IrModule *m);

#endif
