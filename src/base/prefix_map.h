/* base/prefix_map.h: what names of files begin with in outputs: -ffile-prefix-map and -fdebug-prefix-map. */
#ifndef CIRC_BASE_PREFIX_MAP_H
#define CIRC_BASE_PREFIX_MAP_H

#include "base/vec.h"

typedef struct PrefixMap {
	Str from, to;
	bool debug_only;
} PrefixMap;

typedef VEC(PrefixMap) PrefixMaps;

/* The text of an option, OLD=NEW; both may be empty. False: it has no '='. */
bool prefix_map_add(Arena *a, PrefixMaps *maps, const char *text, bool debug_only);

/* A path as it is to be written. As with gcc and clang, OLD may end in the middle of a folder's name. If several maps fit, only the
 * last one is applied. maps may be NULL. The result is terminated by NUL if the path is. */
Str prefix_map_apply(Arena *a, const PrefixMaps *maps, bool debug, Str path);

#endif
