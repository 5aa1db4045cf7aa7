/* lower/pad_slots.c: exceptions in flight are in memory where no optimizer sees the code, as they are in clang's objects.
 *
 * What landing pads bring is passed on to blocks that several of them lead to. Phis would be spilled and loaded again at each such block. Values that
 * phis join have one slot instead, if none of them is used after a landing pad has stored another one there:
 *
 *	store ptr %exn, ptr %slot	; behind a landing pad
 *	%p = load ptr, ptr %slot	; wherever it, or an argument of a block that it is passed to, is used
 *
 *   cost  for each value, the blocks that it is live in
 */
#include "lower/lowerer.h"

/* Results of pads, and arguments of blocks, that edges connect. */
typedef struct Group {
	VEC(const IrValue *) members;
	bool joins; /* several edges lead to one of its arguments */
	bool unfit;
} Group;

typedef struct Finder {
	Lower *e;
	const IrBlock *entry;
	PtrMap groups; /* IrValue → Group */
	VEC(const IrBlock *) work;
} Finder;

static bool is_reachable(const Finder *f, const IrBlock *b)
{
	return b == f->entry || f->e->npreds[b->id];
}

static const IrOp *pad_of(const IrBlock *b)
{
	return b->first->kind == OP_EH_INFLIGHT ? b->first : NULL;
}

static const IrBlock *block_of(const IrValue *v)
{
	return v->is_arg ? v->def.block : v->def.op->block;
}

/* ---- groups ---- */

static void add(Finder *f, Group *g, const IrValue *v)
{
	bool fits = v->is_arg ? v->def.block != f->entry : v->def.op == pad_of(v->def.op->block);
	if (!fits || v->type != g->members.data[0]->type)
		g->unfit = true;
	else if (!ptrmap_get(&f->groups, v)) {
		ptrmap_put(f->e->scratch, &f->groups, v, g);
		vec_push(f->e->scratch, &g->members, v);
	}
}

static void add_arguments(Finder *f, Group *g, const IrValue *v)
{
	IR_FOR_USES (u, v) {
		uint32_t at = (uint32_t)(u - u->user->operands);
		for (uint32_t i = 0; i < u->user->nsuccs && is_reachable(f, u->user->block); i++) {
			const IrSucc *s = &u->user->succs[i];
			if (at >= s->first && at < s->first + s->nargs)
				add(f, g, s->dest->args[at - s->first]);
		}
	}
}

static void add_incoming(Finder *f, Group *g, const IrValue *arg)
{
	g->joins |= f->e->npreds[arg->def.block->id] > 1;
	IR_FOR_PREDS(s, arg->def.block)
	if (is_reachable(f, s->op->block))
		add(f, g, ir_succ_arg(s, arg->index));
}

static Group *make_group(Finder *f, const IrValue *first)
{
	Group *g = arena_new(f->e->scratch, Group);
	*g = (Group){0};
	ptrmap_put(f->e->scratch, &f->groups, first, g);
	vec_push(f->e->scratch, &g->members, first);
	for (uint32_t i = 0; i < g->members.len && !g->unfit; i++) {
		const IrValue *v = g->members.data[i];
		add_arguments(f, g, v);
		if (v->is_arg)
			add_incoming(f, g, v);
	}
	return g;
}

/* ---- does the slot hold v wherever v is used? ---- */

static bool is_other(const Finder *f, const Group *g, const IrValue *v, const IrValue *other)
{
	return other != v && ptrmap_get(&f->groups, other) == g;
}

/* Does it begin with another value of the group? */
static bool takes_slot(const Finder *f, const Group *g, const IrValue *v, const IrBlock *b)
{
	const IrOp *pad = pad_of(b);
	for (uint32_t i = 0; pad && i < pad->nresults; i++)
		if (is_other(f, g, v, &pad->results[i]))
			return true;
	for (uint32_t i = 0; i < b->nargs; i++)
		if (is_other(f, g, v, b->args[i]))
			return true;
	return false;
}

static void come_to(Finder *f, const IrBlock *b)
{
	Lower *e = f->e;
	if (!is_reachable(f, b) || e->pad_walk[b->id] == e->pad_walks)
		return;
	e->pad_walk[b->id] = e->pad_walks;
	vec_push(f->e->scratch, &f->work, b);
}

/* Backwards from the uses to where it is defined. */
static bool holds(Finder *f, const Group *g, const IrValue *v)
{
	bool ok = true;
	f->e->pad_walks++;
	f->work.len = 0;
	IR_FOR_USES (u, v)
		come_to(f, u->user->block);
	while (f->work.len && ok) {
		const IrBlock *b = f->work.data[--f->work.len];
		ok = !takes_slot(f, g, v, b);
		if (b == block_of(v))
			continue;
		IR_FOR_PREDS(s, b)
		come_to(f, s->op->block);
	}
	return ok;
}

static bool fits(Finder *f, const Group *g)
{
	bool ok = g->joins && !g->unfit;
	for (uint32_t i = 0; i < g->members.len && ok; i++)
		ok = holds(f, g, g->members.data[i]);
	return ok;
}

/* ---- slots ---- */

static void give_slot(Finder *f, const Group *g)
{
	Lower *e = f->e;
	LLVMTypeRef type = lower_type(e, g->members.data[0]->type);
	LLVMValueRef slot = lower_slot(e, type, LLVMABIAlignmentOfType(e->data, type), "exception");
	for (uint32_t i = 0; i < g->members.len; i++)
		ptrmap_put(e->scratch, &e->pad_slots, g->members.data[i], slot);
}

static void find_slots(Finder *f, const IrOp *pad)
{
	for (uint32_t i = 0; i < pad->nresults; i++) {
		if (ptrmap_get(&f->groups, &pad->results[i]))
			continue;
		const Group *g = make_group(f, &pad->results[i]);
		if (fits(f, g))
			give_slot(f, g);
	}
}

void lower_make_pad_slots(Lower *e, const IrOp *func)
{
	bool wanted = e->options->code_only && !e->whole && e->target->shape != SHAPE_WASM_CATCHES &&
	              e->m->made[OP_EH_INFLIGHT];
	if (!wanted)
		return;
	if (!e->pad_walk)
		e->pad_walk = arena_array(e->arena, uint32_t, e->m->nblocks);
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
	LLVMValueRef first = LLVMGetFirstInstruction(entry);
	if (first)
		LLVMPositionBuilderBefore(e->b, first);
	else
		LLVMPositionBuilderAtEnd(e->b, entry);
	Finder f = {.e = e, .entry = func->regions[0].first};
	IR_FOR_BLOCKS (b, &func->regions[0])
		if (pad_of(b) && is_reachable(&f, b))
			find_slots(&f, pad_of(b));
}

/* Spills have no place either: a debugger would stop at the pad. */
void lower_store_pad(Lower *e, const IrOp *pad)
{
	LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(e->b);
	LLVMSetCurrentDebugLocation2(e->b, NULL);
	for (uint32_t i = e->pad_slots.len ? pad->nresults : 0; i-- > 0;) {
		LLVMValueRef slot = ptrmap_get(&e->pad_slots, &pad->results[i]);
		if (slot)
			LLVMBuildStore(e->b, e->values[pad->results[i].id], slot);
	}
	LLVMSetCurrentDebugLocation2(e->b, place);
}
