/* circ/jit.h: running modules in this process. docs/api.md ("Running modules in
 * the process") has an example.
 *
 * A JIT holds compiled modules. A module is linked, and its global constructors run, at the first
 * circ_jit_lookup() after it was added; until then modules may refer to each other in any order. A name that
 * a module uses is looked for in the modules of the JIT, then among the symbols that were added, then in the
 * loaded libraries, the newest first, then in the process, then in what those libraries need; a name that
 * was once taken from outside stays so.
 *
 * Ownership   a JIT owns what was added to it. The CircModule stays the caller's, and may
 *             be destroyed once it was added.
 * Exceptions  the process has one unwinder and one C++ run time, those it was linked with; frame tables
 *             are registered with that unwinder while a module is linked. Exceptions pass in both
 *             directions between code of the JIT and the process. One that leaves a global constructor
 *             ends the process (std::terminate).
 * Storage     thread-local variables of modules have one copy per thread, until the thread ends or the module
 *             is removed; then their destructors run, but only those of the thread that ends or removes. Removal waits
 *             for destructors that an ending thread runs just then.
 *             Those of libraries and of the process are each thread's own, as in other code.
 * Errors      NULL or false: reported to the handler. A NULL CircJit only makes the call fail.
 * Threads     every function may be called by several threads at once; the handler then runs on any of them.
 *             Constructors and exit handlers run while the JIT is locked: they may call these functions
 *             themselves, but must not wait for another thread that does. Destructors at the end of a thread
 *             must not call them while the module is removed.
 * Systems     x86_64 ELF. */
#ifndef CIRC_JIT_H
#define CIRC_JIT_H

#include "circ/explain.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CircJit CircJit;
typedef struct CircJitModule CircJitModule;

/* All zero: this machine's CPU in general, -O0. */
typedef struct CircJitOptions {
	const char *cpu;      /* LLVM's name, "native" for this machine's; NULL: generic */
	const char *features; /* LLVM's "+avx2,-sse4a"; NULL: the CPU's */
	char opt;             /* '0' '1' '2' '3' 's'; 0: '0' */
	bool debug;           /* gdb and lldb see the code, its lines, variables and types, as it is added */
	bool no_asm_files;    /* as of CircEmitOptions */
	/* x86_64: a function of a large module is compiled when it is first called, with some that stand beside it (docs/api.md, "Code that is made
	 * when it is called"). */
	bool lazy;
	unsigned lazy_ops; /* how many operations are compiled at once, about; 0: 8192 */
} CircJitOptions;

/* options: NULL: all zero. handler: may be NULL; it and `user` must stay valid while the JIT lives. NULL: no
 * memory, or LLVM cannot run code here. */
CIRC_API CircJit *circ_jit_create(const CircJitOptions *options, CircDiagnosticHandler *handler, void *user);

/* Runs the destructors of the calling thread's thread-local variables, then the exit handlers that modules
 * registered (atexit, destructors of globals), newest first, then what the global destructor lists name, and
 * frees all code. No code of it may be running or be called later. NULL is allowed. */
CIRC_API void circ_jit_destroy(CircJit *jit);

/* Compiles a module and adds the code. What is missing on the way is done first and changes the
 * module, as for circ_module_emit_file(). NULL: the module was rejected (reported to its own handler), is
 * for another target than this process, or defines a name that another module defines. What is
 * returned is valid until it is removed. */
CIRC_API CircJitModule *circ_jit_add_module(CircJit *jit, CircModule *module);

/* Names an address, of a function or of data and not NULL, for the modules. False: the name is taken. */
CIRC_API bool circ_jit_add_symbol(CircJit *jit, const char *name, void *address);

/* Loads a shared library, as dlopen() finds it, for the modules that are linked from now
 * on. It is never unloaded. */
CIRC_API bool circ_jit_load_library(CircJit *jit, const char *path);

/* The address of a function or of data; it stays, also when the function is compiled later. Links what was added, and runs constructors. NULL: nothing defines
 * the name, or a module that waits to be linked needs a name that nothing defines: each was reported with the
 * place that uses it, and the modules wait on, so that the missing can be added. */
CIRC_API void *circ_jit_lookup(CircJit *jit, const char *name);

/* Runs the module's exit handlers and global destructors, as circ_jit_destroy() does, and frees its code and
 * frame tables. No code of it may be running or be called later. False, and nothing is changed: it is not in
 * this JIT, or was removed already, or its constructors or exit handlers are what calls, or the JIT is being
 * destroyed, or another module that was linked uses what it defines (an inline function or type info of both
 * counts, too: one serves all). Modules that use each other stay until the JIT is destroyed. */
CIRC_API bool circ_jit_remove_module(CircJit *jit, CircJitModule *module);

/* A function that was linked, for an engine that unwinds by itself. */
typedef struct CircJitCode {
	CircJitModule *module;
	/* Its protected regions (sites), inner handlers first (steps), as its tables have them. All addresses are in memory: of
	 * the function, of landing pads (CircStep.begin). A filter is a function of its own, with a call of its own;
	 * CircStep.function of a CIRC_STEP_WHEN is its symbol. */
	const CircExplainedFunction *function;
	const void *begin, *end;
	/* Its entry (FDE) in the frame table that is registered with the unwinder of the process; the entry says where the CIE and
	 * the language-specific data (CircExplainedFunction.table) are. NULL and 0: it has none. */
	const void *unwind_info;
	size_t unwind_info_size;
} CircJitCode;

/* `code`: until the return; what it points to: until the module is removed. */
typedef void CircJitCodeHandler(const CircJitCode *code, void *user);

/* Called for each function of the modules that are added from now on, in the order of their addresses, when its module is linked, before
 * constructors run: on the thread that links, which holds the JIT's lock. With CircJitOptions.lazy, functions that are compiled when they are called
 * come then, on a thread of the JIT's: the handler must not call the JIT, or wait for who does. handler NULL: no calls from now on. There is no call for
 * an inline function of which the JIT uses the copy of another module or library. False: jit is NULL. */
CIRC_API bool circ_jit_set_code_handler(CircJit *jit, CircJitCodeHandler *handler, void *user);

#ifdef __cplusplus
}
#endif

#endif
