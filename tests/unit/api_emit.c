/* The public interface: from a module to LLVM IR and objects. */
#include "api_common.h"

#include <sys/wait.h>
#include <unistd.h>

static const char catches[] =
    "cir.global \"private\" constant external @_ZTIi : !cir.ptr<!u8i>\n"
    "cir.func private @work()\n"
    "cir.func private @close() attributes {nothrow}\n"
    "cir.func @f() {\n"
    "  cir.try_call @work() ^done, ^thrown : () -> ()\n"
    "^done:\n"
    "  cir.return\n"
    "^thrown:\n"
    "  %t = cir.eh.initiate : !cir.eh_token\n"
    "  cir.br ^dispatch(%t : !cir.eh_token)\n"
    "^dispatch(%u: !cir.eh_token):\n"
    "  cir.eh.dispatch %u : !cir.eh_token [\n"
    "    catch(#cir.global_view<@_ZTIi> : !cir.ptr<!u8i>) : ^caught,\n"
    "    unwind : ^on\n"
    "  ]\n"
    "^caught(%v: !cir.eh_token):\n"
    "  %c, %p = cir.begin_catch %v : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!void>)\n"
    "  cir.end_catch %c : !cir.catch_token\n"
    "  cir.br ^done\n"
    "^on(%w: !cir.eh_token):\n"
    "  cir.resume %w : !cir.eh_token\n"
    "}\n";

static const CircEmitOptions linux_target = {.triple = "x86_64-pc-linux-gnu"};

TEST(llvm_ir_has_the_landing_pad)
{
	Heard h = {.errors = 0};
	char *text;
	size_t len;
	CircModule *m = circ_module_parse(NULL, catches, strlen(catches), hear, &h);
	if (!EXPECT(circ_module_emit_memory(m, &linux_target, CIRC_LLVM_IR, &text, &len)))
		printf("%s", h.text);
	else
		EXPECT(len > 0);
	char *copy = calloc(1, len + 1);
	if (len)
		memcpy(copy, text, len);
	EXPECT_CONTAINS(copy, "landingpad { ptr, i32 }");
	EXPECT_CONTAINS(copy, "catch ptr @_ZTIi");
	EXPECT_CONTAINS(copy, "personality ptr @__gxx_personality_v0");
	free(copy);
	circ_free(text);
	EXPECT_EQ(circ_module_stage(m), CIRC_STAGE_FLAT); /* what was missing has been done to a copy */
	circ_module_destroy(m);
	EXPECT_STR(h.text, "");
}

TEST(a_built_module_has_the_file_of_its_name)
{
	Heard h = {.errors = 0};
	char *text;
	size_t len;
	CircModule *m = circ_module_create(hear, &h);
	CircBuilder *b = circ_builder_create(m);
	CircOp *f = circ_func_create(m, "f", circ_type_func(m, NULL, 0, NULL, false));
	circ_builder_at_end(b, circ_func_add_entry(m, f));
	circ_build_return(b, NULL);
	EXPECT(circ_op_set_loc(m, f, "shapes.lang", 12, 5) && circ_module_set_name(m, "shapes.lang"));
	EXPECT(circ_module_set_attr(m, "circ.debug.producer",
	                            circ_attr_string(m, "shapes 1.5", strlen("shapes 1.5"))));
	CircEmitOptions options = {.triple = "x86_64-pc-linux-gnu", .debug = true};
	EXPECT(circ_module_emit_memory(m, &options, CIRC_ASSEMBLY, &text, &len));
	char *copy = calloc(1, len + 1);
	if (len)
		memcpy(copy, text, len);
	EXPECT_CONTAINS(copy, "\t.file\t\"shapes.lang\"\n");
	EXPECT_CONTAINS(copy, "\t.asciz\t\"shapes 1.5\"");
	EXPECT(strstr(copy, "<memory>") == NULL);
	free(copy);
	circ_free(text);
	circ_module_destroy(m);
	EXPECT_STR(h.text, "");
}

