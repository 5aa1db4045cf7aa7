/* Ops that are written like an earlier one but for the names: what the first step of reading (parser.h) makes of
 * such a line is remembered, and taken again with the names of the new one.
 *
 *	%7 = cir.load align(8) %1 : !cir.ptr<!u64i>, !u64i loc(#loc3)
 *	%  = cir.load align(8) %  : !cir.ptr<!u64i>, !u64i               what two such lines have in common
 *
 * Names are those of values, blocks and a symbol, and a string. Two lines with the same rest consist of the same
 * tokens but for them: each name ends where its token does. What the first step makes of a line depends on
 * nothing else, since
 *   - an alias means the same everywhere in a text;
 *   - the ops that look at the values that they name, or do more than fill the stacks, are left out (may_remember);
 *   - nothing is looked for once the text has shown that it is of the design document, whose lines may mean
 *     something else further down; and what was remembered is forgotten where it shows that it is of the earliest
 *     era (parse_in_era_a).
 * A name that the op does not have exactly once, as a name, makes its line one that is not remembered.
 */
#include "text/parser.h"

#include "text/scan.h"

typedef enum NameUse {
	USE_BINDING,
	USE_OPERAND,
	USE_SUCC,
	USE_SUCC_ARG,
	USE_ATTR, /* symbol or string */
} NameUse;

struct SeenLine {
	Spelling *spelling;
	OpKind kind;
	uint32_t mnemonic_name,
	    mnemonic_offset; /* it stands that far behind the end of name mnemonic_name - 1 */
	uint32_t nbindings, noperands, nsuccs, nsucc_args, nresults, nattrs;
	Binding *bindings;
	OperandRef *operands, *succ_args;
	SuccRef *succs; /* `first` counts from the op's own */
	IrType **results;
	IrNamedAttr *attrs;
	struct {
		uint8_t use, index; /* a NameUse, and which of them */
	} names[LINE_NAMES];
};

/* Cutting a line into its names and the rest */

/* Behind the name that begins at q, at one of the characters that scan_copy_to_name() stops at; NULL: it is not
 * plain, or empty. */
static inline const char *name_end(const char *q, const char *end)
{
	const char *first = q + 1, *behind;
	if (*q == '"') {
		behind = scan_plain(first, end);
		return behind < end && *behind == '"' ? behind + 1 : NULL;
	}
	if (first < end && *q != '@' && scan_is(*first, DIGIT))
		return scan_digits(first, end);
	behind = scan_suffix(first, end);
	return behind > first ? behind : NULL;
}

/* Takes ` loc(#loc12)` from the end of the line, and blanks. */
static void cut_loc(Line *l)
{
	static const char head[] = " loc(#loc";
	enum { HEAD = sizeof head - 1 };
	const char *end = l->behind;
	while (end > l->from && scan_is(end[-1], SPACE))
		end--;
	l->len -= (uint32_t)(l->behind - end);
	l->loc = (Str){0};
	l->end = end;
	if (l->len < HEAD + 1 || end[-1] != ')')
		return;
	const char *digits = end - 1;
	while (digits > l->from && scan_is(digits[-1], DIGIT))
		digits--;
	if (digits - l->from < HEAD || memcmp(digits - HEAD, head, HEAD) != 0)
		return;
	l->loc = (Str){digits - 4, (size_t)(end - 1 - (digits - 4))};
	l->end = digits - HEAD;
	l->len -= (uint32_t)(end - l->end);
}

/* False: it is very long, or has names that are not plain, too many of them, or more than one symbol or string. */
static bool cut_line(Parser *p, Line *l, const char *from)
{
	const char *end = p->lx.end - from > LINE_MAX ? from + LINE_MAX : p->lx.end, *q = from;
	char *out = l->rest;
	unsigned symbols = 0, strings = 0;
	l->nnames = 0;
	for (;;) {
		const char *name = scan_copy_to_name(q, end, out);
		out += name - q;
		if (name == end)
			return false;
		if (*name == '\n') {
			l->behind = name;
			break;
		}
		symbols += *name == '@';
		strings += *name == '"';
		if (l->nnames == LINE_NAMES || !(q = name_end(name, end)))
			return false;
		*out++ = *name;
		l->names[l->nnames++] = (Str){name, (size_t)(q - name)};
	}
	if (symbols > 1 || strings > 1 || l->behind - from < 4 || l->behind[-1] == '{')
		return false;
	l->from = from;
	l->len = (uint32_t)(out - l->rest);
	cut_loc(l);
	l->hash = hash_bytes(&p->m->names.key, l->rest, l->len);
	return true;
}

/* Taking a line that was seen before */

