/* Static variables of functions as they were before cir.local_init (2024 to early 2026): the initializer stands
 * at the global, and runs, once, behind the first address that a function takes `static_local`:
 *
 * 	cir.global … static_local_guard<"_ZGVZ1fvE1a"> @_ZZ1fvE1a = ctor : T { C } dtor { D }
 * 	cir.func @_Z1fv() {
 * 	  %0 = cir.get_global static_local @_ZZ1fvE1a : !cir.ptr<T>
 *
 * becomes
 *
 * 	cir.global … static_local_guard<"_ZGVZ1fvE1a"> @_ZZ1fvE1a = #cir.zero : T
 * 	cir.func @_Z1fv() {
 * 	  %0 = cir.get_global static_local @_ZZ1fvE1a : !cir.ptr<T>
 * 	  cir.local_init static_local @_ZZ1fvE1a ctor { C } dtor { D }
 *
 * A lambda may take the address, too, even while C runs. Where the name tells whose variable it is, only that
 * function initializes it; one that is local to the same function, as its name tells, does where no other function
 * takes the address.
 *
 * clang takes the address once in a function, at the declaration. Where there is another before which that does not
 * come, it may be of a use that a jump reaches past the declaration, where C++ initializes nothing: an error.
 *
 * Until the end of 2025 the global said `static_local` alone, and the addresses in its initializer said nothing.
 */
#include "text/old/old.h"

#include "ir/build.h"
#include "ir/clone.h"

#include <stdio.h>

/* Each place has a copy of the initializer. */
enum { PLACES_MAX = 64 };

/* What a function is to a variable. Of those that take its address only the first kind initializes it. */
typedef enum Owner {
	OWNER_ITSELF, /* the variable is its own, as the name tells */
	OWNER_UNKNOWN,
	OWNER_OUTSIDE, /* the two are local to the same function */
	OWNERS,
} Owner;

typedef struct OldStatics {
	Parser *p;
	PtrMap by_global; /* OldStatic */
	/* regions with a label or a case, which leads past what comes before it, and ops that have them: to that op */
	PtrMap entered;
	uint32_t nentered; /* of those ops, which this walk has come by */
} OldStatics;

/* An address with a cir.local_init behind it, or behind such a one. */
typedef struct Place {
	const IrOp *address;
	uint32_t nentered; /* before it */
} Place;

typedef struct OldStatic {
	IrOp *global;
	Owner owner;       /* of the functions that initialize it; at first OWNERS */
	uint32_t ninits;   /* in all functions */
	const IrOp *func;  /* the last of this walk that takes the address */
	VEC(Place) places; /* of func */
	PtrMap behind;     /* regions in ops behind a place, which are climbed once */
} OldStatic;

static bool has_regions(const IrOp *global)
{
	return global->regions[0].first || global->regions[1].first;
}

/* The generic form may lack a name or a type, which the verifier says. */
static bool is_old(const IrOp *global)
{
	if (!ir_symbol_name(global) || !ir_symbol_type(global))
		return false;
	return ir_op_has(global, NAME_static_local) ||
	       (has_regions(global) && ir_op_has(global, NAME_static_local_guard));
}

static void name_guard(Parser *p, IrOp *global)
{
	ir_op_set_attr(p->m, global, p->known[NAME_static_local], NULL);
	if (ir_op_has(global, NAME_static_local_guard))
		return;
	const Name *name = ir_guard_name(p->m, ir_symbol_name(global));
	const IrAttr *elems[] = {[STATIC_LOCAL_GUARD_NAME] = ir_attr_string(p->m, name_str(name))};
	IrAttr key = {
	    .kind = ATTR_PARAMS, .row = ATTR_ROW_STATIC_LOCAL_GUARD, .elems = elems, .n = ARRAY_LEN(elems)};
	ir_op_set_attr(p->m, global, p->known[NAME_static_local_guard], ir_attr_intern(p->m, &key));
}

