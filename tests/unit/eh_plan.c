/* Plans of token graphs that are too large, or too odd, to write as text. */
#include "eh/itanium/itanium.h"
#include "eh/plan.h"
#include "ir/build.h"
#include "test.h"

#include <time.h>

typedef struct Fixture {
	IrModule *m;
	IrOp *func;
	IrBlock *entry, *done;
	Diags d;
	char message[200];
	AbiTables tables;
	AbiPlan plan;
} Fixture;

static void note_message(const CircDiagnostic *diagnostic, void *user)
{
	Fixture *f = user;
	if (diagnostic->severity == CIRC_ERROR)
		snprintf(f->message, sizeof f->message, "%s", diagnostic->message);
}

static void begin(Fixture *f)
{
	*f = (Fixture){.m = ir_module_create()};
	IrModule *m = f->m;
	f->func = ir_func_create(m, ir_name(m, STR("f")), ir_type_func(m, NULL, 0, NULL, false), (Loc){0});
	f->entry = ir_func_add_entry(m, f->func);
	diag_init(&f->d, note_message, f);
}

static void end(Fixture *f)
{
	ir_module_destroy(f->m);
}

static IrType *token_type(Fixture *f)
{
	return ir_type_simple(f->m, TYPE_EH_TOKEN);
}

/* A block that takes an exception token. */
static IrBlock *token_block(Fixture *f)
{
	IrBlock *b = ir_block_create(f->m, (Loc){0});
	ir_block_append(&f->func->regions[0], b);
	ir_block_add_arg(f->m, b, token_type(f));
	return b;
}

static void build_end(Fixture *f, IrBlock *b, OpKind kind)
{
	IrBuilder at = ir_at_end(f->m, b, (Loc){0});
	ir_build(&at, kind, NULL, b->args, 1);
}

static IrBlock *resume_block(Fixture *f)
{
	IrBlock *b = token_block(f);
	build_end(f, b, OP_RESUME);
	return b;
}

/* A pad that hands its token to `next`. */
static IrBlock *pad_block(Fixture *f, IrBlock *next)
{
	IrBlock *b = ir_block_create(f->m, (Loc){0});
	ir_block_append(&f->func->regions[0], b);
	IrBuilder at = ir_at_end(f->m, b, (Loc){0});
	IrValue *token = &ir_build(&at, OP_EH_INITIATE, token_type(f), NULL, 0)->results[0];
	ir_build_br(&at, next, &token, 1);
	return b;
}

/* Types are named _ZTI…, so that the lowering may declare them; the tests leave that out. */
static const IrAttr *view(Fixture *f, const char *type)
{
	return ir_attr_global_view(f->m, ir_type_ptr(f->m, f->m->u8),
	                           ir_name(f->m, str_of(arena_printf(&f->m->arena, "_ZTI%s", type))), NULL,
	                           0);
}

/* catch (type) -> a handler that resumes nothing, else `otherwise`; type NULL: no handler. */
static void build_dispatch(Fixture *f, IrBlock *b, const char *type, IrBlock *otherwise, bool all)
{
	IrBlock *handler = type ? token_block(f) : NULL;
	IrSuccSpec succs[2] = {{.dest = handler}, {.dest = otherwise}};
	IrNamedAttr attrs[2];
	uint32_t nattrs = 0;
	if (handler) {
		IrBuilder h = ir_at_end(f->m, handler, (Loc){0});
		ir_build(&h, OP_UNREACHABLE, NULL, NULL, 0);
		const IrAttr *types[] = {view(f, type)};
		attrs[nattrs++] =
		    (IrNamedAttr){ir_known_name(f->m, NAME_catch_types), ir_attr_array(f->m, types, 1)};
	}
	if (all)
		attrs[nattrs++] =
		    (IrNamedAttr){ir_known_name(f->m, NAME_default_is_catch_all), ir_attr_unit(f->m)};
	IrOpSpec spec = {.kind = OP_EH_DISPATCH,
	                 .operands = b->args,
	                 .noperands = 1,
	                 .succs = handler ? succs : succs + 1,
	                 .nsuccs = handler ? 2 : 1,
	                 .attrs = attrs,
	                 .nattrs = nattrs};
	IrBuilder at = ir_at_end(f->m, b, (Loc){0});
	ir_build_spec(&at, &spec);
}

static IrBlock *dispatch_block(Fixture *f, const char *type, IrBlock *otherwise)
{
	IrBlock *b = token_block(f);
	build_dispatch(f, b, type, otherwise, false);
	return b;
}

