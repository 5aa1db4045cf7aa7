#include "driver/explain.h"

#include "driver/source.h"
#include "explain/explain.h"
#include "explain/merge.h"
#include "explain/module.h"
#include "explain/names/demangle.h"
#include "explain/throw.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool read_module(const Options *o, const Input *input, CircExplanation *e, Report *r, Timing *t)
{
	Unit u;
	unit_open(&u, o, input, r, t, NULL);
	u.oom = e->arena.oom;
	bool ok = unit_read(&u) && unit_verify(&u) && pipeline_check_asked_target(&u.pipeline) &&
	          pipeline_run(&u.pipeline, GOAL_FLAT);
	ExplainModule in = {.m = u.m, .triple = u.pipeline.triple, .target = u.pipeline.target};
	ok = ok && explain_module(e, &in, &u.d);
	unit_close(&u);
	return ok;
}

static void write_out(void *file, const char *data, size_t len)
{
	fwrite(data, 1, len, file); /* whether all was written, main() asks at the end */
}

static void write_all(const Options *o, CircExplanation *e, Report *r)
{
	Sink out = {.write = write_out,
	            .user = stdout,
	            .colour = !o->json && isatty(STDOUT_FILENO) && !getenv("NO_COLOR")};
	if (!o->thrown) {
		(o->json ? explanation_write_json : explanation_write_text)(e, &out);
		return;
	}
	const char *error = NULL;
	const CircThrowPath *path = explanation_throw(e, o->thrown, o->at, &error);
	if (!path) {
		report_usage(r, "%s", error);
		return;
	}
	(o->json ? explanation_write_throw_json : explanation_write_throw_text)(e, path, &out);
}

typedef enum Kind { KIND_NONE, KIND_OBJECT, KIND_MODULE, KIND_BITCODE } Kind;

/* By the first bytes: objects of -flto are bitcode. A module is read by its unit; standard input can only be one. */
static Kind kind_of(const char *path, Report *r)
{
	char begin[16];
	if (strcmp(path, "-") == 0)
		return KIND_MODULE;
	FILE *file = fopen(path, "rb");
	if (!file) {
		report_failure(r, "cannot read '%s': %s", path, strerror(errno));
		return KIND_NONE;
	}
	Str bytes = {begin, fread(begin, 1, sizeof begin, file)};
	fclose(file);
	return object_is_known(bytes)                      ? KIND_OBJECT
	       : str_begins_with(bytes, STR("BC\xc0\xde")) ? KIND_BITCODE
	                                                   : KIND_MODULE;
}

static bool read_object(const Options *o, const Input *input, CircExplanation *e, Report *r)
{
	Diags d;
	Str bytes;
	report_diagnostics(r, &d);
	CircExplainOptions options = {.name = input->path, .rows = o->unwind_rows};
	if (!source_read_bytes(options.name, &bytes, r))
		return false;
	bool ok = explain_object(e, bytes, &options, &d);
	free((void *)(uintptr_t)bytes.data);
	return ok;
}

/* The module that an object was made of. */
static bool add_module(const Options *o, CircExplanation *object, const Input *input, Report *r, Timing *t)
{
	CircExplanation *module = explanation_create();
	if (!module)
		arena_exhausted(&object->arena);
	module->arena.oom = object->arena.oom;
	bool ok = read_module(o, input, module, r, t);
	if (ok) {
		explanation_finish(module, explain_demangle);
		explanation_name_cleanups(object, module);
	}
	explanation_destroy(module);
	return ok;
}

static bool explain_inputs(const Options *o, CircExplanation *e, Report *r, Timing *t)
{
	const Input *inputs = o->inputs.data;
	Kind kind = kind_of(inputs[0].path, r);
	Input module = inputs[0];
	module.is_llvm |= kind == KIND_BITCODE;
	if (kind == KIND_NONE)
		return false;
	if (o->inputs.len > 1 && kind != KIND_OBJECT) {
		report_usage(
		    r, "'circ explain' requires one file, or an object and the CIR that it was made of");
		return false;
	}
	if (!(kind == KIND_OBJECT ? read_object(o, inputs, e, r) : read_module(o, &module, e, r, t)))
		return false;
	explanation_finish(e, explain_demangle);
	return o->inputs.len < 2 || add_module(o, e, &inputs[1], r, t);
}

static void explain_guarded(const Options *o, CircExplanation *e, Report *r, Timing *t)
{
	OomGuard guard;
	e->arena.oom = &guard;
	if (setjmp(guard.env))
		report_failure(r, "out of memory");
	else if (explain_inputs(o, e, r, t))
		write_all(o, e, r);
}

void explain_file(const Options *o, Report *r, Timing *t)
{
	CircExplanation *e = explanation_create();
	if (e)
		explain_guarded(o, e, r, t);
	else
		report_failure(r, "out of memory");
	explanation_destroy(e);
}
