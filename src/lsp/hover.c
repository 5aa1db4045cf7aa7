/* lsp/hover.c: what a name or an op is. Types of results are those of the module, so a text with errors has none; sizes are as well. */
#include "lsp/server.h"

#include "ir/layout.h"
#include "ir/spell.h"
#include "text/parse.h"

enum { EXPANDED_MAX = 1 << 16, EXPANDED_DEPTH = 32 };

/* ---- types ---- */

/* A type's text with the aliases in it written out. False: too long, or an alias of itself. */
static bool expand(Asked *a, uint32_t first, uint32_t end, unsigned depth, StrBuf *out)
{
	const LspNames *n = document_names(a->d);
	for (uint32_t i = first; i < end; i++) {
		Token t = n->tokens.data[i];
		uint32_t at = t.kind == TOK_TYPE || t.kind == TOK_ATTR
		                  ? lsp_name_at(n, (uint32_t)(t.at - a->d->text))
		                  : LSP_NONE;
		const LspMeaning *m =
		    at == LSP_NONE || n->names.data[at].offset != (uint32_t)(t.at - a->d->text)
		        ? NULL
		        : &n->meanings.data[n->names.data[at].meaning];
		if (out->len > EXPANDED_MAX || depth > EXPANDED_DEPTH)
			return false;
		if (m && m->definition != LSP_NONE) {
			uint32_t begin, stop;
			lsp_alias_text(n, document_text(a->d), m, &begin, &stop);
			if (!expand(a, begin, stop, depth + 1, out))
				return false;
		} else {
			bool follows =
			    i > first && n->tokens.data[i - 1].at + n->tokens.data[i - 1].len != t.at;
			if (follows)
				buf_char(&a->s->mem, out, ' ');
			buf_put(&a->s->mem, out, token_str(t));
		}
	}
	return true;
}

/* Of tokens; NULL: the text has errors, or it is no type. */
static IrType *type_of_tokens(Asked *a, uint32_t first, uint32_t end)
{
	LspCheck *c = document_check(a->d, &a->s->o->check);
	StrBuf text = {0};
	Diags quiet;
	if (!c->is_good || first >= end || !expand(a, first, end, 0, &text))
		return NULL;
	diag_init(&quiet, NULL, NULL);
	Str kept = {arena_copy(&a->d->mem, text.data, text.len), text.len}; /* as long as the module */
	return text_parse_type(c->m, kept, &quiet);
}

static void put_type(Asked *a, StrBuf *out, IrType *t)
{
	Arena *mem = &a->s->mem;
	if (ir_type_sized(t))
		buf_printf(mem, out, "\n\nsize %llu, alignment %u", (unsigned long long)ir_type_size(t),
		           ir_type_align(t));
	else
		buf_put(mem, out, STR("\n\nno size"));
}

static void put_code(Asked *a, StrBuf *out, Str code)
{
	enum { SHOWN_MAX = 2000 };
	Arena *mem = &a->s->mem;
	bool is_cut = code.len > SHOWN_MAX;
	buf_put(mem, out, STR("```cir\n"));
	buf_put(mem, out, (Str){code.data, is_cut ? SHOWN_MAX : code.len});
	buf_put(mem, out, is_cut ? STR(" …\n```") : STR("\n```"));
}

/* ---- names ---- */

static IrType *type_of_value(Asked *a, const LspMeaning *m)
{
	const LspNames *n = document_names(a->d);
	LspCheck *c = document_check(a->d, &a->s->o->check);
	if (m->type != LSP_NONE)
		return type_of_tokens(a, m->type, lsp_type_end(n, m->type));
	if (m->op == LSP_NONE || m->definition == LSP_NONE)
		return NULL;
	uint32_t at = (uint32_t)(n->tokens.data[m->op].at - a->d->text);
	const IrOp *op = lsp_check_op(c, at, at);
	return op && m->result < op->nresults ? op->results[m->result].type : NULL;
}

static void put_value(Asked *a, StrBuf *out, const LspMeaning *m)
{
	Arena *mem = &a->s->mem;
	IrType *t = type_of_value(a, m);
	StrBuf code = {0};
	buf_put(mem, &code, name_str(m->name));
	if (t)
		buf_printf(mem, &code, " : %s", ir_type_str(mem, t));
	put_code(a, out, (Str){code.data, code.len});
	if (t)
		put_type(a, out, t);
}

