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
 *
 * Types are not so easily told from the rest: some are in attributes, or decide what is read. Hence lines are looked for
 * with their types first. Of a line that is new, those are cut out, too (parse_line.c). Where the first step put the
 * type of a place as it was, another type may stand there (push_type_use); in any other place, the very same one.
 *
 * Making the op is the second step. What that finds out, types that are not spelled and all that modernises, mostly depends
 * on the types of its operands and the first step alone: then it is remembered, too, and a line with operands of the
 * same types is made at once (parse_make_seen).
 */
#include "text/parser.h"

typedef enum NameUse {
	USE_BINDING,
	USE_OPERAND,
	USE_SUCC,
	USE_SUCC_ARG,
	USE_ATTR, /* symbol or string */
} NameUse;

typedef struct NameHole {
	uint8_t use, index; /* a NameUse, and which of them */
} NameHole;

typedef struct TypeHole {
	IrType *type;   /* that must stand there; NULL: any but void */
	uint32_t first; /* of its uses */
} TypeHole;

struct SeenLine {
	Spelling *spelling;
	OpKind kind;
	/* it stands that far behind the end of name mnemonic_name - 1 */
	uint32_t mnemonic_name, mnemonic_offset;
	uint32_t nbindings, noperands, nsuccs, nsucc_args, nresults, nattrs;
	Binding *bindings;
	OperandRef *operands, *succ_args;
	SuccRef *succs; /* `first` counts from the op's own */
	IrType **results;
	IrNamedAttr *attrs;
	NameHole *names;
	/* of its form, one more than types; each ends where the next begins. NULL: not found by its form */
	TypeHole *holes;
	TypeUse *type_uses;
	IrType **made_operands, **made_results; /* of the op that was made; NULL: it is not made at once */
	uint32_t nmade_results;
};

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

static const char *mnemonic(const Line *l, const SeenLine *s)
{
	return behind_name(l, s->mnemonic_name) + s->mnemonic_offset;
}

const SeenLine *parse_find_line(Parser *p, const char *from)
{
	p->line.from = NULL;
	p->line.seen = NULL;
	p->type_uses.len = 0;
	if (p->era_a != p->cache_era_a || p->design || !line_cut(p, from))
		return NULL;
	const Slice *found = slice_find(&p->seen_lines, p->line.rest, p->line.len, p->line.hash);
	return found ? found->u.ptr : NULL;
}

static IrType **typed_place(Parser *p, const Frame *f, const TypeUse *u)
{
	switch (u->place) {
	case PLACE_OPERAND:
		return &p->operands.data[f->operands + u->index].type;
	case PLACE_SUCC_ARG:
		return &p->succ_args.data[f->succ_args + u->index].type;
	case PLACE_RESULT:
		return &p->results.data[f->results + u->index];
	}
	return NULL;
}

/* A type that did not occur before; NULL: it is to be read with its line. */
static IrType *new_type(Parser *p, const char *place, size_t len)
{
	Lexer lx = p->lx;
	struct Failure failure = p->failure;
	uint32_t errors = p->d->errors, warnings = p->warnings.len;
	lex_seek(&p->lx, place);
	IrType *type = parse_type(p);
	bool plain = p->lx.before_end == place + len && p->d->errors == errors &&
	             p->warnings.len == warnings && p->line.from;
	p->lx = lx;
	p->failure = failure;
	p->warnings.len = warnings;
	return plain ? type : NULL;
}

/* The types of the line, by their text; false: one of them is not known, or not one that may stand there. */
static bool find_types(Parser *p, const SeenLine *s, IrType **types)
{
	const Line *l = &p->line;
	for (uint32_t i = 0; i < l->ntypes; i++) {
		const IrType *only = s->holes[i].type;
		types[i] = parse_known_type(p, (Str){l->rest + l->type_at[i], l->type_len[i]});
		if (!types[i] && !only)
			types[i] = new_type(p, line_type_place(l, i), l->type_len[i]);
		if (!types[i] || (only ? types[i] != only : types[i]->kind == TYPE_VOID))
			return false;
	}
	return true;
}

static SeenLine *remember(Parser *p, const Frame *f, const SeenLine *found);

/* The line of the form, with its own types, which is remembered then; NULL: there is none. */
static const SeenLine *take_form(Parser *p, Frame *f)
{
	line_cut_types(p);
	if (!p->line.has_form)
		return NULL;
	const Slice *found = slice_find(&p->seen_forms, p->line.form, p->line.form_len, p->line.form_hash);
	IrType *types[LINE_TYPES];
	if (!found || !find_types(p, found->u.ptr, types))
		return NULL;
	const SeenLine *s = found->u.ptr;
	take(p, f, s);
	for (uint32_t i = 0; i < p->line.ntypes; i++)
		for (uint32_t u = s->holes[i].first; u < s->holes[i + 1].first; u++)
			*typed_place(p, f, &s->type_uses[u]) = types[i];
	return remember(p, f, s);
}

