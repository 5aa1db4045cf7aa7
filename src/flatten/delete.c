/* cir.delete_array (cir-reference 5.15), written out in structured form:
 *
 *	if p != null {
 *	  allocated = p - cookie; count = *cookie           where there is a cookie
 *	  cleanup.scope { array.dtor p, count } cleanup { delete_fn(allocated ⟦, size⟧⟦, alignment⟧) }
 *	}
 *
 * The memory is given back however the destructors end: [expr.delete] of the C++ standard.
 */
#include "flatten/internal.h"

#include "ir/layout.h"
#include "target/target.h"

typedef struct Delete {
	Flatten *f;
	IrOp *op;
	const IrAttr *const *params; /* of delete_params */
	IrType *element;
	Name *dtor;         /* or NULL */
	uint64_t cookie;    /* bytes in front of the elements; 0: none */
	uint64_t count_at;  /* of the number of elements, from the begin of the cookie */
	IrValue *first;     /* element */
	IrValue *allocated; /* what new[] was given */
	IrValue *count;     /* NULL: not known, and not needed */
} Delete;

static bool wants_size(const Delete *d)
{
	const IrAttr *size = d->params[USUAL_DELETE_PARAMS_SIZE];
	return size && size->bits;
}

static uint64_t element_align(const Delete *d)
{
	uint64_t stated = ir_op_uint(d->op, NAME_element_align, 0), given;
	if (stated)
		return stated;
	const IrAttr *a = d->params[USUAL_DELETE_PARAMS_ALIGNMENT];
	uint64_t own = ir_type_sized(d->element) ? ir_type_align(d->element) : 1;
	return a && ir_attr_get_u64(a, &given) && given > own ? given : own;
}

/* Itanium C++ ABI 2.7: there is a cookie when the elements have a destructor or operator delete[] wants the
 * size; it is as long as the alignment of the elements, and ends with their number; on some processors it begins
 * with the size of an element, and the number is next. Microsoft: operator
 * delete[] does not count, and the cookie begins with the number. */
static void find_cookie(Delete *d)
{
	const AbiTarget *target = abi_target(ir_module_triple(d->f->m));
	bool microsoft = target && target->runtime == RUNTIME_MICROSOFT;
	if (!d->dtor && (microsoft || !wants_size(d)))
		return;
	uint64_t align = element_align(d);
	uint32_t number = ir_module_address_size(d->f->m);
	bool has_size = target && target->machine->cookie_has_size;
	uint32_t least = has_size ? 2 * number : number;
	d->cookie = align > least ? align : least;
	d->count_at = microsoft ? 0 : has_size ? number : d->cookie - number;
}

static IrValue *cast(IrBuilder *b, IrValue *p, IrType *to)
{
	return p->type == to ? p : ir_build_cast(b, CAST_BITCAST, p, to);
}

static IrValue *step(IrBuilder *b, IrValue *bytes, int64_t n)
{
	if (n == 0)
		return bytes;
	IrValue *operands[] = {bytes, ir_build_const_int(b, b->m->s64, (uint64_t)n)};
	return &ir_build(b, OP_PTR_STRIDE, bytes->type, operands, 2)->results[0];
}

static void read_cookie(Delete *d, IrBuilder *b)
{
	IrModule *m = d->f->m;
	d->allocated = d->first;
	if (!d->cookie)
		return;
	d->allocated = step(b, cast(b, d->first, ir_type_ptr(m, m->u8)), -(int64_t)d->cookie);
	IrValue *number = step(b, d->allocated, (int64_t)d->count_at);
	d->count = ir_build_load(b, cast(b, number, ir_type_ptr(m, m->size)));
}

static IrValue *binary(IrBuilder *b, OpKind kind, IrValue *x, IrValue *y)
{
	IrValue *operands[] = {x, y};
	return &ir_build(b, kind, x->type, operands, 2)->results[0];
}

