/* api/explain.c: what an exception does, of modules and of objects; the work is that of src/explain.
 *
 * An explanation lives on by itself: its arena has the guard of a call only while that runs. */
#include "explain/explain.h"

#include "api/emission.h"
#include "explain/module.h"
#include "explain/names/demangle.h"
#include "explain/throw.h"

#include <stdlib.h>

/* Modules */

/* What is to be given back however the call ends. */
typedef struct Explaining {
	Emission emission;
	CircExplanation *e; /* NULL: given up, or the caller's */
} Explaining;

static void close_explaining(Explaining *x)
{
	emission_close(&x->emission);
	explanation_destroy(x->e);
	x->e = NULL;
}

static bool read_module(ApiCall *c, Explaining *x, const CircExplainOptions *o)
{
	CircEmitOptions options = {.triple = o->triple};
	Pipeline *p = &x->emission.pipeline;
	if (!emission_open_copy(c, &x->emission, &options, CIRC_OBJECT))
		return false;
	if (!pipeline_check_asked_target(p))
		return false;
	if (!p->m->source.text.data)
		explain_number_ops(p->m);
	if (!emission_run(c, &x->emission, GOAL_FLAT))
		return false;
	x->e = explanation_create();
	if (!x->e)
		arena_exhausted(&c->m->scratch);
	x->e->arena.oom = &c->guard;
	ExplainModule in = {.m = p->m, .name = o->name, .triple = p->triple, .target = p->target};
	return explain_module(x->e, &in, &c->api->d);
}

/* x lives in the caller's frame: it is still whole after a longjmp to here. */
static CircExplanation *explain_guarded(CircModule *m, const char *function, const CircExplainOptions *o,
                                        Explaining *x)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return NULL;
	if (setjmp(c.guard.env)) {
		close_explaining(x);
		api_out_of_memory_for_copy(&c);
		return NULL;
	}
	CircExplanation *done = NULL;
	if (read_module(&c, x, o)) {
		explanation_finish(x->e, explain_demangle);
		x->e->arena.oom = NULL;
		done = x->e;
		x->e = NULL;
	}
	close_explaining(x);
	api_end(&c);
	return done;
}

CircExplanation *circ_explain_module(CircModule *m, const CircExplainOptions *options)
{
	static const CircExplainOptions defaults;
	Explaining x = {0};
	return explain_guarded(m, __func__, options ? options : &defaults, &x);
}

/* Objects */

static bool read_object(CircExplanation *e, Str bytes, const CircExplainOptions *o, Diags *d)
{
	OomGuard guard;
	e->arena.oom = &guard;
	if (setjmp(guard.env)) {
		diag_failure(d, "circ_explain_object: out of memory");
		return false;
	}
	if (!explain_object(e, bytes, o, d))
		return false;
	explanation_finish(e, explain_demangle);
	e->arena.oom = NULL;
	return true;
}

CircExplanation *circ_explain_object(const void *bytes, size_t size, const CircExplainOptions *options,
                                     CircDiagnosticHandler *handler, void *user)
{
	static const CircExplainOptions defaults;
	Diags d;
	diag_init(&d, handler, user);
	if (!bytes) {
		diag_error(&d, (Loc){0}, "circ_explain_object: 'bytes' is NULL");
		return NULL;
	}
	CircExplanation *e = explanation_create();
	if (!e)
		diag_failure(&d, "circ_explain_object: out of memory");
	else if (read_object(e, (Str){bytes, size}, options ? options : &defaults, &d))
		return e;
	explanation_destroy(e);
	return NULL;
}

void circ_explanation_free(CircExplanation *e)
{
	explanation_destroy(e);
}

/* NULL, and *why NULL: no memory. */
static const CircThrowPath *throw_guarded(CircExplanation *e, const char *type, const char *at,
                                          const char **why)
{
	OomGuard guard;
	e->arena.oom = &guard;
	const CircThrowPath *path = NULL;
	if (setjmp(guard.env) == 0)
		path = explanation_throw(e, type, at, why);
	e->arena.oom = NULL;
	return path;
}

const CircThrowPath *circ_explanation_throw(CircExplanation *e, const char *type, const char *at,
                                            const char **error)
{
	const char *why = !e ? "'explanation' is NULL" : !type ? "'type' is NULL" : NULL;
	const CircThrowPath *path = e && type ? throw_guarded(e, type, at, &why) : NULL;
	if (error)
		*error = path ? NULL : why ? why : "out of memory";
	return path;
}

/* Text and JSON */

typedef struct Written {
	char *data; /* malloc'ed, with room for a NUL */
	size_t len, cap;
	bool failed;
} Written;

static bool make_room(Written *w, size_t len)
{
	if (w->cap - w->len > len)
		return true;
	size_t cap = 2 * w->cap + len + 1;
	char *grown = realloc(w->data, cap);
	if (!grown)
		return false;
	w->data = grown;
	w->cap = cap;
	return true;
}

static void append(void *written, const char *data, size_t len)
{
	Written *w = written;
	w->failed = w->failed || !make_room(w, len);
	if (w->failed)
		return;
	memcpy(w->data + w->len, data, len);
	w->len += len;
	w->data[w->len] = '\0';
}

static char *written(const CircExplanation *e, void (*write)(const CircExplanation *e, Sink *s))
{
	Written w = {0};
	Sink s = {.write = append, .user = &w};
	if (!e)
		return NULL;
	append(&w, "", 0);
	write(e, &s);
	if (!w.failed)
		return w.data;
	free(w.data);
	return NULL;
}

char *circ_explanation_text(const CircExplanation *e)
{
	return written(e, explanation_write_text);
}

char *circ_explanation_json(const CircExplanation *e)
{
	return written(e, explanation_write_json);
}
