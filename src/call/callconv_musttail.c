/* call/callconv_musttail.c: guaranteed tail calls. The caller's frame is gone when the callee runs: what is in memory is where
 * the caller found it, and the result comes back as the caller's does. What cannot be so is an error.
 */
#include "call/callconv_internal.h"

#include "ir/layout.h"
#include "ir/spell.h"

enum { USES = 16 /* looked at, of a parameter */ };

static void refuse(Rewrite *r, const IrOp *call, const char *what, const IrType *t, const char *why)
{
	diag_error(r->d, call->loc, "'musttail' cannot %s of type '%s'%s", what,
	           ir_type_str(&r->m->scratch, t), why);
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
		refuse(r, call, "pass this argument", v->type,
		       ", because it goes in memory; pass the caller's own parameter of the same position");
	return own ? own : v;
}

/* LLVM passes the address of vectors on Windows, and makes it one in the frame that a tail call gives up. */
static void check_argument(Rewrite *r, const IrOp *call, const IrValue *v)
{
	if (v->type->kind == TYPE_VECTOR && abi_convention_of(&r->s, call)->win64)
		refuse(r, call, "pass this argument", v->type, " on Windows, because it goes in memory");
}

static bool is_power_of_two(uint64_t n)
{
	return n && (n & (n - 1)) == 0;
}

/* Of its elements, each on its own: in rax, rdx and rcx, or as many of the others; of what is larger than a register
 * there is one integer, or two floats. */
static bool fit_registers_alone(const IrType *t)
{
	enum { ALONE = 3, REGISTER = 8 };
	if (ir_type_size(t->elem) <= REGISTER)
		return t->count <= ALONE;
	return ir_is_int(t->elem) ? t->count == 1 : t->count <= 2;
}

/* The elements widen to powers of two of bytes, or their number to a power of two, if one register then takes them. */
static bool fits_register(const IrType *t, uint64_t most)
{
	enum { LEAST = 16 };
	uint64_t size = ir_type_size(t->elem), count = t->count;
	if (abi_is_odd_vector(t))
		return is_power_of_two(count) && size <= 8 && count * size <= most;
	return size <= 8 && (count * size <= LEAST || ir_type_size((IrType *)t) <= most);
}

/* Nor does one call return in memory what LLVM puts there by itself: what has no room in the vector registers, four of
 * them, nor in general ones. */
static bool fits_registers(const Rewrite *r, const IrType *t)
{
	enum { REGISTERS = 4, MASK = 2, BITS = 3 * 64, ELEMENT = 16 };
	uint64_t vector = r->s.types.vector_size;
	if (ir_is_int(t))
		return t->bitint || t->width <= BITS;
	if (t->kind != TYPE_VECTOR)
		return true;
	uint64_t size = ir_type_size((IrType *)t), elem = ir_type_size(t->elem);
	if (t->elem->kind == TYPE_BOOL)
		return size <= MASK;
	if (t->count == 1)
		return elem <= ELEMENT;
	bool halves = is_power_of_two(t->count) && !abi_is_odd_vector(t) && elem <= 8;
	return (halves && size <= REGISTERS * vector) || fits_register(t, vector) || fit_registers_alone(t);
}

void rewrite_tail_check(Rewrite *r, const IrOp *call, const AbiSignature *sig)
{
	const AbiSignature *own = r->sig;
	const IrType *result = sig->source->elem;
	for (uint32_t i = 0; i < sig->source->nmembers; i++)
		check_argument(r, call, ir_call_arg(call, i));
	if (sig->result.how == PASS_AS_IS && !fits_registers(r, result))
		refuse(r, call, "return this result", result, ", because it comes back in memory");
	/* Microsoft's member functions return the same type otherwise than others. */
	if (own->result.how != sig->result.how || own->behind_this != sig->behind_this)
		refuse(r, call, "return this result", result,
		       ", because only one of caller and callee is a member function");
}

void rewrite_tail_return(Rewrite *r, IrOp *call)
{
	IrOp *ret = call->next->next; /* behind the old call */
	if (call->nresults)
		ir_set_operand(ret, 0, &call->results[0]);
	else
		ir_op_set_main_operands(r->m, ret, NULL, 0);
}
