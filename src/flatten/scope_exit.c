/* Leaving scopes on normal paths. A cleanup is emitted once; every exit of its scope branches to it.
 * Where exits of one kind pass, a branch follows the cleanup; where several do, each has stored its
 * number before, and a switch follows. One slot and one number a destination serve a whole nest: an exit
 * through a hundred scopes stores once. */
#include "flatten/internal.h"

Dest *dest_new(Flatten *f, IrBlock *block, const Scope *within)
{
	Dest *d = arena_new(f->mem, Dest);
	d->block = block;
	d->depth = within ? within->depth : 0;
	return d;
}

Scope *scope_push(Flatten *f)
{
	Scope *s = arena_new(f->mem, Scope);
	s->parent = f->scope;
	if (s->parent) {
		s->cleanup = s->parent->cleanup;
		s->depth = s->parent->depth;
		s->on_break = s->parent->on_break;
		s->on_continue = s->parent->on_continue;
	}
	return f->scope = s;
}

Scope *scope_push_cleanup(Flatten *f, const IrOp *op)
{
	Scope *s = scope_push(f);
	s->cleanup = s;
	s->depth++;
	s->entry = flatten_block(f, op);
	s->level = f->level;
	s->last_group = &s->groups;
	return s;
}

static bool passes(const Scope *cleanup, const Dest *dest)
{
	return cleanup && cleanup->depth > dest->depth;
}

/* Scopes close innermost first, so a destination's newest group is that of the innermost scope. */
static Group *group_of(Flatten *f, Scope *s, Dest *dest)
{
	if (dest->groups && dest->groups->scope == s)
		return dest->groups;
	Group *g = arena_new(f->mem, Group);
	*g = (Group){.dest = dest, .scope = s, .next_of_dest = dest->groups};
	g->tail = &g->sources;
	dest->groups = g;
	*s->last_group = g;
	s->last_group = &g->next;
	s->ngroups++;
	return g;
}

/* From the open block through the cleanup of s. */
static void exit_through(Flatten *f, Scope *s, Dest *dest, const IrOp *op)
{
	Group *g = group_of(f, s, dest);
	ExitBranch *source = arena_new(f->mem, ExitBranch);
	IrBuilder b = flatten_here(f, op);
	source->branch = ir_build_br(&b, s->entry, NULL, 0);
	f->at = NULL;
	*g->tail = source;
	g->tail = &source->next;
}

void exit_to(Flatten *f, Dest *dest, const IrOp *op)
{
	if (!f->at)
		return;
	Scope *s = f->scope->cleanup;
	if (passes(s, dest))
		exit_through(f, s, dest, op);
	else
		flatten_branch(f, dest->block, NULL, op);
}

static IrValue *slot(Flatten *f, uint32_t level, Loc loc)
{
	while (f->slots.len <= level)
		vec_push(f->mem, &f->slots, NULL);
	if (!f->slots.data[level]) {
		IrValue *v = flatten_entry_alloca(f, f->m->s32, STR("__cleanup_dest_slot"), loc);
		ir_set_flag(f->m, v->def.op, NAME_cleanup_dest_slot);
		f->slots.data[level] = v;
	}
	return f->slots.data[level];
}

/* What is returned waits in a slot of its level. A finally runs while a return waits outside of it, and may begin one that is
 * forgotten (JLS 14.20.2): that one may not overwrite the other. */
void exit_store_returned(Flatten *f, IrBuilder *b, uint32_t level, IrValue *v)
{
	while (f->return_slots.len <= level)
		vec_push(f->mem, &f->return_slots, NULL);
	if (!f->return_slots.data[level]) {
		IrValue *s = flatten_entry_alloca(f, v->type, STR("__ret_slot"), b->loc);
		ir_set_flag(f->m, s->def.op, NAME_return_slot);
		f->return_slots.data[level] = s;
	}
	ir_build_store(b, v, f->return_slots.data[level]);
}

IrValue *exit_load_returned(Flatten *f, IrBuilder *b, uint32_t level)
{
	IrValue *s = level < f->return_slots.len ? f->return_slots.data[level] : NULL;
	return s ? ir_build_load(b, s) : NULL;
}

static uint32_t number_of(Flatten *f, Dest *dest, bool fall_through)
{
	if (!dest->number && !fall_through)
		dest->number = f->next_number++;
	return dest->number;
}

static void store_number(Flatten *f, Group *g, bool fall_through)
{
	uint32_t to = number_of(f, g->dest, fall_through);
	for (ExitBranch *s = g->sources; s; s = s->next) {
		IrBuilder b = ir_before(f->m, s->branch);
		IrValue *number = ir_build_const_int(&b, f->m->s32, to);
		ir_build_store(&b, number, slot(f, f->level, s->branch->loc));
	}
	g->sources = NULL;
	g->tail = &g->sources;
}

/* The level whose slots tell an exit what to do behind the cleanup of its scope. */
static uint32_t next_level(const Flatten *f, const Group *g, const Scope *outer)
{
	if (passes(outer, g->dest))
		return outer->level;
	return g->dest == f->on_return ? 0 : g->scope->level;
}

/* Out of a finally, to where other slots count? */
static bool leaves_level(const Flatten *f, const Group *g, const Scope *outer)
{
	return next_level(f, g, outer) != g->scope->level;
}

