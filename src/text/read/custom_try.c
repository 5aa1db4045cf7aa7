/* cir.try (reference 5.10, 6.5); text/old/try.c has the form whose handlers are an op of their own.
 *
 *	N    cir.try {…} catch [type ATTR] (%t: !cir.eh_token) {…} catch all (%t: …) {…} unwind (%t: …) {…}
 *	          filter [ATTR, …] (%t: …) {…} unexpected (%t: …) {…}
 *	          catch when (%r: T) {…} do (%t: …) {…} finally {…}
 *	U D  the same without the tokens
 *	B    cir.try {…} cleanup {…} catch [type ATTR {…}, type #cir.all {…}, #cir.unwind {…}]
 */
#include "text/read/parser.h"

#include "ir/catch_region.h"

/* frame->phase: regions opened so far, and */
enum {
	TRY_LIST = 1 << 30,    /* inside the list of B */
	TRY_BARE = 1 << 29,    /* the region just read was written without a token */
	TRY_CLEANUP = 1 << 28, /* the region just read is the cleanup of the body */
	TRY_WHEN = 1 << 27,    /* … is the filter of a `when` */
	TRY_FINALLY = 1 << 26, /* … is the last one */
	TRY_COUNT = TRY_FINALLY - 1,
};

/* What each region is for; gathered into one array when the op is complete. */
static bool push_use(Parser *p, const IrAttr *use)
{
	push_attr(p, p->known[NAME_handler_types], use);
	return true;
}

bool parse_handler_word(Parser *p, unsigned word)
{
	return push_use(p, ir_attr_enum(p->m, ENUM_HANDLER, word));
}

static bool accept_attr(Parser *p, Str text)
{
	if (!at(p, TOK_ATTR) || !token_is(peek(p), text))
		return false;
	advance(p);
	return true;
}

bool parse_handler_type(Parser *p)
{
	const char *where = peek(p).at;
	if (accept_attr(p, STR("#cir.all")))
		return parse_handler_word(p, HANDLER_ALL);
	if (accept_attr(p, STR("#cir.unwind")))
		return parse_handler_word(p, HANDLER_UNWIND);
	if (!at(p, TOK_ATTR))
		return expected(p, "a type info, '#cir.global_view<@name>'");
	const IrAttr *a = parse_attr(p);
	if (!a)
		return false;
	if (a->kind != ATTR_GLOBAL_VIEW)
		return parse_fail(p, where, "expected a type info, '#cir.global_view<@name>'");
	return push_use(p, a);
}

static bool read_filter(Parser *p)
{
	const IrAttr *list = parse_attr_list(p);
	return list && push_use(p, list);
}

/* `(%t: !cir.eh_token)` */
static bool read_argument(Parser *p, RegionArg *arg, const char *what)
{
	arg->name = peek(p);
	if (!at(p, TOK_VALUE))
		return expected(p, what);
	advance(p);
	return expect(p, ':') && (arg->type = parse_type(p)) && parse_trailing_loc(p, &arg->loc) &&
	       expect(p, ')');
}

/* The same, then the region; older eras leave out the token. */
Parsed parse_open_handler(Parser *p, Frame *f)
{
	RegionArg arg = {.type = ir_type_simple(p->m, TYPE_EH_TOKEN)};
	f->phase = (f->phase & ~(uint32_t)TRY_BARE) + 1;
	if (!at(p, '(') && !(f->phase & TRY_LIST) && !f->spelling->is_older)
		parse_older(p, peek(p).at, "a handler without its token");
	if (!accept(p, '('))
		f->phase |= TRY_BARE;
	else if (!read_argument(p, &arg, "the handler's token"))
		return PARSED_NO;
	if (!at(p, '{'))
		return expected(p, "'{'"), PARSED_NO;
	return parse_open_region(p, &arg, 1);
}

/* One entry of the list of B: `type ATTR {…}`, or `#cir.unwind {…}`. */
static Parsed read_list_entry(Parser *p, Frame *f)
{
	accept_word(p, STR("type"));
	return parse_handler_type(p) ? parse_open_handler(p, f) : PARSED_NO;
}

