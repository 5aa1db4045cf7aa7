#include "call/unspecified.h"

#include "call/callconv.h"
#include "call/external_function.h"
#include "call/signature.h"
#include "ir/layout.h"
#include "ir/spell.h"

#include <inttypes.h>

/* Padding */

typedef struct Check {
	AbiSignatures s;
	const AbiConvention *c; /* of the function at hand */
} Check;

static const IrType *untold_in_types(Check *c, const AbiConvention *by, IrType *const *types, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!by->is_told(&c->s.types, types[i]))
			return types[i];
	return NULL;
}

static const IrType *untold_in_values(Check *c, const AbiConvention *by, const IrOp *op)
{
	const IrType *t = NULL;
	bool calls = op_info[op->kind].flags & OPF_CALLS;
	for (uint32_t i = 0; calls && i < op->noperands && !t; i++)
		t = untold_in_types(c, by, &ir_operand(op, i)->type, 1);
	for (uint32_t i = 0; i < op->nresults && !t; i++)
		t = untold_in_types(c, by, &op->results[i].type, 1);
	return t;
}

/* The last member that the module does not specify as padding. */
static bool is_tail_untold(const IrType *record)
{
	for (uint32_t i = record->nmembers; record->marks && i-- > 0;)
		if (record->marks[i] != MARK_PAD)
			return record->marks[i] == MARK_UNTOLD;
	return false;
}

static const IrType *untold_copy(const IrOp *op)
{
	const IrType *t = ir_operand(op, 0)->type->elem;
	return t->kind == TYPE_RECORD && ir_op_has(op, NAME_skip_tail_padding) && is_tail_untold(t) ? t
	                                                                                            : NULL;
}

/* What op passes or takes by value, or copies without its tail. */
static const IrType *untold_for(Check *c, const IrOp *op)
{
	bool calls = op_info[op->kind].flags & OPF_CALLS;
	if (op->kind == OP_COPY)
		return untold_copy(op);
	if (op->kind == OP_FUNC)
		c->c = abi_convention_of(&c->s, op);
	const AbiConvention *by = calls ? abi_convention_of(&c->s, op) : c->c;
	if (!by->is_told)
		return NULL;
	if (op->kind == OP_FUNC) {
		IrType *f = ir_func_type(op);
		const IrType *t = untold_in_types(c, by, f->members, f->nmembers);
		return t ? t : untold_in_types(c, by, &f->elem, 1);
	}
	return calls || op->kind == OP_VA_ARG ? untold_in_values(c, by, op) : NULL;
}

bool abi_check_padding(IrModule *m, const AbiTarget *target, const char *features, Diags *d)
{
	if (!m->padding_untold)
		return true;
	ArenaMark mark = arena_mark(&m->scratch);
	Check c = {0};
	bool ok = true;
	abi_signatures_init(&c.s, m, target, features, &m->scratch);
	for (const IrOp *op = ir_walk_first(&m->body); op && !diag_full(d); op = ir_walk_next(op, &m->body)) {
		const IrType *t = untold_for(&c, op);
		if (!t)
			continue;
		diag_error(d, op->loc,
		           "cannot pass or copy '%s': the module does not specify which of its members are "
		           "padding; write 'data' or 'pad' before each member, and remove 'padding_known = "
		           "false' from its 'cir.record_traits'",
		           ir_type_str(&m->scratch, t));
		ok = false;
	}
	arena_release(&m->scratch, mark);
	return ok;
}

/* Members that may be _Atomic */

/* What is accessed; NULL: op is not atomic. */
static const IrValue *accessed_by(const IrOp *op)
{
	switch (op->kind) {
	case OP_LOAD:
	case OP_STORE:
		return ir_op_has(op, NAME_mem_order) ? ir_operand(op, op->kind == OP_STORE) : NULL;
	case OP_ATOMIC_FETCH:
	case OP_ATOMIC_XCHG:
	case OP_ATOMIC_CMPXCHG:
	case OP_ATOMIC_TEST_AND_SET:
	case OP_ATOMIC_CLEAR:
		return ir_operand(op, 0);
	default:
		return NULL;
	}
}

