#include "msvc/type_info.h"

#include "ir/data.h"
#include "msvc/itanium_type.h"

/* Qualifiers */

static uint32_t adjectives_of(unsigned quals)
{
	return (quals & CXX_CONST ? MS_CONST : 0) | (quals & CXX_VOLATILE ? MS_VOLATILE : 0);
}

static CxxType *unqualified(CxxType *type)
{
	return type->kind == CXX_QUALIFIED ? type->elem : type;
}

/* The qualifiers of what a pointer points to are no part of the descriptor: they stand beside it, for the
 * runtime to compare. Those of an array's elements stand in both places. */
static void split_qualifiers(MsTypes *t, MsInfo *info)
{
	CxxType *type = unqualified(info->type);
	info->type = type;
	if (type->kind != CXX_POINTER && type->kind != CXX_MEMBER_POINTER)
		return;
	info->adjectives = adjectives_of(cxx_type_quals(type->elem));
	if (type->elem->kind != CXX_QUALIFIED)
		return;
	CxxType key = *type;
	key.elem = type->elem->elem;
	info->type = cxx_type(&t->types, &key);
	CHECK(info->type); /* it is less deep than the one before */
}

/* Names */

/* Messages end somewhere; what is wrong comes behind the name. */
enum { QUOTED_MAX = 200 };

void ms_info_note(MsTypes *t, const MsInfo *info)
{
	if (info->op)
		diag_note(t->d, info->op->loc, "the type info is here");
}

static void report(MsTypes *t, const MsInfo *info, Loc loc, const char *why)
{
	Str name = info->symbol ? name_str(info->symbol) : str_of(ms_info_spelling(t, info));
	diag_error(t->d, loc,
	           "cannot name type info '%.*s%s' for windows-msvc: it contains %s; add 'cir.ms.name' to it",
	           name.len > QUOTED_MAX ? QUOTED_MAX : (int)name.len, name.data,
	           name.len > QUOTED_MAX ? "..." : "", why);
	ms_info_note(t, info);
}

static bool mangle(MsTypes *t, MsInfo *info, Loc loc)
{
	bool raised = ir_module_attr(t->m, NAME_circ_llvm); /* modules that meet on Windows agree then */
	MsNames names = {.types = &t->types, .tag = ms_class_need_tag, .user = t, .packs_of_types = raised};
	StrBuf out;
	t->loc = loc;
	if (!ms_mangle_type(&names, info->type, &out)) {
		if (names.why)
			report(t, info, loc, names.why);
		return false;
	}
	info->name = (Str){out.data, out.len};
	return true;
}

/* cir.ms.name: the whole string of the descriptor, a dot first. False: there is none. */
static bool name_from_attribute(MsTypes *t, const IrOp *op, MsInfo *info)
{
	static const char shape[] = "a string that begins with a dot, such as \".?AVname@@\"";
	const IrAttr *a = ms_info_attr(t, op, NAME_ms_name, ATTR_STRING, shape);
	if (!a)
		return false;
	if (a->name->len < 2 || a->name->text[0] != '.' || memchr(a->name->text, 0, a->name->len)) {
		diag_error(t->d, op->loc, "attribute 'cir.ms.name' of type info '%s' must be %s",
		           ir_symbol_name(op)->text, shape);
		return false;
	}
	info->name = (Str){a->name->text + 1, a->name->len - 1};
	return true;
}

static bool is_tag(char c)
{
	return c == 'U' || c == 'V' || c == 'T';
}

static bool names_class(Str name)
{
	return name.len > 4 && name.data[0] == '?' && name.data[1] == 'A' && is_tag(name.data[2]);
}

/* ?AVname@@ is a class; PEAVname@@ a pointer to it. */
static Str pointer_name(MsTypes *t, Str pointee)
{
	return str_of(arena_printf(&t->m->arena, "PE%.*s", (int)pointee.len - 1, pointee.data + 1));
}

/* P [V] [K] in front of a class that an attribute names, or that is local: a pointer to it. */
static bool name_from_pointee(MsTypes *t, MsInfo *info, Str mangled, bool is_local, Loc loc)
{
	unsigned quals = 0;
	size_t at = 1;
	if (mangled.len < 2 || mangled.data[0] != 'P')
		return false;
	for (; at < mangled.len && (mangled.data[at] == 'V' || mangled.data[at] == 'K'); at++)
		quals |= mangled.data[at] == 'V' ? CXX_VOLATILE : CXX_CONST;
	ArenaMark mark = arena_mark(&t->m->scratch);
	const char *text =
	    arena_printf(&t->m->scratch, "_ZTI%.*s", (int)(mangled.len - at), mangled.data + at);
	Name *symbol = name_find(&t->m->names, str_of(text));
	arena_release(&t->m->scratch, mark);
	const IrOp *op = ir_symbol(symbol);
	if (!op || op->kind != OP_GLOBAL || !(is_local || ir_op_has(op, NAME_ms_name)))
		return false;
	MsInfo *pointee = ms_info(t, symbol, loc);
	if (!pointee || !names_class(pointee->name))
		return false;
	info->name = pointer_name(t, pointee->name);
	info->adjectives = adjectives_of(quals);
	info->pointee = pointee;
	return true;
}

