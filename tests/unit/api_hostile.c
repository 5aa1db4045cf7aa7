/* The public interface with names that nobody gives without intent: each is refused with a reason, or
 * compiles. Nothing is LLVM's failure. */
#include "api_common.h"

typedef struct Bytes {
	const char *data;
	size_t len;
} Bytes;

typedef struct Case {
	CircModule *m;
	Bytes name;
	CircEmitOptions options;
} Case;

/* False: refused. */
typedef bool Place(Case *c);

static CircOp *function(Case *c, const char *name)
{
	CircOp *f = circ_func_create(c->m, name, circ_type_func(c->m, NULL, 0, NULL, false));
	CircBuilder *b = circ_builder_create(c->m);
	if (!f || !circ_builder_at_end(b, circ_func_add_entry(c->m, f)))
		return NULL;
	circ_build_return(b, NULL);
	return f;
}

static CircOp *global(Case *c, const char *name)
{
	CircType *type = circ_type_int(c->m, 32, true);
	return circ_global_create(c->m, name, type, "external", circ_attr_int(c->m, type, 5));
}

static const CircAttr *string(Case *c)
{
	return circ_attr_string(c->m, c->name.data, c->name.len);
}

static bool as_function(Case *c)
{
	return function(c, c->name.data);
}

static bool as_global(Case *c)
{
	return global(c, c->name.data);
}

static bool as_callee(Case *c)
{
	CircBuilder *b = circ_builder_create(c->m);
	CircType *type = circ_type_func(c->m, NULL, 0, NULL, false);
	CircOp *callee = circ_func_declare(c->m, c->name.data, type), *f = circ_func_create(c->m, "f", type);
	if (!callee || !circ_builder_at_end(b, circ_func_add_entry(c->m, f)))
		return false;
	return circ_build_call(b, callee, NULL, 0) && circ_build_return(b, NULL);
}

static bool as_symbol_of_a_call(Case *c)
{
	CircBuilder *b = circ_builder_create(c->m);
	CircNamedAttr callee = {"callee", circ_attr_symbol(c->m, c->name.data, c->name.len)};
	CircOpSpec call = {.mnemonic = "cir.call", .attrs = &callee, .nattrs = 1};
	CircOp *f = circ_func_create(c->m, "f", circ_type_func(c->m, NULL, 0, NULL, false));
	if (!callee.value || !circ_builder_at_end(b, circ_func_add_entry(c->m, f)))
		return false;
	return circ_build_op(b, &call) && circ_build_return(b, NULL);
}

static bool as_record_and_variable(Case *c)
{
	CircBuilder *b = circ_builder_create(c->m);
	CircType *member = circ_type_int(c->m, 32, true);
	CircType *record = circ_type_record(c->m, CIRC_RECORD_STRUCT, c->name.data, c->name.len);
	CircOp *f = circ_func_create(c->m, "f", circ_type_func(c->m, NULL, 0, NULL, false));
	if (!record ||
	    !circ_record_set_body(c->m, record, &(CircRecordBody){.members = &member, .nmembers = 1}))
		return false;
	return circ_builder_at_end(b, circ_func_add_entry(c->m, f)) &&
	       circ_builder_set_loc(b, c->name.data, 1, 1) && circ_build_alloca(b, record, c->name.data, 0) &&
	       circ_build_return(b, NULL);
}

static bool as_triple(Case *c)
{
	c->options.triple = NULL;
	return function(c, "f") && circ_module_set_attr(c->m, "cir.triple", string(c));
}

static bool as_end_of_triple(Case *c)
{
	static const char head[] = "x86_64-pc-linux-gnu";
	char *text = malloc(sizeof head + c->name.len);
	memcpy(text, head, sizeof head - 1);
	memcpy(text + sizeof head - 1, c->name.data, c->name.len);
	const CircAttr *triple = circ_attr_string(c->m, text, sizeof head - 1 + c->name.len);
	free(text);
	c->options.triple = NULL;
	return function(c, "f") && circ_module_set_attr(c->m, "cir.triple", triple);
}

static bool as_cpu(Case *c)
{
	c->options.cpu = c->name.data;
	return function(c, "f");
}

