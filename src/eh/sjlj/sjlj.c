/* eh/sjlj/sjlj.c: from
 *
 * 	cir.try_call @f(%x) ^normal, ^pad
 * ^pad:
 * 	%e, %s = cir.eh.inflight_exception cleanup [@.circ.clause.A]
 * 	%1 = cir.eh.typeid @.circ.clause.A
 * 	…
 * 	cir.resume.flat %e, %s
 *
 * to
 *
 * 	%frame = cir.alloca                                 once a function, with
 * 	%chain = cir.call @circ_sjlj_chain()                the thread's innermost frame
 * 	…
 * 	cir.store @.circ.pad.NAME.0, %frame[1]
 * 	cir.store volatile %x, %frame[2]                    if it may be an address
 * 	%again = cir.call @circ_sjlj_setjmp(%frame)
 * 	cir.brcond %again == 0 ^call, ^pad
 * ^call:
 * 	%outer = cir.load %chain
 * 	cir.store %outer, %frame[0]
 * 	cir.store %frame, %chain
 * 	cir.call @f(%x)
 * 	cir.store %outer, %chain
 * 	cir.br ^normal
 * ^pad:
 * 	%e = cir.load %frame[2]
 * 	%s = cir.load %frame[3]
 * 	%1 = cir.const 1
 * 	…
 * 	cir.call @circ_sjlj_resume(%e)
 * 	cir.unreachable
 *
 * Each call has a setjmp of its own, right in front of it, so that no value changes between the two: values of SSA and variables alike
 * keep what they hold (C17, 7.13.2.1 paragraph 3), and nothing has to be volatile.
 * Where the module itself calls setjmp, the chain is stored back after it: longjmp may have left frames that are in it.
 */
#include "eh/sjlj/sjlj.h"

#include "eh/chain.h"
#include "ir/eh_runtime.h"
#include "ir/function_entry.h"
#include "ir/returns_twice.h"

enum { FRAME_WORDS = 40 };

static const LibFn setjmp_fn = {"circ_sjlj_setjmp", "ip", true, false, chain_what};
static const LibFn resume_fn = {"circ_sjlj_resume", "vp", false, true, chain_what};

typedef struct Sjlj {
	EhChain c;
	PtrMap pads; /* block that an exception enters → the name of its table */
} Sjlj;

/* Pads */

static IrValue *load_word(Sjlj *s, IrBuilder *b, unsigned index)
{
	return ir_build_load(b, chain_word(&s->c, b, index));
}

static void lower_inflight(Sjlj *s, IrOp *op)
{
	IrModule *m = s->c.m;
	IrBuilder b = ir_before(m, op);
	if (ir_op_has(op, NAME_filter_type_list)) {
		diag_error(s->c.d, op->loc,
		           "exception specifications are not supported without tables ('circ.eh.model = "
		           "\"sjlj\"'); use a handler");
		s->c.ok = false;
	}
	ptrmap_put(s->c.mem, &s->pads, op->block, chain_define_pad(&s->c, op));
	ir_value_replace(&op->results[0], load_word(s, &b, CHAIN_EXCEPTION));
	IrValue *selector = ir_build_cast(&b, CAST_PTR_TO_INT, load_word(s, &b, CHAIN_SELECTOR), m->u64);
	ir_value_replace(&op->results[1], ir_build_cast(&b, CAST_INTEGRAL, selector, m->u32));
	ir_op_erase(op);
}

static void lower_resume(Sjlj *s, IrOp *op)
{
	IrBuilder b = ir_before(s->c.m, op);
	IrValue *exception = ir_operand(op, 0);
	chain_call(&s->c, &b, &resume_fn, &exception, 1);
	ir_build(&b, OP_UNREACHABLE, NULL, NULL, 0);
	ir_op_erase(op);
}

/* Calls */

/* Is there room for an address in it? */
static bool may_hold_address(const IrType *t)
{
	return t->kind == TYPE_PTR || t->kind == TYPE_RECORD || t->kind == TYPE_ARRAY;
}

/* Where a value is put so that LLVM takes what it points to for known elsewhere: a word of the frame, or a variable. */
static IrValue *escape_slot(Sjlj *s, IrBuilder *b, IrValue *v)
{
	if (v->type->kind == TYPE_PTR && !v->type->attr)
		return ir_build_bitcast(b, chain_word(&s->c, b, CHAIN_EXCEPTION),
		                        ir_type_ptr(s->c.m, v->type));
	IrBuilder entry = ir_before(s->c.m, abi_entry_front(s->c.func));
	return ir_build_alloca(&entry, v->type, STR("__sjlj_escape"), 0);
}

/* The call writes to what its arguments point to, which is read where the exception lands. LLVM sees that block follow setjmp alone, and a
 * variable that only the call is given would hold there what it held before. So all of them are given away in front of setjmp. */
static void let_escape(Sjlj *s, IrBuilder *b, const IrOp *op)
{
	for (uint32_t i = 0; i < ir_call_nargs(op); i++) {
		IrValue *v = ir_call_arg(op, i);
		if (!may_hold_address(v->type))
			continue;
		IrValue *operands[] = {v, escape_slot(s, b, v)};
		ir_set_flag(s->c.m, ir_build(b, OP_STORE, NULL, operands, 2), NAME_is_volatile_flag);
	}
}

/* An object that is made where it is stored is stored directly after its call (call/callconv_result_place.c). NULL: there is none. */
static IrOp *store_of_result(const IrOp *op)
{
	const IrBlock *normal = op->succs[0].dest;
	if (!op->nresults || op->results[0].type->kind != TYPE_RECORD || normal->preds->next)
		return NULL;
	for (IrOp *i = normal->first; i; i = i->next) {
		if (i->kind == OP_STORE && ir_operand(i, 0) == &op->results[0])
			return i;
		if (!(op_info[i->kind].flags & OPF_PURE))
			return NULL;
	}
	return NULL;
}

