/* A handler of signals, and what the end of a thread calls, are code of a library that its user may unload by dlclose(): there is no way to
 * take back a handler that somebody else has chained to. So such a library stays in memory, as by `ld -z nodelete`.
 *
 * The functions are weak: a static program has no dlopen(), and needs none.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "runtime/eh/elf/stay_loaded.h"

#include <dlfcn.h>
#include <link.h>

#pragma weak dladdr1
#pragma weak dlopen

void circeh_stay_loaded(void)
{
	static const char here;
	Dl_info info;
	struct link_map *map;
	if (!dladdr1 || !dlopen || !dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP))
		return;
	if (map->l_name[0]) /* else it is the program */
		dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
