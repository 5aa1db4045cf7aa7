/* call/callconv_same_object.c: variables that are the same object as another, or as the result of the function.
 *
 * What flattening made of returns out of cleanup scopes: the variable is stored to the slot of the result, and the cleanups
 * run. An object with an identity is not copied by that: it has been where it belongs all along. So a slot to which just one
 * variable is ever stored, and which is not used for another object then, is that variable; and what is stored to the memory
 * of the result lives there, unless both are in use on one way through the function.
 *
 *	cost	blocks + uses, of which each looks at no more than so many ops, and all together at no more than so many
 *		beyond these (rewrite_is_left_alone): a slot is folded, or placed, once, and of a block no more is known than
 *		two of those that are in use in front of it and two behind it: one of the two is another than any that is
 *		asked for
 */
#include "call/callconv_internal.h"

#include "base/vec.h"

typedef struct Stores {
	Rewrite *r;
	PtrMap returns; /* those to slots that flattening made */
} Stores;

/* The load of what is stored to the memory; NULL: not stored from memory, or not at once. */
static IrOp *stored_load(Rewrite *r, const IrOp *store, const IrValue *memory)
{
	bool stores = store->kind == OP_STORE && ir_operand(store, 1) == memory;
	IrOp *source = stores ? rewrite_source(ir_operand(store, 0)) : NULL;
	return source && (rewrite_is_quiet(source, store) || rewrite_is_left_alone(r, source, store)) ? source
	                                                                                              : NULL;
}

static void find_returns(Stores *s)
{
	IR_FOR_OPS (op, s->r->func->regions[0].first)
		if (op->kind == OP_ALLOCA &&
		    ir_op_has(op, NAME_return_slot)) /* a flag keeps cleanups from what is stored there */
			IR_FOR_USES (u, &op->results[0])
				ptrmap_put(&s->r->m->scratch, &s->returns, u->user, u->user);
}

static bool changes(const IrOp *op, const IrValue *variable)
{
	bool harmless = op->kind == OP_LOAD || op->kind == OP_LIFETIME_START || op->kind == OP_LIFETIME_END;
	return !harmless && rewrite_touches(op, variable);
}

/* May the variable become another object behind the store? true, too, when that takes long to find out. */
static bool is_changed_behind(Arena *mem, const IrOp *store, const IrValue *variable)
{
	enum { FAR = 1024 /* ops looked at */ };
	unsigned budget = FAR;
	VEC(const IrOp *) work = {0};
	PtrMap seen = {0};
	vec_push(mem, &work, store->next);
	while (work.len) {
		const IrOp *op = vec_pop(&work), *last = NULL;
		for (; op; last = op, op = op->next)
			if (budget-- == 0 || changes(op, variable))
				return true;
		for (uint32_t i = 0; last && i < last->nsuccs; i++) {
			IrBlock *b = last->succs[i].dest;
			if (!b->first || ptrmap_get(&seen, b))
				continue;
			ptrmap_put(mem, &seen, b, b);
			vec_push(mem, &work, b->first);
		}
	}
	return false;
}

/* The variable whose object the store moves to the memory, and which is not used for another one then. */
static IrValue *stored_from(Stores *s, const IrOp *store, const IrValue *memory)
{
	IrOp *source = stored_load(s->r, store, memory);
	IrValue *from = source ? ir_operand(source, 0) : NULL;
	if (!from || from == memory || ptrmap_get(&s->returns, store))
		return from;
	ArenaMark mark = arena_mark(&s->r->m->scratch);
	bool changed = is_changed_behind(&s->r->m->scratch, store, from);
	arena_release(&s->r->m->scratch, mark);
	return changed ? NULL : from;
}

static void drop_self_copy(Rewrite *r, IrOp *store, const IrValue *memory)
{
	IrOp *source = stored_load(r, store, memory);
	if (!source || ir_operand(source, 0) != memory)
		return;
	ir_op_erase(store);
	rewrite_drop(source);
}

