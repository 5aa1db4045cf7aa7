/* jit/outside_tls.c: thread-local variables of libraries and of the process, which the dynamic loader makes for each thread. */
#include "jit/internal.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

struct JitOutsideTls {
	JitOutsideTls *older;
	JitTls control;
};

typedef struct Finder {
	const char *address;
	size_t module, offset; /* module 0: not found */
} Finder;

static size_t tls_size(const struct dl_phdr_info *info)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			return info->dlpi_phdr[i].p_memsz;
	return 0;
}

/* In the calling thread's copy? */
static int find_block(struct dl_phdr_info *info, size_t size, void *user)
{
	Finder *f = user;
	const char *block = info->dlpi_tls_data;
	(void)size;
	if (!block || (uintptr_t)f->address < (uintptr_t)block ||
	    (uintptr_t)f->address - (uintptr_t)block >= tls_size(info))
		return 0;
	f->module = info->dlpi_tls_modid;
	f->offset = (size_t)(f->address - block);
	return 1;
}

void *jit_find_outside_tls(Jit *j, const void *address, Diags *d)
{
	Finder f = {.address = address};
	dl_iterate_phdr(find_block, &f);
	if (!f.module)
		return NULL;
	JitOutsideTls *made = calloc(1, sizeof *made);
	if (!made) {
		jit_no_memory(d);
		return NULL;
	}
	*made = (JitOutsideTls){.older = j->outside_tls, .control = jit_tls_of_loader(f.module, f.offset)};
	j->outside_tls = made;
	return &made->control;
}

void jit_free_outside_tls(Jit *j)
{
	for (JitOutsideTls *it = j->outside_tls, *older; it; it = older) {
		older = it->older;
		free(it);
	}
	j->outside_tls = NULL;
}
