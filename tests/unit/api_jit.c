/* The public interface: modules run in this process. */
#include "api_jit.h"

static const char doubles[] = "cir.func @twice(%x: !cir.int<s, 32>) -> !cir.int<s, 32> {\n"
                              "  %y = cir.add nsw %x, %x : !cir.int<s, 32>\n"
                              "  cir.return %y : !cir.int<s, 32>\n"
                              "}\n";
static const char calls_twice[] = "cir.func private @twice(!cir.int<s, 32>) -> !cir.int<s, 32>\n"
                                  "cir.func @four(%x: !cir.int<s, 32>) -> !cir.int<s, 32> {\n"
                                  "  %y = cir.call @twice(%x) : (!cir.int<s, 32>) -> !cir.int<s, 32>\n"
                                  "  %z = cir.call @twice(%y) : (!cir.int<s, 32>) -> !cir.int<s, 32>\n"
                                  "  cir.return %z : !cir.int<s, 32>\n"
                                  "}\n";

TEST(a_function_is_found_and_runs)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	EXPECT(add(jit, doubles, &h) != NULL);
	Function *twice = find(jit, "twice");
	if (EXPECT(twice != NULL))
		EXPECT_EQ(twice(21), 42);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(modules_find_each_other_in_any_order)
{
	Heard h = {.errors = 0};
	CircJitOptions options = {.opt = '2'};
	CircJit *jit = circ_jit_create(&options, hear, &h);
	add(jit, calls_twice, &h);
	add(jit, doubles, &h);
	Function *four = find(jit, "four");
	if (EXPECT(four != NULL))
		EXPECT_EQ(four(3), 12);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(an_undefined_name_is_reported_where_it_is_used)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	add(jit, calls_twice, &h);
	EXPECT(circ_jit_lookup(jit, "four") == NULL);
	EXPECT_STR(
	    h.text,
	    "3:8: error: symbol 'twice' is not defined by any module, loaded library or the process\n");
	forget(&h);
	add(jit, doubles, &h); /* what was missing */
	EXPECT(circ_jit_lookup(jit, "four") != NULL);
	EXPECT_STR(h.text, "");
	circ_jit_destroy(jit);
}

static int halve(int x)
{
	return x / 2;
}

TEST(a_symbol_of_the_embedder_is_used)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	void *address = as_address(halve);
	EXPECT(circ_jit_add_symbol(jit, "twice", address));
	add(jit, calls_twice, &h);
	Function *four = find(jit, "four");
	if (EXPECT(four != NULL))
		EXPECT_EQ(four(100), 25);
	EXPECT(!circ_jit_add_symbol(jit, "twice", address));
	EXPECT_REFUSED(&h, "'twice' is already defined");
	circ_jit_destroy(jit);
}

TEST(a_name_is_defined_once)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	add(jit, doubles, &h);
	EXPECT(add(jit, doubles, &h) == NULL);
	EXPECT_REFUSED(&h, "'twice' is already defined in another module of the JIT");
	circ_jit_destroy(jit);
}

/* Its strong @shared would have been the one that counts. */
TEST(a_module_that_is_refused_leaves_the_others_as_they_were)
{
	for (int lazy = 0; lazy < 2; lazy++) {
		Heard h = {.errors = 0};
		CircJit *jit = circ_jit_create(&(CircJitOptions){.lazy = lazy, .lazy_ops = 1}, hear, &h);
		CircJitModule *first = add_sharing(jit, 1, "weak", &h);
		CircJitModule *second = add_sharing(jit, 2, "weak", &h);
		EXPECT(add_sharing(jit, 1, "external", &h) == NULL);
		EXPECT_REFUSED(&h, "'call1' is already defined in another module of the JIT");
		EXPECT_EQ(find(jit, "call1")(0), 1);
		EXPECT_EQ(find(jit, "call2")(0), 1);
		EXPECT(!circ_jit_remove_module(jit, first));
		EXPECT_REFUSED(&h, "module cannot be removed: another module uses its 'shared'");
		EXPECT(circ_jit_remove_module(jit, second));
		EXPECT(circ_jit_remove_module(jit, first));
		add_sharing(jit, 1, "external", &h);
		EXPECT_EQ(find(jit, "call1")(0), 1);
		circ_jit_destroy(jit);
		EXPECT_STR(h.text, "");
	}
}

TEST(what_was_removed_is_gone_and_its_names_are_free)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	CircJitModule *m = add(jit, doubles, &h);
	EXPECT(circ_jit_lookup(jit, "twice") != NULL);
	EXPECT(circ_jit_remove_module(jit, m));
	EXPECT(circ_jit_lookup(jit, "twice") == NULL);
	EXPECT_REFUSED(&h, "symbol 'twice' is not defined by any module, loaded library or the process");
	EXPECT(!circ_jit_remove_module(jit, m));
	EXPECT_REFUSED(&h, "module is not in this JIT, or was removed");
	EXPECT(add(jit, doubles, &h) != NULL);
	EXPECT(circ_jit_lookup(jit, "twice") != NULL);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(an_exception_is_thrown_and_caught)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	add(jit, throws, &h);
	Function *thrown = find(jit, "thrown");
	if (EXPECT(thrown != NULL))
		EXPECT_EQ(thrown(7), 7);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