/* Both targets take what is returned for an aggregate; for one that is a guess. The module can tell. */
TEST(guesses_of_the_calling_convention_are_warnings)
{
	static const char told[] = "cir.record_traits = {S = {aggregate = true}}";
	static const char text[] =
	    "module attributes {%s} {\n"
	    "cir.func private @\"?f@@YA?AUS@@XZ\"() -> !cir.struct<\"S\" {!cir.int<s, 32>}>\n}\n";
	static const CircEmitOptions windows = {.triple = "x86_64-pc-windows-msvc"};
	static const struct {
		const char *attrs;
		const CircEmitOptions *target;
		const char *message;
	} rows[] = {{"", &windows, "assuming that MSVC returns record 'S'"},
	            {"", &linux_target, NULL},
	            {told, &windows, NULL}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		Heard h = {.errors = 0};
		char module[256], *out = NULL;
		size_t len;
		snprintf(module, sizeof module, text, rows[i].attrs);
		CircModule *m = circ_module_parse(NULL, module, strlen(module), hear, &h);
		EXPECT(circ_module_emit_memory(m, rows[i].target, CIRC_LLVM_IR, &out, &len));
		EXPECT_EQ(h.errors, 0);
		if (rows[i].message)
			EXPECT_CONTAINS(h.text, rows[i].message);
		else
			EXPECT_STR(h.text, "");
		circ_free(out);
		circ_module_destroy(m);
	}
}

/* A module that was verified is verified once more before it is emitted. */
TEST(warnings_of_the_verifier_are_told_once)
{
	static const char text[] = "cir.func @f(%n: !cir.int<s, 32>) attributes {global_ctor = 5, nothrw} {\n"
	                           "  cir.return\n}\n";
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse(NULL, text, strlen(text), hear, &h);
	EXPECT(circ_module_verify(m, CIRC_STAGE_STRUCTURED));
	EXPECT_CONTAINS(h.text, "a global constructor takes no arguments");
	EXPECT_CONTAINS(h.text, "did you mean 'nothrow'?");
	h = (Heard){.errors = 0};
	char *out = NULL;
	size_t len;
	EXPECT(circ_module_emit_memory(m, &linux_target, CIRC_LLVM_IR, &out, &len));
	EXPECT(circ_module_flatten(m));
	EXPECT(circ_module_verify(m, CIRC_STAGE_FLAT));
	EXPECT_STR(h.text, "");
	EXPECT(
	    circ_op_set_attr(m, circ_module_symbol(m, "f", 1), "section", circ_attr_string(m, ".text.f", 7)));
	EXPECT(circ_module_verify(m, CIRC_STAGE_FLAT));
	EXPECT_CONTAINS(h.text, "a global constructor takes no arguments");
	circ_free(out);
	circ_module_destroy(m);
}

static void emit_twice(CircModule *m, const CircEmitOptions *options)
{
	for (int i = 0; i < 2; i++) {
		char *out = NULL;
		size_t len;
		EXPECT(circ_module_emit_memory(m, options, CIRC_LLVM_IR, &out, &len));
		circ_free(out);
	}
}

/* By the verifier, a repair and the calling convention: each emission works on a copy of the module. */
TEST(warnings_come_once_for_all_emissions)
{
	static const char text[] =
	    "!s32i = !cir.int<s, 32>\n"
	    "!S = !cir.struct<\"S\" {data !s32i}>\n"
	    "module attributes {cir.module_asm = [], cir.lang = #cir.lang<cxx>} {\n"
	    "cir.global external @n = #cir.zero : !cir.array<!cir.data_member<!s32i in !S> x 1>\n"
	    "cir.func private @\"?f@@YA?AUS@@XZ\"() -> !S attributes {nothrw}\n}\n";
	static const char *const expected[] = {"did you mean 'nothrow'?", "remark: null-member: ",
	                                       "warning: assuming that MSVC returns record 'S'"};
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse(NULL, text, strlen(text), hear, &h);
	emit_twice(m, &(CircEmitOptions){.triple = "x86_64-pc-windows-msvc"});
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		const char *first = strstr(h.text, expected[i]);
		EXPECT(first && !strstr(first + 1, expected[i]));
	}
	forget(&h);
	EXPECT(circ_op_set_attr(m, circ_module_symbol(m, "n", 1), "section", circ_attr_string(m, ".n", 2)));
	emit_twice(m, &linux_target);
	EXPECT_CONTAINS(h.text, "remark: null-member: ");
	forget(&h);
	Heard other = {.errors = 0};
	CircModule *clone = circ_module_clone(m, hear, &other);
	emit_twice(clone, &linux_target);
	EXPECT_CONTAINS(other.text, "remark: null-member: ");
	EXPECT_STR(h.text, "");
	circ_module_destroy(clone);
	circ_module_destroy(m);
}

