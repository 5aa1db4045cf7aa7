/* Intel's manual, volume 2. */
#include "explain/code_machine.h"

enum { CALL_REL32 = 0xe8, INDIRECT = 0xff, CALL_RIP = 0x15, JMP_RIP = 0x25, BND = 0xf2 };
static const uint32_t endbr64 = 0xfa1e0ff3;

static bool byte_at(const ObjectFile *o, ObjectPlace at, uint64_t back, unsigned byte)
{
	uint64_t value;
	ObjectPlace place = {at.section, at.offset - back};
	return at.offset >= back && object_read(o, place, 1, &value) && value == byte;
}

/* No other instruction has these bytes before a displacement that counts from its end. */
static bool is_direct(const ObjectFile *o, ObjectPlace at)
{
	return byte_at(o, at, 1, CALL_REL32);
}

static bool is_indirect(const ObjectFile *o, ObjectPlace at)
{
	return byte_at(o, at, 1, CALL_RIP) && byte_at(o, at, 2, INDIRECT);
}

static bool is_call(const ObjectFile *o, const ObjectReloc *r, ObjectPlace at)
{
	return r->kind != OBJECT_RELOC_ABSOLUTE && (is_direct(o, at) || is_indirect(o, at));
}

static bool read_target(const ObjectFile *o, ObjectPlace at, bool is_slot, CodeTarget *to)
{
	uint64_t displacement;
	if (!object_read(o, at, 4, &displacement))
		return false;
	*to = (CodeTarget){object_address(o, at) + 4 + (uint64_t)(int64_t)(int32_t)displacement, is_slot};
	return true;
}

/* Behind endbr64 and bnd, where they are. */
static bool jump(const ObjectFile *o, ObjectPlace at, CodeTarget *to)
{
	uint64_t value;
	if (object_read(o, at, 4, &value) && value == endbr64)
		at.offset += 4;
	if (object_read(o, at, 1, &value) && value == BND)
		at.offset++;
	if (!object_read(o, at, 2, &value) || value != (INDIRECT | JMP_RIP << 8))
		return false;
	at.offset += 2;
	return read_target(o, at, true, to);
}

static bool call_before(const ObjectFile *o, ObjectPlace end, CodeTarget *to)
{
	ObjectPlace at = {end.section, end.offset - 4};
	if (is_direct(o, at))
		return read_target(o, at, false, to);
	return is_indirect(o, at) && read_target(o, at, true, to);
}

static unsigned call_size(const ObjectFile *o, ObjectPlace end)
{
	return end.offset >= 6 && is_indirect(o, (ObjectPlace){end.section, end.offset - 4}) ? 6 : 5;
}

static unsigned call_length(const ObjectFile *o, ObjectPlace at)
{
	uint64_t code;
	if (!object_read(o, at, 1, &code))
		return 0;
	if (code == CALL_REL32)
		return 5;
	return code == INDIRECT && object_read(o, (ObjectPlace){at.section, at.offset + 1}, 1, &code) &&
	               code == CALL_RIP
	           ? 6
	           : 0;
}

/* Bytes of a ModRM operand (table 2-2), with what follows it; 0: outside. */
static unsigned operand_length(const ObjectFile *o, ObjectPlace at)
{
	enum { SIB = 4, DISPLACEMENT_ONLY = 5 };
	uint64_t modrm, sib = 0;
	if (!object_read(o, at, 1, &modrm))
		return 0;
	unsigned mod = (unsigned)modrm >> 6, rm = modrm & 7;
	bool has_sib = mod != 3 && rm == SIB;
	if (has_sib && !object_read(o, (ObjectPlace){at.section, at.offset + 1}, 1, &sib))
		return 0;
	unsigned base = has_sib ? sib & 7 : rm;
	unsigned displacement = mod == 1 ? 1 : mod == 2 || (mod == 0 && base == DISPLACEMENT_ONLY) ? 4 : 0;
	return 1 + has_sib + displacement;
}

/* Of push, mov, lea, xor and endbr64. */
static unsigned move_length(const ObjectFile *o, ObjectPlace at)
{
	static const uint8_t moves[] = {0x89, 0x8b, 0x8d, 0x31, 0x33};
	uint64_t word, code;
	if (object_read(o, at, 4, &word) && word == endbr64)
		return 4;
	if (!object_read(o, at, 1, &code))
		return 0;
	unsigned rex = code >> 4 == 4;
	if (rex && !object_read(o, (ObjectPlace){at.section, at.offset + 1}, 1, &code))
		return 0;
	if (code >> 3 == 0x50 >> 3)
		return rex + 1;
	for (size_t i = 0; i < ARRAY_LEN(moves); i++)
		if (code == moves[i]) {
			unsigned n = operand_length(o, (ObjectPlace){at.section, at.offset + rex + 1});
			return n ? rex + 1 + n : 0;
		}
	return 0;
}

const CodeMachine code_x86_64 = {
    is_call,       jump,      call_before, call_size, call_length, move_length, .distance_from = 4,
    .call_min = 5, .step = 1,
};
