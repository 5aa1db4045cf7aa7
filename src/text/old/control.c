/* Switches and loops of the first eras, whose regions are joined otherwise than today's
 * (cir-reference 5.7, 6.5):
 *
 * 	cir.switch (%x : I) [case (equal, 3) {…}, case (anyof, [1, 2] : I) {…}, case (default) {…}]
 * 	cir.loop for(cond : {…}, step : {…}) {…}        also while and dowhile, whose step does nothing
 */
#include "ir/build.h"
#include "text/old/old.h"

static IrRegion *first_region(const Parser *p, const Frame *f)
{
	return p->regions.data[f->regions];
}

static void move_blocks(IrRegion *from, IrRegion *to)
{
	while (from->first) {
		IrBlock *b = from->first;
		ir_block_remove(b);
		ir_block_append(to, b);
	}
}

/* switch */

static bool read_case_value(Parser *p, IrType *type)
{
	Token t = peek(p);
	const IrAttr *a;
	if (t.kind == TOK_INT) {
		advance(p);
		a = parse_int_value(p, t, type);
		if (a && accept(p, ':') && !parse_type(p)) /* said again */
			return false;
	} else {
		a = parse_attr(p);
	}
	if (a)
		vec_push(p->mem, &p->elems, a);
	return a != NULL;
}

static bool read_case_list(Parser *p, IrType *type)
{
	do {
		if (!read_case_value(p, type))
			return false;
	} while (accept(p, ','));
	return expect(p, ']') && (!accept(p, ':') || parse_type(p));
}

static bool read_case_values(Parser *p, IrType *type)
{
	if (!accept(p, ','))
		return true;
	return accept(p, '[') ? read_case_list(p, type) : read_case_value(p, type);
}

/* `case (KIND, VALUES) {`: the op is made at once; its region is filled when it is closed. */
static Parsed open_case(Parser *p, Frame *f)
{
	uint32_t base = p->elems.len;
	Loc loc = parse_loc_at(p, peek(p).at);
	int kind;
	if (!expect_word(p, STR("case")) || !expect(p, '(') || (kind = parse_enum_word(p, ENUM_CASE)) < 0 ||
	    !read_case_values(p, p->operands.data[f->operands].type) || !expect(p, ')'))
		return PARSED_NO;
	IrNamedAttr attrs[] = {
	    {p->known[NAME_kind], ir_attr_enum(p->m, ENUM_CASE, (unsigned)kind)},
	    {p->known[NAME_value], ir_attr_array(p->m, p->elems.data + base, p->elems.len - base)}};
	p->elems.len = base;
	IrOpSpec spec = {.kind = OP_CASE, .loc = loc, .nregions = 1, .attrs = attrs, .nattrs = 2};
	if (!at(p, '{'))
		return expected(p, "'{'"), PARSED_NO;
	ir_op_append(first_region(p, f)->first, ir_op_create(p->m, &spec));
	f->phase = 1;
	return parse_open_region(p, NULL, 0);
}

static Parsed end_switch(Parser *p, Frame *f)
{
	IrOpSpec yield = {.kind = OP_YIELD, .loc = parse_loc_at(p, f->at)};
	if (!expect(p, ']'))
		return PARSED_NO;
	ir_op_append(first_region(p, f)->first, ir_op_create(p->m, &yield));
	return PARSED_ALL;
}

Parsed parse_old_switch(Parser *p, Frame *f)
{
	if (f->phase) {
		IrRegion *done = vec_pop(&p->regions);
		move_blocks(done, &first_region(p, f)->first->last->regions[0]);
		return accept(p, ',') ? open_case(p, f) : end_switch(p, f);
	}
	OperandRef x;
	if (!expect(p, '(') || !parse_operand(p, &x) || !expect(p, ':') || !(x.type = parse_type(p)) ||
	    !expect(p, ')') || !expect(p, '['))
		return PARSED_NO;
	push_operand(p, x);
	push_empty_region(p);
	ir_block_append(first_region(p, f), ir_block_create(p->m, parse_loc_at(p, f->at)));
	return at(p, ']') ? end_switch(p, f) : open_case(p, f);
}

/* Loops */

/* `cir.yield %c`, and `cir.yield continue` or `cir.yield` for true and false. */
static void make_condition(Parser *p, IrOp *end)
{
	IrBuilder b = ir_before(p->m, end);
	IrValue *c = end->kind == OP_YIELD && end->noperands
	                 ? ir_operand(end, 0)
	                 : ir_build_const(&b, ir_attr_bool(p->m, end->kind == OP_CONTINUE));
	ir_build(&b, OP_CONDITION, NULL, &c, 1);
	ir_op_erase(end);
}

static Parsed open_part(Parser *p, Frame *f, Str word)
{
	if (!expect_word(p, word) || !expect(p, ':'))
		return PARSED_NO;
	if (!at(p, '{'))
		return expected(p, "'{'"), PARSED_NO;
	f->phase++;
	return parse_open_region(p, NULL, 0);
}

/* Regions as read: condition, step, body. */
static void order_regions(Parser *p, const Frame *f)
{
	IrRegion **r = p->regions.data + f->regions, *step = r[1];
	IR_FOR_BLOCKS (b, r[0])
		if (b->last && (b->last->kind == OP_YIELD || b->last->kind == OP_CONTINUE))
			make_condition(p, b->last);
	r[1] = r[2];
	r[2] = step;
	if (f->kind == OP_FOR)
		return;
	p->regions.len--;
	if (f->kind == OP_DO) {
		IrRegion *condition = r[0];
		r[0] = r[1];
		r[1] = condition;
	}
}

Parsed parse_old_loop(Parser *p, Frame *f)
{
	switch (f->phase) {
	case 0:
		if (accept_word(p, STR("for")))
			f->kind = OP_FOR;
		else if (accept_word(p, STR("while")))
			f->kind = OP_WHILE;
		else if (accept_word(p, STR("dowhile")))
			f->kind = OP_DO;
		else
			return expected(p, "'for', 'while' or 'dowhile'"), PARSED_NO;
		return expect(p, '(') ? open_part(p, f, STR("cond")) : PARSED_NO;
	case 1:
		return expect(p, ',') ? open_part(p, f, STR("step")) : PARSED_NO;
	case 2:
		if (!expect(p, ')'))
			return PARSED_NO;
		if (!at(p, '{'))
			return expected(p, "'{'"), PARSED_NO;
		f->phase = 3;
		return parse_open_region(p, NULL, 0);
	default:
		order_regions(p, f);
		return PARSED_ALL;
	}
}
