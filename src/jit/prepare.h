/* jit/prepare.h: what only the dynamic loader does for an object, made explicit in the LLVM module.
 *
 *   constructors   llvm.global_ctors and llvm.global_dtors become two functions that the JIT calls
 *   exit handlers  __dso_handle becomes a variable that holds the module's JitModule; atexit gets a
 *                  body, as in libc's static part
 *   thread-locals  become JitTls variables: JITLink has no thread-local storage without
 *                  ORC's own run-time library
 */
#ifndef CIRC_JIT_PREPARE_H
#define CIRC_JIT_PREPARE_H

#include "base/diag.h"

#include <llvm-c/Types.h>

/* Begin the names of what is made here; the module's number follows, or the variable's name. */
#define JIT_INIT_PREFIX "circ.jit.init."
#define JIT_FINI_PREFIX "circ.jit.fini."
#define JIT_TLS_PREFIX  "circ.jit.tls."
/* Of variables that other modules see; behind that of a local one its module's number comes first. */
#define JIT_TLS_SHARED_PREFIX JIT_TLS_PREFIX "."
/* Resolved to jit_tls_address(). */
#define JIT_TLS_ADDRESS "circ.jit.tls_address"

/* Of what is local to a module in parts, as the others know it; the module's number and a dot follow. */
#define JIT_LOCAL_PREFIX "circ.jit.local."
/* Of the stub of a function in the part that has its code: the object's reference loses it (object_strip_prefix()). */
#define JIT_STUB_PREFIX "circ.jit.stub."
/* Of a part's table of code: pairs of an address and the number of a function. The module's number, a dot and the part's number follow. */
#define JIT_BODIES_PREFIX "circ.jit.bodies."

typedef struct JitPrepared {
	bool init, fini; /* are there such functions? */
} JitPrepared;

/* How what is made here is told from what other modules get. */
typedef struct JitNames {
	uint64_t number;         /* of the module */
	const void *owner;       /* its JitModule */
	const char *part_prefix; /* NULL, or the LLVM module is one part of it: see jit_prepare_module() */
} JitNames;

/* __dso_handle and atexit for the objects of other compilers, which expect them in a static part of libc: an
 * LLVM module that was prepared already. NULL: reported. */
LLVMModuleRef jit_prepare_for_objects(LLVMContextRef context, const JitNames *names, Diags *d);

/* Adds to *out what this part of the module has. */
bool jit_prepare(LLVMModuleRef module, const JitNames *names, Diags *d, JitPrepared *out);

/* Of a function that each module has for itself, whatever its linkage. */
bool jit_is_own_copy(const char *name);

/* The functions that have a stub; number: that of one of them, by its name, or -1. */
typedef struct JitWaiting {
	int64_t (*number)(const void *user, const char *name);
	const void *user;
} JitWaiting;

/* After jit_prepare(). What is local and named by other parts gets a name of its own; code of functions that wait becomes local, and is listed. */
bool jit_prepare_divided(LLVMModuleRef module, const JitNames *names, uint32_t part,
                         const JitWaiting *waiting, Diags *d);

#endif
