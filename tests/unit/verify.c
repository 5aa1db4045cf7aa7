/* The verifier on what text cannot say, and at sizes and depths that text would make slow to write. Its
 * rules, one by one, are in tests/ir/verify. */
#include "test.h"

#include "base/vec.h"
#include "ir/build.h"
#include "ir/constraint.h"
#include "ir/dominance.h"
#include "verify/verify.h"

#include <stdlib.h>

typedef struct Fixture {
	IrModule *m;
	Diags d;
	char first[512]; /* text of the first error */
} Fixture;

static void remember(const CircDiagnostic *d, void *user)
{
	Fixture *f = user;
	if (d->severity == CIRC_ERROR && !f->first[0])
		snprintf(f->first, sizeof f->first, "%s", d->message);
}

static void begin(Fixture *f)
{
	*f = (Fixture){.m = ir_module_create()};
	diag_init(&f->d, remember, f);
}

static void end(Fixture *f)
{
	ir_module_destroy(f->m);
}

static IrOp *new_func(Fixture *f, const char *name, IrType *const *params, uint32_t n)
{
	IrType *t = ir_type_func(f->m, params, n, ir_type_simple(f->m, TYPE_VOID), false);
	IrOp *func = ir_func_create(f->m, ir_name(f->m, str_of(name)), t, (Loc){0});
	ir_func_add_entry(f->m, func);
	return func;
}

static IrBuilder body_of(Fixture *f, IrOp *func)
{
	return ir_at_end(f->m, func->regions[0].first, (Loc){0});
}

TEST(every_row_can_be_cut)
{
	Fixture f;
	begin(&f);
	for (unsigned k = 0; k < OP_COUNT; k++)
		EXPECT(shape_of(f.m, (OpKind)k) == shape_of(f.m, (OpKind)k)); /* cut once */
	EXPECT_EQ(shape_of(f.m, OP_ADD)->noperands, 2);
	EXPECT(shape_of(f.m, OP_ADD)->same_types);
	EXPECT(!shape_of(f.m, OP_SELECT)->same_types);
	const OpShape *load = shape_of(f.m, OP_LOAD);
	EXPECT_EQ(load->nattrs, 7);
	EXPECT(!load->attrs[0].required);
	EXPECT(shape_of(f.m, OP_CAST)->attrs[0].required);
	end(&f);
}

TEST(wrong_counts_are_reported)
{
	Fixture f;
	begin(&f);
	IrBuilder b = body_of(&f, new_func(&f, "f", NULL, 0));
	IrValue *one = ir_build_const_int(&b, f.m->s32, 1);
	ir_build(&b, OP_ADD, f.m->s32, &one, 1);
	ir_build(&b, OP_RETURN, NULL, NULL, 0);
	EXPECT(!ir_verify(f.m, STAGE_FLAT, &f.d));
	EXPECT_STR(f.first, "'cir.add' op: expected 2 operands, found 1");
	EXPECT_EQ(f.d.errors, 1);
	end(&f);
}

TEST(a_missing_attribute_is_reported)
{
	Fixture f;
	begin(&f);
	IrBuilder b = body_of(&f, new_func(&f, "f", NULL, 0));
	IrValue *one = ir_build_const_int(&b, f.m->s32, 1);
	ir_build(&b, OP_CAST, f.m->u32, &one, 1);
	ir_build(&b, OP_RETURN, NULL, NULL, 0);
	EXPECT(!ir_verify(f.m, STAGE_FLAT, &f.d));
	EXPECT_STR(f.first, "'cir.cast' op requires attribute 'kind'");
	end(&f);
}

TEST(a_value_of_another_function_is_not_available)
{
	Fixture f;
	begin(&f);
	IrType *params[] = {f.m->s32};
	IrOp *first = new_func(&f, "first", params, 1), *second = new_func(&f, "second", NULL, 0);
	IrBuilder b = body_of(&f, first);
	ir_build(&b, OP_RETURN, NULL, NULL, 0);
	b = body_of(&f, second);
	ir_build(&b, OP_MINUS, f.m->s32, &first->regions[0].first->args[0], 1);
	ir_build(&b, OP_RETURN, NULL, NULL, 0);
	EXPECT(!ir_verify(f.m, STAGE_FLAT, &f.d));
	EXPECT_STR(f.first, "'cir.minus' op: operand #0 is not defined on every path to this use");
	end(&f);
}

