/* The pads of one function in the Microsoft form: LLVM's "Funclet transitions" (Exception Handling in LLVM),
 * and what its own verifier lets pass (style.md 4.3: a return out of a pad, a branch straight out of one).
 *
 *   needs  a function whose pad ops are right one by one (verify/microsoft_pad.c): parents are
 *          handlers, so pads form a tree
 *   cost   blocks + edges + pads
 *
 *   colour   the pad that a block belongs to. A block that two pads reach, as LLVM would clone it, must not
 *            care whose it is: it may compute and stop, but neither call nor leave.
 *   exit     where an exception that leaves a pad goes: one place, for the pad and for all
 *            that is inside of it. */
#include "verify/verifier.h"

#include "ir/dominance.h"

#define NONE UINT32_MAX /* no pad; as an exit: the caller */

typedef struct Pad {
	const IrOp *op;
	uint32_t parent, child, sibling; /* in the tree */
	uint32_t pre, end;               /* preorder interval */
	const IrOp *leaves;              /* the op by which exceptions leave it, or NULL */
	uint32_t exit;                   /* then: the pad entered, or NONE */
	bool binding;  /* it leaves for certain: not a catchswitch that only may unwind to the caller */
	uint32_t walk; /* for the search for cycles */
} Pad;

typedef enum ColourKind { COLOUR_UNKNOWN, COLOUR_PAD, COLOUR_SHARED } ColourKind;

typedef struct Colour {
	ColourKind kind;
	uint32_t pad;   /* NONE: outside of all pads */
	uint32_t other; /* COLOUR_SHARED: the second */
} Colour;

typedef struct Funclets {
	Verifier *v;
	Pad *pads;
	uint32_t npads;
	uint32_t *order; /* pads in preorder */
	Colour *colours; /* by place in the dominator tree */
	const IrBlock **queue;
	uint32_t nqueue;
} Funclets;

/* The tree */

/* A pad is the first op of its block: Verifier.mark holds its index plus 1. */
static uint32_t pad_at(const Funclets *f, const IrBlock *b)
{
	return f->v->mark[b->id] - 1;
}

static uint32_t pad_of(const Funclets *f, const IrValue *token)
{
	return pad_at(f, token->def.op->block);
}

static void make_tree(Funclets *f)
{
	const OpList *ops = &f->v->pads;
	f->npads = ops->len;
	f->pads = arena_array(f->v->arena, Pad, f->npads);
	for (uint32_t i = 0; i < f->npads; i++)
		f->v->mark[ops->data[i]->block->id] = i + 1;
	for (uint32_t i = 0; i < f->npads; i++)
		f->pads[i] =
		    (Pad){.op = ops->data[i], .parent = NONE, .child = NONE, .sibling = NONE, .pre = NONE};
	for (uint32_t i = f->npads; i-- > 0;) {
		Pad *p = &f->pads[i];
		if (ir_op_nmain(p->op) == 0)
			continue;
		p->parent = pad_of(f, ir_operand(p->op, 0));
		p->sibling = f->pads[p->parent].child;
		f->pads[p->parent].child = i;
	}
}

/* Numbers the pads below a root. */
static uint32_t number_from(Funclets *f, uint32_t root, uint32_t n)
{
	uint32_t p = root;
	for (;;) {
		f->pads[p].pre = n;
		f->order[n++] = p;
		if (f->pads[p].child != NONE) {
			p = f->pads[p].child;
			continue;
		}
		f->pads[p].end = n;
		while (p != root && f->pads[p].sibling == NONE) {
			p = f->pads[p].parent;
			f->pads[p].end = n;
		}
		if (p == root)
			return n;
		p = f->pads[p].sibling;
	}
}

/* Only in unreachable code can a token depend on itself. */
static bool number_pads(Funclets *f)
{
	uint32_t n = 0;
	f->order = arena_array(f->v->arena, uint32_t, f->npads);
	for (uint32_t i = 0; i < f->npads; i++)
		if (f->pads[i].parent == NONE)
			n = number_from(f, i, n);
	for (uint32_t i = 0; i < f->npads && n < f->npads; i++) {
		if (f->pads[i].pre != NONE)
			continue;
		verifier_error(f->v, f->pads[i].op, "begins a pad that is nested in itself");
		return false;
	}
	return true;
}

static bool is_inside(const Funclets *f, uint32_t pad, uint32_t of)
{
	if (of == NONE || pad == of)
		return true;
	return pad != NONE && f->pads[of].pre <= f->pads[pad].pre && f->pads[pad].pre < f->pads[of].end;
}

/* Colours */

static Colour *colour_of(const Funclets *f, const IrBlock *b)
{
	return &f->colours[f->v->place[b->id]];
}

