/* jit/state.c: the lock, errors, and what a module holds. */
#include "jit/internal.h"

#include <stdlib.h>

void jit_enter(Jit *j, Diags *d)
{
	jit_lock(&j->lock);
	jit_lock(&j->state);
	j->d = d;
}

void jit_leave(Jit *j)
{
	jit_unlock(&j->state);
	jit_unlock(&j->lock);
}

void jit_leave_state(Jit *j)
{
	jit_unlock(&j->state);
}

void jit_enter_state(Jit *j)
{
	jit_lock(&j->state);
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

void jit_free_need(Need *need)
{
	free(need->name);
	free((char *)(uintptr_t)need->place.name.data);
}

static void free_needs(JitModule *m)
{
	for (size_t i = 0; i < m->nneeds; i++) {
		JitSymbol *symbol = jit_symbols_find(&m->jit->defined, m->needs[i].name);
		if (symbol && !m->pending)
			symbol->users--;
		jit_free_need(&m->needs[i]);
	}
	free(m->needs);
}

/* The oldest weak definition that gave way to one of a module that was refused counts again. */
static void take_back(JitSymbol *symbol)
{
	Jit *j = symbol->owner->jit;
	symbol->owner = NULL;
	for (JitModule *m = j->modules; m; m = m->next)
		for (size_t i = 0; i < m->ndefines; i++)
			if (strcmp(m->defines[i].name, symbol->name) == 0) {
				symbol->owner = m;
				symbol->definition = i;
			}
	if (!symbol->owner)
		return;
	symbol->owner->defines[symbol->definition].gave_way = false;
	symbol->users--;
	symbol->strong = false;
}

static void free_definitions(JitModule *m)
{
	for (size_t i = 0; i < m->ndefines; i++) {
		JitSymbol *symbol = jit_symbols_find(&m->jit->defined, m->defines[i].name);
		symbol->users -= m->defines[i].gave_way;
		if (symbol->owner == m && symbol->users && !m->tracker && !m->jit->finished)
			take_back(symbol);
		if (symbol->owner == m)
			symbol->owner = NULL;
		jit_symbols_release(&m->jit->defined, m->defines[i].name);
		free(m->defines[i].name);
	}
	free(m->defines);
}

void jit_free_module(JitModule *m)
{
	if (m->link) {
		*m->link = m->next;
		if (m->next)
			m->next->link = m->link;
	}
	free_needs(m);
	free_definitions(m);
	jit_free_lazy(m);
	free(m->fault_tables);
	free(m->object);
	free(m->linked_object);
	if (m->drop_code)
		m->drop_code(m->code);
	if (m->tracker)
		LLVMOrcReleaseResourceTracker(m->tracker);
	free(m);
}

JitModule *jit_whole(JitModule *m)
{
	return m->whole ? m->whole : m;
}
