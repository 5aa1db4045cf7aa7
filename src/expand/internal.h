/* expand/internal.h: what the files of the expanding pass share.
 *
 *   expand.c        which ops there are to expand
 *   emit.c          functions, calls and moved regions, which all the others are made of
 *   global.c        dynamic initialisation and destruction of globals
 *   module_init.c   initializers of C++20 named modules
 *   guard.c         code that runs once: guard variables
 *   at_exit.c       registering destructors
 *   local_init.c    cir.local_init
 *   thread_local.c  wrappers of thread-local globals
 *   thread_local_ms.c  the same in the Microsoft ABI
 *   dyn_cast.c      cir.dyn_cast
 *   dyn_cast_ms.c   which classes have virtual tables of the Itanium ABI on windows-msvc
 *
 * Errors  false or NULL: reported; the pass ends.
 */
#ifndef CIRC_EXPAND_INTERNAL_H
#define CIRC_EXPAND_INTERNAL_H

#include "base/ptrmap.h"
#include "base/vec.h"
#include "expand/expand.h"
#include "ir/build.h"
#include "ir/libcall.h"

/* A function that initializes one global. */
typedef struct Init {
	IrOp *func;
	uint64_t priority;
	uint32_t order; /* in the module */
} Init;

typedef VEC(IrOp *) OpList;

typedef struct Expand {
	IrModule *m;
	const AbiTarget *target;
	Diags *d;
	Arena *mem;                  /* until the pass is done */
	VEC(Init) inits;             /* of ordinary globals */
	OpList imports;              /* the initializers of the modules that this unit imports */
	PtrMap wrappers;             /* global with tls_refs → its wrapper */
	OpList wrapped;              /* those globals; for Microsoft, all that tell one */
	PtrMap tls_init_of;          /* … → the function that initializes it */
	OpList tls_inits;            /* what __tls_init calls */
	IrOp *tls_init;              /* __tls_init, or NULL */
	struct ExpandTables *tables; /* of dyn_cast_ms.c; NULL: not asked for yet */
} Expand;

/* emit.c */
/* An internal function without parameters that returns nothing, named `stem`, or `stem.N` if that is taken; *b is in its entry block. */
IrOp *expand_function(Expand *x, const char *stem, Loc loc, IrBuilder *b);
void expand_return(IrBuilder *b);
/* Calls a function that expand_function() made, or an import. */
void expand_call_init(Expand *x, IrBuilder *b, const IrOp *func);
void expand_call_imports(Expand *x, IrBuilder *b);
/* The ops of a region of one block go to the builder's place, without the yield; the region is empty
 * afterwards. One that does not end in a yield becomes a scope there. */
void expand_move(IrBuilder *b, IrRegion *region);
bool expand_is_microsoft(const Expand *x);
/* Is the symbol such that several objects may define it, and the linker keeps one? */
bool expand_is_weak(const IrOp *symbol);
bool expand_is_local(const IrOp *symbol);
bool expand_call(Expand *x, IrBuilder *b, const LibFn *fn, IrValue *const *args, uint32_t nargs,
                 IrValue **result);

/* cpu.c. last: the last op of the module before the pass made any; NULL: it was empty. */
void expand_share_cpu(Expand *x, const IrOp *last);

/* global.c */
bool expand_global(Expand *x, IrOp *global);
bool expand_finish_globals(Expand *x);

/* module_init.c */
/* Declares what the module's attribute lists: x->imports. */
bool expand_imports(Expand *x);
/* The name of the initializer that the module is to have; NULL: none, or it has it already. */
bool expand_module_init_name(Expand *x, Name **out);
/* The initializer: x->imports, then x->inits in their order. */
IrOp *expand_module_init(Expand *x, Name *name);

/* at_exit.c: at the builder's place, registers that `dtor` destroys the global: at the end of the program, or
 * of the thread for a thread-local one. Empties the region. */
bool expand_at_exit(Expand *x, IrBuilder *b, IrOp *global, IrRegion *dtor);
bool expand_register_exit_dtor(Expand *x, IrOp *op);

/* guard.c */
typedef enum GuardKind {
	GUARD_LOCAL,  /* of a variable of a function */
	GUARD_GLOBAL, /* outside of functions: where threads do not meet, told as initialized before it is */
} GuardKind;

typedef struct Guard {
	GuardKind kind;
	bool shared; /* threads may meet here */
	IrValue *address;
	IrBuilder body;  /* what runs once */
	IrBuilder after; /* where its end is told */
	IrBuilder outer; /* shared: the branch around that */
} Guard;

/* Code at g->body runs once, or once in each thread; a throw out of it lets it run again, if
 * that is not told before. The guard variable is made with the linkage of `global`. */
bool expand_guard_open(Expand *x, IrBuilder *b, const IrOp *global, Name *name, GuardKind kind, Guard *g);
bool expand_guard_close(Expand *x, Guard *g);
/* The Itanium C++ ABI's name of the guard variable of a global. */
Name *expand_guard_name(Expand *x, const IrOp *global);

/* local_init.c */
bool expand_local_init(Expand *x, IrOp *op);

/* thread_local.c */
/* A global with tls_refs, or with a function that initializes it; init NULL: none. */
bool expand_thread_local(Expand *x, IrOp *global, IrOp *init);
/* A get_global of one with tls_refs, anywhere in the module. */
bool expand_thread_local_use(Expand *x, IrOp *get_global);
bool expand_finish_thread_locals(Expand *x);

/* thread_local_ms.c */
/* Before a use of a global with tls_refs: sees to it that this thread has initialized its copy. */
bool expand_tls_check(Expand *x, IrOp *get_global, const IrOp *global);
/* Puts the functions of x->tls_inits where each thread runs them. */
void expand_tls_array(Expand *x);

/* dyn_cast.c */
bool expand_dyn_cast(Expand *x, IrOp *op);

/* dyn_cast_ms.c: the table of the Itanium ABI that the module has for a class, or for one
 * derived from it. NULL: none is known. */
const IrOp *expand_itanium_table(Expand *x, const IrAttr *rtti);
const IrOp *expand_itanium_table_of(Expand *x, const IrType *record);

#endif