static bool as_features(Case *c)
{
	c->options.features = c->name.data;
	return function(c, "f");
}

static bool as_module_and_key(Case *c)
{
	return function(c, "f") && circ_module_set_name(c->m, c->name.data) &&
	       circ_module_set_attr(c->m, c->name.data, string(c));
}

static bool as_key_of_a_function(Case *c)
{
	return circ_op_set_attr(c->m, function(c, "f"), c->name.data, string(c));
}

static bool as_section(Case *c)
{
	return circ_op_set_attr(c->m, global(c, "g"), "section", string(c));
}

static bool as_comdat(Case *c)
{
	CircOp *g = global(c, "g");
	return circ_op_set_attr(c->m, g, "linkage", circ_attr_enum(c->m, "linkage", "linkonce_odr")) &&
	       circ_op_set_attr(c->m, g, "comdat", string(c));
}

static bool as_type_info(Case *c)
{
	CircBuilder *b = circ_builder_create(c->m);
	char *info = malloc(c->name.len + 5);
	sprintf(info, "_ZTI%s", c->name.data);
	CircType *pointer = circ_type_ptr(c->m, circ_type_int(c->m, 8, false));
	CircOp *f = circ_func_create(c->m, "f", circ_type_func(c->m, NULL, 0, NULL, false));
	bool ok = circ_global_create(c->m, info, pointer, "external", NULL) &&
	          circ_builder_at_end(b, circ_func_add_entry(c->m, f));
	CircValue *object = ok ? circ_build_alloc_exception(b, circ_type_int(c->m, 32, true)) : NULL;
	ok = ok && circ_build_throw(b, object, info, NULL) && circ_build_unreachable(b);
	free(info);
	return ok;
}

/* Attributes of functions that LLVM reads. */
static bool as_text_attributes(Case *c, const char *key)
{
	return circ_op_set_attr(c->m, function(c, "f"), key, string(c));
}

static bool as_target_cpu(Case *c)
{
	return as_text_attributes(c, "target-cpu");
}

static bool as_tune_cpu(Case *c)
{
	return as_text_attributes(c, "tune-cpu");
}

static bool as_target_features(Case *c)
{
	return as_text_attributes(c, "target-features");
}

static bool as_hook(Case *c)
{
	return as_text_attributes(c, "instrument-function-entry");
}

static bool as_number(Case *c)
{
	return as_text_attributes(c, "stack-protector-buffer-size");
}

static Place *const places[] = {
    as_function,      as_global,    as_callee,     as_symbol_of_a_call, as_record_and_variable, as_triple,
    as_end_of_triple, as_cpu,       as_features,   as_module_and_key,   as_key_of_a_function,   as_section,
    as_comdat,        as_type_info, as_target_cpu, as_tune_cpu,         as_target_features,     as_hook,
    as_number,
};

#define BYTES(s)                                                                                             \
	{                                                                                                    \
		(s), sizeof(s) - 1                                                                           \
	}

static const Bytes names[] = {
    BYTES(""),
    BYTES("a\0b"),
    BYTES("\0"),
    BYTES("a\nb"),
    BYTES("a\"b"),
    BYTES("a\\b"),
    BYTES("a\377\200z"),
    BYTES("%s%n"),
    BYTES("\1"),
    BYTES("\1x"),
    BYTES("\1.text"),
    BYTES("llvm.trap"),
    BYTES(".text"),
    BYTES(".data"),
    BYTES(".bss"),
    BYTES(".symtab"),
    BYTES(".eh_frame"),
    BYTES(".pdata"),
    BYTES(".drectve"),
    BYTES(".tls$"),
    BYTES(".debug_info"),
    BYTES(".note.GNU-stack"),
    BYTES("@feat.00"),
    BYTES(".Lx"),
    BYTES("a@@V"),
    BYTES("?x"),
    BYTES("rax"),
    BYTES("+avx"),
    BYTES("-64bit"),
    BYTES("i386"),
    BYTES("help"),
    BYTES("+help"),
    BYTES(","),
    BYTES("99999999999999999999"),
};

