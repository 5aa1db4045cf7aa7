/* eh/microsoft/funclet_prepare.h: flat CIR to flat CIR in which each thing that ends or begins a pad ends or begins a
 * block, so that a block belongs to one pad from its beginning to its end.
 *
 *   needs    a function of flat CIR that passed ir_verify
 *   gives    behind cir.end_catch only a cir.br; before cir.eh.dispatch and cir.eh.terminate at most a
 *            cir.eh.initiate; no cir.construct_catch_param that copies; no dispatch without handlers; no
 *            constant decides whether a cleanup ends
 *   cost     ops
 *   errors   false: reported (exception specifications, which have no counterpart)
 */
#ifndef CIRC_EH_MICROSOFT_FUNCLET_PREPARE_H
#define CIRC_EH_MICROSOFT_FUNCLET_PREPARE_H

#include "ir/module.h"

bool funclet_prepare(IrModule *m, IrOp *func, Diags *d);

#endif
