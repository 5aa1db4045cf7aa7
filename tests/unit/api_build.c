/* The public interface: types, attributes and ops made in memory. */
#include "api_common.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

typedef struct Made {
	Heard heard;
	CircModule *m;
	CircType *s32, *voidp;
	CircBuilder *b;
} Made;

static void setup(Made *x)
{
	*x = (Made){.m = NULL};
	x->m = circ_module_create(hear, &x->heard);
	x->s32 = circ_type_int(x->m, 32, true);
	x->voidp = circ_type_ptr(x->m, circ_type_simple(x->m, CIRC_TYPE_VOID));
	x->b = circ_builder_create(x->m);
}

static void teardown(Made *x)
{
	circ_module_destroy(x->m);
	EXPECT_STR(x->heard.text, "");
}

/* A function of that type, the builder in its entry block. */
static CircOp *open_func(Made *x, const char *name, CircType *param, CircType *result)
{
	CircType *type = circ_type_func(x->m, &param, param != NULL, result, false);
	CircOp *f = circ_func_create(x->m, name, type);
	EXPECT(circ_builder_at_end(x->b, circ_func_add_entry(x->m, f)));
	return f;
}

/* Types */

TEST(types_are_unique_and_say_what_they_are)
{
	Made x;
	setup(&x);
	EXPECT(circ_type_int(x.m, 32, true) == x.s32);
	EXPECT(circ_type_parse(x.m, TEXT("!cir.int<s, 32>")) == x.s32);
	EXPECT(circ_type_parse(x.m, TEXT("!s32i")) == x.s32);
	CircType *p = circ_type_ptr(x.m, x.s32);
	EXPECT(p == circ_type_parse(x.m, TEXT("!cir.ptr<!s32i>")));
	EXPECT_EQ(circ_type_kind(p), CIRC_TYPE_PTR);
	EXPECT(circ_type_elem(p) == x.s32);
	EXPECT_EQ(circ_type_width(x.s32), 32);
	EXPECT(circ_type_is_signed(x.s32));
	CircType *a = circ_type_array(x.m, p, 7);
	EXPECT_EQ(circ_type_count(a), 7);
	uint64_t size;
	unsigned align;
	EXPECT(circ_type_layout(a, &size, &align));
	EXPECT_EQ(size, 56);
	EXPECT_EQ(align, 8);
	EXPECT(!circ_type_layout(circ_type_simple(x.m, CIRC_TYPE_VOID), &size, &align));
	EXPECT(circ_module_set_attr(x.m, "cir.triple", circ_attr_parse(x.m, TEXT("\"wasm32-wasip1\""))));
	EXPECT(circ_type_layout(a, &size, &align));
	EXPECT_EQ(size, 28);
	EXPECT_EQ(align, 4);
	teardown(&x);
}

