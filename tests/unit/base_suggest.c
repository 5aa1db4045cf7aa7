/* Which word was probably meant. */
#include "test.h"

#include "base/suggest.c"

static const char *suggest(const char *word)
{
	static const char *const words[] = {"--emit", "--target", "--verify-only", "--version", "-fPIC",
	                                    "-c",     "-O"};
	Suggestion s = suggest_begin(str_of(word));
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		suggest_try(&s, str_of(words[i]));
	return s.best.len ? s.best.data : "none";
}

TEST(slips_of_the_finger)
{
	EXPECT_STR(suggest("--emti"), "--emit");
	EXPECT_STR(suggest("--emitt"), "--emit");
	EXPECT_STR(suggest("--mit"), "--emit");
	EXPECT_STR(suggest("--verison"), "--version");
	EXPECT_STR(suggest("-verify-only"), "--verify-only");
	EXPECT_STR(suggest("-fpic"), "-fPIC");
	EXPECT_STR(suggest("--TAGRET"), "--target");
}

static const char *better(const char *word, const char *first, const char *second)
{
	Suggestion s = suggest_begin(str_of(word));
	suggest_try(&s, str_of(first));
	suggest_try(&s, str_of(second));
	return s.best.len ? s.best.data : "none";
}

TEST(of_two_that_are_as_near_the_likelier_slip)
{
	EXPECT_STR(better("lod", "log", "load"), "load"); /* a letter left out, not another one */
	EXPECT_STR(better("fnc", "inc", "func"), "func"); /* the same first letter */
	EXPECT_STR(better("from", "prom", "fro"), "fro");
	EXPECT_STR(better("itn", "ion", "int"), "int"); /* changed places: one slip */
	EXPECT_STR(better("loaad", "loaid", "load"), "load");
	EXPECT_STR(better("lot", "log", "lob"), "log"); /* of equals the first */
	EXPECT_STR(better("cuont", "counts", "count"), "count");
}

TEST(a_part_of_a_text_is_a_candidate)
{
	Suggestion s = suggest_begin(STR("cuont"));
	suggest_try(&s, (Str){"count: !s32i", 5});
	EXPECT(str_equal(s.best, STR("count")));
}

TEST(no_guess_where_nothing_is_near)
{
	EXPECT_STR(suggest("--wibble"), "none");
	EXPECT_STR(suggest("-z"), "none"); /* one letter is near to every other */
	EXPECT_STR(suggest(""), "none");
	char endless[4096];
	memset(endless, 'e', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	EXPECT_STR(suggest(endless), "none");
}
