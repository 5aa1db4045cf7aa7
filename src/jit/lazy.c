/* jit/lazy.c: a module whose parts are compiled when they are called.
 *
 *   whole   its object has the stubs (jit/stubs.h): what other modules refer to, by the names of the functions
 *   part 0  what does not wait: variables, and what must be together with one. A module of its own, as every other part is
 *   others  are compiled, linked and registered, and their functions entered into the slots, when one of them is called */
#include "jit/internal.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* As jit_prepare_divided() lists it. */
typedef struct Body {
	void *code; /* NULL: the end */
	uint64_t number;
} Body;

bool jit_is_lazy_here(void)
{
	return jit_stubs_here();
}

bool jit_prepare_part(JitModule *m, LLVMModuleRef module, uint32_t part, const char *part_prefix, Diags *d)
{
	JitNames names = {.number = m->number, .owner = m, .part_prefix = part_prefix};
	JitWaiting waiting = {jit_function_number, m->lazy};
	return jit_prepare(module, &names, d, &m->has) &&
	       jit_prepare_divided(module, &names, part, &waiting, d) && emit_verify(module, d);
}

/* ---- parts ---- */

/* Compiled and taken in; NULL: reported, or no memory. */
static JitModule *add_part(JitModule *m, uint32_t number, Diags *d)
{
	EmitImage image = {0};
	JitParts *parts = &m->lazy->parts;
	JitModule *part = jit_new_module(m->jit, d);
	if (!part)
		return NULL;
	part->whole = m;
	bool ok = parts->compile(parts->user, number, &image, d) &&
	          jit_take_object(part, image.bytes, parts->uses, parts->nuses, d);
	emit_image_destroy(&image);
	if (ok) {
		jit_keep_module(part);
		return part;
	}
	jit_free_module(part);
	return NULL;
}

static bool enter_bodies(JitModule *m, uint32_t part, Diags *d)
{
	char name[64];
	snprintf(name, sizeof name, "%s%llu.%u", JIT_BODIES_PREFIX, (unsigned long long)m->number, part);
	const Body *bodies = jit_look_up(m->jit, name, d);
	for (; bodies && bodies->code; bodies++)
		atomic_store_explicit(&m->lazy->slots[bodies->number].target, bodies->code,
		                      memory_order_release);
	return bodies != NULL;
}

/* Not left behind where it could not be linked: look-ups would try, and fail, for ever. */
static bool link_part(JitModule *part, Diags *d)
{
	if (jit_link_part(part, d))
		return true;
	jit_take_out(part, d);
	return false;
}

static bool compile_part(JitModule *m, uint32_t number, Diags *d)
{
	JitLazy *lazy = m->lazy;
	JitPart *known = &lazy->by_number[number];
	Diags *former = m->jit->d;
	if (known->compiled)
		return true;
	m->jit->d = d;
	JitModule *part = add_part(m, number, d);
	bool ok = part && link_part(part, d) && enter_bodies(m, number, d);
	m->jit->d = former;
	*known = (JitPart){.compiled = ok, .failed = ok ? 0 : m->jit->additions};
	if (ok && lazy->wanted)
		atomic_store(&lazy->wanted[number], true);
	return ok;
}

/* ---- when ---- */

typedef struct Work {
	Jit *jit;
	JitModule *module;
	uint32_t part;
	bool all, ok;
} Work;

static void compile_called(void *p)
{
	Work *work = p;
	work->ok = compile_part(work->module, work->part, work->module->lazy->parts.d);
}

/* On the thread that calls. */
static void *find_target(JitSlot *slot)
{
	const JitLazy *lazy = (const JitLazy *)slot->owner; /* its first member */
	Work work = {.jit = lazy->module->jit,
	             .module = lazy->module,
	             .part = lazy->functions[slot - lazy->slots].part};
	if (atomic_load(&slot->target) == jit_stub_resolver()) {
		jit_work(work.jit, compile_called, &work);
		if (!work.ok)
			abort();
	}
	return atomic_load(&slot->target);
}

/* What could not be compiled is tried again by a call, which ends the process, or when what it missed may have come. */
static bool waits(const JitModule *m, size_t part, bool all)
{
	const JitLazy *lazy = m->lazy;
	const JitPart *known = &lazy->by_number[part];
	return !known->compiled && known->failed != m->jit->additions &&
	       (all || (lazy->wanted && atomic_load(&lazy->wanted[part])));
}

/* Those of all modules that are linked; count: only how many. */
static size_t compile_these(Jit *j, bool all, bool count)
{
	Diags quiet;
	size_t n = 0;
	diag_init(&quiet, NULL, NULL);
	for (JitModule *m = j->modules; m; m = m->next) /* what is added comes before */
		for (uint32_t part = 1; m->lazy && m->lazy->slots && part < m->lazy->nparts; part++) {
			bool waiting = waits(m, part, all);
			n += waiting;
			if (!count && waiting)
				compile_part(m, part, &quiet);
		}
	return n;
}

static void compile_waiting(void *p)
{
	const Work *work = p;
	compile_these(work->jit, work->all, false);
}

void jit_compile_waiting(Jit *j, bool all)
{
	Work work = {.jit = j, .all = all};
	jit_enter_state(j);
	bool some = compile_these(j, all, true) > 0;
	jit_leave_state(j);
	if (some)
		jit_work(j, compile_waiting, &work);
}

/* ---- modules ---- */

static bool take_stubs(JitModule *m, Diags *d)
{
	char name[64];
	jit_name_slots(m, name, sizeof name);
	Str object = jit_stubs_object(m->lazy->functions, m->lazy->n, name);
	bool ok = object.data ? jit_take_object(m, object, NULL, 0, d) : jit_no_memory(d);
	free((char *)(uintptr_t)object.data);
	return ok;
}

/* Of parts that are not compiled yet. */
static bool need_all(JitModule *m, Diags *d)
{
	const JitParts *parts = &m->lazy->parts;
	size_t cap = 0;
	for (size_t i = 0; i < parts->nuses; i++)
		if (!jit_add_optional_need(m, &parts->uses[i], &cap))
			return jit_no_memory(d);
	return true;
}

static bool add_all(JitModule *m, const LazyFunction *functions, size_t n, Diags *d)
{
	if (!jit_copy_functions(m, functions, n) || !jit_count_parts(m))
		return jit_no_memory(d);
	if (!take_stubs(m, d) || !need_all(m, d))
		return false;
	jit_keep_module(m); /* before its parts, which start after it */
	JitPrepared has = m->has;
	JitModule *first = add_part(m, 0, d);
	if (!first)
		return false;
	first->has = m->has;
	m->has = has;
	return true;
}

JitModule *jit_end_lazily(JitModule *m, const JitParts *parts, const LazyFunction *functions, size_t n,
                          Diags *d)
{
	Jit *j = m->jit;
	jit_enter(j, d);
	m->lazy = calloc(1, sizeof *m->lazy);
	bool ok = m->lazy != NULL;
	if (ok)
		*m->lazy = (JitLazy){.owner = {find_target}, .module = m, .parts = *parts};
	else
		parts->drop(parts->user);
	ok = ok ? add_all(m, functions, n, d) : jit_no_memory(d);
	j->additions += ok;
	if (!ok)
		jit_free_module(m);
	jit_leave(j);
	return ok ? m : NULL;
}
