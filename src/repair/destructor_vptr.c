/* Destructors of classes with virtual functions that do not set the virtual pointers until September of 2026: calls from
 * their bodies would reach functions of a derived class, whose part of the object is destroyed already.
 *
 * A constructor of the class tells how: what it stores there, the destructor begins with. Its stores are made of the
 * addresses of tables and of the parameters that the two have in common: the object and, in those for base subobjects
 * of a class with virtual bases, the table of virtual tables (Itanium C++ ABI, 2.6.2). One that stores under some
 * condition does not tell. Where the module has no constructor that tells, the destructor stays as it is; and so do
 * all where one of them sets the pointers itself. */
#include "repair/internal.h"

#include "ir/clone.h"

enum {
	THIS = 0,
	VTT = 1,
	STEPS = 256, /* at most that many ops does each destructor get */
};

/* What stores are made of. */
typedef struct Slice {
	const IrOp *func;
	uint32_t steps;
	uint32_t args; /* bit i: parameter i */
} Slice;

typedef struct Constructors {
	/* class → its constructor for it; of_base: with a table of virtual tables */
	PtrMap of_object, of_base;
} Constructors;

static IrBlock *entry_of(const IrOp *func)
{
	return func->regions[0].first;
}

/* The op that v is the result of, but for what only makes another pointer of a pointer; NULL: a parameter. */
static const IrOp *origin(const IrValue *v)
{
	while (!v->is_arg && (v->def.op->kind == OP_CAST || v->def.op->kind == OP_PTR_STRIDE))
		v = ir_operand(v->def.op, 0);
	return v->is_arg ? NULL : v->def.op;
}

static bool loads_vptr(const IrOp *op)
{
	return op->kind == OP_LOAD && op->results[0].type->kind == TYPE_VPTR;
}

/* Does it load a virtual pointer that is set before, or what never changes: of a table? Other memory is not what it
 * was when the object was made. */
static bool is_repeatable_load(const IrOp *load)
{
	const IrValue *address = ir_operand(load, 0);
	const IrOp *from = origin(address);
	if (!from || ir_op_has(load, NAME_is_volatile_flag) || ir_op_has(load, NAME_mem_order))
		return false;
	if (from->kind == OP_VTABLE_GET_VPTR)
		return loads_vptr(load) && from == address->def.op;
	return from->kind == OP_VTT_ADDRESS_POINT || loads_vptr(from);
}

static bool is_repeatable(const IrOp *op)
{
	switch (op->kind) {
	case OP_CONST:
	case OP_VTABLE_ADDRESS_POINT:
	case OP_VTT_ADDRESS_POINT:
	case OP_VTABLE_GET_VPTR:
	case OP_BASE_CLASS_ADDR:
	case OP_PTR_STRIDE:
	case OP_CAST:
		return op->nresults == 1;
	case OP_LOAD:
		return is_repeatable_load(op);
	default:
		return false;
	}
}

static bool follow(Slice *s, const IrValue *v)
{
	const IrValue *arg = repair_parameter(s->func, v);
	if (arg) {
		s->args |= arg->index <= VTT ? 1u << arg->index : 0;
		return arg->index <= VTT;
	}
	if (v->is_arg || !is_repeatable(v->def.op) || ++s->steps > STEPS)
		return false;
	const IrOp *op = v->def.op;
	for (uint32_t i = 0; i < op->noperands; i++)
		if (!follow(s, ir_operand(op, i)))
			return false;
	return true;
}

/* Does the op run whenever its function does? What is behind the first block of a region may be branched around. */
static bool is_unconditional(const IrOp *op)
{
	for (const IrOp *p; op->block == op->block->region->first; op = p) {
		p = ir_op_parent(op);
		if (p->kind == OP_FUNC)
			return true;
		bool body = op->block->region == &p->regions[0];
		if (p->kind != OP_SCOPE && !(body && (p->kind == OP_CLEANUP_SCOPE || p->kind == OP_TRY)))
			return false;
	}
	return false;
}

static bool is_told(Slice *s, const IrOp *store)
{
	return ++s->steps <= STEPS && is_unconditional(store) && follow(s, ir_operand(store, 0)) &&
	       follow(s, ir_operand(store, 1));
}

/* Of all that func stores to virtual pointers; args 0: nothing, or something else. */
static Slice stores_of(const IrOp *func)
{
	Slice s = {.func = func};
	const IrRegion *body = &func->regions[0];
	for (const IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		if (repair_sets_vptr(op) && !is_told(&s, op))
			return (Slice){0};
	}
	return s;
}

static void list_constructors(Repair *r, Constructors *c)
{
	IR_FOR_OPS (op, ir_module_block(r->m)) {
		const IrType *record = op->kind == OP_FUNC ? repair_constructed(op) : NULL;
		if (!record || ir_func_is_declaration(op))
			continue;
		uint32_t args = stores_of(op).args;
		PtrMap *map = args & (1u << VTT) ? &c->of_base : &c->of_object;
		if ((args & (1u << THIS)) && !ptrmap_get(map, record))
			ptrmap_put(r->mem, map, record, op);
	}
}

