/* Arm's manual, "Top-level A64 instruction set encodings". */
#include "explain/code_machine.h"

enum { WORD = 4, BL = 0x25 /* bits 31 to 26 */ };

/* Of relocations that only calls have: ELF for the Arm 64-bit Architecture, table "Relocations for control-flow instructions";
 * Microsoft's PE format, "ARM64 Processors". */
static bool is_call(const ObjectFile *o, const ObjectReloc *r, ObjectPlace at)
{
	enum { R_AARCH64_CALL26 = 283, IMAGE_REL_ARM64_BRANCH26 = 3 };
	(void)at;
	return r->type == (o->format == OBJECT_ELF ? R_AARCH64_CALL26 : IMAGE_REL_ARM64_BRANCH26);
}

/* adrp, ldr and br; a bti may stand before them. */
static bool jump(const ObjectFile *o, ObjectPlace at, CodeTarget *to)
{
	const uint32_t bti_c = 0xd503245f, adrp = 0x90000000, ldr = 0xf9400000;
	uint64_t word, load;
	if (object_read(o, at, WORD, &word) && word == bti_c)
		at.offset += WORD;
	if (!object_read(o, at, WORD, &word) || (word & 0x9f000000) != adrp ||
	    !object_read(o, (ObjectPlace){at.section, at.offset + WORD}, WORD, &load) ||
	    (load & 0xffc00000) != ldr)
		return false;
	unsigned address_register = word & 31;
	if ((load >> 5 & 31) != address_register)
		return false;
	uint64_t pages = (word >> 5 & 0x7ffff) << 2 | (word >> 29 & 3), offset = (load >> 10 & 0xfff) * 8;
	int64_t distance = (int64_t)(pages << 43) >> 31;
	*to = (CodeTarget){(object_address(o, at) & ~(uint64_t)0xfff) + (uint64_t)distance + offset, true};
	return true;
}

static bool call_before(const ObjectFile *o, ObjectPlace end, CodeTarget *to)
{
	enum { DISTANCE = 0x3ffffff };
	ObjectPlace at = {end.section, end.offset - WORD};
	uint64_t value;
	if (!object_read(o, at, WORD, &value) || value >> 26 != BL)
		return false;
	int64_t distance = (int64_t)((value & DISTANCE) << 38) >> 36;
	*to = (CodeTarget){object_address(o, at) + (uint64_t)distance, false};
	return true;
}

static unsigned call_size(const ObjectFile *o, ObjectPlace end)
{
	(void)o, (void)end;
	return WORD;
}

static unsigned call_length(const ObjectFile *o, ObjectPlace at)
{
	uint64_t word;
	return object_read(o, at, WORD, &word) && word >> 26 == BL ? WORD : 0;
}

/* Bits 28 to 26 are 101 for branches and the system; hints are of the latter. */
static unsigned move_length(const ObjectFile *o, ObjectPlace at)
{
	const uint32_t hint = 0xd503201f, hint_mask = 0xfffff01f;
	uint64_t word;
	if (!object_read(o, at, WORD, &word))
		return 0;
	return (word >> 26 & 7) != 5 || (word & hint_mask) == hint ? WORD : 0;
}

const CodeMachine code_aarch64 = {
    is_call,          jump,         call_before,           call_size, call_length, move_length,
    .call_min = WORD, .step = WORD, .looks_up_call = true,
};
