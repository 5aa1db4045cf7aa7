/* The public interface: modules, from text to text. */
#include "api_common.h"

static const char identity[] = "cir.func @f(%x: !s32i) -> !s32i {\n"
                               "  cir.return %x : !s32i\n"
                               "}\n";

TEST(version_is_three_numbers)
{
	unsigned a, b, c;
	EXPECT_EQ(sscanf(circ_version(), "%u.%u.%u", &a, &b, &c), 3);
}

TEST(an_empty_module_prints)
{
	Heard h = {.errors = 0};
	CircModule *m = circ_module_create(hear, &h);
	expect_printed(m, "module {\n}\n");
	EXPECT_EQ(circ_module_stage(m), CIRC_STAGE_FLAT);
	EXPECT(circ_module_verify(m, CIRC_STAGE_FLAT));
	circ_module_destroy(m);
	EXPECT_STR(h.text, "");
}

TEST(a_text_is_copied)
{
	Heard h = {.errors = 0};
	char *text = strdup(identity);
	CircModule *m = circ_module_parse("f.cir", text, strlen(text), hear, &h);
	memset(text, '?', strlen(text));
	free(text);
	expect_printed(m, "!s32i = !cir.int<s, 32>\n"
	                  "module {\n"
	                  "  cir.func @f(%arg0: !s32i) -> !s32i {\n"
	                  "    cir.return %arg0 : !s32i\n"
	                  "  }\n"
	                  "}\n");
	circ_module_destroy(m);
	EXPECT_STR(h.text, "");
}

/* A global whose zero clang means as null pointers, for which zeros are not the bits. */
static const char zero_of_members[] = "!s32i = !cir.int<s, 32>\n"
                                      "!rec_S = !cir.struct<\"S\" {data !s32i}>\n"
                                      "!m = !cir.data_member<!s32i in !rec_S>\n"
                                      "module {\n"
                                      "  cir.global external @t = #cir.zero : !cir.array<!m x 1>\n"
                                      "}\n";

static CircModule *parse_zero(CircDialect dialect, Heard *h)
{
	forget(h);
	return circ_module_parse_as(dialect, "zero.cir", zero_of_members, strlen(zero_of_members), hear, h);
}

static bool has_null(CircModule *m)
{
	char *text = NULL;
	EXPECT(circ_module_flatten(m));
	EXPECT(circ_module_print(m, 0, &text, NULL));
	bool has = text && strstr(text, "#cir.data_member<null>");
	circ_free(text);
	circ_module_destroy(m);
	return has;
}

TEST(what_clang_printed_wrong_is_repaired_where_that_is_asked_for)
{
	static const char remark[] =
	    "5:3: remark: null-member: the pointers to data members in this zero are "
	    "null; CIRC_REPAIR_NONE leaves it as it is\n";
	Heard h = {.errors = 0};
	EXPECT(!has_null(parse_zero(CIRC_DIALECT_NEWEST, &h)));
	EXPECT_STR(h.text, "");
	EXPECT(!has_null(parse_zero(CIRC_DIALECT_AUTO, &h)));
	EXPECT_CONTAINS(h.text, "5:3: warning: clang is known to print this wrong: ");
	EXPECT_CONTAINS(h.text,
	                "; use CIRC_REPAIR_CLANG if it did, or CIRC_REPAIR_NONE if the text is right");
	CircModule *m = parse_zero(CIRC_DIALECT_AUTO, &h);
	EXPECT(circ_module_set_repair(m, CIRC_REPAIR_NONE, false));
	EXPECT(!has_null(m));
	EXPECT_STR(h.text, "");
	for (int each = 0; each < 2; each++) {
		m = parse_zero(CIRC_DIALECT_NEWEST, &h);
		EXPECT(circ_module_set_repair(m, CIRC_REPAIR_CLANG, each));
		EXPECT(has_null(m));
		EXPECT_STR(h.text, remark);
	}
	m = parse_zero(CIRC_DIALECT_AUTO, &h);
	EXPECT(circ_module_set_attr(m, "cir.module_asm", circ_attr_array(m, NULL, 0)));
	EXPECT(has_null(m));
	EXPECT_STR(h.text, remark);
}

