#include "msvc/class.h"

#include "msvc/itanium_type.h"

static const MsStd std_rows[] = {
#define MS_STD(name, tag, base) {name, MS_TAG_##tag, base, false},
#define MS_VALUE(name, tag)     {name, MS_TAG_##tag, NULL, true},
#include "msvc/library_class.def"
};

/* Classes by their spelling */

static MsClass *class_of_spelling(MsTypes *t, const Name *spelling)
{
	MsClass *c = ptrmap_get(&t->classes, spelling);
	if (!c) {
		c = arena_new(&t->m->arena, MsClass);
		ptrmap_put(&t->m->arena, &t->classes, spelling, c);
	}
	return c;
}

static Name *spelling_without_blanks(MsTypes *t, const Name *name)
{
	Arena *mem = &t->m->scratch;
	ArenaMark mark = arena_mark(mem);
	char *text = arena_array(mem, char, name->len + 1);
	uint32_t n = 0;
	for (uint32_t i = 0; i < name->len; i++)
		if (name->text[i] != ' ')
			text[n++] = name->text[i];
	Name *spelling = name_intern(&t->types.names, (Str){text, n});
	arena_release(mem, mark);
	return spelling;
}

/* A struct and a union may have one name; the older one is taken. */
static void add_records(MsTypes *t)
{
	const TypeTable *table = &t->m->types;
	for (uint32_t i = 0; i < table->len; i++) {
		IrType *type = table->held[i];
		if (type->kind != TYPE_RECORD || !type->name)
			continue;
		MsClass *c = class_of_spelling(t, spelling_without_blanks(t, type->name));
		if (!c->record)
			c->record = type;
	}
}

static void add_info(MsTypes *t, const IrOp *global)
{
	Str symbol = name_str(ir_symbol_name(global));
	ItaniumFailure why;
	if (!str_begins_with(symbol, STR("_ZTI")) || symbol.len == 4 ||
	    !strchr("0123456789NS", symbol.data[4]))
		return;
	CxxType *type = itanium_type(&t->types, (Str){symbol.data + 4, symbol.len - 4}, &why);
	Name *spelling = type && type->kind == CXX_NAMED ? cxx_type_spell(&t->types, type) : NULL;
	if (spelling)
		class_of_spelling(t, spelling)->info = global;
}

static void add_std(MsTypes *t)
{
	for (unsigned i = 0; i < ARRAY_LEN(std_rows); i++)
		class_of_spelling(t, name_intern(&t->types.names, str_of(std_rows[i].name)))->std =
		    &std_rows[i];
}

static void find_classes(MsTypes *t)
{
	t->has_classes = true;
	add_records(t);
	add_std(t);
	IR_FOR_OPS (op, ir_module_block(t->m))
		if (op->kind == OP_GLOBAL)
			add_info(t, op);
}

/* Inline namespaces of the libraries, libc++ and libstdc++. */
bool ms_is_version(const CxxType *scope)
{
	static const char *const versions[] = {"__1", "__cxx11", "__fs"};
	for (unsigned i = 0; i < ARRAY_LEN(versions); i++)
		if (str_is(name_str(scope->ident), versions[i]))
			return true;
	return false;
}

/* Without those, and without the arguments of templates: as msvc/library_class.def names it. */
static CxxType *plain_name(MsTypes *t, CxxType *named)
{
	CxxType *scope = named->scope ? plain_name(t, named->scope) : NULL;
	return ms_is_version(named) ? scope : cxx_type_named(&t->types, scope, name_str(named->ident));
}

static const MsStd *std_by_name(MsTypes *t, CxxType *named)
{
	CxxType *plain = plain_name(t, named);
	const Name *name = plain ? plain->scope ? cxx_type_spell(&t->types, plain) : plain->ident : NULL;
	return name ? class_of_spelling(t, name)->std : NULL;
}

MsClass *ms_class(MsTypes *t, CxxType *named)
{
	if (!t->has_classes)
		find_classes(t);
	const Name *spelling = cxx_type_spell(&t->types, named);
	MsClass *c = class_of_spelling(t, spelling ? spelling : named->ident);
	if (!c->std)
		c->std = std_by_name(t, named);
	return c;
}

MsClass *ms_class_of_record(MsTypes *t, const IrType *record)
{
	if (!t->has_classes)
		find_classes(t);
	return class_of_spelling(t, spelling_without_blanks(t, record->name));
}

bool ms_class_is_value(MsTypes *t, CxxType *named)
{
	const MsStd *std = ms_class(t, named)->std;
	return std && std->is_value;
}

/* Type infos in the module */

