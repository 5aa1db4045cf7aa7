#include "explain/module.h"

#include "base/lines.h"
#include "eh/available.h"
#include "eh/token_flow.h"
#include "explain/module_pad.h"
#include "explain/module_site.h"
#include "explain/module_types.h"
#include "explain/unwind_path.h"
#include "ir/eh_runtime.h"
#include "ir/try.h"

/* What nests ask for, and what only a graph that is made for it does. */
enum { STEP_BUDGET = 1 << 20, WORK_BUDGET = 1 << 26 };

/* A `when` step: the function of its filter belongs to the one that has the handler. */
typedef struct FilterUse {
	const IrOp *filter;
	const CircExplainedFunction *user;
} FilterUse;

typedef struct Reader {
	CircExplanation *e;
	const ExplainModule *in;
	Diags *d;
	Arena *mem; /* scratch */
	Lines lines;
	UnwindPaths paths;
	PtrMap functions; /* IrOp → CircExplainedFunction */
	VEC(FilterUse) filters;
	VEC(uint32_t) walked; /* by segment: the last site that has it */
	uint32_t *shown;      /* by block: the last walk through a segment that has it */
	uint32_t nwalks;
	bool *raises; /* by block: the call of checks is in it */
	uint32_t nsites;
	uint64_t nsteps;
	/* of the function at hand */
	CircExplainedFunction *f;
	EhRuntime runtime;
	bool is_nothrow;
	SiteVec sites;
	/* of the site at hand */
	StepVec steps;
	VEC(PathItem) open; /* PATH_CLEANUP and PATH_FINALLY whose end has not come */
	bool silent;        /* the innermost one has called nothing yet */
} Reader;

