/* call/callconv_memory.c: values in memory, and the pieces that pass them. */
#include "call/callconv_internal.h"

#include "ir/function_entry.h"
#include "ir/layout.h"
#include "ir/side_effect.h"
#include "ir/spell.h"

enum {
	EIGHTBYTE = 8,
	NEARBY = 32 /* ops looked at */,
	FAR = 1024,
	PURE_FAR = 16 /* ops without effect that count as one of the others */,
	STEPS = 64,
	USES = 256 /* of an address */
};

IrValue *rewrite_slot(Rewrite *r, IrType *t, uint32_t align, Loc loc)
{
	IrBuilder b = ir_before(r->m, abi_entry_front(r->func));
	b.loc = loc;
	uint32_t least = ir_type_align(t);
	return ir_build_alloca(&b, t, STR("__coerce"), align < least ? least : align);
}

IrValue *rewrite_cast(IrBuilder *b, IrValue *ptr, IrType *pointee)
{
	if (ptr->type->elem == pointee)
		return ptr;
	IrType *type = ir_type_ptr_in(b->m, pointee, ptr->type->attr);
	return ir_build_cast(b, CAST_BITCAST, ptr, type);
}

static void set_align(IrModule *m, IrOp *op, IrType *t, uint64_t align)
{
	if (align && align != ir_type_align(t))
		ir_op_set_attr(m, op, ir_known_name(m, NAME_alignment), ir_attr_i64(m, (int64_t)align));
}

IrValue *rewrite_load(IrBuilder *b, IrValue *ptr, IrType *t, uint64_t align)
{
	IrValue *v = ir_build_load(b, rewrite_cast(b, ptr, t));
	set_align(b->m, v->def.op, t, align);
	return v;
}

void rewrite_store(IrBuilder *b, IrValue *v, IrValue *ptr, uint64_t align)
{
	IrValue *operands[] = {v, rewrite_cast(b, ptr, v->type)};
	set_align(b->m, ir_build(b, OP_STORE, NULL, operands, 2), v->type, align);
}

/* Pieces */

static uint64_t piece_offset(const AbiPassing *p, uint32_t i)
{
	if (i == 0)
		return p->offset;
	uint64_t align = ir_type_align(p->pieces[1]), end = ir_type_size(p->pieces[0]);
	uint64_t at = (end + align - 1) & ~(align - 1);
	return at < EIGHTBYTE ? EIGHTBYTE : at;
}

static uint64_t align_at(uint64_t align, uint64_t offset)
{
	uint64_t low = offset & (~offset + 1);
	return offset && low < align ? low : align;
}

static IrValue *piece_address(IrBuilder *b, const AbiPassing *p, IrValue *ptr, uint32_t i)
{
	uint64_t offset = piece_offset(p, i);
	IrModule *m = b->m;
	if (!offset)
		return rewrite_cast(b, ptr, p->pieces[i]);
	IrValue *operands[] = {rewrite_cast(b, ptr, m->u8), ir_build_const_int(b, m->s64, offset)};
	IrOp *step = ir_build(b, OP_PTR_STRIDE, operands[0]->type, operands, 2);
	return rewrite_cast(b, &step->results[0], p->pieces[i]);
}

static uint64_t piece_end(const AbiPassing *p, uint32_t i)
{
	const IrType *t = p->pieces[i];
	uint64_t size = t->kind == TYPE_INT ? (t->width + 7) / 8 : ir_type_size(p->pieces[i]);
	return piece_offset(p, i) + size;
}

/* Three halves are passed as a vector of four: such a value is read from a copy with room behind it. */
static bool overruns(IrType *t, const AbiPassing *p)
{
	return piece_end(p, p->npieces - 1u) > ir_type_size(t);
}

