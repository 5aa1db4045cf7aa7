/* text/print_op.c: one op, as the format of its row in ops.def says or in the generic form (reference 1.10). */
#include "text/printer.h"

/* The type of an operand or result that the format does not write: the reader derives it from the row. */
typedef struct TypeRule {
	bool is_result;
	uint8_t index;
	enum { RULE_OPERAND, RULE_ATTR, RULE_FIXED } kind;
	uint32_t same_as; /* RULE_OPERAND: an operand; RULE_ATTR: the id of an attribute's name */
	const IrType *fixed;
} TypeRule;

const CustomPrinter *const print_customs[CUSTOM_COUNT] = {
#define CUSTOM_FORMAT(name) [CUSTOM_##name] = &print_custom_##name,
#include "text/custom.def"
};

const IrAttr *print_attr(const IrOp *op, const Name *name)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		if (op->attrs[i].name == name)
			return op->attrs[i].value;
	return NULL;
}

/* An integer whose number says all: the reader makes it an i64. */
static bool is_plain_int(const IrAttr *a)
{
	return a->kind == ATTR_INT && a->type && a->type->kind == TYPE_BUILTIN_INT && !a->words;
}

/* Rows */

static const IrType *fixed_type(IrModule *m, Str word)
{
	static const struct {
		const char *word;
		TypeKind kind;
	} simple[] = {{"bool", TYPE_BOOL},
	              {"eh", TYPE_EH_TOKEN},
	              {"cleanup", TYPE_CLEANUP_TOKEN},
	              {"catch", TYPE_CATCH_TOKEN}};
	for (unsigned i = 0; i < ARRAY_LEN(simple); i++)
		if (str_equal(word, str_of(simple[i].word)))
			return ir_type_simple(m, simple[i].kind);
	if (str_equal(word, STR("u32")))
		return m->u32;
	return str_equal(word, STR("voidp")) ? m->voidp : NULL;
}

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

/* False: the word is a class of types, which says nothing about the very type. */
static bool type_rule(IrModule *m, Str word, TypeRule *rule)
{
	if (word.data[0] == '=') {
		rule->kind = RULE_OPERAND;
		rule->same_as = (uint32_t)(word.data[1] - '0');
		return true;
	}
	if (word.data[0] == '@') {
		rule->kind = RULE_ATTR;
		rule->same_as = ir_name(m, (Str){word.data + 1, word.len - 1})->id;
		return true;
	}
	rule->kind = RULE_FIXED;
	rule->fixed = fixed_type(m, word);
	return rule->fixed != NULL;
}

typedef VEC(TypeRule) TypeRules;

/* Counts the words of the row's operands or results, and adds the rules of the types that its format leaves out. */
static void read_shape(Printer *p, PrintRow *row, const char *words, bool is_result, TypeRules *rules)
{
	uint8_t min = 0, max = 0;
	for (const char *w = words; *w;) {
		size_t len = strcspn(w, " ");
		char last = w[len - 1];
		TypeRule rule = {.is_result = is_result, .index = max};
		if (last == '*') {
			max = OP_ANY;
		} else {
			min = (uint8_t)(min + (last != '?'));
			max++;
			if (!row->is_custom && last != '?' &&
			    !format_writes_type(row->elems, is_result, rule.index) &&
			    type_rule(p->m, (Str){w, len}, &rule))
				vec_push(p->arena, rules, rule);
		}
		w += len + (w[len] == ' ');
	}
	*(is_result ? &row->min_results : &row->min_operands) = min;
	*(is_result ? &row->max_results : &row->max_operands) = max;
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
	TypeRules rules = {0};
	row->mnemonic = str_of(op_info[kind].name);
	row->elems = format_cut(p->m, p->arena, op_info[kind].format);
	row->is_custom = row->elems[0].kind == FMT_CUSTOM;
	if (row->is_custom)
		row->names = print_customs[row->elems[0].index]->names;
	else
		read_attrs(p, row);
	read_shape(p, row, op_info[kind].operands, false, &rules);
	read_shape(p, row, op_info[kind].results, true, &rules);
	row->rules = rules.data;
	row->nrules = rules.len;
	return row;
}

bool print_fits_kind(const IrOp *op, uint32_t name_id, AttrKind kind)
{
	const IrAttr *a = ir_op_attr(op, name_id);
	return !a || a->kind == kind;
}

bool print_fits_int(const IrOp *op, uint32_t name_id)
{
	const IrAttr *a = ir_op_attr(op, name_id);
	return !a || is_plain_int(a);
}

bool print_fits_word(const IrOp *op, uint32_t name_id, EnumClass words)
{
	const IrAttr *a = ir_op_attr(op, name_id);
	return !a || (a->kind == ATTR_ENUM && a->enum_class == words);
}

bool print_fits_dicts(const IrOp *op, uint32_t name_id, uint32_t n)
{
	const IrAttr *a = ir_op_attr(op, name_id);
	if (!a)
		return true;
	if (a->kind != ATTR_ARRAY || a->n != n)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (a->elems[i]->kind != ATTR_DICT)
			return false;
	return true;
}

