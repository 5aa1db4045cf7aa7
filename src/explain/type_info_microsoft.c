/* explain/type_info_microsoft.c: type descriptors, and what is thrown along with them.
 *
 * A descriptor holds the address of a virtual table, a pointer that is null, and the type's decorated name, ".?AUError@@". Handlers
 * and throws meet by that name. It makes the name of the symbol, too, so that images, which have no symbols, name types all
 * the same. A catchable type array (_CTA…) lists a thrown type and what else takes it; a class hierarchy (??_R3…) the bases
 * of a class. */
#include "explain/coff_tables.h"

enum {
	DESCRIPTOR_NAME = 16,
	NAME_MAX_SHOWN = 1 << 16,
	NOT_VISIBLE = 1,
	AMBIGUOUS = 2, /* attributes of a base */
};

typedef VEC(const CircExplainedType *) TypeVec;

static ObjectPlace after(ObjectPlace p, uint64_t n)
{
	p.offset += n;
	return p;
}

/* ".?AUError@@"; empty: the place has no descriptor. */
static Str decorated_name(const ObjectFile *o, ObjectPlace at)
{
	const Str none = {"", 0};
	if (at.section >= o->nsections)
		return none;
	Str bytes = o->sections[at.section].bytes;
	if (at.offset + DESCRIPTOR_NAME < at.offset || at.offset + DESCRIPTOR_NAME >= bytes.len)
		return none;
	const char *begin = bytes.data + at.offset + DESCRIPTOR_NAME;
	size_t room = bytes.len - (size_t)at.offset - DESCRIPTOR_NAME;
	const char *end = memchr(begin, 0, room < NAME_MAX_SHOWN ? room : NAME_MAX_SHOWN);
	return end && begin[0] == '.' && end - begin > 1 ? (Str){begin, (size_t)(end - begin)} : none;
}

const CircExplainedType *coff_type(CircExplanation *e, const ObjectFile *o, const ObjectTarget *descriptor)
{
	Str name = decorated_name(o, descriptor->place);
	const ObjectSymbol *s = descriptor->symbol < o->nsymbols ? &o->symbols[descriptor->symbol] : NULL;
	if (s && str_begins_with(s->name, STR("??_R0")))
		return explanation_type(e, s->name);
	if (name.len) {
		StrBuf symbol = {0};
		buf_put(&e->arena, &symbol, STR("??_R0"));
		buf_put(&e->arena, &symbol, (Str){name.data + 1, name.len - 1});
		buf_put(&e->arena, &symbol, STR("@8"));
		return explanation_type(e, (Str){symbol.data, symbol.len});
	}
	if (s && s->name.len)
		return explanation_type(e, s->name);
	return explanation_type_at(e, object_address(o, descriptor->place));
}

static void set_bases(CoffTables *t, const TypeVec *types)
{
	CircExplainedType *type = types->len ? (CircExplainedType *)types->data[0] : NULL;
	if (!type || type->has_bases)
		return;
	type->bases =
	    arena_copy_n(&t->e->arena, types->data + 1, types->len - 1, sizeof(const CircExplainedType *));
	type->nbases = types->len - 1;
	type->has_bases = true;
}

/* A field that is not there is reported, and counts as 0. */
static uint32_t count_at(CoffTables *t, ObjectPlace at)
{
	uint64_t n;
	if (object_read(t->o, at, 4, &n))
		return (uint32_t)n;
	object_warning(t->o, at, "expected the number of types, found the end of the section");
	return 0;
}

/* Rows of pointers to records; each has the address of a type descriptor at `field`. */
static void read_types(CoffTables *t, ObjectPlace row, uint32_t n, unsigned field, bool of_hierarchy,
                       TypeVec *types)
{
	for (uint32_t i = 0; i < n && coff_tables_spend(t, row, COFF_STEP_COST); i++, row.offset += 4) {
		uint64_t attributes = 0;
		ObjectPlace record = coff_tables_target(t, row).place;
		ObjectTarget type = coff_tables_target(t, after(record, field));
		if (record.section >= t->o->nsections || type.is_null ||
		    (type.symbol == OBJECT_NONE && type.place.section == OBJECT_NONE)) {
			object_warning(t->o, row, "expected the address of a type's record, found none");
			return;
		}
		if (of_hierarchy)
			object_read(t->o, after(record, 20), 4, &attributes);
		if (!(attributes & (NOT_VISIBLE | AMBIGUOUS)))
			vec_push(&t->e->arena, types, coff_type(t->e, t->o, &type));
	}
}

static void read_catchable_array(CoffTables *t, ObjectPlace at)
{
	TypeVec types = {0};
	read_types(t, after(at, 4), count_at(t, at), 4, false, &types);
	set_bases(t, &types);
}

static void read_hierarchy(CoffTables *t, ObjectPlace at)
{
	TypeVec types = {0};
	read_types(t, coff_tables_target(t, after(at, 12)).place, count_at(t, after(at, 8)), 0, true, &types);
	set_bases(t, &types);
}

static void read_all(CoffTables *t, Str prefix, void (*read)(CoffTables *, ObjectPlace))
{
	for (uint32_t i = 0; i < t->o->nsymbols; i++) {
		const ObjectSymbol *s = &t->o->symbols[i];
		if (s->section < t->o->nsections && str_begins_with(s->name, prefix))
			read(t, (ObjectPlace){s->section, s->offset});
	}
}

void coff_type_bases(CoffTables *t)
{
	read_all(t, STR("_CTA"), read_catchable_array);
	read_all(t, STR("??_R3"), read_hierarchy);
}