/* Memory of t's size and more, that a copy of t goes to or comes from. */
static IrValue *room_for(Rewrite *r, IrBuilder *b, IrType *t, const AbiPassing *p)
{
	IrType *wide = abi_pieces_type(&r->s, p);
	return rewrite_cast(b, rewrite_slot(r, wide, ir_type_align(t), b->loc), t);
}

void rewrite_copy(IrBuilder *b, IrValue *from, IrValue *to, uint64_t from_align, uint64_t to_align)
{
	IrValue *operands[] = {from, to};
	IrOp *op = ir_build(b, OP_COPY, NULL, operands, 2);
	IrModule *m = b->m;
	ir_op_set_attr(m, op, ir_known_name(m, NAME_src_align), ir_attr_i64(m, (int64_t)from_align));
	ir_op_set_attr(m, op, ir_known_name(m, NAME_dst_align), ir_attr_i64(m, (int64_t)to_align));
}

void rewrite_load_pieces(Rewrite *r, IrBuilder *b, IrType *t, const AbiPassing *p, IrValue *ptr,
                         uint64_t align, IrValue **pieces)
{
	if (overruns(t, p)) {
		IrValue *room = room_for(r, b, t, p);
		rewrite_copy(b, rewrite_cast(b, ptr, t), room, align, ir_type_align(t));
		ptr = room;
		align = ir_type_align(t);
	}
	for (uint32_t i = 0; i < p->npieces; i++)
		pieces[i] = rewrite_load(b, piece_address(b, p, ptr, i), p->pieces[i],
		                         align_at(align, piece_offset(p, i)));
}

void rewrite_store_pieces(Rewrite *r, IrBuilder *b, IrType *t, const AbiPassing *p, IrValue *const *pieces,
                          IrValue *ptr, uint64_t align)
{
	IrValue *to = ptr;
	uint64_t to_align = align;
	bool over = overruns(t, p);
	if (over) {
		to = room_for(r, b, t, p);
		to_align = ir_type_align(t);
	}
	for (uint32_t i = 0; i < p->npieces; i++)
		rewrite_store(b, pieces[i], piece_address(b, p, to, i),
		              align_at(to_align, piece_offset(p, i)));
	if (over)
		rewrite_copy(b, to, rewrite_cast(b, ptr, t), to_align, align);
}

/* Loading a record of two loads its padding, too, as far as LLVM is concerned: only where t has those bytes. */
static bool fits_whole(IrType *whole, IrType *t, const AbiPassing *p)
{
	return !p->offset && ir_type_size(whole) <= ir_type_size(t);
}

IrValue *rewrite_load_whole(Rewrite *r, IrBuilder *b, IrType *t, const AbiPassing *p, IrValue *ptr,
                            uint64_t align)
{
	IrType *whole = abi_pieces_type(&r->s, p);
	IrValue *pieces[2];
	if (p->npieces == 2 && fits_whole(whole, t, p))
		return rewrite_load(b, ptr, whole, align);
	rewrite_load_pieces(r, b, t, p, ptr, align, pieces);
	if (p->npieces == 1)
		return pieces[0];
	IrValue *v = rewrite_undef(b, whole);
	for (uint32_t i = 0; i < 2; i++) {
		IrValue *operands[] = {v, pieces[i]};
		IrOp *op = ir_build(b, OP_INSERT_MEMBER, whole, operands, 2);
		ir_op_set_attr(b->m, op, ir_known_name(b->m, NAME_index), ir_attr_i64(b->m, i));
		v = &op->results[0];
	}
	return v;
}

void rewrite_store_whole(Rewrite *r, IrBuilder *b, IrType *t, const AbiPassing *p, IrValue *whole,
                         IrValue *ptr, uint64_t align)
{
	IrValue *pieces[2] = {whole};
	if (p->npieces == 2 && fits_whole(whole->type, t, p)) {
		rewrite_store(b, whole, ptr, align);
		return;
	}
	for (uint32_t i = 0; i < p->npieces && p->npieces == 2; i++) {
		IrOp *op = ir_build(b, OP_EXTRACT_MEMBER, p->pieces[i], &whole, 1);
		ir_op_set_attr(b->m, op, ir_known_name(b->m, NAME_index), ir_attr_i64(b->m, i));
		pieces[i] = &op->results[0];
	}
	rewrite_store_pieces(r, b, t, p, pieces, ptr, align);
}

