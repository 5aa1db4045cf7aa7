/* ir/catch_region.h: regions put into cleanup scopes and catches. The reader uses it for the eras that leave them
 * unsaid, flattening for cir.catch_param.
 *
 * Ownership  blocks move; a region that gives its blocks away is empty afterwards.
 */
#ifndef CIRC_IR_CATCH_REGION_H
#define CIRC_IR_CATCH_REGION_H

#include "ir/module.h"

void ir_region_move_blocks(IrRegion *from, IrRegion *to); /* behind what `to` has */

/* `{ body }` → `{ cir.cleanup.scope { body } cleanup KIND { cleanup }; cir.yield }`. The entry block of
 * `body` has no arguments. Returns the scope. */
IrOp *ir_wrap_in_cleanup(IrModule *m, IrRegion *body, unsigned kind, IrRegion *cleanup, Loc loc);

/* A handler, whose entry block has the token:
 *
 *	{ body } → { begin_catch; cir.cleanup.scope { body } cleanup all { end_catch }; cir.yield }
 *
 * pointer: the type that begin_catch gives. Returns the pointer. */
IrValue *ir_wrap_in_catch(IrModule *m, IrRegion *handler, IrType *pointer, Loc loc);

/* A cir.catch_param, the first op of a handler: stands for the catch of the whole
 * handler (cir-reference 5.10). Erases it. */
void ir_expand_catch_param(IrModule *m, IrOp *catch_param);

/* Optimised modules since mid 2026 have the lifetime of a handler's variable around its catch:
 *
 *	{ lifetime.start; cleanup.scope { begin_catch; … } cleanup { lifetime.end }; cir.yield } → { begin_catch; … }
 *
 * The markers are hints, and they cannot stay: where the runtime fills the variable before the handler
 * begins, the first of them would say that it holds nothing. Other handlers are left alone. */
void ir_unwrap_catch(IrRegion *handler);

/* Whether the cir.construct_catch_param right before the cir.begin_catch that gives `exn` has
 * made `slot` a reference to the caught pointer. */
bool ir_catch_has_reference(const IrValue *exn, const IrValue *slot);

#endif
