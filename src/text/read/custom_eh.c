/* Custom spellings of the exception ops: cir-reference 5.11 and 5.13. */
#include "text/read/parser.h"

/* %t : !cir.eh_token [ catch(ATTR) : ^a, when(@f) : ^w, filter(ATTR, …) : ^v, catch_all : ^c or unwind : ^d ] */

typedef struct Dispatch {
	VEC(const IrAttr *) catches, filters;
	SuccRef filter, fallback;
	bool has_filter, has_fallback, is_catch_all;
} Dispatch;

/* D types the type-info attribute as an integer. */
static const IrAttr *handler_type(Parser *p)
{
	const char *where = peek(p).at;
	const IrAttr *a = parse_attr(p);
	if (a && a->kind != ATTR_GLOBAL_VIEW) {
		parse_fail(p, where, "expected a type info, '#cir.global_view<@name>'");
		return NULL;
	}
	if (a && a->type->kind == TYPE_INT) {
		parse_older(p, where, "a type info as an integer");
		a = ir_attr_global_view(p->m, ir_type_ptr(p->m, p->m->u8), a->name, a->elems, a->n);
	}
	return a;
}

/* `: ^b`; the token is passed implicitly. */
static bool destination(Parser *p)
{
	if (!expect(p, ':'))
		return false;
	const char *where = peek(p).at;
	if (!parse_successor(p))
		return false;
	return !p->succs.data[p->succs.len - 1].nargs ||
	       parse_fail(p, where, "expected no arguments: the token is passed implicitly");
}

static bool catch_entry(Parser *p, Dispatch *d)
{
	const IrAttr *type;
	if (!expect(p, '(') || !(type = handler_type(p)) || !expect(p, ')'))
		return false;
	vec_push(p->mem, &d->catches, type);
	return destination(p);
}

/* Among the types, in their order: a plain symbol. */
static bool when_entry(Parser *p, Dispatch *d)
{
	if (!expect(p, '('))
		return false;
	if (!at(p, TOK_SYMBOL))
		return expected(p, "a filter function, '@name'");
	Name *filter = parse_symbol(p);
	if (!filter || !expect(p, ')'))
		return false;
	vec_push(p->mem, &d->catches, ir_attr_symbol(p->m, filter));
	return destination(p);
}

static bool filter_entry(Parser *p, Dispatch *d)
{
	if (!expect(p, '('))
		return false;
	while (!at(p, ')')) {
		const IrAttr *type = handler_type(p);
		if (!type)
			return false;
		vec_push(p->mem, &d->filters, type);
		if (!accept(p, ','))
			break;
	}
	if (!expect(p, ')') || !destination(p))
		return false;
	d->has_filter = true;
	d->filter = vec_pop(&p->succs);
	return true;
}

static bool default_entry(Parser *p, Dispatch *d, const char *where, bool catch_all)
{
	if (d->has_fallback && d->is_catch_all == catch_all)
		return parse_fail(p, where, "duplicate '%s' handler", catch_all ? "catch_all" : "unwind");
	if (d->has_fallback)
		return parse_fail(p, where, "cannot have both 'catch_all' and 'unwind'");
	if (!destination(p))
		return false;
	d->has_fallback = true;
	d->is_catch_all = catch_all;
	d->fallback = vec_pop(&p->succs);
	return true;
}

static bool dispatch_entry(Parser *p, Dispatch *d)
{
	const char *where = peek(p).at;
	if (accept_word(p, STR("catch")))
		return catch_entry(p, d);
	if (accept_word(p, STR("when")))
		return when_entry(p, d);
	if (accept_word(p, STR("catch_all")))
		return default_entry(p, d, where, true);
	if (accept_word(p, STR("unwind")))
		return default_entry(p, d, where, false);
	if (d->has_filter || !accept_word(p, STR("filter")))
		return expected_here(p, "'catch', 'catch_all' or 'unwind'");
	return filter_entry(p, d);
}

