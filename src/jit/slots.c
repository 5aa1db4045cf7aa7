/* jit/slots.c: where stubs lead. */
#include "jit/internal.h"

#include <stdatomic.h>
#include <stdio.h>

void jit_name_slots(const JitModule *m, char *out, size_t size)
{
	snprintf(out, size, "circ.jit.slots.%llu", (unsigned long long)m->number);
}

bool jit_start_stubs(JitModule *m, Diags *d)
{
	char name[64];
	if (!m->lazy)
		return true;
	jit_name_slots(m, name, sizeof name);
	JitSlot *slots = jit_look_up(m->jit, name, d);
	if (!slots)
		return false;
	for (size_t i = 0; i < m->lazy->n; i++) {
		slots[i].owner = &m->lazy->owner;
		atomic_store_explicit(&slots[i].target, jit_stub_resolver(), memory_order_release);
	}
	m->lazy->slots = slots;
	jit_debug_forget(m); /* a breakpoint in a function is in its code alone */
	return true;
}