TEST(a_built_module_means_what_it_says)
{
	static const char array[] =
	    "!cir.array<!cir.data_member<!s32i in !cir.struct<\"S\" {data !s32i}>> x 1>";
	Heard h = {.errors = 0};
	CircModule *m = circ_module_create(hear, &h);
	CircType *type = circ_type_parse(m, array, strlen(array));
	EXPECT(circ_module_set_attr(m, "cir.module_asm", circ_attr_array(m, NULL, 0)));
	EXPECT(circ_global_create(m, "t", type, "external", circ_attr_zero(m, type)) != NULL);
	EXPECT(!has_null(m));
	EXPECT_STR(h.text, "");
}

TEST(repairs_are_asked_for_before_the_first_pass)
{
	Heard h = {.errors = 0};
	CircModule *m = parse_zero(CIRC_DIALECT_NEWEST, &h);
	EXPECT(!circ_module_set_repair(m, (CircRepair)3, false));
	EXPECT_REFUSED(&h, "circ_module_set_repair: 'repair' is 3; expected a CircRepair");
	forget(&h);
	EXPECT(circ_module_lower_itanium(m));
	EXPECT(!circ_module_set_repair(m, CIRC_REPAIR_CLANG, false));
	EXPECT_REFUSED(&h, "circ_module_set_repair: a pass has run already");
	circ_module_destroy(m);
}

TEST(a_dialect_says_what_is_read)
{
	static const char unary[] = "!s32i = !cir.int<s, 32>\n"
	                            "cir.func @f(%x: !s32i) {\n"
	                            "  %y = cir.unary(inc, %x) : !s32i, !s32i\n"
	                            "  cir.return\n"
	                            "}\n";
	static const char pointer[] = "cir.func private @f(!cir.ptr<i8>)\n";
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse_as(CIRC_DIALECT_AUTO, NULL, unary, strlen(unary), hear, &h);
	EXPECT(m != NULL);
	circ_module_destroy(m);
	EXPECT(!circ_module_parse_as(CIRC_DIALECT_NEWEST, NULL, unary, strlen(unary), hear, &h));
	EXPECT_EQ(h.errors, 1);
	EXPECT_CONTAINS(h.text,
	                "3:8: error: 'cir.unary' is now 'cir.inc'; write that, or use CIRC_DIALECT_AUTO");
	forget(&h);
	m = circ_module_parse_as(CIRC_DIALECT_EARLIEST, NULL, pointer, strlen(pointer), hear, &h);
	expect_printed(m, "!s8i = !cir.int<s, 8>\n"
	                  "module attributes {circ.older_text} {\n"
	                  "  cir.func private @f(!cir.ptr<!s8i>)\n"
	                  "}\n");
	circ_module_destroy(m);
	EXPECT(!circ_module_parse_as((CircDialect)3, NULL, identity, strlen(identity), hear, &h));
	EXPECT_CONTAINS(h.text, "circ_module_parse_as: 'dialect' is 3; expected a CircDialect");
	forget(&h);
}

TEST(a_wrong_text_gives_no_module)
{
	Heard h = {.errors = 0};
	static const char text[] = "cir.func @f() {\n  cir.retrun\n}\n";
	EXPECT(circ_module_parse(NULL, text, strlen(text), hear, &h) == NULL);
	EXPECT_EQ(h.errors, 1);
	EXPECT_CONTAINS(h.text, "2:3: error: ");
}

