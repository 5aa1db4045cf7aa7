/* flatten/flatten.c: the walk over a structured function, and what becomes of the ops that leave a region. */
#include "flatten/internal.h"

#include "ir/debug_scope.h"
#include "ir/eh_runtime.h"

/* Allocas of the entry block: constant-size ones move there, before what the block
 * computes (reference 5.14, step 9). */

static void visit_alloca(Flatten *f, IrOp *op)
{
	if (op->noperands || (f->at == f->entry && !f->frame->parent))
		flatten_append(f, op);
	else
		flatten_hoist(f, op);
}

/* Frames */

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

static void visit_return(Flatten *f, IrOp *op)
{
	if (!f->scope->cleanup) {
		flatten_append(f, op);
		return;
	}
	IrBuilder b = flatten_here(f, op);
	if (op->noperands)
		exit_store_returned(f, &b, f->scope->cleanup->level, ir_operand(op, 0));
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
	IrValue *v = exit_load_returned(f, &b, 0);
	ir_build(&b, OP_RETURN, NULL, &v, v != NULL);
	f->at = NULL;
}

static void visit_label(Flatten *f, IrOp *op)
{
	Label *l = ptrmap_get(&f->labels, flatten_label_name(op));
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
	Label *l = ptrmap_get(&f->labels, flatten_label_name(op));
	const Scope *target = l && l->cleanup ? ptrmap_get(&f->scopes, l->cleanup) : NULL;
	if (!l || (l->cleanup && !target)) {
		Str name = name_str(flatten_label_name(op));
		diag_error(f->d, op->loc,
		           "'cir.goto' op jumps into a cleanup scope: label '%.*s' is inside that scope, the "
		           "goto is not",
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
    [OP_ABNORMAL] = flatten_abnormal,
    [OP_CHECK] = flatten_check,
    [OP_ARRAY_CTOR] = flatten_array,
    [OP_ARRAY_DTOR] = flatten_array,
    [OP_DELETE_ARRAY] = flatten_delete_array,
    [OP_LOAD] = flatten_maybe_async,
    [OP_STORE] = flatten_maybe_async,
    [OP_COPY] = flatten_maybe_async,
    [OP_LIBC_MEMCPY] = flatten_maybe_async,
    [OP_LIBC_MEMSET] = flatten_maybe_async,
    [OP_MEMCPY_INLINE] = flatten_maybe_async,
    [OP_MEMSET_INLINE] = flatten_maybe_async,
    [OP_GET_BITFIELD] = flatten_maybe_async,
    [OP_SET_BITFIELD] = flatten_maybe_async,
    [OP_DIV] = flatten_maybe_async,
    [OP_REM] = flatten_maybe_async,
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
	f.replaces = ir_func_eh_runtime(m, func) == EH_RUNTIME_CIRC;
	flatten_mark_async(&f);
	if (!flatten_outline_filters(&f) || !flatten_expand_finally(&f))
		return false;
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
	flatten_place_cold(&f);
	flatten_escape_variables(&f);
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