static const IrAttr *renamed(Parser *p, const IrAttr *a, Str name)
{
	if (a->kind == ATTR_SYMBOL)
		return ir_attr_symbol(p->m, ir_name(p->m, (Str){name.data + 1, name.len - 1}));
	return ir_attr_string(p->m, (Str){name.data + 1, name.len - 2});
}

static void give_name(Parser *p, const Frame *f, NameUse use, uint32_t i, Str name)
{
	OperandRef *r = use == USE_OPERAND    ? &p->operands.data[f->operands + i]
	                : use == USE_SUCC_ARG ? &p->succ_args.data[f->succ_args + i]
	                                      : NULL;
	Token token = {.at = name.data, .len = (uint32_t)name.len};
	if (r) {
		r->at = token.at;
		r->len = token.len;
	} else if (use == USE_ATTR) {
		IrNamedAttr *a = &p->attrs.data[f->attrs + i];
		a->value = renamed(p, a->value, name);
	} else if (use == USE_BINDING) {
		token.kind = TOK_VALUE;
		p->bindings.data[f->bindings + i].name = token;
	} else {
		token.kind = TOK_BLOCK;
		p->succs.data[f->succs + i].name = token;
	}
}

static void take(Parser *p, Frame *f, const SeenLine *s)
{
	for (uint32_t i = 0; i < s->nbindings; i++)
		vec_push(p->mem, &p->bindings, s->bindings[i]);
	for (uint32_t i = 0; i < s->noperands; i++)
		vec_push(p->mem, &p->operands, s->operands[i]);
	for (uint32_t i = 0; i < s->nsucc_args; i++)
		vec_push(p->mem, &p->succ_args, s->succ_args[i]);
	for (uint32_t i = 0; i < s->nresults; i++)
		vec_push(p->mem, &p->results, s->results[i]);
	for (uint32_t i = 0; i < s->nattrs; i++)
		vec_push(p->mem, &p->attrs, s->attrs[i]);
	for (uint32_t i = 0; i < s->nsuccs; i++) {
		SuccRef succ = s->succs[i];
		succ.first += f->succ_args;
		vec_push(p->mem, &p->succs, succ);
	}
	for (uint32_t i = 0; i < p->line.nnames; i++)
		give_name(p, f, s->names[i].use, s->names[i].index, p->line.names[i]);
}

static const char *behind_name(const Line *l, uint32_t n)
{
	return n ? l->names[n - 1].data + l->names[n - 1].len : l->from;
}

const char *parse_seen_line(Parser *p, Frame *f, const char *from)
{
	p->line.from = NULL;
	if (p->era_a != p->cache_era_a || p->design || !cut_line(p, &p->line, from))
		return NULL;
	const Slice *found = slice_find(&p->seen_lines, p->line.rest, p->line.len, p->line.hash);
	if (!found)
		return NULL;
	const SeenLine *s = found->u.ptr;
	f->spelling = s->spelling;
	f->kind = s->kind;
	f->at = behind_name(&p->line, s->mnemonic_name) + s->mnemonic_offset;
	f->dict_read = true;
	take(p, f, s);
	f->loc_read = p->line.loc.len && alias_trailing_loc(p, p->line.loc, &f->loc);
	p->line.from = NULL;
	return f->loc_read ? p->line.behind : p->line.end;
}

/* Remembering one */

/* Spellings whose reading does nothing but fill the stacks, from the tokens alone. */
static bool only_fills_stacks(const Spelling *s)
{
	for (const FmtElem *e = s->elems; e && e->kind != FMT_END; e++)
		if (e->kind == FMT_REGION || (e->kind == FMT_CUSTOM && e->index != CUSTOM_call &&
		                              e->index != CUSTOM_try_call && e->index != CUSTOM_copy))
			return false;
	return s->elems;
}

static bool may_remember(const Parser *p, const Frame *f)
{
	return !f->generic && !f->phase && !f->untyped_call && !f->initial.at && !p->design &&
	       p->regions.len == f->regions && p->warnings.len == f->warnings && p->d->errors == f->errors &&
	       p->lx.before_end == p->line.end && only_fills_stacks(f->spelling);
}

/* The line has one string and one symbol: an attribute with that text is named by it. */
static bool find_attr(const Parser *p, const Frame *f, Str name, uint32_t *index)
{
	bool symbol = *name.data == '@', found = false;
	Str text = {name.data + 1, name.len - (symbol ? 1 : 2)};
	for (uint32_t i = f->attrs; i < p->attrs.len; i++) {
		const IrAttr *a = p->attrs.data[i].value;
		if (a->kind != (symbol ? ATTR_SYMBOL : ATTR_STRING) || a->n || a->type ||
		    !str_equal(name_str(a->name), text))
			continue;
		if (found)
			return false;
		found = true;
		*index = i - f->attrs;
	}
	return found;
}

