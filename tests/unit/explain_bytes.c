#include "test.h"

#include "explain/bytes.h"

static Bytes of(const char *data, size_t size)
{
	return bytes_of((Str){data, size}, 0, size);
}

TEST(numbers_are_little_endian_and_keep_their_sign)
{
	Bytes b = of("\x01\x02\x03\x04\x05\x06\x07\x88\xfe\xff", 10);
	EXPECT_EQ(bytes_uint(&b, 8), (int64_t)0x8807060504030201);
	EXPECT_EQ(bytes_int(&b, 2), -2);
	EXPECT(!b.failed && b.at == 10);
	EXPECT_EQ(bytes_uint(&b, 1), 0);
	EXPECT_STR(b.failed, "table is cut off");
}

TEST(a_failure_stays_and_nothing_is_read_any_more)
{
	Bytes b = of("\x01\x02\x03", 3);
	bytes_uint(&b, 4);
	EXPECT_EQ(bytes_uint(&b, 1), 0);
	EXPECT_EQ(b.at, 0);
	EXPECT_EQ(bytes_left(&b), 0);
}

TEST(leb128)
{
	Bytes b = of("\xe5\x8e\x26\x7f\x80\x7f\x3f\x40", 8);
	EXPECT_EQ(bytes_uleb(&b), 624485);
	EXPECT_EQ(bytes_sleb(&b), -1);
	EXPECT_EQ(bytes_sleb(&b), -128);
	EXPECT_EQ(bytes_sleb(&b), 63);
	EXPECT_EQ(bytes_sleb(&b), -64);
	EXPECT(!b.failed);
}

TEST(leb128_of_ten_bytes_is_the_longest)
{
	Bytes most = of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
	EXPECT_EQ(bytes_uleb(&most), -1);
	EXPECT(!most.failed);
	Bytes endless = of("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 12);
	EXPECT_EQ(bytes_uleb(&endless), 0);
	EXPECT_STR(endless.failed, "LEB128 number does not end within 10 bytes");
	Bytes cut = of("\x80\x80", 2);
	EXPECT_EQ(bytes_sleb(&cut), 0);
	EXPECT_STR(cut.failed, "LEB128 number is cut off");
}

TEST(texts_end_with_nul_within_the_bytes)
{
	Bytes b = of("zR\0x", 4);
	Str text = bytes_text(&b);
	EXPECT_EQ(text.len, 2);
	EXPECT_EQ(b.at, 3);
	EXPECT_EQ(bytes_text(&b).len, 0);
	EXPECT_STR(b.failed, "text is cut off");
}

TEST(a_range_is_clipped_to_what_there_is)
{
	Bytes b = bytes_of((Str){"abc", 3}, 5, 9);
	EXPECT_EQ(b.at, 3);
	EXPECT_EQ(bytes_left(&b), 0);
	bytes_skip(&b, UINT64_MAX);
	EXPECT(b.failed != NULL);
}
