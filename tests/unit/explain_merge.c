/* An object's cleanups get the names that they have in the module that it was made of. */
#include "test.h"

#include "explain/merge.h"

static CircSite site(CircExplanation *e, const char *callee, uint64_t pad, const CircStep *steps, size_t n)
{
	CircSite s = {.callee = explanation_string(e, str_of(callee)), .pad = pad};
	StepVec all = {0};
	for (size_t i = 0; i < n; i++)
		vec_push(&e->arena, &all, steps[i]);
	explanation_set_steps(e, &s, &all);
	return s;
}

static CircExplanation *with_sites(const CircSite *sites, size_t n, CircExplanation *e)
{
	CircExplainedFunction *f = explanation_add_function(e);
	f->symbol = "parse";
	f->address = 0x100;
	SiteVec all = {0};
	for (size_t i = 0; i < n; i++)
		vec_push(&e->arena, &all, sites[i]);
	explanation_set_sites(e, f, &all);
	return e;
}

typedef struct Pair {
	CircExplanation *object, *module;
} Pair;

static Pair pair(void)
{
	return (Pair){explanation_create(), explanation_create()};
}

static const CircSite *merged(Pair *p)
{
	explanation_name_cleanups(p->object, p->module);
	return p->object->functions.data[0]->sites;
}

static void end(Pair *p)
{
	explanation_destroy(p->object);
	explanation_destroy(p->module);
}

static const CircStep cleanup = {.kind = CIRC_STEP_CLEANUP, .begin = 0x120, .state = -1};
static const CircStep close_file = {.kind = CIRC_STEP_CLEANUP, .function = "close", .is_conditional = true};
static const CircStep unlock = {.kind = CIRC_STEP_CLEANUP, .function = "unlock", .place = {"a.cir", 7, 1}};
static const CircStep all = {.kind = CIRC_STEP_CATCH_ALL, .begin = 0x120, .state = -1};

TEST(one_landing_pad_is_all_cleanups)
{
	Pair p = pair();
	CircSite ours = site(p.object, "work", 0x20, (CircStep[]){cleanup}, 1);
	CircSite theirs = site(p.module, "work", 0, (CircStep[]){close_file, unlock}, 2);
	with_sites(&ours, 1, p.object);
	with_sites(&theirs, 1, p.module);
	const CircSite *s = merged(&p);
	if (!EXPECT_EQ(s->nsteps, 2))
		return;
	EXPECT_STR(s->steps[0].function, "close");
	EXPECT(s->steps[0].is_conditional);
	EXPECT_EQ(s->steps[0].begin, 0x120);
	EXPECT_STR(s->steps[1].function, "unlock");
	EXPECT_EQ(s->steps[1].begin, 0x120);
	EXPECT_EQ(s->steps[1].place.line, 7);
	end(&p);
}

TEST(cleanups_stand_between_the_handlers_of_the_object)
{
	Pair p = pair();
	CircSite ours = site(p.object, "work", 0x20, (CircStep[]){all}, 1);
	CircSite theirs = site(p.module, "work", 0, (CircStep[]){unlock, {.kind = CIRC_STEP_CATCH_ALL}}, 2);
	with_sites(&ours, 1, p.object);
	with_sites(&theirs, 1, p.module);
	const CircSite *s = merged(&p);
	if (!EXPECT_EQ(s->nsteps, 2))
		return;
	EXPECT_STR(s->steps[0].function, "unlock");
	EXPECT_EQ(s->steps[1].kind, CIRC_STEP_CATCH_ALL);
	EXPECT_EQ(s->steps[1].begin, 0x120);
	end(&p);
}

TEST(calls_that_cannot_be_told_apart_stay)
{
	Pair p = pair();
	CircSite ours[] = {site(p.object, "work", 0x20, (CircStep[]){cleanup}, 1),
	                   site(p.object, "work", 0x20, (CircStep[]){cleanup}, 1)};
	CircSite theirs = site(p.module, "work", 0, (CircStep[]){unlock}, 1);
	with_sites(ours, 2, p.object);
	with_sites(&theirs, 1, p.module);
	EXPECT(merged(&p)->steps[0].function == NULL);
	end(&p);
}

TEST(other_handlers_stay)
{
	Pair p = pair();
	CircSite ours = site(p.object, "work", 0x20, (CircStep[]){cleanup, all}, 2);
	CircSite theirs = site(p.module, "work", 0, (CircStep[]){unlock, {.kind = CIRC_STEP_CATCH}}, 2);
	with_sites(&ours, 1, p.object);
	with_sites(&theirs, 1, p.module);
	const CircSite *s = merged(&p);
	EXPECT_EQ(s->nsteps, 2);
	EXPECT(s->steps[0].function == NULL);
	end(&p);
}
