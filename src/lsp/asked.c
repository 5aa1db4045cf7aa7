/* lsp/asked.c: what every answer needs: the document, and a refusal. */
#include "lsp/server.h"

#include <stdarg.h>
#include <stdio.h>

cJSON *lsp_refuse(Lsp *s, int code, const char *fmt, ...)
{
	char text[1024];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	s->error = code;
	s->message = arena_copy(&s->mem, text, strlen(text));
	return NULL;
}

Document *lsp_document(const Lsp *s, const char *uri)
{
	Document *d = s->documents;
	while (d && strcmp(d->uri, uri) != 0)
		d = d->next;
	return d;
}
