/* Reading one op: bindings, mnemonic, and its spelling, newest first. */
#include "text/read/parser.h"

#include "text/read/scan.h"

/* Spellings */

/* new: its name and what it means are set */
static void add_spelling(Parser *p, Spelling new)
{
	const char *mnemonic = new.mnemonic;
	uint32_t len = (uint32_t)strlen(mnemonic), hash = hash_bytes(&p->m->names.key, mnemonic, len);
	Spelling *s = arena_new(p->mem, Spelling);
	*s = new;
	Slice *slot = slice_find(&p->mnemonics, mnemonic, len, hash);
	if (!slot) {
		slice_add(p->mem, &p->mnemonics, mnemonic, len, hash)->u.ptr = s;
		return;
	}
	Spelling *last = slot->u.ptr;
	while (last->older)
		last = last->older;
	last->older = s;
}

static void date_spellings(Parser *p, const char *mnemonic, bool is_older, DatedSpelling as)
{
	uint32_t len = (uint32_t)strlen(mnemonic), hash = hash_bytes(&p->m->names.key, mnemonic, len);
	for (Spelling *s = slice_find(&p->mnemonics, mnemonic, len, hash)->u.ptr; s; s = s->older)
		if (s->is_older == is_older)
			s->dated = UINT32_C(1) << as;
}

void spellings_init(Parser *p)
{
	const OldText *old = p->old;
	slice_reserve(p->mem, &p->mnemonics, OP_COUNT + old->nspellings);
	for (unsigned k = 0; k < OP_COUNT; k++)
		add_spelling(
		    p,
		    (Spelling){.mnemonic = op_info[k].name, .kind = (OpKind)k, .format = op_info[k].format});
	for (uint32_t i = 0; i < old->nspellings; i++)
		add_spelling(p, old->spellings[i]);
#define DATED_OP(id, mnemonic, is_older, ...) date_spellings(p, mnemonic, is_older, DATED_##id);
#include "ir/dated.def"
}

/* A format that is one custom element is that custom parser. */
static Parsed read_spelling(Parser *p, Frame *f, Spelling *s)
{
	f->spelling = s;
	f->kind = s->kind;
	f->phase = 0;
	f->dict_read = false;
	f->initial = (OperandRef){0};
	if (s->custom)
		return s->custom(p, f);
	if (!s->elems)
		s->elems = format_cut(p->m, p->mem, s->format);
	return parse_format(p, f, s->elems, s->elems);
}

/* A word behind the type in the newest texts, else in the dictionary. */
static bool at_environment(const Parser *p, const Frame *f)
{
	return (op_info[f->kind].flags & OPF_FENV) && token_is(peek(p), STR("fenv"));
}

/* fenv<…> signaling true */
static bool read_environment(Parser *p)
{
	advance(p);
	const IrAttr *fenv = parse_unprefixed_params(p, ATTR_ROW_FENV);
	if (!fenv)
		return false;
	push_attr(p, p->known[NAME_fenv], fenv);
	if (!accept_word(p, STR("signaling")))
		return true;
	bool quiet = accept_word(p, STR("false"));
	if (!quiet && !accept_word(p, STR("true")))
		return expected(p, "'true' or 'false'");
	push_attr(p, p->known[NAME_signaling], ir_attr_flag(p->m, !quiet));
	return true;
}

/* <fastmath_flags = [reassoc, nnan]>, which is #cir.fastmath<reassoc, nnan>. */
static bool read_fast_math(Parser *p)
{
	StrBuf text = {0};
	if (!expect(p, '<') || !expect_word(p, STR("fastmath_flags")) || !expect(p, '=') || !expect(p, '['))
		return false;
	buf_printf(p->mem, &text, "#cir.fastmath<");
	for (bool more = !at(p, ']'); more; more = accept(p, ',')) {
		Token t = peek(p);
		if (t.kind != TOK_WORD)
			return expected(p, "a flag");
		advance(p);
		buf_put(p->mem, &text, token_str(t));
		if (at(p, ','))
			buf_printf(p->mem, &text, ", ");
	}
	buf_printf(p->mem, &text, ">");
	IrAttr key = {.kind = ATTR_OPAQUE, .name = ir_name(p->m, (Str){text.data, text.len})};
	push_attr(p, p->known[NAME_fastmath_flags], ir_attr_intern(p->m, &key));
	return expect(p, ']') && expect(p, '>');
}

