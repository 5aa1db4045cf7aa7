/* unit/test.h: the whole test framework. Include it in the one file of a test program; it holds main().
 *
 * 	TEST(arena_gives_zeroed_memory)
 * 	{
 * 		...
 * 		EXPECT_EQ(len, 3);
 * 	}
 *
 * A TEST is run because it is there. A failed EXPECT prints its place and both values, counts, and lets the
 * test go on; it is true when it held, so `if (!EXPECT(p != NULL)) return;` stops a test that cannot
 * continue. The exit code is 1 after any failure. An argument selects the tests whose name contains it.
 */
#ifndef CIRC_TESTS_UNIT_TEST_H
#define CIRC_TESTS_UNIT_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int test_failures;

static inline bool test_report(bool held, const char *file, int line, const char *what)
{
	if (!held) {
		test_failures++;
		printf("%s:%d: failed: %s\n", file, line, what);
	}
	return held;
}

static inline bool test_eq(int64_t got, int64_t want, const char *file, int line, const char *what)
{
	if (!test_report(got == want, file, line, what))
		printf("  got  %lld\n  want %lld\n", (long long)got, (long long)want);
	return got == want;
}

static inline bool test_bytes(const char *got, size_t got_len, const char *want, size_t want_len,
                              const char *file, int line, const char *what)
{
	bool same = got_len == want_len && got && want && (got_len == 0 || memcmp(got, want, got_len) == 0);
	if (!test_report(same, file, line, what))
		printf("  got  \"%.*s\"\n  want \"%.*s\"\n", got ? (int)got_len : 6, got ? got : "(null)",
		       want ? (int)want_len : 6, want ? want : "(null)");
	return same;
}

static inline bool test_str(const char *got, const char *want, const char *file, int line, const char *what)
{
	return test_bytes(got, got ? strlen(got) : 0, want, want ? strlen(want) : 0, file, line, what);
}

static inline bool test_contains(const char *text, const char *part, const char *file, int line,
                                 const char *what)
{
	bool found = text && strstr(text, part) != NULL;
	if (!test_report(found, file, line, what))
		printf("  \"%s\"\n  does not contain \"%s\"\n", text ? text : "(null)", part);
	return found;
}

#define EXPECT(cond)               test_report((cond), __FILE__, __LINE__, #cond)
#define EXPECT_EQ(got, want)       test_eq((int64_t)(got), (int64_t)(want), __FILE__, __LINE__, #got " == " #want)
#define EXPECT_STR(got, want)      test_str((got), (want), __FILE__, __LINE__, #got " equals " #want)
#define EXPECT_CONTAINS(text, sub) test_contains((text), (sub), __FILE__, __LINE__, #text " contains " #sub)
/* s: anything with .data and .len */
#define EXPECT_TEXT(s, want)                                                                                 \
	test_bytes((s).data, (s).len, (want), strlen(want), __FILE__, __LINE__, #s " equals " #want)

typedef struct TestCase {
	const char *name;
	void (*run)(void);
	struct TestCase *next;
} TestCase;

static TestCase *test_first, **test_last = &test_first;

/* Defines a test and puts it in the list, before main() begins. */
#define TEST(test)                                                                                           \
	static void test_##test(void);                                                                       \
	__attribute__((constructor)) static void test_add_##test(void)                                       \
	{                                                                                                    \
		static TestCase self = {#test, test_##test, NULL};                                           \
		*test_last = &self;                                                                          \
		test_last = &self.next;                                                                      \
	}                                                                                                    \
	static void test_##test(void)

int main(int argc, char **argv)
{
	int ran = 0;
	for (TestCase *t = test_first; t; t = t->next) {
		if (argc > 1 && !strstr(t->name, argv[1]))
			continue;
		int before = test_failures;
		t->run();
		ran++;
		if (test_failures != before)
			printf("FAILED %s\n", t->name);
	}
	printf("%d tests, %d failed expectations\n", ran, test_failures);
	return test_failures != 0 || ran == 0;
}

#endif
