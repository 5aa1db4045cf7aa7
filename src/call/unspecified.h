/* call/unspecified.h: where a calling convention depends on what the module does not specify.
 *
 * In text of every era, and in modules that are built in memory:
 *
 * 	a last member without elements	a[] goes in memory, a[0] does not. cir.record_traits specifies it; else it is a[]
 * 	System V: a member that is accessed atomically	`_Atomic` takes its record to memory. cir.record_traits specifies it; else it is not
 * 	windows-msvc: 80 bits after an ellipsis	to a function that is only declared, which reads a double
 * 	System V: which members are padding	an error, where the reader found no answer (MARK_UNTOLD)
 *
 * Only in older texts (call/guess):
 *
 * 	no cir.record_layouts: an inline constructor that only copies	by address, if it is not trivial. special_member specifies it; else it is
 * 	System V: a vector of two _Float16 or __bf16	goes as an integer, but is the form of a record of two that is lowered already
 * 	System V: a narrow integer that nothing widens	in a module that widens others, and whose records are not lowered
 *
 * One warning for each type and cause, at the first function or call that the outside sees.
 */
#ifndef CIRC_CALL_UNSPECIFIED_H
#define CIRC_CALL_UNSPECIFIED_H

#include "ir/module.h"
#include "target/target.h"

/* needs    a module with its calls, cir.va_arg and copies as the source has them
 * errors   false: reported. What passes or takes a record whose padding is not known in registers that depend on it, which
 *          only the System V ABI's do, and a copy without the tail where it is not known where that begins */
bool abi_check_padding(IrModule *m, const AbiTarget *target, const char *features, Diags *d);

/* needs    a module with its calls and cir.va_arg as the source has them
 * cost     a look at each type; where one of them may matter, a walk over the module */
void abi_warn_of_unspecified(IrModule *m, const AbiTarget *target, const char *features, Diags *d);

#endif
