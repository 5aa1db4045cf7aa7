/* eh/sjlj/sjlj.h: exceptions by setjmp and longjmp, in modules with `circ.eh.model = "sjlj"`.
 *
 *   needs    a module in the Itanium form, which names clauses of circ's runtime (eh/clause_data.h) in functions of C++, too
 *   gives    the same without landing pads; calls that have an edge for exceptions set a frame up, call, and take it down
 *   changes  functions with such calls, and throwing on; the module gets a table for each landing pad
 *   cost     ops + clauses
 *   errors   false: reported
 */
#ifndef CIRC_EH_SJLJ_SJLJ_H
#define CIRC_EH_SJLJ_SJLJ_H

#include "ir/module.h"

bool sjlj_lower(IrModule *m, Diags *d);

#endif
