/* eh/itanium/landingpad.c: from
 *
 * 	%t = cir.eh.initiate cleanup : !cir.eh_token
 * 	cir.br ^d(%t : !cir.eh_token)
 * ^d(%u: !cir.eh_token):
 * 	cir.eh.dispatch %u : !cir.eh_token [catch(@A) : ^a, catch(@B) : ^b, unwind : ^w]
 *
 * to
 *
 * 	%e, %s = cir.eh.inflight_exception cleanup [@A, @B]
 * 	cir.br ^d(%e, %s : !cir.ptr<!void>, !u32i)
 * ^d(%f: !cir.ptr<!void>, %r: !u32i):
 * 	%1 = cir.eh.typeid @A
 * 	%2 = cir.cmp eq %r, %1 : !u32i
 * 	cir.brcond %2 ^a(%f, %r …), ^n(%f, %r …)
 * ^n(%g: !cir.ptr<!void>, %q: !u32i):
 * 	…                                            the same with @B, and at last ^w
 *
 * Three steps, so that the order of blocks in the text does not matter: give each token its
 * pair; build what replaces each op; drop what was replaced. Blocks keep their place; the
 * chain of a dispatch follows its block.
 */
#include "eh/itanium/landingpad.h"

#include "eh/catch_init.h"
#include "eh/cxa_op.h"
#include "eh/itanium/cleanup_guard.h"
#include "ir/eh_runtime.h"
#include "verify/verifier.h"

/* Pairs */

static void set_list(LandingPads *l, IrOp *pad, NameId name, const IrAttr **symbols, uint32_t n)
{
	ir_op_set_attr(l->m, pad, ir_known_name(l->m, name), ir_attr_array(l->m, symbols, n));
}

/* Were the function inlined where another filter stands, its pads would get that one's clause too,
 * and the test for a negative selector would take what only the other one turns away for its own:
 * cleanups in between would not run. */
static void keep_out_of_line(LandingPads *l)
{
	ir_op_set_attr(l->m, l->func, ir_known_name(l->m, NAME_inline_kind),
	               ir_attr_enum(l->m, ENUM_INLINE, INLINE_NO_INLINE));
}

static void set_filter(LandingPads *l, IrOp *pad, const AbiClause *filter)
{
	uint32_t n = filter->types ? filter->types->n : 0;
	const IrAttr **symbols = arena_array(l->mem, const IrAttr *, n);
	for (uint32_t i = 0; i < n; i++) {
		Name *type = cxa_clause(l->cxa, filter->types->elems[i]->name, filter->op->loc);
		if (!type)
			return;
		symbols[i] = ir_attr_symbol(l->m, type);
	}
	set_list(l, pad, NAME_filter_type_list, symbols, n);
	if (n)
		keep_out_of_line(l);
}

/* The unwinder tries clauses in order, so types behind a filter (handlers around it) go
 * to a list of their own. */
static void set_clauses(LandingPads *l, IrOp *pad, const AbiClauses *clauses)
{
	const IrAttr **types = arena_array(l->mem, const IrAttr *, clauses->len);
	uint32_t n = 0, ninner = 0;
	bool filtered = false;
	for (uint32_t i = 0; i < clauses->len; i++) {
		const AbiClause *c = clauses->data[i];
		if (c->kind == CLAUSE_CATCH) {
			Name *type = cxa_clause(l->cxa, c->type, c->op->loc);
			if (!type)
				return;
			types[n++] = ir_attr_symbol(l->m, type);
		} else if (c->kind == CLAUSE_CATCH_ALL) {
			Name *all = cxa_clause_all(l->cxa, pad->loc);
			if (all)
				types[n++] = ir_attr_symbol(l->m, all);
			else
				ir_set_flag(l->m, pad, NAME_catch_all);
		} else {
			set_filter(l, pad, c);
			ninner = n;
			filtered = true;
		}
	}
	if (!filtered)
		ninner = n;
	if (ninner)
		set_list(l, pad, NAME_catch_type_list, types, ninner);
	if (n > ninner)
		set_list(l, pad, NAME_outer_type_list, types + ninner, n - ninner);
}

