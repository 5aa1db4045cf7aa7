#include "explain/type_info.h"

enum { POINTER = 8, MOST_BASES = 1 << 12 /* of a type: more is no type info */ };

static Str symbol_name(const ObjectFile *o, uint32_t symbol)
{
	return symbol < o->nsymbols ? o->symbols[symbol].name : (Str){0};
}

static void note_place(TypeInfos *t, const CircExplainedType *type, ObjectTarget target, TypeInfoKind kind)
{
	while (t->places.len <= type->index)
		vec_push(&t->e->arena, &t->places, ((TypePlace){{OBJECT_NONE, 0}, TYPE_INFO_NONE}));
	TypePlace *known = &t->places.data[type->index];
	if (known->place.section == OBJECT_NONE)
		*known = (TypePlace){target.place, kind};
}

CircExplainedType *type_info_of(TypeInfos *t, ObjectTarget target, TypeInfoKind kind)
{
	Str name = symbol_name(t->o, target.symbol);
	const char *own = !name.len && kind == TYPE_INFO_ITANIUM ? type_info_symbol(t, target.place) : NULL;
	if (own)
		name = str_of(own);
	CircExplainedType *type = name.len ? explanation_type(t->e, name)
	                                   : explanation_type_at(t->e, object_address(t->o, target.place));
	note_place(t, type, target, kind);
	return type;
}

/* A text in the object; none: it is none. */
static Str text_at(const ObjectFile *o, ObjectPlace at)
{
	if (at.section >= o->nsections || at.offset >= o->sections[at.section].bytes.len)
		return (Str){0};
	Str all = o->sections[at.section].bytes;
	const char *begin = all.data + at.offset, *end = memchr(begin, '\0', all.len - at.offset);
	return end ? (Str){begin, (size_t)(end - begin)} : (Str){0};
}

typedef enum InfoClass { INFO_OTHER, INFO_NO_BASES, INFO_CLASS, INFO_SI, INFO_VMI } InfoClass;

/* By the vtable that its first member points into (Itanium C++ ABI, 2.9.5). */
static InfoClass class_of(const ObjectFile *o, ObjectPlace at)
{
	static const struct {
		const char *vtable;
		InfoClass class;
	} classes[] = {
	    {"_ZTVN10__cxxabiv117__class_type_infoE", INFO_CLASS},
	    {"_ZTVN10__cxxabiv120__si_class_type_infoE", INFO_SI},
	    {"_ZTVN10__cxxabiv121__vmi_class_type_infoE", INFO_VMI},
	    {"_ZTVN10__cxxabiv123__fundamental_type_infoE", INFO_NO_BASES},
	    {"_ZTVN10__cxxabiv116__enum_type_infoE", INFO_NO_BASES},
	};
	ObjectTarget t;
	if (!object_pointer(o, at, POINTER, OBJECT_RELOC_ABSOLUTE, &t))
		return INFO_OTHER;
	uint32_t symbol = t.symbol == OBJECT_NONE ? object_symbol_over(o, t.place) : t.symbol;
	Str name = symbol_name(o, symbol);
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (str_is(name, classes[i].vtable))
			return classes[i].class;
	return INFO_OTHER;
}

const char *type_info_symbol(const TypeInfos *t, ObjectPlace place)
{
	ObjectTarget name;
	if (class_of(t->o, place) == INFO_OTHER)
		return NULL;
	place.offset += POINTER;
	if (!object_pointer(t->o, place, POINTER, OBJECT_RELOC_ABSOLUTE, &name))
		return NULL;
	Str text = text_at(t->o, name.place);
	if (text.len && text.data[0] == '*') /* compared by address: not part of the name */
		text = (Str){text.data + 1, text.len - 1};
	if (!text.len || text.len > 4096)
		return NULL;
	return arena_printf(&t->e->arena, "_ZTI%.*s", (int)text.len, text.data);
}

void type_infos_add_defined(TypeInfos *t)
{
	static const Str info = {"_ZTI", 4}, clause = {".circ.clause.", 13};
	for (uint32_t i = 0; i < t->o->nsymbols; i++) {
		const ObjectSymbol *s = &t->o->symbols[i];
		ObjectTarget target = {.symbol = i, .place = {s->section, s->offset}};
		if (s->section == OBJECT_NONE || s->function)
			continue;
		if (str_begins_with(s->name, info) && class_of(t->o, target.place) != INFO_OTHER)
			type_info_of(t, target, TYPE_INFO_ITANIUM);
		if (!str_begins_with(s->name, clause))
			continue;
		uint64_t kind;
		ObjectPlace what = {s->section, s->offset + 8};
		if (object_read(t->o, target.place, 4, &kind) && kind == 2 &&
		    object_pointer(t->o, what, POINTER, OBJECT_RELOC_ABSOLUTE, &target) && !target.is_null)
			type_info_of(t, target, TYPE_INFO_CIRC);
	}
}

