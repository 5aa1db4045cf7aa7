#include "emit/jit.h"

#include "emit/emit.h"
#include "emit/jit_object.h"
#include "emit/jit_prepare.h"
#include "emit/jit_runtime.h"
#include "emit/jit_symbols.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>

typedef struct Need {
	char *name;
	LocInfo place; /* its name is malloc'ed */
	bool weak;
} Need;

struct JitModule {
	Jit *jit;
	JitModule *next, **link;
	uint64_t number;
	LLVMOrcResourceTrackerRef tracker; /* NULL: not handed to ORC */
	bool pending;                      /* not linked yet */
	JitPrepared has;
	void (*fini)(void); /* NULL: none, or not linked yet */
	Need *needs;        /* until it is linked */
	size_t nneeds;
	char **defines;
	size_t ndefines;
};

typedef struct Library {
	struct Library *older;
	void *handle;
} Library;

struct Jit {
	pthread_mutex_t lock; /* recursive: constructors and exit handlers call back */
	LLVMOrcLLJITRef lljit;
	LLVMOrcJITDylibRef dylib;
	JitModule *modules; /* newest first */
	Library *libraries; /* newest first */
	JitSymbols defined; /* by modules */
	JitSymbols outside; /* added, or found and handed to ORC */
	JitExits exits;
	uint64_t nmodules; /* ever */
	Diags *d;          /* of the call that is under way */
	bool finished;
};

static void enter(Jit *j, Diags *d)
{
	pthread_mutex_lock(&j->lock);
	j->d = d;
}

static void leave(Jit *j)
{
	pthread_mutex_unlock(&j->lock);
}

static bool no_memory(Diags *d)
{
	diag_failure(d, "out of memory");
	return false;
}

/* True when there was no error. */
static bool check(LLVMErrorRef error, Diags *d, const char *what)
{
	if (!error)
		return true;
	char *message = LLVMGetErrorMessage(error);
	diag_failure(d, "the JIT cannot %s: %s", what, message);
	LLVMDisposeErrorMessage(message);
	return false;
}

/* ORC tells some things only here, before the call at hand fails. */
static void report_orc(void *user, LLVMErrorRef error)
{
	Jit *j = user;
	if (j->d)
		check(error, j->d, "link");
	else
		LLVMConsumeError(error);
}

/* Symbols of outside */

static bool define_absolute(Jit *j, const char *name, void *address, Diags *d)
{
	LLVMOrcCSymbolMapPair pair = {.Name = LLVMOrcLLJITMangleAndIntern(j->lljit, name),
	                              .Sym = {.Address = (uintptr_t)address,
	                                      .Flags = {.GenericFlags = LLVMJITSymbolGenericFlagsExported}}};
	return check(LLVMOrcJITDylibDefine(j->dylib, LLVMOrcAbsoluteSymbols(&pair, 1)), d, "add a symbol");
}

static bool add_outside(Jit *j, const char *name, void *address, Diags *d)
{
	JitSymbol *s = jit_symbols_get(&j->outside, name);
	if (!s)
		return no_memory(d);
	s->address = address;
	return define_absolute(j, name, address, d);
}

/* dlsym() also looks into what a library needs; `own`: only what is the library's own counts. */
static void *find_in_library(const Library *l, const char *name, bool own)
{
	void *address = dlsym(l->handle, name);
	struct link_map *map;
	Dl_info info;
	if (!address || !own)
		return address;
	bool is_own = dlinfo(l->handle, RTLD_DI_LINKMAP, &map) == 0 && dladdr(address, &info) != 0 &&
	              (uintptr_t)info.dli_fbase == map->l_addr;
	return is_own ? address : NULL;
}

/* The libraries before the process, which holds all that LLVM needs; but the process, with its C++ run time and its unwinder,
 * before what the libraries need. */
static void *find_outside(Jit *j, const char *name)
{
	void *address = NULL;
	for (Library *l = j->libraries; l && !address; l = l->older)
		address = find_in_library(l, name, true);
	if (!address)
		address = dlsym(RTLD_DEFAULT, name);
	for (Library *l = j->libraries; l && !address; l = l->older)
		address = find_in_library(l, name, false);
	return address;
}

