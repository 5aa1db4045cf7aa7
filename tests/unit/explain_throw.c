/* What one exception does, followed through an explanation that is made by hand, and what text and JSON say of it. */
#include "test.h"

#include "explain/throw.h"

#include <stdlib.h>

static char out[65536];
static size_t nout;

static void collect(void *user, const char *data, size_t len)
{
	(void)user;
	if (nout + len < sizeof out)
		memcpy(out + nout, data, len);
	nout += len;
	out[nout < sizeof out ? nout : sizeof out - 1] = '\0';
}

static Sink sink(void)
{
	nout = 0;
	out[0] = '\0';
	return (Sink){.write = collect};
}

static CircStep catch_of(CircExplanation *e, CircExplainedType *type)
{
	const CircExplainedType **types = arena_array(&e->arena, const CircExplainedType *, 1);
	types[0] = type;
	return (CircStep){.kind = CIRC_STEP_CATCH, .types = types, .ntypes = 1, .state = -1};
}

static CircSite call(CircExplanation *e, const char *callee, uint64_t begin, const CircStep *steps, size_t n,
                     CircEnd end)
{
	CircSite site = {.begin = begin, .end = begin + 5, .callee = explanation_string(e, str_of(callee))};
	site.place = (CircPlace){"src/a.cpp", (uint32_t)begin, 3};
	StepVec all = {0};
	for (size_t i = 0; i < n; i++)
		vec_push(&e->arena, &all, steps[i]);
	explanation_set_steps(e, &site, &all);
	site.end_of_path = end;
	return site;
}

static void function(CircExplanation *e, const char *symbol, uint64_t address, const CircSite *sites,
                     size_t n)
{
	CircExplainedFunction *f = explanation_add_function(e);
	f->symbol = explanation_string(e, str_of(symbol));
	f->address = address;
	f->size = 0x40;
	f->tables = CIRC_TABLE_LSDA;
	SiteVec all = {0};
	for (size_t i = 0; i < n; i++)
		vec_push(&e->arena, &all, sites[i]);
	explanation_set_sites(e, f, &all);
}

/* inner calls work() in a cleanup and a handler of Other; middle calls inner in a handler of Base; outer calls middle. */
static CircExplanation *example(void)
{
	CircExplanation *e = explanation_create();
	e->file = "a.o";
	e->format = "elf";
	e->target = "x86_64";
	CircExplainedType *base = explanation_type(e, STR("Base")),
	                  *derived = explanation_type(e, STR("Derived"));
	CircExplainedType *other = explanation_type(e, STR("Other"));
	const CircExplainedType **bases = arena_array(&e->arena, const CircExplainedType *, 1);
	bases[0] = base;
	derived->bases = bases;
	derived->nbases = 1;
	derived->has_bases = base->has_bases = true;
	CircStep in_inner[] = {{.kind = CIRC_STEP_CLEANUP, .begin = 0x20, .state = -1}, catch_of(e, other)};
	CircStep in_middle[] = {catch_of(e, base)};
	CircSite inner = call(e, "work", 0x10, in_inner, 2, CIRC_END_LEAVES);
	CircSite middle = call(e, "inner", 0x10, in_middle, 1, CIRC_END_LEAVES);
	CircSite outer = call(e, "middle", 0x10, NULL, 0, CIRC_END_LEAVES);
	function(e, "outer", 0x80, &outer, 1);
	function(e, "middle", 0x40, &middle, 1);
	function(e, "inner", 0, &inner, 1);
	explanation_finish(e, NULL);
	return e;
}

static const CircThrowPath *path_of(CircExplanation *e, const char *type, const char *at)
{
	const char *error = NULL;
	return explanation_throw(e, type, at, &error);
}

TEST(functions_stand_in_the_order_of_their_addresses)
{
	CircExplanation *e = example();
	EXPECT_STR(circ_explanation_function(e, 0)->name, "inner");
	EXPECT_STR(circ_explanation_function(e, 2)->name, "outer");
	EXPECT(circ_explanation_function(e, 3) == NULL);
	EXPECT_EQ(circ_explanation_function(e, 1)->index, 1);
	explanation_destroy(e);
}

TEST(an_exception_runs_cleanups_and_ends_in_the_handler_of_its_base)
{
	CircExplanation *e = example();
	const CircThrowPath *path = path_of(e, "Derived", "inner");
	if (!EXPECT(path && path->nframes == 2))
		return;
	EXPECT_EQ(path->frames[0].nsteps, 1);
	EXPECT_EQ(path->frames[0].steps[0].step->kind, CIRC_STEP_CLEANUP);
	EXPECT_EQ(path->frames[0].end, CIRC_END_LEAVES);
	EXPECT_STR(path->frames[1].function->name, "middle");
	EXPECT_EQ(path->frames[1].steps[0].taken, CIRC_TAKEN_YES);
	EXPECT_EQ(path->frames[1].end, CIRC_END_CAUGHT);
	explanation_destroy(e);
}