/* The address point, as an index or, of LLVM IR, in bytes. */
static bool points_to_table(const IrAttr *a)
{
	return a->kind == ATTR_GLOBAL_VIEW || a->kind == ATTR_GLOBAL_OFFSET;
}

const IrAttr *ms_info_value(const IrOp *info)
{
	const IrAttr *value = info ? ir_op_attr(info, NAME_initial_value) : NULL;
	bool shaped = value && (value->kind == ATTR_TYPEINFO || value->kind == ATTR_CONST_RECORD) &&
	              value->n >= 2 && points_to_table(value->elems[0]);
	return shaped ? value : NULL;
}

/* _ZTVN10__cxxabiv1 <length> <class> E */
Str ms_info_kind(const IrOp *info)
{
	const IrAttr *value = ms_info_value(info);
	Str vtable = value ? name_str(value->elems[0]->name) : (Str){"", 0};
	Str prefix = STR("_ZTVN10__cxxabiv1");
	if (!str_begins_with(vtable, prefix) || vtable.len < prefix.len + 3)
		return (Str){"", 0};
	size_t at = prefix.len;
	while (at < vtable.len && vtable.data[at] >= '0' && vtable.data[at] <= '9')
		at++;
	return at < vtable.len ? (Str){vtable.data + at, vtable.len - at - 1} : (Str){"", 0};
}

const IrAttr *ms_info_attr(MsTypes *t, const IrOp *info, NameId name, AttrKind kind, const char *shape)
{
	const IrAttr *a = info ? ir_op_attr(info, name) : NULL;
	if (!a || a->kind == kind)
		return a;
	diag_error(t->d, info->loc, "attribute '%s' of type info '%s' must be %s",
	           ir_known_name(t->m, name)->text, ir_symbol_name(info)->text, shape);
	return NULL;
}

/* Tags */

static MsTag tag_attr(MsTypes *t, MsClass *c)
{
	static const struct {
		Str word;
		MsTag tag;
	} words[] = {{{"struct", 6}, MS_TAG_STRUCT},
	             {{"class", 5}, MS_TAG_CLASS},
	             {{"union", 5}, MS_TAG_UNION},
	             {{"enum", 4}, MS_TAG_ENUM}};
	static const char shape[] = "\"struct\", \"class\", \"union\" or \"enum\"";
	const IrAttr *a = ms_info_attr(t, c->info, NAME_ms_tag, ATTR_STRING, shape);
	for (unsigned i = 0; a && i < ARRAY_LEN(words); i++)
		if (str_equal(name_str(a->name), words[i].word))
			return words[i].tag;
	if (a)
		diag_error(t->d, c->info->loc, "attribute 'cir.ms.tag' of type info '%s' must be %s",
		           ir_symbol_name(c->info)->text, shape);
	c->reported |= c->info && ir_op_has(c->info, NAME_ms_tag);
	return MS_TAG_NONE;
}

MsTag ms_class_tag(MsTypes *t, CxxType *named)
{
	static const MsTag of_record[] = {
	    [RECORD_STRUCT] = MS_TAG_STRUCT, [RECORD_CLASS] = MS_TAG_CLASS, [RECORD_UNION] = MS_TAG_UNION};
	MsClass *c = ms_class(t, named);
	MsTag tag = c->reported ? MS_TAG_NONE : tag_attr(t, c);
	bool raised = ir_module_attr(t->m, NAME_circ_llvm);
	if (tag != MS_TAG_NONE || c->reported)
		return tag;
	if (c->record)
		return of_record[c->record->record_kind];
	if (str_equal(ms_info_kind(c->info), STR("__enum_type_info")))
		return MS_TAG_ENUM;
	/* LLVM IR often has no record of a class; what it throws is caught as both (throw.c). */
	return c->std ? c->std->tag : raised ? MS_TAG_STRUCT : MS_TAG_NONE;
}

MsTag ms_class_need_tag(void *user, CxxType *named)
{
	MsTypes *t = user;
	MsTag tag = ms_class_tag(t, named);
	MsClass *c = ms_class(t, named);
	if (tag != MS_TAG_NONE || c->reported)
		return tag;
	c->reported = true;
	const Name *spelling = cxx_type_spell(&t->types, named);
	diag_error(t->d, t->loc,
	           "cannot name type '%s' for windows-msvc: the module does not specify whether it is a "
	           "struct, class, union or enum; add 'cir.ms.tag' to its type info",
	           spelling ? spelling->text : named->ident->text);
	if (c->info)
		diag_note(t->d, c->info->loc, "its type info is '%s'", ir_symbol_name(c->info)->text);
	return MS_TAG_NONE;
}
