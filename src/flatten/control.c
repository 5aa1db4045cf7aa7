/* scope, if, ternary and the loops. */
#include "flatten/internal.h"

static void step_scope(Flatten *f, Frame *fr)
{
	IrOp *op = fr->op;
	flatten_replace_result(f, op, fr->yielded);
	flatten_pop(f);
	ir_op_erase(op);
}

void flatten_scope(Flatten *f, IrOp *op)
{
	Frame *fr = flatten_push(f, op, step_scope);
	flatten_open_region(f, fr, &op->regions[0]);
}

/* if and ternary */

typedef struct If {
	IrBlock *other; /* the else region */
	IrBlock *join;
} If;

static void meet(Flatten *f, Frame *fr, If *i)
{
	IrValue *v = f->at ? fr->yielded : NULL;
	if (v && !i->join->nargs)
		ir_block_add_arg(f->m, i->join, v->type);
	flatten_end(f, fr, i->join, v);
}

static void step_if(Flatten *f, Frame *fr)
{
	If *i = fr->data;
	IrOp *op = fr->op;
	meet(f, fr, i);
	if (fr->stage == 1 && i->other) {
		flatten_place(f, i->other);
		flatten_open_region(f, fr, &op->regions[1]);
		return;
	}
	flatten_place_join(f, i->join, op);
	flatten_replace_result(f, op, i->join->nargs ? i->join->args[0] : NULL);
	flatten_pop(f);
	ir_op_erase(op);
}

void flatten_if(Flatten *f, IrOp *op)
{
	Frame *fr = flatten_push(f, op, step_if);
	If *i = arena_new(f->mem, If);
	fr->data = i;
	i->join = flatten_block(f, op);
	IrBlock *then_block = flatten_block(f, op);
	if (op->regions[1].first)
		i->other = flatten_block(f, op);
	IrBuilder b = flatten_here(f, op);
	ir_build_brcond(&b, ir_operand(op, 0), (IrSuccSpec){.dest = then_block},
	                (IrSuccSpec){.dest = i->other ? i->other : i->join});
	f->at = NULL;
	flatten_place(f, then_block);
	flatten_open_region(f, fr, &op->regions[0]);
}

/* Loops. `for` is `while` with a step region; a cleanup, where there is one, belongs to each
 * iteration: it covers the condition, the body and the step, and so runs when the condition is false,
 * too (cir-reference 5.7, cir.while). */

typedef struct Loop {
	IrBlock *head; /* while, for: the condition. do: the body */
	IrBlock *next; /* where continue goes: condition of do, step of for, the head of while */
	IrBlock *body;
	IrBlock *exit;
	Dest *to_next, *to_exit, *to_head;
	Dest *
	    to_end; /* where a condition that is false leads; another one than to_exit where somebody asks (circ.abnormal) */
} Loop;

/* Regions by role; UINT32_MAX: none. */
static uint32_t step_region(const IrOp *op)
{
	return op->kind == OP_FOR ? 2 : UINT32_MAX;
}

static IrRegion *cleanup_region(const IrOp *op)
{
	return ir_op_has(op, NAME_cleanup_kind) ? &op->regions[op->nregions - 1] : NULL;
}

static Loop *loop_open(Flatten *f, IrOp *op, void (*step)(Flatten *, Frame *))
{
	Frame *fr = flatten_push(f, op, step);
	Loop *l = arena_new(f->mem, Loop);
	fr->data = l;
	l->head = flatten_block(f, op);
	l->body = op->kind == OP_DO ? l->head : flatten_block(f, op);
	l->next = op->kind == OP_WHILE ? l->head : flatten_block(f, op);
	l->exit = flatten_block(f, op);
	Scope *s = scope_push(f);
	l->to_exit = dest_new(f, l->exit, s);
	l->to_head = dest_new(f, l->head, s);
	l->to_end = f->m->made[OP_ABNORMAL] ? dest_new(f, l->exit, s) : l->to_exit;
	s->on_break = l->to_exit;
	return l;
}

static void loop_close(Flatten *f, Frame *fr)
{
	Loop *l = fr->data;
	IrOp *op = fr->op;
	f->scope = fr->scope;
	flatten_place_join(f, l->exit, op);
	flatten_pop(f);
	ir_op_erase(op);
}

