/* Every field of an object is read within its bounds: objects of each kind with one byte after the other, and one word after the
 * other, changed to what reaches furthest, and cut off after each byte. Each gives an explanation or a message, within a budget, and
 * reads nothing beyond the end (the copies end where the bytes do, for what watches memory).
 *
 * A field whose bounds are not looked at reaches out of the copy for one of these values: headers and their counts, section tables,
 * symbols, relocations, CIE and FDE, call sites, actions and types of an LSDA, .pdata, unwind codes, AArch64's .xdata, states, tries and
 * handlers of __CxxFrameHandler3, scope tables, line tables. */
#include "test.h"

#include "explain/explain.h"

#include <stdlib.h>

static const char *const objects[] = {
    "circ.elf",          "gcc.elf",          "segments.elf",    "x86_64-dwarf5.elf", "states.coff",
    "scopes.coff",       "library.pe",       "mingw.pe",        "aarch64.elf",       "states-arm64.coff",
    "scopes-arm64.coff", "codes-arm64.coff", "library-arm64.pe"};

static unsigned char original[1 << 16];
static size_t size;

static void read_object(const char *name)
{
	char path[4096];
	const char *source = getenv("CIRC_SOURCE_DIR");
	snprintf(path, sizeof path, "%s/tests/fuzz/inputs/explain/%s", source ? source : ".", name);
	FILE *file = fopen(path, "rb");
	EXPECT(file != NULL);
	size = file ? fread(original, 1, sizeof original, file) : 0;
	EXPECT(size > 0 && size < sizeof original);
	if (file)
		fclose(file);
}

static void count(void *user, const char *data, size_t len)
{
	(void)data;
	*(size_t *)user += len;
}

/* As many functions as the object has; what is written grows with what is read, not with what fields claim. */
static size_t explain(const unsigned char *bytes, size_t n)
{
	Diags d;
	size_t written = 0, nfunctions = 0;
	char *copy = malloc(n + !n);
	memcpy(copy, bytes, n);
	diag_init(&d, NULL, NULL);
	CircExplanation *e = explanation_create();
	bool ok = explain_object(e, (Str){copy, n}, &(CircExplainOptions){.name = "x", .rows = true}, &d);
	free(copy); /* an explanation borrows nothing */
	EXPECT(ok || d.errors > 0);
	if (ok) {
		explanation_finish(e, NULL);
		explanation_write_json(e, &(Sink){.write = count, .user = &written});
		nfunctions = e->functions.len;
	}
	EXPECT(written < 4096 * (size + 4096));
	explanation_destroy(e);
	return nfunctions;
}

/* Under valgrind only some: which ones is another for each object. */
static size_t stride(void)
{
	return getenv("CIRC_VALGRIND") ? 211 : getenv("CIRC_SANITIZED") ? 11 : 5;
}

static void change(size_t at, size_t width, uint64_t value)
{
	unsigned char changed[sizeof original];
	memcpy(changed, original, size);
	for (size_t i = 0; i < width && at + i < size; i++)
		changed[at + i] = (unsigned char)(value >> 8 * i);
	explain(changed, size);
}

TEST(each_byte_and_word_may_be_anything)
{
	static const uint64_t words[] = {0, 1, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};
	for (size_t k = 0; k < ARRAY_LEN(objects); k++) {
		read_object(objects[k]);
		EXPECT(explain(original, size) > 0);
		for (size_t at = k % stride(); at < size; at += stride()) {
			change(at, 1, original[at] ^ 0xff);
			change(at, 1, 0x80); /* a LEB128 that goes on */
		}
		for (size_t at = 4 * (k % stride()); at < size; at += 4 * stride())
			for (size_t i = 0; i < ARRAY_LEN(words); i++)
				change(at, 4, words[i]);
		for (size_t at = 0; at < size; at += 8 * stride())
			change(at, 8, UINT64_MAX);
	}
}

TEST(each_length)
{
	for (size_t k = 0; k < ARRAY_LEN(objects); k++) {
		read_object(objects[k]);
		for (size_t n = k % stride(); n < size; n += stride())
			explain(original, n);
	}
}