/* Does the format say all that there is to say of an op? If not, it is printed in the generic form. */

static bool attr_fits(const FmtElem *e, const IrAttr *a)
{
	switch (e->value) {
	case FMT_VALUE_ANY:
		return true;
	case FMT_VALUE_INT:
		return is_plain_int(a);
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

static bool group_present(const IrOp *op, const FmtElem *elems, const FmtElem *group)
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

/* A group that stays away must not hold an attribute that the op has. */
static bool group_is_empty(const IrOp *op, const FmtElem *e, const FmtElem *end)
{
	for (; e < end; e++)
		if ((e->kind == FMT_ATTR || e->kind == FMT_FLAG) && print_attr(op, e->name))
			return false;
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
		return e->index < op->nregions;
	default:
		return true;
	}
}

static bool format_fits(const IrOp *op, const FmtElem *elems)
{
	for (uint32_t at = 0; elems[at].kind != FMT_END;) {
		const FmtElem *e = &elems[at++];
		if (e->kind == FMT_GROUP && !group_present(op, elems, e)) {
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

static const IrType *derived_type(const IrOp *op, uint32_t nmain, const TypeRule *rule)
{
	const IrAttr *a;
	switch (rule->kind) {
	case RULE_OPERAND:
		return rule->same_as < nmain ? ir_operand(op, rule->same_as)->type : NULL;
	case RULE_ATTR:
		a = ir_op_attr(op, rule->same_as);
		return a ? a->type : NULL;
	case RULE_FIXED:
		return rule->fixed;
	}
	return NULL;
}

static bool counts_fit(const IrOp *op, uint32_t nmain, const PrintRow *row)
{
	const OpInfo *info = &op_info[op->kind];
	return nmain >= row->min_operands && (nmain <= row->max_operands || row->max_operands == OP_ANY) &&
	       op->nresults >= row->min_results &&
	       (op->nresults <= row->max_results || row->max_results == OP_ANY) &&
	       (info->nregions == OP_ANY || op->nregions == info->nregions) &&
	       (info->nsuccs == OP_ANY || op->nsuccs == info->nsuccs);
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
	for (uint32_t i = 0; i < row->nrules; i++) {
		const TypeRule *rule = &row->rules[i];
		const IrType *t =
		    rule->is_result ? op->results[rule->index].type : ir_operand(op, rule->index)->type;
		if (t != derived_type(op, nmain, rule))
			return false;
	}
	if (!attrs_fit(op, row, &spelled))
		return false;
	c->no_dict = spelled == op->nattrs;
	return !row->entangled || format_fits(op, row->elems);
}

/* Pieces */

static bool listed(const uint32_t *names, uint32_t id)
{
	for (; *names != NAMES_END; names++)
		if (*names == id)
			return true;
	return false;
}

/* The attributes that are in the list, or those that are not. */
static void put_attrs(Printer *p, const IrOp *op, const uint32_t *names, bool want_listed, Str head, Str tail)
{
	bool any = false;
	for (uint32_t i = 0; i < op->nattrs; i++) {
		if (listed(names, op->attrs[i].name->id) != want_listed)
			continue;
		put(p, any ? STR(", ") : head);
		any = true;
		spell_dict_body(&p->speller, &op->attrs[i].name, &op->attrs[i].value, 1);
	}
	if (any)
		put(p, tail);
}

void put_dict(Printer *p, const IrOp *op, const uint32_t *names, Str head)
{
	put_attrs(p, op, names, false, head, STR("}"));
}

void put_attributed_type(Printer *p, const IrType *t, const IrAttr *attrs, uint32_t index)
{
	put_type(p, t);
	const IrAttr *dict = attrs && index < attrs->n ? attrs->elems[index] : NULL;
	if (dict && dict->n) {
		put_char(p, ' ');
		put_attr(p, dict);
	}
}

void put_results(Printer *p, const IrOp *op, const IrAttr *attrs)
{
	bool parens = op->nresults != 1 || (attrs && attrs->n && attrs->elems[0]->n);
	PUT(p, " -> ");
	if (parens)
		put_char(p, '(');
	for (uint32_t i = 0; i < op->nresults; i++) {
		if (i)
			PUT(p, ", ");
		put_attributed_type(p, op->results[i].type, attrs, i);
	}
	if (parens)
		put_char(p, ')');
}

/* Formats. Blanks: none before , ) ] > }, none behind an opening bracket; `(` follows a word directly and `[` an
 * operand; otherwise one. */

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
	put_blank_before(p, c, 'a');
	c->prev = PREV_OTHER;
	switch (e->value) {
	case FMT_VALUE_INT:
		spell_attr_number(&p->speller, a);
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
		if (!group_present(c->op, c->row->elems, e))
			c->at = e->skip;
		break;
	case FMT_DICT:
		put_dict(p, c->op, c->row->names, STR(" {"));
		c->prev = PREV_OTHER;
		break;
	case FMT_REGION:
		put_blank_before(p, c, '{');
		c->prev = PREV_OTHER;
		p->omit_yield = op_info[c->op->kind].flags & OPF_YIELDS;
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
