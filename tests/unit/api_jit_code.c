/* The public interface: an engine that unwinds by itself is told of the code that is linked. */
#include "api_jit.h"

typedef struct Told {
	CircJitCode codes[16];
	size_t n;
} Told;

static void remember(const CircJitCode *code, void *user)
{
	Told *told = user;
	if (told->n < 16)
		told->codes[told->n++] = *code;
}

static const CircJitCode *code_of(const Told *told, const char *symbol)
{
	for (size_t i = 0; i < told->n; i++)
		if (told->codes[i].function->symbol && strcmp(told->codes[i].function->symbol, symbol) == 0)
			return &told->codes[i];
	return NULL;
}

static const void *at(const CircJitCode *code, uint64_t offset)
{
	return (const char *)code->begin + offset;
}

/* The first word of an FDE is its length, the second the distance to its CIE, which begins with its length and 0. */
static void expect_frame_entry(const CircJitCode *code)
{
	uint32_t length, distance, id;
	if (!EXPECT(code->unwind_info != NULL))
		return;
	memcpy(&length, code->unwind_info, 4);
	memcpy(&distance, (const char *)code->unwind_info + 4, 4);
	EXPECT_EQ(code->unwind_info_size, length + 4);
	memcpy(&id, (const char *)code->unwind_info + 4 - distance + 4, 4);
	EXPECT_EQ(id, 0);
}

/* Language-specific data begin with two encodings, the length of the types' table, a third encoding, and the length of the
 * call sites (Itanium C++ ABI: Exception Handling, 7). */
static void expect_table(const CircJitCode *code)
{
	enum { OMIT = 0xff, PCREL = 0x10, ULEB128 = 1 };
	const unsigned char *table = (const unsigned char *)(uintptr_t)code->function->table;
	if (!EXPECT(table != NULL))
		return;
	EXPECT_EQ(table[0], OMIT);
	EXPECT(table[1] & PCREL);
	EXPECT_EQ(table[3], ULEB128);
	EXPECT(table[2] > table[4]);
	EXPECT(table[4] >= 4);
}

static void expect_catch_of_int(const CircJitCode *code)
{
	const CircExplainedFunction *f = code->function;
	size_t caught = 0;
	EXPECT_EQ(f->tables, CIRC_TABLE_LSDA);
	EXPECT_STR(f->personality, "__gxx_personality_v0");
	for (size_t i = 0; i < f->nsites; i++) {
		const CircSite *s = &f->sites[i];
		if (!s->nsteps || s->steps[0].kind != CIRC_STEP_CATCH)
			continue;
		caught++;
		EXPECT_STR(s->steps[0].types[0]->name, "int");
		EXPECT_STR(s->callee, "__cxa_throw");
		EXPECT((uintptr_t)s->steps[0].begin > (uintptr_t)code->begin);
		EXPECT((uintptr_t)s->steps[0].begin < (uintptr_t)code->end);
		EXPECT((uintptr_t)at(code, s->pad) == s->steps[0].begin);
	}
	EXPECT_EQ(caught, 1);
}

