/* explain/object/coff.c: COFF objects and PE images: sections; the rest is in coff_*.c. */
#include "explain/object/coff.h"

enum {
	SECTION_CODE = 0x20,
	SECTION_ZERO = 0x80,
	SECTION_INFO = 0x200,
	SECTION_REMOVE = 0x800,
	SECTION_DISCARDABLE = 0x02000000,
	SECTION_EXECUTE = 0x20000000,
};

static unsigned base64_digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (unsigned)(c - 'A');
	if (c >= 'a' && c <= 'z')
		return (unsigned)(c - 'a') + 26;
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0') + 52;
	return c == '+' ? 62 : c == '/' ? 63 : 64;
}

/* "/123": at that offset of the string table; "//AAAAAB": the same to the base of 64, for large ones. */
static Str section_name(const Coff *c, uint64_t at)
{
	const char *text = c->o->bytes.data + at, *end = memchr(text, 0, 8);
	Str name = {text, end ? (size_t)(end - text) : 8};
	if (name.len < 2 || name.data[0] != '/')
		return name;
	bool wide = name.data[1] == '/';
	uint64_t offset = 0;
	for (size_t i = wide ? 2 : 1; i < name.len; i++) {
		unsigned digit = wide                                         ? base64_digit(name.data[i])
		                 : name.data[i] >= '0' && name.data[i] <= '9' ? (unsigned)(name.data[i] - '0')
		                                                              : 64;
		if (digit == 64)
			return name;
		offset = offset * (wide ? 64 : 10) + digit;
	}
	Str found = coff_long_name(c, offset);
	return found.data ? found : name;
}

/* What is in the file: no more than the section has in memory. */
static Str section_bytes(Coff *c, const ObjectSection *s, uint64_t at, uint64_t size)
{
	Str b = c->o->bytes;
	ObjectPlace at_section = {(uint32_t)(s - c->sections), 0};
	if (!coff_has(b, at, size)) {
		object_warning(c->o, at_section,
		               "expected 0x%llx bytes at offset 0x%llx of the file, found its end at 0x%zx",
		               (unsigned long long)size, (unsigned long long)at, b.len);
		size = at < b.len ? b.len - at : 0;
	}
	if (size > c->bytes_left) {
		object_warning(c->o, at_section,
		               "sections overlap in the file; this one, at offset 0x%llx, is not read",
		               (unsigned long long)at);
		size = 0;
	}
	c->bytes_left -= size;
	return size ? (Str){b.data + at, (size_t)size} : (Str){"", 0};
}

static void read_section(Coff *c, uint32_t n)
{
	Str b = c->o->bytes;
	uint64_t at = c->sections_at + (uint64_t)n * 40;
	uint64_t memory = coff_word(b, at + 8, 4), rva = coff_word(b, at + 12, 4),
	         raw = coff_word(b, at + 16, 4), raw_at = coff_word(b, at + 20, 4);
	uint64_t flags = coff_word(b, at + 36, 4);
	ObjectSection *s = &c->sections[n];
	s->name = section_name(c, at);
	s->size = c->o->linked && memory ? memory : raw;
	s->address = c->o->linked ? c->o->image + rva : 0;
	s->file_offset = raw_at;
	s->code = (flags & (SECTION_CODE | SECTION_EXECUTE)) != 0;
	s->loaded = !(flags & (SECTION_INFO | SECTION_REMOVE | SECTION_DISCARDABLE));
	bool in_file = raw_at && !(flags & SECTION_ZERO);
	s->bytes = in_file ? section_bytes(c, s, raw_at, raw < s->size ? raw : s->size) : (Str){"", 0};
}

static void check_order(const Coff *c)
{
	for (uint32_t i = 1; i < c->nsections; i++) {
		const ObjectSection *a = &c->sections[i - 1], *b = a + 1;
		if (b->address >= a->address && b->address - a->address >= a->size)
			continue;
		unsigned long long end = a->address + a->size;
		object_warning(c->o, (ObjectPlace){i, 0},
		               "expected the section to begin after the one in front, which ends at 0x%llx; "
		               "found 0x%llx",
		               end, (unsigned long long)b->address);
		return;
	}
}

bool object_open_coff(ObjectFile *o)
{
	Coff c;
	o->format = OBJECT_COFF;
	if (!coff_read_headers(&c, o))
		return false;
	coff_find_strings(&c);
	c.bytes_left = c.relocs_left = o->bytes.len;
	c.sections = arena_array(o->mem, ObjectSection, c.nsections);
	o->sections = c.sections;
	o->nsections = c.nsections;
	for (uint32_t i = 0; i < c.nsections; i++)
		read_section(&c, i);
	object_report_overlaps(o);
	coff_read_symbols(&c);
	if (o->linked) {
		check_order(&c);
		coff_read_exports_and_imports(&c);
	} else {
		coff_read_relocs(&c);
	}
	o->symbols = c.symbols;
	o->nsymbols = c.nsymbols;
	object_index(o);
	return true;
}

ObjectPlace coff_range_end(const ObjectFile *o, ObjectPlace at, ObjectPlace begin)
{
	ObjectTarget end;
	uint64_t rva;
	if (!o->linked)
		return object_pointer(o, at, 4, OBJECT_RELOC_IMAGE, &end) ? end.place : NO_PLACE;
	if (begin.section >= o->nsections || !object_read(o, at, 4, &rva))
		return NO_PLACE;
	return (ObjectPlace){begin.section, o->image + rva - o->sections[begin.section].address};
}
