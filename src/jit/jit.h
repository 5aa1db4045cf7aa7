/* jit/jit.h: LLVM modules run in this process: ORC's LLJIT with its JITLink linker, fed
 * with the objects that emit.h makes.
 *
 * A module is linked, and its constructors run, at the first lookup after it was added: until then modules
 * may refer to each other in any order. Names are looked for in the modules, then among the symbols that were
 * added, then in the loaded libraries, newest first, then in the process, then in what those libraries need.
 * A name that was taken from outside stays so.
 *
 * Exceptions  frame tables are registered with the unwinder of the process while a module is linked.
 * Errors      false or NULL: reported. A module that could not be linked stays, and is
 *             tried again at the next lookup.
 * Threads     a Jit may be used by several threads at once; constructors and exit handlers
 *             may call back into it.
 */
#ifndef CIRC_JIT_JIT_H
#define CIRC_JIT_JIT_H

#include "base/diag.h"
#include "base/lazy_function.h"
#include "emit/emit.h"

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

typedef struct Jit Jit;
typedef struct JitModule JitModule;

/* debug: tell debuggers of code that is added, through the JIT interface of gdb. */
Jit *jit_create(bool debug, Diags *d);
/* Runs the exit handlers that are left, newest first, then the destructors of the
 * modules, and gives everything back. */
void jit_destroy(Jit *j);
/* For a program with LLVM's archives, in main(): at the end of the process threads wait that call what is not compiled yet. The library does it itself. */
void jit_watch_end(void);
/* Only the exit handlers and destructors, once: what the end of a program does. */
void jit_finish(Jit *j);

bool jit_add_symbol(Jit *j, const char *name, void *address, Diags *d);
bool jit_load_library(Jit *j, const char *path, Diags *d);

/* A module is added in three steps: it is begun; its LLVM module is prepared, or each of its parts is; the object
 * that was made of that, position-independent, is given. NULL: reported. */
JitModule *jit_begin_module(Jit *j, Diags *d);
/* part_prefix: begins the names of what is local to another part (SPLIT_LOCAL of lower/split.h); NULL: it is the
 * whole. */
bool jit_prepare_module(JitModule *m, LLVMModuleRef module, const char *part_prefix, Diags *d);
/* `object`: copied. `uses`: of names that the module does not define, for the message when nobody does; borrowed for
 * the call. NULL: reported; the module is gone. */
JitModule *jit_end_module(JitModule *m, Str object, const SymbolUse *uses, size_t nuses, Diags *d);
/* Instead of jit_end_module(). */
void jit_drop_module(JitModule *m);

/* A module in parts: part 0 is compiled when it is added, each other one when a function of it is called for the first time. Until then calls, and
 * whoever asks for its address, get a few bytes of code, its stub (jit/stubs.h); that stays its address. */
typedef struct JitParts {
	/* The object of a part, whose LLVM module was given to jit_prepare_part(); part 0 in jit_end_lazily(), others on the thread that calls, one at a
	 * time. False: reported to d, or no memory. */
	bool (*compile)(void *user, uint32_t part, EmitImage *image, Diags *d);
	void (*drop)(void *user); /* when the module is given back, or could not be added */
	void *user;
	Diags *d; /* of calls */
	/* Of names that the module does not define, for the messages. What other modules define of them stays as long as this one. */
	const SymbolUse *uses;
	size_t nuses;
} JitParts;

/* Can this machine wait with functions? */
bool jit_is_lazy_here(void);
/* Instead of jit_prepare_module(). */
bool jit_prepare_part(JitModule *m, LLVMModuleRef module, uint32_t part, const char *part_prefix, Diags *d);
/* Instead of jit_end_module(). A function that cannot be compiled when it is called ends the process, as the dynamic loader does, after what is
 * wrong was reported to parts->d. What parts points to stays the caller's, until the drop. */
JitModule *jit_end_lazily(JitModule *m, const JitParts *parts, const LazyFunction *functions, size_t n,
                          Diags *d);
/* The module that was added: of one of its parts, too. */
JitModule *jit_whole(JitModule *m);

/* An object made by any compiler, position-independent; copied. `name` is for messages. */
JitModule *jit_add_object(Jit *j, const char *name, Str object, Diags *d);
/* Runs its exit handlers and destructors and takes it out. Nothing of it may be running. False:
 * reported; another module uses it. */
bool jit_remove_module(Jit *j, JitModule *m, Diags *d);
/* NULL: there is no such name, or something that it needs cannot be linked. */
void *jit_lookup(Jit *j, const char *name, Diags *d);

/* Told of each module when it is linked, before its constructors run; on the thread that links, and while the JIT is locked.
 * object: as it was before linking, until the return; what it defines is at jit_code_address(). False: reported. */
typedef bool JitCodeHook(JitModule *m, Str object, void *user, Diags *d);
void jit_set_code_hook(Jit *j, JitCodeHook *hook, void *user);
/* For the hook; NULL: reported. */
void *jit_code_address(JitModule *m, const char *symbol, Diags *d);
/* The frame table's entry of a function, where it is registered; NULL: it has none. */
const void *jit_unwind_info(const void *function, size_t *size);
/* What the hook has made of a module, which is given back with it. */
typedef void JitDrop(void *code);
void jit_keep_code(JitModule *m, void *code, JitDrop *drop);

#endif
