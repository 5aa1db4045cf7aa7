/* The public interface: memory that runs out is an error of the call, not the end of the process. */
#include "api_common.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/* A limit on the address space means nothing to ASan and to valgrind, which take much more of it. */
static bool memory_can_be_limited(void)
{
#ifdef SANITIZED
	return false;
#else
	return !getenv("CIRC_VALGRIND");
#endif
}

static bool limit_memory(void)
{
	char line[256];
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	bool read = f && fgets(line, sizeof line, f) && sscanf(line, "%lu", &pages) == 1;
	if (f)
		fclose(f);
	rlim_t limit = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (32 << 20);
	return read && setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit}) == 0;
}

/* In a process of its own, for the limit stays. */
static void expect_in_child(void (*run)(void))
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		int before = test_failures;
		if (EXPECT(limit_memory()))
			run();
		fflush(stdout);
		_exit(test_failures != before);
	}
	int status = -1;
	EXPECT(child > 0 && waitpid(child, &status, 0) == child);
	EXPECT_EQ(status, 0);
}

static void build_without_end(void)
{
	Heard h = {.errors = 0};
	CircModule *m = circ_module_create(hear, &h);
	CircType *s32 = circ_type_int(m, 32, true);
	CircOp *f = circ_func_create(m, "f", circ_type_func(m, NULL, 0, NULL, false));
	CircBuilder *b = circ_builder_create(m);
	EXPECT(circ_builder_at_end(b, circ_func_add_entry(m, f)));
	unsigned long made = 0;
	while (made < 100000000 && circ_build_int(b, s32, 1))
		made++;
	EXPECT(made > 1000);
	EXPECT_EQ(h.failures, 1);
	EXPECT_CONTAINS(h.text, "failure: circ_build_int: out of memory");
	forget(&h);
	EXPECT(circ_type_int(m, 8, true) == NULL);
	EXPECT_REFUSED(&h, "circ_type_int: an earlier call failed halfway; destroy the module");
	circ_module_destroy(m);
	m = circ_module_create(hear, &h); /* there is memory again */
	EXPECT(m != NULL);
	circ_module_destroy(m);
}

TEST(building_until_memory_is_exhausted)
{
	if (memory_can_be_limited())
		expect_in_child(build_without_end);
}

static void parse_too_much(void)
{
	enum { LINES = 200000 };
	static char text[LINES * 48];
	Heard h = {.errors = 0};
	size_t len = 0;
	for (int i = 0; i < LINES; i++)
		len += (size_t)snprintf(text + len, sizeof text - len,
		                        "cir.func private @a_function_%d(!s32i)\n", i);
	EXPECT(circ_module_parse(NULL, text, len, hear, &h) == NULL);
	EXPECT_EQ(h.failures, 1);
	EXPECT_CONTAINS(h.text, "failure: circ_module_parse: out of memory");
}

TEST(parsing_until_memory_is_exhausted)
{
	if (memory_can_be_limited())
		expect_in_child(parse_too_much);
}