typedef VEC(IrOp *) Ops;
typedef VEC(IrValue *) Values;

/* Stores of the slot to the memory, the memory to the slot, and the slot to itself. */
static void find_moves(Arena *mem, Ops *moves, const IrValue *slot, const IrValue *memory)
{
	IR_FOR_USES (u, slot) {
		IrOp *op = u->user;
		if (op->kind == OP_STORE && u == &op->operands[1]) {
			const IrOp *source = rewrite_source(ir_operand(op, 0));
			const IrValue *from = source ? ir_operand(source, 0) : NULL;
			if (from == memory || from == slot)
				vec_push(mem, moves, op);
		} else if (op->kind == OP_LOAD && slot != memory) {
			IR_FOR_USES (w, &op->results[0])
				if (w->user->kind == OP_STORE && ir_operand(w->user, 1) == memory)
					vec_push(mem, moves, w->user);
		}
	}
}

static void merge(Rewrite *r, IrValue *slot, IrValue *memory)
{
	Ops moves = {0};
	find_moves(&r->m->scratch, &moves, slot, memory);
	rewrite_replace_slot(r, slot, memory);
	for (uint32_t i = 0; i < moves.len; i++)
		drop_self_copy(r, moves.data[i], memory);
}

/* Of two slots one is enough */

typedef struct Candidate {
	IrValue *slot;
	bool waits;
} Candidate;

typedef struct Fold {
	Rewrite *r;
	Stores *stores;
	PtrMap candidates; /* by slot */
	PtrMap unmarked;   /* variables */
	VEC(Candidate *) work;
} Fold;

static void wait(Fold *f, Candidate *c)
{
	if (c->waits)
		return;
	c->waits = true;
	vec_push(&f->r->m->scratch, &f->work, c);
}

/* Slots that are stored to the memory. */
static void find_candidates(Fold *f, const IrValue *memory)
{
	Arena *mem = &f->r->m->scratch;
	IR_FOR_USES (u, memory) {
		IrValue *slot = stored_from(f->stores, u->user, memory);
		if (!slot || !rewrite_is_slot(slot) || ptrmap_get(&f->candidates, slot))
			continue;
		Candidate *c = arena_new(mem, Candidate);
		c->slot = slot;
		ptrmap_put(mem, &f->candidates, slot, c);
		wait(f, c);
	}
}

/* The variable that is all that is ever stored to the slot. */
static IrValue *only_stored(Stores *s, const IrValue *slot)
{
	IrValue *variable = NULL;
	IR_FOR_USES (u, slot) {
		if (u->user->kind == OP_LOAD)
			continue;
		IrValue *from = stored_from(s, u->user, slot);
		if (!from || (variable && from != variable))
			return NULL;
		variable = from;
	}
	return variable;
}

/* Where the slot is stored to, there may be less to tell apart now. */
static void wake(Fold *f, const IrValue *slot)
{
	IR_FOR_USES (u, slot) {
		const IrOp *sink = u->user->kind == OP_LOAD ? rewrite_sink(&u->user->results[0]) : NULL;
		Candidate *c = sink ? ptrmap_get(&f->candidates, ir_operand(sink, 1)) : NULL;
		if (c && c->slot != slot)
			wait(f, c);
	}
}

/* What takes a slot's place is alive for as long as the slot was. */
static void drop_marks(Fold *f, IrValue *variable)
{
	if (ptrmap_get(&f->unmarked, variable))
		return;
	ptrmap_put(&f->r->m->scratch, &f->unmarked, variable, variable);
	rewrite_drop_marks(variable);
}

static void fold(Fold *f, IrValue *slot)
{
	Rewrite *r = f->r;
	IrValue *variable = only_stored(f->stores, slot);
	if (!variable || variable == slot || !rewrite_is_slot(variable) ||
	    !rewrite_is_replaceable(slot, r->sret->type, r->sig->result.align) ||
	    !rewrite_is_replaceable(slot, variable->type, rewrite_slot_align(variable)))
		return;
	wake(f, slot);
	rewrite_move_slot(r, variable);
	drop_marks(f, variable);
	merge(r, slot, variable);
}

