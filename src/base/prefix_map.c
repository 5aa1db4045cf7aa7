#include "base/prefix_map.h"

bool prefix_map_add(Arena *a, PrefixMaps *maps, const char *text, bool debug_only)
{
	const char *equals = strchr(text, '=');
	if (!equals)
		return false;
	vec_push(a, maps, ((PrefixMap){{text, (size_t)(equals - text)}, str_of(equals + 1), debug_only}));
	return true;
}

Str prefix_map_apply(Arena *a, const PrefixMaps *maps, bool debug, Str path)
{
	for (uint32_t i = maps ? maps->len : 0; i-- > 0;) {
		const PrefixMap *map = &maps->data[i];
		if ((map->debug_only && !debug) || !str_begins_with(path, map->from))
			continue;
		StrBuf mapped = {0};
		buf_put(a, &mapped, map->to);
		buf_put(a, &mapped, (Str){path.data + map->from.len, path.len - map->from.len});
		buf_char(a, &mapped, '\0');
		return (Str){mapped.data, mapped.len - 1};
	}
	return path;
}
