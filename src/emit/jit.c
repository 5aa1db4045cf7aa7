#include "emit/jit_internal.h"

#include "emit/emit.h"

#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/LLJITUtils.h>

void jit_enter(Jit *j, Diags *d)
{
	pthread_mutex_lock(&j->lock);
	j->d = d;
}

void jit_leave(Jit *j)
{
	pthread_mutex_unlock(&j->lock);
}

bool jit_no_memory(Diags *d)
{
	diag_failure(d, "out of memory");
	return false;
}

/* True when there was no error. */
bool jit_check(LLVMErrorRef error, Diags *d, const char *what)
{
	if (!error)
		return true;
	char *message = LLVMGetErrorMessage(error);
	diag_failure(d, "the JIT cannot %s: %s", what, message);
	LLVMDisposeErrorMessage(message);
	return false;
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
	return jit_add_outside(j, "__cxa_atexit", as_pointer((void (*)(void))cxa_atexit), d) &&
	       jit_add_outside(j, JIT_TLS_ADDRESS, as_pointer((void (*)(void))jit_tls_address), d);
}

/* Beginning and end */

/* ORC tells some things only here, before the call at hand fails. */
static void report_orc(void *user, LLVMErrorRef error)
{
	Jit *j = user;
	if (j->d)
		jit_check(error, j->d, "link");
	else
		LLVMConsumeError(error);
}

static bool open_session(Jit *j, bool debug, Diags *d)
{
	if (!jit_check(LLVMOrcCreateLLJIT(&j->lljit, NULL), d, "start"))
		return false;
	LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(j->lljit), report_orc, j);
	if (debug && !jit_check(LLVMOrcLLJITEnableDebugSupport(j->lljit), d, "register code with debuggers"))
		return false;
	j->dylib = LLVMOrcLLJITGetMainJITDylib(j->lljit);
	return add_runtime(j, d);
}

Jit *jit_create(bool debug, Diags *d)
{
	pthread_mutexattr_t attributes;
	Jit *j = calloc(1, sizeof *j);
	if (!j) {
		jit_no_memory(d);
		return NULL;
	}
	emit_initialize();
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&j->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	jit_enter(j, d);
	bool ok = open_session(j, debug, d);
	jit_leave(j);
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
	jit_enter(j, NULL);
	if (!j->finished) {
		j->finished = true;
		run_exits(j, NULL);
		for (JitModule *m = j->modules; m; m = m->next)
			run_fini(m);
	}
	jit_leave(j);
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

void jit_free_module(JitModule *m)
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
		    jit_check(LLVMOrcLLJITLookup(m->jit->lljit, &control, m->defines[i]), m->jit->d,
		              "look up"))
			jit_tls_forget((JitTls *)(uintptr_t)control);
	}
}

void jit_destroy(Jit *j)
{
	Diags quiet;
	diag_init(&quiet, NULL, NULL);
	jit_finish(j);
	jit_enter(j, &quiet);
	for (JitModule *m = j->modules; m; m = m->next)
		if (!m->pending)
			forget_thread_locals(m);
	while (j->modules)
		jit_free_module(j->modules);
	if (j->lljit)
		jit_check(LLVMOrcDisposeLLJIT(j->lljit), &quiet, "end");
	for (Library *l = j->libraries, *older; l; l = older) {
		older = l->older; /* never unloaded: objects made by it may be alive */
		free(l);
	}
	jit_symbols_free(&j->defined);
	jit_symbols_free(&j->outside);
	jit_leave(j);
	pthread_mutex_destroy(&j->lock);
	free(j);
}

/* Linking */

static bool resolve(Jit *j, const Need *need, Diags *d)
{
	bool found;
	if (jit_symbols_find(&j->defined, need->name))
		return true;
	if (!jit_resolve_outside(j, need->name, &found, d))
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
	return jit_check(LLVMOrcLLJITLookup(j->lljit, &address, name), d, "look up a symbol")
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
	jit_enter(j, d);
	if (link_pending(j, d)) {
		bool inside = jit_symbols_find(&j->defined, name) || jit_symbols_find(&j->outside, name);
		address = inside ? look_up(j, name, d) : jit_find_outside(j, name);
		if (!inside && !address)
			diag_error(d, (Loc){0}, "no module, library or the process defines '%s'", name);
	}
	jit_leave(j);
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
	bool ok = jit_check(LLVMOrcResourceTrackerRemove(m->tracker), d, "remove a module");
	jit_free_module(m);
	LLVMOrcSymbolStringPoolClearDeadEntries(
	    LLVMOrcExecutionSessionGetSymbolStringPool(LLVMOrcLLJITGetExecutionSession(j->lljit)));
	return ok;
}

bool jit_remove_module(Jit *j, JitModule *m, Diags *d)
{
	jit_enter(j, d);
	bool ok = remove_module(j, m, d);
	jit_leave(j);
	return ok;
}
