/* ELF files made by hand: what is refused, and what sections, symbols and relocations are taken for. */
#include "test.h"

#include "explain/object/object.h"

typedef struct Opened {
	Arena mem;
	Diags d;
	ObjectFile o;
	char said[2048];
	bool ok;
} Opened;

static void said(const CircDiagnostic *message, void *user)
{
	Opened *f = user;
	size_t used = strlen(f->said);
	snprintf(f->said + used, sizeof f->said - used, "%s: %s\n", message->file, message->message);
}

static void open_bytes(Opened *f, const void *bytes, size_t size)
{
	memset(f, 0, sizeof *f);
	arena_init(&f->mem);
	diag_init(&f->d, said, f);
	f->ok = object_open(&f->o, (Str){bytes, size}, "x.o", &f->mem, &f->d);
}

static void expect_refused(const void *bytes, size_t size, const char *message)
{
	Opened f;
	open_bytes(&f, bytes, size);
	EXPECT(!f.ok);
	EXPECT_EQ(f.d.errors, 1);
	EXPECT_CONTAINS(f.said, message);
	arena_free(&f.mem);
}

static void put(unsigned char *at, unsigned size, uint64_t value)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

/* A header, sections' bytes from 64 on, and section headers from 1024 on. */
typedef struct Image {
	unsigned char bytes[2048];
	unsigned nsections;
} Image;

enum { HEADERS = 1024 };

