/* The public interface: what a module of the JIT brings along, and what goes with it. */
#include "api_jit.h"

#include <dlfcn.h>
#include <stdatomic.h>

/* What was called, in order: " 1 2". */
static char trace[256];

static int note(int n)
{
	size_t len = strlen(trace);
	snprintf(trace + len, sizeof trace - len, " %d", n);
	return n;
}

#define EXPECT_TRACE(want)                                                                                   \
	do {                                                                                                 \
		EXPECT_STR(trace, want);                                                                     \
		trace[0] = '\0';                                                                             \
	} while (0)

static CircJit *jit_with_note(Heard *h)
{
	CircJit *jit = circ_jit_create(NULL, hear, h);
	EXPECT(circ_jit_add_symbol(jit, "note", as_address(note)));
	return jit;
}

/* @object notes 1 when it is made and 2 when it is destroyed, the static variable of @work 3 and 4, the exit
 * handler that @work registers 5, the thread-local object that @touch uses 6 and 7. */
static const char lives[] = "!s32i = !cir.int<s, 32>\n"
                            "cir.func private @note(!s32i) -> !s32i\n"
                            "cir.func private @atexit(!cir.ptr<!cir.func<()>>) -> !s32i\n"
                            "cir.global external @object = ctor : !s32i {\n"
                            "  %p = cir.get_global @object : !cir.ptr<!s32i>\n"
                            "  %c = cir.const #cir.int<1> : !s32i\n"
                            "  %v = cir.call @note(%c) : (!s32i) -> !s32i\n"
                            "  cir.store %v, %p : !s32i, !cir.ptr<!s32i>\n"
                            "} dtor {\n"
                            "  %c = cir.const #cir.int<2> : !s32i\n"
                            "  %v = cir.call @note(%c) : (!s32i) -> !s32i\n"
                            "}\n"
                            "cir.global \"private\" internal static_local_guard<\"_ZGVZ4workvE1s\"> "
                            "@_ZZ4workvE1s = #cir.int<0> : !s32i\n"
                            "cir.func internal private @at_end() {\n"
                            "  %c = cir.const #cir.int<5> : !s32i\n"
                            "  %v = cir.call @note(%c) : (!s32i) -> !s32i\n"
                            "  cir.return\n"
                            "}\n"
                            "cir.func @work(%n: !s32i) -> !s32i {\n"
                            "  cir.local_init static_local @_ZZ4workvE1s ctor {\n"
                            "    %c = cir.const #cir.int<3> : !s32i\n"
                            "    %v = cir.call @note(%c) : (!s32i) -> !s32i\n"
                            "    %p = cir.get_global static_local @_ZZ4workvE1s : !cir.ptr<!s32i>\n"
                            "    cir.store %n, %p : !s32i, !cir.ptr<!s32i>\n"
                            "  } dtor {\n"
                            "    %c = cir.const #cir.int<4> : !s32i\n"
                            "    %v = cir.call @note(%c) : (!s32i) -> !s32i\n"
                            "  }\n"
                            "  %f = cir.get_global @at_end : !cir.ptr<!cir.func<()>>\n"
                            "  %registered = cir.call @atexit(%f) : (!cir.ptr<!cir.func<()>>) -> !s32i\n"
                            "  %p = cir.get_global static_local @_ZZ4workvE1s : !cir.ptr<!s32i>\n"
                            "  %v = cir.load %p : !cir.ptr<!s32i>, !s32i\n"
                            "  cir.return %v : !s32i\n"
                            "}\n"
                            "cir.global external tls_model = tls_dyn tls_refs = <\"_ZTW4mine\", "
                            "\"_ZTH4mine\"> @mine = ctor : !s32i {\n"
                            "  %p = cir.get_global thread_local @mine : !cir.ptr<!s32i>\n"
                            "  %c = cir.const #cir.int<6> : !s32i\n"
                            "  %v = cir.call @note(%c) : (!s32i) -> !s32i\n"
                            "  cir.store %v, %p : !s32i, !cir.ptr<!s32i>\n"
                            "} dtor {\n"
                            "  %c = cir.const #cir.int<7> : !s32i\n"
                            "  %v = cir.call @note(%c) : (!s32i) -> !s32i\n"
                            "}\n"
                            "cir.func @touch(%n: !s32i) -> !s32i {\n"
                            "  %p = cir.get_global thread_local @mine : !cir.ptr<!s32i>\n"
                            "  %v = cir.load %p : !cir.ptr<!s32i>, !s32i\n"
                            "  cir.return %v : !s32i\n"
                            "}\n";