/* In the block that the first return of setjmp goes to. */
static void build_call(Sjlj *s, IrBuilder *b, const IrOp *op)
{
	IrOpSpec spec = ir_op_spec(op, s->c.mem);
	spec.kind = ir_op_without_edges(op->kind);
	IrValue *outer = chain_push(&s->c, b);
	IrOp *store = store_of_result(op), *plain = ir_build_spec(b, &spec);
	IrBuilder after = store ? ir_before(s->c.m, store->next) : *b;
	chain_pop(&s->c, &after, outer);
	for (uint32_t i = 0; i < op->nresults; i++)
		ir_value_replace(&op->results[i], &plain->results[i]);
}

static void lower_call(Sjlj *s, IrOp *op)
{
	IrModule *m = s->c.m;
	IrBuilder b = ir_before(m, op);
	Name *pad = ptrmap_get(&s->pads, op->succs[1].dest);
	CHECK(pad);
	chain_set_pad(&s->c, &b, pad);
	let_escape(s, &b, op);
	IrValue *frame = chain_frame(&s->c, &b);
	IrOp *again = chain_call(&s->c, &b, &setjmp_fn, &frame, 1);
	if (!again)
		return;
	IrValue *first = ir_build_cmp(&b, CMP_EQ, &again->results[0], ir_build_const_int(&b, m->s32, 0));
	IrBlock *calls = ir_block_create(m, op->loc);
	ir_block_insert_after(op->block, calls);
	ir_build_brcond(&b, first, (IrSuccSpec){calls, NULL, 0}, chain_edge(&s->c, &op->succs[1]));
	b = ir_at_end(m, calls, op->loc);
	build_call(s, &b, op);
	IrSuccSpec normal = chain_edge(&s->c, &op->succs[0]);
	ir_build_br(&b, normal.dest, normal.args, normal.nargs);
	ir_op_erase(op);
}

/* Functions */

/* Pads first: calls name their tables. */
static void lower_pads(Sjlj *s)
{
	IR_FOR_BLOCKS (block, &s->c.func->regions[0])
		IR_FOR_OPS_SAFE (op, block) {
			if (op->kind == OP_EH_INFLIGHT)
				lower_inflight(s, op);
			else if (op->kind == OP_EH_TYPEID)
				chain_lower_typeid(&s->c, op);
			else if (op->kind == OP_RESUME_FLAT)
				lower_resume(s, op);
		}
}

static bool refuse(Sjlj *s, const IrOp *op)
{
	diag_error(s->c.d, op->loc,
	           "'%s' cannot throw without tables ('circ.eh.model = \"sjlj\"'); only calls can",
	           op_info[op->kind].name);
	return s->c.ok = false;
}

static void lower_calls(Sjlj *s)
{
	IR_FOR_BLOCKS (block, &s->c.func->regions[0]) {
		IrOp *last = block->last;
		if (!last || !ir_op_has_unwind_edge(last))
			continue;
		if (last->kind != OP_TRY_CALL)
			refuse(s, last);
		if (!s->c.ok)
			return;
		lower_call(s, last);
	}
}

/* What longjmp leaves is no longer on the stack: after a second return of setjmp the chain is what it was before the first. */
static void keep_chain(Sjlj *s, IrOp *op)
{
	IrModule *m = s->c.m;
	chain_find(&s->c);
	if (!s->c.ok)
		return;
	IrBuilder before = ir_before(m, op), after = ir_before(m, op->next);
	chain_pop(&s->c, &after, ir_build_load(&before, s->c.innermost));
}

static void keep_chains(Sjlj *s)
{
	IR_FOR_BLOCKS (block, &s->c.func->regions[0])
		IR_FOR_OPS_SAFE (op, block)
			if (ir_returns_twice(op) && s->c.ok)
				keep_chain(s, op);
}

static void lower_func(Sjlj *s)
{
	if (chain_lands(s->c.func))
		chain_make_frame(&s->c, FRAME_WORDS);
	if (s->c.ok)
		keep_chains(s);
	if (s->c.ok)
		lower_pads(s);
	if (s->c.ok)
		lower_calls(s);
	ir_op_set_attr(s->c.m, s->c.func, ir_known_name(s->c.m, NAME_personality), NULL);
}

/* The compiler must know of a function that returns twice. */
static bool declare_setjmp(IrModule *m, Diags *d)
{
	Loc nowhere = {0};
	IrOp *func = libfn_require(m, &setjmp_fn, nowhere, d);
	if (func)
		ir_set_flag(m, func, NAME_returns_twice);
	return func != NULL;
}

bool sjlj_lower(IrModule *m, Diags *d)
{
	if (!ir_module_is_sjlj(m))
		return true;
	bool lands_somewhere = m->made[OP_EH_INFLIGHT] != 0;
	if (lands_somewhere && !declare_setjmp(m, d))
		return false;
	IR_FOR_OPS (func, ir_module_block(m)) {
		if (func->kind != OP_FUNC || ir_func_is_declaration(func))
			continue;
		ArenaMark mark = arena_mark(&m->scratch);
		Sjlj s = {.c = {.m = m, .d = d, .mem = &m->scratch, .func = func, .ok = true}};
		lower_func(&s);
		arena_release(&m->scratch, mark);
		if (!s.c.ok)
			return false;
	}
	return true;
}