TEST(an_exception_that_nothing_takes_leaves_all_callers)
{
	CircExplanation *e = example();
	const CircThrowPath *path = path_of(e, "int", "inner");
	if (!EXPECT(path && path->nframes == 3))
		return;
	EXPECT_EQ(path->frames[1].nsteps, 0);
	EXPECT_EQ(path->frames[2].depth, 2);
	EXPECT_EQ(path->frames[2].end, CIRC_END_LEAVES);
	explanation_destroy(e);
}

TEST(a_type_whose_bases_are_not_known_may_be_taken)
{
	CircExplanation *e = example();
	const CircThrowPath *path = path_of(e, "Unheard", "inner");
	if (!EXPECT(path && path->nframes == 3))
		return;
	EXPECT(path->explained_type == NULL);
	EXPECT_EQ(path->frames[0].steps[1].taken, CIRC_TAKEN_PERHAPS);
	EXPECT_EQ(path->frames[0].end, CIRC_END_LEAVES);
	explanation_destroy(e);
}

TEST(places_are_functions_offsets_and_lines)
{
	CircExplanation *e = example();
	EXPECT(path_of(e, "int", "inner+0x10") != NULL);
	EXPECT(path_of(e, "int", "inner+20") != NULL);
	EXPECT_EQ(path_of(e, "int", "inner+0x14")->frames[0].site->begin, 0x10);
	EXPECT(path_of(e, "int", "inner+0x15")->frames[0].site == NULL);
	EXPECT(path_of(e, "int", "inner+0x40") == NULL);
	EXPECT(path_of(e, "int", "a.cpp:16") != NULL);
	EXPECT(path_of(e, "int", "b.cpp:16") == NULL);
	EXPECT(path_of(e, "int", ".cpp:16") == NULL);
	const char *error = NULL;
	EXPECT(explanation_throw(e, "int", "nothing", &error) == NULL);
	EXPECT_STR(error, "no call 'nothing' in a.o; expected FUNCTION, SYMBOL+OFFSET or FILE:LINE");
	explanation_destroy(e);
}

TEST(without_a_place_each_call_is_looked_at_alone)
{
	CircExplanation *e = example();
	const CircThrowPath *path = path_of(e, "Other", NULL);
	if (!EXPECT(path && path->nframes == 3))
		return;
	EXPECT_EQ(path->frames[0].end, CIRC_END_CAUGHT);
	EXPECT_EQ(path->frames[1].depth, 0);
	explanation_destroy(e);
}

TEST(recursion_ends)
{
	CircExplanation *e = explanation_create();
	e->file = "r.o";
	e->format = "elf";
	CircSite sites[] = {call(e, "even", 0x10, NULL, 0, CIRC_END_LEAVES),
	                    call(e, "odd", 0x20, NULL, 0, CIRC_END_LEAVES)};
	function(e, "odd", 0, &sites[0], 1);
	function(e, "even", 0x40, &sites[1], 1);
	explanation_finish(e, NULL);
	const CircThrowPath *path = path_of(e, "int", "odd");
	if (!EXPECT(path && path->nframes == 3))
		return;
	EXPECT(path->frames[2].is_seen);
	EXPECT(path->frames[2].site == path->frames[0].site);
	explanation_destroy(e);
}

TEST(text_of_a_path)
{
	CircExplanation *e = example();
	Sink s = sink();
	explanation_write_throw_text(e, path_of(e, "Derived", "inner"), &s);
	EXPECT_STR(out, "inner  +0x10..0x15  call work  src/a.cpp:16:3\n"
	                "    1. cleanup -> +0x20\n"
	                "    leaves the function\n"
	                "  called by middle  +0x10..0x15  call inner  src/a.cpp:16:3\n"
	                "      1. catch Base\n"
	                "      caught here\n");
	explanation_destroy(e);
}

TEST(text_of_all)
{
	CircExplanation *e = example();
	Sink s = sink();
	explanation_write_text(e, &s);
	EXPECT_CONTAINS(
	    out, "inner\n  0x0..0x40\n  +0x10..0x15  call work  src/a.cpp:16:3\n      cleanup -> +0x20\n"
	         "      catch Other\n      what is left leaves the function\n");
	explanation_destroy(e);
}

TEST(json_is_ascii_and_cannot_end_a_script)
{
	Sink s = sink();
	sink_json(&s, "a\"b\\c</script>\x01\xc3\xa9\xff\xf0\x9f\x98\x80\xed\xa0\x80");
	sink_flush(&s);
	EXPECT_STR(out, "\"a\\u0022b\\u005cc\\u003c/"
	                "script\\u003e\\u0001\\u00e9\\ufffd\\ud83d\\ude00\\ufffd\\ufffd\\ufffd\"");
}

TEST(names_are_harmless_on_a_terminal)
{
	Sink s = sink();
	sink_name(&s, "a\x1b[2Jb\n");
	sink_flush(&s);
	EXPECT_STR(out, "a\\1B[2Jb\\0A");
}
