/* The printer on what the command never shows it: modules that do not verify. */
#include "test.h"

#include "ir/build.h"
#include "text/parse.h"
#include "text/print/print.h"

typedef struct Printed {
	Arena arena;
	StrBuf text;
} Printed;

static void print_module(Printed *p, IrModule *m, unsigned flags)
{
	*p = (Printed){.text = {0}};
	arena_init(&p->arena);
	text_print(m, flags, &p->arena, &p->text);
	buf_char(&p->arena, &p->text, '\0');
}

static void expect_reprinted(const char *text, const char *part)
{
	Diags d;
	Printed p;
	IrModule *m = ir_module_create();
	diag_init(&d, NULL, NULL);
	if (EXPECT(text_parse(m, "text", str_of(text), &d))) {
		print_module(&p, m, 0);
		EXPECT_CONTAINS(p.text.data, part);
		arena_free(&p.arena);
	}
	ir_module_destroy(m);
}

TEST(the_places_of_ops_are_where_their_text_is)
{
	static const char text[] = "cir.func @f() {\n  cir.scope {\n    cir.return\n  }\n  cir.return\n}\n";
	static const struct {
		OpKind kind;
		const char *begin;
	} expected[] = {{OP_FUNC, "  cir.func @f"},      {OP_SCOPE, "    cir.scope"},
	                {OP_RETURN, "      cir.return"}, {OP_SCOPE, "\n    cir.return"},
	                {OP_RETURN, "    cir.return"},   {OP_FUNC, "\n}"}};
	Diags d;
	Arena arena;
	StrBuf out = {0};
	PrintPlaces places = {0};
	IrModule *m = ir_module_create();
	diag_init(&d, NULL, NULL);
	arena_init(&arena);
	buf_put(&arena, &out, STR("before\n"));
	if (EXPECT(text_parse(m, "text", STR(text), &d))) {
		text_print_places(m, 0, &arena, &out, &places);
		EXPECT(places.len == ARRAY_LEN(expected));
		for (uint32_t i = 0; i < places.len && i < ARRAY_LEN(expected); i++) {
			EXPECT(places.data[i].op->kind == expected[i].kind);
			EXPECT(strncmp(out.data + places.data[i].offset, expected[i].begin,
			               strlen(expected[i].begin)) == 0);
		}
	}
	arena_free(&arena);
	ir_module_destroy(m);
}

TEST(what_a_format_cannot_say_is_printed_generically)
{
	expect_reprinted(
	    "cir.func @f() {\n  %0 = \"cir.alloca\"() <{name = \"x\", alignment = \"four\"}> : () -> "
	    "!cir.ptr<!s32i>\n}\n",
	    "%0 = \"cir.alloca\"() <{name = \"x\", alignment = \"four\"}> : () -> !cir.ptr<!s32i>\n");
	expect_reprinted(
	    "cir.func @f(%a: !s32i, %b: !s8i) {\n  %0 = \"cir.add\"(%a, %b) : (!s32i, !s8i) -> !s32i\n}\n",
	    "%0 = \"cir.add\"(%arg0, %arg1) : (!s32i, !s8i) -> !s32i\n");
}

TEST(a_value_that_is_not_in_the_module_is_named_so)
{
	Printed p;
	IrModule *m = ir_module_create();
	IrType *type = ir_type_func(m, NULL, 0, m->s32, false);
	IrOp *f = ir_func_create(m, ir_name(m, STR("f")), type, (Loc){0});
	IrBlock *entry = ir_func_add_entry(m, f), *apart = ir_block_create(m, (Loc){0});
	IrBuilder b = ir_at_end(m, apart, (Loc){0});
	IrValue *value = ir_build_const_int(&b, m->s32, 1);
	b = ir_at_end(m, entry, (Loc){0});
	ir_build(&b, OP_RETURN, NULL, &value, 1);
	ir_build_br(&b, apart, NULL, 0);
	print_module(&p, m, 0);
	EXPECT_CONTAINS(p.text.data, "cir.return <<UNKNOWN SSA VALUE>> : !s32i\n");
	EXPECT_CONTAINS(p.text.data, "cir.br ^INVALIDBLOCK\n");
	arena_free(&p.arena);
	ir_module_destroy(m);
}

TEST(a_text_may_be_appended_to)
{
	IrModule *m = ir_module_create();
	StrBuf out = {0};
	buf_put(&m->scratch, &out, STR("// mine\n"));
	text_print(m, 0, &m->scratch, &out);
	text_print(m, 0, &m->scratch, &out);
	EXPECT_TEXT(out, "// mine\nmodule {\n}\nmodule {\n}\n");
	ir_module_destroy(m);
}

/* Written in pieces inside: the seams must not show. */
TEST(a_long_text_is_whole)
{
	enum { FUNCS = 20000 };
	Printed p;
	IrModule *m = ir_module_create();
	IrType *type = ir_type_func(m, NULL, 0, ir_type_simple(m, TYPE_VOID), false);
	char name[32];
	for (int i = 0; i < FUNCS; i++) {
		snprintf(name, sizeof name, "function_%05d", i);
		ir_func_declare(m, str_of(name), type);
	}
	print_module(&p, m, 0);
	EXPECT_EQ(p.text.len, strlen("module {\n") +
	                          FUNCS * strlen("  cir.func private @function_00000()\n") + strlen("}\n") +
	                          1);
	for (int i = 0; i < FUNCS; i += 997) {
		snprintf(name, sizeof name, "@function_%05d()\n", i);
		EXPECT_CONTAINS(p.text.data, name);
	}
	arena_free(&p.arena);
	ir_module_destroy(m);
}
