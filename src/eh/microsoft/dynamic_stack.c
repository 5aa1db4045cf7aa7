/* eh/microsoft/dynamic_stack.c: from
 *
 * cir.func @f(%n) -> !s32i {
 *	%a = cir.alloca "a" size(%n)
 *	cir.try_call @g(%a) ^done, ^u
 *	…
 *
 * to
 *
 * cir.func @f(%n) -> !s32i {
 *	%a = cir.alloca "a" size(%n)
 *	%r = cir.call @"f.body"(%a)
 *	cir.return %r
 * }
 * cir.func no_inline internal @"f.body"(%a) -> !s32i {
 *	cir.try_call @g(%a) ^done, ^u
 *	…
 *
 * The stack is given back when the function returns; what would give it back before, in the other one, goes.
 */
#include "eh/microsoft/dynamic_stack.h"

#include "ir/build.h"
#include "ir/lifetime.h"

static bool is_dynamic(const IrOp *op)
{
	return op->kind == OP_ALLOCA && op->noperands;
}

static const IrOp *first_dynamic(const IrBlock *b)
{
	IR_FOR_OPS (op, b)
		if (is_dynamic(op))
			return op;
	return NULL;
}

/* The end of a catch is no call in the Microsoft form. */
static bool throws_in_handler(const IrOp *op)
{
	return ir_op_may_throw(op) && op->kind != OP_BEGIN_CATCH && op->kind != OP_END_CATCH;
}

const IrOp *dynamic_stack_throw(const FuncletPlan *p)
{
	const IrOp *dynamic = NULL, *thrower = NULL;
	for (uint32_t i = 0; i < p->nodes.len && !(dynamic && thrower); i++) {
		const FuncletNode *n = p->nodes.data[i];
		if (!dynamic)
			dynamic = first_dynamic(n->block);
		if (thrower || !funclet_handler(n->pad))
			continue;
		IR_FOR_OPS (op, n->block)
			if (!thrower && throws_in_handler(op))
				thrower = op;
	}
	return dynamic ? thrower : NULL;
}

bool dynamic_stack_check(const FuncletPlan *p, Diags *d)
{
	for (uint32_t i = 0; i < p->nodes.len; i++) {
		const FuncletNode *n = p->nodes.data[i];
		const IrOp *op = n->pad ? first_dynamic(n->block) : NULL;
		if (!op)
			continue;
		diag_error(
		    d, op->loc,
		    "'cir.alloca' op allocates a variable size in a handler, which is not supported on "
		    "windows-msvc; put it in front of the try, or into a function that the handler calls");
		return false;
	}
	return true;
}

/* The parts */

typedef struct Split {
	IrModule *m;
	IrOp *func, *body;
	Arena *mem;
	Diags *d;
	const IrOp *thrower;
	IrBlock *last; /* that stays; the first op behind `at` begins what goes */
	IrOp *at;
	PtrMap stay; /* IrBlock → itself */
	VEC(IrValue *) inputs;
} Split;

static bool fail(Split *s, const IrOp *op, const char *text)
{
	diag_error(s->d, op->loc,
	           "'%s' %s on windows-msvc, because this function allocates a variable size on the stack "
	           "and may throw out of a handler",
	           op_info[op->kind].name, text);
	diag_note(s->d, s->thrower->loc, "the exception may be thrown here");
	return false;
}

static IrBlock *only_successor(const IrBlock *b)
{
	IrBlock *to = b->last->kind == OP_BR ? b->last->succs[0].dest : NULL;
	return to && to->preds && !to->preds->next ? to : NULL;
}

/* What runs once, from the entry on, up to the last dynamic alloca. */
static bool find_end(Split *s)
{
	IrBlock *b = s->func->regions[0].first;
	VEC(IrBlock *) straight = {0};
	uint32_t staying = 0;
	for (; b; b = only_successor(b)) {
		vec_push(s->mem, &straight, b);
		IR_FOR_OPS (op, b) {
			if (!is_dynamic(op))
				continue;
			s->at = op;
			s->last = b;
			staying = straight.len;
		}
	}
	for (uint32_t i = 0; i < staying; i++)
		ptrmap_put(s->mem, &s->stay, straight.data[i], straight.data[i]);
	IR_FOR_BLOCKS (other, &s->func->regions[0]) {
		const IrOp *op = ptrmap_get(&s->stay, other) ? NULL : first_dynamic(other);
		if (op)
			return fail(s, op, "must come before any branch and any handler");
	}
	return true;
}

