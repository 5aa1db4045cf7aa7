/* lower/split.c
 *
 *   1  what must stay together is joined to groups (split_group.c)
 *   2  the definitions get their parts, in the order of the module
 *   3  what each part names of the others is marked
 *
 *   cost  ops + attributes of ops + those below them that name symbols (split_survey.c), for each function anew
 */
#include "lower/split_group.h"

#include "ir/layout.h"

enum {
	TAPER = 4,   /* the last parts are that much smaller than the others */
	TAPERED = 8, /* … so that there are fewer than that many more */
};

/* Parts */

static uint64_t weight_of_all(const Splitter *s)
{
	uint64_t ops = 0;
	IR_FOR_OPS (op, ir_module_block(s->m))
		if (split_is_member(s, op))
			ops += s->symbols[ir_symbol_name(op)->id].ops;
	return ops;
}

static uint64_t *weigh_groups(Splitter *s)
{
	uint64_t *ops = arena_array(s->mem, uint64_t, s->m->names.len);
	IR_FOR_OPS (op, ir_module_block(s->m))
		if (split_is_member(s, op))
			ops[split_group(s, ir_symbol_name(op))] += s->symbols[ir_symbol_name(op)->id].ops;
	return ops;
}

/* How much the next part takes of the rest: towards the end they get smaller, so that threads end at about
 * the same time, however many they are. */
static uint64_t size_of_part(uint64_t ops, uint64_t rest)
{
	uint64_t size = rest / TAPER;
	return size > ops ? ops : size < ops / TAPER ? ops / TAPER : size;
}

/* Returns the number of parts. A group is where its first member is, what runs before main in part 0. */
static uint32_t assign_parts(Splitter *s, uint64_t ops, uint64_t all)
{
	uint64_t rest = all, size = size_of_part(ops, all), filled = 0;
	uint64_t *weights = weigh_groups(s);
	uint16_t *of_group = arena_array(s->mem, uint16_t, s->m->names.len);
	uint16_t part = 0;
	memset(of_group, 0xff, s->m->names.len * sizeof *of_group);
	memset(s->part, 0xff, s->m->names.len * sizeof *s->part);
	if (s->init) {
		uint32_t init = split_group(s, s->init);
		of_group[init] = 0;
		filled = weights[init];
		rest -= filled;
	}
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (!split_is_member(s, op))
			continue;
		uint32_t group = split_group(s, ir_symbol_name(op));
		if (of_group[group] == SPLIT_NONE) {
			if (filled && filled >= size) {
				part++;
				filled = 0;
				size = size_of_part(ops, rest);
			}
			of_group[group] = part;
			filled += weights[group];
			rest -= weights[group];
		}
		s->part[ir_symbol_name(op)->id] = of_group[group];
	}
	return part + 1u;
}

/* Of a function alone: what else is of its group, labels whose addresses are taken, and names that LLVM changes are not the caller's to wait for. */
static bool may_wait(const Splitter *s, const IrOp *op)
{
	return op->kind == OP_FUNC && !ir_op_has(op, NAME_aliasee) && !ir_func_has_label(s->m, op) &&
	       *ir_symbol_name(op)->text != '\1';
}

/* Part 0 is what does not wait to be called; the others are stretches of the rest. */
static uint32_t assign_lazy_parts(Splitter *s, uint64_t ops)
{
	uint64_t *weights = weigh_groups(s), filled = 0;
	uint16_t *of_group = arena_array(s->mem, uint16_t, s->m->names.len);
	uint16_t part = 0;
	memset(of_group, 0xff, s->m->names.len * sizeof *of_group);
	memset(s->part, 0xff, s->m->names.len * sizeof *s->part);
	if (s->init)
		of_group[split_group(s, s->init)] = 0;
	IR_FOR_OPS (op, ir_module_block(s->m))
		if (split_is_member(s, op) && !may_wait(s, op))
			of_group[split_group(s, ir_symbol_name(op))] = 0;
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (!split_is_member(s, op))
			continue;
		uint32_t group = split_group(s, ir_symbol_name(op));
		if (of_group[group] == SPLIT_NONE) {
			part += !part || filled >= ops;
			filled = filled >= ops ? 0 : filled;
			of_group[group] = part;
			filled += weights[group];
		}
		s->part[ir_symbol_name(op)->id] = of_group[group];
	}
	return part + 1u;
}

