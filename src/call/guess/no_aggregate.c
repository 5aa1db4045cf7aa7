/* call/guess/no_aggregate.c: classes that are no aggregates, as far as the functions of a module show it. No aggregate is what has
 *
 * 	a constructor that somebody wrote		special_member<#cir.cxx_ctor<…>>, ??0S@@QEAA@H@Z
 * 	a destructor or copy assignment that is not trivial	special_member<#cir.cxx_dtor<…>>, …; ??1S@@QEAA@XZ
 * 	a base						cir.base_class_addr, cir.derived_class_addr
 * 	the closure of a lambda				lambda
 * 	a private or protected field, a reference	nothing shows it
 */
#include "call/guess/guess.h"

#include "ir/special_member.h"

typedef struct Search {
	Arena *mem;
	PtrMap *found;
} Search;

static bool begins(const IrOp *func, const char *text)
{
	return str_begins_with(name_str(ir_symbol_name(func)), str_of(text));
}

static IrType *record_at(const IrType *func, uint32_t param)
{
	const IrType *t = param < func->nmembers ? func->members[param] : NULL;
	return t && t->kind == TYPE_PTR && t->elem->kind == TYPE_RECORD ? t->elem : NULL;
}

/* The compiler makes default, copy and move constructors where they are needed, and only there; another DLL has its own. */
static bool is_written(const IrOp *func)
{
	bool elsewhere = ir_func_is_declaration(func) && !ir_op_has(func, NAME_dll);
	return elsewhere || ir_op_enum(func, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_EXTERNAL;
}

static IrType *told_by_info(const IrOp *func)
{
	SpecialMemberInfo info = ir_special_member(func);
	switch (info.kind) {
	case SPECIAL_CUSTOM_CTOR:
		return info.record;
	case SPECIAL_DEFAULT_CTOR:
		return !info.trivial && is_written(func) ? info.record : NULL;
	case SPECIAL_COPY_CTOR:
	case SPECIAL_MOVE_CTOR:
	case SPECIAL_COPY_ASSIGN:
	case SPECIAL_DTOR:
		return info.trivial ? NULL : info.record;
	default:
		return NULL;
	}
}

static IrType *told_by_name(const IrOp *func)
{
	const IrType *type = ir_func_type(func);
	IrType *self = record_at(type, 0);
	if (begins(func, "??1"))
		return self;
	if (!begins(func, "??0"))
		return NULL;
	bool custom = type->nmembers > 1 && record_at(type, 1) != self;
	return custom || is_written(func) ? self : NULL;
}

/* anon, class.anon.12 */
static bool is_no_name(const char *name)
{
	name += strncmp(name, "class.", 6) == 0 ? 6 : 0;
	if (strncmp(name, "anon", 4) != 0)
		return false;
	const char *number = name + 5;
	return !name[4] || (name[4] == '.' && *number && !number[strspn(number, "0123456789")]);
}

/* A closure has no name of its own; what else a function of a lambda takes does. */
static IrType *closure_of(const IrOp *func)
{
	IrType *self = ir_op_has(func, NAME_lambda) ? record_at(ir_func_type(func), 0) : NULL;
	return self && self->name && is_no_name(self->name->text) ? self : NULL;
}

static void put(Search *s, const IrType *record)
{
	if (record)
		ptrmap_put(s->mem, s->found, record, (void *)(uintptr_t)record);
}

static void look_at_function(Search *s, const IrOp *func)
{
	put(s, closure_of(func));
	put(s, told_by_info(func));
	if (!ir_op_has(func, NAME_func_info))
		put(s, told_by_name(func));
}

static void look_at(Search *s, const IrOp *op)
{
	switch (op->kind) {
	case OP_FUNC:
		look_at_function(s, op);
		break;
	case OP_BASE_CLASS_ADDR:
		put(s, ir_operand(op, 0)->type->elem);
		break;
	case OP_DERIVED_CLASS_ADDR:
		put(s, op->results[0].type->elem);
		break;
	default:
		break;
	}
}

void abi_guess_no_aggregates(PtrMap *found, const IrModule *m, Arena *mem)
{
	Search s = {mem, found};
	if (!abi_may_guess(m))
		return;
	for (const IrOp *op = ir_walk_first(&m->body); op; op = ir_walk_next(op, &m->body))
		look_at(&s, op);
}
