/* text/print/op_row.c: how a row of ops.def is printed, and whether that says all that there is to say of an op. */
#include "ir/constraint.h"
#include "text/print/printer.h"

const CustomPrinter *const print_customs[CUSTOM_COUNT] = {
#define CUSTOM_FORMAT(name) [CUSTOM_##name] = &print_custom_##name,
#include "text/custom.def"
};

/* Rows */

static bool format_writes_type(const FmtElem *e, bool is_result, uint16_t index)
{
	for (; e->kind != FMT_END; e++) {
		if (is_result && e->kind == FMT_RESULT_TYPE && e->index == index)
			return true;
		if (!is_result && ((e->kind == FMT_OPERAND_TYPE && e->index == index) ||
		                   (e->kind == FMT_OPERAND_TYPES && e->index <= index)))
			return true;
	}
	return false;
}

/* The slots that an op always has and whose type the reader must derive from the row. */
static uint32_t bare_slots(const PrintRow *row, const ShapeSlot *slots, uint32_t n, bool is_result)
{
	uint32_t bare = 0;
	for (uint32_t i = 0; i < n && !row->is_custom; i++)
		if (!slots[i].optional && !slots[i].many &&
		    !format_writes_type(row->elems, is_result, (uint16_t)i))
			bare |= UINT32_C(1) << i;
	return bare;
}

static bool is_attr_elem(const FmtElem *e)
{
	return e->kind == FMT_ATTR || e->kind == FMT_FLAG;
}

/* Does everything in a group stand or fall with its anchor? */
static bool group_is_entangled(const FmtElem *elems, const FmtElem *group)
{
	const FmtElem *anchor = &elems[group->anchor];
	for (const FmtElem *e = group + 1; e < elems + group->skip; e++)
		if (e != anchor && (is_attr_elem(e) || e->kind == FMT_REGION || e->kind == FMT_SUCC))
			return true;
	return false;
}

/* The attributes that the format spells: those that it cannot do without first. */
static void read_attrs(Printer *p, PrintRow *row)
{
	VEC(const FmtElem *) required = {0}, optional = {0};
	VEC(uint32_t) names = {0};
	const FmtElem *group_end = row->elems, *set_end = row->elems;
	for (const FmtElem *e = row->elems; e->kind != FMT_END; e++) {
		if (e->kind == FMT_SET)
			set_end = row->elems + e->skip;
		row->operands_in_set |= e->kind == FMT_OPERAND && e < set_end;
		row->places_dict |= e->kind == FMT_DICT;
		if (e->kind == FMT_GROUP) {
			group_end = row->elems + e->skip;
			row->entangled |= group_is_entangled(row->elems, e);
		}
		if (e->kind == FMT_REGION && e >= group_end)
			row->required_regions |= UINT32_C(1) << e->index;
		if (e->kind == FMT_ATTR && e >= group_end)
			vec_push(p->arena, &required, e);
		else if (is_attr_elem(e))
			vec_push(p->arena, &optional, e);
	}
	row->required_attrs = required.len;
	for (uint32_t i = 0; i < optional.len; i++)
		vec_push(p->arena, &required, optional.data[i]);
	row->attr_elems = required.data;
	for (uint32_t i = 0; i < required.len; i++)
		vec_push(p->arena, &names, required.data[i]->name->id);
	vec_push(p->arena, &names, NAMES_END);
	row->names = names.data;
}

const PrintRow *print_row(Printer *p, OpKind kind)
{
	if (BASE_LIKELY(p->rows[kind] != NULL))
		return p->rows[kind];
	PrintRow *row = p->rows[kind] = arena_new(p->arena, PrintRow);
	row->shape = shape_of(p->m, kind);
	row->mnemonic = str_of(op_info[kind].name);
	row->elems = format_cut(p->m, p->arena, op_info[kind].format);
	row->is_custom = row->elems[0].kind == FMT_CUSTOM;
	if (row->is_custom)
		row->names = print_customs[row->elems[0].index]->names;
	else
		read_attrs(p, row);
	row->bare_operands = bare_slots(row, row->shape->operands, row->shape->noperands, false);
	row->bare_results = bare_slots(row, row->shape->results, row->shape->nresults, true);
	return row;
}

/* Does the format say all that there is to say of an op? If not, it is printed in the generic form. */

static bool is_f64(const IrType *t)
{
	return t->kind == TYPE_BUILTIN_FLOAT && strcmp(t->name->text, "f64") == 0;
}

static bool attr_fits(const FmtElem *e, const IrAttr *a)
{
	switch (e->value) {
	case FMT_VALUE_ANY:
		return true;
	case FMT_VALUE_INT:
		return print_is_plain_int(a);
	case FMT_VALUE_FLOAT:
		return a->kind == ATTR_FLOAT && is_f64(a->type);
	case FMT_VALUE_STR:
		return a->kind == ATTR_STRING && !a->type;
	case FMT_VALUE_SYM:
		return a->kind == ATTR_SYMBOL;
	case FMT_VALUE_TYPE:
		return a->kind == ATTR_TYPE;
	case FMT_VALUE_FLAG:
		return a->kind == ATTR_FLAG;
	case FMT_VALUE_UNIT:
		return a->kind == ATTR_UNIT;
	case FMT_VALUE_ENUM:
		return a->kind == ATTR_ENUM && a->enum_class == e->index;
	case FMT_VALUE_PARAMS:
		return a->kind == ATTR_PARAMS && a->row == e->index;
	}
	return false;
}