TEST(a_text_that_does_not_verify_names_its_lines)
{
	Heard h = {.errors = 0};
	static const char text[] = "cir.func @f() -> !s32i {\n  cir.return\n}\n";
	CircModule *m = circ_module_parse(NULL, text, strlen(text), hear, &h);
	EXPECT(m != NULL);
	EXPECT(!circ_module_verify(m, CIRC_STAGE_FLAT));
	EXPECT_CONTAINS(h.text, "2:3: error: ");
	EXPECT(!circ_module_lower_itanium(m)); /* passes verify, too */
	forget(&h);
	EXPECT(!circ_module_verify(m, (CircStage)3));
	EXPECT_REFUSED(&h, "circ_module_verify: 'stage' is 3; expected a CircStage");
	circ_module_destroy(m);
}

TEST(no_module_is_no_crash)
{
	circ_module_destroy(NULL);
	circ_module_set_handler(NULL, hear, NULL);
	EXPECT(!circ_module_verify(NULL, CIRC_STAGE_FLAT));
	EXPECT(!circ_module_print(NULL, 0, NULL, NULL));
	EXPECT(!circ_module_set_name(NULL, "x"));
	EXPECT(circ_module_attr(NULL, "x") == NULL);
	EXPECT(circ_module_symbol(NULL, "x", 1) == NULL);
	EXPECT(circ_module_body(NULL) == NULL);
	EXPECT(circ_module_parse(NULL, NULL, 0, NULL, NULL) == NULL);
	EXPECT(circ_type_int(NULL, 32, true) == NULL);
	EXPECT(circ_attr_unit(NULL) == NULL);
	EXPECT(circ_func_create(NULL, "f", NULL) == NULL);
	EXPECT(circ_builder_create(NULL) == NULL);
	EXPECT(circ_build_rethrow(NULL) == NULL);
	EXPECT(!circ_module_emit_file(NULL, NULL, CIRC_OBJECT, "x"));
	circ_free(NULL);
}

TEST(null_is_reported)
{
	Heard h = {.errors = 0};
	CircModule *m = circ_module_create(hear, &h);
	EXPECT(!circ_module_print(m, 0, NULL, NULL));
	EXPECT_REFUSED(&h, "circ_module_print: 'text' is NULL");
	EXPECT(!circ_module_set_attr(m, NULL, NULL));
	EXPECT_REFUSED(&h, "circ_module_set_attr: 'key' is NULL");
	EXPECT(circ_type_ptr(m, NULL) == NULL);
	EXPECT_REFUSED(&h, "circ_type_ptr: 'pointee' is NULL");
	EXPECT(!circ_module_emit_file(m, NULL, CIRC_OBJECT, NULL));
	EXPECT_REFUSED(&h, "circ_module_emit_file: 'path' is NULL");
	circ_module_destroy(m);
}

TEST(the_module_has_a_name_and_a_dictionary)
{
	Heard h = {.errors = 0};
	CircModule *m = circ_module_create(hear, &h);
	EXPECT(circ_module_set_name(m, "a file.cpp"));
	EXPECT(circ_module_set_attr(m, "cir.triple", circ_attr_string(m, "x86_64-pc-linux-gnu", 19)));
	EXPECT(circ_module_set_attr(m, "drop.me", circ_attr_unit(m)));
	EXPECT(circ_module_set_attr(m, "drop.me", NULL));
	EXPECT_STR(circ_attr_get_string(circ_module_attr(m, "cir.triple"), NULL), "x86_64-pc-linux-gnu");
	EXPECT(circ_module_attr(m, "drop.me") == NULL);
	expect_printed(m, "module @\"a file.cpp\" attributes {cir.triple = \"x86_64-pc-linux-gnu\"} {\n}\n");
	circ_module_destroy(m);
	EXPECT_STR(h.text, "");
}

TEST(printing_has_a_generic_form)
{
	char *text;
	CircModule *m = circ_module_parse(NULL, identity, strlen(identity), NULL, NULL);
	EXPECT(circ_module_print(m, CIRC_PRINT_GENERIC, &text, NULL));
	EXPECT_CONTAINS(text, "\"cir.return\"(%arg0) : (!s32i) -> ()");
	circ_free(text);
	Heard h = {.errors = 0};
	circ_module_set_handler(m, hear, &h);
	EXPECT(!circ_module_print(m, 64, &text, NULL));
	EXPECT(text == NULL);
	EXPECT_REFUSED(&h, "circ_module_print: 'flags' is 64; expected a combination of CIRC_PRINT_*");
	circ_module_destroy(m);
}

