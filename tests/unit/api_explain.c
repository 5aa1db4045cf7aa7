/* The public interface: what an exception does, of modules that were built or read, and of objects. */
#include "api_common.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

static void yield(CircBuilder *b)
{
	circ_build_op(b, &(CircOpSpec){.mnemonic = "cir.yield"});
}

static CircBlock *into(CircModule *m, CircBuilder *b, CircOp *op, size_t region)
{
	CircBlock *block = circ_block_create(m, circ_op_region(op, region));
	EXPECT(block && circ_builder_at_end(b, block));
	return block;
}

/* g: try { scope { f() } cleanup all { release() } } catch all { }; its ops are the 4th, and so on. */
static CircModule *build(Heard *h)
{
	CircModule *m = circ_module_create(hear, h);
	CircType *type = circ_type_func(m, NULL, 0, NULL, false);
	CircOp *f = circ_func_declare(m, "f", type), *release = circ_func_declare(m, "release", type);
	CircBuilder *b = circ_builder_create(m);
	circ_op_set_attr(m, release, "nothrow", circ_attr_unit(m));
	CircBlock *entry = circ_func_add_entry(m, circ_func_create(m, "g", type)), *handler, *object;
	circ_builder_at_end(b, entry);
	CircOp *try = circ_build_try(b);
	handler = circ_try_add_handler(m, try, NULL);
	object = into(m, b, try, 0);
	CircNamedAttr all = {"kind", circ_attr_enum(m, "cleanup_kind", "all")};
	CircOp *scope = circ_build_op(
	    b, &(CircOpSpec){.mnemonic = "cir.cleanup.scope", .nregions = 2, .attrs = &all, .nattrs = 1});
	yield(b);
	into(m, b, scope, 0);
	circ_build_call(b, f, NULL, 0);
	yield(b);
	into(m, b, scope, 1);
	circ_build_call(b, release, NULL, 0);
	yield(b);
	circ_builder_at_end(b, handler);
	CircValue *exception,
	    *caught =
	        circ_build_begin_catch(b, circ_block_arg(handler, 0),
	                               circ_type_ptr(m, circ_type_simple(m, CIRC_TYPE_VOID)), &exception);
	circ_build_end_catch(b, caught);
	yield(b);
	circ_builder_at_end(b, entry);
	circ_build_return(b, NULL);
	EXPECT(object && circ_module_verify(m, CIRC_STAGE_STRUCTURED));
	return m;
}

static char *print(CircModule *m)
{
	char *text = NULL;
	EXPECT(circ_module_print(m, 0, &text, NULL));
	return text;
}

TEST(a_built_module_is_explained_and_stays_as_it_was)
{
	Heard h = {.errors = 0};
	CircModule *m = build(&h);
	char *before = print(m);
	CircExplanation *e = circ_explain_module(m, NULL);
	char *after = print(m);
	EXPECT_STR(after, before);
	circ_module_destroy(m); /* the explanation borrows nothing */
	if (EXPECT(e != NULL) && EXPECT_EQ(circ_explanation_nfunctions(e), 1)) {
		const CircExplainedFunction *g = circ_explanation_function(e, 0);
		EXPECT_STR(g->symbol, "g");
		EXPECT_EQ(g->tables, CIRC_TABLE_MODULE);
		EXPECT_STR(g->personality, "__gxx_personality_v0");
		EXPECT_EQ(g->op, 3);
		if (EXPECT_EQ(g->nsites, 1)) {
			const CircSite *s = &g->sites[0];
			EXPECT_STR(s->callee, "f");
			EXPECT_EQ(s->op, 6); /* func f, func release, func g, try, scope */
			EXPECT_EQ(s->place.line, 0);
			EXPECT_EQ(s->end_of_path, CIRC_END_CAUGHT);
			if (EXPECT_EQ(s->nsteps, 2)) {
				EXPECT_EQ(s->steps[0].kind, CIRC_STEP_CLEANUP);
				EXPECT_STR(s->steps[0].function, "release");
				EXPECT_EQ(s->steps[0].op, 8); /* f, its yield */
				EXPECT(!s->steps[0].is_conditional);
				EXPECT_EQ(s->steps[1].kind, CIRC_STEP_CATCH_ALL);
			}
		}
	}
	EXPECT(circ_explanation_function(e, 1) == NULL);
	circ_explanation_free(e);
	circ_free(before);
	circ_free(after);
	EXPECT_STR(h.text, "");
}

