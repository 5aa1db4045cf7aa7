/* Catches and cleanups of flat CIR, on every path: what is begun is ended before the
 * function is left, innermost first, once.
 *
 *   needs  flat CIR whose ops are right one by one; Verifier.scopes holds the ops that begin, end or need a
 *          catch or a cleanup, block by block
 *   cost   blocks + edges: what is known of a block changes at most twice per kind
 *
 * Catches and cleanups are followed apart: unwinding out of a handler ends the catch inside
 * of a cleanup. Two paths into one block may disagree as long as nothing behind it asks:
 * cleanups share the block that terminates. */
#include "verify/verifier.h"

#include "ir/dominance.h"

typedef enum ScopeKind { SCOPE_CATCH, SCOPE_CLEANUP, SCOPE_KINDS } ScopeKind;

static const char *const scope_name[SCOPE_KINDS] = {"catch", "cleanup"};
static const char *const scope_names[SCOPE_KINDS] = {"catches", "cleanups"};

/* A stack of open scopes, innermost first; NULL is the empty one. Equal stacks are the same pointer. */
typedef struct Open {
	const IrOp *begin;         /* NULL: paths disagree */
	const struct Open *around; /* the rest; when paths disagree, what one of them has open */
	const struct Open *other;  /* and what the other */
} Open;

typedef struct BlockState {
	const IrBlock *block;
	uint32_t first, n; /* its ops in Verifier.scopes */
	bool reached, queued;
	const Open *in[SCOPE_KINDS];
} BlockState;

typedef struct Scopes {
	Verifier *v;
	BlockState *states; /* by place in the dominator tree */
	uint32_t *queue;
	uint32_t nqueue;
	const Open **made; /* by index in Verifier.scopes: the last stack that this op made */
} Scopes;

static bool disagree(const Open *o)
{
	return o && !o->begin;
}

static ScopeKind kind_of(const IrOp *op)
{
	return op->kind == OP_BEGIN_CLEANUP || op->kind == OP_END_CLEANUP ? SCOPE_CLEANUP : SCOPE_CATCH;
}

static bool begins(const IrOp *op)
{
	return op->kind == OP_BEGIN_CATCH || op->kind == OP_BEGIN_CLEANUP;
}

static bool ends(const IrOp *op)
{
	return op->kind == OP_END_CATCH || op->kind == OP_END_CLEANUP;
}

/* Following the paths */

static const Open *push(Scopes *s, uint32_t i, const Open *around)
{
	if (disagree(around))
		return around;
	if (!s->made[i] || s->made[i]->around != around) {
		Open *o = arena_new(s->v->arena, Open);
		*o = (Open){.begin = s->v->scopes.data[i], .around = around};
		s->made[i] = o;
	}
	return s->made[i];
}

static const Open *pop(const Open *o)
{
	return o && o->begin ? o->around : o;
}

static const Open *step(Scopes *s, uint32_t i, const Open *o)
{
	const IrOp *op = s->v->scopes.data[i];
	return begins(op) ? push(s, i, o) : ends(op) ? pop(o) : o;
}

static const Open *merge(Scopes *s, const Open *have, const Open *add)
{
	if (have == add || disagree(have))
		return have;
	if (disagree(add))
		return add;
	Open *o = arena_new(s->v->arena, Open);
	*o = (Open){.around = have, .other = add};
	return o;
}

static void enqueue(Scopes *s, BlockState *b)
{
	if (b->queued)
		return;
	b->queued = true;
	s->queue[s->nqueue++] = (uint32_t)(b - s->states);
}

static void enter(Scopes *s, const IrBlock *dest, const Open *const out[SCOPE_KINDS])
{
	BlockState *b = &s->states[s->v->place[dest->id]];
	bool changed = !b->reached;
	for (unsigned k = 0; k < SCOPE_KINDS; k++) {
		const Open *in = b->reached ? merge(s, b->in[k], out[k]) : out[k];
		changed |= in != b->in[k];
		b->in[k] = in;
	}
	b->reached = true;
	if (changed)
		enqueue(s, b);
}

static void follow(Scopes *s, BlockState *b)
{
	const Open *out[SCOPE_KINDS] = {b->in[SCOPE_CATCH], b->in[SCOPE_CLEANUP]};
	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		ScopeKind k = kind_of(s->v->scopes.data[i]);
		out[k] = step(s, i, out[k]);
	}
	const IrOp *last = b->block->last;
	for (uint32_t i = 0; i < last->nsuccs; i++)
		enter(s, last->succs[i].dest, out);
}

