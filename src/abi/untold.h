/* abi/untold.h: records of which the text does not tell which bytes are padding (MARK_UNTOLD).
 *
 *   needs    a module with its calls, cir.va_arg and copies as the source has them
 *   errors   false: reported. What passes or takes such a record in registers that depend on it, which only the System V
 *            ABI's do, and a copy without the tail where it is not told where that begins
 */
#ifndef CIRC_ABI_UNTOLD_H
#define CIRC_ABI_UNTOLD_H

#include "abi/target.h"
#include "ir/module.h"

bool abi_check_untold(IrModule *m, const AbiTarget *target, const char *features, Diags *d);

#endif
