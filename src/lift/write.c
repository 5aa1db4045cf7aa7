/* The flat form, once each block stands in one context: tokens on edges, cleanups around regions, ops for calls of the runtime. */
#include "lift/lifter.h"

static IrType *eh_token(const Lift *l)
{
	return ir_type_simple(l->m, TYPE_EH_TOKEN);
}

static bool in_flight(const Node *n)
{
	return n->context && n->context->flight;
}

static IrBlock *append_block(Lift *l, Loc loc)
{
	IrBlock *b = ir_block_create(l->m, loc);
	ir_block_append(&l->func->regions[0], b);
	return b;
}

/* Tokens */

/* What only begins a region stands in front of code that the region leads back to. */
static void make_front(Lift *l, Node *n)
{
	IrBlock *front = append_block(l, n->block->loc);
	IrValue **args = arena_array(l->mem, IrValue *, n->block->nargs + 1);
	uint32_t nargs = 0;
	for (uint32_t i = 0; i < n->block->nargs; i++)
		if (!lift_vanishes(l, n->block->args[i]))
			args[nargs++] = ir_block_add_arg(l->m, front, n->block->args[i]->type);
	n->token = ir_block_add_arg(l->m, front, eh_token(l));
	n->made = front;
	IrBuilder b = ir_at_end(l->m, front, front->loc);
	ir_build_br(&b, n->block, args, nargs);
}

static bool leads_back(const Node *n, uint32_t succ)
{
	const Node *to = n->succs[succ];
	bool unwinds = ir_op_has_unwind_edge(n->block->last) && succ == 1;
	return to && !unwinds && !to->dispatch && to->begins && to == n->start;
}

static void find_loops(Node *n)
{
	for (uint32_t i = 0; !n->dispatch && i < n->block->last->nsuccs; i++)
		if (leads_back(n, i))
			n->start->loops = true;
}

static void make_start(Lift *l, Node *n)
{
	if (!n->begins)
		return;
	if (n->loops) {
		make_front(l, n);
		return;
	}
	if (n->dispatch || !lift_is_pad(n->block->first)) {
		n->token = ir_block_add_arg(l->m, n->made, eh_token(l));
	} else {
		IrBuilder b = ir_before(l->m, n->block->first);
		n->token = &ir_build(&b, OP_EH_INITIATE, eh_token(l), NULL, 0)->results[0];
	}
}

static void begin_cleanup(Lift *l, Node *n)
{
	if (!n->begins || !n->works || n->dispatch)
		return;
	IrOp *first = n->loops ? n->made->first : n->block->first;
	if (first->kind == OP_EH_INITIATE)
		first = first->next;
	IrBuilder b = ir_before(l->m, first);
	n->cleanup = &ir_build(&b, OP_BEGIN_CLEANUP, ir_type_simple(l->m, TYPE_CLEANUP_TOKEN), &n->token, 1)
	                  ->results[0];
	if (!n->token->is_arg)
		ir_set_flag(l->m, n->token->def.op, NAME_cleanup);
}

static void make_catch(Lift *l, Catch *c)
{
	c->entry = append_block(l, c->handler->block->loc);
	IrValue *thrown = ir_block_add_arg(l->m, c->entry, eh_token(l));
	IrBuilder b = ir_at_end(l->m, c->entry, c->entry->loc);
	IrType *types[] = {ir_type_simple(l->m, TYPE_CATCH_TOKEN), l->m->voidp};
	IrOp *begin = ir_build_spec(&b, &(IrOpSpec){.kind = OP_BEGIN_CATCH,
	                                            .operands = &thrown,
	                                            .noperands = 1,
	                                            .result_types = types,
	                                            .nresults = 2});
	c->token = &begin->results[0];
	c->object = &begin->results[1];
	if (c->handler->block->nargs)
		for (uint32_t i = 0; i < c->handler->block->nargs; i++)
			if (!lift_vanishes(l, c->handler->block->args[i]))
				lift_error(l, c->handler->block->first,
				           "begins a handler that takes the result of a call");
	ir_build_br(&b, c->handler->made, NULL, 0);
}