/* Printing and reading back gives the same module. */
static void expect_reads_back(CircModule *m)
{
	char *text = NULL, *again = NULL;
	size_t len, again_len;
	EXPECT(circ_module_print(m, 0, &text, &len));
	CircModule *copy = circ_module_parse(NULL, text, len, NULL, NULL);
	if (EXPECT(copy != NULL) && EXPECT(circ_module_print(copy, 0, &again, &again_len)))
		EXPECT(len == again_len && memcmp(text, again, len) == 0);
	circ_module_destroy(copy);
	circ_free(text);
	circ_free(again);
}

static void try_name(Place *place, Bytes name, const char *triple, char opt)
{
	static const CircFormat formats[] = {CIRC_OBJECT, CIRC_ASSEMBLY};
	Heard h = {.errors = 0};
	Case c = {circ_module_create(hear, &h), name, {.triple = triple, .opt = opt, .debug = true}};
	char *data;
	size_t len;
	bool ok = place(&c);
	if (ok && circ_module_verify(c.m, circ_module_stage(c.m)))
		expect_reads_back(c.m);
	forget(&h);
	ok = ok && circ_module_emit_memory(c.m, &c.options, formats[opt == '2'], &data, &len);
	if (ok)
		circ_free(data);
	bool good = EXPECT_EQ(h.failures, 0) && EXPECT(!ok || h.errors == 0);
	if (!good)
		printf("  the name \"%.*s\" for %s\n%s", name.len < 40 ? (int)name.len : 40, name.data,
		       triple, h.text);
	circ_module_destroy(c.m);
}

/* Under valgrind at each place for one of the targets, without LLVM's optimizer, which takes minutes there. */
static void try_everywhere(Bytes name)
{
	bool slow = getenv("CIRC_VALGRIND") != NULL;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		if (!slow || i % 2 == name.len % 2)
			try_name(places[i], name, "x86_64-pc-linux-gnu", '0');
		if (!slow || i % 2 != name.len % 2)
			try_name(places[i], name, "x86_64-pc-windows-msvc", slow ? '0' : '2');
	}
}

TEST(hostile_names_are_refused_or_right)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		try_everywhere(names[i]);
}

TEST(so_is_a_name_of_a_megabyte)
{
	Bytes name = {calloc(1, 1000001), 1000000};
	memset((char *)(uintptr_t)name.data, 'n', name.len);
	try_everywhere(name);
	free((char *)(uintptr_t)name.data);
}

TEST(what_is_refused_says_why)
{
	Heard h = {.errors = 0};
	Case c = {circ_module_create(hear, &h), BYTES("x86_64-pc-linux-gnu\0x"), {.triple = NULL}};
	char *data;
	size_t len;
	EXPECT(as_triple(&c));
	EXPECT(!circ_module_emit_memory(c.m, &c.options, CIRC_OBJECT, &data, &len));
	EXPECT_REFUSED(&h, "attribute 'cir.triple' of the module must be a string without NUL bytes");
	circ_module_destroy(c.m);
	c.m = circ_module_create(hear, &h);
	c.options.triple = "x86_64-pc-linux-gnu";
	EXPECT(function(&c, ".text"));
	EXPECT(!circ_module_emit_memory(c.m, &c.options, CIRC_OBJECT, &data, &len));
	EXPECT_STR(h.text, "error: 'cir.func' op: '.text' cannot be the name of a symbol, since it is the "
	                   "name of a section\n"
	                   "note: in '.text'\n");
	circ_module_destroy(c.m);
}

/* It is not looked at, and so need not be there. */
TEST(a_text_that_is_too_long_is_refused_before_it_is_copied)
{
	static const size_t lengths[] = {(size_t)1 << 31, (size_t)3 << 30, SIZE_MAX};
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		Heard h = {.errors = 0};
		char expected[128];
		snprintf(expected, sizeof expected,
		         "error: circ_module_parse: text is too large: it has %zu bytes (limit 2 GiB)\n",
		         lengths[i]);
		EXPECT(!circ_module_parse("long", "module {}", lengths[i], hear, &h));
		EXPECT_STR(h.text, expected);
		CircModule *m = circ_module_create(NULL, NULL);
		EXPECT(!circ_type_parse(m, "!s32i", lengths[i]));
		EXPECT(!circ_attr_parse(m, "unit", lengths[i]));
		circ_module_destroy(m);
	}
}

