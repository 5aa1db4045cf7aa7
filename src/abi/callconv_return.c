/* abi/callconv_return.c: returns of functions whose signature changes. The variable that is returned becomes the memory
 * that the caller gives for the result, where nobody can tell.
 */
#include "abi/rewrite.h"

#include "base/vec.h"
#include "ir/layout.h"

/* A guaranteed tail call hands its result on: it is rewritten with the call. */
static bool returns_tail_call(const IrOp *ret)
{
	const IrValue *v = ir_operand(ret, 0);
	return !v->is_arg && v->def.op->next == ret && v->def.op->kind == OP_CALL &&
	       ir_op_has(v->def.op, NAME_musttail);
}

static void return_nothing(Rewrite *r, IrOp *ret)
{
	IrOp *source = rewrite_source(ir_operand(ret, 0));
	ir_op_set_main_operands(r->m, ret, NULL, 0);
	if (source)
		rewrite_drop(source);
}

static void return_pieces(Rewrite *r, IrOp *ret)
{
	IrValue *v = ir_operand(ret, 0), *whole;
	IrType *t = v->type;
	IrOp *source = rewrite_source(v);
	const AbiPassing *p = &r->sig->result;
	if (source) {
		IrBuilder b = ir_before(r->m, source);
		whole =
		    rewrite_load_whole(r, &b, t, p, ir_operand(source, 0), rewrite_access_align(source, t));
	} else {
		IrBuilder b = ir_before(r->m, ret);
		IrValue *slot = rewrite_slot(r, t, abi_type_align(&r->s.types, t), b.loc);
		ir_build_store(&b, v, slot);
		whole = rewrite_load_whole(r, &b, t, p, slot, ir_type_align(t));
	}
	ir_set_operand(ret, 0, whole);
	if (source)
		rewrite_drop(source);
}

static bool is_returned(Rewrite *r, const IrOp *source, const IrOp *ret)
{
	return rewrite_is_quiet(source, ret) ||
	       (abi_goes_by_address(&r->s.types, r->sig->source->elem) && rewrite_is_left_alone(source, ret));
}

static bool loads_result(Rewrite *r, const IrOp *ret)
{
	const IrOp *source = rewrite_source(ir_operand(ret, 0));
	return source && ir_operand(source, 0) == r->sret && is_returned(r, source, ret);
}

/* Where the variable that is returned lives in the memory of the caller, nothing is left to do. */
static void return_in_memory(Rewrite *r, IrOp *ret)
{
	IrValue *v = ir_operand(ret, 0);
	if (!loads_result(r, ret)) {
		IrBuilder b = ir_before(r->m, ret);
		if (v->is_arg || !(op_info[v->def.op->kind].flags & OPF_CALLS))
			rewrite_check_new(r, ret->loc, v, "returned");
		rewrite_store(&b, v, r->sret, r->sig->result.align);
	}
	return_nothing(r, ret);
}

/* The variable that a return loads: it can live where the caller wants the result ("named return value"). */
static void place_variable(Rewrite *r, const IrOp *ret)
{
	const IrOp *source = rewrite_source(ir_operand(ret, 0));
	IrValue *slot = source ? ir_operand(source, 0) : NULL;
	if (source && is_returned(r, source, ret) &&
	    rewrite_is_replaceable(slot, r->sret->type, r->sig->result.align))
		rewrite_replace_slot(r, slot, r->sret);
}

/* The load of what is stored to the memory; NULL: not stored from memory, or not at once. */
static IrOp *stored_load(const IrOp *store, const IrValue *memory)
{
	bool stores = store->kind == OP_STORE && ir_operand(store, 1) == memory;
	IrOp *source = stores ? rewrite_source(ir_operand(store, 0)) : NULL;
	return source && (rewrite_is_quiet(source, store) || rewrite_is_left_alone(source, store)) ? source
	                                                                                           : NULL;
}

/* A load of one that is stored to the other, or that store: both may be one place as far as that goes. */
static bool is_move(const IrOp *op, const IrValue *from, const IrValue *to)
{
	const IrOp *store = op->kind == OP_LOAD ? rewrite_sink(&op->results[0]) : op;
	if (!store || store->kind != OP_STORE || ir_operand(store, 1) != to)
		return false;
	const IrOp *source = rewrite_source(ir_operand(store, 0));
	return source && ir_operand(source, 0) == from;
}

/* By IrBlock.id: where a use of the memory is, and where one can come from there. */
static void mark_uses(Rewrite *r, const IrValue *memory, const IrValue *other, bool *used, bool *reached)
{
	VEC(const IrBlock *) work = {0};
	IR_FOR_USES (u, memory) {
		const IrOp *op = u->user;
		if (is_move(op, memory, other) || is_move(op, other, memory))
			continue;
		const IrValue *v = op->kind == OP_STORE ? ir_operand(op, 0) : NULL;
		const IrBlock *blocks[] = {op->block, v && !v->is_arg ? v->def.op->block : op->block};
		for (uint32_t i = 0; i < ARRAY_LEN(blocks); i++) {
			used[blocks[i]->id] = true;
			vec_push(&r->m->scratch, &work, blocks[i]);
		}
	}
	while (work.len) {
		const IrBlock *b = work.data[--work.len];
		if (reached[b->id])
			continue;
		reached[b->id] = true;
		for (uint32_t i = 0; b->last && i < b->last->nsuccs; i++)
			vec_push(&r->m->scratch, &work, b->last->succs[i].dest);
	}
}

