/* The public interface: functions that are compiled when they are called, on x86_64. Here each is a part of its own. */
#include "api_jit_lazy.h"

#include <errno.h>
#include <fenv.h>
#include <stdatomic.h>
#include <string.h>

#ifdef __x86_64__

TEST(a_function_is_compiled_when_it_is_called)
{
	Heard h = {.errors = 0};
	Told told = {.n = 0};
	CircJit *jit = open_jit(&h, '0');
	EXPECT(circ_jit_set_code_handler(jit, note_code, &told));
	CircJitModule *m = add(jit, chain, &h);
	Function *third = find(jit, "third"), *first = find(jit, "first");
	EXPECT_STR(h.text, "");
	EXPECT_STR(told.names, "");
	EXPECT_EQ(third(1), 2);
	EXPECT_STR(told.names, " third");
	EXPECT_EQ(third(2), 3);
	EXPECT_EQ(told.n, 1);
	EXPECT_EQ(first(3), 4);
	EXPECT_STR(told.names, " third first second");
	EXPECT(told.module == m);
	EXPECT(find(jit, "third") == third);
	EXPECT(circ_jit_remove_module(jit, m));
	EXPECT(add(jit, chain, &h) != NULL);
	first = find(jit, "first");
	EXPECT_EQ(first(4), 5);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(an_exception_passes_functions_that_were_not_compiled)
{
	for (const char *opt = "0123s"; *opt; opt++) {
		Heard h = {.errors = 0};
		CircJit *jit = open_jit(&h, *opt);
		CircJitModule *m = add(jit, passes, &h);
		Function *outer = find(jit, "outer");
		const int *cleanups = circ_jit_lookup(jit, "cleanups");
		EXPECT_EQ(outer(21), 42);
		EXPECT_EQ(outer(1), 2);
		EXPECT_EQ(*cleanups, 2);
		EXPECT(circ_jit_remove_module(jit, m));
		circ_jit_destroy(jit);
		EXPECT_STR(h.text, "");
	}
}

/* Threads */

enum { THREADS = 6 };
static pthread_barrier_t barrier;

static void *call_at_once(void *function)
{
	pthread_barrier_wait(&barrier);
	return as_function(function)(20) == 40 ? NULL : function;
}

TEST(threads_that_call_at_once_get_one_function)
{
	Heard h = {.errors = 0};
	Told told = {.n = 0};
	CircJit *jit = open_jit(&h, '0');
	pthread_t threads[THREADS];
	void *failed;
	circ_jit_set_code_handler(jit, note_code, &told);
	add(jit, passes, &h);
	void *outer = circ_jit_lookup(jit, "outer");
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		EXPECT(pthread_create(&threads[i], NULL, call_at_once, outer) == 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &failed);
		EXPECT(failed == NULL);
	}
	EXPECT_EQ(told.n, 5);
	pthread_barrier_destroy(&barrier);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

static void *waits_for;

/* As a constructor does that starts a thread. */
static int call_elsewhere(int n)
{
	pthread_t thread;
	void *failed = &thread;
	(void)n;
	pthread_barrier_init(&barrier, NULL, 1);
	if (pthread_create(&thread, NULL, call_at_once, waits_for) == 0)
		pthread_join(thread, &failed);
	pthread_barrier_destroy(&barrier);
	return failed == NULL;
}

TEST(a_constructor_may_wait_for_a_thread_that_calls)
{
	static const char constructs[] =
	    "module attributes {cir.global_ctors = [#cir.global_ctor<\"construct\", 65535>]} {\n"
	    "!s32i = !cir.int<s, 32>\n"
	    "cir.func private @call_elsewhere(!s32i) -> !s32i\n"
	    "cir.global external @went_well = #cir.int<0> : !s32i\n"
	    "cir.func @construct() {\n"
	    "  %c = cir.const #cir.int<0> : !s32i\n"
	    "  %r = cir.call @call_elsewhere(%c) : (!s32i) -> !s32i\n"
	    "  %p = cir.get_global @went_well : !cir.ptr<!s32i>\n"
	    "  cir.store %r, %p : !s32i, !cir.ptr<!s32i>\n"
	    "  cir.return\n"
	    "}\n"
	    "}\n";
	Heard h = {.errors = 0};
	CircJit *jit = open_jit(&h, '0');
	add(jit, passes, &h);
	waits_for = circ_jit_lookup(jit, "outer");
	EXPECT(circ_jit_add_symbol(jit, "call_elsewhere", as_address(call_elsewhere)));
	add(jit, constructs, &h);
	const int *went_well = circ_jit_lookup(jit, "went_well");
	EXPECT(went_well && *went_well == 1);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(a_first_call_needs_little_of_the_stack)
{
	Heard h = {.errors = 0};
	CircJit *jit = open_jit(&h, '2');
	pthread_t thread;
	pthread_attr_t attr;
	void *failed = &h;
	add(jit, passes, &h);
	pthread_attr_init(&attr);
	EXPECT(pthread_attr_setstacksize(&attr, 2 * (size_t)sysconf(_SC_THREAD_STACK_MIN)) == 0);
	pthread_barrier_init(&barrier, NULL, 1);
	if (EXPECT(pthread_create(&thread, &attr, call_at_once, circ_jit_lookup(jit, "outer")) == 0))
		pthread_join(thread, &failed);
	EXPECT(failed == NULL);
	pthread_barrier_destroy(&barrier);
	pthread_attr_destroy(&attr);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

/* What a first call keeps */

static int seen_errno;

static int set_errno(int n)
{
	seen_errno = errno;
	errno = n;
	return n;
}

TEST(a_first_call_keeps_errno_and_vectors)
{
	static const char text[] = "!s32i = !cir.int<s, 32>\n"
	                           "!wide = !cir.vector<8 x !s32i>\n"
	                           "cir.func private @set_errno(!s32i) -> !s32i\n"
	                           "cir.func @calls(%x: !s32i) -> !s32i {\n"
	                           "  %y = cir.call @set_errno(%x) : (!s32i) -> !s32i\n"
	                           "  %z = cir.call @again(%x) : (!s32i) -> !s32i\n"
	                           "  cir.return %z : !s32i\n"
	                           "}\n"
	                           "cir.func @again(%x: !s32i) -> !s32i {\n"
	                           "  %y = cir.call @set_errno(%x) : (!s32i) -> !s32i\n"
	                           "  cir.return %y : !s32i\n"
	                           "}\n"
	                           "cir.func @sum(%p: !cir.ptr<!wide>, %q: !cir.ptr<!wide>) {\n"
	                           "  %a = cir.load %p : !cir.ptr<!wide>, !wide\n"
	                           "  %b = cir.load %q : !cir.ptr<!wide>, !wide\n"
	                           "  %c = cir.call @add(%a, %b) : (!wide, !wide) -> !wide\n"
	                           "  cir.store %c, %p : !wide, !cir.ptr<!wide>\n"
	                           "  cir.return\n"
	                           "}\n"
	                           "cir.func @add(%a: !wide, %b: !wide) -> !wide {\n"
	                           "  %c = cir.add %a, %b : !wide\n"
	                           "  cir.return %c : !wide\n"
	                           "}\n";
	Heard h = {.errors = 0};
	CircJit *jit =
	    circ_jit_create(&(CircJitOptions){.lazy = true, .lazy_ops = 1, .features = "+avx"}, hear, &h);
	EXPECT(circ_jit_add_symbol(jit, "set_errno", as_address(set_errno)));
	add(jit, text, &h);
	EXPECT_EQ(find(jit, "calls")(7), 7);
	EXPECT_EQ(seen_errno, 7);
	_Alignas(32) int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {10, 20, 30, 40, 50, 60, 70, 80};
	void *found = circ_jit_lookup(jit, "sum");
	void (*sum)(int *, const int *);
	memcpy(&sum, &found, sizeof sum);
	if (EXPECT(found != NULL) && __builtin_cpu_supports("avx")) {
		sum(a, b);
		for (int i = 0; i < 8; i++)
			EXPECT_EQ(a[i], 11 * (i + 1));
	}
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

static int compiler_rounds;

static void note_rounding(const CircJitCode *code, void *user)
{
	(void)code, (void)user;
	compiler_rounds = fegetround();
}

TEST(a_first_call_compiles_in_the_default_floating_point_environment)
{
	Heard h = {.errors = 0};
	CircJit *jit = open_jit(&h, '0');
	EXPECT(circ_jit_set_code_handler(jit, note_rounding, NULL));
	add(jit, chain, &h);
	Function *third = find(jit, "third");
	fesetround(FE_UPWARD);
	compiler_rounds = fegetround();
	EXPECT_EQ(third(1), 2);
	EXPECT_EQ(fegetround(), FE_UPWARD);
	fesetround(FE_TONEAREST);
	EXPECT_EQ(compiler_rounds, FE_TONEAREST);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

/* Names */

TEST(a_function_has_one_address)
{
	static const char text[] = "!s32i = !cir.int<s, 32>\n"
	                           "!type = !cir.func<(!s32i) -> !s32i>\n"
	                           "!ptr = !cir.ptr<!type>\n"
	                           "cir.func @own(%x: !s32i) -> !s32i {\n"
	                           "  cir.return %x : !s32i\n"
	                           "}\n"
	                           "cir.func internal @hidden(%x: !s32i) -> !s32i {\n"
	                           "  %p = cir.get_global @hidden : !ptr\n"
	                           "  %q = cir.call @address_of_hidden() : () -> !ptr\n"
	                           "  %same = cir.cmp eq %p, %q : !ptr\n"
	                           "  %r = cir.cast bool_to_int %same : !cir.bool -> !s32i\n"
	                           "  cir.return %r : !s32i\n"
	                           "}\n"
	                           "cir.func @address_of_own() -> !ptr {\n"
	                           "  %p = cir.get_global @own : !ptr\n"
	                           "  cir.return %p : !ptr\n"
	                           "}\n"
	                           "cir.func @address_of_hidden() -> !ptr {\n"
	                           "  %p = cir.get_global @hidden : !ptr\n"
	                           "  cir.return %p : !ptr\n"
	                           "}\n"
	                           "cir.func @hidden_is_one(%x: !s32i) -> !s32i {\n"
	                           "  %r = cir.call @hidden(%x) : (!s32i) -> !s32i\n"
	                           "  cir.return %r : !s32i\n"
	                           "}\n"
	                           "cir.global external @table = #cir.global_view<@own> : !ptr\n";
	Heard h = {.errors = 0};
	CircJit *jit = open_jit(&h, '0');
	add(jit, text, &h);
	void *own = circ_jit_lookup(jit, "own"), *(*address)(void);
	void *address_of_own = circ_jit_lookup(jit, "address_of_own");
	memcpy(&address, &address_of_own, sizeof address);
	EXPECT(address() == own);
	EXPECT_EQ(as_function(own)(3), 3);
	EXPECT(address() == own && circ_jit_lookup(jit, "own") == own);
	void **table = circ_jit_lookup(jit, "table");
	EXPECT(table && *table == own);
	EXPECT_EQ(find(jit, "hidden_is_one")(0), 1);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

/* Compiled with what it was inlined into, where nothing else names it. */
TEST(an_inline_function_that_was_inlined_can_be_called)
{
	static const char text[] = "!s32i = !cir.int<s, 32>\n"
	                           "cir.func @calls(%x: !s32i) -> !s32i {\n"
	                           "  %y = cir.call @inlined(%x) : (!s32i) -> !s32i\n"
	                           "  cir.return %y : !s32i\n"
	                           "}\n"
	                           "cir.func linkonce_odr @inlined(%x: !s32i) -> !s32i {\n"
	                           "  cir.return %x : !s32i\n"
	                           "}\n"
	                           "cir.func @other(%x: !s32i) -> !s32i {\n"
	                           "  cir.return %x : !s32i\n"
	                           "}\n";
	for (const char *opt = "0123s"; *opt; opt++) {
		Heard h = {.errors = 0};
		CircJit *jit = open_jit(&h, *opt);
		add(jit, text, &h);
		EXPECT_EQ(find(jit, "calls")(5), 5);
		EXPECT_EQ(find(jit, "inlined")(6), 6);
		circ_jit_destroy(jit);
		EXPECT_STR(h.text, "");
	}
}

TEST(a_weak_function_gives_way)
{
	Heard h = {.errors = 0};
	CircJit *jit = open_jit(&h, '0');
	CircJitModule *weak = add_sharing(jit, 1, "weak", &h), *strong = add_sharing(jit, 2, "external", &h);
	EXPECT_EQ(find(jit, "call1")(0), 2);
	EXPECT_EQ(find(jit, "call2")(0), 2);
	EXPECT(!circ_jit_remove_module(jit, strong));
	EXPECT_REFUSED(&h, "module cannot be removed: another module uses its 'shared'");
	EXPECT(circ_jit_remove_module(jit, weak));
	EXPECT(circ_jit_remove_module(jit, strong));
	EXPECT(add_sharing(jit, 3, "external", &h) != NULL);
	EXPECT(add_sharing(jit, 3, "external", &h) == NULL);
	EXPECT_CONTAINS(h.text, "is already defined in another module of the JIT");
	circ_jit_destroy(jit);
}

TEST(what_waits_keeps_what_it_will_call)
{
	static const char uses[] = "!s32i = !cir.int<s, 32>\n"
	                           "cir.func private @third(!s32i) -> !s32i\n"
	                           "cir.func @use(%x: !s32i) -> !s32i {\n"
	                           "  %y = cir.call @third(%x) : (!s32i) -> !s32i\n"
	                           "  cir.return %y : !s32i\n"
	                           "}\n"
	                           "cir.func @other(%x: !s32i) -> !s32i {\n"
	                           "  cir.return %x : !s32i\n"
	                           "}\n";
	Heard h = {.errors = 0};
	CircJit *jit = open_jit(&h, '0');
	CircJitModule *used = add(jit, chain, &h), *user = add(jit, uses, &h);
	Function *use = find(jit, "use");
	EXPECT(!circ_jit_remove_module(jit, used));
	EXPECT_REFUSED(&h, "module cannot be removed: another module uses its 'third'");
	EXPECT_EQ(use(1), 2);
	EXPECT(!circ_jit_remove_module(jit, used));
	forget(&h);
	EXPECT(circ_jit_remove_module(jit, user));
	EXPECT(circ_jit_remove_module(jit, used));
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

#endif
