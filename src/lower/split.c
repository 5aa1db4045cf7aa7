/* lower/split.c
 *
 *   1  what must stay together is joined to classes
 *   2  the definitions get their parts, in the order of the module
 *   3  what each part names of the others is marked
 *
 *   cost  ops + attributes of ops
 */
#include "lower/split.h"

#include "ir/layout.h"

enum {
	TAPER = 4,   /* the last parts are that much smaller than the others */
	TAPERED = 8, /* … so that there are fewer than that many more */
};

typedef struct Splitter {
	IrModule *m;
	Arena *mem;
	uint32_t *leader; /* Name.id: another one of its class, or itself */
	uint16_t *part;   /* Name.id */
	bool *shared;     /* Name.id */
	bool *copied;     /* Name.id */
	uint32_t *seen;   /* IrAttr.id: the last walk that came by */
	uint32_t walk;
	uint16_t at; /* part whose names are collected */
} Splitter;

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

static bool is_symbol(const IrOp *op)
{
	return op->kind == OP_FUNC || op->kind == OP_GLOBAL;
}

/* Classes */

static uint32_t find(Splitter *s, uint32_t id)
{
	while (s->leader[id] != id) {
		s->leader[id] = s->leader[s->leader[id]];
		id = s->leader[id];
	}
	return id;
}

static void join(Splitter *s, const Name *a, const Name *b)
{
	if (a && b)
		s->leader[find(s, a->id)] = find(s, b->id);
}

/* Calls f for every attribute in `a` that names a symbol. Attributes nest at most TYPE_DEPTH_MAX deep. */
typedef void Named(Splitter *s, const IrAttr *a, void *user);

static void each_name(Splitter *s, const IrAttr *a, Named *f, void *user)
{
	if (!a || s->seen[a->id] == s->walk)
		return;
	s->seen[a->id] = s->walk;
	if (a->name && ir_symbol(a->name))
		f(s, a, user);
	for (uint32_t i = 0; i < a->n; i++)
		each_name(s, a->elems[i], f, user);
}

static void each_name_of_op(Splitter *s, const IrOp *op, Named *f, void *user)
{
	for (uint32_t i = 0; i < op->nattrs; i++)
		each_name(s, op->attrs[i].value, f, user);
}

static void each_name_of_symbol(Splitter *s, const IrOp *symbol, Named *f, void *user)
{
	each_name_of_op(s, symbol, f, user);
	if (symbol->kind != OP_FUNC)
		return;
	IR_FOR_BLOCKS (b, &symbol->regions[0])
		IR_FOR_OPS (op, b)
			each_name_of_op(s, op, f, user);
}

static void join_labels(Splitter *s, const IrAttr *a, void *holder)
{
	if (a->kind == ATTR_BLOCK_ADDR || a->kind == ATTR_BLOCK_DIFF)
		join(s, a->name, holder);
}

static bool has_label_addresses(const Splitter *s)
{
	for (uint32_t i = 0; i < s->m->attrs.cap; i++)
		for (const IrAttr *a = s->m->attrs.slots[i]; a; a = a->next)
			if (a->kind == ATTR_BLOCK_ADDR || a->kind == ATTR_BLOCK_DIFF)
				return true;
	return false;
}

static void join_classes(Splitter *s)
{
	bool labels = has_label_addresses(s);
	for (uint32_t i = 0; i < s->m->names.len; i++)
		s->leader[i] = i;
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (!is_symbol(op))
			continue;
		Name *name = ir_symbol_name(op);
		const IrAttr *group = ir_op_attr(op, NAME_comdat);
		join(s, name, group && group->kind == ATTR_STRING ? group->name : NULL);
		join(s, name, ir_op_symbol(op, NAME_aliasee));
		if (!labels)
			continue;
		s->walk++;
		each_name_of_symbol(s, op, join_labels, name);
	}
}

/* Parts */

static uint64_t weight(const IrOp *symbol)
{
	uint64_t ops = 1;
	if (symbol->kind != OP_FUNC)
		return ops;
	IR_FOR_BLOCKS (b, &symbol->regions[0])
		IR_FOR_OPS (op, b)
			ops++;
	return ops;
}

static uint64_t weight_of_all(const IrModule *m)
{
	uint64_t ops = 0;
	IR_FOR_OPS (op, ir_module_block(m))
		if (is_symbol(op) && lower_is_definition(op))
			ops += weight(op);
	return ops;
}

/* How much the next part takes of the rest: towards the end they get smaller, so that threads end at about
 * the same time, however many they are. */
static uint64_t size_of_part(uint64_t ops, uint64_t rest)
{
	uint64_t size = rest / TAPER;
	return size > ops ? ops : size < ops / TAPER ? ops / TAPER : size;
}

