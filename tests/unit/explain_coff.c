/* COFF objects and PE images made by hand: what is refused, and where each table ends. */
#include "test.h"

#include "explain/explain.h"

#include <stdlib.h>

enum { SECTION = 0x400, ROOM = 0x1000, RVA = 0x1000, BASE = 0x40000000 };

static uint8_t bytes[1 << 16];
static size_t nbytes;
static char messages[4096];

static void hear(const CircDiagnostic *d, void *user)
{
	(void)user;
	size_t len = strlen(messages);
	snprintf(messages + len, sizeof messages - len, "%s\n", d->message);
}

static void put(size_t at, unsigned size, uint64_t value)
{
	for (unsigned i = 0; i < size; i++)
		bytes[at + i] = (uint8_t)(value >> 8 * i);
	if (nbytes < at + size)
		nbytes = at + size;
}

/* NULL: refused. */
static CircExplanation *explain(void)
{
	Diags d;
	messages[0] = '\0';
	diag_init(&d, hear, NULL);
	CircExplanation *e = explanation_create();
	/* A copy that ends where the file does, for what watches memory. */
	char *copy = malloc(nbytes + !nbytes);
	memcpy(copy, bytes, nbytes);
	bool read =
	    explain_object(e, (Str){copy, nbytes}, &(CircExplainOptions){.name = "x", .rows = true}, &d);
	free(copy);
	if (read) {
		explanation_finish(e, NULL);
		return e;
	}
	explanation_destroy(e);
	return NULL;
}

static void begin(void)
{
	memset(bytes, 0, sizeof bytes);
	nbytes = 0;
}

static void expect_refused(const char *why)
{
	CircExplanation *e = explain();
	EXPECT(e == NULL);
	EXPECT_CONTAINS(messages, why);
	explanation_destroy(e);
}

static void begin_object(unsigned machine, unsigned nsections, uint32_t symbols, uint32_t nsymbols)
{
	begin();
	put(0, 2, machine);
	put(2, 2, nsections);
	put(8, 4, symbols);
	put(12, 4, nsymbols);
	put(16, 4, 0);
}

TEST(what_is_no_object_is_refused)
{
	begin_object(0x14c, 0, 0, 0);
	expect_refused("32-bit x86");
	begin_object(0x8664, 0, 0, 0);
	nbytes = 12;
	expect_refused("truncated: expected the header to end at offset 0x14, found 12 bytes");
	begin_object(0x8664, 3, 0, 0);
	expect_refused("truncated: expected the section table");
	begin_object(0xa641, 0, 0, 0);
	expect_refused("is COFF of ARM64EC; expected x86_64 or AArch64");
	begin_object(0x1c4, 0, 0, 0);
	expect_refused("is 32-bit ARM COFF");
	begin();
	put(0, 4, 0xffff0000);
	put(4, 4, 0x86640000);
	put(8, 4, 0);
	expect_refused("member of an import library");
	put(4, 2, 1);
	expect_refused("anonymous object");
	put(4, 2, 2);
	expect_refused("truncated: expected the header to end at offset 0x38");
	put(55, 1, 0);
	expect_refused("unknown class");
	begin();
	put(0, 2, 0x5a4d);
	expect_refused("header of MS-DOS");
	put(60, 4, 64);
	expect_refused("signature 'PE'");
	put(64, 4, 0x4542);
	expect_refused("program for MS-DOS");
}

static void add_section(unsigned n, const char *name, uint32_t size, uint32_t at)
{
	size_t header = 20 + 40 * (size_t)n;
	memcpy(bytes + header, name, strlen(name));
	put(header + 16, 4, size);
	put(header + 20, 4, at);
	put(header + 36, 4, 0x40000040);
}

