/* call/callconv_call.c: calls whose signature changes.
 *
 * 	%1 = cir.load %a : …, !rec_S                    %1 = cir.load %a's first eightbyte : …, !u64i
 * 	%2 = cir.call @f(%1) : (!rec_S) -> !rec_T   →   cir.call @f(%t, %1) : (!cir.ptr<!rec_T> {llvm.sret …}, !u64i)
 * 	cir.store %2, %t
 *
 * What an argument is loaded from is passed itself where that is the same: an object that goes by address is
 * never copied, since only its own functions may do that; a `byval` one is copied by the call, if nothing
 * writes between the load and the call. For results likewise: what is stored to a fresh slot is made there.
 */
#include "call/callconv_internal.h"

#include "base/vec.h"
#include "ir/function_entry.h"
#include "ir/layout.h"
#include "ir/spell.h"

enum { USES = 16 /* looked at, of a slot */, NEARBY = 32 /* ops */ };

typedef struct Call {
	Rewrite *r;
	IrOp *op;
	const AbiSignature *sig;
	AbiPassing *more; /* of the arguments behind the parameters */
	IrType **more_types;
	uint32_t nmore;
	bool musttail;
	VEC(IrValue *) operands;
	IrValue *made;   /* PASS_ADDRESS: where the result is made */
	IrOp *sink;      /* the store that takes the result to its place; NULL: none */
	bool in_place;   /* made is where the sink would store it */
	const char *why; /* an object with an identity is not made in place; NULL: it is */
	bool lends;      /* the callee is given addresses of the caller's slots */
} Call;

/* Slots */

static bool only_accesses(const IrValue *v, unsigned *budget)
{
	IR_FOR_USES (u, v) {
		bool load = u->user->kind == OP_LOAD;
		bool store = u->user->kind == OP_STORE && ir_operand(u->user, 0) != v;
		if ((!load && !store) || (*budget)-- == 0)
			return false;
	}
	return true;
}

/* The sink is the only thing that writes to the slot, and nobody else knows it: whether the call or the
 * store does makes no difference then. */
static bool is_only_write(const IrValue *slot, const IrOp *sink)
{
	unsigned budget = USES;
	IR_FOR_USES (u, slot) {
		const IrOp *user = u->user;
		bool reads =
		    user->kind == OP_LOAD ||
		    (user->kind == OP_COPY && u == &user->operands[0] && ir_operand(user, 1) != slot) ||
		    (user->kind == OP_GET_MEMBER && rewrite_only_loads(&user->results[0], &budget));
		if ((!reads && user != sink) || budget-- == 0)
			return false;
	}
	return true;
}

/* The memory that the caller gave for a result is nobody else's unless the function tells its address. */
static bool is_untold(const IrValue *memory)
{
	unsigned budget = USES;
	IR_FOR_USES (u, memory) {
		const IrOp *user = u->user;
		bool told = !(user->kind == OP_LOAD || user->kind == OP_COPY ||
		              (user->kind == OP_STORE && ir_operand(user, 0) != memory) ||
		              (user->kind == OP_GET_MEMBER && only_accesses(&user->results[0], &budget)));
		if (told || budget-- == 0)
			return false;
	}
	return true;
}

/* A temporary that is written, loaded here for this call, and never looked at again: the callee may have it. */
static bool is_spent(const IrValue *slot, const IrOp *load, const IrOp *call)
{
	const IrUse *a = slot->uses, *b = a ? a->next : NULL;
	if (!rewrite_is_slot(slot) || !b || b->next || load->block != call->block ||
	    load->results[0].uses->next)
		return false;
	const IrUse *write = a->user == load ? b : a;
	bool writes = (write->user->kind == OP_STORE && write == &write->user->operands[1]) ||
	              (write->user->kind == OP_COPY && write == &write->user->operands[1]);
	if (!writes || write->user->block != load->block)
		return false;
	unsigned n = 0;
	const IrOp *op = load->prev;
	while (op && op != write->user && n++ < NEARBY)
		op = op->prev;
	return op == write->user;
}

static bool raise_align(Rewrite *r, IrValue *slot, uint64_t align)
{
	if (!rewrite_is_slot(slot))
		return false;
	IrOp *op = slot->def.op;
	if (ir_op_uint(op, NAME_alignment, 0) < align && ir_type_align(slot->type->elem) < align)
		ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_alignment),
		               ir_attr_i64(r->m, (int64_t)align));
	return true;
}

/* Arguments */

static IrBuilder before_call(const Call *c)
{
	return ir_before(c->r->m, c->op);
}

