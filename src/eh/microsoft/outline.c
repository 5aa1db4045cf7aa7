/* eh/microsoft/outline.c: from
 *
 * 	%c = cir.begin_cleanup %t
 * 	cir.try_call @f(%x) ^done, ^u
 * ^u:
 * 	…                                                    a handler
 * 	cir.br ^done
 * ^done:
 * 	cir.end_cleanup %c
 * 	cir.br ^next(%t)
 *
 * to
 *
 * 	%c = cir.begin_cleanup %t
 * 	cir.call @"g.cleanup"(%x)                            a function of all that stood here
 * 	cir.br ^done
 * ^done:
 * 	cir.end_cleanup %c
 * 	cir.br ^next(%t)
 *
 * A cleanup with several ends calls a function that tells which one it came to. What the cleanup computes for
 * what comes behind it, it leaves in memory.
 *
 * An exception that would leave the cleanup terminates, in the function, by a pad, and does not depend on
 * what runtimes make of one that leaves a cleanup of the tables: Microsoft's terminates, Wine's does not.
 */
#include "eh/microsoft/outline.h"

#include "base/ptrmap.h"
#include "base/vec.h"
#include "eh/microsoft/outline_filter.h"
#include "eh/microsoft/unreachable.h"
#include "ir/build.h"
#include "ir/clone.h"
#include "ir/eh_runtime.h"
#include "ir/lifetime.h"
#include "ir/memory_value.h"

/* An end_cleanup that ends the cleanup. */
typedef struct Exit {
	IrOp *end;
	IrBlock *from;   /* the block before it, once it is split off */
	IrBlock *rest;   /* the block that it then begins */
	uint32_t number; /* that the function returns */
	bool thrown;     /* by an exception that the cleanup itself has met: it does not leave the function */
} Exit;

typedef struct Outline {
	IrModule *m;
	IrOp *func;
	Arena *mem;
	Diags *d;
	PtrMap done; /* begin_cleanup ops inside of one that was looked at */
	/* one cleanup */
	IrOp *begin;
	PtrMap inside;         /* IrBlock of the cleanup → its copy, or itself before there is one */
	VEC(IrBlock *) blocks; /* the same, in the order found; the first holds begin */
	VEC(Exit) exits;
	VEC(IrValue *) inputs;
	PtrMap values; /* value → that of the copy */
	bool replaces; /* of circ's runtime: an exception that leaves it takes the place of the other one */
	bool is_apart; /* it becomes a function */
	bool failed;
	bool changed;
} Outline;

static void fail(Outline *o, const IrOp *op, const char *text)
{
	diag_error(o->d, op->loc, "'%s' %s", op_info[op->kind].name, text);
	diag_note(o->d, o->begin->loc,
	          "the cleanup begins here; it has handlers or allocates a variable size, so it becomes a "
	          "function on windows-msvc");
	o->failed = true;
}

/* Looking at a cleanup */

typedef struct Visit {
	IrBlock *block;
	uint32_t depth;  /* cleanups open, this one included */
	uint32_t flight; /* exceptions in flight, the one it runs for included */
} Visit;

typedef VEC(Visit) Visits;

static void visit_later(Outline *o, Visits *work, Visit v)
{
	if (ptrmap_get(&o->inside, v.block))
		return;
	ptrmap_put(o->mem, &o->inside, v.block, v.block);
	vec_push(o->mem, &o->blocks, v.block);
	vec_push(o->mem, work, v);
}

static void visit_ops(Outline *o, Visits *work, IrOp *op, Visit at)
{
	const IrOp *last = at.block->last;
	for (; op; op = op->next) {
		switch (op->kind) {
		case OP_BEGIN_CLEANUP:
			ptrmap_put(o->mem, &o->done, op, op);
			o->is_apart = true;
			at.depth++;
			break;
		case OP_ALLOCA: /* LLVM ends funclets with the stack pointer that they began with */
			o->is_apart |= op->noperands != 0;
			break;
		case OP_BEGIN_CATCH:
			o->is_apart = true;
			at.flight -= at.flight > 0;
			break;
		case OP_EH_INITIATE:
			at.flight++;
			break;
		case OP_EH_TERMINATE:
			o->is_apart |= at.flight > 1;
			break;
		case OP_END_CLEANUP:
			if (--at.depth == 0) {
				vec_push(o->mem, &o->exits, ((Exit){.end = op, .thrown = at.flight > 1}));
				return;
			}
			at.flight = at.depth + 1; /* what it ran for, or what took its place */
			break;
		default:
			break;
		}
	}
	for (uint32_t i = 0; i < last->nsuccs; i++)
		visit_later(o, work, (Visit){last->succs[i].dest, at.depth, at.flight});
}