static OldStatic *static_of(const OldStatics *all, const IrOp *op)
{
	const IrOp *symbol = op->kind == OP_GET_GLOBAL ? ir_symbol(ir_op_symbol(op, NAME_symbol)) : NULL;
	return symbol ? ptrmap_get(&all->by_global, symbol) : NULL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* C1, C2, D0…: the variants of a constructor or destructor have its variables in common (Itanium C++ ABI 5.1.4.3). */
static bool is_variant(char letter, char a, char b)
{
	return (letter == 'C' || letter == 'D') && is_digit(a) && is_digit(b);
}

static size_t common_len(Str a, Str b)
{
	size_t n = 0;
	while (n < a.len && n < b.len &&
	       (a.data[n] == b.data[n] || (n && is_variant(a.data[n - 1], a.data[n], b.data[n]))))
		n++;
	return n;
}

static Str name_tail(const Name *name, uint32_t n)
{
	return n < name->len ? (Str){name->text + n, name->len - n} : STR("");
}

/* Is it `_ZZ<encoding>E…`, a variable of `_Z<encoding>` (5.1.6)? */
static bool is_owner_mangled(const Name *func, const Name *variable)
{
	Str f = name_tail(func, 1), v = name_tail(variable, 2);
	return *func->text == '_' && str_begins_with(f, STR("Z")) && common_len(f, v) == f.len &&
	       f.len < v.len && v.data[f.len] == 'E';
}

/* The names of functions in C, and of `main`, are not mangled, but for those of their variables: `_ZZ4mainE…`. */
static bool is_owner_plain(const Name *func, const Name *variable)
{
	char head[sizeof "_ZZ4294967295"];
	snprintf(head, sizeof head, "_ZZ%u", func->len);
	Str f = name_tail(func, 0), v = name_tail(variable, (uint32_t)strlen(head));
	return str_begins_with(name_tail(variable, 0), str_of(head)) && str_begins_with(v, f) &&
	       f.len < v.len && v.data[f.len] == 'E';
}

/* Is the variable `_ZZ<encoding>E<number>…`, and the function `_ZZ<encoding>EN…`, of a class of the same function? */
static bool is_outside(const Name *func, const Name *variable)
{
	Str f = name_tail(func, 0), v = name_tail(variable, 0);
	size_t n = common_len(f, v);
	return n > 3 && n < f.len && n < v.len && str_begins_with(f, STR("_ZZ")) && f.data[n - 1] == 'E' &&
	       f.data[n] == 'N' && is_digit(v.data[n]);
}

static Owner owner_of(const IrOp *func, const IrOp *global)
{
	const Name *f = ir_symbol_name(func), *v = ir_symbol_name(global);
	if (!str_begins_with(name_tail(v, 0), STR("_ZZ")))
		return OWNER_UNKNOWN;
	if (is_owner_mangled(f, v) || is_owner_plain(f, v))
		return OWNER_ITSELF;
	return is_outside(f, v) ? OWNER_OUTSIDE : OWNER_UNKNOWN;
}

static void make_mutable(Parser *p, IrOp *global)
{
	if (!ir_op_has(global, NAME_initial_value))
		ir_op_set_attr(p->m, global, p->known[NAME_initial_value],
		               ir_attr_zero_of(p->m, ir_symbol_type(global)));
	ir_op_set_attr(p->m, global, p->known[NAME_constant], NULL);
}

static void insert_behind(IrOp *place, IrOp *op)
{
	if (place->next)
		ir_op_insert_before(place->next, op);
	else
		ir_op_append(place->block, op);
}

static bool is_entered(const OldStatics *all, const void *op_or_region)
{
	return ptrmap_get(&all->entered, op_or_region);
}

/* false: it was before, by such an op, or by a label, and so is what it is in. */
static bool mark_entered(OldStatics *all, const void *op_or_region, const IrOp *by)
{
	const IrOp *before = ptrmap_get(&all->entered, op_or_region);
	if (before && (before->kind == by->kind || before->kind == OP_LABEL))
		return false;
	ptrmap_put(all->p->mem, &all->entered, op_or_region, (void *)(uintptr_t)by);
	return true;
}

/* By a jump to a label from anywhere, to a case from its switch. */
static void find_entered(OldStatics *all, const IrRegion *within)
{
	for (const IrOp *op = ir_walk_first(within); op; op = ir_walk_next(op, within)) {
		if (op->kind != OP_LABEL && op->kind != OP_CASE)
			continue;
		for (const IrOp *at = op; at && at->kind != OP_FUNC; at = ir_op_parent(at)) {
			if (op->kind == OP_CASE && at->kind == OP_SWITCH)
				break;
			mark_entered(all, at, op);
			if (!mark_entered(all, at->block->region, op))
				break;
		}
	}
}

static void place_init(OldStatics *all, OldStatic *s, IrOp *address)
{
	Parser *p = all->p;
	IrNamedAttr attr = {p->known[NAME_global_name], ir_attr_symbol(p->m, ir_symbol_name(s->global))};
	IrOp *init = ir_op_create(
	    p->m,
	    &(IrOpSpec){
	        .kind = OP_LOCAL_INIT, .loc = address->loc, .nregions = 2, .attrs = &attr, .nattrs = 1});
	bool thread = ir_op_has(s->global, NAME_tls_model);
	ir_set_flag(p->m, init, thread ? NAME_thread_local : NAME_static_local);
	for (unsigned i = 0; i < 2; i++)
		ir_region_clone(p->m, &s->global->regions[i], &init->regions[i], &p->m->arena);
	insert_behind(address, init);
	for (unsigned i = 0; i < 2; i++)
		find_entered(all, &init->regions[i]);
	vec_push(p->mem, &s->places, ((Place){address, all->nentered}));
	if (++s->ninits > PLACES_MAX)
		diag_error(p->d, address->loc,
		           "static variable '%s' is initialized in too many places (limit %d)",
		           ir_symbol_name(s->global)->text, (int)PLACES_MAX);
}

static bool is_init_of(const OldStatic *s, const IrOp *op)
{
	return op && op->kind == OP_LOCAL_INIT &&
	       ir_op_symbol(op, NAME_global_name) == ir_symbol_name(s->global);
}

/* Is it behind the place on every way to it? `at`: the address, or what it is in. A label begins a block, so that in that of the place
 * only what is in between may be entered; of other blocks of a region, only the first is known to come before. */
static bool is_behind(const OldStatics *all, const Place *place, const IrOp *at)
{
	const IrBlock *b = place->address->block;
	const IrRegion *region = at->block->region;
	if (b == at->block && place->nentered == all->nentered)
		return true;
	return b == region->first && !is_entered(all, region);
}

/* All of an op behind a place is: nothing jumps into it from elsewhere. */
static void mark_behind(const OldStatics *all, OldStatic *s, const IrOp *address, const IrOp *behind)
{
	for (const IrOp *at = address; at != behind; at = ir_op_parent(at))
		ptrmap_put(all->p->mem, &s->behind, at->block->region, s);
}

/* Its own initializer runs only where it is declared. */
static bool is_use(const OldStatics *all, OldStatic *s, const IrOp *address)
{
	for (const IrOp *at = address; at && at->kind != OP_FUNC; at = ir_op_parent(at)) {
		if (is_init_of(s, at))
			return true;
		bool behind = ptrmap_get(&s->behind, at->block->region);
		for (uint32_t i = 0; i < s->places.len && !behind; i++)
			behind = is_behind(all, &s->places.data[i], at);
		if (behind) {
			mark_behind(all, s, address, at);
			return true;
		}
	}
	return false;
}

static void report_second(Parser *p, const OldStatic *s, const IrOp *address)
{
	diag_error(
	    p->d, address->loc,
	    "cannot find the declaration of static variable '%s': the function does not specify whether it "
	    "is here, or a jump past it leads here; take its address once, before all its uses",
	    ir_symbol_name(s->global)->text);
	diag_note(p->d, s->places.data[0].address->loc, "its address is first taken here");
}

static void visit_address(OldStatics *all, OldStatic *s, const IrOp *func, IrOp *address, Owner last)
{
	Parser *p = all->p;
	if (s->func != func) {
		s->func = func;
		s->places.len = 0;
	}
	Owner owner = owner_of(func, s->global);
	if (is_init_of(s, address->next)) {
		vec_push(p->mem, &s->places, ((Place){address, all->nentered}));
	} else if (owner <= last && owner <= s->owner && !is_use(all, s, address)) {
		s->owner = owner;
		if (s->places.len)
			report_second(p, s, address);
		else
			place_init(all, s, address);
	}
}

/* In functions up to the last kind. What is placed is walked, too: an initializer may reach other variables. */
static void place_inits(OldStatics *all, Owner last)
{
	Parser *p = all->p;
	const IrRegion *body = &p->m->body;
	const IrOp *func = NULL;
	all->nentered = 0;
	for (IrOp *op = ir_walk_first(body); op && !p->d->errors; op = ir_walk_next(op, body)) {
		if (op->block->region == body)
			func = op->kind == OP_FUNC ? op : NULL;
		all->nentered += is_entered(all, op);
		OldStatic *s = func ? static_of(all, op) : NULL;
		if (s && has_regions(s->global) && ir_op_has(op, NAME_static_local))
			visit_address(all, s, func, op, last);
	}
}

static void erase_initializer(Parser *p, IrOp *global)
{
	for (unsigned i = 0; i < 2; i++) {
		for (IrBlock *b = global->regions[i].first; b; b = b->next)
			ir_block_drop_references(b);
		while (global->regions[i].first)
			ir_block_erase(global->regions[i].first);
	}
	make_mutable(p, global);
}

/* Those of initializers are a function's now. A variable that no function reaches stays as it was. */
static void mark_addresses(Parser *p, const OldStatics *all)
{
	const IrRegion *body = &p->m->body;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		const OldStatic *s = static_of(all, op);
		if (s && !has_regions(s->global))
			ir_set_flag(p->m, op, NAME_static_local);
	}
}

void parse_old_statics(Parser *p)
{
	OldStatics all = {.p = p};
	VEC(OldStatic *) list = {0};
	if (!p->old_statics || p->d->errors)
		return;
	for (IrOp *op = ir_module_block(p->m)->first; op; op = op->next) {
		if (op->kind != OP_GLOBAL || !is_old(op))
			continue;
		OldStatic *s = arena_new(p->mem, OldStatic);
		s->global = op;
		s->owner = OWNERS;
		ptrmap_put(p->mem, &all.by_global, op, s);
		vec_push(p->mem, &list, s);
		name_guard(p, op);
	}
	find_entered(&all, &p->m->body);
	for (Owner last = 0; last < OWNERS; last++) {
		for (uint32_t i = 0; i < list.len; i++)
			list.data[i]->func = NULL;
		place_inits(&all, last);
	}
	for (uint32_t i = 0; i < list.len; i++)
		if (list.data[i]->ninits)
			erase_initializer(p, list.data[i]->global);
	mark_addresses(p, &all);
}