static IrValue *slot_for(Call *c, IrType *t, uint64_t align)
{
	uint32_t own = abi_type_align(&c->r->s.types, t);
	return rewrite_slot(c->r, t, align > own ? (uint32_t)align : own, c->op->loc);
}

static IrValue *spill(Call *c, IrValue *v, uint64_t align)
{
	IrValue *slot = slot_for(c, v->type, align);
	IrOp *source = rewrite_source(v);
	if (source) {
		IrBuilder b = ir_before(c->r->m, source);
		rewrite_copy(&b, ir_operand(source, 0), slot, rewrite_access_align(source, v->type), align);
	} else {
		IrBuilder b = before_call(c);
		rewrite_check_new(c->r, c->op->loc, v, "passed");
		ir_build_store(&b, v, slot);
	}
	return slot;
}

static void push(Call *c, IrValue *v)
{
	vec_push(&c->r->m->scratch, &c->operands, v);
}

static void push_pieces(Call *c, IrValue *v, const AbiPassing *p)
{
	Rewrite *r = c->r;
	IrOp *source = rewrite_source(v);
	IrValue *pieces[2];
	if (source) {
		IrBuilder b = ir_before(r->m, source);
		rewrite_load_pieces(r, &b, v->type, p, ir_operand(source, 0),
		                    rewrite_access_align(source, v->type), pieces);
	} else {
		IrValue *slot = spill(c, v, ir_type_align(v->type));
		IrBuilder b = before_call(c);
		rewrite_load_pieces(r, &b, v->type, p, slot, ir_type_align(v->type), pieces);
	}
	for (uint32_t i = 0; i < p->npieces; i++)
		push(c, pieces[i]);
}

static void push_byval(Call *c, IrValue *v, const AbiPassing *p)
{
	IrOp *source = rewrite_source(v);
	IrValue *memory = source && rewrite_is_quiet(source, c->op) ? ir_operand(source, 0) : NULL;
	bool aligned = memory && (rewrite_access_align(source, v->type) >= p->align ||
	                          raise_align(c->r, memory, p->align));
	bool plain = memory && !memory->type->attr;
	push(c, aligned && plain ? memory : spill(c, v, p->align));
}

/* The callee writes to what it is given: where the call is made again, say in a loop, without a new load, it needs another. */
static IrValue *spill_for_each_call(Call *c, IrValue *v, uint64_t align)
{
	const IrOp *source = rewrite_source(v);
	IrValue *kept = spill(c, v, align);
	if (!source || source->block == c->op->block)
		return kept;
	IrValue *own = slot_for(c, v->type, align);
	IrBuilder b = before_call(c);
	rewrite_copy(&b, kept, own, align, align);
	return own;
}

static void push_address(Call *c, IrValue *v, const AbiPassing *p)
{
	IrOp *source = rewrite_source(v);
	IrValue *memory = source && !ir_operand(source, 0)->type->attr ? ir_operand(source, 0) : NULL;
	bool itself = memory && (abi_goes_by_address(&c->r->s.types, v->type) ||
	                         (is_spent(memory, source, c->op) && raise_align(c->r, memory, p->align)));
	c->lends = true;
	push(c, itself ? memory : spill_for_each_call(c, v, p->align));
}

static void push_argument(Call *c, IrValue *v, const AbiPassing *p)
{
	switch (p->how) {
	case PASS_AS_IS:
	case PASS_EXTENDED:
		push(c, v);
		break;
	case PASS_PIECES:
		push_pieces(c, v, p);
		break;
	case PASS_BYVAL:
		if (c->musttail)
			push(c, rewrite_tail_own(c->r, c->op, v, c->operands.len - !ir_call_callee(c->op)));
		else
			push_byval(c, v, p);
		break;
	case PASS_ADDRESS:
		if (c->musttail)
			push(c, rewrite_tail_own(c->r, c->op, v, c->operands.len - !ir_call_callee(c->op)));
		else
			push_address(c, v, p);
		break;
	case PASS_NOTHING:
	case PASS_THIS: /* of results alone */
		break;
	}
}

/* The pointer of an indirect call, as a pointer to a function of the lowered type. */
static void push_callee(Call *c)
{
	if (ir_call_callee(c->op))
		return;
	IrValue *callee = ir_operand(c->op, 0);
	IrBuilder b = before_call(c);
	push(c, c->sig->type == c->sig->source ? callee : rewrite_cast(&b, callee, c->sig->type));
}

/* Results in memory */

