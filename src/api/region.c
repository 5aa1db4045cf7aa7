/* api/region.c: what front ends build around and behind regions whose text they read. */
#include "api/api.h"
#include "ir/try.h"

/* Does control come to its end? A filter ends with a cir.yield, too, but that has the answer. */
static bool is_left_at_end(const IrRegion *r)
{
	IR_FOR_BLOCKS (b, r) {
		const IrOp *last = ir_block_terminator(b);
		if (last && last->kind == OP_YIELD && last->noperands == 0)
			return true;
	}
	return false;
}

/* The region that runs behind the others where no exception passes, or NULL. */
static const IrRegion *region_behind(const IrOp *op)
{
	if (op->kind == OP_TRY)
		return ir_try_finally(op);
	bool runs = op->kind == OP_CLEANUP_SCOPE && ir_op_enum(op, NAME_kind, CLEANUP_ALL) != CLEANUP_EH;
	return runs ? &op->regions[1] : NULL;
}

/* A region without a block is an `else` that was left out. */
static bool is_left(const IrOp *op)
{
	const IrRegion *behind = region_behind(op);
	uint32_t n = op->kind == OP_CLEANUP_SCOPE ? 1 : op->nregions;
	if (behind && !is_left_at_end(behind))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const IrRegion *r = &op->regions[i];
		if (r != behind && (!r->first || is_left_at_end(r)))
			return true;
	}
	return false;
}

static bool end_regions(CircBuilder *b, CircOp *op)
{
	for (uint32_t i = 0; i < op->nregions; i++) {
		bool left_out = op->kind == OP_IF && i == 1 && !op->regions[i].first;
		if (left_out)
			continue;
		if (!circ_builder_enter(b, op, i))
			return false;
		if (!circ_builder_ended(b) && !circ_build_op(b, &(CircOpSpec){.mnemonic = "cir.yield"}))
			return false;
	}
	return true;
}

static bool check(CircBuilder *b, const CircOp *op)
{
	static const OpKind kinds[] = {OP_SCOPE, OP_IF, OP_CLEANUP_SCOPE, OP_TRY};
	ApiCall c;
	if (!b || !api_begin(&c, b->m, "circ_builder_finish"))
		return false;
	bool known = false, ours = api_op(&c, op, "op");
	for (size_t i = 0; ours && i < sizeof kinds / sizeof *kinds; i++)
		known |= op->kind == kinds[i];
	if (ours && !known)
		api_error(&c, "'op' is a %s; expected a cir.scope, cir.if, cir.cleanup.scope or cir.try",
		          op_info[op->kind].name);
	else if (ours && op->kind == OP_TRY && !ir_try_is_whole(op))
		known = api_error(&c, "regions of 'op' are not those of its handlers");
	api_end(&c);
	return known;
}

bool circ_builder_finish(CircBuilder *b, CircOp *op)
{
	if (!check(b, op) || !end_regions(b, op) || !circ_builder_enter(b, op, 0))
		return false;
	circ_builder_leave(b, NULL); /* the next op stands after the one with regions */
	bool left = is_left(op);
	if (!left)
		circ_build_unreachable(b);
	return left;
}

CircValue *circ_build_typed_filter(CircBuilder *b, CircBlock *filter, const char *type_info,
                                   CircType *pointer_type)
{
	CircType *s32 = b ? circ_type_int(b->m, 32, true) : NULL;
	if (!s32 || !circ_builder_at_end(b, filter))
		return NULL;
	CircValue *object = circ_build_object_as(b, circ_block_arg(filter, 0), type_info, pointer_type);
	CircValue *null = object ? circ_build_null(b, pointer_type) : NULL;
	CircValue *fits = null ? circ_build_cmp(b, "ne", object, null) : NULL;
	CircOp *choice = fits ? circ_build_ternary(b, fits, s32) : NULL;
	if (!choice || !circ_builder_leave(b, circ_op_result(choice, 0)) ||
	    !circ_builder_enter(b, choice, 1) || !circ_builder_leave(b, circ_build_int(b, s32, 0)) ||
	    !circ_builder_enter(b, choice, 0))
		return NULL;
	return object;
}
