/* How a large module is divided into parts. */
#include "test.h"

#include "lower/split.h"
#include "text/parse.h"

enum { FUNCTIONS = 1000, OPS_OF_ONE = 2, OPS = 100 };

/* Functions of one op each, which weigh two. */
static IrModule *module_of(unsigned functions)
{
	Diags d;
	StrBuf text = {0};
	Arena mem;
	arena_init(&mem);
	diag_init(&d, NULL, NULL);
	for (unsigned i = 0; i < functions; i++)
		buf_printf(&mem, &text, "cir.func @f%u() {\n  cir.return\n}\n", i);
	IrModule *m = ir_module_create();
	EXPECT(text_parse(m, "test.cir", (Str){text.data, text.len}, &d));
	m->source.text = (Str){0};
	arena_free(&mem);
	return m;
}

TEST(parts_get_smaller_towards_the_end)
{
	IrModule *m = module_of(FUNCTIONS);
	LowerSplit split = lower_split(m, SPLIT_ANYWHERE, OPS, &m->scratch);
	uint32_t size[SPLIT_PARTS_MAX] = {0}, last = 0;
	if (EXPECT(split.nparts > 1 && split.nparts <= SPLIT_PARTS_MAX)) {
		IR_FOR_OPS (op, ir_module_block(m)) {
			uint32_t part = split.part[ir_symbol_name(op)->id];
			EXPECT(part == last || part == last + 1); /* stretches of the module */
			last = part;
			size[part] += OPS_OF_ONE;
		}
		EXPECT_EQ(last + 1, split.nparts);
		EXPECT_EQ(size[0], OPS);
		for (uint32_t i = 1; i + 1 < split.nparts; i++)
			EXPECT(size[i] && size[i] <= size[i - 1]);
		EXPECT(size[last] <= OPS / 4 + OPS_OF_ONE);
	}
	ir_module_destroy(m);
}

static void expect_bounded(SplitRule rule)
{
	for (unsigned functions = 1; functions <= FUNCTIONS; functions += 41) {
		IrModule *m = module_of(functions);
		EXPECT(lower_split(m, rule, 1, &m->scratch).nparts <= SPLIT_PARTS_MAX);
		ir_module_destroy(m);
	}
}

TEST(there_are_never_more_parts_than_allowed)
{
	expect_bounded(SPLIT_ANYWHERE);
	expect_bounded(SPLIT_CLOSED);
}

TEST(a_small_module_stays_whole)
{
	IrModule *m = module_of(OPS / OPS_OF_ONE);
	EXPECT_EQ(lower_split(m, SPLIT_ANYWHERE, OPS, &m->scratch).nparts, 0);
	ir_module_destroy(m);
}
