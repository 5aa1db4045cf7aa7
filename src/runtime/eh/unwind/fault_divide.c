/* A division traps for a divisor of zero and for a quotient that is too large; systems say one thing for both. The divisor is an operand
 * of the instruction (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: 2.1 and DIV). */
#include "runtime/eh/fault.h"

#include "runtime/eh/libc.h"

typedef struct Instruction {
	const uint8_t *at; /* behind the opcode: ModRM, SIB, displacement */
	unsigned rex;
	unsigned size; /* of the operand, in bytes */
} Instruction;

enum { REX_W = 8, REX_X = 2, REX_B = 1 };

static bool read_instruction(const uint8_t *at, Instruction *i)
{
	bool narrow = false;
	for (; *at == 0x66 || *at == 0x2e || *at == 0x3e; at++)
		narrow |= *at == 0x66;
	i->rex = (*at & 0xf0) == 0x40 ? *at++ : 0;
	if (*at != 0xf6 && *at != 0xf7)
		return false;
	i->size = *at == 0xf6 ? 1 : i->rex & REX_W ? 8 : narrow ? 2 : 4;
	i->at = at + 1;
	return true;
}

static int32_t displacement(const uint8_t *at, unsigned mod)
{
	int32_t wide;
	memcpy(&wide, at, sizeof wide);
	return mod == 1 ? (int8_t)*at : wide;
}

static uintptr_t address_of(const Instruction *i, const uint64_t *registers)
{
	enum { HAS_SIB = 4, NO_BASE = 5, NO_INDEX = 4, IMMEDIATES = 0 };
	unsigned mod = i->at[0] >> 6, rm = i->at[0] & 7;
	const uint8_t *at = i->at + 1;
	uint64_t address = 0;
	if (rm == HAS_SIB) {
		unsigned index = (*at >> 3 & 7) | (i->rex & REX_X ? 8 : 0);
		rm = *at & 7;
		if (index != NO_INDEX)
			address = registers[index] << (*at >> 6);
		at++;
	} else if (mod == 0 && rm == NO_BASE) {
		return (uintptr_t)(at + 4) + (uintptr_t)displacement(at, 2) + IMMEDIATES;
	}
	if (mod == 0 && rm == NO_BASE)
		return address + (uint64_t)displacement(at, 2);
	address += registers[rm | (i->rex & REX_B ? 8 : 0)];
	return address + (mod ? (uint64_t)displacement(at, mod) : 0);
}

static uint64_t divisor(const Instruction *i, const uint64_t *registers)
{
	unsigned rm = (i->at[0] & 7) | (i->rex & REX_B ? 8 : 0);
	uint64_t value = 0;
	bool is_register = i->at[0] >> 6 == 3;
	bool high = is_register && i->size == 1 && !i->rex && rm >= 4; /* AH and so on */
	if (high)
		return registers[rm - 4] >> 8 & 0xff;
	const void *from = is_register ? &registers[rm] : (const void *)address_of(i, registers);
	memcpy(&value, from, i->size);
	return value;
}

uint32_t circeh_divide_code(const CircehFault *f)
{
	Instruction i;
	if (!read_instruction((const uint8_t *)f->pc, &i))
		return FAULT_DIVIDE;
	return divisor(&i, f->registers) ? FAULT_OVERFLOW : FAULT_DIVIDE;
}
