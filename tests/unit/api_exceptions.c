/* The public interface: exceptions of circ's own runtime. */
#include "api_common.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

typedef struct Made {
	Heard heard;
	CircModule *m;
	CircType *s32, *voidp, *eh, *record;
	CircBuilder *b;
	CircOp *f, *may_throw;
} Made;

static CircOp *declare(Made *x, const char *name, size_t nparams, CircType *result)
{
	CircType *params[] = {x->voidp, x->voidp};
	return circ_func_declare(x->m, name, circ_type_func(x->m, params, nparams, result, false));
}

static void setup(Made *x)
{
	*x = (Made){.m = NULL};
	x->m = circ_module_create(hear, &x->heard);
	x->s32 = circ_type_int(x->m, 32, true);
	x->voidp = circ_type_ptr(x->m, circ_type_simple(x->m, CIRC_TYPE_VOID));
	x->eh = circ_type_simple(x->m, CIRC_TYPE_EH_TOKEN);
	x->record = circ_type_parse(x->m, TEXT("!cir.struct<\"E\" {data !cir.int<s, 32>}>"));
	x->b = circ_builder_create(x->m);
	circ_module_set_attr(x->m, "circ.eh.runtime", circ_attr_string(x->m, "circ", 4));
	x->may_throw = declare(x, "may_throw", 0, NULL);
	x->f = circ_func_create(x->m, "f", circ_type_func(x->m, NULL, 0, NULL, false));
	circ_builder_at_end(x->b, circ_func_add_entry(x->m, x->f));
}

static void expect_text(Made *x, CircStage stage, const char *part)
{
	char *text;
	EXPECT(circ_module_verify(x->m, stage));
	if (EXPECT(circ_module_print(x->m, 0, &text, NULL)))
		EXPECT_CONTAINS(text, part);
	circ_free(text);
	EXPECT_STR(x->heard.text, "");
	circ_module_destroy(x->m);
}

TEST(exception_types)
{
	Made x;
	setup(&x);
	CircOp *release = declare(&x, "release", 1, NULL);
	CircOp *bases[2] = {circ_exception_type_create(x.m, "Error", x.record, NULL, 0, NULL)};
	bases[1] = circ_exception_type_create(x.m, "my.IOError", x.record, bases, 1, release);
	EXPECT(bases[0] && bases[1]);
	EXPECT(circ_exception_type_create(x.m, "Both", x.record, bases, 2, NULL) != NULL);
	circ_build_return(x.b, NULL);
	expect_text(&x, CIRC_STAGE_STRUCTURED,
	            "  circ.exception_type @Error : !rec_E\n"
	            "  circ.exception_type @my.IOError extends @Error : !rec_E {release = @release}\n"
	            "  circ.exception_type @Both extends @Error, @my.IOError : !rec_E\n");
}