TEST(sections_that_overlap_are_said_and_read)
{
	begin_object(0x8664, 3, 0, 0);
	add_section(0, ".one", 32, 160);
	add_section(1, ".two", 16, 176);
	add_section(2, ".three", 8, 192);
	put(199, 1, 0);
	explanation_destroy(explain());
	EXPECT_CONTAINS(messages, ".two+0x0: section overlaps .one, at offset 0xb0 of the file");
	EXPECT(!strstr(messages, ".three+"));
	add_section(1, ".two", 168, 32);
	explanation_destroy(explain());
	EXPECT_CONTAINS(messages,
	                ".three+0x0: sections overlap in the file; this one, at offset 0xc0, is not read");
}

/* An image of one section, which everything is in; `pdata` entries at its begin. */
static void begin_image(uint32_t pdata)
{
	begin();
	put(0, 2, 0x5a4d);
	put(60, 4, 64);
	put(64, 4, 0x4550);
	put(68, 2, 0x8664);
	put(70, 2, 1);
	put(84, 2, 240);
	size_t optional = 88;
	put(optional, 2, 0x20b);
	put(optional + 24, 8, BASE);
	put(optional + 108, 4, 16);
	put(optional + 112 + 3 * 8, 4, RVA);
	put(optional + 112 + 3 * 8 + 4, 4, 12 * pdata);
	size_t section = optional + 240;
	memcpy(bytes + section, ".all", 4);
	put(section + 8, 4, ROOM);
	put(section + 12, 4, RVA);
	put(section + 16, 4, ROOM);
	put(section + 20, 4, SECTION);
	put(section + 36, 4, 0x60000020);
	put(SECTION + ROOM - 1, 1, 0);
}

static void word(uint32_t offset, uint32_t value)
{
	put(SECTION + offset, 4, value);
}

static void entry(unsigned n, uint32_t at, uint32_t end, uint32_t info)
{
	word(12 * n, RVA + at);
	word(12 * n + 4, RVA + end);
	word(12 * n + 8, RVA + info);
}

TEST(a_32_bit_image_is_refused)
{
	begin_image(0);
	put(88, 2, 0x10b);
	expect_refused("32-bit image (PE32)");
	put(88, 2, 0x107);
	expect_refused("expected an optional header of PE32+");
}

/* Code at 0x800, unwind information at 0x100. */
static const char *rules_of(uint32_t head, unsigned ncodes, const uint16_t *codes)
{
	static char text[512];
	begin_image(1);
	entry(0, 0x800, 0x840, 0x100);
	word(0x100, head | ncodes << 16);
	for (unsigned i = 0; i < ncodes; i++)
		put(SECTION + 0x104 + 2 * i, 2, codes[i]);
	CircExplanation *e = explain();
	text[0] = '\0';
	if (!EXPECT(e && circ_explanation_nfunctions(e) == 1))
		return text;
	const CircExplainedFunction *f = circ_explanation_function(e, 0);
	for (size_t i = 0; i < f->nrows; i++) {
		size_t len = strlen(text);
		snprintf(text + len, sizeof text - len, "%s%llu %s", i ? "; " : "",
		         (unsigned long long)f->rows[i].offset, f->rows[i].rule);
	}
	explanation_destroy(e);
	return text;
}

TEST(unwind_codes_in_words)
{
	uint16_t codes[] = {0xa00a | 0x0a00, 0x6809, 3, /* save xmm6 */
	                    0x3408,          4,         /* save rbx */
	                    0x0307,          0x1106, 0x1000, 1, 0x0105, 20, 0x4204, 0x5002};
	EXPECT_STR(
	    rules_of(0x35000001, ARRAY_LEN(codes) - 1, codes + 1),
	    "2 push rbp; 4 alloc 40; 5 alloc 160; 6 alloc 69632; 7 frame rbp=rsp+48; 8 save rbx at 32; "
	    "9 save xmm6 at 48");
	EXPECT_STR(messages, "");
	uint16_t machine[] = {0x1a00};
	EXPECT_STR(rules_of(1, 1, machine), "0 machine frame with error code");
	uint16_t epilogs[] = {0x1605, 0x0620, 0x0600, 0x5001};
	EXPECT_STR(rules_of(2, 4, epilogs), "1 push rbp; 32 epilog of 5 bytes; 59 epilog of 5 bytes");
	EXPECT_STR(messages, "");
}