TEST(an_op_outside_of_functions_is_reported)
{
	Fixture f;
	begin(&f);
	IrBuilder b = ir_at_end(f.m, ir_module_block(f.m), (Loc){0});
	ir_build_const_int(&b, f.m->s32, 1);
	EXPECT(!ir_verify(f.m, STAGE_FLAT, &f.d));
	EXPECT_STR(f.first, "'cir.const' op must be in a 'cir.func'");
	end(&f);
}

/* Flags that the reader drops */

static void expect_flag(bool is_signed, NameId flag, const char *text)
{
	Fixture f;
	begin(&f);
	IrType *t = ir_type_int(f.m, 32, is_signed, false);
	IrOp *func = new_func(&f, "f", &t, 1);
	IrBuilder b = body_of(&f, func);
	IrValue *x = func->regions[0].first->args[0], *operands[] = {x, x};
	IrOp *sum = ir_build(&b, OP_ADD, t, operands, 2);
	ir_op_set_attr(f.m, sum, ir_known_name(f.m, flag), ir_attr_unit(f.m));
	ir_build(&b, OP_RETURN, NULL, NULL, 0);
	EXPECT_EQ(ir_verify(f.m, STAGE_FLAT, &f.d), text[0] == 0);
	EXPECT_STR(f.first, text);
	end(&f);
}

TEST(wrap_flags_fit_the_sign)
{
	expect_flag(true, NAME_nsw, "");
	expect_flag(false, NAME_nuw, "");
	expect_flag(true, NAME_nuw, "'cir.add' op: flag 'nuw' needs an unsigned integer type");
	expect_flag(false, NAME_nsw, "'cir.add' op: flag 'nsw' needs a signed integer type");
}

/* Constants that the reader does not let in */

static void expect_constant(IrModule *m, const IrAttr *value, const char *text)
{
	Fixture f = {.m = m};
	diag_init(&f.d, remember, &f);
	IrOp *func = new_func(&f, "f", NULL, 0);
	IrBuilder b = body_of(&f, func);
	ir_build_const(&b, value);
	ir_build(&b, OP_RETURN, NULL, NULL, 0);
	EXPECT_EQ(ir_verify(m, STAGE_FLAT, &f.d), text[0] == 0);
	EXPECT_STR(f.first, text);
	ir_op_erase(func);
}

static const IrAttr *elements(IrModule *m, AttrKind kind, IrType *t, const IrAttr **elems, uint32_t n)
{
	return ir_attr_intern(m, &(IrAttr){.kind = kind, .type = t, .elems = elems, .n = n});
}