/* Where values come from and go to */

static bool is_plain(const IrOp *access)
{
	return !ir_op_has(access, NAME_is_volatile_flag) && !ir_op_has(access, NAME_mem_order) &&
	       !ir_op_has(access, NAME_nontemporal);
}

IrOp *rewrite_source(const IrValue *v)
{
	IrOp *op = v->is_arg ? NULL : v->def.op;
	return op && op->kind == OP_LOAD && is_plain(op) ? op : NULL;
}

IrOp *rewrite_sink(const IrValue *v)
{
	IrUse *u = v->uses;
	if (!u || u->next || u->user->kind != OP_STORE || !is_plain(u->user))
		return NULL;
	return ir_operand(u->user, 0) == v ? u->user : NULL;
}

uint64_t rewrite_access_align(const IrOp *access, IrType *t)
{
	uint64_t given = ir_op_uint(access, NAME_alignment, 0);
	return given ? given : ir_type_align(t);
}

static bool writes(const IrOp *op)
{
	switch (op->kind) {
	case OP_LOAD:
		return !is_plain(op);
	case OP_ALLOCA:
		return false;
	default:
		return !(op_info[op->kind].flags & OPF_PURE);
	}
}

bool rewrite_is_quiet(const IrOp *from, const IrOp *to)
{
	if (from->block != to->block)
		return false;
	unsigned n = 0;
	const IrOp *op = from->next;
	while (op && op != to && n++ < NEARBY && !writes(op))
		op = op->next;
	return op == to;
}

/* Is v the address of the memory, or computed from it? true, too, when that takes long to find out. */
static bool leads_to(const IrValue *v, const IrValue *memory, unsigned *budget)
{
	if (v == memory || *budget == 0)
		return true;
	*budget -= 1;
	const IrOp *op = v->is_arg ? NULL : v->def.op;
	bool step = op && (op_info[op->kind].flags & OPF_PURE);
	for (uint32_t i = 0; step && i < op->noperands; i++)
		if (leads_to(ir_operand(op, i), memory, budget))
			return true;
	return false;
}

bool rewrite_touches(const IrOp *op, const IrValue *memory)
{
	if (op_info[op->kind].flags & OPF_PURE)
		return false;
	for (uint32_t i = 0; i < op->noperands; i++) {
		unsigned budget = STEPS;
		if (leads_to(ir_operand(op, i), memory, &budget))
			return true;
	}
	return false;
}

bool rewrite_is_left_alone(Rewrite *r, const IrOp *source, const IrOp *to)
{
	if (source->block != to->block)
		return false;
	unsigned nearby = FAR * PURE_FAR;
	for (const IrOp *op = source->next; op != to; op = op->next) {
		unsigned cost = op_info[op->kind].flags & OPF_PURE ? 1 : PURE_FAR;
		unsigned *budget = nearby >= cost ? &nearby : &r->far;
		if (*budget < cost || rewrite_touches(op, ir_operand(source, 0)))
			return false;
		*budget -= cost;
	}
	return true;
}

/* What an address is a part of, as far as there is just one such thing. */
static const IrValue *whole_of(const IrValue *v)
{
	for (unsigned n = 0; n < STEPS && !v->is_arg; n++) {
		const IrOp *op = v->def.op;
		bool step = op->noperands && op->kind != OP_SELECT && (op_info[op->kind].flags & OPF_PURE) &&
		            ir_operand(op, 0)->type->kind == TYPE_PTR;
		if (!step)
			break;
		v = ir_operand(op, 0);
	}
	return v;
}