static const char counts[] =
    "cir.global external tls_model = tls_dyn @own = #cir.int<10> : !s32i {alignment = 4 : i64}\n"
    "cir.func @bump(%x: !s32i) -> !s32i {\n"
    "  %p = cir.get_global thread_local @own : !cir.ptr<!s32i>\n"
    "  %v = cir.load %p : !cir.ptr<!s32i>, !s32i\n"
    "  %w = cir.add nsw %v, %x : !s32i\n"
    "  cir.store %w, %p : !s32i, !cir.ptr<!s32i>\n"
    "  cir.return %w : !s32i\n"
    "}\n"
    "!s32i = !cir.int<s, 32>\n";

static Function *bump;

static void *bump_elsewhere(void *result)
{
	bump(5);
	*(int *)result = bump(5);
	return NULL;
}

TEST(each_thread_has_its_own_thread_local)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	CircJitModule *m = add(jit, counts, &h);
	bump = find(jit, "bump");
	if (!EXPECT(bump != NULL))
		printf("%s", h.text);
	int here = bump(1), there = 0;
	pthread_t thread;
	EXPECT(pthread_create(&thread, NULL, bump_elsewhere, &there) == 0);
	pthread_join(thread, NULL);
	EXPECT_EQ(here, 11);
	EXPECT_EQ(there, 20);
	EXPECT_EQ(bump(1), 12);
	EXPECT(circ_jit_remove_module(jit, m));
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

static void *add_and_run(void *jit)
{
	static int number; /* of the next thread */
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	char text[512], name[16];
	pthread_mutex_lock(&lock);
	int n = number++;
	pthread_mutex_unlock(&lock);
	snprintf(name, sizeof name, "f%d", n);
	snprintf(text, sizeof text,
	         "cir.func @%s(%%x: !cir.int<s, 32>) -> !cir.int<s, 32> {\n"
	         "  %%c = cir.const #cir.int<%d> : !cir.int<s, 32>\n"
	         "  %%y = cir.mul nsw %%x, %%c : !cir.int<s, 32>\n"
	         "  cir.return %%y : !cir.int<s, 32>\n"
	         "}\n",
	         name, n);
	for (int i = 0; i < 10; i++) {
		CircModule *m = circ_module_parse(NULL, text, strlen(text), NULL, NULL);
		CircJitModule *added = circ_jit_add_module(jit, m);
		circ_module_destroy(m);
		Function *function = added ? find(jit, name) : NULL;
		if (!function || function(3) != 3 * n || !circ_jit_remove_module(jit, added))
			return jit;
	}
	return NULL;
}

static void use_from_several_threads(bool debug)
{
	CircJit *jit = circ_jit_create(&(CircJitOptions){.debug = debug}, NULL, NULL);
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, add_and_run, jit);
	for (int i = 0; i < 4; i++) {
		void *failed;
		pthread_join(threads[i], &failed);
		EXPECT(failed == NULL);
	}
	circ_jit_destroy(jit);
}

TEST(several_threads_use_one_jit)
{
	use_from_several_threads(false);
	use_from_several_threads(true);
}

TEST(a_module_for_another_target_is_refused)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	EXPECT(add(jit, "module attributes {cir.triple = \"x86_64-pc-windows-msvc\"} {}\n", &h) == NULL);
	EXPECT_CONTAINS(h.text, "module is for target 'x86_64-pc-windows-msvc', but this process is 'x86_64");
	circ_jit_destroy(jit);
}

TEST(wrong_use_is_reported)
{
	Heard h = {.errors = 0};
	CircJitOptions options = {.opt = '9'};
	EXPECT(circ_jit_create(&options, hear, &h) == NULL);
	EXPECT_REFUSED(&h, "circ_jit_create: 'opt' is '9'; expected '0', '1', '2', '3' or 's'");
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	EXPECT(circ_jit_lookup(jit, NULL) == NULL);
	EXPECT_REFUSED(&h, "circ_jit_lookup: 'name' is NULL");
	EXPECT(!circ_jit_add_symbol(jit, "twice", NULL));
	EXPECT_REFUSED(&h, "circ_jit_add_symbol: 'address' is NULL");
	EXPECT(circ_jit_add_module(jit, NULL) == NULL);
	EXPECT(!circ_jit_remove_module(jit, NULL));
	EXPECT_REFUSED(&h, "circ_jit_remove_module: 'module' is NULL");
	EXPECT(!circ_jit_load_library(jit, "/no/such/library.so"));
	EXPECT_CONTAINS(h.text, "cannot load '/no/such/library.so'");
	circ_jit_destroy(jit);
	circ_jit_destroy(NULL);
	EXPECT(circ_jit_add_module(NULL, NULL) == NULL);
}