TEST(unwind_codes_that_are_wrong)
{
	uint16_t far_push[] = {0x5001, 0x1106}; /* needs two more */
	EXPECT_STR(rules_of(1, 2, far_push), "1 push rbp");
	EXPECT_CONTAINS(messages, ".all+0x106: expected an unwind code, found operation 1 with operand 1");
	uint16_t none[] = {0x0c01};
	EXPECT_STR(rules_of(1, 1, none), "");
	EXPECT_CONTAINS(messages, ".all+0x104: expected an unwind code, found operation 12");
	uint16_t early_epilog[] = {0x1605};
	EXPECT_STR(rules_of(1, 1, early_epilog), "");
	EXPECT_CONTAINS(messages, "operation 6");
	rules_of(3, 0, NULL);
	EXPECT_CONTAINS(messages,
	                ".all+0x100: expected unwind information of version 1 or 2, found version 3");
	rules_of(1 | 5 << 3, 0, NULL);
	EXPECT_CONTAINS(messages, "expected flags for handlers or for a chain, found 0x5");
}

static void expect_warning(const char *text)
{
	CircExplanation *e = explain();
	if (EXPECT(e != NULL))
		EXPECT_CONTAINS(messages, text);
	explanation_destroy(e);
}

/* The end of the section is no place in it, and an empty function begins where the next does. */
TEST(functions_that_are_last_or_empty)
{
	begin_image(3);
	entry(0, ROOM - 16, ROOM, 0x100);
	entry(1, ROOM - 16, ROOM - 16, 0x100);
	entry(2, ROOM, ROOM, 0x100);
	word(0x100, 1);
	CircExplanation *e = explain();
	EXPECT_CONTAINS(messages, ".all+0x18: expected the begin and end of a function in one section");
	if (EXPECT(e && circ_explanation_nfunctions(e) == 2)) {
		EXPECT_EQ(circ_explanation_function(e, 0)->size, 0);
		EXPECT_EQ(circ_explanation_function(e, 1)->size, 16);
		EXPECT_EQ(circ_explanation_function(e, 1)->address, BASE + RVA + ROOM - 16);
	}
	explanation_destroy(e);
}

TEST(entries_that_are_wrong)
{
	begin_image(2);
	entry(0, 0x840, 0x83f, 0x100);
	entry(1, 0x800, ROOM + 8, 0x100);
	expect_warning(".all+0x0: expected the begin and end of a function in one section");
	EXPECT_CONTAINS(messages, ".all+0xc: expected the begin and end of a function in one section");
	begin_image(1);
	entry(0, 0x800, 0x840, ROOM);
	expect_warning(".all+0x8: expected the address of unwind information");
	begin_image(1);
	entry(0, 0x800, 0x840, ROOM - 2);
	expect_warning("expected unwind information, found the end of the section");
	begin_image(1);
	entry(0, 0x800, 0x840, ROOM - 4);
	word(ROOM - 4, 1 | 7 << 16);
	expect_warning("expected 7 unwind codes, found the end of the section");
	begin_image(1);
	put(88 + 112 + 3 * 8, 4, 0x9000);
	expect_warning("expected the exception directory in a section");
	begin_image(1);
	put(88 + 112 + 3 * 8 + 4, 4, 7);
	expect_warning("expected entries of 12 bytes, found 7 bytes after the last");
}

/* AArch64: code at 0x800; entries of 8 bytes, the first with its record at 0x100. */
static void arm64_image(unsigned n, const uint32_t *record, size_t nwords)
{
	begin_image(0);
	put(68, 2, 0xaa64);
	put(88 + 112 + 3 * 8 + 4, 4, 8 * n);
	word(0, RVA + 0x800);
	word(4, RVA + 0x100);
	for (size_t i = 0; i < nwords; i++)
		word(0x100 + 4 * (uint32_t)i, record[i]);
}

