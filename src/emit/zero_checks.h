/* emit/zero_checks.h: zero checks that are folded into the division behind them (lower/null_check.c marks them).
 *
 *   needs    an optimised module for ELF, on a processor whose divisions fault (target/target.h): only branches with the metadata are looked at
 *   changes  a branch whose other way begins with a division by what was compared; a check that is anywhere else stays one
 *   cost     blocks
 */
#ifndef CIRC_EMIT_ZERO_CHECKS_H
#define CIRC_EMIT_ZERO_CHECKS_H

#include "base/base.h"

#include <llvm-c/Types.h>

#define ZERO_CHECK "circ.zero_check"

void zero_checks_fold(LLVMModuleRef module);

#endif
