/* explain/object/coff_header.c: headers of COFF objects, of big ones (/bigobj), and of PE images. */
#include "explain/object/coff.h"

enum {
	HEADER = 20,
	BIG_HEADER = 56,
	OPTIONAL_FIXED = 112, /* of PE32+, in front of the directories */
	PE32 = 0x10b,
	PE32_PLUS = 0x20b,
};

static bool refuse(const Coff *c, const char *why)
{
	object_error(c->o, "%s", why);
	return false;
}

static bool truncated(const Coff *c, const char *what, uint64_t end)
{
	object_error(c->o, "truncated: expected %s to end at offset 0x%llx, found %zu bytes", what,
	             (unsigned long long)end, c->o->bytes.len);
	return false;
}

static bool set_machine(Coff *c, unsigned machine)
{
	switch (machine) {
	case COFF_MACHINE_AMD64:
		c->o->machine = OBJECT_X86_64;
		return true;
	case COFF_MACHINE_ARM64:
		c->o->machine = OBJECT_AARCH64;
		return true;
	case COFF_MACHINE_I386:
		return refuse(c, "is 32-bit x86 COFF; expected x86_64 or AArch64");
	case COFF_MACHINE_ARMNT:
		return refuse(c, "is 32-bit ARM COFF; expected x86_64 or AArch64");
	case COFF_MACHINE_ARM64EC:
	case COFF_MACHINE_ARM64X:
		return refuse(c, "is COFF of ARM64EC; expected x86_64 or AArch64");
	default:
		object_error(c->o, "is COFF of machine 0x%x; expected x86_64 (0x8664) or AArch64 (0xaa64)",
		             machine);
		return false;
	}
}

static bool check_sections(const Coff *c)
{
	uint64_t end = c->sections_at + (uint64_t)c->nsections * 40;
	return end <= c->o->bytes.len || truncated(c, "the section table", end);
}

static bool read_big(Coff *c)
{
	static const char class_id[] = "\xc7\xa1\xba\xd1\xee\xba\xa9\x4b\xaf\x20\xfa\xf6\x6a\xa4\xdc\xb8";
	Str b = c->o->bytes;
	if (!coff_has(b, 0, 8))
		return truncated(c, "the header", 8);
	unsigned version = (unsigned)coff_word(b, 4, 2);
	if (version == 0)
		return refuse(
		    c, "member of an import library: it has no code; expected an object, a DLL or a program");
	if (version < 2)
		return refuse(c, "anonymous object of a compiler's own format (such as /GL writes): it has "
		                 "no code; expected an object, a DLL or a program");
	if (!coff_has(b, 0, BIG_HEADER))
		return truncated(c, "the header", BIG_HEADER);
	if (memcmp(b.data + 12, class_id, 16) != 0)
		return refuse(c,
		              "anonymous object of an unknown class; expected an object, a DLL or a program");
	c->nsections = (uint32_t)coff_word(b, 44, 4);
	c->symbols_at = coff_word(b, 48, 4);
	c->nsymbols = (uint32_t)coff_word(b, 52, 4);
	c->symbol_size = 20;
	c->sections_at = BIG_HEADER;
	return set_machine(c, (unsigned)coff_word(b, 6, 2)) && check_sections(c);
}

/* Reads the header at an offset. *optional: the size of the optional header, which follows. */
static bool read_header(Coff *c, uint64_t at, unsigned *optional)
{
	Str b = c->o->bytes;
	if (!coff_has(b, at, HEADER))
		return truncated(c, "the header", at + HEADER);
	c->nsections = (uint32_t)coff_word(b, at + 2, 2);
	c->symbols_at = coff_word(b, at + 8, 4);
	c->nsymbols = (uint32_t)coff_word(b, at + 12, 4);
	c->symbol_size = 18;
	*optional = (unsigned)coff_word(b, at + 16, 2);
	c->sections_at = at + HEADER + *optional;
	return set_machine(c, (unsigned)coff_word(b, at, 2)) && check_sections(c);
}

static bool read_optional(Coff *c, uint64_t at, unsigned size)
{
	Str b = c->o->bytes;
	unsigned magic = size >= 2 && coff_has(b, at, 2) ? (unsigned)coff_word(b, at, 2) : 0;
	if (magic == PE32)
		return refuse(c, "32-bit image (PE32); expected PE32+");
	if (magic != PE32_PLUS || size < OPTIONAL_FIXED) {
		object_error(c->o, "expected an optional header of PE32+ at offset 0x%llx, found magic 0x%x",
		             (unsigned long long)at, magic);
		return false;
	}
	if (!coff_has(b, at, size))
		return truncated(c, "the optional header", at + size);
	c->o->linked = true;
	c->o->image = coff_word(b, at + 24, 8);
	uint64_t n = coff_word(b, at + 108, 4), room = (size - OPTIONAL_FIXED) / 8;
	n = n < room ? n : room;
	for (unsigned i = 0; i < COFF_NDIRECTORIES && i < n; i++) {
		uint64_t entry = at + OPTIONAL_FIXED + 8 * (uint64_t)i;
		c->directories[i] = (CoffDirectory){coff_word(b, entry, 4), coff_word(b, entry + 4, 4)};
	}
	return true;
}

static bool read_image(Coff *c)
{
	Str b = c->o->bytes;
	if (!coff_has(b, 0, 64))
		return truncated(c, "the header of MS-DOS", 64);
	uint64_t pe = coff_word(b, 60, 4);
	if (!coff_has(b, pe, 4))
		return truncated(c, "the signature 'PE'", pe + 4);
	if (memcmp(b.data + pe, "PE\0\0", 4) != 0)
		return refuse(c, "program for MS-DOS; expected the signature 'PE'");
	unsigned optional;
	return read_header(c, pe + 4, &optional) && read_optional(c, pe + 4 + HEADER, optional);
}

bool coff_read_headers(Coff *c, ObjectFile *o)
{
	*c = (Coff){.o = o};
	Str b = o->bytes;
	if (str_begins_with(b, STR("!<arch>\n")) || str_begins_with(b, STR("!<thin>\n")))
		return refuse(c, "archive; expected one of its members");
	if (str_begins_with(b, STR("MZ")))
		return read_image(c);
	if (str_begins_with(b, STR("\0\0\xff\xff")))
		return read_big(c);
	unsigned optional;
	return read_header(c, 0, &optional);
}

CoffDirectory coff_exception_directory(const ObjectFile *o)
{
	ObjectFile copy = *o;
	Diags silent;
	diag_init(&silent, NULL, NULL);
	copy.d = &silent;
	Coff c;
	if (o->format != OBJECT_COFF || !o->linked || !coff_read_headers(&c, &copy))
		return (CoffDirectory){0};
	return c.directories[COFF_EXCEPTIONS];
}
