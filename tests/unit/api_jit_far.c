/* The public interface: what a process loads lies anywhere in it, farther away than a relative address of 32 bits reaches. */
#include "api_jit_lazy.h"

#include <sys/mman.h>

#ifdef __x86_64__

/* What is mapped afterwards lies at least 4 GiB below: the room between is taken, and so are small holes above it. */
typedef struct Gap {
	char *room, *holes[1000];
	int nholes;
} Gap;

static const size_t room = (size_t)4 << 30;

static char *take(size_t size)
{
	void *taken = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	EXPECT(taken != MAP_FAILED);
	return taken;
}

static Gap leave_a_gap(void)
{
	Gap gap = {.room = take(room)};
	do
		gap.holes[gap.nholes] = take(1);
	while (gap.holes[gap.nholes++] > gap.room && gap.nholes < 1000);
	return gap;
}

static void close_gap(const Gap *gap)
{
	munmap(gap->room, room);
	for (int i = 0; i < gap->nholes; i++)
		munmap(gap->holes[i], 1);
}

static CircJit *open_far(Heard *h, char opt, bool lazy)
{
	return circ_jit_create(&(CircJitOptions){.opt = opt, .lazy = lazy, .lazy_ops = 1}, hear, h);
}

/* Defines @NAME(x), which adds x to the variable @counter and returns the sum. The variable is declared as it is given. */
static CircJitModule *add_counting(CircJit *jit, const char *name, const char *counter, Heard *h)
{
	char text[1024];
	snprintf(text, sizeof text,
	         "!s32i = !cir.int<s, 32>\n"
	         "cir.global %s\n"
	         "cir.func @%s(%%x: !s32i) -> !s32i {\n"
	         "  %%p = cir.get_global @counter : !cir.ptr<!s32i>\n"
	         "  %%v = cir.load %%p : !cir.ptr<!s32i>, !s32i\n"
	         "  %%w = cir.add nsw %%v, %%x : !s32i\n"
	         "  cir.store %%w, %%p : !s32i, !cir.ptr<!s32i>\n"
	         "  cir.return %%w : !s32i\n"
	         "}\n",
	         counter, name);
	return add(jit, text, h);
}

TEST(a_function_that_is_compiled_when_it_is_called_finds_the_variables_of_its_module)
{
	static const char *const counters[] = {
	    "external @counter = #cir.int<0> : !s32i",
	    "external dso_local @counter = #cir.int<0> : !s32i",
	    "\"private\" internal @counter = #cir.int<0> : !s32i",
	    "hidden external @counter = #cir.int<0> : !s32i",
	    "linkonce_odr comdat @counter = #cir.int<0> : !s32i",
	};
	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
		Heard h = {.errors = 0};
		CircJit *jit = open_far(&h, i % 2 ? '0' : '2', true);
		add_counting(jit, "count", counters[i], &h);
		Function *count = find(jit, "count");
		Gap gap = leave_a_gap();
		EXPECT_EQ(count(2), 2);
		EXPECT_EQ(count(3), 5);
		circ_jit_destroy(jit);
		close_gap(&gap);
		EXPECT_STR(h.text, "");
	}
}

TEST(a_module_finds_the_variables_of_another_that_are_called_near)
{
	static const char *const declarations[] = {
	    "\"private\" external dso_local @counter : !s32i",
	    "\"private\" hidden external @counter : !s32i",
	    "\"private\" extern_weak @counter : !s32i",
	    "linkonce_odr comdat @counter = #cir.int<0> : !s32i",
	    "weak_odr @counter = #cir.int<0> : !s32i",
	    "available_externally @counter = #cir.int<0> : !s32i",
	};
	for (size_t i = 0; i < 4 * sizeof declarations / sizeof *declarations; i++) {
		Heard h = {.errors = 0};
		CircJit *jit = open_far(&h, i & 1 ? '0' : '2', i & 2);
		add_counting(jit, "first", "external @counter = #cir.int<0> : !s32i", &h);
		EXPECT_EQ(find(jit, "first")(1), 1);
		Gap gap = leave_a_gap();
		add_counting(jit, "second", declarations[i / 4], &h);
		EXPECT_EQ(find(jit, "second")(2), 3);
		EXPECT_EQ(find(jit, "first")(3), 6);
		circ_jit_destroy(jit);
		close_gap(&gap);
		EXPECT_STR(h.text, "");
	}
}

TEST(a_module_finds_the_variables_of_the_process)
{
	Heard h = {.errors = 0};
	CircJit *jit = open_far(&h, '0', false);
	Gap gap = leave_a_gap();
	int counter = 40;
	EXPECT(circ_jit_add_symbol(jit, "counter", &counter));
	add_counting(jit, "count", "\"private\" external dso_local @counter : !s32i", &h);
	EXPECT_EQ(find(jit, "count")(2), 42);
	circ_jit_destroy(jit);
	close_gap(&gap);
	EXPECT_STR(h.text, "");
}

TEST(functions_that_lie_far_apart_call_and_unwind_each_other)
{
	for (const char *opt = "02"; *opt; opt++) {
		Heard h = {.errors = 0};
		CircJit *jit = open_far(&h, *opt, true);
		add(jit, passes, &h);
		Function *outer = find(jit, "outer");
		Gap gap = leave_a_gap();
		EXPECT_EQ(find(jit, "twice")(2), 4);
		EXPECT_EQ(outer(21), 42);
		circ_jit_destroy(jit);
		close_gap(&gap);
		EXPECT_STR(h.text, "");
	}
}

#endif