/* The record that address points to a member of, or into one that is an array; NULL: none. */
static const IrType *record_of(const IrValue *address)
{
	enum {
		STEPS = 32
	}; /* two for each dimension; unreachable code has values that are made of themselves */
	for (unsigned i = 0; i < STEPS && !address->is_arg; i++) {
		const IrOp *op = address->def.op;
		if (op->kind == OP_GET_MEMBER)
			return ir_operand(op, 0)->type->elem;
		if (op->kind != OP_CAST && op->kind != OP_PTR_STRIDE && op->kind != OP_GET_ELEMENT)
			return NULL;
		address = ir_operand(op, 0);
	}
	return NULL;
}

/* Records with members that are accessed atomically. They may be `_Atomic`, which types of CIR do not specify, or those of a
 * builtin (`__atomic_load_n(&s.a, …)`). Not those of which cir.record_traits says it. */
static void find_atomic_members(const AbiTypes *types, PtrMap *found)
{
	const IrRegion *all = &types->m->body;
	if (!ir_attr_has_enum(types->m, ENUM_MEM_ORDER))
		return;
	for (IrOp *op = ir_walk_first(all); op; op = ir_walk_next(op, all)) {
		const IrValue *address = accessed_by(op);
		const IrType *record = address ? record_of(address) : NULL;
		if (record && !abi_record_trait(types, record, NAME_atomic) && !ptrmap_get(found, record))
			ptrmap_put(types->mem, found, record, op);
	}
}

/* Warnings */

typedef struct Guesses {
	IrModule *m;
	Diags *d;
	const AbiTarget *target;
	AbiSignatures s;
	/* What the text may mean as well: a last member without elements is `a[0]`, members that are accessed
	 * atomically are `_Atomic`, copy constructors that look trivial are not. */
	AbiSignatures bounded, atomic, copied;
	PtrMap accessed; /* of find_atomic_members() */
	AbiOutside outside;
	PtrMap known;     /* types that were asked for */
	bool has_sources; /* some signature of the module is not lowered */
	uint32_t n;       /* warnings so far */
} Guesses;

/* What may matter */

static bool is_two_halves(const IrType *t)
{
	return t->kind == TYPE_VECTOR && t->count == 2 &&
	       (t->elem->kind == TYPE_HALF || t->elem->kind == TYPE_BF16);
}

static bool is_narrow(const IrType *t)
{
	return t->kind == TYPE_INT && (t->bitint ? t->width < 32 : t->width < 32 && t->width > 1);
}

static bool ends_in_array(const IrType *t)
{
	const IrType *last = t->kind == TYPE_RECORD && t->nmembers ? t->members[t->nmembers - 1] : NULL;
	return last && last->kind == TYPE_ARRAY && !last->count;
}

/* 80 bits: Microsoft's C and C++ have no such type. */
static bool is_wide(const Guesses *g, const IrType *t)
{
	bool is_f80 = t->kind == TYPE_F80 || (t->kind == TYPE_LONG_DOUBLE && t->elem->kind == TYPE_F80);
	return is_f80 && g->target->runtime == RUNTIME_MICROSOFT;
}

static bool may_matter(const Guesses *g)
{
	const IrModule *m = g->m;
	bool widens = g->s.c->widens;
	if ((widens && g->s.types.keeps_width) || g->accessed.len || g->s.types.guess.copied.len)
		return true;
	for (uint32_t i = 0; i < m->types.len; i++) {
		const IrType *t = m->types.held[i];
		if (ends_in_array(t) || (widens && is_two_halves(t)) || is_wide(g, t))
			return true;
	}
	return false;
}

/* Types */

/* Would it go another way? */
static bool depends_on(Guesses *g, AbiSignatures *meaning, const AbiConvention *c, IrType *t)
{
	if (t->kind != TYPE_RECORD || !ir_type_sized(t))
		return false;
	AbiRegisters free = c->registers, other = c->registers;
	AbiPassing taken = c->param(&g->s.types, t, &free, true);
	AbiPassing meant = c->param(&meaning->types, t, &other, true);
	return taken.how != meant.how;
}

