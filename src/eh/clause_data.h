/* eh/clause_data.h: what circ's runtime reads of throws and handlers: a constant CircClause {kind, language, what} of
 * include/circ/runtime.h for each type and filter of the module.
 *
 * 	cir.global "private" constant internal @.circ.clause.IOError = {2, language, @IOError}
 */
#ifndef CIRC_EH_CLAUSE_DATA_H
#define CIRC_EH_CLAUSE_DATA_H

#include "ir/module.h"

/* The clause of a type or of the filter function of a `when`, made when first asked for. what: a symbol of the module. */
Name *clause_data(IrModule *m, Name *what, Loc loc);
/* The same of a type info of C++, in a function of C++ that has no tables (eh/sjlj). */
Name *clause_data_cxx(IrModule *m, Name *type_info, Loc loc);
/* That of a catch-all: its handler knows exceptions of its own language from others. */
Name *clause_data_all(IrModule *m, Loc loc);

#endif
