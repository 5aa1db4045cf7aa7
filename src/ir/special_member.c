#include "ir/special_member.h"

#include "ir/thunk.h"

SpecialMemberInfo ir_special_member(const IrOp *func)
{
	const struct {
		Str head;
		SpecialMember kind;
	} rows[] = {
	    {STR("#cir.cxx_ctor<\0, default"), SPECIAL_DEFAULT_CTOR},
	    {STR("#cir.cxx_ctor<\0, custom"), SPECIAL_CUSTOM_CTOR},
	    {STR("#cir.cxx_ctor<\0, copy"), SPECIAL_COPY_CTOR},
	    {STR("#cir.cxx_ctor<\0, move"), SPECIAL_MOVE_CTOR},
	    {STR("#cir.cxx_assign<\0, copy"), SPECIAL_COPY_ASSIGN},
	    {STR("#cir.cxx_assign<\0, move"), SPECIAL_MOVE_ASSIGN},
	    {STR("#cir.cxx_dtor<\0"), SPECIAL_DTOR},
	};
	SpecialMemberInfo none = {0};
	const IrAttr *info = ir_op_attr(func, NAME_func_info);
	if (!info || info->kind != ATTR_OPAQUE || info->n != 1 || info->elems[0]->kind != ATTR_TYPE)
		return none;
	Str text = name_str(info->name);
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		if (!str_begins_with(text, rows[i].head))
			continue;
		Str rest = {text.data + rows[i].head.len, text.len - rows[i].head.len};
		return (SpecialMemberInfo){rows[i].kind, str_begins_with(rest, STR(", trivial true")),
		                           info->elems[0]->type};
	}
	return none;
}

/* The record that func copies or moves, trivially; NULL: it does not. */
static const IrType *trivially_copied(const IrOp *func)
{
	SpecialMemberInfo info = ir_special_member(func);
	bool copies = info.kind >= SPECIAL_COPY_CTOR && info.kind <= SPECIAL_MOVE_ASSIGN;
	return copies && info.trivial ? info.record : NULL;
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
	const IrType *record = trivially_copied(func);
	return record && record->kind == TYPE_RECORD && record->record_kind == RECORD_UNION &&
	       !ir_func_is_declaration(func) && takes_two(ir_func_type(func), record) &&
	       writes_variables_only(func);
}

/* …aSERKS_, …C1EOS_ (Itanium C++ ABI 5.1), ??4…, ??0… */
static bool names_copy(const char *name)
{
	static const char *const parts[] = {"aSERKS", "aSEOS", "C1ERKS", "C1EOS", "C2ERKS", "C2EOS"};
	if (strncmp(name, "??4", 3) == 0 || strncmp(name, "??0", 3) == 0)
		return true;
	for (unsigned i = 0; i < ARRAY_LEN(parts); i++)
		if (strncmp(name, "_ZN", 3) == 0 && strstr(name, parts[i]))
			return true;
	return false;
}

static bool is_named(const IrValue *parameter)
{
	IR_FOR_USES (u, parameter) {
		bool stored = u->user->kind == OP_STORE && is_own_variable(ir_operand(u->user, 1));
		const IrOp *variable = stored ? ir_operand(u->user, 1)->def.op : NULL;
		const IrAttr *name = variable ? ir_op_attr(variable, NAME_name) : NULL;
		if (name && name_str(name->name).len)
			return true;
	}
	return false;
}

bool ir_may_lack_union_copy(const IrOp *func)
{
	const IrType *t = ir_func_type(func);
	const IrType *record =
	    t->nmembers == 2 && t->members[0]->kind == TYPE_PTR ? t->members[0]->elem : NULL;
	if (!record || record->kind != TYPE_RECORD || record->record_kind != RECORD_UNION ||
	    ir_op_has(func, NAME_func_info) || ir_func_is_declaration(func) || !takes_two(t, record))
		return false;
	return names_copy(ir_symbol_name(func)->text) && writes_variables_only(func) &&
	       !is_named(func->regions[0].first->args[1]);
}

/* The class that a member function is of whose info begins with head; NULL: it is none. */
static const IrType *class_of(const IrOp *func, Str head)
{
	const IrAttr *info = ir_op_attr(func, NAME_func_info);
	if (!info || info->kind != ATTR_OPAQUE || !info->n || info->elems[0]->kind != ATTR_TYPE)
		return NULL;
	return str_begins_with(name_str(info->name), head) ? info->elems[0]->type : NULL;
}

const IrType *ir_constructed(const IrOp *func)
{
	return class_of(func, STR("#cir.cxx_ctor<"));
}

const IrType *ir_destroyed(const IrOp *func)
{
	return class_of(func, STR("#cir.cxx_dtor<"));
}

/* A function loads a parameter like `this` once. Of a variable with more uses than this nothing is known. */
enum { USES_MAX = 256 };

/* The only value that a variable ever has; NULL: there are more, or its address is known elsewhere. */
static const IrValue *only_value(const IrValue *variable)
{
	const IrValue *v = NULL;
	if (variable->is_arg || variable->def.op->kind != OP_ALLOCA)
		return NULL;
	uint32_t n = 0;
	IR_FOR_USES (u, variable) {
		if (++n > USES_MAX)
			return NULL;
		if (u->user->kind == OP_LOAD)
			continue;
		if (v || u->user->kind != OP_STORE || u != &u->user->operands[1])
			return NULL;
		v = ir_operand(u->user, 0);
	}
	return v;
}

const IrValue *ir_parameter(const IrOp *func, const IrValue *v)
{
	if (!v->is_arg && v->def.op->kind == OP_LOAD)
		v = only_value(ir_operand(v->def.op, 0));
	return v && v->is_arg && v->def.block == func->regions[0].first ? v : NULL;
}

bool ir_sets_vptr(const IrOp *op)
{
	return op->kind == OP_STORE && ir_operand(op, 0)->type->kind == TYPE_VPTR;
}

/* The class that the callee destroys; NULL: another function. */
static const IrType *destroyed_by(const IrOp *call)
{
	const Name *name = ir_call_callee(call);
	const IrOp *callee = name ? ir_symbol(name) : NULL;
	return callee && callee->kind == OP_FUNC ? ir_destroyed(callee) : NULL;
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
	if ((op->kind != OP_CALL && op->kind != OP_TRY_CALL) || destroyed_by(op) != ir_destroyed(func) ||
	    !ir_call_nargs(op))
		return false;
	const IrValue *object = ir_parameter(func, ir_call_arg(op, 0));
	return object && object->index == 0;
}

bool ir_lacks_vptrs(const IrOp *func)
{
	bool lacks = false;
	if (!ir_destroyed(func) || ir_is_thunk(func) || ir_func_is_declaration(func))
		return false;
	for (IrOp *op = ir_walk_first(&func->regions[0]); op; op = ir_walk_next(op, &func->regions[0])) {
		if (ir_sets_vptr(op) || delegates(func, op))
			return false;
		lacks |= depends_on_vptr(op);
	}
	return lacks;
}