TEST(what_strangers_may_not_say_is_refused_where_that_is_asked_for)
{
	static const char *const texts[] = {
	    "module attributes {cir.module_asm = [\"nop\"]} {\n}\n",
	    "module attributes {cir.linker_options = [\"/DEFAULTLIB:x\"]} {\n}\n",
	    "cir.func @m() attributes {section = \".drectve\"} {\n  cir.return\n}\n",
	    "cir.func @\"a\\22\"() {\n  cir.return\n}\n",
	};
	static const char *const errors[] = {
	    "1:19: error: attribute 'cir.module_asm' is assembly, which is not allowed in an untrusted "
	    "module\n",
	    "1:19: error: attribute 'cir.linker_options' is not allowed in an untrusted module\n",
	    "1:1: error: 'cir.func' op: section '.drectve' has options for the linker, which is not allowed "
	    "in "
	    "an untrusted module\n",
	    "1:1: error: 'cir.func' op: a name with quotes or control characters is not allowed in an "
	    "untrusted "
	    "module\n",
	};
	for (int i = 0; i < 8; i++) {
		Heard h = {.errors = 0};
		char *data;
		size_t len;
		CircEmitOptions options = {.triple = "x86_64-pc-windows-msvc", .untrusted = i % 2};
		CircModule *m = circ_module_parse("stranger", texts[i / 2], strlen(texts[i / 2]), hear, &h);
		EXPECT_EQ(circ_module_emit_memory(m, &options, CIRC_OBJECT, &data, &len), !options.untrusted);
		EXPECT_STR(h.text, options.untrusted ? errors[i / 2] : "");
		circ_free(data);
		circ_module_destroy(m);
	}
}

static void count(const CircDiagnostic *d, void *heard)
{
	(void)d;
	++*(unsigned *)heard;
}

TEST(messages_about_modules_of_strangers_are_bounded)
{
	enum { FUNCTIONS = 130 };
	static char text[1 << 16];
	size_t used = (size_t)snprintf(text, sizeof text, "!u = !cir.union<\"U\" {!cir.int<s, 32>}>\n");
	for (int i = 0; i < FUNCTIONS; i++)
		used += (size_t)snprintf(
		    text + used, sizeof text - used,
		    "cir.func @m%d(%%this: !cir.ptr<!u>, %%from: !cir.ptr<!u>) -> "
		    "!cir.ptr<!u> special_member<#cir.cxx_assign<!u, copy, trivial true>> {\n"
		    "  cir.return %%this : !cir.ptr<!u>\n}\n",
		    i);
	for (int untrusted = 0; untrusted < 2; untrusted++) {
		unsigned heard = 0;
		char *data;
		size_t len;
		CircEmitOptions options = {.untrusted = untrusted};
		CircModule *m = circ_module_parse("stranger", text, used, count, &heard);
		EXPECT(circ_module_set_repair(m, CIRC_REPAIR_CLANG, true));
		EXPECT(circ_module_emit_memory(m, &options, CIRC_OBJECT, &data, &len));
		EXPECT_EQ(heard, untrusted ? 101 : FUNCTIONS);
		circ_free(data);
		circ_module_destroy(m);
	}
}

TEST(assembly_that_reads_files_is_refused_where_that_is_asked_for)
{
	static const char text[] =
	    "module attributes {cir.module_asm = [\".include \\22/dev/null\\22\"]} {\n}\n";
	CircEmitOptions options = {.triple = "x86_64-pc-linux-gnu"};
	for (int refused = 0; refused < 2; refused++) {
		Heard h = {.errors = 0};
		char *data;
		size_t len;
		CircModule *m = circ_module_parse("asm", text, strlen(text), hear, &h);
		options.no_asm_files = refused;
		EXPECT_EQ(circ_module_emit_memory(m, &options, CIRC_OBJECT, &data, &len), !refused);
		EXPECT_STR(h.text, !refused
		                       ? ""
		                       : "1:19: error: attribute 'cir.module_asm' has '.include', which "
		                         "reads a file; assembly that may read files is not allowed here "
		                         "('no_asm_files')\n");
		circ_free(data);
		circ_module_destroy(m);
	}
}