/* Hands its token to one of two blocks. */
static IrBlock *branch_block(Fixture *f, IrBlock *one, IrBlock *other)
{
	IrBlock *b = token_block(f);
	IrBuilder at = ir_at_end(f->m, b, (Loc){0});
	IrValue *c = ir_build_const(&at, ir_attr_bool(f->m, true));
	ir_build_brcond(&at, c, (IrSuccSpec){one, b->args, 1}, (IrSuccSpec){other, b->args, 1});
	return b;
}

/* The entry reaches every pad, so that blocks have an order. */
static bool plan(Fixture *f)
{
	IrBuilder at = ir_at_end(f->m, f->entry, (Loc){0});
	ir_build(&at, OP_UNREACHABLE, NULL, NULL, 0);
	abi_tables_init(&f->tables, f->m, &f->m->scratch);
	return abi_plan(&f->tables, f->func, &f->m->scratch, &f->d, &f->plan);
}

/* After the plan: the lowering leaves neither tokens nor flat ops, and every edge fits its block. */
static bool lowers(Fixture *f)
{
	if (!abi_lower_itanium(f->m, &f->d))
		return false;
	const IrRegion *all = &f->m->body;
	for (const IrOp *op = ir_walk_first(all); op; op = ir_walk_next(op, all)) {
		if (!(op_info[op->kind].stages & STAGE_ITANIUM))
			return false;
		for (uint32_t i = 0; i < op->nsuccs; i++) {
			const IrSucc *s = &op->succs[i];
			if (s->nargs != s->dest->nargs)
				return false;
			for (uint32_t k = 0; k < s->nargs; k++)
				if (ir_succ_arg(s, k)->type != s->dest->args[k]->type ||
				    ir_is_token(s->dest->args[k]->type))
					return false;
		}
	}
	return true;
}

static const AbiPad *pad_of(const Fixture *f, const IrBlock *b)
{
	for (uint32_t i = 0; i < f->plan.npads; i++)
		if (f->plan.pads[i].initiate->block == b)
			return &f->plan.pads[i];
	return NULL;
}

/* "A B all", with a leading "cleanup " */
static const char *clauses(const Fixture *f, const IrBlock *b)
{
	static char text[4000];
	const AbiPad *pad = pad_of(f, b);
	if (!pad)
		return "no pad";
	size_t n = (size_t)snprintf(text, sizeof text, "%s", pad->cleanup ? "cleanup" : "");
	for (uint32_t i = 0; i < pad->clauses->len && n + 20 < sizeof text; i++) {
		const AbiClause *c = pad->clauses->data[i];
		const char *word = c->kind == CLAUSE_CATCH    ? c->type->text + 4
		                   : c->kind == CLAUSE_FILTER ? "filter"
		                                              : "all";
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? " " : "", word);
	}
	return text;
}

TEST(a_thousand_nested_tries_are_all_announced_innermost_first)
{
	enum { DEPTH = 1000 };
	Fixture f;
	begin(&f);
	IrBlock *next = resume_block(&f), *pads[DEPTH];
	char name[20];
	for (int i = 0; i < DEPTH; i++) {
		snprintf(name, sizeof name, "T%d", i);
		next = dispatch_block(&f, name, next);
		pads[i] = pad_block(&f, next);
	}
	if (EXPECT(plan(&f))) {
		EXPECT_STR(clauses(&f, pads[2]), "T2 T1 T0");
		const AbiPad *last = pad_of(&f, pads[DEPTH - 1]);
		EXPECT_EQ(last->clauses->len, DEPTH);
		EXPECT_STR(last->clauses->data[0]->type->text, "_ZTIT999");
		EXPECT_STR(last->clauses->data[DEPTH - 1]->type->text, "_ZTIT0");
		EXPECT(!last->cleanup);
	}
	EXPECT(lowers(&f));
	end(&f);
}

/* Each pad lists two types, whatever the depth: quadratic work would not finish here. */
TEST(a_hundred_thousand_tries_of_two_types_cost_what_they_list)
{
	enum { DEPTH = 100000 };
	Fixture f;
	begin(&f);
	IrBlock *next = resume_block(&f), *innermost = NULL;
	for (int i = 0; i < DEPTH; i++) {
		next = dispatch_block(&f, i % 2 ? "A" : "B", next);
		innermost = pad_block(&f, next);
	}
	clock_t start = clock();
	if (EXPECT(plan(&f)))
		EXPECT_STR(clauses(&f, innermost), "A B");
	EXPECT(lowers(&f));
	EXPECT((double)(clock() - start) / CLOCKS_PER_SEC < 20);
	end(&f);
}

