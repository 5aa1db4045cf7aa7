/* cir.dyn_cast (cir-reference 5.1).
 *
 * 	ptr:  p != null ? __dynamic_cast(p, source, destination, hint) : null
 * 	ref:  q = __dynamic_cast(…); if (q == null) __cxa_bad_cast(); q
 * 	to the complete object:  p != null ? p + offset_to_top : null; the offset stands two slots before the address
 * 	      point of the virtual table (Itanium C++ ABI 2.5.2). There is no info then, or one without a destination
 *
 * On windows-msvc, libcircrt has these, for objects whose tables CIR defines.
 *
 * Microsoft: __RTDynamicCast(p, 0, source, destination, is_reference), which throws by itself, and
 * __RTCastToVoid(p). They read complete object locators before the tables: that the objects have
 * those, the front end says by naming __RTDynamicCast as the function. Itanium type infos become
 * type descriptors later (msvc/rtti.h).
 */
#include "expand/internal.h"

static const char what[] = "function of the C++ runtime";
static const char itanium_function[] = "__dynamic_cast";

/* The address that an attribute stands for, as a value. */
static IrValue *rtti(Expand *x, IrBuilder *b, const IrAttr *a)
{
	return ir_build_bitcast(b, ir_build_const(b, a), x->m->voidp);
}

static const char *function_of(const IrAttr *info, unsigned param)
{
	return info->elems[param]->name->text;
}

static IrValue *operand(Expand *x, IrBuilder *b, const IrOp *op)
{
	return ir_build_bitcast(b, ir_operand(op, 0), x->m->voidp);
}

static IrValue *is_not_null(IrBuilder *b, IrValue *p)
{
	return ir_build_cast(b, CAST_PTR_TO_BOOL, p, ir_type_simple(b->m, TYPE_BOOL));
}

/* Of the runtime's function. */
static IrValue *call_runtime(Expand *x, IrBuilder *b, const IrOp *op, const IrAttr *info)
{
	const IrAttr *hint = info->elems[DYN_CAST_INFO_OFFSET_HINT];
	LibFn fn = {function_of(info, DYN_CAST_INFO_RUNTIME_FUNC), "ppppl", true, false, what};
	IrValue *offset = ir_build_const(b, hint), *result;
	if (offset->type != x->m->difference)
		offset = ir_build_cast(b, CAST_INTEGRAL, offset, x->m->difference);
	IrValue *args[] = {operand(x, b, op), rtti(x, b, info->elems[DYN_CAST_INFO_SRC_RTTI]),
	                   rtti(x, b, info->elems[DYN_CAST_INFO_DEST_RTTI]), offset};
	return expand_call(x, b, &fn, args, 4, &result) ? result : NULL;
}

static bool refer(Expand *x, IrBuilder *b, const IrOp *op, const IrAttr *info, IrValue **result)
{
	LibFn bad_cast = {function_of(info, DYN_CAST_INFO_BAD_CAST_FUNC), "v", false, true, what};
	*result = call_runtime(x, b, op, info);
	if (!*result)
		return false;
	IrValue *null = ir_build_const(b, ir_attr_null(x->m, (*result)->type));
	IrOp *failed = ir_build_regions(b, OP_IF, ir_build_cmp(b, CMP_EQ, *result, null), NULL, 2);
	IrBuilder in = ir_in_region(b, &failed->regions[0]);
	if (!expand_call(x, &in, &bad_cast, NULL, 0, NULL))
		return false;
	ir_build(&in, OP_UNREACHABLE, NULL, NULL, 0);
	return true;
}

/* Relative tables have slots of 32 bits. */
static IrValue *complete_object(Expand *x, IrBuilder *b, const IrOp *op)
{
	bool relative = ir_op_has(op, NAME_relative_layout);
	IrType *slot = ir_type_ptr(x->m, relative ? x->m->s32 : x->m->difference);
	IrValue *vptr = ir_build_load(b, ir_build_bitcast(b, ir_operand(op, 0), ir_type_ptr(x->m, slot)));
	IrValue *back[] = {vptr, ir_build_const_int(b, x->m->difference, (uint64_t)-2)};
	IrValue *offset = ir_build_load(b, &ir_build(b, OP_PTR_STRIDE, slot, back, 2)->results[0]);
	IrType *bytes = ir_type_ptr(x->m, x->m->u8);
	IrValue *step[] = {ir_build_bitcast(b, ir_operand(op, 0), bytes), offset};
	return &ir_build(b, OP_PTR_STRIDE, bytes, step, 2)->results[0];
}

