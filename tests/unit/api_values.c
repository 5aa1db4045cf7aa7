/* The public interface: types, attributes and ops that front ends need less often, made and asked. */
#include "api_common.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

typedef struct Made {
	Heard heard;
	CircModule *m;
	CircType *s32;
} Made;

static void setup(Made *x)
{
	*x = (Made){.m = NULL};
	x->m = circ_module_create(hear, &x->heard);
	x->s32 = circ_type_int(x->m, 32, true);
}

static void teardown(Made *x)
{
	circ_module_destroy(x->m);
	EXPECT_STR(x->heard.text, "");
}

/* What is made is what the text means. */
TEST(types_are_those_of_the_text)
{
	Made x;
	setup(&x);
	CircType *r = circ_type_record(x.m, CIRC_RECORD_STRUCT, TEXT("R"));
	CircType *f = circ_type_func(x.m, NULL, 0, x.s32, true);
	EXPECT(circ_type_is_variadic(f));
	EXPECT(!circ_type_is_variadic(circ_type_func(x.m, NULL, 0, x.s32, false)));
	EXPECT(circ_type_bitint(x.m, 7, false) == circ_type_parse(x.m, TEXT("!cir.int<u, 7, bitint>")));
	EXPECT(circ_type_long_double(x.m, circ_type_parse(x.m, TEXT("!cir.f80"))) ==
	       circ_type_parse(x.m, TEXT("!cir.long_double<!cir.f80>")));
	EXPECT(circ_type_ptr_in(x.m, x.s32, 3) ==
	       circ_type_parse(x.m, TEXT("!cir.ptr<!s32i, target_address_space(3)>")));
	EXPECT(circ_type_ptr_in(x.m, x.s32, 0) == circ_type_ptr(x.m, x.s32));
	CircType *method = circ_type_method(x.m, f, r);
	CircType *member = circ_type_data_member(x.m, x.s32, r);
	EXPECT(method && circ_type_kind(method) == CIRC_TYPE_METHOD);
	EXPECT(member && circ_type_kind(member) == CIRC_TYPE_DATA_MEMBER);
	EXPECT(circ_type_method(x.m, x.s32, r) == NULL);
	EXPECT(circ_type_data_member(x.m, circ_type_simple(x.m, CIRC_TYPE_VOID), r) == NULL);
	EXPECT_EQ(x.heard.errors, 2);
	forget(&x.heard);
	teardown(&x);
}