static bool is_type_identity(const char *name)
{
	return strncmp(name, "_ZTI", 4) == 0 || strncmp(name, "_ZTS", 4) == 0;
}

/* As the dynamic loader has it, the first weak definition serves everybody: libc++abi tells types apart by address. In the process only
 * type infos are looked for: its inline functions may be made for another purpose (LLVM's know no exceptions). */
static bool prefer_outside(Jit *j, const char *name, Diags *d)
{
	void *address = NULL;
	if (jit_symbols_find(&j->outside, name) || jit_symbols_find(&j->defined, name))
		return true;
	for (Library *l = j->libraries; l && !address; l = l->older)
		address = find_in_library(l, name, true);
	if (!address && is_type_identity(name))
		address = dlsym(RTLD_DEFAULT, name);
	return !address || add_outside(j, name, address, d);
}

/* A name that no module defines: false when nobody else does. */
static bool resolve_outside(Jit *j, const char *name, bool *found, Diags *d)
{
	*found = true;
	if (jit_symbols_find(&j->outside, name))
		return true;
	void *address = find_outside(j, name);
	*found = address != NULL;
	return !address || add_outside(j, name, address, d);
}

bool jit_add_symbol(Jit *j, const char *name, void *address, Diags *d)
{
	enter(j, d);
	bool taken =
	    jit_symbols_find(&j->outside, name) != NULL || jit_symbols_find(&j->defined, name) != NULL;
	if (taken)
		diag_error(d, (Loc){0}, "'%s' is defined already", name);
	bool ok = !taken && add_outside(j, name, address, d);
	leave(j);
	return ok;
}

bool jit_load_library(Jit *j, const char *path, Diags *d)
{
	enter(j, d);
	Library *l = malloc(sizeof *l);
	void *handle = l ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	if (handle) {
		*l = (Library){j->libraries, handle};
		j->libraries = l;
	} else {
		if (l)
			diag_error(d, (Loc){0}, "cannot load '%s': %s", path, dlerror());
		else
			no_memory(d);
		free(l);
	}
	leave(j);
	return handle != NULL;
}

/* What code in the JIT calls */

/* Itanium C++ ABI, 3.3.6.3. The handle is the variable of jit_prepare.c. */
static int cxa_atexit(void (*function)(void *), void *argument, void *dso_handle)
{
	JitModule *m = *(JitModule **)dso_handle;
	pthread_mutex_lock(&m->jit->lock);
	bool ok = jit_exits_add(&m->jit->exits, function, argument, m);
	pthread_mutex_unlock(&m->jit->lock);
	return ok ? 0 : -1;
}

static void *as_pointer(void (*function)(void))
{
	void *p;
	memcpy(&p, &function, sizeof p); /* ISO C has no such cast, POSIX has such functions */
	return p;
}

static void (*as_function(void *p))(void)
{
	void (*function)(void);
	memcpy(&function, &p, sizeof p);
	return function;
}

static bool add_runtime(Jit *j, Diags *d)
{
	return add_outside(j, "__cxa_atexit", as_pointer((void (*)(void))cxa_atexit), d) &&
	       add_outside(j, JIT_TLS_ADDRESS, as_pointer((void (*)(void))jit_tls_address), d);
}

/* Beginning and end */

static bool open_session(Jit *j, Diags *d)
{
	if (!check(LLVMOrcCreateLLJIT(&j->lljit, NULL), d, "start"))
		return false;
	LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(j->lljit), report_orc, j);
	j->dylib = LLVMOrcLLJITGetMainJITDylib(j->lljit);
	return add_runtime(j, d);
}

Jit *jit_create(Diags *d)
{
	pthread_mutexattr_t attributes;
	Jit *j = calloc(1, sizeof *j);
	if (!j) {
		no_memory(d);
		return NULL;
	}
	emit_initialize();
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&j->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	enter(j, d);
	bool ok = open_session(j, d);
	leave(j);
	if (ok)
		return j;
	jit_destroy(j);
	return NULL;
}

static void run_exits(Jit *j, const JitModule *owner)
{
	JitExit exit;
	while (jit_exits_take(&j->exits, owner, &exit))
		exit.function(exit.argument);
}

