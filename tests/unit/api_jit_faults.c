/* The public interface: faults of code of the JIT are exceptions. */
#include "api_jit.h"

#include "circ/runtime.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

typedef int Reads(int *p);

static Reads *find_reads(CircJit *jit, const char *name)
{
	void *address = circ_jit_lookup(jit, name);
	Reads *function;
	memcpy(&function, &address, sizeof function);
	return function;
}

static sigjmp_buf out;

/* A fault that is nobody's exception comes here. */
static void former(int signal)
{
	siglongjmp(out, signal);
}

/* The first time counts: it finds the handler above. */
static bool install(CircJit *jit)
{
	static bool is_set;
	struct sigaction action = {.sa_handler = former};
	if (!is_set)
		sigaction(SIGSEGV, &action, NULL);
	is_set = true;
	void *address = circ_jit_lookup(jit, "circ_faults_install");
	bool (*function)(void);
	memcpy(&function, &address, sizeof function);
	return function && function();
}

#define TYPES                                                                                                \
	"!s32i = !cir.int<s, 32>\n!void = !cir.void\n"                                                       \
	"module attributes {circ.eh.runtime = \"circ\"} {\n"
#define RETURNS(value)                                                                                       \
	"catch all (%t: !cir.eh_token) {\n"                                                                  \
	"    %o = cir.catch_param : !cir.ptr<!void>\n"                                                       \
	"    %n = cir.const #cir.int<" value "> : !s32i\n"                                                   \
	"    cir.return %n : !s32i\n"                                                                        \
	"  }\n"                                                                                              \
	"  cir.unreachable\n"                                                                                \
	"}\n"

/* @reads is -2 where it faults. */
static const char async[] = TYPES "cir.func @reads(%p: !cir.ptr<!s32i>) -> !s32i {\n"
                                  "  cir.try async {\n"
                                  "    %v = cir.load %p : !cir.ptr<!s32i>, !s32i\n"
                                  "    cir.return %v : !s32i\n"
                                  "  } " RETURNS("-2") "}\n";

/* The same by way of a function that is marked, and has the code of a processor: movl (%rdi), %eax; retq. */
static const char marked[] =
    TYPES "cir.func @plain(%p: !cir.ptr<!s32i>) -> !s32i attributes {circ.may_fault} {\n"
          "  %v = cir.load %p : !cir.ptr<!s32i>, !s32i\n"
          "  cir.return %v : !s32i\n"
          "}\n"
          "cir.func @reads(%p: !cir.ptr<!s32i>) -> !s32i {\n"
          "  cir.try {\n"
          "    %v = cir.call @plain(%p) : (!cir.ptr<!s32i>) -> !s32i\n"
          "    cir.return %v : !s32i\n"
          "  } " RETURNS("-3") "}\n";

/* A null check that is folded into the access. */
static const char folded[] = TYPES "cir.func @reads(%p: !cir.ptr<!s32i>) -> !s32i {\n"
                                   "  %null = cir.const #cir.ptr<null> : !cir.ptr<!s32i>\n"
                                   "  cir.try {\n"
                                   "    %ok = cir.cmp ne %p, %null : !cir.ptr<!s32i>\n"
                                   "    circ.check null %ok\n"
                                   "    %v = cir.load %p : !cir.ptr<!s32i>, !s32i\n"
                                   "    cir.return %v : !s32i\n"
                                   "  } " RETURNS("-4") "}\n";

/* What other modules may have, too. */
static const char shared[] =
    TYPES "cir.func linkonce_odr comdat @shared(%p: !cir.ptr<!s32i>) -> !s32i {\n"
          "  cir.try async {\n"
          "    %v = cir.load %p : !cir.ptr<!s32i>, !s32i\n"
          "    cir.return %v : !s32i\n"
          "  } " RETURNS("-5") "cir.func @%s(%p: !cir.ptr<!s32i>) -> !s32i {\n"
                               "  %v = cir.call @shared(%p) : (!cir.ptr<!s32i>) -> !s32i\n"
                               "  cir.return %v : !s32i\n"
                               "}\n"
                               "}\n";

static int *volatile nowhere;