TEST(constants_fit_their_types)
{
	IrModule *m = ir_module_create();
	IrType *array = ir_type_array(m, m->s32, 2), *vector = ir_type_vector(m, m->s32, 2, false);
	IrType *flt = ir_type_simple(m, TYPE_FLOAT), *members[] = {m->s32, m->u8};
	IrType *record =
	    ir_type_anon_record(m, RECORD_STRUCT, &(RecordBody){.members = members, .nmembers = 2});
	IrType *choice =
	    ir_type_anon_record(m, RECORD_UNION, &(RecordBody){.members = members, .nmembers = 2});
	const IrAttr *i = ir_attr_int(m, m->s32, 1), *c = ir_attr_int(m, m->u8, 1);
	const IrAttr *ii[] = {i, i}, *ic[] = {i, c};

	expect_constant(m, elements(m, ATTR_CONST_ARRAY, array, ii, 2), "");
	expect_constant(m, elements(m, ATTR_CONST_RECORD, record, ic, 2), "");
	expect_constant(m, elements(m, ATTR_CONST_RECORD, choice, &c, 1), "");
	expect_constant(m, elements(m, ATTR_CONST_ARRAY, array, ii, 1),
	                "'cir.const' op: the number of elements is 1, but the array type has 2");
	expect_constant(m, elements(m, ATTR_CONST_ARRAY, array, ic, 2),
	                "'cir.const' op: an element does not have the element type of the array");
	expect_constant(m, elements(m, ATTR_CONST_RECORD, record, ii, 2),
	                "'cir.const' op: element #1 has type '!cir.int<s, 32>'; expected '!cir.int<u, 8>'");
	expect_constant(m, elements(m, ATTR_CONST_RECORD, choice, ic, 2),
	                "'cir.const' op: a constant of a union needs exactly one element");
	expect_constant(m, elements(m, ATTR_CONST_VECTOR, vector, ii, 1),
	                "'cir.const' op: the number of elements does not match the vector type "
	                "'!cir.vector<2 x !cir.int<s, 32>>'");
	expect_constant(
	    m, elements(m, ATTR_CONST_RECORD, array, ii, 2),
	    "'cir.const' op: a constant of this kind cannot have type '!cir.array<!cir.int<s, 32> x 2>'");
	expect_constant(m, elements(m, ATTR_VTABLE, record, ic, 2),
	                "'cir.const' op: expected each member of #cir.vtable to be a #cir.const_array");
	expect_constant(m, elements(m, ATTR_VTABLE, array, ii, 2),
	                "'cir.const' op: #cir.vtable needs a record type");
	expect_constant(m, elements(m, ATTR_TYPEINFO, array, ii, 2),
	                "'cir.const' op: #cir.typeinfo needs a record type");
	expect_constant(m, ir_attr_intern(m, &(IrAttr){.kind = ATTR_INT, .type = m->u8, .bits = 256}),
	                "'cir.const' op: the integer is too large for its type");
	expect_constant(m, ir_attr_zero(m, flt),
	                "'cir.const' op: #cir.zero needs a record, array, vector or complex type");
	expect_constant(m, ir_attr_intern(m, &(IrAttr){.kind = ATTR_BOOL, .type = m->s32}),
	                "'cir.const' op: a constant of this kind cannot have type '!cir.int<s, 32>'");
	ir_module_destroy(m);
}

/* An attribute that holds the one before it twice, many times over, is checked once for
 * each, not for each way to it. */
TEST(shared_constants_are_checked_once)
{
	IrModule *m = ir_module_create();
	const IrAttr *a = ir_attr_int(m, m->s32, 1);
	IrType *t = m->s32;
	for (int i = 0; i < 50; i++) {
		const IrAttr *twice[] = {a, a};
		t = ir_type_array(m, t, 2);
		a = elements(m, ATTR_CONST_ARRAY, t, twice, 2);
	}
	expect_constant(m, a, "");
	ir_module_destroy(m);
}

/* Sizes */

enum { DEEP = 100000, MANY = 200000 };

TEST(deep_nesting_needs_no_stack)
{
	Fixture f;
	begin(&f);
	IrType *params[] = {f.m->s32};
	IrOp *func = new_func(&f, "f", params, 1);
	IrBuilder b = body_of(&f, func);
	for (int i = 0; i < DEEP; i++) {
		IrOp *scope = ir_build_spec(&b, &(IrOpSpec){.kind = OP_SCOPE, .nregions = 1});
		IrBuilder outer = b;
		IrBlock *inside = ir_block_create(f.m, (Loc){0});
		ir_block_append(&scope->regions[0], inside);
		ir_build(&outer, i ? OP_YIELD : OP_RETURN, NULL, NULL, 0);
		b = ir_at_end(f.m, inside, (Loc){0});
	}
	ir_build(&b, OP_MINUS, f.m->s32, &func->regions[0].first->args[0], 1);
	ir_build(&b, OP_YIELD, NULL, NULL, 0);
	EXPECT(ir_verify(f.m, STAGE_STRUCTURED, &f.d));
	EXPECT_STR(f.first, "");
	end(&f);
}

TEST(a_built_record_does_not_contain_itself)
{
	Fixture f;
	begin(&f);
	IrType *record = ir_type_record(f.m, RECORD_STRUCT, STR("S"));
	EXPECT(ir_record_set_body(f.m, record, &(RecordBody){.members = &record, .nmembers = 1}));
	EXPECT(!ir_verify(f.m, STAGE_FLAT, &f.d));
	EXPECT_CONTAINS(f.first, "contains itself; put a pointer in between");
	end(&f);
}

