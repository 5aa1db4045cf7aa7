/* eh/wasm/wasm.c: in functions of circ's runtime, from
 *
 * 	circ.localescape %a, %b
 * 	…
 * 	cir.try_call @f(%x) ^normal, ^pad
 * ^pad:
 * 	%e, %s = cir.eh.inflight_exception cleanup [@.circ.clause.A]
 * 	%1 = cir.eh.typeid @.circ.clause.A
 *
 * to
 *
 * 	%frame = cir.alloca                                 once a function, with
 * 	%chain = cir.call @circ_sjlj_chain()                the thread's innermost frame
 * 	cir.store [%a, %b], %frame[6]
 * 	…
 * 	cir.store @.circ.pad.NAME.0, %frame[1]
 * 	%outer = cir.load %chain
 * 	cir.store %outer, %frame[0]
 * 	cir.store %frame, %chain
 * 	cir.try_call @f(%x) ^called, ^pad
 * ^called:
 * 	cir.store %outer, %chain
 * 	cir.br ^normal
 * ^pad:
 * 	%e, %0 = cir.eh.inflight_exception cleanup
 * 	%s = cir.call @circ_wasm_land(%frame, %e)           which takes the frame down
 * 	%1 = cir.const 1
 *
 * and in filters
 *
 * 	%a = circ.localrecover @g, %variables[0]      to    %a = cir.load %variables[0]
 */
#include "eh/wasm/wasm.h"

#include "eh/chain.h"
#include "ir/eh_runtime.h"
#include "ir/function_entry.h"

enum { FRAME_WORDS = 8 };

static const LibFn land_fn = {"circ_wasm_land", "ipp", true, false, chain_what};

typedef struct Wasm {
	EhChain c;
	PtrMap pads; /* block that an exception enters → the name of its table */
} Wasm;

/* Pads */

static void drop_clauses(IrModule *m, IrOp *inflight)
{
	static const NameId lists[] = {NAME_catch_type_list, NAME_outer_type_list, NAME_catch_all};
	for (unsigned i = 0; i < ARRAY_LEN(lists); i++)
		ir_op_set_attr(m, inflight, ir_known_name(m, lists[i]), NULL);
	ir_set_flag(m, inflight, NAME_cleanup);
}

static void lower_inflight(Wasm *w, IrOp *op)
{
	IrModule *m = w->c.m;
	ptrmap_put(w->c.mem, &w->pads, op->block, chain_define_pad(&w->c, op));
	drop_clauses(m, op);
	IrBuilder b = ir_before(m, op->next);
	IrValue *args[] = {chain_frame(&w->c, &b), &op->results[0]};
	IrOp *land = chain_call(&w->c, &b, &land_fn, args, 2);
	if (land)
		ir_value_replace(&op->results[1],
		                 ir_build_cast(&b, CAST_INTEGRAL, &land->results[0], m->u32));
}

static void lower_pads(Wasm *w)
{
	IR_FOR_BLOCKS (block, &w->c.func->regions[0])
		IR_FOR_OPS_SAFE (op, block) {
			if (op->kind == OP_EH_INFLIGHT)
				lower_inflight(w, op);
			else if (op->kind == OP_EH_TYPEID)
				chain_lower_typeid(&w->c, op);
		}
}

/* Calls */

/* The frame is taken down on the way to the edge's block. */
static void pop_on(Wasm *w, IrOp *call, IrValue *outer)
{
	IrModule *m = w->c.m;
	IrBlock *called = ir_block_create(m, call->loc);
	ir_block_insert_after(call->block, called);
	IrOpSpec spec = ir_op_spec(call, w->c.mem);
	IrSuccSpec edges[] = {{called, NULL, 0}, chain_edge(&w->c, &call->succs[1])};
	IrSuccSpec normal = chain_edge(&w->c, &call->succs[0]);
	spec.succs = edges;
	spec.nsuccs = 2;
	IrBuilder b = ir_before(m, call);
	IrOp *copy = ir_build_spec(&b, &spec);
	b = ir_at_end(m, called, call->loc);
	chain_pop(&w->c, &b, outer);
	ir_build_br(&b, normal.dest, normal.args, normal.nargs);
	for (uint32_t i = 0; i < call->nresults; i++)
		ir_value_replace(&call->results[i], &copy->results[i]);
	ir_op_erase(call);
}

