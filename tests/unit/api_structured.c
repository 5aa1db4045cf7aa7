/* The public interface: every structured op of cir-reference 5.7, 5.10 and 5.15, made by its mnemonic. What
 * is built verifies, prints in the newest spelling, and flattens. */
#include "api_common.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

typedef struct Made {
	Heard heard;
	CircModule *m;
	CircType *s32, *bool_, *voidp, *eh;
	CircBuilder *b;
	CircOp *f, *may_throw;
	CircValue *n, *c; /* arguments of f: an integer, a condition */
} Made;

static CircOp *declare(Made *x, const char *name, CircType *param)
{
	return circ_func_declare(x->m, name, circ_type_func(x->m, &param, param != NULL, NULL, false));
}

static void setup(Made *x)
{
	*x = (Made){.m = NULL};
	x->m = circ_module_create(hear, &x->heard);
	x->s32 = circ_type_int(x->m, 32, true);
	x->bool_ = circ_type_simple(x->m, CIRC_TYPE_BOOL);
	x->voidp = circ_type_ptr(x->m, circ_type_simple(x->m, CIRC_TYPE_VOID));
	x->eh = circ_type_simple(x->m, CIRC_TYPE_EH_TOKEN);
	x->b = circ_builder_create(x->m);
	x->may_throw = declare(x, "may_throw", NULL);
	CircType *params[] = {x->s32, x->bool_};
	x->f = circ_func_create(x->m, "f", circ_type_func(x->m, params, 2, NULL, false));
	CircBlock *entry = circ_func_add_entry(x->m, x->f);
	circ_builder_at_end(x->b, entry);
	x->n = circ_block_arg(entry, 0);
	x->c = circ_block_arg(entry, 1);
}

/* Ends f, whose builder is where `end` says, and checks all that was made. */
static void finish(Made *x, const char *printed)
{
	char *text;
	circ_build_return(x->b, NULL);
	EXPECT(circ_module_verify(x->m, CIRC_STAGE_STRUCTURED));
	if (EXPECT(circ_module_print(x->m, 0, &text, NULL))) {
		EXPECT_CONTAINS(text, printed);
		CircModule *again = circ_module_parse(NULL, text, strlen(text), hear, &x->heard);
		EXPECT(again != NULL);
		if (again)
			expect_printed(again, text);
		circ_module_destroy(again);
	}
	circ_free(text);
	EXPECT(circ_module_flatten(x->m));
	EXPECT(circ_module_verify(x->m, CIRC_STAGE_FLAT));
	circ_module_destroy(x->m);
	EXPECT_STR(x->heard.text, "");
}

static CircOp *op(Made *x, const char *mnemonic, CircValue *operand)
{
	return circ_build_op(
	    x->b, &(CircOpSpec){.mnemonic = mnemonic, .operands = &operand, .noperands = operand != NULL});
}

static CircOp *op_with(Made *x, const char *mnemonic, CircValue *operand, const char *name,
                       const CircAttr *value)
{
	CircNamedAttr attr = {name, value};
	return circ_build_op(x->b, &(CircOpSpec){.mnemonic = mnemonic,
	                                         .operands = &operand,
	                                         .noperands = operand != NULL,
	                                         .attrs = &attr,
	                                         .nattrs = 1});
}

static const CircAttr *attr(Made *x, const char *text)
{
	return circ_attr_parse(x->m, text, strlen(text));
}

/* The builder goes into a new block of that region. */
static CircBlock *into(Made *x, CircOp *of, size_t region)
{
	CircBlock *b = circ_block_create(x->m, circ_op_region(of, region));
	EXPECT(b && circ_builder_at_end(x->b, b));
	return b;
}

static void yield(Made *x)
{
	op(x, "cir.yield", NULL);
}

static void call(Made *x)
{
	circ_build_call(x->b, x->may_throw, NULL, 0);
}

/* A region that holds the call of something that may throw. */
static void fill(Made *x, CircOp *of, size_t region)
{
	into(x, of, region);
	call(x);
	yield(x);
}

static void condition(Made *x, CircOp *of, size_t region)
{
	into(x, of, region);
	op(x, "cir.condition", x->c);
}

static void back(Made *x, CircBlock *b)
{
	circ_builder_at_end(x->b, b);
}