/* LLVM inlines no function that another may replace, and none with labels whose addresses are taken. */
static bool is_copied(const Splitter *s, const IrOp *func)
{
	unsigned linkage = ir_op_enum(func, NAME_linkage, LINKAGE_EXTERNAL);
	if (func->kind != OP_FUNC || ir_func_is_declaration(func) || linkage == LINKAGE_LINKONCE ||
	    linkage == LINKAGE_WEAK)
		return false;
	return s->inlined[ir_symbol_name(func)->id] && !ir_func_has_label(s->m, func);
}

/* Names */

static void mark_shared(Splitter *s, const IrAttr *a, void *unused)
{
	const Name *name = a->name;
	uint16_t home = s->part[name->id];
	(void)unused;
	if (home == SPLIT_NONE || home == s->at)
		return;
	bool in_copy = s->at == SPLIT_NONE;
	if (s->copied[name->id] && !s->shared[name->id] && !(in_copy && ir_symbol(name)->kind == OP_FUNC))
		vec_push(s->mem, &s->to_copy, name);
	s->shared[name->id] = true;
}

static void share_names_of(Splitter *s, const IrOp *symbol, uint16_t at)
{
	uint32_t first = s->walk;
	s->at = at;
	s->walk = first + 1 + at;
	split_each_name_of_symbol(s, symbol, mark_shared, NULL);
	s->walk = first;
}

/* What runs before and after main is listed in part 0. */
static void share_listed(Splitter *s)
{
	s->at = 0;
	s->walk++;
	split_each_name(s, ir_module_attr(s->m, NAME_cir_global_ctors), mark_shared, NULL);
	split_each_name(s, ir_module_attr(s->m, NAME_cir_global_dtors), mark_shared, NULL);
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (op->kind != OP_FUNC ||
		    (!ir_op_has(op, NAME_global_ctor) && !ir_op_has(op, NAME_global_dtor)))
			continue;
		uint32_t id = ir_symbol_name(op)->id;
		s->shared[id] |= s->part[id] != SPLIT_NONE && s->part[id] != 0;
	}
}

/* What is copied may be anywhere, and so may what it names. */
static void share_named(Splitter *s)
{
	IR_FOR_OPS (op, ir_module_block(s->m))
		if (s->rule == SPLIT_ANYWHERE && split_is_symbol(op))
			s->copied[ir_symbol_name(op)->id] = is_copied(s, op);
	share_listed(s);
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (!split_is_symbol(op))
			continue;
		uint32_t id = ir_symbol_name(op)->id;
		bool anywhere = s->rule == SPLIT_ANYWHERE && s->copied[id];
		if (anywhere || split_is_member(s, op))
			share_names_of(s, op, anywhere ? SPLIT_NONE : s->part[id]);
	}
	for (uint32_t i = 0; s->rule == SPLIT_CLOSED && i < s->to_copy.len; i++)
		share_names_of(s, ir_symbol(s->to_copy.data[i]), SPLIT_NONE);
}

/* LLVM drops a linkonce function that it has inlined everywhere, but the function's stub needs its code. */
static void share_discardable(Splitter *s)
{
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (op->kind != OP_FUNC || !split_is_member(s, op))
			continue;
		uint32_t id = ir_symbol_name(op)->id;
		unsigned linkage = ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL);
		bool discardable = linkage == LINKAGE_LINKONCE || linkage == LINKAGE_LINKONCE_ODR;
		s->shared[id] |= discardable && s->part[id] != 0;
	}
}

/* All */

/* A part only knows its own data, but the bound is the object's (lower/global.c): a module that may exceed it
 * is lowered as a whole. What is zero may not count there; a type too large for that is no matter of parts
 * either. */
static bool data_fits(const IrModule *m)
{
	uint64_t left = INT32_MAX;
	IR_FOR_OPS (op, ir_module_block(m)) {
		const IrAttr *init = op->kind == OP_GLOBAL ? ir_op_attr(op, NAME_initial_value) : NULL;
		bool zero = init && ir_attr_is_zero(init) && !ir_op_has(op, NAME_constant) &&
		            !ir_op_has(op, NAME_section);
		if (!init || zero || !ir_type_sized(ir_symbol_type(op)))
			continue;
		uint64_t size = ir_type_size(ir_symbol_type(op));
		if (size > left)
			return false;
		left -= size;
	}
	return true;
}

