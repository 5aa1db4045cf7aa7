/* lower/split_group.c
 *
 *   1  what no rule takes apart: COMDAT groups, aliases, functions and who holds addresses of their labels
 *   2  SPLIT_CLOSED: variables and functions that may be apart are found,
 *   3  all else is joined with who names it,
 *   4  variables apart with one of those: with what runs before main, which may set them before it
 *      runs, or the first that names them
 */
#include "lower/split_group.h"

#include "ir/layout.h"

enum {
	COPIED_MAX = 4096, /* bytes of a constant */
	INLINED_MAX =
	    600,    /* ops of a function; LLVM inlines none that has a third of them left, but for one call */
	ROUNDS = 4, /* what is apart may name what is: a vtable, type infos, their names */
};

bool split_is_member(const Splitter *s, const IrOp *op)
{
	if (!split_is_symbol(op) || lower_is_used_list(op))
		return false;
	if (s->rule == SPLIT_ANYWHERE || lower_is_definition(op))
		return lower_is_definition(op);
	return op->kind == OP_FUNC ? !ir_func_is_declaration(op) : ir_op_has(op, NAME_initial_value);
}

static uint32_t find(Splitter *s, uint32_t id)
{
	while (s->leader[id] != id) {
		s->leader[id] = s->leader[s->leader[id]];
		id = s->leader[id];
	}
	return id;
}

uint32_t split_group(Splitter *s, const Name *symbol)
{
	return find(s, symbol->id);
}

static void join(Splitter *s, const Name *a, const Name *b)
{
	if (a && b)
		s->leader[find(s, a->id)] = find(s, b->id);
}

/* ---- what no rule takes apart ---- */

static void join_labels(Splitter *s, const IrAttr *a, void *holder)
{
	if (a->kind == ATTR_BLOCK_ADDR || a->kind == ATTR_BLOCK_DIFF)
		join(s, a->name, holder);
}

static bool has_label_addresses(const Splitter *s)
{
	for (uint32_t i = 0; i < s->m->attrs.nheld; i++) {
		const IrAttr *a = s->m->attrs.held[i];
		if (a->kind == ATTR_BLOCK_ADDR || a->kind == ATTR_BLOCK_DIFF)
			return true;
	}
	return false;
}

static void join_inseparable(Splitter *s)
{
	bool labels = has_label_addresses(s);
	for (uint32_t i = 0; i < s->m->names.len; i++)
		s->leader[i] = i;
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (!split_is_symbol(op))
			continue;
		Name *name = ir_symbol_name(op);
		const IrAttr *group = ir_op_attr(op, NAME_comdat);
		join(s, name, group && group->kind == ATTR_STRING ? group->name : NULL);
		join(s, name, ir_op_symbol(op, NAME_aliasee));
		if (!labels)
			continue;
		s->walk++;
		split_each_name_of_symbol(s, op, join_labels, name);
	}
}

/* ---- variables apart ---- */

/* Nothing else can be there in its place at run time. */
static bool is_final(unsigned linkage)
{
	return linkage == LINKAGE_EXTERNAL || linkage == LINKAGE_INTERNAL || linkage == LINKAGE_CIR_PRIVATE ||
	       linkage == LINKAGE_LINKONCE_ODR || linkage == LINKAGE_WEAK_ODR;
}

/* The optimiser reads constants; a copy tells it what they hold. */
static bool may_be_copied(const IrOp *op)
{
	unsigned linkage = ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL);
	return ir_op_has(op, NAME_constant) && is_final(linkage) && !ir_op_has(op, NAME_tls_model) &&
	       ir_type_sized(ir_symbol_type(op)) && ir_type_size(ir_symbol_type(op)) <= COPIED_MAX;
}

/* What another object may write to, too, it knows nothing of but the address. */
static bool is_open(const IrOp *op)
{
	unsigned linkage = ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL);
	return !ir_op_has(op, NAME_constant) && linkage != LINKAGE_INTERNAL &&
	       linkage != LINKAGE_CIR_PRIVATE && linkage != LINKAGE_APPENDING;
}

static bool is_small(const Splitter *s, const IrOp *func)
{
	return s->symbols[ir_symbol_name(func)->id].ops <= INLINED_MAX;
}

/* Other objects may call it: the optimiser changes nothing of it for its callers, and leaves it there. */
static bool is_open_function(const Splitter *s, const IrOp *op)
{
	return ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_EXTERNAL &&
	       !ir_op_has(op, NAME_comdat) && !s->inlined[ir_symbol_name(op)->id] &&
	       !ir_func_has_label(s->m, op);
}

/* Sets *copied, too. */
static bool may_be_apart(const Splitter *s, const IrOp *op, bool *copied)
{
	bool function = op->kind == OP_FUNC;
	*copied = function ? is_small(s, op) : may_be_copied(op);
	return function ? is_open_function(s, op) : *copied || is_open(op);
}

static void find_dependence(Splitter *s, const IrAttr *a, void *depends)
{
	const IrOp *named = ir_symbol(a->name);
	if (split_is_member(s, named) && !s->apart[a->name->id])
		*(bool *)depends = true;
}