/* Returns the number of parts. A class is where its first member is, whatever it weighs. */
static uint32_t assign_parts(Splitter *s, uint64_t ops, uint64_t all)
{
	uint64_t rest = all, size = size_of_part(ops, all);
	uint16_t *of_class = arena_array(s->mem, uint16_t, s->m->names.len);
	uint64_t filled = 0;
	uint16_t part = 0;
	memset(of_class, 0xff, s->m->names.len * sizeof *of_class);
	memset(s->part, 0xff, s->m->names.len * sizeof *s->part);
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (!is_symbol(op) || !lower_is_definition(op))
			continue;
		uint32_t id = ir_symbol_name(op)->id, class = find(s, id);
		if (of_class[class] == SPLIT_NONE && filled && filled >= size) {
			part++;
			filled = 0;
			size = size_of_part(ops, rest);
		}
		if (of_class[class] == SPLIT_NONE)
			of_class[class] = part;
		s->part[id] = of_class[class];
		uint64_t n = weight(op);
		filled += s->part[id] == part ? n : 0;
		rest -= n;
	}
	return part + 1u;
}

/* Functions to be inlined always */

static bool says_always_inline(const IrAttr *a)
{
	if (!a)
		return false;
	if (a->kind == ATTR_ENUM && a->enum_class == ENUM_INLINE)
		return a->bits == INLINE_ALWAYS_INLINE;
	for (uint32_t i = 0; i < a->n; i++)
		if (says_always_inline(a->elems[i]))
			return true;
	return false;
}

/* LLVM inlines no function that another may replace, and none with labels whose addresses are taken. */
static bool is_copied(const IrOp *func)
{
	unsigned linkage = ir_op_enum(func, NAME_linkage, LINKAGE_EXTERNAL);
	if (func->kind != OP_FUNC || ir_func_is_declaration(func) || linkage == LINKAGE_LINKONCE ||
	    linkage == LINKAGE_WEAK)
		return false;
	bool always = false;
	for (uint32_t i = 0; i < func->nattrs; i++)
		always |= says_always_inline(func->attrs[i].value);
	if (!always)
		return false;
	IR_FOR_BLOCKS (b, &func->regions[0])
		if (b->first->kind == OP_LABEL)
			return false;
	return true;
}

/* Names */

static void mark_shared(Splitter *s, const IrAttr *a, void *unused)
{
	(void)unused;
	uint16_t home = s->part[a->name->id];
	if (home != SPLIT_NONE && home != s->at)
		s->shared[a->name->id] = true;
}

/* What a copied function names may be named anywhere. */
static void share_names_of(Splitter *s, const IrOp *symbol)
{
	uint32_t id = ir_symbol_name(symbol)->id, first = s->walk;
	s->copied[id] = is_copied(symbol);
	if (!s->copied[id] && !lower_is_definition(symbol))
		return;
	s->at = s->copied[id] ? SPLIT_NONE : s->part[id];
	s->walk = first + 1 + s->at;
	each_name_of_symbol(s, symbol, mark_shared, NULL);
	s->walk = first;
}

/* What runs before and after main is listed in part 0. */
static void share_listed(Splitter *s)
{
	s->at = 0;
	s->walk++;
	each_name(s, ir_module_attr(s->m, NAME_cir_global_ctors), mark_shared, NULL);
	each_name(s, ir_module_attr(s->m, NAME_cir_global_dtors), mark_shared, NULL);
	IR_FOR_OPS (op, ir_module_block(s->m)) {
		if (op->kind != OP_FUNC ||
		    (!ir_op_has(op, NAME_global_ctor) && !ir_op_has(op, NAME_global_dtor)))
			continue;
		uint32_t id = ir_symbol_name(op)->id;
		s->shared[id] |= s->part[id] != SPLIT_NONE && s->part[id] != 0;
	}
}

static void share_named(Splitter *s)
{
	share_listed(s);
	IR_FOR_OPS (op, ir_module_block(s->m))
		if (is_symbol(op))
			share_names_of(s, op);
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

static bool can_split(const IrModule *m)
{
	const IrAttr *assembly = ir_module_attr(m, NAME_cir_module_asm);
	if (assembly && assembly->n)
		return false;
	if (!data_fits(m))
		return false;
	IR_FOR_OPS (op, ir_module_block(m))
		if (is_symbol(op) &&
		    strncmp(ir_symbol_name(op)->text, SPLIT_PRIVATE, strlen(SPLIT_PRIVATE)) == 0)
			return false;
	return true;
}

/* ir/layout.h keeps what it has found out in the type, which only one thread may do. */
static void lay_out_types(const IrModule *m)
{
	for (uint32_t i = 0; i < m->types.cap; i++)
		for (IrType *t = m->types.slots[i]; t; t = t->next)
			ir_type_sized(t);
}

LowerSplit lower_split(IrModule *m, uint32_t ops, Arena *mem)
{
	uint64_t all = weight_of_all(m), least = all / (SPLIT_PARTS_MAX - TAPERED) + 1;
	LowerSplit split = {0};
	if (all < 2 * (uint64_t)ops || !can_split(m))
		return split;
	Splitter s = {.m = m,
	              .mem = mem,
	              .leader = arena_array(mem, uint32_t, m->names.len),
	              .part = arena_array(mem, uint16_t, m->names.len),
	              .shared = arena_array(mem, bool, m->names.len),
	              .copied = arena_array(mem, bool, m->names.len),
	              .seen = arena_array(mem, uint32_t, m->attrs.len)};
	join_classes(&s);
	split.nparts = assign_parts(&s, ops > least ? ops : least, all);
	share_named(&s);
	lay_out_types(m);
	split.part = s.part;
	split.shared = s.shared;
	split.copied = s.copied;
	return split.nparts > 1 ? split : (LowerSplit){0};
}