void explain_number_ops(IrModule *m)
{
	uint32_t number = 0;
	for (IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		op->loc.pos = ++number;
}

/* Places and names */

static CircPlace place_of(Reader *r, Loc loc)
{
	const LocInfo *origin = loc_file(loc.info);
	CircPlace place = {0};
	if (origin) {
		place.file = explanation_string(r->e, origin->name);
		place.line = origin->line;
		place.column = origin->col;
	} else if (loc.pos && r->lines.source->text.data) {
		place.file = r->e->file;
		lines_find(&r->lines, loc.pos - 1, &place.line, &place.column);
	}
	return place;
}

static const char *symbol_text(Reader *r, const Name *name)
{
	return name ? explanation_string(r->e, name_str(name)) : NULL;
}

/* Types, as a dispatch names them: global views, or symbols. */
static void set_types(Reader *r, CircStep *step, const IrAttr *const *elems, uint32_t n)
{
	const CircExplainedType **types = arena_array(&r->e->arena, const CircExplainedType *, (size_t)n + 1);
	for (uint32_t i = 0; i < n; i++)
		types[i] = explanation_type(r->e, name_str(elems[i]->name));
	step->types = types;
	step->ntypes = n;
}

/* Steps */

static CircStep *add_step(Reader *r, CircStepKind kind, const PathItem *item)
{
	CircStep step = {.kind = kind, .state = -1, .op = item->op->loc.pos};
	step.place = place_of(r, item->op->loc);
	step.is_conditional = item->conditional;
	vec_push(r->mem, &r->steps, step);
	r->nsteps++;
	return &r->steps.data[r->steps.len - 1];
}

static CircStepKind running_kind(const Reader *r)
{
	bool finally = r->open.len && r->open.data[r->open.len - 1].kind == PATH_FINALLY;
	return finally ? CIRC_STEP_FINALLY : CIRC_STEP_CLEANUP;
}

static void close_item(Reader *r)
{
	if (!r->open.len)
		return;
	if (r->silent) /* a lifetime, a flag, the end of a catch */
		add_step(r, running_kind(r), &r->open.data[r->open.len - 1]);
	r->open.len--;
	r->silent = false;
}

static void open_item(Reader *r, const PathItem *item)
{
	vec_push(r->mem, &r->open, *item);
	r->silent = true;
}

static void add_call(Reader *r, const PathItem *item)
{
	add_step(r, running_kind(r), item)->function = symbol_text(r, ir_call_callee(item->op));
	r->silent = false;
}

static void add_handler(Reader *r, const PathItem *item, const IrAttr *entry)
{
	const Name *filter = ir_catch_filter(entry);
	if (!filter) {
		set_types(r, add_step(r, CIRC_STEP_CATCH, item), &entry, 1);
		return;
	}
	add_step(r, CIRC_STEP_WHEN, item)->function = symbol_text(r, filter);
	if (ir_symbol(filter))
		vec_push(r->mem, &r->filters, ((FilterUse){ir_symbol(filter), r->f}));
}

/* The catch that a handler begins; before it, what copies the exception may be called. NULL: none. */
static const IrOp *catch_of(const IrBlock *b)
{
	enum { MOST_COPIES = 4 };
	for (int i = 0; i < MOST_COPIES; i++) {
		IR_FOR_OPS (op, b)
			if (op->kind == OP_BEGIN_CATCH)
				return op;
		const IrOp *end = ir_block_terminator(b);
		if (!end || end->kind != OP_TRY_CALL)
			break;
		b = end->succs[0].dest;
	}
	return NULL;
}

/* The place of a handler is that of its begin, which the dispatch has no place for. */
static PathItem handler_item(const PathItem *item, const IrSucc *s)
{
	PathItem handler = *item;
	const IrOp *begin = catch_of(s->dest);
	if (begin)
		handler.op = begin;
	return handler;
}

static void add_handlers(Reader *r, const PathItem *item)
{
	const IrOp *op = item->op;
	const IrAttr *types = ir_op_attr(op, NAME_catch_types), *filter = abi_dispatch_filter(op);
	for (uint32_t i = 0; i < abi_dispatch_ncatch(op); i++) {
		PathItem handler = handler_item(item, &op->succs[i]);
		add_handler(r, &handler, types->elems[i]);
	}
	if (filter)
		set_types(r, add_step(r, CIRC_STEP_SPECIFICATION, item), filter->elems, filter->n);
	PathItem rest = handler_item(item, &op->succs[op->nsuccs - 1]);
	bool finally = rest.op->kind == OP_BEGIN_CATCH && ir_op_has(rest.op, NAME_finally);
	if (abi_dispatch_catches_all(op) && !finally)
		add_step(r, CIRC_STEP_CATCH_ALL, &rest);
}

/* A cleanup that calls nothing before it throws has run. */
static void add_terminate(Reader *r, const PathItem *item)
{
	if (item->nested && r->silent) {
		add_step(r, running_kind(r), &r->open.data[r->open.len - 1]);
		r->silent = false;
	}
	add_step(r, CIRC_STEP_TERMINATE, item)->is_unwinding = item->nested;
}

static void add_item(Reader *r, const PathItem *item)
{
	switch (item->kind) {
	case PATH_CLEANUP:
	case PATH_FINALLY:
		open_item(r, item);
		break;
	case PATH_CLOSE:
		close_item(r);
		break;
	case PATH_CALL:
		add_call(r, item);
		break;
	case PATH_DISPATCH:
		add_handlers(r, item);
		break;
	case PATH_TERMINATE:
		add_terminate(r, item);
		break;
	case PATH_UNEXPECTED:
		add_step(r, CIRC_STEP_SPECIFICATION, item);
		break;
	}
}

/* A way that never ends does not leave, either. */
static CircEnd end_of(unsigned ends)
{
	return ends & PATH_LEAVES                                ? CIRC_END_LEAVES
	       : ends & PATH_CAUGHT && !(ends & PATH_TERMINATES) ? CIRC_END_CAUGHT
	                                                         : CIRC_END_TERMINATES;
}

/* Once more through the same segment: the path is a loop. */
static bool was_walked(Reader *r, uint32_t node)
{
	uint32_t segment = r->paths.nodes.data[node].segment - 1;
	while (r->walked.len <= segment)
		vec_push(r->mem, &r->walked, 0);
	bool walked = r->walked.data[segment] == r->nsites;
	r->walked.data[segment] = r->nsites;
	return walked;
}

static bool is_too_much(const Reader *r)
{
	return r->nsteps > STEP_BUDGET || r->paths.work > WORK_BUDGET;
}

/* Blocks of a loop belong also to the segment that follows the loop. They are shown once. */
static bool is_shown(Reader *r, const PathItem *item, uint32_t first_walk)
{
	uint32_t *shown = &r->shown[item->op->block->id];
	bool before = *shown >= first_walk && *shown != r->nwalks;
	if (!before)
		*shown = r->nwalks;
	return before;
}

static CircEnd read_pad(Reader *r, const IrOp *pad)
{
	ModulePads pads = {.e = r->e,
	                   .mem = r->mem,
	                   .circ = r->runtime == EH_RUNTIME_CIRC,
	                   .steps = &r->steps,
	                   .begin = {.state = -1, .op = pad->loc.pos, .place = place_of(r, pad->loc)}};
	uint32_t before = r->steps.len;
	CircEnd end = module_pad_steps(&pads, pad);
	r->nsteps += r->steps.len - before;
	return end;
}

static CircEnd walk_path(Reader *r, const IrBlock *b)
{
	const IrOp *pad = module_pad(b);
	if (pad)
		return read_pad(r, pad);
	unsigned ends = 0;
	bool conditional = false;
	uint32_t first_walk = r->nwalks + 1;
	uint32_t node = unwind_path_start(&r->paths, b);
	r->open.len = 0;
	while (node && !is_too_much(r)) {
		PathSegment s = *unwind_path_segment(&r->paths, node);
		if (was_walked(r, node))
			break;
		r->nwalks++;
		for (uint32_t i = 0; i < s.nitems; i++) {
			PathItem item = r->paths.items.data[s.first + i];
			item.conditional |= conditional;
			if (!is_shown(r, &item, first_walk))
				add_item(r, &item);
		}
		ends |= s.ends;
		conditional |= s.ends != 0;
		node = s.next;
	}
	while (r->open.len)
		close_item(r);
	return end_of(ends);
}

/* Sites */

/* What an exception does that nothing in the function takes. `nothrow` is a promise, where it is none of C++. */
static CircEnd end_outside(const Reader *r, bool in_cleanup)
{
	return in_cleanup && r->runtime == EH_RUNTIME_CXX ? CIRC_END_TERMINATES
	       : r->is_nothrow                            ? CIRC_END_UNDEFINED
	                                                  : CIRC_END_LEAVES;
}

/* in_cleanup: that runs because of unwinding; in a function of C++ nothing may leave it. */
static void add_site(Reader *r, const IrOp *op, const ModuleSite *m, bool in_cleanup)
{
	CircSite site = {.op = op->loc.pos, .place = place_of(r, op->loc), .operation = m->operation};
	const IrBlock *dest = unwind_dest(m->unwinds);
	r->nsites++;
	r->steps.len = 0;
	site.is_throw = m->is_throw;
	if (op_info[m->unwinds->kind].flags & OPF_CALLS)
		site.callee = symbol_text(r, ir_call_callee(m->unwinds));
	else if (site.is_throw && ir_op_symbol(op, NAME_type_info))
		site.thrown = explanation_type(r->e, name_str(ir_op_symbol(op, NAME_type_info)));
	site.is_unwinding = in_cleanup;
	site.end_of_path = dest ? walk_path(r, dest) : CIRC_END_LEAVES;
	if (site.end_of_path == CIRC_END_LEAVES)
		site.end_of_path = end_outside(r, in_cleanup && !dest);
	explanation_set_steps(r->e, &site, &r->steps);
	vec_push(r->mem, &r->sites, site);
}

/* The code that checks share is theirs. */
static void find_raises(Reader *r, const IrOp *func)
{
	IR_FOR_BLOCKS (b, &func->regions[0]) {
		const IrOp *end = ir_block_terminator(b);
		if (end && end->kind == OP_BRCOND && module_is_raise(r->in->m, end->succs[1].dest))
			r->raises[end->succs[1].dest->id] = true;
	}
}

static void add_sites(Reader *r, const IrOp *func)
{
	ModuleSite site;
	r->sites.len = 0;
	find_raises(r, func);
	IR_FOR_BLOCKS (b, &func->regions[0]) {
		uint32_t depth = unwind_path_depth(&r->paths, b);
		for (const IrOp *op = r->raises[b->id] ? NULL : b->first; op; op = op->next) {
			depth += op->kind == OP_BEGIN_CLEANUP;
			depth -= op->kind == OP_END_CLEANUP && depth;
			if (module_site(r->in->m, func, op, &site))
				add_site(r, op, &site, depth > 0);
		}
	}
	explanation_set_sites(r->e, r->f, &r->sites);
}

/* Functions */

static const char *personality_of(Reader *r, const IrOp *func)
{
	const AbiTarget *t = r->in->target;
	Name *own = ir_op_symbol(func, NAME_personality);
	bool neutral = !own || ir_is_circ_personality(own) || abi_is_default_personality(name_str(own));
	if (!t || !neutral)
		return symbol_text(r, own);
	return r->runtime == EH_RUNTIME_CIRC ? t->circ_personality : t->personality;
}

static bool lands(const CircExplainedFunction *f)
{
	for (size_t i = 0; i < f->nsites; i++)
		if (f->sites[i].nsteps)
			return true;
	return false;
}

static void add_function(Reader *r, const IrOp *func)
{
	CircExplainedFunction *f = r->f = explanation_add_function(r->e);
	ptrmap_put(r->mem, &r->functions, func, f);
	f->symbol = symbol_text(r, ir_symbol_name(func));
	f->tables = CIRC_TABLE_MODULE;
	f->place = place_of(r, func->loc);
	f->op = func->loc.pos;
	r->runtime = ir_func_eh_runtime(r->in->m, func);
	r->is_nothrow = ir_op_is_nothrow(func);
	unwind_paths_order(&r->paths, func, r->runtime == EH_RUNTIME_CIRC);
	add_sites(r, func);
	if (lands(f))
		f->personality = personality_of(r, func);
}

static void set_parents(Reader *r)
{
	for (uint32_t i = 0; i < r->filters.len; i++) {
		CircExplainedFunction *filter = ptrmap_get(&r->functions, r->filters.data[i].filter);
		if (filter && !filter->parent)
			filter->parent = r->filters.data[i].user;
	}
}

static bool read_functions(Reader *r)
{
	IR_FOR_OPS (op, ir_module_block(r->in->m)) {
		if (op->kind != OP_FUNC || ir_func_is_declaration(op))
			continue;
		add_function(r, op);
		if (is_too_much(r)) {
			diag_error(
			    r->d, op->loc,
			    "the calls of this module have more than %d steps; they are too many to explain",
			    (int)STEP_BUDGET);
			return false;
		}
	}
	set_parents(r);
	return true;
}

bool explain_module(CircExplanation *e, const ExplainModule *in, Diags *d)
{
	IrModule *m = in->m;
	if (ir_module_stage(m) & STAGE_MICROSOFT) {
		diag_error(d, (Loc){0},
		           "module has the form of Microsoft's ABI, whose pads are not explained; explain "
		           "structured or flat CIR, or the object");
		return false;
	}
	if (in->target && !eh_check_available(m, in->target, d))
		return false;
	ArenaMark mark = arena_mark(&m->scratch);
	Reader r = {.e = e, .in = in, .d = d, .mem = &m->scratch};
	const char *name = in->name ? in->name : m->source.name;
	r.lines = (Lines){.source = &m->source, .mem = &m->scratch};
	e->file = name ? explanation_string(e, str_of(name)) : NULL;
	e->format = "module";
	e->target = explanation_string(e, str_of(in->triple));
	unwind_paths_init(&r.paths, m, &m->scratch);
	r.shown = arena_array(&m->scratch, uint32_t, (size_t)m->nblocks + 1);
	r.raises = arena_array(&m->scratch, bool, (size_t)m->nblocks + 1);
	explain_module_types(e, m);
	bool ok = read_functions(&r);
	arena_release(&m->scratch, mark);
	return ok;
}
