/* ir/try.h: which region of a cir.try is what, also where its attributes do not fit its regions; ir/eh_runtime.h. */
#include "ir/build.h"
#include "ir/eh_runtime.h"
#include "ir/try.h"
#include "test.h"

static IrOp *make_try(IrModule *m, const unsigned *words, uint32_t n, uint32_t nregions, bool finally)
{
	const IrAttr *uses[4];
	IrOp *op = ir_op_create(m, &(IrOpSpec){.kind = OP_TRY, .nregions = nregions});
	for (uint32_t i = 0; i < n; i++)
		uses[i] = ir_attr_enum(m, ENUM_HANDLER, words[i]);
	if (n)
		ir_op_set_attr(m, op, ir_known_name(m, NAME_handler_types), ir_attr_array(m, uses, n));
	if (finally)
		ir_set_flag(m, op, NAME_finally);
	return op;
}

static uint32_t number(const IrOp *op, const IrRegion *r)
{
	return r ? (uint32_t)(r - op->regions) : 0;
}

TEST(a_when_has_two_regions)
{
	static const unsigned words[] = {HANDLER_WHEN, HANDLER_ALL, HANDLER_WHEN, HANDLER_UNWIND};
	static const uint32_t filters[] = {1, 0, 4, 0}, regions[] = {2, 3, 5, 6};
	static const TryHandlerKind kinds[] = {TRY_WHEN, TRY_ALL, TRY_WHEN, TRY_UNWIND};
	static const TryRole roles[] = {TRY_ROLE_BODY,    TRY_ROLE_FILTER, TRY_ROLE_HANDLER,
	                                TRY_ROLE_HANDLER, TRY_ROLE_FILTER, TRY_ROLE_HANDLER,
	                                TRY_ROLE_HANDLER, TRY_ROLE_FINALLY};
	IrModule *m = ir_module_create();
	IrOp *op = make_try(m, words, 4, 8, true);
	TryHandler h;
	uint32_t n = 0;
	EXPECT(ir_try_is_whole(op));
	EXPECT_EQ(ir_try_nhandlers(op), 4);
	IR_FOR_HANDLERS(&h, op)
	{
		EXPECT_EQ(h.index, n);
		EXPECT_EQ(h.kind, kinds[n]);
		EXPECT_EQ(number(op, h.filter), filters[n]);
		EXPECT_EQ(number(op, h.region), regions[n]);
		n++;
	}
	EXPECT_EQ(n, 4);
	EXPECT_EQ(number(op, ir_try_finally(op)), 7);
	for (uint32_t i = 0; i < 8; i++)
		EXPECT_EQ(ir_try_role(&op->regions[i], &h), roles[i]);
	ir_module_destroy(m);
}

TEST(without_a_when_the_place_tells)
{
	static const unsigned words[] = {HANDLER_ALL};
	IrModule *m = ir_module_create();
	IrOp *op = make_try(m, words, 1, 3, true), *bare = make_try(m, NULL, 0, 1, false);
	TryHandler h;
	EXPECT_EQ(ir_try_role(&op->regions[1], &h), TRY_ROLE_HANDLER);
	EXPECT_EQ(h.kind, TRY_ALL);
	EXPECT_EQ(ir_try_role(&op->regions[2], &h), TRY_ROLE_FINALLY);
	EXPECT(ir_try_is_whole(bare) && !ir_try_first(bare, &h) && !ir_try_finally(bare));
	EXPECT_EQ(ir_try_role(&m->body, &h), TRY_ROLE_NONE);
	ir_module_destroy(m);
}

TEST(regions_that_are_not_there)
{
	static const unsigned words[] = {HANDLER_ALL, HANDLER_WHEN};
	IrModule *m = ir_module_create();
	for (uint32_t nregions = 1; nregions < 5; nregions++) {
		IrOp *op = make_try(m, words, 2, nregions, true);
		TryHandler h;
		EXPECT(!ir_try_is_whole(op));
		IR_FOR_HANDLERS(&h, op)
		EXPECT(number(op, h.region) < nregions);
		for (uint32_t i = 0; i < nregions; i++)
			if (ir_try_role(&op->regions[i], &h) == TRY_ROLE_HANDLER)
				EXPECT(h.region == &op->regions[i]);
	}
	ir_module_destroy(m);
}

static EhRuntime runtime(IrModule *m, const char *personality)
{
	IrOp *func =
	    ir_func_create(m, ir_free_name(m, STR("f")), ir_type_func(m, NULL, 0, NULL, false), (Loc){0});
	if (personality)
		ir_op_set_attr(m, func, ir_known_name(m, NAME_personality),
		               ir_attr_symbol(m, ir_name(m, str_of(personality))));
	return ir_func_eh_runtime(m, func);
}

TEST(whose_exceptions_a_function_has)
{
	IrModule *m = ir_module_create();
	EXPECT_EQ(runtime(m, NULL), EH_RUNTIME_CXX);
	EXPECT_EQ(runtime(m, "__gxx_personality_v0"), EH_RUNTIME_CXX);
	EXPECT_EQ(runtime(m, "__circ_personality_v0"), EH_RUNTIME_CIRC);
	ir_module_set_attr(m, ir_known_name(m, NAME_circ_eh_runtime), ir_attr_string(m, STR("circ")));
	EXPECT_EQ(runtime(m, NULL), EH_RUNTIME_CIRC);
	EXPECT_EQ(runtime(m, "__circ_personality_seh0"), EH_RUNTIME_CIRC);
	EXPECT_EQ(runtime(m, "__gxx_personality_v0"), EH_RUNTIME_CXX);
	ir_module_destroy(m);
}

TEST(the_number_of_a_language)
{
	IrModule *m = ir_module_create();
	Name *name = ir_known_name(m, NAME_circ_eh_language);
	uint32_t n = 7;
	EXPECT(ir_module_eh_language(m, &n));
	EXPECT_EQ(n, 0);
	ir_module_set_attr(m, name, ir_attr_i64(m, UINT32_MAX));
	EXPECT(ir_module_eh_language(m, &n));
	EXPECT_EQ(n, UINT32_MAX);
	ir_module_set_attr(m, name, ir_attr_i64(m, (int64_t)UINT32_MAX + 1));
	EXPECT(!ir_module_eh_language(m, &n));
	ir_module_set_attr(m, name, ir_attr_i64(m, -1));
	EXPECT(!ir_module_eh_language(m, &n));
	ir_module_set_attr(m, name, ir_attr_string(m, STR("7")));
	EXPECT(!ir_module_eh_language(m, &n));
	ir_module_destroy(m);
}