/* Reporting */

static const char *open_name(const Open *o)
{
	return scope_name[kind_of(o->begin)];
}

static void report_disagreement(Verifier *v, const IrOp *op, ScopeKind k, const Open *o)
{
	verifier_error(v, op, ": paths that lead here leave different %s open; expected the same on each",
	               scope_names[k]);
	const Open *one[] = {o->around, o->other};
	for (unsigned i = 0; i < ARRAY_LEN(one); i++)
		if (one[i])
			verifier_note(v, one[i]->begin->loc, "on one path this %s is the innermost one",
			              open_name(one[i]));
}

static void check_end(Verifier *v, const IrOp *op, const Open *o)
{
	ScopeKind k = kind_of(op);
	const IrValue *token = ir_operand(op, 0);
	if (disagree(o)) {
		report_disagreement(v, op, k, o);
	} else if (!o) {
		verifier_error(v, op, "ends a %s, but none is open", scope_name[k]);
	} else if (!token->is_arg && token->def.op != o->begin) {
		verifier_error(v, op, "ends a %s that is not the innermost one", scope_name[k]);
		verifier_note(v, o->begin->loc, "the innermost open %s begins here", open_name(o));
	}
}

/* cir.init_catch_param */
static void check_inside(Verifier *v, const IrOp *op, const Open *o)
{
	if (!o)
		verifier_error(v, op, "must be in a catch, after 'cir.begin_catch'");
}

/* Leaving the function with something open: the runtime would still count the exception as caught. */
static void check_exit(Verifier *v, const IrOp *op, const Open *const out[SCOPE_KINDS])
{
	if (op->kind != OP_RETURN && op->kind != OP_RESUME)
		return;
	for (unsigned k = 0; k < SCOPE_KINDS; k++) {
		if (!out[k])
			continue;
		if (disagree(out[k])) {
			report_disagreement(v, op, (ScopeKind)k, out[k]);
		} else {
			verifier_error(v, op, "leaves the function while a %s is open", scope_name[k]);
			verifier_note(v, out[k]->begin->loc, "this %s is not ended on the path",
			              open_name(out[k]));
		}
		return;
	}
}

static void report(Scopes *s, const BlockState *b)
{
	Verifier *v = s->v;
	const Open *out[SCOPE_KINDS] = {b->in[SCOPE_CATCH], b->in[SCOPE_CLEANUP]};
	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		const IrOp *op = v->scopes.data[i];
		ScopeKind k = kind_of(op);
		if (ends(op))
			check_end(v, op, out[k]);
		else if (!begins(op))
			check_inside(v, op, out[k]);
		out[k] = step(s, i, out[k]);
	}
	check_exit(v, b->block->last, out);
}

static uint32_t group_by_block(Scopes *s)
{
	const Verifier *v = s->v;
	uint32_t nblocks = 0;
	IR_FOR_BLOCKS (b, &v->symbol->regions[0])
		nblocks++;
	s->states = arena_array(v->arena, BlockState, nblocks);
	s->queue = arena_array(v->arena, uint32_t, nblocks);
	IR_FOR_BLOCKS (b, &v->symbol->regions[0])
		if (v->place[b->id] != DOM_UNREACHABLE)
			s->states[v->place[b->id]].block = b;
	for (uint32_t i = 0; i < v->scopes.len; i++) {
		uint32_t at = v->place[v->scopes.data[i]->block->id];
		if (at == DOM_UNREACHABLE)
			continue;
		if (s->states[at].n++ == 0)
			s->states[at].first = i;
	}
	return nblocks;
}

void verifier_check_scopes(Verifier *v)
{
	Scopes s = {.v = v};
	uint32_t nblocks = group_by_block(&s);
	s.made = arena_array(v->arena, const Open *, v->scopes.len);
	const Open *nothing[SCOPE_KINDS] = {NULL};
	enter(&s, v->symbol->regions[0].first, nothing);
	while (s.nqueue) {
		BlockState *b = &s.states[s.queue[--s.nqueue]];
		b->queued = false;
		follow(&s, b);
	}
	for (uint32_t i = 0; i < nblocks; i++)
		if (s.states[i].reached)
			report(&s, &s.states[i]);
}
