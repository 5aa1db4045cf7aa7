/* The line of source under a message: what is shown, and where the caret stands. */
#include "test.h"

#include "driver/excerpt.c"

static char shown[EXCERPT_MAX];

static size_t excerpt(const char *line, size_t offset)
{
	return excerpt_make(str_of(line), offset, shown);
}

TEST(plain_text_is_shown_as_it_is)
{
	EXPECT_EQ(excerpt("  %0 = cir.const", 7), 7);
	EXPECT_STR(shown, "  %0 = cir.const");
}

TEST(caret_may_stand_behind_the_end)
{
	EXPECT_EQ(excerpt("abc", 3), 3);
	EXPECT_EQ(excerpt("abc", 99), 3);
	EXPECT_EQ(excerpt("", 0), 0);
	EXPECT_STR(shown, "");
}

TEST(tabs_become_blanks)
{
	EXPECT_EQ(excerpt("\tx\ty", 1), 8);
	EXPECT_STR(shown, "        x       y");
	EXPECT_EQ(excerpt("\tx\ty", 3), 16);
}

TEST(utf8_counts_columns)
{
	EXPECT_EQ(excerpt("\"\xC3\xA4\" x", 5), 4);             /* two bytes, one column */
	EXPECT_EQ(excerpt("\xE6\xBC\xA2\xE5\xAD\x97 x", 7), 5); /* three bytes, two columns */
	EXPECT_EQ(excerpt("e\xCC\x81x", 3), 1);                 /* a mark on the letter before */
	EXPECT_EQ(excerpt("\xC3\xA4", 1), 0);                   /* inside a character */
}

TEST(what_a_terminal_would_obey_is_spelled_out)
{
	EXPECT_EQ(excerpt("\033[31mx", 5), 8);
	EXPECT_STR(shown, "<1B>[31mx");
	excerpt("\xC3(\xFF\xED\xA0\x80\xC2\x9B", 0);
	EXPECT_STR(shown, "<C3>(<FF><ED><A0><80><C2><9B>");
	excerpt("x\r", 0);
	EXPECT_STR(shown, "x");
}

TEST(a_nul_byte_does_not_end_the_line)
{
	EXPECT_EQ(excerpt_make((Str){"a\0b", 3}, 2, shown), 5);
	EXPECT_STR(shown, "a<00>b");
}

TEST(long_lines_are_cut_around_the_caret)
{
	static char line[100000];
	memset(line, 'x', sizeof line - 1);
	line[50000] = '!';
	size_t caret = excerpt(line, 50000);
	EXPECT_EQ(shown[caret], '!');
	EXPECT_EQ(strncmp(shown, "...", 3), 0);
	EXPECT_STR(shown + strlen(shown) - 3, "...");
	EXPECT(strlen(shown) <= EXCERPT_COLUMNS + 6);

	caret = excerpt(line, 0);
	EXPECT_EQ(caret, 0);
	EXPECT_EQ(shown[0], 'x');

	caret = excerpt(line, sizeof line - 1);
	EXPECT_EQ(caret, strlen(shown));
}

TEST(long_lines_are_not_cut_inside_a_character)
{
	static char line[3001];
	for (size_t i = 0; i < 3000; i += 3)
		memcpy(line + i, "\xE2\x82\xAC", 3);
	for (size_t at = 1500; at < 1503; at++) {
		excerpt(line, at);
		EXPECT_EQ(strncmp(shown, "...\xE2\x82\xAC", 6), 0);
		EXPECT(strchr(shown, '<') == NULL);
	}
}

TEST(endless_marks_do_not_overrun)
{
	static char line[100001];
	for (size_t i = 0; i < 100000; i += 2)
		memcpy(line + i, "\xCC\x81", 2);
	excerpt(line, 50000);
	EXPECT(strlen(shown) < EXCERPT_MAX);
	memset(line, '\t', 100000);
	excerpt(line, 90);
	EXPECT(strlen(shown) < EXCERPT_MAX);
}
