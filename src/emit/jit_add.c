/* emit/jit_add.c: modules become objects, and objects are handed to ORC, which links them when something of them is looked up. */
#include "emit/jit_internal.h"

#include "emit/emit.h"
#include "emit/jit_object.h"

#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Core.h>

typedef struct Gather {
	JitModule *m;
	const SymbolUse *uses;
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
	if (weak && !jit_prefer_outside(m->jit, name, g->d))
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
		g->ok = jit_no_memory(g->d);
}

static bool hand_over(JitModule *m, Str object, Diags *d)
{
	char name[48];
	snprintf(name, sizeof name, "circ.jit.%llu", (unsigned long long)m->number);
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data, object.len, name);
	m->tracker = LLVMOrcJITDylibCreateResourceTracker(m->jit->dylib);
	return jit_check(LLVMOrcLLJITAddObjectFileWithRT(m->jit->lljit, m->tracker, buffer), d,
	                 "add a module");
}

static bool add_object(JitModule *m, Str object, const SymbolUse *uses, size_t nuses, Diags *d)
{
	Gather g = {.m = m, .uses = uses, .nuses = nuses, .d = d, .ok = true};
	object_visit_symbols(object, visit_symbol, &g);
	return g.ok && hand_over(m, object, d);
}

static bool compile(JitModule *m, LLVMModuleRef module, LLVMTargetMachineRef machine, const SymbolUse *uses,
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
		jit_no_memory(d);
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
	jit_free_module(m);
	return NULL;
}

JitModule *jit_add_module(Jit *j, LLVMModuleRef module, LLVMTargetMachineRef machine, const SymbolUse *uses,
                          size_t nuses, Diags *d)
{
	jit_enter(j, d);
	JitModule *m = new_module(j, d);
	if (m)
		m = compile(m, module, machine, uses, nuses, d) ? keep(m) : drop(m);
	jit_leave(j);
	return m;
}

JitModule *jit_add_object(Jit *j, const char *name, Str object, Diags *d)
{
	const char *wrong = object_check(object);
	if (wrong) {
		diag_error(d, (Loc){0}, "the JIT cannot use '%s': %s", name, wrong);
		return NULL;
	}
	jit_enter(j, d);
	JitModule *m = new_module(j, d);
	if (m)
		m = add_object(m, object, NULL, 0, d) ? keep(m) : drop(m);
	jit_leave(j);
	return m;
}