bool print_group_present(const IrOp *op, const FmtElem *elems, const FmtElem *group)
{
	const FmtElem *anchor = &elems[group->anchor];
	switch (anchor->kind) {
	case FMT_ATTR:
		return print_attr(op, anchor->name) != NULL;
	case FMT_OPERAND:
	case FMT_OPERANDS:
	case FMT_OPERAND_TYPE:
		return ir_op_nmain(op) > anchor->index;
	case FMT_RESULT_TYPE:
		return op->nresults > anchor->index;
	case FMT_SUCC:
		return op->nsuccs > anchor->index;
	default: /* FMT_REGION */
		return op->nregions > anchor->index && op->regions[anchor->index].first;
	}
}

/* A group that stays away must not hold an attribute or a region that the op has. */
static bool group_is_empty(const IrOp *op, const FmtElem *e, const FmtElem *end)
{
	for (; e < end; e++) {
		if ((e->kind == FMT_ATTR || e->kind == FMT_FLAG) && print_attr(op, e->name))
			return false;
		if (e->kind == FMT_REGION && e->index < op->nregions && op->regions[e->index].first)
			return false;
	}
	return true;
}

static bool elem_fits(const IrOp *op, const FmtElem *e)
{
	const IrAttr *a;
	switch (e->kind) {
	case FMT_FLAG:
		a = print_attr(op, e->name);
		return !a || a->kind == ATTR_UNIT;
	case FMT_ATTR:
		a = print_attr(op, e->name);
		return a && attr_fits(e, a);
	case FMT_OPERAND:
	case FMT_OPERAND_TYPE:
		return e->index < ir_op_nmain(op);
	case FMT_RESULT_TYPE:
		return e->index < op->nresults;
	case FMT_SUCC:
		return e->index < op->nsuccs;
	case FMT_REGION:
		return e->index < op->nregions && op->regions[e->index].first;
	default:
		return true;
	}
}

static bool format_fits(const IrOp *op, const FmtElem *elems)
{
	for (uint32_t at = 0; elems[at].kind != FMT_END;) {
		const FmtElem *e = &elems[at++];
		if (e->kind == FMT_GROUP && !print_group_present(op, elems, e)) {
			if (!group_is_empty(op, e + 1, elems + e->skip))
				return false;
			at = e->skip;
		} else if (!elem_fits(op, e)) {
			return false;
		}
	}
	return true;
}

/* The usual case: every attribute on its own. Counts those that the format spells. */
static bool attrs_fit(const IrOp *op, const PrintRow *row, uint32_t *spelled)
{
	uint32_t required = 0;
	for (uint32_t i = 0; i < op->nattrs; i++) {
		uint32_t k = 0, id = op->attrs[i].name->id;
		while (row->names[k] != NAMES_END && row->names[k] != id)
			k++;
		if (row->names[k] == NAMES_END)
			continue;
		const FmtElem *e = row->attr_elems[k];
		const IrAttr *a = op->attrs[i].value;
		if (e->kind == FMT_FLAG ? a->kind != ATTR_UNIT : !attr_fits(e, a))
			return false;
		required += k < row->required_attrs;
		++*spelled;
	}
	return required == row->required_attrs;
}

/* Would the reader give it this type? */
static bool is_derived(const IrOp *op, const ShapeSlot *slot, const IrType *t)
{
	if (slot->same)
		return t == ir_operand(op, slot->of)->type;
	if (slot->element)
		return t == ir_element(ir_operand(op, slot->of)->type);
	const IrAttr *a = slot->attr ? print_attr(op, slot->attr) : NULL;
	return slot->attr ? a && a->type == t : class_holds(slot->class, t);
}

static bool types_fit(const IrOp *op, const PrintRow *row)
{
	for (uint32_t i = 0; row->bare_operands >> i; i++)
		if (row->bare_operands >> i & 1 &&
		    !is_derived(op, &row->shape->operands[i], ir_operand(op, i)->type))
			return false;
	for (uint32_t i = 0; row->bare_results >> i; i++)
		if (row->bare_results >> i & 1 &&
		    !is_derived(op, &row->shape->results[i], op->results[i].type))
			return false;
	return true;
}

static bool count_fits(const ShapeSlot *slots, uint32_t nslots, uint32_t n)
{
	if (n > nslots)
		return nslots && slots[nslots - 1].many;
	return n == nslots || slots[n].optional || slots[n].many;
}

static bool counts_fit(const IrOp *op, uint32_t nmain, const PrintRow *row)
{
	const OpInfo *info = &op_info[op->kind];
	return count_fits(row->shape->operands, row->shape->noperands, nmain) &&
	       count_fits(row->shape->results, row->shape->nresults, op->nresults) &&
	       (info->nregions == OP_ANY || op->nregions == info->nregions) &&
	       (info->nsuccs == OP_ANY || op->nsuccs == info->nsuccs);
}

static bool regions_fit(const IrOp *op, const PrintRow *row)
{
	for (uint32_t i = 0; row->required_regions >> i; i++)
		if (row->required_regions >> i & 1 && !op->regions[i].first)
			return false;
	return true;
}

bool print_fits(PrintCursor *c)
{
	const IrOp *op = c->op;
	const PrintRow *row = c->row;
	uint32_t nmain = ir_op_nmain(op), spelled = 0;
	if (!counts_fit(op, nmain, row))
		return false;
	if (row->is_custom)
		return print_customs[row->elems[0].index]->fits(op);
	if (!types_fit(op, row) || !regions_fit(op, row))
		return false;
	if (!attrs_fit(op, row, &spelled))
		return false;
	c->no_dict = spelled == op->nattrs;
	return !row->entangled || format_fits(op, row->elems);
}
