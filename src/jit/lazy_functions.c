/* jit/lazy_functions.c: the functions of a module that have stubs. */
#include "jit/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static int by_name(const void *a, const void *b)
{
	return strcmp(((const LazyFunction *)a)->name, ((const LazyFunction *)b)->name);
}

int64_t jit_function_number(const void *lazy, const char *name)
{
	const JitLazy *l = lazy;
	const LazyFunction key = {.name = name},
	                   *found = bsearch(&key, l->functions, l->n, sizeof key, by_name);
	return found ? found - l->functions : -1;
}

static char *name_for_objects(const JitModule *m, const LazyFunction *f)
{
	size_t size = sizeof JIT_LOCAL_PREFIX + 24 + strlen(f->name);
	char *name = malloc(size);
	if (name && f->local)
		snprintf(name, size, "%s%llu.%s", JIT_LOCAL_PREFIX, (unsigned long long)m->number, f->name);
	else if (name)
		memcpy(name, f->name, strlen(f->name) + 1);
	return name;
}

bool jit_copy_functions(JitModule *m, const LazyFunction *functions, size_t n)
{
	JitLazy *l = m->lazy;
	l->functions = calloc(n + 1, sizeof *l->functions);
	for (; l->functions && l->n < n; l->n++) {
		LazyFunction f = functions[l->n];
		f.local |= jit_is_own_copy(f.name);
		f.weak &= !f.local;
		f.name = name_for_objects(m, &f);
		if (!f.name)
			return false;
		l->functions[l->n] = f;
	}
	if (l->functions)
		qsort(l->functions, n, sizeof *l->functions, by_name);
	return l->functions != NULL;
}

bool jit_count_parts(JitModule *m)
{
	JitLazy *l = m->lazy;
	for (size_t i = 0; i < l->n; i++)
		l->nparts = l->functions[i].part >= l->nparts ? l->functions[i].part + 1 : l->nparts;
	l->by_number = calloc(l->nparts + 1, sizeof *l->by_number);
	void *shared = mmap(NULL, l->nparts + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	l->wanted = shared == MAP_FAILED ? NULL : shared;
	return l->by_number != NULL;
}

void jit_free_lazy(JitModule *m)
{
	JitLazy *l = m->lazy;
	if (!l)
		return;
	l->parts.drop(l->parts.user);
	for (size_t i = 0; i < l->n; i++)
		free((char *)(uintptr_t)l->functions[i].name);
	free(l->functions);
	free(l->by_number);
	if (l->wanted)
		munmap((void *)l->wanted, l->nparts + 1);
	free(l);
	m->lazy = NULL;
}
