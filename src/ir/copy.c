/* ir/copy.c
 *
 *   1  names, by their ids
 *   2  types and attributes, by theirs: each comes behind what it is made of, but for the bodies of named records
 *   3  ops: with the values that there are so far, then with those of later blocks
 */
#include "ir/copy.h"

#include "ir/debug_scope.h"
#include "ir/debug_source.h"

typedef struct Pending {
	const IrRegion *from;
	IrRegion *to;
} Pending;

typedef struct Copier {
	const IrModule *from;
	IrModule *to;
	Arena *mem;
	Name **names;         /* Name.id */
	IrType **types;       /* IrType.id; NULL: not yet */
	const IrAttr **attrs; /* IrAttr.id; NULL: not yet */
	PtrMap map;           /* LocInfo, IrOp, IrBlock and IrValue of the original to those of the copy */
	VEC(Pending) regions;
	VEC(IrUse *) late; /* operands whose value comes later */
	VEC(const IrValue *) late_values;
	IrValue later; /* stands for it so long */
} Copier;

/* Names */

static Name *name_of(const Copier *c, const Name *name)
{
	return name ? c->names[name->id] : NULL;
}

static const Name **names_by_id(const Copier *c)
{
	const NameTable *t = &c->from->names;
	const Name **by_id = arena_array(c->mem, const Name *, t->len);
	for (uint32_t i = 0; i < t->cap; i++)
		if (t->slots[i].name)
			by_id[t->slots[i].name->id] = t->slots[i].name;
	return by_id;
}

static void copy_names(Copier *c, const Name **by_id)
{
	for (uint32_t i = 0; i < c->from->names.len; i++)
		c->names[i] = ir_name(c->to, name_str(by_id[i]));
}

/* Locations nest at most TYPE_DEPTH_MAX deep. */
static const LocInfo *copy_info(Copier *c, const LocInfo *info)
{
	LocInfo *copy = info ? ptrmap_get(&c->map, info) : NULL;
	if (copy || !info)
		return copy;
	copy = arena_new(&c->to->arena, LocInfo);
	*copy = *info;
	copy->name.data = arena_copy(&c->to->arena, info->name.data, info->name.len);
	if (info->kind != LOC_FILE && info->ninner) {
		copy->inner = arena_array(&c->to->arena, const LocInfo *, info->ninner);
		for (uint32_t i = 0; i < info->ninner; i++)
			copy->inner[i] = copy_info(c, info->inner[i]);
	}
	ptrmap_put(c->mem, &c->map, info, copy);
	return copy;
}

static Loc loc_of(Copier *c, Loc loc)
{
	loc.info = copy_info(c, loc.info);
	return loc;
}

/* Types and attributes nest at most as deep, and a named record is one name. */

static const IrAttr *attr_of(Copier *c, const IrAttr *a);

static IrType *type_of(Copier *c, const IrType *t);

static void fill_type(Copier *c, const IrType *t, IrType *copy)
{
	copy->elem = type_of(c, t->elem);
	copy->padding = type_of(c, t->padding);
	copy->attr = attr_of(c, t->attr);
	copy->members = arena_array(c->mem, IrType *, t->nmembers);
	for (uint32_t i = 0; i < t->nmembers; i++)
		copy->members[i] = type_of(c, t->members[i]);
}

static IrType *type_of(Copier *c, const IrType *t)
{
	if (!t || c->types[t->id])
		return t ? c->types[t->id] : NULL;
	bool named = t->kind == TYPE_RECORD && t->name;
	IrType key = *t;
	key.name = name_of(c, t->name);
	key.size = key.align = 0;
	key.pointer = NULL;
	key.type_attr = NULL;
	if (named)
		key = (IrType){.kind = t->kind, .record_kind = t->record_kind, .name = key.name};
	else
		fill_type(c, t, &key);
	return c->types[t->id] = ir_type_intern(c->to, &key);
}

static const IrAttr *attr_of(Copier *c, const IrAttr *a)
{
	if (!a || c->attrs[a->id])
		return a ? c->attrs[a->id] : NULL;
	IrAttr key = *a;
	key.type = type_of(c, a->type);
	key.elem_type = type_of(c, a->elem_type);
	key.name = name_of(c, a->name);
	key.loc = copy_info(c, a->loc);
	key.elems = arena_array(c->mem, const IrAttr *, a->n);
	key.keys = a->keys ? arena_array(c->mem, Name *, a->n) : NULL;
	for (uint32_t i = 0; i < a->n; i++) {
		key.elems[i] = attr_of(c, a->elems[i]);
		if (a->keys)
			key.keys[i] = name_of(c, a->keys[i]);
	}
	return c->attrs[a->id] = ir_attr_intern(c->to, &key);
}

static void copy_body(Copier *c, const IrType *record)
{
	if (record->kind != TYPE_RECORD || !record->name || !record->complete)
		return;
	IrType body = {0};
	fill_type(c, record, &body);
	ir_record_set_body(c->to, c->types[record->id],
	                   &(RecordBody){.members = body.members,
	                                 .marks = record->marks,
	                                 .nmembers = record->nmembers,
	                                 .packed = record->packed,
	                                 .padding = body.padding,
	                                 .std_type_info = body.attr});
}