/* Does the op hand the address on, to where what comes from there cannot be told from other addresses? A callee may keep
 * it, but only what gives a pointer is taken to give it back. */
static bool tells(const IrUse *u)
{
	const IrOp *op = u->user;
	if (u >= &op->operands[ir_op_nmain(op)])
		return true;
	switch (op->kind) {
	case OP_STORE:
		return u == &op->operands[0];
	case OP_ATOMIC_XCHG:
	case OP_ATOMIC_CMPXCHG:
		return u != &op->operands[0];
	case OP_LOAD:
		return false;
	default:
		return op->nresults && op->results[0].uses && op->results[0].type->kind == TYPE_PTR;
	}
}

static bool may_hold_address(const IrOp *op)
{
	return op->kind != OP_PTR_DIFF && op->results[0].type->kind != TYPE_BOOL;
}

/* Is the address, or one computed from it, known elsewhere? true, too, when that takes long to find out. */
static bool is_told(const IrValue *address, unsigned *budget)
{
	IR_FOR_USES (u, address) {
		const IrOp *op = u->user;
		bool step = op_info[op->kind].flags & OPF_PURE;
		if (*budget == 0)
			return true;
		*budget -= 1;
		if (step ? may_hold_address(op) && is_told(&op->results[0], budget) : tells(u))
			return true;
	}
	return false;
}

static bool is_own(const Rewrite *r, const IrValue *whole)
{
	return whole == r->sret || (!whole->is_arg && whole->def.op->kind == OP_ALLOCA);
}

/* Is it known what this is the address of? */
static bool is_origin(const Rewrite *r, const IrValue *whole)
{
	return is_own(r, whole) || (whole->is_arg ? whole->def.block == r->func->regions[0].first
	                                          : whole->def.op->kind == OP_GET_GLOBAL);
}

/* Is a in memory of the function's own, or the caller's for its result, and b elsewhere? */
static bool is_apart(const Rewrite *r, const IrValue *a, const IrValue *b)
{
	const IrValue *whole = whole_of(a);
	unsigned steps = STEPS, uses = USES;
	return is_own(r, whole) && !leads_to(b, whole, &steps) &&
	       (is_origin(r, whole_of(b)) || !is_told(whole, &uses));
}

bool rewrite_may_overlap(const Rewrite *r, const IrValue *a, const IrValue *b)
{
	return !is_apart(r, a, b) && !is_apart(r, b, a);
}

bool rewrite_only_loads(const IrValue *v, unsigned *budget)
{
	IR_FOR_USES (u, v)
		if (u->user->kind != OP_LOAD || (*budget)-- == 0)
			return false;
	return true;
}

bool rewrite_is_slot(const IrValue *ptr)
{
	return !ptr->is_arg && ptr->def.op->kind == OP_ALLOCA && ptr->def.op->noperands == 0;
}

void rewrite_move_slot(const Rewrite *r, IrValue *slot)
{
	IrOp *op = slot->def.op;
	ir_op_remove(op);
	ir_op_insert_before(abi_entry_front(r->func), op);
}

uint64_t rewrite_slot_align(const IrValue *slot)
{
	uint64_t given = ir_op_uint(slot->def.op, NAME_alignment, 0);
	return given ? given : ir_type_align(slot->type->elem);
}

bool rewrite_is_replaceable(const IrValue *slot, const IrType *type, uint64_t align)
{
	return rewrite_is_slot(slot) && slot->type == type && rewrite_slot_align(slot) <= align &&
	       !ir_op_has(slot->def.op, NAME_annotations);
}

void rewrite_drop_marks(const IrValue *variable)
{
	IrUse *next;
	for (IrUse *u = variable->uses; u; u = next) {
		IrOp *user = u->user;
		next = u->next;
		if (user->kind == OP_LIFETIME_START || user->kind == OP_LIFETIME_END)
			ir_op_erase(user);
	}
}