/* What takes every exception of C++ needs no entry for cleanups in its table; clang says none either. */
static ExnPair lower_initiate(LandingPads *l, const AbiPad *pad)
{
	IrBuilder b = ir_before(l->m, pad->initiate);
	IrOp *inflight = landingpad_build(l, &b);
	set_clauses(l, inflight, pad->clauses);
	bool takes_all = ir_op_has(inflight, NAME_catch_all) && !ir_module_is_sjlj(l->m);
	if (pad->cleanup && !takes_all)
		ir_set_flag(l->m, inflight, NAME_cleanup);
	vec_push(l->mem, &l->replaced, pad->initiate);
	return (ExnPair){&inflight->results[0], &inflight->results[1]};
}

static ExnPair add_pair_arguments(LandingPads *l, IrBlock *b)
{
	IrValue *exn = ir_block_add_arg(l->m, b, l->m->voidp);
	return (ExnPair){exn, ir_block_add_arg(l->m, b, l->m->u32)};
}

/* Tokens and pads of a plan are both in block order. New arguments stand behind the old
 * ones until settle_arguments(). */
static void make_pairs(LandingPads *l)
{
	const AbiFlow *flow = &l->plan->flow;
	const AbiPad *pad = l->plan->pads;
	l->pairs = arena_array(l->mem, ExnPair, (size_t)flow->ntokens + 1);
	for (uint32_t v = 0; v < flow->ntokens && l->cxa->rt.ok; v++) {
		const IrValue *token = flow->vertices.data[v].token;
		if (token->is_arg)
			l->pairs[v] = add_pair_arguments(l, token->def.block);
		else
			l->pairs[v] = lower_initiate(l, pad++);
	}
}

/* Edges */

static bool has_token_argument(const IrOp *op)
{
	for (uint32_t i = ir_op_nmain(op); i < op->noperands; i++)
		if (ir_is_token(op->operands[i].value->type))
			return true;
	return false;
}

/* The edge with pairs for tokens of exceptions, and without those of cleanups and catches. */
static IrSuccSpec convert_edge(LandingPads *l, const IrSucc *s)
{
	IrValue **args = arena_array(l->mem, IrValue *, (size_t)s->nargs * 2);
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->nargs; i++) {
		IrValue *v = ir_succ_arg(s, i);
		if (v->type->kind == TYPE_EH_TOKEN) {
			ExnPair pair = landingpad_pair(l, v);
			args[n++] = pair.exn;
			args[n++] = pair.selector;
		} else if (!ir_is_token(v->type)) {
			args[n++] = v;
		}
	}
	return (IrSuccSpec){s->dest, args, n};
}

static IrSuccSpec *convert_edges(LandingPads *l, const IrOp *op)
{
	IrSuccSpec *edges = arena_array(l->mem, IrSuccSpec, op->nsuccs);
	for (uint32_t i = 0; i < op->nsuccs; i++)
		edges[i] = convert_edge(l, &op->succs[i]);
	return edges;
}

/* A terminator that hands tokens on is built anew: one copy, however many edges it has. */
static void lower_terminator(LandingPads *l, IrOp *op)
{
	IrOpSpec spec = ir_op_spec(op, l->mem);
	spec.succs = convert_edges(l, op);
	spec.nsuccs = op->nsuccs;
	IrBuilder b = ir_before(l->m, op);
	IrOp *copy = ir_build_spec(&b, &spec);
	for (uint32_t i = 0; i < op->nresults; i++)
		ir_value_replace(&op->results[i], &copy->results[i]);
	vec_push(l->mem, &l->replaced, op);
}

/* Dispatch */

static IrSuccSpec pair_edge(LandingPads *l, IrBlock *dest, ExnPair pair)
{
	IrValue **args = arena_array(l->mem, IrValue *, 2);
	args[0] = pair.exn;
	args[1] = pair.selector;
	return (IrSuccSpec){dest, args, 2};
}