/* What is passed a pointer to where the result is made may know it. */
static bool is_argument(const IrOp *call, const IrValue *memory)
{
	for (uint32_t i = 0; i < ir_op_nmain(call); i++) {
		const IrOp *source = rewrite_source(ir_operand(call, i));
		if (ir_operand(call, i) == memory || (source && ir_operand(source, 0) == memory))
			return true;
	}
	return false;
}

/* Objects among the arguments are where they are. */
static bool is_passed_object(const Call *c, const IrValue *memory)
{
	for (uint32_t i = 0; i < ir_op_nmain(c->op); i++) {
		const IrValue *v = ir_operand(c->op, i);
		const IrOp *source = rewrite_source(v);
		if (source && abi_goes_by_address(&c->r->s.types, v->type) &&
		    rewrite_may_overlap(c->r, ir_operand(source, 0), memory))
			return true;
	}
	return false;
}

static bool has_identity(const Call *c)
{
	return c->sig->result.how == PASS_ADDRESS &&
	       abi_goes_by_address(&c->r->s.types, c->sig->source->elem);
}

/* NULL, or why an object with an identity cannot be. */
static const char *make_in_place(Call *c, IrValue *memory)
{
	if (memory->type->attr)
		return "this memory is in another address space";
	if (is_passed_object(c, memory))
		return "the object in this memory is also an argument of the call";
	const char *why = rewrite_place(c->r, c->op, c->sink, memory);
	if (!why)
		raise_align(c->r, memory, c->sig->result.align);
	return why;
}

static bool can_make_in_place(Call *c, IrValue *memory)
{
	Rewrite *r = c->r;
	uint32_t align = c->sig->result.align;
	if (has_identity(c))
		return !(c->why = make_in_place(c, memory));
	if (memory->type->attr || is_argument(c->op, memory))
		return false;
	if (rewrite_access_align(c->sink, c->sig->source->elem) < align && !rewrite_is_slot(memory))
		return false;
	if (c->op->kind != OP_CALL || c->op->next != c->sink)
		return false;
	if (memory == r->sret)
		return c->musttail || is_untold(memory);
	if (!rewrite_is_slot(memory) || !is_only_write(memory, c->sink))
		return false;
	rewrite_move_slot(r, memory);
	return raise_align(r, memory, align);
}

static void push_result(Call *c)
{
	Rewrite *r = c->r;
	if (c->musttail && r->sret) {
		c->made = r->sret;
	} else if (c->sink && can_make_in_place(c, ir_operand(c->sink, 1))) {
		c->made = ir_operand(c->sink, 1);
		c->in_place = true;
	} else {
		c->made = rewrite_slot(r, c->sig->source->elem, c->sig->result.align, c->op->loc);
	}
	c->lends |= c->made != r->sret;
	push(c, c->made);
}

/* What the call gives, where its result was used */

static void refuse(Call *c, Loc loc, const char *why)
{
	diag_error(c->r->d, loc, "cannot copy the result of type '%s', which is not trivially copyable: %s",
	           ir_type_str(&c->r->m->scratch, c->sig->source->elem), why);
	c->r->ok = false;
}

static bool is_stored_by(const IrUse *u)
{
	return u->user->kind == OP_STORE && u == &u->user->operands[0];
}

/* Whoever looks at the members of an object, or is passed it, finds it where it was made: but only one can have it. */
static void check_uses(Call *c, const IrValue *result)
{
	bool had = c->sink;
	IR_FOR_USES (u, result) {
		bool passes = op_info[u->user->kind].flags & OPF_CALLS;
		if (is_stored_by(u))
			refuse(c, u->user->loc, "it is stored more than once; store it once");
		else if (passes && had)
			refuse(c, u->user->loc,
			       "it is already stored or passed elsewhere; load it from there");
		else if (!passes && u->user->kind != OP_EXTRACT_MEMBER)
			refuse(c, u->user->loc, "it is used as a value here; store it first");
		had |= passes;
	}
}

static bool holds_nothing(const AbiTypes *types, IrType *t)
{
	return abi_is_told_empty(types, t) || abi_is_padding(types, t, 0, ir_type_size(t) * 8, true);
}