/* Fills blocks, but for the one that begins it, and exits. */
static void look_at(Outline *o, IrOp *begin)
{
	Visits work = {0};
	o->begin = begin;
	o->inside = o->values = (PtrMap){0};
	o->blocks.len = o->exits.len = o->inputs.len = 0;
	o->is_apart = false;
	visit_ops(o, &work, begin->next, (Visit){begin->block, 1, 1});
	while (work.len) {
		Visit v = vec_pop(&work);
		visit_ops(o, &work, v.block->first, v);
	}
}

/* Cutting it out */

static bool is_inside(const Outline *o, const IrBlock *b)
{
	return ptrmap_get(&o->inside, b) != NULL;
}

static void add_block(Outline *o, IrBlock *b)
{
	ptrmap_put(o->mem, &o->inside, b, b);
	vec_push(o->mem, &o->blocks, b);
}

/* Its block ends with a branch to the one that op begins now. */
static IrBlock *cut_before(Outline *o, IrOp *op)
{
	IrBlock *b = op->block, *rest = ir_block_split(o->m, b, op, op->loc);
	IrBuilder end = ir_at_end(o->m, b, op->loc);
	ir_build_br(&end, rest, NULL, 0);
	return rest;
}

/* The function does not say which of two like ends it came to when there is one place to go. */
static uint32_t cut(Outline *o)
{
	uint32_t number = 0;
	add_block(o, cut_before(o, o->begin->next));
	for (uint32_t i = 0; i < o->exits.len; i++) {
		Exit *e = &o->exits.data[i];
		e->from = e->end->block;
		e->rest = cut_before(o, e->end);
		if (!e->thrown)
			e->number = number++;
	}
	return number;
}

static bool is_used_behind(const IrUse *u, const void *data)
{
	return !is_inside(data, u->user->block);
}

static void keep_value(Outline *o, IrValue *v)
{
	bool used = false;
	IR_FOR_USES (u, v)
		used |= is_used_behind(u, o);
	if (!used || ir_is_token(v->type))
		return;
	IrBlock *made = memory_value_make(o->m, o->func, v, is_used_behind, o);
	if (made)
		add_block(o, made);
}

static void keep_values(Outline *o)
{
	for (uint32_t i = 0; i < o->blocks.len; i++) {
		IrBlock *b = o->blocks.data[i];
		for (uint32_t k = 0; k < b->nargs; k++)
			keep_value(o, b->args[k]);
		IR_FOR_OPS (op, b)
			for (uint32_t k = 0; k < op->nresults; k++)
				keep_value(o, &op->results[k]);
	}
}

static const IrBlock *home_of(const IrValue *v)
{
	return v->is_arg ? v->def.block : v->def.op->block;
}

static void add_input(Outline *o, IrValue *v)
{
	if (ptrmap_get(&o->values, v))
		return;
	ptrmap_put(o->mem, &o->values, v, v);
	vec_push(o->mem, &o->inputs, v);
}

static void check_op(Outline *o, const IrOp *op)
{
	if (op->kind == OP_LABEL || op->kind == OP_INDIRECT_BR || op->kind == OP_RETURN)
		fail(o, op, "cannot be used in a cleanup that handles exceptions");
	for (uint32_t i = 0; i < op->noperands && !o->failed; i++) {
		IrValue *v = op->operands[i].value;
		if (is_inside(o, home_of(v)) || ptrmap_get(&o->values, v))
			continue;
		if (ir_is_token(v->type)) {
			fail(o, op, "cannot use an exception or catch token from outside of the cleanup");
			return;
		}
		add_input(o, v);
	}
}