/* Names of more than 4096 characters are replaced by a digest. */
enum { LOCAL_NAME_MAX = 4000 };

/* A class or an enum that only its function, or its module, can refer to: where circ and another compiler both
 * have it, they name that function differently, too. So any name does that no other type has. */
static bool name_from_symbol(MsTypes *t, MsInfo *info, Str mangled)
{
	Str kind = info->op ? ms_info_kind(info->op) : (Str){"", 0}, suffix = STR("class_type_info");
	bool is_class =
	    kind.len >= suffix.len && str_equal((Str){kind.data + kind.len - suffix.len, suffix.len}, suffix);
	if (!(is_class || str_equal(kind, STR("__enum_type_info"))) || mangled.len > LOCAL_NAME_MAX ||
	    memchr(mangled.data, 0, mangled.len))
		return false;
	unsigned linkage = ir_op_enum(info->op, NAME_linkage, LINKAGE_EXTERNAL);
	bool internal = linkage == LINKAGE_INTERNAL || linkage == LINKAGE_CIR_PRIVATE;
	info->name =
	    str_of(arena_printf(&t->m->arena, "?A%s%.*s@%s%s@", is_class ? "U" : "W4", (int)mangled.len,
	                        mangled.data, internal ? t->types.anonymous->text : "", internal ? "@" : ""));
	return true;
}

/* ??_R0?AVname@@@8, the descriptor itself, as a front end for windows-msvc has it. */
static bool is_descriptor(Str symbol, Str *name)
{
	static const char prefix[] = "??_R0", suffix[] = "@8";
	enum { BEFORE = sizeof prefix - 1, BEHIND = sizeof suffix - 1 };
	if (symbol.len <= BEFORE + BEHIND || memcmp(symbol.data, prefix, BEFORE) != 0 ||
	    memcmp(symbol.data + symbol.len - BEHIND, suffix, BEHIND) != 0)
		return false;
	*name = (Str){symbol.data + BEFORE, symbol.len - BEFORE - BEHIND};
	return true;
}

static bool name_from_descriptor(MsTypes *t, MsInfo *info, Str name, Loc loc)
{
	info->name = name;
	if (name.data[0] != 'P')
		return true;
	report(t, info, loc, "a pointer, and does not specify whether the pointee is const");
	return false;
}

static bool fill(MsTypes *t, MsInfo *info, Loc loc)
{
	static const char prefix[] = "_ZTI";
	ItaniumFailure why = {.what = "something that is not a type of the Itanium C++ ABI"};
	Str mangled = name_str(info->symbol);
	bool itanium = mangled.len > 4 && memcmp(mangled.data, prefix, 4) == 0;
	if (itanium) {
		mangled = (Str){mangled.data + 4, mangled.len - 4};
		info->type = itanium_type(&t->types, mangled, &why);
	}
	if (info->type)
		split_qualifiers(t, info);
	if (info->op && ir_op_has(info->op, NAME_ms_name))
		return name_from_attribute(t, info->op, info);
	if (is_descriptor(mangled, &info->name))
		return name_from_descriptor(t, info, info->name, loc);
	if (itanium && name_from_pointee(t, info, mangled, why.is_local, loc))
		return true;
	if (info->type)
		return mangle(t, info, loc);
	if (why.is_local && name_from_symbol(t, info, mangled))
		return true;
	if (!info->op && !str_begins_with(name_str(info->symbol), str_of(prefix))) {
		diag_error(t->d, loc,
		           "type info '%s' is not in the module, and its name does not begin with '_ZTI'; "
		           "declare it as a global with 'cir.ms.name'",
		           info->symbol->text);
		return false;
	}
	report(t, info, loc, why.what);
	return false;
}

MsInfo *ms_info(MsTypes *t, Name *symbol, Loc loc)
{
	MsInfo *info = ptrmap_get(&t->infos, symbol);
	if (!info) {
		info = arena_new(&t->m->arena, MsInfo);
		ptrmap_put(&t->m->arena, &t->infos, symbol, info);
		info->symbol = symbol;
		info->op = ir_symbol(symbol);
		if (info->op && info->op->kind != OP_GLOBAL) {
			diag_error(t->d, loc, "type info '%s' is a function; expected a global",
			           symbol->text);
			diag_note(t->d, info->op->loc, "'%s' is defined here", symbol->text);
		} else {
			info->ok = fill(t, info, loc);
		}
	}
	return info->ok ? info : NULL;
}