static void fold_slots(Stores *stores)
{
	Rewrite *r = stores->r;
	Fold f = {.r = r, .stores = stores};
	find_candidates(&f, r->sret);
	for (uint32_t i = 0; i < f.work.len; i++)
		find_candidates(&f, f.work.data[i]->slot);
	while (f.work.len) {
		Candidate *c = vec_pop(&f.work);
		c->waits = false;
		fold(&f, c->slot);
	}
}

/* Of a slot and the caller's memory one is enough */

/* Two of those that are in use somewhere. */
typedef struct Users {
	const IrValue *of[2];
} Users;

typedef struct Ways {
	Users before, behind; /* a block, and in it */
} Ways;

typedef struct Share {
	Rewrite *r;
	Stores *stores;
	Ways *ways;    /* NULL: the result has not been used but for moves from one slot */
	PtrMap blocks; /* to ways */
	PtrMap tried;  /* slots */
	Values work;
	VEC(const IrBlock *) reached;
} Share;

static bool add_user(Users *users, const IrValue *v)
{
	for (uint32_t i = 0; i < ARRAY_LEN(users->of) && users->of[i] != v; i++) {
		if (users->of[i])
			continue;
		users->of[i] = v;
		return true;
	}
	return false;
}

static bool has_other(const Users *users, const IrValue *v)
{
	return (users->of[0] && users->of[0] != v) || (users->of[1] && users->of[1] != v);
}

/* Where the op loads one thing that is stored to another, or is that store, both may be one as far as that goes. Returns
 * the other of the two. */
static const IrValue *moved_with(const IrOp *op, const IrValue *memory)
{
	const IrOp *store = op->kind == OP_LOAD ? rewrite_sink(&op->results[0]) : op;
	const IrOp *source = store && store->kind == OP_STORE ? rewrite_source(ir_operand(store, 0)) : NULL;
	if (!source)
		return NULL;
	const IrValue *from = ir_operand(source, 0), *to = ir_operand(store, 1);
	const IrValue *other = from == memory ? to : from;
	return other != memory && (from == memory || to == memory) ? other : NULL;
}

static bool has_own_uses(const IrValue *memory, const IrValue *other)
{
	IR_FOR_USES (u, memory)
		if (moved_with(u->user, memory) != other)
			return true;
	return false;
}

/* What is stored may be made there right away. */
static const IrBlock *made_in(const IrOp *op)
{
	const IrValue *v = op->kind == OP_STORE ? ir_operand(op, 0) : NULL;
	return v && !v->is_arg ? v->def.op->block : op->block;
}

static void spread_behind(Share *s, const IrBlock *from, const IrValue *user)
{
	Arena *mem = &s->r->m->scratch;
	vec_push(mem, &s->reached, from);
	while (s->reached.len) {
		const IrBlock *b = vec_pop(&s->reached);
		if (!add_user(&((Ways *)ptrmap_get(&s->blocks, b))->before, user))
			continue;
		for (uint32_t i = 0; b->last && i < b->last->nsuccs; i++)
			vec_push(mem, &s->reached, b->last->succs[i].dest);
	}
}

static void spread_before(Share *s, const IrBlock *from, const IrValue *user)
{
	Arena *mem = &s->r->m->scratch;
	vec_push(mem, &s->reached, from);
	while (s->reached.len) {
		const IrBlock *b = vec_pop(&s->reached);
		if (!add_user(&((Ways *)ptrmap_get(&s->blocks, b))->behind, user))
			continue;
		IR_FOR_PREDS(p, b)
		vec_push(mem, &s->reached, p->op->block);
	}
}