static bool has_own_uses(const IrValue *memory, const IrValue *other)
{
	IR_FOR_USES (u, memory)
		if (!is_move(u->user, memory, other) && !is_move(u->user, other, memory))
			return true;
	return false;
}

/* Never both in use, on any way through the function. */
static bool can_share(Rewrite *r, const IrValue *slot)
{
	if (!has_own_uses(r->sret, slot))
		return true;
	Arena *mem = &r->m->scratch;
	ArenaMark mark = arena_mark(mem);
	uint32_t n = r->m->nblocks;
	bool *marks = arena_array(mem, bool, (size_t)n * 4), share = true;
	memset(marks, 0, (size_t)n * 4 * sizeof *marks);
	mark_uses(r, slot, r->sret, marks, marks + n);
	mark_uses(r, r->sret, slot, marks + 2 * (size_t)n, marks + 3 * (size_t)n);
	IR_FOR_BLOCKS (b, &r->func->regions[0]) {
		const bool *at = marks + b->id;
		share = share && !(at[0] && at[3 * (size_t)n]) && !(at[n] && at[2 * (size_t)n]);
	}
	arena_release(mem, mark);
	return share;
}

static void drop_self_copies(const IrValue *memory)
{
	IrUse *next;
	for (IrUse *u = memory->uses; u; u = next) {
		IrOp *store = u->user, *source = stored_load(store, memory);
		next = u->next;
		if (!source || ir_operand(source, 0) != memory)
			continue;
		while (next && (next->user == source || next->user == store))
			next = next->next;
		ir_op_erase(store);
		rewrite_drop(source);
	}
}

/* The variable that is all that is ever stored to the slot. */
static IrValue *only_stored(const IrValue *slot)
{
	IrValue *variable = NULL;
	IR_FOR_USES (u, slot) {
		if (u->user->kind == OP_LOAD)
			continue;
		IrOp *source = stored_load(u->user, slot);
		if (!source || (variable && ir_operand(source, 0) != variable))
			return NULL;
		variable = ir_operand(source, 0);
	}
	return variable;
}

/* Of two slots, or a slot and the caller's memory, one is enough. False: nothing left to do. */
static bool place_one_stored(Rewrite *r)
{
	drop_self_copies(r->sret);
	IR_FOR_USES (u, r->sret) {
		IrOp *source = stored_load(u->user, r->sret);
		IrValue *slot = source ? ir_operand(source, 0) : NULL;
		if (!slot || !rewrite_is_replaceable(slot, r->sret->type, r->sig->result.align))
			continue;
		IrValue *variable = only_stored(slot);
		if (variable && variable != slot && rewrite_is_slot(variable) &&
		    rewrite_is_replaceable(slot, variable->type, rewrite_slot_align(variable))) {
			rewrite_move_slot(r, variable);
			rewrite_replace_slot(r, slot, variable);
			drop_self_copies(variable);
			return true;
		}
		if (can_share(r, slot)) {
			rewrite_replace_slot(r, slot, r->sret);
			return true;
		}
	}
	return false;
}

/* What flattening made of returns out of cleanup scopes: the variable is stored to the slot
 * of the result, and the cleanups run. An object with an identity is not copied by that: it
 * has been where it belongs all along. */
static void place_stored_variables(Rewrite *r)
{
	while (place_one_stored(r))
		;
}

static void rewrite_return(Rewrite *r, IrOp *ret)
{
	switch (r->sig->result.how) {
	case PASS_PIECES:
		return_pieces(r, ret);
		break;
	case PASS_ADDRESS:
		return_in_memory(r, ret);
		break;
	case PASS_NOTHING:
		return_nothing(r, ret);
		break;
	default:
		break;
	}
}

static IrOp *return_of(const IrBlock *b)
{
	IrOp *last = b->last;
	return last && last->kind == OP_RETURN && ir_op_nmain(last) && !returns_tail_call(last) ? last : NULL;
}

void rewrite_returns(Rewrite *r)
{
	const IrRegion *body = &r->func->regions[0];
	IrOp *ret = NULL;
	if (r->sig->result.how == PASS_AS_IS || r->sig->result.how == PASS_EXTENDED)
		return;
	bool itself = abi_goes_by_address(&r->s.types, r->sig->source->elem);
	for (IrBlock *b = body->first; b && r->sret && !itself && !ret; b = b->next)
		if ((ret = return_of(b)))
			place_variable(r, ret);
	IR_FOR_BLOCKS (b, body)
		if ((ret = return_of(b)))
			rewrite_return(r, ret);
	if (r->sret && itself)
		place_stored_variables(r);
}
