#include "explain/code_calls.h"

/* Of relocations that only calls have: ELF for the Arm 64-bit Architecture, table "Relocations for control-flow instructions";
 * Microsoft's PE format, "ARM64 Processors". */
enum { R_AARCH64_CALL26 = 283, IMAGE_REL_ARM64_BRANCH26 = 3 };
enum { CALL_REL32 = 0xe8, INDIRECT = 0xff, CALL_RIP = 0x15, JMP_RIP = 0x25 }; /* of x86-64 */

static bool byte_at(const ObjectFile *o, ObjectPlace at, uint64_t back, unsigned byte)
{
	uint64_t value;
	ObjectPlace place = {at.section, at.offset - back};
	return at.offset >= back && object_read(o, place, 1, &value) && value == byte;
}

/* Does the instruction whose last four bytes are relocated call? */
static bool is_call(const ObjectFile *o, const ObjectReloc *r, ObjectPlace at)
{
	if (o->machine == OBJECT_AARCH64)
		return r->type == (o->format == OBJECT_ELF ? R_AARCH64_CALL26 : IMAGE_REL_ARM64_BRANCH26);
	if (r->kind == OBJECT_RELOC_ABSOLUTE)
		return false;
	/* No other instruction has these bytes before a displacement that counts from its end. */
	return byte_at(o, at, 1, CALL_REL32) || (byte_at(o, at, 1, CALL_RIP) && byte_at(o, at, 2, INDIRECT));
}

static Str symbol_name(const ObjectFile *o, uint32_t symbol)
{
	return symbol < o->nsymbols ? o->symbols[symbol].name : (Str){0};
}

static Str callee_of(const ObjectFile *o, const ObjectReloc *r)
{
	Str name = symbol_name(o, r->symbol);
	if (name.len || r->symbol >= o->nsymbols)
		return name;
	/* A section and a distance, on x86-64 from the end of the instruction. */
	const ObjectSymbol *s = &o->symbols[r->symbol];
	bool from_end = o->machine == OBJECT_X86_64;
	ObjectPlace place = {s->section, s->offset + (uint64_t)r->addend + (from_end ? 4 : 0)};
	return symbol_name(o, object_symbol_at(o, place));
}

bool code_next_call(const ObjectFile *o, ObjectPlace from, uint64_t end, CodeCall *call)
{
	size_t n;
	if (o->linked)
		return false;
	const ObjectReloc *relocs = object_relocs(o, from.section, &n);
	for (size_t i = object_reloc_from(relocs, n, from.offset); i < n && relocs[i].offset < end; i++) {
		if (end - relocs[i].offset < 4 ||
		    !is_call(o, &relocs[i], (ObjectPlace){from.section, relocs[i].offset}))
			continue;
		*call = (CodeCall){relocs[i].offset + 4, callee_of(o, &relocs[i])};
		return true;
	}
	return false;
}

/* The symbol of a slot of the global offset table, or the name of one of the import table, "__imp_…". */
static Str slot_name(const ObjectFile *o, uint64_t address)
{
	ObjectTarget t;
	if (o->format == OBJECT_COFF)
		return symbol_name(o, object_symbol_at(o, object_place_of(o, address)));
	if (!object_pointer(o, object_place_of(o, address), 8, OBJECT_RELOC_ABSOLUTE, &t))
		return (Str){0};
	return symbol_name(o, t.symbol);
}

static uint64_t displaced(const ObjectFile *o, ObjectPlace at, uint64_t displacement)
{
	return object_address(o, at) + 4 + (uint64_t)(int64_t)(int32_t)displacement;
}

/* A stub of the procedure linkage table jumps through a slot, behind endbr64 where there is one. */
static Str jump_name_of_x86_64(const ObjectFile *o, ObjectPlace at)
{
	const uint32_t endbr64 = 0xfa1e0ff3;
	uint64_t value;
	if (object_read(o, at, 4, &value) && value == endbr64)
		at.offset += 4;
	if (object_read(o, at, 1, &value) && value == 0xf2) /* bnd */
		at.offset++;
	if (!object_read(o, at, 2, &value) || value != (INDIRECT | JMP_RIP << 8))
		return (Str){0};
	at.offset += 2;
	return object_read(o, at, 4, &value) ? slot_name(o, displaced(o, at, value)) : (Str){0};
}