/* g(S), and with `unused` a destructor of S that nobody calls. */
static CircModule *module_that_passes_a_record(Heard *h, bool unused)
{
	CircModule *m = circ_module_create(hear, h);
	CircType *number = circ_type_int(m, 32, true);
	CircType *record = circ_type_record(m, CIRC_RECORD_STRUCT, "S", 1);
	CircRecordBody body = {.members = &number, .nmembers = 1};
	EXPECT(circ_record_set_body(m, record, &body));
	CircType *pointer = circ_type_ptr(m, record), *nothing = circ_type_simple(m, CIRC_TYPE_VOID);
	if (unused)
		EXPECT(circ_func_declare(m, "_ZN1SD1Ev", circ_type_func(m, &pointer, 1, nothing, false)));
	EXPECT(circ_func_declare(m, "g", circ_type_func(m, &record, 1, nothing, false)));
	return m;
}

TEST(an_unused_declaration_changes_no_signature)
{
	static const char text[] = "!rec_S = !cir.struct<\"S\" {data !cir.int<s, 32>}>\n"
	                           "cir.func private @_ZN1SD1Ev(!cir.ptr<!rec_S>)\n"
	                           "cir.func private @g(!rec_S)\n";
	Heard h = {.errors = 0};
	CircModule *modules[] = {
	    module_that_passes_a_record(&h, false), module_that_passes_a_record(&h, true),
	    circ_module_parse_as(CIRC_DIALECT_NEWEST, NULL, text, strlen(text), hear, &h)};
	for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
		char *out = NULL;
		size_t len = 0;
		EXPECT(circ_module_emit_memory(modules[i], &linux_target, CIRC_LLVM_IR, &out, &len));
		char *printed = calloc(1, len + 1);
		if (len)
			memcpy(printed, out, len);
		EXPECT_CONTAINS(printed, "@g(i32)\n");
		free(printed);
		circ_free(out);
		circ_module_destroy(modules[i]);
	}
	EXPECT_STR(h.text, "");
}

/* LLVM would end the process over the one, and not say where the other is. */
TEST(what_llvm_has_no_code_for_is_said_at_the_op)
{
	static const char text[] = "cir.func @f() {\n"
	                           "  cir.call_llvm_intrinsic \"eh.sjlj.setup.dispatch\" : () -> ()\n"
	                           "  cir.return\n}\n";
	static const char assembly[] =
	    "cir.func @f() {\n\n"
	    "  cir.asm(x86_att, out = [], in = [], in_out = [], {\"wibble\" \"\"}) side_effects\n"
	    "  cir.return\n}\n";
	const char *texts[] = {text, assembly}, *said[] = {"2:3: ", "3:3: "};
	for (unsigned i = 0; i < 2; i++) {
		Heard h = {0};
		char *data;
		size_t len;
		CircModule *m = circ_module_parse(NULL, texts[i], strlen(texts[i]), hear, &h);
		EXPECT(!circ_module_emit_memory(m, &linux_target, CIRC_OBJECT, &data, &len));
		EXPECT_EQ(h.errors, 1);
		EXPECT_CONTAINS(h.text, said[i]);
		EXPECT(data == NULL);
		circ_module_destroy(m);
	}
}

TEST(the_same_module_gives_the_same_bytes)
{
	char *objects[2];
	size_t sizes[2];
	for (int i = 0; i < 2; i++) {
		CircEmitOptions options = linux_target;
		options.opt = '2';
		CircModule *m = circ_module_parse(NULL, catches, strlen(catches), NULL, NULL);
		EXPECT(circ_module_emit_memory(m, &options, CIRC_OBJECT, &objects[i], &sizes[i]));
		circ_module_destroy(m);
	}
	EXPECT(sizes[0] > 64 && memcmp(objects[0], "\177ELF", 4) == 0);
	EXPECT(sizes[0] == sizes[1] && memcmp(objects[0], objects[1], sizes[0]) == 0);
	circ_free(objects[0]);
	circ_free(objects[1]);
}

static void expect_not_emitted(const char *text, const CircEmitOptions *options, CircFormat format,
                               const char *message)
{
	Heard h = {.errors = 0};
	char *data = (char *)1;
	size_t len = 1;
	CircModule *m = circ_module_parse(NULL, text, strlen(text), hear, &h);
	EXPECT(!circ_module_emit_memory(m, options, format, &data, &len));
	EXPECT(data == NULL && len == 0);
	EXPECT_CONTAINS(h.text, message);
	circ_module_destroy(m);
}

