/* call/callconv_function.c: the inside of a function whose signature changes.
 *
 *	cir.func @f(%s: !rec_S) -> !rec_T {             cir.func @f(%r: !cir.ptr<!rec_T> {llvm.sret …},
 *	  %0 = cir.alloca "s" : !cir.ptr<!rec_S>                    %s: !cir.ptr<!rec_S> {llvm.byval …}) {
 *	  %1 = cir.alloca "__retval" : !cir.ptr<…>
 *	  cir.store %s, %0                        →       … %s for %0, %r for %1 …
 *	  …
 *	  %9 = cir.load %1
 *	  cir.return %9                                   cir.return
 *	}                                               }
 */
#include "call/callconv_internal.h"
#include "ir/function_entry.h"

#include "base/ptrmap.h"
#include "ir/layout.h"

/* Returns. The variable that is returned becomes the memory that the caller gives for the result, where nobody can tell. */

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
	return rewrite_is_quiet(source, ret) || (abi_goes_by_address(&r->s.types, r->sig->source->elem) &&
	                                         rewrite_is_left_alone(r, source, ret));
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

static void return_this(Rewrite *r)
{
	const IrRegion *body = &r->func->regions[0];
	IrValue *this = body->first->args[0];
	IR_FOR_BLOCKS (b, body)
		if (b->last && b->last->kind == OP_RETURN)
			ir_op_set_main_operands(r->m, b->last, &this, 1);
}

static void rewrite_returns(Rewrite *r)
{
	const IrRegion *body = &r->func->regions[0];
	IrOp *ret = NULL;
	if (r->sig->result.how == PASS_THIS)
		return_this(r);
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
		rewrite_share(r);
}

/* Parameters */

typedef struct Entry {
	IrBlock *block;
	PtrMap first_stores; /* of the slots that are stored to before anything else happens */
} Entry;

static bool is_prologue(const IrOp *op)
{
	return op->kind == OP_ALLOCA || op->kind == OP_CONST ||
	       (op->kind == OP_STORE && rewrite_is_slot(ir_operand(op, 1)) &&
	        !rewrite_is_slot(ir_operand(op, 0)));
}

/* Front ends begin with the slots of parameters, and store all parameters there. */
static void read_prologue(Rewrite *r, Entry *e)
{
	for (IrOp *op = e->block->first; op && is_prologue(op); op = op->next)
		if (op->kind == OP_STORE && !ptrmap_get(&e->first_stores, ir_operand(op, 1)))
			ptrmap_put(&r->m->scratch, &e->first_stores, ir_operand(op, 1), op);
}

static IrBuilder at_entry(const Rewrite *r)
{
	IrBuilder b = ir_before(r->m, abi_entry_front(r->func));
	b.loc = r->func->loc;
	return b;
}

static void drop_param(Rewrite *r, IrValue *old)
{
	IrOp *sink = rewrite_sink(old);
	if (sink)
		ir_op_erase(sink);
	if (!old->uses)
		return;
	IrBuilder b = at_entry(r);
	ir_value_replace(old, rewrite_undef(&b, old->type));
}

static void join_param(Rewrite *r, Entry *e, IrValue *old, const AbiPassing *p)
{
	IrValue *pieces[2];
	for (uint32_t i = 0; i < p->npieces; i++)
		pieces[i] = ir_block_add_arg(r->m, e->block, p->pieces[i]);
	if (!old->uses)
		return;
	IrOp *sink = rewrite_sink(old);
	if (sink) {
		IrBuilder b = ir_before(r->m, sink);
		rewrite_store_pieces(r, &b, old->type, p, pieces, ir_operand(sink, 1),
		                     rewrite_access_align(sink, old->type));
		ir_op_erase(sink);
		return;
	}
	IrBuilder b = at_entry(r);
	IrValue *slot = rewrite_slot(r, old->type, abi_type_align(&r->s.types, old->type), b.loc);
	rewrite_store_pieces(r, &b, old->type, p, pieces, slot, ir_type_align(old->type));
	ir_value_replace(old, ir_build_load(&b, slot));
}

static void load_param(Rewrite *r, Entry *e, IrValue *old, const AbiPassing *p)
{
	IrValue *memory = ir_block_add_arg(r->m, e->block, ir_type_ptr(r->m, old->type));
	IrOp *sink = rewrite_sink(old);
	if (!old->uses)
		return;
	IrValue *slot = sink ? ir_operand(sink, 1) : NULL;
	if (sink && rewrite_is_replaceable(slot, memory->type, p->align) &&
	    ptrmap_get(&e->first_stores, slot) == sink) {
		ir_op_erase(sink);
		rewrite_replace_slot(r, slot, memory);
		return;
	}
	IrBuilder b = at_entry(r);
	ir_value_replace(old, rewrite_load(&b, memory, old->type, p->align));
}

static void rewrite_param(Rewrite *r, Entry *e, IrValue *old, const AbiPassing *p)
{
	switch (p->how) {
	case PASS_AS_IS:
	case PASS_EXTENDED:
		ir_value_replace(old, ir_block_add_arg(r->m, e->block, old->type));
		break;
	case PASS_PIECES:
		join_param(r, e, old, p);
		break;
	case PASS_BYVAL:
	case PASS_ADDRESS:
		load_param(r, e, old, p);
		break;
	case PASS_NOTHING:
	case PASS_THIS: /* of results alone */
		drop_param(r, old);
		break;
	}
}

static void add_sret(Rewrite *r, const Entry *e)
{
	r->sret = ir_block_add_arg(r->m, e->block, ir_type_ptr(r->m, r->sig->source->elem));
}

static void rewrite_params(Rewrite *r)
{
	Arena *mem = &r->m->scratch;
	const AbiSignature *sig = r->sig;
	Entry e = {.block = r->func->regions[0].first};
	ArenaMark mark = arena_mark(mem);
	read_prologue(r, &e);
	uint32_t n = e.block->nargs;
	IrValue **old = ir_block_take_args(e.block);
	if (abi_sret_is_behind(sig, 0))
		add_sret(r, &e);
	for (uint32_t i = 0; i < n; i++) {
		rewrite_param(r, &e, old[i], &sig->params[i]);
		if (abi_sret_is_behind(sig, i + 1))
			add_sret(r, &e);
	}
	arena_release(mem, mark);
}

void rewrite_func(Rewrite *r, IrOp *func)
{
	r->func = func;
	r->sig = abi_signature_of(&r->s, func);
	r->sret = NULL;
	if (r->sig->source->variadic) /* what stands behind the parameters may go in memory */
		rewrite_widen_effects(r->m, func);
	if (r->sig->same)
		return;
	r->changed = true;
	if (!ir_func_is_declaration(func))
		r->source = ir_source_remember(r->m, func);
	AbiPlaces places = abi_place_attrs(&r->s, r->sig, func, NULL, NULL, 0);
	rewrite_set_places(r, func, places);
	ir_op_set_attr(r->m, func, ir_known_name(r->m, NAME_function_type), ir_attr_type(r->m, r->sig->type));
	if (ir_func_is_declaration(func))
		return;
	rewrite_params(r);
	rewrite_returns(r);
}
