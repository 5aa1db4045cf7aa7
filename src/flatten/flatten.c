#include "flatten/internal.h"

#include "ir/layout.h"
#include "ir/nearest.h"
#include "ir/scope.h"

/* Blocks */

IrBlock *flatten_block(Flatten *f, const IrOp *op)
{
	return ir_block_create(f->m, op->loc);
}

void flatten_place(Flatten *f, IrBlock *b)
{
	CHECK(!f->at);
	ir_block_append(f->out, b);
	f->at = b;
}

void flatten_ensure_block(Flatten *f)
{
	if (!f->at)
		flatten_place(f, ir_block_create(f->m, f->func->loc));
}

IrBuilder flatten_here(Flatten *f, const IrOp *op)
{
	flatten_ensure_block(f);
	return ir_at_end(f->m, f->at, op->loc);
}

void flatten_branch(Flatten *f, IrBlock *dest, IrValue *arg, const IrOp *op)
{
	if (!f->at)
		return;
	IrBuilder b = flatten_here(f, op);
	ir_build_br(&b, dest, &arg, arg != NULL);
	f->at = NULL;
}

void flatten_end(Flatten *f, const Frame *fr, IrBlock *dest, IrValue *arg)
{
	if (!f->at)
		return;
	IrBuilder b = ir_at_end(f->m, f->at, fr->end);
	ir_build_br(&b, dest, &arg, arg != NULL);
	f->at = NULL;
}

void flatten_place_join(Flatten *f, IrBlock *b, const IrOp *op)
{
	flatten_branch(f, b, NULL, op);
	if (b->preds)
		flatten_place(f, b);
}

void flatten_append(Flatten *f, IrOp *op)
{
	flatten_ensure_block(f);
	ir_op_append(f->at, op);
	if (op_info[op->kind].flags & OPF_TERM)
		f->at = NULL;
}

void flatten_replace_result(Flatten *f, IrOp *op, IrValue *v)
{
	if (!op->nresults || !op->results[0].uses)
		return;
	if (!v) { /* nothing reaches the uses */
		IrBuilder b = flatten_here(f, op);
		v = ir_build_const(
		    &b, ir_attr_intern(f->m, &(IrAttr){.kind = ATTR_POISON, .type = op->results[0].type}));
	}
	ir_value_replace(&op->results[0], v);
}

/* Allocas of the entry block: constant-size ones move there, before what the block
 * computes (reference 5.14, step 9). */

static IrOp *hoist_point(const Flatten *f)
{
	return f->last_hoisted ? f->last_hoisted->next : f->entry->first;
}

static void hoist(Flatten *f, IrOp *alloca)
{
	IrOp *before = hoist_point(f);
	if (before)
		ir_op_insert_before(before, alloca);
	else
		ir_op_append(f->entry, alloca);
	f->last_hoisted = alloca;
}

IrValue *flatten_entry_alloca(Flatten *f, IrType *type, Str name, Loc loc)
{
	IrBuilder b = {.m = f->m, .block = f->entry, .before = hoist_point(f), .loc = loc};
	IrValue *v = ir_build_alloca(&b, type, name, ir_type_align(type));
	f->last_hoisted = v->def.op;
	return v;
}

static void visit_alloca(Flatten *f, IrOp *op)
{
	if (op->noperands || (f->at == f->entry && !f->frame->parent))
		flatten_append(f, op);
	else
		hoist(f, op);
}

/* Frames */

Frame *flatten_push(Flatten *f, IrOp *op, void (*step)(Flatten *, Frame *))
{
	Frame *fr = arena_new(f->mem, Frame);
	*fr = (Frame){.parent = f->frame,
	              .op = op,
	              .step = step,
	              .scope = f->scope,
	              .eh = f->eh,
	              .token = f->token,
	              .level = f->level};
	return f->frame = fr;
}

void flatten_pop(Flatten *f)
{
	Frame *fr = f->frame;
	f->scope = fr->scope;
	f->eh = fr->eh;
	f->token = fr->token;
	f->level = fr->level;
	f->frame = fr->parent;
}

void flatten_open_region(Flatten *f, Frame *fr, IrRegion *region)
{
	CHECK(f->frame == fr && region->first && !region->first->preds);
	fr->next = ir_block_take_ops(region->first);
	fr->source = region->first->next;
	fr->join = fr->source ? flatten_block(f, fr->op) : NULL;
	fr->yielded = NULL;
	fr->end = fr->op->loc;
}

static void next_block(Flatten *f, Frame *fr)
{
	IrBlock *b = fr->source;
	fr->source = b->next;
	fr->next = ir_block_take_ops(b);
	ir_block_remove(b);
	flatten_place(f, b);
}

