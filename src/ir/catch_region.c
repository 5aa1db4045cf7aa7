#include "ir/catch_region.h"

#include "ir/build.h"

void ir_region_move_blocks(IrRegion *from, IrRegion *to)
{
	while (from->first) {
		IrBlock *b = from->first;
		ir_block_remove(b);
		ir_block_append(to, b);
	}
}

static IrOp *build_cleanup_scope(IrBuilder *b, unsigned kind)
{
	IrNamedAttr attr = {ir_known_name(b->m, NAME_kind), ir_attr_enum(b->m, ENUM_CLEANUP, kind)};
	return ir_build_spec(
	    b, &(IrOpSpec){.kind = OP_CLEANUP_SCOPE, .nregions = 2, .attrs = &attr, .nattrs = 1});
}

static IrBuilder in_new_block(IrModule *m, IrRegion *r, Loc loc)
{
	IrBlock *b = ir_block_create(m, loc);
	ir_block_append(r, b);
	return ir_at_end(m, b, loc);
}

IrOp *ir_wrap_in_cleanup(IrModule *m, IrRegion *body, unsigned kind, IrRegion *cleanup, Loc loc)
{
	IrRegion inner = {0};
	ir_region_move_blocks(body, &inner);
	IrBuilder b = in_new_block(m, body, loc);
	IrOp *scope = build_cleanup_scope(&b, kind);
	ir_build(&b, OP_YIELD, NULL, NULL, 0);
	ir_region_move_blocks(&inner, &scope->regions[0]);
	ir_region_move_blocks(cleanup, &scope->regions[1]);
	return scope;
}

IrValue *ir_wrap_in_catch(IrModule *m, IrRegion *handler, IrType *pointer, Loc loc)
{
	IrValue *old = handler->first->args[0];
	IrBlock *entry = ir_block_create(m, loc);
	IrValue *token = ir_block_add_arg(m, entry, old->type);
	ir_value_replace(old, token);
	ir_block_remove_arg(handler->first, 0);

	IrBuilder b = ir_at_end(m, entry, loc);
	IrType *types[] = {ir_type_simple(m, TYPE_CATCH_TOKEN), pointer};
	IrOp *begin = ir_build_spec(&b, &(IrOpSpec){.kind = OP_BEGIN_CATCH,
	                                            .operands = &token,
	                                            .noperands = 1,
	                                            .result_types = types,
	                                            .nresults = 2});
	IrOp *scope = build_cleanup_scope(&b, CLEANUP_ALL);
	ir_build(&b, OP_YIELD, NULL, NULL, 0);
	ir_region_move_blocks(handler, &scope->regions[0]);
	ir_block_append(handler, entry);

	b = in_new_block(m, &scope->regions[1], loc);
	IrValue *catch_token = &begin->results[0];
	ir_build(&b, OP_END_CATCH, NULL, &catch_token, 1);
	ir_build(&b, OP_YIELD, NULL, NULL, 0);
	return &begin->results[1];
}

void ir_expand_catch_param(IrModule *m, IrOp *catch_param)
{
	IrValue *result = &catch_param->results[0];
	ir_value_replace(result,
	                 ir_wrap_in_catch(m, catch_param->block->region, result->type, catch_param->loc));
	ir_op_erase(catch_param);
}

static bool is_lifetime(const IrOp *op)
{
	return op && (op->kind == OP_LIFETIME_START || op->kind == OP_LIFETIME_END);
}

static bool is_bare_yield(const IrOp *op)
{
	return op && op->kind == OP_YIELD && op->noperands == 0 && !op->next;
}

static bool begins_catch(const IrOp *op)
{
	while (op && op->kind == OP_CONSTRUCT_CATCH_PARAM)
		op = op->next;
	return op && op->kind == OP_BEGIN_CATCH;
}

static bool is_ended(const IrOp *start, const IrBlock *cleanup)
{
	for (const IrOp *op = cleanup->first; is_lifetime(op); op = op->next)
		if (op->kind == OP_LIFETIME_END && ir_operand(op, 0) == ir_operand(start, 0))
			return true;
	return false;
}

static bool all_end(const IrBlock *entry, const IrOp *scope, const IrBlock *cleanup)
{
	for (const IrOp *op = entry->first; op != scope; op = op->next)
		if (!is_ended(op, cleanup))
			return false;
	return true;
}

/* The scope around a catch that ends the lifetime of its variable and does nothing else; NULL: there is none. */
static IrOp *lifetime_scope(const IrBlock *entry)
{
	IrOp *scope = entry->first;
	while (is_lifetime(scope))
		scope = scope->next;
	if (!scope || scope == entry->first || scope->kind != OP_CLEANUP_SCOPE || !is_bare_yield(scope->next))
		return NULL;
	const IrBlock *body = scope->regions[0].first, *cleanup = scope->regions[1].first;
	const IrOp *end = cleanup ? cleanup->first : NULL;
	while (is_lifetime(end))
		end = end->next;
	bool fits = body && !body->preds && !body->nargs && begins_catch(body->first) && is_bare_yield(end) &&
	            all_end(entry, scope, cleanup);
	return fits ? scope : NULL;
}

void ir_unwrap_catch(IrRegion *handler)
{
	IrBlock *entry = handler->first;
	IrOp *scope = entry ? lifetime_scope(entry) : NULL;
	if (!scope)
		return;
	while (entry->first != scope)
		ir_op_erase(entry->first);
	IrBlock *body = scope->regions[0].first;
	for (IrOp *op = ir_block_take_ops(body), *next; op; op = next) {
		next = op->next;
		op->next = op->prev = NULL;
		ir_op_insert_before(scope, op);
	}
	ir_block_erase(body);
	ir_region_move_blocks(&scope->regions[0], handler);
	ir_op_erase(scope->next); /* the handler ends as the body did */
	ir_op_erase(scope);
}

bool ir_catch_has_reference(const IrValue *exn, const IrValue *slot)
{
	const IrOp *op = exn->is_arg ? NULL : exn->def.op;
	if (!op || op->kind != OP_BEGIN_CATCH)
		return false;
	op = op->prev;
	return op && op->kind == OP_CONSTRUCT_CATCH_PARAM && ir_operand(op, 1) == slot &&
	       ir_op_enum(op, NAME_kind, CATCH_INIT_SCALAR) == CATCH_INIT_REFERENCE_TO_POINTER;
}