static Colour own_colour(const Funclets *f, const IrBlock *b, Colour from)
{
	uint32_t pad = pad_at(f, b);
	if (pad == NONE)
		return from;
	/* A catchswitch is no place to be in: its block has nothing else. */
	return (Colour){COLOUR_PAD, f->pads[pad].op->kind == OP_CATCHSWITCH ? f->pads[pad].parent : pad, 0};
}

static void paint(Funclets *f, const IrBlock *b, Colour from)
{
	Colour *have = colour_of(f, b), c = own_colour(f, b, from);
	if (have->kind == COLOUR_SHARED ||
	    (have->kind == COLOUR_PAD && c.kind == COLOUR_PAD && have->pad == c.pad))
		return;
	if (have->kind == COLOUR_PAD && c.kind == COLOUR_PAD)
		c = (Colour){COLOUR_SHARED, have->pad, c.pad};
	*have = c;
	f->queue[f->nqueue++] = b;
}

/* The colour behind a terminator: a catchret goes on where the try began. */
static Colour colour_behind(const Funclets *f, const IrOp *last, Colour c)
{
	if (last->kind != OP_CATCHRET)
		return c;
	const Pad *pad = &f->pads[pad_of(f, ir_operand(last, 0))];
	return (Colour){COLOUR_PAD, f->pads[pad->parent].parent, 0};
}

static void paint_blocks(Funclets *f)
{
	const IrRegion *r = &f->v->symbol->regions[0];
	uint32_t n = 0;
	IR_FOR_BLOCKS (b, r)
		n++;
	f->colours = arena_array(f->v->arena, Colour, n);
	/* a colour changes at most twice */
	f->queue = arena_array(f->v->arena, const IrBlock *, 2 * (size_t)n);
	paint(f, r->first, (Colour){COLOUR_PAD, NONE, 0});
	while (f->nqueue) {
		const IrBlock *b = f->queue[--f->nqueue];
		Colour c = colour_behind(f, b->last, *colour_of(f, b));
		for (uint32_t i = 0; i < b->last->nsuccs; i++)
			paint(f, b->last->succs[i].dest, c);
	}
}

/* Blocks */

static void note_pad(const Funclets *f, uint32_t pad, const char *text)
{
	if (pad != NONE)
		verifier_note(f->v, f->pads[pad].op->loc, "%s", text);
	else
		verifier_note(f->v, f->v->symbol->loc, "it is reachable from outside of all pads");
}

static bool asks_for_pad(const IrOp *op)
{
	return (op_info[op->kind].flags & OPF_CALLS) || op->kind == OP_RETURN || op->kind == OP_CATCHRET ||
	       op->kind == OP_CLEANUPRET;
}

static void check_shared(Funclets *f, const IrBlock *b, Colour c)
{
	IR_FOR_OPS (op, b) {
		if (!asks_for_pad(op))
			continue;
		uint32_t first = c.pad == NONE ? c.other : c.pad, second = c.pad == NONE ? c.pad : c.other;
		verifier_error(f->v, op,
		               "is reachable from two pads, or from one and from outside; expected each "
		               "block to belong to one pad");
		note_pad(f, first, "it is reachable from this pad");
		note_pad(f, second, "and from this one");
		return;
	}
}

static void check_leave(Funclets *f, const IrOp *op, uint32_t pad)
{
	if (op->kind == OP_RETURN && pad != NONE) {
		verifier_error(f->v, op, "returns from inside a pad");
		note_pad(f, pad, "the innermost open pad begins here");
	} else if ((op->kind == OP_CATCHRET || op->kind == OP_CLEANUPRET) &&
	           pad_of(f, ir_operand(op, 0)) != pad) {
		verifier_error(f->v, op, "closes a pad that this block is not in");
		verifier_note(f->v, ir_operand(op, 0)->def.op->loc, "the pad that it closes begins here");
		if (pad != NONE)
			note_pad(f, pad, "the innermost open pad begins here");
	}
}

static void check_blocks(Funclets *f)
{
	IR_FOR_BLOCKS (b, &f->v->symbol->regions[0]) {
		if (f->v->place[b->id] == DOM_UNREACHABLE)
			continue;
		Colour c = *colour_of(f, b);
		if (c.kind == COLOUR_SHARED)
			check_shared(f, b, c);
		else
			check_leave(f, b->last, c.pad);
	}
}

/* Exits */

static const char *exit_text(uint32_t exit)
{
	return exit == NONE ? "the caller" : "another pad";
}

