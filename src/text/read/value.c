/* Names of values and blocks: what a name means at a point of the text (cir-reference 1.2, 1.4).
 *
 * One entry per name holds its current meaning. Every definition is logged, and closing a scope takes those
 * of its part of the log back, so that finding a name costs the same at any depth.
 */
#include "text/read/parser.h"

enum { NUMBERED_MAX = 1 << 20 }; /* `%N` and `%argN` below it are found by index */

#define REF_NAMED   (UINT32_C(1) << 31) /* a reference to p->named, else to p->numbered */
#define LOG_SHADOWS (UINT32_C(1) << 30) /* in the log: the name had a meaning before */
#define REF_INDEX   (LOG_SHADOWS - 1)

/* `%12`, `%arg3`, as the printer writes names: twice the number, and one more for an argument; UINT32_MAX for any
 * other name, and where the number is too large for the index. */
static inline uint32_t numeric_name(const char *at, uint32_t len)
{
	bool argument = len > 4 && at[1] == 'a' && at[2] == 'r' && at[3] == 'g';
	const char *digits = at + (argument ? 4 : 1), *end = at + len;
	uint32_t n = 0;
	if (end == digits || end - digits > 6 || (*digits == '0' && end > digits + 1))
		return UINT32_MAX;
	for (const char *q = digits; q < end; q++) {
		if (*q < '0' || *q > '9')
			return UINT32_MAX;
		n = n * 10 + (uint32_t)(*q - '0');
	}
	return n < NUMBERED_MAX ? n << 1 | argument : UINT32_MAX;
}

static ValueEntry *entry_of(Parser *p, uint32_t ref)
{
	return ref & REF_NAMED ? &p->named.data[ref & REF_INDEX] : &p->numbered.data[ref & REF_INDEX];
}

static uint32_t value_ref(Parser *p, const char *at, uint32_t len)
{
	uint32_t n = numeric_name(at, len);
	if (n != UINT32_MAX) {
		while (n >= p->numbered.len)
			vec_push(p->mem, &p->numbered, (ValueEntry){0});
		return n;
	}
	uint32_t hash = hash_bytes(&p->m->names.key, at + 1, len - 1); /* `&x` is `%x` */
	Slice *s = slice_find(&p->value_names, at + 1, len - 1, hash);
	if (!s) {
		s = slice_add(p->mem, &p->value_names, at + 1, len - 1, hash);
		s->u.index = p->named.len;
		vec_push(p->mem, &p->named, (ValueEntry){0});
	}
	return s->u.index | REF_NAMED;
}

static bool visible(const Parser *p, const ValueEntry *e)
{
	return e->count != VALUE_NONE && e->depth >= p->isolation;
}

void scope_open(Parser *p, Frame *f, bool isolated)
{
	f->depth = ++p->scope;
	f->values = p->value_log.len;
	f->blocks = p->block_log.len;
	f->forwards = p->forwards.len;
	f->outer_isolation = p->isolation;
	if (isolated)
		p->isolation = p->scope;
}

/* "; did you mean '^x'?", of the blocks of the region that ends, or "". */
static const char *similar_block(Parser *p, const Frame *f, Str name)
{
	Suggestion s = suggest_begin((Str){name.data + 1, name.len - 1});
	for (uint32_t i = f->blocks; i < p->block_log.len; i++) {
		const BlockEntry *e = &p->block_entries.data[p->block_log.data[i]];
		if (e->def)
			suggest_try(&s, (Str){e->at + 1, e->len - 1});
	}
	return parse_did_you_mean(p, &s, "^");
}

static void close_blocks(Parser *p, Frame *f)
{
	for (uint32_t i = f->blocks; i < p->block_log.len; i++) {
		const BlockEntry *e = &p->block_entries.data[p->block_log.data[i]];
		if (!e->def)
			parse_error(p, p->lx.base + e->use - 1, "reference to an undefined block '%.*s'%s",
			            (int)e->len, e->at, similar_block(p, f, (Str){e->at, e->len}));
	}
	while (p->block_log.len > f->blocks) {
		uint32_t entry = vec_pop(&p->block_log);
		p->block_entries.data[entry] = vec_pop(&p->hidden_blocks);
	}
}

static bool is_undeclared(const Parser *p, const Frame *f, Str name)
{
	for (uint32_t i = f->forwards; i < p->forwards.len; i++) {
		const Forward *w = p->forwards.data[i];
		if (!w->resolved && str_equal((Str){w->use.at + 1, w->use.len - 1}, name))
			return true;
	}
	return false;
}