static void end_region(Flatten *f, Frame *fr)
{
	if (fr->join) {
		flatten_place_join(f, fr->join, fr->op);
		if (fr->join->nargs)
			fr->yielded = fr->join->args[0];
		fr->join = NULL;
	}
	fr->stage++;
	fr->step(f, fr);
}

static void visit_yield(Flatten *f, IrOp *op)
{
	Frame *fr = f->frame;
	IrValue *v = op->noperands ? ir_operand(op, 0) : NULL;
	if (op->loc.info || !fr->op->loc.info)
		fr->end = op->loc;
	if (fr->join) {
		if (v && !fr->join->nargs)
			ir_block_add_arg(f->m, fr->join, v->type);
		flatten_branch(f, fr->join, v, op);
	} else {
		fr->yielded = v;
	}
	ir_op_erase(op);
}

/* Leaving the function and going to labels */

static IrValue *return_slot(Flatten *f, IrValue *v, const IrOp *op)
{
	if (!f->return_slot)
		f->return_slot = flatten_entry_alloca(f, v->type, STR("__ret_slot"), op->loc);
	return f->return_slot;
}

static void visit_return(Flatten *f, IrOp *op)
{
	if (!f->scope->cleanup) {
		flatten_append(f, op);
		return;
	}
	IrBuilder b = flatten_here(f, op);
	if (op->noperands)
		ir_build_store(&b, ir_operand(op, 0), return_slot(f, ir_operand(op, 0), op));
	if (!f->on_return)
		f->on_return = dest_new(f, flatten_block(f, op), NULL);
	exit_to(f, f->on_return, op);
	ir_op_erase(op);
}

/* The block that all returns through cleanups share. */
static void place_return(Flatten *f)
{
	if (!f->on_return || !f->on_return->block->preds)
		return;
	flatten_place(f, f->on_return->block);
	IrBuilder b = ir_at_end(f->m, f->at, f->at->loc);
	IrValue *v = f->return_slot ? ir_build_load(&b, f->return_slot) : NULL;
	ir_build(&b, OP_RETURN, NULL, &v, v != NULL);
	f->at = NULL;
}

static Name *label_name(const IrOp *op)
{
	return ir_op_attr(op, NAME_label)->name;
}

/* A block address is an attribute, and attributes are interned: those of the module's
 * table are all there are. */
bool flatten_address_is_taken(const Flatten *f, const Name *label)
{
	const PtrMap *labels = ptrmap_get(f->addresses, ir_symbol_name(f->func));
	return labels && ptrmap_get(labels, label);
}

static bool is_cleaned_up(void *user, const IrRegion *r)
{
	(void)user; /* the last region is the cleanup itself */
	return r->op && r != &r->op->regions[r->op->nregions - 1] && cleanup_on_normal_exit(r->op);
}

static const IrOp *cleanup_around(Flatten *f, const IrOp *op)
{
	const IrRegion *r = ir_nearest(f->mem, &f->cleaned_up, op, is_cleaned_up, NULL);
	return r ? r->op : NULL;
}

void flatten_find_labels(Flatten *f, const IrRegion *region)
{
	f->labels = f->cleaned_up = (PtrMap){0};
	for (IrOp *op = ir_walk_first(region); op; op = ir_walk_next(op, region)) {
		if (op->kind != OP_LABEL)
			continue;
		Label *l = arena_new(f->mem, Label);
		l->loc = op->loc;
		l->block = flatten_block(f, op);
		l->cleanup = cleanup_around(f, op);
		l->stays = flatten_address_is_taken(f, label_name(op));
		vec_push(f->mem, &f->targets, l);
		ptrmap_put(f->mem, &f->labels, label_name(op), l);
	}
}

static void visit_label(Flatten *f, IrOp *op)
{
	Label *l = ptrmap_get(&f->labels, label_name(op));
	CHECK(l);
	if (f->at && !f->at->first &&
	    f->at != f->entry) { /* the block that the label begins: it takes the gotos so far */
		while (l->block->preds)
			ir_succ_set_dest(l->block->preds, f->at);
		l->block = f->at;
		if (l->dest)
			l->dest->block = f->at;
	} else {
		flatten_branch(f, l->block, NULL, op);
		flatten_place(f, l->block);
	}
	if (l->stays)
		flatten_append(f, op);
	else
		ir_op_erase(op);
}

/* Which cleanups run would depend on the address. */
static void report_indirect(Flatten *f, const IrOp *op, const Label *l, bool out)
{
	diag_error(f->d, op->loc,
	           "'cir.indirect_goto' op may jump %s a cleanup scope: a label %s has its address taken",
	           out ? "out of" : "into", out ? "outside" : "inside one");
	diag_note(f->d, l->loc, "the label is here");
	f->failed = true;
}

