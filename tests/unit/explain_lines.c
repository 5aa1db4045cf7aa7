/* Line tables made by hand: .debug_line of versions 4 and 5, CodeView, relocations of addresses, what cannot be. */
#include "explain_common.h"

#include "explain/lines.h"

enum { CODE = 1, LINES = 2, STRINGS = 3 };

static void open_lines(Fixture *f, LineTable *t, const void *bytes, size_t size)
{
	static const char code[64], strings[] = "folder\0main.c";
	fixture_open(f, false);
	fixture_section(f, ".text", 0, code, sizeof code);
	fixture_section(f, ".debug_line", 0, bytes, size);
	fixture_section(f, ".debug_line_str", 0, strings, sizeof strings);
	fixture_symbol(f, "code", CODE, 0, 0);
	fixture_symbol(f, "strings", STRINGS, 0, 0);
	object_index(&f->o);
	(void)t;
}

static void expect_place(const LineTable *t, uint64_t at, const char *file, uint32_t line, uint32_t column)
{
	CircPlace p = line_table_find(t, (ObjectPlace){CODE, at});
	EXPECT_STR(p.file ? p.file : "", file);
	EXPECT_EQ(p.line, line);
	EXPECT_EQ(p.column, column);
}

/* Standard opcodes' operands, and a program: from 4 on line 7 column 3, from 8 on line 9, the end at 16. */
#define OPERANDS                                                                                             \
	"\x0d"                                                                                               \
	"\0\1\1\1\1\0\0\0\1\0\0\1"
#define PROGRAM                                                                                              \
	"\0\x09\x02"                                                                                         \
	"\0\0\0\0\0\0\0\0"                                                                                   \
	"\x03\x06\x05\x03\x01"                                                                               \
	"\x4c"                                                                                               \
	"\x02\x08\0\x01\x01"

TEST(version_4)
{
	/* opcode 0x4c: 4 on and 2 lines on, with line base -5 and 14 lines */
	static const char bytes[] = "\x41\0\0\0"
	                            "\x04\0"
	                            "\x25\0\0\0"
	                            "\x01\x01\x01\xfb\x0e" OPERANDS "folder\0\0"
	                            "main.c\0\x01\0\0"
	                            "\0" PROGRAM;
	Fixture f;
	LineTable t;
	open_lines(&f, &t, bytes, sizeof bytes - 1);
	fixture_reloc(&f, LINES, 4 + 2 + 4 + 0x25 + 3, 0, OBJECT_RELOC_ABSOLUTE, 4);
	line_table_open(&t, &f.o, &f.e->arena);
	EXPECT_STR(f.said, "");
	expect_place(&t, 3, "", 0, 0);
	expect_place(&t, 4, "folder/main.c", 7, 3);
	expect_place(&t, 7, "folder/main.c", 7, 3);
	expect_place(&t, 8, "folder/main.c", 9, 3);
	expect_place(&t, 15, "folder/main.c", 9, 3);
	expect_place(&t, 16, "", 0, 0);
	fixture_close(&f);
}

TEST(version_5_has_its_names_in_another_section)
{
	static const char bytes[] = "\x4c\0\0\0"
	                            "\x05\0\x08\0"
	                            "\x2e\0\0\0"
	                            "\x01\x01\x01\xfb\x0e" OPERANDS "\x01\x01\x1f\x02"
	                            "\0\0\0\0"
	                            "\0\0\0\0"
	                            "\x02\x01\x1f\x02\x0b\x02"
	                            "\0\0\0\0\x01"
	                            "\0\0\0\0\x01" PROGRAM;
	Fixture f;
	LineTable t;
	open_lines(&f, &t, bytes, sizeof bytes - 1);
	fixture_reloc(&f, LINES, 0x22, 1, OBJECT_RELOC_ABSOLUTE, 0);
	fixture_reloc(&f, LINES, 0x26, 1, OBJECT_RELOC_ABSOLUTE, 0);
	fixture_reloc(&f, LINES, 0x30, 1, OBJECT_RELOC_ABSOLUTE, 7);
	fixture_reloc(&f, LINES, 0x35, 1, OBJECT_RELOC_ABSOLUTE, 7);
	fixture_reloc(&f, LINES, 12 + 0x2e + 3, 0, OBJECT_RELOC_ABSOLUTE, 4);
	line_table_open(&t, &f.o, &f.e->arena);
	EXPECT_STR(f.said, "");
	expect_place(&t, 4, "folder/main.c", 7, 3);
	expect_place(&t, 8, "folder/main.c", 9, 3);
	fixture_close(&f);
}