/* Edges */

static bool leaves_region(const Node *n, const Node *to)
{
	return n->leaves && n->leaves->flight && in_flight(to) && n->start != to->start;
}

static void end_cleanup(Lift *l, IrOp *before, const Node *n)
{
	IrBuilder b = ir_before(l->m, before);
	IrValue *cleanup = n->start->cleanup;
	if (cleanup)
		ir_build(&b, OP_END_CLEANUP, NULL, &cleanup, 1);
}

/* A branch for one edge alone. */
static IrSucc *own_edge(Lift *l, IrSucc *s)
{
	IrOp *last = s->op;
	if (last->kind == OP_BR)
		return s;
	IrBlock *b = append_block(l, last->loc);
	IrValue **args = arena_array(l->mem, IrValue *, s->nargs);
	for (uint32_t i = 0; i < s->nargs; i++)
		args[i] = ir_succ_arg(s, i);
	IrBuilder at = ir_at_end(l->m, b, last->loc);
	IrOp *br = ir_build_br(&at, s->dest, args, s->nargs);
	ir_succ_set_args(l->m, last, ir_succ_index(s), NULL, 0);
	ir_succ_set_dest(s, b);
	return &br->succs[0];
}

/* The branch to `to` with end_cleanup in front. */
static IrSucc *edge_that_ends_cleanup(Lift *l, const Node *n, IrSucc *s)
{
	if (!n->start->cleanup)
		return s;
	s = own_edge(l, s);
	end_cleanup(l, s->op, n);
	return s;
}

static IrSucc *edge_with_numbers(Lift *l, const Node *n, IrSucc *s, bool unwinds)
{
	if (!lift_edge_has_number(l, s, n->context))
		return s;
	if (unwinds) {
		lift_error(l, s->op, "brings a selector to a landing pad");
		return s;
	}
	s = own_edge(l, s);
	lift_write_edge_numbers(l, s);
	return s;
}

static void write_edge(Lift *l, const Node *n, uint32_t i)
{
	IrSucc *s = &n->block->last->succs[i];
	const Node *to = n->succs[i];
	const IrBlock *old = s->dest;
	bool unwinds = ir_op_has_unwind_edge(s->op) && i == 1;
	uint32_t nargs = 0, given = s->nargs;
	IrValue **args = arena_array(l->mem, IrValue *, given + 1);
	bool back = leads_back(n, i);
	if (!unwinds && leaves_region(n, to))
		s = edge_that_ends_cleanup(l, n, s);
	s = edge_with_numbers(l, n, s, unwinds);
	for (uint32_t k = 0; k < given && !to->dispatch; k++)
		if (!lift_vanishes(l, old->args[k]))
			args[nargs++] = ir_succ_arg(s, k);
	if (to->begins && !unwinds && !back)
		args[nargs++] = n->start->token;
	ir_succ_set_args(l->m, s->op, ir_succ_index(s), args, nargs);
	ir_succ_set_dest(s, back ? to->block : to->made);
}

/* Dispatches */

static IrBlock *entry_of(const Clause *c)
{
	const Context *in = c->to->context;
	return in && !in->flight ? in->made->entry : c->to->made;
}

static void build_dispatch(Lift *l, IrBuilder *b, IrValue *token, const Clause *clauses, uint32_t n,
                           IrBlock *none, bool catch_all, const IrAttr *filter)
{
	const IrAttr **types = arena_array(l->mem, const IrAttr *, n);
	IrSuccSpec *edges = arena_array(l->mem, IrSuccSpec, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		edges[i] = (IrSuccSpec){.dest = entry_of(&clauses[i])};
		types[i] = filter ? NULL : lift_entry(l, clauses[i].type);
	}
	edges[n] = (IrSuccSpec){.dest = none};
	IrOpSpec spec = {
	    .kind = OP_EH_DISPATCH, .operands = &token, .noperands = 1, .succs = edges, .nsuccs = n + 1};
	IrOp *op = ir_build_spec(b, &spec);
	if (filter)
		ir_op_set_attr(l->m, op, ir_known_name(l->m, NAME_filter_types), filter);
	else if (n)
		ir_op_set_attr(l->m, op, ir_known_name(l->m, NAME_catch_types),
		               ir_attr_array(l->m, types, n));
	if (catch_all)
		ir_set_flag(l->m, op, NAME_default_is_catch_all);
}

