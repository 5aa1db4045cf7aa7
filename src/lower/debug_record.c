#include "lower/debug.h"

#include "ir/layout.h"

/* DWARF 5, section 7.5.3 */
enum { TAG_CLASS = 2, TAG_STRUCTURE = 0x13, TAG_UNION = 0x17 };

/* What code tells of a record */

typedef struct BitField {
	Name *name;
	IrType *type;
	uint32_t offset, size; /* in bits; offset in its storage */
} BitField;

typedef struct Field {
	Name *name;
	VEC(BitField) bits; /* by offset */
} Field;

typedef struct Base {
	IrType *type;
	uint64_t offset;
} Base;

typedef struct Facts {
	Field *fields; /* by member */
	VEC(Base) bases;
} Facts;

static Facts *facts_of(Lower *e, const IrValue *pointer)
{
	const IrType *record = pointer->type->elem;
	if (!record || record->kind != TYPE_RECORD || !record->complete)
		return NULL;
	Facts *facts = ptrmap_get(&e->debug->records, record);
	if (!facts) {
		facts = arena_new(e->arena, Facts);
		*facts = (Facts){.fields = arena_array(e->arena, Field, record->nmembers)};
		ptrmap_put(e->arena, &e->debug->records, record, facts);
	}
	return facts;
}

/* The member that a cir.get_member reaches, or NULL. */
static Field *field_of(Lower *e, const IrOp *op)
{
	Facts *facts = facts_of(e, ir_operand(op, 0));
	uint64_t index = ir_op_uint(op, NAME_index, UINT64_MAX);
	return facts && index < ir_operand(op, 0)->type->elem->nmembers ? &facts->fields[index] : NULL;
}

static void learn_name(Lower *e, const IrOp *op)
{
	const IrAttr *name = ir_op_attr(op, NAME_name);
	Field *field = name && name->kind == ATTR_STRING && name->name->len ? field_of(e, op) : NULL;
	if (field)
		field->name = name->name;
}

static uint32_t info_number(const IrAttr *info, unsigned param)
{
	uint64_t n = 0;
	CHECK(ir_attr_get_u64(info->elems[param], &n));
	return (uint32_t)n;
}

static void learn_bit_field(Lower *e, const IrOp *op)
{
	const IrValue *storage = ir_operand(op, 0);
	bool is_member = !storage->is_arg && storage->def.op->kind == OP_GET_MEMBER;
	Field *field = is_member ? field_of(e, storage->def.op) : NULL;
	const IrAttr *info = ir_op_attr(op, NAME_bitfield_info);
	BitField found = {.name = info->elems[BITFIELD_INFO_NAME]->name,
	                  .type = op->results[0].type,
	                  .offset = info_number(info, BITFIELD_INFO_OFFSET),
	                  .size = info_number(info, BITFIELD_INFO_SIZE)};
	if (!field || !found.size)
		return;
	uint32_t at = 0;
	while (at < field->bits.len && field->bits.data[at].offset < found.offset)
		at++;
	if (at < field->bits.len && field->bits.data[at].offset == found.offset)
		return;
	vec_push(e->arena, &field->bits, found);
	memmove(&field->bits.data[at + 1], &field->bits.data[at], (field->bits.len - 1 - at) * sizeof found);
	field->bits.data[at] = found;
}

static void learn_base(Lower *e, const IrOp *op)
{
	Facts *facts = facts_of(e, ir_operand(op, 0));
	Base base = {op->results[0].type->elem, ir_op_uint(op, NAME_offset, UINT64_MAX)};
	if (!facts)
		return;
	for (uint32_t i = 0; i < facts->bases.len; i++)
		if (facts->bases.data[i].type == base.type && facts->bases.data[i].offset == base.offset)
			return;
	vec_push(e->arena, &facts->bases, base);
}

void debug_learn_records(Lower *e)
{
	for (IrOp *op = ir_walk_first(&e->m->body); op; op = ir_walk_next(op, &e->m->body)) {
		if (op->kind == OP_GET_MEMBER)
			learn_name(e, op);
		else if (op->kind == OP_GET_BITFIELD || op->kind == OP_SET_BITFIELD)
			learn_bit_field(e, op);
		else if (op->kind == OP_BASE_CLASS_ADDR)
			learn_base(e, op);
	}
}

/* Describing */

static Str record_name(const IrType *t)
{
	return t->name ? name_str(t->name) : (Str){"", 0};
}