static void expect_said(const char *bytes, size_t size, const char *message)
{
	Fixture f;
	LineTable t;
	open_lines(&f, &t, bytes, size);
	line_table_open(&t, &f.o, &f.e->arena);
	EXPECT_CONTAINS(f.said, message);
	fixture_close(&f);
}

#define SAID(bytes, message) expect_said(bytes, sizeof(bytes) - 1, message)

TEST(line_tables_that_cannot_be_are_said)
{
	SAID("\x20\0\0\0\x04", ".debug_line+0x0: line table is cut off");
	SAID("\x02\0\0\0\x06\0", "expected a line table of version 2 to 5");
	SAID("\x06\0\0\0\x04\0\x40\0\0\0", "header of the line table is cut off");
	SAID("\x0e\0\0\0\x04\0\x08\0\0\0\x01\x01\x01\xfb\0\x01\0\0", "line table has a line range of 0");
	SAID("\x14\0\0\0\x05\0\x08\0\x0c\0\0\0\x01\x01\x01\xfb\x0e\x01\0\x05\0\0\0\0",
	     "entries of file names have no fields");
	SAID("\x13\0\0\0\x04\0\x08\0\0\0\x01\x01\x01\xfb\x0e\x01\0\0\0\x7f\x02\0\0",
	     "instruction of a line table is cut off");
}

TEST(a_compressed_section_is_not_read)
{
	Fixture f;
	LineTable t;
	open_lines(&f, &t, "\x01\0\0\0", 4);
	f.sections[LINES].compressed = true;
	line_table_open(&t, &f.o, &f.e->arena);
	EXPECT_CONTAINS(f.said, ".debug_line+0x0: section is compressed, which circ does not read");
	EXPECT_CONTAINS(f.said, "objcopy can decompress it, for places in the source");
	fixture_close(&f);
}

/* CodeView: .debug$S */

static void open_codeview(Fixture *f, LineTable *t, const void *bytes, size_t size, unsigned code_at)
{
	static const char code[64];
	fixture_open(f, false);
	f->o.format = OBJECT_COFF;
	f->o.bytes = (Str){bytes, size}; /* no more than that are read of names */
	fixture_section(f, ".text", 0, code, sizeof code);
	fixture_section(f, ".debug$S", 0, bytes, size);
	fixture_symbol(f, "code", CODE, 0, 0);
	object_index(&f->o);
	if (code_at)
		fixture_reloc(f, LINES, code_at, 0, OBJECT_RELOC_OTHER, 0);
	line_table_open(t, &f->o, &f->e->arena);
}

/* The signature, strings, and one file's checksum, which names it. */
#define FILES                                                                                                \
	"\x04\0\0\0"                                                                                         \
	"\xf3\0\0\0\x08\0\0\0"                                                                               \
	"\0main.c\0"                                                                                         \
	"\xf4\0\0\0\x08\0\0\0"                                                                               \
	"\x01\0\0\0\0\0\0\0"
enum { FILES_SIZE = 36, LINES_CODE = FILES_SIZE + 8 };

TEST(codeview)
{
	static const char bytes[] = FILES "\xf2\0\0\0\x30\0\0\0"
	                                  "\0\0\0\0\0\0\x01\0\x10\0\0\0"
	                                  "\0\0\0\0\x02\0\0\0\x24\0\0\0"
	                                  "\x04\0\0\0\x07\0\0\x80"
	                                  "\x08\0\0\0\x09\0\0\0"
	                                  "\x03\0\0\0\x05\0\0\0";
	Fixture f;
	LineTable t;
	open_codeview(&f, &t, bytes, sizeof bytes - 1, LINES_CODE);
	EXPECT_STR(f.said, "");
	expect_place(&t, 3, "", 0, 0);
	expect_place(&t, 4, "main.c", 7, 3);
	expect_place(&t, 8, "main.c", 9, 5);
	expect_place(&t, 15, "main.c", 9, 5);
	expect_place(&t, 16, "", 0, 0);
	fixture_close(&f);
}

