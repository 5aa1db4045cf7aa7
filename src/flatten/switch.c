/* cir.switch and cir.case. The cases may stand anywhere inside the switch (Duff's device), so the switch.flat
 * is made when all have been met; until then its block waits. */
#include "flatten/internal.h"

enum { ENUMERATED_RANGE_MAX = 64 }; /* longer ranges are compared, not listed */

typedef struct CaseEdge {
	const IrAttr *value;
	IrBlock *block;
} CaseEdge;

typedef struct Range {
	int64_t low; /* as the condition's type extends it */
	uint64_t span;
	IrBlock *block;
} Range;

struct Switch {
	Switch *outer;
	IrBlock *dispatch; /* ends in the switch.flat; NULL: unreachable */
	IrBlock *exit;
	IrBlock *fallback; /* of the default case */
	VEC(CaseEdge) edges;
	VEC(Range) ranges;
};

/* x - low <=u high - low, tried where no listed value matches. */
static IrBlock *build_range_tests(Flatten *f, Switch *sw, IrValue *x, IrBlock *fallback, const IrOp *op)
{
	for (uint32_t i = sw->ranges.len; i-- > 0;) {
		Range *r = &sw->ranges.data[i];
		IrType *u = ir_type_int(f->m, x->type->width, false, x->type->bitint);
		IrBlock *test = flatten_block(f, op);
		ir_block_append(f->out, test);
		IrBuilder b = ir_at_end(f->m, test, op->loc);
		IrValue *operands[] = {x->type == u ? x : ir_build_cast(&b, CAST_INTEGRAL, x, u),
		                       ir_build_const_int(&b, u, (uint64_t)r->low)};
		IrValue *distance = &ir_build(&b, OP_SUB, u, operands, 2)->results[0];
		IrValue *in = ir_build_cmp(&b, CMP_LE, distance, ir_build_const_int(&b, u, r->span));
		ir_build_brcond(&b, in, (IrSuccSpec){.dest = r->block}, (IrSuccSpec){.dest = fallback});
		fallback = test;
	}
	return fallback;
}

static void build_dispatch(Flatten *f, Switch *sw, const IrOp *op)
{
	IrValue *x = ir_operand(op, 0);
	IrSuccSpec *succs = arena_array(f->mem, IrSuccSpec, sw->edges.len + 1);
	const IrAttr **values = arena_array(f->mem, const IrAttr *, sw->edges.len);
	succs[0].dest = build_range_tests(f, sw, x, sw->fallback ? sw->fallback : sw->exit, op);
	for (uint32_t i = 0; i < sw->edges.len; i++) {
		values[i] = sw->edges.data[i].value;
		succs[i + 1].dest = sw->edges.data[i].block;
	}
	IrNamedAttr attr = {ir_known_name(f->m, NAME_case_values),
	                    ir_attr_array(f->m, values, sw->edges.len)};
	IrBuilder b = ir_at_end(f->m, sw->dispatch, op->loc);
	ir_build_spec(&b, &(IrOpSpec){.kind = OP_SWITCH_FLAT,
	                              .operands = &x,
	                              .noperands = 1,
	                              .succs = succs,
	                              .nsuccs = sw->edges.len + 1,
	                              .attrs = &attr,
	                              .nattrs = 1});
}

static void step_switch(Flatten *f, Frame *fr)
{
	Switch *sw = fr->data;
	IrOp *op = fr->op;
	f->scope = fr->scope;
	f->in_switch = sw->outer;
	flatten_end(f, fr, sw->exit, NULL);
	if (sw->dispatch)
		build_dispatch(f, sw, op);
	flatten_place_join(f, sw->exit, op);
	flatten_pop(f);
	ir_op_erase(op);
}

void flatten_switch(Flatten *f, IrOp *op)
{
	Frame *fr = flatten_push(f, op, step_switch);
	Switch *sw = arena_new(f->mem, Switch);
	fr->data = sw;
	sw->outer = f->in_switch;
	f->in_switch = sw;
	flatten_ensure_block(f);
	sw->dispatch = f->at;
	sw->exit = flatten_block(f, op);
	Scope *s = scope_push(f);
	s->on_break = dest_new(f, sw->exit, s);
	f->at = NULL; /* what stands before the first case is not reached */
	flatten_open_region(f, fr, &op->regions[0]);
}

static void add_range(Flatten *f, Switch *sw, const IrAttr *low, const IrAttr *high, IrBlock *block)
{
	bool empty = low->type->is_signed ? (int64_t)low->bits > (int64_t)high->bits : low->bits > high->bits;
	if (empty)
		return;
	/* Two's complement arithmetic in 64 bits is right for both signednesses; the
	 * verifier has refused wider types. */
	uint64_t span = high->bits - low->bits;
	if (span >= ENUMERATED_RANGE_MAX) {
		vec_push(f->mem, &sw->ranges, ((Range){(int64_t)low->bits, span, block}));
		return;
	}
	for (uint64_t i = 0; i <= span; i++)
		vec_push(f->mem, &sw->edges,
		         ((CaseEdge){ir_attr_int(f->m, low->type, low->bits + i), block}));
}

static void step_case(Flatten *f, Frame *fr)
{
	IrOp *op = fr->op;
	flatten_pop(f);
	ir_op_erase(op);
}

/* The region falls through into what follows the case in the text, and so into the next case. */
void flatten_case(Flatten *f, IrOp *op)
{
	Switch *sw = f->in_switch;
	CHECK(sw);
	f->has_jump |= f->frame->step != step_switch; /* over what stands in front of it */
	const IrAttr *values = ir_op_attr(op, NAME_value);
	IrBlock *block = flatten_block(f, op);
	unsigned kind = ir_op_enum(op, NAME_kind, CASE_EQUAL);
	flatten_branch(f, block, NULL, op);
	if (kind == CASE_DEFAULT)
		sw->fallback = block;
	else if (kind == CASE_RANGE)
		add_range(f, sw, values->elems[0], values->elems[1], block);
	else
		for (uint32_t i = 0; i < values->n; i++)
			vec_push(f->mem, &sw->edges, ((CaseEdge){values->elems[i], block}));
	flatten_place(f, block);
	Frame *fr = flatten_push(f, op, step_case);
	flatten_open_region(f, fr, &op->regions[0]);
}
