#include "api/emission.h"
#include "ir/copy.h"
#include "text/parse.h"
#include "text/print/print.h"
#include "verify/verify.h"

#include <stdlib.h>

_Static_assert((int)CIRC_STAGE_STRUCTURED == STAGE_STRUCTURED && (int)CIRC_STAGE_FLAT == STAGE_FLAT &&
                   (int)CIRC_STAGE_ITANIUM == STAGE_ITANIUM && (int)CIRC_STAGE_MICROSOFT == STAGE_MICROSOFT,
               "circ/module.h and ir/op.h must agree");
_Static_assert((int)CIRC_PRINT_LOCATIONS == PRINT_LOCATIONS && (int)CIRC_PRINT_GENERIC == PRINT_GENERIC,
               "circ/module.h and text/print/print.h must agree");

_Static_assert((int)CIRC_DIALECT_AUTO == DIALECT_AUTO && (int)CIRC_DIALECT_NEWEST == DIALECT_NEWEST &&
                   (int)CIRC_DIALECT_EARLIEST == DIALECT_EARLIEST,
               "circ/module.h and text/parse.h must agree");

_Static_assert((int)CIRC_REPAIR_NONE == REPAIR_NONE && (int)CIRC_REPAIR_AUTO == REPAIR_AUTO &&
                   (int)CIRC_REPAIR_CLANG == REPAIR_CLANG,
               "circ/module.h and ir/module.h must agree");

const char *circ_version(void)
{
	return CIRC_VERSION;
}

void circ_free(void *memory)
{
	free(memory);
}

static bool attach(IrModule *m, CircDiagnosticHandler *handler, void *user)
{
	OomGuard guard;
	ir_module_guard(m, &guard);
	if (setjmp(guard.env))
		return false;
	m->api = arena_new(&m->arena, ApiState);
	diag_init(&m->api->d, handler, user);
	m->api->d.memory = &m->api->said;
	ir_module_guard(m, NULL);
	return api_hand_out(m, ir_module_block(m)) != NULL;
}

CircModule *circ_module_create(CircDiagnosticHandler *handler, void *user)
{
	IrModule *m = ir_module_create();
	if (m && attach(m, handler, user))
		return m;
	circ_module_destroy(m);
	Diags d;
	diag_init(&d, handler, user);
	diag_failure(&d, "circ_module_create: out of memory");
	return NULL;
}

static bool copy_guarded(IrModule *from, IrModule *to)
{
	OomGuard guard;
	ir_module_guard(to, &guard);
	if (setjmp(guard.env))
		return false;
	ir_module_copy(from, to);
	ir_module_guard(to, NULL);
	if (to->source.name)
		diag_set_source(&to->api->d, &to->source);
	return true;
}

CircModule *circ_module_clone(CircModule *m, CircDiagnosticHandler *handler, void *user)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return NULL;
	IrModule *copy = ir_module_create();
	bool ok = copy && attach(copy, handler, user) && copy_guarded(m, copy);
	api_end(&c);
	if (ok)
		return copy;
	circ_module_destroy(copy);
	diag_failure(&c.api->d, "circ_module_clone: out of memory");
	return NULL;
}

void circ_module_destroy(CircModule *m)
{
	if (m && m->api) {
		free(m->api->text);
		diag_memory_free(&m->api->said);
	}
	ir_module_destroy(m);
}

void circ_module_set_handler(CircModule *m, CircDiagnosticHandler *handler, void *user)
{
	if (!m || !m->api)
		return;
	diag_memory_free(&m->api->said); /* the new one was told nothing */
	m->api->d.handler = handler;
	m->api->d.user = user;
}

/* A copy of the text, with its name behind it. */
static char *copy_text(const char *name, const char *text, size_t len)
{
	size_t name_size = strlen(name) + 1;
	char *copy = len <= SIZE_MAX - name_size ? malloc(len + name_size) : NULL;
	if (copy) {
		memcpy(copy, text, len);
		memcpy(copy + len, name, name_size);
	}
	return copy;
}

static bool parse_into(const char *function, IrModule *m, Dialect dialect, const char *name, const char *text,
                       size_t len)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	bool known = (unsigned)dialect <= DIALECT_EARLIEST, ok = false;
	if (!known)
		api_error(&c, "'dialect' is %d; expected a CircDialect", (int)dialect);
	else if (api_text(&c, text, len)) {
		c.api->text = copy_text(name, text, len);
		if (!c.api->text)
			arena_exhausted(&m->arena);
		ok = text_parse_as(m, c.api->text + len, (Str){c.api->text, len}, dialect, &c.api->d);
		pipeline_adopt_target(m);
	}
	api_end(&c);
	return ok;
}

static CircModule *parse(const char *function, CircDialect dialect, const char *name, const char *text,
                         size_t len, CircDiagnosticHandler *handler, void *user)
{
	CircModule *m = circ_module_create(handler, user);
	if (m && !parse_into(function, m, (Dialect)dialect, name ? name : "<memory>", text, len)) {
		circ_module_destroy(m);
		return NULL;
	}
	return m;
}

CircModule *circ_module_parse(const char *name, const char *text, size_t len, CircDiagnosticHandler *handler,
                              void *user)
{
	return parse(__func__, CIRC_DIALECT_AUTO, name, text, len, handler, user);
}

