/* jit/internal.h: what the files of the JIT share.
 *
 * jit/jit.c              beginning and end, looking up, removing
 * jit/state.c            the lock, errors, what a module holds
 * jit/take_out.c         modules go
 * jit/link.c             linking
 * jit/add_module.c       modules and objects taken in, and handed to ORC
 * jit/outside_symbol.c   names that no module defines
 * jit/outside_tls.c      those of them of which each thread has one
 * jit/code.c             what was linked, looked up and told to whoever asked
 * jit/debug.c            debuggers told when code goes
 * jit/faults.c           where its code may fault
 * jit/object.c           what an object defines and needs
 * jit/prepare.c          the dynamic loader's work, made explicit in an LLVM module
 * jit/runtime.c          what code in the JIT calls
 * jit/exceptions.c       what programs link as archives: a language's own exceptions, the static parts of libc and libgcc
 * jit/lazy.c             parts of modules, compiled when they are called
 * jit/own_thread.c       the thread that does it
 * jit/process.c          all JITs of the process: what fork() and signal handlers need of them
 * jit/lazy_functions.c   the functions of such parts
 * jit/slots.c            where stubs lead
 * jit/stubs.c            what callers have until then
 * jit/prepare_divided.c  an LLVM module that is such a part
 */
#ifndef CIRC_JIT_INTERNAL_H
#define CIRC_JIT_INTERNAL_H

#include "jit/jit.h"
#include "jit/lock.h"
#include "jit/prepare.h"
#include "jit/runtime.h"
#include "jit/stubs.h"
#include "jit/symbols.h"

#include <pthread.h>

#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>

typedef struct Need {
	char *name;
	LocInfo place; /* its name is malloc'ed */
	bool weak;
} Need;

typedef struct Definition {
	char *name;
	bool gave_way; /* it is weak, and another module's counts */
} Definition;

struct JitModule {
	Jit *jit;
	JitModule *next, **link;
	JitModule *whole;     /* NULL, or this is a part of it */
	struct JitLazy *lazy; /* NULL, or the object has the stubs of its functions, and parts the code */
	uint64_t number;
	char *object; /* malloc'ed, until it is handed to ORC */
	size_t object_len;
	char *linked_object; /* malloc'ed, until its code was told of; NULL: nobody asked */
	void *code;          /* jit_keep_code() */
	JitDrop *drop_code;
	LLVMOrcResourceTrackerRef tracker; /* NULL: not handed to ORC */
	bool pending;                      /* not linked yet */
	bool busy;                         /* its constructors, exit handlers or destructors run */
	JitPrepared has;
	void (*fini)(void);             /* NULL: none, or not linked yet */
	struct DebugEntry *debug_entry; /* NULL: none, or not linked yet */
	struct FaultTable *fault_tables;
	size_t nfault_tables;
	Need *needs; /* once it is linked, only those that other modules define */
	size_t nneeds;
	Definition *defines;
	size_t ndefines;
};

typedef struct JitPart {
	bool compiled;   /* here */
	uint64_t failed; /* Jit.additions when it could not be; 0: it was not tried, or could */
} JitPart;

/* What a module has whose parts are compiled when they are called. */
typedef struct JitLazy {
	JitStubOwner owner;
	JitModule *module;
	JitParts parts;
	LazyFunction *functions; /* by name; names are malloc'ed */
	size_t n;
	JitSlot *slots; /* NULL: not linked yet */
	size_t nparts;
	JitPart *by_number;
	/* by part: compiled here, or in a process that was forked; shared with those. NULL: no memory */
	_Atomic(bool) *wanted;
} JitLazy;

typedef struct JitOutsideTls JitOutsideTls;
typedef struct JitWork JitWork;

typedef struct Library {
	struct Library *older;
	void *handle;
} Library;

struct Jit {
	Jit *next, **link; /* jit/process.c */
	/* Both are recursive: constructors and exit handlers call back. They hold the first one, so that whoever looks a name up finds what is
	 * initialized; threads that call what is not compiled yet need the second one only, which is of all that follows. */
	JitLock lock, state;
	LLVMOrcLLJITRef lljit;
	LLVMOrcJITDylibRef dylib;
	JitModule *modules; /* newest first */
	Library *libraries; /* newest first */
	JitOutsideTls *outside_tls;
	JitSymbols defined; /* by modules */
	JitSymbols outside; /* added, or found and handed to ORC */
	JitExits exits;
	JitModule objects; /* owns the exit handlers of objects, which are never taken out */
	bool supports_objects;
	bool debug;        /* debuggers are told of code */
	uint64_t nmodules; /* ever, parts included */
	uint64_t
	    additions; /* 1 and one for each module, symbol and library that was added: what was missing may be there */
	JitWork *work; /* that is done on a thread of its own, which has the state; NULL: none is */
	Diags *d;      /* of the call that is under way */
	bool finished;
	void *(*replace)(const char *name, void *address); /* jit_replace_outside() */
	JitCodeHook *code_hook;                            /* NULL: none */
	void *code_user;
};