/* Ops that stood between tests. Their values are in memory where others use them. */
static void repeat_passed(Lift *l, const Dispatch *d, IrBlock *to)
{
	PtrMap values = {0};
	for (uint32_t k = 0; k < d->passed.len; k++)
		IR_FOR_OPS (op, d->passed.data[k]) {
			if (op == d->passed.data[k]->last || lift_is_plumbing(l, op))
				continue;
			IrOpSpec spec = ir_op_spec(op, l->mem);
			IrValue **operands = arena_array(l->mem, IrValue *, op->noperands);
			for (uint32_t i = 0; i < op->noperands; i++) {
				IrValue *v = ptrmap_get(&values, ir_operand(op, i));
				operands[i] = v ? v : ir_operand(op, i);
			}
			spec.operands = operands;
			IrBuilder b = ir_at_end(l->m, to, op->loc);
			IrOp *copy = ir_build_spec(&b, &spec);
			for (uint32_t i = 0; i < op->nresults; i++)
				ptrmap_put(l->mem, &values, &op->results[i], &copy->results[i]);
		}
}

/* Those of a pad are symbols. */
static const IrAttr *filter_types(Lift *l, const IrAttr *of_pad)
{
	const IrAttr **types = arena_array(l->mem, const IrAttr *, of_pad->n);
	for (uint32_t i = 0; i < of_pad->n; i++)
		types[i] = of_pad->elems[i]->kind == ATTR_SYMBOL ? lift_entry(l, of_pad->elems[i]->name)
		                                                 : of_pad->elems[i];
	return ir_attr_array(l->m, types, of_pad->n);
}

/* Before anything is written. */
static void make_dispatch_block(Lift *l, Node *n)
{
	n->made = append_block(l, n->block->loc);
	repeat_passed(l, n->dispatch, n->made);
}

/* A filter has a dispatch of its own, between what is caught inside of it and outside. */
static void write_dispatch(Lift *l, Node *n)
{
	const Dispatch *d = n->dispatch;
	IrBuilder b = ir_at_end(l->m, n->made, n->block->first->loc);
	IrValue *token = n->token;
	uint32_t first = 0;
	for (uint32_t i = 0; i < d->clauses.len; i++) {
		if (d->clauses.data[i].type != l->filter)
			continue;
		IrBlock *rest = append_block(l, b.loc);
		if (i > first) {
			IrBlock *own = append_block(l, b.loc);
			IrValue *at_own = ir_block_add_arg(l->m, own, eh_token(l));
			build_dispatch(l, &b, token, d->clauses.data + first, i - first, own, false, NULL);
			token = at_own;
			b = ir_at_end(l->m, own, b.loc);
		}
		build_dispatch(l, &b, token, d->clauses.data + i, 1, rest, false, filter_types(l, d->filter));
		token = ir_block_add_arg(l->m, rest, eh_token(l));
		b = ir_at_end(l->m, rest, b.loc);
		first = i + 1;
	}
	uint32_t left = d->clauses.len - first;
	if (left || d->catch_all)
		build_dispatch(l, &b, token, d->clauses.data + first, left, entry_of(&d->none), d->catch_all,
		               NULL);
	else
		ir_build_br(&b, entry_of(&d->none), &token, 1);
}

/* Ops */

static void goes(Lift *l, IrOp *op)
{
	vec_push(l->mem, &l->gone, op);
}

static const Context *open_catch(const Context *c)
{
	return c->flight ? c->around : c;
}

