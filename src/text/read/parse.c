/* The reader's main loop: regions, blocks, and getting on after an error. */
#include "text/read/parser.h"

/* Regions */

static void add_argument(Parser *p, IrBlock *b, const RegionArg *arg)
{
	IrValue *v = ir_block_add_arg(p->m, b, arg->type);
	if (arg->name.len)
		value_define(p, arg->name, v, 1);
}

Parsed parse_open_region(Parser *p, const RegionArg *args, uint32_t nargs)
{
	Frame *f = top_frame(p);
	f->region_at = peek(p).at;
	if (!expect(p, '{'))
		return PARSED_NO;
	p->failure = (struct Failure){0};
	parse_deliver_warnings(p, f->warnings);
	f->region = arena_new(p->mem, IrRegion);
	f->block = NULL;
	f->errors = p->d->errors;
	vec_push(p->mem, &p->regions, f->region);
	scope_open(p, f, op_info[f->kind].flags & OPF_ISOLATED);
	if (nargs) {
		f->block = ir_block_create(p->m, parse_loc_at(p, f->region_at));
		ir_block_append(f->region, f->block);
	}
	for (uint32_t i = 0; i < nargs; i++)
		add_argument(p, f->block, &args[i]);
	return PARSED_REGION;
}

static void append_terminator(Parser *p, IrBlock *b, OpKind kind)
{
	IrOpSpec spec = {.kind = kind, .loc = parse_loc_at(p, peek(p).at)};
	ir_op_append(b, ir_op_create(p->m, &spec));
}

/* Nothing but cir.throw ends a block in the first versions that have it. */
static void end_thrown(Parser *p, IrBlock *b)
{
	if (!b || !b->last || b->last->kind != OP_THROW)
		return;
	parse_older(p, peek(p).at, "'cir.throw' as the last of its block");
	append_terminator(p, b, OP_UNREACHABLE);
}

/* Some ops let the final cir.yield of a region be left out; the design document leaves out more of them. */
static void imply_yield(Parser *p, Frame *f)
{
	end_thrown(p, f->region->last);
	if (f->generic || !(op_info[f->kind].flags & OPF_YIELDS))
		return;
	if (!f->region->first)
		ir_block_append(f->region, ir_block_create(p->m, parse_loc_at(p, f->region_at)));
	IrBlock *last = f->region->last;
	if (ir_block_terminator(last))
		return;
	if (f->region->first != last && !p->design)
		parse_error(p, peek(p).at, "multi-block region must not omit terminator");
	append_terminator(p, last, OP_YIELD);
}

static void close_region(Parser *p)
{
	Frame *f = top_frame(p);
	if (parse_is_module_frame(f) && p->frames.len == 1) {
		parse_error(p, peek(p).at,
		            "'}' closes nothing: the function or module before it has ended already");
		advance(p);
		return;
	}
	if (parse_is_module_frame(f)) {
		parse_close_module(p);
		return;
	}
	imply_yield(p, f);
	scope_close(p, f);
	advance(p);
	f->region = NULL;
	parse_settle(p, parse_op_resume(p));
}

/* Blocks: 1.4 */

static bool label_argument(Parser *p, IrBlock *b, bool drop)
{
	RegionArg arg = {.name = peek(p)};
	if (!at(p, TOK_VALUE))
		return expected(p, "SSA identifier");
	advance(p);
	if (!expect(p, ':') || !(arg.type = parse_type(p)) || !parse_trailing_loc(p, &arg.loc))
		return false;
	if (!drop)
		add_argument(p, b, &arg);
	return true;
}

/* Is the first op behind the label's arguments a catchpad? The design document gives such
 * blocks arguments that no edge passes. */
static bool before_catchpad(const Parser *p)
{
	Lexer ahead = p->lx;
	for (uint32_t open = 1; open; lex_next(&ahead)) {
		int kind = (int)ahead.tok.kind;
		if (kind == TOK_EOF || kind == TOK_ERROR || kind == TOK_BLOCK || kind == '=' || kind == '}')
			return false;
		open += (kind == '(') - (kind == ')');
	}
	if (ahead.tok.kind == ':')
		lex_next(&ahead);
	if (ahead.tok.kind == TOK_VALUE) {
		lex_next(&ahead);
		if (ahead.tok.kind != '=')
			return false;
		lex_next(&ahead);
	}
	return ahead.tok.kind == TOK_WORD && token_is(ahead.tok, STR("cir.catchpad"));
}