static CircModule *read(Heard *h, const char *text)
{
	return circ_module_parse("test.cir", text, strlen(text), hear, h);
}

static const char throws[] = "!rec = !cir.record<struct \"R\" {!cir.int<s, 32>}>\n"
                             "circ.exception_type @Base : !rec\n"
                             "circ.exception_type @Derived extends @Base : !rec\n"
                             "cir.func @g(%x: !cir.ptr<!rec>) {\n"
                             "  cir.throw %x : !cir.ptr<!rec>, @Derived\n"
                             "  cir.unreachable\n"
                             "}\n";

TEST(types_have_their_bases)
{
	Heard h = {.errors = 0};
	CircModule *m = read(&h, throws);
	CircExplanation *e = circ_explain_module(m, &(CircExplainOptions){.name = "named.cir"});
	const CircExplainedFunction *g = circ_explanation_function(e, 0);
	if (EXPECT(g != NULL) && EXPECT_EQ(g->nsites, 1)) {
		const CircSite *s = &g->sites[0];
		EXPECT(s->is_throw && !s->is_unwinding && s->callee == NULL);
		EXPECT_STR(s->place.file, "named.cir");
		EXPECT_EQ(s->place.line, 5);
		EXPECT_EQ(s->end_of_path, CIRC_END_LEAVES);
		if (EXPECT(s->thrown != NULL) && EXPECT_EQ(s->thrown->nbases, 1)) {
			EXPECT_STR(s->thrown->name, "Derived");
			EXPECT_STR(s->thrown->bases[0]->name, "Base");
			EXPECT(s->thrown->has_bases && s->thrown->bases[0]->has_bases);
		}
	}
	char *text = circ_explanation_text(e), *json = circ_explanation_json(e);
	EXPECT_CONTAINS(text, "throw Derived");
	EXPECT_CONTAINS(json, "\"is_throw\":true");
	circ_free(text);
	circ_free(json);
	circ_explanation_free(e);
	circ_module_destroy(m);
	EXPECT_STR(h.text, "");
}

TEST(the_target_is_that_of_the_options)
{
	Heard h = {.errors = 0};
	CircModule *m = build(&h);
	CircExplanation *e =
	    circ_explain_module(m, &(CircExplainOptions){.triple = "x86_64-pc-windows-msvc"});
	const CircExplainedFunction *g = circ_explanation_function(e, 0);
	if (EXPECT(g != NULL))
		EXPECT_STR(g->personality, "__CxxFrameHandler3");
	circ_explanation_free(e);
	EXPECT_STR(h.text, "");
	EXPECT(!circ_explain_module(m, &(CircExplainOptions){.triple = "riscv64-unknown-linux-gnu"}));
	EXPECT_CONTAINS(h.text, "target 'riscv64-unknown-linux-gnu' is unknown or not supported");
	e = circ_explain_module(m, NULL); /* it is as it was */
	EXPECT(circ_explanation_nfunctions(e));
	circ_explanation_free(e);
	circ_module_destroy(m);
}

/* What is compiled has the same handler, and a pad for the cleanup, which has no name there. */
TEST(an_object_of_the_module_agrees)
{
	Heard h = {.errors = 0};
	CircModule *m = build(&h);
	char *object;
	size_t len;
	CircEmitOptions options = {.triple = "x86_64-unknown-linux-gnu"};
	EXPECT(circ_module_emit_memory(m, &options, CIRC_OBJECT, &object, &len));
	CircExplanation *e = circ_explain_object(object, len, NULL, hear, &h);
	const CircExplainedFunction *g = circ_explanation_function(e, 0);
	bool found = false;
	for (size_t i = 0; EXPECT(g != NULL) && i < g->nsites; i++) {
		const CircSite *s = &g->sites[i];
		if (!s->callee || strcmp(s->callee, "f") != 0)
			continue;
		found = true;
		EXPECT_EQ(s->end_of_path, CIRC_END_CAUGHT);
		EXPECT(s->nsteps && s->steps[s->nsteps - 1].kind == CIRC_STEP_CATCH_ALL);
	}
	EXPECT(found);
	const char *error = "";
	const CircThrowPath *path = circ_explanation_throw(e, "int", "g", &error);
	EXPECT(path != NULL && error == NULL);
	EXPECT(circ_explanation_throw(e, "int", "nowhere", &error) == NULL && error != NULL);
	circ_explanation_free(e);
	circ_free(object);
	circ_module_destroy(m);
	EXPECT_STR(h.text, "");
}