/* A chain of tests under construction: each but the last falls through to a block of its own. */
typedef struct Chain {
	LandingPads *l;
	IrBuilder b;
	IrBlock *last; /* where b is */
	ExnPair pair;
	IrBlock *otherwise;
	uint32_t left; /* tests still to come */
} Chain;

static void branch_if(Chain *c, IrValue *condition, IrBlock *dest)
{
	LandingPads *l = c->l;
	IrSuccSpec then_edge = pair_edge(l, dest, c->pair);
	if (--c->left == 0) {
		ir_build_brcond(&c->b, condition, then_edge, pair_edge(l, c->otherwise, c->pair));
		return;
	}
	IrBlock *next = ir_block_create(l->m, c->b.loc);
	ir_block_insert_after(c->last, next);
	ExnPair args = add_pair_arguments(l, next);
	ir_build_brcond(&c->b, condition, then_edge, pair_edge(l, next, c->pair));
	c->b = ir_at_end(l->m, next, c->b.loc);
	c->last = next;
	c->pair = args;
}

static void test_type(Chain *c, Name *type, IrBlock *handler)
{
	LandingPads *l = c->l;
	IrNamedAttr attr = {ir_known_name(l->m, NAME_type_sym), ir_attr_symbol(l->m, type)};
	IrOpSpec spec = {
	    .kind = OP_EH_TYPEID, .result_types = &l->m->u32, .nresults = 1, .attrs = &attr, .nattrs = 1};
	IrOp *id = ir_build_spec(&c->b, &spec);
	branch_if(c, ir_build_cmp(&c->b, CMP_EQ, c->pair.selector, &id->results[0]), handler);
}

/* The selector of an exception that a filter turned away is negative. */
static void test_filter(Chain *c, IrBlock *violated)
{
	IrModule *m = c->l->m;
	IrValue *selector = ir_build_cast(&c->b, CAST_INTEGRAL, c->pair.selector, m->s32);
	IrValue *zero = ir_build_const_int(&c->b, m->s32, 0);
	branch_if(c, ir_build_cmp(&c->b, CMP_LT, selector, zero), violated);
}

static void lower_dispatch(LandingPads *l, IrOp *op)
{
	const IrAttr *types = ir_op_attr(op, NAME_catch_types), *filter = abi_dispatch_filter(op);
	uint32_t ncatch = abi_dispatch_ncatch(op);
	IrBlock *otherwise = op->succs[op->nsuccs - 1].dest;
	if (filter && filter->n == 0) /* allows nothing, so what comes here is turned away */
		otherwise = op->succs[ncatch].dest;
	Chain c = {.l = l, .b = ir_before(l->m, op), .last = op->block, .otherwise = otherwise};
	c.pair = landingpad_pair(l, ir_operand(op, 0));
	c.left = ncatch + (filter && filter->n);
	if (c.left == 0) {
		IrSuccSpec edge = pair_edge(l, otherwise, c.pair);
		ir_build_br(&c.b, edge.dest, edge.args, edge.nargs);
	}
	for (uint32_t i = 0; i < ncatch; i++) {
		Name *type = cxa_clause(l->cxa, types->elems[i]->name, op->loc);
		if (!type) /* of a dispatch that no pad reaches */
			return;
		test_type(&c, type, op->succs[i].dest);
	}
	if (filter && filter->n)
		test_filter(&c, op->succs[ncatch].dest);
}

/* Ending */

