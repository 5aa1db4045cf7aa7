/* edit_flow.c: ops wrapped in scopes, tries and loops, and taken out of them; jumps, calls and blocks added. */
#include "edit.h"

#include "base/vec.h"
#include "ir/build.h"
#include "ir/catch_region.h"

typedef struct Range {
	IrOp *first, *last; /* of one block */
} Range;

static bool is_in_range(const IrOp *op, Range r)
{
	while (op && op->block != r.first->block)
		op = ir_op_parent(op);
	for (const IrOp *in = r.first; op; in = in->next) {
		if (in == op)
			return true;
		if (in == r.last)
			break;
	}
	return false;
}

static bool is_closed(Range r)
{
	for (const IrOp *op = r.first;; op = op->next) {
		for (uint32_t i = 0; i < op->nresults; i++)
			IR_FOR_USES (u, &op->results[i])
				if (!is_in_range(u->user, r))
					return false;
		if (op == r.last)
			return true;
	}
}

/* Some ops whose results nothing behind them uses, if there are any nearby. */
static bool pick_range(Edit *e, Range *out)
{
	IrOp *first = pick_op(e, pick_is_middle);
	if (!first)
		return false;
	uint32_t wanted = 1 + pick_below(e, 6), n = 0;
	*out = (Range){first, first};
	Range r = *out;
	for (IrOp *op = first; op && pick_is_middle(op) && n < 40; op = op->next, n++) {
		r.last = op;
		if (is_closed(r)) {
			*out = r;
			if (n + 1 >= wanted)
				break;
		}
	}
	return true;
}

static void move_into(Range r, IrBlock *to)
{
	for (IrOp *op = r.first, *next;; op = next) {
		next = op->next;
		bool last = op == r.last;
		ir_op_remove(op);
		ir_op_append(to, op);
		if (last)
			return;
	}
}

static IrBuilder open_region(const IrBuilder *b, IrOp *op, uint32_t region)
{
	return ir_in_region(b, &op->regions[region]);
}

static void put_condition(Edit *e, const IrBuilder *outer, IrOp *op, uint32_t region)
{
	IrBuilder b = open_region(outer, op, region);
	IrValue *v = ir_build_const(&b, ir_attr_bool(e->m, pick_one_in(e, 2)));
	ir_build(&b, OP_CONDITION, NULL, &v, 1);
}

static void put_yield(const IrBuilder *outer, IrOp *op, uint32_t region)
{
	IrBuilder b = open_region(outer, op, region);
	ir_build_yield(&b, NULL);
}

/* A call of something that takes no arguments, so that the region does something. */
static void put_call(Edit *e, IrBuilder *b)
{
	Name *name = ir_name(e->m, STR("fuzz_effect"));
	bool taken = ir_symbol(name) && ir_symbol(name)->kind != OP_FUNC;
	if (taken)
		return;
	ir_func_declare(e->m, STR("fuzz_effect"),
	                ir_type_func(e->m, NULL, 0, ir_type_simple(e->m, TYPE_VOID), false));
	IrOp *call = ir_build_call(b, name, NULL, NULL, 0);
	if (pick_one_in(e, 4))
		ir_set_flag(e->m, call, NAME_nothrow);
}

static IrBlock *wrap_in_cleanup(Edit *e, IrBuilder *b)
{
	IrOp *op = ir_build_regions(b, OP_CLEANUP_SCOPE, NULL, NULL, 2);
	ir_set_enum(e->m, op, NAME_kind, ENUM_CLEANUP, pick_below(e, 3));
	IrBuilder cleanup = open_region(b, op, 1);
	put_call(e, &cleanup);
	ir_build_yield(&cleanup, NULL);
	return open_region(b, op, 0).block;
}

static bool is_type_info(const IrOp *op)
{
	const Name *name = op->kind == OP_GLOBAL ? ir_symbol_name(op) : NULL;
	return name && strncmp(name->text, "_ZTI", 4) == 0;
}

static const IrAttr *pick_handler(Edit *e)
{
	IrOp *info = pick_op(e, is_type_info);
	uint32_t kind = pick_below(e, 6);
	if (info && kind < 3)
		return ir_attr_global_view(e->m, ir_type_ptr(e->m, e->m->u8), ir_symbol_name(info), NULL, 0);
	return ir_attr_enum(e->m, ENUM_HANDLER, kind == 5 ? HANDLER_UNWIND : HANDLER_ALL);
}

