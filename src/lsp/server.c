#include "lsp/server.h"

#include <stdlib.h>

Lsp *lsp_create(const LspOptions *o, LspSend *send, void *user)
{
	Lsp *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	*s = (Lsp){.o = o, .send = send, .user = user};
	arena_init(&s->mem);
	s->mem.oom = o->oom;
	return s;
}

void lsp_destroy(Lsp *s)
{
	while (s->documents) {
		Document *d = s->documents;
		s->documents = d->next;
		document_destroy(d);
	}
	arena_free(&s->mem);
	free(s);
}

bool lsp_is_done(const Lsp *s, int *status)
{
	*status = s->is_shut_down ? 0 : 1;
	return s->is_done;
}

long lsp_client(const Lsp *s)
{
	return s->client;
}

/* ---- what is sent ---- */

static void send_message(Lsp *s, cJSON *message)
{
	cJSON_AddStringToObject(message, "jsonrpc", "2.0");
	char *text = cJSON_PrintUnformatted(message);
	cJSON_Delete(message);
	if (!text)
		arena_exhausted(&s->mem);
	s->send(s->user, text, strlen(text));
	cJSON_free(text);
}

static void notify(Lsp *s, const char *method, cJSON *params)
{
	cJSON *message = cJSON_CreateObject();
	cJSON_AddStringToObject(message, "method", method);
	cJSON_AddItemToObject(message, "params", params);
	send_message(s, message);
}

static void answer(Lsp *s, const cJSON *id, cJSON *result)
{
	cJSON *message = cJSON_CreateObject();
	cJSON_AddItemToObject(message, "id", id ? cJSON_Duplicate(id, true) : cJSON_CreateNull());
	if (s->error) {
		cJSON *error = cJSON_AddObjectToObject(message, "error");
		cJSON_AddNumberToObject(error, "code", s->error);
		json_put_text(error, "message", &s->mem, str_of(s->message));
	} else {
		cJSON_AddItemToObject(message, "result", result ? result : cJSON_CreateNull());
	}
	send_message(s, message);
}

/* ---- the life of a server ---- */

static cJSON *sync_kind(void)
{
	cJSON *sync = cJSON_CreateObject();
	cJSON_AddBoolToObject(sync, "openClose", true);
	cJSON_AddNumberToObject(sync, "change", 2); /* edits, not whole texts */
	return sync;
}

static void add_strings(cJSON *object, const char *key, const char *const *strings, int n)
{
	cJSON_AddItemToObject(object, key, cJSON_CreateStringArray(strings, n));
}

static cJSON *capabilities(const Lsp *s)
{
	static const char *const can[] = {
	    "definitionProvider", "referencesProvider",   "documentHighlightProvider", "hoverProvider",
	    "renameProvider",     "foldingRangeProvider", "documentFormattingProvider"};
	static const char *const sigils[] = {"%", "^", "@", "!", "#", "."};
	static const char *const commands[] = {LSP_SHOW};
	cJSON *all = cJSON_CreateObject();
	cJSON_AddStringToObject(all, "positionEncoding", s->encoding == LSP_UTF8 ? "utf-8" : "utf-16");
	cJSON_AddItemToObject(all, "textDocumentSync", sync_kind());
	for (size_t i = 0; i < ARRAY_LEN(can); i++)
		cJSON_AddBoolToObject(all, can[i], true);
	add_strings(cJSON_AddObjectToObject(all, "completionProvider"), "triggerCharacters", sigils,
	            ARRAY_LEN(sigils));
	add_strings(cJSON_AddObjectToObject(all, "executeCommandProvider"), "commands", commands,
	            ARRAY_LEN(commands));
	return all;
}

