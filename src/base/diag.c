#include "base/diag.h"

#include "base/escape.h"

#include <stdarg.h>
#include <stdio.h>

enum { MESSAGE_MAX = 2048 }; /* longer messages (a type of a million members) are cut, with "..." */

void diag_init(Diags *d, CircDiagnosticHandler *handler, void *user)
{
	*d = (Diags){.handler = handler, .user = user, .limit = DIAG_LIMIT};
}

const char *diag_setting(const Diags *d, Setting setting)
{
	static const char *const library[] = {
#define SETTING(id, library, option) [SETTING_##id] = library,
#include "base/setting.def"
	};
	return (d->settings ? d->settings : library)[setting];
}

void diag_set_source(Diags *d, const Source *source)
{
	d->source = source;
	d->line = d->begin = 0;
}

/* From the last message on: most come in the order of the text. Without memory; base/lines.h finds many places. */
static void find_line(Diags *d, uint32_t offset, uint32_t *line, uint32_t *col)
{
	Str text = d->source->text;
	if (offset > text.len)
		offset = (uint32_t)text.len;
	if (!d->line || offset < d->begin) {
		d->line = 1;
		d->begin = 0;
	}
	const char *start = text.data + d->begin, *end = text.data + offset, *nl;
	while (start < end && (nl = memchr(start, '\n', (size_t)(end - start)))) {
		start = nl + 1;
		d->line++;
	}
	d->begin = (uint32_t)(start - text.data);
	*line = d->line;
	*col = offset - d->begin + 1;
}

const LocInfo *loc_file(const LocInfo *info)
{
	for (unsigned depth = 0; info && depth < 64; depth++) {
		if (info->kind == LOC_FILE)
			return info;
		if (!info->ninner)
			return NULL;
		info = info->inner[0];
	}
	return NULL;
}

static void set_place(Diags *d, CircDiagnostic *out, uint32_t offset)
{
	const Source *s = d->source;
	out->file = s->name;
	find_line(d, offset, &out->line, &out->column);
	size_t begin = (offset < s->text.len ? offset : s->text.len) - (out->column - 1);
	const char *line = s->text.data + begin;
	const char *nl = memchr(line, '\n', s->text.len - begin);
	out->source_line = line;
	out->source_line_len = nl ? (size_t)(nl - line) : s->text.len - begin;
}

static void deliver(Diags *d, CircSeverity severity, Loc loc, const char *message)
{
	CircDiagnostic out = {.severity = severity, .message = message};
	char file[1024];
	const LocInfo *origin = loc_file(loc.info);
	if (loc.pos && d->source) {
		set_place(d, &out, loc.pos - 1);
	} else if (origin) {
		snprintf(file, sizeof file, "%.*s", (int)(origin->name.len < 1000 ? origin->name.len : 1000),
		         origin->name.data);
		out.file = file;
		out.line = origin->line;
		out.column = origin->col;
	} else if (d->source) {
		out.file = d->source->name;
	}
	bool repeats = d->memory && (severity == CIRC_WARNING || severity == CIRC_REMARK) &&
	               diag_memory_knows(d->memory, &out);
	if (repeats)
		d->muted = true; /* its notes, too */
	else if (d->handler)
		d->handler(&out, d->user);
}

/* A message is one line, whatever names and words of LLVM it quotes. */
static void one_line(const char *message, char out[MESSAGE_MAX], bool cut)
{
	size_t len = strlen(message);
	while (len && message[len - 1] == '\n')
		len--;
	cut = escape_into(out, MESSAGE_MAX, (Str){message, len}) >= MESSAGE_MAX || cut;
	size_t room = MESSAGE_MAX - sizeof "...", end = strlen(out);
	if (cut)
		memcpy(out + (end < room ? end : room), "...", sizeof "...");
}

static bool is_one_too_many(Diags *d)
{
	if (!d->most || d->lesser++ < d->most)
		return false;
	if (d->lesser == d->most + 1)
		deliver(d, CIRC_NOTE, (Loc){0},
		        "too many warnings, remarks and notes; the rest are not shown");
	return true;
}

static void report(Diags *d, CircSeverity severity, Loc loc, const char *fmt, va_list ap)
{
	if (severity >= CIRC_ERROR) {
		d->muted = d->errors >= d->limit;
		if (d->errors++ == d->limit)
			deliver(d, CIRC_NOTE, (Loc){0}, "too many errors; the rest are not shown");
	} else if (severity != CIRC_NOTE) {
		d->muted = false;
	}
	if (d->muted || (severity < CIRC_ERROR && is_one_too_many(d)))
		return;
	char message[MESSAGE_MAX], line[MESSAGE_MAX];
	int n = vsnprintf(message, sizeof message, fmt, ap);
	one_line(message, line, n >= MESSAGE_MAX);
	deliver(d, severity, loc, line);
}

#define REPORT(severity, loc)                                                                                \
	do {                                                                                                 \
		va_list ap;                                                                                  \
		va_start(ap, fmt);                                                                           \
		report(d, severity, loc, fmt, ap);                                                           \
		va_end(ap);                                                                                  \
	} while (0)

void diag_error(Diags *d, Loc loc, const char *fmt, ...)
{
	REPORT(CIRC_ERROR, loc);
}

void diag_warning(Diags *d, Loc loc, const char *fmt, ...)
{
	REPORT(CIRC_WARNING, loc);
}

void diag_remark(Diags *d, Loc loc, const char *fmt, ...)
{
	REPORT(CIRC_REMARK, loc);
}

void diag_note(Diags *d, Loc loc, const char *fmt, ...)
{
	REPORT(CIRC_NOTE, loc);
}

void diag_failure(Diags *d, const char *fmt, ...)
{
	REPORT(CIRC_FAILURE, ((Loc){0}));
}
