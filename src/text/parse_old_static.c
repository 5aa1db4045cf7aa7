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
 * function initializes it.
 *
 * Until the end of 2025 the global said `static_local` alone, and the addresses in its initializer said nothing.
 */
#include "text/parser.h"

#include "ir/build.h"
#include "ir/catch.h"
#include "ir/clone.h"

/* Of a variable whose name does not tell, each function has a copy of the initializer. */
enum { FUNCS_MAX = 64 };

typedef struct OldStatic {
	IrOp *global;
	IrOp *init;       /* the first cir.local_init, or NULL */
	const IrOp *func; /* the last that has one */
	uint32_t nfuncs;
	bool owned; /* the function that its name tells takes the address */
} OldStatic;

/* A place for a cir.local_init. */
typedef struct Place {
	OldStatic *of;
	IrOp *address;
	bool owner;
} Place;

typedef VEC(Place) PlaceList;

static bool has_regions(const IrOp *global)
{
	return global->regions[0].first || global->regions[1].first;
}

static bool is_old(const IrOp *global)
{
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

static OldStatic *static_of(const PtrMap *statics, const IrOp *op)
{
	const IrOp *symbol = op->kind == OP_GET_GLOBAL ? ir_symbol(ir_op_symbol(op, NAME_symbol)) : NULL;
	return symbol ? ptrmap_get(statics, symbol) : NULL;
}

/* Is it `_ZZ<encoding>E…`, a variable of `_Z<encoding>` (Itanium C++ ABI 5.1.6)? */
static bool is_owner(const IrOp *func, const IrOp *global)
{
	const Name *f = ir_symbol_name(func), *v = ir_symbol_name(global);
	return f->len > 2 && v->len > f->len + 1 && memcmp(f->text, "_Z", 2) == 0 &&
	       memcmp(v->text, "_ZZ", 3) == 0 && memcmp(v->text + 3, f->text + 2, f->len - 2) == 0 &&
	       v->text[f->len + 1] == 'E';
}

static void collect_place(Parser *p, PlaceList *places, OldStatic *s, const IrOp *func, IrOp *address)
{
	if (!func || s->func == func || !ir_op_has(address, NAME_static_local))
		return;
	bool owner = is_owner(func, s->global);
	s->func = func;
	s->owned |= owner;
	if (++s->nfuncs > FUNCS_MAX)
		diag_error(p->d, address->loc, "more than %d functions initialize the static variable '%s'",
		           (int)FUNCS_MAX, ir_symbol_name(s->global)->text);
	else
		vec_push(p->mem, places, ((Place){s, address, owner}));
}

static void collect_places(Parser *p, const PtrMap *statics, PlaceList *places)
{
	const IrRegion *body = &p->m->body;
	const IrOp *func = NULL;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		if (op->block->region == body)
			func = op->kind == OP_FUNC ? op : NULL;
		OldStatic *s = static_of(statics, op);
		if (s && has_regions(s->global))
			collect_place(p, places, s, func, op);
	}
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

static void place_init(Parser *p, const Place *place)
{
	OldStatic *s = place->of;
	IrNamedAttr attr = {p->known[NAME_global_name], ir_attr_symbol(p->m, ir_symbol_name(s->global))};
	IrOp *init = ir_op_create(p->m, &(IrOpSpec){.kind = OP_LOCAL_INIT,
	                                            .loc = place->address->loc,
	                                            .nregions = 2,
	                                            .attrs = &attr,
	                                            .nattrs = 1});
	bool thread = ir_op_has(s->global, NAME_tls_model);
	ir_set_flag(p->m, init, thread ? NAME_thread_local : NAME_static_local);
	for (unsigned i = 0; i < 2; i++) {
		if (s->init)
			ir_region_clone(p->m, &s->init->regions[i], &init->regions[i], &p->m->arena);
		else
			ir_region_move_blocks(&s->global->regions[i], &init->regions[i]);
	}
	insert_behind(place->address, init);
	if (!s->init)
		make_mutable(p, s->global);
	s->init = init;
}

/* Those of initializers are a function's now. A variable that no function reaches stays as it was. */
static void mark_addresses(Parser *p, const PtrMap *statics)
{
	const IrRegion *body = &p->m->body;
	for (IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		const OldStatic *s = static_of(statics, op);
		if (s && !has_regions(s->global))
			ir_set_flag(p->m, op, NAME_static_local);
	}
}

void parse_old_statics(Parser *p)
{
	PtrMap statics = {0};
	PlaceList places = {0};
	if (!p->old_statics || p->d->errors)
		return;
	for (IrOp *op = ir_module_block(p->m)->first; op; op = op->next) {
		if (op->kind != OP_GLOBAL || !is_old(op))
			continue;
		OldStatic *s = arena_new(p->mem, OldStatic);
		s->global = op;
		ptrmap_put(p->mem, &statics, op, s);
		name_guard(p, op);
	}
	collect_places(p, &statics, &places);
	for (uint32_t i = 0; i < places.len; i++)
		if (places.data[i].owner || !places.data[i].of->owned)
			place_init(p, &places.data[i]);
	mark_addresses(p, &statics);
}