/* `(%r: T)` of a `when`, then its filter. */
static Parsed open_filter(Parser *p, Frame *f)
{
	RegionArg arg = {0};
	if (!expect(p, '(') || !read_argument(p, &arg, "the filter's record"))
		return PARSED_NO;
	if (!at(p, '{'))
		return expected(p, "'{'"), PARSED_NO;
	f->phase = (f->phase + 1) | TRY_WHEN;
	return parse_open_region(p, &arg, 1);
}

/* Behind the filter. */
static Parsed open_do(Parser *p, Frame *f)
{
	f->phase &= ~(uint32_t)TRY_WHEN;
	return expect_word(p, STR("do")) && parse_handler_word(p, HANDLER_WHEN) ? parse_open_handler(p, f)
	                                                                        : PARSED_NO;
}

static Parsed open_finally(Parser *p, Frame *f)
{
	if (!at(p, '{'))
		return expected(p, "'{'"), PARSED_NO;
	push_flag(p, NAME_finally);
	f->phase |= TRY_FINALLY;
	return parse_open_region(p, NULL, 0);
}

static Parsed read_catch(Parser *p, Frame *f)
{
	if (accept_word(p, STR("all")))
		return parse_handler_word(p, HANDLER_ALL) ? parse_open_handler(p, f) : PARSED_NO;
	if (accept_word(p, STR("when")))
		return open_filter(p, f);
	const char *list = peek(p).at;
	if (!accept(p, '['))
		return expected(p, "'all' or 'type' keyword"), PARSED_NO;
	if (accept_word(p, STR("type"))) {
		if (!parse_handler_type(p))
			return PARSED_NO;
	} else if (!accept_attr(p, STR("#cir.unwind")) || !parse_handler_word(p, HANDLER_UNWIND)) {
		return expected(p, "'all' or 'type' keyword"), PARSED_NO;
	}
	if (at(p, '{'))
		parse_older(p, list, "a list of handlers");
	if (at(p, '{'))
		f->phase |= TRY_LIST;
	else if (!expect(p, ']'))
		return PARSED_NO;
	return parse_open_handler(p, f);
}

/* A handler of the older revision of the design document does not say that it begins and ends the catch. */
static void wrap_bare_handler(Parser *p, IrRegion *r)
{
	const IrOp *first = r->first->first;
	if (first->kind != OP_BEGIN_CATCH && first->kind != OP_EH_TERMINATE && !r->first->args[0]->uses)
		ir_wrap_in_catch(p->m, r, p->m->voidp, first->loc);
}

/* What goes on unwinding does not say its token in older eras. Inside a try or a cleanup of its own it may mean
 * another one: flattening knows which. */
static void give_resumes_their_token(Parser *p, const IrRegion *r)
{
	IrValue *token = r->first->args[0];
	for (IrOp *op = ir_walk_first(r); op;) {
		bool own = op->kind == OP_TRY || op->kind == OP_CLEANUP_SCOPE;
		if (op->kind == OP_RESUME && op->noperands == 0 && token->type->kind == TYPE_EH_TOKEN) {
			parse_older(p, p->lx.base + op->loc.pos - 1, "'cir.resume' without its token");
			ir_op_set_main_operands(p->m, op, &token, 1);
		}
		op = own ? ir_walk_skip(op, r) : ir_walk_next(op, r);
	}
}

void parse_handler_done(Parser *p, Frame *f)
{
	const IrAttr *use = p->attrs.data[p->attrs.len - 1].value;
	IrRegion *r = p->regions.data[p->regions.len - 1];
	bool catches = use->kind == ATTR_GLOBAL_VIEW ||
	               (use->kind == ATTR_ENUM && (use->bits == HANDLER_ALL || use->bits == HANDLER_WHEN));
	if (catches)
		ir_unwrap_catch(r);
	if (!r->first || !r->first->first || r->first->nargs != 1)
		return;
	if (!catches)
		give_resumes_their_token(p, r);
	else if (!(f->phase & TRY_BARE))
		return;
	else if (r->first->first->kind == OP_CATCH_PARAM)
		ir_expand_catch_param(p->m, r->first->first);
	else
		wrap_bare_handler(p, r);
}