/* 5.7 */

TEST(scope_if_and_ternary)
{
	Made x;
	setup(&x);
	CircBlock *entry = circ_builder_block(x.b);
	CircOp *scope =
	    circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.scope", .result_types = &x.s32, .nresults = 1});
	into(&x, scope, 0);
	op(&x, "cir.yield", x.n);
	back(&x, entry);
	CircOp *plain = op(&x, "cir.scope", NULL);
	fill(&x, plain, 0);
	back(&x, entry);
	CircOp *both = op(&x, "cir.if", x.c);
	fill(&x, both, 0);
	fill(&x, both, 1);
	back(&x, entry);
	CircOp *then = op(&x, "cir.if", x.c);
	fill(&x, then, 0);
	back(&x, entry);
	CircOp *choice = circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.ternary",
	                                                  .operands = &x.c,
	                                                  .noperands = 1,
	                                                  .result_types = &x.s32,
	                                                  .nresults = 1});
	for (size_t i = 0; i < 2; i++) {
		into(&x, choice, i);
		op(&x, "cir.yield", i ? x.n : circ_op_result(scope, 0));
	}
	back(&x, entry);
	finish(&x, "    %0 = cir.scope {\n"
	           "      cir.yield %arg0 : !s32i\n"
	           "    } : !s32i\n"
	           "    cir.scope {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "    }\n"
	           "    cir.if %arg1 {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "    } else {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "    }\n"
	           "    cir.if %arg1 {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "    }\n"
	           "    %1 = cir.ternary(%arg1, true {\n"
	           "      cir.yield %0 : !s32i\n"
	           "    }, false {\n"
	           "      cir.yield %arg0 : !s32i\n"
	           "    }) : (!cir.bool) -> !s32i\n");
}

TEST(loops_and_their_cleanups)
{
	Made x;
	setup(&x);
	CircBlock *entry = circ_builder_block(x.b);
	CircOp *loop = op(&x, "cir.while", NULL);
	condition(&x, loop, 0);
	into(&x, loop, 1);
	op(&x, "cir.break", NULL);
	back(&x, entry);
	loop = op(&x, "cir.do", NULL);
	into(&x, loop, 0);
	op(&x, "cir.continue", NULL);
	condition(&x, loop, 1);
	back(&x, entry);
	loop = op_with(&x, "cir.for", NULL, "cleanup_kind", circ_attr_enum(x.m, "cleanup_kind", "all"));
	condition(&x, loop, 0);
	for (size_t i = 1; i < 4; i++)
		fill(&x, loop, i);
	back(&x, entry);
	loop = op_with(&x, "cir.while", NULL, "cleanup_kind", circ_attr_enum(x.m, "cleanup_kind", "normal"));
	condition(&x, loop, 0);
	fill(&x, loop, 1);
	fill(&x, loop, 2);
	back(&x, entry);
	finish(&x, "    cir.while {\n"
	           "      cir.condition(%arg1)\n"
	           "    } do {\n"
	           "      cir.break\n"
	           "    }\n"
	           "    cir.do {\n"
	           "      cir.continue\n"
	           "    } while {\n"
	           "      cir.condition(%arg1)\n"
	           "    }\n"
	           "    cir.for : cond {\n"
	           "      cir.condition(%arg1)\n"
	           "    } body {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    } step {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    } cleanup all {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    }\n"
	           "    cir.while {\n"
	           "      cir.condition(%arg1)\n"
	           "    } do {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    } cleanup normal {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    }\n");
}

static void add_case(Made *x, CircBlock *body, const char *kind, const char *values)
{
	CircNamedAttr attrs[] = {{"kind", circ_attr_enum(x->m, "case", kind)}, {"value", attr(x, values)}};
	back(x, body);
	CircOp *c = circ_build_op(x->b, &(CircOpSpec){.mnemonic = "cir.case", .attrs = attrs, .nattrs = 2});
	fill(x, c, 0);
}