/* With what else is destroyed: thread-local objects, then the newest first. */
TEST(objects_live_from_the_first_lookup_to_the_removal)
{
	Heard h = {.errors = 0};
	CircJit *jit = jit_with_note(&h);
	CircJitModule *m = add(jit, lives, &h);
	EXPECT_TRACE("");
	Function *work = find(jit, "work");
	EXPECT_TRACE(" 1");
	if (EXPECT(work != NULL)) {
		EXPECT_EQ(work(8), 8);
		EXPECT_EQ(work(9), 8);
		EXPECT_TRACE(" 3");
		EXPECT_EQ(find(jit, "touch")(0), 6);
		EXPECT_TRACE(" 6");
	}
	EXPECT(circ_jit_remove_module(jit, m));
	EXPECT_TRACE(" 7 5 5 4 2");
	circ_jit_destroy(jit);
	EXPECT_TRACE("");
	EXPECT_STR(h.text, "");
}

static const char lives_later[] = "!s32i = !cir.int<s, 32>\n"
                                  "cir.func private @note(!s32i) -> !s32i\n"
                                  "cir.global external @later = ctor : !s32i {\n"
                                  "  %c = cir.const #cir.int<11> : !s32i\n"
                                  "  %v = cir.call @note(%c) : (!s32i) -> !s32i\n"
                                  "} dtor {\n"
                                  "  %c = cir.const #cir.int<12> : !s32i\n"
                                  "  %v = cir.call @note(%c) : (!s32i) -> !s32i\n"
                                  "}\n";

TEST(constructors_run_in_the_order_of_adding_and_destructors_backwards)
{
	Heard h = {.errors = 0};
	CircJit *jit = jit_with_note(&h);
	add(jit, lives, &h);
	add(jit, lives_later, &h);
	EXPECT(find(jit, "work") != NULL);
	EXPECT_TRACE(" 1 11");
	circ_jit_destroy(jit);
	EXPECT_TRACE(" 12 2");
	EXPECT_STR(h.text, "");
}

static CircJit *open_jit;

static int add_more(int n)
{
	Heard h = {.errors = 0};
	EXPECT(add(open_jit, lives_later, &h) != NULL);
	EXPECT_STR(h.text, "");
	return note(n);
}

static const char adds_more[] = "!s32i = !cir.int<s, 32>\n"
                                "cir.func private @add_more(!s32i) -> !s32i\n"
                                "cir.global external @adder = ctor : !s32i {\n"
                                "  %c = cir.const #cir.int<9> : !s32i\n"
                                "  %v = cir.call @add_more(%c) : (!s32i) -> !s32i\n"
                                "}\n";

TEST(a_constructor_may_add_modules)
{
	Heard h = {.errors = 0};
	open_jit = jit_with_note(&h);
	EXPECT(circ_jit_add_symbol(open_jit, "add_more", as_address(add_more)));
	EXPECT(add(open_jit, adds_more, &h) != NULL);
	EXPECT(circ_jit_lookup(open_jit, "later") != NULL);
	EXPECT_TRACE(" 9 11");
	circ_jit_destroy(open_jit);
	EXPECT_TRACE(" 12");
	EXPECT_STR(h.text, "");
}

static CircJitModule *own_module;

static int remove_own(int n)
{
	return note(circ_jit_remove_module(open_jit, own_module) ? -n : n);
}

