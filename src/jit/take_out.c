/* jit/take_out.c: a module goes, with its code and all that refers to it from outside of the JIT. */
#include "jit/internal.h"

static void forget_thread_locals(JitModule *m)
{
	for (size_t i = 0; i < m->ndefines; i++) {
		const char *name = m->defines[i].name;
		bool is_own =
		    strncmp(name, JIT_TLS_PREFIX, strlen(JIT_TLS_PREFIX)) == 0 && !m->defines[i].gave_way;
		JitTls *control = is_own ? jit_look_up(m->jit, name, m->jit->d) : NULL;
		if (control)
			jit_tls_forget(control);
	}
}

void jit_forget_places(JitModule *m)
{
	jit_forget_faults(m);
	if (m->pending)
		return;
	forget_thread_locals(m);
	jit_debug_forget(m);
}

bool jit_take_out(JitModule *m, Diags *d)
{
	jit_forget_places(m);
	bool ok = !m->tracker || jit_check(LLVMOrcResourceTrackerRemove(m->tracker), d, "remove a module");
	jit_free_module(m);
	return ok;
}
