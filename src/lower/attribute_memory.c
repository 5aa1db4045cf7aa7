/* lower/attribute_memory.c: which memory a function or call reads and writes. */
#include "lower/attribute.h"

#include "ir/side_effect.h"

typedef enum Access { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE, ACCESS_READWRITE } Access;

typedef enum Memory {
	MEM_ARG,
	MEM_INACCESSIBLE,
	MEM_ERRNO,
	MEM_OTHER,
	MEM_TARGET0,
	MEM_TARGET1,
	MEM_COUNT
} Memory;

static const uint8_t fields[MEM_COUNT] = {
    [MEM_ARG] = MEMORY_EFFECTS_ARG,         [MEM_INACCESSIBLE] = MEMORY_EFFECTS_INACCESSIBLE,
    [MEM_ERRNO] = MEMORY_EFFECTS_ERRNO,     [MEM_OTHER] = MEMORY_EFFECTS_OTHER,
    [MEM_TARGET0] = MEMORY_EFFECTS_TARGET0, [MEM_TARGET1] = MEMORY_EFFECTS_TARGET1,
};

static Access access_of(Str word)
{
	if (str_equal(word, STR("none")))
		return ACCESS_NONE;
	if (str_equal(word, STR("read")))
		return ACCESS_READ;
	return str_equal(word, STR("write")) ? ACCESS_WRITE : ACCESS_READWRITE;
}

/* The number that LLVM makes of them: two bits per kind of memory. Versions before 21 know three kinds, and
 * count errno among the others; before 22 what targets keep is inaccessible memory. */
static uint64_t pack_effects(const Lower *e, const Access *access)
{
	if (e->llvm_major >= 22) {
		uint64_t bits = 0;
		for (unsigned i = 0; i < MEM_COUNT; i++)
			bits |= (uint64_t)access[i] << 2 * i;
		return bits;
	}
	uint64_t arg = access[MEM_ARG], errno_mem = access[MEM_ERRNO], other = access[MEM_OTHER];
	uint64_t inaccessible = access[MEM_INACCESSIBLE] | access[MEM_TARGET0] | access[MEM_TARGET1];
	if (e->llvm_major == 21)
		return arg | inaccessible << 2 | errno_mem << 4 | other << 6;
	return arg | inaccessible << 2 | (other | errno_mem) << 4;
}

static void add_effects(const Lower *e, Holder h, const Access *access)
{
	attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_valued(e, LLVM_memory, pack_effects(e, access)));
}

void attribute_add_memory_effects(const Lower *e, Holder h, const IrAttr *a)
{
	Access access[MEM_COUNT];
	if (a->kind != ATTR_PARAMS || a->row != ATTR_ROW_MEMORY_EFFECTS)
		return;
	for (unsigned i = 0; i < MEM_COUNT; i++) {
		const IrAttr *word = a->elems[fields[i]];
		bool told = word && word->kind == ATTR_STRING;
		access[i] = told ? access_of(name_str(word->name)) : ACCESS_READWRITE;
	}
	add_effects(e, h, access);
}

void attribute_add_side_effect(const Lower *e, Holder h, const IrAttr *a)
{
	Access access[MEM_COUNT];
	const IrSideEffect *effect = a->kind == ATTR_ENUM ? ir_side_effect((unsigned)a->bits) : NULL;
	if (!effect)
		return;
	for (unsigned i = 0; i < MEM_COUNT; i++)
		access[i] = access_of(str_of(effect->memory[fields[i]]));
	if (effect->willreturn)
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, LLVM_willreturn));
	add_effects(e, h, access);
}