/* What the name is in the op that was read from this line. */
static bool find_use(const Parser *p, const Frame *f, Str name, NameUse *use, uint32_t *index)
{
	*use = USE_BINDING;
	for (*index = 0; *index < p->bindings.len - f->bindings; ++*index)
		if (p->bindings.data[f->bindings + *index].name.at == name.data)
			return true;
	*use = USE_OPERAND;
	for (*index = 0; *index < p->operands.len - f->operands; ++*index)
		if (p->operands.data[f->operands + *index].at == name.data)
			return true;
	*use = USE_SUCC;
	for (*index = 0; *index < p->succs.len - f->succs; ++*index)
		if (p->succs.data[f->succs + *index].name.at == name.data)
			return true;
	*use = USE_SUCC_ARG;
	for (*index = 0; *index < p->succ_args.len - f->succ_args; ++*index)
		if (p->succ_args.data[f->succ_args + *index].at == name.data)
			return true;
	*use = USE_ATTR;
	return (*name.data == '@' || *name.data == '"') && find_attr(p, f, name, index);
}

/* Each name has a use, and whatever has a name has one of these. */
static bool find_uses(const Parser *p, const Frame *f, SeenLine *s)
{
	uint32_t found = 0, index;
	for (uint32_t i = 0; i < p->line.nnames; i++) {
		NameUse use;
		if (!find_use(p, f, p->line.names[i], &use, &index) || index > UINT8_MAX)
			return false;
		s->names[i].use = (uint8_t)use;
		s->names[i].index = (uint8_t)index;
		found += use != USE_ATTR;
		if (p->line.names[i].data < f->at)
			s->mnemonic_name = i + 1;
	}
	s->mnemonic_offset = (uint32_t)(f->at - behind_name(&p->line, s->mnemonic_name));
	return found == s->nbindings + s->noperands + s->nsuccs + s->nsucc_args;
}

/* Copies to *at, which moves on. */
static void *put(char **at, const void *data, size_t size)
{
	void *copy = *at;
	if (size)
		memcpy(copy, data, size);
	*at += (size + 7) & ~(size_t)7;
	return copy;
}

#define TOP_SIZE(stack, first)    (((stack)->len - (first)) * sizeof *(stack)->data)
#define PUT_TOP(at, stack, first) put((at), (stack)->data + (first), TOP_SIZE((stack), (first)))

/* In one piece with what it holds, and with the rest of its line. */
static void remember(Parser *p, const Frame *f, const SeenLine *found)
{
	const Line *l = &p->line;
	size_t size = sizeof *found + TOP_SIZE(&p->bindings, f->bindings) +
	              TOP_SIZE(&p->operands, f->operands) + TOP_SIZE(&p->succs, f->succs) +
	              TOP_SIZE(&p->succ_args, f->succ_args) + TOP_SIZE(&p->results, f->results) +
	              TOP_SIZE(&p->attrs, f->attrs) + l->len;
	enum { PIECES = 8 };
	char *at = arena_alloc_raw(p->mem, size + PIECES * 8, 8);
	SeenLine *s = put(&at, found, sizeof *found);
	s->bindings = PUT_TOP(&at, &p->bindings, f->bindings);
	s->operands = PUT_TOP(&at, &p->operands, f->operands);
	s->succs = PUT_TOP(&at, &p->succs, f->succs);
	s->succ_args = PUT_TOP(&at, &p->succ_args, f->succ_args);
	s->results = PUT_TOP(&at, &p->results, f->results);
	s->attrs = PUT_TOP(&at, &p->attrs, f->attrs);
	for (uint32_t i = 0; i < s->nsuccs; i++)
		s->succs[i].first -= f->succ_args;
	slice_add(p->mem, &p->seen_lines, put(&at, l->rest, l->len), l->len, l->hash)->u.ptr = s;
}

void parse_remember_line(Parser *p, const Frame *f)
{
	if (!p->line.from || !may_remember(p, f))
		return;
	SeenLine s = {.spelling = f->spelling,
	              .kind = f->kind,
	              .nbindings = p->bindings.len - f->bindings,
	              .noperands = p->operands.len - f->operands,
	              .nsuccs = p->succs.len - f->succs,
	              .nsucc_args = p->succ_args.len - f->succ_args,
	              .nresults = p->results.len - f->results,
	              .nattrs = p->attrs.len - f->attrs};
	if (find_uses(p, f, &s))
		remember(p, f, &s);
	p->line.from = NULL;
}
