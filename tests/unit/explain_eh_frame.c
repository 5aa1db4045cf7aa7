/* .eh_frame made by hand: encodings of pointers, records, call frame instructions. */
#include "explain_common.h"

#include "explain/cfa.h"
#include "explain/eh_frame.h"
#include "explain/eh_pointer.h"

static const ObjectPlace nowhere = {OBJECT_NONE, 0};

static ObjectTarget read_pointer(Fixture *f, uint32_t section, uint64_t at, unsigned encoding,
                                 const char **failed)
{
	Bytes b = bytes_of(f->sections[section].bytes, at, UINT64_MAX);
	ObjectTarget t = eh_pointer(&f->o, section, &b, encoding, (ObjectPlace){1, 4});
	*failed = b.failed;
	return t;
}

/* An image with code at 0x1000, pointers at 0x2000, a variable that holds 0x1004 at 0x3000, a global offset table at 0x4000. */
static void image(Fixture *f, const void *pointers, size_t size)
{
	static const char code[32], variable[8] = {0x04, 0x10}, got[8];
	fixture_open(f, true);
	fixture_section(f, ".text", 0x1000, code, sizeof code);
	fixture_section(f, ".eh_frame", 0x2000, pointers, size);
	fixture_section(f, ".data", 0x3000, variable, sizeof variable);
	fixture_section(f, ".got", 0x4000, got, sizeof got);
	fixture_symbol(f, "here", 1, 4, 8);
	object_index(&f->o);
}

static void expect_here(const void *pointer, size_t size, unsigned encoding)
{
	Fixture f;
	const char *failed;
	image(&f, pointer, size);
	ObjectTarget t = read_pointer(&f, 2, 0, encoding, &failed);
	if (!EXPECT(!failed && t.place.section == 1 && t.place.offset == 4 && t.symbol == 0))
		printf("  encoding 0x%x: %s\n", encoding, failed ? failed : "another place");
	fixture_close(&f);
}

TEST(each_encoding_of_a_pointer_of_an_image)
{
	expect_here("\x04\x10\0\0\0\0\0\0", 8, EH_PE_ABSPTR);
	expect_here("\x04\x10\0\0\0\0\0\0", 8, EH_PE_UDATA8);
	expect_here("\x04\x10\0\0\0\0\0\0", 8, EH_PE_SDATA8);
	expect_here("\x04\x10\0\0", 4, EH_PE_UDATA4);
	expect_here("\x04\x10\0\0", 4, EH_PE_SDATA4);
	expect_here("\x04\x10", 2, EH_PE_UDATA2);
	expect_here("\x84\x20", 2, EH_PE_ULEB128);
	expect_here("\x04\x10\0\0\0\0\0\0", 8, EH_PE_ALIGNED);
	expect_here("\x04\xf0\xff\xff", 4, EH_PE_PCREL | EH_PE_SDATA4);
	expect_here("\x04\xf0", 2, EH_PE_PCREL | EH_PE_SDATA2);
	expect_here("\x84\x60", 2, EH_PE_PCREL | EH_PE_SLEB128);
	expect_here("\x04\xd0\xff\xff\xff\xff\xff\xff", 8, EH_PE_DATAREL | EH_PE_SDATA8);
	expect_here("\x04\0\0\0", 4, EH_PE_TEXTREL | EH_PE_UDATA4);
	expect_here("\x00\x10\0\0", 4, EH_PE_PCREL | EH_PE_SDATA4 | EH_PE_INDIRECT);
}

TEST(a_pointer_of_an_image_that_counts_from_the_function)
{
	Fixture f;
	const char *failed;
	image(&f, "\x08\0\0\0", 4);
	ObjectTarget t = read_pointer(&f, 2, 0, EH_PE_FUNCREL | EH_PE_UDATA4, &failed);
	EXPECT(!failed && t.place.section == 1 && t.place.offset == 12);
	fixture_close(&f);
}

