/* ops, uses, edges, blocks, symbols */
#include "ir/build.h"
#include "test.h"
#include "text/format.h"

typedef struct Fixture {
	IrModule *m;
	IrOp *func;
	IrBlock *entry;
	IrBuilder b;
} Fixture;

static Fixture begin(void)
{
	Fixture f = {.m = ir_module_create()};
	IrType *params[] = {f.m->s32, f.m->s32};
	f.func = ir_func_create(f.m, ir_name(f.m, STR("f")), ir_type_func(f.m, params, 2, f.m->s32, false),
	                        (Loc){0});
	f.entry = ir_func_add_entry(f.m, f.func);
	f.b = ir_at_end(f.m, f.entry, (Loc){0});
	return f;
}

static unsigned count_uses(const IrValue *v)
{
	unsigned n = 0;
	IR_FOR_USES (u, v)
		n++;
	return n;
}

static unsigned count_preds(const IrBlock *b)
{
	unsigned n = 0;
	IR_FOR_PREDS(s, b)
	n++;
	return n;
}

TEST(every_mnemonic_is_found_and_every_format_is_well_formed)
{
	IrModule *m = ir_module_create();
	for (unsigned k = 0; k < OP_COUNT; k++) {
		EXPECT_EQ(op_find(str_of(op_info[k].name)), k);
		EXPECT(format_cut(m, &m->arena, op_info[k].format) != NULL);
	}
	EXPECT_EQ(op_find(STR("cir.nonsense")), OP_COUNT);
	ir_module_destroy(m);
}

TEST(operands_are_uses_of_their_values)
{
	Fixture f = begin();
	IrValue *a = f.entry->args[0], *b = f.entry->args[1];
	IrValue *both[] = {a, a};
	IrOp *add = ir_build(&f.b, OP_ADD, f.m->s32, both, 2);
	EXPECT_EQ(count_uses(a), 2);
	ir_set_operand(add, 1, b);
	EXPECT_EQ(count_uses(a), 1);
	EXPECT_EQ(count_uses(b), 1);
	ir_value_replace(a, b);
	EXPECT_EQ(count_uses(a), 0);
	EXPECT_EQ(count_uses(b), 2);
	EXPECT(ir_operand(add, 0) == b);
	ir_op_erase(add);
	EXPECT_EQ(count_uses(b), 0);
	EXPECT(f.entry->first == NULL);
	ir_module_destroy(f.m);
}

TEST(edges_know_their_blocks_and_arguments)
{
	Fixture f = begin();
	IrValue *a = f.entry->args[0], *b = f.entry->args[1];
	IrBlock *left = ir_block_create(f.m, (Loc){0}), *right = ir_block_create(f.m, (Loc){0});
	ir_block_append(&f.func->regions[0], left);
	ir_block_append(&f.func->regions[0], right);
	IrValue *cond = ir_build_cmp(&f.b, CMP_LT, a, b);
	IrValue *pair[] = {a, b};
	IrOp *br = ir_build_brcond(&f.b, cond, (IrSuccSpec){left, pair, 2}, (IrSuccSpec){right, &b, 1});
	EXPECT_EQ(ir_op_nmain(br), 1);
	EXPECT_EQ(count_preds(left), 1);
	EXPECT(ir_succ_arg(&br->succs[0], 1) == b);
	EXPECT(ir_succ_arg(&br->succs[1], 0) == b);

	ir_succ_set_args(f.m, br, 0, &b, 1); /* the arguments of the other edge move */
	EXPECT_EQ(br->noperands, 3);
	EXPECT(ir_succ_arg(&br->succs[0], 0) == b);
	EXPECT(ir_succ_arg(&br->succs[1], 0) == b);
	EXPECT(ir_operand(br, 0) == cond);

	ir_succ_set_dest(&br->succs[0], right);
	EXPECT_EQ(count_preds(left), 0);
	EXPECT_EQ(count_preds(right), 2);

	ir_op_set_main_operands(f.m, br, NULL, 0);
	EXPECT_EQ(ir_op_nmain(br), 0);
	EXPECT(ir_succ_arg(&br->succs[1], 0) == b);
	EXPECT_EQ(count_uses(cond), 0);
	ir_op_erase(br);
	EXPECT_EQ(count_preds(right), 0);
	ir_module_destroy(f.m);
}

TEST(block_arguments_come_and_go)
{
	Fixture f = begin();
	IrBlock *b = ir_block_create(f.m, (Loc){0});
	for (uint32_t i = 0; i < 9; i++)
		ir_block_add_arg(f.m, b, i % 2 ? f.m->s32 : f.m->u64);
	IrValue *last = b->args[8];
	ir_block_remove_arg(b, 3);
	EXPECT_EQ(b->nargs, 8);
	EXPECT(b->args[7] == last);
	EXPECT_EQ(last->index, 7);
	ir_module_destroy(f.m);
}