TEST(checks)
{
	Made x;
	setup(&x);
	CircOp *raise = declare(&x, "raise", 0, NULL);
	const CircAttr *dict = circ_attr_parse(x.m, TEXT("{zero = @raise}"));
	EXPECT(raise && dict);
	circ_module_set_attr(x.m, "circ.raise", dict);
	CircValue *ok = circ_build_bool(x.b, true);
	EXPECT(circ_build_check(x.b, "null", ok) != NULL);
	EXPECT(circ_build_check(x.b, "zero", ok) != NULL);
	EXPECT(circ_build_check(x.b, "nothing", ok) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_check: enumeration 'check' has no value 'nothing'");
	EXPECT(circ_build_check(x.b, "null", NULL) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_build_check: 'operands' is NULL");
	circ_build_return(x.b, NULL);
	expect_text(&x, CIRC_STAGE_STRUCTURED,
	            "    circ.check null %0\n"
	            "    circ.check zero %0\n");
}

TEST(exception_types_that_cannot_be)
{
	Made x;
	setup(&x);
	CircOp *type = circ_exception_type_create(x.m, "Error", x.record, NULL, 0, NULL), *none = NULL;
	EXPECT(circ_exception_type_create(x.m, "Error", x.record, NULL, 0, NULL) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_exception_type_create: redefinition of symbol named 'Error'");
	EXPECT(circ_exception_type_create(x.m, NULL, x.record, NULL, 0, NULL) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_exception_type_create: 'name' is NULL");
	EXPECT(circ_exception_type_create(x.m, "A", NULL, NULL, 0, NULL) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_exception_type_create: 'record' is NULL");
	EXPECT(circ_exception_type_create(x.m, "A", x.record, NULL, 1, NULL) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_exception_type_create: 'bases' is NULL, but its count is 1");
	EXPECT(circ_exception_type_create(x.m, "A", x.record, &none, 1, NULL) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_exception_type_create: 'bases' is NULL");
	EXPECT(circ_exception_type_create(x.m, "A", x.record, &x.f, 1, NULL) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_exception_type_create: 'bases' has a 'cir.func'; expected exception types");
	EXPECT(circ_exception_type_create(x.m, "A", x.record, NULL, 0, type) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_exception_type_create: 'release' is a circ.exception_type; expected a "
	                         "cir.func");
	EXPECT(circ_func_declare(x.m, "Error", circ_type_func(x.m, NULL, 0, NULL, false)) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_func_declare: 'Error' is an exception type");
	circ_module_destroy(x.m);
}

static CircBlock *into(Made *x, CircOp *op, size_t region)
{
	CircBlock *b = circ_block_create(x->m, circ_op_region(op, region));
	circ_builder_at_end(x->b, b);
	return b;
}

static void yield(Made *x, CircValue *v)
{
	circ_build_op(x->b, &(CircOpSpec){.mnemonic = "cir.yield", .operands = &v, .noperands = v != NULL});
}

TEST(a_try_with_when_and_finally)
{
	Made x;
	setup(&x);
	CircBlock *entry = circ_builder_block(x.b);
	const CircAttr *when = circ_attr_enum(x.m, "handler", "when");
	CircNamedAttr attrs[] = {{"handler_types", circ_attr_array(x.m, &when, 1)},
	                         {"finally", circ_attr_unit(x.m)}};
	CircOp *t = circ_build_op(
	    x.b, &(CircOpSpec){.mnemonic = "cir.try", .attrs = attrs, .nattrs = 2, .nregions = 4});
	into(&x, t, 0);
	circ_build_call(x.b, x.may_throw, NULL, 0);
	yield(&x, NULL);
	circ_block_add_arg(x.m, into(&x, t, 1), x.voidp);
	yield(&x, circ_build_int(x.b, x.s32, -1));
	CircValue *token = circ_block_add_arg(x.m, into(&x, t, 2), x.eh);
	circ_build_end_catch(x.b, circ_build_begin_catch(x.b, token, x.voidp, NULL));
	yield(&x, NULL);
	into(&x, t, 3);
	circ_build_return(x.b, NULL);
	circ_builder_at_end(x.b, entry);
	circ_build_return(x.b, NULL);
	expect_text(
	    &x, CIRC_STAGE_STRUCTURED,
	    "    } catch when (%arg0: !cir.ptr<!void>) {\n"
	    "      %0 = cir.const #cir.int<-1> : !s32i\n"
	    "      cir.yield %0 : !s32i\n"
	    "    } do (%arg0: !cir.eh_token) {\n"
	    "      %0, %1 = cir.begin_catch %arg0 : !cir.eh_token -> (!cir.catch_token, !cir.ptr<!void>)\n"
	    "      cir.end_catch %0 : !cir.catch_token\n"
	    "      cir.yield\n"
	    "    } finally {\n"
	    "      cir.return\n"
	    "    }\n");
}

TEST(a_dispatch_with_a_filter)
{
	Made x;
	setup(&x);
	CircBlock *unwind = circ_block_create(x.m, circ_op_region(x.f, 0));
	CircBlock *caught = circ_block_create(x.m, circ_op_region(x.f, 0));
	CircBlock *out = circ_block_create(x.m, circ_op_region(x.f, 0));
	declare(&x, "decide", 2, x.s32);
	circ_exception_type_create(x.m, "Error", x.record, NULL, 0, NULL);
	circ_build_try_call(x.b, x.may_throw, NULL, 0, out, unwind);
	circ_builder_at_end(x.b, unwind);
	CircHandler handlers[] = {{"decide", caught}, {"Error", caught}, {NULL, caught}};
	circ_build_eh_dispatch(x.b, circ_build_eh_initiate(x.b, false), handlers, 3, NULL);
	CircValue *token = circ_block_add_arg(x.m, caught, x.eh);
	circ_builder_at_end(x.b, caught);
	circ_build_end_catch(x.b, circ_build_begin_catch(x.b, token, x.voidp, NULL));
	circ_build_br(x.b, out, NULL, 0);
	circ_builder_at_end(x.b, out);
	circ_build_return(x.b, NULL);
	expect_text(&x, CIRC_STAGE_FLAT,
	            "      when(@decide) : ^bb2,\n"
	            "      catch(#cir.global_view<@Error> : !cir.ptr<!u8i>) : ^bb2,\n"
	            "      catch_all : ^bb2\n");
}

/* try { may_throw(); } catch (Error) { return; } catch when ... do { } catch all { } finally { } */
TEST(a_try_that_grows)
{
	Made x;
	setup(&x);
	circ_exception_type_create(x.m, "Error", x.record, NULL, 0, NULL);
	CircOp *t = circ_build_try(x.b);
	CircRegion *body = circ_op_region(t, 0);
	into(&x, t, 0);
	circ_build_call(x.b, x.may_throw, NULL, 0);
	CircBlock *filter = NULL, *handler = circ_try_add_handler(x.m, t, "Error");
	EXPECT(circ_block_create(x.m, body) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_block_create: 'region' does not belong to this module, or was erased");
	EXPECT(circ_builder_leave(x.b, NULL));
	EXPECT(circ_builder_block(x.b) == circ_op_block(x.m, t));
	circ_builder_at_end(x.b, handler);
	EXPECT(circ_value_type(circ_build_catch_param(x.b, x.voidp)) == x.voidp);
	circ_build_return(x.b, NULL);
	EXPECT(!circ_builder_leave(x.b, NULL));
	handler = circ_try_add_when(x.m, t, &filter);
	EXPECT(circ_value_type(circ_block_arg(filter, 0)) == x.voidp);
	EXPECT(circ_value_type(circ_block_arg(handler, 0)) == x.eh);
	circ_builder_at_end(x.b, filter);
	EXPECT(circ_builder_leave(x.b, circ_build_int(x.b, x.s32, 1)));
	CircBlock *last[] = {handler, circ_try_add_handler(x.m, t, NULL), circ_try_add_finally(x.m, t)};
	for (size_t i = 0; i < 3; i++) {
		circ_builder_at_end(x.b, last[i]);
		if (i < 2)
			circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.catch_param",
			                                 .result_types = &x.voidp,
			                                 .nresults = 1});
		EXPECT(circ_builder_leave(x.b, NULL));
	}
	circ_build_return(x.b, NULL);
	expect_text(&x, CIRC_STAGE_STRUCTURED,
	            "    cir.try {\n"
	            "      cir.call @may_throw() : () -> ()\n"
	            "      cir.yield\n"
	            "    } catch [type #cir.global_view<@Error> : !cir.ptr<!u8i>] (%arg0: !cir.eh_token) {\n"
	            "      %0 = cir.catch_param : !cir.ptr<!void>\n"
	            "      cir.return\n"
	            "    } catch when (%arg0: !cir.ptr<!void>) {\n"
	            "      %0 = cir.const #cir.int<1> : !s32i\n"
	            "      cir.yield %0 : !s32i\n"
	            "    } do (%arg0: !cir.eh_token) {\n"
	            "      %0 = cir.catch_param : !cir.ptr<!void>\n"
	            "      cir.yield\n"
	            "    } catch all (%arg0: !cir.eh_token) {\n"
	            "      %0 = cir.catch_param : !cir.ptr<!void>\n"
	            "      cir.yield\n"
	            "    } finally {\n"
	            "      cir.yield\n"
	            "    }\n"
	            "    cir.return\n");
}

TEST(what_a_try_does_not_get)
{
	Made x;
	setup(&x);
	CircBlock *filter = circ_builder_block(x.b);
	const CircAttr *all = circ_attr_enum(x.m, "handler", "all");
	CircNamedAttr types = {"handler_types", circ_attr_array(x.m, &all, 1)};
	CircOpSpec spec = {.mnemonic = "cir.try", .attrs = &types, .nattrs = 1, .nregions = 1};
	CircOp *t = circ_build_try(x.b), *broken = circ_build_op(x.b, &spec);
	EXPECT(circ_try_add_handler(x.m, x.f, NULL) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_try_add_handler: 'op' is a cir.func; expected a cir.try");
	EXPECT(circ_try_add_when(x.m, NULL, &filter) == NULL && filter == NULL);
	EXPECT_REFUSED(&x.heard, "circ_try_add_when: 'op' is NULL");
	EXPECT(circ_try_add_handler(x.m, broken, NULL) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_try_add_handler: regions of 'op' are not those of its handlers");
	EXPECT(circ_try_add_finally(x.m, t) != NULL);
	EXPECT(circ_try_add_finally(x.m, t) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_try_add_finally: 'op' has a finally, which is the last; add handlers "
	                         "before it");
	EXPECT(circ_build_try(NULL) == NULL && circ_try_add_handler(NULL, t, NULL) == NULL);
	EXPECT(!circ_builder_leave(NULL, NULL));
	EXPECT(!circ_builder_leave(x.b, NULL));
	EXPECT_REFUSED(&x.heard, "circ_builder_leave: builder is not in a region of an op in a function");
	circ_module_destroy(x.m);
}

/* cleanup { if (ask-the-type ? 1 : 0) { scope { } } } */
TEST(shorthands_of_ops_with_regions)
{
	Made x;
	setup(&x);
	circ_module_set_attr(x.m, "circ.eh.language", circ_attr_i32(x.m, 7));
	circ_exception_type_create(x.m, "Error", x.record, NULL, 0, NULL);
	CircOp *cleanup = circ_build_cleanup(x.b, "all");
	EXPECT(circ_builder_enter(x.b, cleanup, 0));
	CircValue *object = circ_build_const(x.b, circ_attr_null(x.m, x.voidp));
	object = circ_build_object_as(x.b, object, "Error", circ_type_ptr(x.m, x.record));
	CircValue *null = circ_build_const(x.b, circ_attr_null(x.m, circ_type_ptr(x.m, x.record)));
	CircOp *choice = circ_build_ternary(x.b, circ_build_cmp(x.b, "ne", object, null), x.s32);
	for (size_t i = 0; i < 2; i++) {
		EXPECT(circ_builder_enter(x.b, choice, i));
		EXPECT(circ_builder_leave(x.b, circ_build_int(x.b, x.s32, (int64_t)i)));
	}
	EXPECT(circ_value_type(circ_op_result(choice, 0)) == x.s32);
	CircOp *branch = circ_build_if(x.b, circ_build_bool(x.b, true));
	EXPECT(circ_builder_enter(x.b, branch, 0));
	CircBlock *then_block = circ_builder_block(x.b);
	EXPECT(circ_builder_enter(x.b, circ_build_scope(x.b), 0) && circ_builder_leave(x.b, NULL));
	EXPECT(circ_builder_enter(x.b, branch, 0) && circ_builder_block(x.b) == then_block);
	EXPECT(!circ_builder_ended(x.b));
	circ_build_return(x.b, NULL);
	EXPECT(circ_builder_ended(x.b));
	EXPECT(!circ_builder_leave(x.b, NULL));
	EXPECT(circ_builder_leave(x.b, NULL));
	EXPECT(circ_builder_enter(x.b, cleanup, 1) && circ_builder_leave(x.b, NULL));
	circ_build_return(x.b, NULL);
	expect_text(&x, CIRC_STAGE_STRUCTURED,
	            "    cir.cleanup.scope {\n"
	            "      %0 = cir.const #cir.ptr<null> : !cir.ptr<!void>\n"
	            "      %1 = cir.cast bitcast %0 : !cir.ptr<!void> -> !cir.ptr<!void>\n"
	            "      %2 = cir.const #cir.int<7> : !s32i\n"
	            "      %3 = cir.const #cir.global_view<@Error> : !cir.ptr<!void>\n"
	            "      %4 = cir.call @circ_object_as(%1, %2, %3)");
}

TEST(what_shorthands_of_regions_refuse)
{
	Made x;
	setup(&x);
	CircOp *scope = circ_build_scope(x.b);
	EXPECT(!circ_builder_enter(x.b, scope, 1));
	EXPECT_REFUSED(&x.heard, "circ_builder_enter: 'op' is not an op of this module with such a region");
	EXPECT(!circ_builder_enter(x.b, NULL, 0));
	EXPECT_REFUSED(&x.heard, "circ_builder_enter: 'op' is not an op of this module with such a region");
	EXPECT(circ_build_cleanup(x.b, "seldom") == NULL);
	EXPECT(x.heard.errors == 1);
	forget(&x.heard);
	circ_module_set_attr(x.m, "circ.eh.language", circ_attr_unit(x.m));
	EXPECT(circ_build_object_as(x.b, circ_build_const(x.b, circ_attr_null(x.m, x.voidp)), "Error",
	                            x.voidp) == NULL);
	EXPECT_REFUSED(&x.heard,
	               "circ_build_object_as: 'circ.eh.language' of the module is not an integer from 0 to "
	               "4294967295");
	EXPECT(!circ_builder_ended(NULL) && !circ_builder_enter(NULL, scope, 0) &&
	       circ_build_scope(NULL) == NULL);
	circ_module_destroy(x.m);
}

static void throw_one(Made *x)
{
	circ_build_rethrow(x->b);
	circ_build_unreachable(x->b);
}

/* What stands behind the op where control comes out of it, and where it does not. */
TEST(ops_with_regions_are_finished)
{
	Made x;
	setup(&x);
	CircOp *scope = circ_build_scope(x.b);
	EXPECT(circ_builder_finish(x.b, scope));
	EXPECT(circ_builder_block(x.b) == circ_op_block(x.m, scope) && !circ_builder_ended(x.b));
	CircOp *branch = circ_build_if(x.b, circ_build_bool(x.b, true));
	circ_builder_enter(x.b, branch, 0);
	circ_build_return(x.b, NULL);
	EXPECT(circ_builder_finish(x.b, branch)); /* there is no else */
	EXPECT(circ_op_region(branch, 1) && !circ_builder_ended(x.b));
	CircOp *eh = circ_build_cleanup(x.b, "eh"), *all = circ_build_cleanup(x.b, "all");
	circ_builder_enter(x.b, eh, 1);
	throw_one(&x);
	EXPECT(circ_builder_finish(x.b, eh));
	circ_builder_enter(x.b, all, 1);
	throw_one(&x);
	EXPECT(!circ_builder_finish(x.b, all) && circ_builder_ended(x.b));
	expect_text(&x, CIRC_STAGE_STRUCTURED,
	            "    cir.scope {\n"
	            "    }\n"
	            "    %0 = cir.const #true\n"
	            "    cir.if %0 {\n"
	            "      cir.return\n"
	            "    }\n"
	            "    cir.cleanup.scope {\n"
	            "      cir.yield\n"
	            "    } cleanup eh {\n"
	            "      cir.throw\n"
	            "      cir.unreachable\n"
	            "    }\n"
	            "    cir.cleanup.scope {\n"
	            "      cir.yield\n"
	            "    } cleanup all {\n"
	            "      cir.throw\n"
	            "      cir.unreachable\n"
	            "    }\n"
	            "    cir.unreachable\n");
}

/* Each of its ways returns but one: that of the else, of a handler; or its finally throws. */
TEST(ways_out_of_an_if_and_a_try)
{
	for (int way = 0; way < 4; way++) {
		Made x;
		setup(&x);
		CircOp *branch = circ_build_if(x.b, circ_build_bool(x.b, true));
		for (size_t i = 0; i < 2; i++) {
			circ_builder_enter(x.b, branch, i);
			if (i == 0 || way != 1)
				circ_build_return(x.b, NULL);
		}
		EXPECT(circ_builder_finish(x.b, branch) == (way == 1));
		circ_builder_before(x.b, branch);
		CircBlock *filter;
		CircOp *t = circ_build_try(x.b);
		circ_builder_enter(x.b, t, 0);
		circ_build_return(x.b, NULL);
		circ_builder_at_end(x.b, circ_try_add_when(x.m, t, &filter));
		circ_build_catch_param(x.b, x.voidp);
		if (way < 2)
			circ_build_return(x.b, NULL);
		circ_builder_at_end(x.b, filter);
		circ_builder_leave(x.b, circ_build_int(x.b, x.s32, 1));
		circ_builder_at_end(x.b, circ_try_add_finally(x.m, t));
		if (way == 3)
			throw_one(&x);
		EXPECT(circ_builder_finish(x.b, t) == (way == 2));
		circ_module_destroy(x.m);
	}
}

TEST(what_is_not_finished)
{
	Made x;
	setup(&x);
	CircOp *branch = circ_build_ternary(x.b, circ_build_bool(x.b, true), x.s32);
	EXPECT(!circ_builder_finish(x.b, branch));
	EXPECT_REFUSED(&x.heard, "circ_builder_finish: 'op' is a cir.ternary; expected a cir.scope, cir.if, "
	                         "cir.cleanup.scope or cir.try");
	EXPECT(!circ_builder_finish(x.b, NULL));
	EXPECT_REFUSED(&x.heard, "circ_builder_finish: 'op' is NULL");
	CircNamedAttr types = {
	    "handler_types",
	    circ_attr_array(x.m, &(const CircAttr *){circ_attr_enum(x.m, "handler", "all")}, 1)};
	CircOp *broken = circ_build_op(
	    x.b, &(CircOpSpec){.mnemonic = "cir.try", .attrs = &types, .nattrs = 1, .nregions = 1});
	EXPECT(!circ_builder_finish(x.b, broken));
	EXPECT_REFUSED(&x.heard, "circ_builder_finish: regions of 'op' are not those of its handlers");
	EXPECT(!circ_builder_finish(NULL, branch) && circ_build_null(NULL, x.voidp) == NULL);
	EXPECT(circ_build_null(x.b, x.s32) == NULL);
	EXPECT_REFUSED(&x.heard, "circ_attr_null: 'type' is !cir.int<s, 32>; expected a pointer");
	EXPECT(circ_build_typed_filter(NULL, NULL, "Error", x.voidp) == NULL);
	EXPECT(circ_build_typed_filter(x.b, NULL, "Error", x.voidp) == NULL);
	EXPECT(x.heard.errors > 0);
	forget(&x.heard);
	circ_module_destroy(x.m);
}

TEST(a_filter_looks_at_the_type_first)
{
	Made x;
	setup(&x);
	circ_module_set_attr(x.m, "circ.eh.language", circ_attr_i32(x.m, 7));
	circ_exception_type_create(x.m, "Error", x.record, NULL, 0, NULL);
	CircBlock *filter;
	CircType *pointer = circ_type_ptr(x.m, x.record);
	CircOp *t = circ_build_try(x.b);
	CircBlock *handler = circ_try_add_when(x.m, t, &filter);
	CircValue *object = circ_build_typed_filter(x.b, filter, "Error", pointer);
	EXPECT(object && circ_value_type(object) == pointer);
	EXPECT(circ_builder_leave(x.b, circ_build_load(x.b, circ_build_get_member(x.b, object, 0, NULL))));
	circ_builder_at_end(x.b, handler);
	circ_build_catch_param(x.b, x.voidp);
	EXPECT(circ_builder_finish(x.b, t));
	circ_build_return(x.b, NULL);
	expect_text(&x, CIRC_STAGE_STRUCTURED,
	            "      %5 = cir.const #cir.ptr<null> : !cir.ptr<!rec_E>\n"
	            "      %6 = cir.cmp ne %4, %5 : !cir.ptr<!rec_E>\n"
	            "      %7 = cir.ternary(%6, true {\n"
	            "        %8 = cir.get_member %4[0] : !cir.ptr<!rec_E> -> !cir.ptr<!s32i>\n"
	            "        %9 = cir.load %8 : !cir.ptr<!s32i>, !s32i\n"
	            "        cir.yield %9 : !s32i\n"
	            "      }, false {\n"
	            "        %8 = cir.const #cir.int<0> : !s32i\n"
	            "        cir.yield %8 : !s32i\n"
	            "      }) : (!cir.bool) -> !s32i\n"
	            "      cir.yield %7 : !s32i\n"
	            "    } do (%arg0: !cir.eh_token) {\n");
}

/* What follows the op stays behind what is built after it. */
TEST(a_region_is_left_to_behind_its_op)
{
	Made x;
	setup(&x);
	CircOp *scope = circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.scope"});
	circ_build_return(x.b, NULL);
	into(&x, scope, 0);
	EXPECT(circ_builder_leave(x.b, NULL));
	circ_build_call(x.b, x.may_throw, NULL, 0);
	expect_text(&x, CIRC_STAGE_STRUCTURED,
	            "    cir.scope {\n"
	            "    }\n"
	            "    cir.call @may_throw() : () -> ()\n"
	            "    cir.return\n");
}
