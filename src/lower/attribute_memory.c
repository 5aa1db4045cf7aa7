/* lower/attribute_memory.c: which memory a function or call reads and writes. */
#include "lower/attribute.h"

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

static Access access_of(const IrAttr *a)
{
	if (!a || a->kind != ATTR_STRING)
		return ACCESS_READWRITE;
	if (str_equal(name_str(a->name), STR("none")))
		return ACCESS_NONE;
	if (str_equal(name_str(a->name), STR("read")))
		return ACCESS_READ;
	return str_equal(name_str(a->name), STR("write")) ? ACCESS_WRITE : ACCESS_READWRITE;
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
	static const uint8_t fields[MEM_COUNT] = {
	    [MEM_ARG] = MEMORY_EFFECTS_ARG,         [MEM_INACCESSIBLE] = MEMORY_EFFECTS_INACCESSIBLE,
	    [MEM_ERRNO] = MEMORY_EFFECTS_ERRNO,     [MEM_OTHER] = MEMORY_EFFECTS_OTHER,
	    [MEM_TARGET0] = MEMORY_EFFECTS_TARGET0, [MEM_TARGET1] = MEMORY_EFFECTS_TARGET1,
	};
	Access access[MEM_COUNT];
	if (a->kind != ATTR_PARAMS || a->row != ATTR_ROW_MEMORY_EFFECTS)
		return;
	for (unsigned i = 0; i < MEM_COUNT; i++)
		access[i] = access_of(a->elems[fields[i]]);
	add_effects(e, h, access);
}

void attribute_add_side_effect(const Lower *e, Holder h, const IrAttr *a)
{
	Access access[MEM_COUNT];
	if (a->kind != ATTR_ENUM || a->bits == SIDE_EFFECT_ALL)
		return;
	bool pure = a->bits == SIDE_EFFECT_PURE || a->bits == SIDE_EFFECT_PURE_ARGMEM;
	for (unsigned i = 0; i < MEM_COUNT; i++)
		access[i] = pure ? ACCESS_READ : ACCESS_NONE;
	if (a->bits >= SIDE_EFFECT_PURE_ARGMEM)
		access[MEM_ARG] = ACCESS_READWRITE;
	if (a->bits == SIDE_EFFECT_ARGMEM)
		access[MEM_INACCESSIBLE] = ACCESS_READWRITE;
	else
		attribute_add(h, ATTRIBUTE_OF_FUNCTION, attribute_unit(e, LLVM_willreturn));
	add_effects(e, h, access);
}