/* The parts of what to say in a message; NULL: nothing. widened: the place says so itself. cause: the ops that make
 * it a guess, by their records. */
static const char *guess_of(Guesses *g, const AbiConvention *c, const IrType *func, IrType *t, bool widened,
                            const PtrMap **cause)
{
	if (depends_on(g, &g->bounded, c, t))
		return "the module does not specify whether its last member is a flexible array '[]' or an "
		       "empty one '[0]'; assuming '[]'; add {flexible = true}, or false, to "
		       "'cir.record_traits'";
	if (depends_on(g, &g->atomic, c, t)) {
		*cause = &g->accessed;
		return "the module does not specify whether its atomically accessed member is '_Atomic', in "
		       "which case it goes in memory; assuming that it is not; add {atomic = true}, or "
		       "false, to 'cir.record_traits'";
	}
	if (depends_on(g, &g->copied, c, t)) {
		*cause = &g->s.types.guess.copied;
		return "the module does not specify whether its constructor that only copies members is "
		       "trivial; assuming that it is; add 'func_info' to the constructor, with 'trivial "
		       "true' if "
		       "it is";
	}
	if (!abi_may_guess(g->m) || !c->widens || (func && abi_is_source_signature(func)))
		return NULL;
	bool lowered = g->s.types.keeps_width;
	if (is_two_halves(t) && !lowered && !g->has_sources)
		return "the module does not specify whether it stands for a lowered record of two members; "
		       "assuming that it does not; write the record, or the integer that it is passed as, if "
		       "it does";
	if (is_narrow(t) && lowered && g->has_sources && !widened)
		return "the module does not specify whether it is extended; assuming that it is not, because "
		       "other "
		       "parameters are marked; add 'llvm.signext' or 'llvm.zeroext' if it is";
	return NULL;
}

/* The record that t is, or holds, which is a key of the map; NULL: there is none. seen: the records that hold none; each
 * may stand in others twice. */
static const IrType *find_record(Guesses *g, const IrType *t, const PtrMap *map, PtrMap *seen)
{
	while (t->kind == TYPE_ARRAY)
		t = t->elem;
	if (t->kind != TYPE_RECORD || ptrmap_get(seen, t))
		return NULL;
	if (ptrmap_get(map, t))
		return t;
	ptrmap_put(&g->m->scratch, seen, t, g);
	const IrType *found = NULL;
	for (uint32_t i = 0; i < t->nmembers && !found; i++)
		found = find_record(g, t->members[i], map, seen);
	return found;
}

static void tell_cause(Guesses *g, const IrType *t, const PtrMap *causes)
{
	PtrMap seen = {0};
	const IrType *record = find_record(g, t, causes, &seen);
	const IrOp *at = record ? ptrmap_get(causes, record) : NULL;
	if (at)
		diag_note(g->d, at->loc, "'%s' may be passed in another way because of this operation",
		          ir_type_str(&g->m->scratch, record));
}

static void look_at(Guesses *g, const IrOp *op, const AbiConvention *c, const IrType *func, IrType *t,
                    bool widened)
{
	const PtrMap *cause = NULL;
	const char *guess = ptrmap_get(&g->known, t) ? NULL : guess_of(g, c, func, t, widened, &cause);
	if (!guess)
		return;
	ptrmap_put(&g->m->scratch, &g->known, t, t);
	if (g->n++ >= DIAG_LIMIT)
		return;
	diag_warning(g->d, op->loc, "cannot tell how '%s' is passed here: %s", ir_type_str(&g->m->scratch, t),
	             guess);
	if (cause)
		tell_cause(g, t, cause);
}

/* Places */

static bool is_widened(const Guesses *g, const IrAttr *list, uint32_t i)
{
	const IrAttr *dict = list && list->kind == ATTR_ARRAY && i < list->n ? list->elems[i] : NULL;
	return dict && dict->kind == ATTR_DICT &&
	       (ir_dict_get(dict, g->s.attrs[ABI_ATTR_SIGNEXT]->id) ||
	        ir_dict_get(dict, g->s.attrs[ABI_ATTR_ZEROEXT]->id));
}

