#include "driver/report.h"

#include "base/escape.h"
#include "driver/excerpt.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const severity_names[] = {"note", "remark", "warning", "error", "error"};
static const char *const severity_colours[] = {"\033[1;36m", "\033[1;34m", "\033[1;35m", "\033[1;31m",
                                               "\033[1;31m"};

void report_init(Report *r)
{
	const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
	bool plain = (no_colour && *no_colour) || !term || strcmp(term, "dumb") == 0;
	*r = (Report){.out = stderr, .colour = isatty(STDERR_FILENO) && !plain};
}

bool report_open_buffer(Report *r, const Report *like)
{
	*r = (Report){.colour = like->colour};
	r->out = open_memstream(&r->kept, &r->nkept);
	return r->out != NULL;
}

void report_flush(Report *buffer, Report *to)
{
	if (fclose(buffer->out) == 0)
		fwrite(buffer->kept, 1, buffer->nkept, to->out);
	else
		report_failure(to, "out of memory");
	to->errors += buffer->errors;
	to->failures += buffer->failures;
	to->usage = to->usage || buffer->usage;
	free(buffer->kept);
	*buffer = (Report){0};
}

static const char *paint(const Report *r, const char *sequence)
{
	return r->colour ? sequence : "";
}

static void print_place(FILE *out, const CircDiagnostic *d)
{
	char file[PATH_MAX];
	if (d->file)
		escape_into(file, sizeof file, str_of(d->file));
	if (!d->file)
		fputs("circ: ", out);
	else if (!d->line)
		fprintf(out, "%s: ", file);
	else if (!d->column)
		fprintf(out, "%s:%u: ", file, d->line);
	else
		fprintf(out, "%s:%u:%u: ", file, d->line, d->column);
}

static void print_excerpt(const Report *r, const CircDiagnostic *d)
{
	char text[EXCERPT_MAX];
	size_t caret = excerpt_make((Str){d->source_line, d->source_line_len}, d->column - 1, text);
	fprintf(r->out, "  %s\n  %*s%s^%s\n", text, (int)caret, "", paint(r, "\033[1;32m"),
	        paint(r, "\033[0m"));
}

static void report_diagnostic(const CircDiagnostic *d, void *report)
{
	Report *r = report;
	r->errors += d->severity == CIRC_ERROR;
	r->failures += d->severity == CIRC_FAILURE;
	fputs(paint(r, "\033[1m"), r->out);
	print_place(r->out, d);
	fprintf(r->out, "%s%s:%s ", paint(r, severity_colours[d->severity]), severity_names[d->severity],
	        paint(r, "\033[0;1m"));
	fprintf(r->out, "%s%s\n", d->message, paint(r, "\033[0m"));
	if (d->source_line && d->column)
		print_excerpt(r, d);
}

void report_diagnostics(Report *r, Diags *d)
{
	static const char *const options[] = {
#define SETTING(id, library, option) [SETTING_##id] = option,
#include "base/setting.def"
	};
	diag_init(d, report_diagnostic, r);
	d->settings = options;
}

BASE_PRINTF(4, 0)
static void report(Report *r, CircSeverity severity, const char *file, const char *fmt, va_list ap)
{
	char message[2048], line[2048];
	vsnprintf(message, sizeof message, fmt, ap);
	escape_into(line, sizeof line, str_of(message));
	report_diagnostic(&(CircDiagnostic){.severity = severity, .file = file, .message = line}, r);
}

#define REPORT(severity, file)                                                                               \
	do {                                                                                                 \
		va_list ap;                                                                                  \
		va_start(ap, fmt);                                                                           \
		report(r, severity, file, fmt, ap);                                                          \
		va_end(ap);                                                                                  \
	} while (0)

void report_usage(Report *r, const char *fmt, ...)
{
	REPORT(CIRC_ERROR, NULL);
	r->usage = true;
}

void report_failure(Report *r, const char *fmt, ...)
{
	REPORT(CIRC_FAILURE, NULL);
}

void report_file_error(Report *r, const char *file, const char *fmt, ...)
{
	REPORT(CIRC_ERROR, file);
}

void report_warning(Report *r, const char *fmt, ...)
{
	REPORT(CIRC_WARNING, NULL);
}

int report_exit_code(const Report *r)
{
	if (r->usage)
		return 2;
	return r->failures ? 3 : r->errors ? 1 : 0;
}