static const char removes_itself[] = "!s32i = !cir.int<s, 32>\n"
                                     "cir.func private @remove_own(!s32i) -> !s32i\n"
                                     "cir.global external @own = ctor : !s32i {\n"
                                     "  %c = cir.const #cir.int<1> : !s32i\n"
                                     "  %v = cir.call @remove_own(%c) : (!s32i) -> !s32i\n"
                                     "} dtor {\n"
                                     "  %c = cir.const #cir.int<2> : !s32i\n"
                                     "  %v = cir.call @remove_own(%c) : (!s32i) -> !s32i\n"
                                     "}\n"
                                     "cir.func @last() global_dtor {\n"
                                     "  %c = cir.const #cir.int<3> : !s32i\n"
                                     "  %v = cir.call @remove_own(%c) : (!s32i) -> !s32i\n"
                                     "  cir.return\n"
                                     "}\n";

#define NOT_BY_ITSELF "module cannot be removed while its constructors or exit handlers run"

TEST(a_module_is_not_removed_by_its_own_constructors_and_exit_handlers)
{
	Heard h = {.errors = 0};
	for (int removed = 0; removed < 2; removed++) {
		open_jit = jit_with_note(&h);
		EXPECT(circ_jit_add_symbol(open_jit, "remove_own", as_address(remove_own)));
		own_module = add(open_jit, removes_itself, &h);
		EXPECT(circ_jit_lookup(open_jit, "own") != NULL);
		EXPECT_TRACE(" 1");
		EXPECT_REFUSED(&h, NOT_BY_ITSELF);
		if (removed)
			EXPECT(circ_jit_remove_module(open_jit, own_module));
		else
			circ_jit_destroy(open_jit);
		EXPECT_TRACE(" 2 3");
		EXPECT_EQ(h.errors, 2);
		EXPECT_CONTAINS(h.text, NOT_BY_ITSELF);
		forget(&h);
		if (removed)
			circ_jit_destroy(open_jit);
	}
	EXPECT_STR(h.text, "");
}

static void *touch_elsewhere(void *touch)
{
	as_function(touch)(0);
	return NULL;
}

TEST(a_thread_that_ends_destroys_its_objects)
{
	Heard h = {.errors = 0};
	CircJit *jit = jit_with_note(&h);
	pthread_t thread;
	add(jit, lives, &h);
	Function *touch = find(jit, "touch");
	if (EXPECT(touch != NULL) &&
	    EXPECT(pthread_create(&thread, NULL, touch_elsewhere, as_address(touch)) == 0))
		pthread_join(thread, NULL);
	EXPECT_TRACE(" 1 6 7");
	circ_jit_destroy(jit);
	EXPECT_TRACE(" 2");
	EXPECT_STR(h.text, "");
}

typedef struct Visit {
	Function *touch;
	pthread_barrier_t barrier;
} Visit;

static void *touch_and_wait(void *p)
{
	Visit *visit = p;
	visit->touch(0);
	pthread_barrier_wait(&visit->barrier);
	pthread_barrier_wait(&visit->barrier); /* the module is gone */
	return NULL;
}

