/* Heads of functions and globals that are written like an earlier one but for the symbol's name: what the first step of
 * reading (parser.h) makes of such a head is remembered, and taken again with the new name.
 *
 *	cir.func private @_Z1fi(!s32i) -> !s32i attributes {nothrow} loc(#loc3)
 *	cir.func private @(!s32i) -> !s32i attributes {nothrow}                    what two such heads have in common
 *
 * What stands on a line, up to its location or with the brace that opens the body, decides all of it, for the reasons
 * that parse_seen.c gives for other lines, if there is something else behind it: an op on the next line shows that.
 */
#include "text/parser.h"

struct SeenHead {
	Spelling *spelling;
	const FmtElem *elem;
	OpKind kind;
	uint32_t nattrs, symbol; /* which of the attributes is the symbol's name */
	const IrNamedAttr *attrs;
	uint32_t nargs;
	const RegionArg *args; /* of the body */
	const char *end;       /* where the head that was read first ends */
};

bool parse_begins_head(const Parser *p, const char *from)
{
	static const char func[] = "cir.func ", global[] = "cir.global ";
	if ((size_t)(p->lx.end - from) < sizeof global)
		return false;
	return memcmp(from, func, sizeof func - 1) == 0 || memcmp(from, global, sizeof global - 1) == 0;
}

static bool has_body(const Line *l)
{
	return l->end[-1] == '{';
}

const SeenHead *parse_find_head(Parser *p, const char *from)
{
	const Line *l = &p->line;
	p->line.from = NULL;
	p->line.seen = NULL;
	p->type_uses.len = 0;
	if (p->era_a != p->cache_era_a || p->design || !line_cut_head(p, from))
		return NULL;
	const Slice *found = slice_find(&p->seen_heads, l->rest, l->len, l->hash);
	return found ? found->u.ptr : NULL;
}

/* Without its sigil and quotes; what has an escape is not cut. */
static Str symbol_text(Str name)
{
	bool quoted = name.data[1] == '"';
	return (Str){name.data + 1 + quoted, name.len - 1 - 2 * quoted};
}

/* Their names stand as far from the end of the head as in the one that was read first. */
static Parsed open_body(Parser *p, const SeenHead *s)
{
	const Line *l = &p->line;
	p->params.args.len = 0;
	for (uint32_t i = 0; i < s->nargs; i++) {
		RegionArg arg = s->args[i];
		arg.name.at = l->end - (s->end - arg.name.at);
		vec_push(p->mem, &p->params.args, arg);
	}
	lex_seek(&p->lx, l->end - 1);
	return parse_open_region(p, p->params.args.data, s->nargs);
}

Parsed parse_take_head(Parser *p, Frame *f, const SeenHead *s)
{
	const Line *l = &p->line;
	bool body = has_body(l);
	p->line.from = NULL;
	if (body ? !parse_op_on_next_line(p, l->behind) : !line_is_all(p, &f->loc))
		return PARSED_NO;
	f->spelling = s->spelling;
	f->elem = s->elem;
	f->kind = s->kind;
	f->dict_read = f->loc_read = !body;
	f->phase = body;
	vec_reserve(p->mem, &p->attrs, p->attrs.len + s->nattrs);
	memcpy(p->attrs.data + p->attrs.len, s->attrs, s->nattrs * sizeof *s->attrs);
	p->attrs.data[p->attrs.len + s->symbol].value =
	    ir_attr_symbol(p->m, ir_name(p->m, symbol_text(l->names[0])));
	p->attrs.len += s->nattrs;
	return body ? open_body(p, s) : PARSED_ALL;
}

static bool may_remember(const Parser *p, const Frame *f, const char *symbol)
{
	const Line *l = &p->line;
	const char *reached = at(p, '{') ? peek(p).at + 1 : p->lx.before_end;
	return l->from == f->at && l->names[0].data == symbol && reached == l->end && !p->design &&
	       p->warnings.len == f->warnings && p->d->errors == f->errors && p->regions.len == f->regions;
}

void parse_remember_head(Parser *p, const Frame *f, const char *symbol)
{
	const Line *l = &p->line;
	if (!may_remember(p, f, symbol))
		return;
	SeenHead *s = arena_new(p->mem, SeenHead);
	*s = (SeenHead){.spelling = f->spelling,
	                .elem = f->elem,
	                .kind = f->kind,
	                .nattrs = p->attrs.len - f->attrs,
	                .nargs = has_body(l) ? p->params.args.len : 0,
	                .end = l->end};
	s->attrs = arena_copy_n(p->mem, p->attrs.data + f->attrs, s->nattrs, sizeof *s->attrs);
	s->args = arena_copy_n(p->mem, p->params.args.data, s->nargs, sizeof *s->args);
	while (s->attrs[s->symbol].name != p->known[NAME_sym_name])
		s->symbol++;
	slice_add(p->mem, &p->seen_heads, arena_copy(p->mem, l->rest, l->len), l->len, l->hash)->u.ptr = s;
}