static void put_handler(Edit *e, const IrBuilder *outer, IrOp *op, uint32_t region, const IrAttr *use)
{
	IrBuilder b = open_region(outer, op, region);
	IrValue *token = ir_block_add_arg(e->m, b.block, ir_type_simple(e->m, TYPE_EH_TOKEN));
	if (use->kind == ATTR_ENUM && use->bits != HANDLER_ALL) {
		ir_build(&b, OP_RESUME, NULL, &token, 1);
		return;
	}
	IrType *types[] = {ir_type_simple(e->m, TYPE_CATCH_TOKEN),
	                   use->kind == ATTR_ENUM ? e->m->voidp : ir_type_ptr(e->m, e->m->s32)};
	IrOp *begin = ir_build_spec(&b, &(IrOpSpec){.kind = OP_BEGIN_CATCH,
	                                            .operands = &token,
	                                            .noperands = 1,
	                                            .result_types = types,
	                                            .nresults = 2});
	IrValue *caught = &begin->results[0];
	put_call(e, &b);
	ir_build(&b, OP_END_CATCH, NULL, &caught, 1);
	ir_build_yield(&b, NULL);
}

static IrBlock *wrap_in_try(Edit *e, IrBuilder *b)
{
	uint32_t n = 1 + pick_one_in(e, 3);
	const IrAttr *uses[2] = {pick_handler(e), ir_attr_enum(e->m, ENUM_HANDLER, HANDLER_ALL)};
	IrOp *op = ir_build_regions(b, OP_TRY, NULL, NULL, 1 + n);
	ir_op_set_attr(e->m, op, ir_known_name(e->m, NAME_handler_types), ir_attr_array(e->m, uses, n));
	for (uint32_t i = 0; i < n; i++)
		put_handler(e, b, op, i + 1, uses[i]);
	return open_region(b, op, 0).block;
}

static IrBlock *wrap_in_loop(Edit *e, IrBuilder *b)
{
	static const OpKind kinds[] = {OP_WHILE, OP_DO, OP_FOR};
	static const uint8_t nregions[] = {3, 2, 4}, body[] = {1, 0, 1}, condition[] = {0, 1, 0};
	uint32_t k = pick_below(e, ARRAY_LEN(kinds));
	IrOp *op = ir_build_regions(b, kinds[k], NULL, NULL, nregions[k]);
	put_condition(e, b, op, condition[k]);
	if (kinds[k] == OP_FOR)
		put_yield(b, op, 2);
	return open_region(b, op, body[k]).block;
}

static IrBlock *wrap_in_if(Edit *e, IrBuilder *b, IrOp *at)
{
	IrValue *v = pick_value(e, at, ir_type_simple(e->m, TYPE_BOOL));
	IrOp *op = ir_build_regions(b, OP_IF, v, NULL, 2);
	if (pick_one_in(e, 2))
		put_yield(b, op, 1);
	return open_region(b, op, 0).block;
}

bool edit_wrap(Edit *e)
{
	Range r;
	if (!pick_range(e, &r))
		return false;
	IrBuilder b = ir_before(e->m, r.first);
	IrBlock *body;
	switch (pick_below(e, 8)) {
	case 0:
		body = open_region(&b, ir_build_regions(&b, OP_SCOPE, NULL, NULL, 1), 0).block;
		break;
	case 1:
		body = wrap_in_if(e, &b, r.first);
		break;
	case 2:
	case 3:
		body = wrap_in_loop(e, &b);
		break;
	case 4:
	case 5:
		body = wrap_in_cleanup(e, &b);
		break;
	default:
		body = wrap_in_try(e, &b);
		break;
	}
	move_into(r, body);
	b = ir_at_end(e->m, body, (Loc){0});
	ir_build_yield(&b, NULL);
	return true;
}

static bool has_regions(const IrOp *op)
{
	return pick_is_middle(op) && op->nregions && op->regions[0].first;
}

/* The entry block of one region in place of the op. */
bool edit_unwrap(Edit *e)
{
	IrOp *op = pick_op(e, has_regions);
	IrBlock *body = op ? op->regions[pick_below(e, op->nregions)].first : NULL;
	if (!body)
		return false;
	for (uint32_t i = 0; i < body->nargs; i++)
		if (body->args[i]->uses)
			ir_value_replace(body->args[i], pick_value(e, op, body->args[i]->type));
	for (IrOp *in = body->first, *next; in; in = next) {
		next = in->next;
		if (op_info[in->kind].flags & OPF_TERM)
			break;
		ir_op_remove(in);
		ir_op_insert_before(op, in);
	}
	edit_erase(e, op);
	return true;
}