static Str line_of(Document *d, uint32_t offset)
{
	const char *begin = d->text + offset, *end = d->text + d->len;
	while (begin > d->text && begin[-1] != '\n')
		begin--;
	while (*begin == ' ' || *begin == '\t')
		begin++;
	const char *stop = memchr(begin, '\n', (size_t)(end - begin));
	return (Str){begin, (size_t)((stop ? stop : end) - begin)};
}

/* What defines it, and of the alias of a type its size. */
static void put_global(Asked *a, StrBuf *out, const LspMeaning *m)
{
	const LspNames *n = document_names(a->d);
	if (m->definition == LSP_NONE) {
		put_code(a, out, name_str(m->name));
		return;
	}
	uint32_t begin, end;
	put_code(a, out, line_of(a->d, n->names.data[m->definition].offset));
	if (m->sigil != '!')
		return;
	lsp_alias_text(n, document_text(a->d), m, &begin, &end);
	IrType *t = type_of_tokens(a, begin, end);
	if (t)
		put_type(a, out, t);
}

/* ---- ops ---- */

static const char *count_words(Arena *mem, unsigned n, const char *what)
{
	if (!n)
		return "";
	return n == OP_ANY ? arena_printf(mem, ", any number of %ss", what)
	                   : arena_printf(mem, ", %u %s%s", n, what, n > 1 ? "s" : "");
}

static const char *stage_words(Arena *mem, unsigned stages)
{
	static const char *const names[] = {"structured", "flat", "Itanium", "Microsoft"};
	StrBuf out = {0};
	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (stages >> i & 1)
			buf_printf(mem, &out, "%s%s", out.len ? ", " : "", names[i]);
	buf_char(mem, &out, 0);
	return out.data;
}

const char *lsp_op_words(Arena *mem, OpKind kind)
{
	const OpInfo *o = &op_info[kind];
	StrBuf out = {0};
	if (*o->format != '!')
		buf_printf(mem, &out, "written `%s %s`\n\n", o->name, o->format);
	buf_printf(mem, &out, "operands: %s; results: %s%s%s\n\nstages: %s\n\n",
	           *o->operands ? o->operands : "none", *o->results ? o->results : "none",
	           count_words(mem, o->nregions, "region"), count_words(mem, o->nsuccs, "successor"),
	           stage_words(mem, o->stages));
	if (o->flags & OPF_TERM)
		buf_put(mem, &out, STR("ends a block; "));
	if (o->flags & OPF_PURE)
		buf_put(mem, &out, STR("has no effect but its results; "));
	buf_put(mem, &out, o->flags & OPF_THROWS ? STR("may throw") : STR("does not throw"));
	buf_char(mem, &out, 0);
	return out.data;
}

static bool put_op(Asked *a, StrBuf *out, uint32_t token)
{
	const LspNames *n = document_names(a->d);
	OpKind kind = token == LSP_NONE ? OP_COUNT : lsp_op_of(n, n->tokens.data[token]);
	if (kind == OP_COUNT)
		return false;
	put_code(a, out, str_of(op_info[kind].name));
	buf_printf(&a->s->mem, out, "\n\n%s", lsp_op_words(&a->s->mem, kind));
	return true;
}

cJSON *lsp_hover(Asked *a)
{
	const LspNames *n = document_names(a->d);
	uint32_t at = lsp_name_at(n, a->offset),
	         token = lsp_token_before(n, document_text(a->d), a->offset + 1);
	StrBuf out = {0};
	if (at != LSP_NONE) {
		const LspMeaning *m = &n->meanings.data[n->names.data[at].meaning];
		if (m->sigil == '%')
			put_value(a, &out, m);
		else
			put_global(a, &out, m);
	} else if (!put_op(a, &out, token)) {
		return NULL;
	}
	cJSON *result = cJSON_CreateObject(), *contents = cJSON_AddObjectToObject(result, "contents");
	cJSON_AddStringToObject(contents, "kind", "markdown");
	json_put_text(contents, "value", &a->s->mem, (Str){out.data, out.len});
	return result;
}