/* "; did you mean '%x'?", or "": of the names in the text of the op that ends, whatever their scopes were. */
static const char *similar_value(Parser *p, const Frame *f, Str name)
{
	if (diag_full(p->d)) /* errors that are only counted cost no search */
		return "";
	Suggestion s = suggest_begin((Str){name.data + 1, name.len - 1});
	Lexer lx = p->lx;
	lex_seek(&lx, f->at);
	for (; lx.tok.at < p->lx.tok.at && lx.tok.kind != TOK_EOF; lex_next(&lx)) {
		Str met = {lx.tok.at + 1, lx.tok.len - 1};
		if (lx.tok.kind == TOK_VALUE && !is_undeclared(p, f, met))
			suggest_try(&s, met);
	}
	return parse_did_you_mean(p, &s, "%");
}

static void close_forwards(Parser *p, Frame *f)
{
	for (uint32_t i = f->forwards; i < p->forwards.len; i++) {
		const Forward *w = p->forwards.data[i];
		if (!w->resolved)
			parse_error(p, w->use.at, "value '%.*s' is not defined%s", (int)w->use.len, w->use.at,
			            similar_value(p, f, (Str){w->use.at, w->use.len}));
		*entry_of(p, w->ref) = w->outer;
	}
	p->forwards.len = f->forwards;
}

void scope_close(Parser *p, Frame *f)
{
	while (p->value_log.len > f->values) {
		uint32_t logged = vec_pop(&p->value_log);
		ValueEntry *e = entry_of(p, logged & ~LOG_SHADOWS);
		if (logged & LOG_SHADOWS)
			*e = vec_pop(&p->shadowed);
		else
			e->count = VALUE_NONE;
	}
	close_blocks(p, f);
	if (p->isolation == f->depth)
		close_forwards(p, f);
	p->isolation = f->outer_isolation;
	p->scope--;
}

/* Uses before the definition now mean the defined values. */
static bool resolve_forwards(Parser *p, Token name, Forward *w, IrValue *base, uint32_t n)
{
	bool ok = true;
	for (; w; w = w->next) {
		w->resolved = true;
		if (w->use.number >= n) {
			parse_error(p, w->use.at, "reference to invalid result number");
			ok = false;
			continue;
		}
		IrValue *v = &base[w->use.number];
		if (v->type && w->value.type && v->type != w->value.type) {
			parse_error(p, name.at, "definition of SSA value '%.*s#%u' has type '%s'",
			            (int)name.len, name.at, w->use.number, ir_type_str(p->mem, v->type));
			parse_note(p, w->use.at, "previously used here with type '%s'",
			           ir_type_str(p->mem, w->value.type));
			ok = false;
		}
		if (!v->type)
			v->type = w->value.type;
		if (w->value.uses)
			ir_value_replace(&w->value, v);
	}
	return ok;
}

static void set_meaning(Parser *p, uint32_t ref, ValueEntry meaning)
{
	ValueEntry *e = entry_of(p, ref);
	uint32_t logged = ref;
	if (e->count != VALUE_NONE && e->count != VALUE_FORWARD) {
		vec_push(p->mem, &p->shadowed, *e);
		logged |= LOG_SHADOWS;
	}
	vec_push(p->mem, &p->value_log, logged);
	*e = meaning;
}

bool value_define(Parser *p, Token name, IrValue *base, uint32_t n)
{
	bool ok = true;
	uint32_t ref = value_ref(p, name.at, name.len);
	ValueEntry *e = entry_of(p, ref);
	if (visible(p, e) && e->count == VALUE_FORWARD) {
		ok = resolve_forwards(p, name, e->u.first, base, n);
	} else if (visible(p, e) && e->count != VALUE_BROKEN) {
		const char *before = p->lx.base + e->pos - 1;
		if (p->design) {
			diag_warning(p->d, parse_loc_at(p, name.at),
			             "redefinition of SSA value '%.*s'; the later one is used from here on",
			             (int)name.len, name.at);
		} else {
			parse_error(p, name.at, "redefinition of SSA value '%.*s'", (int)name.len, name.at);
			ok = false;
		}
		parse_note(p, before, "previously defined here");
	}
	set_meaning(
	    p, ref,
	    (ValueEntry){.u.base = base, .count = n, .depth = p->scope, .pos = parse_loc_at(p, name.at).pos});
	return ok;
}

void value_define_broken(Parser *p, Token name)
{
	uint32_t ref = value_ref(p, name.at, name.len);
	ValueEntry *e = entry_of(p, ref);
	for (Forward *w = visible(p, e) && e->count == VALUE_FORWARD ? e->u.first : NULL; w; w = w->next)
		w->resolved = true;
	set_meaning(p, ref, (ValueEntry){.count = VALUE_BROKEN, .depth = p->scope});
}

static IrValue *new_forward(Parser *p, uint32_t ref, const OperandRef *r, IrType *type)
{
	ValueEntry *e = entry_of(p, ref);
	Forward *w = arena_new(p->mem, Forward);
	*w = (Forward){.value.type = type, .use = *r, .ref = ref};
	if (visible(p, e)) {
		w->next = e->u.first;
		w->outer = w->next->outer;
	} else {
		w->outer = *e;
	}
	*e = (ValueEntry){
	    .u.first = w, .count = VALUE_FORWARD, .depth = p->isolation, .pos = parse_loc_at(p, r->at).pos};
	vec_push(p->mem, &p->forwards, w);
	return &w->value;
}

