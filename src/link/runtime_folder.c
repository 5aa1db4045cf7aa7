#include "link/runtime_folder.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef CIRC_LIBDIR
#define CIRC_LIBDIR "lib" /* of an installed tree, from its prefix: GNUInstallDirs */
#endif

/* From the folder of the code to lib/circ. Nearer ones first: a build may lie in another one. */
static const char *const places[] = {
    "/circ",                    /* PREFIX/lib/libcirc.so */
    "/lib/circ",                /* BUILD/libcirc.so */
    "/../" CIRC_LIBDIR "/circ", /* PREFIX/bin/circ */
    "/../lib/circ",             /* BUILD/bin/circ */
};

/* The folder of the file that this code is in. The program itself has no name among the loaded files. */
static bool own_folder(char out[PATH_MAX])
{
	Dl_info info;
	struct link_map *map = NULL;
	const void *here = (const void *)(uintptr_t)runtime_folder;
	if (!dladdr1(here, &info, (void **)&map, RTLD_DL_LINKMAP))
		return false;
	if (!realpath(map && *map->l_name ? map->l_name : "/proc/self/exe", out))
		return false;
	*strrchr(out, '/') = '\0';
	return true;
}

static bool holds(const char *folder, const char *file, Arena *a)
{
	return access(arena_printf(a, "%s/%s", folder, file), R_OK) == 0;
}

static const char *look(const char *from, const char *target, const char *file, Arena *a,
                        const char **looked_in)
{
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		const char *folder = arena_printf(a, "%s%s/%s", from, places[i], target);
		if (holds(folder, file, a))
			return folder;
		*looked_in = arena_printf(a, "%s%s%s", *looked_in, **looked_in ? ", " : "", folder);
	}
	return NULL;
}

const char *runtime_folder(const char *target, const char *file, Arena *a, const char **looked_in)
{
	char own[PATH_MAX];
	*looked_in = "";
	return own_folder(own) ? look(own, target, file, a, looked_in) : NULL;
}