TEST(many_ops_and_blocks)
{
	Fixture f;
	begin(&f);
	IrType *params[] = {f.m->s32};
	IrOp *func = new_func(&f, "f", params, 1);
	IrBuilder b = body_of(&f, func);
	IrValue *sum = func->regions[0].first->args[0];
	for (int i = 0; i < MANY; i++) {
		IrValue *operands[] = {sum, sum};
		sum = &ir_build(&b, OP_ADD, f.m->s32, operands, 2)->results[0];
		if (i % 4)
			continue;
		IrBlock *next = ir_block_create(f.m, (Loc){0});
		ir_block_append(&func->regions[0], next);
		sum = ir_block_add_arg(f.m, next, f.m->s32);
		ir_build_br(&b, next, operands, 1);
		b = ir_at_end(f.m, next, (Loc){0});
	}
	ir_build(&b, OP_RETURN, NULL, NULL, 0);
	EXPECT(ir_verify(f.m, STAGE_FLAT, &f.d));
	EXPECT_STR(f.first, "");
	end(&f);
}

/* Dominators, against their definition: a dominates b when b cannot be reached without a. */

enum { GRAPH_BLOCKS = 12, GRAPHS = 400 };

static void mark_reachable(const IrBlock *b, const IrBlock *without, bool *seen)
{
	if (b == without || seen[b->id])
		return;
	seen[b->id] = true;
	for (uint32_t i = 0; i < b->last->nsuccs; i++)
		mark_reachable(b->last->succs[i].dest, without, seen);
}

static void random_graph(Fixture *f, IrRegion *r, unsigned *seed)
{
	IrBlock *blocks[GRAPH_BLOCKS];
	blocks[0] = r->first;
	for (int i = 1; i < GRAPH_BLOCKS; i++)
		ir_block_append(r, blocks[i] = ir_block_create(f->m, (Loc){0}));
	IrBuilder b = ir_at_end(f->m, blocks[0], (Loc){0});
	IrValue *cond = ir_build_const(&b, ir_attr_bool(f->m, true));
	for (int i = 0; i < GRAPH_BLOCKS; i++) {
		b = ir_at_end(f->m, blocks[i], (Loc){0});
		*seed = *seed * 1664525u + 1013904223u;
		IrBlock *x = blocks[1 + (*seed >> 8) % (GRAPH_BLOCKS - 1)];
		IrBlock *y = blocks[1 + (*seed >> 20) % (GRAPH_BLOCKS - 1)];
		if (*seed >> 30 == 0)
			ir_build(&b, OP_RETURN, NULL, NULL, 0);
		else if (*seed >> 30 == 1)
			ir_build_br(&b, x, NULL, 0);
		else
			ir_build_brcond(&b, cond, (IrSuccSpec){.dest = x}, (IrSuccSpec){.dest = y});
	}
}

static void compare_dominators(const IrRegion *r, const DomTree *t, const uint32_t *place)
{
	bool reachable[GRAPH_BLOCKS + 1] = {false};
	mark_reachable(r->first, NULL, reachable);
	IR_FOR_BLOCKS (a, r) {
		bool without[GRAPH_BLOCKS + 1] = {false};
		mark_reachable(r->first, a, without);
		EXPECT_EQ(place[a->id] != DOM_UNREACHABLE, reachable[a->id]);
		IR_FOR_BLOCKS (b, r) {
			if (reachable[a->id] && reachable[b->id])
				EXPECT_EQ(dom_dominates(t, place[a->id], place[b->id]), !without[b->id]);
		}
	}
}

TEST(dominators_of_random_graphs)
{
	unsigned seed = 1;
	for (int i = 0; i < GRAPHS; i++) {
		Fixture f;
		begin(&f);
		IrRegion *r = &new_func(&f, "f", NULL, 0)->regions[0];
		random_graph(&f, r, &seed);
		uint32_t place[GRAPH_BLOCKS + 1];
		EXPECT(f.m->nblocks <= ARRAY_LEN(place));
		memset(place, 0xff, sizeof place);
		DomTree t;
		dom_compute(r, &f.m->scratch, place, &t);
		compare_dominators(r, &t, place);
		end(&f);
	}
}