static void run_fini(JitModule *m)
{
	void (*fini)(void) = m->fini;
	m->fini = NULL;
	if (fini)
		fini();
}

void jit_finish(Jit *j)
{
	enter(j, NULL);
	if (!j->finished) {
		j->finished = true;
		run_exits(j, NULL);
		for (JitModule *m = j->modules; m; m = m->next)
			run_fini(m);
	}
	leave(j);
}

static void free_needs(JitModule *m)
{
	for (size_t i = 0; i < m->nneeds; i++) {
		free(m->needs[i].name);
		free((char *)(uintptr_t)m->needs[i].place.name.data);
	}
	free(m->needs);
	m->needs = NULL;
	m->nneeds = 0;
}

static void free_module(JitModule *m)
{
	if (m->link) {
		*m->link = m->next;
		if (m->next)
			m->next->link = m->link;
	}
	for (size_t i = 0; i < m->ndefines; i++) {
		jit_symbols_release(&m->jit->defined, m->defines[i]);
		free(m->defines[i]);
	}
	free(m->defines);
	free_needs(m);
	if (m->tracker)
		LLVMOrcReleaseResourceTracker(m->tracker);
	free(m);
}

static void forget_thread_locals(JitModule *m)
{
	for (size_t i = 0; i < m->ndefines; i++) {
		LLVMOrcExecutorAddress control;
		if (strncmp(m->defines[i], JIT_TLS_PREFIX, strlen(JIT_TLS_PREFIX)) == 0 &&
		    check(LLVMOrcLLJITLookup(m->jit->lljit, &control, m->defines[i]), m->jit->d, "look up"))
			jit_tls_forget((JitTls *)(uintptr_t)control);
	}
}

void jit_destroy(Jit *j)
{
	Diags quiet;
	diag_init(&quiet, NULL, NULL);
	jit_finish(j);
	enter(j, &quiet);
	for (JitModule *m = j->modules; m; m = m->next)
		if (!m->pending)
			forget_thread_locals(m);
	while (j->modules)
		free_module(j->modules);
	if (j->lljit)
		check(LLVMOrcDisposeLLJIT(j->lljit), &quiet, "end");
	for (Library *l = j->libraries, *older; l; l = older) {
		older = l->older; /* never unloaded: objects made by it may be alive */
		free(l);
	}
	jit_symbols_free(&j->defined);
	jit_symbols_free(&j->outside);
	leave(j);
	pthread_mutex_destroy(&j->lock);
	free(j);
}

/* Adding a module */

typedef struct Gather {
	JitModule *m;
	const JitUse *uses;
	size_t nuses;
	size_t cap_needs, cap_defines;
	Diags *d;
	bool ok;
} Gather;

static bool grow(void **data, size_t len, size_t *cap, size_t size)
{
	if (len < *cap)
		return true;
	size_t more = *cap ? 2 * *cap : 8;
	void *grown = realloc(*data, more * size);
	if (!grown)
		return false;
	*data = grown;
	*cap = more;
	return true;
}

/* False: no memory. */
static bool copy_place(const Gather *g, const char *name, LocInfo *out)
{
	Str key = str_of(name);
	*out = (LocInfo){0};
	for (size_t i = 0; i < g->nuses; i++) {
		const LocInfo *place = &g->uses[i].place;
		if (!place->line || !str_equal(g->uses[i].name, key))
			continue;
		*out = (LocInfo){.kind = LOC_FILE, .line = place->line, .col = place->col, .depth = 1};
		out->name = (Str){strndup(place->name.data, place->name.len), place->name.len};
		return out->name.data != NULL;
	}
	return true;
}

static bool add_need(Gather *g, const char *name, bool weak)
{
	JitModule *m = g->m;
	if (strcmp(name, "_GLOBAL_OFFSET_TABLE_") == 0) /* JITLink makes it */
		return true;
	if (!grow((void **)&m->needs, m->nneeds, &g->cap_needs, sizeof *m->needs))
		return false;
	Need *need = &m->needs[m->nneeds++];
	*need = (Need){.name = strdup(name), .weak = weak};
	return need->name && copy_place(g, name, &need->place);
}

