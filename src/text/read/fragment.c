/* Types and attributes that are given to the builder as text. */
#include "text/read/parse.h"

#include "text/read/parser.h"

typedef struct Fragment {
	Source source;
	const Source *former; /* of the diagnostics */
	ArenaMark mark;
	Parser *p;
} Fragment;

static bool begin(Fragment *f, IrModule *m, Str text, Diags *d)
{
	if (text.len >= INT32_MAX) {
		diag_error(d, (Loc){0}, "text is too large: it has %zu bytes (limit 2 GiB)", text.len);
		return false;
	}
	f->source = (Source){"<text>", text};
	f->former = d->source;
	diag_set_source(d, &f->source);
	f->mark = arena_mark(&m->scratch);
	f->p = parse_begin(m, text, d);
	return true;
}

/* Did all of the text belong to it? Reports what was wrong. */
static bool end(Fragment *f, IrModule *m, Diags *d, bool ok)
{
	if (ok && !at(f->p, TOK_EOF))
		ok = expected(f->p, "the end of the text");
	if (!ok)
		parse_deliver(f->p);
	if (ok)
		parse_tell_padding(f->p);
	arena_release(&m->scratch, f->mark);
	diag_set_source(d, f->former);
	return ok;
}

IrType *text_parse_type(IrModule *m, Str text, Diags *d)
{
	Fragment f;
	if (!begin(&f, m, text, d))
		return NULL;
	IrType *t = parse_type(f.p);
	return end(&f, m, d, t != NULL) ? t : NULL;
}

const IrAttr *text_parse_attr(IrModule *m, Str text, Diags *d)
{
	Fragment f;
	if (!begin(&f, m, text, d))
		return NULL;
	const IrAttr *a = parse_attr(f.p);
	return end(&f, m, d, a != NULL) ? a : NULL;
}
