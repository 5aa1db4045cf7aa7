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