static unsigned record_tag(const IrType *t)
{
	static const unsigned tags[] = {
	    [RECORD_STRUCT] = TAG_STRUCTURE, [RECORD_CLASS] = TAG_CLASS, [RECORD_UNION] = TAG_UNION};
	return tags[t->record_kind];
}

LLVMMetadataRef debug_announce_record(Lower *e, IrType *t)
{
	Debug *g = e->debug;
	Str name = record_name(t);
	vec_push(e->arena, &g->announced, t);
	return LLVMDIBuilderCreateReplaceableCompositeType(g->builder, record_tag(t), name.data, name.len,
	                                                   g->file, g->file, 0, 0, 0, 0, LLVMDIFlagZero, "",
	                                                   0);
}

typedef struct Describing {
	Lower *e;
	IrType *record;
	LLVMMetadataRef scope; /* as it was announced */
	const Facts *facts;    /* or NULL */
	VEC(LLVMMetadataRef) members;
} Describing;

static void add(Describing *d, LLVMMetadataRef member)
{
	vec_push(d->e->scratch, &d->members, member);
}

/* What is private in a class where nothing is said. */
static LLVMDIFlags access_of(const Describing *d)
{
	return d->record->record_kind == RECORD_CLASS ? LLVMDIFlagPublic : LLVMDIFlagZero;
}

static Str name_or_number(Lower *e, const Name *name, uint32_t i)
{
	return name ? name_str(name) : str_of(arena_printf(e->scratch, "field%u", i));
}

static void add_bit_field(Describing *d, Str name, IrType *type, uint64_t storage, uint32_t offset,
                          uint32_t size)
{
	Debug *g = d->e->debug;
	add(d, LLVMDIBuilderCreateBitFieldMemberType(g->builder, d->scope, name.data, name.len, g->file, 0,
	                                             size, storage * 8 + offset, storage * 8, access_of(d),
	                                             debug_type(d->e, type)));
}

static const BitField *bit_field_at(const Field *field, uint32_t offset)
{
	for (uint32_t i = 0; field && i < field->bits.len; i++)
		if (field->bits.data[i].offset == offset)
			return &field->bits.data[i];
	return NULL;
}

/* Does the ABI's rule place fields where code reaches them? */
static bool gaps_agree_with_code(const IrType *unit, const Field *field, uint64_t begin)
{
	uint64_t bit = begin;
	uint32_t found = 0;
	for (uint32_t k = 0; field && k < unit->nmembers && found < field->bits.len;
	     bit += unit->widths[k++]) {
		bit = ir_bitfield_at(unit, true, k, bit);
		found += bit == begin + field->bits.data[found].offset;
	}
	return !field || found == field->bits.len;
}

/* !cir.bitfield declares its fields in order; only code names them, and knows those that are packed though there is room
 * for gaps. */
static void add_declared_bits(Describing *d, const IrType *unit, const Field *field, uint32_t i,
                              uint64_t storage)
{
	uint64_t begin = storage * 8, bit = begin;
	bool gaps = ir_bitfields_have_gaps(unit, begin) && gaps_agree_with_code(unit, field, begin);
	for (uint32_t k = 0; k < unit->nmembers; bit += unit->widths[k++]) {
		bit = ir_bitfield_at(unit, gaps, k, bit);
		uint32_t offset = (uint32_t)(bit - begin);
		const BitField *known = bit_field_at(field, offset);
		if ((unit->marks && unit->marks[k]) || !unit->widths[k])
			continue;
		Str name =
		    known ? name_str(known->name) : str_of(arena_printf(d->e->scratch, "field%u_%u", i, k));
		add_bit_field(d, name, unit->members[k], storage, offset, unit->widths[k]);
	}
}

static bool is_base_part(const IrType *member, const IrType *base)
{
	static const char suffix[] = ".base"; /* a base without its tail padding */
	size_t n = sizeof suffix - 1;
	if (member == base)
		return true;
	if (member->kind != TYPE_RECORD || !member->name || !base->name ||
	    member->name->len != base->name->len + n)
		return false;
	return memcmp(member->name->text, base->name->text, base->name->len) == 0 &&
	       memcmp(member->name->text + base->name->len, suffix, n) == 0;
}

static IrType *base_at(const Describing *d, const IrType *member, uint64_t offset)
{
	for (uint32_t i = 0; d->facts && i < d->facts->bases.len; i++) {
		const Base *base = &d->facts->bases.data[i];
		if (base->offset == offset && is_base_part(member, base->type))
			return base->type;
	}
	return NULL;
}

