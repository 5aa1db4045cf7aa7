#include "runtime/eh/exception.h"

#include <dlfcn.h>

/* Only names that shared libraries and -rdynamic programs show. */
bool circeh_symbol(const void *address, char *out, size_t size)
{
	Dl_info info;
	return dladdr(address, &info) && info.dli_sname && info.dli_saddr == address &&
	       circeh_join(out, size, info.dli_sname, "");
}

static const char *last_component(const char *path)
{
	const char *last = path;
	for (; *path; path++)
		if (*path == '/')
			last = path + 1;
	return last;
}

/* "prog+0x1234", as addr2line takes it. */
bool circeh_place(const void *address, char *out, size_t size)
{
	Dl_info info;
	char digits[2 * sizeof(uintptr_t) + 4];
	if (!dladdr(address, &info) || !info.dli_fname)
		return false;
	char *offset = circeh_hex((uintptr_t)address - (uintptr_t)info.dli_fbase, digits + 1);
	*--offset = '+';
	return circeh_join(out, size, last_component(info.dli_fname), offset);
}
