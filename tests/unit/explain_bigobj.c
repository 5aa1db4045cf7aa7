/* An object with the header of /bigobj (Microsoft's PE format, ANON_OBJECT_HEADER_BIGOBJ) says what the same object says without it. */
#include "test.h"

#include "explain/explain.h"

#include <stdlib.h>

enum {
	HEADER = 20,
	BIG_HEADER = 56,
	SECTION = 40,
	SYMBOL = 18,
	BIG_SYMBOL = 20,
	SECTION_NUMBER = 12,
	ROOM = 1 << 16
};

typedef struct Text {
	char bytes[ROOM];
	size_t n;
} Text;

static unsigned char object[ROOM], big[ROOM];
static Text of_object, of_big;

static uint32_t get(const unsigned char *at, unsigned size)
{
	uint32_t value = 0;
	for (unsigned i = 0; i < size; i++)
		value |= (uint32_t)at[i] << 8 * i;
	return value;
}

static void put(unsigned char *at, unsigned size, uint32_t value)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

static size_t read_object(void)
{
	char path[4096];
	const char *source = getenv("CIRC_SOURCE_DIR");
	snprintf(path, sizeof path, "%s/tests/fuzz/inputs/explain/states.coff", source ? source : ".");
	FILE *file = fopen(path, "rb");
	size_t n = file ? fread(object, 1, sizeof object, file) : 0;
	EXPECT(n > HEADER);
	if (file)
		fclose(file);
	return n;
}

static void put_header(uint32_t nsections, uint32_t symbols, uint32_t nsymbols)
{
	static const char class_id[] = "\xc7\xa1\xba\xd1\xee\xba\xa9\x4b\xaf\x20\xfa\xf6\x6a\xa4\xdc\xb8";
	put(big + 2, 2, 0xffff);
	put(big + 4, 2, 2);
	put(big + 6, 2, get(object, 2));
	memcpy(big + 12, class_id, 16);
	put(big + 44, 4, nsections);
	put(big + 48, 4, symbols);
	put(big + 52, 4, nsymbols);
}

/* Sections keep their data, which stands later by what the header is longer. */
static void shift_section(unsigned char *header)
{
	for (unsigned field = 20; field <= 24; field += 4)
		if (get(header + field, 4))
			put(header + field, 4, get(header + field, 4) + BIG_HEADER - HEADER);
}

static void put_symbol(unsigned char *to, const unsigned char *from, bool is_auxiliary)
{
	memcpy(to, from, SECTION_NUMBER);
	if (is_auxiliary) {
		memcpy(to, from, SYMBOL);
		return;
	}
	uint32_t section = get(from + SECTION_NUMBER, 2);
	put(to + SECTION_NUMBER, 4, section > 0x7fff ? section | 0xffff0000 : section);
	memcpy(to + SECTION_NUMBER + 4, from + SECTION_NUMBER + 2, SYMBOL - SECTION_NUMBER - 2);
}

static size_t make_big(size_t n)
{
	uint32_t nsections = get(object + 2, 2), symbols = get(object + 8, 4), nsymbols = get(object + 12, 4);
	uint32_t more = BIG_HEADER - HEADER, strings = symbols + nsymbols * SYMBOL;
	put_header(nsections, symbols + more, nsymbols);
	memcpy(big + BIG_HEADER, object + HEADER, symbols - HEADER);
	for (uint32_t i = 0; i < nsections; i++)
		shift_section(big + BIG_HEADER + i * SECTION);
	for (uint32_t i = 0, auxiliary = 0; i < nsymbols; i++) {
		const unsigned char *from = object + symbols + i * SYMBOL;
		put_symbol(big + symbols + more + i * BIG_SYMBOL, from, auxiliary > 0);
		auxiliary = auxiliary ? auxiliary - 1 : from[SYMBOL - 1];
	}
	size_t at = symbols + more + nsymbols * BIG_SYMBOL;
	memcpy(big + at, object + strings, n - strings);
	return at + n - strings;
}

static void collect(void *user, const char *data, size_t len)
{
	Text *text = user;
	EXPECT(text->n + len < sizeof text->bytes);
	memcpy(text->bytes + text->n, data, len);
	text->n += len;
}

static void explain(const unsigned char *bytes, size_t n, Text *text)
{
	Diags d;
	diag_init(&d, NULL, NULL);
	CircExplanation *e = explanation_create();
	EXPECT(explain_object(e, (Str){(const char *)bytes, n}, &(CircExplainOptions){.name = "x"}, &d));
	explanation_finish(e, NULL);
	explanation_write_text(e, &(Sink){.write = collect, .user = text});
	explanation_destroy(e);
}

TEST(a_big_object_says_what_the_same_small_one_says)
{
	size_t n = read_object();
	explain(object, n, &of_object);
	explain(big, make_big(n), &of_big);
	EXPECT(of_object.n > 1000);
	EXPECT_CONTAINS(of_big.bytes, "__CxxFrameHandler3");
	EXPECT_STR(of_big.bytes, of_object.bytes);
}
