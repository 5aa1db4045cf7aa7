/* The module, function by function; a function without exceptions is flat already. */
#include "lift/lift.h"

#include "ir/eh_runtime.h"
#include "lift/lifter.h"

static bool concerns(const Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		IR_FOR_OPS (op, b)
			if (lift_is_pad(op) || lift_role(l->table, op) != LIFT_NOTHING)
				return true;
	return false;
}

/* Blocks that nothing leads to have no context. */
static void drop_unreachable(Lift *l)
{
	PtrMap seen = {0};
	VEC(IrBlock *) work = {0};
	IrBlock *entry = l->func->regions[0].first;
	vec_push(l->mem, &work, entry);
	ptrmap_put(l->mem, &seen, entry, entry);
	while (work.len) {
		const IrOp *last = work.data[--work.len]->last;
		for (uint32_t i = 0; i < last->nsuccs; i++) {
			IrBlock *dest = last->succs[i].dest;
			if (ptrmap_get(&seen, dest))
				continue;
			ptrmap_put(l->mem, &seen, dest, dest);
			vec_push(l->mem, &work, dest);
		}
	}
	VEC(IrBlock *) dead = {0};
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		if (!ptrmap_get(&seen, b) && b->first->kind != OP_LABEL)
			vec_push(l->mem, &dead, b);
	for (uint32_t i = 0; i < dead.len; i++)
		ir_block_drop_references(dead.data[i]);
	for (uint32_t i = 0; i < dead.len; i++)
		ir_block_erase(dead.data[i]);
}

/* Slots that held parts of exceptions. */
static void drop_slots(Lift *l)
{
	IR_FOR_BLOCKS (b, &l->func->regions[0])
		IR_FOR_OPS_SAFE (op, b)
			if (op->kind == OP_ALLOCA && !op->results[0].uses)
				ir_op_erase(op);
}

static bool is_of_cxx(const Name *personality)
{
	static const char *const known[] = {"__gxx_personality_v0", "__gxx_personality_seh0",
	                                    "__gcc_personality_v0", "__gcc_personality_seh0"};
	for (unsigned i = 0; personality && i < ARRAY_LEN(known); i++)
		if (str_is(name_str(personality), known[i]))
			return true;
	return !personality;
}

static bool knows_personality(Lift *l)
{
	const Name *own = ir_op_symbol(l->func, NAME_personality);
	l->own = lift_has_personality(l->table, own);
	if (l->own || is_of_cxx(own))
		return true;
	diag_error(l->d, l->func->loc,
	           "function '%s' has personality '%s', which is not that of C++; describe it by '%s'",
	           ir_symbol_name(l->func)->text, own->text, diag_setting(l->d, SETTING_EH_RUNTIME));
	return false;
}

/* That of C++ is the target's. */
static void set_personality(Lift *l)
{
	bool circ = l->own && l->table->circ;
	ir_op_set_attr(l->m, l->func, ir_known_name(l->m, NAME_personality),
	               circ ? ir_attr_symbol(l->m, ir_name(l->m, STR(CIRC_PERSONALITY))) : NULL);
}

static bool lift_func(Lift *l)
{
	if (!knows_personality(l))
		return false;
	drop_unreachable(l);
	lift_check_signatures(l);
	if (l->failed)
		return false;
	lift_apply_table(l);
	lift_prepare_throws(l);
	lift_drop_unwind_edges(l);
	drop_unreachable(l);
	lift_find_parts(l);
	if (!l->failed)
		lift_check_parts(l);
	if (l->failed)
		return false;
	lift_split(l);
	do {
		if (!lift_plan(l))
			return false;
	} while (!l->failed && (!lift_find_regions(l) || !lift_copy_shared(l)));
	if (!l->failed)
		lift_nest_dispatches(l);
	if (!l->failed)
		lift_write(l);
	if (l->failed)
		return false;
	drop_unreachable(l);
	lift_finish(l);
	lift_restore_values(l);
	drop_slots(l);
	set_personality(l);
	return true;
}

/* __clang_call_terminate: lowering defines it again where it is called. */
static void make_declaration(IrModule *m, IrOp *func)
{
	static const NameId of_definitions[] = {NAME_linkage, NAME_comdat, NAME_visibility, NAME_dso_local};
	ir_func_drop_body(func);
	for (unsigned i = 0; i < ARRAY_LEN(of_definitions); i++)
		ir_op_set_attr(m, func, ir_known_name(m, of_definitions[i]), NULL);
	ir_set_enum(m, func, NAME_sym_visibility, ENUM_SYM_VISIBILITY, SYM_VISIBILITY_PRIVATE);
}

static bool lift_funcs(IrModule *m, const LiftTable *table, Diags *d)
{
	Name *filter = ir_name(m, STR("filter"));
	IR_FOR_OPS_SAFE (op, ir_module_block(m)) {
		if (op->kind != OP_FUNC || ir_func_is_declaration(op))
			continue;
		if (lift_role_of(table, ir_symbol_name(op)) == LIFT_TERMINATE) {
			make_declaration(m, op);
			continue;
		}
		ArenaMark mark = arena_mark(&m->scratch);
		Lift l = {.m = m, .table = table, .d = d, .mem = &m->scratch, .func = op, .filter = filter};
		bool ok = !concerns(&l) || lift_func(&l);
		arena_release(&m->scratch, mark);
		if (!ok)
			return false;
	}
	return true;
}

static void set_language(IrModule *m, const LiftTable *t)
{
	if (t->circ)
		ir_module_set_attr(m, ir_known_name(m, NAME_circ_eh_language),
		                   ir_attr_int(m, m->s32, t->language));
}

bool lift_module(IrModule *m, Diags *d)
{
	LiftTable t = {0};
	Arena mem;
	Source text = {"", m->eh_table};
	arena_init(&mem);
	bool ok = (!m->eh_table.len || lift_read_table(&t, &text, &mem, d)) && lift_funcs(m, &t, d);
	if (ok)
		set_language(m, &t);
	arena_free(&mem);
	return ok;
}
