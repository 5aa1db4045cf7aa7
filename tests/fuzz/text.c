/* text.c: any bytes, read. Each token must lie in the text, and reading either succeeds or says why not; what is of the
 * newest grammar is the same when every era is read. */
#include "fuzz.h"

#include "text/parse.h"
#include "text/print/print.h"
#include "text/read/lex.h"
#include "verify/verify.h"

const uint32_t fuzz_byte_mutations = 10;

static void check_tokens(Str text)
{
	Lexer lx;
	const char *end = text.data;
	for (lex_begin(&lx, text); lx.tok.kind != TOK_EOF; lex_next(&lx)) {
		if (lx.tok.at < end || lx.tok.len > (size_t)(text.data + text.len - lx.tok.at) || !lx.tok.len)
			fuzz_fail("a token is empty, or not behind the one before it");
		end = lx.tok.at + lx.tok.len;
	}
}

/* NULL: refused. */
static IrModule *read_as(Str text, Dialect dialect)
{
	IrModule *m = ir_module_create();
	Diags d;
	if (!m)
		fuzz_fail("out of memory");
	diag_init(&d, NULL, NULL);
	bool ok = text_parse_as(m, "fuzz", text, dialect, &d);
	if (ok != (d.errors == 0))
		fuzz_fail(ok ? "errors were reported, but the text is accepted" : "no error was reported");
	if (ok)
		return m;
	ir_module_destroy(m);
	return NULL;
}

/* Only what verifies can be printed. */
static bool print(IrModule *m, Arena *a, StrBuf *out)
{
	Diags d;
	diag_init(&d, NULL, NULL);
	if (!ir_verify(m, ir_module_stage(m), &d))
		return false;
	text_print(m, PRINT_LOCATIONS, a, out);
	return true;
}

static void check_same(IrModule *m, IrModule *newest)
{
	Arena a;
	StrBuf text = {0}, again = {0};
	arena_init(&a);
	bool ok = print(m, &a, &text);
	if (ok != print(newest, &a, &again))
		fuzz_fail("only one reading verifies");
	if (ok && !str_equal((Str){text.data, text.len}, (Str){again.data, again.len}))
		fuzz_fail("what is of the newest grammar is not read as it is when every era is");
	arena_free(&a);
}

static void check_reading(Str text)
{
	IrModule *m = read_as(text, DIALECT_AUTO), *newest = read_as(text, DIALECT_NEWEST);
	if (newest && !m)
		fuzz_fail("only the newest grammar has it");
	if (newest)
		check_same(m, newest);
	ir_module_destroy(m);
	ir_module_destroy(newest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Str text = {(const char *)data, size};
	if (!size) /* libFuzzer's first input; data may be NULL */
		text.data = "";
	check_tokens(text);
	check_reading(text);
	return 0;
}