/* The token that a bare cir.resume means: that of the cleanup or pad in its block, else the block's own. */
static const IrValue *resumed_token(const IrOp *resume)
{
	for (const IrOp *op = resume->prev; op; op = op->prev) {
		if (op->kind == OP_EH_INITIATE)
			return &op->results[0];
		if (op->kind == OP_BEGIN_CLEANUP)
			return ir_operand(op, 0);
		const IrValue *cleanup = op->kind == OP_END_CLEANUP ? ir_operand(op, 0) : NULL;
		if (cleanup && !cleanup->is_arg)
			return ir_operand(cleanup->def.op, 0);
	}
	for (uint32_t i = 0; i < resume->block->nargs; i++)
		if (resume->block->args[i]->type->kind == TYPE_EH_TOKEN)
			return resume->block->args[i];
	return NULL;
}

static void lower_resume(LandingPads *l, IrOp *op)
{
	const IrValue *token = ir_op_nmain(op) ? ir_operand(op, 0) : resumed_token(op);
	if (!token) {
		diag_error(l->d, op->loc,
		           "'cir.resume' has no operand, and its block has no exception token");
		l->ok = false;
		return;
	}
	ExnPair pair = landingpad_pair(l, token);
	IrValue *operands[] = {pair.exn, pair.selector};
	IrBuilder b = ir_before(l->m, op);
	ir_build(&b, OP_RESUME_FLAT, NULL, operands, 2);
}

static IrValue *exn_of(const LandingPads *l, const IrOp *op)
{
	return landingpad_pair(l, ir_operand(op, 0)).exn;
}

/* True when something else now stands for the op. */
static bool lower_flat_op(LandingPads *l, IrOp *op)
{
	IrBuilder b = ir_before(l->m, op);
	switch (op->kind) {
	case OP_EH_INITIATE:
		return false; /* make_pairs() has done it */
	case OP_EH_DISPATCH:
		lower_dispatch(l, op);
		return true;
	case OP_BEGIN_CLEANUP:
	case OP_END_CLEANUP:
		return true;
	case OP_BEGIN_CATCH:
		if (!ir_op_has(op, NAME_finally)) /* else lower_finally_catches() does it */
			cxa_lower_begin_catch(l->cxa, op, exn_of(l, op));
		return true;
	case OP_END_CATCH:
		cxa_lower_end_catch(l->cxa, op);
		return true;
	case OP_INIT_CATCH_PARAM:
		catch_init_lower(&l->cxa->rt, op);
		return true;
	case OP_CONSTRUCT_CATCH_PARAM:
		catch_param_construct(l, op);
		return true;
	case OP_THROW:
		cxa_lower_throw(l->cxa, op, NULL);
		return true;
	case OP_TRY_THROW:
		cxa_lower_throw(l->cxa, op, convert_edges(l, op));
		return true;
	case OP_ALLOC_EXCEPTION:
		cxa_lower_alloc_exception(l->cxa, op);
		return true;
	case OP_FREE_EXCEPTION:
		cxa_lower_free_exception(l->cxa, op);
		return true;
	case OP_EXCEPTION:
		cxa_lower_exception(l->cxa, op, exn_of(l, op));
		return true;
	case OP_EH_DROP:
		cxa_lower_drop(l->cxa, op, exn_of(l, op));
		return true;
	case OP_RESUME:
		lower_resume(l, op);
		return true;
	case OP_EH_TERMINATE:
		cxa_end_in_terminate(l->cxa, &b, exn_of(l, op));
		return true;
	case OP_EH_UNEXPECTED:
		cxa_end_in_unexpected(l->cxa, &b, exn_of(l, op));
		return true;
	default:
		diag_error(l->d, op->loc, "'%s' is not supported by the Itanium ABI", op_info[op->kind].name);
		l->ok = false;
		return false;
	}
}

static void lower_op(LandingPads *l, IrOp *op)
{
	if (!(op_info[op->kind].stages & STAGE_ITANIUM)) {
		if (lower_flat_op(l, op))
			vec_push(l->mem, &l->replaced, op);
	} else if (op->nsuccs && has_token_argument(op)) {
		lower_terminator(l, op);
	}
}