static void expect_arm64(const char *rows)
{
	char text[512] = "";
	CircExplanation *e = explain();
	if (!EXPECT(e && circ_explanation_nfunctions(e) == 1))
		return;
	const CircExplainedFunction *f = circ_explanation_function(e, 0);
	for (size_t i = 0; i < f->nrows; i++) {
		size_t len = strlen(text);
		snprintf(text + len, sizeof text - len, "%s%llu %s", i ? "; " : "",
		         (unsigned long long)f->rows[i].offset, f->rows[i].rule);
	}
	EXPECT_STR(text, rows);
	explanation_destroy(e);
}

TEST(unwind_data_of_aarch64)
{
	/* Codes: save_fplr 16, alloc_s 64, end. One epilog that ends the function, of the same codes. */
	const uint32_t last_epilog[] = {16 | 1 << 21 | 1 << 27, 0xe40442};
	arm64_image(1, last_epilog, 2);
	expect_arm64("4 alloc 64; 8 save x29 x30 at 16; "
	             "52 epilog of 12 bytes undoes save x29 x30 at 16; alloc 64");
	EXPECT_STR(messages, "");
	/* By a header of two words: an epilog at 8, its codes from index 1 on. */
	const uint32_t extended[] = {16, 1 | 1 << 16, 2 | 1 << 22, 0xe40442};
	arm64_image(1, extended, 4);
	expect_arm64("4 alloc 64; 8 save x29 x30 at 16; 8 epilog of 8 bytes undoes alloc 64");
	EXPECT_STR(messages, "");
	/* save_regp x21, end_c, save_r19r20_x 32, end: the last ran in another part of the function, and the epilog has no return. */
	const uint32_t part[] = {16 | 1 << 21 | 2 << 27, 0x24e582c8, 0xe4};
	arm64_image(1, part, 3);
	expect_arm64("0 alloc 32, save x19 x20 at 0; 4 save x21 x22 at 16; "
	             "60 epilog of 4 bytes undoes save x21 x22 at 16");
	EXPECT_STR(messages, "");
	arm64_image(1, NULL, 0);
	word(4, 1 | 16 << 2 | 2 << 16 | 2U << 23);
	expect_arm64("4 alloc 16, save x19 x20 at 0; 8 alloc 16; "
	             "52 epilog of 12 bytes undoes alloc 16; alloc 16, save x19 x20 at 0");
	EXPECT_STR(messages, "");
}

