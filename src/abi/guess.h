/* abi/guess.h: warnings where a calling convention depends on what CIR does not tell.
 *
 * 	a last member without elements	a[] goes in memory, a[0] does not. cir.record_traits tells; else it is a[]
 * 	System V: a member that is accessed atomically	`_Atomic` takes its record to memory. cir.record_traits tells; else it is not
 * 	no cir.record_layouts: an inline constructor that only copies	by address, if it is not trivial. special_member tells; else it is
 * 	System V: a vector of two _Float16 or __bf16	goes as an integer, but is the form of a record of two that is lowered already
 * 	System V: a narrow integer that nothing widens	in a module that widens others, and whose records are not lowered
 * 	windows-msvc: 80 bits behind an ellipsis	to a function that is only declared, which reads a double
 *
 * One for each type and cause, at the first function or call that the outside sees.
 */
#ifndef CIRC_ABI_GUESS_H
#define CIRC_ABI_GUESS_H

#include "abi/target.h"
#include "ir/module.h"

/* needs    a module with its calls and cir.va_arg as the source has them
 * cost     a look at each type; where one of them may matter, a walk over the module */
void abi_warn_of_guesses(IrModule *m, const AbiTarget *target, const char *features, Diags *d);

#endif