MsInfo *ms_info_of_type(MsTypes *t, CxxType *type, Loc loc)
{
	const IrOp *named = type->kind == CXX_NAMED ? ms_class(t, type)->info : NULL;
	if (named)
		return ms_info(t, ir_symbol_name(named), loc);
	MsInfo *info = ptrmap_get(&t->infos, type);
	if (!info) {
		info = arena_new(&t->m->arena, MsInfo);
		ptrmap_put(&t->m->arena, &t->infos, type, info);
		info->type = type;
		info->ok = mangle(t, info, loc);
	}
	return info->ok ? info : NULL;
}

MsInfo *ms_info_of_pointer(MsTypes *t, MsInfo *pointee)
{
	MsInfo *info = ptrmap_get(&t->infos, pointee);
	if (!info) {
		info = arena_new(&t->m->arena, MsInfo);
		ptrmap_put(&t->m->arena, &t->infos, pointee, info);
		info->pointee = pointee;
		info->name = pointer_name(t, pointee->name);
		info->ok = true;
	}
	return info;
}

/* What it is */

bool ms_info_is_class(MsTypes *t, const MsInfo *info)
{
	if (!info->type)
		return names_class(info->name);
	return info->type->kind == CXX_NAMED && !ms_class_is_value(t, info->type) &&
	       (names_class(info->name) || ms_class_tag(t, info->type) < MS_TAG_ENUM);
}

bool ms_info_is_pointer(const MsInfo *info)
{
	return info->pointee || (info->type && info->type->kind == CXX_POINTER);
}

MsInfo *ms_info_pointed_class(MsTypes *t, MsInfo *info, Loc loc)
{
	if (info->pointee)
		return info->pointee;
	if (!ms_info_is_pointer(info) || info->type->elem->kind != CXX_NAMED)
		return NULL;
	MsInfo *pointee = ms_info_of_type(t, info->type->elem, loc);
	return pointee && ms_info_is_class(t, pointee) ? pointee : NULL;
}

bool ms_info_same(const MsInfo *a, const MsInfo *b)
{
	return a == b || str_equal(a->name, b->name);
}

const char *ms_info_spelling(MsTypes *t, const MsInfo *info)
{
	const Name *spelling = info->type ? cxx_type_spell(&t->types, info->type) : info->symbol;
	if (spelling)
		return spelling->text;
	return info->symbol ? info->symbol->text : "a type";
}

/* Descriptors */

/* { ptr @"??_7type_info@@6B@", ptr null, [n x i8] c".?AVname@@\00" }; the second is where
 * the runtime keeps the spelled name. */
const IrAttr *ms_info_descriptor_value(MsTypes *t, const MsInfo *info, Loc loc)
{
	IrModule *m = t->m;
	IrType *pointer = ir_type_ptr(m, m->u8);
	Name *vtable = ir_name(m, STR("??_7type_info@@6B@"));
	if (!ir_symbol(vtable))
		ir_data_declare(m, vtable, pointer, loc);
	ArenaMark mark = arena_mark(&m->scratch);
	const char *text = arena_printf(&m->scratch, ".%.*s", (int)info->name.len, info->name.data);
	const IrAttr *elems[] = {
	    ir_attr_global_view(m, pointer, vtable, NULL, 0),
	    ir_attr_null(m, pointer),
	    ir_data_string(m, str_of(text)),
	};
	arena_release(&m->scratch, mark);
	return ir_data_record(m, elems, ARRAY_LEN(elems));
}

Name *ms_info_descriptor(MsTypes *t, MsInfo *info, Loc loc)
{
	if (info->descriptor)
		return info->descriptor;
	ArenaMark mark = arena_mark(&t->m->scratch);
	const char *text = arena_printf(&t->m->scratch, "??_R0%.*s@8", (int)info->name.len, info->name.data);
	Name *name = ir_name(t->m, str_of(text));
	arena_release(&t->m->scratch, mark);
	const IrOp *found = ir_symbol(name);
	if (found && found->kind != OP_GLOBAL) {
		diag_error(t->d, found->loc, "'%s' must be a type descriptor, but is a function here",
		           name->text);
		return NULL;
	}
	if (!found)
		ir_data_define(t->m, name, ms_info_descriptor_value(t, info, loc), IR_DATA_SHARED, loc);
	return info->descriptor = name;
}