TEST(switch_with_every_kind_of_case)
{
	Made x;
	setup(&x);
	CircBlock *entry = circ_builder_block(x.b);
	CircOp *sw = op_with(&x, "cir.switch", x.n, "all_enum_cases_covered", circ_attr_unit(x.m));
	CircBlock *body = into(&x, sw, 0);
	add_case(&x, body, "equal", "[#cir.int<1> : !s32i]");
	add_case(&x, body, "anyof", "[#cir.int<2> : !s32i, #cir.int<3> : !s32i]");
	add_case(&x, body, "range", "[#cir.int<10> : !s32i, #cir.int<500> : !s32i]");
	add_case(&x, body, "default", "[]");
	back(&x, body);
	yield(&x);
	back(&x, entry);
	finish(&x, "    cir.switch (%arg0 : !s32i) all_enum_cases_covered {\n"
	           "      cir.case (equal, [#cir.int<1> : !s32i]) {\n"
	           "        cir.call @may_throw() : () -> ()\n"
	           "        cir.yield\n"
	           "      }\n"
	           "      cir.case (anyof, [#cir.int<2> : !s32i, #cir.int<3> : !s32i]) {\n"
	           "        cir.call @may_throw() : () -> ()\n"
	           "        cir.yield\n"
	           "      }\n"
	           "      cir.case (range, [#cir.int<10> : !s32i, #cir.int<500> : !s32i]) {\n"
	           "        cir.call @may_throw() : () -> ()\n"
	           "        cir.yield\n"
	           "      }\n"
	           "      cir.case (default, []) {\n"
	           "        cir.call @may_throw() : () -> ()\n"
	           "        cir.yield\n"
	           "      }\n"
	           "      cir.yield\n"
	           "    }\n");
}

TEST(cleanup_scopes_of_every_kind)
{
	Made x;
	setup(&x);
	CircBlock *entry = circ_builder_block(x.b);
	static const char *const kinds[] = {"normal", "eh", "all"};
	for (size_t i = 0; i < 3; i++) {
		CircOp *scope = op_with(&x, "cir.cleanup.scope", NULL, "kind",
		                        circ_attr_enum(x.m, "cleanup_kind", kinds[i]));
		fill(&x, scope, 0);
		fill(&x, scope, 1);
		back(&x, entry);
	}
	finish(&x, "    } cleanup normal {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    }\n"
	           "    cir.cleanup.scope {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    } cleanup eh {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    }\n"
	           "    cir.cleanup.scope {\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    } cleanup all {\n");
}

static const CircAttr *label(Made *x)
{
	return circ_attr_string(x->m, TEXT("l"));
}

TEST(goto_label_and_their_addresses)
{
	Made x;
	setup(&x);
	CircBlock *entry = circ_builder_block(x.b);
	CircOp *address = op_with(&x, "cir.block_address", NULL, "block_addr_info",
	                          attr(&x, "#cir.block_addr_info<@f, \"l\"> : !cir.ptr<!cir.void>"));
	CircOp *choice = op(&x, "cir.if", x.c);
	into(&x, choice, 0);
	op(&x, "cir.indirect_goto", circ_op_result(address, 0));
	CircBlock *end = circ_block_create_after(x.m, entry);
	back(&x, entry);
	op_with(&x, "cir.goto", NULL, "label", label(&x));
	back(&x, end);
	op_with(&x, "cir.label", NULL, "label", label(&x));
	finish(&x, "    %0 = cir.block_address <@f, \"l\"> : !cir.ptr<!void>\n"
	           "    cir.if %arg1 {\n"
	           "      cir.indirect_goto %0 : !cir.ptr<!void>\n"
	           "    }\n"
	           "    cir.goto \"l\"\n"
	           "  ^bb1:  // no predecessors\n"
	           "    cir.label \"l\"\n"
	           "    cir.return\n");
}

/* 5.10 */

static CircOp *open_try(Made *x, const char *handlers, size_t nhandlers)
{
	CircNamedAttr types = {"handler_types", attr(x, handlers)};
	CircOp *t = circ_build_op(x->b, &(CircOpSpec){.mnemonic = "cir.try",
	                                              .attrs = &types,
	                                              .nattrs = nhandlers != 0,
	                                              .nregions = nhandlers + 1});
	CircBlock *outside = circ_builder_block(x->b);
	fill(x, t, 0);
	back(x, outside);
	return t;
}

/* The builder goes into a handler; gives its token. */
static CircValue *handler(Made *x, CircOp *t, size_t region)
{
	return circ_block_add_arg(x->m, into(x, t, region), x->eh);
}