static bool read_tail(Parser *p, Frame *f)
{
	if (at_environment(p, f) && !read_environment(p))
		return false;
	if (at(p, '<') && parse_same_line(p) && !read_fast_math(p))
		return false;
	return f->dict_read || parse_op_dict(p, f);
}

/* `{…} :`: the types of an older spelling follow. */
static bool colon_behind_dict(const Parser *p)
{
	Lexer lx = p->lx;
	uint32_t depth = 0;
	do {
		depth += lx.tok.kind == '{';
		depth -= lx.tok.kind == '}';
		lex_next(&lx);
	} while (depth && lx.tok.kind != TOK_EOF && lx.tok.kind != TOK_ERROR);
	return lx.tok.kind == ':';
}

static Slice *find_mnemonic(const Parser *p, Token name)
{
	return name.kind == TOK_WORD ? slice_find(&p->mnemonics, name.at, name.len,
	                                          hash_bytes(&p->m->names.key, name.at, name.len))
	                             : NULL;
}

/* `%0 = `, `%0:2 = `, `%0, %1 = `: lx is at the first name. */
static bool at_bindings(Lexer lx)
{
	do {
		lex_next(&lx);
		if (lx.tok.kind == '=')
			return true;
	} while (lx.tok.kind == TOK_VALUE || lx.tok.kind == ',' || lx.tok.kind == ':' ||
	         lx.tok.kind == TOK_INT);
	return false;
}

bool parse_at_another_op(const Parser *p)
{
	return at(p, TOK_VALUE) ? at_bindings(p->lx) : find_mnemonic(p, peek(p)) != NULL;
}

/* An optional part that did not match may have left something of the op. */
static bool op_ends_here(const Parser *p, const Frame *f)
{
	Token t = peek(p);
	if (t.kind == '{')
		return !colon_behind_dict(p);
	if (t.kind == TOK_EOF || t.kind == '}' || t.kind == TOK_BLOCK || at_loc(p))
		return true;
	return !parse_same_line(p) || at_environment(p, f) || parse_at_another_op(p);
}

static Parsed check_end(Parser *p, const Frame *f, const Spelling *s, Parsed result)
{
	bool sure = !s->older && !p->failure.message;
	if (result != PARSED_ALL || sure || op_ends_here(p, f))
		return result;
	expected(p, "end of operation");
	return PARSED_NO;
}

/* The spelling that the op was read by, up to a region or to its end. What has a region is not taken back any more,
 * and its warnings were delivered. */
static void tell_older_spelling(Parser *p, Frame *f, const Spelling *s, Parsed result)
{
	if (result != PARSED_NO)
		p->dated |= s->dated;
	if ((!p->newest && p->older) || !s->is_older || result == PARSED_NO)
		return;
	const char *now = op_info[f->kind].name;
	if (strcmp(s->mnemonic, now) != 0)
		parse_renamed(p, f->at, str_of(s->mnemonic), now);
	else
		parse_tell_older(p, f->at, "older spelling of '%s'; use %s", now,
		                 diag_setting(p->d, SETTING_DIALECT_AUTO));
	if (result == PARSED_REGION) {
		parse_deliver_warnings(p, f->warnings);
		f->errors = p->d->errors;
	}
}

static Parsed read_newest_first(Parser *p, Frame *f, Spelling *s)
{
	Lexer begin = p->lx;
	for (;; s = s->older) {
		Parsed result = check_end(p, f, s, read_spelling(p, f, s));
		tell_older_spelling(p, f, s, result);
		if (result != PARSED_NO || !s->older || p->failure.silent)
			return result;
		p->lx = begin;
		parse_cut_stacks(p, f);
	}
}

/* Behind the region that was just closed, in another spelling; NULL when that has no such region. */
static const FmtElem *behind_region(Parser *p, const Frame *f, Spelling *s)
{
	if (!s->format || s->kind != f->kind)
		return NULL;
	if (!s->elems)
		s->elems = format_cut(p->m, p->mem, s->format);
	uint32_t index = p->regions.len - f->regions - 1;
	for (const FmtElem *e = s->elems; e->kind != FMT_END; e++)
		if (e->kind == FMT_REGION && e->index == index)
			return e + 1;
	return NULL;
}

