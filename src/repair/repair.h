/* repair/repair.h: texts that some version of clang printed wrong mean what clang compiled.
 *
 * A text means what it says. Some versions of clang printed texts that do not say what the program was: repairs.def has a row
 * for each such thing. One of them is changed where the module asks for it, and only there:
 *
 *	REPAIR_NONE   never
 *	REPAIR_CLANG  wherever a row finds its pattern
 *	REPAIR_AUTO   … if the text proves that a clang of the row's time printed it: by an obsolete spelling of a closed list
 *	              (ir/dated.def), or an attribute that nothing but clang gives a module (proofs.def).
 *	              Without a proof, there is one warning for the first pattern that is found.
 *
 *   needs    a module that passed ir_verify at that stage, and of which nothing is expanded yet
 *   gives    the same stage, or STAGE_STRUCTURED for STAGE_FLAT: a text whose ops are of all stages counts as flat, and a
 *            repair may bring the first region into it
 *   cost     linear in the size of the module, but for what the rows bound; nothing for REPAIR_NONE
 *   errors   false: reported; the module may then be only destroyed
 */
#ifndef CIRC_REPAIR_REPAIR_H
#define CIRC_REPAIR_REPAIR_H

#include "base/diag.h"
#include "ir/module.h"
#include "target/target.h"

/* What is asked for once; further calls do nothing. target NULL: one that circ does not know. */
bool repair_module(IrModule *m, const AbiTarget *target, Stage *stage, Diags *d);

#endif
