/* text.c: any bytes, read. Each token must lie in the text, and reading either succeeds or says why not. */
#include "fuzz.h"

#include "text/lex.h"
#include "text/parse.h"

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

static void check_reading(Str text)
{
	IrModule *m = ir_module_create();
	Diags d;
	if (!m)
		fuzz_fail("out of memory");
	diag_init(&d, NULL, NULL);
	bool ok = text_parse(m, "fuzz", text, &d);
	if (ok != (d.errors == 0))
		fuzz_fail(ok ? "errors were reported, but the text is accepted" : "no error was reported");
	ir_module_destroy(m);
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