Parsed parse_custom_eh_dispatch(Parser *p, Frame *f)
{
	OperandRef token;
	Dispatch d = {0};
	if (!parse_operand(p, &token) || !expect(p, ':') || !(token.type = parse_type(p)))
		return PARSED_NO;
	push_operand(p, token);
	if (!expect(p, '['))
		return PARSED_NO;
	while (!at(p, ']')) {
		if (!dispatch_entry(p, &d))
			return PARSED_NO;
		if (!accept(p, ',') && !at(p, ']') && parse_same_line(p)) {
			expected(p, "',' or ']'");
			return PARSED_NO;
		}
	}
	if (!d.has_fallback) {
		parse_fail(p, f->at, "must have either 'catch_all' or 'unwind' handler");
		return PARSED_NO;
	}
	advance(p);
	if (d.has_filter)
		vec_push(p->mem, &p->succs, d.filter);
	vec_push(p->mem, &p->succs, d.fallback);
	push_attr(p, p->known[NAME_catch_types], ir_attr_array(p->m, d.catches.data, d.catches.len));
	if (d.has_filter)
		push_attr(p, p->known[NAME_filter_types], ir_attr_array(p->m, d.filters.data, d.filters.len));
	if (d.is_catch_all)
		push_flag(p, NAME_default_is_catch_all);
	return PARSED_ALL;
}

/* Microsoft pads */

/* `within none`, `within %pad` */
static bool within(Parser *p, bool none_allowed)
{
	if (!expect_word(p, STR("within")))
		return false;
	if (none_allowed && accept_word(p, STR("none")))
		return true;
	OperandRef pad;
	if (!at_operand(p) && none_allowed)
		return expected(p, "'none' or a pad");
	if (!parse_operand(p, &pad))
		return false;
	push_operand(p, pad);
	return true;
}

/* `unwind to caller`, `unwind to ^b` */
static bool unwind_to(Parser *p, bool *caller)
{
	if (!expect_word(p, STR("unwind")) || !expect_word(p, STR("to")))
		return false;
	*caller = accept_word(p, STR("caller"));
	if (*caller)
		return true;
	return at(p, TOK_BLOCK) ? parse_successor(p) : expected(p, "'caller' or a block");
}

/* `: T`, optional: the result needs no type. */
static bool result_type(Parser *p, TypeKind kind)
{
	bool ok;
	if (!at(p, ':'))
		return true;
	advance(p);
	const char *where = peek(p).at;
	IrType *t = parse_type(p);
	ok = t && (t->kind == kind ||
	           parse_fail(p, where, "expected '%s'", ir_type_str(p->mem, ir_type_simple(p->m, kind))));
	return ok;
}

/* within none [^h1, ^h2] unwind to caller */
Parsed parse_custom_catchswitch(Parser *p, Frame *f)
{
	(void)f;
	bool caller;
	if (!within(p, true) || !expect(p, '['))
		return PARSED_NO;
	do {
		if (!parse_successor(p))
			return PARSED_NO;
	} while (accept(p, ','));
	if (!expect(p, ']') || !unwind_to(p, &caller))
		return PARSED_NO;
	if (caller)
		push_flag(p, NAME_unwind_to_caller);
	return PARSED_ALL;
}

typedef struct PadArgs {
	Name *descriptor; /* NULL: null */
	uint64_t adjectives;
	OperandRef object; /* at NULL: null */
	Name *filter;      /* instead of all these; NULL: none */
} PadArgs;

/* `@"??_R0H@8"`, `eh.typeid @"…"`, `ptr @"…"`, `null` */
static bool pad_descriptor(Parser *p, PadArgs *a)
{
	const char *where = peek(p).at;
	if (!accept_word(p, STR("ptr"))) {
		parse_older(p, where, "a type descriptor without 'ptr'");
		accept_word(p, STR("eh.typeid"));
	}
	if (accept_word(p, STR("null")))
		return true;
	if (!at(p, TOK_SYMBOL))
		return expected(p, "a type descriptor, '@name', or 'null'");
	a->descriptor = parse_symbol(p);
	return true;
}

