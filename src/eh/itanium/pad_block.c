/* eh/itanium/pad_block.c: what the files of the landing-pad shape share: the pair that a token became, and the pad
 * that terminates. */
#include "eh/cxa_op.h"
#include "eh/itanium/landingpad.h"

ExnPair landingpad_pair(const LandingPads *l, const IrValue *token)
{
	uint32_t v = abi_flow_vertex(l->tables, token);
	CHECK(v < l->plan->flow.ntokens);
	return l->pairs[v];
}

IrOp *landingpad_build(LandingPads *l, IrBuilder *b)
{
	IrType *types[] = {l->m->voidp, l->m->u32};
	return ir_build_spec(b, &(IrOpSpec){.kind = OP_EH_INFLIGHT, .result_types = types, .nresults = 2});
}

IrBlock *landingpad_terminate_block(LandingPads *l, Loc loc)
{
	if (l->terminate_block)
		return l->terminate_block;
	l->terminate_block = ir_block_create(l->m, loc);
	ir_block_append(&l->func->regions[0], l->terminate_block);
	IrBuilder b = ir_at_end(l->m, l->terminate_block, loc);
	IrOp *inflight = landingpad_build(l, &b);
	ir_set_flag(l->m, inflight, NAME_catch_all);
	cxa_end_in_terminate(l->cxa, &b, &inflight->results[0]);
	return l->terminate_block;
}