/* Catches, fills a variable, and ends the catch. */
static void catch_into(Made *x, CircOp *t, size_t region, const char *kind, CircValue *slot)
{
	CircValue *object, *caught = circ_build_begin_catch(x->b, handler(x, t, region), x->voidp, &object);
	CircBlock *here = circ_builder_block(x->b);
	CircOp *scope =
	    op_with(x, "cir.cleanup.scope", NULL, "kind", circ_attr_enum(x->m, "cleanup_kind", "all"));
	into(x, scope, 0);
	CircValue *operands[] = {object, slot};
	CircNamedAttr how = {"kind", circ_attr_enum(x->m, "init_catch", kind)};
	EXPECT(circ_build_op(x->b, &(CircOpSpec){.mnemonic = "cir.init_catch_param",
	                                         .operands = operands,
	                                         .noperands = 2,
	                                         .attrs = &how,
	                                         .nattrs = 1}) != NULL);
	yield(x);
	into(x, scope, 1);
	circ_build_end_catch(x->b, caught);
	yield(x);
	back(x, here);
	yield(x);
}

static void type_info(Made *x, const char *name)
{
	circ_global_create(x->m, name, circ_type_ptr(x->m, circ_type_int(x->m, 8, false)), "external", NULL);
}

TEST(handlers_of_every_kind)
{
	Made x;
	setup(&x);
	type_info(&x, "_ZTIi");
	type_info(&x, "_ZTIPi");
	CircBlock *entry = circ_builder_block(x.b);
	CircType *pointer = circ_type_ptr(x.m, x.s32);
	CircValue *number = circ_build_alloca(x.b, x.s32, "n", 0);
	CircValue *address = circ_build_alloca(x.b, pointer, "p", 0);
	CircOp *t = open_try(
	    &x,
	    "[#cir.global_view<@_ZTIi> : !cir.ptr<!u8i>, #cir.global_view<@_ZTIPi> : !cir.ptr<!u8i>, "
	    "#cir.global_view<@_ZTIi> : !cir.ptr<!u8i>, #cir.global_view<@_ZTIi> : !cir.ptr<!u8i>, "
	    "#cir.handler<all>]",
	    5);
	catch_into(&x, t, 1, "scalar", number);
	catch_into(&x, t, 2, "pointer", address);
	catch_into(&x, t, 3, "reference", address);
	catch_into(&x, t, 4, "trivial_copy", number);
	CircValue *token = handler(&x, t, 5);
	circ_builder_at_end(x.b, circ_region_first_block(x.m, circ_op_region(t, 5)));
	op(&x, "cir.eh.terminate", token);
	back(&x, entry);
	t = open_try(&x, "[#cir.global_view<@_ZTIi> : !cir.ptr<!u8i>, #cir.handler<unwind>]", 2);
	handler(&x, t, 1);
	circ_build_op(x.b,
	              &(CircOpSpec){.mnemonic = "cir.catch_param", .result_types = &pointer, .nresults = 1});
	circ_build_rethrow(x.b);
	circ_build_unreachable(x.b);
	circ_build_resume(x.b, handler(&x, t, 2));
	back(&x, entry);
	finish(&x, "      cir.yield\n"
	           "    } catch [type #cir.global_view<@_ZTIi> : !cir.ptr<!u8i>] (%arg2: !cir.eh_token) {\n"
	           "      %2 = cir.catch_param : !cir.ptr<!s32i>\n"
	           "      cir.throw\n"
	           "      cir.unreachable\n"
	           "    } unwind (%arg2: !cir.eh_token) {\n"
	           "      cir.resume %arg2 : !cir.eh_token\n"
	           "    }\n");
}

/* What has no place of its own is looked for in a function. */
TEST(a_catch_without_its_end_is_reported_with_its_function)
{
	Made x;
	setup(&x);
	CircBlock *entry = circ_builder_block(x.b);
	CircOp *t = open_try(&x, "[#cir.handler<all>]", 1);
	circ_build_begin_catch(x.b, handler(&x, t, 1), x.voidp, NULL);
	circ_build_return(x.b, NULL);
	circ_builder_at_end(x.b, entry);
	circ_build_return(x.b, NULL);
	EXPECT(!circ_module_verify(x.m, CIRC_STAGE_STRUCTURED));
	EXPECT_STR(
	    x.heard.text,
	    "error: 'cir.begin_catch' op begins a catch that is never ended; add 'cir.end_catch' after it, "
	    "or at the beginning of the cleanup region of the enclosing 'cir.cleanup.scope'\n"
	    "note: in 'f'\n");
	circ_module_destroy(x.m);
}