Parsed parse_op_resume(Parser *p)
{
	Frame *f = top_frame(p);
	Spelling *s = f->spelling;
	if (f->generic)
		return parse_generic(p, f);
	if (s->custom)
		return s->custom(p, f);
	if (f->elem->kind == FMT_CUSTOM)
		return custom_parsers[f->elem->index](p, f);
	/* The eras may differ in what joins the regions. */
	Retreat point = parse_retreat_point(p, NULL);
	Parsed result = check_end(p, f, s, parse_format(p, f, s->elems, f->elem));
	while (result == PARSED_NO && !p->failure.silent && (s = s->older)) {
		const FmtElem *e = behind_region(p, f, s);
		if (!e)
			continue;
		parse_retreat(p, &point);
		f->spelling = s;
		f->dict_read = false;
		result = check_end(p, f, s, parse_format(p, f, s->elems, e));
		tell_older_spelling(p, f, s, result);
	}
	return result;
}

/* The op itself */

static bool read_bindings(Parser *p)
{
	if (!at(p, TOK_VALUE))
		return true;
	do {
		Binding b = {.name = peek(p), .count = 1};
		if (b.name.kind != TOK_VALUE)
			return expected(p, "SSA identifier");
		advance(p);
		if (accept(p, ':')) {
			Token number = peek(p);
			uint64_t n;
			if (!parse_uint(p, &n, "integer number of results"))
				return false;
			if (n == 0 || n >= VALUE_LIMIT)
				return parse_fail(p, number.at,
				                  "expected named operation to have at least 1 result");
			b.count = (uint32_t)n;
		}
		vec_push(p->mem, &p->bindings, b);
	} while (accept(p, ','));
	return expect(p, '=');
}

static Parsed read_op(Parser *p, Frame *f)
{
	if (!read_bindings(p))
		return PARSED_NO;
	Token name = peek(p);
	f->at = name.at;
	if (name.kind == TOK_STRING) {
		f->generic = true;
		return parse_generic(p, f);
	}
	if (name.kind != TOK_WORD) {
		if (p->bindings.len > f->bindings)
			expected(p, "operation name after '='");
		else
			expected_here(p, "operation");
		return PARSED_NO;
	}
	Slice *s = find_mnemonic(p, name);
	if (!s) {
		parse_unknown(p, name.at, token_str(name),
		              arena_printf(p->mem, "custom op '%.*s' is unknown%s", (int)name.len, name.at,
		                           parse_similar_op(p, token_str(name))));
		return PARSED_NO;
	}
	advance(p);
	return read_newest_first(p, f, s->u.ptr);
}

/* A failed op still gives its names a meaning, so that their uses say nothing more. */
static void give_up(Parser *p, Frame *f)
{
	parse_deliver(p);
	for (uint32_t i = f->bindings; i < p->bindings.len; i++)
		value_define_broken(p, p->bindings.data[i].name);
	parse_recover(p, f->at, p->regions.len > f->regions);
}

static Frame *open_frame(Parser *p, const char *where)
{
	vec_reserve(p->mem, &p->frames, p->frames.len + 1);
	Frame *f = &p->frames.data[p->frames.len++];
	*f = (Frame){.at = where,
	             .bindings = p->bindings.len,
	             .operands = p->operands.len,
	             .succ_args = p->succ_args.len,
	             .succs = p->succs.len,
	             .results = p->results.len,
	             .attrs = p->attrs.len,
	             .regions = p->regions.len,
	             .warnings = p->warnings.len,
	             .errors = p->d->errors};
	return f;
}

/* The last step: what was read becomes an op, or is given up. */
void parse_settle(Parser *p, Parsed result)
{
	if (result == PARSED_REGION)
		return;
	Frame *f = top_frame(p);
	if (result == PARSED_ALL && read_tail(p, f) && (f->loc_read || parse_trailing_loc(p, &f->loc)) &&
	    parse_finish_op(p))
		p->failure = (struct Failure){0};
	else
		give_up(p, f);
	parse_cut_stacks(p, f);
	p->bindings.len = f->bindings;
	p->frames.len--;
}

void parse_op(Parser *p)
{
	Frame *f = open_frame(p, peek(p).at);
	parse_settle(p, read_op(p, f));
}
