/* eh/microsoft/seh.c: from
 *
 * 	cir.eh.dispatch %t [catch(@A) : ^a, catch_all : ^b]
 * ^a(%u: !cir.eh_token):
 * 	%k, %p = cir.begin_catch %u
 * 	…
 * 	cir.end_catch %k
 *
 * to
 *
 * 	cir.eh.dispatch %t [catch(@f.filter) : ^h, unwind : ^d]
 * ^h(%v: !cir.eh_token):
 * 	%k = cir.begin_catch %v
 * 	cir.end_catch %k
 * 	cir.br ^g
 * ^g:
 * 	%x = cir.call @circ_seh_landed(%landed)               a variable of f, set by circ_seh_match()
 * 	cir.br ^a(%v, %x)
 * ^a(%u: !cir.eh_token, %y: !cir.ptr<!void>):
 * 	%p = cir.call @circ_begin_catch(%y)
 * 	…
 * 	cir.call @circ_end_catch()                            a cleanup, where an exception leaves the handler
 * ^d(%w: !cir.eh_token):
 * 	cir.eh.dispatch %w [catch(@f.filter.1) : …
 *
 * 	cir.func internal @f.filter(%pointers, %frame) -> !s32i {
 * 	  %fp = circ.eh.recoverfp @f, %frame
 * 	  %slot = circ.localrecover @f, %fp [0]
 * 	  %answer = cir.call @circ_seh_match(%pointers, @.circ.clause.A, %fp, %slot)
 * 	  cir.return %answer
 * 	}
 *
 * What a terminate takes lands the same way, and ends the program there.
 */
#include "eh/microsoft/seh.h"

#include "base/ptrmap.h"
#include "base/vec.h"
#include "eh/cxa_op.h"
#include "eh/token_flow.h"
#include "ir/function_entry.h"

typedef struct Reached {
	bool in_flight;  /* where the block begins */
	IrValue *token;  /* of what is in flight; NULL: not known yet, or none */
	const IrOp *way; /* one that leads here */
} Reached;

typedef struct Seh {
	IrModule *m;
	Cxa *circ;
	IrOp *func;
	Arena *mem;
	PtrMap reached;    /* IrBlock → Reached */
	PtrMap natives;    /* token that a handler was given → what the runtime knows the exception by */
	PtrMap filters;    /* what a clause names → its filter function's Name */
	Name *filter_all;  /* of a catch-all, once made */
	IrValue *landed;   /* the variable, once made */
	uint32_t index;    /* its number among the variables that filters see */
	VEC(IrOp *) found; /* ops to be replaced */
} Seh;

/* Which code runs while an exception is in flight */

typedef VEC(IrBlock *) Blocks;

static IrValue *token_of(const IrBlock *b)
{
	for (uint32_t i = 0; i < b->nargs; i++)
		if (b->args[i]->type->kind == TYPE_EH_TOKEN)
			return b->args[i];
	return NULL;
}

static void reach(Seh *s, Blocks *work, IrBlock *b, Reached from)
{
	const Reached *former = ptrmap_get(&s->reached, b);
	if (former) {
		if (former->in_flight == from.in_flight || b->first->kind == OP_UNREACHABLE)
			return;
		diag_error(
		    s->circ->rt.d, b->first->loc,
		    "block is reached with an exception in flight, and without one; expected two blocks "
		    "on windows-msvc");
		diag_note(s->circ->rt.d, former->way->loc, "one way leads here");
		diag_note(s->circ->rt.d, from.way->loc, "another way leads here");
		s->circ->rt.ok = false;
		return;
	}
	Reached *r = arena_new(s->mem, Reached);
	*r = from;
	if (r->in_flight && token_of(b))
		r->token = token_of(b);
	ptrmap_put(s->mem, &s->reached, b, r);
	vec_push(s->mem, work, b);
}

static void reach_successors(Seh *s, Blocks *work, IrOp *op, Reached at)
{
	uint32_t nhandlers = op->kind == OP_EH_DISPATCH ? op->nsuccs - !abi_dispatch_catches_all(op) : 0;
	at.way = op;
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		bool unwinds = ir_op_has_unwind_edge(op) && i == 1;
		Reached to = unwinds ? (Reached){.in_flight = true, .way = op} : at;
		to.in_flight = unwinds || (at.in_flight && i >= nhandlers);
		reach(s, work, op->succs[i].dest, to);
	}
}

/* The runtime calls nobody when an exception leaves a handler: a cleanup does. */
static void end_in_flight(Seh *s, IrOp *op, IrValue *token)
{
	IrBuilder b = ir_before(s->m, op);
	IrType *type = ir_type_simple(s->m, TYPE_CLEANUP_TOKEN);
	IrOp *begin = ir_build(&b, OP_BEGIN_CLEANUP, type, &token, 1);
	cxa_lower_end_catch(s->circ, op);
	IrValue *cleanup = &begin->results[0];
	ir_build(&b, OP_END_CLEANUP, NULL, &cleanup, 1);
}