static cJSON *initialize(Asked *a)
{
	Lsp *s = a->s;
	const cJSON *encoding, *encodings = json_member(a->params, "capabilities.general.positionEncodings");
	cJSON_ArrayForEach(encoding, encodings)
	{
		const char *name = cJSON_GetStringValue(encoding);
		if (name && strcmp(name, "utf-8") == 0)
			s->encoding = LSP_UTF8;
	}
	uint32_t client = json_uint(a->params, "processId");
	s->client = client <= INT32_MAX ? (long)client : 0;
	s->is_initialized = true;
	cJSON *result = cJSON_CreateObject();
	cJSON_AddItemToObject(result, "capabilities", capabilities(s));
	cJSON *info = cJSON_AddObjectToObject(result, "serverInfo");
	cJSON_AddStringToObject(info, "name", "circ");
	cJSON_AddStringToObject(info, "version", s->o->version);
	return result;
}

static cJSON *shut_down(Asked *a)
{
	a->s->is_shut_down = true;
	return NULL;
}

static cJSON *leave(Asked *a)
{
	a->s->is_done = true;
	return NULL;
}

static cJSON *ignore(Asked *a)
{
	(void)a;
	return NULL;
}

/* ---- documents ---- */

static void publish(Lsp *s, Document *d)
{
	cJSON *params = cJSON_CreateObject();
	json_put_text(params, "uri", &s->mem, str_of(d->uri));
	cJSON_AddNumberToObject(params, "version", d->version);
	cJSON_AddItemToObject(params, "diagnostics", lsp_diagnostics(s, d));
	notify(s, "textDocument/publishDiagnostics", params);
	d->is_published = true;
}

static void set_version(Asked *a)
{
	const cJSON *version = json_member(a->params, "textDocument.version");
	a->d->version = cJSON_IsNumber(version) ? version->valueint : 0;
}

/* A text that is open already is replaced. */
static cJSON *open_document(Asked *a)
{
	Lsp *s = a->s;
	const char *uri = json_string(a->params, "textDocument.uri"),
	           *text = json_string(a->params, "textDocument.text");
	if (!uri || !text)
		return lsp_refuse(s, LSP_INVALID_PARAMS, "expected 'uri' and 'text' of a document");
	a->d = lsp_document(s, uri);
	if (!a->d) {
		a->d = document_create(uri, s->encoding, s->o->oom);
		if (!a->d)
			arena_exhausted(&s->mem);
		a->d->next = s->documents;
		s->documents = a->d;
	}
	set_version(a);
	if (!document_replace(a->d, 0, a->d->len, str_of(text)))
		return lsp_refuse(s, LSP_REQUEST_FAILED, "text of more than 2 GiB");
	return NULL;
}

static cJSON *change_document(Asked *a)
{
	const cJSON *change, *changes = json_member(a->params, "contentChanges");
	cJSON_ArrayForEach(change, changes)
	{
		const char *text = json_string(change, "text");
		LspPosition from, to;
		uint32_t begin = 0, end = a->d->len;
		if (json_position(change, "range.start", &from) && json_position(change, "range.end", &to)) {
			begin = document_offset(a->d, from);
			end = document_offset(a->d, to);
		}
		if (!text || end < begin || !document_replace(a->d, begin, end, str_of(text)))
			return lsp_refuse(a->s, LSP_INVALID_PARAMS, "expected a text for a range");
	}
	set_version(a);
	return NULL;
}

static cJSON *close_document(Asked *a)
{
	Lsp *s = a->s;
	Document **at = &s->documents;
	while (*at != a->d)
		at = &(*at)->next;
	*at = a->d->next;
	cJSON *params = cJSON_CreateObject();
	json_put_text(params, "uri", &s->mem, str_of(a->d->uri));
	cJSON_AddItemToObject(params, "diagnostics", cJSON_CreateArray());
	notify(s, "textDocument/publishDiagnostics", params);
	document_destroy(a->d);
	return NULL;
}

/* ---- methods ---- */

typedef enum Needs { NEEDS_NOTHING, NEEDS_DOCUMENT, NEEDS_PLACE } Needs;

