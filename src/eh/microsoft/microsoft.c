/* eh/microsoft/microsoft.c: the steps of one function, in order. Each is a file of its own. */
#include "eh/microsoft/microsoft.h"

#include "call/ms_method_mark.h"
#include "call/record_trait.h"
#include "eh/available.h"
#include "eh/exception_type.h"
#include "eh/filter_variable.h"
#include "eh/microsoft/dynamic_stack.h"
#include "eh/microsoft/funclet.h"
#include "eh/microsoft/funclet_copy.h"
#include "eh/microsoft/funclet_escape.h"
#include "eh/microsoft/funclet_order.h"
#include "eh/microsoft/funclet_prepare.h"
#include "eh/microsoft/outline.h"
#include "eh/microsoft/seh.h"
#include "eh/microsoft/unreachable.h"
#include "eh/over_aligned.h"
#include "eh/token_flow.h"
#include "ir/eh_runtime.h"
#include "msvc/member_pointer.h"
#include "msvc/rtti.h"

static bool check_target(const AbiTarget *target, const IrOp *op, Diags *d)
{
	if (target && target->shape == SHAPE_FUNCLETS && target->runtime == RUNTIME_MICROSOFT)
		return true;
	diag_error(d, op->loc, "Microsoft exception handling requires target windows-msvc; set 'cir.triple'");
	return false;
}

/* Tokens are used by exception handling alone: this alone is asked of the flow here. */
static bool check_tokens(IrModule *m, Diags *d)
{
	Arena *mem = &m->scratch;
	ArenaMark mark = arena_mark(mem);
	AbiTables tables;
	abi_tables_init(&tables, m, mem);
	bool ok = true;
	IR_FOR_OPS (op, ir_module_block(m)) {
		if (!ok || op->kind != OP_FUNC || ir_func_is_declaration(op))
			continue;
		ArenaMark inner = arena_mark(mem);
		AbiFlow flow;
		ok = abi_flow(&tables, op, mem, d, &flow);
		arena_release(mem, inner);
	}
	arena_release(mem, mark);
	return ok;
}

static bool prepare(Funclets *f, IrOp *func, Arena *mem)
{
	if (f->is_circ)
		seh_erase_drops(func);
	unreachable_drop(f->m, func, mem);
	return funclet_prepare(f->m, func, f->d) && outline_cleanups(f->m, func, mem, f->d);
}

/* Until each block belongs to one pad, and no handler's values are used outside. Values may have to pass
 * through memory first, hence the rounds. */
static bool plan_pads(Funclets *f, IrOp *func, Arena *mem, FuncletPlan *out)
{
	do {
		if (!funclet_plan(func, mem, f->d, out))
			return false;
	} while (out->nshared ? funclet_copy_shared(f->m, out) : funclet_send_out(f->m, out));
	return !out->failed;
}

static bool plan(Funclets *f, IrOp *func, Arena *mem, FuncletPlan *out)
{
	f->is_circ = ir_func_eh_runtime(f->m, func) == EH_RUNTIME_CIRC;
	if (f->is_circ && !eh_check_library(f->circ->rt.target,
	                                    eh_first_to_lower(&func->regions[0], STAGE_MICROSOFT), f->d))
		return false;
	if (!prepare(f, func, mem))
		return false;
	if (f->is_circ && (!seh_lower(f->circ, func, mem) || !funclet_prepare(f->m, func, f->d)))
		return false;
	if (!plan_pads(f, func, mem, out))
		return false;
	const IrOp *thrower =
	    f->is_circ ? NULL : dynamic_stack_throw(out); /* objects of circ are no variables */
	if (!thrower)
		return dynamic_stack_check(out, f->d);
	return dynamic_stack_split(f->m, func, thrower, mem, f->d) && prepare(f, func, mem) &&
	       plan_pads(f, func, mem, out);
}

static bool lower_func(Funclets *f, IrOp *func)
{
	Arena *mem = &f->m->scratch;
	ArenaMark mark = arena_mark(mem);
	FuncletPlan p;
	bool ok = plan(f, func, mem, &p) && funclet_lower_func(f, func, &p, mem);
	if (ok)
		funclet_order_blocks(f->m, func, mem);
	arena_release(mem, mark);
	return ok;
}

/* Functions made on the way, out of cleanups, come behind those that they are made of. */
static bool lower_funcs(Funclets *f)
{
	IR_FOR_OPS (op, ir_module_block(f->m)) {
		if (op->kind != OP_FUNC || ir_func_is_declaration(op))
			continue;
		dynamic_stack_keep_apart(f->m, op);
		if (!eh_first_to_lower(&op->regions[0], STAGE_MICROSOFT)) {
			ir_func_drop_circ_personality(f->m, op);
			continue;
		}
		if (!lower_func(f, op))
			return false;
	}
	return true;
}

bool abi_lower_microsoft(IrModule *m, Diags *d)
{
	const AbiTarget *target = abi_target(ir_module_triple(m));
	exception_types_lower(m);
	const IrOp *first = eh_first_to_lower(&m->body, STAGE_MICROSOFT);
	if (first) /* else it is in the form of the ABI already */
		filter_variables_describe(m);
	if (first && (!check_target(target, first, d) || !check_tokens(m, d)))
		return false;
	if (!target || target->type_info != TYPE_INFO_MICROSOFT)
		return true;
	if (!ms_mark_methods(m, d))
		return false;
	ms_mark_records(m, target, d);
	MsRuntime rt;
	ms_runtime_init(&rt, m, target, d);
	Cxa circ;
	cxa_init(&circ, EH_RUNTIME_CIRC, m, target, d);
	Funclets f = {.m = m, .rt = &rt, .circ = &circ, .d = d};
	if (!ms_lower_members(&rt.types) || !lower_funcs(&f) || !ms_rtti_translate(&rt.types))
		return false;
	over_aligned_lower(m);
	return true;
}

bool abi_microsoft_dump_module(IrModule *m, Diags *d, Arena *mem, StrBuf *out)
{
	Cxa circ;
	cxa_init(&circ, EH_RUNTIME_CIRC, m, abi_target(ir_module_triple(m)), d);
	Funclets f = {.m = m, .circ = &circ, .d = d};
	if (!check_tokens(m, d))
		return false;
	IR_FOR_OPS (op, ir_module_block(m)) {
		if (op->kind != OP_FUNC || ir_func_is_declaration(op))
			continue;
		FuncletPlan p;
		if (!plan(&f, op, mem, &p))
			return false;
		funclet_plan_dump(&p, mem, out);
	}
	return true;
}