static void look_at_block(Seh *s, Blocks *work, IrBlock *b)
{
	Reached at = *(const Reached *)ptrmap_get(&s->reached, b);
	for (IrOp *op = b->first; op; op = op->next) {
		if (op->kind == OP_EH_INITIATE)
			at = (Reached){.in_flight = true, .token = &op->results[0]};
		else if (op->kind == OP_BEGIN_CATCH)
			at.in_flight = false;
		else if (op->kind == OP_END_CATCH && at.in_flight && at.token)
			end_in_flight(s, op, at.token);
		else if (op->kind == OP_END_CATCH)
			cxa_lower_end_catch(s->circ, op);
		if (op_info[op->kind].stages & STAGE_MICROSOFT)
			continue;
		vec_push(s->mem, &s->found, op);
	}
	reach_successors(s, work, b->last, at);
}

static void look(Seh *s)
{
	Blocks work = {0};
	reach(s, &work, s->func->regions[0].first, (Reached){0});
	while (work.len && s->circ->rt.ok)
		look_at_block(s, &work, vec_pop(&work));
}

/* What circ_seh_match() leaves for a handler */

static void make_landed(Seh *s)
{
	IrBuilder entry = ir_before(s->m, abi_entry_front(s->func));
	s->landed = ir_build_alloca(&entry, s->m->voidp, STR("__landed"), 8);
	IrOp *former = abi_entry_escape(s->func);
	uint32_t n = former ? former->noperands : 0;
	IrValue **variables = arena_array(s->mem, IrValue *, (size_t)n + 1);
	for (uint32_t i = 0; i < n; i++)
		variables[i] = ir_operand(former, i);
	variables[n] = s->landed;
	s->index = n;
	if (former)
		entry = ir_before(s->m, former);
	ir_build(&entry, OP_LOCALESCAPE, NULL, variables, n + 1);
	if (former)
		ir_op_erase(former);
}

/* Filters */

static IrOp *build_in_frame(Seh *s, IrBuilder *b, OpKind kind, IrValue *frame, IrType *type,
                            const uint32_t *index)
{
	IrNamedAttr attrs[] = {
	    {ir_known_name(s->m, NAME_function), ir_attr_symbol(s->m, ir_symbol_name(s->func))},
	    {ir_known_name(s->m, NAME_index), ir_attr_i64(s->m, index ? *index : 0)}};
	return ir_build_spec(b, &(IrOpSpec){.kind = kind,
	                                    .operands = &frame,
	                                    .noperands = 1,
	                                    .result_types = &type,
	                                    .nresults = 1,
	                                    .attrs = attrs,
	                                    .nattrs = index ? 2 : 1});
}

/* clause: what circ's runtime reads of it. */
static Name *make_filter(Seh *s, Name *clause, Loc loc)
{
	IrModule *m = s->m;
	IrType *params[] = {m->voidp, m->voidp};
	IrOp *func = ir_func_create_part(m, s->func, "filter",
	                                 ir_type_func(m, params, ARRAY_LEN(params), m->s32, false), loc);
	IrBlock *entry = ir_func_add_entry(m, func);
	IrBuilder b = ir_at_end(m, entry, loc);
	IrOp *frame = build_in_frame(s, &b, OP_EH_RECOVERFP, entry->args[1], m->voidp, NULL);
	IrOp *slot = build_in_frame(s, &b, OP_LOCALRECOVER, &frame->results[0], s->landed->type, &s->index);
	IrValue *args[] = {entry->args[0], runtime_address(&b, clause), &frame->results[0],
	                   &slot->results[0]};
	IrOp *answer = cxa_call(s->circ, &b, CXA_SEH_MATCH, args, ARRAY_LEN(args));
	IrValue *result = answer ? &answer->results[0] : ir_build_const_int(&b, m->s32, 0);
	ir_build(&b, OP_RETURN, NULL, &result, 1);
	return ir_symbol_name(func);
}

/* type: of a clause; NULL: catch-all. */
static Name *filter_of(Seh *s, Name *type, Loc loc)
{
	Name *made = type ? ptrmap_get(&s->filters, type) : s->filter_all;
	if (made)
		return made;
	Name *clause = type ? cxa_clause(s->circ, type, loc) : cxa_clause_all(s->circ, loc);
	made = make_filter(s, clause, loc);
	if (type)
		ptrmap_put(s->mem, &s->filters, type, made);
	else
		s->filter_all = made;
	return made;
}

/* Dispatches */