/* From the open block out of the level of g, with what is returned. */
static void leave_level(Flatten *f, Group *g, Scope *outer, const IrOp *op)
{
	if (g->dest == f->on_return) {
		IrBuilder b = flatten_here(f, op);
		IrValue *v = exit_load_returned(f, &b, g->scope->level);
		if (v)
			exit_store_returned(f, &b, next_level(f, g, outer), v);
	}
	if (passes(outer, g->dest))
		exit_through(f, outer, g->dest, op);
	else
		flatten_branch(f, g->dest->block, NULL, op);
}

/* Where an exit goes on after its cleanup: to the next one, or to its destination. */
static IrBlock *next_stop(Flatten *f, Group *g, Scope *outer)
{
	if (!passes(outer, g->dest))
		return g->dest->block;
	Group *og = group_of(f, outer, g->dest);
	if (g->sources) {
		*og->tail = g->sources;
		og->tail = g->tail;
	}
	return outer->entry;
}

static void build_switch(Flatten *f, Scope *s, IrBlock **stops, const IrOp *op)
{
	ArenaMark mark = arena_mark(&f->m->scratch);
	IrSuccSpec *succs = arena_array(&f->m->scratch, IrSuccSpec, s->ngroups + 1);
	const IrAttr **values = arena_array(&f->m->scratch, const IrAttr *, s->ngroups);
	succs[0].dest = flatten_block(f, op);
	uint32_t n = 0;
	for (Group *g = s->groups; g; g = g->next, n++) {
		succs[n + 1].dest = stops[n];
		values[n] = ir_attr_int(f->m, f->m->s32, g->dest->number);
	}
	IrBuilder b = flatten_here(f, op);
	IrValue *number = ir_build_load(&b, slot(f, f->level, op->loc));
	IrNamedAttr attr = {ir_known_name(f->m, NAME_case_values), ir_attr_array(f->m, values, n)};
	ir_build_spec(&b, &(IrOpSpec){.kind = OP_SWITCH_FLAT,
	                              .operands = &number,
	                              .noperands = 1,
	                              .succs = succs,
	                              .nsuccs = n + 1,
	                              .attrs = &attr,
	                              .nattrs = 1});
	f->at = NULL;
	flatten_place(f, succs[0].dest);
	b = flatten_here(f, op);
	ir_build(&b, OP_UNREACHABLE, NULL, NULL, 0);
	f->at = NULL;
	arena_release(&f->m->scratch, mark);
}

static bool is_fall_through(const Scope *s, const Dest *dest)
{
	return dest->depth == s->parent->depth && dest->block == s->falls_to;
}

static bool is_end(const Scope *s, const Group *g)
{
	return g->dest == s->falls || g->dest == s->ends;
}

/* Is the destination taken none of the body's ends? */
static IrValue *build_is_abnormal(Flatten *f, Scope *s, IrBuilder *b)
{
	IrValue *abnormal = NULL, *taken = ir_build_load(b, slot(f, s->level, b->loc));
	for (Group *g = s->groups; g; g = g->next) {
		if (!is_end(s, g))
			continue;
		uint32_t number = number_of(f, g->dest, is_fall_through(s, g->dest));
		IrValue *other = ir_build_cmp(b, CMP_NE, taken, ir_build_const_int(b, f->m->s32, number));
		IrValue *both[] = {abnormal, other};
		abnormal = abnormal ? &ir_build(b, OP_AND, other->type, both, 2)->results[0] : other;
	}
	s->asked = true;
	return abnormal;
}

IrValue *exits_are_abnormal(Flatten *f, Scope *s, IrBuilder *b)
{
	uint32_t nends = 0;
	for (const Group *g = s->groups; g; g = g->next)
		nends += is_end(s, g);
	if (nends == 0 || nends == s->ngroups)
		return ir_build_const(b, ir_attr_bool(f->m, nends < s->ngroups));
	return build_is_abnormal(f, s, b);
}

/* All exits go to one destination: nothing needs to tell which. */
static void distribute_one(Flatten *f, Group *g, Scope *outer, const IrOp *op)
{
	if (leaves_level(f, g, outer))
		leave_level(f, g, outer, op);
	else
		flatten_branch(f, next_stop(f, g, outer), NULL, op);
}

static void store_numbers(Flatten *f, Scope *s)
{
	for (Group *g = s->groups; g; g = g->next)
		store_number(f, g, is_fall_through(s, g->dest));
}

static void distribute(Flatten *f, Scope *s, Scope *outer, const IrOp *op)
{
	IrBlock **stops = arena_array(f->mem, IrBlock *, s->ngroups);
	uint32_t n = 0;
	store_numbers(f, s);
	for (Group *g = s->groups; g; g = g->next)
		stops[n++] = leaves_level(f, g, outer) ? flatten_block(f, op) : next_stop(f, g, outer);
	build_switch(f, s, stops, op);
	n = 0;
	for (Group *g = s->groups; g; g = g->next, n++) {
		if (!leaves_level(f, g, outer))
			continue;
		flatten_place(f, stops[n]);
		leave_level(f, g, outer, op);
	}
}

void exits_end(Scope *s)
{
	for (Group *g = s->groups; g; g = g->next) {
		CHECK(g->dest->groups == g);
		g->dest->groups = g->next_of_dest;
	}
}

void exits_distribute(Flatten *f, Scope *s, const IrOp *op)
{
	if (!f->at) { /* the cleanup never ends */
		if (s->asked)
			store_numbers(f, s);
	} else if (s->ngroups == 1)
		distribute_one(f, s->groups, s->parent->cleanup, op);
	else
		distribute(f, s, s->parent->cleanup, op);
}