TEST(pointers_that_are_none)
{
	Fixture f;
	const char *failed;
	image(&f, "\0\0\0\0\0\0\0\x01", 8);
	EXPECT(read_pointer(&f, 2, 0, EH_PE_OMIT, &failed).is_null && !failed);
	EXPECT(read_pointer(&f, 2, 0, EH_PE_PCREL | EH_PE_SDATA4 | EH_PE_INDIRECT, &failed).is_null &&
	       !failed);
	ObjectTarget t = read_pointer(&f, 2, 0, EH_PE_ABSPTR, &failed);
	EXPECT(!failed && !t.is_null && t.place.section == OBJECT_NONE);
	read_pointer(&f, 2, 5, EH_PE_UDATA4, &failed);
	EXPECT_STR(failed, "table is cut off");
	read_pointer(&f, 2, 0, 0x05, &failed);
	EXPECT_STR(failed, "unknown pointer encoding");
	read_pointer(&f, 2, 0, 0x60, &failed);
	EXPECT_STR(failed, "unknown pointer encoding");
	fixture_close(&f);
}

TEST(an_aligned_pointer_stands_at_a_multiple_of_its_size)
{
	Fixture f;
	image(&f, "\x7f\x7f\x7f\0\0\0\0\0\x04\x10\0\0\0\0\0\0", 16);
	Bytes b = bytes_of(f.sections[2].bytes, 3, UINT64_MAX);
	ObjectTarget t = eh_pointer(&f.o, 2, &b, EH_PE_ALIGNED, nowhere);
	EXPECT(t.place.section == 1 && t.place.offset == 4 && b.at == 16);
	fixture_close(&f);
}

/* Records */

typedef struct Seen {
	uint32_t n;
	EhFde last;
	uint64_t begins[8];
} Seen;

static void see(void *user, const EhFde *fde)
{
	Seen *s = user;
	s->begins[s->n++ & 7] = fde->begin.offset;
	s->last = *fde;
}

static void read_frames(Fixture *f, Seen *s, uint64_t most)
{
	*s = (Seen){0};
	eh_frame_read(&f->o, (ObjectPlace){2, 0}, most, see, s);
}

#define CIE_ZR                                                                                               \
	"\x10\0\0\0"                                                                                         \
	"\0\0\0\0"                                                                                           \
	"\x01"                                                                                               \
	"zR\0"                                                                                               \
	"\x01"                                                                                               \
	"\x78"                                                                                               \
	"\x10"                                                                                               \
	"\x01\x03"                                                                                           \
	"\0\0\0"
#define FDE(back, begin)                                                                                     \
	"\x10\0\0\0" back "\0\0\0" begin "\0\0\0"                                                            \
	"\x08\0\0\0"                                                                                         \
	"\0"                                                                                                 \
	"\0\0\0"
#define ZERO "\0\0\0\0"

static void frames_of(Fixture *f, Seen *s, const char *bytes, size_t size, uint64_t most)
{
	static const char code[32];
	fixture_open(f, true);
	fixture_section(f, ".text", 0x10, code, sizeof code);
	fixture_section(f, ".eh_frame", 0x2000, bytes, size);
	object_index(&f->o);
	read_frames(f, s, most);
}

TEST(a_zero_length_ends_a_segment_but_not_a_section)
{
	static const char bytes[] = CIE_ZR FDE("\x18", "\x10") ZERO FDE("\x30", "\x18");
	Fixture f;
	Seen s;
	frames_of(&f, &s, bytes, sizeof bytes - 1, UINT64_MAX);
	EXPECT_EQ(s.n, 2);
	EXPECT(s.begins[0] == 0 && s.begins[1] == 8 && s.last.size == 8);
	EXPECT_STR(f.said, "");
	read_frames(&f, &s, 100);
	EXPECT_EQ(s.n, 1);
	fixture_close(&f);
}

TEST(no_more_fdes_are_read_than_a_segment_has)
{
	static const char bytes[] =
	    CIE_ZR FDE("\x18", "\x10") FDE("\x2c", "\x18") "garbage that is no record";
	Fixture f;
	Seen s;
	frames_of(&f, &s, bytes, sizeof bytes - 1, 2);
	EXPECT_EQ(s.n, 2);
	EXPECT_STR(f.said, "");
	fixture_close(&f);
}

TEST(a_length_of_64_bits)
{
	static const char bytes[] = "\xff\xff\xff\xff\x10\0\0\0\0\0\0\0"
	                            "\0\0\0\0"
	                            "\x01"
	                            "zR\0"
	                            "\x01"
	                            "\x78"
	                            "\x10"
	                            "\x01\x03"
	                            "\0\0\0"
	                            "\xff\xff\xff\xff\x10\0\0\0\0\0\0\0"
	                            "\x28\0\0\0"
	                            "\x10\0\0\0"
	                            "\x08\0\0\0"
	                            "\0"
	                            "\0\0\0";
	Fixture f;
	Seen s;
	frames_of(&f, &s, bytes, sizeof bytes - 1, UINT64_MAX);
	EXPECT_EQ(s.n, 1);
	EXPECT_STR(f.said, "");
	fixture_close(&f);
}