TEST(a_thread_that_ends_after_the_module_calls_nothing_of_it)
{
	Heard h = {.errors = 0};
	CircJit *jit = jit_with_note(&h);
	CircJitModule *m = add(jit, lives, &h);
	Visit visit = {.touch = find(jit, "touch")};
	pthread_t thread;
	pthread_barrier_init(&visit.barrier, NULL, 2);
	if (EXPECT(visit.touch != NULL) &&
	    EXPECT(pthread_create(&thread, NULL, touch_and_wait, &visit) == 0)) {
		pthread_barrier_wait(&visit.barrier);
		EXPECT(circ_jit_remove_module(jit, m));
		pthread_barrier_wait(&visit.barrier);
		pthread_join(thread, NULL);
	}
	pthread_barrier_destroy(&visit.barrier);
	EXPECT_TRACE(" 1 6 2");
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

static pthread_barrier_t destroying;
static atomic_bool destroyed;

static int note_slowly(int n)
{
	if (n == 7) {
		pthread_barrier_wait(&destroying);
		usleep(50000);
		destroyed = true;
	}
	return n;
}

TEST(a_module_is_not_removed_under_a_thread_that_ends)
{
	for (int removed = 0; removed < 2; removed++) {
		Heard h = {.errors = 0};
		CircJit *jit = circ_jit_create(NULL, hear, &h);
		EXPECT(circ_jit_add_symbol(jit, "note", as_address(note_slowly)));
		CircJitModule *m = add(jit, lives, &h);
		Function *touch = find(jit, "touch");
		pthread_t thread;
		destroyed = false;
		pthread_barrier_init(&destroying, NULL, 2);
		if (!EXPECT(touch != NULL) ||
		    !EXPECT(pthread_create(&thread, NULL, touch_elsewhere, as_address(touch)) == 0))
			break;
		pthread_barrier_wait(&destroying);
		if (removed)
			EXPECT(circ_jit_remove_module(jit, m));
		else
			circ_jit_destroy(jit);
		EXPECT(destroyed);
		pthread_join(thread, NULL);
		pthread_barrier_destroy(&destroying);
		if (removed)
			circ_jit_destroy(jit);
		EXPECT_STR(h.text, "");
	}
}

static int remove_at_the_end(int n)
{
	return n == 7 ? remove_own(n) : n;
}

TEST(a_module_is_not_removed_by_its_own_destructors_of_a_thread)
{
	Heard h = {.errors = 0};
	open_jit = circ_jit_create(NULL, hear, &h);
	EXPECT(circ_jit_add_symbol(open_jit, "note", as_address(remove_at_the_end)));
	own_module = add(open_jit, lives, &h);
	Function *touch = find(open_jit, "touch");
	pthread_t thread;
	if (EXPECT(touch != NULL) &&
	    EXPECT(pthread_create(&thread, NULL, touch_elsewhere, as_address(touch)) == 0))
		pthread_join(thread, NULL);
	EXPECT_TRACE(" 7");
	EXPECT_REFUSED(&h, NOT_BY_ITSELF);
	EXPECT(circ_jit_remove_module(open_jit, own_module));
	circ_jit_destroy(open_jit);
	EXPECT_STR(h.text, "");
}

/* Frame tables */

/* libgcc's, which asks the tables that were registered; those of the loader, too. */
struct Bases {
	void *text, *data, *function;
};
typedef const void *FindTable(void *pc, struct Bases *bases);

TEST(frame_tables_come_and_go_with_the_module)
{
	Heard h = {.errors = 0};
	FindTable *find_table = NULL;
	struct Bases bases;
	void *symbol = dlsym(RTLD_DEFAULT, "_Unwind_Find_FDE");
	if (!EXPECT(symbol != NULL))
		return;
	memcpy(&find_table, &symbol, sizeof find_table);
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	CircJitModule *m = add(jit, throws, &h);
	char *code = circ_jit_lookup(jit, "thrown");
	if (EXPECT(code != NULL)) {
		EXPECT(find_table(code + 1, &bases) != NULL);
		EXPECT(bases.function == code);
		EXPECT(circ_jit_remove_module(jit, m));
		EXPECT(find_table(code + 1, &bases) == NULL);
	}
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

static int call(CircJit *jit, const char *name, int argument)
{
	Function *f = find(jit, name);
	return f ? f(argument) : -1;
}

/* But for those of files: pages of LLVM's code come and go with what else the machine is doing. */
static long resident_pages(void)
{
	long size, resident = 0, of_files = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%ld %ld %ld", &size, &resident, &of_files) != 3)
		resident = of_files = 0;
	if (f)
		fclose(f);
	return resident - of_files;
}

/* One that throws, one with a new name, and one with all that may be alive in a module. */
static bool come_and_go(CircJit *jit, int i, Heard *h)
{
	char named[256], name[16];
	snprintf(name, sizeof name, "f%d", i);
	snprintf(
	    named, sizeof named,
	    "cir.func @%s(%%x: !cir.int<s, 32>) -> !cir.int<s, 32> { cir.return %%x : !cir.int<s, 32> }\n",
	    name);
	CircJitModule *modules[] = {add(jit, throws, h), add(jit, named, h), add(jit, lives, h)};
	bool ok = call(jit, "thrown", i) == i && call(jit, name, i) == i && call(jit, "work", i) == i &&
	          call(jit, "touch", i) == 6;
	for (int k = 0; k < 3; k++)
		ok &= circ_jit_remove_module(jit, modules[k]);
	trace[0] = '\0';
	return ok;
}

static const CircJitOptions when_called = {.lazy = true, .lazy_ops = 1}; /* on x86_64 */

/* CIRC_JIT_MODULES: how many. */
static void expect_no_growth(const CircJitOptions *options, const char *what)
{
	Heard h = {.errors = 0};
	const char *wanted = getenv("CIRC_JIT_MODULES");
	bool counts = !wanted && !getenv("CIRC_VALGRIND") && !getenv("CIRC_SANITIZED");
	int rounds = wanted ? atoi(wanted) / 3 : counts ? 360 : getenv("CIRC_VALGRIND") ? 3 : 120;
	CircJit *jit = circ_jit_create(options, hear, &h);
	EXPECT(circ_jit_add_symbol(jit, "note", as_address(note)));
	long before = 0;
	for (int i = 0; i < rounds && EXPECT(come_and_go(jit, i, &h)); i++)
		if (i == rounds / 4)
			before = resident_pages();
	long page = sysconf(_SC_PAGESIZE), grown = resident_pages() - before;
	if (wanted)
		printf("%d modules%s: %ld KiB, grown by %ld KiB since a quarter of them\n", 3 * rounds, what,
		       (before + grown) * page / 1024, grown * page / 1024);
	/* 810 modules, of at least a page of code and one of tables each: 6.6 MB; what they share may get a large page,
	 * or two. The sanitizer keeps what was freed. */
	if (counts)
		EXPECT(grown * page < 6 << 20);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(modules_come_and_go_without_growth)
{
	expect_no_growth(NULL, "");
}

TEST(modules_with_debug_information_come_and_go_without_growth)
{
	expect_no_growth(&(CircJitOptions){.debug = true}, " with debug information");
}

TEST(modules_that_are_compiled_when_they_are_called_come_and_go_without_growth)
{
	expect_no_growth(&when_called, " that are compiled when they are called");
}

static const char identity[] = "cir.func @identity(%x: !cir.int<s, 32>) -> !cir.int<s, 32> {\n"
                               "  cir.return %x : !cir.int<s, 32>\n"
                               "}\n";

/* gdb's JIT interface: what a debugger that attaches now would read. */
typedef struct DebugEntry {
	struct DebugEntry *next, *prev;
	const char *object;
	uint64_t size;
} DebugEntry;

/* How many objects there are; each must still be one. */
static int registered_objects(void)
{
	struct {
		uint32_t version, action;
		DebugEntry *relevant, *first;
	} *descriptor = dlsym(RTLD_DEFAULT, "__jit_debug_descriptor");
	int n = 0;
	if (!EXPECT(descriptor != NULL))
		return -1;
	for (const DebugEntry *e = descriptor->first; e; e = e->next, n++)
		EXPECT(e->size > 4 && memcmp(e->object, "\177ELF", 4) == 0);
	return n;
}

TEST(debuggers_are_told_when_code_goes)
{
	Heard h = {.errors = 0};
	int before = registered_objects();
	CircJit *jit = circ_jit_create(&(CircJitOptions){.debug = true}, hear, &h);
	CircJitModule *removed = add(jit, throws, &h);
	add(jit, identity, &h);
	EXPECT_EQ(registered_objects(), before);
	EXPECT_EQ(call(jit, "thrown", 1), 1);
	EXPECT_EQ(call(jit, "identity", 2), 2);
	EXPECT_EQ(registered_objects(), before + 2);
	EXPECT(circ_jit_remove_module(jit, removed));
	EXPECT_EQ(registered_objects(), before + 1);
	EXPECT_EQ(call(jit, "identity", 3), 3);
	circ_jit_destroy(jit);
	EXPECT_EQ(registered_objects(), before);
	EXPECT_STR(h.text, "");
}

/* Who uses whom */

static const char defines_two[] = "cir.func @two() -> !s32i {\n"
                                  "  %c = cir.const #cir.int<2> : !s32i\n"
                                  "  cir.return %c : !s32i\n"
                                  "}\n"
                                  "!s32i = !cir.int<s, 32>\n";
static const char uses_two[] = "cir.func private @two() -> !s32i\n"
                               "cir.func @use(%x: !s32i) -> !s32i {\n"
                               "  %c = cir.call @two() : () -> !s32i\n"
                               "  %r = cir.mul nsw %x, %c : !s32i\n"
                               "  cir.return %r : !s32i\n"
                               "}\n"
                               "!s32i = !cir.int<s, 32>\n";

TEST(a_module_that_another_one_uses_stays)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	CircJitModule *two = add(jit, defines_two, &h), *use = add(jit, uses_two, &h);
	Function *f = find(jit, "use");
	EXPECT(!circ_jit_remove_module(jit, two));
	EXPECT_REFUSED(&h, "module cannot be removed: another module uses its 'two'");
	if (EXPECT(f != NULL))
		EXPECT_EQ(f(21), 42);
	EXPECT(circ_jit_remove_module(jit, use));
	EXPECT(circ_jit_remove_module(jit, two));
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

/* Each has a pointer to the personality function and, since its cleanup may throw, a
 * __clang_call_terminate: linkers share both. */
static CircJitModule *add_terminating(CircJit *jit, const char *name, Heard *h)
{
	char text[sizeof throws + 512], *at;
	snprintf(text, sizeof text,
	         "%scir.func private @identity(!s32i) -> !s32i\n"
	         "cir.func @%s_cleans(%%x: !s32i) -> !s32i {\n"
	         "  cir.cleanup.scope {\n"
	         "    %%c = cir.call @thrown(%%x) : (!s32i) -> !s32i\n"
	         "    cir.yield\n"
	         "  } cleanup all {\n"
	         "    %%c = cir.call @identity(%%x) : (!s32i) -> !s32i\n"
	         "    cir.yield\n"
	         "  }\n"
	         "  cir.return %%x : !s32i\n"
	         "}\n",
	         throws, name);
	while ((at = strstr(text, "@thrown")))
		memcpy(at + 1, name, strlen("thrown"));
	return add(jit, text, h);
}

TEST(modules_that_throw_do_not_need_each_other)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	EXPECT(circ_jit_add_symbol(jit, "identity", as_address(note)));
	CircJitModule *first = add_terminating(jit, "first_", &h),
	              *second = add_terminating(jit, "second", &h);
	EXPECT_EQ(call(jit, "first_", 1), 1);
	EXPECT(circ_jit_remove_module(jit, first));
	EXPECT_EQ(call(jit, "second", 2), 2);
	EXPECT_EQ(call(jit, "second_cleans", 3), 3);
	EXPECT_TRACE(" 3");
	EXPECT(circ_jit_remove_module(jit, second));
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(a_module_that_waits_does_not_keep_what_it_would_use)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	CircJitModule *two = add(jit, defines_two, &h), *use = add(jit, uses_two, &h);
	EXPECT(circ_jit_remove_module(jit, two));
	EXPECT(circ_jit_lookup(jit, "use") == NULL);
	EXPECT_CONTAINS(h.text, "symbol 'two' is not defined by any module, loaded library or the process");
	forget(&h);
	EXPECT(circ_jit_remove_module(jit, use));
	EXPECT(add(jit, defines_two, &h) != NULL);
	EXPECT(circ_jit_lookup(jit, "two") != NULL);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(an_inline_function_stays_while_another_module_shares_it)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	CircJitModule *first = add_sharing(jit, 1, "linkonce_odr", &h);
	CircJitModule *second = add_sharing(jit, 2, "linkonce_odr", &h);
	EXPECT_EQ(call(jit, "call1", 0), 1);
	EXPECT_EQ(call(jit, "call2", 0), 1);
	EXPECT(!circ_jit_remove_module(jit, first));
	EXPECT_REFUSED(&h, "module cannot be removed: another module uses its 'shared'");
	EXPECT_EQ(call(jit, "call2", 0), 1);
	EXPECT(circ_jit_remove_module(jit, second));
	EXPECT(circ_jit_remove_module(jit, first));
	EXPECT(add_sharing(jit, 3, "linkonce_odr", &h) != NULL);
	EXPECT_EQ(call(jit, "call3", 0), 3);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

/* The frame table of the second module loses its first entry, whose size leaves the next one unaligned. */
TEST(an_exception_is_caught_behind_an_inline_function_that_gave_way)
{
	static const char shared[] = "cir.func no_inline linkonce_odr comdat @shared(%x: !s32i) -> !s32i {\n"
	                             "  cir.return %x : !s32i\n"
	                             "}\n";
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(&(CircJitOptions){.opt = '2'}, hear, &h);
	char text[sizeof shared + sizeof throws + 512], *at;
	snprintf(text, sizeof text,
	         "%s%scir.func @shares(%%x: !s32i) -> !s32i {\n"
	         "  %%c = cir.call @shared(%%x) : (!s32i) -> !s32i\n"
	         "  %%d = cir.call @thrown(%%c) : (!s32i) -> !s32i\n"
	         "  cir.return %%d : !s32i\n"
	         "}\n",
	         shared, throws);
	add(jit, text, &h);
	while ((at = strstr(text, "@thrown")))
		memcpy(at, "@caught", strlen("@caught"));
	memcpy(strstr(text, "@shares"), "@second", strlen("@second"));
	add(jit, text, &h);
	EXPECT_EQ(call(jit, "shares", 1), 1);
	EXPECT_EQ(call(jit, "second", 2), 2);
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(a_strong_definition_counts_until_a_weak_one_is_linked)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(NULL, hear, &h);
	CircJitModule *weak = add_sharing(jit, 1, "weak", &h), *strong = add_sharing(jit, 2, "external", &h);
	EXPECT_EQ(call(jit, "call1", 0), 2);
	EXPECT_EQ(call(jit, "call2", 0), 2);
	EXPECT(!circ_jit_remove_module(jit, strong));
	EXPECT_REFUSED(&h, "module cannot be removed: another module uses its 'shared'");
	EXPECT(circ_jit_remove_module(jit, weak));
	EXPECT(circ_jit_remove_module(jit, strong));
	EXPECT(add_sharing(jit, 1, "weak", &h) != NULL);
	EXPECT_EQ(call(jit, "call1", 0), 1);
	EXPECT(add_sharing(jit, 2, "external", &h) == NULL);
	EXPECT_REFUSED(&h, "'shared' is already defined in another module of the JIT");
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(a_name_from_outside_is_not_defined_by_a_module)
{
	Heard h = {.errors = 0};
	CircJit *jit = jit_with_note(&h);
	EXPECT(add(jit,
	           "cir.func @note(%x: !cir.int<s, 32>) -> !cir.int<s, 32> {\n"
	           "  cir.return %x : !cir.int<s, 32>\n"
	           "}\n",
	           &h) == NULL);
	EXPECT_REFUSED(&h, "'note' is already defined outside of the JIT's modules");
	circ_jit_destroy(jit);
}

/* Threads */

static void *throw_and_catch(void *thrown)
{
	for (int i = 0; i < 200; i++)
		if (as_function(thrown)(i) != i)
			return thrown;
	return NULL;
}

static void throw_while_modules_come_and_go(const CircJitOptions *options)
{
	Heard h = {.errors = 0};
	CircJit *jit = circ_jit_create(options, hear, &h);
	pthread_t threads[3];
	add(jit, throws, &h);
	void *thrown = circ_jit_lookup(jit, "thrown"), *failed;
	if (!EXPECT(thrown != NULL))
		return;
	for (int i = 0; i < 3; i++)
		EXPECT(pthread_create(&threads[i], NULL, throw_and_catch, thrown) == 0);
	char others[sizeof throws];
	memcpy(others, throws, sizeof throws);
	memcpy(strstr(others, "@thrown"), "@passed", strlen("@passed"));
	for (int i = 0; i < 10; i++) {
		CircJitModule *m = add(jit, others, &h);
		EXPECT_EQ(call(jit, "passed", i), i);
		EXPECT(circ_jit_remove_module(jit, m));
	}
	for (int i = 0; i < 3; i++) {
		pthread_join(threads[i], &failed);
		EXPECT(failed == NULL);
	}
	circ_jit_destroy(jit);
	EXPECT_STR(h.text, "");
}

TEST(threads_throw_while_modules_come_and_go)
{
	throw_while_modules_come_and_go(NULL);
}

TEST(threads_throw_while_modules_that_are_compiled_when_they_are_called_come_and_go)
{
	throw_while_modules_come_and_go(&when_called);
}
