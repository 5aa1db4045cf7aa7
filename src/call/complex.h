/* call/complex.h: products and quotients of complex numbers, written out (cir-reference 5.19).
 *
 *   needs    a verified module without regions: flat, or further; before the calling convention pass, since
 *            what is as exact as C wants it is a call that returns a complex number
 *   gives    one of the same stage without cir.complex.mul and cir.complex.div
 *   cost     ops
 *   errors   false: reported (a symbol that stands in the way of the run-time library); the
 *            module may then be only destroyed
 */
#ifndef CIRC_CALL_COMPLEX_H
#define CIRC_CALL_COMPLEX_H

#include "base/diag.h"
#include "ir/module.h"
#include "target/target.h"

bool abi_expand_complex(IrModule *m, const AbiTarget *target, Diags *d);

#endif