/* There the jump is adrp, ldr and br; a bti may stand before them. */
static Str jump_name_of_aarch64(const ObjectFile *o, ObjectPlace at)
{
	const uint32_t bti_c = 0xd503245f, adrp = 0x90000000, ldr = 0xf9400000;
	uint64_t word, load;
	if (object_read(o, at, 4, &word) && word == bti_c)
		at.offset += 4;
	if (!object_read(o, at, 4, &word) || (word & 0x9f000000) != adrp ||
	    !object_read(o, (ObjectPlace){at.section, at.offset + 4}, 4, &load) || (load & 0xffc00000) != ldr)
		return (Str){0};
	unsigned address_register = word & 31;
	if ((load >> 5 & 31) != address_register)
		return (Str){0};
	uint64_t pages = (word >> 5 & 0x7ffff) << 2 | (word >> 29 & 3), offset = (load >> 10 & 0xfff) * 8;
	int64_t distance = (int64_t)(pages << 43) >> 31;
	return slot_name(o, (object_address(o, at) & ~(uint64_t)0xfff) + (uint64_t)distance + offset);
}

Str code_jump_name(const ObjectFile *o, ObjectPlace at)
{
	return (o->machine == OBJECT_AARCH64 ? jump_name_of_aarch64 : jump_name_of_x86_64)(o, at);
}

static Str name_of_code(const ObjectFile *o, uint64_t address)
{
	ObjectPlace place = object_place_of(o, address);
	Str name = symbol_name(o, object_symbol_at(o, place));
	return name.len ? name : code_jump_name(o, place);
}

static bool call_of_aarch64(const ObjectFile *o, ObjectPlace at, uint64_t end, CodeCall *call)
{
	enum { BL = 0x25, DISTANCE = 0x3ffffff };
	uint64_t value;
	if (!object_read(o, at, 4, &value) || value >> 26 != BL)
		return false;
	int64_t distance = (int64_t)((value & DISTANCE) << 38) >> 36;
	*call = (CodeCall){end, name_of_code(o, object_address(o, at) + (uint64_t)distance)};
	return true;
}

bool code_call_before(const ObjectFile *o, ObjectPlace end, CodeCall *call)
{
	ObjectPlace at = {end.section, end.offset - 4};
	uint64_t value;
	if (!o->linked || end.offset < 6)
		return false;
	if (o->machine == OBJECT_AARCH64)
		return call_of_aarch64(o, at, end.offset, call);
	if (!object_read(o, at, 4, &value))
		return false;
	if (byte_at(o, at, 1, CALL_REL32))
		*call = (CodeCall){end.offset, name_of_code(o, displaced(o, at, value))};
	else if (byte_at(o, at, 1, CALL_RIP) && byte_at(o, at, 2, INDIRECT))
		*call = (CodeCall){end.offset, slot_name(o, displaced(o, at, value))};
	else
		return false;
	return true;
}

/* Code that does nothing but move. */

/* Bytes of a ModRM operand (Intel's manual, volume 2, table 2-2), with what follows it; 0: outside. */
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

/* Of push, mov, lea, xor and endbr64 of x86-64; 0: it is something else. */
static unsigned move_length(const ObjectFile *o, ObjectPlace at)
{
	static const uint8_t moves[] = {0x89, 0x8b, 0x8d, 0x31, 0x33};
	const uint32_t endbr64 = 0xfa1e0ff3;
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

/* Arm's manual, "Top-level A64 instruction set encodings": bits 28 to 26 are 101 for branches and the system; hints are of the latter. */
static unsigned move_length_of_aarch64(const ObjectFile *o, ObjectPlace at)
{
	const uint32_t hint = 0xd503201f, hint_mask = 0xfffff01f;
	uint64_t word;
	if (!object_read(o, at, 4, &word))
		return 0;
	return (word >> 26 & 7) != 5 || (word & hint_mask) == hint ? 4 : 0;
}

/* Bytes of a call that stands there; 0: none does. */
static unsigned call_length(const ObjectFile *o, ObjectPlace at)
{
	uint64_t code;
	if (o->machine == OBJECT_AARCH64)
		return object_read(o, at, 4, &code) && code >> 26 == 0x25 ? 4 : 0; /* bl */
	if (!object_read(o, at, 1, &code))
		return 0;
	if (code == CALL_REL32)
		return 5;
	return code == INDIRECT && object_read(o, (ObjectPlace){at.section, at.offset + 1}, 1, &code) &&
	               code == CALL_RIP
	           ? 6
	           : 0;
}

bool code_first_call(const ObjectFile *o, ObjectPlace from, CodeCall *call)
{
	enum { MOVES = 8 };
	for (unsigned i = 0, n; i < MOVES; i++, from.offset += n) {
		unsigned length = call_length(o, from);
		uint64_t end = from.offset + length;
		if (length)
			return o->linked ? code_call_before(o, (ObjectPlace){from.section, end}, call)
			                 : code_next_call(o, from, end, call);
		n = o->machine == OBJECT_AARCH64 ? move_length_of_aarch64(o, from) : move_length(o, from);
		if (!n)
			break;
	}
	return false;
}