static IrBlock *block_with_token(Seh *s, IrBlock *behind, Loc loc)
{
	IrBlock *b = ir_block_create(s->m, loc);
	ir_block_insert_after(behind, b);
	ir_block_add_arg(s->m, b, ir_type_simple(s->m, TYPE_EH_TOKEN));
	return b;
}

/* Builds a handler that ends at once, and a block after it, where the exception has landed. Returns the end of that block. */
static IrBuilder build_landing(Seh *s, IrBlock *handler, Loc loc)
{
	IrBuilder b = ir_at_end(s->m, handler, loc);
	IrType *types[] = {ir_type_simple(s->m, TYPE_CATCH_TOKEN), s->m->voidp};
	IrOp *begin = ir_build_spec(&b, &(IrOpSpec){.kind = OP_BEGIN_CATCH,
	                                            .operands = handler->args,
	                                            .noperands = 1,
	                                            .result_types = types,
	                                            .nresults = 2});
	IrValue *caught = &begin->results[0];
	ir_build(&b, OP_END_CATCH, NULL, &caught, 1);
	IrBlock *behind = ir_block_create(s->m, loc);
	ir_block_insert_after(handler, behind);
	ir_build_br(&b, behind, NULL, 0);
	return ir_at_end(s->m, behind, loc);
}

/* A call that LLVM takes for one that may throw, where the handler lands. LLVM's tables have one range for calls of the same scopes that follow one another
 * in the code, up to such a call outside of them. Were this place in the range of a cleanup, between two of the calls, the system would not run that
 * cleanup: to it, the exception would stay in the scope. */
static IrValue *build_landed(Seh *s, IrBuilder *landed)
{
	IrOp *call = cxa_call(s->circ, landed, CXA_SEH_LANDED, &s->landed, 1);
	return call ? &call->results[0] : ir_build_load(landed, s->landed);
}

static void build_dispatch(Seh *s, IrBuilder *b, IrValue *token, Name *filter, IrBlock *handler,
                           IrBlock *otherwise)
{
	const IrAttr *type = ir_attr_symbol(s->m, filter);
	IrNamedAttr types = {ir_known_name(s->m, NAME_catch_types), ir_attr_array(s->m, &type, 1)};
	IrSuccSpec succs[] = {{.dest = handler}, {.dest = otherwise}};
	ir_build_spec(b, &(IrOpSpec){.kind = OP_EH_DISPATCH,
	                             .operands = &token,
	                             .noperands = 1,
	                             .attrs = &types,
	                             .nattrs = 1,
	                             .succs = succs,
	                             .nsuccs = 2});
}

static void build_resume(Seh *s, IrBlock *b, Loc loc)
{
	IrBuilder end = ir_at_end(s->m, b, loc);
	ir_build(&end, OP_RESUME, NULL, b->args, 1);
}

/* One clause at b, whose handler lands before `to`. The block where the next one is asked. */
static IrBlock *build_clause(Seh *s, IrBuilder *b, IrValue *token, Name *type, IrBlock *to)
{
	IrBlock *handler = block_with_token(s, b->block, b->loc),
	        *next = block_with_token(s, b->block, b->loc);
	build_dispatch(s, b, token, filter_of(s, type, b->loc), handler, next);
	IrBuilder landed = build_landing(s, handler, b->loc);
	IrValue *args[] = {handler->args[0], build_landed(s, &landed)};
	ir_build_br(&landed, to, args, ARRAY_LEN(args));
	return next;
}

static void lower_dispatch(Seh *s, IrOp *op)
{
	const IrAttr *types = ir_op_attr(op, NAME_catch_types);
	bool all = abi_dispatch_catches_all(op);
	uint32_t nhandlers = op->nsuccs - !all;
	IrValue *token = ir_operand(op, 0);
	IrBuilder b = ir_before(s->m, op);
	for (uint32_t i = 0; i < nhandlers; i++) {
		Name *type = types && i < types->n ? types->elems[i]->name : NULL;
		IrBlock *next = build_clause(s, &b, token, type, op->succs[i].dest);
		token = next->args[0];
		b = ir_at_end(s->m, next, op->loc);
	}
	if (all)
		build_resume(s, b.block, op->loc);
	else
		ir_build_br(&b, op->succs[nhandlers].dest, &token, 1);
}

static void lower_terminate(Seh *s, IrOp *op)
{
	IrBuilder b = ir_before(s->m, op);
	IrBlock *handler = block_with_token(s, op->block, op->loc),
	        *next = block_with_token(s, op->block, op->loc);
	Reached *r = ptrmap_get(&s->reached, op->block);
	IrValue *token = ir_op_nmain(op) ? ir_operand(op, 0) : r->token;
	build_dispatch(s, &b, token, filter_of(s, NULL, op->loc), handler, next);
	build_resume(s, next, op->loc);
	IrBuilder landed = build_landing(s, handler, op->loc);
	cxa_end_in_terminate(s->circ, &landed, build_landed(s, &landed));
}

