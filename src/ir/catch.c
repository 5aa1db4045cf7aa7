#include "ir/catch.h"

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