/* An op that goes, and cannot. */
static bool check_op(Split *s, const IrOp *op)
{
	if (op->kind != OP_VA_START && op->kind != OP_LABEL && op->kind != OP_INDIRECT_BR)
		return true;
	return fail(s, op, "cannot come after the allocation");
}

static void add_input(Split *s, IrValue *v)
{
	IR_FOR_USES (u, v) {
		if (ptrmap_get(&s->stay, u->user->block))
			continue;
		vec_push(s->mem, &s->inputs, v);
		return;
	}
}

static void find_inputs(Split *s)
{
	IR_FOR_BLOCKS (b, &s->func->regions[0]) {
		if (!ptrmap_get(&s->stay, b))
			continue;
		for (uint32_t i = 0; i < b->nargs; i++)
			add_input(s, b->args[i]);
		IR_FOR_OPS (op, b)
			for (uint32_t i = 0; i < op->nresults; i++)
				add_input(s, &op->results[i]);
	}
}

static void create_body(Split *s)
{
	IrType **params = arena_array(s->mem, IrType *, s->inputs.len);
	for (uint32_t i = 0; i < s->inputs.len; i++)
		params[i] = s->inputs.data[i]->type;
	IrType *type = ir_type_func(s->m, params, s->inputs.len, ir_func_type(s->func)->elem, false);
	s->body = ir_func_create_part(s->m, s->func, "body", type, s->at->loc);
	ir_set_enum(s->m, s->body, NAME_inline_kind, ENUM_INLINE, INLINE_NO_INLINE);
}

static void move_blocks(Split *s, IrBlock *first)
{
	IrRegion *to = &s->body->regions[0];
	IrBlock *entry = ir_func_add_entry(s->m, s->body);
	for (IrBlock *b = s->func->regions[0].first, *next; b; b = next) {
		next = b->next;
		if (ptrmap_get(&s->stay, b))
			continue;
		ir_block_remove(b);
		ir_block_append(to, b);
		IR_FOR_OPS_SAFE (op, b)
			if (op->kind == OP_STACKRESTORE)
				ir_op_erase(op);
	}
	IrBuilder end = ir_at_end(s->m, entry, s->at->loc);
	ir_build_br(&end, first, NULL, 0);
}

/* The body knows what it is given by the names of its own parameters. */
static void rename_inputs(Split *s)
{
	IrValue *const *params = s->body->regions[0].first->args;
	for (uint32_t i = 0; i < s->inputs.len; i++) {
		IrUse *next;
		for (IrUse *u = s->inputs.data[i]->uses; u; u = next) {
			next = u->next;
			if (!ptrmap_get(&s->stay, u->user->block))
				ir_set_operand(u->user, (uint32_t)(u - u->user->operands), params[i]);
		}
	}
}

static void build_call(Split *s)
{
	IrType *result = ir_func_type(s->func)->elem;
	IrBuilder b = ir_at_end(s->m, s->last, s->at->loc);
	IrOp *call = ir_build_call(&b, ir_symbol_name(s->body), result, s->inputs.data, s->inputs.len);
	IrValue *v = call->nresults ? &call->results[0] : NULL;
	ir_build(&b, OP_RETURN, NULL, &v, v != NULL);
}

bool dynamic_stack_split(IrModule *m, IrOp *func, const IrOp *thrower, Arena *mem, Diags *d)
{
	Split s = {.m = m, .func = func, .mem = mem, .d = d, .thrower = thrower};
	if (!find_end(&s))
		return false;
	IrBlock *rest = ir_block_split(m, s.last, s.at->next, s.at->loc);
	IR_FOR_BLOCKS (b, &func->regions[0])
		IR_FOR_OPS (op, b)
			if (!ptrmap_get(&s.stay, b) && !check_op(&s, op))
				return false;
	find_inputs(&s);
	for (uint32_t i = 0; i < s.inputs.len; i++)
		ir_forget_lifetime(s.inputs.data[i]);
	create_body(&s);
	move_blocks(&s, rest);
	rename_inputs(&s);
	build_call(&s);
	return true;
}

void dynamic_stack_keep_apart(IrModule *m, IrOp *func)
{
	IR_FOR_BLOCKS (b, &func->regions[0])
		if (first_dynamic(b)) {
			ir_set_enum(m, func, NAME_inline_kind, ENUM_INLINE, INLINE_NO_INLINE);
			return;
		}
}