/* Variables that its filters see. */
static void add_seen(Outline *o, const IrOp *dispatch)
{
	for (uint32_t i = 0; i < dispatch->nsuccs; i++) {
		const IrOp *filter = outline_filter_of(dispatch, i);
		const IrRegion *body = filter ? &filter->regions[0] : NULL;
		for (const IrOp *op = body ? ir_walk_first(body) : NULL; op; op = ir_walk_next(op, body)) {
			IrValue *v = outline_filter_variable(op, o->func);
			if (v)
				add_input(o, v);
		}
	}
}

static void find_inputs(Outline *o)
{
	for (uint32_t i = 0; i < o->blocks.len && !o->failed; i++) {
		IR_FOR_OPS (op, o->blocks.data[i])
			if (!o->failed)
				check_op(o, op);
		if (o->blocks.data[i]->last->kind == OP_EH_DISPATCH)
			add_seen(o, o->blocks.data[i]->last);
	}
}

/* The function */

static IrOp *create_function(Outline *o, uint32_t nends)
{
	IrType **params = arena_array(o->mem, IrType *, o->inputs.len);
	for (uint32_t i = 0; i < o->inputs.len; i++)
		params[i] = o->inputs.data[i]->type;
	IrType *result = nends > 1 ? o->m->s32 : ir_type_simple(o->m, TYPE_VOID);
	IrType *type = ir_type_func(o->m, params, o->inputs.len, result, false);
	IrOp *func = ir_func_create_part(o->m, o->func, "cleanup", type, o->begin->loc);
	const IrAttr *personality = ir_op_attr(o->func, NAME_personality);
	if (o->replaces && personality)
		ir_op_set_attr(o->m, func, ir_known_name(o->m, NAME_personality), personality);
	return func;
}

static IrValue *copied(const Outline *o, IrValue *v)
{
	IrValue *copy = ptrmap_get(&o->values, v);
	return copy ? copy : v; /* of a block that was not copied yet: set when all are */
}

static IrOp *copy_op(Outline *o, const IrOp *op, IrBlock *to)
{
	IrOp *copy = ir_op_clone(o->m, op, &o->inside, to);
	for (uint32_t i = 0; i < op->nresults; i++)
		ptrmap_put(o->mem, &o->values, &op->results[i], &copy->results[i]);
	return copy;
}

static const Exit *exit_of(const Outline *o, const IrBlock *b)
{
	for (uint32_t i = 0; i < o->exits.len; i++)
		if (o->exits.data[i].from == b)
			return &o->exits.data[i];
	return NULL;
}

/* What goes on behind the end of a cleanup in which it took the place of another one. NULL: in C++ that is the end of the program. */
static IrValue *copied_token(const Outline *o, const Exit *e)
{
	const IrOp *last = e->rest->last;
	if (!o->replaces)
		return NULL;
	for (uint32_t i = 0; i < last->noperands; i++) {
		IrValue *v = last->operands[i].value;
		if (v->type->kind == TYPE_EH_TOKEN && ptrmap_get(&o->values, v))
			return copied(o, v);
	}
	return NULL;
}

static void build_end(Outline *o, const Exit *e, IrBlock *to, uint32_t nends)
{
	IrBuilder b = ir_at_end(o->m, to, e->end->loc);
	if (e->thrown) {
		IrValue *token = copied_token(o, e);
		ir_build(&b, token ? OP_RESUME : OP_EH_TERMINATE, NULL, &token, token != NULL);
		return;
	}
	IrValue *number = nends > 1 ? ir_build_const_int(&b, o->m->s32, e->number) : NULL;
	ir_build(&b, OP_RETURN, NULL, &number, number != NULL);
}

static void copy_blocks(Outline *o, IrOp *func, uint32_t nends)
{
	IrBlock *entry = ir_func_add_entry(o->m, func);
	for (uint32_t i = 0; i < o->inputs.len; i++)
		ptrmap_put(o->mem, &o->values, o->inputs.data[i], entry->args[i]);
	for (uint32_t i = 0; i < o->blocks.len; i++) {
		IrBlock *b = o->blocks.data[i], *copy = ir_block_create(o->m, b->loc);
		ir_block_append(&func->regions[0], copy);
		ptrmap_put(o->mem, &o->inside, b, copy);
		for (uint32_t k = 0; k < b->nargs; k++)
			ptrmap_put(o->mem, &o->values, b->args[k],
			           ir_block_add_arg(o->m, copy, b->args[k]->type));
	}
	VEC(IrOp *) copies = {0};
	for (uint32_t i = 0; i < o->blocks.len; i++) {
		IrBlock *b = o->blocks.data[i], *to = ptrmap_get(&o->inside, b);
		const Exit *e = exit_of(o, b);
		IR_FOR_OPS (op, b)
			if (!e || op != b->last)
				vec_push(o->mem, &copies, copy_op(o, op, to));
		if (e)
			build_end(o, e, to, nends);
	}
	for (uint32_t i = 0; i < copies.len; i++)
		for (uint32_t k = 0; k < copies.data[i]->noperands; k++)
			ir_set_operand(copies.data[i], k, copied(o, copies.data[i]->operands[k].value));
	IrBuilder b = ir_at_end(o->m, entry, o->begin->loc);
	ir_build_br(&b, ptrmap_get(&o->inside, o->begin->next->succs[0].dest), NULL, 0);
}