static const char structured[] = "cir.func private @g()\n"
                                 "cir.func private @close() attributes {nothrow}\n"
                                 "cir.func @f() {\n"
                                 "  cir.cleanup.scope {\n"
                                 "    cir.call @g() : () -> ()\n"
                                 "    cir.yield\n"
                                 "  } cleanup all {\n"
                                 "    cir.call @close() : () -> ()\n"
                                 "    cir.yield\n"
                                 "  }\n"
                                 "  cir.return\n"
                                 "}\n";

TEST(passes_lead_from_structured_to_itanium)
{
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse(NULL, structured, strlen(structured), hear, &h);
	EXPECT_EQ(circ_module_stage(m), CIRC_STAGE_STRUCTURED);
	EXPECT(circ_module_flatten(m));
	EXPECT_EQ(circ_module_stage(m), CIRC_STAGE_FLAT);
	EXPECT(circ_module_flatten(m)); /* again: nothing to do */
	EXPECT(circ_module_lower_itanium(m));
	EXPECT_EQ(circ_module_stage(m), CIRC_STAGE_ITANIUM);
	EXPECT(circ_module_lower_itanium(m));
	EXPECT(circ_module_verify(m, CIRC_STAGE_ITANIUM));
	circ_module_destroy(m);
	EXPECT_STR(h.text, "");
}

TEST(passes_lead_from_structured_to_microsoft)
{
	Heard h = {.errors = 0};
	char text[2048];
	int n = snprintf(text, sizeof text,
	                 "module attributes {cir.triple = \"x86_64-pc-windows-msvc\"} {\n%s}\n", structured);
	CircModule *m = circ_module_parse(NULL, text, (size_t)n, hear, &h);
	EXPECT(circ_module_flatten(m));
	EXPECT(circ_module_lower_microsoft(m));
	EXPECT_EQ(circ_module_stage(m), CIRC_STAGE_MICROSOFT);
	EXPECT(circ_module_lower_microsoft(m)); /* again: nothing to do */
	EXPECT(circ_module_verify(m, CIRC_STAGE_MICROSOFT));
	circ_module_destroy(m);
	EXPECT_STR(h.text, "");
}

TEST(the_microsoft_form_needs_its_target)
{
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse(NULL, structured, strlen(structured), hear, &h);
	EXPECT(circ_module_flatten(m));
	bool ok = circ_module_lower_microsoft(m);
	EXPECT(!ok);
	EXPECT_STR(h.text, "4:3: error: Microsoft exception handling requires target windows-msvc; "
	                   "set 'cir.triple'\n");
	circ_module_destroy(m);
}

TEST(handles_inside_functions_end_with_a_pass)
{
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse(NULL, structured, strlen(structured), hear, &h);
	CircOp *f = circ_module_symbol(m, "f", 1);
	CircBlock *entry = circ_region_first_block(m, circ_op_region(f, 0));
	EXPECT(circ_block_add_arg(m, entry, circ_type_simple(m, CIRC_TYPE_BOOL)) != NULL);
	EXPECT(!circ_module_flatten(m)); /* for the argument is no parameter; nothing has changed */
	forget(&h);
	EXPECT(circ_block_next(m, entry) == NULL);
	circ_module_destroy(m);

	m = circ_module_parse(NULL, structured, strlen(structured), hear, &h);
	f = circ_module_symbol(m, "f", 1);
	entry = circ_region_first_block(m, circ_op_region(f, 0));
	EXPECT(circ_module_flatten(m));
	EXPECT(circ_block_add_arg(m, entry, circ_type_simple(m, CIRC_TYPE_BOOL)) == NULL);
	EXPECT_REFUSED(&h, "circ_block_add_arg: 'block' does not belong to this module, or was erased");
	EXPECT(circ_region_first_block(m, circ_op_region(f, 0)) != NULL); /* f itself is still there */
	circ_module_destroy(m);
}