/* In place of the sink. */
static void store_result(Call *c, IrValue *whole)
{
	Rewrite *r = c->r;
	IrType *t = c->sig->source->elem;
	const AbiPassing *p = &c->sig->result;
	IrValue *to = ir_operand(c->sink, 1);
	uint64_t align = rewrite_access_align(c->sink, t);
	IrBuilder b = ir_before(r->m, c->sink);
	/* an object of an empty class may overlap others */
	if (p->how == PASS_PIECES && !holds_nothing(&r->s.types, t))
		rewrite_store_whole(r, &b, t, p, whole, to, align);
	else if (c->why)
		refuse(c, c->sink->loc, c->why);
	else if (p->how == PASS_ADDRESS && !c->in_place)
		rewrite_copy(&b, c->made, to, p->align, align);
	ir_op_erase(c->sink);
}

/* As the value that it was. */
static IrValue *load_result(Call *c, IrBuilder *b, IrValue *whole)
{
	Rewrite *r = c->r;
	IrType *t = c->sig->source->elem;
	const AbiPassing *p = &c->sig->result;
	if (p->how == PASS_NOTHING)
		return rewrite_undef(b, t);
	if (p->how == PASS_ADDRESS)
		return rewrite_load(b, c->made, t, p->align);
	IrValue *slot = rewrite_slot(r, t, abi_type_align(&r->s.types, t), b->loc);
	rewrite_store_whole(r, b, t, p, whole, slot, ir_type_align(t));
	return ir_build_load(b, slot);
}

/* Behind a call, or on the normal edge of a try_call, which gets a block of its own. */
static IrBuilder after_call(Call *c, IrOp *call)
{
	IrModule *m = c->r->m;
	if (call->kind == OP_CALL) {
		IrBuilder b = ir_before(m, call->next);
		b.loc = call->loc;
		return b;
	}
	IrBlock *edge = ir_block_create(m, call->loc), *dest = call->succs[0].dest;
	ArenaMark mark = arena_mark(&m->scratch);
	uint32_t n = call->succs[0].nargs;
	IrValue **args = arena_array(&m->scratch, IrValue *, n);
	for (uint32_t i = 0; i < n; i++)
		args[i] = ir_succ_arg(&call->succs[0], i);
	ir_block_insert_after(call->block, edge);
	ir_succ_set_args(m, call, 0, NULL, 0);
	ir_succ_set_dest(&call->succs[0], edge);
	IrBuilder b = ir_at_end(m, edge, call->loc);
	IrOp *br = ir_build_br(&b, dest, args, n);
	arena_release(&m->scratch, mark);
	b = ir_before(m, br);
	b.loc = call->loc;
	return b;
}

static void take_result(Call *c, IrOp *call)
{
	if (!c->op->nresults)
		return;
	IrValue *old = &c->op->results[0], *whole = call->nresults ? &call->results[0] : NULL;
	if (!old->uses)
		return;
	if (c->sink)
		store_result(c, whole);
	if (has_identity(c))
		check_uses(c, old);
	if (!old->uses)
		return;
	IrBuilder b = after_call(c, call);
	ir_value_replace(old, load_result(c, &b, whole));
}

/* The call */

static IrOp *build_call(Call *c)
{
	const IrOp *op = c->op;
	IrModule *m = c->r->m;
	IrType *result = c->sig->type->elem;
	uint32_t n = op->nsuccs;
	IrSuccSpec succs[2] = {{0}};
	CHECK(n <= ARRAY_LEN(succs));
	for (uint32_t i = 0; i < n; i++) {
		IrValue **args = arena_array(&m->scratch, IrValue *, op->succs[i].nargs);
		for (uint32_t k = 0; k < op->succs[i].nargs; k++)
			args[k] = ir_succ_arg(&op->succs[i], k);
		succs[i] = (IrSuccSpec){op->succs[i].dest, args, op->succs[i].nargs};
	}
	IrOpSpec spec = {.kind = op->kind,
	                 .operands = c->operands.data,
	                 .noperands = c->operands.len,
	                 .result_types = &result,
	                 .nresults = result->kind != TYPE_VOID,
	                 .succs = succs,
	                 .nsuccs = n,
	                 .attrs = op->attrs,
	                 .nattrs = op->nattrs};
	IrBuilder b = before_call(c);
	return ir_build_spec(&b, &spec);
}

static bool keeps_result(const Call *c)
{
	return c->sig->result.how == PASS_AS_IS || c->sig->result.how == PASS_EXTENDED;
}

/* The loads whose pieces, or whose memory, are passed instead. */
static void drop_sources(IrValue *const *args, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		IrOp *source = rewrite_source(args[i]);
		if (source && source->block)
			rewrite_drop(source);
	}
}

