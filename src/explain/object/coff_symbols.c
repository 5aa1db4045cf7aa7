/* explain/object/coff_symbols.c: symbol table and string table. */
#include "explain/object/coff.h"

enum { CLASS_EXTERNAL = 2, CLASS_STATIC = 3, CLASS_LABEL = 6, CLASS_WEAK_EXTERNAL = 105 };
enum { TYPE_FUNCTION = 0x20, TYPE_DERIVED = 0xf0 };

void coff_find_strings(Coff *c)
{
	Str b = c->o->bytes;
	uint64_t at = c->symbols_at + (uint64_t)c->nsymbols * c->symbol_size;
	if (!c->symbols_at || !coff_has(b, at, 4))
		return;
	uint64_t size = coff_word(b, at, 4);
	if (!coff_has(b, at, size)) {
		unsigned long long end = at + size;
		object_warning(
		    c->o, NO_PLACE,
		    "expected the string table to end at offset 0x%llx, found the file's end at 0x%zx", end,
		    b.len);
		size = b.len - at;
	}
	c->strings = (Str){b.data + at, (size_t)size};
}

Str coff_long_name(const Coff *c, uint64_t offset)
{
	if (offset < 4 || offset >= c->strings.len)
		return (Str){NULL, 0};
	const char *begin = c->strings.data + offset;
	const char *end = memchr(begin, 0, c->strings.len - (size_t)offset);
	return (Str){begin, end ? (size_t)(end - begin) : c->strings.len - (size_t)offset};
}

static Str symbol_name(const Coff *c, uint64_t at)
{
	Str b = c->o->bytes;
	if (coff_word(b, at, 4) == 0)
		return coff_long_name(c, coff_word(b, at + 4, 4));
	const char *begin = b.data + at, *end = memchr(begin, 0, 8);
	return (Str){begin, end ? (size_t)(end - begin) : 8};
}

static void read_symbol(Coff *c, uint32_t n, uint64_t at)
{
	Str b = c->o->bytes;
	bool big = c->symbol_size == 20;
	uint64_t section = coff_word(b, at + 12, big ? 4 : 2);
	int64_t number = big ? (int32_t)section : (int16_t)section;
	if (!big && number < -2) /* more than 32767 sections */
		number = (int64_t)section;
	unsigned type = (unsigned)coff_word(b, at + (big ? 16 : 14), 2);
	unsigned storage = (uint8_t)b.data[at + (big ? 18 : 16)],
	         naux = (uint8_t)b.data[at + (big ? 19 : 17)];
	bool is_place = storage == CLASS_EXTERNAL || storage == CLASS_STATIC || storage == CLASS_LABEL ||
	                storage == CLASS_WEAK_EXTERNAL;
	ObjectSymbol *s = &c->symbols[n];
	*s = (ObjectSymbol){.name = symbol_name(c, at),
	                    .section = OBJECT_NONE,
	                    .offset = coff_word(b, at + 8, 4),
	                    .function = (type & TYPE_DERIVED) == TYPE_FUNCTION,
	                    .global = storage == CLASS_EXTERNAL || storage == CLASS_WEAK_EXTERNAL};
	if (!is_place || number < 1 || number > (int64_t)c->nsections)
		return;
	s->section = (uint32_t)(number - 1);
	s->defined = true;
	if (storage == CLASS_STATIC && naux > 0 && !s->function)
		s->name = (Str){"", 0}; /* the definition of a section: names no code */
}

void coff_read_symbols(Coff *c)
{
	uint64_t room = c->o->bytes.len > c->symbols_at ? c->o->bytes.len - c->symbols_at : 0;
	if (!c->symbols_at || !c->nsymbols) {
		c->nsymbols = 0;
		return;
	}
	if (c->nsymbols > room / c->symbol_size) {
		object_warning(
		    c->o, NO_PLACE,
		    "expected %u symbols at offset 0x%llx, found the file's end after %llu of them",
		    c->nsymbols, (unsigned long long)c->symbols_at,
		    (unsigned long long)(room / c->symbol_size));
		c->nsymbols = (uint32_t)(room / c->symbol_size);
	}
	c->symbols = arena_array(c->o->mem, ObjectSymbol, c->nsymbols);
	for (uint32_t i = 0; i < c->nsymbols; i++)
		c->symbols[i].section = OBJECT_NONE;
	for (uint32_t i = 0; i < c->nsymbols;) {
		uint64_t at = c->symbols_at + (uint64_t)i * c->symbol_size;
		read_symbol(c, i, at);
		i += 1 + (uint32_t)(uint8_t)c->o->bytes.data[at + c->symbol_size - 1];
	}
}
