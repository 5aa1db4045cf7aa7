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
 */
#include "eh/sjlj/sjlj.h"

#include "base/ptrmap.h"
#include "ir/data.h"
#include "ir/eh_runtime.h"
#include "ir/function_entry.h"
#include "ir/libcall.h"

/* CircehFrame of src/runtime/eh/sjlj/frame.h: words of it, and which is what. */
enum {
	FRAME_WORDS = 40,
	FRAME_ALIGN = 16,
	FRAME_OUTER = 0,
	FRAME_PAD = 1,
	FRAME_EXCEPTION = 2,
	FRAME_SELECTOR = 3
};

/* The selector of a cleanup is 0. */
enum { FIRST_SELECTOR = 1 };

static const char what[] = "function of circ's runtime";
static const LibFn chain_fn = {"circ_sjlj_chain", "p", true, false, what};
static const LibFn setjmp_fn = {"circ_sjlj_setjmp", "ip", true, false, what};
static const LibFn resume_fn = {"circ_sjlj_resume", "vp", false, true, what};

typedef struct Sjlj {
	IrModule *m;
	Diags *d;
	Arena *mem; /* of one function */
	IrOp *func;
	IrValue *frame; /* !cir.ptr<!cir.ptr<!void>>, its first word */
	IrValue *chain;
	PtrMap pads;      /* block that an exception enters → the name of its table */
	PtrMap selectors; /* name of a clause → its selector in this function */
	uint32_t npads, nselectors;
	bool ok;
} Sjlj;

/* Calls of the runtime */

static IrOp *call(Sjlj *s, IrBuilder *b, const LibFn *fn, IrValue *arg)
{
	IrOp *op = libfn_call(b, fn, arg ? &arg : NULL, arg != NULL, s->d);
	s->ok &= op != NULL;
	return op;
}

/* The frame */

static IrValue *word(Sjlj *s, IrBuilder *b, unsigned index)
{
	if (index == 0)
		return s->frame;
	IrValue *step[] = {s->frame, ir_build_const_int(b, s->m->s64, index)};
	return &ir_build(b, OP_PTR_STRIDE, s->frame->type, step, 2)->results[0];
}

static void make_frame(Sjlj *s)
{
	IrType *words = ir_type_array(s->m, s->m->voidp, FRAME_WORDS);
	IrBuilder b = ir_before(s->m, abi_entry_front(s->func));
	IrValue *frame = ir_build_alloca(&b, words, STR("__sjlj_frame"), FRAME_ALIGN);
	s->frame = ir_build_bitcast(&b, frame, ir_type_ptr(s->m, s->m->voidp));
	IrOp *chain = call(s, &b, &chain_fn, NULL);
	if (chain)
		s->chain = ir_build_bitcast(&b, &chain->results[0], s->frame->type);
}

/* Pads */

static uint32_t selector_of(Sjlj *s, const Name *clause)
{
	uint32_t known = (uint32_t)(uintptr_t)ptrmap_get(&s->selectors, clause);
	if (known)
		return known;
	uint32_t next = FIRST_SELECTOR + s->nselectors++;
	ptrmap_put(s->mem, &s->selectors, clause, (void *)(uintptr_t)next);
	return next;
}

typedef VEC(const IrAttr *) Clauses;

/* {clause, selector}; symbol NULL: what takes everything. */
static void add_clause(Sjlj *s, Clauses *out, Name *symbol)
{
	static const char takes_all[] = "";
	IrModule *m = s->m;
	uint32_t selector =
	    symbol ? selector_of(s, symbol) : selector_of(s, (const Name *)(const void *)takes_all);
	const IrAttr *elems[] = {symbol ? ir_data_address(m, symbol) : ir_attr_null(m, m->voidp),
	                         ir_attr_int(m, m->u64, selector)};
	vec_push(s->mem, out, ir_data_record(m, elems, ARRAY_LEN(elems)));
}

/* A CircClause (include/circ/runtime.h). Pads that were in the text of a C++ function name its type infos. */
static bool is_clause(const Name *name)
{
	const IrOp *symbol = ir_symbol(name);
	const IrAttr *type = symbol && symbol->kind == OP_GLOBAL ? ir_op_attr(symbol, NAME_sym_type) : NULL;
	const IrType *t = type ? type->type : NULL;
	return t && t->kind == TYPE_RECORD && t->nmembers == 3 && ir_is_int(t->members[0]) &&
	       t->members[2]->kind == TYPE_PTR;
}