/* `0`, `i32 0` */
static bool pad_adjectives(Parser *p, PadArgs *a)
{
	const char *where = peek(p).at;
	if (!accept_word(p, STR("i32")))
		parse_older(p, where, "adjectives without 'i32'");
	where = peek(p).at;
	if (!parse_uint(p, &a->adjectives, "adjectives, an integer"))
		return false;
	return a->adjectives <= UINT32_MAX || parse_fail(p, where, "integer value too large");
}

/* `%e`, `ptr %e`, `null` */
static bool pad_object(Parser *p, PadArgs *a)
{
	const char *where = peek(p).at;
	if (!accept_word(p, STR("ptr")))
		parse_older(p, where, "a catch object without 'ptr'");
	if (accept_word(p, STR("null")))
		return true;
	if (!at_operand(p))
		return expected(p, "a catch object, '%name', or 'null'");
	OperandRef r;
	if (!parse_operand(p, &r))
		return false;
	const IrType *t = value_known_type(p, &r);
	if (t && ir_is_token(t)) /* a slip of the design document */
		parse_warn(p, r.at, "the catch object is a token; assuming null");
	else
		a->object = r;
	return true;
}

/* `: (T, U, V)`, `: T`: as the document has them, these say nothing that is not known. */
static bool pad_types(Parser *p)
{
	if (!at(p, ':'))
		return true;
	parse_older(p, peek(p).at, "the types of what a pad catches");
	advance(p);
	return at(p, '(') ? parse_type_list(p, &p->list) : parse_type(p) != NULL;
}

static bool pad_filter(Parser *p, PadArgs *a)
{
	if (!at(p, TOK_SYMBOL))
		return expected(p, "a function, '@name'");
	a->filter = parse_symbol(p);
	return expect(p, ']');
}

static bool pad_args(Parser *p, PadArgs *a)
{
	if (!expect(p, '['))
		return false;
	if (accept_word(p, STR("filter")))
		return pad_filter(p, a);
	if (!pad_descriptor(p, a))
		return false;
	if (accept(p, ',')) {
		if (!pad_adjectives(p, a) || !expect(p, ',') || !pad_object(p, a))
			return false;
	} else if (!a->descriptor) {
		parse_older(p, p->lx.before_end, "a pad without adjectives");
		a->adjectives = 64; /* catch all, short */
	} else {
		return expected(p, "',' and the adjectives");
	}
	return pad_types(p) && expect(p, ']');
}

/* within %s [@"??_R0H@8", 0, %e], within %s [filter @f] */
Parsed parse_custom_catchpad(Parser *p, Frame *f)
{
	(void)f;
	PadArgs a = {0};
	if (!within(p, false) || !pad_args(p, &a) || !result_type(p, TYPE_CATCH_TOKEN))
		return PARSED_NO;
	if (a.object.at)
		push_operand(p, a.object);
	if (a.filter) {
		push_attr(p, p->known[NAME_filter], ir_attr_symbol(p->m, a.filter));
		return PARSED_ALL;
	}
	if (a.descriptor)
		push_attr(p, p->known[NAME_type_descriptor], ir_attr_symbol(p->m, a.descriptor));
	push_attr(p, p->known[NAME_adjectives], ir_attr_i64(p->m, (int64_t)a.adjectives));
	return PARSED_ALL;
}

/* within none [] */
Parsed parse_custom_cleanuppad(Parser *p, Frame *f)
{
	(void)f;
	if (!within(p, true) || (accept(p, '[') && !expect(p, ']')) || !result_type(p, TYPE_CLEANUP_TOKEN))
		return PARSED_NO;
	return PARSED_ALL;
}

/* from %c unwind to ^b */
Parsed parse_custom_cleanupret(Parser *p, Frame *f)
{
	(void)f;
	OperandRef pad;
	bool caller;
	if (at_word(p, STR("within")))
		parse_older(p, peek(p).at, "'within' for 'from'");
	if (!accept_word(p, STR("within")) && !expect_word(p, STR("from")))
		return PARSED_NO;
	if (!parse_operand(p, &pad))
		return PARSED_NO;
	push_operand(p, pad);
	return unwind_to(p, &caller) ? PARSED_ALL : PARSED_NO;
}