/* What a handler knows the exception by */

/* Gives each block that such a token comes to the pointer as one more argument. */
static void follow_token(Seh *s, IrValue *token, Blocks *work)
{
	if (ptrmap_get(&s->natives, token))
		return;
	ptrmap_put(s->mem, &s->natives, token, ir_block_add_arg(s->m, token->def.block, s->m->voidp));
	vec_push(s->mem, work, token->def.block);
}

static void follow_edges(Seh *s, IrOp *op, Blocks *work)
{
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		const IrSucc *succ = &op->succs[i];
		for (uint32_t k = 0; k < succ->nargs; k++)
			if (ptrmap_get(&s->natives, ir_succ_arg(succ, k)))
				follow_token(s, succ->dest->args[k], work);
	}
}

static IrValue *native_of(Seh *s, IrBuilder *b, const IrValue *token)
{
	IrValue *native = ptrmap_get(&s->natives, token);
	return native ? native : ir_build_const(b, ir_attr_null(s->m, s->m->voidp));
}

/* An edge into a block that has such an argument, from where the token was handed on. */
static void pass_natives(Seh *s, IrOp *op)
{
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		const IrSucc *succ = &op->succs[i];
		IrValue *token = token_of(succ->dest);
		if (!token || !ptrmap_get(&s->natives, token) || succ->nargs == succ->dest->nargs)
			continue;
		IrBuilder b = ir_before(s->m, op);
		IrValue **args = arena_array(s->mem, IrValue *, succ->dest->nargs);
		for (uint32_t k = 0; k < succ->nargs; k++)
			args[k] = ir_succ_arg(succ, k);
		args[succ->nargs] = native_of(s, &b, args[token->index]);
		ir_succ_set_args(s->m, op, i, args, succ->dest->nargs);
	}
}

static bool is_handler_edge(const IrOp *op, uint32_t i)
{
	return op->kind == OP_EH_DISPATCH && i < op->nsuccs - !abi_dispatch_catches_all(op);
}

static void follow_natives(Seh *s)
{
	Blocks work = {0};
	IR_FOR_BLOCKS (b, &s->func->regions[0])
		for (uint32_t i = 0; i < b->last->nsuccs; i++)
			if (is_handler_edge(b->last, i))
				follow_token(s, b->last->succs[i].dest->args[0], &work);
	while (work.len)
		follow_edges(s, vec_pop(&work)->last, &work);
	IR_FOR_BLOCKS (b, &s->func->regions[0])
		if (b->last->kind != OP_EH_DISPATCH)
			pass_natives(s, b->last);
}

/* Ops */

/* False: funclet.c drops it, or lowers it. */
static bool lower_op(Seh *s, IrOp *op)
{
	IrBuilder b = ir_before(s->m, op);
	switch (op->kind) {
	case OP_EH_DISPATCH:
		lower_dispatch(s, op);
		return true;
	case OP_EH_TERMINATE:
		lower_terminate(s, op);
		return true;
	case OP_BEGIN_CATCH:
		cxa_lower_begin_catch(s->circ, op, native_of(s, &b, ir_operand(op, 0)));
		return false; /* its token may be handed on */
	case OP_EXCEPTION:
		cxa_lower_exception(s->circ, op, native_of(s, &b, ir_operand(op, 0)));
		return true;
	case OP_END_CATCH: /* look_at_block() has done it */
		return true;
	default:
		return false;
	}
}

static bool needs_landed(const Seh *s)
{
	for (uint32_t i = 0; i < s->found.len; i++)
		if (s->found.data[i]->kind == OP_EH_TERMINATE ||
		    (s->found.data[i]->kind == OP_EH_DISPATCH && is_handler_edge(s->found.data[i], 0)))
			return true;
	return false;
}

void seh_erase_drops(IrOp *func)
{
	const IrRegion *body = &func->regions[0];
	for (IrOp *op = ir_walk_first(body), *next; op; op = next) {
		next = ir_walk_next(op, body);
		if (op->kind == OP_EH_DROP)
			ir_op_erase(op);
	}
}

bool seh_lower(Cxa *circ, IrOp *func, Arena *mem)
{
	Seh s = {.m = circ->rt.m, .circ = circ, .func = func, .mem = mem};
	VEC(IrOp *) replaced = {0};
	look(&s);
	if (!circ->rt.ok)
		return false;
	if (needs_landed(&s))
		make_landed(&s);
	follow_natives(&s);
	for (uint32_t i = 0; i < s.found.len && circ->rt.ok; i++)
		if (lower_op(&s, s.found.data[i]))
			vec_push(mem, &replaced, s.found.data[i]);
	abi_erase_token_ops(replaced.data, replaced.len);
	return circ->rt.ok;
}
