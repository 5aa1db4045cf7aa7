/* jit/add_module.c: modules become objects, and objects are handed to ORC, which links them
 * when something of them is looked up. */
#include "jit/internal.h"

#include "emit/emit.h"
#include "jit/object.h"

#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Core.h>

typedef struct Gather {
	JitModule *m;
	const SymbolUse **uses; /* by name */
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

static int by_name(const void *a, const void *b)
{
	Str x = (*(const SymbolUse *const *)a)->name, y = (*(const SymbolUse *const *)b)->name;
	int order = memcmp(x.data, y.data, x.len < y.len ? x.len : y.len);
	return order ? order : (x.len > y.len) - (x.len < y.len);
}

/* NULL: no memory. */
static const SymbolUse **sort_uses(const SymbolUse *uses, size_t n)
{
	const SymbolUse **sorted = malloc((n + 1) * sizeof *sorted);
	for (size_t i = 0; sorted && i < n; i++)
		sorted[i] = &uses[i];
	if (sorted)
		qsort(sorted, n, sizeof *sorted, by_name);
	return sorted;
}

static const LocInfo *find_place(const Gather *g, const char *name)
{
	size_t prefix = strlen(JIT_TLS_SHARED_PREFIX);
	if (strncmp(name, JIT_TLS_SHARED_PREFIX, prefix) == 0)
		name += prefix;
	const SymbolUse key = {.name = str_of(name)}, *wanted = &key;
	const SymbolUse **found = bsearch(&wanted, g->uses, g->nuses, sizeof *g->uses, by_name);
	return found && (*found)->place.line ? &(*found)->place : NULL;
}

/* False: no memory. */
static bool copy_place(const Gather *g, const char *name, LocInfo *out)
{
	const LocInfo *place = find_place(g, name);
	*out = (LocInfo){0};
	if (!place)
		return true;
	*out = (LocInfo){.kind = LOC_FILE, .line = place->line, .col = place->col, .depth = 1};
	out->name = (Str){strndup(place->name.data, place->name.len), place->name.len};
	return out->name.data != NULL;
}

static bool add_need(Gather *g, const char *name, bool weak)
{
	JitModule *m = g->m;
	if (strcmp(name, "_GLOBAL_OFFSET_TABLE_") == 0) /* JITLink makes it */
		return true;
	if (!grow((void **)&m->needs, m->nneeds, &g->cap_needs, sizeof *m->needs))
		return false;
	Need *need = &m->needs[m->nneeds];
	*need = (Need){.name = strdup(name), .weak = weak};
	m->nneeds += need->name != NULL;
	return need->name && copy_place(g, name, &need->place);
}

/* A strong definition where there is one that counts already. */
static bool check_strong(Gather *g, const char *name, const JitSymbol *known)
{
	const char *by = NULL;
	if (known && (known->strong || !known->owner || known->owner->tracker))
		by = "in another module of the JIT";
	else if (jit_symbols_find(&g->m->jit->outside, name))
		by = "outside of the JIT's modules";
	if (by)
		diag_error(g->d, (Loc){0}, "'%s' is already defined %s", name, by);
	return !by;
}

/* ORC drops a weak definition as soon as there is a strong one. */
static void give_way(JitSymbol *symbol)
{
	symbol->owner->defines[symbol->definition].gave_way = true;
	symbol->users++;
}

/* False: no memory. */
static bool keep_definition(Gather *g, const char *name, bool weak)
{
	JitModule *m = g->m;
	char *copy = strdup(name);
	JitSymbol *symbol = NULL;
	if (!copy || !grow((void **)&m->defines, m->ndefines, &g->cap_defines, sizeof *m->defines) ||
	    !(symbol = jit_symbols_get(&m->jit->defined, name))) {
		free(copy);
		return false;
	}
	bool gives_way = weak && symbol->owner;
	if (symbol->owner && !weak)
		give_way(symbol);
	symbol->users += gives_way;
	symbol->strong |= !weak;
	if (!gives_way) {
		symbol->owner = m;
		symbol->definition = m->ndefines;
	}
	Definition *made = &m->defines[m->ndefines++];
	made->name = copy;
	made->gave_way = gives_way;
	return true;
}

static bool add_definition(Gather *g, const char *name, bool weak)
{
	Jit *j = g->m->jit;
	JitSymbol *known = jit_symbols_find(&j->defined, name);
	g->ok = weak ? jit_prefer_outside(j, name, g->d) : check_strong(g, name, known);
	bool is_outside = weak && jit_symbols_find(&j->outside, name);
	return !g->ok || is_outside || keep_definition(g, name, weak);
}

static void visit_symbol(const char *name, ObjectSymbolKind kind, void *user)
{
	Gather *g = user;
	bool weak = kind == OBJECT_DEFINES_WEAK || kind == OBJECT_NEEDS_WEAK;
	bool need = kind == OBJECT_NEEDS || kind == OBJECT_NEEDS_WEAK;
	if (g->ok && !(need ? add_need(g, name, weak) : add_definition(g, name, weak)))
		g->ok = jit_no_memory(g->d);
}

/* Not left to ORC: where a definition overrides a weak one that has another tracker, the
 * removal of one tracker takes the symbol from the other, and the removal of the other
 * reads freed memory (LLVM 19 and 22). */
static ObjectChange drop_what_does_not_count(const char *name, const void *user)
{
	const JitModule *m = user;
	const JitSymbol *symbol = jit_symbols_find(&m->jit->defined, name);
	bool counts = symbol && symbol->owner == m; /* no symbol: it was found outside */
	return counts ? OBJECT_KEEP : OBJECT_MAKE_UNDEFINED;
}

bool jit_hand_over(JitModule *m, Diags *d)
{
	char name[48];
	if (m->tracker)
		return true;
	object_change_weak(m->object, m->object_len, drop_what_does_not_count, m);
	if (!jit_keep_object(m, d))
		return false;
	snprintf(name, sizeof name, "circ.jit.%llu", (unsigned long long)m->number);
	LLVMMemoryBufferRef buffer =
	    LLVMCreateMemoryBufferWithMemoryRangeCopy(m->object, m->object_len, name);
	free(m->object);
	m->object = NULL;
	m->tracker = LLVMOrcJITDylibCreateResourceTracker(m->jit->dylib);
	return jit_check(LLVMOrcLLJITAddObjectFileWithRT(m->jit->lljit, m->tracker, buffer), d,
	                 "add a module");
}

/* What nobody can tell from another module's, but would tie the modules together. */
static ObjectChange keep_to_itself(const char *name, const void *user)
{
	(void)user;
	bool is_pointer = strncmp(name, "DW.ref.", strlen("DW.ref.")) == 0;
	return is_pointer || jit_is_own_copy(name) ? OBJECT_MAKE_LOCAL : OBJECT_KEEP;
}

/* Its symbols; the object is copied. */
bool jit_take_object(JitModule *m, Str object, const SymbolUse *uses, size_t nuses, Diags *d)
{
	Gather g = {.m = m, .uses = sort_uses(uses, nuses), .nuses = nuses, .d = d, .ok = true};
	m->object = malloc(object.len);
	if (!g.uses || !m->object) {
		free(g.uses);
		return jit_no_memory(d);
	}
	memcpy(m->object, object.data, object.len);
	m->object_len = object.len;
	object_change_weak(m->object, m->object_len, keep_to_itself, NULL);
	object_strip_prefix(m->object, m->object_len, JIT_STUB_PREFIX);
	object_define_bounds(m->object, m->object_len);
	object_close_frame_tables(m->object, m->object_len);
	object_visit_symbols((Str){m->object, m->object_len}, visit_symbol, &g);
	free(g.uses);
	return g.ok && (!m->whole || jit_name_code(m, d)) && jit_name_fault_tables(m, d);
}

bool jit_add_optional_need(JitModule *m, const SymbolUse *use, size_t *cap)
{
	const SymbolUse *uses[] = {use};
	Gather g = {.m = m, .uses = uses, .nuses = 1, .cap_needs = *cap};
	char *name = strndup(use->name.data, use->name.len);
	bool ok = name && add_need(&g, name, true);
	free(name);
	*cap = g.cap_needs;
	return ok;
}

JitModule *jit_new_module(Jit *j, Diags *d)
{
	JitModule *m = calloc(1, sizeof *m);
	if (m)
		*m = (JitModule){.jit = j, .number = j->nmodules++, .pending = true};
	else
		jit_no_memory(d);
	return m;
}

JitModule *jit_begin_module(Jit *j, Diags *d)
{
	jit_enter(j, d);
	JitModule *m = jit_new_module(j, d);
	jit_leave(j);
	return m;
}

bool jit_prepare_module(JitModule *m, LLVMModuleRef module, const char *part_prefix, Diags *d)
{
	JitNames names = {.number = m->number, .owner = m, .part_prefix = part_prefix};
	return jit_prepare(module, &names, d, &m->has) && emit_verify(module, d);
}

void jit_keep_module(JitModule *m)
{
	Jit *j = m->jit;
	m->next = j->modules;
	m->link = &j->modules;
	if (m->next)
		m->next->link = &m->next;
	j->modules = m;
}

void jit_drop_module(JitModule *m)
{
	Jit *j = m->jit;
	jit_enter(j, NULL);
	jit_free_module(m);
	jit_leave(j);
}

JitModule *jit_end_module(JitModule *m, Str object, const SymbolUse *uses, size_t nuses, Diags *d)
{
	Jit *j = m->jit;
	jit_enter(j, d);
	bool ok = jit_take_object(m, object, uses, nuses, d);
	j->additions += ok;
	if (ok)
		jit_keep_module(m);
	else
		jit_free_module(m);
	jit_leave(j);
	return ok ? m : NULL;
}

static const EmitTarget support_target = {.opt = '0', .pic = true};

static bool add_support(Jit *j, LLVMContextRef context, LLVMTargetMachineRef machine, Diags *d)
{
	EmitImage image;
	JitModule *m = jit_begin_module(j, d);
	if (!m)
		return false;
	JitNames names = {.number = m->number, .owner = &j->objects};
	LLVMModuleRef module = jit_prepare_for_objects(context, &names, d);
	bool ok = module && emit_verify(module, d) &&
	          emit_image(module, machine, &support_target, EMIT_OBJECT, &image, d);
	if (ok)
		m = jit_end_module(m, image.bytes, NULL, 0, d);
	else
		jit_drop_module(m);
	if (ok)
		emit_image_destroy(&image);
	emit_dispose(NULL, module, NULL);
	return ok && m;
}

/* Once, before the first object. */
static bool support_objects(Jit *j, Diags *d)
{
	if (j->supports_objects)
		return true;
	LLVMContextRef context = emit_context(d);
	LLVMTargetMachineRef machine = emit_target_machine(&support_target, d);
	j->supports_objects = machine && add_support(j, context, machine, d);
	emit_dispose(context, NULL, machine);
	return j->supports_objects;
}

JitModule *jit_add_object(Jit *j, const char *name, Str object, Diags *d)
{
	const char *wrong = object_check(object);
	if (wrong) {
		diag_error(d, (Loc){0}, "the JIT cannot use '%s': %s", name, wrong);
		return NULL;
	}
	jit_enter(j, d);
	JitModule *m = support_objects(j, d) ? jit_begin_module(j, d) : NULL;
	if (m)
		m = jit_end_module(m, object, NULL, 0, d);
	jit_leave(j);
	return m;
}
