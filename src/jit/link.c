/* jit/link.c: modules that wait are linked: every name they need is found, ORC gets
 * their objects, their constructors run. */
#include "jit/internal.h"

#include <stdio.h>
#include <stdlib.h>

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
	bool tls = strncmp(name, JIT_TLS_SHARED_PREFIX, strlen(JIT_TLS_SHARED_PREFIX)) == 0;
	if (tls)
		name += strlen(JIT_TLS_SHARED_PREFIX);
	Loc loc = {.info = need->place.line ? &need->place : NULL};
	diag_error(d, loc, "%s '%s' is not defined by any module, loaded library or the process",
	           tls ? "thread-local variable" : "symbol", name);
	return false;
}

static bool resolve_all(Jit *j, Diags *d)
{
	bool ok = true;
	for (JitModule *m = j->modules; m; m = m->next)
		for (size_t i = 0; m->pending && !m->lazy && i < m->nneeds;
		     i++) /* what waits may not need it */
			ok &= resolve(j, &m->needs[i], d);
	return ok;
}

static void (*as_function(void *p))(void)
{
	void (*function)(void);
	memcpy(&function, &p, sizeof p);
	return function;
}

static bool find_structor(JitModule *m, bool has, const char *prefix, void (**out)(void), Diags *d)
{
	char name[64];
	*out = NULL;
	if (!has)
		return true;
	snprintf(name, sizeof name, "%s%llu", prefix, (unsigned long long)jit_whole(m)->number);
	void *address = jit_look_up(m->jit, name, d);
	*out = as_function(address);
	return address != NULL;
}

/* handed_over: of those that ORC has. */
static JitModule *oldest_pending(Jit *j, bool handed_over)
{
	JitModule *oldest = NULL;
	for (JitModule *m = j->modules; m; m = m->next)
		if (m->pending && (!handed_over || m->tracker))
			oldest = m;
	return oldest;
}

static bool hand_over_all(Jit *j, Diags *d)
{
	bool ok = true;
	for (JitModule *m = j->modules; ok && m; m = m->next)
		ok = !m->pending || jit_hand_over(m, d);
	return ok;
}

/* Of what a linked module needs, what other modules define must stay there. */
static void use_modules(JitModule *m)
{
	size_t n = 0;
	for (size_t i = 0; i < m->nneeds; i++) {
		JitSymbol *symbol = jit_symbols_find(&m->jit->defined, m->needs[i].name);
		bool other = symbol && (!symbol->owner || jit_whole(symbol->owner) != jit_whole(m));
		if (other)
			m->needs[n++] = m->needs[i];
		else
			jit_free_need(&m->needs[i]);
		if (other)
			symbol->users++;
	}
	m->nneeds = n;
}

static void run_init(JitModule *m, void (*init)(void))
{
	jit_whole(m)->busy = true;
	jit_leave_state(m->jit);
	init();
	jit_enter_state(m->jit);
	jit_whole(m)->busy = false;
}

static bool start(JitModule *m, Diags *d)
{
	void (*init)(void), (*fini)(void);
	if (!jit_start_stubs(m, d) || !jit_register_faults(m, d) || !jit_tell_of_code(m, d) ||
	    !find_structor(m, m->has.init, JIT_INIT_PREFIX, &init, d) ||
	    !find_structor(m, m->has.fini, JIT_FINI_PREFIX, &fini, d))
		return false;
	m->pending = false;
	m->fini = fini;
	use_modules(m);
	if (init)
		run_init(m, init);
	return true;
}

bool jit_link_part(JitModule *m, Diags *d)
{
	bool ok = true;
	for (size_t i = 0; i < m->nneeds; i++)
		ok &= resolve(m->jit, &m->needs[i], d);
	return ok && jit_hand_over(m, d) && start(m, d);
}

/* All modules at once, since they may need each other; constructors in the order of adding.
 * These may call back, and add more. */
bool jit_link_pending(Jit *j, Diags *d)
{
	while (oldest_pending(j, false)) {
		if (!resolve_all(j, d) || !hand_over_all(j, d))
			return false;
		for (JitModule *m; (m = oldest_pending(j, true)); j->d = d)
			if (!start(m, d))
				return false;
	}
	return true;
}
