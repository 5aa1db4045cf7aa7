#include "jit/internal.h"

#include "emit/emit.h"

#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/LLJITUtils.h>

/* What code in the JIT calls */

/* Itanium C++ ABI, 3.3.6.3. The handle is the variable of jit/prepare.c. */
static int cxa_atexit(void (*function)(void *), void *argument, void *dso_handle)
{
	JitModule *m = *(JitModule **)dso_handle;
	JitExit exit = {.function = function, .argument = argument, .owner = m, .group = m->jit};
	jit_enter_state(m->jit);
	bool ok = jit_exits_add(&m->jit->exits, &exit);
	jit_leave_state(m->jit);
	return ok ? 0 : -1;
}

static int cxa_thread_atexit(void (*function)(void *), void *argument, void *dso_handle)
{
	JitModule *m = *(JitModule **)dso_handle;
	JitExit exit = {.function = function, .argument = argument, .owner = m, .group = m->jit};
	return jit_thread_exits_add(&exit) ? 0 : -1;
}

static void *as_pointer(void (*function)(void))
{
	void *p;
	memcpy(&p, &function, sizeof p); /* ISO C has no such cast, POSIX has such functions */
	return p;
}

static bool add_runtime(Jit *j, Diags *d)
{
	j->objects.jit = j;
	return jit_add_outside(j, "__cxa_atexit", as_pointer((void (*)(void))cxa_atexit), d) &&
	       jit_add_outside(j, "__cxa_thread_atexit", as_pointer((void (*)(void))cxa_thread_atexit), d) &&
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
	j->debug = debug;
	j->dylib = LLVMOrcLLJITGetMainJITDylib(j->lljit);
	/* LLJIT puts a __dso_handle for its own __cxa_atexit there. */
	return jit_check(LLVMOrcJITDylibClear(j->dylib), d, "start") && add_runtime(j, d);
}

Jit *jit_create(bool debug, Diags *d)
{
	Jit *j = calloc(1, sizeof *j);
	if (!j) {
		jit_no_memory(d);
		return NULL;
	}
	emit_initialize(abi_target(STR("")));
	jit_lock_init(&j->lock);
	jit_lock_init(&j->state);
	j->replace = jit_replace_outside;
	j->additions = 1;
	jit_enroll(j);
	jit_enter(j, d);
	bool ok = open_session(j, debug, d);
	jit_leave(j);
	if (ok)
		return j;
	jit_destroy(j);
	return NULL;
}

/* As at the end of a program: thread-local objects come first. owner: a module, or the JIT. */
static void run_exits(Jit *j, const void *owner)
{
	JitExit exit;
	jit_leave_state(j);
	jit_thread_exits_run(owner);
	jit_enter_state(j);
	while (jit_exits_take(&j->exits, owner, &exit)) {
		jit_leave_state(j);
		exit.function(exit.argument);
		jit_enter_state(j);
	}
}

static void run_fini(JitModule *m)
{
	void (*fini)(void) = m->fini;
	m->fini = NULL;
	jit_leave_state(m->jit);
	if (fini)
		fini();
	jit_enter_state(m->jit);
}

void jit_finish(Jit *j)
{
	jit_enter(j, NULL);
	if (!j->finished) {
		j->finished = true;
		run_exits(j, j);
		for (JitModule *m = j->modules; m; m = m->next)
			run_fini(m);
	}
	jit_leave(j);
}

void jit_destroy(Jit *j)
{
	Diags quiet;
	diag_init(&quiet, NULL, NULL);
	jit_finish(j);
	jit_strike(j);
	jit_enter(j, &quiet);
	for (JitModule *m = j->modules; m; m = m->next)
		jit_forget_places(m);
	while (j->modules)
		jit_free_module(j->modules);
	if (j->lljit)
		jit_check(LLVMOrcDisposeLLJIT(j->lljit), &quiet, "end");
	for (Library *l = j->libraries, *older; l; l = older) {
		older = l->older; /* never unloaded: objects made by it may be alive */
		free(l);
	}
	jit_free_outside_tls(j);
	jit_symbols_free(&j->defined);
	jit_symbols_free(&j->outside);
	jit_leave(j);
	jit_lock_destroy(&j->state);
	jit_lock_destroy(&j->lock);
	free(j);
}

void *jit_lookup(Jit *j, const char *name, Diags *d)
{
	void *address = NULL;
	jit_enter(j, d);
	if (jit_link_pending(j, d)) {
		if (jit_handles_signals())
			jit_compile_waiting(j, true);
		bool inside = jit_symbols_find(&j->defined, name) || jit_symbols_find(&j->outside, name);
		address = inside ? jit_look_up(j, name, d) : jit_find_outside(j, name);
		if (!inside && !address)
			diag_error(d, (Loc){0},
			           "symbol '%s' is not defined by any module, loaded library or the process",
			           name);
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

/* The name of something, or NULL. */
static const char *used_by_others(const JitModule *whole)
{
	for (const JitModule *m = whole->jit->modules; m; m = m->next) {
		if (m != whole && m->whole != whole)
			continue;
		for (size_t i = 0; i < m->ndefines; i++) {
			const JitSymbol *symbol = jit_symbols_find(&m->jit->defined, m->defines[i].name);
			if (symbol->owner == m && symbol->users)
				return m->defines[i].name;
		}
	}
	return NULL;
}

static bool check_removable(const Jit *j, const JitModule *m, Diags *d)
{
	if (!is_module(j, m)) {
		diag_error(d, (Loc){0}, "module is not in this JIT, or was removed");
		return false;
	}
	if (m->busy || j->finished || jit_thread_runs_exit(m)) {
		diag_error(d, (Loc){0},
		           "module cannot be removed while its constructors or exit handlers run");
		return false;
	}
	const char *used = used_by_others(m);
	if (used)
		diag_error(d, (Loc){0}, "module cannot be removed: another module uses its '%s'", used);
	return !used;
}

static bool remove_module(Jit *j, JitModule *m, Diags *d)
{
	if (!check_removable(j, m, d))
		return false;
	m->busy = true;
	run_exits(j, m);
	for (JitModule *part = j->modules; part; part = part->next)
		if (part == m || part->whole == m)
			run_fini(part);
	j->d = d;
	bool ok = true;
	for (JitModule *part = j->modules, *next; part; part = next) {
		next = part->next;
		if (part->whole == m)
			ok &= jit_take_out(part, d);
	}
	ok &= jit_take_out(m, d);
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
