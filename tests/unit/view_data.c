/* The data of a page: JSON that no text can leave. */
#include "test.h"

#include "view/data.h"

static void expect_string(Str text, const char *json)
{
	Arena arena;
	StrBuf out = {0};
	arena_init(&arena);
	ViewData d = {.mem = &arena, .out = &out, .first = true};
	data_string(&d, text);
	buf_char(&arena, &out, '\0');
	EXPECT_STR(out.data, json);
	arena_free(&arena);
}

TEST(what_ends_a_script_is_escaped)
{
	expect_string(STR("</script><!--&"), "\"\\u003c/script\\u003e\\u003c!--\\u0026\"");
	expect_string(STR("\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA"), "\"\\u2028\\u2029\xE2\x80\xAA\"");
	expect_string(STR("\"\\\n\t\x7F\0x"), "\"\\\"\\\\\\n\\u0009\\u007f\\u0000x\"");
}

TEST(bytes_that_are_not_utf8_are_replaced)
{
	expect_string(STR("a\xFFz"), "\"a\\ufffdz\"");
	expect_string(STR("\xC0\x80"), "\"\\ufffd\\ufffd\"");                       /* overlong */
	expect_string(STR("\xED\xA0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");            /* a surrogate */
	expect_string(STR("\xF4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); /* behind U+10FFFF */
	expect_string(STR("\xE2\x82"), "\"\\ufffd\\ufffd\"");                       /* cut */
	expect_string(STR("\xF0\x9F\x98\x80\xC3\xA9"), "\"\xF0\x9F\x98\x80\xC3\xA9\"");
}

TEST(values_are_separated)
{
	Arena arena;
	StrBuf out = {0};
	arena_init(&arena);
	ViewData d = {.mem = &arena, .out = &out, .first = true};
	data_open(&d, '{');
	data_field_number(&d, "a", 0);
	data_key(&d, "b");
	data_open(&d, '[');
	data_number(&d, UINT64_MAX);
	data_json(&d, STR("{\"c\":\"<\"}"));
	data_close(&d, ']');
	data_field(&d, "e", STR(""));
	data_close(&d, '}');
	buf_char(&arena, &out, '\0');
	EXPECT_STR(out.data, "{\"a\":0,\"b\":[18446744073709551615,{\"c\":\"\\u003c\"}],\"e\":\"\"}");
	arena_free(&arena);
}