/* p != null ? what `cast` gives : null */
static bool unless_null(Expand *x, IrBuilder *b, const IrOp *op, const IrAttr *info, IrValue **result)
{
	IrType *type = op->results[0].type;
	IrOp *choice = ir_build_regions(b, OP_TERNARY, is_not_null(b, ir_operand(op, 0)), type, 2);
	IrBuilder cast = ir_in_region(b, &choice->regions[0]), null = ir_in_region(b, &choice->regions[1]);
	IrValue *v = info ? call_runtime(x, &cast, op, info) : complete_object(x, &cast, op);
	if (!v)
		return false;
	ir_build_yield(&cast, ir_build_bitcast(&cast, v, type));
	ir_build_yield(&null, ir_build_const(&null, ir_attr_null(x->m, type)));
	*result = &choice->results[0];
	return true;
}

static bool is_to_complete(const IrAttr *info)
{
	return !info || info->elems[DYN_CAST_INFO_DEST_RTTI]->kind == ATTR_PTR;
}

static bool expand_itanium(Expand *x, IrBuilder *b, const IrOp *op, IrValue **result)
{
	const IrAttr *info = ir_op_attr(op, NAME_info);
	if (ir_op_enum(op, NAME_kind, DYNAMIC_CAST_PTR) == DYNAMIC_CAST_REF)
		return refer(x, b, op, info, result);
	return unless_null(x, b, op, is_to_complete(info) ? NULL : info, result);
}

static bool has_microsoft_tables(Expand *x, const IrOp *op, const IrAttr *info, const char *function)
{
	const IrOp *table = expand_itanium_table(x, info->elems[DYN_CAST_INFO_SRC_RTTI]);
	const char *named = function_of(info, DYN_CAST_INFO_RUNTIME_FUNC);
	if (strcmp(named, function) != 0) {
		diag_error(x->d, op->loc,
		           "'cir.dyn_cast' op names '%s' as its runtime function; on target '%s' name '%s' "
		           "for objects with Microsoft's virtual tables, or '%s' for those with tables of "
		           "the Itanium ABI",
		           named, x->target->name, function, itanium_function);
		return false;
	}
	if (!table)
		return true;
	diag_error(x->d, op->loc,
	           "'cir.dyn_cast' op: '%s' needs objects with Microsoft virtual tables, but the module has "
	           "an Itanium one for this class, or for a class derived from it",
	           function);
	diag_note(x->d, table->loc, "'%s' is here", ir_symbol_name(table)->text);
	return false;
}

/* Without an info, the tables that the module has must tell. */
static bool complete_without_info(Expand *x, IrBuilder *b, const IrOp *op, IrValue **result)
{
	if (expand_itanium_table_of(x, ir_operand(op, 0)->type->elem))
		return unless_null(x, b, op, NULL, result);
	diag_error(x->d, op->loc,
	           "'cir.dyn_cast' op does not specify whether the object has a Microsoft or an Itanium "
	           "virtual table; add a #cir.dyn_cast_info that names '__RTDynamicCast' and has a null "
	           "dest_rtti, or define the Itanium table and type info of the class in the module");
	return false;
}

static bool expand_microsoft(Expand *x, IrBuilder *b, const IrOp *op, IrValue **result)
{
	static const LibFn to_void = {"__RTCastToVoid", "pp", false, false, what};
	static const LibFn dynamic = {"__RTDynamicCast", "ppippi", false, false, what};
	const IrAttr *info = ir_op_attr(op, NAME_info);
	if (!info)
		return complete_without_info(x, b, op, result);
	if (strcmp(function_of(info, DYN_CAST_INFO_RUNTIME_FUNC), itanium_function) == 0)
		return expand_itanium(x, b, op, result);
	if (!has_microsoft_tables(x, op, info, dynamic.name))
		return false;
	IrValue *object = operand(x, b, op);
	if (is_to_complete(info))
		return expand_call(x, b, &to_void, &object, 1, result);
	bool ref = ir_op_enum(op, NAME_kind, DYNAMIC_CAST_PTR) == DYNAMIC_CAST_REF;
	IrValue *args[] = {
	    object, ir_build_const_int(b, x->m->s32, 0), rtti(x, b, info->elems[DYN_CAST_INFO_SRC_RTTI]),
	    rtti(x, b, info->elems[DYN_CAST_INFO_DEST_RTTI]), ir_build_const_int(b, x->m->s32, ref)};
	return expand_call(x, b, &dynamic, args, 5, result);
}

bool expand_dyn_cast(Expand *x, IrOp *op)
{
	IrBuilder b = ir_before(x->m, op);
	IrValue *result;
	if (!(expand_is_microsoft(x) ? expand_microsoft : expand_itanium)(x, &b, op, &result))
		return false;
	ir_value_replace(&op->results[0], ir_build_bitcast(&b, result, op->results[0].type));
	ir_op_erase(op);
	return true;
}
