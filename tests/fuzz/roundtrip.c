/* roundtrip.c: what verifies is printed, read again by the newest grammar, verifies, and is printed the same; in
 * the usual and in the generic form. */
#include "fuzz.h"

#include "text/print/print.h"

const uint32_t fuzz_byte_mutations = 4;

static Str print(IrModule *m, unsigned flags, Arena *a)
{
	StrBuf out = {0};
	text_print(m, flags, a, &out);
	return (Str){out.data, out.len};
}

/* Where two texts part, as a line of each. */
static void fail_different(const char *what, Str x, Str y)
{
	size_t i = 0, line = 0;
	while (i < x.len && i < y.len && x.data[i] == y.data[i])
		if (x.data[i++] == '\n')
			line = i;
	int nx = (int)(x.len - line < 200 ? x.len - line : 200),
	    ny = (int)(y.len - line < 200 ? y.len - line : 200);
	fuzz_fail("%s is printed differently:\n%.*s\n--- and ---\n%.*s", what, nx, x.data + line, ny,
	          y.data + line);
}

/* Reads `text`, which was printed of a module, and prints it by `flags`: what must come out is `expected`. */
static void expect_printed(const FuzzModule *of, const char *what, Str text, unsigned flags, Str expected,
                           Arena *a)
{
	FuzzModule f;
	if (!fuzz_read_printed(&f, text))
		fuzz_fail("%s is refused: %s\n%.*s", what, f.message, (int)text.len, text.data);
	if (f.stage != of->stage)
		fuzz_fail("%s is of another stage", what);
	Str again = print(f.m, flags, a);
	if (!str_equal(again, expected))
		fail_different(what, expected, again);
	fuzz_close(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzModule f;
	Arena a;
	if (!size || !fuzz_read(&f, (Str){(const char *)data, size}))
		return 0;
	arena_init(&a);
	unsigned places = size % 2 ? PRINT_LOCATIONS : 0;
	Str usual = print(f.m, places, &a), generic = print(f.m, places | PRINT_GENERIC, &a);
	expect_printed(&f, "the printed text", usual, places, usual, &a);
	expect_printed(&f, "the generic text", generic, places | PRINT_GENERIC, generic, &a);
	expect_printed(&f, "the text read from the generic one", generic, places, usual, &a);
	arena_free(&a);
	fuzz_close(&f);
	return 0;
}
