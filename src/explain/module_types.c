#include "explain/module_types.h"

typedef VEC(const CircExplainedType *) Types;

static void set_bases(CircExplanation *e, CircExplainedType *type, const Types *bases)
{
	type->bases = arena_copy_n(&e->arena, bases->data, bases->len, sizeof(CircExplainedType *));
	type->nbases = bases->len;
	type->has_bases = true;
}

static void add_base(CircExplanation *e, Types *bases, const IrAttr *view)
{
	if (view->kind == ATTR_GLOBAL_VIEW || view->kind == ATTR_SYMBOL)
		vec_push(&e->arena, bases, explanation_type(e, name_str(view->name)));
}

/* circ.exception_type @Derived extends @Base, … */
static void bases_of_own(CircExplanation *e, const IrOp *op)
{
	Types bases = {0};
	const IrAttr *list = ir_op_attr(op, NAME_bases);
	for (uint32_t i = 0; list && i < list->n; i++)
		add_base(e, &bases, list->elems[i]);
	set_bases(e, explanation_type(e, name_str(ir_symbol_name(op))), &bases);
}

/* A handler of a base that the class has several times does not take it. */
static bool repeats_a_base(const IrAttr *info)
{
	enum { FLAGS = 2, NON_DIAMOND_REPEAT = 1 };
	const IrAttr *flags = info->n > FLAGS ? info->elems[FLAGS] : NULL;
	return flags && flags->kind == ATTR_INT && flags->bits & NON_DIAMOND_REPEAT;
}

/* {vtable, name, flags, n, {base, offset_flags}…}; bit 1 of the latter: the base is public, so that handlers for it match. */
static void bases_of_vmi(CircExplanation *e, Types *bases, const IrAttr *info)
{
	enum { FIRST = 4, PUBLIC = 2 };
	for (uint32_t i = FIRST; i + 1 < info->n; i += 2) {
		const IrAttr *flags = info->elems[i + 1];
		if (flags->kind == ATTR_INT && flags->bits & PUBLIC)
			add_base(e, bases, info->elems[i]);
	}
}

static bool has_vtable(const IrAttr *info, const char *symbol)
{
	const IrAttr *vtable = info->n ? info->elems[0] : NULL;
	bool named = vtable && (vtable->kind == ATTR_GLOBAL_VIEW || vtable->kind == ATTR_GLOBAL_OFFSET);
	return named && str_is(name_str(vtable->name), symbol);
}

static void bases_of_type_info(CircExplanation *e, const IrOp *op, const IrAttr *info)
{
	Types bases = {0};
	bool plain = has_vtable(info, "_ZTVN10__cxxabiv117__class_type_infoE");
	bool single = has_vtable(info, "_ZTVN10__cxxabiv120__si_class_type_infoE");
	bool many = has_vtable(info, "_ZTVN10__cxxabiv121__vmi_class_type_infoE");
	if ((!plain && !single && !many) || (many && repeats_a_base(info)))
		return;
	if (single && info->n > 2)
		add_base(e, &bases, info->elems[2]);
	if (many)
		bases_of_vmi(e, &bases, info);
	set_bases(e, explanation_type(e, name_str(ir_symbol_name(op))), &bases);
}

void explain_module_types(CircExplanation *e, const IrModule *m)
{
	IR_FOR_OPS (op, ir_module_block(m)) {
		const IrAttr *value = op->kind == OP_GLOBAL ? ir_op_attr(op, NAME_initial_value) : NULL;
		if (op->kind == OP_EXCEPTION_TYPE)
			bases_of_own(e, op);
		else if (value && (value->kind == ATTR_TYPEINFO || value->kind == ATTR_CONST_RECORD))
			bases_of_type_info(e, op, value);
	}
}
