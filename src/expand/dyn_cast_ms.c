/* Whose virtual tables the objects of a class have, on windows-msvc. The runtime reads Microsoft's: a
 * complete object locator stands before the first function. Those of the Itanium ABI, which CIR may define
 * and use there as well, have the type info in that place. Tables are known by their names, `_ZTV` and the
 * class; so the table of a derived class tells of its bases, too. */
#include "expand/internal.h"
#include "msvc/class.h"

typedef struct ExpandTables {
	MsTypes classes;
	PtrMap of; /* type info → a table of the Itanium ABI, of the class or of one derived from it */
} ExpandTables;

static void push_info(Expand *x, ExpandTables *t, Name *name, IrOp *table, OpList *work)
{
	IrOp *info = ms_name_begins(name, "_ZTI") ? ir_symbol(name) : NULL;
	if (!info || info->kind != OP_GLOBAL || ptrmap_get(&t->of, name))
		return;
	ptrmap_put(x->mem, &t->of, name, table);
	vec_push(x->mem, work, info);
}

/* What the initializer of the type info, or its attribute, names as bases. */
static void push_bases(Expand *x, ExpandTables *t, const IrOp *info, IrOp *table, OpList *work)
{
	const IrAttr *value = ms_info_value(info), *list = ir_op_attr(info, NAME_ms_bases);
	for (uint32_t i = 0; value && i < value->n; i++)
		if (value->elems[i]->kind == ATTR_GLOBAL_VIEW)
			push_info(x, t, value->elems[i]->name, table, work);
	for (uint32_t i = 0; list && list->kind == ATTR_ARRAY && i < list->n; i++) {
		const IrAttr *base =
		    list->elems[i]->kind == ATTR_DICT ? ir_dict_get(list->elems[i], NAME_type) : NULL;
		if (base && base->kind == ATTR_SYMBOL)
			push_info(x, t, base->name, table, work);
	}
}

static void add_table(Expand *x, ExpandTables *t, IrOp *table)
{
	const Name *name = ir_symbol_name(table);
	OpList work = {0};
	ArenaMark mark = arena_mark(&x->m->arena);
	char *info = arena_copy(&x->m->arena, name->text, name->len);
	info[3] = 'I';
	Name *found = name_find(&x->m->names, (Str){info, name->len});
	arena_release(&x->m->arena, mark);
	push_info(x, t, found, table, &work);
	while (work.len)
		push_bases(x, t, work.data[--work.len], table, &work);
}

/* A table that is only declared says nothing of the objects at hand. */
static bool is_evidence(const IrOp *op)
{
	return op->kind == OP_GLOBAL && ms_name_begins(ir_symbol_name(op), "_ZTV") &&
	       ir_op_has(op, NAME_initial_value);
}

static ExpandTables *tables(Expand *x)
{
	if (x->tables)
		return x->tables;
	x->tables = arena_new(x->mem, ExpandTables);
	ms_types_init(&x->tables->classes, x->m, x->d);
	IR_FOR_OPS (op, ir_module_block(x->m))
		if (is_evidence(op))
			add_table(x, x->tables, op);
	return x->tables;
}

const IrOp *expand_itanium_table(Expand *x, const IrAttr *rtti)
{
	return rtti->kind == ATTR_GLOBAL_VIEW ? ptrmap_get(&tables(x)->of, rtti->name) : NULL;
}

const IrOp *expand_itanium_table_of(Expand *x, const IrType *record)
{
	ExpandTables *t = tables(x);
	const IrOp *info = record->name ? ms_class_of_record(&t->classes, record)->info : NULL;
	return info ? ptrmap_get(&t->of, ir_symbol_name(info)) : NULL;
}
