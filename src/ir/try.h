/* ir/try.h: the regions of a cir.try and the entries of a dispatch, and what each is for. Nobody else counts them.
 *
 *	body | for each entry of handler_types: [the filter of a `when`,] the handler | the finally, if the op has one
 *
 * Of an op that did not pass the verifier, too: then ir_try_is_whole() says whether the rest may be asked.
 */
#ifndef CIRC_IR_TRY_H
#define CIRC_IR_TRY_H

#include "ir/module.h"

typedef enum TryHandlerKind {
	TRY_TYPE,   /* catches one type; what the verifier refuses counts as one, too */
	TRY_WHEN,   /* catches what its filter says */
	TRY_ALL,    /* catches everything */
	TRY_UNWIND, /* runs and goes on unwinding */
	TRY_FILTER, /* an exception specification; its region sees what that allows, and goes on unwinding */
	TRY_UNEXPECTED, /* sees what the specification does not allow */
} TryHandlerKind;

typedef struct TryHandler {
	const IrOp *op;
	uint32_t index; /* in handler_types */
	TryHandlerKind kind;
	const IrAttr *use; /* its entry there: TRY_TYPE the global view, TRY_FILTER the array */
	IrRegion *filter;  /* TRY_WHEN; else NULL */
	IrRegion *region;
} TryHandler;

/* Has it as many regions as its attributes tell of? */
bool ir_try_is_whole(const IrOp *op);
uint32_t ir_try_nhandlers(const IrOp *op);

/* *h becomes the first handler, or the one behind *h. False: there is none. */
bool ir_try_first(const IrOp *op, TryHandler *h);
bool ir_try_next(TryHandler *h);
#define IR_FOR_HANDLERS(h, op) for (bool more = ir_try_first(op, h); more; more = ir_try_next(h))

/* Runs on every way out of the body and the handlers; NULL: there is none. */
IrRegion *ir_try_finally(const IrOp *op);

/* Does a handler of that kind catch, so that it begins with a cir.begin_catch? */
static inline bool ir_try_catches(TryHandlerKind kind)
{
	return kind == TRY_TYPE || kind == TRY_WHEN || kind == TRY_ALL;
}

/* What a region is for. */
typedef enum TryRole {
	TRY_ROLE_NONE,
	TRY_ROLE_BODY,
	TRY_ROLE_FILTER,
	TRY_ROLE_HANDLER,
	TRY_ROLE_FINALLY
} TryRole;

/* TRY_ROLE_NONE: of no cir.try, or of one that is not whole. *h: the handler of TRY_ROLE_FILTER and TRY_ROLE_HANDLER. */
TryRole ir_try_role(const IrRegion *r, TryHandler *h);

/* An entry of catch_types of a cir.eh.dispatch: the filter function of a `when`; NULL: it is a type. Types may be plain
 * symbols, too, in the generic form. */
static inline Name *ir_catch_filter(const IrAttr *entry)
{
	const IrOp *symbol = entry->kind == ATTR_SYMBOL ? ir_symbol(entry->name) : NULL;
	bool filter = entry->kind == ATTR_SYMBOL && (!symbol || symbol->kind == OP_FUNC);
	return filter ? entry->name : NULL;
}

#endif
