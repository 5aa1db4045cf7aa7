/* Which word was probably meant. */
#include "test.h"

#include "base/suggest.c"

static const char *suggest(const char *word)
{
	static const char *const words[] = {"--emit", "--target", "--verify-only", "--version", "-fPIC",
	                                    "-c",     "-O"};
	Suggestion s = suggest_begin(str_of(word));
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		suggest_try(&s, words[i]);
	return s.best ? s.best : "none";
}

TEST(slips_of_the_finger)
{
	EXPECT_STR(suggest("--emti"), "--emit");
	EXPECT_STR(suggest("--emitt"), "--emit");
	EXPECT_STR(suggest("--mit"), "--emit");
	EXPECT_STR(suggest("--verison"), "--version");
	EXPECT_STR(suggest("-verify-only"), "--verify-only");
	EXPECT_STR(suggest("-fpic"), "-fPIC");
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