/* Its memory goes back to the system. */
TEST(handles_into_a_large_function_end_with_it)
{
	Heard h = {.errors = 0};
	CircModule *m = circ_module_create(hear, &h);
	CircType *s32 = circ_type_int(m, 32, true);
	CircBuilder *b = circ_builder_create(m), *inside = circ_builder_create(m);
	CircOp *f = circ_func_create(m, "f", circ_type_func(m, &s32, 1, NULL, false)), *scope = NULL;
	CircBlock *entry = circ_func_add_entry(m, f), *body = NULL;
	CircValue *arg = circ_block_arg(entry, 0), *sum = NULL, *inner = NULL;
	circ_builder_at_end(b, entry);
	for (unsigned i = 0; i < 60000; i++) {
		CircValue *v = circ_build_binary(b, "cir.add", arg, arg);
		if (i != 30000)
			continue;
		sum = v;
		scope = circ_build_op(b, &(CircOpSpec){.mnemonic = "cir.scope"});
		body = circ_block_create(m, circ_op_region(scope, 0));
		inner = circ_block_add_arg(m, body, s32);
		circ_builder_before(inside, scope);
	}
	CircRegion *region = circ_op_region(scope, 0);
	EXPECT(circ_op_erase(m, f));
	EXPECT(!circ_value_replace(m, sum, sum));
	EXPECT_REFUSED(&h, "circ_value_replace: 'from' does not belong to this module, or was erased");
	EXPECT(!circ_value_replace(m, inner, inner));
	EXPECT_REFUSED(&h, "circ_value_replace: 'from' does not belong to this module, or was erased");
	EXPECT(!circ_build_op(inside, &(CircOpSpec){.mnemonic = "cir.yield"}));
	EXPECT_REFUSED(&h, "circ_build_op: insertion point of the builder has been erased; set another");
	EXPECT(!circ_builder_at_end(b, body));
	EXPECT_REFUSED(&h, "circ_builder_at_end: 'block' does not belong to this module, or was erased");
	EXPECT(!circ_op_erase(m, scope));
	EXPECT_REFUSED(&h, "circ_op_erase: 'op' does not belong to this module, or was erased");
	EXPECT(!circ_block_create(m, region));
	EXPECT_REFUSED(&h, "circ_block_create: 'region' does not belong to this module, or was erased");
	EXPECT(!circ_op_operand(m, scope, 0));
	EXPECT(!circ_op_attr(m, scope, "x"));
	EXPECT(!circ_op_block(m, scope));
	circ_module_destroy(m);
}

TEST(a_module_can_be_walked)
{
	CircModule *m = circ_module_parse(NULL, structured, strlen(structured), NULL, NULL);
	unsigned ops = 0, calls = 0;
	for (CircOp *f = circ_block_first_op(circ_module_body(m)); f; f = circ_op_next(f)) {
		CircBlock *b = circ_region_first_block(m, circ_op_region(f, 0));
		for (; b; b = circ_block_next(m, b))
			for (CircOp *op = circ_block_first_op(b); op; op = circ_op_next(op)) {
				CircBlock *inner = circ_region_first_block(m, circ_op_region(op, 0));
				CircOp *call = circ_block_first_op(inner);
				calls += call && circ_op_may_throw(call);
				EXPECT(!call || circ_op_parent(m, call) == op);
				EXPECT(circ_op_parent(m, op) == f);
				ops++;
			}
	}
	EXPECT_EQ(ops, 2);
	EXPECT_EQ(calls, 1);
	EXPECT_STR(circ_op_mnemonic(circ_block_last_op(circ_module_body(m))), "cir.func");
	EXPECT_STR(circ_op_symbol_name(circ_block_last_op(circ_module_body(m)), NULL), "f");
	circ_module_destroy(m);
}
