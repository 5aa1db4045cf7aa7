#include "explain/code_calls.h"

#include "explain/code_machine.h"

const CodeMachine *code_machine(const ObjectFile *o)
{
	static const CodeMachine *const rows[] = {
	    [OBJECT_X86_64] = &code_x86_64, [OBJECT_AARCH64] = &code_aarch64};
	CHECK(o->machine < ARRAY_LEN(rows));
	return rows[o->machine];
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
	/* A section and a distance. */
	const ObjectSymbol *s = &o->symbols[r->symbol];
	ObjectPlace place = {s->section, s->offset + (uint64_t)r->addend + code_machine(o)->distance_from};
	return symbol_name(o, object_symbol_at(o, place));
}

bool code_next_call(const ObjectFile *o, ObjectPlace from, uint64_t end, CodeCall *call)
{
	size_t n;
	if (o->linked)
		return false;
	const ObjectReloc *relocs = object_relocs(o, from.section, &n);
	for (size_t i = object_reloc_from(relocs, n, from.offset); i < n && relocs[i].offset < end; i++) {
		ObjectPlace at = {from.section, relocs[i].offset};
		if (end - at.offset < 4 || !code_machine(o)->is_call(o, &relocs[i], at))
			continue;
		*call = (CodeCall){at.offset + 4, callee_of(o, &relocs[i])};
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

/* A stub of the procedure linkage table jumps through a slot. */
Str code_jump_name(const ObjectFile *o, ObjectPlace at)
{
	CodeTarget to;
	return code_machine(o)->jump(o, at, &to) ? slot_name(o, to.address) : (Str){0};
}

static Str name_of_code(const ObjectFile *o, uint64_t address)
{
	ObjectPlace place = object_place_of(o, address);
	Str name = symbol_name(o, object_symbol_at(o, place));
	return name.len ? name : code_jump_name(o, place);
}

bool code_call_before(const ObjectFile *o, ObjectPlace end, CodeCall *call)
{
	enum { LONGEST = 6 };
	CodeTarget to;
	if (!o->linked || end.offset < LONGEST || !code_machine(o)->call_before(o, end, &to))
		return false;
	*call = (CodeCall){end.offset, (to.is_slot ? slot_name : name_of_code)(o, to.address)};
	return true;
}

bool code_first_call(const ObjectFile *o, ObjectPlace from, CodeCall *call)
{
	enum { MOVES = 8 };
	const CodeMachine *m = code_machine(o);
	for (unsigned i = 0, n; i < MOVES; i++, from.offset += n) {
		unsigned length = m->call_length(o, from);
		uint64_t end = from.offset + length;
		if (length)
			return o->linked ? code_call_before(o, (ObjectPlace){from.section, end}, call)
			                 : code_next_call(o, from, end, call);
		n = m->move_length(o, from);
		if (!n)
			break;
	}
	return false;
}