static void write_object_address(Lift *l, IrOp *op, const Context *c)
{
	if (!c || c->flight) {
		lift_error(l, op, "asks for the object of an exception that no handler takes");
		return;
	}
	Catch *made = c->made;
	if (!made->reference) {
		IrBuilder entry = ir_before(l->m, l->func->regions[0].first->first);
		made->reference = ir_build_alloca(&entry, op->results[0].type, STR("__caught"), 0);
		IrValue *operands[] = {made->entry->args[0], made->reference};
		IrBuilder b = ir_before(l->m, made->entry->first);
		IrOp *construct = ir_build(&b, OP_CONSTRUCT_CATCH_PARAM, NULL, operands, 2);
		ir_set_enum(l->m, construct, NAME_kind, ENUM_CATCH_INIT, CATCH_INIT_REFERENCE_TO_POINTER);
	}
	IrBuilder b = ir_before(l->m, op);
	ir_value_replace(&op->results[0], ir_build_load(&b, made->reference));
	goes(l, op);
}

/* Behind loads of what the edge brings, which copies have put there: what follows the end of a catch would be a cleanup of its own. */
static void write_end(Lift *l, IrOp *op, const Context *c)
{
	IrOp *next = op->next;
	while (next->kind == OP_LOAD)
		next = next->next;
	IrBuilder b = ir_before(l->m, next);
	IrValue *token = open_catch(c)->made->token;
	ir_build(&b, OP_END_CATCH, NULL, &token, 1);
	goes(l, op);
}

/* All of the block. */
static void write_terminate(Lift *l, Node *n)
{
	bool unexpected = lift_role(l->table, n->block->first) == LIFT_UNEXPECTED;
	Loc loc = n->block->first->loc;
	ir_op_erase(n->block->last); /* whose edges would still lead on */
	IR_FOR_OPS (op, n->block)
		goes(l, op);
	IrBuilder b = ir_at_end(l->m, n->block, loc);
	ir_build(&b, unexpected ? OP_EH_UNEXPECTED : OP_EH_TERMINATE, NULL, &n->token, 1);
}

static void write_resume(Lift *l, IrOp *op, const Node *n)
{
	end_cleanup(l, op, n);
	IrBuilder b = ir_before(l->m, op);
	IrValue *token = n->start->token;
	ir_build(&b, OP_RESUME, NULL, &token, 1);
	goes(l, op);
}

static void write_tests(Lift *l, IrOp *op, const Context *c)
{
	for (uint32_t i = 0; i < op->noperands; i++) {
		IrValue *v = ir_operand(op, i);
		if (lift_part(l, v) != PART_TEST)
			continue;
		if (c && c->flight) {
			lift_error(l, op, "computes with the selector of an exception");
			return;
		}
		IrBuilder b = ir_before(l->m, op);
		ir_set_operand(op, i, lift_build_test(l, &b, v));
	}
}

static bool runs_in_flight(const Context *c)
{
	while (c && !c->flight)
		c = c->around;
	return c != NULL;
}

/* A hint. Not in a cleanup: one that becomes a function knows a pointer to the variable only. */
static bool write_lifetime(Lift *l, IrOp *op, const Context *c)
{
	if (!lift_is_lifetime(op))
		return false;
	bool starts = str_begins_with(name_str(ir_call_callee(op)), STR("llvm.lifetime.start"));
	IrValue *slot = ir_call_arg(op, ir_call_nargs(op) - 1);
	while (!slot->is_arg && slot->def.op->kind == OP_CAST)
		slot = ir_operand(slot->def.op, 0);
	IrBuilder b = ir_before(l->m, op);
	if (!slot->is_arg && slot->def.op->kind == OP_ALLOCA && !runs_in_flight(c))
		ir_build(&b, starts ? OP_LIFETIME_START : OP_LIFETIME_END, NULL, &slot, 1);
	goes(l, op);
	return true;
}

