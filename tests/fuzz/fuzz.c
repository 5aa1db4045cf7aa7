#include "fuzz.h"

#include "base/poison.h"
#include "text/parse.h"
#include "verify/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef BASE_ASAN
/* Memory given back is used again soon, while it is in the cache and the system still has its pages: most of the system's time was pages of
 * memory waiting to be used again. What is used after an input's end is found in 16 MB as well. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=16:malloc_context_size=1";
}
#endif

void fuzz_fail(const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	fputs("fuzz: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	va_end(args);
	abort();
}

static void keep_first(const CircDiagnostic *d, void *user)
{
	FuzzModule *f = user;
	bool error = d->severity == CIRC_ERROR || d->severity == CIRC_FAILURE;
	if (error && !f->message[0])
		snprintf(f->message, sizeof f->message, "%u:%u: %s", d->line, d->column, d->message);
}

static bool read_as(FuzzModule *f, Str text, Dialect dialect)
{
	*f = (FuzzModule){.m = ir_module_create()};
	if (!f->m)
		fuzz_fail("out of memory");
	diag_init(&f->d, keep_first, f);
	if (text_parse_as(f->m, "fuzz", text, dialect, &f->d)) {
		f->stage = ir_module_stage(f->m);
		if (ir_verify(f->m, f->stage, &f->d))
			return true;
	}
	if (!f->d.errors)
		fuzz_fail("a text was refused without a reason");
	fuzz_close(f);
	return false;
}

bool fuzz_read(FuzzModule *f, Str text)
{
	return read_as(f, text, DIALECT_AUTO);
}

bool fuzz_read_printed(FuzzModule *f, Str text)
{
	return read_as(f, text, DIALECT_NEWEST);
}

void fuzz_close(FuzzModule *f)
{
	ir_module_destroy(f->m);
	f->m = NULL;
}

void fuzz_verify(FuzzModule *f, Stage stage, const char *what)
{
	f->message[0] = 0;
	if (!ir_verify(f->m, stage, &f->d))
		fuzz_fail("the result of %s does not verify: %s", what, f->message);
}