TEST(exception_specifications)
{
	Made x;
	setup(&x);
	type_info(&x, "_ZTIi");
	CircBlock *entry = circ_builder_block(x.b);
	CircOp *t =
	    open_try(&x, "[[#cir.global_view<@_ZTIi> : !cir.ptr<!u8i>], #cir.handler<unexpected>]", 2);
	circ_build_resume(x.b, handler(&x, t, 1));
	op(&x, "cir.eh.unexpected", handler(&x, t, 2));
	back(&x, entry);
	t = open_try(&x, "[]", 0);
	back(&x, entry);
	finish(&x, "    } filter [#cir.global_view<@_ZTIi> : !cir.ptr<!u8i>] (%arg2: !cir.eh_token) {\n"
	           "      cir.resume %arg2 : !cir.eh_token\n"
	           "    } unexpected (%arg2: !cir.eh_token) {\n"
	           "      cir.eh.unexpected %arg2 : !cir.eh_token\n"
	           "    }\n"
	           "    cir.try {\n");
}

TEST(parameters_that_are_copied)
{
	Made x;
	setup(&x);
	type_info(&x, "_ZTIi");
	CircBlock *entry = circ_builder_block(x.b);
	CircType *pointer = circ_type_ptr(x.m, x.s32), *params[] = {pointer, pointer};
	CircOp *thunk = circ_func_create(x.m, "thunk", circ_type_func(x.m, params, 2, NULL, false));
	circ_op_set_flag(x.m, thunk, "cir.eh.catch_copy_thunk");
	circ_builder_at_end(x.b, circ_func_add_entry(x.m, thunk));
	circ_build_return(x.b, NULL);
	back(&x, entry);
	CircValue *slot = circ_build_alloca(x.b, x.s32, "n", 0);
	CircOp *t = open_try(&x, "[#cir.global_view<@_ZTIi> : !cir.ptr<!u8i>]", 1);
	CircValue *token = handler(&x, t, 1), *operands[] = {token, slot};
	CircNamedAttr attrs[] = {{"kind", circ_attr_enum(x.m, "init_catch", "non_trivial_copy")},
	                         {"copy_fn", circ_attr_symbol(x.m, TEXT("thunk"))}};
	circ_build_op(x.b, &(CircOpSpec){.mnemonic = "cir.construct_catch_param",
	                                 .operands = operands,
	                                 .noperands = 2,
	                                 .attrs = attrs,
	                                 .nattrs = 2});
	circ_build_end_catch(x.b, circ_build_begin_catch(x.b, token, x.voidp, NULL));
	yield(&x);
	back(&x, entry);
	finish(&x,
	       "      cir.construct_catch_param non_trivial_copy %arg2 to %0 using @thunk : !cir.ptr<!s32i>\n"
	       "      %1, %2 = cir.begin_catch %arg2 : !cir.eh_token -> (!cir.catch_token, "
	       "!cir.ptr<!void>)\n"
	       "      cir.end_catch %1 : !cir.catch_token\n");
}

TEST(throwing)
{
	Made x;
	setup(&x);
	type_info(&x, "_ZTIi");
	CircBlock *entry = circ_builder_block(x.b);
	CircOp *choice = op(&x, "cir.if", x.c);
	into(&x, choice, 0);
	CircValue *object = circ_build_alloc_exception(x.b, x.s32);
	CircOp *guard =
	    op_with(&x, "cir.cleanup.scope", NULL, "kind", circ_attr_enum(x.m, "cleanup_kind", "eh"));
	CircBlock *here = circ_builder_block(x.b);
	fill(&x, guard, 0);
	into(&x, guard, 1);
	op(&x, "cir.free.exception", object);
	op(&x, "cir.resume", NULL);
	back(&x, here);
	circ_build_throw(x.b, object, "_ZTIi", NULL);
	circ_build_unreachable(x.b);
	into(&x, choice, 1);
	op(&x, "cir.trap", NULL);
	back(&x, entry);
	finish(&x, "      %0 = cir.alloc.exception 4 -> !cir.ptr<!s32i>\n"
	           "      cir.cleanup.scope {\n"
	           "        cir.call @may_throw() : () -> ()\n"
	           "        cir.yield\n"
	           "      } cleanup eh {\n"
	           "        cir.free.exception %0 : !cir.ptr<!s32i>\n"
	           "        cir.resume\n"
	           "      }\n"
	           "      cir.throw %0 : !cir.ptr<!s32i>, @_ZTIi\n"
	           "      cir.unreachable\n"
	           "    } else {\n"
	           "      cir.trap\n"
	           "    }\n");
}