TEST(attributes_are_those_of_the_text)
{
	Made x;
	setup(&x);
	CircType *p = circ_type_ptr(x.m, x.s32);
	const int32_t one = 1;
	EXPECT(circ_attr_flag(x.m, true) == circ_attr_parse(x.m, TEXT("true")));
	EXPECT(circ_attr_bool(x.m, true) == circ_attr_parse(x.m, TEXT("#true")));
	EXPECT(circ_attr_type(x.m, x.s32) == circ_attr_parse(x.m, TEXT("!s32i")));
	EXPECT(circ_attr_undef(x.m, x.s32) == circ_attr_parse(x.m, TEXT("#cir.undef : !s32i")));
	EXPECT(circ_attr_poison(x.m, x.s32) == circ_attr_parse(x.m, TEXT("#cir.poison : !s32i")));
	EXPECT(circ_attr_global_view(x.m, p, "g", &one, 1) ==
	       circ_attr_parse(x.m, TEXT("#cir.global_view<@g, [1 : i32]> : !cir.ptr<!s32i>")));
	EXPECT(circ_attr_get_type(circ_attr_int(x.m, x.s32, 5)) == x.s32);
	EXPECT(circ_attr_global_view(x.m, circ_type_simple(x.m, CIRC_TYPE_VOID), "g", NULL, 0) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_attr_global_view: 'type' is !cir.void; expected a pointer or an integer");
	EXPECT(circ_attr_undef(x.m, circ_type_simple(x.m, CIRC_TYPE_VOID)) == NULL);
	EXPECT_EQ(x.heard.errors, 1);
	forget(&x.heard);
	teardown(&x);
}

TEST(constants_of_records_have_an_element_for_each_member)
{
	Made x;
	setup(&x);
	CircType *pair = circ_type_parse(x.m, TEXT("!cir.struct<{data !s32i, data !s32i}>"));
	CircType *either = circ_type_parse(x.m, TEXT("!cir.union<\"U\" {data !s32i, data !cir.float}>"));
	const CircAttr *elems[] = {circ_attr_int(x.m, x.s32, 1), circ_attr_int(x.m, x.s32, 2)};
	const CircAttr *made = circ_attr_const_record(x.m, pair, elems, 2);
	EXPECT(made && circ_attr_get_type(made) == pair);
	EXPECT(circ_attr_const_record(x.m, either, elems, 1) != NULL);
	EXPECT(circ_attr_const_record(x.m, pair, elems, 1) == NULL);
	EXPECT_CONTAINS(x.heard.text, "number of elements must match: 1 for ");
	forget(&x.heard);
	EXPECT(circ_attr_const_record(x.m, either, elems, 2) == NULL);
	EXPECT_CONTAINS(x.heard.text, "2 elements for a union; expected 1");
	forget(&x.heard);
	const CircAttr *wrong = circ_attr_bool(x.m, true);
	EXPECT(circ_attr_const_record(x.m, either, &wrong, 1) == NULL);
	EXPECT_CONTAINS(x.heard.text, "union has no member of the element's type");
	forget(&x.heard);
	EXPECT(circ_attr_const_record(x.m, x.s32, elems, 2) == NULL);
	EXPECT_CONTAINS(x.heard.text, "expected a complete record");
	forget(&x.heard);
	teardown(&x);
}

/* f(p, g) = g(p[1]), by a pointer to g */
TEST(ops_are_asked_what_they_are_made_of)
{
	Made x;
	setup(&x);
	CircType *callee = circ_type_func(x.m, &x.s32, 1, x.s32, false);
	CircType *params[] = {circ_type_ptr(x.m, x.s32), circ_type_ptr(x.m, callee)};
	CircType *type = circ_type_func(x.m, params, 2, x.s32, false);
	CircOp *f = circ_func_create(x.m, "f", type);
	CircBlock *entry = circ_func_add_entry(x.m, f);
	CircBuilder *b = circ_builder_create(x.m);
	EXPECT(circ_builder_module(b) == x.m);
	EXPECT(circ_builder_at_end(b, entry));
	EXPECT_EQ(circ_block_nargs(entry), 2);
	EXPECT(circ_block_region(entry) == circ_op_region(f, 0));
	EXPECT(circ_op_symbol_type(f) == type);
	CircValue *one = circ_build_const(b, circ_attr_int(x.m, x.s32, 1));
	CircValue *at = circ_build_ptr_stride(b, circ_block_arg(entry, 0), one);
	EXPECT(circ_value_type(at) == params[0]);
	CircValue *arg = circ_build_load(b, at);
	CircOp *call = circ_build_call_indirect(b, circ_block_arg(entry, 1), &arg, 1);
	EXPECT_EQ(circ_op_nresults(call), 1);
	EXPECT_EQ(circ_op_noperands(call), 2);
	EXPECT(circ_build_return(b, circ_op_result(call, 0)) != NULL);
	EXPECT(circ_build_call_indirect(b, one, NULL, 0) == NULL);
	EXPECT_EQ(x.heard.errors, 1);
	forget(&x.heard);
	EXPECT(circ_func_declare(x.m, "__gxx_personality_v0", circ_type_func(x.m, NULL, 0, x.s32, true)) !=
	       NULL);
	EXPECT(circ_func_set_personality(x.m, f, "__gxx_personality_v0"));
	EXPECT(circ_module_verify(x.m, CIRC_STAGE_FLAT));
	expect_printed(
	    x.m,
	    "!s32i = !cir.int<s, 32>\n"
	    "module {\n"
	    "  cir.func @f(%arg0: !cir.ptr<!s32i>, %arg1: !cir.ptr<!cir.func<(!s32i) -> !s32i>>) -> !s32i "
	    "personality(@__gxx_personality_v0) {\n"
	    "    %0 = cir.const #cir.int<1> : !s32i\n"
	    "    %1 = cir.ptr_stride %arg0, %0 : (!cir.ptr<!s32i>, !s32i) -> !cir.ptr<!s32i>\n"
	    "    %2 = cir.load %1 : !cir.ptr<!s32i>, !s32i\n"
	    "    %3 = cir.call %arg1(%2) : (!cir.ptr<!cir.func<(!s32i) -> !s32i>>, !s32i) -> !s32i\n"
	    "    cir.return %3 : !s32i\n"
	    "  }\n"
	    "  cir.func private @__gxx_personality_v0(...) -> !s32i\n"
	    "}\n");
	teardown(&x);
}