/* To any label of the function whose address is taken; all of them stand in the cleanup scope that it stands in. */
static void visit_indirect_goto(Flatten *f, IrOp *op)
{
	IrSuccSpec *succs = arena_array(f->mem, IrSuccSpec, f->targets.len);
	uint32_t n = 0;
	for (uint32_t i = 0; i < f->targets.len; i++) {
		const Label *l = f->targets.data[i];
		if (!l->stays)
			continue;
		const Scope *scope = l->cleanup ? ptrmap_get(&f->scopes, l->cleanup) : NULL;
		bool into = l->cleanup && !scope;
		if (into || scope != f->scope->cleanup)
			report_indirect(f, op, l, !into);
		succs[n++].dest = l->block;
	}
	IrValue *address = ir_operand(op, 0);
	f->has_jump = true;
	IrBuilder b = flatten_here(f, op);
	if (n)
		ir_build_spec(&b, &(IrOpSpec){.kind = OP_INDIRECT_BR,
		                              .operands = &address,
		                              .noperands = 1,
		                              .succs = succs,
		                              .nsuccs = n});
	else /* there is nowhere to go */
		ir_build(&b, OP_UNREACHABLE, NULL, NULL, 0);
	f->at = NULL;
	ir_op_erase(op);
}

static void visit_goto(Flatten *f, IrOp *op)
{
	Label *l = ptrmap_get(&f->labels, label_name(op));
	const Scope *target = l && l->cleanup ? ptrmap_get(&f->scopes, l->cleanup) : NULL;
	if (!l || (l->cleanup && !target)) {
		Str name = name_str(label_name(op));
		diag_error(f->d, op->loc,
		           "'cir.goto' op jumps into a cleanup scope: label '%.*s' is inside one that the "
		           "goto is not in",
		           (int)name.len, name.data);
		f->failed = true;
		f->at = NULL;
		ir_op_erase(op);
		return;
	}
	f->has_jump = true;
	if (!l->dest)
		l->dest = dest_new(f, l->block, target);
	exit_to(f, l->dest, op);
	ir_op_erase(op);
}

static void visit_break(Flatten *f, IrOp *op)
{
	CHECK(f->scope->on_break);
	exit_to(f, f->scope->on_break, op);
	ir_op_erase(op);
}

static void visit_continue(Flatten *f, IrOp *op)
{
	CHECK(f->scope->on_continue);
	exit_to(f, f->scope->on_continue, op);
	ir_op_erase(op);
}

/* The walk */

static void (*const visitors[OP_COUNT])(Flatten *, IrOp *) = {
    [OP_ALLOCA] = visit_alloca,
    [OP_YIELD] = visit_yield,
    [OP_RETURN] = visit_return,
    [OP_LABEL] = visit_label,
    [OP_GOTO] = visit_goto,
    [OP_INDIRECT_GOTO] = visit_indirect_goto,
    [OP_BREAK] = visit_break,
    [OP_CONTINUE] = visit_continue,
    [OP_CONDITION] = flatten_condition,
    [OP_SCOPE] = flatten_scope,
    [OP_IF] = flatten_if,
    [OP_TERNARY] = flatten_if,
    [OP_WHILE] = flatten_while,
    [OP_DO] = flatten_do,
    [OP_FOR] = flatten_for,
    [OP_SWITCH] = flatten_switch,
    [OP_CASE] = flatten_case,
    [OP_CLEANUP_SCOPE] = flatten_cleanup_scope,
    [OP_TRY] = flatten_try,
    [OP_CALL] = flatten_throwing,
    [OP_THROW] = flatten_throwing,
    [OP_RESUME] = flatten_resume,
    [OP_ARRAY_CTOR] = flatten_array,
    [OP_ARRAY_DTOR] = flatten_array,
    [OP_DELETE_ARRAY] = flatten_delete_array,
};

static void step_function(Flatten *f, Frame *fr)
{
	CHECK(!fr->parent);
	if (f->at) { /* D leaves out the return of a void function */
		IrBuilder b = flatten_here(f, fr->op);
		ir_build(&b, OP_RETURN, NULL, NULL, 0);
		f->at = NULL;
	}
	flatten_pop(f);
}

static void walk(Flatten *f)
{
	while (f->frame) {
		Frame *fr = f->frame;
		if (fr->next) {
			IrOp *op = fr->next;
			fr->next = op->next;
			op->next = op->prev = NULL;
			void (*visit)(Flatten *, IrOp *) = visitors[op->kind];
			(visit ? visit : flatten_append)(f, op);
		} else if (fr->source) {
			next_block(f, fr);
		} else {
			end_region(f, fr);
		}
	}
}