static const struct Method {
	const char *name;
	LspAnswer *answer;
	Needs needs;
	bool is_request;
} methods[] = {
    {"initialize", initialize, NEEDS_NOTHING, true},
    {"initialized", ignore, NEEDS_NOTHING, false},
    {"shutdown", shut_down, NEEDS_NOTHING, true},
    {"exit", leave, NEEDS_NOTHING, false},
    {"textDocument/didOpen", open_document, NEEDS_NOTHING, false},
    {"textDocument/didChange", change_document, NEEDS_DOCUMENT, false},
    {"textDocument/didClose", close_document, NEEDS_DOCUMENT, false},
    {"textDocument/didSave", ignore, NEEDS_NOTHING, false},
    {"textDocument/definition", lsp_definition, NEEDS_PLACE, true},
    {"textDocument/references", lsp_references, NEEDS_PLACE, true},
    {"textDocument/documentHighlight", lsp_highlights, NEEDS_PLACE, true},
    {"textDocument/hover", lsp_hover, NEEDS_PLACE, true},
    {"textDocument/completion", lsp_completion, NEEDS_PLACE, true},
    {"textDocument/rename", lsp_rename, NEEDS_PLACE, true},
    {"textDocument/foldingRange", lsp_folds, NEEDS_DOCUMENT, true},
    {"textDocument/formatting", lsp_format, NEEDS_DOCUMENT, true},
    {"workspace/executeCommand", lsp_show, NEEDS_NOTHING, true},
};

static const struct Method *find_method(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(methods); i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}

/* False: refused. */
static bool find_place(Asked *a, Needs needs)
{
	const char *uri = json_string(a->params, "textDocument.uri");
	LspPosition p;
	a->d = needs != NEEDS_NOTHING && uri ? lsp_document(a->s, uri) : NULL;
	if (needs != NEEDS_NOTHING && !a->d) {
		lsp_refuse(a->s, LSP_INVALID_PARAMS, "no document '%s' is open", uri ? uri : "");
		return false;
	}
	if (needs != NEEDS_PLACE)
		return true;
	if (!json_position(a->params, "position", &p)) {
		lsp_refuse(a->s, LSP_INVALID_PARAMS, "expected a position");
		return false;
	}
	a->offset = document_offset(a->d, p);
	return true;
}

static bool is_allowed(Lsp *s, const struct Method *m)
{
	bool is_first = m->answer == initialize;
	if (is_first == s->is_initialized && m->answer != leave)
		lsp_refuse(s, is_first ? LSP_INVALID_REQUEST : LSP_NOT_INITIALIZED,
		           is_first ? "initialized already" : "not initialized yet");
	else if (s->is_shut_down && m->answer != leave)
		lsp_refuse(s, LSP_INVALID_REQUEST, "shut down");
	return !s->error;
}

/* An answer to nothing that was asked has no method. Notifications have no answer, whatever is wrong with them. */
static void take_message(Lsp *s, const cJSON *message)
{
	const char *name = json_string(message, "method");
	const cJSON *id = json_member(message, "id");
	const struct Method *m = name ? find_method(name) : NULL;
	Asked a = {.s = s, .params = json_member(message, "params")};
	cJSON *result = NULL;
	if (!name && (json_member(message, "result") || json_member(message, "error")))
		return;
	if (!name)
		lsp_refuse(s, LSP_INVALID_REQUEST, "expected a method");
	else if (!m)
		lsp_refuse(s, LSP_UNKNOWN_METHOD, "unknown method '%s'", name);
	else if (is_allowed(s, m) && find_place(&a, m->needs))
		result = m->answer(&a);
	if (id || !name)
		answer(s, id, result);
	else
		cJSON_Delete(result);
}

void lsp_take(Lsp *s, const char *json, size_t len)
{
	cJSON *message = cJSON_ParseWithLength(json, len);
	s->error = 0;
	if (message) {
		take_message(s, message);
	} else {
		lsp_refuse(s, LSP_PARSE_ERROR, "message is not JSON");
		answer(s, NULL, NULL);
	}
	cJSON_Delete(message);
	arena_release(&s->mem, (ArenaMark){0});
}

void lsp_idle(Lsp *s)
{
	for (Document *d = s->documents; d; d = d->next)
		if (!d->is_published)
			publish(s, d);
	arena_release(&s->mem, (ArenaMark){0});
}