static void expect_said(const char *bytes, size_t size, uint32_t frames, const char *message)
{
	Fixture f;
	Seen s;
	frames_of(&f, &s, bytes, size, UINT64_MAX);
	EXPECT_EQ(s.n, frames);
	EXPECT_CONTAINS(f.said, message);
	fixture_close(&f);
}

TEST(records_that_cannot_be_are_said_with_their_place)
{
	static const char cut[] = CIE_ZR FDE("\x18", "\x10") "\x20\0\0\0\0\0\0\0";
	expect_said(cut, sizeof cut - 1, 1,
	            ".eh_frame+0x28: expected a record of the table, found length 0x20 with 0x4 bytes left");
	static const char no_cie[] = CIE_ZR FDE("\x17", "\x10");
	expect_said(no_cie, sizeof no_cie - 1, 0, ".eh_frame+0x18: FDE belongs to no CIE");
	static const char outside[] = CIE_ZR FDE("\x18", "\x70");
	expect_said(outside, sizeof outside - 1, 0,
	            ".eh_frame+0x1c: FDE covers code outside of all sections");
	static const char version[] = "\x08\0\0\0"
	                              "\0\0\0\0"
	                              "\x02"
	                              "\0\x01\x78";
	expect_said(version, sizeof version - 1, 0,
	            ".eh_frame+0x0: expected a CIE of version 1, 3 or 4, found 2");
	static const char augmentation[] = "\x08\0\0\0"
	                                   "\0\0\0\0"
	                                   "\x01"
	                                   "eh\0";
	expect_said(augmentation, sizeof augmentation - 1, 0,
	            "+0x0: unknown augmentation of a CIE; expected it to begin with 'z'");
	static const char size[] = "\x0c\0\0\0"
	                           "\0\0\0\0"
	                           "\x01"
	                           "zR\0"
	                           "\x01"
	                           "\x78"
	                           "\x10"
	                           "\x7f";
	expect_said(size, sizeof size - 1, 0, "augmentation data are cut off");
}

/* Call frame instructions */

static const char *row(Fixture *f, const CircExplainedFunction *of, uint32_t i, uint64_t offset)
{
	(void)f;
	EXPECT(i < of->nrows && of->rows[i].offset == offset);
	return i < of->nrows ? of->rows[i].rule : "";
}

static void run(Fixture *f, const char *cie, size_t cie_size, const char *fde, size_t fde_size,
                CircExplainedFunction *of)
{
	EhCie c = {.code_alignment = 1, .data_alignment = -8, .return_register = 16, .valid = true};
	fixture_open(f, false);
	c.instructions = bytes_of((Str){cie, cie_size}, 0, cie_size);
	EhFde frame = {.cie = &c, .at = {0, 0}, .begin = {0, 0}, .size = 0x100};
	frame.instructions = bytes_of((Str){fde, fde_size}, 0, fde_size);
	*of = (CircExplainedFunction){0};
	cfa_rows(cfa_open(f->e, &f->o), &frame, of);
}

#define RUN(fde) run(&f, "\x0c\x07\x08\x90\x01", 5, fde, sizeof(fde) - 1, &of)

TEST(rows_of_a_frame)
{
	Fixture f;
	CircExplainedFunction of;
	RUN("\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x20\x0a\xc6\x0c\x07\x08\x03\x00\x01\x0b\x04\x00\x00\x01\x00"
	    "\x08\x03\x2e\x10");
	EXPECT_EQ(of.nrows, 6);
	EXPECT_STR(row(&f, &of, 0, 0), "cfa=rsp+8 ra=[cfa-8]");
	EXPECT_STR(row(&f, &of, 1, 1), "cfa=rsp+16 rbp=[cfa-16] ra=[cfa-8]");
	EXPECT_STR(row(&f, &of, 2, 4), "cfa=rbp+16 rbp=[cfa-16] ra=[cfa-8]");
	EXPECT_STR(row(&f, &of, 3, 0x24), "cfa=rsp+8 ra=[cfa-8]");
	EXPECT_STR(row(&f, &of, 4, 0x124), "cfa=rbp+16 rbp=[cfa-16] ra=[cfa-8]");
	EXPECT_STR(row(&f, &of, 5, 0x10124), "cfa=rbp+16 rbx=same rbp=[cfa-16] ra=[cfa-8] args=16");
	EXPECT_STR(f.said, "");
	fixture_close(&f);
}

