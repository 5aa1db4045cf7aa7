/* What a row of ops.def says of its op: attributes, operands, results, regions and successors. */
#include "verify/verifier.h"

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

/* Attributes */

static const char *const attr_class_text[] = {
    [ATTR_CLASS_ANY] = "any attribute",    [ATTR_CLASS_UNIT] = "a unit attribute",
    [ATTR_CLASS_INT] = "an integer",       [ATTR_CLASS_STR] = "a string",
    [ATTR_CLASS_FLOAT] = "a 64-bit float", [ATTR_CLASS_SYM] = "a symbol, '@name'",
    [ATTR_CLASS_TYPE] = "a type",          [ATTR_CLASS_FLAG] = "true or false",
};

static bool is_f64(const IrType *t)
{
	return t->kind == TYPE_BUILTIN_FLOAT && strcmp(t->name->text, "f64") == 0;
}

static bool attr_fits(const ShapeAttr *want, const IrAttr *a)
{
	switch (want->class) {
	case ATTR_CLASS_ANY:
		return true;
	case ATTR_CLASS_UNIT:
		return a->kind == ATTR_UNIT;
	case ATTR_CLASS_INT:
		return a->kind == ATTR_INT;
	case ATTR_CLASS_FLOAT:
		return a->kind == ATTR_FLOAT && is_f64(a->type);
	case ATTR_CLASS_STR:
		return a->kind == ATTR_STRING;
	case ATTR_CLASS_SYM:
		return a->kind == ATTR_SYMBOL && a->n == 0;
	case ATTR_CLASS_TYPE:
		return a->kind == ATTR_TYPE;
	case ATTR_CLASS_FLAG:
		return a->kind == ATTR_FLAG;
	case ATTR_CLASS_ENUM:
		return a->kind == ATTR_ENUM && a->enum_class == want->enum_class;
	}
	return false;
}

/* Most ops have one attribute or two, of the many that their rows name. */
static bool attrs_fit(const IrOp *op, const OpShape *shape)
{
	unsigned missing = shape->required;
	for (uint32_t i = 0; i < op->nattrs; i++) {
		const IrNamedAttr *a = &op->attrs[i];
		unsigned k = 0;
		while (k < shape->nattrs && shape->attrs[k].name != a->name)
			k++;
		if (k == shape->nattrs)
			continue;
		if (!attr_fits(&shape->attrs[k], a->value))
			return false;
		missing &= ~(1U << k);
	}
	return !missing;
}

/* Reports the first that is missing or does not fit, in the order of the row. */
static bool check_attrs(Verifier *v, const IrOp *op, const OpShape *shape)
{
	if (attrs_fit(op, shape))
		return true;
	for (unsigned i = 0; i < shape->nattrs; i++) {
		const ShapeAttr *want = &shape->attrs[i];
		const IrAttr *a = ir_op_attr(op, want->name->id);
		if (!a && want->required) {
			verifier_error(v, op, "requires attribute '%s'", want->name->text);
			return false;
		}
		if (a && !attr_fits(want, a)) {
			if (want->class == ATTR_CLASS_ENUM)
				return verifier_not_word(v, op, want->name, want->enum_class);
			verifier_error(v, op, ": expected attribute '%s' to be %s, found '%s'",
			               want->name->text, attr_class_text[want->class],
			               ir_attr_str(v->arena, a));
			return false;
		}
	}
	return true;
}

/* Operands and results */

static bool is_in(ShapeRange r, uint32_t found)
{
	return found >= r.least && found <= r.most;
}

static bool report_count(Verifier *v, const IrOp *op, const char *what, ShapeRange r, uint32_t found)
{
	if (r.most == UINT32_MAX)
		verifier_error(v, op, ": expected at least %u %ss, found %u", r.least, what, found);
	else if (r.least != r.most)
		verifier_error(v, op, ": expected %u or %u %ss, found %u", r.least, r.most, what, found);
	else
		verifier_error(v, op, ": expected %u %s%s, found %u", r.most, what, plural(r.most), found);
	return false;
}

