/* Runs of characters: the wide way and the plain way end at the same place, and neither
 * looks behind the text. */
#include "test.h"

#include "text/read/scan.h"

#include <stdlib.h>

typedef const char *Scan(const char *p, const char *end);

static bool is_ident(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '$' || c == '.';
}

static bool is_suffix(unsigned char c)
{
	return is_ident(c) || c == '-';
}

static bool is_space(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\t';
}

static bool is_plain(unsigned char c)
{
	return c != '"' && c != '\\' && c != '\n';
}

static bool is_plain_type(unsigned char c)
{
	return is_plain(c) ? c != '<' && c != '>' && c != '{' && c != '}' && c != '/' && c != '#' : c == '\\';
}

static bool is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

static const struct {
	Scan *scan;
	bool (*in_run)(unsigned char c);
	char filler; /* of runs */
} rows[] = {
    {scan_ident, is_ident, 'Z'},  {scan_suffix, is_suffix, '-'},         {scan_space, is_space, ' '},
    {scan_plain, is_plain, '\0'}, {scan_plain_type, is_plain_type, '!'}, {scan_blanks, is_blank, '\t'},
};

/* A run of `at` fillers, then c, then fillers to the end of a text of `len` bytes, which fills its memory. */
static void check(unsigned row, size_t len, size_t at, unsigned char c)
{
	char *text = malloc(len);
	memset(text, rows[row].filler, len);
	text[at] = (char)c;
	const char *stop = rows[row].scan(text, text + len);
	EXPECT(stop == (rows[row].in_run(c) ? text + len : text + at));
	free(text);
}

TEST(every_character_ends_the_runs_that_it_is_not_in)
{
	for (unsigned row = 0; row < ARRAY_LEN(rows); row++)
		for (unsigned c = 0; c < 256; c++)
			for (size_t at = 0; at < 34; at++) {
				check(row, 34, at, (unsigned char)c);
				check(row, at + 1, at, (unsigned char)c);
			}
}

/* `digits` digits of a number, then c, then more digits to the end of a text of `len` bytes. */
static void check_number(size_t len, size_t digits, unsigned char c)
{
	char *text = malloc(len);
	uint32_t number, expected = 0;
	for (size_t i = 0; i < len; i++)
		text[i] = (char)('0' + (i * 7 + 3) % 10);
	if (digits < len)
		text[digits] = (char)c;
	size_t most = digits < len ? digits : len;
	if (most > 8)
		most = 8;
	for (size_t i = 0; i < most; i++)
		expected = expected * 10 + (uint32_t)(text[i] - '0');
	EXPECT(scan_number(text, text + len, &number) == text + most);
	EXPECT(number == expected);
	free(text);
}

TEST(a_number_ends_where_its_digits_do_and_after_eight)
{
	for (size_t len = 1; len < 20; len++)
		for (size_t digits = 0; digits <= len; digits++)
			for (unsigned c = 0; c < 256; c++)
				if (!is_digit((unsigned char)c))
					check_number(len, digits, (unsigned char)c);
}

/* The first sigil of the text that has blanks alone before it on its line. */
static const char *definition(const char *p, const char *end)
{
	for (const char *line = p; line < end; line++) {
		while (line < end && is_blank((unsigned char)*line))
			line++;
		if (line < end && (*line == '#' || *line == '!'))
			return line;
		while (line < end && *line != '\n')
			line++;
	}
	return end;
}

TEST(a_definition_is_found_at_the_begin_of_any_line)
{
	static const char some[] = "\n#! \tx\n ";
	uint32_t random = 1;
	for (unsigned round = 0; round < 20000; round++) {
		size_t len = round % 200, rare = round % 7;
		char *text = malloc(len + 1);
		for (size_t i = 0; i < len; i++) {
			random = random * 1664525 + 1013904223;
			text[i] = random >> 28 < rare ? ' ' : some[(random >> 16) % (sizeof some - 1)];
		}
		if (rare == 6 && len) /* nothing but blanks, and the sigil behind them */
			memset(text + 1, ' ', len - 1);
		text[len] = '#';
		for (size_t from = 0; from < len && from < 3; from++)
			EXPECT(scan_to_definition(text + from, text + len + 1) ==
			       definition(text + from, text + len + 1));
		free(text);
	}
}

TEST(an_empty_text_is_an_empty_run)
{
	for (unsigned row = 0; row < ARRAY_LEN(rows); row++) {
		const char *nothing = "x";
		EXPECT(rows[row].scan(nothing, nothing) == nothing);
	}
}
