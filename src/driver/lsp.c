#include "driver/lsp.h"

#ifdef CIRC_HAVE_CJSON

#include "driver/unit.h"
#include "lsp/lsp.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { HEADER_MAX = 4096, MESSAGE_MAX = 1 << 30, WATCH = 2000 /* milliseconds */ };

typedef struct Stream {
	Lsp *server;
	char *bytes; /* malloc'ed; read, and not taken yet */
	size_t len, cap;
	bool is_broken; /* nobody reads what is written */
} Stream;

static void send_bytes(Stream *s, const char *bytes, size_t len)
{
	while (len && !s->is_broken) {
		ssize_t n = write(STDOUT_FILENO, bytes, len);
		if (n < 0 && errno == EINTR)
			continue;
		s->is_broken = n <= 0;
		bytes += s->is_broken ? 0 : n;
		len -= s->is_broken ? 0 : (size_t)n;
	}
}

static void send_message(void *user, const char *json, size_t len)
{
	char header[64];
	int n = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", len);
	send_bytes(user, header, (size_t)n);
	send_bytes(user, json, len);
}

/* Is there something to read? A client may be gone while others hold its end of the pipe: then, too, there is. */
static bool has_input(const Stream *s, int milliseconds)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	int n = poll(&in, 1, milliseconds);
	long client = lsp_client(s->server);
	return n != 0 || (milliseconds && client > 0 && kill((pid_t)client, 0) && errno == ESRCH);
}

/* False: the client is gone, or there is no memory. */
static bool read_more(Stream *s)
{
	if (s->len == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 1 << 16;
		char *bytes = realloc(s->bytes, cap);
		if (!bytes)
			return false;
		s->bytes = bytes;
		s->cap = cap;
	}
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	if (poll(&in, 1, 0) == 0)
		return false; /* has_input() said that the client is gone */
	ssize_t n = read(STDIN_FILENO, s->bytes + s->len, s->cap - s->len);
	s->len += n > 0 ? (size_t)n : 0;
	return n > 0 || (n < 0 && errno == EINTR);
}

/* The length of the message that the header says; SIZE_MAX: it says none. */
static size_t length_of(const char *header, size_t len)
{
	static const char key[] = "content-length:";
	for (const char *line = header, *end = header + len; line < end;) {
		const char *next = memchr(line, '\n', (size_t)(end - line));
		next = next ? next + 1 : end;
		if ((size_t)(next - line) > sizeof key && strncasecmp(line, key, sizeof key - 1) == 0) {
			unsigned long n = strtoul(line + sizeof key - 1, NULL, 10);
			return n && n <= MESSAGE_MAX ? n : SIZE_MAX;
		}
		line = next;
	}
	return SIZE_MAX;
}

typedef enum Taken { TAKEN, NEEDS_MORE, NO_MESSAGE } Taken;

static Taken take_one(Stream *s)
{
	char *end = memmem(s->bytes, s->len, "\r\n\r\n", 4);
	if (!end)
		return s->len > HEADER_MAX ? NO_MESSAGE : NEEDS_MORE;
	size_t header = (size_t)(end - s->bytes) + 4, len = length_of(s->bytes, header - 2);
	if (len == SIZE_MAX)
		return NO_MESSAGE;
	if (s->len - header < len)
		return NEEDS_MORE;
	lsp_take(s->server, s->bytes + header, len);
	s->len -= header + len;
	memmove(s->bytes, s->bytes + header + len, s->len);
	return TAKEN;
}

/* Edits that come fast are answered once. */
static void serve(Stream *s, Report *r)
{
	int status = 1;
	while (!lsp_is_done(s->server, &status) && !s->is_broken) {
		Taken taken = s->len ? take_one(s) : NEEDS_MORE;
		if (taken == NO_MESSAGE) {
			report_failure(r, "expected 'Content-Length:' and a number before each message");
			return;
		}
		if (taken == TAKEN)
			continue;
		if (!has_input(s, 0))
			lsp_idle(s->server);
		while (!has_input(s, WATCH))
			;
		if (!read_more(s))
			break;
	}
	if (!lsp_is_done(s->server, &status) || status)
		report_failure(r, "client is gone, and did not say 'exit' after 'shutdown'");
}

void lsp_run(const Options *o, Arena *arena, Report *r)
{
	LspOptions options = {.check = {.from = o->from, .pipeline = unit_pipeline_options(o)},
	                      .version = CIRC_VERSION};
	OomGuard guard, *former = arena->oom;
	Stream s = {0};
	const char *why;
	if (!lsp_load(&why)) {
		report_failure(r, "cannot load cJSON, which 'circ lsp' requires (Debian: libcjson1): %s",
		               why);
		return;
	}
	options.check.pipeline.triple = o->triple;
	options.oom = &guard;
	signal(SIGPIPE, SIG_IGN);
	if (setjmp(guard.env)) {
		report_failure(r, "out of memory");
		return;
	}
	arena->oom = &guard;
	s.server = lsp_create(&options, send_message, &s);
	if (s.server) {
		serve(&s, r);
		lsp_destroy(s.server);
	} else {
		report_failure(r, "out of memory");
	}
	free(s.bytes);
	arena->oom = former;
}

#else

void lsp_run(const Options *o, Arena *arena, Report *r)
{
	(void)o;
	(void)arena;
	report_failure(r,
	               "this circ was built without cJSON, which 'circ lsp' requires (Debian: libcjson-dev)");
}

#endif