TEST(unwind_data_of_aarch64_that_is_wrong)
{
	const uint32_t good[] = {16 | 1 << 27, 0xe40442};
	arm64_image(1, good, 2);
	word(4, 3 | 16 << 2);
	expect_warning(".all+0x4: expected packed unwind data or an address, found the flag 3");
	word(4, RVA + ROOM + 4);
	expect_warning(".all+0x4: expected the address of unwind information, found none");
	word(4, 1 | 0x7ff << 2);
	expect_warning(".all+0x0: expected a function of 2047 instructions in a section, found its end");
	word(4, 2);
	expect_warning(".all+0x0: expected a function of 0 instructions in a section");
	word(4, 1 | 16 << 2 | 4 << 16 | 1U << 23);
	expect_warning(".all+0x0: expected a frame of 32 bytes or more for 4 registers, found 16 bytes");
	word(4, 1 | 16 << 2 | 11 << 16 | 100U << 23);
	expect_warning("for 11 registers");
	put(88 + 112 + 3 * 8 + 4, 4, 12);
	expect_warning("expected entries of 8 bytes, found 4 bytes after the last");
	arm64_image(1, good, 2);
	word(0x100, good[0] | 1 << 18);
	expect_warning(".all+0x100: expected unwind information of version 0, found version 1");
	word(0x100, good[0] | 1 << 20);
	expect_warning(".all+0x100: expected a handler after 4 bytes of unwind codes, found none");
	word(0x100, good[0] | 2 << 22);
	expect_warning(".all+0x110: expected unwind codes to end with 0xe4, found the end of their 4 bytes");
	arm64_image(1, good, 2);
	word(0x104, 0xe3e3e3e3);
	expect_warning(".all+0x108: expected unwind codes to end with 0xe4");
	word(0x104, 0xe3e3ffe3);
	expect_warning(".all+0x105: expected an unwind code, found 0xff");
	word(0x104, 0xe0e3e3e3);
	expect_warning(".all+0x107: expected an unwind code, found 0xe0");
	word(0x104, 0xe480e7e3);
	expect_warning(".all+0x105: expected an unwind code, found 0xe780e4");
	const uint32_t epilog[] = {16 | 1 << 22 | 1 << 27, 14, 0xe40442};
	arm64_image(1, epilog, 3);
	expect_warning(".all+0x104: expected an epilog of 12 bytes in its function, found another place");
	arm64_image(1, NULL, 0);
	word(4, RVA + ROOM - 4);
	word(ROOM - 4, 16);
	expect_warning("expected 0 epilogs and 0 bytes of unwind codes, found the end of the section");
}

TEST(a_chain_in_a_circle_ends)
{
	begin_image(1);
	entry(0, 0x800, 0x840, 0x100);
	word(0x100, 1 | 4 << 3);
	word(0x104, RVA + 0x800);
	word(0x108, RVA + 0x840);
	word(0x10c, RVA + 0x100);
	expect_warning(".all+0x100: expected a chain of at most 32, found a longer one");
}

/* A function at 0x800 with the tables of C++ at 0x200; funclets at 0x900 and 0x940.
 *
 *   state 0  cleanup 0x900     state 1  a try, handler 0x940     state 2  of the handler */
static void cxx_image(void)
{
	begin_image(3);
	entry(0, 0x800, 0x840, 0x100);
	entry(1, 0x900, 0x910, 0x120);
	entry(2, 0x940, 0x960, 0x100);
	word(0x100, 1 | 3 << 3);
	word(0x104, RVA + 0xa00); /* a handler that has no name */
	word(0x108, RVA + 0x200);
	word(0x120, 1);
	uint32_t info[] = {0x19930522, 3, RVA + 0x240, 1, RVA + 0x280, 4, RVA + 0x2c0, 32, 0, 1};
	uint32_t states[] = {UINT32_MAX, RVA + 0x900, 0, 0, 0, 0};
	uint32_t tries[] = {1, 1, 2, 1, RVA + 0x300};
	uint32_t handler[] = {9, RVA + 0x400, 24, RVA + 0x940, 56};
	uint32_t ips[] = {RVA + 0x800, UINT32_MAX, RVA + 0x810, 1, RVA + 0x820, 0, RVA + 0x940, 2};
	memcpy(bytes + SECTION + 0x200, info, sizeof info);
	memcpy(bytes + SECTION + 0x240, states, sizeof states);
	memcpy(bytes + SECTION + 0x280, tries, sizeof tries);
	memcpy(bytes + SECTION + 0x2c0, ips, sizeof ips);
	memcpy(bytes + SECTION + 0x300, handler, sizeof handler);
	memcpy(bytes + SECTION + 0x410, ".?AUError@@", 12);
}

static char text[4096];

static void write_text(void *user, const char *data, size_t n)
{
	(void)user;
	size_t len = strlen(text);
	snprintf(text + len, sizeof text - len, "%.*s", (int)n, data);
}

