/* Parts that are compiled when they are called, with a compiler of the test's own. */
#include "test.h"

#include "jit/internal.h"

#include <stdlib.h>

#ifdef __x86_64__

static unsigned compiled[2]; /* by part: how often it was asked for */

/* Part 0 is an object that nobody asks anything of; the other cannot be compiled. */
static bool compile(void *user, uint32_t part, EmitImage *image, Diags *d)
{
	static const LazyFunction none = {.name = "nobody.calls"};
	(void)user;
	compiled[part]++;
	if (part) {
		diag_failure(d, "not today");
		return false;
	}
	image->bytes = jit_stubs_object(&none, 1, "no.slots");
	image->allocated = (char *)(uintptr_t)image->bytes.data;
	return image->allocated != NULL;
}

static void drop(void *user)
{
	(void)user;
}

TEST(what_could_not_be_compiled_is_not_tried_again_until_something_is_added)
{
	static const LazyFunction f = {.name = "f", .part = 1};
	Diags d;
	diag_init(&d, NULL, NULL);
	JitParts parts = {.compile = compile, .drop = drop, .d = &d};
	Jit *j = jit_create(false, &d);
	if (!EXPECT(j != NULL))
		return;
	EXPECT(jit_end_lazily(jit_begin_module(j, &d), &parts, &f, 1, &d) != NULL);
	EXPECT(jit_lookup(j, "f", &d) != NULL);
	EXPECT_EQ(compiled[0], 1);
	EXPECT_EQ(compiled[1], 0);
	for (int i = 0; i < 3; i++)
		jit_compile_waiting(j, true);
	EXPECT_EQ(compiled[1], 1);
	EXPECT(jit_add_symbol(j, "new", &d, &d));
	for (int i = 0; i < 3; i++)
		jit_compile_waiting(j, true);
	EXPECT_EQ(compiled[1], 2);
	EXPECT(jit_lookup(j, "f", &d) != NULL);
	jit_destroy(j);
	EXPECT_EQ(d.errors, 0);
}

#endif