static void add_clauses(Sjlj *s, const IrOp *inflight, NameId attr, Clauses *out)
{
	const IrAttr *list = ir_op_attr(inflight, attr);
	for (uint32_t i = 0; list && i < list->n; i++) {
		Name *name = list->elems[i]->name;
		if (!is_clause(name)) {
			diag_error(s->d, inflight->loc,
			           "'%s' op names '@%s', which is for exception tables; without them "
			           "('circ.eh.model = \"sjlj\"') give the function in the flat form",
			           op_info[inflight->kind].name, name->text);
			s->ok = false;
			return;
		}
		add_clause(s, out, name);
	}
}

/* {is it a cleanup, too; how many; the clauses in their order} */
static const IrAttr *pad_table(Sjlj *s, const IrOp *inflight)
{
	IrModule *m = s->m;
	Clauses clauses = {0};
	add_clauses(s, inflight, NAME_catch_type_list, &clauses);
	add_clauses(s, inflight, NAME_outer_type_list, &clauses);
	if (ir_op_has(inflight, NAME_catch_all))
		add_clause(s, &clauses, NULL);
	const IrAttr *elems[] = {ir_attr_int(m, m->u32, ir_op_has(inflight, NAME_cleanup)),
	                         ir_attr_int(m, m->u32, clauses.len), NULL};
	uint32_t n = 2;
	if (clauses.len)
		elems[n++] = ir_data_array(m, clauses.data[0]->type, clauses.data, clauses.len);
	return ir_data_record(m, elems, n);
}

static Name *define_pad(Sjlj *s, const IrOp *inflight)
{
	Name *name = ir_name(
	    s->m, str_of(arena_printf(s->mem, ".circ.pad.%s.%u", ir_symbol_name(s->func)->text, s->npads++)));
	ir_data_define(s->m, name, pad_table(s, inflight), IR_DATA_CONSTANT, inflight->loc);
	return name;
}

static IrValue *load_word(Sjlj *s, IrBuilder *b, unsigned index)
{
	return ir_build_load(b, word(s, b, index));
}

static void lower_inflight(Sjlj *s, IrOp *op)
{
	IrBuilder b = ir_before(s->m, op);
	if (ir_op_has(op, NAME_filter_type_list)) {
		diag_error(s->d, op->loc,
		           "exception specifications are not supported without tables ('circ.eh.model = "
		           "\"sjlj\"'); use a handler");
		s->ok = false;
	}
	ptrmap_put(s->mem, &s->pads, op->block, define_pad(s, op));
	ir_value_replace(&op->results[0], load_word(s, &b, FRAME_EXCEPTION));
	IrValue *selector = ir_build_cast(&b, CAST_PTR_TO_INT, load_word(s, &b, FRAME_SELECTOR), s->m->u64);
	ir_value_replace(&op->results[1], ir_build_cast(&b, CAST_INTEGRAL, selector, s->m->u32));
	ir_op_erase(op);
}

static void lower_typeid(Sjlj *s, IrOp *op)
{
	IrBuilder b = ir_before(s->m, op);
	uint32_t selector = selector_of(s, ir_op_symbol(op, NAME_type_sym));
	ir_value_replace(&op->results[0], ir_build_const_int(&b, s->m->u32, selector));
	ir_op_erase(op);
}

static void lower_resume(Sjlj *s, IrOp *op)
{
	IrBuilder b = ir_before(s->m, op);
	call(s, &b, &resume_fn, ir_operand(op, 0));
	ir_build(&b, OP_UNREACHABLE, NULL, NULL, 0);
	ir_op_erase(op);
}

/* Calls */

static IrSuccSpec edge_of(Sjlj *s, const IrSucc *from)
{
	IrValue **args = arena_array(s->mem, IrValue *, from->nargs);
	for (uint32_t i = 0; i < from->nargs; i++)
		args[i] = ir_succ_arg(from, i);
	return (IrSuccSpec){from->dest, args, from->nargs};
}

/* Is there room for an address in it? */
static bool may_hold_address(const IrType *t)
{
	return t->kind == TYPE_PTR || t->kind == TYPE_RECORD || t->kind == TYPE_ARRAY;
}

/* Where a value is put so that LLVM takes what it points to for known elsewhere: a word of the frame, or a variable. */
static IrValue *escape_slot(Sjlj *s, IrBuilder *b, IrValue *v)
{
	if (v->type->kind == TYPE_PTR && !v->type->attr)
		return ir_build_bitcast(b, word(s, b, FRAME_EXCEPTION), ir_type_ptr(s->m, v->type));
	IrBuilder entry = ir_before(s->m, abi_entry_front(s->func));
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
		ir_set_flag(s->m, ir_build(b, OP_STORE, NULL, operands, 2), NAME_is_volatile_flag);
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
	IrOpSpec spec = ir_op_spec(op, s->mem);
	spec.kind = ir_op_without_edges(op->kind);
	IrValue *outer = ir_build_load(b, s->chain);
	ir_build_store(b, outer, s->frame);
	ir_build_store(b, ir_build_bitcast(b, s->frame, s->m->voidp), s->chain);
	IrOp *store = store_of_result(op), *plain = ir_build_spec(b, &spec);
	IrBuilder after = store ? ir_before(s->m, store->next) : *b;
	ir_build_store(&after, outer, s->chain);
	for (uint32_t i = 0; i < op->nresults; i++)
		ir_value_replace(&op->results[i], &plain->results[i]);
}

