#include "ir/side_effect.h"

_Static_assert(MEMORY_EFFECTS_OTHER == 0 && MEMORY_EFFECTS_ARG == 1 && MEMORY_EFFECTS_INACCESSIBLE == 2 &&
                   MEMORY_EFFECTS_ERRNO == 3 && MEMORY_EFFECTS_TARGET1 == 5,
               "the order of the columns");

/* As upstream lowers them, but for its nounwind: a pure function of C++ may throw. */
static const IrSideEffect effects[] = {
    [SIDE_EFFECT_PURE] = {{"read", "read", "read", "read", "read", "read"}, true},
    [SIDE_EFFECT_CONST] = {{"none", "none", "none", "none", "none", "none"}, true},
    [SIDE_EFFECT_PURE_ARGMEM] = {{"read", "readwrite", "read", "read", "read", "read"}, true},
    [SIDE_EFFECT_CONST_ARGMEM] = {{"none", "readwrite", "none", "none", "none", "none"}, true},
    [SIDE_EFFECT_ARGMEM] = {{"none", "readwrite", "readwrite", "none", "none", "none"}, false},
    [SIDE_EFFECT_INACCESSIBLE_OR_ERRNO] = {{"none", "none", "readwrite", "write", "none", "none"}, false},
};

const IrSideEffect *ir_side_effect(unsigned word)
{
	return word != SIDE_EFFECT_ALL && word < ARRAY_LEN(effects) ? &effects[word] : NULL;
}