static void expect_raised(const char *text, char opt, int wanted)
{
	Heard h = {.errors = 0};
	CircJitOptions options = {.opt = opt};
	CircJit *jit = circ_jit_create(&options, hear, &h);
	int value = 7;
	add(jit, text, &h);
	Reads *reads = find_reads(jit, "reads");
	if (EXPECT(reads && install(jit))) {
		EXPECT_EQ(reads(&value), 7);
		EXPECT_EQ(reads(nowhere), wanted);
	}
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(a_fault_is_an_exception)
{
	static const char levels[] = "02";
	for (const char *opt = levels; *opt; opt++) {
		expect_raised(async, *opt, -2);
		expect_raised(marked, *opt, -3);
	}
}

TEST(a_null_check_is_folded)
{
	Heard h = {.errors = 0};
	CircJitOptions options = {.opt = '2'};
	CircJit *jit = circ_jit_create(&options, hear, &h);
	CircModule *m = circ_module_parse("test.cir", folded, strlen(folded), hear, &h);
	int value = 7;
	EXPECT(circ_module_set_attr(m, "circ.faults", circ_attr_string(m, "implicit", strlen("implicit"))));
	EXPECT(circ_jit_add_module(jit, m) != NULL);
	circ_module_destroy(m);
	Reads *reads = find_reads(jit, "reads");
	if (EXPECT(reads != NULL)) {
		EXPECT_EQ(reads(&value), 7);
		EXPECT_EQ(reads(nowhere), -4);
	}
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

static CircJitModule *add_shared(CircJit *jit, const char *name, Heard *h)
{
	char text[4096];
	const char *hole = strstr(shared, "%s");
	snprintf(text, sizeof text, "%.*s%s%s", (int)(hole - shared), shared, name, hole + 2);
	return add(jit, text, h);
}

TEST(a_definition_that_gave_way_faults_nowhere)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	add_shared(jit, "first", &h);
	CircJitModule *second = add_shared(jit, "second", &h);
	Reads *first = find_reads(jit, "first"), *also = find_reads(jit, "second");
	if (EXPECT(first && also && install(jit))) {
		EXPECT_EQ(first(nowhere), -5);
		EXPECT_EQ(also(nowhere), -5);
		EXPECT(circ_jit_remove_module(jit, second));
		EXPECT_EQ(first(nowhere), -5);
	}
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

static int thrown;

static void count(CircRecord *record)
{
	thrown += record->code == 0xC0000005;
}

static void set_hook(CircJit *jit, CircThrowHook *hook)
{
	void *address = circ_jit_lookup(jit, "circ_set_throw_hook");
	CircThrowHook *(*set)(CircThrowHook *);
	memcpy(&set, &address, sizeof set);
	set(hook);
}

/* What faults at a place where a module's function was. */
static void fault_at(void *place)
{
	static const unsigned char code[] = {0x8b, 0x07, 0xc3};
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *start = (char *)place - (uintptr_t)place % page;
	char *mapped = mmap(start, page, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	Reads *reads;
	if (!EXPECT(mapped == start))
		return;
	memcpy(place, code, sizeof code);
	mprotect(mapped, page, PROT_READ | PROT_EXEC);
	memcpy(&reads, &place, sizeof reads);
	if (!sigsetjmp(out, 1)) {
		reads(nowhere);
		EXPECT(!"no fault");
	}
	munmap(mapped, page);
}

TEST(what_is_removed_faults_no_more)
{
	Heard h = {.errors = 0};
	CircJitOptions options = {.opt = '2'};
	CircJit *jit = circ_jit_create(&options, hear, &h);
	if (!EXPECT(install(jit)))
		return;
	set_hook(jit, count);
	for (int i = 1; i <= 20; i++) {
		CircJitModule *m = add(jit, marked, &h);
		EXPECT_EQ(find_reads(jit, "reads")(nowhere), -3);
		EXPECT_EQ(thrown, i);
		void *plain = circ_jit_lookup(jit, "plain");
		EXPECT(circ_jit_remove_module(jit, m));
		fault_at(plain);
		EXPECT_EQ(thrown, i);
	}
	set_hook(jit, NULL);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}
