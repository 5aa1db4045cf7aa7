/* Annotations of functions, globals and stack slots (cir-reference 3.2). */
#include "verify/verifier.h"

static bool is_argument(const IrAttr *a)
{
	return a->kind == ATTR_STRING || (a->kind == ATTR_INT && a->type && a->type->kind != TYPE_INT);
}

static bool check_arguments(Verifier *v, const IrOp *op, const IrAttr *args)
{
	bool fits = !args || args->kind == ATTR_ARRAY;
	for (uint32_t i = 0; fits && args && i < args->n; i++)
		fits = is_argument(args->elems[i]);
	if (!fits)
		verifier_error(v, op,
		               ": expected the arguments of the annotation to be strings and integers");
	return fits;
}

bool verifier_check_annotations(Verifier *v, const IrOp *op)
{
	const IrAttr *list = ir_op_attr(op, NAME_annotations);
	if (list && list->kind != ATTR_ARRAY) {
		verifier_error(v, op, ": expected attribute 'annotations' to be an array of #cir.annotation");
		return false;
	}
	for (uint32_t i = 0; list && i < list->n; i++) {
		const IrAttr *a = list->elems[i];
		if (a->kind != ATTR_PARAMS || a->row != ATTR_ROW_ANNOTATION) {
			verifier_error(
			    v, op, ": expected attribute 'annotations' to be an array of #cir.annotation");
			return false;
		}
		if (!check_arguments(v, op, a->elems[ANNOTATION_ARGS]))
			return false;
	}
	return true;
}
