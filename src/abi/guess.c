#include "abi/guess.h"

#include "abi/callconv.h"
#include "abi/outside.h"
#include "abi/signature.h"
#include "ir/layout.h"
#include "ir/spell.h"

#include <inttypes.h>

typedef struct Guesses {
	IrModule *m;
	Diags *d;
	const AbiTarget *target;
	AbiSignatures s, bounded; /* bounded: a last member without elements is `a[0]` */
	AbiOutside outside;
	PtrMap known;     /* types that were asked for */
	bool has_sources; /* some signature of the module is not lowered */
	uint32_t n;       /* guesses so far */
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
	bool sysv = g->s.c == &abi_sysv_x86_64;
	if (sysv && g->s.types.keeps_width)
		return true;
	for (uint32_t i = 0; i < m->types.cap; i++)
		for (const IrType *t = m->types.slots[i]; t; t = t->next)
			if (ends_in_array(t) || (sysv && is_two_halves(t)) || is_wide(g, t))
				return true;
	return false;
}

/* Types */

/* Would a[0] go another way than a[]? */
static bool depends_on_bound(Guesses *g, const AbiConvention *c, IrType *t)
{
	if (t->kind != TYPE_RECORD || !ir_type_sized(t) || !abi_is_flexible(&g->s.types, t))
		return false;
	AbiRegisters free = c->registers, other = c->registers;
	AbiPassing as_flexible = c->param(&g->s.types, t, &free, true);
	AbiPassing as_bounded = c->param(&g->bounded.types, t, &other, true);
	return as_flexible.how != as_bounded.how;
}

/* The parts of what to say in a message; NULL: nothing. widened: the place says so itself. */
static const char *guess_of(Guesses *g, const AbiConvention *c, const IrType *func, IrType *t, bool widened)
{
	if (depends_on_bound(g, c, t))
		return "nothing tells whether its last member has no bound, as '[]', or no elements, as "
		       "'[0]'; the former is "
		       "taken: say {flexible = true} or false of it in 'cir.record_traits' of the module";
	if (c != &abi_sysv_x86_64 || (func && abi_is_source_signature(func)))
		return NULL;
	bool lowered = g->s.types.keeps_width;
	if (is_two_halves(t) && !lowered && !g->has_sources)
		return "it goes as an integer, as clang has it, which is wrong if it is a record of two that "
		       "was lowered: "
		       "write the integer or the record";
	if (is_narrow(t) && lowered && g->has_sources && !widened)
		return "it is not widened, since others say that they are; expected 'llvm.signext' or "
		       "'llvm.zeroext'";
	return NULL;
}

static void look_at(Guesses *g, const IrOp *op, const AbiConvention *c, const IrType *func, IrType *t,
                    bool widened)
{
	const char *guess = ptrmap_get(&g->known, t) ? NULL : guess_of(g, c, func, t, widened);
	if (!guess)
		return;
	ptrmap_put(&g->m->scratch, &g->known, t, t);
	if (g->n++ < DIAG_LIMIT)
		diag_warning(g->d, op->loc, "how '%s' is passed here is a guess: %s",
		             ir_type_str(&g->m->scratch, t), guess);
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
		diag_warning(
		    g->d, op->loc,
		    "'%s' is passed to '%s', but C and C++ for windows-msvc have no such type: their "
		    "'long double' is a 'double'",
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

void abi_warn_of_guesses(IrModule *m, const AbiTarget *target, const char *features, Diags *d)
{
	Guesses g = {.m = m, .d = d, .target = target};
	ArenaMark mark = arena_mark(&m->scratch);
	if (abi_calls_are_lowered(m))
		return;
	abi_signatures_init(&g.s, m, target, features, &m->scratch);
	if (may_matter(&g)) {
		abi_signatures_init(&g.bounded, m, target, features, &m->scratch);
		g.bounded.types.bounds_arrays = true;
		abi_outside_init(&g.outside, m);
		look_at_all(&g);
	}
	if (g.n > DIAG_LIMIT)
		diag_note(d, m->attrs_loc, "and %" PRIu32 " more types", g.n - DIAG_LIMIT);
	arena_release(&m->scratch, mark);
}
