/* jit/faults.c: where the code of a module may fault: in operations of `cir.try async`, and in functions marked circ.may_fault. A linker
 * joins these tables with libcircrt's; here each gets a symbol at its beginning, which keeps it and says where it is, and is registered. */
#include "jit/internal.h"

#include "jit/object.h"

#include <stdio.h>
#include <stdlib.h>

typedef bool Register(const void *begin, const void *end);
typedef void Unregister(const void *begin);

static const struct {
	const char *section, *function;
} kinds[] = {
    {"circ_fault_ranges", "circ_faults_register"},
    {"circ_may_fault", "circ_faults_register_code"},
};

typedef struct FaultTable {
	unsigned kind;
	uint64_t size;
	void *begin; /* NULL: not registered */
} FaultTable;

static void name_of(char *out, size_t size, const JitModule *m, size_t i)
{
	snprintf(out, size, "circ.jit.faults.%llu.%zu", (unsigned long long)m->number, i);
}

static bool add_table(JitModule *m, const FaultTable *table)
{
	FaultTable *grown = realloc(m->fault_tables, (m->nfault_tables + 1) * sizeof *grown);
	if (!grown)
		return false;
	m->fault_tables = grown;
	grown[m->nfault_tables++] = *table;
	return true;
}

static bool name_table(JitModule *m, unsigned kind, const ObjectSection *at, Diags *d)
{
	char name[64];
	name_of(name, sizeof name, m, m->nfault_tables);
	if (!add_table(m, &(FaultTable){.kind = kind, .size = at->size}))
		return jit_no_memory(d);
	switch (object_add_symbol(&m->object, &m->object_len, at->index, name)) {
	case OBJECT_ADDED:
		return true;
	case OBJECT_TOO_MANY_SECTIONS:
		diag_error(d, (Loc){0},
		           "code that may fault is in an object of more sections than the JIT can use; "
		           "divide the module");
		return false;
	default:
		return jit_no_memory(d);
	}
}

bool jit_name_fault_tables(JitModule *m, Diags *d)
{
	for (unsigned kind = 0; kind < ARRAY_LEN(kinds); kind++) {
		ObjectSection at = {0};
		while (object_next_section((Str){m->object, m->object_len}, kinds[kind].section, &at))
			if (!name_table(m, kind, &at, d))
				return false;
	}
	return true;
}

static Register *find_register(Jit *j, const char *name)
{
	void *address = jit_find_outside(j, name);
	Register *function;
	memcpy(&function, &address, sizeof function);
	return function;
}

/* The runtime is the one that the module's code finds: a program may have its own. */
bool jit_register_faults(JitModule *m, Diags *d)
{
	char name[64];
	for (size_t i = 0; i < m->nfault_tables; i++) {
		FaultTable *t = &m->fault_tables[i];
		name_of(name, sizeof name, m, i);
		char *begin = jit_look_up(m->jit, name, d);
		if (!begin)
			return false;
		if (!find_register(m->jit, kinds[t->kind].function)(begin, begin + t->size))
			return jit_no_memory(d);
		t->begin = begin;
	}
	return true;
}

void jit_forget_faults(JitModule *m)
{
	void *address = m->nfault_tables ? jit_find_outside(m->jit, "circ_faults_unregister") : NULL;
	Unregister *unregister;
	memcpy(&unregister, &address, sizeof unregister);
	for (size_t i = 0; i < m->nfault_tables; i++)
		if (m->fault_tables[i].begin)
			unregister(m->fault_tables[i].begin);
	m->nfault_tables = 0;
}