/* The frame whose data is the Loop: fr itself, or the one below when fr is the frame of
 * the iteration's cleanup. */
static Loop *loop_of(const Frame *fr)
{
	return cleanup_region(fr->op) ? fr->parent->data : fr->data;
}

static void open_condition(Flatten *f, Frame *fr, Loop *l, IrRegion *region)
{
	fr->on_true = l->body;
	fr->on_false = l->to_end;
	flatten_open_region(f, fr, region);
}

/* stage 1: after the condition; 2: after the body; 3: after the step of a for. */
static void step_iteration(Flatten *f, Frame *fr)
{
	Loop *l = loop_of(fr);
	IrOp *op = fr->op;
	if (fr->stage == 1) {
		flatten_place_join(f, l->body, op);
		flatten_open_region(f, fr, &op->regions[1]);
		return;
	}
	if (fr->stage == 2 && step_region(op) != UINT32_MAX) {
		flatten_place_join(f, l->next, op);
		flatten_open_region(f, fr, &op->regions[step_region(op)]);
		return;
	}
	if (cleanup_region(op)) {
		cleanup_close(f, fr);
		return;
	}
	flatten_branch(f, l->head, NULL, op);
	loop_close(f, fr);
}

/* With a cleanup: this frame stays below that of the iteration, and closes the loop. */
static void step_after_cleanup(Flatten *f, Frame *fr)
{
	loop_close(f, fr);
}

static void flatten_head_loop(Flatten *f, IrOp *op)
{
	IrRegion *cleanup = cleanup_region(op);
	Loop *l = loop_open(f, op, cleanup ? step_after_cleanup : step_iteration);
	Frame *fr = f->frame;
	Scope *loop_scope = f->scope;
	flatten_branch(f, l->head, NULL, op);
	flatten_place(f, l->head);
	if (cleanup) {
		unsigned kind = ir_op_enum(op, NAME_cleanup_kind, CLEANUP_ALL);
		fr = cleanup_open(f, op, kind, cleanup, step_iteration, l->to_head);
		f->scope->ends = l->to_end;
	}
	/* In a for, continue stays inside the iteration: the step comes before the cleanup. */
	l->to_next = dest_new(f, l->next, op->kind == OP_FOR ? f->scope : loop_scope);
	f->scope->on_continue = l->to_next;
	open_condition(f, fr, l, &op->regions[0]);
}

void flatten_while(Flatten *f, IrOp *op)
{
	flatten_head_loop(f, op);
}

void flatten_for(Flatten *f, IrOp *op)
{
	flatten_head_loop(f, op);
}

static void step_do(Flatten *f, Frame *fr)
{
	Loop *l = fr->data;
	if (fr->stage == 1) {
		flatten_place_join(f, l->next, fr->op);
		open_condition(f, fr, l, &fr->op->regions[1]);
		return;
	}
	loop_close(f, fr);
}

void flatten_do(Flatten *f, IrOp *op)
{
	Loop *l = loop_open(f, op, step_do);
	l->to_next = dest_new(f, l->next, f->scope);
	f->scope->on_continue = l->to_next;
	flatten_branch(f, l->head, NULL, op);
	flatten_place(f, l->head);
	flatten_open_region(f, f->frame, &op->regions[0]);
}

void flatten_condition(Flatten *f, IrOp *op)
{
	Frame *fr = f->frame;
	CHECK(fr->on_true);
	IrBuilder b = flatten_here(f, op);
	IrValue *c = ir_operand(op, 0);
	const Scope *s = f->scope->cleanup;
	if (s && s->depth > fr->on_false->depth) { /* the false edge leaves through the iteration's cleanup */
		IrBlock *leave = flatten_block(f, op);
		ir_build_brcond(&b, c, (IrSuccSpec){.dest = fr->on_true}, (IrSuccSpec){.dest = leave});
		f->at = NULL;
		flatten_place(f, leave);
		exit_to(f, fr->on_false, op);
	} else {
		ir_build_brcond(&b, c, (IrSuccSpec){.dest = fr->on_true},
		                (IrSuccSpec){.dest = fr->on_false->block});
		f->at = NULL;
	}
	ir_op_erase(op);
}
