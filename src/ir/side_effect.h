/* ir/side_effect.h: what the words of `side_effect`, the older spelling of memory_effects, say. */
#ifndef CIRC_IR_SIDE_EFFECT_H
#define CIRC_IR_SIDE_EFFECT_H

#include "ir/attr.h"

typedef struct IrSideEffect {
	const char *memory[MEMORY_EFFECTS_TARGET1 + 1]; /* the words of #cir.memory_effects, by field */
	bool willreturn;
} IrSideEffect;

/* NULL: it says nothing (`all`). */
const IrSideEffect *ir_side_effect(unsigned word);

#endif
