/* jit/outside_symbol.c: names that no module defines: those that were added, of libraries, of the process. */
#include "jit/internal.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

static bool define_absolute(Jit *j, const char *name, void *address, Diags *d)
{
	LLVMOrcCSymbolMapPair pair = {.Name = LLVMOrcLLJITMangleAndIntern(j->lljit, name),
	                              .Sym = {.Address = (uintptr_t)address,
	                                      .Flags = {.GenericFlags = LLVMJITSymbolGenericFlagsExported}}};
	return jit_check(LLVMOrcJITDylibDefine(j->dylib, LLVMOrcAbsoluteSymbols(&pair, 1)), d,
	                 "add a symbol");
}

bool jit_add_outside(Jit *j, const char *name, void *address, Diags *d)
{
	JitSymbol *s = jit_symbols_get(&j->outside, name);
	if (!s)
		return jit_no_memory(d);
	s->address = address;
	return define_absolute(j, name, address, d);
}

/* dlsym() also looks into what a library needs; `own`: only what is the library's own counts. */
static void *find_in_library(const Library *l, const char *name, bool own)
{
	void *address = dlsym(l->handle, name);
	struct link_map *map;
	Dl_info info;
	if (!address || !own)
		return address;
	bool is_own = dlinfo(l->handle, RTLD_DI_LINKMAP, &map) == 0 && dladdr(address, &info) != 0 &&
	              (uintptr_t)info.dli_fbase == map->l_addr;
	return is_own ? address : NULL;
}

static bool is_type_identity(const char *name)
{
	return strncmp(name, "_ZTI", 4) == 0 || strncmp(name, "_ZTS", 4) == 0;
}

/* ---- what the dynamic loader is asked for ---- */

typedef struct Asked {
	Jit *jit;
	const char *name;
	Diags *d;
	void *address; /* the answer, or NULL */
} Asked;

/* The libraries before the process, which holds all that LLVM needs; but the process, with its C++ run time
 * and its unwinder, before what the libraries need. */
static void ask_for_symbol(void *asked)
{
	Asked *a = asked;
	for (Library *l = a->jit->libraries; l && !a->address; l = l->older)
		a->address = find_in_library(l, a->name, true);
	if (!a->address)
		a->address = dlsym(RTLD_DEFAULT, a->name);
	for (Library *l = a->jit->libraries; l && !a->address; l = l->older)
		a->address = find_in_library(l, a->name, false);
}

/* All on one thread: it is that one's copy. */
static void ask_for_variable(void *asked)
{
	Asked *a = asked;
	ask_for_symbol(a);
	if (a->address)
		a->address = jit_find_outside_tls(a->jit, a->address, a->d);
}

static void ask_for_better(void *asked)
{
	Asked *a = asked;
	for (Library *l = a->jit->libraries; l && !a->address; l = l->older)
		a->address = find_in_library(l, a->name, true);
	if (!a->address && is_type_identity(a->name))
		a->address = dlsym(RTLD_DEFAULT, a->name);
}

/* ---- names ---- */

/* Last what programs would link statically. */
void *jit_find_outside(Jit *j, const char *name)
{
	Asked a = {.jit = j, .name = name};
	jit_ask_loader(j, ask_for_symbol, &a);
	return a.address ? a.address : jit_find_in_archives(name);
}

/* As the dynamic loader has it, the first weak definition serves everybody: libc++abi tells types apart by
 * address. In the process only type infos are looked for: its inline functions may be made for another
 * purpose (LLVM's know no exceptions). */
bool jit_prefer_outside(Jit *j, const char *name, Diags *d)
{
	Asked a = {.jit = j, .name = name};
	if (jit_symbols_find(&j->outside, name) || jit_symbols_find(&j->defined, name))
		return true;
	if (j->libraries || is_type_identity(name))
		jit_ask_loader(j, ask_for_better, &a);
	return !a.address || jit_add_outside(j, name, a.address, d);
}

bool jit_resolve_outside(Jit *j, const char *name, bool *found, Diags *d)
{
	*found = true;
	if (jit_symbols_find(&j->outside, name))
		return true;
	size_t prefix = strlen(JIT_TLS_SHARED_PREFIX);
	bool tls = strncmp(name, JIT_TLS_SHARED_PREFIX, prefix) == 0;
	Asked a = {.jit = j, .name = tls ? name + prefix : name, .d = d};
	if (tls)
		jit_ask_loader(j, ask_for_variable, &a);
	else
		a.address = jit_find_outside(j, name);
	*found = a.address != NULL;
	return !a.address || jit_add_outside(j, name, j->replace(name, a.address), d);
}

bool jit_add_symbol(Jit *j, const char *name, void *address, Diags *d)
{
	jit_enter(j, d);
	bool taken =
	    jit_symbols_find(&j->outside, name) != NULL || jit_symbols_find(&j->defined, name) != NULL;
	if (taken)
		diag_error(d, (Loc){0}, "'%s' is already defined", name);
	bool ok = !taken && jit_add_outside(j, name, address, d);
	j->additions += ok;
	jit_leave(j);
	return ok;
}

bool jit_load_library(Jit *j, const char *path, Diags *d)
{
	jit_enter(j, d);
	Library *l = malloc(sizeof *l);
	void *handle = l ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	if (handle) {
		*l = (Library){j->libraries, handle};
		j->libraries = l;
		j->additions++;
	} else {
		if (l)
			diag_error(d, (Loc){0}, "cannot load '%s': %s", path, dlerror());
		else
			jit_no_memory(d);
		free(l);
	}
	jit_leave(j);
	return handle != NULL;
}