const char *parse_seen_line(Parser *p, Frame *f, const SeenLine *s)
{
	Line *l = &p->line;
	if (!l->from)
		return NULL;
	if (!l->loc.len && !parse_line_ends_op(p, l->behind)) {
		l->from = s ? NULL : l->from; /* what is known is not remembered again */
		return NULL;
	}
	if (s)
		take(p, f, s);
	else if (!(s = take_form(p, f)))
		return NULL;
	f->spelling = s->spelling;
	f->kind = s->kind;
	f->at = mnemonic(l, s);
	f->dict_read = true;
	f->loc_read = l->loc.len && alias_trailing_loc(p, l->loc, &f->loc);
	l->from = NULL;
	return f->loc_read || !l->loc.len ? l->behind : l->end;
}

/* Making the op of a line at once */

static bool find_operands(Parser *p, const SeenLine *s)
{
	p->values.len = 0;
	vec_reserve(p->mem, &p->values, s->noperands);
	for (uint32_t i = 0; i < p->line.nnames; i++) {
		uint32_t k = s->names[i].index;
		if (s->names[i].use == USE_OPERAND &&
		    !(p->values.data[k] =
		          value_of_type(p, p->line.names[i], s->operands[k].number, s->made_operands[k])))
			return false;
	}
	return true;
}

static void name_results(Parser *p, const SeenLine *s, const IrOp *op)
{
	uint32_t first = 0;
	for (uint32_t i = 0; i < p->line.nnames; i++) {
		if (s->names[i].use != USE_BINDING)
			continue;
		Token name = {.at = p->line.names[i].data, .len = (uint32_t)p->line.names[i].len};
		uint32_t count = s->bindings[s->names[i].index].count;
		value_define(p, name, op->results + first, count);
		first += count;
	}
}

const char *parse_make_seen(Parser *p, const SeenLine *s)
{
	const Line *l = &p->line;
	Loc loc = {.pos = parse_loc_at(p, mnemonic(l, s)).pos};
	if (!s->made_operands || !line_is_all(p, &loc.info) || !find_operands(p, s))
		return NULL;
	IrOpSpec spec = {.kind = s->kind,
	                 .loc = loc,
	                 .operands = p->values.data,
	                 .noperands = s->noperands,
	                 .result_types = s->made_results,
	                 .nresults = s->nmade_results,
	                 .attrs = s->attrs,
	                 .nattrs = s->nattrs};
	IrOp *op = ir_op_create(p->m, &spec);
	for (uint32_t i = 0; i < l->nnames; i++)
		if (s->names[i].use == USE_ATTR)
			op->attrs[s->names[i].index].value =
			    renamed(p, s->attrs[s->names[i].index].value, l->names[i]);
	ir_op_append(parse_block(p, top_frame(p)), op);
	parse_note_access(p, op);
	p->failure = (struct Failure){0};
	name_results(p, s, op);
	return l->behind;
}

/* Does making such an op look at no more than its attributes and the types of its operands? (parse_modernise) */
static bool is_made_by_types(OpKind kind, uint32_t noperands)
{
	return !(op_info[kind].flags & OPF_SYMBOL) && kind != OP_THROW && kind != OP_EH_INFLIGHT &&
	       kind != OP_INIT_CATCH_PARAM && kind != OP_VTABLE_ADDRESS_POINT &&
	       (kind != OP_PTR_STRIDE || noperands == 2) &&
	       (kind < OP_ATOMIC_FETCH || kind > OP_ATOMIC_CMPXCHG);
}

static bool has_named_attr(const Line *l, const SeenLine *s)
{
	for (uint32_t i = 0; i < l->nnames; i++)
		if (s->names[i].use == USE_ATTR)
			return true;
	return false;
}

/* Was the op made of what the first step had found, and nothing else? */
static bool is_as_read(const Parser *p, const Frame *f, const SeenLine *s, const IrOp *op)
{
	if (op->kind != s->kind || op->nattrs != s->nattrs || op->noperands != s->noperands ||
	    op->prev != p->line.before || p->bindings.len - f->bindings != s->nbindings ||
	    p->warnings.len != f->warnings)
		return false;
	for (uint32_t i = 0; i < op->nattrs; i++)
		if (op->attrs[i].name != s->attrs[i].name || op->attrs[i].value != s->attrs[i].value)
			return false;
	return true;
}

