/* circ/module.h: modules. The rules at the head of circ/circ.h hold for every function here. */
#ifndef CIRC_MODULE_H
#define CIRC_MODULE_H

#include "circ/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CircModule CircModule;
typedef struct CircType CircType;
typedef struct CircAttr CircAttr;
typedef struct CircOp CircOp;
typedef struct CircBlock CircBlock;
typedef struct CircRegion CircRegion;
typedef struct CircValue CircValue;

/* The form a module is in: which ops may occur (docs/operations.md lists the stages of each).
 * Exceptions and cleanups are regions in structured CIR, edges and tokens in flat CIR, and
 * landing pads or funclets in the two last ones. */
typedef enum CircStage {
	CIRC_STAGE_STRUCTURED = 1,
	CIRC_STAGE_FLAT = 2,
	CIRC_STAGE_ITANIUM = 4,
	CIRC_STAGE_MICROSOFT = 8
} CircStage;

/* An empty module. NULL: no memory. The caller destroys it. handler: gets every problem, during the
 * call that has it; NULL: nobody is. user: handed to it. Both must stay valid while the module lives. */
CIRC_API CircModule *circ_module_create(CircDiagnosticHandler *handler, void *user);

/* The module that a text holds, in any dialect of CIR; NULL: the text has errors, up to 20 of
 * which were reported with their places, or there is no memory. The caller destroys the module. name: of
 * the text, for diagnostics; NULL: "<memory>". text: `len` bytes, at most 2 GiB, copied. The module is not
 * verified yet: see circ_module_verify(). */
CIRC_API CircModule *circ_module_parse(const char *name, const char *text, size_t len,
                                       CircDiagnosticHandler *handler, void *user);

/* Which spellings a text may have. */
typedef enum CircDialect {
	CIRC_DIALECT_AUTO = 0,   /* those of every era */
	CIRC_DIALECT_NEWEST = 1, /* those of the newest grammar; each older one is an error with its place */
	/* as AUTO, but i32 and f32 stand for !s32i and !cir.float from the beginning: for text of the earliest
	 * era in which nothing else shows that */
	CIRC_DIALECT_EARLIEST = 2
} CircDialect;

/* As circ_module_parse(), which reads CIRC_DIALECT_AUTO. Whatever CIRC_DIALECT_NEWEST accepts is the same
 * module there, but for repairs (circ_module_set_repair()). About other text it is guessed how values are passed, where its era could not
 * say it; the module says circ.older_text then. */
CIRC_API CircModule *circ_module_parse_as(CircDialect dialect, const char *name, const char *text, size_t len,
                                          CircDiagnosticHandler *handler, void *user);

/* LLVM IR, bitcode or text, in the Itanium form (docs/llvm-ir.md). The bytes are the caller's, and not needed afterwards. NULL: reported;
 * what is left out, since only optimizers read it, is told by a remark. Memory that runs out inside LLVM ends the process. */
CIRC_API CircModule *circ_module_from_llvm(const char *name, const void *bytes, size_t len,
                                           CircDiagnosticHandler *handler, void *user);

/* The same of an LLVMModuleRef of the LLVM that this library was built with. It stays the caller's, is as it was afterwards, and may be
 * destroyed then; its context is used by this thread alone meanwhile. */
struct LLVMOpaqueModule;
CIRC_API CircModule *circ_module_from_llvm_module(const char *name, struct LLVMOpaqueModule *module,
                                                  CircDiagnosticHandler *handler, void *user);

/* For lifting a module of LLVM IR whose exceptions are not those of C++: the table of docs/llvm-ir.md. name: of the text, for diagnostics;
 * NULL: "<memory>". text: `len` bytes, copied. False: reported, each error with its place, or a pass has run already. */
CIRC_API bool circ_module_set_eh_runtime(CircModule *module, const char *name, const char *text, size_t len);

/* What becomes of what some version of clang printed wrong (docs/repair.md). */
typedef enum CircRepair {
	CIRC_REPAIR_NONE = 0, /* a text means what it says */
	/* where the text proves that clang printed it, it means what clang compiled: each such place is changed. Elsewhere
	 * nothing is, and there is a warning where clang is known to print it wrong */
	CIRC_REPAIR_AUTO = 1,
	CIRC_REPAIR_CLANG = 2 /* clang printed it */
} CircRepair;

/* What the first pass is to repair: the first call of circ_module_flatten(), circ_module_lower_…(), of an emission or of
 * circ_jit_add(). Without this call it is CIRC_REPAIR_NONE for modules that were made by circ_module_create() or read as
 * CIRC_DIALECT_NEWEST, and CIRC_REPAIR_AUTO for other texts. The handler is told in one CIRC_REMARK what was changed;
 * each: in one for each place. False: a pass has run, or `repair` is none of these. */
