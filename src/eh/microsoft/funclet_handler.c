/* eh/microsoft/funclet_handler.c: how the exception gets into a handler.
 *
 * The runtime fills the catch object, a slot in the frame of the function, before the handler runs.
 * begin_catch promises the same pointer on every ABI (design.md section 5, point 6):
 *
 * 	catch (T)   for a class or scalar, by value or by reference      slot of a pointer, adjective 8: the address of the object
 * 	catch (T)   for a scalar, if the handler only reads it           slot of a T, no 8: the runtime makes a copy
 * 	catch (T *)                                                      slot of a pointer, no 8: the pointer, converted to T *
 * 	catch (T *&), told by construct_catch_param reference_to_pointer slot of a pointer, adjective 8: the address of the pointer
 * 	catch (...)                                                      no slot, the tables give nothing: the runtime is asked
 *
 * A handler that does not look at the object has no slot. Of a class it has adjective 8 still: without it,
 * the runtime passes over exceptions whose tables say that they can only be caught by reference.
 *
 * One slot a clause, since the frames of two handlers may be open at once.
 */
#include "eh/microsoft/funclet.h"

#include "eh/catch_init.h"
#include "eh/token_flow.h"
#include "ir/function_entry.h"
#include "ir/layout.h"

/* What the front end has written into one handler. */
typedef struct Handler {
	IrOp *begin;     /* begin_catch; NULL: the handler is an eh.terminate */
	IrOp *reference; /* construct_catch_param of that kind, or NULL */
	bool pointer;    /* of a pointer type */
} Handler;

static Name *caught_type(const FuncletPad *pad)
{
	const IrAttr *types = ir_op_attr(pad->op, NAME_catch_types);
	return types && pad->clause < types->n ? types->elems[pad->clause]->name : NULL;
}

/* Itanium C++ ABI, 5.1.5: P begins the mangled name of a pointer. */
static bool is_pointer_type(const Name *type)
{
	return type && type->len > 5 && memcmp(type->text, "_ZTIP", 5) == 0;
}

static Handler read_handler(const FuncletPad *pad)
{
	Handler h = {.pointer = is_pointer_type(caught_type(pad))};
	for (IrOp *op = pad->block->first; op && !h.begin; op = op->next) {
		if (op->kind == OP_CONSTRUCT_CATCH_PARAM)
			h.reference = op;
		else if (op->kind == OP_BEGIN_CATCH)
			h.begin = op;
	}
	return h;
}

static IrOp *build_catchpad(Funclets *f, IrBuilder *b, const FuncletPad *pad, const MsCatch *type,
                            uint32_t adjectives, IrValue *slot)
{
	IrValue *operands[] = {pad->dispatch->token, slot};
	IrType *result = ir_type_simple(f->m, TYPE_CATCH_TOKEN);
	IrNamedAttr attrs[2];
	uint32_t n = 0;
	if (type->descriptor)
		attrs[n++] = (IrNamedAttr){ir_known_name(f->m, NAME_type_descriptor),
		                           ir_attr_symbol(f->m, type->descriptor)};
	attrs[n++] = (IrNamedAttr){ir_known_name(f->m, NAME_adjectives), ir_attr_i64(f->m, adjectives)};
	IrOpSpec spec = {
	    .kind = OP_CATCHPAD, .operands = operands, .noperands = slot ? 2 : 1, .attrs = attrs};
	spec.nattrs = n;
	spec.result_types = &result;
	spec.nresults = 1;
	return ir_build_spec(b, &spec);
}

/* What the handler reads by a use of the object; NULL: it does something else with it. */
static IrType *read_by(const IrUse *u, const IrValue *object)
{
	const IrOp *op = u->user;
	if (op->kind == OP_LOAD)
		return op->results[0].type;
	if (op->kind == OP_INIT_CATCH_PARAM && ir_operand(op, 0) == object &&
	    ir_op_enum(op, NAME_kind, CATCH_INIT_SCALAR) == CATCH_INIT_SCALAR)
		return ir_operand(op, 1)->type->elem;
	return NULL;
}