TEST(landing_pads_are_explained)
{
	Heard h = {.errors = 0};
	CircModule *m = build(&h);
	EXPECT(circ_module_flatten(m));
	EXPECT(circ_module_lower_itanium(m));
	CircExplanation *e = circ_explain_module(m, NULL);
	char *text = circ_explanation_text(e);
	EXPECT_CONTAINS(text, "call f\n      catch all\n      caught here\n");
	circ_free(text);
	circ_explanation_free(e);
	circ_module_destroy(m);
	EXPECT_STR(h.text, "");
}

TEST(wrong_use_is_reported)
{
	Heard h = {.errors = 0};
	const char *error;
	EXPECT(circ_explain_module(NULL, NULL) == NULL);
	EXPECT(circ_explain_object(NULL, 3, NULL, hear, &h) == NULL);
	EXPECT_REFUSED(&h, "circ_explain_object: 'bytes' is NULL");
	EXPECT(circ_explain_object(TEXT("no object"), NULL, hear, &h) == NULL);
	EXPECT_EQ(h.errors, 1);
	forget(&h);
	circ_explanation_free(NULL);
	EXPECT_EQ(circ_explanation_nfunctions(NULL), 0);
	EXPECT(circ_explanation_function(NULL, 0) == NULL);
	EXPECT(circ_explanation_text(NULL) == NULL && circ_explanation_json(NULL) == NULL);
	EXPECT(circ_explanation_throw(NULL, "int", NULL, &error) == NULL);
	EXPECT_STR(error, "'explanation' is NULL");
}

/* Every call has steps of its own, so that a nest asks for the square of its depth. */
TEST(a_nest_with_too_many_steps_is_refused)
{
	enum { DEPTH = 1500 };
	Heard h = {.errors = 0};
	size_t cap = 400 * DEPTH, n = 0;
	char *text = malloc(cap);
	n += (size_t)snprintf(text + n, cap - n, "cir.func private @f()\ncir.func @g() {\n");
	for (int i = 0; i < DEPTH; i++) /* each pad goes on with the one before */
		n += (size_t)snprintf(text + n, cap - n, "  cir.try_call @f() ^n%d, ^u%d : () -> ()\n^n%d:\n",
		                      i, i, i);
	n += (size_t)snprintf(text + n, cap - n, "  cir.return\n");
	for (int i = 0; i < DEPTH; i++) {
		n +=
		    (size_t)snprintf(text + n, cap - n,
		                     "^u%d:\n  %%%d = cir.eh.initiate : !cir.eh_token\n"
		                     "  cir.br ^c%d(%%%d : !cir.eh_token)\n^c%d(%%%d: !cir.eh_token):\n"
		                     "  %%%d = cir.begin_cleanup %%%d : !cir.eh_token -> !cir.cleanup_token\n"
		                     "  cir.end_cleanup %%%d : !cir.cleanup_token\n",
		                     i, 3 * i, i, 3 * i, i, 3 * i + 1, 3 * i + 2, 3 * i + 1, 3 * i + 2);
		if (i)
			n += (size_t)snprintf(text + n, cap - n, "  cir.br ^c%d(%%%d : !cir.eh_token)\n",
			                      i - 1, 3 * i + 1);
		else
			n += (size_t)snprintf(text + n, cap - n, "  cir.resume %%%d : !cir.eh_token\n",
			                      3 * i + 1);
	}
	snprintf(text + n, cap - n, "}\n");
	CircModule *m = read(&h, text);
	EXPECT(m != NULL);
	EXPECT(circ_explain_module(m, NULL) == NULL); /* 1,125,750 steps */
	EXPECT_CONTAINS(h.text, "more than 1048576 steps");
	circ_module_destroy(m);
	free(text);
}