static void record_exit(Funclets *f, uint32_t pad, const IrOp *by, uint32_t exit, bool binding)
{
	Pad *p = &f->pads[pad];
	if (p->leaves && p->exit != exit) {
		verifier_error(
		    f->v, by,
		    "unwinds out of a pad to %s; expected all exits of a pad to have one destination",
		    exit_text(exit));
		verifier_note(f->v, p->op->loc, "the pad begins here");
		verifier_note(f->v, p->leaves->loc, "it is also left here, to %s", exit_text(p->exit));
		if (p->exit != NONE)
			verifier_note(f->v, f->pads[p->exit].op->loc, "which is this one");
		return;
	}
	if (!p->leaves)
		p->leaves = by;
	p->exit = exit;
	p->binding |= binding;
}

/* An exception that goes from inside `from` (NONE: outside of all pads) to where pad `to` begins. */
static void check_transition(Funclets *f, const IrOp *by, uint32_t from, uint32_t to)
{
	uint32_t parent = f->pads[to].parent;
	bool closes = by->kind == OP_CLEANUPRET || by->kind == OP_CATCHSWITCH;
	if (from != NONE && is_inside(f, from, to)) {
		verifier_error(f->v, by, "unwinds to a pad that contains it");
		note_pad(f, to, "the pad begins here");
	} else if (!is_inside(f, from, parent) || (closes && parent == from)) {
		verifier_error(f->v, by, "unwinds to a pad whose enclosing pad is not open here");
		note_pad(f, to, "the pad that it unwinds to begins here");
		note_pad(f, parent, "its enclosing pad is this one");
	} else if (from != NONE && from != parent) {
		record_exit(f, from, by, to, true);
	}
}

/* Does the op unwind, and out of which pad? */
static bool unwinds_from(const Funclets *f, const IrOp *op, uint32_t *from)
{
	if (ir_op_has_unwind_edge(op)) {
		*from = colour_of(f, op->block)->pad;
		return colour_of(f, op->block)->kind == COLOUR_PAD;
	}
	switch (op->kind) {
	case OP_CATCHSWITCH:
		*from = pad_at(f, op->block);
		return true;
	case OP_CLEANUPRET:
		*from = pad_of(f, ir_operand(op, 0));
		return true;
	default:
		return false;
	}
}

static void check_unwinding(Funclets *f, const IrOp *op)
{
	uint32_t from;
	if (!unwinds_from(f, op, &from))
		return;
	const IrSucc *last = op->nsuccs ? &op->succs[op->nsuccs - 1] : NULL;
	if (last && verifier_unwinds(last))
		check_transition(f, op, from, pad_at(f, last->dest));
	else
		record_exit(f, from, op, NONE, op->kind == OP_CLEANUPRET);
}

/* What leaves a pad also leaves those around it, up to the one in which the pad entered stands. */
static void spread_exits(Funclets *f)
{
	for (uint32_t i = f->npads; i-- > 0;) {
		const Pad *p = &f->pads[f->order[i]];
		if (!p->leaves || p->parent == NONE || (p->exit == NONE && !p->binding))
			continue;
		if (p->exit == NONE || f->pads[p->exit].parent != p->parent)
			record_exit(f, p->parent, p->leaves, p->exit, p->binding);
	}
}

static bool leads_to_sibling(const Funclets *f, const Pad *p)
{
	return p->leaves && p->exit != NONE && f->pads[p->exit].parent == p->parent;
}

static void report_cycle(Funclets *f, uint32_t start)
{
	verifier_error(f->v, f->pads[start].leaves,
	               ": this pad is part of a cycle of pads that handle each other's exceptions");
	uint32_t p = start;
	do {
		note_pad(f, p, "this pad is part of the cycle");
		p = f->pads[p].exit;
	} while (p != start);
}

/* Each pad leads to one at most: follow, marking what each walk has met. */
static void check_cycles(Funclets *f)
{
	for (uint32_t i = 0; i < f->npads; i++) {
		uint32_t p = i;
		while (!f->pads[p].walk) {
			f->pads[p].walk = i + 1;
			if (!leads_to_sibling(f, &f->pads[p]))
				break;
			p = f->pads[p].exit;
			if (f->pads[p].walk == i + 1) {
				report_cycle(f, p);
				return;
			}
		}
	}
}

static void check_exits(Funclets *f)
{
	uint32_t errors = f->v->d->errors;
	IR_FOR_BLOCKS (b, &f->v->symbol->regions[0])
		if (f->v->place[b->id] != DOM_UNREACHABLE)
			check_unwinding(f, b->last);
	if (f->v->d->errors == errors)
		spread_exits(f);
	if (f->v->d->errors == errors)
		check_cycles(f);
}

void verifier_check_funclets(Verifier *v)
{
	Funclets f = {.v = v};
	make_tree(&f);
	if (number_pads(&f)) {
		paint_blocks(&f);
		check_blocks(&f);
		check_exits(&f);
	}
	for (uint32_t i = 0; i < f.npads; i++)
		v->mark[f.pads[i].op->block->id] = 0;
}