/* It is assumed to be apart itself for as long as that takes. */
static bool depends_on_group(Splitter *s, const IrOp *op)
{
	bool depends = false;
	bool *apart = &s->apart[ir_symbol_name(op)->id];
	*apart = true;
	s->walk++;
	split_each_name_of_symbol(s, op, find_dependence, &depends);
	*apart = false;
	return depends;
}

static void find_apart(Splitter *s)
{
	for (unsigned round = 0; round < ROUNDS; round++)
		IR_FOR_OPS (op, ir_module_block(s->m)) {
			bool copied;
			if (!split_is_symbol(op) || !lower_is_definition(op) || ir_op_has(op, NAME_aliasee) ||
			    s->apart[ir_symbol_name(op)->id] || !may_be_apart(s, op, &copied) ||
			    depends_on_group(s, op))
				continue;
			s->apart[ir_symbol_name(op)->id] = true;
			s->copied[ir_symbol_name(op)->id] = copied;
		}
}

/* ---- closed groups ---- */

static void join_named(Splitter *s, const IrAttr *a, void *name)
{
	if (!s->apart[a->name->id] && split_is_member(s, ir_symbol(a->name)))
		join(s, a->name, name);
}

static void join_with_named(Splitter *s)
{
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		Name *name = split_is_member(s, op) ? ir_symbol_name(op) : NULL;
		if (!name || s->apart[name->id])
			continue;
		s->walk++;
		split_each_name_of_symbol(s, op, join_named, name);
	}
}

static void join_init(Splitter *s, const Name *name)
{
	if (!s->init)
		s->init = name;
	join(s, name, s->init);
}

static void join_listed(Splitter *s, const IrAttr *a, void *unused)
{
	(void)unused;
	join_init(s, a->name);
}

typedef VEC(const Name *) NameList;

static void join_called(Splitter *s, const IrAttr *a, void *user)
{
	NameList *list = user;
	const IrOp *op = ir_symbol(a->name);
	if (op->kind != OP_FUNC || !s->apart[a->name->id])
		return;
	s->apart[a->name->id] = s->copied[a->name->id] = false;
	join_init(s, a->name);
	vec_push(s->mem, list, a->name);
}

/* The optimiser runs them at once where it has all that they call. */
static void join_functions_of_inits(Splitter *s)
{
	NameList list = {0};
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (!split_is_member(s, op) || find(s, ir_symbol_name(op)->id) != find(s, s->init->id))
			continue;
		s->walk++;
		split_each_name_of_symbol(s, op, join_called, &list);
	}
	for (uint32_t i = 0; i < list.len; i++) {
		s->walk++;
		split_each_name_of_symbol(s, ir_symbol(list.data[i]), join_called, &list);
	}
}

/* They are a list of the object, in whose order they run. */
static void join_inits(Splitter *s)
{
	s->walk++;
	split_each_name(s, ir_module_attr(s->m, NAME_cir_global_ctors), join_listed, NULL);
	split_each_name(s, ir_module_attr(s->m, NAME_cir_global_dtors), join_listed, NULL);
	IR_FOR_OPS (op, ir_module_block(s->m))
		if (op->kind == OP_FUNC &&
		    (ir_op_has(op, NAME_global_ctor) || ir_op_has(op, NAME_global_dtor)))
			join_init(s, ir_symbol_name(op));
	if (s->init)
		join_functions_of_inits(s);
}

typedef struct Claim {
	bool *claimed; /* Name.id */
	const Name *by;
} Claim;

static void claim_named(Splitter *s, const IrAttr *a, void *user)
{
	Claim *claim = user;
	uint32_t id = a->name->id;
	if (!s->apart[id] || claim->claimed[id] || ir_symbol(a->name)->kind == OP_FUNC)
		return;
	claim->claimed[id] = true;
	join(s, a->name, claim->by);
}

static void claim_by(Splitter *s, Claim *claim, bool init_only)
{
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (!split_is_member(s, op))
			continue;
		claim->by = ir_symbol_name(op);
		if (init_only && find(s, claim->by->id) != find(s, s->init->id))
			continue;
		s->walk++;
		split_each_name_of_symbol(s, op, claim_named, claim);
	}
}

static void claim_apart(Splitter *s)
{
	Claim claim = {.claimed = arena_array(s->mem, bool, s->m->names.len)};
	if (s->init)
		claim_by(s, &claim, true);
	claim_by(s, &claim, false);
}

void split_make_groups(Splitter *s)
{
	join_inseparable(s);
	if (s->rule != SPLIT_CLOSED)
		return;
	find_apart(s);
	join_with_named(s);
	join_inits(s);
	claim_apart(s);
}

bool lower_is_definition(const IrOp *symbol)
{
	unsigned linkage = ir_op_enum(symbol, NAME_linkage, LINKAGE_EXTERNAL);
	if (ir_op_has(symbol, NAME_aliasee))
		return true;
	if (linkage == LINKAGE_AVAILABLE_EXTERNALLY)
		return false;
	if (symbol->kind == OP_FUNC)
		return !ir_func_is_declaration(symbol);
	return ir_op_has(symbol, NAME_initial_value) || linkage == LINKAGE_COMMON;
}

bool lower_is_used_list(const IrOp *op)
{
	return op->kind == OP_GLOBAL && ir_op_enum(op, NAME_linkage, LINKAGE_EXTERNAL) == LINKAGE_APPENDING;
}
