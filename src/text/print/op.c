/* text/print/op.c: one op, as the format of its row in ops.def says or in the generic form (reference 1.10). */
#include "text/print/printer.h"

/* Formats. Blanks: none before , ) ] > }, none behind an opening bracket; `(` and the `<` of parameters follow
 * a word directly and `[` an operand; otherwise one. */

static void put_blank_before(Printer *p, PrintCursor *c, char first)
{
	bool closes = first == ',' || first == ')' || first == ']' || first == '>' || first == '}';
	bool attached = (first == '(' && c->prev == PREV_WORD) || (first == '[' && c->prev == PREV_OPERAND);
	if (c->prev != PREV_OPEN && !closes && !attached)
		put_char(p, ' ');
}

static PrintPrev kind_of_literal(Str s)
{
	char c = s.data[0];
	if (c == '(' || c == '[' || c == '<' || c == '{')
		return PREV_OPEN;
	bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
	return letter ? PREV_WORD : PREV_OTHER;
}

static void put_literal(Printer *p, PrintCursor *c, Str s)
{
	put_blank_before(p, c, s.data[0]);
	put(p, s);
	c->prev = kind_of_literal(s);
}

static void put_attr_elem(Printer *p, PrintCursor *c, const FmtElem *e)
{
	const IrAttr *a = print_attr(c->op, e->name);
	put_blank_before(p, c, e->value == FMT_VALUE_PARAMS ? '(' : 'a');
	c->prev = PREV_OTHER;
	switch (e->value) {
	case FMT_VALUE_INT:
		spell_attr_number(&p->speller, a);
		break;
	case FMT_VALUE_FLOAT:
		put(p, name_str(a->name));
		break;
	case FMT_VALUE_UNIT:
		put(p, name_str(e->name));
		c->prev = PREV_WORD;
		break;
	case FMT_VALUE_ENUM:
		put_word(p, a);
		c->prev = PREV_WORD;
		break;
	case FMT_VALUE_PARAMS:
		spell_attr_params(&p->speller, a);
		break;
	default:
		put_attr(p, a);
	}
}

static void put_operand_elem(Printer *p, PrintCursor *c, const FmtElem *e)
{
	const IrOp *op = c->op;
	put_blank_before(p, c, '%');
	c->prev = e->kind == FMT_OPERAND || e->kind == FMT_OPERANDS ? PREV_OPERAND : PREV_OTHER;
	switch (e->kind) {
	case FMT_OPERAND:
		put_value(p, ir_operand(op, e->index));
		break;
	case FMT_OPERANDS:
		put_values(p, op, e->index, ir_op_nmain(op));
		break;
	case FMT_OPERAND_TYPE:
		put_type(p, ir_operand(op, e->index)->type);
		break;
	case FMT_OPERAND_TYPES:
		put_types(p, op, e->index, ir_op_nmain(op));
		break;
	case FMT_RESULT_TYPE:
		put_type(p, op->results[e->index].type);
		break;
	default: /* FMT_SUCC */
		put_succ(p, &op->succs[e->index]);
	}
}

/* Prints one element; returns the region to go into, or NO_REGION. */
static uint32_t put_elem(Printer *p, PrintCursor *c, const FmtElem *e)
{
	switch (e->kind) {
	case FMT_LITERAL:
		put_literal(p, c, e->text);
		break;
	case FMT_SPACE:
		put_char(p, ' ');
		c->prev = PREV_OPEN;
		break;
	case FMT_FLAG:
		if (print_attr(c->op, e->name))
			put_literal(p, c, e->text);
		break;
	case FMT_ATTR:
		put_attr_elem(p, c, e);
		break;
	case FMT_GROUP:
		if (!print_group_present(c->op, c->row->elems, e))
			c->at = e->skip;
		break;
	case FMT_DICT:
		put_dict(p, c->op, c->row->names, STR(" {"));
		c->prev = PREV_OTHER;
		break;
	case FMT_REGION:
		put_blank_before(p, c, '{');
		c->prev = PREV_OTHER;
		p->omit_yield = op_info[c->op->kind].flags & OPF_OMITS;
		return e->index;
	case FMT_SET: /* modifiers: most ops have none */
		if (!c->op->nattrs && !c->row->operands_in_set)
			c->at = e->skip;
		break;
	case FMT_SET_END:
	case FMT_GROUP_END:
		break;
	default:
		put_operand_elem(p, c, e);
	}
	return NO_REGION;
}

static uint32_t format_step(Printer *p, PrintCursor *c)
{
	const FmtElem *elems = c->row->elems;
	while (elems[c->at].kind != FMT_END) {
		uint32_t region = put_elem(p, c, &elems[c->at++]);
		if (region != NO_REGION)
			return region;
	}
	if (!c->row->places_dict && !c->no_dict)
		put_dict(p, c->op, c->row->names, STR(" {"));
	return NO_REGION;
}

/* The generic form: "cir.name"(%a)[^bb1] <{inherent}> ({region}) {others} : (T) -> U */

static void generic_head(Printer *p, const IrOp *op)
{
	put_char(p, '"');
	put(p, str_of(op_info[op->kind].name));
	PUT(p, "\"(");
	put_values(p, op, 0, ir_op_nmain(op));
	put_char(p, ')');
	for (uint32_t i = 0; i < op->nsuccs; i++) {
		put(p, i ? STR(", ") : STR(" ["));
		put_succ(p, &op->succs[i]);
	}
	if (op->nsuccs)
		put_char(p, ']');
	put_attrs(p, op, print_row(p, op->kind)->names, true, STR(" <{"), STR("}>"));
}

static uint32_t generic_step(Printer *p, PrintCursor *c)
{
	const IrOp *op = c->op;
	if (c->step == 0)
		generic_head(p, op);
	if (c->step < op->nregions) {
		put(p, c->step ? STR(", ") : STR(" ("));
		return c->step;
	}
	if (op->nregions)
		put_char(p, ')');
	put_dict(p, op, print_row(p, op->kind)->names, STR(" {"));
	PUT(p, " : (");
	put_types(p, op, 0, ir_op_nmain(op));
	put_char(p, ')');
	put_results(p, op, NULL);
	return NO_REGION;
}

uint32_t print_step(Printer *p, PrintCursor *c)
{
	if (!c->row)
		return generic_step(p, c);
	if (c->step == 0)
		put(p, c->row->mnemonic);
	if (c->row->is_custom)
		return print_customs[c->row->elems[0].index]->print(p, c->op, c->step);
	return format_step(p, c);
}