static void lower_call(Wasm *w, IrOp *op)
{
	IrBuilder b = ir_before(w->c.m, op);
	Name *pad = ptrmap_get(&w->pads, op->succs[1].dest);
	CHECK(pad);
	chain_set_pad(&w->c, &b, pad);
	pop_on(w, op, chain_push(&w->c, &b));
}

static void lower_calls(Wasm *w)
{
	IR_FOR_BLOCKS (block, &w->c.func->regions[0])
		if (block->last && ir_op_has_unwind_edge(block->last))
			lower_call(w, block->last);
}

/* Variables that filters see */

static IrValue *element(IrBuilder *b, IrValue *array, uint64_t index)
{
	IrValue *step[] = {array, ir_build_const_int(b, b->m->s64, index)};
	return &ir_build(b, OP_PTR_STRIDE, array->type, step, 2)->results[0];
}

static void lower_localescape(Wasm *w, IrOp *op)
{
	IrModule *m = w->c.m;
	IrBuilder front = ir_before(m, abi_entry_front(w->c.func)), b = ir_before(m, op);
	IrType *type = ir_type_array(m, m->voidp, op->noperands ? op->noperands : 1);
	IrValue *array = ir_build_alloca(&front, type, STR("__locals"), ir_module_address_size(m));
	IrValue *words = ir_build_bitcast(&b, array, ir_type_ptr(m, m->voidp));
	for (uint32_t i = 0; i < op->noperands; i++)
		ir_build_store(&b, ir_build_bitcast(&b, ir_operand(op, i), m->voidp), element(&b, words, i));
	ir_build_store(&b, ir_build_bitcast(&b, array, m->voidp), chain_word(&w->c, &b, CHAIN_LOCALS));
	ir_op_erase(op);
}

static void lower_localrecover(IrModule *m, IrOp *op)
{
	IrBuilder b = ir_before(m, op);
	IrValue *words = ir_build_bitcast(&b, ir_operand(op, 0), ir_type_ptr(m, m->voidp));
	IrValue *address = ir_build_load(&b, element(&b, words, ir_op_uint(op, NAME_index, 0)));
	ir_value_replace(&op->results[0], ir_build_bitcast(&b, address, op->results[0].type));
	ir_op_erase(op);
}

static void lower_variables(Wasm *w)
{
	IR_FOR_BLOCKS (block, &w->c.func->regions[0])
		IR_FOR_OPS_SAFE (op, block) {
			if (op->kind == OP_LOCALESCAPE && w->c.frame)
				lower_localescape(w, op);
			else if (op->kind == OP_LOCALESCAPE)
				ir_op_erase(op);
			else if (op->kind == OP_LOCALRECOVER)
				lower_localrecover(w->c.m, op);
		}
}

/* Functions */

static void set_personality(Wasm *w, const AbiTarget *target)
{
	IrModule *m = w->c.m;
	Str name = str_of(target->personality);
	ir_func_declare(m, name, ir_type_func(m, NULL, 0, m->s32, true));
	ir_op_set_attr(m, w->c.func, ir_known_name(m, NAME_personality), ir_attr_symbol(m, ir_name(m, name)));
}

static void lower_func(Wasm *w, const AbiTarget *target)
{
	const Name *personality = ir_op_symbol(w->c.func, NAME_personality);
	if (personality && ir_is_circ_personality(personality) && chain_lands(w->c.func)) {
		chain_make_frame(&w->c, FRAME_WORDS);
		if (w->c.ok)
			lower_pads(w);
		if (w->c.ok)
			lower_calls(w);
		set_personality(w, target);
	}
	if (w->c.ok)
		lower_variables(w);
}

bool wasm_lower(IrModule *m, const AbiTarget *target, Diags *d)
{
	if (target->shape != SHAPE_WASM_CATCHES || ir_module_is_sjlj(m))
		return true;
	IR_FOR_OPS (func, ir_module_block(m)) {
		if (func->kind != OP_FUNC || ir_func_is_declaration(func))
			continue;
		ArenaMark mark = arena_mark(&m->scratch);
		Wasm w = {.c = {.m = m, .d = d, .mem = &m->scratch, .func = func, .ok = true}};
		lower_func(&w, target);
		arena_release(&m->scratch, mark);
		if (!w.c.ok)
			return false;
	}
	return true;
}
