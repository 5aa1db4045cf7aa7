/* The public interface: from a module to LLVM IR and objects. */
#include "api_common.h"

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
	EXPECT_EQ(circ_module_stage(m), CIRC_STAGE_ITANIUM); /* what was missing has been done */
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
	} rows[] = {{"", &windows, "nothing tells whether MSVC returns record 'S'"},
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

TEST(what_cannot_be_emitted_is_reported)
{
	static const CircEmitOptions level = {.opt = '7'}, target = {.triple = "vax-dec-ultrix"};
	expect_not_emitted(catches, &level, CIRC_OBJECT, "'opt' is '7'; expected '0', '1', '2', '3' or 's'");
	expect_not_emitted(catches, NULL, (CircFormat)9, "9 is not a format");
	expect_not_emitted(catches, &target, CIRC_OBJECT,
	                   "target 'vax-dec-ultrix' is unknown or not supported; expected");
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
	EXPECT_CONTAINS(h.text, "are padding is not told");
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
	EXPECT_CONTAINS(h.text, "is one of the inputs");
	unlink(path);
}