/* LLVM knows a personality by its name, which a local one of another part does not have. */
static bool has_local_personality(const IrOp *op)
{
	const Name *name = op->kind == OP_FUNC ? ir_op_symbol(op, NAME_personality) : NULL;
	const IrOp *symbol = name ? ir_symbol(name) : NULL;
	unsigned linkage = symbol ? ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL) : LINKAGE_EXTERNAL;
	return linkage == LINKAGE_INTERNAL || linkage == LINKAGE_CIR_PRIVATE;
}

static bool can_split(const IrModule *m)
{
	if (m->made
	        [OP_LOCALESCAPE]) /* where a filter finds variables of its function is a constant of the assembler's, in one object */
		return false;
	const IrAttr *assembly = ir_module_attr(m, NAME_cir_module_asm);
	if (assembly && assembly->n)
		return false;
	if (!data_fits(m))
		return false;
	IR_FOR_OPS (op, ir_module_block(m)) {
		Str name = split_is_symbol(op) ? name_str(ir_symbol_name(op)) : (Str){0};
		if (str_begins_with(name, STR(SPLIT_PRIVATE)) || str_begins_with(name, STR(SPLIT_LOCAL)) ||
		    has_local_personality(op))
			return false;
	}
	return true;
}

/* ir/layout.h keeps what it has found out in the type, which only one thread may do. */
static void lay_out_types(const IrModule *m)
{
	for (uint32_t i = 0; i < m->types.len; i++)
		ir_type_sized(m->types.held[i]);
}

static uint32_t count(const IrOp *symbol)
{
	uint32_t ops = 1;
	if (symbol->kind != OP_FUNC)
		return ops;
	IR_FOR_BLOCKS (b, &symbol->regions[0])
		IR_FOR_OPS (op, b)
			ops++;
	return ops;
}

/* Looks at no more of the module than it must. */
static bool has_two_parts(const Splitter *s, uint32_t ops)
{
	uint64_t found = 0;
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		found += split_is_member(s, op) ? count(op) : 0;
		if (found >= 2 * (uint64_t)ops)
			return true;
	}
	return false;
}

static LowerSplit split(IrModule *m, SplitRule rule, uint32_t ops, bool lazily, Arena *mem)
{
	Splitter s = {.m = m, .mem = mem, .rule = rule};
	if (!has_two_parts(&s, ops) || !can_split(m))
		return (LowerSplit){0};
	s.symbols = arena_array(mem, SplitSymbol, m->names.len);
	s.leader = arena_array(mem, uint32_t, m->names.len);
	s.part = arena_array(mem, uint16_t, m->names.len);
	s.shared = arena_array(mem, bool, m->names.len);
	s.copied = arena_array(mem, bool, m->names.len);
	s.inlined = arena_array(mem, bool, m->names.len);
	s.apart = arena_array(mem, bool, m->names.len);
	s.facts = arena_array(mem, uint8_t, m->attrs.len);
	s.seen = arena_array(mem, uint32_t, m->attrs.len);
	split_survey(&s);
	uint64_t all = weight_of_all(&s);
	uint64_t least = all / (lazily ? SPLIT_LAZY_PARTS_MAX : SPLIT_PARTS_MAX - TAPERED) + 1;
	split_make_groups(&s);
	uint64_t size = ops > least ? ops : least;
	uint32_t nparts = lazily ? assign_lazy_parts(&s, size) : assign_parts(&s, size, all);
	if (nparts == 1)
		return (LowerSplit){0};
	share_named(&s);
	if (lazily)
		share_discardable(&s);
	lay_out_types(m);
	return (LowerSplit){.nparts = nparts, .part = s.part, .shared = s.shared, .copied = s.copied};
}

LowerSplit lower_split(IrModule *m, SplitRule rule, uint32_t ops, Arena *mem)
{
	return split(m, rule, ops, false, mem);
}

/* The map of checks that are folded is registered by a constructor, once for the module. */
LowerSplit lower_split_lazily(IrModule *m, SplitRule rule, uint32_t ops, Arena *mem)
{
	LowerSplit none = {0};
	return ir_module_attr(m, NAME_circ_faults) ? none : split(m, rule, ops, true, mem);
}