/* 5.15 */

static void element_region(Made *x, CircOp *of, size_t region, CircType *pointer)
{
	circ_block_add_arg(x->m, into(x, of, region), pointer);
	call(x);
	yield(x);
}

TEST(arrays)
{
	Made x;
	setup(&x);
	CircBlock *entry = circ_builder_block(x.b);
	CircType *element = circ_type_ptr(x.m, x.s32);
	CircValue *all = circ_build_alloca(x.b, circ_type_array(x.m, x.s32, 3), "a", 4);
	CircValue *first = circ_build_cast(x.b, "array_to_ptrdecay", all, element);
	CircValue *counted[] = {first, x.n};
	CircOp *a = op(&x, "cir.array.ctor", all);
	element_region(&x, a, 0, element);
	element_region(&x, a, 1, element);
	back(&x, entry);
	a = circ_build_op(x.b,
	                  &(CircOpSpec){.mnemonic = "cir.array.ctor", .operands = counted, .noperands = 2});
	element_region(&x, a, 0, element);
	back(&x, entry);
	a = op_with(&x, "cir.array.dtor", all, "dtor_may_throw", circ_attr_unit(x.m));
	element_region(&x, a, 0, element);
	back(&x, entry);
	a = circ_build_op(x.b,
	                  &(CircOpSpec){.mnemonic = "cir.array.dtor", .operands = counted, .noperands = 2});
	element_region(&x, a, 0, element);
	back(&x, entry);
	finish(&x, "    cir.array.ctor %0 : !cir.ptr<!cir.array<!s32i x 3>> {\n"
	           "    ^bb0(%arg2: !cir.ptr<!s32i>):\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    } partial_dtor {\n"
	           "    ^bb0(%arg2: !cir.ptr<!s32i>):\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    }\n"
	           "    cir.array.ctor %1, %arg0 : !cir.ptr<!s32i>, !s32i {\n"
	           "    ^bb0(%arg2: !cir.ptr<!s32i>):\n"
	           "      cir.call @may_throw() : () -> ()\n"
	           "      cir.yield\n"
	           "    }\n"
	           "    cir.array.dtor %0 : !cir.ptr<!cir.array<!s32i x 3>> dtor_may_throw {\n");
}

TEST(delete_array)
{
	Made x;
	setup(&x);
	CircType *element = circ_type_ptr(x.m, x.s32), *u64 = circ_type_int(x.m, 64, false);
	CircType *params[] = {x.voidp, u64};
	circ_func_declare(x.m, "_ZdaPvm", circ_type_func(x.m, params, 2, NULL, false));
	declare(&x, "dtor", element);
	CircValue *p = circ_build_const(x.b, circ_attr_null(x.m, element));
	CircNamedAttr attrs[] = {
	    {"delete_fn", circ_attr_symbol(x.m, TEXT("_ZdaPvm"))},
	    {"delete_params", attr(&x, "#cir.usual_delete_params<size = true>")},
	    {"element_dtor", circ_attr_symbol(x.m, TEXT("dtor"))},
	    {"element_align", circ_attr_i64(x.m, 4)},
	};
	circ_build_op(
	    x.b,
	    &(CircOpSpec){
	        .mnemonic = "cir.delete_array", .operands = &p, .noperands = 1, .attrs = attrs, .nattrs = 4});
	finish(&x, "    cir.delete_array %0 : !cir.ptr<!s32i> delete_fn(@_ZdaPvm) delete_params<size = true> "
	           "element_dtor(@dtor) element_align(4)\n");
}
