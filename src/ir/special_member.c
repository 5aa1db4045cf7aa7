#include "ir/special_member.h"

/* The record that func assigns, trivially; NULL: it is no such operator. */
static const IrType *trivially_assigned(const IrOp *func)
{
	static const char copy[] = "#cir.cxx_assign<\0, copy, trivial true>";
	static const char move[] = "#cir.cxx_assign<\0, move, trivial true>";
	const IrAttr *info = ir_op_attr(func, NAME_func_info);
	if (!info || info->kind != ATTR_OPAQUE || info->n != 1 || info->elems[0]->kind != ATTR_TYPE)
		return NULL;
	Str text = name_str(info->name);
	return str_equal(text, STR(copy)) || str_equal(text, STR(move)) ? info->elems[0]->type : NULL;
}

static bool takes_two(const IrType *func, const IrType *record)
{
	if (func->nmembers != 2)
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (func->members[i]->kind != TYPE_PTR || func->members[i]->elem != record)
			return false;
	return true;
}

static bool is_own_variable(const IrValue *address)
{
	return !address->is_arg && address->def.op->kind == OP_ALLOCA;
}

static bool writes_variables_only(const IrOp *func)
{
	for (IrOp *op = ir_walk_first(&func->regions[0]); op; op = ir_walk_next(op, &func->regions[0])) {
		switch (op->kind) {
		case OP_ALLOCA:
		case OP_LOAD:
		case OP_RETURN:
			break;
		case OP_STORE:
			if (!is_own_variable(ir_operand(op, 1)))
				return false;
			break;
		default:
			return false;
		}
	}
	return true;
}

bool ir_lacks_union_copy(const IrOp *func)
{
	const IrType *record = trivially_assigned(func);
	return record && record->kind == TYPE_RECORD && record->record_kind == RECORD_UNION &&
	       !ir_func_is_declaration(func) && takes_two(ir_func_type(func), record) &&
	       writes_variables_only(func);
}
