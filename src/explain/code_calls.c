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
static Str stub_name(const ObjectFile *o, ObjectPlace at)
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

static Str name_of_code(const ObjectFile *o, uint64_t address)
{
	ObjectPlace place = object_place_of(o, address);
	Str name = symbol_name(o, object_symbol_at(o, place));
	return name.len || o->machine != OBJECT_X86_64 ? name : stub_name(o, place);
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
