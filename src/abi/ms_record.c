#include "abi/ms_record.h"

#include "abi/ms_data.h"
#include "abi/ms_direct.h"

/* As in src/runtime/windows/dynamic_cast.c. */
enum { DESCRIPTOR_MEMBER = 2, NAME_AT = 32, UNKNOWN_BASES = -1, IS_VIRTUAL = 1, IS_PUBLIC = 2 };

typedef struct Records {
	MsTypes *t;
	Loc loc;
	VEC(MsInfo *) todo; /* have a name, are to be defined */
	bool ok;
} Records;

/* `circ.class.` and what follows _ZTI; of a base that no type info stands for, its descriptor's name. */
static Name *make_name(MsTypes *t, const MsInfo *class)
{
	enum { PREFIX = 4 };
	const char *text =
	    class->symbol
	        ? arena_printf(&t->m->scratch, "circ.class.%s", class->symbol->text + PREFIX)
	        : arena_printf(&t->m->scratch, "circ.class.%.*s", (int)class->name.len, class->name.data);
	return ir_name(t->m, str_of(text));
}

static bool is_defined_here(const MsInfo *class)
{
	return class->op && ms_info_value(class->op) &&
	       ir_op_enum(class->op, NAME_linkage, LINKAGE_EXTERNAL) != LINKAGE_AVAILABLE_EXTERNALLY;
}

/* The symbol of its record. A type info that is defined elsewhere, and of which nothing
 * is told, has its record there. */
static Name *record_of(Records *r, MsInfo *class, bool here)
{
	IrModule *m = r->t->m;
	if (class->record)
		return class->record;
	class->record = make_name(r->t, class);
	if (ir_symbol(class->record)) {
		diag_error(r->t->d, ir_symbol(class->record)->loc,
		           "'%s' is the name of what tells the bases of a class", class->record->text);
		r->ok = false;
	} else if (here || is_defined_here(class) || ms_direct_told(r->t, class)) {
		ms_data_declare(m, class->record, m->s64, r->loc); /* until it is defined */
		vec_push(&m->scratch, &r->todo, class);
	} else {
		ms_data_declare(m, class->record, m->s64, r->loc);
		ir_op_set_attr(m, ir_symbol(class->record), ir_known_name(m, NAME_linkage),
		               ir_attr_enum(m, ENUM_LINKAGE, LINKAGE_EXTERN_WEAK));
	}
	return class->record;
}

static const IrAttr *base_value(Records *r, const MsDirect *base)
{
	IrModule *m = r->t->m;
	MsInfo *info = ms_direct_info(r->t, base, r->loc);
	if (!info)
		return NULL;
	IrType *pointer = ir_type_ptr(m, m->u8);
	uint64_t flags = (base->is_virtual ? IS_VIRTUAL : 0) | (base->is_private ? 0 : IS_PUBLIC);
	int64_t offset = base->is_virtual ? base->vbptr : base->offset;
	const IrAttr *elems[] = {
	    ir_attr_global_view(m, pointer, record_of(r, info, false), NULL, 0),
	    ir_attr_int(m, m->s32, (uint64_t)offset),
	    ir_attr_int(m, m->s32, (uint64_t)(int64_t)base->vbtable),
	    ir_attr_int(m, m->u32, flags),
	    ir_attr_int(m, m->u32, 0),
	};
	return ms_data_record(m, elems, ARRAY_LEN(elems));
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
	IrType *pointer = ir_type_ptr(m, m->u8);
	const IrAttr *descriptor = ms_info_descriptor_value(r->t, class, r->loc);
	MsDirects bases = {0};
	bool known = ms_direct_told(r->t, class);
	if (known && !ms_direct_bases(r->t, class, r->loc, &bases))
		return NULL;
	const IrAttr **list = arena_array(&m->scratch, const IrAttr *, bases.len);
	for (uint32_t i = 0; i < bases.len; i++) {
		list[i] = base_value(r, &bases.data[i]);
		if (!list[i])
			return NULL;
	}
	const IrAttr *elems[] = {
	    ir_attr_int(m, m->s64, known ? bases.len : (uint64_t)(int64_t)UNKNOWN_BASES),
	    bases.len ? address_of_bases(m, class) : ir_attr_null(m, pointer),
	    descriptor->elems[0],
	    descriptor->elems[1],
	    descriptor->elems[2],
	    bases.len ? ms_data_array(m, list[0]->type, list, bases.len) : NULL,
	};
	return ms_data_record(m, elems, bases.len ? ARRAY_LEN(elems) : ARRAY_LEN(elems) - 1);
}

/* As the type info is. */
static unsigned flags_of(const MsInfo *class)
{
	if (!is_defined_here(class))
		return 0;
	switch (ir_op_enum(class->op, NAME_linkage, LINKAGE_EXTERNAL)) {
	case LINKAGE_EXTERNAL:
		return MS_DATA_EXTERNAL;
	case LINKAGE_INTERNAL:
	case LINKAGE_CIR_PRIVATE:
		return 0;
	default:
		return MS_DATA_SHARED;
	}
}

static void define(Records *r, MsInfo *class)
{
	IrOp *declaration = ir_symbol(class->record);
	const IrAttr *value = record_value(r, class);
	ir_symbol_undefine(declaration);
	ir_op_erase(declaration);
	if (value)
		ms_data_define(r->t->m, class->record, value, flags_of(class), r->loc);
	r->ok &= value != NULL;
}

const IrAttr *ms_record_descriptor(MsTypes *t, MsInfo *class, IrType *type, Loc loc)
{
	Records r = {.t = t, .loc = loc, .ok = true};
	ArenaMark mark = arena_mark(&t->m->scratch);
	Name *name = record_of(&r, class, true);
	while (r.ok && r.todo.len)
		define(&r, r.todo.data[--r.todo.len]);
	arena_release(&t->m->scratch, mark);
	const IrAttr *member = ir_attr_i32(t->m, DESCRIPTOR_MEMBER);
	return r.ok ? ir_attr_global_view(t->m, type, name, &member, 1) : NULL;
}