static void put_return(Edit *e, IrBuilder *b, IrOp *at)
{
	IrOp *func = pick_function_of(at);
	IrType *type = func && pick_is_function(func) ? ir_func_type(func)->elem : NULL;
	IrValue *v = type && type->kind != TYPE_VOID ? pick_value(e, at, type) : NULL;
	b->before = at;
	ir_build(b, OP_RETURN, NULL, &v, v != NULL);
}

static bool is_label(const IrOp *op)
{
	return op->kind == OP_LABEL;
}

static void put_goto(Edit *e, IrBuilder *b)
{
	IrOp *label = pick_op(e, is_label);
	const IrAttr *name = label ? ir_op_attr(label, NAME_label) : ir_attr_string(e->m, STR("new"));
	IrNamedAttr attr = {ir_known_name(e->m, NAME_label), name};
	if (name)
		ir_build_spec(b, &(IrOpSpec){.kind = OP_GOTO, .attrs = &attr, .nattrs = 1});
}

static void put_jump(Edit *e, IrBuilder *b, IrOp *at)
{
	static const OpKind plain[] = {OP_BREAK, OP_CONTINUE, OP_UNREACHABLE, OP_TRAP, OP_YIELD, OP_RESUME};
	uint32_t k = pick_below(e, 10);
	if (k < 6)
		ir_build(b, plain[k], NULL, NULL, 0);
	else if (k == 6)
		put_goto(e, b);
	else
		put_return(e, b, at);
}

/* A jump away: in place of the rest of the block, or under a condition. */
bool edit_leave(Edit *e)
{
	IrOp *at = pick_op(e, pick_is_inner);
	if (!at)
		return false;
	IrBuilder b = ir_before(e->m, at);
	if (pick_one_in(e, 4)) {
		put_jump(e, &b, at);
		edit_erase_rest(e, at);
		return true;
	}
	IrOp *op = ir_build_regions(&b, OP_IF, pick_value(e, at, ir_type_simple(e->m, TYPE_BOOL)), NULL, 2);
	ir_op_remove(op); /* the condition may be new */
	ir_op_insert_before(at, op);
	IrBuilder in = open_region(&b, op, 0);
	ir_build_yield(&in, NULL);
	IrOp *yield = in.block->last;
	in = ir_before(e->m, yield);
	put_jump(e, &in, yield);
	ir_op_erase(yield);
	return true;
}

static bool has_two_regions(const IrOp *op)
{
	return pick_is_inner(op) && op->nregions > 1;
}

bool edit_swap_regions(Edit *e)
{
	IrOp *op = pick_op(e, has_two_regions);
	if (!op)
		return false;
	IrRegion *x = &op->regions[pick_below(e, op->nregions)],
	         *y = &op->regions[pick_below(e, op->nregions)];
	if (x == y)
		return false;
	IrRegion between = {0};
	ir_region_move_blocks(x, &between);
	ir_region_move_blocks(y, x);
	ir_region_move_blocks(&between, y);
	return true;
}

bool edit_call(Edit *e)
{
	IrOp *at = pick_op(e, pick_is_inner), *func = pick_op(e, pick_is_function);
	if (!at || !func)
		return false;
	IrType *type = ir_func_type(func);
	IrValue **args = arena_array(e->arena, IrValue *, type->nmembers);
	for (uint32_t i = 0; i < type->nmembers; i++)
		args[i] = pick_value(e, at, type->members[i]);
	IrBuilder b = ir_before(e->m, at);
	IrOp *call = ir_build_call(&b, ir_symbol_name(func), type->elem, args, type->nmembers);
	if (pick_one_in(e, 3))
		ir_set_flag(e->m, call, NAME_nothrow);
	return true;
}

/* A block parted in two, with an edge between them, or one to any block. */
bool edit_split(Edit *e)
{
	IrOp *at = pick_op(e, pick_is_inner);
	if (!at)
		return false;
	IrBlock *rest = ir_block_create(e->m, (Loc){0});
	ir_block_insert_after(at->block, rest);
	IrBuilder b = ir_at_end(e->m, at->block, (Loc){0});
	move_into((Range){at, at->block->last}, rest);
	IrBlock *other = at->block->region->first;
	if (pick_one_in(e, 3) && other->next && !other->next->nargs) {
		IrValue *v = ir_build_const(&b, ir_attr_bool(e->m, true));
		ir_build_brcond(&b, v, (IrSuccSpec){.dest = rest}, (IrSuccSpec){.dest = other->next});
	} else {
		ir_build_br(&b, rest, NULL, 0);
	}
	return true;
}
