/* Modules from LLVM IR. */
#include "api/api.h"
#include "lift/runtime.h"
#include "pipeline/pipeline.h"
#include "raise/raise.h"

/* One of the two. */
typedef struct Origin {
	const char *name;
	const void *bytes;
	size_t len;
	LLVMModuleRef module;
	bool is_module;
} Origin;

static bool raise_into(const char *function, IrModule *m, const Origin *o)
{
	ApiCall c;
	if (!api_begin(&c, m, function))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	bool ok = o->is_module
	              ? api_given(&c, o->module, "module") && raise_checked(m, o->module, o->name, &c.api->d)
	              : api_given(&c, o->bytes, "bytes") &&
	                    raise_bytes(m, (Str){o->bytes, o->len}, o->name, &c.api->d);
	pipeline_adopt_target(m);
	api_end(&c);
	return ok;
}

static CircModule *make(const char *function, const Origin *o, CircDiagnosticHandler *handler, void *user)
{
	CircModule *m = circ_module_create(handler, user);
	if (m && !raise_into(function, m, o)) {
		circ_module_destroy(m);
		return NULL;
	}
	return m;
}

CircModule *circ_module_from_llvm(const char *name, const void *bytes, size_t len,
                                  CircDiagnosticHandler *handler, void *user)
{
	return make(__func__, &(Origin){name ? name : "<memory>", bytes, len, NULL, false}, handler, user);
}

CircModule *circ_module_from_llvm_module(const char *name, struct LLVMOpaqueModule *module,
                                         CircDiagnosticHandler *handler, void *user)
{
	return make(__func__, &(Origin){name ? name : "<memory>", NULL, 0, module, true}, handler, user);
}

bool circ_module_set_eh_runtime(CircModule *m, const char *name, const char *text, size_t len)
{
	ApiCall c;
	if (!api_begin(&c, m, __func__))
		return false;
	if (setjmp(c.guard.env)) {
		api_out_of_memory(&c);
		return false;
	}
	Source table = {name ? name : "<memory>", {text, len}};
	bool ok = api_text(&c, text, len) && (!m->repaired || api_error(&c, "a pass has run already")) &&
	          lift_set_table(m, &table, &c.api->d);
	api_end(&c);
	return ok;
}