/* The constructor that tells, with the parameters that func has. */
static const IrOp *constructor_for(const Constructors *c, const IrOp *func)
{
	const IrBlock *own = entry_of(func);
	if (own->nargs != THIS + 1 && own->nargs != VTT + 1)
		return NULL;
	const IrType *object = own->args[THIS]->type;
	const PtrMap *map = own->nargs > VTT ? &c->of_base : &c->of_object;
	const IrOp *found = object->kind == TYPE_PTR ? ptrmap_get(map, object->elem) : NULL;
	for (uint32_t i = 0; found && i < own->nargs; i++)
		if (entry_of(found)->args[i]->type != own->args[i]->type)
			return NULL;
	return found;
}

typedef struct Copy {
	Repair *r;
	const IrOp *from; /* the constructor */
	IrOp *before;     /* in the destructor */
	PtrMap values;
} Copy;

static IrOp *copy_op(Copy *c, const IrOp *op);

static IrValue *copy_value(Copy *c, const IrValue *v)
{
	const IrValue *arg = repair_parameter(c->from, v);
	if (arg)
		return c->before->block->args[arg->index];
	IrValue *copy = ptrmap_get(&c->values, v);
	if (!copy) {
		copy = &copy_op(c, v->def.op)->results[0];
		ptrmap_put(c->r->mem, &c->values, v, copy);
	}
	return copy;
}

static IrOp *copy_op(Copy *c, const IrOp *op)
{
	IrOp *copy = ir_op_clone(c->r->m, op, NULL, c->before->block);
	ir_op_remove(copy);
	for (uint32_t i = 0; i < op->noperands; i++)
		ir_set_operand(copy, i, copy_value(c, ir_operand(op, i)));
	ir_op_insert_before(c->before, copy);
	copy->loc = c->before->loc;
	return copy;
}

/* Behind the variables of the parameters. */
static IrOp *place_in(const IrBlock *entry)
{
	IrOp *op = entry->first;
	while (op->kind == OP_ALLOCA || (op->kind == OP_STORE && ir_operand(op, 0)->is_arg))
		op = op->next;
	return op;
}

static void set_vptrs(Repair *r, const IrOp *func, const IrOp *constructor)
{
	IrOp *before = place_in(entry_of(func));
	const IrRegion *body = &constructor->regions[0];
	for (const IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body)) {
		Copy c = {r, constructor, before, {0}}; /* loads are made anew behind each store */
		if (repair_sets_vptr(op))
			copy_op(&c, op);
	}
}

static bool sets_vptr(const IrOp *func)
{
	const IrRegion *body = &func->regions[0];
	for (const IrOp *op = ir_walk_first(body); op; op = ir_walk_next(op, body))
		if (repair_sets_vptr(op))
			return true;
	return false;
}

/* The class that the callee destroys; NULL: another function. */
static const IrType *destroyed_by(const IrOp *call)
{
	const Name *name = ir_call_callee(call);
	const IrOp *callee = name ? ir_symbol(name) : NULL;
	return callee && callee->kind == OP_FUNC ? repair_destroyed(callee) : NULL;
}

static bool is_base(const IrValue *address)
{
	return !address->is_arg && address->def.op->kind == OP_BASE_CLASS_ADDR;
}

/* May what op does depend on the virtual pointers? Those of a base its destructor sets. */
static bool depends_on_vptr(const IrOp *op)
{
	if (op->kind == OP_CALL || op->kind == OP_TRY_CALL)
		return !destroyed_by(op) || !ir_call_nargs(op) || !is_base(ir_call_arg(op, 0));
	return op->kind == OP_VTABLE_GET_VPTR || (op_info[op->kind].flags & (OPF_CALLS | OPF_THROWS));
}

/* Does another destructor of the class go on with the same object? */
static bool delegates(const IrOp *func, const IrOp *op)
{
	if ((op->kind != OP_CALL && op->kind != OP_TRY_CALL) || destroyed_by(op) != repair_destroyed(func) ||
	    !ir_call_nargs(op))
		return false;
	const IrValue *object = repair_parameter(func, ir_call_arg(op, 0));
	return object && object->index == 0;
}

/* Does func set no virtual pointers, and may what it does depend on them? One that calls another destructor of its class on the
 * same object leaves it to that, as thunks do; they say the same of themselves. */
static bool lacks_vptrs(const IrOp *func)
{
	bool lacks = false;
	if (!repair_destroyed(func) || repair_is_thunk(func) || ir_func_is_declaration(func))
		return false;
	for (IrOp *op = ir_walk_first(&func->regions[0]); op; op = ir_walk_next(op, &func->regions[0])) {
		if (repair_sets_vptr(op) || delegates(func, op))
			return false;
		lacks |= depends_on_vptr(op);
	}
	return lacks;
}

/* Those that lack them; none, where one of the module sets them: the front end does so itself. */
static RepairOps find_lacking(const Repair *r)
{
	RepairOps lacking = {0};
	IR_FOR_OPS (op, ir_module_block(r->m)) {
		if (op->kind != OP_FUNC || !repair_destroyed(op) || ir_func_is_declaration(op))
			continue;
		if (sets_vptr(op))
			return (RepairOps){0};
		if (lacks_vptrs(op))
			vec_push(r->mem, &lacking, op);
	}
	return lacking;
}

bool repair_destructor_vptrs(Repair *r)
{
	Constructors c = {0};
	RepairOps lacking = find_lacking(r);
	if (lacking.len)
		list_constructors(r, &c);
	for (uint32_t i = 0; i < lacking.len; i++) {
		const IrOp *func = lacking.data[i], *constructor = constructor_for(&c, func);
		if (constructor && repair_at(r, func->loc))
			set_vptrs(r, func, constructor);
	}
	return true;
}