static char *text_of(CircModule *m)
{
	char *text = NULL;
	EXPECT(circ_module_print(m, 0, &text, NULL));
	return text;
}

/* An embedder may go on with another target. */
TEST(what_is_refused_leaves_the_module_as_it_was)
{
	static const char own[] = "module attributes {cir.triple = \"x86_64-pc-linux-gnu\"} {\n}\n";
	static const char broken[] = "module attributes {cir.lang = #cir.lang<cxx>} {\n"
	                             "cir.func @f() -> !s32i {\n  cir.return\n}\n}\n";
	static const char lowered[] = "cir.func @f() {\n  cir.return\n^pad:\n"
	                              "  %a, %b = cir.eh.inflight_exception cleanup\n"
	                              "  cir.resume.flat %a, %b\n}\n";
	static const struct {
		const char *text;
		CircEmitOptions options;
		const char *message;
	} rows[] = {
	    {catches, {.triple = "vax-dec-ultrix"}, "unknown or not supported"},
	    {catches, {.triple = "x86_64-pc-windows-msvc", .cpu = "abacus"}, "abacus"},
	    {catches, {.triple = "x86_64-pc-windows-msvc", .opt = '7'}, "'opt' is '7'"},
	    {own, {.triple = "x86_64-w64-windows-gnu", .features = "+beads"}, "beads"},
	    {broken, {.triple = "x86_64-w64-windows-gnu"}, "3:3: "},
	    {lowered, {.triple = "x86_64-pc-windows-msvc"}, "requires the Microsoft form"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		Heard h = {.errors = 0};
		char *data;
		size_t len;
		CircModule *m = circ_module_parse(NULL, rows[i].text, strlen(rows[i].text), hear, &h);
		char *before = text_of(m);
		EXPECT(!circ_module_emit_memory(m, &rows[i].options, CIRC_OBJECT, &data, &len));
		EXPECT_CONTAINS(h.text, rows[i].message);
		char *after = text_of(m);
		EXPECT_STR(after, before);
		circ_free(before);
		circ_free(after);
		circ_module_destroy(m);
	}
}

static void expect_begins(CircModule *m, const char *triple, const char *begins)
{
	CircEmitOptions options = {.triple = triple};
	char *data = NULL;
	size_t len = 0;
	EXPECT(circ_module_emit_memory(m, &options, CIRC_OBJECT, &data, &len));
	EXPECT(len > 64 && memcmp(data, begins, 2) == 0);
	circ_free(data);
}

/* A type info that Microsoft's ABI has no name for: found when everything is lowered. */
TEST(what_is_refused_late_leaves_the_module_as_it_was)
{
	static const char text[] =
	    "!p = !cir.ptr<!cir.int<u, 8>>\n"
	    "cir.global \"private\" external @unknown : !p\n"
	    "cir.func private @work()\n"
	    "cir.func @f() {\n"
	    "  cir.try {\n    cir.call @work() : () -> ()\n    cir.yield\n"
	    "  } catch [type #cir.global_view<@unknown> : !p] (%e: !cir.eh_token) {\n"
	    "    %c, %x = cir.begin_catch %e : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!cir.void>)\n"
	    "    cir.cleanup.scope {\n      cir.yield\n    } cleanup all {\n"
	    "      cir.end_catch %c : !cir.catch_token\n      cir.yield\n    }\n    cir.yield\n  }\n"
	    "  cir.return\n}\n";
	static const CircEmitOptions windows = {.triple = "x86_64-pc-windows-msvc"};
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse(NULL, text, strlen(text), hear, &h);
	char *before = text_of(m), *data;
	size_t len;
	EXPECT(!circ_module_emit_memory(m, &windows, CIRC_OBJECT, &data, &len));
	EXPECT_CONTAINS(h.text, "unknown");
	char *after = text_of(m);
	EXPECT_STR(after, before);
	EXPECT_EQ(circ_module_stage(m), CIRC_STAGE_STRUCTURED);
	circ_free(before);
	circ_free(after);
	expect_begins(m, "x86_64-pc-linux-gnu", "\177E");
	circ_module_destroy(m);
}

TEST(limits_are_those_of_one_emission)
{
	static const char text[] = "cir.global external @g = #cir.int<7> : !s64i\n"
	                           "cir.global external @k = #cir.int<7> : !s64i\n";
	static const CircEmitOptions limited = {.cpu = "abacus", .max_data = 8}, small = {.max_data = 8};
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse(NULL, text, strlen(text), hear, &h);
	char *data;
	size_t len;
	EXPECT(!circ_module_emit_memory(m, &limited, CIRC_OBJECT, &data, &len));
	EXPECT(!circ_module_emit_memory(m, &small, CIRC_OBJECT, &data, &len));
	expect_begins(m, "x86_64-pc-linux-gnu", "\177E");
	circ_module_destroy(m);
}

TEST(a_module_is_emitted_for_several_targets_by_clones)
{
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse(NULL, catches, strlen(catches), hear, &h);
	char *before = text_of(m);
	CircModule *elf = circ_module_clone(m, hear, &h), *coff = circ_module_clone(m, hear, &h);
	expect_begins(elf, "x86_64-pc-linux-gnu", "\177E");
	expect_begins(coff, "x86_64-pc-windows-msvc", "\x64\x86");
	char *after = text_of(m);
	EXPECT_STR(after, before);
	EXPECT_EQ(circ_module_stage(m), CIRC_STAGE_FLAT);
	circ_free(before);
	circ_free(after);
	circ_module_destroy(m);
	circ_module_destroy(elf);
	circ_module_destroy(coff);
	EXPECT_STR(h.text, "");
}

/* At every stage, and when the original is gone. */
TEST(a_clone_is_the_same_text)
{
	CircModule *m = circ_module_parse(NULL, catches, strlen(catches), NULL, NULL);
	circ_module_set_name(m, "cloned");
	for (int i = 0; i < 3; i++) {
		char *before = text_of(m);
		CircModule *copy = circ_module_clone(m, NULL, NULL);
		EXPECT(copy && copy != m);
		EXPECT(circ_module_symbol(copy, "f", 1) &&
		       circ_module_symbol(copy, "f", 1) != circ_module_symbol(m, "f", 1));
		EXPECT_EQ(circ_module_stage(copy), circ_module_stage(m));
		circ_module_destroy(m);
		char *after = text_of(copy);
		EXPECT_STR(after, before);
		circ_free(before);
		circ_free(after);
		m = copy;
		if (i == 0)
			EXPECT(circ_module_lower_itanium(m));
		else
			expect_begins(m, "x86_64-pc-linux-gnu", "\177E");
	}
	circ_module_destroy(m);
}

/* Its own handler, and the places in a text that is its own. */
TEST(a_clone_reports_as_its_original_does)
{
	static const char broken[] = "cir.func @f() -> !s32i {\n  cir.return\n}\n";
	Heard first = {.errors = 0}, second = {.errors = 0};
	CircModule *m = circ_module_parse("broken.cir", broken, strlen(broken), hear, &first);
	CircModule *copy = circ_module_clone(m, hear, &second);
	EXPECT(!circ_module_verify(m, CIRC_STAGE_FLAT));
	circ_module_destroy(m);
	EXPECT(!circ_module_verify(copy, CIRC_STAGE_FLAT));
	EXPECT_CONTAINS(second.text, "2:3: error: ");
	EXPECT_STR(second.text, first.text);
	circ_module_destroy(copy);
	EXPECT(!circ_module_clone(NULL, NULL, NULL));
}

TEST(a_damaged_module_has_no_clone)
{
	static const char guarded[] =
	    "module attributes {cir.triple = \"vax-dec-ultrix\"} {\n"
	    "cir.func private @make() -> !s32i\n"
	    "cir.global external @g = ctor : !s32i {\n  %p = cir.get_global @g : !cir.ptr<!s32i>\n"
	    "  %v = cir.call @make() : () -> !s32i\n  cir.store %v, %p : !s32i, !cir.ptr<!s32i>\n}\n}\n";
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse(NULL, guarded, strlen(guarded), hear, &h);
	EXPECT(!circ_module_flatten(m));
	EXPECT(!circ_module_clone(m, NULL, NULL));
	EXPECT_CONTAINS(h.text, "circ_module_clone: an earlier call failed halfway");
	circ_module_destroy(m);
}

TEST(what_cannot_be_emitted_is_reported)
{
	static const CircEmitOptions level = {.opt = '7'}, target = {.triple = "vax-dec-ultrix"};
	expect_not_emitted(catches, &level, CIRC_OBJECT, "'opt' is '7'; expected '0', '1', '2', '3' or 's'");
	expect_not_emitted(catches, NULL, (CircFormat)9, "'format' is 9; expected a CircFormat");
	expect_not_emitted(
	    catches, &target, CIRC_OBJECT,
	    "target 'vax-dec-ultrix' is unknown or not supported: circ has no code for the processor; "
	    "expected");
	expect_not_emitted("cir.func @f() -> !s32i {\n  cir.return\n}\n", NULL, CIRC_OBJECT, "2:3: error: ");
}

/* Of a type that is given as text, too. */
TEST(padding_that_is_not_told_is_refused_where_registers_depend_on_it)
{
	static const char older[] =
	    "!cir.struct<\"P\" padded {!cir.float, !cir.array<!u8i x 4>, !cir.float, !cir.array<!u8i x 4>}>";
	static const char newest[] = "!cir.struct<\"P\" {data !cir.float, pad !cir.array<!u8i x 4>, data "
	                             "!cir.float, pad !cir.array<!u8i x 4>}>";
	Heard h = {.errors = 0};
	char *data;
	size_t len;
	CircModule *m = circ_module_create(hear, &h);
	CircType *padded = circ_type_parse(m, older, strlen(older));
	EXPECT(padded && circ_type_parse(m, newest, strlen(newest)) == padded);
	CircType *f = circ_type_func(m, &padded, 1, circ_type_simple(m, CIRC_TYPE_VOID), false);
	circ_func_declare(m, "takes", f);
	EXPECT(circ_module_print(m, 0, &data, &len));
	EXPECT_CONTAINS(data, "cir.record_traits = {P = {padding_known = false}}");
	EXPECT_CONTAINS(data, newest);
	circ_free(data);
	EXPECT(!circ_module_emit_memory(m, &linux_target, CIRC_LLVM_IR, &data, &len));
	EXPECT_CONTAINS(h.text, "members are padding");
	circ_module_destroy(m);
}

TEST(files_are_written_whole_or_not_at_all)
{
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse(NULL, catches, strlen(catches), hear, &h);
	EXPECT(!circ_module_emit_file(m, &linux_target, CIRC_OBJECT, "/nonexistent/folder/x.o"));
	EXPECT_EQ(h.failures, 1);
	EXPECT_CONTAINS(h.text, "/nonexistent/folder/x.o");
	circ_module_destroy(m);
}

TEST(linking_checks_what_it_is_given)
{
	Heard h = {.errors = 0};
	EXPECT(!circ_link(NULL, hear, &h));
	EXPECT_REFUSED(&h, "circ_link: 'options' is NULL");
	EXPECT(!circ_link(&(CircLinkOptions){.output = NULL}, hear, &h));
	EXPECT_REFUSED(&h, "circ_link: 'output' is NULL");
	EXPECT(!circ_link(&(CircLinkOptions){.output = "x", .ninputs = 2}, hear, &h));
	EXPECT_REFUSED(&h, "circ_link: 'inputs' is NULL");
	EXPECT(!circ_link(&(CircLinkOptions){.output = "x", .is_static = true, .shared = true}, hear, &h));
	EXPECT_REFUSED(&h, "circ_link: 'is_static' is set, and 'shared' too");
}

TEST(no_prefix_of_a_path_is_in_what_is_emitted)
{
	static const char text[] = "cir.func @f() {\n  cir.return loc(\"/secret/build/gen/b.c\":2:3)\n} "
	                           "loc(\"/secret/build/b.c\":1:1)\n";
	static const CircPrefixMap maps[] = {{"/secret/build", "/src", false},
	                                     {"/secret/build/gen", "made", true}};
	Heard h = {.errors = 0};
	CircModule *m = circ_module_parse("/secret/build/a.cir", text, strlen(text), hear, &h);
	for (int n = 0; n <= 2; n++) {
		CircEmitOptions options = {.triple = "x86_64-pc-linux-gnu",
		                           .debug = true,
		                           .prefix_maps = maps,
		                           .nprefix_maps = (size_t)n};
		char *data;
		size_t len;
		EXPECT(circ_module_emit_memory(m, &options, CIRC_OBJECT, &data, &len));
		EXPECT_EQ(memmem(data, len, "secret", 6) != NULL, n == 0);
		EXPECT_EQ(memmem(data, len, "/src", 4) != NULL, n > 0);
		EXPECT_EQ(memmem(data, len, "made", 4) != NULL, n == 2);
		circ_free(data);
	}
	CircEmitOptions wrong = {.nprefix_maps = 1};
	EXPECT(!circ_module_emit_file(m, &wrong, CIRC_OBJECT, "/nonexistent/x.o"));
	EXPECT_REFUSED(&h, "circ_module_emit_file: 'prefix_maps' is NULL");
	wrong.prefix_maps = &(CircPrefixMap){.from = "x"};
	EXPECT(!circ_module_emit_file(m, &wrong, CIRC_OBJECT, "/nonexistent/x.o"));
	EXPECT_REFUSED(&h, "circ_module_emit_file: a prefix map has no 'to'");
	circ_module_destroy(m);
}

/* What starts it: a program that needs shared libraries names its loader. */
static bool names_a_loader(const char *path)
{
	static char data[1 << 20]; /* the headers are at the beginning */
	FILE *in = fopen(path, "rb");
	size_t len = in ? fread(data, 1, sizeof data, in) : 0;
	if (in)
		fclose(in);
	return len > 4 && memmem(data, len < 4096 ? len : 4096, "/ld-linux", 9) != NULL;
}

/* The same of a module, whose object stands in front of the inputs. */
TEST(linking_a_module)
{
	static const char text[] = "cir.func private @ready() -> !s32i\n"
	                           "cir.func @main() -> !s32i {\n"
	                           "  %0 = cir.call @ready() : () -> !s32i\n  cir.return %0 : !s32i\n}\n";
	Heard h = {.errors = 0};
	char path[] = "/tmp/circ-api-emit-XXXXXX", object[64];
	int fd = mkstemp(path);
	EXPECT(fd >= 0 && close(fd) == 0);
	snprintf(object, sizeof object, "%s.o", path);
	static const char ready[] = "cir.func @ready() -> !s32i {\n  %0 = cir.const #cir.int<7> : !s32i\n"
	                            "  cir.return %0 : !s32i\n}\n";
	CircModule *m = circ_module_parse(NULL, text, strlen(text), hear, &h);
	CircModule *other = circ_module_parse(NULL, ready, strlen(ready), hear, &h);
	EXPECT(circ_module_emit_file(other, NULL, CIRC_OBJECT, object));
	const char *inputs[] = {object};
	CircLinkOptions link = {.cxxlib = CIRC_LIBSTDCXX, .output = path, .inputs = inputs, .ninputs = 1};
	EXPECT(circ_module_link(m, NULL, &link));
	EXPECT_STR(h.text, "");
	EXPECT_EQ(WEXITSTATUS(system(path)), 7);
	EXPECT(names_a_loader(path));
	link.is_static = true;
	EXPECT(circ_module_link(m, NULL, &link));
	EXPECT_STR(h.text, "");
	EXPECT(!names_a_loader(path));
	EXPECT_EQ(WEXITSTATUS(system(path)), 7);
	CircEmitOptions windows = {.triple = "x86_64-pc-windows-msvc"};
	EXPECT(!circ_module_link(m, &windows, &link));
	EXPECT_CONTAINS(h.text, "a static program for windows-msvc requires 'winsdk'");
	forget(&h);
	EXPECT(!circ_module_link(m, NULL, NULL));
	EXPECT_REFUSED(&h, "circ_module_link: 'options' is NULL");
	EXPECT(!circ_module_link(NULL, NULL, &link));
	circ_module_destroy(m);
	circ_module_destroy(other);
	unlink(object);
	unlink(path);
}

TEST(linking_replaces_nothing_that_is_linked)
{
	Heard h = {.errors = 0};
	char path[] = "/tmp/circ-api-emit-XXXXXX";
	int fd = mkstemp(path);
	EXPECT(fd >= 0 && close(fd) == 0);
	const char *inputs[] = {path};
	EXPECT(!circ_link(&(CircLinkOptions){.inputs = inputs, .ninputs = 1, .output = path}, hear, &h));
	EXPECT_EQ(h.errors, 1);
	EXPECT_CONTAINS(h.text, "is also an input");
	unlink(path);
}