TEST(a_function_is_told_of_when_it_is_linked)
{
	Heard h = {.errors = 0};
	Told told = {.n = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	EXPECT(circ_jit_set_code_handler(jit, remember, &told));
	CircJitModule *m = add(jit, throws, &h);
	EXPECT_EQ(told.n, 0);
	Function *thrown = find(jit, "thrown");
	const CircJitCode *code = code_of(&told, "thrown");
	if (EXPECT(code != NULL) && EXPECT(thrown != NULL)) {
		EXPECT(code->module == m);
		EXPECT(code->begin == as_address(thrown));
		EXPECT((uintptr_t)code->end - (uintptr_t)code->begin == code->function->size);
		expect_frame_entry(code);
		expect_table(code);
		expect_catch_of_int(code);
		EXPECT_EQ(thrown(7), 7);
	}
	size_t n = told.n;
	EXPECT(find(jit, "thrown") == thrown);
	EXPECT_EQ(told.n, n); /* once */
	EXPECT(circ_jit_remove_module(jit, m));
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

static const char filters[] =
    "!s32i = !cir.int<s, 32>\n"
    "!void = !cir.void\n"
    "!rec_Record = !cir.record<struct \"Record\" {!s32i}>\n"
    "module attributes {circ.eh.runtime = \"circ\"} {\n"
    "  cir.func private @f()\n"
    "  cir.func @decides() {\n"
    "    cir.try {\n"
    "      cir.call @f() : () -> ()\n"
    "      cir.yield\n"
    "    } catch when (%r: !cir.ptr<!rec_Record>) {\n"
    "      %d = cir.const #cir.int<1> : !s32i\n"
    "      cir.yield %d : !s32i\n"
    "    } do (%t: !cir.eh_token) {\n"
    "      %k, %o = cir.begin_catch %t : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!void>)\n"
    "      cir.end_catch %k : !cir.catch_token\n"
    "      cir.yield\n"
    "    }\n"
    "    cir.return\n"
    "  }\n"
    "}\n";

/* A filter is internal, and no part of its function: it has its own range. */
TEST(a_filter_is_a_function_of_its_own)
{
	Heard h = {.errors = 0};
	Told told = {.n = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	EXPECT(circ_jit_set_code_handler(jit, remember, &told));
	EXPECT(circ_jit_add_symbol(jit, "f", as_address(abs)));
	add(jit, filters, &h);
	EXPECT(circ_jit_lookup(jit, "decides") != NULL);
	const CircJitCode *code = code_of(&told, "decides"), *filter = code_of(&told, "decides.when");
	if (EXPECT(code != NULL) && EXPECT(filter != NULL)) {
		const CircStep *step = NULL;
		for (size_t i = 0; i < code->function->nsites && !step; i++)
			if (code->function->sites[i].nsteps)
				step = code->function->sites[i].steps;
		if (EXPECT(step != NULL)) {
			EXPECT_EQ(step->kind, CIRC_STEP_WHEN);
			EXPECT_STR(step->function, "decides.when");
		}
		EXPECT(filter->begin >= code->end || filter->end <= code->begin);
		expect_frame_entry(filter);
		expect_table(code);
		EXPECT_EQ(filter->function->table, 0);
	}
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

/* One of two equal inline functions counts, and that one is told of. */
TEST(what_gave_way_is_not_told_of)
{
	static const char text[] =
	    "cir.func linkonce_odr comdat @same(%x: !cir.int<s, 32>) -> !cir.int<s, 32> {\n"
	    "  cir.return %x : !cir.int<s, 32>\n}\n"
	    "cir.func @";
	static const char rest[] = "(%x: !cir.int<s, 32>) -> !cir.int<s, 32> {\n"
	                           "  %y = cir.call @same(%x) : (!cir.int<s, 32>) -> !cir.int<s, 32>\n"
	                           "  cir.return %y : !cir.int<s, 32>\n}\n";
	Heard h = {.errors = 0};
	Told told = {.n = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	EXPECT(circ_jit_set_code_handler(jit, remember, &told));
	char a[600], b[600];
	snprintf(a, sizeof a, "%sone%s", text, rest);
	snprintf(b, sizeof b, "%stwo%s", text, rest);
	add(jit, a, &h);
	add(jit, b, &h);
	Function *same = find(jit, "same");
	size_t n = 0;
	for (size_t i = 0; i < told.n; i++)
		n += told.codes[i].begin == as_address(same);
	EXPECT_EQ(n, 1);
	EXPECT_EQ(told.n, 3);
	EXPECT(code_of(&told, "one") && code_of(&told, "two"));
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(nobody_is_told_without_a_handler)
{
	Heard h = {.errors = 0};
	Told told = {.n = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	EXPECT(!circ_jit_set_code_handler(NULL, remember, &told));
	EXPECT(circ_jit_set_code_handler(jit, remember, &told));
	EXPECT(circ_jit_set_code_handler(jit, NULL, NULL));
	add(jit, throws, &h);
	EXPECT(find(jit, "thrown") != NULL);
	EXPECT_EQ(told.n, 0);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}
