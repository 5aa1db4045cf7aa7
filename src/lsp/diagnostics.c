/* lsp/diagnostics.c: messages of the reader and the verifier, as the protocol has them. A note belongs to what is before it. */
#include "lsp/server.h"

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_INFORMATION };

/* Of a message: the token at its place. */
static cJSON *range_of(Document *d, const LspMessage *m)
{
	const LspNames *names = document_names(d);
	uint32_t begin = document_offset_of_column(d, m->line, m->column), end = begin;
	uint32_t token = lsp_token_before(names, document_text(d), begin + 1);
	if (token != LSP_NONE) {
		Token t = names->tokens.data[token];
		uint32_t at = (uint32_t)(t.at - d->text);
		if (at == begin && !memchr(t.at, '\n', t.len))
			end = at + t.len;
	}
	return json_range(d, begin, end);
}

static void add_note(Lsp *s, Document *d, const LspMessage *m, cJSON *about)
{
	cJSON *all = cJSON_GetObjectItemCaseSensitive(about, "relatedInformation");
	if (!all)
		all = cJSON_AddArrayToObject(about, "relatedInformation");
	cJSON *note = cJSON_CreateObject(), *location = cJSON_AddObjectToObject(note, "location");
	json_put_text(location, "uri", &s->mem, str_of(d->uri));
	cJSON_AddItemToObject(location, "range", range_of(d, m));
	json_put_text(note, "message", &s->mem, str_of(m->text));
	cJSON_AddItemToArray(all, note);
}

static cJSON *diagnostic(Lsp *s, Document *d, const LspMessage *m)
{
	int severity = m->severity >= CIRC_ERROR     ? SEVERITY_ERROR
	               : m->severity == CIRC_WARNING ? SEVERITY_WARNING
	                                             : SEVERITY_INFORMATION;
	cJSON *one = cJSON_CreateObject();
	cJSON_AddItemToObject(one, "range", range_of(d, m));
	cJSON_AddNumberToObject(one, "severity", severity);
	cJSON_AddStringToObject(one, "source", "circ");
	json_put_text(one, "message", &s->mem, str_of(m->text));
	return one;
}

cJSON *lsp_diagnostics(Lsp *s, Document *d)
{
	const LspCheck *c = document_check(d, &s->o->check);
	cJSON *all = cJSON_CreateArray(), *last = NULL;
	for (uint32_t i = 0; i < c->messages.len; i++) {
		const LspMessage *m = &c->messages.data[i];
		if (m->severity == CIRC_NOTE && last) {
			add_note(s, d, m, last);
		} else {
			last = diagnostic(s, d, m);
			cJSON_AddItemToArray(all, last);
		}
	}
	return all;
}
