/* text/print/pieces.c: the pieces that the text of an op is made of, and what an op's attributes must be for a piece to say all of
 * them. It knows no op by name. */
#include "text/print/printer.h"

#define ARG_BIT (UINT32_C(1) << 31)

/* Deeper levels stay at this one's column: the text of n nested regions must not have n * n blanks. */
enum { INDENT_MAX = 64 };

void put_uint(Printer *p, uint64_t v)
{
	spell_uint(p->arena, p->out, v);
}

/* `prefix` and a number, the most frequent thing in a text. */
void put_numbered(Printer *p, const char *prefix, size_t len, uint32_t v)
{
	StrBuf *b = p->out;
	vec_reserve(p->arena, b, b->len + 16);
	char *to = b->data + b->len;
	for (size_t i = 0; i < len; i++)
		*to++ = prefix[i];
	unsigned ndigits = 1;
	for (uint64_t limit = 10; v >= limit; limit *= 10)
		ndigits++;
	b->len += (uint32_t)len + ndigits;
	do {
		to[--ndigits] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
}

static void put_blanks(Printer *p, uint32_t n)
{
	static const char blanks[] = "                                                                ";
	const uint32_t most = sizeof blanks - 1;
	for (; n > most; n -= most)
		put(p, (Str){blanks, most});
	put(p, (Str){blanks, n});
}

void put_indent(Printer *p, uint32_t levels)
{
	put_blanks(p, 2 * (levels < INDENT_MAX ? levels : INDENT_MAX));
}

void put_newline(Printer *p, uint32_t extra)
{
	put_char(p, '\n');
	put_indent(p, p->frames.len + extra);
}

void put_symbol(Printer *p, const Name *n)
{
	spell_symbol(p->arena, p->out, n);
}

void put_attr(Printer *p, const IrAttr *a)
{
	spell_attr(&p->speller, a);
}

void put_word(Printer *p, const IrAttr *a)
{
	put(p, str_of(ir_enum_info[a->enum_class].words[a->bits]));
}

/* Types repeat on every line: the text of each is kept. It stays where it was written, since a growing buffer
 * leaves its old storage in the arena. */
void put_type(Printer *p, const IrType *t)
{
	Str *text = &p->type_text[t->id];
	if (BASE_LIKELY(text->len)) {
		put(p, *text);
		return;
	}
	uint32_t begin = p->out->len;
	spell_type(&p->speller, t);
	if (print_is_large_type(p, t))
		return;
	*text = (Str){p->out->data + begin, p->out->len - begin};
}

void put_value(Printer *p, const IrValue *v)
{
	uint32_t n = p->value_number[v->id];
	if (!n) {
		PUT(p, "<<UNKNOWN SSA VALUE>>");
		return;
	}
	if (n & ARG_BIT)
		put_numbered(p, "%arg", 4, (n & ~ARG_BIT) - 1);
	else
		put_numbered(p, "%", 1, n - 1);
}

void put_values(Printer *p, const IrOp *op, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		if (i > from)
			PUT(p, ", ");
		put_value(p, ir_operand(op, i));
	}
}

void put_types(Printer *p, const IrOp *op, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		if (i > from)
			PUT(p, ", ");
		put_type(p, ir_operand(op, i)->type);
	}
}

void put_block(Printer *p, const IrBlock *b)
{
	uint32_t n = p->block_number[b->id];
	if (!n) {
		PUT(p, "^INVALIDBLOCK");
		return;
	}
	put_numbered(p, "^bb", 3, n - 1);
}

void put_succ(Printer *p, const IrSucc *s)
{
	put_block(p, s->dest);
	if (!s->nargs)
		return;
	put_char(p, '(');
	put_values(p, s->op, s->first, s->first + s->nargs);
	PUT(p, " : ");
	put_types(p, s->op, s->first, s->first + s->nargs);
	put_char(p, ')');
}

/* Numbering, as MLIR does it: blocks count per region; the values of a region are numbered before those of
 * the regions inside it, which go on from there, so that siblings use the same numbers. Arguments of an entry
 * block are %argN, all other values %N. */

static void number_block(Printer *p, const IrBlock *b, uint32_t *value, uint32_t *arg)
{
	bool entry = !b->prev;
	for (uint32_t i = 0; i < b->nargs; i++)
		p->value_number[b->args[i]->id] = entry ? ++*arg | ARG_BIT : ++*value;
	IR_FOR_OPS (op, b)
		for (uint32_t i = 0; i < op->nresults; i++)
			p->value_number[op->results[i].id] = ++*value;
}

void print_number_region(Printer *p, const IrRegion *r, uint32_t *value, uint32_t *arg)
{
	const PrintFrame *outer = p->frames.len ? &p->frames.data[p->frames.len - 1] : NULL;
	bool isolated = !r->op || op_info[r->op->kind].flags & OPF_ISOLATED;
	*value = outer && !isolated ? outer->next_value : 0;
	*arg = outer && !isolated ? outer->next_arg : 0;
	uint32_t blocks = 0;
	IR_FOR_BLOCKS (b, r) {
		p->block_number[b->id] = ++blocks;
		number_block(p, b, value, arg);
	}
}

void print_bind(Printer *p, const IrRegion *r)
{
	print_number_region(p, r, &p->bound_value, &p->bound_arg);
	p->bound = r;
}

const IrAttr *print_attr(const IrOp *op, const Name *name)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		if (op->attrs[i].name == name)
			return op->attrs[i].value;
	return NULL;
}

static bool listed(const uint32_t *names, uint32_t id)
{
	for (; *names != NAMES_END; names++)
		if (*names == id)
			return true;
	return false;
}

/* The attributes that are in the list, or those that are not. */
void put_attrs(Printer *p, const IrOp *op, const uint32_t *names, bool want_listed, Str head, Str tail)
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

/* An integer whose number says all: the reader makes it an i64. */
bool print_is_plain_int(const IrAttr *a)
{
	return a->kind == ATTR_INT && a->type && a->type->kind == TYPE_BUILTIN_INT && !a->words;
}

bool print_fits_kind(const IrOp *op, uint32_t name_id, AttrKind kind)
{
	const IrAttr *a = ir_op_attr(op, name_id);
	return !a || a->kind == kind;
}

bool print_fits_int(const IrOp *op, uint32_t name_id)
{
	const IrAttr *a = ir_op_attr(op, name_id);
	return !a || print_is_plain_int(a);
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