static bool add_definition(Gather *g, const char *name, bool weak)
{
	JitModule *m = g->m;
	JitSymbols *defined = &m->jit->defined;
	JitSymbol *known = jit_symbols_find(defined, name);
	if (known && !weak && known->strong) {
		diag_error(g->d, (Loc){0}, "'%s' is already defined by another module of the JIT", name);
		return g->ok = false, true;
	}
	if (weak && !prefer_outside(m->jit, name, g->d))
		return g->ok = false, true;
	char *copy = strdup(name);
	if (!copy || !grow((void **)&m->defines, m->ndefines, &g->cap_defines, sizeof *m->defines) ||
	    !(known = jit_symbols_get(defined, name))) {
		free(copy);
		return false;
	}
	known->strong |= !weak;
	m->defines[m->ndefines++] = copy;
	return true;
}

static void visit_symbol(const char *name, ObjectSymbolKind kind, void *user)
{
	Gather *g = user;
	bool weak = kind == OBJECT_DEFINES_WEAK || kind == OBJECT_NEEDS_WEAK;
	bool need = kind == OBJECT_NEEDS || kind == OBJECT_NEEDS_WEAK;
	if (g->ok && !(need ? add_need(g, name, weak) : add_definition(g, name, weak)))
		g->ok = no_memory(g->d);
}

static bool hand_over(JitModule *m, Str object, Diags *d)
{
	char name[48];
	snprintf(name, sizeof name, "circ.jit.%llu", (unsigned long long)m->number);
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data, object.len, name);
	m->tracker = LLVMOrcJITDylibCreateResourceTracker(m->jit->dylib);
	return check(LLVMOrcLLJITAddObjectFileWithRT(m->jit->lljit, m->tracker, buffer), d, "add a module");
}

static bool add_object(JitModule *m, Str object, const JitUse *uses, size_t nuses, Diags *d)
{
	Gather g = {.m = m, .uses = uses, .nuses = nuses, .d = d, .ok = true};
	object_visit_symbols(object, visit_symbol, &g);
	return g.ok && hand_over(m, object, d);
}

static bool compile(JitModule *m, LLVMModuleRef module, LLVMTargetMachineRef machine, const JitUse *uses,
                    size_t nuses, Diags *d)
{
	char *data;
	size_t len;
	if (!jit_prepare(module, m->number, m, d, &m->has) || !emit_verify(module, d) ||
	    !emit_memory(module, machine, EMIT_OBJECT, &data, &len, d))
		return false;
	bool ok = add_object(m, (Str){data, len}, uses, nuses, d);
	free(data);
	return ok;
}

static JitModule *new_module(Jit *j, Diags *d)
{
	JitModule *m = calloc(1, sizeof *m);
	if (m)
		*m = (JitModule){.jit = j, .number = j->nmodules++, .pending = true};
	else
		no_memory(d);
	return m;
}

static JitModule *keep(JitModule *m)
{
	Jit *j = m->jit;
	m->next = j->modules;
	m->link = &j->modules;
	if (m->next)
		m->next->link = &m->next;
	return j->modules = m;
}

static JitModule *drop(JitModule *m)
{
	free_module(m);
	return NULL;
}

JitModule *jit_add_module(Jit *j, LLVMModuleRef module, LLVMTargetMachineRef machine, const JitUse *uses,
                          size_t nuses, Diags *d)
{
	enter(j, d);
	JitModule *m = new_module(j, d);
	if (m)
		m = compile(m, module, machine, uses, nuses, d) ? keep(m) : drop(m);
	leave(j);
	return m;
}

JitModule *jit_add_object(Jit *j, const char *name, Str object, Diags *d)
{
	const char *wrong = object_check(object);
	if (wrong) {
		diag_error(d, (Loc){0}, "the JIT cannot use '%s': %s", name, wrong);
		return NULL;
	}
	enter(j, d);
	JitModule *m = new_module(j, d);
	if (m)
		m = add_object(m, object, NULL, 0, d) ? keep(m) : drop(m);
	leave(j);
	return m;
}

/* Linking */