TEST(pads_with_one_future_share_their_list)
{
	Fixture f;
	begin(&f);
	IrBlock *d = dispatch_block(&f, "A", resume_block(&f));
	IrBlock *one = pad_block(&f, d), *two = pad_block(&f, d);
	if (EXPECT(plan(&f)))
		EXPECT(pad_of(&f, one)->clauses == pad_of(&f, two)->clauses);
	EXPECT(lowers(&f));
	end(&f);
}

TEST(a_catch_all_hides_what_is_around_it)
{
	Fixture f;
	begin(&f);
	IrBlock *outer = dispatch_block(&f, "Outer", resume_block(&f));
	IrBlock *all = token_block(&f);
	build_dispatch(&f, all, "A", outer, true);
	IrBlock *pad = pad_block(&f, dispatch_block(&f, "Inner", all)), *out = pad_block(&f, outer);
	if (EXPECT(plan(&f))) {
		EXPECT_STR(clauses(&f, pad), "Inner A all");
		EXPECT_STR(clauses(&f, out), "Outer");
	}
	EXPECT(lowers(&f));
	end(&f);
}

TEST(a_token_that_goes_round_a_loop_loses_nothing)
{
	Fixture f;
	begin(&f);
	IrBlock *a = token_block(&f), *resume = resume_block(&f);
	IrBlock *b = dispatch_block(&f, "B", branch_block(&f, a, resume));
	build_dispatch(&f, a, "A", b, false);
	IrBlock *pad_a = pad_block(&f, a), *pad_b = pad_block(&f, b);
	if (EXPECT(plan(&f))) {
		EXPECT(strstr(clauses(&f, pad_a), "A") && strstr(clauses(&f, pad_a), "B"));
		EXPECT(strstr(clauses(&f, pad_b), "A") && strstr(clauses(&f, pad_b), "B"));
		EXPECT(!pad_of(&f, pad_a)->cleanup);
	}
	EXPECT(lowers(&f));
	end(&f);
}

TEST(a_loop_without_handlers_is_a_cleanup)
{
	Fixture f;
	begin(&f);
	IrBlock *a = token_block(&f), *b = branch_block(&f, a, resume_block(&f));
	IrBuilder at = ir_at_end(f.m, a, (Loc){0});
	ir_build_br(&at, b, a->args, 1);
	IrBlock *pad = pad_block(&f, a);
	if (EXPECT(plan(&f)))
		EXPECT_STR(clauses(&f, pad), "cleanup");
	EXPECT(lowers(&f));
	end(&f);
}

TEST(lists_of_a_branching_token_keep_both_orders)
{
	Fixture f;
	begin(&f);
	IrBlock *resume = resume_block(&f);
	IrBlock *base = dispatch_block(&f, "Base", resume);
	IrBlock *left = dispatch_block(&f, "Left", base);
	IrBlock *right = dispatch_block(&f, "Derived", dispatch_block(&f, "Base", resume));
	IrBlock *pad = pad_block(&f, branch_block(&f, left, right));
	IrBlock *around = pad_block(&f, dispatch_block(&f, "Inner", branch_block(&f, left, right)));
	if (EXPECT(plan(&f))) {
		EXPECT_STR(clauses(&f, pad), "Left Derived Base");
		EXPECT_STR(clauses(&f, around), "Inner Left Derived Base");
	}
	EXPECT(lowers(&f));
	end(&f);
}

TEST(a_catch_all_on_one_way_comes_after_the_handlers_on_the_other)
{
	Fixture f;
	begin(&f);
	IrBlock *resume = resume_block(&f), *all = token_block(&f), *terminate = token_block(&f);
	build_dispatch(&f, all, NULL, resume, true);
	build_end(&f, terminate, OP_EH_TERMINATE);
	IrBlock *typed = dispatch_block(&f, "A", resume);
	IrBlock *pad = pad_block(&f, branch_block(&f, all, typed));
	IrBlock *other = pad_block(&f, branch_block(&f, terminate, typed));
	if (EXPECT(plan(&f))) {
		EXPECT_STR(clauses(&f, pad), "A all");
		EXPECT_STR(clauses(&f, other), "A all");
	}
	EXPECT(lowers(&f));
	end(&f);
}