void parse_seen_made(Parser *p, const Frame *f, const IrOp *op)
{
	SeenLine *s = p->line.seen;
	p->line.seen = NULL;
	if (s->nsuccs || f->cleanup || f->untyped_call || f->initial.at ||
	    !is_made_by_types(s->kind, s->noperands) || !is_as_read(p, f, s, op) ||
	    (s->kind == OP_CONST && has_named_attr(&p->line, s)))
		return;
	IrType **types = arena_array(p->mem, IrType *, op->noperands + op->nresults + 1);
	for (uint32_t i = 0; i < op->noperands; i++) {
		if (!(types[i] = op->operands[i].value->type))
			return;
	}
	for (uint32_t i = 0; i < op->nresults; i++)
		types[op->noperands + i] = op->results[i].type;
	s->made_operands = types;
	s->made_results = types + op->noperands;
	s->nmade_results = op->nresults;
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

/* Each part of a piece of memory begins at a multiple of 8. */
static size_t rounded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

/* Copies to *at, which moves on. */
static void *put(char **at, const void *data, size_t size)
{
	void *copy = *at;
	if (size)
		memcpy(copy, data, size);
	*at += rounded(size);
	return copy;
}

#define TOP_SIZE(stack, first)    (((stack)->len - (first)) * sizeof *(stack)->data)
#define PUT_TOP(at, stack, first) put((at), (stack)->data + (first), TOP_SIZE((stack), (first)))

/* In one piece with what it holds, and with the rest of its line. */
static SeenLine *remember(Parser *p, const Frame *f, const SeenLine *found)
{
	const Line *l = &p->line;
	size_t names = l->nnames * sizeof *found->names;
	size_t tops[] = {TOP_SIZE(&p->bindings, f->bindings), TOP_SIZE(&p->operands, f->operands),
	                 TOP_SIZE(&p->succs, f->succs),       TOP_SIZE(&p->succ_args, f->succ_args),
	                 TOP_SIZE(&p->results, f->results),   TOP_SIZE(&p->attrs, f->attrs)};
	size_t size = rounded(sizeof *found) + rounded(names) + rounded(l->len);
	for (unsigned i = 0; i < ARRAY_LEN(tops); i++)
		size += rounded(tops[i]);
	char *at = arena_alloc_raw(p->mem, size, 8);
	SeenLine *s = put(&at, found, sizeof *found);
	s->names = put(&at, found->names, names);
	s->bindings = PUT_TOP(&at, &p->bindings, f->bindings);
	s->operands = PUT_TOP(&at, &p->operands, f->operands);
	s->succs = PUT_TOP(&at, &p->succs, f->succs);
	s->succ_args = PUT_TOP(&at, &p->succ_args, f->succ_args);
	s->results = PUT_TOP(&at, &p->results, f->results);
	s->attrs = PUT_TOP(&at, &p->attrs, f->attrs);
	for (uint32_t i = 0; i < s->nsuccs; i++)
		s->succs[i].first -= f->succ_args;
	s->made_operands = s->made_results = NULL;
	slice_add(p->mem, &p->seen_lines, put(&at, l->rest, l->len), l->len, l->hash)->u.ptr = s;
	const IrBlock *block = p->frames.data[p->frames.len - 2].block;
	p->line.seen = s;
	p->line.before = block ? block->last : NULL;
	return s;
}

/* Where the first step put the types of the line. */
static void find_type_uses(Parser *p, const Frame *f, SeenLine *s)
{
	const Line *l = &p->line;
	TypeHole *holes = arena_array(p->mem, TypeHole, l->ntypes + 1);
	TypeUse *uses = arena_array(p->mem, TypeUse, p->type_uses.len + 1);
	uint32_t n = 0;
	for (uint32_t i = 0; i < l->ntypes; i++) {
		holes[i].first = n;
		const char *place = line_type_place(l, i);
		for (uint32_t u = 0; u < p->type_uses.len; u++) {
			if (p->type_uses.data[u].at != place)
				continue;
			uses[n] = p->type_uses.data[u];
			if (uses[n].place == PLACE_SUCC_ARG)
				uses[n].index -= f->succ_args;
			n++;
		}
		if (n == holes[i].first &&
		    !(holes[i].type = parse_known_type(p, (Str){place, l->type_len[i]})))
			return;
	}
	holes[l->ntypes].first = n;
	s->holes = holes;
	s->type_uses = uses;
}

/* An indirect call is refused by the type of what it calls. */
static bool types_may_differ(const Parser *p, const Frame *f)
{
	return !(op_info[f->kind].flags & OPF_CALLS) || pushed_attr(p, f, NAME_callee);
}

static void remember_form(Parser *p, const Frame *f, SeenLine *s)
{
	const Line *l = &p->line;
	if (!l->has_form || !types_may_differ(p, f) ||
	    slice_find(&p->seen_forms, l->form, l->form_len, l->form_hash))
		return;
	find_type_uses(p, f, s);
	if (s->holes)
		slice_add(p->mem, &p->seen_forms, arena_copy(p->mem, l->form, l->form_len), l->form_len,
		          l->form_hash)
		    ->u.ptr = s;
}

void parse_remember_line(Parser *p, const Frame *f)
{
	if (!p->line.from || !may_remember(p, f))
		return;
	NameHole names[LINE_NAMES];
	SeenLine s = {.spelling = f->spelling,
	              .names = names,
	              .kind = f->kind,
	              .nbindings = p->bindings.len - f->bindings,
	              .noperands = p->operands.len - f->operands,
	              .nsuccs = p->succs.len - f->succs,
	              .nsucc_args = p->succ_args.len - f->succ_args,
	              .nresults = p->results.len - f->results,
	              .nattrs = p->attrs.len - f->attrs};
	if (find_uses(p, f, &s))
		remember_form(p, f, remember(p, f, &s));
	p->line.from = NULL;
}
