/* abi/callconv_func.c: the inside of a function whose signature changes.
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
#include "abi/entry.h"
#include "abi/rewrite.h"

#include "base/ptrmap.h"
#include "ir/layout.h"

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
