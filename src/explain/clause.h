/* explain/clause.h: what circ's runtime reads of a handler: CircClause of include/circ/runtime.h. */
#ifndef CIRC_EXPLAIN_CLAUSE_H
#define CIRC_EXPLAIN_CLAUSE_H

#include "explain/type_info.h"

void explain_type_step(TypeInfos *types, CircStep *step, ObjectTarget type, TypeInfoKind kind);

/* Kind, types and function of a step, by its clause. False: the clause is in another object, or wrong, which is reported. */
bool explain_clause(TypeInfos *types, CircStep *step, ObjectTarget clause);

#endif