/* As C++ writes them: of a pointer they are those of what it points to. */
TEST(qualifiers_stand_before_the_type)
{
	cxx_image();
	CircExplanation *e = explain();
	Sink s = {.write = write_text};
	text[0] = '\0';
	if (EXPECT(e != NULL)) {
		explanation_write_text(e, &s);
		sink_flush(&s);
	}
	EXPECT_CONTAINS(text, "catch const ??_R0?AUError@@@8 & -> 0x40001940\n");
	explanation_destroy(e);
}

TEST(states_and_tries)
{
	cxx_image();
	CircExplanation *e = explain();
	EXPECT_STR(messages, "");
	if (!EXPECT(e && circ_explanation_nfunctions(e) == 3))
		return;
	const CircExplainedFunction *f = circ_explanation_function(e, 0),
	                            *cleanup = circ_explanation_function(e, 1),
	                            *handler = circ_explanation_function(e, 2);
	EXPECT_EQ(f->tables, CIRC_TABLE_CXX);
	EXPECT_EQ(f->table, BASE + RVA + 0x200);
	EXPECT(cleanup->parent == f && handler->parent == f && !f->parent);
	EXPECT_EQ(cleanup->rest, CIRC_END_TERMINATES);
	if (!EXPECT(f->nsites == 2 && handler->nsites == 1))
		return;
	const CircSite *tried = &f->sites[0], *last = &f->sites[1], *in_handler = &handler->sites[0];
	EXPECT_EQ(tried->begin, 0x10);
	EXPECT_EQ(tried->end, 0x20);
	if (EXPECT_EQ(tried->nsteps, 2)) {
		EXPECT_EQ(tried->steps[0].kind, CIRC_STEP_CATCH);
		EXPECT_STR(tried->steps[0].types[0]->symbol, "??_R0?AUError@@@8");
		EXPECT_EQ(tried->steps[0].adjectives, CIRC_CATCH_CONST | CIRC_CATCH_REFERENCE);
		EXPECT_EQ(tried->steps[0].object_offset, 24);
		EXPECT_EQ(tried->steps[0].begin, BASE + RVA + 0x940);
		EXPECT_EQ(tried->steps[0].end, BASE + RVA + 0x960);
		EXPECT_EQ(tried->steps[1].kind, CIRC_STEP_CLEANUP);
		EXPECT_EQ(tried->steps[1].begin, BASE + RVA + 0x900);
	}
	EXPECT_EQ(tried->end_of_path, CIRC_END_LEAVES);
	EXPECT(last->nsteps == 1 && last->steps[0].kind == CIRC_STEP_CLEANUP && last->steps[0].state == 0);
	/* Not the handlers of the try that it belongs to. */
	EXPECT(in_handler->nsteps == 1 && in_handler->steps[0].kind == CIRC_STEP_CLEANUP);
	explanation_destroy(e);
}

TEST(states_and_tries_that_are_wrong)
{
	cxx_image();
	word(0x204, 0x10000000);
	expect_warning(".all+0x208: expected the address of 268435456 states, found room for 440");
	cxx_image();
	word(0x208, 0);
	expect_warning("expected the address of 3 states, found room for 0");
	cxx_image();
	word(0x248, 1);
	expect_warning(".all+0x248: expected state 1 to lead to one before it, found 1");
	cxx_image();
	word(0x284, 7);
	expect_warning(".all+0x280: expected a try in 3 states, found states 1 to 7, handlers to 2");
	cxx_image();
	word(0x28c, 1 << 20);
	expect_warning(".all+0x28c: expected 1048576 handlers, found room for 166");
	cxx_image();
	word(0x214, 1 << 20);
	expect_warning(".all+0x218: expected the address of 1048576 places of code with their states");
	cxx_image();
	word(0x2cc, 3);
	expect_warning(".all+0x2c8: expected a place of code and one of 3 states, found state 3");
	cxx_image();
	word(0x2c8, RVA + ROOM);
	expect_warning("found no place, state 1");
	cxx_image();
	word(0x108, RVA + ROOM - 8);
	word(ROOM - 8, 0x19930522);
	expect_warning("expected 40 bytes of tables, found the end of the section");
	cxx_image();
	word(0x200, 0x19930523);
	expect_warning("circ has no reader for the tables of this handler");
}

