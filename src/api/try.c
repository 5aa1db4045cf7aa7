/* api/try.c: a cir.try that grows by its handlers. */
#include "ir/try.h"
#include "api/api.h"

CircOp *circ_build_try(CircBuilder *b)
{
	return api_make_op(__func__, b, &(CircOpSpec){.mnemonic = "cir.try", .nregions = 1});
}

static bool check_try(ApiCall *c, const IrOp *op)
{
	enum { REGIONS_MAX = 0xFFFF }; /* IrOp.nregions */
	if (!api_symbol(c, op, OP_TRY, "op"))
		return false;
	if (!ir_try_is_whole(op))
		return api_error(c, "regions of 'op' are not those of its handlers");
	if (ir_try_finally(op))
		return api_error(c, "'op' has a finally, which is the last; add handlers before it");
	return op->nregions + 2 <= REGIONS_MAX || api_error(c, "'op' has too many handlers");
}

static void add_handler(IrModule *m, IrOp *op, const IrAttr *handler)
{
	Name *name = ir_known_name(m, NAME_handler_types);
	const IrAttr *former = ir_op_attr(op, NAME_handler_types);
	uint32_t n = ir_try_nhandlers(op);
	const IrAttr **all = arena_array(&m->scratch, const IrAttr *, n + 1);
	for (uint32_t i = 0; i < n; i++)
		all[i] = former->elems[i];
	all[n] = handler;
	ir_op_set_attr(m, op, name, ir_attr_array(m, all, n + 1));
}

/* The block of a new region, which has an argument unless `type` is NULL. */
static IrBlock *add_block(ApiCall *c, IrRegion *r, IrType *type)
{
	IrBlock *b = ir_block_create(c->m, c->loc);
	ir_block_append(r, b);
	if (type)
		ir_block_add_arg(c->m, b, type);
	return api_hand_out(c->m, b);
}

/* handler: the entry of handler_types, NULL for a finally. filter: gets the block of the filter, or NULL. */
static IrBlock *add_to_try(const char *function, CircModule *m, CircOp *op, const IrAttr *handler,
                           IrBlock **filter)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return NULL;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return NULL;
	}
	IrBlock *b = NULL;
	if (check_try(&c, op)) {
		c.loc = op->loc;
		ir_op_add_regions(m, op, filter ? 2 : 1);
		if (handler)
			add_handler(m, op, handler);
		else
			ir_set_flag(m, op, NAME_finally);
		if (filter)
			*filter = add_block(&c, &op->regions[op->nregions - 2], m->voidp);
		b = add_block(&c, &op->regions[op->nregions - 1],
		              handler ? ir_type_simple(m, TYPE_EH_TOKEN) : NULL);
	}
	api_end(&c);
	return b;
}

CircBlock *circ_try_add_handler(CircModule *m, CircOp *op, const char *type_info)
{
	const IrAttr *handler = !m ? NULL
	                        : type_info
	                            ? circ_attr_global_view(m, circ_type_ptr(m, m->u8), type_info, NULL, 0)
	                            : api_make_enum(__func__, m, "handler", "all");
	return handler ? add_to_try(__func__, m, op, handler, NULL) : NULL;
}

CircBlock *circ_try_add_when(CircModule *m, CircOp *op, CircBlock **filter)
{
	const IrAttr *handler = api_make_enum(__func__, m, "handler", "when");
	IrBlock *filter_block = NULL;
	IrBlock *b = handler ? add_to_try(__func__, m, op, handler, &filter_block) : NULL;
	if (filter)
		*filter = filter_block;
	return b;
}

CircBlock *circ_try_add_finally(CircModule *m, CircOp *op)
{
	return add_to_try(__func__, m, op, NULL, NULL);
}