/* DWARF for the Arm 64-bit Architecture: 0x2d turns "is signed" over, and states that are remembered have it. */
static void expect_signed(bool key_b, const char *expected)
{
	static const char instructions[] =
	    "\x41\x2d\x41\x0a\x0e\x10\x9e\x02\x9d\x01\x05\x48\x03\x41\x2d\x41\x0b";
	Fixture f;
	CircExplainedFunction of = {0};
	EhCie cie = {.code_alignment = 4, .data_alignment = -8, .return_register = 30, .key_b = key_b};
	fixture_open(&f, false);
	f.o.machine = OBJECT_AARCH64;
	cie.instructions = bytes_of(STR("\x0c\x1f\x00"), 0, 3);
	EhFde fde = {.cie = &cie, .size = 0x100};
	fde.instructions = bytes_of((Str){instructions, sizeof instructions - 1}, 0, sizeof instructions - 1);
	cfa_rows(cfa_open(f.e, &f.o), &fde, &of);
	EXPECT_EQ(of.nrows, 5);
	EXPECT_STR(row(&f, &of, 0, 0), "cfa=sp");
	EXPECT_STR(row(&f, &of, 1, 4), expected);
	EXPECT_STR(row(&f, &of, 3, 12), "cfa=sp+16 x29=[cfa-8] ra=[cfa-16] v8=[cfa-24]");
	EXPECT_STR(row(&f, &of, 4, 16), expected);
	EXPECT_STR(f.said, "");
	fixture_close(&f);
}

TEST(rows_of_aarch64)
{
	expect_signed(false, "cfa=sp ra-is-signed");
	expect_signed(true, "cfa=sp ra-is-signed-with-b");
}

TEST(each_kind_of_rule)
{
	Fixture f;
	CircExplainedFunction of;
	RUN("\x0f\x02\x77\x08\x10\x03\x02\x76\x78\x16\x00\x01\x30\x14\x0c\x02\x15\x0d\x02\x11\x0e\x7f\x09\x0f"
	    "\x01\x07\x10\x2f\x11\x02\x05\x08\x03");
	EXPECT_STR(row(&f, &of, 0, 0),
	           "cfa=expr(77 08) rax=expr(30) rbx=[expr(76 78)] r8=[cfa-24] r12=cfa-16 r13=cfa-16 "
	           "r14=[cfa+8] r15=rdx ra=undefined xmm0=[cfa+16]");
	EXPECT_STR(f.said, "");
	fixture_close(&f);
	RUN("\x12\x06\x7e\x13\x7d\x06\x10");
	EXPECT_STR(row(&f, &of, 0, 0), "cfa=rbp+24 ra=[cfa-8]");
	fixture_close(&f);
}

TEST(call_frame_instructions_that_cannot_be_are_said)
{
	Fixture f;
	CircExplainedFunction of;
	RUN("\x0b");
	EXPECT_CONTAINS(f.said, "+0x0: call frame instruction restores a state that was never remembered");
	EXPECT_STR(row(&f, &of, 0, 0), "cfa=rsp+8 ra=[cfa-8]");
	fixture_close(&f);
	RUN("\x00\x3f");
	EXPECT_CONTAINS(f.said, "+0x1: unknown call frame instruction");
	fixture_close(&f);
	RUN("\x07\x80\x01");
	EXPECT_CONTAINS(f.said, "call frame instruction names a register above 127");
	fixture_close(&f);
	RUN("\x0f\x05\x77");
	EXPECT_CONTAINS(f.said, "table is cut off");
	fixture_close(&f);
	char deep[65];
	memset(deep, 0x0a, sizeof deep);
	run(&f, "", 0, deep, sizeof deep, &of);
	EXPECT_CONTAINS(f.said, "+0x40: call frame instructions remember more than 64 states");
	fixture_close(&f);
	char nops[1001] = {0};
	run(&f, nops, sizeof nops, "", 0, &of);
	EXPECT_CONTAINS(f.said, "CIE has more than 1000 call frame instructions");
	fixture_close(&f);
}