static bool resolve(Jit *j, const Need *need, Diags *d)
{
	bool found;
	if (jit_symbols_find(&j->defined, need->name))
		return true;
	if (!resolve_outside(j, need->name, &found, d))
		return false;
	if (found || need->weak)
		return true;
	const char *name = need->name;
	bool tls = strncmp(name, JIT_TLS_PREFIX, strlen(JIT_TLS_PREFIX)) == 0;
	if (tls)
		name += strlen(JIT_TLS_PREFIX);
	Loc loc = {.info = need->place.line ? &need->place : NULL};
	diag_error(d, loc, "%s '%s' is not defined by any module%s", tls ? "thread-local variable" : "symbol",
	           name, tls ? "" : ", loaded library or the process");
	return false;
}

static bool resolve_all(Jit *j, Diags *d)
{
	bool ok = true;
	for (JitModule *m = j->modules; m; m = m->next)
		for (size_t i = 0; m->pending && i < m->nneeds; i++)
			ok &= resolve(j, &m->needs[i], d);
	return ok;
}

/* NULL: reported. */
static void *look_up(Jit *j, const char *name, Diags *d)
{
	LLVMOrcExecutorAddress address = 0;
	return check(LLVMOrcLLJITLookup(j->lljit, &address, name), d, "look up a symbol")
	           ? (void *)(uintptr_t)address
	           : NULL;
}

static bool find_structor(JitModule *m, bool has, const char *prefix, void (**out)(void), Diags *d)
{
	char name[64];
	*out = NULL;
	if (!has)
		return true;
	snprintf(name, sizeof name, "%s%llu", prefix, (unsigned long long)m->number);
	void *address = look_up(m->jit, name, d);
	*out = as_function(address);
	return address != NULL;
}

static JitModule *oldest_pending(Jit *j)
{
	JitModule *oldest = NULL;
	for (JitModule *m = j->modules; m; m = m->next)
		if (m->pending)
			oldest = m;
	return oldest;
}

/* All modules at once, since they may need each other; constructors in the order of adding. */
static bool link_pending(Jit *j, Diags *d)
{
	if (!oldest_pending(j))
		return true;
	if (!resolve_all(j, d))
		return false;
	for (JitModule *m; (m = oldest_pending(j));) {
		void (*init)(void), (*fini)(void);
		if (!find_structor(m, m->has.init, JIT_INIT_PREFIX, &init, d) ||
		    !find_structor(m, m->has.fini, JIT_FINI_PREFIX, &fini, d))
			return false;
		m->pending = false;
		m->fini = fini;
		free_needs(m);
		if (init)
			init();
		j->d = d; /* a constructor may have called back */
	}
	return true;
}

void *jit_lookup(Jit *j, const char *name, Diags *d)
{
	void *address = NULL;
	enter(j, d);
	if (link_pending(j, d)) {
		bool inside = jit_symbols_find(&j->defined, name) || jit_symbols_find(&j->outside, name);
		address = inside ? look_up(j, name, d) : find_outside(j, name);
		if (!inside && !address)
			diag_error(d, (Loc){0}, "no module, library or the process defines '%s'", name);
	}
	leave(j);
	return address;
}

/* Removing a module */

static bool is_module(const Jit *j, const JitModule *m)
{
	const JitModule *it = j->modules;
	while (it && it != m)
		it = it->next;
	return it != NULL;
}

static bool remove_module(Jit *j, JitModule *m, Diags *d)
{
	if (!is_module(j, m)) {
		diag_error(d, (Loc){0}, "the module is not in this JIT, or no longer");
		return false;
	}
	run_exits(j, m);
	run_fini(m);
	j->d = d;
	if (!m->pending)
		forget_thread_locals(m);
	bool ok = check(LLVMOrcResourceTrackerRemove(m->tracker), d, "remove a module");
	free_module(m);
	LLVMOrcSymbolStringPoolClearDeadEntries(
	    LLVMOrcExecutionSessionGetSymbolStringPool(LLVMOrcLLJITGetExecutionSession(j->lljit)));
	return ok;
}

bool jit_remove_module(Jit *j, JitModule *m, Diags *d)
{
	enter(j, d);
	bool ok = remove_module(j, m, d);
	leave(j);
	return ok;
}