TEST(ways_that_contradict_each_other_lose_nothing)
{
	Fixture f;
	begin(&f);
	IrBlock *resume = resume_block(&f);
	IrBlock *ab = dispatch_block(&f, "A", dispatch_block(&f, "B", resume));
	IrBlock *ba = dispatch_block(&f, "B", dispatch_block(&f, "A", resume));
	IrBlock *pad = pad_block(&f, branch_block(&f, ab, ba));
	if (EXPECT(plan(&f)))
		EXPECT_STR(clauses(&f, pad), "A B");
	EXPECT(lowers(&f));
	end(&f);
}

TEST(a_ladder_of_branches_stays_cheap)
{
	enum { RUNGS = 20000 };
	Fixture f;
	begin(&f);
	IrBlock *resume = resume_block(&f);
	IrBlock *a = dispatch_block(&f, "A", resume), *b = dispatch_block(&f, "B", resume), *next = a;
	IrBlock *pad = NULL;
	for (int i = 0; i < RUNGS; i++) {
		next = branch_block(&f, next, i % 2 ? a : b);
		pad = pad_block(&f, next);
	}
	if (EXPECT(plan(&f)))
		EXPECT(pad_of(&f, pad)->clauses->len == 2);
	EXPECT(lowers(&f));
	end(&f);
}

TEST(cleanups_count_only_before_a_catch_all)
{
	Fixture f;
	begin(&f);
	IrBlock *resume = resume_block(&f), *cleanup = token_block(&f), *all = token_block(&f);
	IrBuilder at = ir_at_end(f.m, cleanup, (Loc){0});
	ir_build(&at, OP_BEGIN_CLEANUP, ir_type_simple(f.m, TYPE_CLEANUP_TOKEN), cleanup->args, 1);
	ir_build_br(&at, resume, cleanup->args, 1);
	build_dispatch(&f, all, NULL, cleanup, true);
	IrBlock *typed = pad_block(&f, dispatch_block(&f, "A", cleanup)), *hidden = pad_block(&f, all);
	if (EXPECT(plan(&f))) {
		EXPECT_STR(clauses(&f, typed), "cleanup A");
		EXPECT_STR(clauses(&f, hidden), "all");
	}
	EXPECT(lowers(&f));
	end(&f);
}

TEST(a_token_is_nothing_to_compute_with)
{
	Fixture f;
	begin(&f);
	IrBlock *b = token_block(&f);
	IrBuilder at = ir_at_end(f.m, b, (Loc){0});
	ir_build(&at, OP_FREEZE, token_type(&f), b->args, 1);
	build_end(&f, b, OP_RESUME);
	EXPECT(!plan(&f));
	EXPECT_CONTAINS(f.message, "'cir.freeze' cannot");
	end(&f);
}

/* Random graphs against the definition: what a walk from the pad meets before something takes everything. */

enum { RANDOM_BLOCKS = 12, RANDOM_TYPES = 4 };

typedef struct RandomBlock {
	enum { R_TYPED, R_ALL, R_BRANCH, R_CLEANUP, R_FORWARD, R_RESUME, R_TERMINATE, R_KINDS } kind;
	unsigned type, next, other;
} RandomBlock;

typedef struct Met {
	unsigned types; /* a bit each */
	bool all, cleanup;
} Met;

static unsigned next_random(unsigned *seed, unsigned below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 12) % below;
}

static void build_random(Fixture *f, const RandomBlock *r, IrBlock *const *blocks, unsigned i)
{
	static const char *const names[RANDOM_TYPES] = {"0", "1", "2", "3"};
	IrBlock *b = blocks[i], *next = blocks[r[i].next];
	IrBuilder at = ir_at_end(f->m, b, (Loc){0});
	switch (r[i].kind) {
	case R_TYPED:
	case R_ALL:
		build_dispatch(f, b, names[r[i].type], next, r[i].kind == R_ALL);
		break;
	case R_BRANCH: {
		IrValue *c = ir_build_const(&at, ir_attr_bool(f->m, true));
		ir_build_brcond(&at, c, (IrSuccSpec){next, b->args, 1},
		                (IrSuccSpec){blocks[r[i].other], b->args, 1});
		break;
	}
	case R_CLEANUP: {
		IrType *type = ir_type_simple(f->m, TYPE_CLEANUP_TOKEN);
		IrValue *token = &ir_build(&at, OP_BEGIN_CLEANUP, type, b->args, 1)->results[0];
		ir_build(&at, OP_END_CLEANUP, NULL, &token, 1);
		ir_build_br(&at, next, b->args, 1);
		break;
	}
	case R_FORWARD:
		ir_build_br(&at, next, b->args, 1);
		break;
	case R_RESUME:
		build_end(f, b, OP_RESUME);
		break;
	default:
		build_end(f, b, OP_EH_TERMINATE);
	}
}

