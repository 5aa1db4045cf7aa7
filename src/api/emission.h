/* api/emission.h: a module on its way to an LLVM module, for those that make something of that. */
#ifndef CIRC_API_EMISSION_H
#define CIRC_API_EMISSION_H

#include "api/api.h"
#include "emit/emit.h"

/* What is to be given back however the emission ends. It lives in the frame above the one with the setjmp. */
typedef struct Emission {
	const CircEmitOptions *options; /* NULL: all zero */
	CircFormat format;
	const char *path; /* NULL: to memory */
	char **data;
	size_t *len;
	char *triple, *layout; /* malloc'ed */
	LLVMTargetMachineRef machine;
	LLVMContextRef context;
	LLVMModuleRef module;
} Emission;

/* Verifies the module, takes it to the form that the target needs, and translates and optimises that. */
bool emission_make_llvm(ApiCall *c, Emission *e);
void emission_close(Emission *e);

#endif
