/* The door of the reader: today's grammar (text/read), told of the older ones (text/old). */
#include "text/parse.h"

#include "text/old/old.h"

enum { TEXT_LIMIT = INT32_MAX };

static bool check_size(Str text, Diags *d)
{
	if (text.len < TEXT_LIMIT)
		return true;
	diag_error(d, (Loc){0}, "text is too large: it has %zu bytes (limit 2 GiB)", text.len);
	return false;
}

/* A module */

bool text_parse(IrModule *m, const char *name, Str text, Diags *d)
{
	return text_parse_as(m, name, text, DIALECT_AUTO, d);
}

bool text_parse_as(IrModule *m, const char *name, Str text, Dialect dialect, Diags *d)
{
	m->source = (Source){name, text};
	diag_set_source(d, &m->source);
	uint32_t errors = d->errors;
	if (!check_size(text, d))
		return false;
	ArenaMark mark = arena_mark(&m->scratch);
	Parser *p = parse_begin(m, text, &old_text, d);
	p->newest = dialect == DIALECT_NEWEST;
	if (dialect == DIALECT_EARLIEST)
		parse_in_era_a(p);
	parse_whole_text(p);
	if (p->older || dialect == DIALECT_EARLIEST)
		ir_module_set_attr(m, ir_known_name(m, NAME_circ_older_text), ir_attr_unit(m));
	m->repair = p->newest ? REPAIR_NONE : REPAIR_AUTO;
	m->dated = p->design ? 0 : p->dated; /* the design document's spellings are of no clang */
	arena_release(&m->scratch, mark);
	return d->errors == errors;
}

/* A type or an attribute that is given to the builder */

typedef struct Fragment {
	Source source;
	const Source *former; /* of the diagnostics */
	ArenaMark mark;
	Parser *p;
} Fragment;

static bool begin(Fragment *f, IrModule *m, Str text, Diags *d)
{
	if (!check_size(text, d))
		return false;
	f->source = (Source){"<text>", text};
	f->former = d->source;
	diag_set_source(d, &f->source);
	f->mark = arena_mark(&m->scratch);
	f->p = parse_begin(m, text, &old_text, d);
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
		f->p->old->tell_padding(f->p);
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