/* `{ body } cleanup { … }`: what runs when the body is left by an exception, before the handlers (B). */
static void body_cleanup_done(Parser *p, Frame *f)
{
	IrRegion *cleanup = vec_pop(&p->regions), *body = p->regions.data[f->regions];
	const IrOp *first = cleanup->first ? cleanup->first->first : NULL;
	bool empty = !first || (cleanup->first == cleanup->last && first->kind == OP_YIELD);
	if (!empty)
		ir_wrap_in_cleanup(p->m, body, CLEANUP_EH, cleanup, parse_loc_at(p, f->at));
}

static void region_done(Parser *p, Frame *f)
{
	if (f->phase & TRY_CLEANUP)
		body_cleanup_done(p, f);
	else if ((f->phase & TRY_COUNT) > 1)
		parse_handler_done(p, f);
	f->phase &= ~(uint32_t)TRY_CLEANUP;
}

Parsed parse_handlers_complete(Parser *p, Frame *f)
{
	ArenaMark mark = arena_mark(&p->m->scratch);
	const IrAttr **uses = arena_array(&p->m->scratch, const IrAttr *, p->attrs.len);
	uint32_t n = 0, kept = f->attrs;
	for (uint32_t i = f->attrs; i < p->attrs.len; i++) {
		if (p->attrs.data[i].name == p->known[NAME_handler_types])
			uses[n++] = p->attrs.data[i].value;
		else
			p->attrs.data[kept++] = p->attrs.data[i];
	}
	p->attrs.len = kept;
	if (n)
		push_use(p, ir_attr_array(p->m, uses, n));
	arena_release(&p->m->scratch, mark);
	return PARSED_ALL;
}

static Parsed early_try(Parser *p, Frame *f)
{
	parse_older(p, f->at, "a 'cir.try' with a result");
	return p->old->name_try(p, f) ? parse_handlers_complete(p, f) : PARSED_NO;
}

static Parsed read_handler(Parser *p, Frame *f)
{
	if (f->phase & TRY_LIST) {
		if (accept(p, ','))
			return read_list_entry(p, f);
		f->phase &= ~(uint32_t)TRY_LIST;
		return expect(p, ']') ? parse_handlers_complete(p, f) : PARSED_NO;
	}
	if (accept_word(p, STR("catch")))
		return read_catch(p, f);
	if (accept_word(p, STR("finally")))
		return open_finally(p, f);
	bool ok;
	if (accept_word(p, STR("unwind")))
		ok = parse_handler_word(p, HANDLER_UNWIND);
	else if (accept_word(p, STR("filter")))
		ok = read_filter(p);
	else if (accept_word(p, STR("unexpected")))
		ok = parse_handler_word(p, HANDLER_UNEXPECTED);
	else if (p->bindings.len > f->bindings)
		return early_try(p, f);
	else
		return parse_handlers_complete(p, f);
	return ok ? parse_open_handler(p, f) : PARSED_NO;
}

Parsed parse_custom_try(Parser *p, Frame *f)
{
	if (f->phase & TRY_WHEN)
		return open_do(p, f);
	if (f->phase & TRY_FINALLY)
		return parse_handlers_complete(p, f);
	if (f->phase & TRY_COUNT) {
		region_done(p, f);
		if ((f->phase & TRY_COUNT) == 1 && at_word(p, STR("cleanup"))) {
			parse_older(p, peek(p).at, "the cleanup of a 'cir.try'");
			advance(p);
			f->phase = 2 | TRY_CLEANUP;
			return parse_open_region(p, NULL, 0);
		}
		return read_handler(p, f);
	}
	if (accept_word(p, STR("synthetic")))
		push_flag(p, NAME_synthetic);
	if (accept_word(p, STR("cleanup")))
		push_flag(p, NAME_cleanup);
	if (accept_word(p, STR("async")))
		push_flag(p, NAME_async);
	if (!at(p, '{'))
		return expected(p, "'{'"), PARSED_NO;
	f->phase = 1;
	return parse_open_region(p, NULL, 0);
}