/* The call */

static void build_switch(Outline *o, IrBuilder *b, IrValue *number, uint32_t nends)
{
	IrBlock *never = ir_block_create(o->m, b->loc);
	ir_block_insert_after(b->block, never);
	IrBuilder end = ir_at_end(o->m, never, b->loc);
	ir_build(&end, OP_UNREACHABLE, NULL, NULL, 0);
	IrSuccSpec *succs = arena_array(o->mem, IrSuccSpec, (size_t)nends + 1);
	const IrAttr **values = arena_array(o->mem, const IrAttr *, nends);
	succs[0] = (IrSuccSpec){.dest = never};
	for (uint32_t i = 0; i < o->exits.len; i++) {
		const Exit *e = &o->exits.data[i];
		if (e->thrown)
			continue;
		succs[e->number + 1] = (IrSuccSpec){.dest = e->rest};
		values[e->number] = ir_attr_int(o->m, o->m->s32, e->number);
	}
	IrNamedAttr cases = {ir_known_name(o->m, NAME_case_values), ir_attr_array(o->m, values, nends)};
	IrOpSpec spec = {.kind = OP_SWITCH_FLAT, .operands = &number, .noperands = 1, .succs = succs};
	spec.nsuccs = nends + 1;
	spec.attrs = &cases;
	spec.nattrs = 1;
	ir_build_spec(b, &spec);
}

static void build_call(Outline *o, const IrOp *func, uint32_t nends)
{
	ir_op_erase(o->begin->next); /* the branch into what was cut out */
	IrBuilder b = ir_at_end(o->m, o->begin->block, o->begin->loc);
	IrOp *call =
	    ir_build_call(&b, ir_symbol_name(func), ir_func_type(func)->elem, o->inputs.data, o->inputs.len);
	if (nends > 1) {
		build_switch(o, &b, &call->results[0], nends);
		return;
	}
	for (uint32_t i = 0; i < o->exits.len; i++) {
		if (o->exits.data[i].thrown)
			continue;
		ir_build_br(&b, o->exits.data[i].rest, NULL, 0);
		return;
	}
	ir_build(&b, OP_UNREACHABLE, NULL, NULL, 0);
}

static void outline(Outline *o)
{
	uint32_t nends = cut(o);
	keep_values(o);
	find_inputs(o);
	if (o->failed)
		return;
	for (uint32_t i = 0; i < o->inputs.len; i++)
		ir_forget_lifetime(o->inputs.data[i]);
	IrOp *func = create_function(o, nends);
	copy_blocks(o, func, nends);
	outline_filters(o->m, o->func, func, &o->values, o->mem);
	build_call(o, func, nends);
	o->changed = true;
}

bool outline_cleanups(IrModule *m, IrOp *func, Arena *mem, Diags *d)
{
	Outline o = {.m = m, .func = func, .mem = mem, .d = d};
	o.replaces = ir_func_eh_runtime(m, func) == EH_RUNTIME_CIRC;
	IR_FOR_BLOCKS (b, &func->regions[0]) {
		IrOp *op = b->first->kind == OP_EH_INITIATE ? b->first->next : b->first;
		if (op->kind != OP_BEGIN_CLEANUP || ptrmap_get(&o.done, op))
			continue;
		look_at(&o, op);
		if (o.is_apart)
			outline(&o);
		if (o.failed)
			return false;
	}
	if (o.changed)
		unreachable_drop(m, func, mem);
	return true;
}