static bool label_arguments(Parser *p, IrBlock *b)
{
	const char *where = peek(p).at;
	if (!accept(p, '('))
		return true;
	bool drop = !at(p, ')') && before_catchpad(p);
	if (drop)
		parse_warn(p, where, "arguments of a block with a catchpad are dropped: no edge passes any");
	while (!at(p, ')')) {
		if (!label_argument(p, b, drop))
			return false;
		if (!accept(p, ','))
			break;
	}
	return expect(p, ')');
}

static bool read_label(Parser *p)
{
	Frame *f = top_frame(p);
	Token name = peek(p);
	if (parse_is_module_frame(f))
		return parse_module_label(p) || expected_here(p, "operation");
	if (f->block && f->block == f->region->first && f->block->nargs && !f->block->first &&
	    p->d->errors == f->errors)
		return parse_fail(p, name.at, "invalid block name in region with named arguments");
	end_thrown(p, f->block);
	IrBlock *b = block_define(p, name);
	if (!b)
		b = ir_block_create(p->m, parse_loc_at(p, name.at));
	ir_block_append(f->region, b);
	f->block = b;
	advance(p);
	if (!label_arguments(p, b))
		return false;
	if (!accept(p, ':')) {
		parse_older(p, name.at, "a label without ':'");
		p->design = true; /* only the design document leaves it out */
	}
	return true;
}

static void label(Parser *p)
{
	const char *from = peek(p).at;
	uint32_t warnings = p->warnings.len;
	bool ok = read_label(p);
	parse_deliver_warnings(p, warnings);
	if (ok)
		return;
	parse_deliver(p);
	parse_recover(p, from, false);
}

/* Recovery */

/* Could an op, a label or an alias begin with this token, at the start of a line? In
 * brackets, only what is surely one. */
static bool begins_op(const Parser *p, bool in_brackets)
{
	Token t = peek(p);
	if (t.kind == TOK_WORD)
		return memchr(t.at, '.', t.len) || token_is(t, STR("module")) || token_is(t, STR("func"));
	if (t.kind == TOK_VALUE) {
		Lexer ahead = p->lx;
		lex_next(&ahead);
		return ahead.tok.kind == '=' ||
		       (!in_brackets && (ahead.tok.kind == ',' || ahead.tok.kind == ':'));
	}
	if (t.kind == TOK_STRING) /* the generic form */
		return p->lx.cur < p->lx.end && *p->lx.cur == '(';
	return !in_brackets && (t.kind == TOK_BLOCK || alias_at_definition(p));
}

void parse_recover(Parser *p, const char *from, bool committed)
{
	const char *reached = peek(p).at; /* past what was read, whatever it looks like */
	uint32_t braces = 0, others = 0;
	if (!committed)
		lex_seek(&p->lx, from);
	bool first = !committed;
	for (; !at(p, TOK_EOF); advance(p), first = false) {
		int kind = (int)peek(p).kind;
		if (!first && !braces && !parse_same_line(p) && peek(p).at >= reached &&
		    begins_op(p, others > 0))
			return;
		if (kind == '{' || kind == TOK_METADATA) {
			braces++;
		} else if (kind == '}') {
			if (!braces)
				return;
			braces--;
			others = 0;
		} else if (kind == '(' || kind == '[') {
			others++;
		} else if ((kind == ')' || kind == ']') && others) {
			others--;
		}
	}
}

/* The text */

static void skip_metadata(Parser *p)
{
	const char *where = peek(p).at; /* {-# … #-} */
	while (!at(p, TOK_EOF) && !(at(p, '#') && peek(p).len == 2))
		advance(p);
	accept(p, '#');
	if (!accept(p, '}'))
		parse_error(p, where, "file metadata without its end, '#-}'");
}

static void statement(Parser *p)
{
	const char *from = peek(p).at;
	if (at(p, '}')) {
		close_region(p);
	} else if (at(p, TOK_BLOCK)) {
		label(p);
	} else if (alias_at_definition(p)) {
		if (!alias_definition(p)) {
			parse_deliver(p);
			parse_recover(p, from, false);
		}
	} else if (parse_module(p)) {
		/* done */
	} else if (parse_is_module_frame(top_frame(p)) && at(p, TOK_METADATA)) {
		skip_metadata(p);
	} else if (p->module_seen && p->frames.len == 1) {
		parse_error(p, from, "expected the end of the text after the module");
		parse_recover(p, from, false);
	} else {
		parse_op(p);
	}
}

