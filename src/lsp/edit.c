/* lsp/edit.c: what changes the text: new names, formatting; and which lines fold. */
#include "lsp/indent.h"
#include "lsp/server.h"

#include "ir/spell.h"
#include "text/print/print.h"
#include "text/read/scan.h"

/* ---- rename ---- */

/* Digits, or a letter $ . _ - and then any of those and digits, as the lexer has it. */
static bool is_suffix_id(Str s)
{
	const char *end = s.data + s.len;
	if (s.len && scan_is(*s.data, DIGIT))
		return scan_class(s.data, end, DIGIT) == end;
	return s.len && scan_suffix(s.data, end) == end;
}

/* As it is written, with its sigil; empty: it cannot be written. */
static Str spelled(Lsp *s, char sigil, Str name)
{
	StrBuf out = {0};
	if (name.len > 1 && *name.data == sigil)
		name = (Str){name.data + 1, name.len - 1};
	buf_char(&s->mem, &out, sigil);
	if (is_suffix_id(name) && (sigil != '@' || !scan_is(*name.data, DIGIT)))
		buf_put(&s->mem, &out, name);
	else if (sigil == '@' && name.len)
		spell_string(&s->mem, &out, name);
	else
		return (Str){0};
	bool has_dot = (sigil == '!' || sigil == '#') &&
	               (memchr(name.data, '.', name.len) || scan_is(*name.data, DIGIT));
	if (has_dot)
		out.len = 0;
	return (Str){out.data, out.len};
}

/* Does a name stand there already that it could be taken for? */
static bool is_taken(const LspNames *n, const LspMeaning *m, Str name)
{
	for (uint32_t i = 0; i < n->meanings.len; i++) {
		const LspMeaning *other = &n->meanings.data[i];
		Str bare = {other->name->text + 1, other->name->len - 1};
		if (other->sigil == m->sigil && other->function == m->function && other != m &&
		    str_equal(bare, name))
			return true;
	}
	return false;
}

static cJSON *edit_of(Asked *a, uint32_t begin, uint32_t end, Str text)
{
	cJSON *edit = cJSON_CreateObject();
	cJSON_AddItemToObject(edit, "range", json_range(a->d, begin, end));
	json_put_text(edit, "newText", &a->s->mem, text);
	return edit;
}

static cJSON *rename_all(Asked *a, const LspMeaning *m, Str text)
{
	const LspNames *n = document_names(a->d);
	cJSON *edits = cJSON_CreateArray();
	for (uint32_t i = m->first; i != LSP_NONE; i = n->names.data[i].next)
		cJSON_AddItemToArray(edits, edit_of(a, n->names.data[i].offset,
		                                    n->names.data[i].offset + n->names.data[i].len, text));
	cJSON *result = cJSON_CreateObject(), *changes = cJSON_AddObjectToObject(result, "changes");
	cJSON_AddItemToObject(changes, a->d->uri, edits);
	return result;
}

cJSON *lsp_rename(Asked *a)
{
	const LspNames *n = document_names(a->d);
	const char *given = json_string(a->params, "newName");
	uint32_t at = lsp_name_at(n, a->offset);
	if (at == LSP_NONE || !given)
		return lsp_refuse(a->s, LSP_INVALID_PARAMS,
		                  given ? "no name is here" : "expected a new name");
	const LspMeaning *m = &n->meanings.data[n->names.data[at].meaning];
	if (m->definition == LSP_NONE)
		return lsp_refuse(a->s, LSP_REQUEST_FAILED, "'%s' is not defined in this text",
		                  m->name->text);
	Str text = spelled(a->s, m->sigil, str_of(given));
	if (!text.len)
		return lsp_refuse(a->s, LSP_INVALID_PARAMS, "'%s' is no name for what begins with '%c'",
		                  given, m->sigil);
	Str bare = str_of(given[0] == m->sigil && given[1] ? given + 1 : given);
	if (is_taken(n, m, bare))
		return lsp_refuse(a->s, LSP_REQUEST_FAILED, "'%.*s' is taken", (int)text.len, text.data);
	return rename_all(a, m, text);
}

/* ---- formatting ---- */

/* The printer knows no comments. They are between tokens. */
static bool has_comments(const Document *d, const LspNames *n)
{
	const char *from = d->text;
	for (uint32_t i = 0; i < n->tokens.len; i++) {
		Token t = n->tokens.data[i];
		if (memchr(from, '/', (size_t)(t.at - from)))
			return true;
		from = t.at + t.len;
	}
	return false;
}

static unsigned print_flags(const LspNames *n)
{
	for (uint32_t i = 0; i + 1 < n->tokens.len; i++)
		if (n->tokens.data[i].kind == TOK_WORD && str_is(token_str(n->tokens.data[i]), "loc"))
			return PRINT_LOCATIONS;
	return 0;
}

static Str printed(IrModule *m, unsigned flags, Arena *mem)
{
	StrBuf out = {0};
	text_print(m, flags, mem, &out);
	return (Str){out.data, out.len};
}

cJSON *lsp_format(Asked *a)
{
	Document *d = a->d;
	LspCheck *c = document_check(d, &a->s->o->check);
	const LspNames *n = document_names(d);
	if (!c->is_good)
		return lsp_refuse(a->s, LSP_REQUEST_FAILED, "text has errors");
	Str text = has_comments(d, n) ? lsp_indent(&a->s->mem, document_text(d), n)
	                              : printed(c->m, print_flags(n), &a->s->mem);
	cJSON *edits = cJSON_CreateArray();
	if (!str_equal(text, document_text(d)))
		cJSON_AddItemToArray(edits, edit_of(a, 0, d->len, text));
	return edits;
}

/* ---- folding ---- */

cJSON *lsp_folds(Asked *a)
{
	Document *d = a->d;
	const LspNames *n = document_names(d);
	cJSON *all = cJSON_CreateArray();
	for (uint32_t i = 0; i < n->tokens.len; i++) {
		if (n->tokens.data[i].kind != '{' || n->match[i] == LSP_NONE)
			continue;
		uint32_t first = document_position(d, (uint32_t)(n->tokens.data[i].at - d->text)).line;
		uint32_t last =
		    document_position(d, (uint32_t)(n->tokens.data[n->match[i]].at - d->text)).line;
		if (last < first + 2)
			continue;
		cJSON *fold = cJSON_CreateObject();
		cJSON_AddNumberToObject(fold, "startLine", first);
		cJSON_AddNumberToObject(fold, "endLine", last - 1); /* what closes it stays in view */
		cJSON_AddItemToArray(all, fold);
	}
	return all;
}