/* One function with the scope table at 0x108; its handler has the name by its export. */
static void scope_image(void)
{
	begin_image(2);
	entry(0, 0x800, 0x840, 0x100);
	entry(1, 0x900, 0x910, 0x1f0);
	word(0x100, 1 | 3 << 3);
	word(0x104, RVA + 0xa00);
	word(0x1f0, 1);
	uint32_t table[] = {2,           RVA + 0x810, RVA + 0x818, RVA + 0x900, 0,
	                    RVA + 0x810, RVA + 0x820, 1,           RVA + 0x830};
	memcpy(bytes + SECTION + 0x108, table, sizeof table);
	put(88 + 112, 4, RVA + 0x500);
	put(88 + 116, 4, 0x80);
	word(0x500 + 20, 1);
	word(0x500 + 24, 1);
	word(0x500 + 28, RVA + 0x530);
	word(0x500 + 32, RVA + 0x534);
	word(0x500 + 36, RVA + 0x538);
	word(0x530, RVA + 0xa00);
	word(0x534, RVA + 0x540);
	memcpy(bytes + SECTION + 0x540, "__C_specific_handler", 21);
}

TEST(scopes)
{
	scope_image();
	CircExplanation *e = explain();
	EXPECT_STR(messages, "");
	if (!EXPECT(e && circ_explanation_nfunctions(e) == 2))
		return;
	const CircExplainedFunction *f = circ_explanation_function(e, 0);
	EXPECT_EQ(f->tables, CIRC_TABLE_SCOPE);
	EXPECT_STR(f->personality, "__C_specific_handler");
	EXPECT(circ_explanation_function(e, 1)->parent == f);
	if (EXPECT_EQ(f->nsites, 2)) {
		EXPECT_EQ(f->sites[0].end, 0x18);
		EXPECT(f->sites[0].nsteps == 2 && f->sites[0].steps[0].kind == CIRC_STEP_CLEANUP &&
		       f->sites[0].steps[1].kind == CIRC_STEP_CATCH_ALL);
		EXPECT_EQ(f->sites[0].steps[1].begin, BASE + RVA + 0x830);
		EXPECT_EQ(f->sites[0].end_of_path, CIRC_END_CAUGHT);
		EXPECT_EQ(f->sites[1].nsteps, 1);
	}
	explanation_destroy(e);
}

/* In an image without names. */
TEST(a_scope_table_is_known_by_its_looks)
{
	for (uint32_t wrong = 0; wrong < 4; wrong++) {
		scope_image();
		put(88 + 112, 8, 0);
		if (wrong == 1)
			word(0x108, 1 << 20);
		if (wrong == 2)
			word(0x110, RVA + 0x7ff);
		if (wrong == 3)
			word(0x114, RVA + ROOM);
		CircExplanation *e = explain();
		const CircExplainedFunction *f = circ_explanation_function(e, 0);
		if (EXPECT(f != NULL)) {
			EXPECT_EQ(f->tables, wrong ? CIRC_TABLE_OTHER : CIRC_TABLE_SCOPE);
			EXPECT_EQ(f->nsites, wrong ? 0 : 2);
		}
		if (wrong)
			EXPECT_CONTAINS(messages, "circ has no reader for the tables of this handler");
		else
			EXPECT_STR(messages, "");
		explanation_destroy(e);
	}
}

/* It checks the stack, and has no handlers. */
TEST(a_handler_that_checks_the_stack_is_passed)
{
	scope_image();
	memcpy(bytes + SECTION + 0x540, "__GSHandlerCheck\0", 18);
	CircExplanation *e = explain();
	EXPECT_STR(messages, "");
	const CircExplainedFunction *f = circ_explanation_function(e, 0);
	if (EXPECT(f != NULL)) {
		EXPECT_EQ(f->tables, CIRC_TABLE_NONE);
		EXPECT_STR(f->personality, "__GSHandlerCheck");
	}
	explanation_destroy(e);
}