void rewrite_replace_slot(Rewrite *r, IrValue *slot, IrValue *memory)
{
	rewrite_drop_marks(slot); /* the lifetime of what the caller provides is the caller's to mark */
	if (memory->is_arg)       /* another variable has its own description */
		ir_source_move(r->m, r->source, slot, memory);
	ir_value_replace(slot, memory);
	ir_op_erase(slot->def.op);
}

void rewrite_check_new(Rewrite *r, Loc loc, const IrValue *v, const char *done)
{
	OpKind kind = v->is_arg ? OP_BR : v->def.op->kind;
	if (kind == OP_CONST || kind == OP_INSERT_MEMBER || kind == OP_LOAD ||
	    !abi_goes_by_address(&r->s.types, v->type))
		return;
	diag_error(r->d, loc,
	           "an object of type '%s' cannot be %s as this value, because the type is not trivially "
	           "copyable; use a 'cir.load' of the object",
	           ir_type_str(&r->m->scratch, v->type), done);
	r->ok = false;
}

void rewrite_drop(IrOp *op)
{
	for (uint32_t i = 0; i < op->nresults; i++)
		if (op->results[i].uses)
			return;
	if (!writes(op))
		ir_op_erase(op);
}

IrValue *rewrite_undef(IrBuilder *b, IrType *t)
{
	return ir_build_const(b, ir_attr_intern(b->m, &(IrAttr){.kind = ATTR_UNDEF, .type = t}));
}

enum { EFFECTS = MEMORY_EFFECTS_TARGET1 + 1 };

/* What the older spelling says of memory, as memory_effects. */
static void spell_effects(IrModule *m, IrOp *op)
{
	const IrSideEffect *effect = ir_side_effect(ir_op_enum(op, NAME_side_effect, SIDE_EFFECT_ALL));
	if (!effect)
		return;
	const IrAttr *elems[EFFECTS];
	for (unsigned i = 0; i < ARRAY_LEN(elems); i++)
		elems[i] = ir_attr_string(m, str_of(effect->memory[i]));
	IrAttr key = {
	    .kind = ATTR_PARAMS, .row = ATTR_ROW_MEMORY_EFFECTS, .elems = elems, .n = ARRAY_LEN(elems)};
	ir_op_set_attr(m, op, ir_known_name(m, NAME_side_effect), NULL);
	ir_op_set_attr(m, op, ir_known_name(m, NAME_memory_effects), ir_attr_intern(m, &key));
	if (effect->willreturn)
		ir_set_flag(m, op, NAME_willreturn);
}

void rewrite_widen_effects(IrModule *m, IrOp *op)
{
	spell_effects(m, op);
	const IrAttr *old = ir_op_attr(op, NAME_memory_effects);
	if (!old || old->kind != ATTR_PARAMS || old->row != ATTR_ROW_MEMORY_EFFECTS)
		return;
	const IrAttr *elems[EFFECTS];
	memcpy(elems, old->elems, sizeof elems);
	elems[MEMORY_EFFECTS_ARG] = ir_attr_string(m, STR("readwrite"));
	IrAttr key = *old;
	key.elems = elems;
	ir_op_set_attr(m, op, ir_known_name(m, NAME_memory_effects), ir_attr_intern(m, &key));
}

void rewrite_set_places(Rewrite *r, IrOp *op, AbiPlaces places)
{
	IrModule *m = r->m;
	if (places.memory)
		rewrite_widen_effects(m, op);
	if (places.args || ir_op_has(op, NAME_arg_attrs))
		ir_op_set_attr(m, op, ir_known_name(m, NAME_arg_attrs), places.args);
	if (places.res || ir_op_has(op, NAME_res_attrs))
		ir_op_set_attr(m, op, ir_known_name(m, NAME_res_attrs), places.res);
	if (ir_op_has(op, NAME_allocsize))
		ir_op_set_attr(m, op, ir_known_name(m, NAME_allocsize), places.alloc_size);
}