/* Is there anything to do in it? A flat function passes untouched; one that is both may have to terminate. */
static bool is_structured(const IrOp *func, bool terminates)
{
	bool throws = false;
	for (IrOp *op = ir_walk_first(&func->regions[0]); op; op = ir_walk_next(op, &func->regions[0])) {
		unsigned stages = op_info[op->kind].stages;
		if (op->nregions || !(stages & STAGE_FLAT))
			return true;
		if (!(stages & STAGE_STRUCTURED))
			return false;
		throws = throws || (terminates && eh_unwinds_here(op));
	}
	return throws;
}

/* `all` holds what the functions of a module have in common. */
static bool flatten_function(const Flatten *all, IrOp *func, bool *has_jump)
{
	IrModule *m = all->m;
	Arena *mem = all->mem;
	if (ir_func_is_declaration(func) || !is_structured(func, eh_is_noexcept(all, func)))
		return true;
	ir_func_find_scopes(m, func);
	expand_handlers(m, func, mem);
	Flatten f = *all;
	f.func = func;
	f.next_number = 1;
	flatten_forget_bypassed_lifetimes(&f);
	flatten_find_labels(&f, &func->regions[0]);
	IrRegion body = func->regions[0]; /* the structured one; the function's own starts empty */
	func->regions[0] = (IrRegion){.op = func};
	IR_FOR_BLOCKS (b, &body)
		b->region = &body;
	f.out = &func->regions[0];
	f.scope = scope_push(&f);
	eh_push_function(&f);
	Frame *fr = flatten_push(&f, func, step_function);

	/* The entry block keeps its identity: its arguments are the function's. */
	IrBlock *entry = body.first;
	fr->next = ir_block_take_ops(entry);
	fr->source = entry->next;
	ir_block_remove(entry);
	flatten_place(&f, entry);
	f.entry = entry;
	walk(&f);
	place_return(&f);
	eh_place_rest(&f);
	flatten_prune(&f);
	*has_jump = f.has_jump;
	return !f.failed;
}

static void note_labels(const IrAttr *a, PtrMap *all, Arena *mem)
{
	PtrMap *labels = ptrmap_get(all, a->name);
	if (!labels) {
		labels = arena_new(mem, PtrMap);
		ptrmap_put(mem, all, a->name, labels);
	}
	for (uint32_t i = 0; i < a->n; i++)
		ptrmap_put(mem, labels, a->elems[i]->name, labels);
}

static PtrMap block_addresses(const IrModule *m, Arena *mem)
{
	PtrMap found = {0};
	for (uint32_t i = 0; i < m->attrs.nheld; i++) {
		const IrAttr *a = m->attrs.held[i];
		if (a->kind == ATTR_BLOCK_ADDR || a->kind == ATTR_BLOCK_DIFF)
			note_labels(a, &found, mem);
	}
	return found;
}

static bool flatten_functions(IrModule *m, Arena *mem, Diags *d)
{
	bool ok = true;
	PtrMap addresses = block_addresses(m, mem);
	FunctionNumbers reached = {0};
	Flatten all = {.m = m,
	               .mem = mem,
	               .d = d,
	               .addresses = &addresses,
	               .reached = &reached,
	               .cxx_exceptions = ir_module_has_cxx_exceptions(m)};
	VEC(IrOp *) with_jumps = {0};
	ArenaMark begin = arena_mark(&m->scratch);
	IR_FOR_OPS (op, ir_module_block(m)) {
		if (op->kind != OP_FUNC)
			continue;
		bool has_jump = false;
		ArenaMark mark = arena_mark(mem);
		all.number++;
		ok = flatten_function(&all, op, &has_jump) && ok;
		arena_release(mem, mark);
		if (has_jump)
			vec_push(&m->scratch, &with_jumps, op);
	}
	ok = ok && flatten_check_bypass(m, with_jumps.data, with_jumps.len, mem, d);
	arena_release(&m->scratch, begin);
	return ok;
}

/* False: no memory. mem is the caller's, so that it is still whole then. */
static bool flatten_guarded(IrModule *m, Arena *mem, OomGuard *guard, Diags *d, bool *ok)
{
	if (setjmp(guard->env))
		return false;
	*ok = flatten_functions(m, mem, d);
	return true;
}

bool flatten_module(IrModule *m, Diags *d)
{
	Arena mem;
	OomGuard guard, *outer = ir_module_guard(m, &guard);
	bool ok = false;
	arena_init(&mem);
	mem.oom = &guard;
	bool enough = flatten_guarded(m, &mem, &guard, d, &ok);
	ir_module_guard(m, outer);
	arena_free(&mem);
	if (!enough)
		arena_exhausted(&m->arena);
	return ok;
}
