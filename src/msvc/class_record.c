#include "msvc/class_record.h"

#include "ir/data.h"
#include "msvc/direct_base.h"

/* As in src/runtime/windows/dynamic_cast.c. */
enum { DESCRIPTOR_MEMBER = 2, NAME_AT = 32, UNKNOWN_BASES = -1, IS_VIRTUAL = 1, IS_PUBLIC = 2 };

typedef struct Records {
	MsTypes *t;
	Loc loc;
	VEC(MsInfo *) todo; /* have a name, are to be defined */
	bool ok;
} Records;

/* The prefix and what follows _ZTI; of a base that no type info stands for, its descriptor's name. NULL: reported. */
static Name *make_name(Records *r, const char *prefix, const MsInfo *class)
{
	enum { ITANIUM_PREFIX = 4 };
	Arena *mem = &r->t->m->scratch;
	const char *text = class->symbol
	                       ? arena_printf(mem, "%s%s", prefix, class->symbol->text + ITANIUM_PREFIX)
	                       : arena_printf(mem, "%s%.*s", prefix, (int)class->name.len, class->name.data);
	Name *name = ir_name(r->t->m, str_of(text));
	if (!ir_symbol(name))
		return name;
	diag_error(r->t->d, ir_symbol(name)->loc,
	           "'%s' is reserved for the base class descriptor of a type; rename this symbol",
	           name->text);
	r->ok = false;
	return NULL;
}

static bool is_defined_here(const MsInfo *class)
{
	return class->op && ms_info_value(class->op) &&
	       ir_op_enum(class->op, NAME_linkage, LINKAGE_EXTERNAL) != LINKAGE_AVAILABLE_EXTERNALLY;
}

/* { -1, null, descriptor } */
static const IrAttr *unknown_value(Records *r, const MsInfo *class)
{
	IrModule *m = r->t->m;
	const IrAttr *descriptor = ms_info_descriptor_value(r->t, class, r->loc);
	const IrAttr *elems[] = {
	    ir_attr_int(m, m->s64, (uint64_t)(int64_t)UNKNOWN_BASES),
	    ir_attr_null(m, ir_type_ptr(m, m->u8)),
	    descriptor->elems[0],
	    descriptor->elems[1],
	    descriptor->elems[2],
	};
	return ir_data_record(m, elems, ARRAY_LEN(elems));
}

/* The record that another module may define. What stands for it otherwise must be one symbol in all
 * modules: the linker takes two defaults of a weak symbol for two definitions, those of extern_weak too. */
static Name *outside_record(Records *r, MsInfo *class)
{
	if (class->outside)
		return class->outside;
	Name *unknown = make_name(r, "circ.unknown.", class), *name = make_name(r, "circ.class.", class);
	if (!name || !unknown)
		return NULL;
	ir_data_define(r->t->m, unknown, unknown_value(r, class), IR_DATA_SHARED, r->loc);
	ir_data_alias(r->t->m, name, unknown, r->loc);
	return class->outside = name;
}

/* The symbol of its record, for tables and for derived classes. NULL: reported. */
static Name *record_of(Records *r, MsInfo *class, bool here)
{
	IrModule *m = r->t->m;
	bool defined = is_defined_here(class);
	if (class->record)
		return class->record;
	if (!defined && !here && !ms_direct_told(r->t, class))
		return outside_record(r, class);
	class->record = make_name(r, defined ? "circ.class." : "circ.own.", class);
	if (class->record) {
		ir_data_declare(m, class->record, m->s64, r->loc); /* until it is defined */
		vec_push(&m->scratch, &r->todo, class);
	}
	return class->record;
}

static const IrAttr *base_value(Records *r, const MsDirect *base)
{
	IrModule *m = r->t->m;
	MsInfo *info = ms_direct_info(r->t, base, r->loc);
	if (!info)
		return NULL;
	Name *record = record_of(r, info, false);
	if (!record)
		return NULL;
	IrType *pointer = ir_type_ptr(m, m->u8);
	uint64_t flags = (base->is_virtual ? IS_VIRTUAL : 0) | (base->is_private ? 0 : IS_PUBLIC);
	int64_t offset = base->is_virtual ? base->vbptr : base->offset;
	const IrAttr *elems[] = {
	    ir_attr_global_view(m, pointer, record, NULL, 0),
	    ir_attr_int(m, m->s32, (uint64_t)offset),
	    ir_attr_int(m, m->s32, (uint64_t)(int64_t)base->vbtable),
	    ir_attr_int(m, m->u32, flags),
	    ir_attr_int(m, m->u32, 0),
	};
	return ir_data_record(m, elems, ARRAY_LEN(elems));
}

