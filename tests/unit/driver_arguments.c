/* Files of arguments: how their text is split. tests/cli/response-files.test has the rest. */
#include "test.h"

#include "driver/arguments.c"
#include "driver/excerpt.c"
#include "driver/report.c"
#include "driver/source.c"

static Arena arena;

/* "[a][b]" of the arguments a and b. */
static const char *split(const char *text)
{
	ArgumentList list = {0};
	StrBuf shown = {0};
	arguments_split(str_of(text), &arena, &list);
	for (uint32_t i = 0; i < list.len; i++)
		buf_printf(&arena, &shown, "[%s]", list.data[i]);
	buf_char(&arena, &shown, '\0');
	return shown.data;
}

TEST(blanks_and_ends_of_lines_stand_between_arguments)
{
	arena_init(&arena);
	EXPECT_STR(split(""), "");
	EXPECT_STR(split(" \t\r\n\v\f"), "");
	EXPECT_STR(split("a"), "[a]");
	EXPECT_STR(split(" a\tb\r\nc\vd\fe "), "[a][b][c][d][e]");
	arena_free(&arena);
}

TEST(quotes_keep_blanks_together_and_may_begin_anywhere)
{
	arena_init(&arena);
	EXPECT_STR(split("'a b' \"c d\""), "[a b][c d]");
	EXPECT_STR(split("-DX='a b'c\"d e\"f"), "[-DX=a bcd ef]");
	EXPECT_STR(split("'a\"b' \"c'd\""), "[a\"b][c'd]");
	EXPECT_STR(split("'a\nb'"), "[a\nb]");
	EXPECT_STR(split("'' \"\" x''"), "[][][x]");
	EXPECT_STR(split("'not closed "), "[not closed ]");
	arena_free(&arena);
}

TEST(backslashes_take_the_next_byte_in_quotes_too)
{
	arena_init(&arena);
	EXPECT_STR(split("a\\ b \\' \\\" \\\\ \\n"), "[a b]['][\"][\\][n]");
	EXPECT_STR(split("'a\\'b' \"c\\\"d\""), "[a'b][c\"d]");
	EXPECT_STR(split("\\"), "[\\]");
	arena_free(&arena);
}

/* What is quoted in either way is what comes out, whatever its bytes are. */
TEST(any_bytes_come_back_when_they_are_quoted)
{
	uint32_t state = 1;
	for (int round = 0; round < 2000; round++) {
		StrBuf text = {0}, want = {0};
		arena_init(&arena);
		for (int n = 0; n < 1 + round % 7; n++) {
			bool quoted = n & 1;
			buf_printf(&arena, &want, "[");
			buf_printf(&arena, &text, quoted ? " '" : "\n");
			for (int i = 0; i < 1 + round % 5; i++) {
				state = state * 1664525 + 1013904223;
				char c = (char)(1 + (state >> 24) % 255);
				buf_char(&arena, &want, c);
				if (!quoted || c == '\'' || c == '\\')
					buf_char(&arena, &text, '\\');
				buf_char(&arena, &text, c);
			}
			if (quoted)
				buf_char(&arena, &text, '\'');
			buf_printf(&arena, &want, "]");
		}
		buf_char(&arena, &text, '\0');
		buf_char(&arena, &want, '\0');
		EXPECT_STR(split(text.data), want.data);
		arena_free(&arena);
	}
}