/* The type as which it reads a scalar, if that is all: nobody can tell a copy from the object
 * then. NULL: it wants the address. */
static IrType *type_read(const Handler *h, uint32_t size)
{
	IrType *type = NULL;
	IR_FOR_USES (u, &h->begin->results[1]) {
		IrType *as = read_by(u, &h->begin->results[1]);
		if (!as || !ir_type_sized(as) || ir_type_size(as) != size || (type && as != type))
			return NULL;
		type = as;
	}
	return type;
}

static IrValue *make_slot(Funclets *f, IrType *type, uint64_t align, Loc loc)
{
	IrBuilder entry = ir_before(f->m, abi_entry_front(f->func));
	entry.loc = loc;
	return ir_build_alloca(&entry, type, STR("__caught"), align);
}

/* Gives begin_catch's pointer its value. caught: what the slot holds; NULL: no slot. */
static void give_pointer(Funclets *f, IrBuilder *b, const Handler *h, IrValue *caught)
{
	IrValue *v = caught;
	if (h->reference) {
		catch_init_drop_references(h->begin);
		catch_init_store(&f->rt->rt, b, h->reference, caught, ir_operand(h->reference, 1));
		if (h->pointer && h->begin->results[1].uses)
			v = ir_build_load(b, ir_build_bitcast(b, caught, ir_type_ptr(f->m, f->m->voidp)));
	}
	if (!v)
		v = ms_current_object(f->rt, b);
	if (v)
		runtime_replace_ptr(b, &h->begin->results[1], v);
}

/* seh.c has put a filter where other clauses have a type, and nothing into the handler. */
static void make_seh_handler(Funclets *f, FuncletPad *pad, IrBuilder *b)
{
	IrType *result = ir_type_simple(f->m, TYPE_CATCH_TOKEN);
	IrNamedAttr filter = {ir_known_name(f->m, NAME_filter), ir_attr_symbol(f->m, caught_type(pad))};
	IrOp *op = ir_build_spec(b, &(IrOpSpec){.kind = OP_CATCHPAD,
	                                        .operands = &pad->dispatch->token,
	                                        .noperands = 1,
	                                        .result_types = &result,
	                                        .nresults = 1,
	                                        .attrs = &filter,
	                                        .nattrs = 1});
	pad->token = &op->results[0];
}

void funclet_make_handler(Funclets *f, FuncletPad *pad)
{
	IrOp *first = pad->block->first;
	IrBuilder b = ir_before(f->m, first);
	b.loc = first->loc;
	if (f->is_circ) {
		make_seh_handler(f, pad, &b);
		return;
	}
	Name *type = caught_type(pad);
	MsCatch clause = {.adjectives = MS_CATCH_ALL};
	if (type && !ms_catch_type(&f->rt->types, type, pad->op->loc, &clause)) {
		f->rt->rt.ok = false;
		return;
	}
	Handler h = read_handler(pad);
	bool wanted = h.begin && (h.reference || h.begin->results[1].uses);
	IrType *copied =
	    wanted && !h.reference && clause.scalar_size ? type_read(&h, clause.scalar_size) : NULL;
	IrValue *slot = NULL;
	if (type && wanted)
		slot =
		    make_slot(f, copied ? copied : f->m->voidp, copied ? clause.scalar_size : 8, first->loc);
	bool by_reference = slot ? !copied && (!h.pointer || h.reference) : clause.is_class;
	uint32_t adjectives = clause.adjectives | (by_reference ? MS_REFERENCE : 0);
	pad->token = &build_catchpad(f, &b, pad, &clause, adjectives, slot)->results[0];
	if (!h.begin) {
		ms_end_in_terminate(f->rt, &b);
		vec_push(f->mem, &f->replaced, first);
	} else if (wanted) {
		give_pointer(f, &b, &h, slot && !copied ? ir_build_load(&b, slot) : slot);
	}
}