/* The memory is that of the result, or is about to be. A move is a use for all but the slot at its other end. */
static void spread_uses(Share *s, const IrValue *memory)
{
	const IrValue *result = s->r->sret;
	IR_FOR_USES (u, memory) {
		const IrOp *op = u->user;
		const IrValue *other = moved_with(op, memory), *user = other ? other : result;
		bool marks = op->kind == OP_LIFETIME_START || op->kind == OP_LIFETIME_END;
		if (other == result || marks)
			continue;
		const IrBlock *blocks[] = {op->block, made_in(op)};
		for (uint32_t i = 0; i < ARRAY_LEN(blocks); i++) {
			spread_behind(s, blocks[i], user);
			spread_before(s, blocks[i], user);
		}
	}
}

static void look_at_result(Share *s)
{
	Arena *mem = &s->r->m->scratch;
	uint32_t n = 0;
	IR_FOR_BLOCKS (b, &s->r->func->regions[0])
		n++;
	Ways *ways = s->ways = arena_array(mem, Ways, n);
	memset(ways, 0, n * sizeof *ways);
	IR_FOR_BLOCKS (b, &s->r->func->regions[0])
		ptrmap_put(mem, &s->blocks, b, ways++);
	spread_uses(s, s->r->sret);
}

static bool is_used_besides(const Share *s, const IrBlock *b, const IrValue *slot)
{
	const Ways *w = ptrmap_get(&s->blocks, b);
	return has_other(&w->before, slot) || has_other(&w->behind, slot);
}

/* Never both in use, on any way through the function. */
static bool can_share(Share *s, const IrValue *slot)
{
	if (!s->ways && !has_own_uses(s->r->sret, slot))
		return true;
	if (!s->ways)
		look_at_result(s);
	IR_FOR_USES (u, slot) {
		const IrOp *op = u->user;
		if (moved_with(op, slot) != s->r->sret &&
		    (is_used_besides(s, op->block, slot) || is_used_besides(s, made_in(op), slot)))
			return false;
	}
	return true;
}

/* Slots that are stored to the memory, the latest use first. */
static void try_later(Share *s, const IrValue *memory)
{
	Arena *mem = &s->r->m->scratch;
	uint32_t first = s->work.len;
	IR_FOR_USES (u, memory) {
		IrValue *slot = stored_from(s->stores, u->user, memory);
		if (!slot || slot == memory || ptrmap_get(&s->tried, slot) ||
		    !rewrite_is_replaceable(slot, s->r->sret->type, s->r->sig->result.align))
			continue;
		ptrmap_put(mem, &s->tried, slot, slot);
		vec_push(mem, &s->work, slot);
	}
	for (uint32_t last = s->work.len; first + 1 < last; first++) {
		IrValue *slot = s->work.data[first];
		s->work.data[first] = s->work.data[--last];
		s->work.data[last] = slot;
	}
}

static void share_result(Stores *stores)
{
	Rewrite *r = stores->r;
	Share s = {.r = r, .stores = stores};
	try_later(&s, r->sret);
	while (s.work.len) {
		IrValue *slot = vec_pop(&s.work);
		if (!can_share(&s, slot))
			continue;
		if (s.ways)
			spread_uses(&s, slot);
		try_later(&s, slot);
		merge(r, slot, r->sret);
	}
}

static void drop_self_copies(Rewrite *r)
{
	Ops moves = {0};
	find_moves(&r->m->scratch, &moves, r->sret, r->sret);
	for (uint32_t i = 0; i < moves.len; i++)
		drop_self_copy(r, moves.data[i], r->sret);
}

void rewrite_share(Rewrite *r)
{
	ArenaMark mark = arena_mark(&r->m->scratch);
	Stores stores = {.r = r};
	find_returns(&stores);
	drop_self_copies(r);
	fold_slots(&stores);
	share_result(&stores);
	drop_self_copies(r); /* between whose load and store there were others */
	arena_release(&r->m->scratch, mark);
}