static void header(Image *f, unsigned type, unsigned machine)
{
	static const unsigned char ident[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
	memset(f, 0, sizeof *f);
	memcpy(f->bytes, ident, sizeof ident);
	put(f->bytes + 16, 2, type);
	put(f->bytes + 18, 2, machine);
	put(f->bytes + 40, 8, HEADERS);
	put(f->bytes + 54, 2, 56);
	put(f->bytes + 58, 2, 64);
	f->nsections = 1;
	put(f->bytes + 60, 2, 1);
}

/* Returns its header. */
static unsigned char *section(Image *f, unsigned type, uint64_t flags, uint64_t offset, uint64_t size)
{
	unsigned char *h = f->bytes + HEADERS + 64 * (size_t)f->nsections++;
	put(h + 4, 4, type);
	put(h + 8, 8, flags);
	put(h + 24, 8, offset);
	put(h + 32, 8, size);
	put(f->bytes + 60, 2, f->nsections);
	return h;
}

TEST(what_is_no_object_of_ours_is_refused_with_the_reason)
{
	Image f;
	expect_refused("", 0, "x.o: is empty; expected an object file");
	expect_refused("!<arch>\n//", 10, "is an archive; extract its members first");
	expect_refused("!<thin>\n//", 10, "is a thin archive; its members are files of their own");
	expect_refused("hello, world", 12, "is not an object file; expected ELF or COFF");
	expect_refused("BC\xc0\xde....", 8, "is LLVM bitcode");
	header(&f, 1, 62);
	expect_refused(f.bytes, 12, "is cut off: 12 bytes; expected an ELF header of 64");
	expect_refused(f.bytes, 63, "is cut off: 63 bytes; expected an ELF header of 64");
	f.bytes[4] = 1;
	expect_refused(f.bytes, sizeof f.bytes, "is a 32-bit object");
	f.bytes[4] = 2;
	f.bytes[5] = 2;
	expect_refused(f.bytes, sizeof f.bytes, "is big-endian");
	header(&f, 1, 243);
	expect_refused(
	    f.bytes, sizeof f.bytes,
	    "is for another machine; expected x86-64 (62) or AArch64 (183), found ELF machine 243");
	header(&f, 4, 62);
	expect_refused(f.bytes, sizeof f.bytes,
	               "is not an object, library or program; expected ELF type 1, 2 or 3, found 4");
}

TEST(section_headers_outside_of_the_file_are_refused)
{
	Image f;
	header(&f, 1, 62);
	put(f.bytes + 40, 8, 0);
	expect_refused(f.bytes, sizeof f.bytes, "has no sections");
	put(f.bytes + 40, 8, UINT64_MAX - 3);
	expect_refused(f.bytes, sizeof f.bytes, "reach beyond the end of the file");
	put(f.bytes + 40, 8, HEADERS);
	put(f.bytes + 60, 2, 17);
	expect_refused(f.bytes, sizeof f.bytes,
	               "section headers at offset 0x400 reach beyond the end of the file");
	put(f.bytes + 60, 2, 0); /* the number stands in the first header */
	put(f.bytes + HEADERS + 32, 8, UINT64_MAX);
	expect_refused(f.bytes, sizeof f.bytes, "reach beyond the end of the file");
}

static void symbol(unsigned char *at, unsigned name, unsigned info, unsigned section_index, uint64_t value,
                   uint64_t size)
{
	put(at, 4, name);
	at[4] = (unsigned char)info;
	put(at + 6, 2, section_index);
	put(at + 8, 8, value);
	put(at + 16, 8, size);
}

/* 1 code, 2 names, 3 symbols, 4 their section indexes, 5 relocations of the code */
static void object(Image *f)
{
	header(f, 1, 62);
	section(f, 1, 6, 64, 32);
	section(f, 3, 0, 128, 64);
	put(section(f, 2, 0, 192, 24 * 4) + 40, 4, 2);
	put(section(f, 18, 0, 320, 16) + 40, 4, 3);
	unsigned char *rela = section(f, 4, 0, 384, 24 * 2);
	put(rela + 40, 4, 3);
	put(rela + 44, 4, 1);
	put(f->bytes + 62, 2, 2);
	memcpy(f->bytes + 128, "\0code\0local\0global\0outside", 27);
	put(f->bytes + HEADERS + 64, 4, 1);
	symbol(f->bytes + 192 + 24, 6, 0x02, 1, 4, 8);
	symbol(f->bytes + 192 + 48, 12, 0x12, 0xffff, 4, 8);
	symbol(f->bytes + 192 + 72, 19, 0x10, 0, 0, 0);
	put(f->bytes + 320 + 8, 4, 1);
	/* Not in order: at 16 the address of what is 2 behind `local`, at 8 a call of `outside`. */
	put(f->bytes + 384, 8, 16);
	put(f->bytes + 384 + 8, 8, (uint64_t)1 << 32 | 1);
	put(f->bytes + 384 + 16, 8, 2);
	put(f->bytes + 408, 8, 8);
	put(f->bytes + 408 + 8, 8, (uint64_t)3 << 32 | 4);
	put(f->bytes + 408 + 16, 8, (uint64_t)-4);
}

TEST(sections_that_overlap_are_said_and_read)
{
	Image image;
	Opened f;
	object(&image);
	put(section(&image, 1, 2, 80, 32), 4, 6);
	put(section(&image, 1, 2, 96, 8), 4, 12);
	put(section(&image, 1, 2, 112, 8), 4, 19);
	open_bytes(&f, image.bytes, sizeof image.bytes);
	EXPECT(f.ok);
	EXPECT_STR(f.said, "x.o: local+0x0: section overlaps code, at offset 0x50 of the file\n"
	                   "x.o: global+0x0: section overlaps local, at offset 0x60 of the file\n");
	EXPECT_EQ(f.o.sections[object_section(&f.o, "global", 0)].bytes.len, 8);
	arena_free(&f.mem);
}

TEST(an_object_has_sections_symbols_and_relocations)
{
	Image image;
	Opened f;
	ObjectTarget t;
	size_t n;
	object(&image);
	open_bytes(&f, image.bytes, sizeof image.bytes);
	if (!EXPECT(f.ok))
		return;
	EXPECT_EQ(object_section(&f.o, "code", 0), 1);
	EXPECT_EQ(object_section(&f.o, "code", 2), OBJECT_NONE);
	EXPECT(f.o.sections[1].code && !f.o.linked);
	/* Of two at one place the global one; its section index is the extended one. */
	EXPECT_EQ(object_symbol_at(&f.o, (ObjectPlace){1, 4}), 2);
	EXPECT_EQ(object_symbol_over(&f.o, (ObjectPlace){1, 11}), 2);
	EXPECT_EQ(object_symbol_over(&f.o, (ObjectPlace){1, 12}), OBJECT_NONE);
	EXPECT(object_relocs(&f.o, 1, &n) && n == 2);
	EXPECT_EQ(f.o.sections[1].relocs[0].offset, 8);
	EXPECT(object_pointer(&f.o, (ObjectPlace){1, 16}, 8, OBJECT_RELOC_ABSOLUTE, &t));
	EXPECT(t.place.section == 1 && t.place.offset == 6 && t.symbol == OBJECT_NONE && !t.is_null);
	EXPECT(object_pointer(&f.o, (ObjectPlace){1, 8}, 4, OBJECT_RELOC_RELATIVE, &t));
	EXPECT(t.symbol == 3 && t.place.section == OBJECT_NONE);
	EXPECT(object_pointer(&f.o, (ObjectPlace){1, 24}, 8, OBJECT_RELOC_ABSOLUTE, &t) && t.is_null);
	EXPECT(!object_pointer(&f.o, (ObjectPlace){1, 25}, 8, OBJECT_RELOC_ABSOLUTE, &t));
	EXPECT_STR(f.said, "");
	arena_free(&f.mem);
}

TEST(an_empty_function_begins_where_the_next_does)
{
	Image image;
	Opened f;
	object(&image);
	symbol(image.bytes + 192 + 24, 6, 0x12, 1, 4, 0);
	open_bytes(&f, image.bytes, sizeof image.bytes);
	if (!EXPECT(f.ok))
		return;
	EXPECT_EQ(object_symbol_at(&f.o, (ObjectPlace){1, 4}), 2);
	EXPECT_EQ(object_symbol_of(&f.o, (ObjectPlace){1, 4}, 0), 1);
	EXPECT_EQ(object_symbol_of(&f.o, (ObjectPlace){1, 4}, 8), 2);
	EXPECT_EQ(object_symbol_of(&f.o, (ObjectPlace){1, 4}, 5), 2);
	EXPECT_EQ(object_symbol_of(&f.o, (ObjectPlace){1, 5}, 8), OBJECT_NONE);
	arena_free(&f.mem);
}

TEST(symbols_and_relocations_that_point_outside_are_of_nothing)
{
	Image image;
	Opened f;
	ObjectTarget t;
	object(&image);
	put(image.bytes + 192 + 24 + 6, 2, 77);                      /* section of `local` */
	put(image.bytes + 320 + 8, 4, 1000);                         /* extended section of `global` */
	put(image.bytes + 192 + 72, 4, 5000);                        /* name of `outside` */
	put(image.bytes + 384 + 8, 8, (uint64_t)900 << 32 | 1);      /* symbol of the first relocation */
	put(image.bytes + HEADERS + 5 * 64 + 32, 8, UINT64_MAX / 2); /* size of the relocations */
	open_bytes(&f, image.bytes, sizeof image.bytes);
	EXPECT(f.ok);
	EXPECT_EQ(f.o.nby_place, 0);
	EXPECT(object_pointer(&f.o, (ObjectPlace){1, 16}, 8, OBJECT_RELOC_ABSOLUTE, &t));
	EXPECT(t.symbol == OBJECT_NONE && t.place.section == OBJECT_NONE);
	EXPECT_EQ(f.o.symbols[3].name.len, 0);
	EXPECT_CONTAINS(f.said,
	                "section reaches beyond the end of the file: 0x7fffffffffffffff bytes, found 0x680");
	arena_free(&f.mem);
}

TEST(addresses_of_an_image_are_found_in_its_sections)
{
	Image image;
	Opened f;
	header(&image, 3, 183);
	put(section(&image, 1, 6, 64, 32) + 16, 8, 0x2000);
	put(section(&image, 8, 3, 96, 0x100) + 16, 8, 0x1000); /* without bytes in the file */
	open_bytes(&f, image.bytes, sizeof image.bytes);
	uint64_t value;
	EXPECT(f.ok && f.o.linked && f.o.machine == OBJECT_AARCH64);
	ObjectPlace at = object_place_of(&f.o, 0x201f);
	EXPECT(at.section == 1 && at.offset == 0x1f);
	EXPECT_EQ(object_address(&f.o, at), 0x201f);
	EXPECT_EQ(object_place_of(&f.o, 0x2020).section, OBJECT_NONE);
	EXPECT_EQ(object_place_of(&f.o, 0xfff).section, OBJECT_NONE);
	at = object_place_of(&f.o, 0x1080);
	EXPECT_EQ(at.section, 2);
	EXPECT(object_read(&f.o, at, 8, &value) && value == 0);
	arena_free(&f.mem);
}