static void meet(const RandomBlock *r, unsigned i, unsigned *seen, Met *met)
{
	if (*seen & (1u << i))
		return;
	*seen |= 1u << i;
	if (r[i].kind == R_TYPED || r[i].kind == R_ALL)
		met->types |= 1u << r[i].type;
	met->all |= r[i].kind == R_ALL || r[i].kind == R_TERMINATE;
	met->cleanup |= r[i].kind == R_CLEANUP;
	if (r[i].kind <= R_FORWARD && r[i].kind != R_ALL)
		meet(r, r[i].next, seen, met);
	if (r[i].kind == R_BRANCH)
		meet(r, r[i].other, seen, met);
}

static Met met_by(const AbiPad *pad)
{
	Met m = {.cleanup = pad->cleanup};
	for (uint32_t i = 0; i < pad->clauses->len; i++) {
		const AbiClause *c = pad->clauses->data[i];
		unsigned bit = c->kind == CLAUSE_CATCH ? 1u << (c->type->text[4] - '0') : 0;
		EXPECT(!m.all && !(m.types & bit)); /* nothing behind a catch-all, nothing twice */
		m.types |= bit;
		m.all |= c->kind == CLAUSE_CATCH_ALL;
	}
	return m;
}

/* Without branches there is one way, and its order is the order of the clauses. */
static void check_order(const RandomBlock *r, unsigned i, const AbiPad *pad)
{
	unsigned seen = 0, types = 0;
	uint32_t n = 0;
	for (; r[i].kind <= R_FORWARD && !(seen & (1u << i)); i = r[i].next) {
		seen |= 1u << i;
		if (r[i].kind == R_BRANCH)
			return;
		if ((r[i].kind == R_TYPED || r[i].kind == R_ALL) && !(types & (1u << r[i].type))) {
			types |= 1u << r[i].type;
			EXPECT_EQ(pad->clauses->data[n++]->type->text[4] - '0', r[i].type);
		}
		if (r[i].kind == R_ALL)
			return;
	}
}

TEST(random_graphs_agree_with_the_definition)
{
	for (unsigned round = 0; round < 3000; round++) {
		Fixture f;
		begin(&f);
		unsigned seed = round;
		RandomBlock r[RANDOM_BLOCKS];
		IrBlock *blocks[RANDOM_BLOCKS], *pads[RANDOM_BLOCKS];
		bool loops = round % 2;
		for (unsigned i = 0; i < RANDOM_BLOCKS; i++) {
			unsigned ahead = RANDOM_BLOCKS - 1 - i;
			r[i].kind = ahead ? next_random(&seed, R_KINDS) : R_RESUME;
			r[i].type = next_random(&seed, RANDOM_TYPES);
			r[i].next = loops || !ahead ? next_random(&seed, RANDOM_BLOCKS)
			                            : i + 1 + next_random(&seed, ahead);
			r[i].other = loops || !ahead ? next_random(&seed, RANDOM_BLOCKS)
			                             : i + 1 + next_random(&seed, ahead);
			blocks[i] = token_block(&f);
		}
		for (unsigned i = 0; i < RANDOM_BLOCKS; i++) {
			build_random(&f, r, blocks, i);
			pads[i] = pad_block(&f, blocks[i]);
		}
		bool held = EXPECT(plan(&f));
		for (unsigned i = 0; i < RANDOM_BLOCKS && held; i++) {
			unsigned seen = 0;
			Met want = {0}, got = met_by(pad_of(&f, pads[i]));
			meet(r, i, &seen, &want);
			want.cleanup |= !want.types && !want.all;
			held = EXPECT_EQ(got.types, want.types) && EXPECT_EQ(got.all, want.all) &&
			       EXPECT_EQ(got.cleanup, want.cleanup);
			if (!loops)
				check_order(r, i, pad_of(&f, pads[i]));
		}
		held &= EXPECT(lowers(&f));
		end(&f);
		if (!held) {
			printf("  round %u\n", round);
			return;
		}
	}
}
