/* jit/debug.c: debuggers are told when code goes. LLVM's plugin enters each object into the list of
 * gdb's JIT interface, and leaves it there when it frees the object (LLVM 19 to 22, llvm-project #215739): a
 * debugger that attaches later would read freed memory. Here entries are taken out; their own 32 bytes are
 * LLVM's, and stay: it offers nothing that frees them. */
#include "jit/internal.h"

#include "jit/object.h"

/* GDB manual, "JIT Compilation Interface": LLVM has both variables. */
typedef struct DebugEntry {
	struct DebugEntry *next, *prev;
	const char *object; /* its sections say where they are */
	uint64_t size;
} DebugEntry;

typedef struct DebugDescriptor {
	uint32_t version;
	uint32_t action;
	DebugEntry *relevant;
	DebugEntry *first; /* the newest */
} DebugDescriptor;

enum { ACTION_NONE, ACTION_REGISTER, ACTION_UNREGISTER };

extern DebugDescriptor __jit_debug_descriptor;
extern void __jit_debug_register_code(void);

/* Held while ORC links, too: the list is one for all JITs. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
/* Entries that were taken out; so that they are not lost for whoever looks for leaks. */
static DebugEntry *retired;

/* The first symbol that a module of the JIT defines tells whose object it is. */
typedef struct Finder {
	const Jit *jit;
	JitModule *found;
} Finder;

static void find_owner(const char *name, ObjectSymbolKind kind, void *user)
{
	Finder *f = user;
	const JitSymbol *symbol = NULL;
	if (!f->found && (kind == OBJECT_DEFINES || kind == OBJECT_DEFINES_WEAK))
		symbol = jit_symbols_find(&f->jit->defined, name);
	if (symbol)
		f->found = symbol->owner;
}

/* former: the newest entry before this JIT linked. */
static void keep_entries(const Jit *j, const DebugEntry *former)
{
	for (DebugEntry *e = __jit_debug_descriptor.first; e && e != former; e = e->next) {
		Finder f = {.jit = j};
		object_visit_symbols((Str){e->object, e->size}, find_owner, &f);
		if (f.found)
			f.found->debug_entry = e;
	}
}

LLVMErrorRef jit_debug_look_up(Jit *j, LLVMOrcExecutorAddress *address, const char *name)
{
	if (!j->debug)
		return LLVMOrcLLJITLookup(j->lljit, address, name);
	pthread_mutex_lock(&list_lock);
	const DebugEntry *former = __jit_debug_descriptor.first;
	LLVMErrorRef error = LLVMOrcLLJITLookup(j->lljit, address, name);
	keep_entries(j, former);
	pthread_mutex_unlock(&list_lock);
	return error;
}

static void take_out(DebugEntry *e)
{
	DebugDescriptor *d = &__jit_debug_descriptor;
	if (e->prev)
		e->prev->next = e->next;
	else
		d->first = e->next;
	if (e->next)
		e->next->prev = e->prev;
	d->relevant = e;
	d->action = ACTION_UNREGISTER;
	__jit_debug_register_code(); /* where a debugger has its breakpoint */
	d->relevant = NULL;
	d->action = ACTION_NONE;
	e->next = retired;
	retired = e;
}

void jit_debug_forget(JitModule *m)
{
	pthread_mutex_lock(&list_lock);
	if (m->debug_entry)
		take_out(m->debug_entry);
	m->debug_entry = NULL;
	pthread_mutex_unlock(&list_lock);
}
