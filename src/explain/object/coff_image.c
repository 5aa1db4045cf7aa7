/* explain/object/coff_image.c: what an image exports and imports, as symbols. */
#include "base/vec.h"
#include "explain/object/coff.h"

enum { EXPORT_DIRECTORY = 40, IMPORT_DESCRIPTOR = 20 };

typedef struct Image {
	Coff *c;
	VEC(ObjectSymbol) symbols;
	uint64_t
	    budget; /* entries that may still be read: directories may point to one table a thousand times */
} Image;

/* The section of a relative address; sections ascend. */
static ObjectPlace place_of(const Coff *c, uint64_t rva)
{
	uint64_t address = c->o->image + rva;
	uint32_t low = 0, high = c->nsections;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (c->sections[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || address - c->sections[low - 1].address >= c->sections[low - 1].size)
		return (ObjectPlace){OBJECT_NONE, 0};
	return (ObjectPlace){low - 1, address - c->sections[low - 1].address};
}

/* The bytes from a relative address to the end of its section. */
static Str bytes_at(const Coff *c, uint64_t rva)
{
	ObjectPlace p = place_of(c, rva);
	if (p.section == OBJECT_NONE || p.offset >= c->sections[p.section].bytes.len)
		return (Str){"", 0};
	Str b = c->sections[p.section].bytes;
	return (Str){b.data + p.offset, b.len - (size_t)p.offset};
}

static Str text_at(const Coff *c, uint64_t rva)
{
	Str b = bytes_at(c, rva);
	const char *end = memchr(b.data, 0, b.len);
	return (Str){b.data, end ? (size_t)(end - b.data) : b.len};
}

static void add_symbol(Image *m, Str name, ObjectPlace place)
{
	const ObjectSection *s = place.section == OBJECT_NONE ? NULL : &m->c->sections[place.section];
	if (!s || !name.len)
		return;
	ObjectSymbol symbol = {.name = name,
	                       .section = place.section,
	                       .offset = place.offset,
	                       .function = s->code,
	                       .global = true,
	                       .defined = true};
	vec_push(m->c->o->mem, &m->symbols, symbol);
}

static void outside(const Coff *c, const char *what, uint64_t rva)
{
	object_warning(c->o, NO_PLACE,
	               "expected %s in a section, found that it does not end there (relative address "
	               "0x%llx)",
	               what, (unsigned long long)rva);
}

static void read_exports(Image *m)
{
	Coff *c = m->c;
	CoffDirectory d = c->directories[COFF_EXPORTS];
	if (!d.size)
		return;
	Str b = bytes_at(c, d.rva);
	if (b.len < EXPORT_DIRECTORY) {
		outside(c, "the export directory", d.rva);
		return;
	}
	uint64_t nfunctions = coff_word(b, 20, 4), nnames = coff_word(b, 24, 4);
	Str functions = bytes_at(c, coff_word(b, 28, 4)), names = bytes_at(c, coff_word(b, 32, 4)),
	    ordinals = bytes_at(c, coff_word(b, 36, 4));
	if (names.len / 4 < nnames || ordinals.len / 2 < nnames || functions.len / 4 < nfunctions) {
		outside(c, "tables of the export directory", d.rva);
		return;
	}
	for (uint64_t i = 0; i < nnames; i++) {
		uint64_t ordinal = coff_word(ordinals, 2 * i, 2);
		uint64_t rva = ordinal < nfunctions ? coff_word(functions, 4 * ordinal, 4) : 0;
		bool forwarded = rva >= d.rva && rva - d.rva < d.size;
		if (rva && !forwarded)
			add_symbol(m, text_at(c, coff_word(names, 4 * i, 4)), place_of(c, rva));
	}
}

/* names: of the functions of one DLL, by pointers to a hint of 2 bytes and the name; `slots` get their addresses. */
static void read_imports_of(Image *m, uint64_t names, uint64_t slots)
{
	Str b = bytes_at(m->c, names);
	for (uint64_t i = 0; m->budget && b.len / 8 > i; i++) {
		uint64_t entry = coff_word(b, 8 * i, 8);
		if (!entry)
			return;
		m->budget -= m->budget < 8 ? m->budget : 8;
		if (entry >> 31) /* by its number, or no relative address */
			continue;
		Str name = text_at(m->c, entry + 2);
		if (name.len > m->budget)
			name.len = (size_t)m->budget;
		m->budget -= name.len;
		char *imported = arena_alloc(m->c->o->mem, name.len + 6, 1);
		memcpy(imported, "__imp_", 6);
		memcpy(imported + 6, name.data, name.len);
		add_symbol(m, (Str){imported, name.len + 6}, place_of(m->c, slots + 8 * i));
	}
}

static void read_imports(Image *m)
{
	CoffDirectory d = m->c->directories[COFF_IMPORTS];
	if (!d.size)
		return;
	Str b = bytes_at(m->c, d.rva);
	if (b.len < IMPORT_DESCRIPTOR)
		outside(m->c, "the import directory", d.rva);
	for (uint64_t at = 0; coff_has(b, at, IMPORT_DESCRIPTOR) && m->budget; at += IMPORT_DESCRIPTOR) {
		uint64_t names = coff_word(b, at, 4), slots = coff_word(b, at + 16, 4);
		if (!slots)
			return;
		read_imports_of(m, names ? names : slots, slots);
	}
	if (!m->budget)
		outside(m->c, "the end of the imports", d.rva);
}

void coff_read_exports_and_imports(Coff *c)
{
	Image m = {.c = c, .budget = c->o->bytes.len};
	vec_reserve(c->o->mem, &m.symbols, c->nsymbols + 1);
	if (c->nsymbols)
		memcpy(m.symbols.data, c->symbols, c->nsymbols * sizeof *c->symbols);
	m.symbols.len = c->nsymbols;
	read_exports(&m);
	read_imports(&m);
	c->symbols = m.symbols.data;
	c->nsymbols = m.symbols.len;
}