static void report_same(Verifier *v, const IrOp *op, const OpShape *shape, const ShapeSlot *slot,
                        const char *what, uint32_t i, const IrType *t)
{
	if (shape->same_types)
		verifier_error(v, op, ": all operands and results must have the same type");
	else if (shape->results[0].same && shape->results[0].of == 0 && slot == &shape->results[0])
		verifier_error(v, op, ": the result must have the type of the first operand");
	else
		verifier_error(v, op, ": expected %s #%u to have the type of operand #%u, '%s', found '%s'",
		               what, i, slot->of, verifier_type(v, ir_operand(op, slot->of)->type),
		               verifier_type(v, t));
}

static bool check_element(Verifier *v, const IrOp *op, const ShapeSlot *slot, const char *what, uint32_t i,
                          const IrType *t)
{
	const IrType *want = ir_element(ir_operand(op, slot->of)->type);
	if (!want || want == t)
		return true;
	verifier_error(v, op, ": expected %s #%u to have the element type of operand #%u, '%s', found '%s'",
	               what, i, slot->of, verifier_type(v, want), verifier_type(v, t));
	return false;
}

/* A type named by an attribute: `cir.const`. */
static bool check_attr_type(Verifier *v, const IrOp *op, const Name *name, const IrType *t)
{
	const IrAttr *a = ir_op_attr(op, name->id);
	if (a && a->type == t)
		return true;
	if (!a || !a->type)
		verifier_error(v, op, ": attribute '%s' has no type", name->text);
	else if (a->kind == ATTR_PTR || a->kind == ATTR_BOOL)
		verifier_error(v, op, ": the constant does not have the result type");
	else
		verifier_error(v, op, ": the result has type '%s', but the constant has type '%s'",
		               verifier_type(v, t), verifier_type(v, a->type));
	return false;
}

static bool check_slot(Verifier *v, const IrOp *op, const OpShape *shape, const ShapeSlot *slot,
                       const char *what, uint32_t i, const IrType *t)
{
	if (slot->attr)
		return check_attr_type(v, op, slot->attr, t);
	if (slot->same) {
		if (ir_operand(op, slot->of)->type == t)
			return true;
		report_same(v, op, shape, slot, what, i, t);
		return false;
	}
	if (slot->element)
		return check_element(v, op, slot, what, i, t);
	if (class_holds(slot->class, t))
		return true;
	verifier_error(v, op, ": expected %s #%u to be %s, found '%s'", what, i, class_text(slot->class),
	               verifier_type(v, t));
	return false;
}

static const ShapeSlot *slot_of(const ShapeSlot *slots, uint32_t n, uint32_t i)
{
	return &slots[i < n ? i : n - 1];
}

static bool check_operands(Verifier *v, const IrOp *op, const OpShape *shape)
{
	uint32_t n = ir_op_nmain(op);
	if (!is_in(shape->operand_range, n))
		return report_count(v, op, "operand", shape->operand_range, n);
	for (uint32_t i = 0; i < n; i++) {
		const ShapeSlot *slot = slot_of(shape->operands, shape->noperands, i);
		if (!check_slot(v, op, shape, slot, "operand", i, op->operands[i].value->type))
			return false;
	}
	return true;
}

static bool check_results(Verifier *v, const IrOp *op, const OpShape *shape)
{
	if (!is_in(shape->result_range, op->nresults))
		return report_count(v, op, "result", shape->result_range, op->nresults);
	for (uint32_t i = 0; i < op->nresults; i++) {
		const IrType *t = op->results[i].type;
		const ShapeSlot *slot = slot_of(shape->results, shape->nresults, i);
		if (!check_slot(v, op, shape, slot, "result", i, t))
			return false;
		if (!verifier_type_fits(v, t)) {
			verifier_error(v, op, ": result #%u has type '%s', which no value can have", i,
			               verifier_type(v, t));
			return false;
		}
	}
	return true;
}

static bool check_parts(Verifier *v, const IrOp *op, const char *what, uint8_t want, uint32_t found)
{
	if (want == OP_ANY || found == want)
		return true;
	verifier_error(v, op, ": expected %u %s%s, found %u", want, what, plural(want), found);
	return false;
}

bool verifier_check_row(Verifier *v, const IrOp *op)
{
	const OpShape *shape = shape_of(v->m, op->kind);
	const OpInfo *info = &op_info[op->kind];
	return check_attrs(v, op, shape) && check_operands(v, op, shape) && check_results(v, op, shape) &&
	       check_parts(v, op, "region", info->nregions, op->nregions) &&
	       check_parts(v, op, "successor", info->nsuccs, op->nsuccs);
}