static void check_nesting(Parser *p)
{
	IrType *where;
	IrNesting nesting = ir_check_nesting(p->m, NULL, &where);
	if (nesting == NESTING_FINE)
		return;
	Loc loc = alias_of_type(p, where);
	if (nesting == NESTING_CYCLE)
		diag_error(p->d, loc, "'%s' contains itself; use a pointer in between",
		           ir_type_str(p->mem, where));
	else
		diag_error(p->d, loc, "'%s' contains others by value, nested too deeply (limit %d)",
		           ir_type_str(p->mem, where), (int)TYPE_DEPTH_MAX);
}

/* The function or global that is being read, or NULL. */
static const Frame *open_symbol(const Parser *p)
{
	for (uint32_t i = 0; i < p->frames.len; i++)
		if (!parse_is_module_frame(&p->frames.data[i]) &&
		    op_info[p->frames.data[i].kind].flags & OPF_SYMBOL)
			return &p->frames.data[i];
	return NULL;
}

/* '@f', or 'cir.func', which may have no name yet. */
static const char *symbol_text(Parser *p, const Frame *symbol)
{
	const IrAttr *name = pushed_attr(p, symbol, NAME_sym_name);
	return name && name->name ? arena_printf(p->mem, "@%s", name->name->text)
	                          : op_info[symbol->kind].name;
}

/* `cir.func`, or the generic `"cir.func"(`, and `cir.global` */
static bool begins_symbol(const Parser *p)
{
	if (at_word(p, STR("cir.func")) || at_word(p, STR("cir.global")))
		return true;
	if (!at(p, TOK_STRING) || p->lx.cur == p->lx.end || *p->lx.cur != '(')
		return false;
	return token_is(peek(p), STR("\"cir.func\"")) || token_is(peek(p), STR("\"cir.global\""));
}

/* No symbol is in another: one was not closed. What follows would be errors of that only. */
static bool begins_next_symbol(Parser *p)
{
	const Frame *symbol = begins_symbol(p) ? open_symbol(p) : NULL;
	if (!symbol || symbol->errors != p->d->errors)
		return false;
	parse_error(p, symbol->at, "'%s' is not closed; add '}' before the next function or global",
	            symbol_text(p, symbol));
	parse_note(p, peek(p).at, "the next one begins here");
	return true;
}

void parse_whole_text(Parser *p)
{
	parse_open_module(p, p->lx.base, false);
	while (!at(p, TOK_EOF) && !diag_full(p->d)) {
		const char *before = peek(p).at;
		uint32_t frames = p->frames.len;
		if (begins_next_symbol(p))
			return;
		statement(p);
		if (peek(p).at == before && p->frames.len == frames) /* whatever is wrong here, go on */
			advance(p);
	}
	if (diag_full(p->d))
		return;
	if (p->frames.len > 1) {
		const Frame *symbol = open_symbol(p);
		parse_error(p, p->lx.end, "expected '}'");
		if (top_frame(p) != symbol)
			parse_note(p, top_frame(p)->region_at, "the region that is not closed begins here");
		if (symbol)
			parse_note(p, symbol->at, "'%s' begins here; is its '}' missing?",
			           symbol_text(p, symbol));
		return;
	}
	scope_close(p, top_frame(p));
	p->old->end_of_text(p);
	check_nesting(p);
	if (!p->d->errors)
		p->old->records_known(p);
}

/* What an op has of a stack begins at some place of it, also where nothing was ever pushed: NULL + 0 is
 * undefined (C17 6.5.6). */
static void reserve_stacks(Parser *p)
{
	vec_reserve(p->mem, &p->bindings, 1);
	vec_reserve(p->mem, &p->operands, 1);
	vec_reserve(p->mem, &p->succ_args, 1);
	vec_reserve(p->mem, &p->succs, 1);
	vec_reserve(p->mem, &p->results, 1);
	vec_reserve(p->mem, &p->attrs, 1);
	vec_reserve(p->mem, &p->elems, 1);
	vec_reserve(p->mem, &p->list.dicts, 1);
	vec_reserve(p->mem, &p->values, 1);
}

Parser *parse_begin(IrModule *m, Str text, const OldText *old, Diags *d)
{
	Parser *p = arena_new(&m->scratch, Parser);
	p->m = m;
	p->mem = &m->scratch;
	p->d = d;
	p->old = old;
	reserve_stacks(p);
	for (unsigned i = 0; i < NAME_COUNT; i++)
		p->known[i] = ir_known_name(m, (NameId)i);
	p->unit = ir_attr_unit(m);
	alias_predefine(p);
	spellings_init(p);
	lex_begin(&p->lx, text);
	return p;
}