static void lower_call(Sjlj *s, IrOp *op)
{
	IrModule *m = s->m;
	IrBuilder b = ir_before(m, op);
	Name *pad = ptrmap_get(&s->pads, op->succs[1].dest);
	CHECK(pad);
	ir_build_store(&b, ir_build_bitcast(&b, ir_build_get_global(&b, pad), m->voidp),
	               word(s, &b, FRAME_PAD));
	let_escape(s, &b, op);
	IrOp *again = call(s, &b, &setjmp_fn, ir_build_bitcast(&b, s->frame, m->voidp));
	if (!again)
		return;
	IrValue *first = ir_build_cmp(&b, CMP_EQ, &again->results[0], ir_build_const_int(&b, m->s32, 0));
	IrBlock *calls = ir_block_create(m, op->loc);
	ir_block_insert_after(op->block, calls);
	ir_build_brcond(&b, first, (IrSuccSpec){calls, NULL, 0}, edge_of(s, &op->succs[1]));
	b = ir_at_end(m, calls, op->loc);
	build_call(s, &b, op);
	IrSuccSpec normal = edge_of(s, &op->succs[0]);
	ir_build_br(&b, normal.dest, normal.args, normal.nargs);
	ir_op_erase(op);
}

/* Functions */

/* Pads first: calls name their tables. */
static void lower_pads(Sjlj *s)
{
	IR_FOR_BLOCKS (block, &s->func->regions[0])
		IR_FOR_OPS_SAFE (op, block) {
			if (op->kind == OP_EH_INFLIGHT)
				lower_inflight(s, op);
			else if (op->kind == OP_EH_TYPEID)
				lower_typeid(s, op);
			else if (op->kind == OP_RESUME_FLAT)
				lower_resume(s, op);
		}
}

static bool refuse(Sjlj *s, const IrOp *op)
{
	diag_error(s->d, op->loc,
	           "'%s' cannot throw without tables ('circ.eh.model = \"sjlj\"'); only calls can",
	           op_info[op->kind].name);
	return s->ok = false;
}

static void lower_calls(Sjlj *s)
{
	IR_FOR_BLOCKS (block, &s->func->regions[0]) {
		IrOp *last = block->last;
		if (!last || !ir_op_has_unwind_edge(last))
			continue;
		if (last->kind != OP_TRY_CALL)
			refuse(s, last);
		if (!s->ok)
			return;
		lower_call(s, last);
	}
}

static bool lands(const IrOp *func)
{
	IR_FOR_BLOCKS (block, &func->regions[0])
		if (block->first && block->first->kind == OP_EH_INFLIGHT)
			return true;
	return false;
}

static void lower_func(Sjlj *s, IrOp *func)
{
	s->func = func;
	if (lands(func))
		make_frame(s);
	if (s->ok)
		lower_pads(s);
	if (s->ok)
		lower_calls(s);
	ir_op_set_attr(s->m, func, ir_known_name(s->m, NAME_personality), NULL);
}

/* The compiler must know of a function that returns twice. */
static bool declare_setjmp(Sjlj *s)
{
	Loc nowhere = {0};
	IrOp *func = libfn_require(s->m, &setjmp_fn, nowhere, s->d);
	if (func)
		ir_set_flag(s->m, func, NAME_returns_twice);
	return func != NULL;
}

bool sjlj_lower(IrModule *m, Diags *d)
{
	if (!ir_module_is_sjlj(m))
		return true;
	Sjlj s = {.m = m, .d = d, .mem = &m->scratch, .ok = true};
	bool lands_somewhere = m->made[OP_EH_INFLIGHT] != 0;
	if (lands_somewhere && !declare_setjmp(&s))
		return false;
	IR_FOR_OPS (func, ir_module_block(m)) {
		if (func->kind != OP_FUNC || ir_func_is_declaration(func))
			continue;
		ArenaMark mark = arena_mark(s.mem);
		Sjlj one = {.m = m, .d = d, .mem = s.mem, .ok = true};
		lower_func(&one, func);
		arena_release(s.mem, mark);
		if (!one.ok)
			return false;
	}
	return true;
}