static uint32_t line_of_function(const LineTable *t, uint64_t begin, uint64_t size)
{
	return line_table_find_begin(t, (ObjectPlace){CODE, begin}, size).line;
}

/* LLVM gives the first instructions of a funclet no line; the row before it is of other code. */
TEST(functions_have_the_place_of_their_first_row)
{
	static const char bytes[] = FILES "\xf2\0\0\0\x28\0\0\0"
	                                  "\0\0\0\0\0\0\0\0\x10\0\0\0"
	                                  "\0\0\0\0\x02\0\0\0\x1c\0\0\0"
	                                  "\x04\0\0\0\x07\0\0\0"
	                                  "\x08\0\0\0\x09\0\0\0";
	Fixture f;
	LineTable t;
	open_codeview(&f, &t, bytes, sizeof bytes - 1, LINES_CODE);
	EXPECT_STR(f.said, "");
	EXPECT_EQ(line_of_function(&t, 4, 4), 7);
	EXPECT_EQ(line_of_function(&t, 6, 10), 9);
	EXPECT_EQ(line_of_function(&t, 6, 2), 0);
	EXPECT_EQ(line_of_function(&t, 12, 4), 0);
	EXPECT_EQ(line_of_function(&t, 20, 4), 0);
	fixture_close(&f);
}

/* Two blocks, and a line that compilers give to what is in no source. */
TEST(codeview_without_columns)
{
	static const char bytes[] = FILES "\xf2\0\0\0\x3c\0\0\0"
	                                  "\0\0\0\0\0\0\0\0\x10\0\0\0"
	                                  "\0\0\0\0\x02\0\0\0\x1c\0\0\0"
	                                  "\0\0\0\0\x07\0\0\0"
	                                  "\x04\0\0\0\xee\xef\xfe\0"
	                                  "\0\0\0\0\x01\0\0\0\x14\0\0\0"
	                                  "\x08\0\0\0\x0b\0\0\0";
	Fixture f;
	LineTable t;
	open_codeview(&f, &t, bytes, sizeof bytes - 1, LINES_CODE);
	EXPECT_STR(f.said, "");
	expect_place(&t, 0, "main.c", 7, 0);
	EXPECT_EQ(line_table_find(&t, (ObjectPlace){CODE, 4}).line, 0);
	expect_place(&t, 8, "main.c", 11, 0);
	fixture_close(&f);
}

static void expect_codeview_said(const char *bytes, size_t size, unsigned code_at, const char *message)
{
	Fixture f;
	LineTable t;
	open_codeview(&f, &t, bytes, size, code_at);
	EXPECT_CONTAINS(f.said, message);
	fixture_close(&f);
}

TEST(codeview_that_cannot_be_is_said)
{
	static const char cut[] = FILES "\xf2\0\0\0\x40\0\0\0";
	static const char nowhere[] = FILES "\xf2\0\0\0\x0c\0\0\0"
	                                    "\0\0\0\0\0\0\0\0\x10\0\0\0";
	static const char many[] = FILES "\xf2\0\0\0\x18\0\0\0"
	                                 "\0\0\0\0\0\0\0\0\x10\0\0\0"
	                                 "\0\0\0\0\x64\0\0\0\x0c\0\0\0";
	static const char unnamed[] = FILES "\xf2\0\0\0\x18\0\0\0"
	                                    "\0\0\0\0\0\0\0\0\x10\0\0\0"
	                                    "\x08\0\0\0\0\0\0\0\x0c\0\0\0";
	expect_codeview_said(
	    cut, sizeof cut - 1, 0,
	    ".debug$S+0x24: expected 64 bytes of debug information, found the end of the section");
	expect_codeview_said(nowhere, sizeof nowhere - 1, 0,
	                     ".debug$S+0x2c: expected the address of code before its lines, found none");
	expect_codeview_said(many, sizeof many - 1, LINES_CODE,
	                     ".debug$S+0x38: expected 100 lines, found the end of the subsection");
	expect_codeview_said(
	    unnamed, sizeof unnamed - 1, LINES_CODE,
	    ".debug$S+0x38: expected the name of a file, found none at 0x8 of the checksums");
}
