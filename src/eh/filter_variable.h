/* eh/filter_variable.h: for debuggers, the variables that a filter of flat text recovers from the function around it; flattening tells of those in
 * filters that it has made itself (flatten/when.c).
 *
 *   needs    flat CIR that verifies
 *   changes  filters: an address that is in no slot of its own gets one, with -g and without
 *   cost     ops, where something is recovered
 */
#ifndef CIRC_EH_FILTER_VARIABLE_H
#define CIRC_EH_FILTER_VARIABLE_H

#include "ir/module.h"

void filter_variables_describe(IrModule *m);

#endif
