/* explain/sink.h: text on its way out. */
#ifndef CIRC_EXPLAIN_SINK_H
#define CIRC_EXPLAIN_SINK_H

#include "base/base.h"

typedef struct Sink {
	void (*write)(void *user, const char *data, size_t len);
	void *user;
	bool colour; /* for a terminal */
	size_t n;
	char buffer[4096];
} Sink;

void sink_put(Sink *s, Str text);
void sink_text(Sink *s, const char *text);
void sink_printf(Sink *s, const char *fmt, ...) BASE_PRINTF(2, 3); /* at most 255 bytes */
/* What a terminal obeys becomes "\1B" (base/escape.h). */
void sink_name(Sink *s, const char *text);
/* A string of JSON, quotes included: ASCII, whatever the bytes are. */
void sink_json(Sink *s, const char *text);
void sink_flush(Sink *s);

#endif