/* In the record behind the name, which ends in a NUL. */
static const IrAttr *address_of_bases(IrModule *m, const MsInfo *class)
{
	uint64_t offset = (NAME_AT + class->name.len + sizeof "." + 7) / 8 * 8;
	return ir_attr_intern(m, &(IrAttr){.kind = ATTR_GLOBAL_OFFSET,
	                                   .name = class->record,
	                                   .type = ir_type_ptr(m, m->u8),
	                                   .bits = offset});
}

static const IrAttr *record_value(Records *r, MsInfo *class)
{
	IrModule *m = r->t->m;
	const IrAttr *unknown = unknown_value(r, class);
	MsDirects bases = {0};
	if (!ms_direct_told(r->t, class))
		return unknown;
	if (!ms_direct_bases(r->t, class, r->loc, &bases))
		return NULL;
	const IrAttr **list = arena_array(&m->scratch, const IrAttr *, bases.len);
	for (uint32_t i = 0; i < bases.len; i++) {
		list[i] = base_value(r, &bases.data[i]);
		if (!list[i])
			return NULL;
	}
	const IrAttr *elems[] = {
	    ir_attr_int(m, m->s64, bases.len),
	    bases.len ? address_of_bases(m, class) : unknown->elems[1],
	    unknown->elems[2],
	    unknown->elems[3],
	    unknown->elems[4],
	    bases.len ? ir_data_array(m, list[0]->type, list, bases.len) : NULL,
	};
	return ir_data_record(m, elems, bases.len ? ARRAY_LEN(elems) : ARRAY_LEN(elems) - 1);
}

/* As the type info is. */
static unsigned flags_of(const MsInfo *class)
{
	if (!is_defined_here(class))
		return 0;
	switch (ir_op_enum(class->op, NAME_linkage, LINKAGE_EXTERNAL)) {
	case LINKAGE_EXTERNAL:
		return IR_DATA_EXTERNAL;
	case LINKAGE_INTERNAL:
	case LINKAGE_CIR_PRIVATE:
		return 0;
	default:
		return IR_DATA_SHARED;
	}
}

static void define(Records *r, MsInfo *class)
{
	IrOp *declaration = ir_symbol(class->record);
	const IrAttr *value = record_value(r, class);
	ir_symbol_undefine(declaration);
	ir_op_erase(declaration);
	if (value)
		ir_data_define(r->t->m, class->record, value, flags_of(class), r->loc);
	r->ok &= value != NULL;
}

/* Of what `name` is, or was to be, the record. */
static const IrAttr *finish(Records *r, Name *name, IrType *type)
{
	while (name && r->ok && r->todo.len)
		define(r, r->todo.data[--r->todo.len]);
	const IrAttr *member = ir_attr_i32(r->t->m, DESCRIPTOR_MEMBER);
	return name && r->ok ? ir_attr_global_view(r->t->m, type, name, &member, 1) : NULL;
}

const IrAttr *ms_record_of_table(MsTypes *t, MsInfo *class, IrType *type, Loc loc)
{
	Records r = {.t = t, .loc = loc, .ok = true};
	ArenaMark mark = arena_mark(&t->m->scratch);
	class->has_table = true;
	const IrAttr *address = finish(&r, record_of(&r, class, true), type);
	arena_release(&t->m->scratch, mark);
	return address;
}

const IrAttr *ms_record_address(MsTypes *t, MsInfo *class, IrType *type, Loc loc)
{
	Records r = {.t = t, .loc = loc, .ok = true};
	ArenaMark mark = arena_mark(&t->m->scratch);
	bool here = class->has_table || is_defined_here(class);
	Name *name = here ? record_of(&r, class, true) : outside_record(&r, class);
	const IrAttr *address = finish(&r, name, type);
	arena_release(&t->m->scratch, mark);
	return address;
}
