/* verify/untrusted.h: may the module of a stranger be compiled? docs/untrusted.md says what that promises.
 *
 * Errors   false: a CIRC_ERROR for each thing that is not allowed
 * needs    a module that verifies
 */
#ifndef CIRC_VERIFY_UNTRUSTED_H
#define CIRC_VERIFY_UNTRUSTED_H

#include "ir/module.h"

bool verify_untrusted(const IrModule *m, Diags *d);

#endif
