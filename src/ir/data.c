#include "ir/data.h"

#include "base/vec.h"

const IrAttr *ir_data_record(IrModule *m, const IrAttr *const *elems, uint32_t n)
{
	IrType *members[IR_DATA_MAX];
	CHECK(n <= IR_DATA_MAX);
	for (uint32_t i = 0; i < n; i++)
		members[i] = elems[i]->type;
	RecordBody body = {.members = members, .nmembers = n};
	IrAttr key = {.kind = ATTR_CONST_RECORD, .elems = (const IrAttr **)elems, .n = n};
	key.type = ir_type_anon_record(m, RECORD_STRUCT, &body);
	return ir_attr_intern(m, &key);
}

const IrAttr *ir_data_array(IrModule *m, IrType *elem, const IrAttr *const *elems, uint32_t n)
{
	IrAttr key = {.kind = ATTR_CONST_ARRAY, .elems = (const IrAttr **)elems, .n = n};
	key.type = ir_type_array(m, elem, n);
	return ir_attr_intern(m, &key);
}

const IrAttr *ir_data_string(IrModule *m, Str bytes)
{
	ArenaMark mark = arena_mark(&m->scratch);
	char *text = arena_copy(&m->scratch, bytes.data, bytes.len);
	IrAttr key = {.kind = ATTR_CONST_ARRAY, .name = ir_name(m, (Str){text, bytes.len + 1})};
	key.type = key.elem_type = ir_type_array(m, ir_type_int(m, 8, true, false), bytes.len + 1);
	arena_release(&m->scratch, mark);
	return ir_attr_intern(m, &key);
}

const IrAttr *ir_data_address(IrModule *m, Name *symbol)
{
	return ir_attr_intern(m, &(IrAttr){.kind = ATTR_GLOBAL_VIEW, .name = symbol, .type = m->voidp});
}

const IrAttr *ir_data_image_relative(IrModule *m, Name *symbol)
{
	if (!symbol)
		return ir_attr_int(m, m->u32, 0);
	return ir_attr_intern(m, &(IrAttr){.kind = ATTR_IMAGE_REL, .name = symbol, .type = m->u32});
}

typedef VEC(IrNamedAttr) AttrList;

static void add_global(IrModule *m, AttrList *attrs, Loc loc)
{
	IrOp *op = ir_op_create(
	    m, &(IrOpSpec){
	           .kind = OP_GLOBAL, .loc = loc, .nregions = 2, .attrs = attrs->data, .nattrs = attrs->len});
	CHECK(ir_symbol_define(op));
	ir_op_append(ir_module_block(m), op);
}

static void add_attr(IrModule *m, AttrList *attrs, NameId name, const IrAttr *value)
{
	vec_push(&m->arena, attrs, ((IrNamedAttr){ir_known_name(m, name), value}));
}

void ir_data_define(IrModule *m, Name *name, const IrAttr *value, unsigned flags, Loc loc)
{
	AttrList attrs = {0};
	bool shared = flags & IR_DATA_SHARED, external = flags & IR_DATA_EXTERNAL;
	unsigned linkage = shared ? LINKAGE_LINKONCE_ODR : external ? LINKAGE_EXTERNAL : LINKAGE_INTERNAL;
	add_attr(m, &attrs, NAME_sym_name, ir_attr_symbol(m, name));
	add_attr(m, &attrs, NAME_sym_type, ir_attr_type(m, value->type));
	add_attr(m, &attrs, NAME_initial_value, value);
	add_attr(m, &attrs, NAME_linkage, ir_attr_enum(m, ENUM_LINKAGE, linkage));
	if (linkage == LINKAGE_INTERNAL)
		add_attr(m, &attrs, NAME_sym_visibility,
		         ir_attr_enum(m, ENUM_SYM_VISIBILITY, SYM_VISIBILITY_PRIVATE));
	if (shared)
		add_attr(m, &attrs, NAME_comdat, ir_attr_unit(m));
	if (flags & IR_DATA_CONSTANT)
		add_attr(m, &attrs, NAME_constant, ir_attr_unit(m));
	if (flags & IR_DATA_XDATA)
		add_attr(m, &attrs, NAME_section, ir_attr_string(m, STR(".xdata")));
	add_global(m, &attrs, loc);
}

void ir_data_alias(IrModule *m, Name *name, Name *of, Loc loc)
{
	AttrList attrs = {0};
	add_attr(m, &attrs, NAME_sym_name, ir_attr_symbol(m, name));
	add_attr(m, &attrs, NAME_aliasee, ir_attr_symbol(m, of));
	add_attr(m, &attrs, NAME_sym_type, ir_attr_type(m, ir_symbol_type(ir_symbol(of))));
	add_attr(m, &attrs, NAME_linkage, ir_attr_enum(m, ENUM_LINKAGE, LINKAGE_WEAK));
	add_global(m, &attrs, loc);
}

void ir_data_declare(IrModule *m, Name *name, IrType *type, Loc loc)
{
	AttrList attrs = {0};
	add_attr(m, &attrs, NAME_sym_name, ir_attr_symbol(m, name));
	add_attr(m, &attrs, NAME_sym_type, ir_attr_type(m, type));
	add_attr(m, &attrs, NAME_linkage, ir_attr_enum(m, ENUM_LINKAGE, LINKAGE_EXTERNAL));
	add_attr(m, &attrs, NAME_sym_visibility,
	         ir_attr_enum(m, ENUM_SYM_VISIBILITY, SYM_VISIBILITY_PRIVATE));
	add_attr(m, &attrs, NAME_constant, ir_attr_unit(m));
	add_global(m, &attrs, loc);
}
