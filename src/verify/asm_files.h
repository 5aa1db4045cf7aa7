/* verify/asm_files.h: does assembly keep away from files?
 *
 * '.incbin' and '.include' put any file that the compiler can read into the object, or into messages.
 *
 * Errors   false: a CIRC_ERROR for each op, and one for the module's own assembly, with LLVM's assembler in mind.
 * needs    a module that verifies
 */
#ifndef CIRC_VERIFY_ASM_FILES_H
#define CIRC_VERIFY_ASM_FILES_H

#include "ir/module.h"

bool verify_no_asm_files(const IrModule *m, Diags *d);

#endif