/* Plain symbols and strings are known to their names alone. */
static const IrAttr **attrs_by_id(const Copier *c, const Name *const *names)
{
	const AttrTable *t = &c->from->attrs;
	const IrAttr **by_id = arena_array(c->mem, const IrAttr *, t->len);
	for (uint32_t i = 0; i < t->nheld; i++)
		by_id[t->held[i]->id] = t->held[i];
	for (uint32_t i = 0; i < c->from->names.len; i++) {
		const IrAttr *symbol = names[i]->symbol_attr, *string = names[i]->string_attr;
		if (symbol)
			by_id[symbol->id] = symbol;
		if (string)
			by_id[string->id] = string;
	}
	return by_id;
}

static void copy_types_and_attrs(Copier *c, const Name *const *names)
{
	const IrAttr **attrs = attrs_by_id(c, names);
	for (uint32_t i = 0; i < c->from->types.len; i++)
		type_of(c, c->from->types.held[i]);
	for (uint32_t i = 0; i < c->from->attrs.len; i++)
		attr_of(c, attrs[i]);
	for (uint32_t i = 0; i < c->from->types.len; i++)
		copy_body(c, c->from->types.held[i]);
}

static IrNamedAttr *copy_named(Copier *c, Arena *mem, const IrNamedAttr *attrs, uint32_t n)
{
	IrNamedAttr *copies = arena_array(mem, IrNamedAttr, n);
	for (uint32_t i = 0; i < n; i++)
		copies[i] = (IrNamedAttr){name_of(c, attrs[i].name), attr_of(c, attrs[i].value)};
	return copies;
}

/* Ops */

static void copy_blocks(Copier *c, Pending p)
{
	IR_FOR_BLOCKS (b, p.from) {
		IrBlock *copy = p.to->first; /* the module has its block already */
		if (p.from != &c->from->body) {
			copy = ir_block_create(c->to, loc_of(c, b->loc));
			ir_block_append(p.to, copy);
		}
		ptrmap_put(c->mem, &c->map, b, copy);
		for (uint32_t i = 0; i < b->nargs; i++)
			ptrmap_put(c->mem, &c->map, b->args[i],
			           ir_block_add_arg(c->to, copy, type_of(c, b->args[i]->type)));
	}
}

static void copy_edges(Copier *c, const IrOp *op, IrOpSpec *spec)
{
	IrValue **operands = arena_array(c->mem, IrValue *, op->noperands);
	IrSuccSpec *succs = arena_array(c->mem, IrSuccSpec, op->nsuccs);
	for (uint32_t i = 0; i < op->noperands; i++) {
		IrValue *v = ptrmap_get(&c->map, op->operands[i].value);
		operands[i] = v ? v : &c->later;
	}
	for (uint32_t i = 0; i < op->nsuccs; i++)
		succs[i] = (IrSuccSpec){ptrmap_get(&c->map, op->succs[i].dest), operands + op->succs[i].first,
		                        op->succs[i].nargs};
	spec->operands = operands;
	spec->noperands = ir_op_nmain(op);
	spec->succs = succs;
	spec->nsuccs = op->nsuccs;
}

static void note(Copier *c, const IrOp *op, IrOp *copy)
{
	ptrmap_put(c->mem, &c->map, op, copy);
	for (uint32_t i = 0; i < op->nresults; i++)
		ptrmap_put(c->mem, &c->map, &op->results[i], &copy->results[i]);
	for (uint32_t i = 0; i < op->nregions; i++)
		vec_push(c->mem, &c->regions, ((Pending){&op->regions[i], &copy->regions[i]}));
	for (uint32_t i = 0; i < op->noperands; i++) {
		if (copy->operands[i].value != &c->later)
			continue;
		vec_push(c->mem, &c->late, &copy->operands[i]);
		vec_push(c->mem, &c->late_values, op->operands[i].value);
	}
	if (ir_symbol_name(op) && ir_symbol_name(op)->symbol == op)
		ir_symbol_define(copy);
}

static void copy_op(Copier *c, const IrOp *op, IrBlock *to)
{
	IrOpSpec spec = {.kind = op->kind,
	                 .loc = loc_of(c, op->loc),
	                 .nresults = op->nresults,
	                 .nregions = op->nregions,
	                 .attrs = copy_named(c, c->mem, op->attrs, op->nattrs),
	                 .nattrs = op->nattrs};
	IrType **results = arena_array(c->mem, IrType *, op->nresults);
	for (uint32_t i = 0; i < op->nresults; i++)
		results[i] = type_of(c, op->results[i].type);
	spec.result_types = results;
	copy_edges(c, op, &spec);
	IrOp *copy = ir_op_create(c->to, &spec);
	ir_op_append(to, copy);
	note(c, op, copy);
}