static void write_op(Lift *l, IrOp *op, const Node *n, const Context **c)
{
	if (lift_is_pad(op) || lift_is_plumbing(l, op)) {
		lift_write_number(l, op, *c);
		goes(l, op);
		return;
	}
	switch (lift_role(l->table, op)) {
	case LIFT_BEGIN:
		ir_value_replace(&op->results[0], (*c)->made->object);
		goes(l, op);
		return;
	case LIFT_OBJECT:
		ir_value_replace(&op->results[0], (*c)->made->object);
		goes(l, op);
		return;
	case LIFT_END:
		write_end(l, op, *c);
		*c = n->leaves;
		return;
	default:
		break;
	}
	if (write_lifetime(l, op, *c))
		return;
	if (lift_is_object_address(l, op)) {
		write_object_address(l, op, *c);
		return;
	}
	if (op->kind == OP_RESUME_FLAT || op->kind == OP_RESUME_VALUE)
		write_resume(l, op, n);
	else
		write_tests(l, op, *c);
	lift_throw(l, op);
}

static void write_node(Lift *l, Node *n)
{
	const Context *c = n->context;
	if (n->dispatch) {
		write_dispatch(l, n);
		return;
	}
	if (in_flight(n) && lift_is_terminate(l, n->block)) {
		write_terminate(l, n);
		return;
	}
	IrOp *last = n->block->last;
	for (uint32_t i = 0; i < last->nsuccs; i++)
		write_edge(l, n, i);
	for (IrOp *op = n->block->first, *next; op && !l->failed; op = next) {
		next = op->next;
		write_op(l, op, n, &c);
	}
}

/* The end */

static void store_numbers(Lift *l)
{
	for (uint32_t i = 0; i < l->catches.len; i++) {
		const Catch *c = l->catches.data[i];
		if (!c->slots.len)
			continue;
		IrBuilder b = ir_before(l->m, c->entry->last);
		IrValue *number = ir_build_const_int(&b, l->m->u32, c->number);
		for (uint32_t k = 0; k < c->slots.len; k++)
			ir_build_store(&b, number, c->slots.data[k]);
	}
}

/* What is to go uses nothing any more, so that what it used can go in any order. */
static void release_gone(Lift *l)
{
	for (uint32_t i = 0; i < l->gone.len; i++) {
		IrOp *op = l->gone.data[i];
		ir_op_set_main_operands(l->m, op, NULL, 0);
		for (uint32_t k = 0; k < op->nsuccs; k++)
			ir_succ_set_args(l->m, op, k, NULL, 0);
	}
}

static void erase_gone(Lift *l)
{
	for (uint32_t i = 0; i < l->gone.len; i++)
		ir_op_erase(l->gone.data[i]);
}

static void drop_arguments(Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		for (uint32_t i = b->nargs; i-- > 0;)
			if (lift_vanishes(l, b->args[i]))
				ir_block_remove_arg(b, i);
}

void lift_write(Lift *l)
{
	for (uint32_t i = 0; i < l->nodes.len; i++)
		if (l->nodes.data[i]->dispatch)
			make_dispatch_block(l, l->nodes.data[i]);
	for (uint32_t i = 0; i < l->nodes.len; i++)
		find_loops(l->nodes.data[i]);
	for (uint32_t i = 0; i < l->nodes.len; i++)
		make_start(l, l->nodes.data[i]);
	for (uint32_t i = 0; i < l->nodes.len; i++)
		begin_cleanup(l, l->nodes.data[i]);
	for (uint32_t i = 0; i < l->catches.len; i++)
		make_catch(l, l->catches.data[i]);
	for (uint32_t i = 0; i < l->nodes.len && !l->failed; i++)
		write_node(l, l->nodes.data[i]);
	release_gone(l);
}

/* Addresses of type infos that only tests asked for. */
static void erase_unused(Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		for (IrOp *op = b->last, *prev; op; op = prev) {
			prev = op->prev;
			bool fits = op->kind == OP_CAST || op->kind == OP_GET_GLOBAL || op->kind == OP_CONST;
			if (fits && !op->results[0].uses)
				ir_op_erase(op);
		}
}

void lift_finish(Lift *l)
{
	store_numbers(l);
	erase_gone(l);
	drop_arguments(l);
	erase_unused(l);
}