/* Their ends, wherever they stand, use them. */
static void lower_finally_catches(LandingPads *l)
{
	for (uint32_t i = 0; i < l->replaced.len; i++) {
		IrOp *op = l->replaced.data[i];
		if (op->kind == OP_BEGIN_CATCH && ir_op_has(op, NAME_finally))
			cxa_lower_begin_catch(l->cxa, op, exn_of(l, op));
	}
}

/* Lowering an op may split its block: the walk goes on in the second half. Other blocks made
 * on the way hold nothing to lower. */
static bool lower_ops(LandingPads *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0]) {
		IrOp *next;
		for (IrOp *op = b->first; op; op = next) {
			next = op->next;
			lower_op(l, op);
			if (!l->ok || !l->cxa->rt.ok)
				return false;
			b = op->block;
		}
	}
	lower_finally_catches(l);
	return l->cxa->rt.ok;
}

/* Dropping */

/* Puts each pair where its token stood and drops all tokens. */
static void settle_arguments(LandingPads *l, IrBlock *b, uint32_t nold)
{
	IrValue **args = arena_array(l->mem, IrValue *, b->nargs);
	uint32_t n = 0, pair = nold;
	for (uint32_t i = 0; i < nold; i++) {
		IrValue *v = b->args[i];
		if (!ir_is_token(v->type)) {
			args[n++] = v;
			continue;
		}
		if (v->type->kind == TYPE_EH_TOKEN) {
			args[n++] = b->args[pair++];
			args[n++] = b->args[pair++];
		}
	}
	CHECK(pair == b->nargs);
	ir_block_keep_args(b, args, n);
}

static void drop_tokens(LandingPads *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0]) {
		uint32_t tokens = 0, pairs = 0;
		for (uint32_t i = 0; i < b->nargs; i++) {
			tokens += ir_is_token(b->args[i]->type);
			pairs += b->args[i]->type->kind == TYPE_EH_TOKEN;
		}
		if (tokens)
			settle_arguments(l, b, b->nargs - 2 * pairs);
	}
}

static bool has_landing_pad(const IrOp *func)
{
	IR_FOR_BLOCKS (b, &func->regions[0]) {
		if (b->first && b->first->kind == OP_EH_INFLIGHT)
			return true;
	}
	return false;
}

/* A function may have one of its own, as long as it goes with landing pads. */
static bool set_personality(LandingPads *l)
{
	IrOp *func = l->func;
	const Name *own = ir_op_symbol(func, NAME_personality);
	if (ir_module_is_sjlj(l->m)) /* no table names one */
		return true;
	if (!own ||
	    ir_is_circ_personality(own)) { /* the one of circ's runtime has another name on each target */
		ir_op_set_attr(l->m, func, ir_known_name(l->m, NAME_personality),
		               ir_attr_symbol(l->m, runtime_personality(&l->cxa->rt)));
		return true;
	}
	if (verifier_personality(func) == PERSONALITY_LANDING)
		return true;
	diag_error(l->cxa->rt.d, func->loc,
	           "'cir.func' op personality '%s' does not work with landing pads; expected '%s' or a "
	           "compatible one",
	           ir_op_symbol(func, NAME_personality)->text, l->cxa->rt.target->personality);
	return false;
}

bool landingpad_lower_func(LandingPads *l, IrOp *func, const AbiPlan *plan, Arena *mem)
{
	l->func = func;
	l->plan = plan;
	l->mem = mem;
	l->replaced.data = NULL;
	l->replaced.len = l->replaced.cap = 0;
	l->terminate_block = NULL;
	if (l->cxa->runtime ==
	    EH_RUNTIME_CXX) /* in circ's, what leaves a cleanup takes the other one's place */
		guard_cleanups(l);
	make_pairs(l);
	if (!l->cxa->rt.ok || !lower_ops(l))
		return false;
	abi_erase_token_ops(l->replaced.data, l->replaced.len);
	drop_tokens(l);
	if (!has_landing_pad(func)) {
		ir_func_drop_circ_personality(l->m, func);
		return l->cxa->rt.ok;
	}
	return set_personality(l) && l->cxa->rt.ok;
}
