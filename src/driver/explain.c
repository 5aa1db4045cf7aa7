#include "driver/explain.h"

#include "driver/source.h"
#include "explain/explain.h"
#include "explain/module.h"
#include "explain/names/demangle.h"
#include "explain/throw.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool read_module(const Options *o, CircExplanation *e, Report *r, Timing *t)
{
	Unit u;
	unit_open(&u, o, &o->inputs.data[0], r, t, NULL);
	u.oom = e->arena.oom;
	bool ok = unit_read(&u) && unit_verify(&u) && pipeline_run(&u.pipeline, GOAL_FLAT);
	ExplainModule in = {.m = u.m, .triple = u.pipeline.triple, .target = u.pipeline.target};
	ok = ok && explain_module(e, &in, &u.d);
	unit_close(&u);
	return ok;
}

static void write_out(void *file, const char *data, size_t len)
{
	fwrite(data, 1, len, file); /* whether all was written, main() asks at the end */
}

static bool write_all(const Options *o, CircExplanation *e, Report *r)
{
	Sink out = {.write = write_out,
	            .user = stdout,
	            .colour = !o->json && isatty(STDOUT_FILENO) && !getenv("NO_COLOR")};
	if (!o->thrown) {
		(o->json ? explanation_write_json : explanation_write_text)(e, &out);
		return true;
	}
	const char *error = NULL;
	const CircThrowPath *path = explanation_throw(e, o->thrown, o->at, &error);
	if (!path) {
		report_usage(r, "%s", error);
		return false;
	}
	(o->json ? explanation_write_throw_json : explanation_write_throw_text)(e, path, &out);
	return true;
}

/* A module is read by its unit; standard input can only be one. */
static bool is_object(const char *path, Report *r, bool *ok)
{
	char begin[16];
	FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
	*ok = file || strcmp(path, "-") == 0;
	if (!*ok)
		report_failure(r, "cannot read '%s': %s", path, strerror(errno));
	size_t n = file ? fread(begin, 1, sizeof begin, file) : 0;
	if (file)
		fclose(file);
	return explain_is_object((Str){begin, n});
}

static bool read_object(const Options *o, CircExplanation *e, Report *r, Str *bytes)
{
	Diags d;
	diag_init(&d, report_diagnostic, r);
	CircExplainOptions options = {.name = o->inputs.data[0].path, .rows = o->unwind_rows};
	return source_read_bytes(options.name, bytes, r) && explain_object(e, *bytes, &options, &d);
}

static void explain_guarded(const Options *o, CircExplanation *e, Report *r, Timing *t, Str *bytes)
{
	OomGuard guard;
	e->arena.oom = &guard;
	if (setjmp(guard.env)) {
		report_failure(r, "out of memory");
		return;
	}
	bool ok, object = is_object(o->inputs.data[0].path, r, &ok);
	if (!ok || !(object ? read_object(o, e, r, bytes) : read_module(o, e, r, t)))
		return;
	explanation_finish(e, explain_demangle);
	write_all(o, e, r);
}

void explain_file(const Options *o, Report *r, Timing *t)
{
	Str bytes = {0};
	CircExplanation *e = explanation_create();
	if (e)
		explain_guarded(o, e, r, t, &bytes);
	else
		report_failure(r, "out of memory");
	explanation_destroy(e);
	free((void *)(uintptr_t)bytes.data);
}
