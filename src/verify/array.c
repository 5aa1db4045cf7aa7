/* Arrays of objects: their construction and destruction (cir-reference 5.15). */
#include "verify/verifier.h"

static const IrType *innermost(const IrType *t)
{
	while (t->kind == TYPE_ARRAY)
		t = t->elem;
	return t;
}

/* cir.array.ctor and cir.array.dtor */

static bool check_element_region(Verifier *v, const IrOp *op, const IrRegion *r)
{
	const IrType *addr = ir_operand(op, 0)->type;
	const IrBlock *b = r->first;
	if (b->nargs != 1 || !ir_is_ptr(b->args[0]->type) || b->args[0]->type->attr) {
		verifier_error(v, op, ": the region must have one argument, a pointer to an element");
		return false;
	}
	const IrType *arg = b->args[0]->type;
	if (ir_op_nmain(op) == 1) {
		if (addr->elem->kind != TYPE_ARRAY)
			verifier_error(v, op,
			               ": without 'num_elements', 'addr' must be a pointer to a !cir.array");
		else if (arg->elem != innermost(addr->elem))
			verifier_error(v, op,
			               ": the argument of the region must point to the innermost element "
			               "type of the array");
		else
			return true;
	} else if (arg != addr) {
		verifier_error(
		    v, op, ": with 'num_elements', the argument of the region must have the type of 'addr'");
	} else {
		return true;
	}
	return false;
}

/* The loops over the elements are built with pointers of the default address space. */
static bool check_address_space(Verifier *v, const IrOp *op)
{
	if (!ir_operand(op, 0)->type->attr)
		return true;
	verifier_error(v, op, "does not support an array outside of the default address space");
	return false;
}

void verify_array_structor(Verifier *v, const IrOp *op)
{
	if (!check_address_space(v, op))
		return;
	bool partial = op->kind == OP_ARRAY_CTOR && op->regions[1].first;
	if (!op->regions[0].first)
		verifier_error(v, op, ": the element region is empty");
	else if (check_element_region(v, op, &op->regions[0]) &&
	         (!partial || check_element_region(v, op, &op->regions[1])))
		verifier_check_storage(v, op, op->regions[0].first->args[0]->type->elem, "element type");
}

/* cir.delete_array */

/* A function of the module that the expansion can call; NULL: reported. */
static const IrType *named_function(Verifier *v, const IrOp *op, NameId attr)
{
	const char *key = ir_known_name(v->m, attr)->text;
	const IrAttr *a = ir_op_attr(op, attr);
	const IrOp *func = a && a->kind == ATTR_SYMBOL && !a->n ? verifier_func(a->name) : NULL;
	if (!a)
		verifier_error(v, op, "requires attribute '%s'", key);
	else if (!func || !ir_func_type(func))
		verifier_error(v, op, ": expected '%s' to name a function of the module, found '%s'", key,
		               ir_attr_str(v->arena, a));
	else if (ir_op_enum(func, NAME_calling_conv, CALLING_CONV_C) != CALLING_CONV_C)
		verifier_error(v, op, ": the function that '%s' names must have the calling convention 'c'",
		               key);
	else
		return ir_func_type(func);
	return NULL;
}

static bool is_alignment(const IrAttr *a)
{
	uint64_t n;
	return a->kind == ATTR_INT && ir_attr_get_u64(a, &n) && n && !(n & (n - 1)) && n <= UINT32_MAX;
}

static bool is_set(const IrAttr *flag)
{
	return flag && flag->bits;
}

static bool check_delete_params(Verifier *v, const IrOp *op, const IrAttr *params)
{
	if (!params) {
		verifier_error(v, op, "requires attribute 'delete_params'");
	} else if (params->kind != ATTR_PARAMS || params->row != ATTR_ROW_USUAL_DELETE_PARAMS) {
		verifier_error(v, op,
		               ": expected attribute 'delete_params' to be #cir.usual_delete_params<…>");
	} else if (is_set(params->elems[USUAL_DELETE_PARAMS_TYPE_AWARE])) {
		verifier_error(v, op, "does not support a type-aware 'operator delete[]'");
	} else if (is_set(params->elems[USUAL_DELETE_PARAMS_DESTROYING])) {
		verifier_error(v, op, ": an 'operator delete[]' cannot be destroying");
	} else {
		const IrAttr *aligned[] = {params->elems[USUAL_DELETE_PARAMS_ALIGNMENT],
		                           ir_op_attr(op, NAME_element_align)};
		for (unsigned i = 0; i < ARRAY_LEN(aligned); i++) {
			if (!aligned[i] || is_alignment(aligned[i]))
				continue;
			verifier_error(v, op, ": expected the alignment to be a power of two, found '%s'",
			               ir_attr_str(v->arena, aligned[i]));
			return false;
		}
		return true;
	}
	return false;
}

/* void (T *⟦, size⟧⟦, alignment⟧) */
static bool check_delete_fn(Verifier *v, const IrOp *op, const IrAttr *params)
{
	const IrType *t = named_function(v, op, NAME_delete_fn);
	if (!t)
		return false;
	static const char *const takes[2][2] = {
	    {"a pointer", "a pointer and an alignment"},
	    {"a pointer and a size", "a pointer, a size and an alignment"},
	};
	uint32_t width = ir_module_address_size(v->m) * 8;
	bool size = is_set(params->elems[USUAL_DELETE_PARAMS_SIZE]);
	bool alignment = params->elems[USUAL_DELETE_PARAMS_ALIGNMENT] != NULL;
	uint32_t n = 1 + size + alignment;
	bool fits = t->elem->kind == TYPE_VOID && !t->variadic && t->nmembers == n &&
	            ir_is_ptr(t->members[0]) && !t->members[0]->attr;
	for (uint32_t i = 1; fits && i < n; i++)
		fits = ir_is_int(t->members[i]) && t->members[i]->width == width;
	if (!fits)
		verifier_error(v, op, ": expected 'delete_fn' to take %s%s and return void, found '%s'",
		               takes[size][alignment],
		               n == 1 ? "" : arena_printf(v->arena, " of %u bits", width),
		               verifier_type(v, t));
	return fits;
}

static bool check_element_dtor(Verifier *v, const IrOp *op)
{
	const IrType *element = innermost(ir_operand(op, 0)->type->elem), *t;
	if (!ir_op_has(op, NAME_element_dtor))
		return true;
	if (!(t = named_function(v, op, NAME_element_dtor)))
		return false;
	if (t->elem->kind == TYPE_VOID && !t->variadic && t->nmembers == 1 && ir_is_ptr(t->members[0]) &&
	    t->members[0]->elem == element && !t->members[0]->attr)
		return true;
	verifier_error(v, op,
	               ": expected 'element_dtor' to take a pointer to '%s' and return void, found '%s'",
	               verifier_type(v, element), verifier_type(v, t));
	return false;
}

void verify_delete_array(Verifier *v, const IrOp *op)
{
	const IrAttr *params = ir_op_attr(op, NAME_delete_params);
	if (!check_address_space(v, op) || !check_delete_params(v, op, params) ||
	    !check_delete_fn(v, op, params) || !check_element_dtor(v, op))
		return;
	const IrType *element = innermost(ir_operand(op, 0)->type->elem);
	bool dtor = ir_op_has(op, NAME_element_dtor);
	if (!dtor && ir_op_has(op, NAME_dtor_may_throw))
		verifier_error(v, op, "has 'dtor_may_throw' without 'element_dtor'");
	else if (dtor || is_set(params->elems[USUAL_DELETE_PARAMS_SIZE]))
		verifier_check_storage(v, op, element, "element type");
}