/* A scope ends at the return address of the last call, which is that of the function, or one behind. */
TEST(a_scope_that_ends_with_its_section)
{
	for (uint32_t behind = 0; behind < 2; behind++) {
		scope_image();
		entry(0, 0x800, ROOM, 0x100);
		word(0x110, RVA + ROOM + behind);
		CircExplanation *e = explain();
		EXPECT_STR(messages, "");
		if (EXPECT(e && circ_explanation_nfunctions(e) == 2)) {
			const CircExplainedFunction *f = circ_explanation_function(e, 0);
			EXPECT(f->nsites && f->sites[f->nsites - 1].end == ROOM - 0x800);
		}
		explanation_destroy(e);
	}
}

TEST(scopes_that_are_wrong)
{
	scope_image();
	word(0x108, 1 << 20);
	expect_warning(".all+0x108: expected 1048576 scopes, found room for 239");
	scope_image();
	word(0x10c, RVA + 0x700);
	expect_warning(".all+0x10c: expected a scope in its function, found another place");
	scope_image();
	word(0x114, 0);
	expect_warning(".all+0x114: expected a handler, found 0");
	scope_image();
	word(0x500 + 24, 1 << 20);
	expect_warning("expected tables of the export directory in a section");
}

/* An object with one section whose relocations are counted in the first of them. */
TEST(more_relocations_than_a_header_can_count)
{
	enum { N = 3, AT = 0x60, SYMBOLS = 0xc0 };
	begin_object(0x8664, 1, SYMBOLS, 1);
	memcpy(bytes + 20, "/4", 2);
	put(20 + 16, 4, 0x20);
	put(20 + 20, 4, 0x40);
	put(20 + 24, 4, AT);
	put(20 + 32, 2, 0xffff);
	put(20 + 36, 4, 0x01000020);
	put(AT, 4, N + 1);
	for (unsigned i = 0; i < N; i++) {
		put(AT + 10 + 10 * i, 4, 8 * (N - i));
		put(AT + 10 + 10 * i + 8, 2, i == 0 ? 4 : 3);
	}
	put(0x40 + 24, 4, 5);
	memcpy(bytes + SYMBOLS, "f", 1);
	put(SYMBOLS + 12, 2, 1);
	put(SYMBOLS + 14, 2, 0x20);
	put(SYMBOLS + 16, 1, 2);
	put(SYMBOLS + 18, 4, 4 + 15);
	memcpy(bytes + SYMBOLS + 22, ".a_longer_name", 15);
	nbytes = SYMBOLS + 18 + 4 + 15;
	Diags d;
	messages[0] = '\0';
	diag_init(&d, hear, NULL);
	CircExplanation *e = explanation_create();
	ObjectFile o;
	if (EXPECT(object_open(&o, (Str){(char *)bytes, nbytes}, "x", &e->arena, &d))) {
		EXPECT_STR(messages, "");
		EXPECT(str_is(o.sections[0].name, ".a_longer_name"));
		EXPECT(str_is(o.symbols[0].name, "f") && o.symbols[0].function && o.symbols[0].global);
		EXPECT_EQ(o.sections[0].nrelocs, N);
		EXPECT_EQ(o.sections[0].relocs[0].offset, 8);
		EXPECT_EQ(o.sections[0].relocs[2].kind, OBJECT_RELOC_RELATIVE);
		EXPECT_EQ(o.sections[0].relocs[2].addend, 5 - 4);
	}
	explanation_destroy(e);
	put(AT, 4, 0x10000);
	CircExplanation *short_of = explain();
	EXPECT_CONTAINS(messages,
	                "expected 65535 relocations at offset 0x6a of the file, found the file's end");
	explanation_destroy(short_of);
}
