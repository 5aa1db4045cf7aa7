#include "ir/attr.h"

/* Short names for the flags column of attrs.def. */
enum { OPT = PARAM_OPT, BARE = PARAM_BARE };

#define ATTR_BEGIN(id)                              static const AttrParam params_##id[] = {
#define ATTR_PARAM(id, parameter, key, kind, flags) {key, PARAM_##kind, flags},
#define ATTR_END                                                                                             \
	{                                                                                                    \
		NULL, PARAM_STR, 0                                                                           \
	}                                                                                                    \
	}                                                                                                    \
	;
#include "ir/attrs.def"

const AttrRowInfo ir_attr_row_info[ATTR_ROW_COUNT] = {
#define ATTR_ROW(id, name) [ATTR_ROW_##id] = {name, params_##id, ARRAY_LEN(params_##id) - 1},
#include "ir/attrs.def"
};