static void copy_ops(Copier *c)
{
	vec_push(c->mem, &c->regions, ((Pending){&c->from->body, &c->to->body}));
	for (uint32_t i = 0; i < c->regions.len; i++) {
		Pending p = c->regions.data[i];
		copy_blocks(c, p);
		IR_FOR_BLOCKS (b, p.from)
			IR_FOR_OPS (op, b)
				copy_op(c, op, ptrmap_get(&c->map, b));
	}
	for (uint32_t i = 0; i < c->late.len; i++) {
		IrUse *use = c->late.data[i];
		IrValue *v = ptrmap_get(&c->map, c->late_values.data[i]);
		ir_set_operand(use->user, (uint32_t)(use - use->user->operands), v);
	}
}

/* What the module knows besides */
static void copy_facts(Copier *c)
{
	const IrModule *from = c->from;
	IrModule *to = c->to;
	to->name = name_of(c, from->name);
	to->module_attrs = copy_named(c, &to->arena, from->module_attrs, from->nmodule_attrs);
	to->nmodule_attrs = from->nmodule_attrs;
	to->attrs_loc = loc_of(c, from->attrs_loc);
	memcpy(to->made, from->made, sizeof to->made);
	to->settled = from->settled;
	to->cxx_exceptions = from->cxx_exceptions;
	to->repair = from->repair;
	to->repair_each = from->repair_each;
	to->repaired = from->repaired;
	if (from->eh_table.len)
		to->eh_table = (Str){arena_copy(&to->arena, from->eh_table.data, from->eh_table.len),
		                     from->eh_table.len};
	to->dated = from->dated;
	to->padding_untold = from->padding_untold;
	to->judged_names = from->judged_names; /* names have the same ids */
	to->warned = from->warned;
	for (uint32_t i = 0; i < from->scopes.len; i++) {
		IrScope scope = from->scopes.data[i];
		scope.loc = loc_of(c, scope.loc);
		vec_push(&to->arena, &to->scopes, scope);
	}
	for (uint32_t i = 0; i < from->numbers.cap; i++)
		if (from->numbers.keys[i])
			ptrmap_put(&to->arena, &to->numbers, name_of(c, from->numbers.keys[i]),
			           from->numbers.values[i]);
	if (from->source.name)
		to->source.name = arena_copy(&to->arena, from->source.name, strlen(from->source.name));
	if (!from->source.text.data)
		return;
	to->source.text.data = arena_copy(&to->arena, from->source.text.data, from->source.text.len);
	to->source.text.len = from->source.text.len;
}

/* For debuggers (ir/debug_source.h) */

static void copy_parameters(Copier *c, const PtrMap *slots, IrSource *copy)
{
	for (uint32_t i = 0; i < slots->cap; i++) {
		const IrValue *slot = slots->keys[i], *to = slot ? ptrmap_get(&c->map, slot) : NULL;
		const IrSourceSlot *known = slots->values[i];
		if (!to || known->id != slot->id)
			continue;
		IrSourceSlot *s = arena_new(&c->to->arena, IrSourceSlot);
		*s = (IrSourceSlot){to->id, known->parameter};
		ptrmap_put(&c->to->arena, &copy->parameters, to, s);
	}
}

static void copy_moved(Copier *c, const IrSource *source, IrSource *copy)
{
	for (uint32_t i = 0; i < source->moved.len; i++) {
		IrMoved moved = source->moved.data[i];
		moved.address = ptrmap_get(&c->map, moved.address);
		moved.name = name_of(c, moved.name);
		moved.type = type_of(c, moved.type);
		moved.loc = loc_of(c, moved.loc);
		if (moved.address)
			vec_push(&c->to->arena, &copy->moved, moved);
	}
}

static void copy_sources(Copier *c)
{
	const PtrMap *sources = &c->from->sources;
	for (uint32_t i = 0; i < sources->cap; i++) {
		const IrOp *func = sources->keys[i] ? ptrmap_get(&c->map, sources->keys[i]) : NULL;
		const IrSource *source = sources->values[i];
		if (!func)
			continue;
		IrSource *copy = arena_new(&c->to->arena, IrSource);
		*copy = (IrSource){.type = type_of(c, source->type)};
		copy_parameters(c, &source->parameters, copy);
		copy_moved(c, source, copy);
		ptrmap_put(&c->to->arena, &c->to->sources, func, copy);
	}
}

void ir_module_copy(const IrModule *from, IrModule *to)
{
	ArenaMark mark = arena_mark(&to->scratch);
	Copier c = {.from = from, .to = to, .mem = &to->scratch};
	c.names = arena_array(c.mem, Name *, from->names.len);
	c.types = arena_array(c.mem, IrType *, from->types.len);
	c.attrs = arena_array(c.mem, const IrAttr *, from->attrs.len);
	const Name **names = names_by_id(&c);
	copy_names(&c, names);
	copy_types_and_attrs(&c, names);
	copy_ops(&c);
	copy_facts(&c);
	copy_sources(&c);
	arena_release(&to->scratch, mark);
}