static void add_member(Describing *d, uint32_t i, uint64_t offset)
{
	Debug *g = d->e->debug;
	IrType *type = d->record->members[i];
	const Field *field = d->facts ? &d->facts->fields[i] : NULL;
	IrType *base = base_at(d, type, offset);
	if (base) {
		add(d, LLVMDIBuilderCreateInheritance(g->builder, d->scope, debug_type(d->e, base),
		                                      offset * 8, 0, access_of(d)));
		return;
	}
	if (type->kind == TYPE_BITFIELD) {
		add_declared_bits(d, type, field, i, offset);
		return;
	}
	for (uint32_t k = 0; field && k < field->bits.len; k++) {
		const BitField *b = &field->bits.data[k];
		add_bit_field(d, name_str(b->name), b->type, offset, b->offset, b->size);
	}
	if (field && field->bits.len)
		return;
	Str name =
	    type->kind == TYPE_VPTR ? STR("_vptr") : name_or_number(d->e, field ? field->name : NULL, i);
	add(d, LLVMDIBuilderCreateMemberType(g->builder, d->scope, name.data, name.len, g->file, 0,
	                                     ir_type_size(type) * 8, 0, offset * 8, access_of(d),
	                                     debug_type(d->e, type)));
}

static void add_members(Describing *d)
{
	IrType *t = d->record;
	uint64_t end = 0;
	for (uint32_t i = 0; i < t->nmembers; i++) {
		if (ir_is_zero_width(t->members[i]))
			continue; /* separates, and has no bytes */
		uint64_t offset = ir_record_offset_after(t, i, end);
		end = offset + ir_type_size(t->members[i]);
		if (!t->marks || t->marks[i] != MARK_PAD)
			add_member(d, i, offset);
	}
}

/* That there is one of this name. */
static LLVMMetadataRef declare(Lower *e, IrType *t)
{
	const Debug *g = e->debug;
	Str name = record_name(t);
	return LLVMDIBuilderCreateForwardDecl(g->builder, record_tag(t), name.data, name.len, g->file,
	                                      g->file, 0, 0, 0, 0, "", 0);
}

static LLVMMetadataRef describe(Lower *e, IrType *t, LLVMMetadataRef announced)
{
	Debug *g = e->debug;
	Str name = record_name(t);
	if (!ir_type_sized(t))
		return declare(e, t);
	Describing d = {.e = e, .record = t, .scope = announced, .facts = ptrmap_get(&g->records, t)};
	add_members(&d);
	uint64_t bits = ir_type_size(t) * 8;
	LLVMMetadataRef *members = d.members.data;
	unsigned n = d.members.len;
	switch (t->record_kind) {
	case RECORD_UNION:
		return LLVMDIBuilderCreateUnionType(g->builder, g->file, name.data, name.len, g->file, 0,
		                                    bits, 0, LLVMDIFlagZero, members, n, 0, "", 0);
	case RECORD_CLASS:
		return LLVMDIBuilderCreateClassType(g->builder, g->file, name.data, name.len, g->file, 0,
		                                    bits, 0, 0, LLVMDIFlagZero, NULL, members, n, NULL, NULL,
		                                    "", 0);
	default:
		return LLVMDIBuilderCreateStructType(g->builder, g->file, name.data, name.len, g->file, 0,
		                                     bits, 0, LLVMDIFlagZero, NULL, members, n, 0, NULL, "",
		                                     0);
	}
}

/* LLVM follows chains of records with recursion. */
enum { CHAIN_MAX = 10000 };

void debug_finish_records(Lower *e)
{
	Debug *g = e->debug;
	uint32_t generation = 0, last = g->announced.len;
	/* Describing one may announce others. */
	for (; g->described < g->announced.len; g->described++) {
		if (g->described == last) {
			generation++;
			last = g->announced.len;
		}
		IrType *t = g->announced.data[g->described];
		ArenaMark mark = arena_mark(e->scratch);
		LLVMMetadataRef announced = g->types[t->id], described;
		described = generation < CHAIN_MAX ? describe(e, t, announced) : declare(e, t);
		LLVMMetadataReplaceAllUsesWith(announced, described);
		g->types[t->id] = described;
		arena_release(e->scratch, mark);
	}
}

void debug_drop_announced(Lower *e)
{
	Debug *g = e->debug;
	for (uint32_t i = g->described; i < g->announced.len; i++)
		LLVMDisposeTemporaryMDNode(g->types[g->announced.data[i]->id]);
}
