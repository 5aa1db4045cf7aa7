/* explain.c: any bytes: their tables are explained, with all rows, as text and as JSON, or a message says why not. */
#include "fuzz.h"

#include "explain/explain.h"

const uint32_t fuzz_byte_mutations = 16;

static void count_bytes(void *user, const char *data, size_t len)
{
	(void)data;
	*(size_t *)user += len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Diags d;
	size_t written = 0;
	CircExplanation *e = explanation_create();
	if (!e)
		fuzz_fail("out of memory");
	diag_init(&d, NULL, NULL);
	CircExplainOptions options = {.name = "fuzz", .rows = true};
	bool ok = explain_object(e, (Str){(const char *)data, size}, &options, &d);
	if (!ok && !d.errors)
		fuzz_fail("an object was refused without a reason");
	if (ok) {
		explanation_finish(e, NULL);
		Sink s = {.write = count_bytes, .user = &written};
		explanation_write_json(e, &s);
		explanation_write_text(e, &s);
	}
	explanation_destroy(e);
	return 0;
}