/* Bases */

typedef VEC(const CircExplainedType *) TypeVec;

static bool add_base(TypeInfos *t, ObjectPlace at, TypeInfoKind kind, TypeVec *bases)
{
	ObjectTarget target;
	if (!object_pointer(t->o, at, POINTER, OBJECT_RELOC_ABSOLUTE, &target) || target.is_null ||
	    (target.symbol == OBJECT_NONE && target.place.section == OBJECT_NONE))
		return false;
	vec_push(&t->e->arena, bases, type_info_of(t, target, kind));
	return true;
}

/* __vmi_class_type_info: flags, number of bases, and for each its type info and offset with flags. A handler of a base that the
 * class has several times does not take it; which they are is not worked out: false. */
static bool add_vmi_bases(TypeInfos *t, ObjectPlace at, TypeVec *bases)
{
	enum { FLAGS = 16, COUNT = 20, BASES = 24, BASE = 16, NON_DIAMOND_REPEAT = 1, PUBLIC = 2 };
	uint64_t n, flags;
	if (!object_read(t->o, (ObjectPlace){at.section, at.offset + FLAGS}, 4, &flags) ||
	    flags & NON_DIAMOND_REPEAT)
		return false;
	if (!object_read(t->o, (ObjectPlace){at.section, at.offset + COUNT}, 4, &n) || n > MOST_BASES)
		return false;
	for (uint64_t i = 0; i < n; i++) {
		ObjectPlace base = {at.section, at.offset + BASES + i * BASE};
		if (!object_read(t->o, (ObjectPlace){base.section, base.offset + POINTER}, 8, &flags))
			return false;
		/* A handler of a base that is not public does not take the exception. */
		if (flags & PUBLIC && !add_base(t, base, TYPE_INFO_ITANIUM, bases))
			return false;
	}
	return true;
}

static bool add_circ_bases(TypeInfos *t, ObjectPlace at, TypeVec *bases)
{
	enum { COUNT = 24, BASES = 32 }; /* of CircExceptionType */
	uint64_t n;
	if (!object_read(t->o, (ObjectPlace){at.section, at.offset + COUNT}, 8, &n) || n > MOST_BASES)
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (!add_base(t, (ObjectPlace){at.section, at.offset + BASES + i * POINTER}, TYPE_INFO_CIRC,
		              bases))
			return false;
	return true;
}

static bool add_bases(TypeInfos *t, TypePlace at, TypeVec *bases)
{
	if (at.kind == TYPE_INFO_CIRC)
		return add_circ_bases(t, at.place, bases);
	switch (class_of(t->o, at.place)) {
	case INFO_OTHER:
		return false;
	case INFO_NO_BASES:
	case INFO_CLASS:
		return true;
	case INFO_SI:
		return add_base(t, (ObjectPlace){at.place.section, at.place.offset + 2 * POINTER},
		                TYPE_INFO_ITANIUM, bases);
	case INFO_VMI:
		return add_vmi_bases(t, at.place, bases);
	}
	return false;
}

/* "_ZTIi", "_ZTIDn": the C++ library has them, and they have no bases. */
static bool is_fundamental(const char *symbol)
{
	if (!symbol || strncmp(symbol, "_ZTI", 4) != 0)
		return false;
	const char *type = symbol + 4 + (symbol[4] == 'D');
	return *type >= 'a' && *type <= 'z' && !type[1];
}

void type_infos_find_bases(TypeInfos *t)
{
	TypeVec bases = {0};
	/* The list grows by the bases that are found. */
	for (uint32_t i = 0; i < t->e->types.len && i < t->places.len; i++) {
		TypePlace at = t->places.data[i];
		CircExplainedType *type = t->e->types.data[i];
		type->has_bases = at.kind == TYPE_INFO_ITANIUM && is_fundamental(type->symbol);
		if (at.kind == TYPE_INFO_NONE || at.place.section == OBJECT_NONE)
			continue;
		bases.len = 0;
		type->has_bases = add_bases(t, at, &bases);
		if (!type->has_bases)
			continue;
		type->bases = arena_copy_n(&t->e->arena, bases.data, bases.len, sizeof *bases.data);
		type->nbases = bases.len;
	}
}