TEST(widths_and_counts_have_a_range)
{
	Made x;
	setup(&x);
	EXPECT(circ_type_int(x.m, 0, true) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_type_int: width 0 is out of range; expected 1 to 8388608");
	EXPECT(circ_type_int(x.m, 8388609, false) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_type_int: width 8388609 is out of range; expected 1 to 8388608");
	EXPECT(circ_type_vector(x.m, x.s32, 0, false) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_type_vector: a vector cannot have 0 elements");
	EXPECT(circ_type_simple(x.m, CIRC_TYPE_INT) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_type_simple: 'kind' is 2; expected a type without parameters");
	EXPECT(circ_type_complex(x.m, x.voidp) == NULL);
	EXPECT_REFUSED(
	    &x.heard,
	    "circ_type_complex: 'elem' is !cir.ptr<!cir.void>; expected an integer or floating point type");
	teardown(&x);
}

TEST(nesting_has_a_limit)
{
	Made x;
	setup(&x);
	CircType *t = x.s32, *last = NULL;
	unsigned depth = 0;
	while (t && depth < 1000) {
		last = t;
		t = circ_type_ptr(x.m, t);
		depth++;
	}
	EXPECT(t == NULL);
	EXPECT(depth > 200 && depth < 256);
	EXPECT_REFUSED(&x.heard, "circ_type_ptr: types and attributes are nested deeper than 256 levels");
	/* what was let through can be printed and read again */
	CircType *type = circ_type_func(x.m, &last, 1, NULL, false);
	if (!type)
		forget(&x.heard);
	else
		circ_func_declare(x.m, "deep", type);
	char *text;
	size_t len;
	EXPECT(circ_module_print(x.m, 0, &text, &len));
	CircModule *again = circ_module_parse(NULL, text, len, hear, &x.heard);
	EXPECT(again != NULL);
	circ_module_destroy(again);
	circ_free(text);
	const CircAttr *a = circ_attr_unit(x.m);
	for (depth = 0; a && depth < 1000; depth++)
		a = circ_attr_array(x.m, &a, 1);
	EXPECT(depth < 256);
	EXPECT_REFUSED(&x.heard, "circ_attr_array: types and attributes are nested deeper than 256 levels");
	teardown(&x);
}

TEST(a_record_may_contain_pointers_to_itself)
{
	Made x;
	setup(&x);
	CircType *node = circ_type_record(x.m, CIRC_RECORD_STRUCT, "Node", 4);
	EXPECT(!circ_type_is_complete(node));
	CircType *members[] = {x.s32, circ_type_ptr(x.m, node), circ_type_array(x.m, x.s32, 1)};
	CircMemberMark marks[] = {CIRC_MEMBER_DATA, CIRC_MEMBER_DATA, CIRC_MEMBER_PAD};
	CircRecordBody body = {.members = members, .marks = marks, .nmembers = 3};
	EXPECT(circ_record_set_body(x.m, node, &body));
	EXPECT(circ_record_set_body(x.m, node, &body)); /* the same again */
	EXPECT_EQ(circ_type_nmembers(node), 3);
	EXPECT(circ_type_member(node, 1) == members[1]);
	EXPECT(circ_type_member(node, 3) == NULL);
	EXPECT_STR(circ_type_name(node, NULL), "Node");
	body.nmembers = 1;
	EXPECT(!circ_record_set_body(x.m, node, &body));
	EXPECT_REFUSED(
	    &x.heard, "circ_record_set_body: record already defined: !cir.struct<\"Node\"> has another body");
	circ_func_declare(x.m, "f", circ_type_func(x.m, &node, 1, NULL, false));
	expect_printed(x.m, "!s32i = !cir.int<s, 32>\n"
	                    "!rec_Node = !cir.struct<\"Node\" {data !s32i, data "
	                    "!cir.ptr<!cir.struct<\"Node\">>, pad !cir.array<!s32i x 1>}>\n"
	                    "module {\n"
	                    "  cir.func private @f(!rec_Node)\n"
	                    "}\n");
	teardown(&x);
}

TEST(records_are_checked)
{
	Made x;
	setup(&x);
	CircType *v = circ_type_simple(x.m, CIRC_TYPE_VOID);
	EXPECT(circ_type_record(x.m, CIRC_RECORD_UNION, "", 0) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_type_record: name of the record is empty");
	EXPECT(circ_type_anon_record(x.m, CIRC_RECORD_STRUCT,
	                             &(CircRecordBody){.members = &v, .nmembers = 1}) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_type_anon_record: 'members' is !cir.void, which is not a type of values");
	EXPECT(circ_type_anon_record(x.m, (CircRecordKind)7, &(CircRecordBody){.nmembers = 0}) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_type_anon_record: 7 is not a record kind");
	EXPECT(circ_type_anon_record(x.m, CIRC_RECORD_STRUCT, &(CircRecordBody){.padding = x.s32}) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_type_anon_record: only a union has 'padding'; mark the member instead");
	teardown(&x);
}

TEST(what_belongs_to_another_module_is_refused)
{
	Made x, y;
	setup(&x);
	setup(&y);
	EXPECT(circ_type_ptr(x.m, y.s32) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_type_ptr: 'pointee' does not belong to this module, or was erased");
	EXPECT(circ_attr_array(x.m, (const CircAttr *[]){circ_attr_unit(y.m)}, 1) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_attr_array: 'elems' does not belong to this module, or was erased");
	/* A name of this module does not make another's string or symbol of that name its own. */
	const CircAttr *ours = circ_attr_string(x.m, "s", 1);
	EXPECT(circ_attr_array(x.m, &ours, 1) != NULL);
	const CircAttr *named[] = {circ_attr_string(y.m, "s", 1), circ_attr_symbol(y.m, "s", 1),
	                           circ_attr_string(y.m, "unknown", 7)};
	for (unsigned i = 0; i < 3; i++) {
		EXPECT(circ_attr_array(x.m, &named[i], 1) == NULL);
		EXPECT_REFUSED(&x.heard,
		               "circ_attr_array: 'elems' does not belong to this module, or was erased");
	}
	CircOp *f = open_func(&x, "f", NULL, NULL), *g = open_func(&y, "g", y.s32, NULL);
	CircBlock *theirs = circ_region_first_block(y.m, circ_op_region(g, 0));
	EXPECT(!circ_builder_at_end(x.b, theirs));
	EXPECT_REFUSED(&x.heard,
	               "circ_builder_at_end: 'block' does not belong to this module, or was erased");
	EXPECT(circ_build_return(x.b, circ_block_arg(theirs, 0)) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_build_return: 'operands' does not belong to this module, or was erased");
	EXPECT(circ_build_call(x.b, g, NULL, 0) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_call: 'callee' is not a function of this module");
	EXPECT(!circ_op_set_flag(x.m, g, "nothrow") || !f);
	forget(&x.heard);
	teardown(&x);
	teardown(&y);
}

/* Attributes */

TEST(numbers_must_fit_their_type)
{
	Made x;
	setup(&x);
	CircType *u8 = circ_type_int(x.m, 8, false), *i1 = circ_type_builtin_int(x.m, 1);
	int64_t v = 0;
	EXPECT(circ_attr_get_int(circ_attr_int(x.m, u8, 255), &v));
	EXPECT_EQ(v, 255);
	EXPECT(circ_attr_int(x.m, u8, 256) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_attr_int: integer value too large for the given type: 256, !cir.int<u, 8>");
	EXPECT(circ_attr_int(x.m, u8, -1) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_attr_int: integer value too large for the given type: -1, !cir.int<u, 8>");
	CircBuilder *nowhere = circ_builder_create(x.m);
	EXPECT(circ_build_int(nowhere, u8, 1) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_int: builder has no insertion point; set one first");
	EXPECT(circ_attr_int(x.m, i1, 1) != NULL);
	EXPECT(circ_attr_int(x.m, x.voidp, 1) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_attr_int: 'type' is !cir.ptr<!cir.void>; expected an integer type");
	teardown(&x);
}

TEST(wide_numbers_are_words)
{
	Made x;
	setup(&x);
	CircType *s100 = circ_type_int(x.m, 100, true), *u128 = circ_type_int(x.m, 128, false);
	const uint64_t minus_two[] = {UINT64_MAX - 1, UINT64_MAX}, large[] = {0, 1},
	               wrong[] = {0, UINT64_C(1) << 40};
	EXPECT(circ_attr_wide_int(x.m, s100, minus_two, 2) ==
	       circ_attr_parse(x.m, TEXT("#cir.int<-2> : !cir.int<s, 100>")));
	EXPECT(circ_attr_wide_int(x.m, u128, large, 2) ==
	       circ_attr_parse(x.m, TEXT("#cir.int<18446744073709551616> : !u128i")));
	EXPECT(circ_attr_wide_int(x.m, s100, wrong, 2) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_attr_wide_int: integer value too large for the given type: !cir.int<s, 100>");
	EXPECT(circ_attr_wide_int(x.m, u128, large, 1) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_attr_wide_int: 1 words for !cir.int<u, 128>; expected 2");
	teardown(&x);
}

TEST(floats_are_spelled_exactly)
{
	Made x;
	setup(&x);
	CircType *d = circ_type_simple(x.m, CIRC_TYPE_DOUBLE);
	EXPECT(circ_attr_float(x.m, d, 1.5) ==
	       circ_attr_parse(x.m, TEXT("#cir.fp<1.500000e+00> : !cir.double")));
	EXPECT(circ_attr_float(x.m, d, 0.1) != circ_attr_float(x.m, d, 0.1000000001));
	EXPECT(circ_attr_float(x.m, x.s32, 1) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_attr_float: 'type' is !cir.int<s, 32>; expected a floating point type");
	teardown(&x);
}

TEST(aggregates_match_their_types)
{
	Made x;
	setup(&x);
	CircType *s8 = circ_type_int(x.m, 8, true), *text = circ_type_array(x.m, s8, 6);
	CircType *pair = circ_type_array(x.m, x.s32, 2);
	const CircAttr *one = circ_attr_int(x.m, x.s32, 1), *small = circ_attr_int(x.m, s8, 1);
	EXPECT(circ_attr_const_string(x.m, text, "hi!\0", 4) ==
	       circ_attr_parse(x.m, TEXT("#cir.const_array<\"hi!\\00\" : !cir.array<!s8i x 4>, "
	                                 "trailing_zeros> : !cir.array<!s8i x 6>")));
	EXPECT(circ_attr_global_view(x.m, x.voidp, "", NULL, 0) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_attr_global_view: symbol name is empty");
	EXPECT(circ_attr_const_string(x.m, pair, "hi", 2) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_attr_const_string: 'type' is !cir.array<!cir.int<s, 32> x 2>; "
	                         "expected an array of 8-bit integers");
	EXPECT(circ_attr_const_array(x.m, pair, (const CircAttr *[]){one, one}, 2) != NULL);
	EXPECT(circ_attr_const_array(x.m, pair, (const CircAttr *[]){one, small}, 2) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_attr_const_array: element at index 1 has type !cir.int<s, 8> but the "
	                         "expected type for this element is !cir.int<s, 32>");
	EXPECT(circ_attr_const_array(x.m, pair, (const CircAttr *[]){one, one, one}, 3) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_attr_const_array: constant array has 3 values but array type has size 2");
	EXPECT(circ_attr_null(x.m, pair) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_attr_null: 'type' is !cir.array<!cir.int<s, 32> x 2>; expected a pointer");
	EXPECT(circ_attr_zero(x.m, pair) != NULL);
	EXPECT(circ_attr_const_array(x.m, pair, (const CircAttr *[]){one, circ_attr_zero(x.m, x.s32)}, 2) !=
	       NULL);
	teardown(&x);
}

TEST(attributes_come_from_text)
{
	Made x;
	setup(&x);
	EXPECT(circ_attr_parse(x.m, TEXT("3 : i64")) == circ_attr_i64(x.m, 3));
	EXPECT(circ_attr_parse(x.m, TEXT("[1 : i32, \"a\"]")) ==
	       circ_attr_array(
	           x.m, (const CircAttr *[]){circ_attr_i32(x.m, 1), circ_attr_string(x.m, "a", 1)}, 2));
	EXPECT(circ_attr_parse(x.m, TEXT("#cir.nonsense(")) == NULL);
	EXPECT_EQ(x.heard.errors, 1);
	forget(&x.heard);
	EXPECT(circ_attr_parse(x.m, TEXT("1 : i64 2")) == NULL);
	EXPECT_CONTAINS(x.heard.text, "1:9: error: expected the end of the text");
	forget(&x.heard);
	EXPECT(circ_type_parse(x.m, TEXT("!cir.int<s, 32")) == NULL);
	EXPECT_EQ(x.heard.errors, 1);
	forget(&x.heard);
	EXPECT(circ_attr_enum(x.m, "cmp", "before") == NULL);
	EXPECT_REFUSED(&x.heard, "circ_attr_enum: enumeration 'cmp' has no value 'before'");
	EXPECT(circ_attr_dict(x.m, (CircNamedAttr[]){{"a", circ_attr_unit(x.m)}, {"a", circ_attr_unit(x.m)}},
	                      2) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_attr_dict: duplicate key 'a' in dictionary attribute");
	teardown(&x);
}

/* Ops */

TEST(a_function_is_built)
{
	Made x;
	setup(&x);
	CircOp *f = open_func(&x, "twice_if_positive", x.s32, x.s32);
	CircBlock *entry = circ_builder_block(x.b);
	CircValue *n = circ_block_arg(entry, 0);
	CircBlock *positive = circ_block_create(x.m, circ_op_region(f, 0));
	CircBlock *done = circ_block_create(x.m, circ_op_region(f, 0));
	CircValue *result = circ_block_add_arg(x.m, done, x.s32);
	CircValue *is = circ_build_cmp(x.b, "gt", n, circ_build_int(x.b, x.s32, 0));
	circ_build_brcond(x.b, is, (CircSuccessor){positive, NULL, 0}, (CircSuccessor){done, &n, 1});
	circ_builder_at_end(x.b, positive);
	CircValue *twice = circ_build_binary(x.b, "cir.add", n, n);
	circ_build_br(x.b, done, &twice, 1);
	circ_builder_at_end(x.b, done);
	circ_build_return(x.b, result);
	EXPECT(circ_module_verify(x.m, CIRC_STAGE_FLAT));
	expect_printed(x.m, "!s32i = !cir.int<s, 32>\n"
	                    "module {\n"
	                    "  cir.func @twice_if_positive(%arg0: !s32i) -> !s32i {\n"
	                    "    %0 = cir.const #cir.int<0> : !s32i\n"
	                    "    %1 = cir.cmp gt %arg0, %0 : !s32i\n"
	                    "    cir.brcond %1 ^bb1, ^bb2(%arg0 : !s32i)\n"
	                    "  ^bb1:  // pred: ^bb0\n"
	                    "    %2 = cir.add %arg0, %arg0 : !s32i\n"
	                    "    cir.br ^bb2(%2 : !s32i)\n"
	                    "  ^bb2(%3: !s32i):  // 2 preds: ^bb0, ^bb1\n"
	                    "    cir.return %3 : !s32i\n"
	                    "  }\n"
	                    "}\n");
	teardown(&x);
}

TEST(any_op_is_built_by_its_mnemonic)
{
	Made x;
	setup(&x);
	CircOp *f = open_func(&x, "f", x.s32, NULL);
	CircBlock *entry = circ_builder_block(x.b);
	CircValue *n = circ_block_arg(entry, 0);
	CircBlock *one = circ_block_create_after(x.m, entry);
	CircSuccessor edges[] = {{one, NULL, 0}, {one, NULL, 0}};
	const CircAttr *value = circ_attr_int(x.m, x.s32, 4);
	CircNamedAttr attr = {"case_values", circ_attr_array(x.m, &value, 1)};
	CircOpSpec s = {.mnemonic = "cir.switch.flat",
	                .operands = &n,
	                .noperands = 1,
	                .successors = edges,
	                .nsuccessors = 2};
	s.attrs = &attr;
	s.nattrs = 1;
	CircOp *op = circ_build_op(x.b, &s);
	EXPECT_EQ(circ_op_nsuccessors(op), 2);
	EXPECT(circ_op_successor(x.m, op, 1) == one);
	EXPECT(circ_op_is_terminator(op));
	circ_builder_at_end(x.b, one);
	CircOp *scope = circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.scope"});
	EXPECT_EQ(circ_op_nregions(scope), 1);
	circ_build_return(x.b, NULL);
	circ_builder_at_end(x.b, circ_block_create(x.m, circ_op_region(scope, 0)));
	circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.yield"});
	expect_printed(x.m, "!s32i = !cir.int<s, 32>\n"
	                    "module {\n"
	                    "  cir.func @f(%arg0: !s32i) {\n"
	                    "    cir.switch.flat %arg0 : !s32i, ^bb1 [\n"
	                    "      4: ^bb1\n"
	                    "    ]\n"
	                    "  ^bb1:  // 2 preds: ^bb0, ^bb0\n"
	                    "    cir.scope {\n"
	                    "    }\n"
	                    "    cir.return\n"
	                    "  }\n"
	                    "}\n");
	EXPECT(f != NULL);
	teardown(&x);
}

TEST(wrong_ops_are_refused)
{
	Made x;
	setup(&x);
	open_func(&x, "f", x.s32, NULL);
	CircValue *n = circ_block_arg(circ_builder_block(x.b), 0), *two[] = {n, n};
	EXPECT(circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.frobnicate"}) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_op: unknown op 'cir.frobnicate'");
	EXPECT(circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.lod"}) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_op: unknown op 'cir.lod'; did you mean 'cir.load'?");
	EXPECT(circ_build_op(x.b, NULL) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_op: 'spec' is NULL");
	EXPECT(circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.func"}) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_op: 'cir.func' defines a symbol; use circ_func_create() or "
	                         "circ_global_create()");
	EXPECT(circ_build_op(x.b, &(CircOpSpec){.mnemonic = "circ.exception_type"}) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_op: 'circ.exception_type' defines a symbol; use "
	                         "circ_exception_type_create()");
	EXPECT(circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.add", .operands = &n, .noperands = 1}) ==
	       NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_build_op: wrong number of operands for 'cir.add': expected 2, found 1");
	EXPECT(circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.return", .operands = two, .noperands = 2}) ==
	       NULL);
	EXPECT_REFUSED(
	    &x.heard,
	    "circ_build_op: wrong number of operands for 'cir.return': expected at most 1, found 2");
	EXPECT(circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.br"}) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_build_op: wrong number of successors for 'cir.br': expected 1, found 0");
	EXPECT(circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.trap", .nregions = 3}) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_op: 'cir.trap' cannot have 3 regions");
	EXPECT(circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.cast", .operands = &n, .noperands = 1}) ==
	       NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_build_op: cannot infer the type of result #0 of 'cir.cast'; set 'result_types'");
	EXPECT(circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.trap", .attrs = NULL, .nattrs = 1}) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_op: 'attrs' is NULL, but its count is 1");
	EXPECT(circ_build_load(x.b, n) == NULL);
	EXPECT_EQ(x.heard.errors, 1);
	EXPECT_CONTAINS(x.heard.text,
	                "circ_build_load: operand #0 of 'cir.load' has type !cir.int<s, 32>; expected ");
	forget(&x.heard);
	EXPECT(circ_build_cmp(x.b, "like", n, n) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_cmp: enumeration 'cmp' has no value 'like'");
	EXPECT(circ_build_alloca(x.b, x.s32, "v", 3) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_alloca: 'align' is not a power of two");
	EXPECT(circ_build_get_member(x.b, n, 0, NULL) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_build_get_member: 'ptr' does not point to a record with such a member");
	teardown(&x);
}

TEST(ops_need_a_place)
{
	Made x;
	setup(&x);
	EXPECT(circ_build_unreachable(x.b) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_unreachable: builder has no insertion point; set one first");
	EXPECT(circ_builder_at_end(x.b, circ_module_body(x.m)));
	EXPECT(circ_build_unreachable(x.b) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_unreachable: module body holds only functions and globals; move "
	                         "the builder into a function");
	open_func(&x, "f", NULL, NULL);
	CircOp *end = circ_build_unreachable(x.b);
	EXPECT(circ_builder_before(x.b, end));
	CircValue *c = circ_build_bool(x.b, true);
	EXPECT(circ_op_prev(end) != NULL);
	EXPECT(circ_op_erase(x.m, end));
	EXPECT(circ_build_bool(x.b, false) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_build_bool: insertion point of the builder has been erased; set another");
	EXPECT(!circ_op_erase(x.m, end));
	EXPECT_REFUSED(&x.heard, "circ_op_erase: 'op' does not belong to this module, or was erased");
	EXPECT(!circ_value_is_used(c));
	teardown(&x);
}

TEST(erasing_and_replacing_keep_uses_right)
{
	Made x;
	setup(&x);
	open_func(&x, "f", x.s32, x.s32);
	CircValue *n = circ_block_arg(circ_builder_block(x.b), 0);
	CircValue *sum = circ_build_binary(x.b, "cir.add", n, n);
	CircOp *add = circ_block_last_op(circ_builder_block(x.b));
	CircOp *end = circ_build_return(x.b, sum);
	EXPECT(!circ_op_erase(x.m, add));
	EXPECT_REFUSED(&x.heard, "circ_op_erase: a result of this 'cir.add' is still used");
	EXPECT(circ_value_replace(x.m, sum, n));
	EXPECT(circ_value_replace(x.m, n, n));
	EXPECT(circ_op_operand(x.m, end, 0) == n);
	EXPECT(circ_op_erase(x.m, add));
	EXPECT(!circ_value_replace(x.m, n, circ_build_bool(x.b, true)));
	EXPECT_EQ(x.heard.errors, 1);
	forget(&x.heard);
	teardown(&x);
}

TEST(what_is_in_a_region_stays_there)
{
	Made x;
	setup(&x);
	open_func(&x, "f", NULL, NULL);
	CircBlock *entry = circ_builder_block(x.b);
	CircOp *scope = circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.scope"});
	circ_build_return(x.b, NULL);
	circ_builder_at_end(x.b, circ_block_create(x.m, circ_op_region(scope, 0)));
	CircValue *inner = circ_build_int(x.b, x.s32, 1);
	circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.yield"});
	circ_builder_at_end(x.b, circ_block_create_after(x.m, entry)); /* never reached */
	CircValue *sum = circ_build_binary(x.b, "cir.add", inner, inner);
	circ_build_unreachable(x.b);
	EXPECT(!circ_module_verify(x.m, CIRC_STAGE_STRUCTURED));
	EXPECT_CONTAINS(x.heard.text, "operand #0 is not defined on every path to this use");
	forget(&x.heard);
	EXPECT(!circ_op_erase(x.m, scope));
	EXPECT_REFUSED(&x.heard,
	               "circ_op_erase: a value defined inside this 'cir.scope' is still used outside of it");
	EXPECT(circ_op_erase(x.m, circ_op_prev(circ_block_last_op(circ_builder_block(x.b)))) && sum != NULL);
	EXPECT(circ_op_erase(x.m, scope));
	EXPECT(circ_module_verify(x.m, CIRC_STAGE_STRUCTURED));
	teardown(&x);
}

TEST(symbols_are_unique)
{
	Made x;
	setup(&x);
	CircType *type = circ_type_func(x.m, NULL, 0, NULL, false);
	CircType *other = circ_type_func(x.m, NULL, 0, x.s32, true);
	CircOp *f = circ_func_create(x.m, "f", type);
	EXPECT(circ_func_declare(x.m, "f", type) == f);
	EXPECT(circ_func_create(x.m, "f", type) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_func_create: redefinition of symbol named 'f'");
	EXPECT(circ_func_declare(x.m, "f", other) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_func_declare: 'f' is !cir.func<()>, not !cir.func<(...) -> !cir.int<s, 32>>");
	EXPECT(circ_func_create(x.m, "", type) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_func_create: 'name' is empty");
	EXPECT(circ_func_create(x.m, "g", x.s32) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_func_create: 'type' is !cir.int<s, 32>; expected a function type");
	CircOp *g = circ_global_create(x.m, "g", x.s32, "internal", circ_attr_int(x.m, x.s32, 3));
	EXPECT(circ_module_symbol(x.m, "g", 1) == g);
	EXPECT(circ_global_create(x.m, "h", x.s32, "elsewhere", NULL) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_global_create: enumeration 'linkage' has no value 'elsewhere'");
	EXPECT(circ_global_create(x.m, "h", x.voidp, "external", circ_attr_int(x.m, x.s32, 3)) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_global_create: 'value' has type !cir.int<s, 32>; expected !cir.ptr<!cir.void>");
	EXPECT(!circ_op_set_attr(x.m, g, "sym_name", circ_attr_symbol(x.m, "h", 1)));
	EXPECT_REFUSED(&x.heard, "circ_op_set_attr: 'sym_name' of a cir.global cannot be changed");
	EXPECT(circ_op_erase(x.m, g));
	EXPECT(circ_module_symbol(x.m, "g", 1) == NULL);
	expect_printed(x.m, "module {\n  cir.func private @f()\n}\n");
	teardown(&x);
}

TEST(functions_have_places)
{
	Made x;
	setup(&x);
	open_func(&x, "f", NULL, NULL);
	CircOp *f = circ_module_symbol(x.m, "f", 1);
	EXPECT(circ_op_set_loc(x.m, f, "shapes.lang", 12, 5));
	EXPECT(!circ_op_set_loc(x.m, NULL, "shapes.lang", 12, 5));
	EXPECT_REFUSED(&x.heard, "circ_op_set_loc: 'op' is NULL");
	circ_build_return(x.b, NULL);
	char *text;
	EXPECT(circ_module_print(x.m, CIRC_PRINT_LOCATIONS, &text, NULL));
	EXPECT_CONTAINS(text, "} loc(\"shapes.lang\":12:5)");
	circ_free(text);
	EXPECT(circ_op_set_loc(x.m, f, NULL, 0, 0));
	EXPECT(circ_module_print(x.m, CIRC_PRINT_LOCATIONS, &text, NULL));
	EXPECT(strstr(text, "shapes.lang") == NULL);
	circ_free(text);
	teardown(&x);
}

TEST(locations_reach_diagnostics)
{
	Made x;
	setup(&x);
	open_func(&x, "f", NULL, x.s32);
	EXPECT(circ_builder_set_loc(x.b, "shapes.lang", 12, 5));
	circ_build_return(x.b, NULL);
	EXPECT(!circ_module_verify(x.m, CIRC_STAGE_FLAT));
	EXPECT_CONTAINS(x.heard.text, "12:5: error: ");
	forget(&x.heard);
	char *text;
	EXPECT(circ_module_print(x.m, CIRC_PRINT_LOCATIONS, &text, NULL));
	EXPECT_CONTAINS(text, "cir.return loc(\"shapes.lang\":12:5)");
	circ_free(text);
	teardown(&x);
}

TEST(strings_are_constant_globals)
{
	Made x;
	setup(&x);
	EXPECT(circ_build_string(NULL, "a", 1) == NULL);
	EXPECT(circ_build_string(x.b, "a", 1) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_get_global: builder has no insertion point; set one first");
	expect_printed(x.m, "module {\n}\n");
	open_func(&x, "f", NULL, NULL);
	circ_global_create(x.m, ".str", x.s32, "internal", circ_attr_int(x.m, x.s32, 1));
	EXPECT(circ_build_string(x.b, NULL, 1) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_attr_const_string: 'bytes' is NULL, but its count is 1");
	CircType *chars = circ_type_ptr(x.m, circ_type_int(x.m, 8, true));
	EXPECT(circ_value_type(circ_build_string(x.b, "a\0b", 3)) == chars);
	EXPECT(circ_value_type(circ_build_string(x.b, "", 0)) == chars);
	circ_build_return(x.b, NULL);
	EXPECT(circ_module_verify(x.m, CIRC_STAGE_FLAT));
	char *text;
	EXPECT(circ_module_print(x.m, 0, &text, NULL));
	EXPECT_CONTAINS(text, "    %0 = cir.get_global @\".str.1\" : !cir.ptr<!cir.array<!s8i x 4>>\n"
	                      "    %1 = cir.cast array_to_ptrdecay %0 : !cir.ptr<!cir.array<!s8i x 4>> -> "
	                      "!cir.ptr<!s8i>\n");
	EXPECT_CONTAINS(text, "  cir.global constant internal @\".str.1\" = #cir.const_array<\"a\\00b\" : "
	                      "!cir.array<!s8i x 3>, trailing_zeros> : !cir.array<!s8i x 4>\n");
	circ_free(text);
	teardown(&x);
}