/* Every call of the interface is between these two. */
void jit_enter(Jit *j, Diags *d);
void jit_leave(Jit *j);

/* Around calls of code in the JIT: what that calls may be compiled by another thread, for which it waits. */
void jit_leave_state(Jit *j);
void jit_enter_state(Jit *j);

/* Reports; false. */
bool jit_no_memory(Diags *d);
/* True when there was no error; else it is reported, `what` could not be done. */
bool jit_check(LLVMErrorRef error, Diags *d, const char *what);

/* jit/add_module.c. To ORC; once it is settled which weak definitions count. False: reported. */
bool jit_hand_over(JitModule *m, Diags *d);

/* jit/outside_symbol.c */
bool jit_add_outside(Jit *j, const char *name, void *address, Diags *d);
void *jit_find_outside(Jit *j, const char *name); /* or NULL */
/* A weak definition gives way to one that is outside already. False: reported. */
bool jit_prefer_outside(Jit *j, const char *name, Diags *d);
/* jit/outside_tls.c. The JitTls of a variable of outside, whose copy of the calling thread is there; NULL: there is none. */
void *jit_find_outside_tls(Jit *j, const void *address, Diags *d);
void jit_free_outside_tls(Jit *j);
/* jit/exceptions.c: what programs link as archives; or NULL */
void *jit_find_in_archives(const char *name);
/* A name that no module defines. False: reported; *found: somebody does. */
bool jit_resolve_outside(Jit *j, const char *name, bool *found, Diags *d);

/* jit/debug.c. LLVMOrcLLJITLookup(), which links; with debug, what debuggers are told
 * meanwhile is remembered. */
LLVMErrorRef jit_debug_look_up(Jit *j, LLVMOrcExecutorAddress *address, const char *name);
/* Before the code of a module goes. */
void jit_debug_forget(JitModule *m);

/* jit/code.c */
void *jit_look_up(Jit *j, const char *name, Diags *d); /* what ORC has; NULL: reported */
/* Before the object is handed to ORC. False: no memory; reported. */
bool jit_keep_object(JitModule *m, Diags *d);
/* Once it is linked. False: reported. */
bool jit_tell_of_code(JitModule *m, Diags *d);

/* jit/faults.c. Before the object is handed to ORC. False: reported. */
bool jit_name_fault_tables(JitModule *m, Diags *d);
/* Once it is linked, and before its code goes. False: reported. */
bool jit_register_faults(JitModule *m, Diags *d);
void jit_forget_faults(JitModule *m);

/* jit/link.c */
bool jit_link_pending(Jit *j, Diags *d);
/* A part that was compiled when it was called; without constructors. */
bool jit_link_part(JitModule *m, Diags *d);

/* jit/add_module.c */
/* A part of a module, or the module itself, at the beginning of the list. False: reported; it is not there. */
bool jit_take_object(JitModule *m, Str object, const SymbolUse *uses, size_t nuses, Diags *d);
void jit_keep_module(JitModule *m);
JitModule *jit_new_module(Jit *j, Diags *d);
bool jit_add_optional_need(JitModule *m, const SymbolUse *use, size_t *cap);

/* jit/take_out.c. A module that was linked or not; false: reported. */
bool jit_take_out(JitModule *m, Diags *d);
/* Only what refers to its code from outside of the JIT. */
void jit_forget_places(JitModule *m);

/* jit/lazy.c. What is not compiled yet: all of it, or what a process that was forked has compiled. On an own thread, unless the JIT's state is ours;
 * what cannot be compiled waits on, silently. */
void jit_compile_waiting(Jit *j, bool all);

/* jit/own_thread.c */
/* Calls the function with the JIT's state, on a thread of its own unless that is ours or there can be none. */
void jit_work(Jit *j, void (*function)(void *user), void *user);
/* With the state: calls what calls the dynamic loader, on the thread that waits for the work. */
void jit_ask_loader(Jit *j, void (*ask)(void *asked), void *asked);

/* jit/process.c */
void jit_enroll(Jit *j);
void jit_strike(Jit *j);
/* The JIT's own function instead of one of the process; or `address`. */
void *jit_replace_outside(const char *name, void *address);
/* The program handles signals: what it may call then must be there. */
bool jit_handles_signals(void);

/* jit/lazy_functions.c. False: no memory. */
bool jit_copy_functions(JitModule *m, const LazyFunction *functions, size_t n);
bool jit_count_parts(JitModule *m);
int64_t jit_function_number(const void *lazy, const char *name); /* or -1 */
void jit_free_lazy(JitModule *m);

/* jit/slots.c. Once the stubs are linked: where they lead first. False: reported. */
void jit_name_slots(const JitModule *m, char *out, size_t size);
bool jit_start_stubs(JitModule *m, Diags *d);

/* jit/code.c. Gives a part symbols for its sections of code: explanations need one. */
bool jit_name_code(JitModule *m, Diags *d);

void jit_free_need(Need *need);
/* Takes a module out of the lists, and gives it back; its code is its tracker's. */
void jit_free_module(JitModule *m);

#endif