CIRC_API bool circ_module_set_repair(CircModule *module, CircRepair repair, bool each);

/* A module like this one, which stays as it is: to lower it for several targets, or to change one of them.
 * The copy shares nothing with the original: each is destroyed on its own, and may be used by a thread of its own. Handles
 * of the original (types, attributes, ops, blocks, values) are not the copy's. handler, user: the copy's, as for
 * circ_module_create(). NULL: no memory, or the module was damaged; reported to the original's handler. Time and memory:
 * those of the module. */
CIRC_API CircModule *circ_module_clone(CircModule *module, CircDiagnosticHandler *handler, void *user);

/* Frees the module and everything in it. NULL is allowed. */
CIRC_API void circ_module_destroy(CircModule *module);

/* From now on another handler gets the problems. A warning or remark comes once for a module that nobody changes, however often it is
 * verified and emitted; an error each time. */
CIRC_API void circ_module_set_handler(CircModule *module, CircDiagnosticHandler *handler, void *user);

/* The form of what the module holds: the earliest one all of its ops belong to, flat when all forms would
 * do. A module that mixes forms counts as structured or flat; verifying it names the ops that do not
 * belong. CIRC_STAGE_FLAT for NULL. */
CIRC_API CircStage circ_module_stage(const CircModule *module);

/* Is the module well formed, and does every op belong to `stage`? False: up to 20 errors were reported, each
 * at its op. Changes nothing. Time: linear in ops, edges and uses. */
CIRC_API bool circ_module_verify(CircModule *module, CircStage stage);

/* Structured to flat CIR (docs/exceptions.md): regions become blocks, cleanups and handlers become
 * edges. What talks to the C++ runtime (dynamic initialisation, cir.local_init, cir.dyn_cast) is written out
 * for the target that the module names in `cir.triple`; the host's when it names none. A module that is flat
 * or further already is left as it is. False: the module does not verify, and is unchanged, or a construct
 * cannot be flattened, and the module may from then on only be destroyed. */
CIRC_API bool circ_module_flatten(CircModule *module);

/* Flat CIR to the Itanium form (docs/exceptions.md): landing pads and calls of the C++ run time, for ELF
 * and MinGW. A module that is in that form already is left as it is. False: the module does not verify, and
 * is unchanged, or something in it cannot be lowered, and the module may from then on only be destroyed. */
CIRC_API bool circ_module_lower_itanium(CircModule *module);

/* Flat CIR to the Microsoft form (docs/internals/windows.md): pads, and calls of the Microsoft C++ run time,
 * for a module whose `cir.triple` is a windows-msvc one. A module that is in that form already is left as
 * it is. False: as above; the more so where the Microsoft tables cannot say it, or a type info does not
 * give the Microsoft name of its type. */
CIRC_API bool circ_module_lower_microsoft(CircModule *module);

/* How to print. */
enum {
	CIRC_PRINT_LOCATIONS = 1, /* loc(…) after the ops that have one */
	CIRC_PRINT_GENERIC = 2    /* every op in MLIR's generic form */
};

/* The module as text, in the newest spelling; a module that verifies reads back the same. flags:
 * CIRC_PRINT_*, or 0. *text: malloc'ed, for circ_free(), NUL terminated after its *len bytes; NULL and 0
 * after a failure. len may be NULL. Fails only when the text would exceed 4 GiB or memory is exhausted. */
CIRC_API bool circ_module_print(CircModule *module, unsigned flags, char **text, size_t *len);

/* What `module @name` says; debuggers show it as the file of a module that was built. NULL or "": no name. */
CIRC_API bool circ_module_set_name(CircModule *module, const char *name);

/* An entry of the module's dictionary (docs/attributes.md); value NULL removes it. "cir.triple" (a string)
 * decides which target the module is for and which C++ ABI it uses; without it emission takes the
 * triple of its options, else the host's. */
CIRC_API bool circ_module_set_attr(CircModule *module, const char *key, const CircAttr *value);

/* The entry of that name, or NULL. Does not fail. */
CIRC_API const CircAttr *circ_module_attr(const CircModule *module, const char *key);

/* The function or global named `name` (`len` bytes), or NULL. Does not fail. */
CIRC_API CircOp *circ_module_symbol(CircModule *module, const char *name, size_t len);

#ifdef __cplusplus
}
#endif

#endif