static void look_at_signature(Guesses *g, const IrOp *op, const IrType *func)
{
	const AbiConvention *c = abi_convention_of(&g->s, op);
	const IrAttr *args = ir_op_attr(op, NAME_arg_attrs), *res = ir_op_attr(op, NAME_res_attrs);
	for (uint32_t i = 0; i < func->nmembers; i++)
		look_at(g, op, c, func, func->members[i], is_widened(g, args, i));
	look_at(g, op, c, func, func->elem, is_widened(g, res, 0));
}

static void look_at_wide(Guesses *g, const IrOp *op, IrType *t)
{
	const Name *callee = ir_call_callee(op);
	if (!callee || !ir_func_is_declaration(ir_symbol(callee)) || !is_wide(g, t) ||
	    ptrmap_get(&g->known, t))
		return;
	ptrmap_put(&g->m->scratch, &g->known, t, t);
	if (g->n++ < DIAG_LIMIT)
		diag_warning(g->d, op->loc,
		             "'%s' is passed to '%s', but C and C++ for windows-msvc have no such type; pass "
		             "a 'double', which is their 'long double'",
		             ir_type_str(&g->m->scratch, t), callee->text);
}

static void look_at_call(Guesses *g, const IrOp *op)
{
	const AbiConvention *c = abi_convention_of(&g->s, op);
	bool direct = ir_call_callee(op) != NULL;
	const IrType *func = direct ? NULL : ir_operand(op, 0)->type->elem;
	if (func)
		look_at_signature(g, op, func);
	else
		func = ir_func_type(ir_symbol(ir_call_callee(op)));
	for (uint32_t i = func->nmembers; i < ir_call_nargs(op); i++) {
		look_at(g, op, c, NULL, ir_call_arg(op, i)->type, true);
		look_at_wide(g, op, ir_call_arg(op, i)->type);
	}
}

static void look_at_op(Guesses *g, const IrOp *op, const IrOp *func)
{
	if (op->kind == OP_FUNC && abi_is_outside(&g->outside, op))
		look_at_signature(g, op, ir_func_type(op));
	else if (op->kind == OP_VA_ARG)
		look_at(g, op, abi_convention_of(&g->s, func), NULL, op->results[0].type, true);
	else if (op_info[op->kind].flags & OPF_CALLS)
		look_at_call(g, op);
}

static void look_at_all(Guesses *g)
{
	const IrOp *func = NULL;
	IR_FOR_OPS (op, ir_module_block(g->m))
		g->has_sources |= op->kind == OP_FUNC && abi_is_source_signature(ir_func_type(op));
	for (const IrOp *op = ir_walk_first(&g->m->body); op; op = ir_walk_next(op, &g->m->body)) {
		func = op->kind == OP_FUNC ? op : func;
		look_at_op(g, op, func);
	}
}

static void init_meanings(Guesses *g, const char *features)
{
	AbiSignatures *all[] = {&g->bounded, &g->atomic, &g->copied};
	for (unsigned i = 0; i < ARRAY_LEN(all); i++)
		abi_signatures_init(all[i], g->m, g->target, features, &g->m->scratch);
	g->bounded.types.bounds_arrays = true;
	g->atomic.types.atomic = g->accessed;
	abi_doubt_copies(&g->copied.types, &g->s.types.guess.copied);
}

void abi_warn_of_unspecified(IrModule *m, const AbiTarget *target, const char *features, Diags *d)
{
	Guesses g = {.m = m, .d = d, .target = target};
	ArenaMark mark = arena_mark(&m->scratch);
	if (abi_calls_are_lowered(m))
		return;
	abi_signatures_init(&g.s, m, target, features, &m->scratch);
	if (g.s.c->atomic_in_memory)
		find_atomic_members(&g.s.types, &g.accessed);
	if (may_matter(&g)) {
		init_meanings(&g, features);
		abi_outside_init(&g.outside, m);
		look_at_all(&g);
	}
	if (g.n > DIAG_LIMIT)
		diag_note(d, m->attrs_loc, "and %" PRIu32 " more types", g.n - DIAG_LIMIT);
	arena_release(&m->scratch, mark);
}