TEST(attributes_are_set_replaced_and_removed)
{
	Fixture f = begin();
	IrOp *op = ir_build(&f.b, OP_UNREACHABLE, NULL, NULL, 0);
	Name *align = ir_known_name(f.m, NAME_alignment), *name = ir_known_name(f.m, NAME_name);
	ir_op_set_attr(f.m, op, align, ir_attr_i64(f.m, 4));
	ir_op_set_attr(f.m, op, name, ir_attr_string(f.m, STR("x")));
	ir_op_set_attr(f.m, op, align, ir_attr_i64(f.m, 8));
	EXPECT_EQ(op->nattrs, 2);
	EXPECT_EQ(ir_op_uint(op, NAME_alignment, 0), 8);
	ir_op_set_attr(f.m, op, align, NULL);
	EXPECT_EQ(op->nattrs, 1);
	EXPECT_EQ(ir_op_uint(op, NAME_alignment, 7), 7);
	EXPECT(ir_op_has(op, NAME_name));
	ir_module_destroy(f.m);
}

TEST(a_symbol_is_defined_once)
{
	Fixture f = begin();
	EXPECT(ir_symbol(ir_name(f.m, STR("f"))) == f.func);
	EXPECT(!ir_symbol_define(f.func));
	EXPECT(ir_func_declare(f.m, STR("f"), ir_func_type(f.func)) == f.func);
	ir_op_erase(f.func);
	EXPECT(ir_symbol(ir_name(f.m, STR("f"))) == NULL);
	ir_module_destroy(f.m);
}

TEST(what_cannot_throw_is_known)
{
	Fixture f = begin();
	IrType *type = ir_type_func(f.m, NULL, 0, NULL, false);
	IrOp *quiet = ir_func_declare(f.m, STR("quiet"), type);
	ir_set_flag(f.m, quiet, NAME_nothrow);
	ir_func_declare(f.m, STR("loud"), type);
	IrOp *a = ir_build_call(&f.b, ir_name(f.m, STR("quiet")), NULL, NULL, 0);
	IrOp *b = ir_build_call(&f.b, ir_name(f.m, STR("loud")), NULL, NULL, 0);
	EXPECT(!ir_op_may_throw(a));
	EXPECT(ir_op_may_throw(b));
	ir_set_flag(f.m, b, NAME_nothrow);
	EXPECT(!ir_op_may_throw(b));
	EXPECT(!ir_op_may_throw(ir_build_br(&f.b, f.entry, NULL, 0)));
	ir_module_destroy(f.m);
}

TEST(an_op_gets_more_regions)
{
	Fixture f = begin();
	IrOp *op = ir_build_regions(&f.b, OP_TRY, NULL, NULL, 1);
	IrBlock *body = ir_block_create(f.m, (Loc){0});
	ir_block_append(&op->regions[0], body);
	for (uint32_t n = 2; n < 40; n += 2) {
		ir_op_add_regions(f.m, op, n == 2 ? 1 : 2);
		EXPECT_EQ(op->nregions, n);
		EXPECT(op->regions[0].first == body && body->region == &op->regions[0]);
		for (uint32_t i = 0; i < n; i++)
			EXPECT(op->regions[i].op == op && (i == 0 || !op->regions[i].first));
	}
	EXPECT(ir_op_parent(ir_build(&(IrBuilder){.m = f.m, .block = body}, OP_YIELD, NULL, NULL, 0)) == op);
	ir_module_destroy(f.m);
}

TEST(walking_visits_every_op_once_outer_first)
{
	Fixture f = begin();
	ir_build_const_int(&f.b, f.m->s32, 1);
	IrBlock *empty = ir_block_create(f.m, (Loc){0}), *last = ir_block_create(f.m, (Loc){0});
	ir_block_append(&f.func->regions[0], empty);
	ir_block_append(&f.func->regions[0], last);
	IrBuilder at = ir_at_end(f.m, last, (Loc){0});
	ir_build(&at, OP_UNREACHABLE, NULL, NULL, 0);
	ir_func_declare(f.m, STR("g"), ir_func_type(f.func));
	const OpKind expected[] = {OP_FUNC, OP_CONST, OP_UNREACHABLE, OP_FUNC};
	unsigned n = 0;
	for (IrOp *op = ir_walk_first(&f.m->body); op; op = ir_walk_next(op, &f.m->body), n++)
		EXPECT(n < ARRAY_LEN(expected) && op->kind == expected[n]);
	EXPECT_EQ(n, ARRAY_LEN(expected));
	ir_module_destroy(f.m);
}

TEST(the_stage_is_what_all_ops_admit)
{
	Fixture f = begin();
	ir_build_br(&f.b, f.entry, NULL, 0);
	EXPECT_EQ(ir_module_stage(f.m), STAGE_FLAT);
	IrOp *landing = ir_op_create(f.m, &(IrOpSpec){.kind = OP_EH_INFLIGHT});
	ir_op_append(f.entry, landing);
	EXPECT_EQ(ir_module_stage(f.m), STAGE_ITANIUM);
	ir_module_destroy(f.m);
}
