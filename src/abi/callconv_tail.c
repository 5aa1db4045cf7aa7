/* abi/callconv_tail.c: guaranteed tail calls. The caller's frame is gone when the callee runs: what is in memory is where
 * the caller found it, and the result comes back as the caller's does. What cannot be so is an error.
 */
#include "abi/rewrite.h"

#include "ir/layout.h"
#include "ir/spell.h"

enum { USES = 16 /* looked at, of a parameter */ };

static void refuse(Rewrite *r, const IrOp *call, const char *what, const IrType *t, const char *why)
{
	diag_error(r->d, call->loc, "musttail cannot %s of type '%s'%s", what, ir_type_str(&r->m->scratch, t),
	           why);
	r->ok = false;
}

IrValue *rewrite_tail_own(Rewrite *r, const IrOp *call, IrValue *v, uint32_t at)
{
	const IrOp *source = rewrite_source(v);
	const IrBlock *entry = r->func->regions[0].first;
	IrValue *own = source ? ir_operand(source, 0) : NULL;
	unsigned budget = USES;
	bool unwritten = own && (rewrite_is_quiet(source, call) || rewrite_only_loads(own, &budget));
	if (!unwritten || at >= entry->nargs || entry->args[at] != own)
		refuse(
		    r, call, "pass this argument", v->type,
		    ", which goes in memory: only the caller's own parameter, at the same position, can be "
		    "handed on");
	return own ? own : v;
}

/* LLVM passes the address of vectors on Windows, and makes it one in the frame that a tail call gives up. */
static void check_argument(Rewrite *r, const IrOp *call, const IrValue *v)
{
	if (v->type->kind == TYPE_VECTOR && abi_convention_of(&r->s, call)->win64)
		refuse(r, call, "pass this argument", v->type, " on Windows: it goes in memory");
}

/* Nor does one call return in memory what LLVM puts there by itself: what has no room in four vector registers, or is
 * made of elements that go in others; what has no room in the general registers. */
static bool fits_registers(const Rewrite *r, const IrType *t)
{
	enum { REGISTERS = 4, MASK = 16, PAIR = 16 };
	uint64_t size = t->kind == TYPE_VECTOR || ir_is_int(t) ? ir_type_size((IrType *)t) : 0;
	if (ir_is_int(t))
		return t->bitint || size <= PAIR;
	if (t->kind != TYPE_VECTOR)
		return true;
	if (t->count == 1)
		return ir_type_size(t->elem) <= PAIR;
	bool whole = (t->count & (t->count - 1)) == 0 || size <= MASK;
	bool odd = ir_is_int(t->elem) && t->elem->width != ir_type_size(t->elem) * 8;
	uint64_t most = t->elem->kind == TYPE_BOOL ? MASK / 8 : (uint64_t)REGISTERS * r->s.types.vector_size;
	return whole && !odd && ir_type_size(t->elem) <= 8 && size <= most;
}

void rewrite_tail_check(Rewrite *r, const IrOp *call, const AbiSignature *sig)
{
	const AbiSignature *own = r->sig;
	const IrType *result = sig->source->elem;
	for (uint32_t i = 0; i < sig->source->nmembers; i++)
		check_argument(r, call, ir_call_arg(call, i));
	if (sig->result.how == PASS_AS_IS && !fits_registers(r, result))
		refuse(r, call, "hand on this result", result, ": it comes back in memory");
	/* Microsoft's member functions return the same type otherwise than others. */
	if (own->result.how != sig->result.how || own->behind_this != sig->behind_this)
		refuse(r, call, "return the callee's result", result,
		       ": only one of the two is a member function");
}

void rewrite_tail_return(Rewrite *r, IrOp *call)
{
	IrOp *ret = call->next->next; /* behind the old call */
	if (call->nresults)
		ir_set_operand(ret, 0, &call->results[0]);
	else
		ir_op_set_main_operands(r->m, ret, NULL, 0);
}