CircModule *circ_module_parse_as(CircDialect dialect, const char *name, const char *text, size_t len,
                                 CircDiagnosticHandler *handler, void *user)
{
	return parse(__func__, dialect, name, text, len, handler, user);
}

bool circ_module_set_repair(CircModule *m, CircRepair repair, bool each)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	bool ok = (unsigned)repair <= REPAIR_CLANG ||
	          api_error(&c, "'repair' is %d; expected a CircRepair", (int)repair);
	if (ok && m->repaired)
		ok = api_error(&c, "a pass has run already");
	if (ok) {
		m->repair = (RepairMode)repair;
		m->repair_each = each;
	}
	api_end(&c);
	return ok;
}

CircStage circ_module_stage(const CircModule *m)
{
	return m ? (CircStage)ir_module_stage(m) : CIRC_STAGE_FLAT;
}

/* Passes */

bool circ_module_verify(CircModule *m, CircStage stage)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	api_expect_warnings(&c);
	bool known = stage == CIRC_STAGE_STRUCTURED || stage == CIRC_STAGE_FLAT ||
	             stage == CIRC_STAGE_ITANIUM || stage == CIRC_STAGE_MICROSOFT;
	bool ok = known ? ir_verify(m, (Stage)stage, &c.api->d)
	                : api_error(&c, "'stage' is %d; expected a CircStage", (int)stage);
	api_end(&c);
	return ok;
}

/* Verifies the module as one of the stage `from`, and runs the passes up to the goal. */
static bool run_guarded(CircModule *m, const char *function, Stage from, Stage form, Goal goal, Emission *e)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return false;
	if (setjmp(c.guard.env)) {
		emission_close(e);
		api_out_of_memory(&c);
		return false;
	}
	bool ok = emission_open(&c, e);
	if (ok) {
		e->pipeline.stage = from;
		e->pipeline.form = form;
		ok = emission_run(&c, e, goal);
	}
	emission_close(e);
	api_end(&c);
	return ok;
}

bool circ_module_flatten(CircModule *m)
{
	Emission e = {0};
	Stage stage = m && m->api ? ir_module_stage(m) : STAGE_STRUCTURED;
	bool asked = stage == STAGE_FLAT && m->repair != REPAIR_NONE && !m->repaired;
	if (stage != STAGE_STRUCTURED && !asked)
		return true;
	return run_guarded(m, __func__, stage, 0, GOAL_FLAT, &e);
}

static bool lower_to(CircModule *m, const char *function, Stage form)
{
	Emission e = {0};
	if (m && m->api && ir_module_stage(m) == form)
		return true;
	return run_guarded(m, function, STAGE_FLAT, form, GOAL_FORM, &e);
}

bool circ_module_lower_itanium(CircModule *m)
{
	return lower_to(m, __func__, STAGE_ITANIUM);
}

bool circ_module_lower_microsoft(CircModule *m)
{
	return lower_to(m, __func__, STAGE_MICROSOFT);
}

/* Text */

static char *copy_out(const StrBuf *text)
{
	char *copy = malloc((size_t)text->len + 1);
	if (copy) {
		memcpy(copy, text->data, text->len);
		copy[text->len] = '\0';
	}
	return copy;
}

bool circ_module_print(CircModule *m, unsigned flags, char **text, size_t *len)
{
	ApiCall c;
	if (text)
		*text = NULL;
	if (len)
		*len = 0;
	if (!api_begin(&c, m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	bool ok = api_given(&c, text, "text");
	if (ok && flags & ~(unsigned)(PRINT_LOCATIONS | PRINT_GENERIC))
		ok = api_error(&c, "'flags' is %u; expected a combination of CIRC_PRINT_*", flags);
	if (ok) {
		StrBuf out = {0};
		text_print(m, flags, &m->scratch, &out);
		*text = copy_out(&out);
		if (!*text)
			arena_exhausted(&m->scratch);
		if (len)
			*len = out.len;
	}
	api_end(&c);
	return ok;
}

/* The module itself */

bool circ_module_set_name(CircModule *m, const char *name)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	m->name = name && *name ? ir_name(m, str_of(name)) : NULL;
	api_end(&c);
	return true;
}

bool circ_module_set_attr(CircModule *m, const char *key, const CircAttr *value)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	bool ok = api_given(&c, key, "key") && (!value || api_attr(&c, value, "value"));
	if (ok && !*key)
		ok = api_error(&c, "'key' is empty");
	if (ok)
		ir_module_set_attr(m, ir_name(m, str_of(key)), value);
	if (ok && strcmp(key, "cir.triple") == 0)
		pipeline_adopt_target(m);
	api_end(&c);
	return ok;
}

const CircAttr *circ_module_attr(const CircModule *m, const char *key)
{
	const Name *name = m && key ? name_find(&m->names, str_of(key)) : NULL;
	for (uint32_t i = 0; name && i < m->nmodule_attrs; i++)
		if (m->module_attrs[i].name == name)
			return m->module_attrs[i].value;
	return NULL;
}

CircOp *circ_module_symbol(CircModule *m, const char *name, size_t len)
{
	return m && name ? ir_symbol(name_find(&m->names, (Str){name, len})) : NULL;
}
