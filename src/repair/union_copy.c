/* Trivial assignments, copies and moves of unions. They copy its object representation ([class.copy.assign]/13,
 * [class.copy.ctor]/15). clang prints them without it, so that their bodies write to nothing but their own variables:
 *
 *	cir.func @operator=(%this, %from) func_info<#cir.cxx_assign<!union, move, trivial true>> { return %this }
 *
 * They begin with cir.copy %from to %this, which leaves what may stand in the padding at its end alone. Texts that are older
 * than func_info do not say that a function is trivial: there is a warning where it looks like that. */
#include "repair/internal.h"

#include "ir/special_member.h"
#include "ir/spell.h"

#include <inttypes.h>

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

static bool lacks_copy(const IrOp *func)
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

static bool may_lack_copy(const IrOp *func)
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

static void copy_union(IrModule *m, IrOp *func)
{
	IrBlock *entry = func->regions[0].first;
	IrValue *operands[] = {entry->args[1], entry->args[0]};
	IrBuilder b = ir_before(m, entry->first);
	b.loc = func->loc;
	ir_set_flag(m, ir_build(&b, OP_COPY, NULL, operands, 2), NAME_skip_tail_padding);
}

static void warn(const Repair *r, const IrOp *func)
{
	diag_warning(r->d, func->loc,
	             "cannot tell whether '%s', which copies nothing, is the trivial copy of '%s'; assuming "
	             "that it is "
	             "not; if it is, add 'func_info' with 'trivial true'",
	             ir_symbol_name(func)->text, ir_type_str(r->mem, ir_func_type(func)->members[0]->elem));
}

bool repair_union_copies(Repair *r)
{
	uint32_t untold = 0;
	bool tells =
	    r->changes && r->stage == STAGE_STRUCTURED; /* flat text may be circ's own, and was warned of */
	IR_FOR_OPS (op, ir_module_block(r->m)) {
		if (op->kind == OP_FUNC && lacks_copy(op)) {
			if (repair_at(r, op->loc))
				copy_union(r->m, op);
		} else if (tells && op->kind == OP_FUNC && may_lack_copy(op) && untold++ < DIAG_LIMIT) {
			warn(r, op);
		}
	}
	if (untold > DIAG_LIMIT)
		diag_note(r->d, r->m->attrs_loc, "and %" PRIu32 " more functions", untold - DIAG_LIMIT);
	return true;
}