static IrOp *replace_call(Call *c)
{
	IrModule *m = c->r->m;
	IrOp *call = c->op;
	AbiPlaces places = abi_place_attrs(&c->r->s, c->sig, c->op, c->more, c->more_types, c->nmore);
	if (keeps_result(c)) {
		ir_op_set_main_operands(m, call, c->operands.data, c->operands.len);
	} else {
		call = build_call(c);
		if (c->musttail)
			rewrite_tail_return(c->r, call);
		else
			take_result(c, call);
		ir_op_erase(c->op);
	}
	rewrite_set_places(c->r, call, places);
	if (c->lends && ir_op_has(call, NAME_tail))
		ir_op_set_attr(m, call, ir_known_name(m, NAME_tail), NULL);
	return call;
}

/* Nothing is known of the parameters: each argument is one that a variadic function has besides. */
static bool is_unprototyped(const IrOp *func)
{
	return func && ir_op_has(func, NAME_no_proto);
}

static const AbiSignature *signature_of(Rewrite *r, const IrOp *op)
{
	const Name *name = ir_call_callee(op);
	const IrOp *func = ir_symbol(name);
	if (!name)
		return abi_signature_of_call(&r->s, op, ir_operand(op, 0)->type->elem);
	if (!is_unprototyped(func))
		return abi_signature_of(&r->s, func);
	IrType *result = abi_signature_of(&r->s, func)->source->elem;
	return abi_signature_of_call(&r->s, op, ir_type_func(r->m, NULL, 0, result, true));
}

/* How the arguments behind the parameters are passed. Is any of them to be rewritten? */
static bool pass_more(Call *c, uint32_t nparams)
{
	Rewrite *r = c->r;
	const AbiConvention *conv = abi_convention_of(&r->s, c->op);
	bool named = ir_call_callee(c->op) && is_unprototyped(ir_symbol(ir_call_callee(c->op)));
	AbiRegisters left = c->sig->left;
	bool any = false;
	left.variadic &= !named;
	c->more = arena_array(&r->m->scratch, AbiPassing, c->nmore);
	c->more_types = arena_array(&r->m->scratch, IrType *, c->nmore);
	for (uint32_t i = 0; i < c->nmore; i++) {
		c->more_types[i] = ir_call_arg(c->op, nparams + i)->type;
		c->more[i] = conv->param(&r->s.types, c->more_types[i], &left, named);
		any |= c->more[i].how != PASS_AS_IS;
	}
	return any;
}

/* An object with an identity may be looked at besides. */
static IrOp *sink_of(const Call *c)
{
	IrValue *result = &c->op->results[0];
	IrOp *sink = NULL;
	if (!has_identity(c))
		return rewrite_sink(result);
	IR_FOR_USES (u, result)
		if (is_stored_by(u) && (!sink || u->user->block == c->op->block))
			sink = u->user;
	return sink;
}

static IrOp *rewrite_changed(Call *c, uint32_t nparams)
{
	Arena *mem = &c->r->m->scratch;
	uint32_t n = nparams + c->nmore;
	IrValue **args = arena_array(mem, IrValue *, n);
	for (uint32_t i = 0; i < n; i++)
		args[i] = ir_call_arg(c->op, i);
	c->sink = c->op->nresults ? sink_of(c) : NULL;
	push_callee(c);
	if (abi_sret_is_behind(c->sig, 0))
		push_result(c);
	for (uint32_t i = 0; i < n; i++) {
		push_argument(c, args[i], i < nparams ? &c->sig->params[i] : &c->more[i - nparams]);
		if (abi_sret_is_behind(c->sig, i + 1))
			push_result(c);
	}
	c->r->changed = true;
	IrOp *call = replace_call(c);
	drop_sources(args, n);
	return call;
}

IrOp *rewrite_call(Rewrite *r, IrOp *op)
{
	Call c = {.r = r, .op = op, .sig = signature_of(r, op)};
	uint32_t nparams = c.sig->source->nmembers;
	c.nmore = ir_call_nargs(op) - nparams;
	if (c.sig->result.how == PASS_THIS) /* nobody can hand that on */
		ir_op_set_attr(r->m, op, ir_known_name(r->m, NAME_musttail), NULL);
	c.musttail = ir_op_has(op, NAME_musttail);
	if (c.musttail)
		rewrite_tail_check(r, op, c.sig);
	if (c.sig->same && !c.nmore)
		return op;
	ArenaMark mark = arena_mark(&r->m->scratch);
	if (pass_more(&c, nparams) || !c.sig->same)
		op = rewrite_changed(&c, nparams);
	arena_release(&r->m->scratch, mark);
	return op;
}
