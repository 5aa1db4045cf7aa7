#include "lsp/cjson.h"
#include "lsp/lsp.h"

#include <dlfcn.h>
#include <string.h>

CJsonFunctions cjson;

static const struct Function {
	const char *name;
	size_t place; /* in CJsonFunctions */
} functions[] = {
#define X(name) {"cJSON_" #name, offsetof(CJsonFunctions, name)},
    CJSON_FUNCTIONS(X)
#undef X
};

bool lsp_load(const char **why)
{
	void *library = dlopen(CJSON_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	bool ok = library != NULL;
	for (size_t i = 0; ok && i < sizeof functions / sizeof *functions; i++) {
		void *function = dlsym(library, functions[i].name);
		ok = function != NULL;
		memcpy((char *)&cjson + functions[i].place, &function, sizeof function);
	}
	*why = ok ? NULL : dlerror();
	return ok;
}
