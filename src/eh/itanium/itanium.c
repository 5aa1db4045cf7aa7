#include "eh/itanium/itanium.h"

#include "eh/available.h"
#include "eh/exception_type.h"
#include "eh/filter_variable.h"
#include "eh/itanium/landingpad.h"
#include "eh/over_aligned.h"
#include "ir/eh_runtime.h"

static bool lower_func(AbiTables *tables, LandingPads *l, IrOp *func)
{
	Arena *mem = &l->m->scratch;
	ArenaMark mark = arena_mark(mem);
	AbiPlan plan;
	l->cxa = &l->runtimes[ir_func_eh_runtime(l->m, func)];
	const IrOp *first =
	    l->cxa->runtime == EH_RUNTIME_CIRC ? eh_first_to_lower(&func->regions[0], STAGE_ITANIUM) : NULL;
	if (first && !eh_check_library(l->cxa->rt.target, first, l->d)) {
		arena_release(mem, mark);
		return false;
	}
	bool ok = abi_plan(tables, func, mem, l->d, &plan) && landingpad_lower_func(l, func, &plan, mem);
	arena_release(mem, mark);
	return ok;
}

/* Catch-copy thunks come first, so that what is inlined has been lowered. Functions made
 * on the way have nothing to lower. */
static bool lower_funcs(AbiTables *tables, LandingPads *l, bool thunks)
{
	IR_FOR_OPS (op, ir_module_block(l->m)) {
		if (op->kind != OP_FUNC || ir_func_is_declaration(op) || catch_param_is_thunk(op) != thunks)
			continue;
		if (!lower_func(tables, l, op))
			return false;
	}
	return true;
}

static const IrOp *first_of_all(const IrModule *m)
{
	return ir_module_stages_of_all(m) & STAGE_ITANIUM ? NULL : eh_first_to_lower(&m->body, STAGE_ITANIUM);
}

static bool check_target(const IrModule *m, const AbiTarget *target, const IrOp *op, Diags *d)
{
	Str triple = ir_module_triple(m);
	if (!eh_check_model(m, target, op, d))
		return false;
	if (target && (ir_module_is_sjlj(m) || target->runtime == RUNTIME_CXA))
		return true;
	if (target)
		diag_error(d, op->loc, "Itanium exception handling is not available on target '%.*s'",
		           (int)triple.len, triple.data);
	else
		diag_error(d, op->loc, "exceptions are not supported on target '%.*s'; expected " ABI_TARGETS,
		           (int)triple.len, triple.data);
	return false;
}

/* The personality that a front end names by default for ELF is another function on MinGW and WebAssembly,
 * where nothing has the name of ELF's. */
static void rename_personality(IrModule *m, const AbiTarget *target)
{
	Str name = STR("__gxx_personality_v0");
	if (!target || target->runtime != RUNTIME_CXA || str_equal(str_of(target->personality), name))
		return;
	const Name *elf = name_find(&m->names, name);
	NameId attr = NAME_personality;
	IR_FOR_OPS (op, ir_module_block(m))
		if (elf && op->kind == OP_FUNC && ir_op_symbol(op, attr) == elf)
			ir_op_set_attr(m, op, ir_known_name(m, attr),
			               ir_attr_symbol(m, ir_name(m, str_of(target->personality))));
}

/* In a module where nothing lands. */
static void drop_personalities(IrModule *m)
{
	IR_FOR_OPS (op, ir_module_block(m))
		if (op->kind == OP_FUNC)
			ir_func_drop_circ_personality(m, op);
}

static bool lower_exceptions(IrModule *m, const AbiTarget *target, const IrOp *first, Diags *d)
{
	if (!check_target(m, target, first, d))
		return false;
	ArenaMark mark = arena_mark(&m->scratch);
	AbiTables tables;
	abi_tables_init(&tables, m, &m->scratch);
	Cxa runtimes[EH_RUNTIME_COUNT];
	for (unsigned i = 0; i < EH_RUNTIME_COUNT; i++)
		cxa_init(&runtimes[i], (EhRuntime)i, m, target, d);
	LandingPads l = {
	    .m = m, .tables = &tables, .runtimes = runtimes, .d = d, .module_mem = &m->arena, .ok = true};
	bool ok = lower_funcs(&tables, &l, true) && lower_funcs(&tables, &l, false);
	if (ok)
		catch_param_erase_thunks(&l);
	arena_release(&m->scratch, mark);
	return ok;
}

bool abi_lower_itanium(IrModule *m, Diags *d)
{
	const IrOp *first = first_of_all(m);
	const AbiTarget *target = abi_target(ir_module_triple(m));
	exception_types_lower(m);
	if (first) /* else it is in the form of the ABI already */
		filter_variables_describe(m);
	rename_personality(m, target);
	if (first && !lower_exceptions(m, target, first, d))
		return false;
	if (!first && !m->made[OP_EH_INFLIGHT])
		drop_personalities(m);
	over_aligned_lower(m);
	return true;
}
