/* explain.c: any bytes: their tables are explained, with all rows, as text and as JSON, or a message says why not; an exception of
 * their first type is thrown from every call, and from one function on. */
#include "fuzz.h"

#include "explain/explain.h"
#include "explain/throw.h"

const uint32_t fuzz_byte_mutations = 16;

static void count_bytes(void *user, const char *data, size_t len)
{
	(void)data;
	*(size_t *)user += len;
}

static void write_throw(CircExplanation *e, const char *at, Sink *s)
{
	const char *error = NULL;
	const CircThrowPath *path =
	    explanation_throw(e, e->types.len ? e->types.data[0]->name : "int", at, &error);
	if (path)
		explanation_write_throw_json(e, path, s);
	else if (!error)
		fuzz_fail("no path, and no reason");
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
		write_throw(e, NULL, &s);
		if (e->functions.len)
			write_throw(e, e->functions.data[0]->name, &s);
	}
	explanation_destroy(e);
	return 0;
}