/* `before` is where the name got its type. */
static IrValue *check_type(Parser *p, const OperandRef *r, IrValue *v, IrType *type, const char *before)
{
	if (!v->type)
		v->type = type;
	if (!type || v->type == type)
		return v;
	parse_fail(p, r->at, "value '%.*s' must be '%s' here, but has type '%s'", (int)r->len, r->at,
	           ir_type_str(p->mem, type), ir_type_str(p->mem, v->type));
	parse_fail_note(p, before, "it has its type from here");
	return NULL;
}

IrValue *value_resolve(Parser *p, const OperandRef *r, IrType *type)
{
	uint32_t ref = value_ref(p, r->at, r->len);
	const ValueEntry *e = entry_of(p, ref);
	if (!visible(p, e))
		return new_forward(p, ref, r, type);
	if (e->count == VALUE_BROKEN) {
		p->failure.silent = true;
		return NULL;
	}
	if (e->count == VALUE_FORWARD) {
		for (Forward *w = e->u.first; w; w = w->next)
			if (w->use.number == r->number)
				return check_type(p, r, &w->value, type, w->use.at);
		return new_forward(p, ref, r, type);
	}
	if (r->number >= e->count) {
		parse_fail(p, r->at, "reference to invalid result number");
		return NULL;
	}
	return check_type(p, r, &e->u.base[r->number], type, p->lx.base + e->pos - 1);
}

IrType *value_known_type(Parser *p, const OperandRef *r)
{
	const ValueEntry *e = entry_of(p, value_ref(p, r->at, r->len));
	if (!visible(p, e) || e->count >= VALUE_LIMIT || r->number >= e->count)
		return NULL;
	return e->u.base[r->number].type;
}

bool at_operand(const Parser *p)
{
	return at(p, TOK_VALUE);
}

bool parse_operand(Parser *p, OperandRef *out)
{
	if (!at_operand(p))
		return expected(p, "SSA operand");
	Token name = peek(p);
	*out = (OperandRef){.at = name.at, .len = name.len};
	if (*name.at == '&')
		parse_warn(p, name.at, "'&' is read as '%'");
	advance(p);
	if (!at(p, TOK_ATTR) || peek(p).at != p->lx.before_end)
		return true;
	Token number = peek(p);
	uint64_t n = 0;
	for (uint32_t i = 1; i < number.len; i++) {
		if (number.at[i] < '0' || number.at[i] > '9' || n > VALUE_LIMIT)
			return parse_fail(p, number.at, "expected a result number after '%.*s'",
			                  (int)name.len, name.at);
		n = n * 10 + (uint64_t)(number.at[i] - '0');
	}
	if (n >= VALUE_LIMIT)
		return parse_fail(p, number.at, "reference to invalid result number");
	out->number = (uint32_t)n;
	advance(p);
	return true;
}

bool parse_push_operand(Parser *p)
{
	OperandRef r;
	if (!parse_operand(p, &r))
		return false;
	push_operand(p, r);
	return true;
}

/* Blocks */

static BlockEntry *block_entry(Parser *p, Token name)
{
	uint32_t hash = hash_bytes(&p->m->names.key, name.at, name.len);
	Slice *s = slice_find(&p->block_names, name.at, name.len, hash);
	if (!s) {
		s = slice_add(p->mem, &p->block_names, name.at, name.len, hash);
		s->u.index = p->block_entries.len;
		vec_push(p->mem, &p->block_entries, ((BlockEntry){.at = name.at, .len = name.len}));
	}
	BlockEntry *e = &p->block_entries.data[s->u.index];
	if (e->depth == p->scope)
		return e;
	/* A name of this region, seen for the first time. */
	vec_push(p->mem, &p->block_log, s->u.index);
	vec_push(p->mem, &p->hidden_blocks, *e);
	e->depth = p->scope;
	e->def = 0;
	e->use = parse_loc_at(p, name.at).pos;
	e->block = ir_block_create(p->m, (Loc){0});
	return e;
}

IrBlock *block_resolve(Parser *p, Token name)
{
	return block_entry(p, name)->block;
}

IrBlock *block_define(Parser *p, Token name)
{
	BlockEntry *e = block_entry(p, name);
	if (e->def) {
		parse_error(p, name.at, "redefinition of block '%.*s'", (int)name.len, name.at);
		parse_note(p, p->lx.base + e->def - 1, "previously defined here");
		return NULL;
	}
	e->def = parse_loc_at(p, name.at).pos;
	e->block->loc = parse_loc_at(p, name.at);
	return e->block;
}