/* What new[] asked for. Where no cookie tells the number of elements, Clang passes the size of one. */
static IrValue *total_size(Delete *d, IrBuilder *b)
{
	IrType *number = d->f->m->size;
	IrValue *size = ir_build_const_int(b, number, ir_type_size(d->element));
	if (!d->count)
		return size;
	size = binary(b, OP_MUL, size, d->count);
	return binary(b, OP_ADD, size, ir_build_const_int(b, number, d->cookie));
}

static IrValue *as_parameter(IrBuilder *b, IrValue *v, IrType *type)
{
	return v->type == type ? v : ir_build_cast(b, CAST_INTEGRAL, v, type);
}

static void build_free(Delete *d, IrBuilder *b)
{
	Name *name = ir_op_symbol(d->op, NAME_delete_fn);
	IrType *const *types = ir_func_type(ir_symbol(name))->members;
	const IrAttr *alignment = d->params[USUAL_DELETE_PARAMS_ALIGNMENT];
	uint64_t align;
	IrValue *args[3] = {cast(b, d->allocated, types[0])};
	uint32_t n = 1;
	if (wants_size(d)) {
		args[n] = as_parameter(b, total_size(d, b), types[n]);
		n++;
	}
	if (alignment && ir_attr_get_u64(alignment, &align)) {
		args[n] = ir_build_const_int(b, types[n], align);
		n++;
	}
	ir_set_flag(d->f->m, ir_build_call(b, name, NULL, args, n), NAME_nothrow);
}

static void build_destruction(Delete *d, IrBuilder *b)
{
	IrModule *m = d->f->m;
	bool throws = ir_op_has(d->op, NAME_dtor_may_throw);
	IrValue *operands[] = {d->first, d->count};
	IrOp *dtor = ir_build_spec(
	    b, &(IrOpSpec){.kind = OP_ARRAY_DTOR, .operands = operands, .noperands = 2, .nregions = 1});
	IrBuilder each = expand_region(d->f, d->op, &dtor->regions[0]);
	IrValue *element = ir_block_add_arg(m, each.block, d->first->type);
	IrOp *call = ir_build_call(&each, d->dtor, NULL, &element, 1);
	expand_yield(&each);
	ir_set_flag(m, throws ? dtor : call, throws ? NAME_dtor_may_throw : NAME_nothrow);
}

static void build_not_null(Delete *d, IrBuilder *b)
{
	d->first = array_first_element(d->f, b, ir_operand(d->op, 0));
	read_cookie(d, b);
	if (!d->dtor) {
		build_free(d, b);
		return;
	}
	bool throws = ir_op_has(d->op, NAME_dtor_may_throw);
	IrOp *scope = expand_cleanup_scope(b, throws ? CLEANUP_ALL : CLEANUP_NORMAL);
	IrBuilder body = expand_region(d->f, d->op, &scope->regions[0]);
	build_destruction(d, &body);
	expand_yield(&body);
	IrBuilder cleanup = expand_region(d->f, d->op, &scope->regions[1]);
	build_free(d, &cleanup);
	expand_yield(&cleanup);
}

static IrType *innermost(IrType *t)
{
	while (t->kind == TYPE_ARRAY)
		t = t->elem;
	return t;
}

void flatten_delete_array(Flatten *f, IrOp *op)
{
	IrValue *p = ir_operand(op, 0);
	Delete d = {.f = f,
	            .op = op,
	            .params = ir_op_attr(op, NAME_delete_params)->elems,
	            .element = innermost(p->type->elem),
	            .dtor = ir_op_symbol(op, NAME_element_dtor)};
	find_cookie(&d);
	IrBlock *made = flatten_block(f, op);
	IrBuilder b = ir_at_end(f->m, made, op->loc);
	IrValue *null = ir_build_const(&b, ir_attr_null(f->m, p->type));
	IrOp *guarded = expand_region_op(&b, OP_IF, ir_build_cmp(&b, CMP_NE, p, null), 2);
	IrBuilder inside = expand_region(f, op, &guarded->regions[0]);
	build_not_null(&d, &inside);
	expand_yield(&inside);
	expand_done(f, made, op);
}
